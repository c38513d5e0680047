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
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from dpchoose import subsets
from dpchoose.queries import Query, evaluate

Pair = tuple[float, np.ndarray, np.ndarray]  # difference, dataset, neighbour


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
        width = math.comb(outer, k) * outer
        sets = subsets.blocks(records, outer, width=min(width, subsets.BLOCK))
        pairs.append(_shrink(query, universe, sets, k, swap=outer > size))
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
        pairs.append(_shrink(query, universe, [release[None]], k, swap=False))
    if additions:
        grown = (
            np.concatenate([np.broadcast_to(release, (len(more), size)), outside[more]], axis=1)
            for more in subsets.blocks(len(outside), k, width=1 + size)
        )
        pairs.append(_from(query, universe, release, grown))
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
    width = min(fillings * size, subsets.BLOCK)
    cores = subsets.blocks(records, size - k, width=width)
    return _largest(_range_over_cores(query, universe, cores, k))


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
    width = min(fillings * size, subsets.BLOCK)
    cores = (release[kept] for kept in subsets.blocks(size, size - k, width=width))
    return _largest(_range_over_cores(query, universe, cores, k))


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
    cores = (release[kept] for kept in subsets.blocks(size, size - k))
    neighbours = (
        filled.reshape(-1, size) for core in cores for filled in _fill(len(universe), core, k)
    )
    return _largest(_from(query, universe, release, neighbours))


def _shrink(
    query: Query,
    universe: np.ndarray,
    outer_sets: Iterable[np.ndarray],
    k: int,
    *,
    swap: bool,
) -> Iterator[Pair]:
    """Best pair (outer, outer less k) of each block; ``swap`` reverses it."""
    for outer in outer_sets:
        answers = evaluate(query, universe[outer])[:, None]
        for kept in subsets.blocks(outer.shape[1], outer.shape[1] - k, width=len(outer)):
            inner = outer[:, kept]
            difference = np.abs(evaluate(query, universe[inner]) - answers)
            row, column = np.unravel_index(difference.argmax(), difference.shape)
            pair = outer[row], inner[row, column]
            yield float(difference[row, column]), *(pair[::-1] if swap else pair)


def _from(
    query: Query,
    universe: np.ndarray,
    release: np.ndarray,
    neighbours: Iterable[np.ndarray],
) -> Iterator[Pair]:
    """Best pair (release, neighbour) of each block of neighbours."""
    answer = evaluate(query, universe[release])
    for some in neighbours:
        difference = np.abs(evaluate(query, universe[some]) - answer)
        row = difference.argmax()
        yield float(difference[row]), release, some[row]


def _fill(records: int, cores: np.ndarray, k: int) -> Iterator[np.ndarray]:
    """Blocks (rows, fillings, n) of each core with k of the other records."""
    rest = subsets.complement(records, cores)
    size = cores.shape[1] + k
    for chosen in subsets.blocks(rest.shape[1], k, width=len(cores) * size):
        shape = (len(cores), len(chosen), size - k)
        yield np.concatenate([np.broadcast_to(cores[:, None], shape), rest[:, chosen]], axis=2)


def _range_over_cores(
    query: Query, universe: np.ndarray, core_sets: Iterable[np.ndarray], k: int
) -> Iterator[Pair]:
    """Best pair of each block of cores: the largest and the smallest filling."""
    for cores in core_sets:
        rows = np.arange(len(cores))
        high, low = np.full(len(cores), -np.inf), np.full(len(cores), np.inf)
        top = bottom = np.empty((len(cores), cores.shape[1] + k), dtype=np.intp)
        for filled in _fill(len(universe), cores, k):
            answers = evaluate(query, universe[filled])
            first, last = answers.argmax(axis=1), answers.argmin(axis=1)
            higher, lower = answers[rows, first] > high, answers[rows, last] < low
            high = np.where(higher, answers[rows, first], high)
            low = np.where(lower, answers[rows, last], low)
            top = np.where(higher[:, None], filled[rows, first], top)
            bottom = np.where(lower[:, None], filled[rows, last], bottom)
        best = (high - low).argmax()
        yield float(high[best] - low[best]), top[best], bottom[best]


def _largest(pairs: Iterable[Pair]) -> Pair:
    return max(pairs, key=lambda pair: pair[0])
