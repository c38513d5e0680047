r"""Disclosure risk as a function of epsilon: the tight bound, the upper bound, the average case.

The noise enters only through its rate :math:`t = \varepsilon/\Delta f`, the inverse of the
Laplace scale; of several answers that are published together each has a rate of its own.
At epsilon 0 the adversary keeps the prior; at infinity, or when the sensitivity is 0, no
noise is added.

*Rounding*, in units u, of the logarithm of a risk. Weight and peak are rounded once each. A
coordinate is off by 4u of itself, and by 4u where it is scaled and subtracted, so a distance
is off by at most 12u of the range of each coordinate, times its rate. The sums are off by
:func:`dpchoose.risk.kernel.rounding`. :func:`margin` is the total. It grows with the rates, so
a risk with its margin never falls along a ray.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import kernel
from dpchoose.risk.kernel import UNIT
from dpchoose.worlds.worlds import Worlds

FADED = 800.0  # the distance from which on e^-d is 0 in floats
ENDLESS = 1e200  # the rate times coordinate that counts as no noise at all


def tight_bound(worlds: Worlds, *, epsilon: Any, sensitivity: Any = None) -> Any:
    r"""The largest posterior of any world after any output (``eq-tight``, ``eq-joint``).

    .. math:: \max_i \frac{p_i}{\sum_j p_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}}

    Lee and Clifton (2011), equations 11 and 12, for any prior p and any number of answers
    published together; t is epsilon over sensitivity. By the triangle inequality in each
    coordinate no output gives world i a larger posterior, and the output :math:`f_i` gives
    this one: it is the exact worst case.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, M distinct answers.
        epsilon: in [0, inf]. For one answer a float or an array of any shape; for d answers
            of shape (d,) or (..., d).
        sensitivity: of the query, in [0, inf), in the unit of the answers; for d answers of
            shape (d,). None for ``worlds.sensitivity``.

    Returns:
        risks in (0, 1], of the shape of epsilon, for d answers without its last axis.

    >>> years = dp.possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(dp.tight_bound(years, epsilon=0.5), 4)
    0.3292
    """

    def risk_at(rates: np.ndarray) -> float:
        return math.exp(largest_log_risk(worlds, rates))

    return _over_rates(worlds, epsilon, sensitivity, risk_at)


def upper_bound(worlds: Worlds, *, epsilon: Any, sensitivity: Any = None) -> Any:
    r"""The closed-form bound: every other world as far away as the farthest (``eq-upper``).

    .. math:: \frac{1}{1 + \frac{1 - p}{p} e^{-d}}

    with p the largest prior and d the largest :math:`\sum_q t_q |f_{q,i} - f_{q,j}|` over
    pairs of worlds, for one answer :math:`t\Delta v`; Lee and Clifton (2011), equation 9,
    where p is 1/m for m worlds. But for rounding it is never below :func:`tight_bound`. With
    p = 1/2 it is attained, by the adversary who is torn between the two worlds that lie
    farthest apart.
    It takes what :func:`tight_bound` takes, and returns risks of the same shape.

    >>> years = dp.possible_worlds("mean", [1, 2, 3, 4], 3)
    >>> round(dp.upper_bound(years, epsilon=0.3379, sensitivity=5 / 6), 4)
    0.3333
    """
    prior = float(known(worlds).largest_prior)
    against = (1 - prior) / prior

    def risk_at(rates: np.ndarray) -> float:
        return 1 / (1 + against * math.exp(-diameter(worlds, rates)))

    return _over_rates(worlds, epsilon, sensitivity, risk_at)


def average_risk(worlds: Worlds, *, epsilon: Any, sensitivity: float | None = None) -> Any:
    r"""How often the adversary's best guess is right once she has read the output, on average.

    The Bayes success probability :math:`\int\max_i p_i\,q(\gamma - f_i)\,d\gamma` for
    Laplace noise q. A world whose curve :math:`p_i q` lies below another's everywhere never
    wins. For those that do, with :math:`h_i` = p_i at the i-th answer from below and
    :math:`g_i` its distance to the next, under noise of rate t = 1/b, the whole is

    .. math:: \sum_i h_i - \sum_i \sqrt{h_i h_{i+1}}\, e^{-t g_i/2}
              = h_0 + \sum_i h_{i+1}\left(1 - e^{(\ln h_i - \ln h_{i+1} - t g_i)/2}\right).

    Over many draws of world and noise the best guess is right that often; of a single
    output it promises nothing.
    It takes what :func:`tight_bound` takes of one answer, and returns risks of the same shape.

    >>> days = dp.possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(dp.average_risk(days, epsilon=0.43172, sensitivity=17 / 6), 5)
    0.30325
    """
    if known(worlds).several:
        raise ValueError(f"worlds must have one answer each, got {worlds.several}")
    return _over_rates(worlds, epsilon, sensitivity, lambda rates: average(worlds, rates))


def known(worlds: Any) -> Worlds:
    """Refuse what did not come from :func:`dpchoose.possible_worlds`."""
    if not isinstance(worlds, Worlds):
        raise TypeError(f"worlds must come from possible_worlds, got {checks.short(worlds)}")
    return worlds


def sensitivity_of(worlds: Worlds, given: Any) -> np.ndarray:
    """What is given as the sensitivity of their answers, else what they know: () or (d,)."""
    shape = (worlds.several,) if known(worlds).several else ()
    sensitivity = worlds.sensitivity if given is None else given
    return checks.reals("sensitivity", sensitivity, 0, math.inf, closed="[)", shape=shape)


def log_risks(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """The logarithm of the largest posterior of a world behind each row, (M,).

    The rates of the d answers are in [0, inf], (d,), here and in all that follows.
    """
    around = kernel.sums(_rows(worlds, rates), worlds.weights)
    return np.minimum(np.log(worlds.peaks / around), 0)


def log_risk_of_row(worlds: Worlds, rates: np.ndarray, row: int) -> float:
    """The entry of :func:`log_risks` for a single row, at less cost."""
    rows = _rows(worlds, rates)
    distances = np.abs(rows - rows[row]).sum(axis=1)
    around = (worlds.weights * np.exp(-distances)).sum()
    return float(min(np.log(worlds.peaks[row] / around), 0))


def largest_log_risk(worlds: Worlds, rates: np.ndarray) -> float:
    """The logarithm of the tight bound."""
    return float(log_risks(worlds, rates).max())


def margin(worlds: Worlds, rates: np.ndarray) -> float:
    """A bound on the error of :func:`log_risks`."""
    sizes = np.ptp(worlds.coordinates, axis=0)
    distance = float((np.where(np.isinf(rates), 0, rates) * sizes).sum())
    return kernel.rounding(*worlds.coordinates.shape) + UNIT * (12 * distance + 8)


def diameter(worlds: Worlds, rates: np.ndarray) -> float:
    r"""The largest distance of two worlds in all answers together, rounded up.

    It is the largest range of :math:`\sum_q \pm t_q x_q` over the patterns of signs.
    """
    rows = _rows(worlds, rates)
    patterns = itertools.product((1, -1), repeat=rows.shape[1] - 1)
    distance = max(float(np.ptp(rows @ np.array([1, *signs]))) for signs in patterns)
    return math.inf if distance >= FADED and np.isinf(rates).any() else distance * (1 + 64 * UNIT)


def average(worlds: Worlds, rates: np.ndarray) -> float:
    """The average case of one answer; on a log scale the curves are tents of one slope."""
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


def scaled(coordinates: np.ndarray, codes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Coordinates times rates, (M, d); without noise unequal answers are FADED apart."""
    with np.errstate(over="ignore", invalid="ignore"):
        rows = rates * coordinates
        endless = np.isinf(rates) | (rates * np.abs(coordinates).max(axis=0) > ENDLESS)
    return np.where(endless, FADED * codes, rows)


def _rows(worlds: Worlds, rates: np.ndarray) -> np.ndarray:
    """The coordinates of the worlds, times their rates."""
    return scaled(worlds.coordinates, worlds.codes, rates)


def times(rates: np.ndarray | float, sizes: np.ndarray) -> np.ndarray:
    """Rates times distances; a distance of 0 stays 0 at any rate."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(sizes == 0, 0, rates * sizes)


def _over_rates(
    worlds: Worlds, epsilon: Any, sensitivity: Any, risk_at: Callable[[np.ndarray], float]
) -> Any:
    """A function of rates of shape (d,), applied to epsilons of any number."""
    deltas, several = sensitivity_of(worlds, sensitivity), worlds.several
    epsilons = checks.reals("epsilon", epsilon, 0, math.inf)
    if several and epsilons.shape[-1:] != deltas.shape:
        raise ValueError(f"epsilon must have shape (..., {several}), got {epsilons.shape}")
    rates = rates_of(epsilons, deltas).reshape(-1, several or 1)
    risks = np.minimum([risk_at(row) for row in rates], 1.0)
    risks = risks.reshape(epsilons.shape[:-1] if several else epsilons.shape)
    return float(risks) if risks.ndim == 0 else risks
