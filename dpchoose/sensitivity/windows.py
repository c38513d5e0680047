r"""Windows and outer choices, of which the datasets of extreme variance are made.

The variance and the standard deviation of s records depend on their sum P and
sum of squares Q alone: :math:`V = Q/s - (P/s)^2`. What the proofs of the
farthest pairs lean on, for the unbounded and the bounded sensitivity:

1. Choices of s records that are corners of the lower hull of all (P, Q)
   minimise some :math:`\sum (x - c)^2`: they are *windows*, s neighbours.
2. V is strictly convex in each record. A choice that makes V largest leaves
   no record out on both sides of one that it takes: it is *outer*, the i
   smallest and the s - i largest.
3. V and its root are concave in (P, Q), strictly but for a change of Q alone.
   For d >= 0, f(D') - f(D) <= d means V' - V <= d for the variance, and
   V' - V - d^2 <= 2 d sqrt(V) for the deviation. When V' - V is convex in the
   (P, Q) of a choice and falls with Q, such sets are convex, and the largest
   change is at a corner of the lower hull: a window.
4. Swapping h for l < h raises V while (l + h)/2 lies below the mean of the
   rest. Along the outer choices (i = 0, 1, ...) the first never falls and the
   second never rises, so the best i is found by bisection.

"Window" and "outer" are up to the order of equal records.

An outer choice around a window takes the i smallest and so many of the largest
of the records that the window leaves; i is its split. Window and choice
together are all records but a run of those that are left, the hole, with the
window beside or inside it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpchoose.sensitivity.runs import Exact, Moments, SortedUniverse
from dpchoose.sensitivity.search import how_many_hold


class Hole(NamedTuple):
    """What windows and the outer choices around them leave out, one of each per entry.

    Attributes:
        low: the first record that is left out, and that the next split takes.
        high: the first record after those, which the next split gives up.
        across: whether the window lies between the two, and is not left out.
    """

    low: np.ndarray
    high: np.ndarray
    across: np.ndarray

    def total(self, sums: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The sum over window and choice, in plain floats.

        Args:
            sums: over the first 0, 1, ..., N records.
            own: the sum over the window.
        """
        return sums[-1] - (sums[self.high] - sums[self.low]) + self.across * own

    def moments(self, u: SortedUniverse, window: Moments) -> Moments:
        """The moments of window and choice, to twice the usual digits."""
        rest = u.between(0, len(u)).minus(u.between(self.low, self.high))
        return rest.plus(window.times(np.where(self.across, 1.0, 0.0)))


def hole(u: SortedUniverse, starts: np.ndarray, inner: int, total: int, split: np.ndarray) -> Hole:
    """What is left out by windows of ``inner`` records with outer choices up to ``total``.

    Args:
        starts: of the windows.
        split: of each outer choice, in [0, total - inner].

    >>> hole(SortedUniverse(np.arange(9.0)), 4, 2, 5, 1)  # takes 0, 4, 5, 7, 8
    Hole(low=1, high=7, across=True)
    """
    left_out = len(u) - total
    low = split + inner * (split >= starts)
    high = split + left_out
    high = high + inner * (high >= starts)
    return Hole(low, high, high - low > left_out)


def best_split(
    u: SortedUniverse, starts: np.ndarray, inner: int, total: int, window: Moments
) -> np.ndarray:
    """The split of the outer choice around each window that makes the variance of both largest.

    The best split is found by fact 4.

    Args:
        starts: of the windows.
        inner, total: how many records are in a window, and in both together.
        window: the moments of the windows.
    """

    def worth(i: np.ndarray) -> np.ndarray:
        around = hole(u, starts, inner, total, i)
        low, high = u.x[around.low], u.x[around.high]
        p = around.total(u.sums.first[0], window.first[0])
        return (low + high) * (total - 1) < 2 * (p - high)

    return how_many_hold(worth, total - inner, len(starts))


def outer_variance(u: SortedUniverse, size: int) -> Exact:
    """The variance of each outer choice of the universe, by its split 0, 1, ..., size."""
    splits = np.arange(size + 1)
    left_out = u.between(splits, splits + len(u) - size)
    return u.between(0, len(u)).minus(left_out).variance(size)


def outer(records: int, count: int, split: int, *, start: int = 0, inner: int = 0) -> np.ndarray:
    """The positions of an outer choice of ``count`` records around a window.

    >>> outer(9, 3, 1, start=4, inner=2).tolist()
    [0, 7, 8]
    """
    rest = np.delete(np.arange(records), slice(start, start + inner))
    return np.concatenate([rest[:split], rest[len(rest) - count + split :]])
