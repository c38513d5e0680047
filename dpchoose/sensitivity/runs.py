"""Sums and variances of runs of sorted records, to twice the usual digits.

A number is held as head + tail, two floats (Dekker 1971). A variance taken
from sums of squares then keeps its digits where a window is narrow, or far
from the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Exact = tuple[Any, Any]  # head and tail, floats or arrays

SPLITTER = 2.0**27 + 1


class Moments(NamedTuple):
    """The sum and the sum of squares of some records."""

    first: Exact
    second: Exact

    def plus(self, other: Moments) -> Moments:
        return Moments(_add(self.first, other.first), _add(self.second, other.second))

    def minus(self, other: Moments) -> Moments:
        return self.plus(other.times(-1.0))

    def times(self, factor: Any) -> Moments:
        """The moments times -1, 0 or 1, where nothing is rounded."""
        return Moments(*((head * factor, tail * factor) for head, tail in self))

    def variance(self, count: Any) -> Exact:
        """The variance of the ``count`` records that these are the moments of."""
        (p, p_tail), (q, q_tail) = self
        square, square_tail = _product(p, p)
        scaled, scaled_tail = _product(q, count)
        scatter, rest = _two_sum(scaled, -square)
        rest = rest + (scaled_tail + q_tail * count - square_tail - 2 * p * p_tail)
        pairs = np.square(np.asarray(count, dtype=float))
        head = (scatter + rest) / pairs
        back, back_tail = _product(head, pairs)
        varies = pairs != 1  # a record alone does not, however its square was rounded
        return head * varies, ((scatter - back) - back_tail + rest) / pairs * varies


class SortedUniverse:
    """The sorted records, and the moments of every run of them.

    Attributes:
        values: the records, shape (N,).
        x: the same, counted from the middle one.
        sums: the moments of the first 0, 1, ..., N of ``x``, shape (N + 1,).
    """

    def __init__(self, values: np.ndarray) -> None:
        """Take the sorted records, shape (N,), of a magnitude of at most 1e100."""
        self.values = values
        self.x = values - values[len(values) // 2]
        self.sums = Moments(_running(self.x, 0.0), _running(*_product(self.x, self.x)))

    def __len__(self) -> int:
        return len(self.x)

    def between(self, start: Any, stop: Any) -> Moments:
        """The moments of the records in [start, stop).

        >>> float(SortedUniverse(np.array([1.0, 2, 3, 10])).between(0, 3).first[0])
        -3.0
        """
        return Moments(
            *(
                _add((head[stop], tail[stop]), (-head[start], -tail[start]))
                for head, tail in self.sums
            )
        )

    def mirrored(self) -> SortedUniverse:
        """The records with their signs turned, so that the last is the first."""
        return SortedUniverse(-self.values[::-1])


def rise(query: str, low: Exact, high: Exact) -> np.ndarray:
    """How far the answer rises from one variance to another: of var, or of std.

    >>> float(rise("std", (4.0, 0.0), (9.0, 0.0)))
    1.0
    """
    rise = (high[0] - low[0]) + (high[1] - low[1])
    if query == "var":
        return rise
    roots = np.sqrt(np.maximum(high[0], 0)) + np.sqrt(np.maximum(low[0], 0))
    return np.divide(rise, roots, out=np.zeros_like(rise), where=roots > 0)


def _running(head: np.ndarray, tail: np.ndarray | float) -> Exact:
    """Sums of the first 0, 1, ... numbers; what each addition rounds off is kept."""
    heads = np.concatenate([[0.0], np.cumsum(head)])
    errors = _two_sum(heads[:-1], head)[1] + tail
    return heads, np.concatenate([[0.0], np.cumsum(errors)])


def _two_sum(one: Any, other: Any) -> Exact:
    total = one + other
    part = total - one
    return total, (one - (total - part)) + (other - part)


def _add(one: Exact, other: Exact) -> Exact:
    head, tail = _two_sum(one[0], other[0])
    return head, tail + (one[1] + other[1])


def _product(one: Any, other: Any) -> Exact:
    product = one * other
    high, low = _halves(one)
    other_high, other_low = (high, low) if other is one else _halves(other)
    error = ((high * other_high - product) + high * other_low + low * other_high) + low * other_low
    return product, error


def _halves(number: Any) -> Exact:
    big = number * SPLITTER
    high = big - (big - number)
    return high, number - high
