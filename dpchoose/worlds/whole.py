"""Answers as whole numbers: the exact ones, of the floats that the records are.

Every record is a whole multiple of a power of two, and the answer of every named
query is a quotient of whole numbers (of a standard deviation, its square is). So
each is computed in whole numbers, in 64 bits where they fit and in Python's where
not, and nothing is rounded before two answers are told apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpchoose.data.queries import percentile_rank

FITS = 62  # binary digits of a whole number in an int64
FLOAT = 53  # and of one in a float
WIDEST = 400  # binary digits of a record; its square must remain a float
SPLITTER = 2.0**27 + 1

Parts = tuple[np.ndarray, ...]


class Whole(NamedTuple):
    """Records as whole numbers of a unit, counted from one of them.

    Attributes:
        numbers: int64 or Python's whole numbers, shape (N,).
        exponent: k, the unit being 2**k.
        origin: the record from which they count.
        bits: binary digits of the largest.
    """

    numbers: np.ndarray
    exponent: int
    origin: float
    bits: int

    def fit(self, bits: int) -> np.ndarray:
        """The numbers, of a kind in which results of so many binary digits are exact."""
        return self.numbers.astype(object if bits > FITS else np.int64)


def whole(values: np.ndarray) -> Whole:
    """Floats as whole numbers of the smallest power of two that one of them needs.

    Raises:
        ValueError: values so far apart that the numbers would have over 400 binary digits.

    >>> whole(np.array([1.5, 1.0, 4.0])).numbers.tolist()
    [0, -1, 5]
    """
    origin = float(np.partition(values, len(values) // 2)[len(values) // 2])
    shares, exponents = np.frexp(values)
    odd = (shares * 2.0**FLOAT).astype(np.int64)
    ends = np.log2((odd & -odd).clip(1)).astype(int)
    lowest = np.where(odd == 0, 10**6, exponents - FLOAT + ends)
    exponent = int(lowest.min()) if odd.any() else 0
    digits = int(np.where(odd == 0, exponent, exponents).max()) - exponent
    if digits > WIDEST:
        raise TooFarApart(values[int(np.abs(values).argmax())], values[int(lowest.argmin())])
    if digits < FITS:
        numbers = np.ldexp(values, -exponent).astype(np.int64)
        numbers = numbers - int(math.ldexp(origin, -exponent))
        return Whole(numbers, exponent, origin, int(np.abs(numbers).max()).bit_length())
    shifts = (exponents - FLOAT + ends - exponent).clip(0)
    pairs = zip((odd >> ends).tolist(), shifts.tolist())
    start = int(Fraction(origin) / Fraction(2) ** exponent)
    listed = [(one << shift) - start for one, shift in pairs]
    numbers = np.empty(len(listed), dtype=object)
    numbers[:] = listed
    return Whole(numbers, exponent, origin, max(map(abs, listed)).bit_length())


class TooFarApart(ValueError):
    """Values that no pair of floats can hold beside each other."""

    def __init__(self, one: float, other: float) -> None:
        super().__init__(
            f"universe must hold values that can be told apart beside each other, got "
            f"{float(one):.6g} and {float(other):.6g}, which are too far apart: is one of them "
            "a code for a missing value?"
        )


def parts_of(numbers: np.ndarray, exponent: int = 0) -> Parts:
    """Whole numbers times 2**exponent as sums of floats, as many as tell them apart.

    The first part is the nearest float, the second the nearest to what is missing,
    and so on, until nothing is missing, or all numbers have been told apart by two
    parts or more. So numbers are equal where all their parts are, and stand in order
    where these do.

    >>> [part.tolist() for part in parts_of(np.array([5, 2**60 + 1]))]
    [[5.0, 1.152921504606847e+18], [0.0, 1.0]]
    """
    parts = []
    while True:
        part = numbers.astype(float)
        parts.append(np.ldexp(part, exponent))
        if len(parts) > 1 and len(sorted_parts(parts)[1]) == len(part):
            return tuple(parts)
        if numbers.dtype == object:
            kept = np.empty(len(part), dtype=object)
            kept[:] = list(map(int, part.tolist()))
        else:
            kept = part.astype(np.int64)
        numbers = numbers - kept
        if not numbers.any():
            return tuple(parts)


def roots_of(parts: Parts) -> Parts:
    """Square roots, each as a float and most of what is missing: 2**-100, relative.

    >>> [part.tolist() for part in roots_of((np.array([4.0, 2.0]),))]
    [[2.0, 1.4142135623730951], [0.0, -9.667293313452912e-17]]
    """
    roots = np.sqrt(parts[0])
    square, missing = product(roots, roots)
    rest = (parts[0] - square) - missing
    if len(parts) > 1:
        rest = rest + parts[1]
    rest = np.divide(rest, 2 * roots, out=np.zeros_like(roots), where=roots > 0)
    heads = roots + rest
    return heads, rest - (heads - roots)


def product(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A product and what rounding it left out, exact (Dekker 1971).

    >>> product(np.array([1 + 2.0**-30]), np.array([1 + 2.0**-30]))[1].tolist() == [2.0**-60]
    True
    """
    found = one * other
    (a, b), (c, d) = _halves(one), _halves(other)
    return found, ((a * c - found) + a * d + b * c) + b * d


def _halves(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    big = number * SPLITTER
    high = big - (big - number)
    return high, number - high


def two_floats(value: Fraction) -> tuple[float, float]:
    """A fraction as a float and what is missing.

    >>> two_floats(Fraction(1, 2))
    (0.5, 0.0)
    """
    head = float(value)
    return head, float(value - Fraction(head))


def place_of(query: str, size: int) -> tuple[int, Fraction]:
    """Where a percentile lies among that many sorted records: a rank, and how far beyond.

    Its p is the decimal that is written, to fifteen digits.

    >>> place_of("percentile_33.3", 11)
    (3, Fraction(33, 100))
    """
    percentile_rank(query)
    rank = Fraction("50" if query == "median" else query.removeprefix("percentile_"))
    place = (size - 1) * rank.limit_denominator(10**15) / 100
    return math.floor(place), place - math.floor(place)


def sorted_parts(parts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The order of numbers held in parts, and where each group of equal ones begins in it.

    >>> order, begins = sorted_parts([np.array([2.0, 1, 2])])
    >>> order.tolist(), begins.tolist()
    ([1, 0, 2], [0, 1])
    """
    order = np.argsort(parts[0], kind="stable")
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.diff(parts[0][order]) != 0
    if len(parts) > 1 and not new.all():
        order = np.lexsort(parts[::-1])
        for part in parts[1:]:
            new[1:] |= np.diff(part[order]) != 0
    return order, np.flatnonzero(new)
