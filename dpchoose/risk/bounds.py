r"""Disclosure risk as a function of epsilon: the tight bound, the upper bound, the average case.

The noise enters only through its rate :math:`t = \varepsilon/\Delta f`, the
inverse of the Laplace scale. At epsilon 0 the adversary keeps the prior; at
infinity, or when the sensitivity is 0, no noise is added. Of several answers
that are published together each has a rate of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import average, curves, decay
from dpchoose.risk.groups import GroupedSums
from dpchoose.risk.joint import JointRisk, diameter
from dpchoose.worlds.groups import GroupedWorlds
from dpchoose.worlds.possible import Worlds

BLOCK = 1 << 16  # numbers held at once when epsilon is an array: they stay in the cache


def tight_bound(worlds: Worlds | GroupedWorlds, *, epsilon: Any, sensitivity: Any) -> Any:
    r"""The largest posterior of any world after any output (``eq-tight``, ``eq-joint``).

    .. math:: \max_i \frac{p_i}{\sum_j p_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}}

    Lee and Clifton (2011), equations 11 and 12, for any prior and for any
    number of answers published together. By the triangle inequality in each
    coordinate no output gives world i a larger posterior, and the output
    :math:`f_i` gives this one: it is the exact worst case.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, M distinct answers.
        epsilon: in [0, inf]. For one answer a float or an array of any shape;
            for d answers of shape (d,) or (..., d). Answers by group follow
            each other group by group in the order of the labels.
        sensitivity: of the query, in [0, inf), in the unit of the answers;
            for d answers of shape (d,).

    Returns:
        risks in (0, 1], of the shape of epsilon, for d answers without its
        last axis. For one answer the time grows like M for each epsilon, as
        long as the noise is not much finer than the answers.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(tight_bound(years, epsilon=0.5, sensitivity=5 / 6), 4)
    0.3292
    """
    checks.worlds(worlds)
    if isinstance(worlds, GroupedWorlds):
        sums = GroupedSums(worlds)
        several = worlds.answers.shape

        def of_groups(rates: np.ndarray) -> float:
            return math.exp(sums.tight(rates.reshape(several))[0])

        return _over_rates(of_groups, worlds, epsilon, sensitivity)
    if worlds.answers.ndim > 1:
        rows = JointRisk(worlds.places, worlds.weights, worlds.peaks)

        def joint(rates: np.ndarray) -> float:
            return math.exp(rows.largest(rates)[0])

        return _over_rates(joint, worlds, epsilon, sensitivity)

    heads, tails = worlds.places.column(0)

    def largest(rates: np.ndarray) -> np.ndarray:
        reach = decay.sums(heads, worlds.weights, rates / worlds.places.divisors[0], tails)
        return np.minimum((worlds.peaks / reach).max(axis=1), 1)

    return over_epsilons(largest, len(worlds.answers), epsilon, sensitivity)


def upper_bound(worlds: Worlds | GroupedWorlds, *, epsilon: Any, sensitivity: Any) -> Any:
    r"""The closed-form bound: every other world as far away as the farthest (``eq-upper``).

    .. math:: \frac{1}{1 + \frac{1 - p}{p} e^{-d}}

    with p the largest prior and d the largest :math:`\sum_q t_q |f_{q,i} -
    f_{q,j}|` over pairs of worlds, for one answer :math:`t\Delta v`; Lee and
    Clifton (2011), equation 9, where p is 1/m for m worlds. It is never below
    :func:`tight_bound`. With p = 1/2 it is attained, by the adversary who is
    torn between the two worlds that lie farthest apart.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        epsilon, sensitivity: as for :func:`tight_bound`.

    Returns:
        risks in (0, 1], shaped as those of :func:`tight_bound`.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(upper_bound(years, epsilon=0.3379, sensitivity=5 / 6), 4)
    0.3333
    """
    checks.worlds(worlds)
    prior = worlds.largest_prior
    farthest = farthest_of(worlds)

    def at_distance(distance: float) -> float:
        return math.exp(curves.upper(prior, distance).log_risk(1.0))

    if worlds.answers.ndim > 1:

        def at_rates(rates: np.ndarray) -> float:
            return at_distance(farthest(rates))

        return _over_rates(at_rates, worlds, epsilon, sensitivity)

    def bound(rates: np.ndarray) -> np.ndarray:
        return np.array([at_distance(farthest(rate)) for rate in rates[:, None]])

    return over_epsilons(bound, 1, epsilon, sensitivity)


def average_risk(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> Any:
    r"""The chance that the adversary's best guess is right, before any output.

    The Bayes success probability :math:`\int\max_i p_i\,q(\gamma - f_i)\,d\gamma`
    for Laplace noise q. On a log scale the curves :math:`p_i q` are tents of
    one slope; those whose tip lies under another tent never win. Between two
    neighbours that do win, heights h and g apart, both integrals are
    elementary, and the whole is

    .. math:: \sum_i h_i - \sum_i \sqrt{h_i h_{i+1}}\, e^{-t g_i/2}.

    Over many draws of world and noise the best guess is right that often; of
    a single output it promises nothing.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, with one answer each.
        epsilon: in [0, inf], a float or an array.
        sensitivity: of the query, in [0, inf), in the unit of the answers.

    Returns:
        risks in (0, 1], of the shape of epsilon.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(average_risk(days, epsilon=0.43172, sensitivity=17 / 6), 5)
    0.30325
    """
    checks.worlds(worlds)
    if worlds.answers.ndim > 1:
        raise ValueError(f"worlds must have one answer each, got {worlds.answers.shape[1]}")
    heights = np.log(worlds.peaks)

    def success(rates: np.ndarray) -> np.ndarray:
        found = [average.best_guess(heights, worlds.places, rate).risk for rate in rates]
        return np.minimum(found, 1)

    return over_epsilons(success, len(worlds.answers), epsilon, sensitivity)


def farthest_of(worlds: Worlds | GroupedWorlds) -> Callable[[np.ndarray], float]:
    """How far apart two worlds are at most, in all answers together, at given rates."""
    if isinstance(worlds, GroupedWorlds):
        sums = GroupedSums(worlds)
        return lambda rates: sums.diameter(rates.reshape(worlds.answers.shape))
    return lambda rates: diameter(worlds.places, rates)[0]


def rates_of(epsilon: Any, sensitivity: Any) -> np.ndarray:
    """Epsilon over sensitivity; a sensitivity of 0 asks for no noise.

    >>> rates_of(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, inf]
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return np.where(np.equal(sensitivity, 0), math.inf, np.divide(epsilon, sensitivity))


def over_epsilons(
    at_rates: Callable[[np.ndarray], np.ndarray], width: int, epsilon: Any, sensitivity: float
) -> Any:
    """Apply a function of rates, shape (E,) to (E,), to epsilons of any shape."""
    epsilons = checks.epsilons(epsilon)
    rates = rates_of(epsilons.ravel(), checks.sensitivity(sensitivity))
    count = min(math.ceil(rates.size * width / BLOCK), rates.size)
    pieces = np.array_split(rates, max(count, 1))
    risks = np.concatenate([at_rates(piece) for piece in pieces]).reshape(epsilons.shape)
    return float(risks) if risks.ndim == 0 else risks


def _over_rates(
    at_rates: Callable[[np.ndarray], float], worlds: Worlds, epsilon: Any, sensitivity: Any
) -> Any:
    """Apply a function of one rate per statistic to epsilons of shape (..., d)."""
    grouped = isinstance(worlds, GroupedWorlds)
    several = worlds.answers.size if grouped else worlds.answers.shape[1]
    sensitivities = checks.sensitivities(sensitivity, several)
    epsilons = checks.epsilons(epsilon, several)
    rates = rates_of(epsilons, sensitivities).reshape(-1, several)
    risks = np.minimum([at_rates(row) for row in rates], 1).reshape(epsilons.shape[:-1])
    return float(risks) if risks.ndim == 0 else risks
