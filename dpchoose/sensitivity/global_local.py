"""The global and the local sensitivity of one query.

A sensitivity is exact, and comes with a pair of datasets that attains it. That of a named
query to one record costs little more than a sort, and so does the global one at any distance,
but for var and std. For all others all pairs of neighbours are enumerated.
"""

from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.queries import Query, resolve
from dpchoose.sensitivity import enumeration, monotone, variance
from dpchoose.worlds.subsets import MAX_WORLDS

ADJACENCIES = ("unbounded", "bounded", "added", "removed")


class Sensitivity(float):
    """The largest change of an answer: a float, with two datasets between which it occurs.

    Attributes:
        value: the float alone, in the unit of the answer, at least 0.
        dataset: the values of D, sorted; the release for a local sensitivity.
        neighbour: the values of D', sorted.

    >>> 2 * dp.global_sensitivity("mean", [1, 2, 3, 10], 3)
    5.666666666666667
    """

    dataset: np.ndarray
    neighbour: np.ndarray

    def __new__(cls, value: float, dataset: np.ndarray, neighbour: np.ndarray) -> "Sensitivity":
        """A float, which the two datasets go with."""
        self = super().__new__(cls, value)
        self.dataset, self.neighbour = dataset, neighbour
        return self

    def __reduce__(self) -> tuple[Any, ...]:  # for copies and processes
        return type(self), (self.value, self.dataset, self.neighbour)

    @property
    def value(self) -> float:
        """The float alone."""
        return float(self)


def global_sensitivity(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    adjacency: str = "unbounded",
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    r"""How far the answer can move from any dataset of n records (``eq-global``).

    Unbounded: :math:`\max |f(D) - f(D')|` over every D of n records of the universe and every
    D', not empty, of k fewer ("removed") or k more ("added"): Dwork and Roth 2014, definition
    3.1, within the universe. Bounded: over every two datasets of n that share at least n - k.
    k is the Hamming distance.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,); of a table one column.
        release_size: n, in [1, N - 1].
        adjacency: "unbounded", "bounded", or only "added" or "removed".
        distance: k, at least 1. Added: at most N - n; removed: at most n - 1; unbounded: at
            most the larger of both; bounded: at most the smaller of n and N - n.
        max_worlds: the most datasets, at least 1, that may be looked at for a callable, and
            for var and std beyond distance 1.

    >>> median = dp.global_sensitivity("median", [1, 2, 3, 10], 3)
    >>> median, median.dataset.tolist(), median.neighbour.tolist()
    (4.0, [1.0, 2.0, 10.0], [2.0, 10.0])
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    k, limit = _checked(query, adjacency, distance, max_worlds, size, len(values))
    return find(query, values, size, adjacency=adjacency, distance=k, max_worlds=limit)


def local_sensitivity(
    query: Query,
    universe: Any,
    released: Any,
    *,
    adjacency: str = "unbounded",
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    """How far the answer can move from the release itself (``eq-local``).

    D is the release. All else is given, and refused, as in :func:`global_sensitivity`. A
    callable, and any query beyond distance 1, looks at all neighbours. The value depends on
    the release, so noise of this scale can give the release away.

    Args:
        released: the *positions* of the released records, not their values: distinct, in
            [0, N). The records 1, 2 and 3 of 1, 2, 3, 10 are at 0, 1 and 2; [1, 2, 3] would
            be 2, 3 and 10.

    >>> dp.local_sensitivity("median", [1, 2, 3, 10], [0, 1, 2])
    0.5
    """
    values = checks.universe(universe)
    positions = checks.released(released, len(values))
    size, outside = len(positions), len(values) - len(positions)
    k, limit = _checked(query, adjacency, distance, max_worlds, size, len(values))
    if k == 1 and not callable(query):
        order = np.argsort(values, kind="stable")
        u, release_ranks = values[order], np.flatnonzero(np.isin(order, positions))
        if query in ("var", "std"):
            pair = variance.local_pair(query, u, release_ranks, adjacency)
        else:
            pair = monotone.local_pair(query, u, release_ranks, adjacency)
        return _sensitivity(u, size, pair)
    kept_and_added = [(size - replaced, replaced) for replaced in range(1, k + 1)]
    if adjacency != "bounded":
        smaller_sizes = _smaller_sizes(adjacency, size, k, len(values))
        kept_and_added = [(kept, k if kept == size else 0) for kept in smaller_sizes]
    kinds = [((size, kept), (outside, added)) for kept, added in kept_and_added]
    pair = enumeration.local_pair(query, values, positions, kinds, limit)
    return _sensitivity(values, size, pair)


def find(
    query: Query,
    values: np.ndarray,
    size: int,
    *,
    adjacency: str,
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    """:func:`global_sensitivity` of arguments that have been checked.

    >>> find("sum", np.array([3.0, 1, 2]), 2, adjacency="bounded")
    2.0
    """
    u, bounded = np.sort(values), adjacency == "bounded"
    any_two = bounded and distance == min(size, len(values) - size)
    if callable(query) or (query in ("var", "std") and distance > 1 and not any_two):
        way, limit = enumeration, [max_worlds]
    else:
        way, limit = variance if query in ("var", "std") else monotone, []
    if bounded:
        pair = way.replace_pair(query, u, size, distance, *limit)
    else:
        smaller_sizes = _smaller_sizes(adjacency, size, distance, len(u))
        pair = way.add_remove_pair(query, u, smaller_sizes, distance, *limit)
    return _sensitivity(u, size, pair)


def spread(query: Query, values: np.ndarray, size: int, *, max_worlds: int = MAX_WORLDS) -> float:
    """The largest answer less the smallest, over all datasets of n records.

    >>> spread("mean", np.array([1.0, 2, 3, 10]), 3)
    3.0
    """
    most = {"distance": min(size, len(values) - size), "max_worlds": max_worlds}
    return find(query, values, size, adjacency="bounded", **most).value


def _sensitivity(values: np.ndarray, size: int, pair: enumeration.Pair) -> Sensitivity:
    """The sensitivity that two datasets attain, that of n records first."""
    change, *records = pair
    dataset, neighbour = (np.sort(values[chosen]) for chosen in records)
    if len(dataset) != size:
        dataset, neighbour = neighbour, dataset
    return Sensitivity(change, dataset, neighbour)


def _smaller_sizes(adjacency: str, size: int, k: int, records: int) -> list[int]:
    """The sizes of the smaller dataset of two neighbours: after a removal, before an addition."""
    removed = [size - k] if adjacency != "added" and k < size else []
    return removed + ([size] if adjacency != "removed" and k <= records - size else [])


def _checked(
    query: Query, adjacency: str, distance: int, max_worlds: int, size: int, records: int
) -> tuple[int, int]:
    """The distance k, refused where no neighbour is so far, and the limit."""
    resolve(query)
    checks.choice("adjacency", adjacency, ADJACENCIES)
    outside, limit = records - size, checks.integer("max_worlds", max_worlds, 1)
    if adjacency == "removed" and size == 1:
        raise ValueError("adjacency 'removed' must leave a record, got a release of 1")
    most = {"added": outside, "removed": size - 1, "bounded": min(size, outside)}
    farthest = most.get(adjacency, max(size - 1, outside))
    return checks.integer("distance", distance, 1, farthest), limit
