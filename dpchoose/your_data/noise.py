r"""The laws of the noise that is published, each with its own error.

An error at a probability p is what the noise exceeds with probability 1 - p, at most.

*A median or percentile* of values of which only public limits are known is drawn.
The candidates are the public grid l, l + unit, ..., h; values are cut to the limits and rounded
to it. The score of a candidate v for the percentile a of n values is

.. math:: -\max(0,\ \#\{x < v\} - a n,\ \#\{x > v\} - (1 - a) n):

the *places* by which v misses, 0 for the percentile itself, ties included. One changed record
moves a score by at most 1, one that comes or goes by at most max(a, 1 - a). What is drawn is the
noisy maximum (permute-and-flip, McKenna and Sheldon 2020) at a scale of s records: its privacy
loss is 2/s for a changed record and 2 max(a, 1 - a)/s for one that comes or goes, and

.. math:: P(v) = z_v \int_0^1 \prod_{j \ne v} (1 - z_j u)\,du, \qquad z = e^{(score - best)/s}.

Of m candidates the drawn one misses by more than t = s ln((m - 1)/(2p)) places, at least 0, with
probability p at most. Permute-and-flip draws the maximum of score plus exponential noise of scale
s. Some candidate misses by 0; another that misses by more than t exceeds it with probability
e^{-t/s}/2 at most, and there are m - 1 others. No candidate misses by more than the larger of a n
and (1 - a) n, and each by 0, k - a n or k - (1 - a) n, k whole: where n is public t is rounded
down to one of these, and is no more than the most.
"""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose.checks import require
from dpchoose.numbers import parse_number

MOST_STEPS = 10_000  # between the candidates of a percentile
FINE = 28  # binary digits to which a value is rounded whose sum is drawn where n is hidden
MOST_FINE = 2 ** (53 - FINE)  # of such values whose sum is a float
FINEST_RANK = 10**6  # its denominator: times the places of 2^43 records it is a whole number yet
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


class Continuous(NamedTuple):
    """Laplace noise of a scale."""

    scale: float

    def error(self, inside: float) -> float:
        """The scale times ln(1/(1 - p)).

        >>> round(Continuous(2.0).error(0.95), 4)
        5.9915
        """
        return self.scale * -math.log1p(-inside)


class Discrete(NamedTuple):
    """Laplace noise in whole steps, of which a unit has some."""

    scale: float
    steps: int

    def error(self, inside: float) -> float:
        r"""The smallest number k of steps with :math:`P(|noise| > k) = 2q^{k+1}/(1 + q) \le 1-p`.

        >>> Discrete(2.0, 1).error(0.95), Discrete(0.1, 1).error(0.95)
        (6.0, 0.0)
        """
        if self.scale in (0, math.inf):
            return self.scale
        log_ratio = -1 / (self.scale * self.steps)
        beyond = math.log1p(-inside) + math.log1p(math.exp(log_ratio)) - math.log(2)
        return max(math.ceil(beyond / log_ratio - 1 - 1e-9), 0) / self.steps


class Drawn(NamedTuple):
    """A percentile that is drawn among candidates; scale and error are in places.

    Attributes:
        size: the number of values, where it is public; else None.
    """

    scale: float
    candidates: int
    rank: Fraction = Fraction(1, 2)
    size: int | None = None

    def error(self, inside: float) -> float:
        """The places that are missed, at most; by no scale more than the most.

        >>> round(Drawn(2.0, 31).error(0.95), 2), Drawn(2.0, 31, size=99).error(0.95)
        (11.41, 10.5)
        >>> Drawn(2.0, 31, size=8).error(0.95)
        4.0
        """
        return min(self.uncapped(inside), math.inf if self.size is None else self.most(self.size))

    def uncapped(self, inside: float) -> float:
        """The scale times ln((m - 1)/(2p)), down to what can be missed if there are more values."""
        places = self.scale * math.log((self.candidates - 1) / (2 * (1 - inside)))
        if self.size is None or not 0 < places < math.inf:
            return max(places, 0.0)
        exact = Fraction(places + self.scale * 2.0**-48)  # than which the float may be less
        ends = self.rank * self.size, (1 - self.rank) * self.size
        return float(max(Fraction(0), *(math.floor(exact + end) - end for end in ends)))

    def most(self, size: int) -> float:
        """The most places that any candidate can miss of so many values."""
        return float(max(self.rank, 1 - self.rank) * size)


Law = Continuous | Discrete | Drawn


def planned_error(
    size: Any, offset: Any, limits: tuple[Any, Any], sum_scale: Any, count_scale: Any
) -> np.ndarray:
    r"""The error that c + S/C exceeds 5 times in 100, S and C with Laplace noise, at most.

    .. math:: P(|e| > x) \le T(xn; b_S, |m-c+x| b_C) + T(xn; b_S, |m-c-x| b_C),

    T the chance that one Laplace noise exceeds another of the second scale by z. Where C < 0
    one of the two is so whatever S is. n is ``size``, m - c is ``offset``, the exact mean of the
    cut values less the middle of the limits, and b_S and b_C are the scales of sum and count.

    >>> scales = 30 / math.log(3), 2 / math.log(3)
    >>> round(float(planned_error(5000, -12.2, (0, 30), *scales)), 3)
    0.02
    """
    size, offset, *scales = np.broadcast_arrays(size, offset, sum_scale, count_scale)
    low, high = np.zeros(size.shape), np.full(size.shape, limits[1] - limits[0])
    for _ in range(50):
        x = (low + high) / 2
        above = _exceeds(x * size, scales[0], abs(offset + x) * scales[1])
        below = _exceeds(x * size, scales[0], abs(offset - x) * scales[1])
        too_often = above + below > 0.05
        low, high = np.where(too_often, x, low), np.where(too_often, high, x)
    return np.where(np.isnan(offset), math.nan, high)


def _exceeds(z: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """T(z; a, b): how often Laplace noise of scale a exceeds another of scale b by z."""
    equal = abs(a - b) < 1e-6 * a
    b = np.where(equal, 2 * a, np.maximum(b, 1e-9 * a))
    unequal = (a * a * np.exp(-z / a) - b * b * np.exp(-z / b)) / (2 * (a * a - b * b))
    return np.where(equal, (2 + z / a) * np.exp(-z / a) / 4, unequal)


class Grid(NamedTuple):
    """The candidates low, low + unit, ..., of which there are ``size``."""

    low: Fraction
    unit: Fraction
    size: int

    @property
    def values(self) -> np.ndarray:
        """The candidates as floats, (size,)."""
        return np.array([float(self.low + k * self.unit) for k in range(self.size)])

    def places(self, values: np.ndarray) -> np.ndarray:
        """The nearest candidate of each value that is cut to the limits, a half going up.

        What lies near a half is rounded by its decimals: 0.15 to 0.2, although the float is less.
        """
        steps = (values - float(self.low)) / float(self.unit) + 0.5
        places = np.floor(steps)
        sizes = np.maximum(abs(values), abs(float(self.low))) / float(self.unit) + 1
        near = np.flatnonzero(abs(steps - np.rint(steps)) < sizes * 2.0**-50)
        decided, at = np.unique(values[near], return_inverse=True)
        exact = [(Fraction(repr(value)) - self.low) / self.unit for value in decided.tolist()]
        places[near] = np.array([math.floor(one + Fraction(1, 2)) for one in exact], float)[at]
        return np.clip(places, 0, self.size - 1).astype(np.int64)

    def nearest(self, values: np.ndarray) -> np.ndarray:
        """The nearest candidates themselves, as floats."""
        return float(self.low) + float(self.unit) * self.places(values)

    def counts(self, values: np.ndarray) -> np.ndarray:
        """How many values lie at each candidate, (size,)."""
        return np.bincount(self.places(values), minlength=self.size)


def grid_of(limits: tuple[float, float], step: Any, name: str = "limits") -> Grid:
    """The numbers low, low + step, ..., high, of the decimals that are written.

    >>> grid_of((0, 30), 1).size, grid_of((0, 1), "0.25").size
    (31, 5)
    """
    low, high = (Fraction(repr(limit)) for limit in limits)
    unit = step if isinstance(step, Fraction) else parse_number(str(step), name)
    between = f"{limits[0]:g} to {limits[1]:g}"
    fits = unit > 0 and (high - low) % unit == 0
    require(fits, f"{name} must have a step that divides {between} into whole steps", step)
    return Grid(low, unit, int((high - low) / unit) + 1)


def candidates_of(limits: tuple[float, float], step: Any, name: str = "limits") -> Grid:
    """The candidates of a percentile; the step is 1 where limits are whole and ten apart.

    >>> candidates_of((0, 30), None).size
    31
    """
    plain = all(float(limit).is_integer() for limit in limits) and limits[1] - limits[0] >= 10
    between = f"{name} must have a step for a percentile, as {limits[0]:g}:{limits[1]:g}:0.5"
    require(step is not None or plain, between, limits)
    grid = grid_of(limits, 1 if step is None else step, name)
    rule = f"{name} must have at most {MOST_STEPS:,} steps for a percentile"
    require(grid.size <= MOST_STEPS + 1, rule, grid.size - 1)
    return grid


def fine_sum(
    values: np.ndarray, limits: tuple[float, float], middle: Fraction = Fraction(0)
) -> Fraction:
    """The sum of values less a middle, each rounded to a power of two within the limits.

    Such a value is a whole number of 28 binary digits at most, and the sum of 2^25 of them one of
    53: a float. The float of a sum of any floats is rounded, by more the more there are of them,
    and a record would move it by more than itself.

    >>> fine_sum(np.array([0.1, 0.2]), (0.0, 1.0)) * 2**28
    Fraction(80530638, 1)
    """
    low, high = (Fraction(limit) - middle for limit in limits)
    unit = Fraction(2) ** (math.frexp(float(max(abs(low), abs(high))))[1] - FINE)
    numbers = np.rint((values - float(middle)) / float(unit))
    inside = np.clip(numbers, math.ceil(low / unit), math.floor(high / unit))
    return int(inside.astype(np.int64).sum()) * unit


def plain_rank(rank: Fraction, query: str) -> Fraction:
    """The rank of a percentile, of which the places that are missed are counted exactly."""
    fits = rank.denominator <= FINEST_RANK
    require(fits, "query must be a percentile of at most four decimals, beside limits", query)
    return rank


def misses(counts: np.ndarray, rank: Fraction) -> np.ndarray:
    """The places by which each candidate misses, times the denominator of the rank: whole, (m,).

    ``counts`` are the values at each candidate, whole, (m,).

    >>> misses(np.array([2, 1, 2]), Fraction(1, 2)).tolist()
    [1, 0, 1]
    """
    top, bottom = rank.as_integer_ratio()
    total, below = int(counts.sum()), np.cumsum(counts) - counts
    above = total - below - counts
    too_high, too_low = bottom * below - top * total, bottom * above - (bottom - top) * total
    return np.maximum(too_high, too_low).clip(0)


def probabilities(places: np.ndarray, scale: float) -> np.ndarray:
    """The probability of each candidate, (m,), of the places that it misses by.

    >>> probabilities(np.array([0.0, 1.0]), 1 / math.log(2)).round(12).tolist()
    [0.75, 0.25]
    """
    z = np.exp(-(places - places.min()) / scale)
    steps = int(math.log2(z.sum())) + 4  # panels that halve towards 0, where the product falls
    edges = np.concatenate([[0.0], 2.0 ** -np.arange(steps)[::-1]])
    half = np.diff(edges)[:, None] / 2
    u = (edges[:-1, None] + half + half * NODES).ravel()
    weights = (half * WEIGHTS).ravel()
    kinds, inverse, numbers = np.unique(z, return_inverse=True, return_counts=True)
    factors = np.log1p(-np.outer(kinds, u))
    total = numbers @ factors
    chances = kinds * (np.exp(total - factors) @ weights)
    return (chances / (chances @ numbers))[inverse]


def unit_error(counts: np.ndarray, rank: Fraction, grid: Grid, scale: float) -> float:
    """The 95 % error in the unit, against the percentile of the cut and rounded values."""
    places = misses(counts, rank) / rank.denominator
    exact = percentile_of(counts, rank, grid)
    chances = probabilities(places.astype(float), scale)
    errors = np.abs(grid.values - exact)
    order = np.argsort(errors)
    reached = np.cumsum(chances[order]) >= 0.95 - 1e-12
    return float(errors[order][int(np.argmax(reached))])


def percentile_of(counts: np.ndarray, rank: Fraction, grid: Grid) -> float:
    """The percentile itself: the middle of the candidates that miss by no place."""
    best = np.flatnonzero(misses(counts, rank) == 0)
    return float(grid.low + grid.unit * Fraction(int(best[0] + best[-1]), 2))
