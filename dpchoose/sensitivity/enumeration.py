"""The definition of sensitivity itself, for any query, by looking at all pairs.

Two families of pairs are enough. Unbounded neighbours are a set and what is
left of it when k records go, so a family is "every ``outer`` set, and every
way to take k away". Bounded neighbours share some ``core`` of n - k records,
so a family is "every core, and every way to fill it up to n again". The number
of pairs grows like a binomial coefficient: this is the oracle of the tests,
the answer for a callable query on a small universe, and the local sensitivity,
for which one of the pair is the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from dpchoose.data.queries import Query, evaluate
from dpchoose.sensitivity.witness import Pair
from dpchoose.worlds import subsets

CACHED = 1 << 16  # numbers that are asked at once: they stay in the cache

Range = tuple[tuple, float, np.ndarray, float, np.ndarray]  # core, high and low with witness


def global_unbounded(
    query: Query, universe: np.ndarray, size: int, k: int, *, max_worlds: int
) -> Pair:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    Args:
        query: a name or a callable.
        universe: shape (N,).
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.
        max_worlds: the most datasets to look at.

    Returns:
        the difference, and a pair of positions (D, D') that attains it.

    >>> global_unbounded("median", np.array([1.0, 2, 3, 10]), 3, 1, max_worlds=100)[0]
    4.0
    """
    records = len(universe)
    if (size, k) == (records - 1, 1):
        return _without_one_or_two(query, universe, max_worlds)
    sizes = [outer for outer in (size, size + k) if k < outer <= records]
    count = sum(math.comb(records, outer) * math.comb(outer, k) for outer in sizes)
    subsets.refuse_above(max_worlds, count, "this sensitivity")
    pairs: list[Iterable[Pair]] = []
    for outer in sizes:
        task = partial(_shrink, query, universe, outer > size)
        pairs.append(subsets.over_blocks(task, (records, outer), (outer, outer - k), held=outer))
    return _largest(chain(*pairs))


def _without_one_or_two(query: Query, universe: np.ndarray, max_worlds: int) -> Pair:
    """:func:`global_unbounded` where all records but one are released, and one comes or goes.

    What two records leave behind is asked once, and not from each of the two.
    """
    records = len(universe)
    count = records + 1 + math.comb(records, 2) * (records > 2)
    subsets.refuse_above(max_worlds, count, "this sensitivity")
    every = np.arange(records)
    whole = float(evaluate(query, universe))
    one = subsets.over_blocks(partial(_asked, query, universe), (records, 1), held=records)
    answers = np.concatenate(list(one))
    far = int(np.abs(answers - whole).argmax())
    best: Pair = (abs(float(answers[far]) - whole), np.delete(every, far), every)
    if records == 2:  # what is left of one record has no answer
        return best
    task = partial(_with_another, query, universe, answers)
    pairs = subsets.over_blocks(task, (records - 1, 1), held=records * records // 2)
    change, first, second = max(pairs, key=itemgetter(0))
    if change <= best[0]:
        return best
    return change, np.delete(every, first), np.delete(every, [first, second])


def _asked(query: Query, universe: np.ndarray, left_out: np.ndarray) -> np.ndarray:
    """The answers without each of the records that are left out, shape (rows, 1)."""
    return evaluate(query, _without(universe, left_out[:, 0]))


def _with_another(
    query: Query, universe: np.ndarray, answers: np.ndarray, firsts: np.ndarray
) -> tuple[float, int, int]:
    """The largest change as a second record goes, of all pairs with one of these as the first.

    Returns:
        the change, the record that was out before, and the one that goes.
    """
    best = (-1.0, 0, 0)
    rows = max(1, CACHED // len(universe))
    for first in firsts[:, 0].tolist():
        rest = np.delete(universe, first)
        for start in range(first, len(rest), rows):  # of the pair, the second comes later
            seconds = np.arange(start, min(start + rows, len(rest)))
            both = evaluate(query, _without(rest, seconds))
            for before, swap in ((answers[first], False), (answers[seconds + 1], True)):
                change = np.abs(before - both)
                at = int(change.argmax())
                if change[at] > best[0]:
                    pair = (first, int(seconds[at]) + 1)
                    best = (float(change[at]), *(pair[::-1] if swap else pair))
    return best


def _without(values: np.ndarray, left_out: np.ndarray) -> np.ndarray:
    """The values without each of those at some positions, shape (positions, len(values) - 1)."""
    kept = np.arange(len(values) - 1) < left_out[:, None]
    return np.where(kept, values[:-1], values[1:])


def global_bounded(
    query: Query, universe: np.ndarray, size: int, k: int, *, max_worlds: int
) -> Pair:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    Args:
        query: a name or a callable.
        universe: shape (N,).
        size: n, in [1, N - 1].
        k: the distance, in [1, min(n, N - n)].
        max_worlds: the most datasets to look at.

    Returns:
        the difference, and a pair of positions (D, D') that attains it.

    >>> global_bounded("var", np.array([0.0, 1, 9, 10]), 2, 2, max_worlds=100)[0]
    24.75
    """
    records = len(universe)
    if k == min(size, records - size):  # any two worlds are neighbours: their core is empty
        k = size
    return widest(query, universe, np.arange(records), size, k, max_worlds=max_worlds)


def widest(
    query: Query, universe: np.ndarray, pool: np.ndarray, size: int, k: int, *, max_worlds: int
) -> Pair:
    """Largest |f(D) - f(D')|, both of n records, that hold one core of n - k from the pool.

    Args:
        query, universe, size, max_worlds: as for :func:`global_bounded`.
        pool: positions that the core is chosen from, distinct, at least n - k.
        k: in [1, n], with N - n + k records outside a core.

    >>> widest("mean", np.array([0.0, 1, 5]), np.array([1]), 1, 1, max_worlds=100)[0]
    5.0
    """
    cores, fillings = (len(pool), size - k), (len(universe) - size + k, k)
    subsets.refuse_above(max_worlds, math.comb(*cores) * math.comb(*fillings), "this sensitivity")
    task = partial(_ranges, query, universe, pool)
    return _widest(subsets.over_blocks(task, cores, fillings, held=size))


def local_unbounded(
    query: Query, universe: np.ndarray, release: np.ndarray, k: int, *, max_worlds: int
) -> Pair:
    """:func:`global_unbounded` with D fixed: the release, at the given positions.

    >>> universe, release = np.array([1.0, 2, 3, 10]), np.array([0, 1, 2])
    >>> local_unbounded("median", universe, release, 1, max_worlds=100)[0]
    0.5
    """
    outside = len(universe) - len(release)
    moves = [(k, 0)] * (k < len(release)) + [(0, k)] * (k <= outside)
    return _after(query, universe, release, moves, max_worlds)


def local_bounded(
    query: Query, universe: np.ndarray, release: np.ndarray, k: int, *, max_worlds: int
) -> Pair:
    """:func:`global_bounded` with D fixed: the release, at the given positions.

    >>> universe, release = np.array([1.0, 2, 3, 10, 11]), np.array([0, 1, 2])
    >>> local_bounded("median", universe, release, 1, max_worlds=100)[0]
    1.0
    """
    moves = [(changed, changed) for changed in range(1, k + 1)]
    return _after(query, universe, release, moves, max_worlds)


def _after(
    query: Query,
    universe: np.ndarray,
    release: np.ndarray,
    moves: list[tuple[int, int]],
    max_worlds: int,
) -> Pair:
    """Best pair (release, neighbour), after so many records have gone and others come."""
    outside = subsets.complement(len(universe), release[None])[0]
    levels = [((len(release), len(release) - gone), (len(outside), come)) for gone, come in moves]
    count = sum(math.comb(*kept) * math.comb(*chosen) for kept, chosen in levels)
    subsets.refuse_above(max_worlds, count, "this sensitivity")
    task = partial(_from, query, universe, release, outside)
    return _largest(
        chain.from_iterable(
            subsets.over_blocks(task, kept, chosen, held=kept[1] + chosen[1])
            for kept, chosen in levels
        )
    )


def _shrink(
    query: Query, universe: np.ndarray, swap: bool, outer: np.ndarray, kept: np.ndarray
) -> Pair:
    """Best pair (outer, what is kept of it) of a block; ``swap`` reverses it."""
    inner = outer[:, kept]
    answers = evaluate(query, universe[outer])[:, None]
    difference = np.abs(evaluate(query, universe[inner]) - answers)
    row, column = np.unravel_index(difference.argmax(), difference.shape)
    pair = outer[row], inner[row, column]
    return float(difference[row, column]), *(pair[::-1] if swap else pair)


def _from(
    query: Query,
    universe: np.ndarray,
    release: np.ndarray,
    outside: np.ndarray,
    kept: np.ndarray,
    chosen: np.ndarray,
) -> Pair:
    """Best pair (release, neighbour) of a block: what is kept of it, and others."""
    others = np.broadcast_to(outside[chosen], (len(kept), *chosen.shape))
    neighbours = _joined(release[kept], others)
    neighbours = neighbours.reshape(-1, neighbours.shape[-1])
    change = np.abs(evaluate(query, universe[neighbours]) - evaluate(query, universe[release]))
    row = change.argmax()
    return float(change[row]), release, neighbours[row]


def _ranges(
    query: Query, universe: np.ndarray, pool: np.ndarray, kept: np.ndarray, chosen: np.ndarray
) -> Range:
    """The core of a block whose fillings differ most, with the two that do.

    Either all fillings of the cores are there, or there is one core.
    """
    cores = pool[kept]
    filled = _joined(cores, subsets.complement(len(universe), cores)[:, chosen])
    answers = evaluate(query, universe[filled])
    row = np.ptp(answers, axis=1).argmax()
    top, bottom = answers[row].argmax(), answers[row].argmin()
    high, low = (float(answers[row, at]) for at in (top, bottom))
    return tuple(kept[row]), high, filled[row, top], low, filled[row, bottom]


def _widest(ranges: Iterable[Range]) -> Pair:
    """The best pair; ranges of one core, which follow each other, are one."""
    pairs = []
    for _, parts in groupby(ranges, key=itemgetter(0)):
        same = list(parts)
        _, high, top, _, _ = max(same, key=itemgetter(1))
        *_, low, bottom = min(same, key=itemgetter(3))
        pairs.append((high - low, top, bottom))
    return _largest(pairs)


def _joined(cores: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Each core with each choice beside it, shapes (c, i) and (c, d, k) to (c, d, i + k)."""
    cores = np.broadcast_to(cores[:, None], (*others.shape[:2], cores.shape[1]))
    return np.concatenate([cores, others], axis=2)


def _largest(pairs: Iterable[Pair]) -> Pair:
    return max(pairs, key=itemgetter(0))
