"""The definition of sensitivity itself, for any query, by looking at all pairs.

Unbounded neighbours are a set and what is left when k records go; bounded ones share a core
of n - k records; and a neighbour of a release is a core of it with others from outside.
"""

from __future__ import annotations

import math
import os
import time
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from dpchoose import progress
from dpchoose.data.queries import Query, evaluate
from dpchoose.worlds import subsets
from dpchoose.worlds.answers import whole

Pair = tuple[float, np.ndarray, np.ndarray]  # a change, and the positions of two datasets


def moved(query: Query, u: np.ndarray, smaller: list[int], k: int, limit: int) -> Pair:
    """The pair farthest apart of m records and these with k more, for every m of some."""
    levels = [((len(u), m + k), (m + k, m)) for m in smaller]
    return farthest(query, u, np.arange(len(u)), "part", levels, limit)


def changed(query: Query, u: np.ndarray, size: int, k: int, limit: int) -> Pair:
    """The pair farthest apart of n records each, of which up to k are changed."""
    k = size if k == min(size, len(u) - size) else k  # where any two are neighbours, no core
    levels = [((len(u), size - k), (len(u) - size + k, k))]
    return farthest(query, u, np.arange(len(u)), "each other", levels, limit)


def farthest(
    query: Query, u: np.ndarray, pool: np.ndarray, apart: str, levels: list, limit: int
) -> Pair:
    """The pair farthest apart of datasets that are made of some cores from the pool.

    It is a core and a "part" of it; or a core with others, apart from the "pool" or from "each
    other". A level is of how many records how many are taken, for cores and for the rest.
    """
    count = sum(math.prod(subsets.count(*level) for level in two) for two in levels)
    subsets.refuse_above(limit, count, "this sensitivity")
    if isinstance(query, str) and query not in ("count", "sum"):  # it may count from a record
        x = whole(u)
        near = x.numbers.astype(object) - int(np.sort(x.numbers)[len(u) // 2])
        u = near.astype(float) * float(x.unit)
    task = partial(_ranges, query, u, pool, apart)
    if count * len(u) >= subsets.LONG:
        few = [subsets.ranked(*level, 0, min(9, subsets.count(*level))) for level in levels[0]]
        began = time.monotonic()
        task(*few)
        share = (time.monotonic() - began) / (len(few[0]) * len(few[1]) * (os.cpu_count() or 1))
        progress.announce(share * count, f"a query by name, or fewer than {count:,} datasets,")
    blocks = (subsets.over_blocks(task, *two, held=len(u)) for two in levels)
    pairs = []
    for _, parts in groupby(chain.from_iterable(blocks), key=itemgetter(0)):  # of one core
        _, lows, highs = zip(*parts)
        (low, one), (high, other) = min(lows, key=itemgetter(0)), max(highs, key=itemgetter(0))
        pairs.append((high - low, one, other))
    return max(pairs, key=itemgetter(0))


def _ranges(
    query: Query, u: np.ndarray, pool: np.ndarray, apart: str, kept: np.ndarray, chosen: np.ndarray
) -> tuple[tuple, tuple[float, np.ndarray], tuple[float, np.ndarray]]:
    """The widest range of a block, with its core, its ends and the datasets that have them."""
    cores = pool[kept]
    ones = pool[None] if apart == "pool" else cores
    if apart == "part":
        filled = cores[:, chosen]
    else:
        others = subsets.complement(len(u), ones)[:, chosen]
        others = np.broadcast_to(others, (len(cores), *others.shape[1:]))
        filled = np.concatenate([cores[:, None].repeat(others.shape[1], 1), others], axis=2)
    answers = evaluate(query, u[filled])
    if apart == "each other":
        row = int(np.ptp(answers, axis=1).argmax())
        ends = answers[row].argmin(), answers[row].argmax()
        return tuple(kept[row]), *((float(answers[row, at]), filled[row, at]) for at in ends)
    change = np.abs(answers - evaluate(query, u[ones])[:, None])
    row, column = np.unravel_index(change.argmax(), change.shape)
    end = float(change[row, column]), filled[row, column]
    return tuple(kept[row]), (0.0, ones[row % len(ones)]), end
