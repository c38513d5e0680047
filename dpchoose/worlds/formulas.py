"""The answer of every named query as a quotient of whole numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from dpchoose.worlds.places import Apart, Column
from dpchoose.worlds.whole import Whole, parts_of, place_of, roots_of, two_floats, whole


def over_rows(query: str, values: np.ndarray, size: int) -> partial[np.ndarray]:
    """A function from datasets, as rows of n positions, to whole numbers, one for each.

    :func:`column_of` makes their answers of them.

    Args:
        query: a name.
        values: the records, shape (N,).
        size: n.

    >>> over_rows("var", np.array([1.0, 2, 4]), 2)(np.array([[0, 1], [0, 2]])).tolist()
    [1, 9]
    """
    x = whole(values)
    if query in ("count", "sum", "mean"):
        return partial(_sums, x.fit(x.bits + size.bit_length()), query != "count")
    if query in ("var", "std"):
        numbers = x.fit(scatter_bits(x, size))
        return partial(_scatters, numbers, numbers * numbers)
    low, after = place_of(query, size)
    numbers = x.fit(mixed_bits(x, after))
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values), dtype=np.intp)
    rank[order] = np.arange(len(values))
    return partial(_percentiles, numbers[order], rank, low, after)


def column_of(query: str, numbers: np.ndarray, values: np.ndarray, size: int) -> Column:
    """The answers that :func:`over_rows` has made whole numbers of.

    >>> values = np.array([1.0, 2, 4])
    >>> numbers = over_rows("mean", values, 2)(np.array([[0, 1], [0, 2]]))
    >>> column_of("mean", numbers, values, 2).answers().tolist()
    [1.5, 2.5]
    """
    x = whole(values)
    if query == "count":
        return Column((np.zeros(len(numbers)),), (float(size), 0.0))
    if query in ("sum", "mean"):
        base = two_floats(size * Fraction(x.origin))
        divisor = size if query == "mean" else 1
        return Column(parts_of(numbers, x.exponent), base, divisor, extremes=extremes(values))
    if query in ("var", "std"):
        return scattered(query, numbers, x.exponent, size, extremes(values))
    return mixed_column(numbers, x, place_of(query, size)[1], extremes(values))


def scatter(first: np.ndarray, second: np.ndarray, size: int) -> np.ndarray:
    """n squared times the variance of n numbers, from their sum and that of their squares."""
    return size * second - first * first


def scatter_bits(x: Whole, size: int) -> int:
    """Binary digits that :func:`scatter` may need on its way."""
    return 2 * (x.bits + size.bit_length()) + 1


def scattered(
    query: str, numbers: np.ndarray, exponent: int, size: int, apart: Apart, base: int = 0
) -> Column:
    """Variances, or their roots, from n squared times them in units of 2**exponent, squared.

    Args:
        query: "var" or "std".
        numbers: less the base, shape (M,).
        exponent: of the unit.
        size: n.
        apart: two records, where some lie very far apart.
        base: 0 for "std".
    """
    parts = parts_of(numbers, 2 * exponent)
    if query == "var":
        start = two_floats(base * Fraction(2) ** (2 * exponent))
        return Column(parts, start, float(size) ** 2, extremes=apart)
    heads, tails = roots_of(parts)
    # further parts keep apart what two cannot: equal roots are those of equal numbers
    return Column((heads, tails, *parts), divisor=size, extremes=apart)


def mixed(lower: np.ndarray, upper: np.ndarray, after: Fraction) -> np.ndarray:
    """Between two records: ``after``, times its denominator, of the way up.

    >>> mixed(np.array([1]), np.array([5]), Fraction(1, 4)).tolist()  # 2, times 4
    [8]
    """
    share, of = after.numerator, after.denominator
    return (of - share) * lower + share * upper


def mixed_bits(x: Whole, after: Fraction) -> int:
    """Binary digits that :func:`mixed` may need on its way."""
    return x.bits + after.denominator.bit_length() + 1


def mixed_column(numbers: np.ndarray, x: Whole, after: Fraction, apart: Apart) -> Column:
    """The percentiles that :func:`mixed` gives for records in whole numbers."""
    of = after.denominator
    base = two_floats(of * Fraction(x.origin))
    return Column(parts_of(numbers, x.exponent), base, of, extremes=apart)


def extremes(values: np.ndarray) -> tuple[float, float] | None:
    """The record farthest from the middle, and an ordinary one, where that is 2**30 times nearer.

    >>> extremes(np.array([1.0, 2, 4, 1e20])), extremes(np.array([1.0, 2, 4]))
    ((1e+20, 1.0), None)
    """
    middle = np.partition(values, len(values) // 2)[len(values) // 2]
    away = np.abs(values - middle)
    far, some = int(away.argmax()), np.flatnonzero(away)
    if not some.size:
        return None
    ordinary = some[np.argpartition(away[some], (len(some) - 1) // 2)[(len(some) - 1) // 2]]
    if away[far] <= 2.0**30 * away[ordinary]:
        return None
    return float(values[far]), float(values[ordinary])


def _sums(numbers: np.ndarray, varies: bool, worlds: np.ndarray) -> np.ndarray:
    return numbers[worlds].sum(axis=1) if varies else np.zeros(len(worlds), dtype=np.int64)


def _scatters(numbers: np.ndarray, squares: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    first, second = numbers[worlds].sum(axis=1), squares[worlds].sum(axis=1)
    return scatter(first, second, worlds.shape[1])


def _percentiles(
    numbers: np.ndarray, rank: np.ndarray, low: int, after: Fraction, worlds: np.ndarray
) -> np.ndarray:
    places = np.sort(rank[worlds], axis=1)
    upper = places[:, low + 1] if after else places[:, low]
    return mixed(numbers[places[:, low]], numbers[upper], after)
