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
from dpchoose.worlds import subsets

UNIT = 2.0**-53
EXACT_BITS = 1 << 28  # binary digits of exact counts that may be held, 32 megabytes
SUM_WORK = 1 << 37  # binary digits that the counting of sums may add up, some seconds


class Counted(NamedTuple):
    """Answers, in any order and with repetitions, and their numbers of worlds.

    Attributes:
        answers: shape (M,).
        counts: exact, M of them; None when only their logarithms are known.
        logs: natural logarithms of the counts, shape (M,); None if not needed.
        log_error: by how much each logarithm may be off.
        exact: whether answers that are equal on paper are equal floats.
    """

    answers: np.ndarray
    counts: list[int] | None
    logs: np.ndarray | None
    log_error: float
    exact: bool


def count_worlds(
    query: Query, universe: np.ndarray, size: int, *, max_worlds: int
) -> Counted | None:
    """The answers and their numbers of worlds, or None when they must be listed.

    Args:
        query: a name or a callable.
        universe: shape (N,), finite.
        size: n, in [1, N - 1].
        max_worlds: the most answers that may be held.

    >>> count_worlds("sum", np.array([1.0, 2, 3, 4]), 2, max_worlds=10)[:2]
    (array([3., 4., 5., 6., 7.]), [1, 1, 2, 1, 1])
    """
    if not isinstance(query, str):
        return None
    if query == "count":
        return Counted(np.array([float(size)]), [math.comb(len(universe), size)], None, 0.0, True)
    ordered = query == "median" or percentile_rank(query) is not None
    if ordered and np.abs(universe).max() < 2.0**1000:
        return _order_statistics(query, universe, size, max_worlds)
    if query in ("sum", "mean") and size < len(universe) - 1:
        return _sums(query, universe, size, max_worlds)
    return None


def log_choose(size: int, most: int) -> tuple[np.ndarray, float]:
    """ln C(size, k) for k = 0, ..., most, and by how much it may be off.

    Running sums of ln((size - k)/(k + 1)); what each addition rounds off is
    kept, so that the error is that of the terms.

    >>> np.exp(log_choose(4, 2)[0]).round(12).tolist()
    [1.0, 4.0, 6.0]
    """
    k = np.arange(most, dtype=float)
    terms = np.log((size - k) / (k + 1))
    heads = np.concatenate([[0.0], np.cumsum(terms)])
    part = heads[1:] - heads[:-1]
    tails = (heads[:-1] - (heads[1:] - part)) + (terms - part)
    heads[1:] += np.cumsum(tails)
    error = 4 * UNIT * (most + np.abs(terms).sum())
    return heads, float(error)


def rank(query: str, size: int) -> tuple[int, float]:
    """Where the answer lies among that many sorted records: a rank, and how far beyond."""
    percent = 50.0 if query == "median" else percentile_rank(query)
    place = (size - 1) * (percent / 100)
    return int(place), place - int(place)


def between(query: str, one: np.ndarray, other: np.ndarray, after: float) -> np.ndarray:
    """The answer between two neighbouring records, as numpy rounds it."""
    if query == "median":
        return (one + other) / 2
    step = other - one
    return one + step * after if after < 0.5 else other - step * (1 - after)


def _order_statistics(query: str, universe: np.ndarray, size: int, max_worlds: int) -> Counted:
    r"""Answers between the sorted records at ranks r and r + 1 of a world.

    The record at place a of the universe is at rank r in
    :math:`\binom{a}{r}\binom{N-1-a}{n-1-r}` worlds, and it is followed by the
    one at place b in :math:`\binom{a}{r}\binom{N-1-b}{n-r-2}`. Records of one
    value are added up before they are paired.
    """
    u = np.sort(universe)
    records, total = len(u), math.comb(len(u), size)
    low, after = rank(query, size)
    starts = np.flatnonzero(np.diff(u, prepend=-np.inf))
    owner = np.cumsum(np.diff(u, prepend=-np.inf) > 0) - 1
    here = range(low, records - size + low + 1)  # where the record at rank r can be
    kinds = owner[here[-1] + 1 if after else here[-1]] - owner[low] + 1
    pairs = kinds * (kinds + 1) // 2 if after else kinds
    subsets.refuse_above(max_worlds, int(pairs), "this percentile")
    tables = (records - size + 2) * total.bit_length()
    if tables > 2 * EXACT_BITS:
        return _log_order_statistics(query, u, size, owner, starts)
    before = _binomials(low, here)
    behind = size - low - 1 - (after > 0)
    if not after:
        rest = _binomials(behind, range(size - 1 - low, records - low))[::-1]
        counts = [0] * len(starts)
        for place, one, other in zip(here, before, rest):
            counts[owner[place]] += one * other
        found = [kind for kind, count in enumerate(counts) if count]
        exact = [counts[kind] for kind in found]
        return Counted(u[starts[found]], exact, None, 0.0, True)
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
    values = u[starts]
    firsts = [kind for kind, count in enumerate(lower) if count]
    seconds = np.array([kind for kind, count in enumerate(upper) if count], dtype=np.intp)
    if int(pairs) * total.bit_length() <= EXACT_BITS:
        answers, counts = [], []
        for first in firsts:
            if same[first]:
                answers.append(values[[first]])
                counts.append(same[first])
            beyond = seconds[seconds > first]
            answers.append(between(query, values[first], values[beyond], after))
            counts += [lower[first] * upper[second] for second in beyond]
        return Counted(np.concatenate(answers), counts, None, 0.0, False)
    return _paired(query, values, after, *(_logs(counts) for counts in (lower, upper, same)))


def _log_order_statistics(
    query: str, u: np.ndarray, size: int, owner: np.ndarray, starts: np.ndarray
) -> Counted:
    """The same from logarithms of the binomials, when these have too many digits."""
    records = len(u)
    low, after = rank(query, size)
    behind = size - low - 1 - (after > 0)
    width = records - size + 1
    # C(r + i, r) = C(r + i, i): a running product over i.
    before, error = _log_rising(low, width)
    rest, error_too = _log_rising(behind, width)
    rest = rest[::-1]
    places = np.arange(low, low + width)
    ties = int(np.bincount(owner).max())
    values = u[starts]
    if not after:
        logs = np.full(len(starts), -np.inf)
        np.logaddexp.at(logs, owner[places], before + rest)
        found = np.flatnonzero(logs > -np.inf)
        slack = error + error_too + 16 * UNIT * ties * max(1.0, logs.max())
        return Counted(values[found], None, logs[found], slack, True)
    lower, upper, same = (np.full(len(starts), -np.inf) for _ in range(3))
    np.logaddexp.at(lower, owner[places], before)
    np.logaddexp.at(upper, owner[places + 1], rest)
    for kind in np.unique(owner[places][owner[places] == owner[places + 1]]):
        inside = np.flatnonzero((owner[places] == kind) & (owner[places + 1] == kind))
        within = np.logaddexp.accumulate(before[inside]) + rest[inside]
        same[kind] = np.logaddexp.reduce(within)
    slack = error + error_too + 16 * UNIT * ties * max(1.0, before.max() + rest.max())
    return _paired(query, values, after, lower, upper, same)._replace(log_error=slack)


def _log_rising(rank: int, width: int) -> tuple[np.ndarray, float]:
    """ln C(rank + i, rank) for i = 0, ..., width - 1."""
    i = np.arange(1, width, dtype=float)
    terms = np.log1p(rank / i)
    heads = np.concatenate([[0.0], np.cumsum(terms)])
    part = heads[1:] - heads[:-1]
    heads[1:] += np.cumsum((heads[:-1] - (heads[1:] - part)) + (terms - part))
    return heads, float(4 * UNIT * (width + terms.sum()))


def _paired(
    query: str,
    values: np.ndarray,
    after: float,
    lower: np.ndarray,
    upper: np.ndarray,
    same: np.ndarray,
) -> Counted:
    """All pairs of a first and a later second value, by the logarithms of their counts."""
    firsts, seconds = np.triu_indices(len(values), 1)
    logs = lower[firsts] + upper[seconds]
    found = logs > -np.inf
    firsts, seconds, logs = firsts[found], seconds[found], logs[found]
    alone = np.flatnonzero(same > -np.inf)
    answers = between(query, values[firsts], values[seconds], after)
    logs = np.concatenate([logs, same[alone]])
    error = 8 * UNIT * float(max(1.0, logs.max()))
    return Counted(np.concatenate([answers, values[alone]]), None, logs, error, False)


def _binomials(rank: int, places: range) -> list[int]:
    """C(a, rank) for a in places, a range that starts at rank."""
    found, value = [], 1
    for a in places:
        found.append(value)
        value = value * (a + 1) // (a + 1 - rank)
    return found


def _logs(counts: list[int]) -> np.ndarray:
    return np.array([math.log(count) if count else -math.inf for count in counts])


def _sums(query: str, universe: np.ndarray, size: int, max_worlds: int) -> Counted | None:
    """Sums of decimals, by dynamic programming over (records taken, sum).

    As integers in a common unit, above the smallest record. One long integer
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
    unit = math.lcm(*(value.denominator for value in decimals))
    whole = [value.numerator * (unit // value.denominator) for value in decimals]
    base = min(whole)
    common = math.gcd(*(value - base for value in whole)) or 1
    steps = sorted((value - base) // common for value in whole)
    longest = sum(steps[records - taken :])
    if additions * width * (longest + 1) > SUM_WORK or longest >= 8 * max_worlds:
        return None
    packed = _packed(steps, taken, width)
    sums, counts = _unpacked(packed, longest, width)
    share = unit * (size if query == "mean" else 1)
    start, sign = (taken * base, 1) if taken == size else (sum(whole) - taken * base, -1)
    try:
        answers = np.array([(start + sign * common * one) / share for one in sums])
    except OverflowError:
        return None
    return Counted(answers[::sign], counts[::sign], None, 0.0, True)


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
