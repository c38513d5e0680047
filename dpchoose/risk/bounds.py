r"""Disclosure risk as a function of epsilon: the tight bound, the upper bound, the average case.

The noise enters only through its rate :math:`t = \varepsilon/\Delta f`, the inverse of the
Laplace scale; of several answers that are published together each has a rate of its own.
At epsilon 0 the adversary keeps the prior; at infinity, or when the sensitivity is 0, no
noise is added.

*By group.* World i misses a record of group g, and world j one of group h. Where g = h the two
tables differ in the answers of g, by :math:`|x_i - x_j|`. Where not, they differ from the
full table in both groups, by :math:`\delta_i` and :math:`\delta_j`. So the sum over all
worlds j around world i is

.. math:: S_i = \sum_{j \in g} p_j e^{-|t (x_i - x_j)|} + e^{-|t \delta_i|}
                \sum_{j \notin g} p_j e^{-|t \delta_j|}.

*Rounding*, in units u, of the logarithm of a risk. Weight and peak are rounded once each. A
place is off by 4u of itself, and by 4u where it is scaled and subtracted, so a distance is
off by at most 12u of the largest place minus the smallest in each coordinate, times its
rate; moves of groups likewise. The sums are off by :func:`dpchoose.risk.kernel.rounding`;
by group every addition over other groups by u, at most M of them. :func:`margin` is the
sum. It grows with the rates, so a risk with its margin never falls along a ray.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import kernel
from dpchoose.risk.kernel import UNIT
from dpchoose.worlds.worlds import Worlds

FADED = 800.0  # a distance from which on nothing is left in floats
ENDLESS = 1e200  # rates times places beyond it are those without noise


def tight_bound(worlds: Worlds, *, epsilon: Any, sensitivity: Any) -> Any:
    r"""The largest posterior of any world after any output (``eq-tight``, ``eq-joint``).

    .. math:: \max_i \frac{p_i}{\sum_j p_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}}

    Lee and Clifton (2011), equations 11 and 12, for any prior and for any number of
    answers published together. By the triangle inequality in each coordinate no output
    gives world i a larger posterior, and the output :math:`f_i` gives this one: it is the
    exact worst case.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, M distinct answers.
        epsilon: in [0, inf]. For one answer a float or an array of any shape; for d answers
            of shape (d,) or (..., d). Answers by group follow each other group by group
            in the order of the labels.
        sensitivity: of the query, in [0, inf), in the unit of the answers; for d answers of
            shape (d,).

    Returns:
        risks in (0, 1], of the shape of epsilon, for d answers without its last axis.

    >>> from dpchoose.worlds.worlds import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(tight_bound(years, epsilon=0.5, sensitivity=5 / 6), 4)
    0.3292
    """
    return _over_rates(worlds, epsilon, sensitivity, lambda r: math.exp(largest(worlds, r)))


def upper_bound(worlds: Worlds, *, epsilon: Any, sensitivity: Any) -> Any:
    r"""The closed-form bound: every other world as far away as the farthest (``eq-upper``).

    .. math:: \frac{1}{1 + \frac{1 - p}{p} e^{-d}}

    with p the largest prior and d the largest :math:`\sum_q t_q |f_{q,i} - f_{q,j}|` over
    pairs of worlds, for one answer :math:`t\Delta v`; Lee and Clifton (2011), equation 9,
    where p is 1/m for m worlds. It is never below :func:`tight_bound`. With p = 1/2 it is
    attained, by the adversary who is torn between the two worlds that lie farthest apart.
    It takes what :func:`tight_bound` takes, and returns risks of the same shape.

    >>> from dpchoose.worlds.worlds import possible_worlds
    >>> years = possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(upper_bound(years, epsilon=0.3379, sensitivity=5 / 6), 4)
    0.3333
    """
    prior = float(known(worlds).largest_prior)
    against = (1 - prior) / prior

    def at(rates: np.ndarray) -> float:
        return 1 / (1 + against * math.exp(-diameter(worlds, rates)))

    return _over_rates(worlds, epsilon, sensitivity, at)


def average_risk(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> Any:
    r"""The chance that the adversary's best guess is right, before any output.

    The Bayes success probability :math:`\int\max_i p_i\,q(\gamma - f_i)\,d\gamma` for
    Laplace noise q. On a log scale the curves :math:`p_i q` are tents of one slope; those
    whose tip lies under another tent never win. Between two neighbours that do win, heights
    h and g apart, both integrals are elementary, and the whole is

    .. math:: \sum_i h_i - \sum_i \sqrt{h_i h_{i+1}}\, e^{-t g_i/2}
              = h_0 + \sum_i h_{i+1}\left(1 - e^{(\ln h_i - \ln h_{i+1} - t g_i)/2}\right).

    Over many draws of world and noise the best guess is right that often; of a single
    output it promises nothing.
    It takes what :func:`tight_bound` takes of one answer, and returns risks of the same shape.

    >>> from dpchoose.worlds.worlds import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(average_risk(days, epsilon=0.43172, sensitivity=17 / 6), 5)
    0.30325
    """
    if known(worlds).answers.ndim > 1:
        raise ValueError(f"worlds must have one answer each, got {worlds.answers.shape[1]}")
    return _over_rates(worlds, epsilon, sensitivity, lambda rates: average(worlds, rates))


def known(worlds: Any) -> Worlds:
    """Refuse what did not come from :func:`dpchoose.possible_worlds`."""
    if not isinstance(worlds, Worlds):
        raise TypeError(f"worlds must come from possible_worlds, got {checks.short(worlds)}")
    return worlds


def log_risks(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """The logarithm of the largest posterior of a world behind each row, (M,).

    The rates of each group and answer are in [0, inf], (G, d), here and in all that follows.
    """
    rows = _rows(worlds, rates)
    around = kernel.sums(rows, worlds.weights, worlds.group)
    fade = np.exp(-_moved(worlds, rates))
    mass = np.add.reduceat(worlds.weights * fade, worlds.starts)
    others = np.append(0, np.cumsum(mass)[:-1]) + np.append(np.cumsum(mass[::-1])[-2::-1], 0)
    around = around + fade * others[worlds.group]
    return np.minimum(np.log(worlds.peaks / around), 0)


def of_row(worlds: Worlds, rates: np.ndarray, row: int) -> float:
    """One of :func:`log_risks`, at less cost."""
    rows = _rows(worlds, rates)
    apart, moved = np.abs(rows - rows[row]).sum(axis=1), _moved(worlds, rates)
    apart = np.where(worlds.group == worlds.group[row], apart, moved + moved[row])
    return float(min(np.log(worlds.peaks[row] / (worlds.weights * np.exp(-apart)).sum()), 0))


def largest(worlds: Worlds, rates: np.ndarray) -> float:
    """The logarithm of the tight bound."""
    return float(log_risks(worlds, rates).max())


def margin(worlds: Worlds, rates: np.ndarray) -> float:
    """By how much :func:`log_risks` may be off."""
    sizes, rows, several = np.ptp(worlds.places, axis=0), len(worlds.places), 0
    if worlds.shape[0] > 1:
        sizes, several = 2 * np.abs(worlds.places) + np.abs(worlds.moves), rows
    finite = _of_rows(worlds, np.where(np.isinf(rates), 0, rates))
    off = float((finite * sizes).sum(axis=1).max())
    return kernel.rounding(rows, worlds.shape[1]) + UNIT * (12 * off + several + 8)


def diameter(worlds: Worlds, rates: np.ndarray) -> float:
    r"""How far apart two worlds are at most, in all answers together, rounded up.

    Within a group the largest range of :math:`\sum_q \pm t_q x_q` over the patterns of signs;
    between groups the two largest :math:`|t\delta|` together.
    """
    rows, starts = _rows(worlds, rates), worlds.starts
    two = np.sort(np.maximum.reduceat(_moved(worlds, rates), starts))[-2:]
    farthest = float(two.sum()) if len(two) == 2 else 0.0
    for signs in itertools.product((1, -1), repeat=rows.shape[1] - 1):
        line = rows @ np.array([1, *signs])
        ranges = np.maximum.reduceat(line, starts) - np.minimum.reduceat(line, starts)
        farthest = max(farthest, float(ranges.max()))
    return math.inf if farthest >= FADED and np.isinf(rates).any() else farthest * (1 + 64 * UNIT)


def average(worlds: Worlds, rates: np.ndarray) -> float:
    """The average case of one answer, of tents under their envelope."""
    gaps, heights = np.diff(_rows(worlds, rates)[:, 0]), np.log(worlds.peaks)
    reach = float(np.ptp(heights))
    if reach:  # else all tents are alike, and none covers another
        x = np.append(0, np.cumsum(np.minimum(gaps, reach + 1)))
        left = np.maximum.accumulate(heights + x) - x
        heights = np.maximum(left, np.maximum.accumulate((heights - x)[::-1])[::-1] + x)
    gains = -np.expm1(np.minimum((heights[:-1] - heights[1:] - gaps) / 2, 0))
    return min(1.0, float(math.exp(heights[0]) + (np.exp(heights[1:]) * gains).sum()))


def rates_of(epsilon: Any, sensitivity: Any) -> np.ndarray:
    """Epsilon over sensitivity; a sensitivity of 0 asks for no noise.

    >>> rates_of(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, inf]
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return np.where(np.equal(sensitivity, 0), math.inf, np.divide(epsilon, sensitivity))


def scaled(places: np.ndarray, codes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Places times rates, all of shape (M, d).

    Without noise answers that differ are out of each other's sight.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        rows = rates * places
        endless = np.isinf(rates) | (rates * np.abs(places).max(axis=0) > ENDLESS)
    return np.where(endless, FADED * codes, rows)


def _of_rows(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """The rates of the group of each world, (M, d)."""
    return rates.reshape(worlds.shape)[worlds.group]


def _rows(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """The places of the worlds, times their rates."""
    return scaled(worlds.places, worlds.codes, _of_rows(worlds, rates))


def _moved(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """How far the table of each world lies from the full one, times its rates: 0 without groups."""
    return times(_of_rows(worlds, rates), np.abs(worlds.moves)).sum(axis=1)


def times(rates: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Rates times distances; a distance of 0 stays 0 at any rate."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(sizes == 0, 0, rates * sizes)


def _over_rates(
    worlds: Worlds, epsilon: Any, sensitivity: Any, at: Callable[[np.ndarray], float]
) -> Any:
    """A function of rates of shape (G, d), applied to epsilons of any number."""
    several = (known(worlds).answers.ndim > 1) * math.prod(worlds.shape)
    shape = (several,) if several else ()
    deltas = checks.reals("sensitivity", sensitivity, 0, math.inf, closed="[)", shape=shape)
    epsilons = checks.reals("epsilon", epsilon, 0, math.inf)
    if several and epsilons.shape[-1:] != shape:
        raise ValueError(f"epsilon must have shape (..., {several}), got {epsilons.shape}")
    rates = rates_of(epsilons, deltas).reshape(-1, *worlds.shape)
    risks = np.minimum([at(row) for row in rates], 1.0)
    risks = risks.reshape(epsilons.shape[:-1] if several else epsilons.shape)
    return float(risks) if risks.ndim == 0 else risks
