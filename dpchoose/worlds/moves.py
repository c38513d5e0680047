"""How the answer of each group moves when one of its records is left out.

The moves are computed from the records, in whole numbers: a difference of two rounded
means would lose as many digits as the group has.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dpchoose import progress
from dpchoose.data.queries import Query, evaluate
from dpchoose.worlds.formulas import scatter
from dpchoose.worlds.whole import Parts, parts_of, place_of, product, whole

BLOCK = 1 << 20  # records of a callable's datasets held at once
ROOT = 200  # binary digits after the point to which a standard deviation is computed


class Moves(NamedTuple):
    """The moves of all records, and the answers of the full groups.

    Attributes:
        parts: the moves as sums of two floats, and what else tells those of a group
            apart, each of shape (N,).
        answers: shape (G,).
    """

    parts: Parts
    answers: np.ndarray


def moves_of(query: Query, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray) -> Moves:
    """The move of each record, exact but for the last two of its 106 binary digits.

    Moves of a group are equal where all their parts are, and not otherwise; and a move
    is 0 only where the answer does not change.

    Args:
        query: a name or a callable.
        values: the records, group by group, shape (N,).
        codes: of their groups, sorted, shape (N,).
        sizes: of the groups, shape (G,), at least 2 for all but the count and the sum.

    >>> moves = moves_of("mean", np.array([1.0, 5, 6]), np.zeros(3, dtype=int), np.array([3]))
    >>> moves.parts[0].tolist(), moves.answers.tolist()
    ([1.5, -0.5, -1.0], [4.0])
    """
    if callable(query):
        return _of_callable(query, values, sizes)
    if query == "count":
        return Moves((np.full(len(values), -1.0),), sizes.astype(float))
    starts = np.cumsum(sizes) - sizes
    x = whole(values)
    digits = int(sizes.max()).bit_length()
    if query in ("sum", "mean"):
        numbers = x.fit(x.bits + 2 * digits)
        m = sizes.astype(numbers.dtype)
        sums = np.add.reduceat(numbers, starts)
        totals = _floats(sums, x.exponent) + x.origin * sizes
        if query == "sum":
            return Moves((-values,), totals)
        rises = sums[codes] - m[codes] * numbers
        parts = _divided(rises, (m * (m - 1))[codes], x.exponent)
        return Moves(parts, x.origin + _floats(sums, x.exponent) / sizes)
    if query in ("var", "std"):
        numbers = x.fit(2 * x.bits + 6 * digits + 2)
        m, squares = sizes.astype(numbers.dtype), numbers * numbers
        first, second = np.add.reduceat(numbers, starts), np.add.reduceat(squares, starts)
        full, few = scatter(first, second, m), (m - 1)[codes]
        without = scatter(first[codes] - numbers, second[codes] - squares, few)
        without, with_it = without * (m * m)[codes], full[codes] * few * few
        below = (m[codes] * few) ** 2
        variances = _floats(full, 2 * x.exponent) / np.square(sizes.astype(float))
        if query == "var":
            return Moves(_divided(without - with_it, below, 2 * x.exponent), variances)
        roots = [_roots(numbers) for numbers in (without, with_it)]
        parts = _divided(roots[0] - roots[1], m[codes] * few, x.exponent - ROOT)
        return Moves((*parts, *parts_of(without - with_it)), np.sqrt(variances))
    return _of_percentile(query, values, codes, sizes)


def _of_percentile(query: str, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray) -> Moves:
    """Moves of a percentile: a group has three at most, from records close by.

    The record removed stood before, between or after the two ranks between which
    the percentile of the others is interpolated.
    """
    known = {int(m): (*place_of(query, m), *place_of(query, m - 1)) for m in np.unique(sizes)}
    every = [known[m] for m in sizes.tolist()]
    low_full, after_full, low, after = (list(column) for column in zip(*every))
    low_full, low = np.array(low_full), np.array(low)
    most = max(one.denominator for one in (*after_full, *after)).bit_length()
    x = whole(values)
    numbers = x.fit(x.bits + 2 * most + 2)
    kind = numbers.dtype
    share_full, share = (_whole(kind, [f.numerator for f in one]) for one in (after_full, after))
    of_full, of = (_whole(kind, [f.denominator for f in one]) for one in (after_full, after))
    order = np.lexsort((values, codes))
    u, starts = numbers[order], np.cumsum(sizes) - sizes

    def record(index: np.ndarray) -> np.ndarray:
        return u[starts + np.minimum(index, sizes - 1)]

    def between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
        return (of - share) * record(low) + share * record(high)

    full = (of_full - share_full) * record(low_full) + share_full * record(low_full + 1)
    kinds = (between(low + 1, low + 2), between(low, low + 2), between(low, low + 1))
    changes = np.stack([kind * of_full - full * of for kind in kinds])
    place = np.arange(len(u)) - starts[codes]
    found = np.empty_like(u)
    found[order] = changes[np.clip(place - low[codes], 0, 2), codes]
    answers = x.origin + _floats(full, x.exponent) / of_full.astype(float)
    return Moves(
        _divided(found, (of.astype(float) * of_full.astype(float))[codes], x.exponent), answers
    )


def _of_callable(query: Query, values: np.ndarray, sizes: np.ndarray) -> Moves:
    answers, rests, ends = [], [], np.cumsum(sizes)
    for start, stop in zip(ends - sizes, ends):
        answers.append(float(evaluate(query, values[start:stop])))
        rests.append(_without_each(query, values[start:stop]))
    without, full = np.concatenate(rests), np.repeat(answers, sizes)
    moves = without - full
    back = moves - without
    rest = (without - (moves - back)) - (full + back)
    return Moves((moves, rest, without), np.array(answers))


def _whole(kind: np.dtype, numbers: list[int]) -> np.ndarray:
    return np.array(numbers, dtype=kind)


def _floats(numbers: np.ndarray, exponent: int) -> np.ndarray:
    return np.ldexp(numbers.astype(float), exponent)


def _roots(numbers: np.ndarray) -> np.ndarray:
    """Square roots times 2**ROOT, rounded down."""
    return np.array([math.isqrt(one << 2 * ROOT) for one in numbers.tolist()], dtype=object)


def _divided(numbers: np.ndarray, below: np.ndarray, exponent: int) -> Parts:
    """Quotients as sums of two floats, and what else tells the numbers apart."""
    parts, divisor = parts_of(numbers), below.astype(float)
    heads = parts[0] / divisor
    back, missing = product(heads, divisor)
    rest = (parts[0] - back) - missing
    if len(parts) > 1:
        rest = rest + parts[1]
    scale = (np.ldexp(part, exponent) for part in (heads, rest / divisor))
    return (*scale, *parts)


def _without_each(query: Query, part: np.ndarray) -> np.ndarray:
    """The answer without each record in turn, by listing them."""
    size = len(part)
    rows = max(1, BLOCK // size)
    answers = []
    starts = range(0, size, rows)
    for start in progress.shown(starts, len(starts), "leaving out each"):
        left_out = np.arange(start, min(start + rows, size))[:, None]
        kept = np.arange(size - 1)
        answers.append(evaluate(query, part[kept + (kept >= left_out)]))
    return np.concatenate(answers)
