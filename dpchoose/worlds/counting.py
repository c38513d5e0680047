"""How many worlds give each answer, counted instead of listed.

For named queries and equally likely worlds. N is the number of records, n the
release size; two worlds with equal values are two worlds.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpchoose.data.queries import Query, percentile_rank
from dpchoose.worlds import formulas, subsets
from dpchoose.worlds.places import Column
from dpchoose.worlds.whole import parts_of, place_of, two_floats, whole

SUM_WORK = 1 << 37  # binary digits that the counting of sums may add up, some seconds


class Counted(NamedTuple):
    """Answers, in any order and with repetitions, and their numbers of worlds, exact."""

    column: Column
    counts: list[int]


def count_worlds(
    query: Query, universe: np.ndarray, size: int, *, max_worlds: int
) -> Counted | None:
    """The answers and their numbers of worlds, or None when they must be listed.

    Args:
        query: a name or a callable.
        universe: shape (N,), finite.
        size: n, in [1, N - 1].
        max_worlds: the most answers that may be held.

    >>> found = count_worlds("sum", np.array([1.0, 2, 3, 4]), 2, max_worlds=10)
    >>> found.column.answers().tolist(), found.counts
    ([3.0, 4.0, 5.0, 6.0, 7.0], [1, 1, 2, 1, 1])
    """
    if query == "count":
        one = Column((np.zeros(1),), (float(size), 0.0))
        return Counted(one, [math.comb(len(universe), size)])
    if percentile_rank(query) is not None:
        return _order_statistics(query, universe, size, max_worlds)
    if query in ("sum", "mean"):
        return _sums(query, universe, size, max_worlds)
    return None


def _order_statistics(query: str, universe: np.ndarray, size: int, max_worlds: int) -> Counted:
    r"""Answers between the sorted records at ranks r and r + 1 of a world.

    The record at place a of the universe is at rank r in
    :math:`\binom{a}{r}\binom{N-1-a}{n-1-r}` worlds, and it is followed by the
    one at place b in :math:`\binom{a}{r}\binom{N-1-b}{n-r-2}`. Records of one
    value are added up before they are paired.
    """
    u = np.sort(universe)
    records = len(u)
    low, after = place_of(query, size)
    starts = np.flatnonzero(np.diff(u, prepend=-np.inf))
    owner = np.cumsum(np.diff(u, prepend=-np.inf) > 0) - 1
    here = range(low, records - size + low + 1)  # where the record at rank r can be
    kinds = owner[here[-1] + 1 if after else here[-1]] - owner[low] + 1
    pairs = kinds * (kinds + 1) // 2 if after else kinds
    subsets.refuse_above(max_worlds, int(pairs), "this percentile")
    before = _binomials(low, here)
    behind = size - low - 1 - (after > 0)
    if not after:
        rest = _binomials(behind, range(size - 1 - low, records - low))[::-1]
        counts = [0] * len(starts)
        for place, one, other in zip(here, before, rest):
            counts[owner[place]] += one * other
        found = [kind for kind, count in enumerate(counts) if count]
        exact = [counts[kind] for kind in found]
        return Counted(Column((u[starts[found]],)), exact)
    rest = _binomials(behind, range(behind, behind + len(here)))[::-1]
    lower, upper, same = [0] * len(starts), [0] * len(starts), [0] * len(starts)
    for place, other in zip(here, rest):  # other: the pair's second is at place + 1
        upper[owner[place + 1]] += other
    waiting, current = 0, -1
    for place, one, other in zip(here, before, rest):
        lower[owner[place]] += one
        if owner[place] != current:
            waiting, current = 0, owner[place]
        waiting += one
        if owner[place + 1] == current:
            same[current] += waiting * other
    x = whole(u[starts])
    values = x.fit(formulas.mixed_bits(x, after))
    firsts = [kind for kind, count in enumerate(lower) if count]
    seconds = np.array([kind for kind, count in enumerate(upper) if count], dtype=np.intp)
    numbers, counts = [], []
    for first in firsts:
        if same[first]:
            numbers.append(formulas.mixed(values[[first]], values[[first]], after))
            counts.append(same[first])
        beyond = seconds[seconds > first]
        numbers.append(formulas.mixed(values[first], values[beyond], after))
        counts += [lower[first] * upper[second] for second in beyond]
    apart = formulas.extremes(universe)
    return Counted(formulas.mixed_column(np.concatenate(numbers), x, after, apart), counts)


def _binomials(rank: int, places: range) -> list[int]:
    """C(a, rank) for a in places, a range that starts at rank."""
    found, value = [], 1
    for a in places:
        found.append(value)
        value = value * (a + 1) // (a + 1 - rank)
    return found


def _sums(query: str, universe: np.ndarray, size: int, max_worlds: int) -> Counted | None:
    """Sums of decimals, by dynamic programming over (records taken, sum).

    As integers in a common unit, above the smallest record. Floats are not the
    decimals that they are read from: by how much a sum may differ is known, and
    where it is more than 2**-30 of a unit the worlds are listed instead. One long integer
    holds the numbers of worlds of all sums, a fixed number of digits each
    (Kronecker), so that taking a record is a shift and an addition. The
    records that are left out serve as well, when they are fewer.
    """
    records = len(universe)
    taken = min(size, records - size)
    width = -(-math.comb(records, taken).bit_length() // 8) * 8
    ordered = np.sort(universe)
    inner = int(np.count_nonzero((ordered > ordered[0]) & (ordered < ordered[-1])))
    additions = taken * (inner + 1)
    if additions * width > SUM_WORK:
        return None
    decimals = [Fraction(repr(value)) for value in universe.tolist()]
    rounded = sorted(abs(Fraction(v) - d) for v, d in zip(universe.tolist(), decimals))
    off = 2 * sum(rounded[-size:])
    unit = math.lcm(*(value.denominator for value in decimals))
    steps_from_0 = [value.numerator * (unit // value.denominator) for value in decimals]
    base = min(steps_from_0)
    common = math.gcd(*(value - base for value in steps_from_0)) or 1
    steps = sorted((value - base) // common for value in steps_from_0)
    longest = sum(steps[records - taken :])
    if additions * width * (longest + 1) > SUM_WORK or longest >= 8 * max_worlds:
        return None
    if off > Fraction(common, unit) / 2**30:
        return None
    packed = _packed(steps, taken, width)
    sums, counts = _unpacked(packed, longest, width)
    share = unit * (size if query == "mean" else 1)
    start, sign = (taken * base, 1) if taken == size else (sum(steps_from_0) - taken * base, -1)
    column = Column(
        parts_of(np.array([sign * common * one for one in sums])),
        two_floats(Fraction(start)),
        share,
        float(off / (size if query == "mean" else 1)) * (1 + 2.0**-50),
        formulas.extremes(universe),
    )
    return Counted(column, counts)


def _packed(steps: list[int], taken: int, width: int) -> int:
    """The numbers of ways to take so many of the steps, by their sum.

    The smallest steps are 0, which changes no sum, and the largest come last,
    when only one number of records is left to be asked for: both are taken
    at once, so that data of two values cost next to nothing.
    """
    zeros, last = steps.count(0), steps[-1]
    lasts = steps.count(last) if last else 0
    ways = [math.comb(zeros, k) for k in range(taken + 1)]
    inner = steps[zeros : len(steps) - lasts]
    for i, step in enumerate(inner):
        fewest = max(1, taken - lasts - (len(inner) - 1 - i))
        for k in range(min(zeros + i + 1, taken), fewest - 1, -1):
            ways[k] += ways[k - 1] << (step * width)
    return sum(
        math.comb(lasts, k) * ways[taken - k] << (last * k * width)
        for k in range(min(lasts, taken) + 1)
    )


def _unpacked(packed: int, longest: int, width: int) -> tuple[list[int], list[int]]:
    """The sums that occur, and in how many ways."""
    size = width // 8
    data = packed.to_bytes((longest + 1) * size, "little")
    cells = np.frombuffer(data, dtype=np.uint8).reshape(-1, size)
    sums = np.flatnonzero(cells.any(axis=1)).tolist()
    return sums, [int.from_bytes(data[one * size : (one + 1) * size], "little") for one in sums]
