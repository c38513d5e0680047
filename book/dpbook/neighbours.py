"""Releases and what is near them, listed one by one."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dpchoose.queries import Query, evaluate


def neighbours(release: Sequence[int], records: int, out: int, back: int) -> Iterator[list[int]]:
    """The datasets with ``out`` records of this one removed and ``back`` others added.

    >>> list(neighbours([0, 2], 3, out=1, back=1))
    [[1, 2], [0, 1]]
    """
    rest = [position for position in range(records) if position not in release]
    for removed in itertools.combinations(release, out):
        for added in itertools.combinations(rest, back):
            yield sorted({*release} - {*removed} | {*added})


def neighbourhood_diameter(query: Query, universe: Any, release: Any, *, distance: int) -> float:
    """How far apart two datasets can be that share n - k records of the release.

    Neither of the two need be the release, so this is at least the bounded local sensitivity,
    under whose name Munilla Garrido (2021) publishes it.

    Args:
        query, universe, release: as for :func:`dpchoose.local_sensitivity`.
        distance: k, at most n and at most the records left off.

    >>> neighbourhood_diameter("mean", [0, 1, 1, 5], [1, 2], distance=1)
    2.5
    """
    records = np.asarray(universe, dtype=float)
    cores = itertools.combinations(release, len(release) - distance)
    filled = (list(neighbours(core, len(records), 0, distance)) for core in cores)
    return float(max(np.ptp(evaluate(query, records[places])) for places in filled))
