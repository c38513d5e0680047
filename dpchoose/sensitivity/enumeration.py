"""The definition of sensitivity itself, for any query, by looking at all pairs.

Each dataset is made from a core. An unbounded neighbour of a core is what is left of it without
k records. Two bounded neighbours are one core of n - k records, with k others each. A neighbour
of a release is some of its records, with some from outside. A *kind* of datasets is two levels:
that of the cores, and that of the choices at each core. A level (N, n) is all n-subsets of N.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from dpchoose.queries import Query, evaluate
from dpchoose.worlds import subsets
from dpchoose.worlds.answers import whole

Pair = tuple[float, np.ndarray, np.ndarray]  # a change, and the positions of two datasets
Kind = tuple[subsets.Level, subsets.Level]
CHANGE = itemgetter(0)


def add_remove_pair(
    query: Query, u: np.ndarray, smaller_sizes: list[int], k: int, limit: int
) -> Pair:
    """The pair farthest apart of m records and these with k more, for every m of some sizes."""
    kinds = [((len(u), m + k), (m + k, m)) for m in smaller_sizes]
    return max(_over_blocks(_farthest_part, query, u, kinds, limit), key=CHANGE)


def replace_pair(query: Query, u: np.ndarray, size: int, k: int, limit: int) -> Pair:
    """The pair farthest apart of n records each, of which up to k are replaced."""
    k = size if k == min(size, len(u) - size) else k  # where any two are neighbours, no core
    kinds = [((len(u), size - k), (len(u) - size + k, k))]
    ranges = _over_blocks(_widest_range, query, u, kinds, limit)
    widest_pairs = []
    for _, ranges_of_core in groupby(ranges, key=itemgetter(0)):
        _, lows, highs = zip(*ranges_of_core)
        (low, dataset), (high, neighbour) = min(lows, key=CHANGE), max(highs, key=CHANGE)
        widest_pairs.append((high - low, dataset, neighbour))
    return max(widest_pairs, key=CHANGE)


def local_pair(
    query: Query, u: np.ndarray, release: np.ndarray, kinds: list[Kind], limit: int
) -> Pair:
    """The release and the neighbour that is farthest from it, of some kinds."""
    task = partial(_farthest_neighbour, release)
    return max(_over_blocks(task, query, u, kinds, limit), key=CHANGE)


def _over_blocks(
    task: Callable, query: Query, u: np.ndarray, kinds: list[Kind], limit: int
) -> Iterator[Any]:
    """The results of a task for each block of the kinds, whose datasets are counted before."""
    count = sum(math.prod(subsets.count(*level) for level in kind) for kind in kinds)
    subsets.refuse_above(limit, count, "this sensitivity")
    if isinstance(query, str) and query not in ("count", "sum"):  # counted from the middle record
        x = whole(u)
        shifted = x.numbers.astype(object) - int(np.sort(x.numbers)[len(u) // 2])
        u = shifted.astype(float) * float(x.unit)
    other_way = "a query by name" if callable(query) else "distance 1"
    faster = f"{other_way}, or fewer than {count:,} datasets,"
    return subsets.over_blocks(partial(task, query, u), kinds, held=len(u), faster=faster)


def _farthest_part(query: Query, u: np.ndarray, cores: np.ndarray, chosen: np.ndarray) -> Pair:
    """Of a block of cores, the one that is farthest from a part of it, and that part."""
    parts_of_cores = cores[:, chosen]
    changes = np.abs(evaluate(query, u[parts_of_cores]) - evaluate(query, u[cores])[:, None])
    core, part = np.unravel_index(changes.argmax(), changes.shape)
    return float(changes[core, part]), cores[core], parts_of_cores[core, part]


def _farthest_neighbour(
    release: np.ndarray, query: Query, u: np.ndarray, kept: np.ndarray, chosen: np.ndarray
) -> Pair:
    """The release, and the neighbour farthest from it in a block."""
    added = subsets.complement(len(u), release[None])[0][chosen]
    neighbours = _joined(release[kept], added[None])
    changes = np.abs(evaluate(query, u[neighbours]) - evaluate(query, u[release]))
    core, choice = np.unravel_index(changes.argmax(), changes.shape)
    return float(changes[core, choice]), release, neighbours[core, choice]


def _widest_range(
    query: Query, u: np.ndarray, cores: np.ndarray, chosen: np.ndarray
) -> tuple[tuple, tuple[float, np.ndarray], tuple[float, np.ndarray]]:
    """The core whose datasets in a block range widest, and the lowest and highest of these."""
    datasets = _joined(cores, subsets.complement(len(u), cores)[:, chosen])
    answers = evaluate(query, u[datasets])
    core = int(np.ptp(answers, axis=1).argmax())
    low, high = answers[core].argmin(), answers[core].argmax()
    least, most = ((float(answers[core, end]), datasets[core, end]) for end in (low, high))
    return tuple(cores[core]), least, most


def _joined(cores: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Each core with each choice of further records, shape (cores, choices, records)."""
    shape = len(cores), added.shape[1]
    cores = np.broadcast_to(cores[:, None], (*shape, cores.shape[1]))
    return np.concatenate([cores, np.broadcast_to(added, (*shape, added.shape[2]))], axis=2)
