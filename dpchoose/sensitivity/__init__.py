"""How far one query can move between neighbouring datasets.

A sensitivity comes with its witness, a pair of datasets that attains it, so
that a reader can check it by hand. The answer is exact. The global sensitivity
of a named query costs little more than sorting the universe; for a callable,
about which nothing is known, and for the local sensitivity, all pairs are
looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data import queries
from dpchoose.data.queries import Query
from dpchoose.sensitivity import enumeration, monotone, variance_bounded, variance_unbounded
from dpchoose.sensitivity.runs import SortedUniverse
from dpchoose.sensitivity.witness import Sensitivity
from dpchoose.worlds.subsets import MAX_WORLDS


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

    Unbounded: :math:`\max |f(D) - f(D')|` over every D of n records of the universe
    and every D' that has k records fewer, or k more. Bounded: over every two
    datasets of n records that share at least n - k (Dwork and Roth 2014,
    definition 3.1, for the datasets that the universe admits).

    No dataset D' is empty, as most queries have no answer to it. So for n at
    most k, and above all for n = 1, records are only added.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        adjacency: "unbounded" (add or remove) or "bounded" (change).
        distance: the number k of records. Unbounded: in [1, max(n - 1, N - n)].
            Bounded: at least 1; beyond min(n, N - n) the answer stays the same.
        max_worlds: the most datasets that an enumeration may look at, which
            only a callable needs; at least 1.

    Returns:
        the sensitivity with its witness.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> median = global_sensitivity("median", [1, 2, 3, 10], 3)
    >>> median.value, median.dataset.tolist(), median.neighbour.tolist()
    (4.0, [1.0, 2.0, 10.0], [2.0, 10.0])
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    k = _distance(distance, adjacency, size, len(values))
    queries.resolve(query)
    limit = checks.integer("max_worlds", max_worlds, 1)
    return find(query, values, size, adjacency=adjacency, distance=k, max_worlds=limit)


def local_sensitivity(
    query: Query,
    universe: Any,
    release: Any,
    *,
    adjacency: str = "unbounded",
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    """How far the answer can move from the release itself (``eq-local``).

    The definition of :func:`global_sensitivity` with D fixed. It depends on
    the release, so noise of this scale gives the release away. All neighbours
    are looked at.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release: positions of the released records, distinct, in [0, N).
        adjacency, distance: as for :func:`global_sensitivity`.
        max_worlds: the most datasets that may be looked at, at least 1.

    Returns:
        the sensitivity with its witness; ``dataset`` is the release.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> local_sensitivity("median", [1, 2, 3, 10], [0, 1, 2]).value
    0.5
    """
    values = checks.universe(universe)
    positions = checks.release(release, len(values))
    k = _distance(distance, adjacency, len(positions), len(values))
    queries.resolve(query)
    limit = checks.integer("max_worlds", max_worlds, 1)
    bounded = adjacency == "bounded"
    look = enumeration.local_bounded if bounded else enumeration.local_unbounded
    return Sensitivity.between(values, look(query, values, positions, k, max_worlds=limit))


def find(
    query: Query,
    values: np.ndarray,
    size: int,
    *,
    adjacency: str,
    distance: int,
    max_worlds: int,
) -> Sensitivity:
    """:func:`global_sensitivity` of arguments that have been checked.

    >>> find("sum", np.array([3.0, 1, 2]), 2, adjacency="bounded", distance=1, max_worlds=1).value
    2.0
    """
    u, unbounded = np.sort(values), adjacency == "unbounded"
    if callable(query):
        look = enumeration.global_unbounded if unbounded else enumeration.global_bounded
        return Sensitivity.between(u, look(query, u, size, distance, max_worlds=max_worlds))
    if query in ("var", "std"):
        farthest = variance_unbounded.farthest if unbounded else variance_bounded.farthest
        return Sensitivity.between(u, farthest(query, SortedUniverse(u), size, distance))
    exact = monotone.unbounded if unbounded else monotone.bounded
    return exact(query, u, size, distance)


def by_distance(
    query: Query, values: np.ndarray, size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The bounded global sensitivity at every distance 1, ..., min(n, N - n).

    For count, sum, mean and percentiles all distances cost one sort. For var
    and std each is dear: beyond 64 distances all but about 64 numbers are an
    upper bound, the sensitivity at a somewhat larger distance.

    Args:
        query, values, size, max_worlds: those of :func:`global_sensitivity`, checked.

    Returns:
        float array of shape (min(n, N - n),), which never falls.

    >>> by_distance("sum", np.array([1.0, 2, 3, 10, 11]), 3).tolist()
    [10.0, 18.0]
    """
    u = np.sort(values)
    if callable(query):
        found = [
            enumeration.global_bounded(query, u, size, k, max_worlds=max_worlds)[0]
            for k in range(1, min(size, len(u) - size) + 1)
        ]
        return np.maximum.accumulate(found)
    if query in ("var", "std"):
        return variance_bounded.bound_by_distance(query, SortedUniverse(u), size)
    return monotone.bounded_by_distance(query, u, size)


def _distance(distance: int, adjacency: str, size: int, records: int) -> int:
    checks.adjacency(adjacency)
    return checks.distance(distance, adjacency, release_size=size, records=records)
