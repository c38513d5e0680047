"""What Munilla Garrido plots as the bounded local sensitivity."""

from __future__ import annotations

from typing import Any

from dpchoose import checks
from dpchoose.data.queries import Query, resolve
from dpchoose.sensitivity import enumeration
from dpchoose.worlds.subsets import MAX_WORLDS


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
    local sensitivity (``eq-diameter``). Munilla Garrido (2021) publishes it
    under that name.

    Args:
        query, universe, release, distance, max_worlds: as for the bounded
            :func:`dpchoose.local_sensitivity`.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> neighbourhood_diameter("mean", [0, 1, 5], [1])
    5.0
    """
    values = checks.universe(universe)
    positions = checks.release(release, len(values))
    size = len(positions)
    k = min(checks.integer("distance", distance, 1), size, len(values) - size)
    resolve(query)
    limit = checks.integer("max_worlds", max_worlds, 1)
    return enumeration.widest(query, values, positions, size, k, max_worlds=limit)[0]
