"""How far one query can move between neighbouring datasets.

A sensitivity comes with its witness, a pair of datasets that attains it, so
that a reader can check it by hand. The answer is exact. For a named query it
costs little more than sorting the universe; for a callable, about which
nothing is known, all pairs are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data import queries
from dpchoose.data.queries import Query
from dpchoose.sensitivity import enumeration, exact, local_moments, moments
from dpchoose.worlds.subsets import MAX_WORLDS


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """The largest change of an answer, and two datasets between which it occurs.

    Attributes:
        value: the sensitivity, in the unit of the answer, at least 0.
        dataset: the values of D, sorted; the release for a local sensitivity.
        neighbour: the values of D', sorted.

    ``float(sensitivity)`` is its value.
    """

    value: float
    dataset: np.ndarray
    neighbour: np.ndarray

    def __float__(self) -> float:
        return self.value


def global_sensitivity(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    adjacency: str = "unbounded",
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    r"""How far the answer can move from any dataset of n records.

    Unbounded: :math:`\max |f(D) - f(D')|` over every D of n records of the universe
    and every D' that has k records fewer, or k more. Bounded: over every two
    datasets of n records that share at least n - k (Dwork and Roth 2014,
    definition 3.1, for the datasets that the universe admits).

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        adjacency: "unbounded" (add or remove) or "bounded" (change).
        distance: the Hamming distance k. Unbounded: in [1, max(n - 1, N - n)].
            Bounded: at least 1; beyond min(n, N - n) the answer stays the same.
        max_worlds: the most datasets that an enumeration may look at, which
            only a callable needs.

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
    k = _distance(distance, adjacency, size, values)
    return _sensitivity("global", adjacency, query, values, size, k, max_worlds)


def local_sensitivity(
    query: Query,
    universe: Any,
    release: Any,
    *,
    adjacency: str = "unbounded",
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> Sensitivity:
    """How far the answer can move from the release itself.

    The definition of :func:`global_sensitivity` with D fixed. It depends on
    the release, so noise of this scale gives the release away.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release: positions of the released records, distinct, in [0, N).
        adjacency, distance, max_worlds: as for :func:`global_sensitivity`.

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
    k = _distance(distance, adjacency, len(positions), values)
    return _sensitivity("local", adjacency, query, values, positions, k, max_worlds)


def neighbourhood_diameter(
    query: Query,
    universe: Any,
    release: Any,
    *,
    distance: int = 1,
    max_worlds: int = MAX_WORLDS,
) -> float:
    """How far apart two datasets can be that share n - k records of the release.

    Neither of the two need be the release, so this is at least the bounded
    local sensitivity. Munilla Garrido (2021) publishes it under that name.

    Args:
        query, universe, release, distance, max_worlds: as for
            :func:`local_sensitivity`.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> neighbourhood_diameter("mean", [0, 1, 5], [1])
    5.0
    """
    values = checks.universe(universe)
    positions = checks.release(release, len(values))
    k = _distance(distance, "bounded", len(positions), values)
    return enumeration.neighbourhood_diameter(query, values, positions, k, max_worlds=max_worlds)[0]


def spread(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> float:
    """How far apart the answers of two worlds can be: any two datasets of n records.

    It is the bounded global sensitivity at the largest distance.

    Args:
        query, universe, release_size, max_worlds: as for
            :func:`global_sensitivity`.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> spread("mean", [1, 2, 3, 10], 3)
    3.0
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    k = min(size, len(values) - size)
    return _sensitivity("global", "bounded", query, values, size, k, max_worlds).value


def bounded_by_distance(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The bounded global sensitivity at every distance 1, ..., min(n, N - n).

    For count, sum, mean and percentiles all distances cost one sort; for var
    and std each costs a few milliseconds at some thousand records.

    Args:
        query, universe, release_size, max_worlds: as for
            :func:`global_sensitivity`.

    Returns:
        float array of shape (min(n, N - n),), which never falls.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> bounded_by_distance("sum", [1, 2, 3, 10, 11], 3).tolist()
    [10.0, 18.0]
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    queries.resolve(query)
    if callable(query):
        return np.array(
            [
                enumeration.global_bounded(query, values, size, k, max_worlds=max_worlds)[0]
                for k in range(1, min(size, len(values) - size) + 1)
            ]
        )
    found = _exact("global", "bounded_by_distance", query)(query, values, size)
    return _finite(found)


def _distance(distance: int, adjacency: str, size: int, values: np.ndarray) -> int:
    checks.adjacency(adjacency)
    return checks.distance(distance, adjacency, release_size=size, records=len(values))


def _sensitivity(
    scope: str,
    adjacency: str,
    query: Query,
    values: np.ndarray,
    release: int | np.ndarray,
    k: int,
    max_worlds: int,
) -> Sensitivity:
    """The exact algorithm of a named query, the enumeration of any other."""
    queries.resolve(query)
    name = f"{scope}_{adjacency}"
    if callable(query):
        look = getattr(enumeration, name)
        value, dataset, neighbour = look(query, values, release, k, max_worlds=max_worlds)
        return Sensitivity(value, np.sort(values[dataset]), np.sort(values[neighbour]))
    value, dataset, neighbour = _exact(scope, name, query)(query, values, release, k)
    return Sensitivity(float(_finite(value)), dataset, neighbour)


def _exact(scope: str, name: str, query: str) -> Callable[..., Any]:
    if query in ("var", "std"):
        return getattr(moments if scope == "global" else local_moments, name)
    return getattr(exact, name)


def _finite(value: Any) -> Any:
    if not np.isfinite(value).all():
        raise ValueError("query must give finite answers, got one that is not")
    return value
