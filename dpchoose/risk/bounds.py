r"""Disclosure risk as a function of epsilon.

Every function takes epsilon as a float or an array and returns the same shape.
The noise enters only through its rate :math:`t = \varepsilon/\Delta f`, the
inverse of the Laplace scale. At epsilon 0 the adversary keeps the prior; at
infinity, or when the sensitivity is 0, no noise is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import decay
from dpchoose.worlds.possible import Worlds

UNIT = 2.0**-53
BLOCK = 1 << 16  # numbers held at once when epsilon is an array: they stay in the cache


def worst_case_risk(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> Any:
    r"""The largest posterior of any world after any output: the tight bound.

    .. math:: \max_i \frac{p_i}{\sum_j p_j e^{-t|f_i - f_j|}}

    Lee and Clifton (2011), equations 11 and 12, for any prior. By the
    triangle inequality no output gives world i a larger posterior, and the
    output :math:`f_i` gives this one.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, M distinct answers.
        epsilon: in [0, inf], a float or an array.
        sensitivity: of the query, in [0, inf), in the unit of the answers.

    Returns:
        risks in (0, 1], of the shape of epsilon. The time grows like M for
        each epsilon, as long as the noise is not much finer than the answers.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(worst_case_risk(years, epsilon=0.5, sensitivity=5 / 6), 4)
    0.3292
    """

    def largest(rates: np.ndarray) -> np.ndarray:
        if worlds.log_counts is not None:
            return np.array([math.exp(min(worst_world(worlds, rate)[0], 0)) for rate in rates])
        reach = decay.sums(worlds.answers, worlds.weights, rates)
        return np.minimum((worlds.peaks / reach).max(axis=1), 1)

    return over_epsilons(largest, len(worlds.answers), epsilon, sensitivity)


def worst_world(worlds: Worlds, rate: float, among: np.ndarray | None = None) -> tuple[float, int]:
    """The logarithm of the worst-case risk at one rate, and the answer that has it.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        rate: t, in [0, inf], in the inverse unit of the answers.
        among: the answers to look at, booleans of shape (M,); None for all.

    Returns:
        the logarithm, off by no more than :func:`log_risk_error`, and a
        position in ``worlds.answers``.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> worst_world(days, np.inf)[0]
    0.0
    """
    if worlds.log_counts is not None:
        risks = -decay.log_sums(worlds.answers, worlds.log_counts, rate)
        if among is not None:
            risks[~among] = -math.inf
        at = int(risks.argmax())
        return float(risks[at]), at
    risks = decay.sums(worlds.answers, worlds.weights, np.array([rate]))[0]
    np.divide(worlds.peaks, risks, out=risks)
    if among is not None:
        risks *= among
    at = int(risks.argmax())
    return math.log(risks[at]), at


def log_risk_error(worlds: Worlds) -> float:
    """By how much the logarithm of :func:`worst_world` may be off.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> log_risk_error(possible_worlds("mean", [1, 2, 3, 10], 3)) < 1e-11
    True
    """
    if worlds.log_counts is not None:
        return worlds.log_error + decay.log_error(worlds.log_counts)
    return 2 * decay.relative_error(len(worlds.answers))


def risk_upper_bound(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> Any:
    r"""The closed-form bound: every other world as far away as the farthest.

    .. math:: \frac{1}{1 + \frac{1 - p}{p} e^{-t\Delta v}}

    with p the largest prior; Lee and Clifton (2011), equation 9, where p is
    1/m for m worlds. It is never below :func:`worst_case_risk`.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        epsilon: in [0, inf], a float or an array.
        sensitivity: of the query, in [0, inf), in the unit of the answers.

    Returns:
        risks in (0, 1], of the shape of epsilon.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(risk_upper_bound(years, epsilon=0.3379, sensitivity=5 / 6), 4)
    0.3333
    """
    prior = worlds.largest_prior
    odds = (1 - prior) / prior
    log_odds = math.log(odds.numerator) - math.log(odds.denominator) if odds else -math.inf

    def bound(rates: np.ndarray) -> np.ndarray:
        exponents = decay.exponents(rates[:, None], np.array([worlds.spread]))[:, 0]
        return np.exp(-np.logaddexp(0, log_odds - exponents))

    return over_epsilons(bound, 1, epsilon, sensitivity)


def average_risk(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> Any:
    r"""The chance that the adversary's best guess is right, before any output.

    The Bayes success probability :math:`\int\max_i p_i\,q(\gamma - f_i)\,d\gamma`
    for Laplace noise q. On a log scale the curves :math:`p_i q` are tents of
    one slope; those whose tip lies under another tent never win. Between two
    neighbours that do win, heights h and g apart, both integrals are
    elementary, and the whole is

    .. math:: \sum_i h_i - \sum_i \sqrt{h_i h_{i+1}}\, e^{-t g_i/2}.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, with any prior.
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
    heights, answers = log_heights(worlds), worlds.answers

    def success(rates: np.ndarray) -> np.ndarray:
        return np.minimum([best_guess(heights, answers, rate)[0] for rate in rates], 1)

    return over_epsilons(success, len(answers), epsilon, sensitivity)


def best_guess(heights: np.ndarray, answers: np.ndarray, rate: float) -> tuple[float, float]:
    r"""The average risk at one rate t, and by how much it may be off.

    The sum of :func:`average_risk`, written without cancellation:
    :math:`h_0 + \sum_i h_{i+1}\left(1 - e^{(\ln h_i - \ln h_{i+1} - t g_i)/2}\right)`,
    where every term is positive.

    Args:
        heights: logarithms of the largest prior at each answer, shape (M,).
        answers: sorted, distinct, shape (M,).
        rate: t, in [0, inf], in the inverse unit of the answers.

    >>> best_guess(np.log([0.5, 0.5]), np.array([0.0, 1]), np.inf)[0]
    1.0
    """
    highest, lowest = float(heights.max()), float(heights.min())
    if highest == lowest:
        gains = -np.expm1(-decay.exponents(rate / 2, np.diff(answers)))
        total = math.exp(highest) * (1 + float(gains.sum()))
        return total, 4 * UNIT * (40 - highest) * total
    wins = _winning(heights, answers, rate)
    heights, answers = heights[wins], answers[wins]
    tops = np.exp(heights)
    gains = (heights[:-1] - heights[1:]) / 2 - decay.exponents(rate / 2, np.diff(answers))
    gains = -np.expm1(np.minimum(gains, 0)) * tops[1:]
    total = float(tops[0] + gains.sum())
    return total, 4 * UNIT * (40 - lowest) * (total + float(tops.sum()))


def log_heights(worlds: Worlds) -> np.ndarray:
    """Logarithms of the largest prior at each answer, however small."""
    if worlds.log_counts is not None:
        return np.full(len(worlds.answers), -math.log(worlds.total))
    return np.log(worlds.peaks)


def _winning(heights: np.ndarray, answers: np.ndarray, rate: float) -> np.ndarray:
    """The tents of log height ``heights`` that no other tent covers.

    Heights above the farthest tent lose digits when that is far away, so they
    only sort out the clear cases; neighbours are then compared with each other.
    """
    if rate == math.inf:
        return np.arange(len(heights))
    if rate == 0:
        return heights.argmax()[None]
    climb = np.minimum(decay.exponents(rate, answers - answers[0]), 1e300)
    slack = 4 * np.spacing(climb[-1] - heights.min())
    from_left = np.maximum.accumulate(heights + climb) - slack
    from_right = np.maximum.accumulate((heights - climb)[::-1])[::-1] - slack
    wins = np.flatnonzero((heights + climb >= from_left) & (heights - climb >= from_right))
    while True:
        rises = np.diff(heights[wins])
        reaches = decay.exponents(rate, np.diff(answers[wins]))
        covered = np.append(rises > reaches, False) | np.insert(rises <= -reaches, 0, False)
        if not covered.any():
            return wins
        wins = wins[~covered]


def over_epsilons(
    at_rates: Callable[[np.ndarray], np.ndarray], width: int, epsilon: Any, sensitivity: float
) -> Any:
    """Apply a function of rates, shape (E,) to (E,), to epsilons of any shape."""
    epsilons = checks.epsilons(epsilon)
    sensitivity = checks.sensitivity(sensitivity)
    with np.errstate(over="ignore", divide="ignore"):
        rates = epsilons.ravel() / sensitivity if sensitivity else np.full(epsilons.size, math.inf)
    count = min(math.ceil(rates.size * width / BLOCK), rates.size)
    pieces = np.array_split(rates, max(count, 1))
    risks = np.concatenate([at_rates(piece) for piece in pieces]).reshape(epsilons.shape)
    return float(risks) if risks.ndim == 0 else risks
