"""The definition of sensitivity itself, for any query, by looking at all pairs.

Two families of pairs are enough. Unbounded neighbours are a set and what is
left of it when k records go, so a family is "every ``outer`` set, and every
way to take k away". Bounded neighbours share some ``core`` of n - k records,
so a family is "every core, and every way to fill it up to n again". The number
of pairs grows like a binomial coefficient: this is the oracle of the tests,
and the answer for a callable query on a small universe.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from dpchoose.data.queries import Query, evaluate
from dpchoose.worlds import subsets

Pair = tuple[float, np.ndarray, np.ndarray]  # difference, dataset, neighbour
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
    sizes = [outer for outer in (size, size + k) if k < outer <= records]
    count = sum(math.comb(records, outer) * math.comb(outer, k) for outer in sizes)
    subsets.refuse_above(max_worlds, count, "this sensitivity")
    pairs: list[Iterable[Pair]] = []
    for outer in sizes:
        task = partial(_shrink, query, universe, outer > size)
        pairs.append(subsets.over_blocks(task, (records, outer), (outer, outer - k), held=outer))
    return _largest(chain(*pairs))


def local_unbounded(
    query: Query, universe: np.ndarray, release: np.ndarray, k: int, *, max_worlds: int
) -> Pair:
    """The same with D fixed: the release, at the given positions.

    >>> local_unbounded(
    ...     "median", np.array([1.0, 2, 3, 10]), np.array([0, 1, 2]), 1, max_worlds=100
    ... )[0]
    0.5
    """
    records, size = len(universe), len(release)
    outside = subsets.complement(records, release[None])[0]
    removals = math.comb(size, k) if k < size else 0
    additions = math.comb(len(outside), k)
    subsets.refuse_above(max_worlds, removals + additions, "this sensitivity")
    pairs: list[Iterable[Pair]] = []
    if removals:
        task = partial(_from, query, universe, release, release[:0], release)
        pairs.append(subsets.over_blocks(task, (size, size - k), held=size))
    if additions:
        task = partial(_from, query, universe, release, release, outside)
        pairs.append(subsets.over_blocks(task, (len(outside), k), held=size + k))
    return _largest(chain(*pairs))


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
    fillings = math.comb(records - size + k, k)
    count = math.comb(records, size - k) * fillings
    subsets.refuse_above(max_worlds, count, "this sensitivity")
    task = partial(_ranges, query, universe, np.arange(records))
    levels = (records, size - k), (records - size + k, k)
    return _widest(subsets.over_blocks(task, *levels, held=size))


def neighbourhood_diameter(
    query: Query, universe: np.ndarray, release: np.ndarray, k: int, *, max_worlds: int
) -> Pair:
    """The same over the cores inside the release alone.

    Neither of the two datasets need be the release, so this is not a local
    sensitivity.

    >>> neighbourhood_diameter("mean", np.array([0.0, 1, 5]), np.array([1]), 1, max_worlds=100)[0]
    5.0
    """
    size = len(release)
    fillings = math.comb(len(universe) - size + k, k)
    subsets.refuse_above(max_worlds, math.comb(size, k) * fillings, "this diameter")
    task = partial(_ranges, query, universe, release)
    levels = (size, size - k), (len(universe) - size + k, k)
    return _widest(subsets.over_blocks(task, *levels, held=size))


def local_bounded(
    query: Query, universe: np.ndarray, release: np.ndarray, k: int, *, max_worlds: int
) -> Pair:
    """Largest |f(release) - f(D')|, D' of n records with at least n - k of it.

    >>> local_bounded(
    ...     "median", np.array([1.0, 2, 3, 10, 11]), np.array([0, 1, 2]), 1, max_worlds=100
    ... )[0]
    1.0
    """
    size = len(release)
    fillings = math.comb(len(universe) - size + k, k)
    subsets.refuse_above(max_worlds, math.comb(size, k) * fillings, "this sensitivity")
    task = partial(_changed, query, universe, release)
    levels = (size, size - k), (len(universe) - size + k, k)
    return _largest(subsets.over_blocks(task, *levels, held=size))


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
    fixed: np.ndarray,
    pool: np.ndarray,
    chosen: np.ndarray,
) -> Pair:
    """Best pair (release, neighbour); a neighbour is ``fixed`` and some of the pool."""
    fixed = np.broadcast_to(fixed, (len(chosen), len(fixed)))
    return _best_from(query, universe, release, np.concatenate([fixed, pool[chosen]], axis=1))


def _changed(
    query: Query,
    universe: np.ndarray,
    release: np.ndarray,
    kept: np.ndarray,
    chosen: np.ndarray,
) -> Pair:
    """Best pair (release, neighbour); a neighbour fills a core of the release."""
    filled = _fill(len(universe), release[kept], chosen)
    return _best_from(query, universe, release, filled.reshape(-1, len(release)))


def _best_from(
    query: Query, universe: np.ndarray, release: np.ndarray, neighbours: np.ndarray
) -> Pair:
    answer = evaluate(query, universe[release])
    difference = np.abs(evaluate(query, universe[neighbours]) - answer)
    row = difference.argmax()
    return float(difference[row]), release, neighbours[row]


def _ranges(
    query: Query, universe: np.ndarray, pool: np.ndarray, kept: np.ndarray, chosen: np.ndarray
) -> Range:
    """The core of a block whose fillings differ most, with the two that do.

    Either all fillings of the cores are there, or there is one core.
    """
    filled = _fill(len(universe), pool[kept], chosen)
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


def _fill(records: int, cores: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Each core with each choice from the other records, shape (cores, choices, n)."""
    rest = subsets.complement(records, cores)
    shape = len(cores), len(chosen), cores.shape[1]
    return np.concatenate([np.broadcast_to(cores[:, None], shape), rest[:, chosen]], axis=2)


def _largest(pairs: Iterable[Pair]) -> Pair:
    return max(pairs, key=itemgetter(0))
