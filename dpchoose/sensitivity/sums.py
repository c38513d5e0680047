"""Sums and variances of runs of sorted records, to twice the usual digits.

A number is held as head + tail, two floats (Dekker 1971). A variance taken
from sums of squares then keeps its digits where a window is narrow, or far
from the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Records:
    """Sorted records, and the sums of the first 0, 1, ..., N of them.

    Attributes:
        values: as given, sorted.
        x: the same, from a common origin and in a common unit, near 1 in size.
        sums: the moments of the first i of ``x``, arrays of shape (N + 1,).
    """

    values: np.ndarray
    x: np.ndarray
    sums: Moments

    @classmethod
    def of(cls, values: np.ndarray, origin: float, exponent: int) -> Records:
        """Sort the values; ``x`` is (values - origin) / 2**exponent."""
        values = np.sort(values)
        x = np.ldexp(values, -exponent) - math.ldexp(origin, -exponent)
        return cls._summed(values, x)

    @classmethod
    def _summed(cls, values: np.ndarray, x: np.ndarray) -> Records:
        return cls(values, x, Moments(_running(x, 0.0), _running(*_product(x, x))))

    def __len__(self) -> int:
        return len(self.x)

    def between(self, start: Any, stop: Any) -> Moments:
        """The moments of the records in [start, stop)."""
        return Moments(
            *(
                _add((head[stop], tail[stop]), (-head[start], -tail[start]))
                for head, tail in self.sums
            )
        )

    def mirrored(self) -> Records:
        """The records with their signs turned, so that the last is the first."""
        return Records._summed(-self.values[::-1], -self.x[::-1])


def common_scale(values: np.ndarray) -> tuple[float, int]:
    """An origin in the middle of the records, and the binary size of the largest."""
    middle = float(np.partition(values, len(values) // 2)[len(values) // 2])
    return middle, math.frexp(float(np.abs(values).max()))[1]


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
