"""Releases and what is near them, listed one by one."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpbook.tables import members
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


def step_table(
    query: str, universe: Any, release_size: int, *, exchange: bool = False
) -> pd.DataFrame:
    """Every release, all that is one record away, and the largest step of the answer.

    Args:
        query, universe, release_size: as for :func:`dpchoose.global_sensitivity`.
        exchange: whether a last column has the largest step by an exchange of one record.

    >>> step_table("mean", [0, 1], 1, exchange=True).iloc[0, 2:].tolist()
    [0.5, 1.0]
    """
    records = np.asarray(universe, dtype=float)
    rows = []
    for world in itertools.combinations(range(len(records)), release_size):
        near = [one for way in ((1, 0), (0, 1)) for one in neighbours(world, len(records), *way)]
        sets = [records[list(positions)] for positions in [world, *filter(None, near)]]
        own, *answers = [float(evaluate(query, values)) for values in sets]
        first, *others = [f"{members(v)}: {a:.4g}" for v, a in zip(sets, [own, *answers])]
        row = {
            f"list: its {query}": first.replace(" ", "\u00a0"),
            f"one record away: its {query}": "\n".join(others).replace(" ", "\u00a0"),
            "largest step": max(abs(answer - own) for answer in answers),
        }
        if exchange:
            swapped = neighbours(world, len(records), 1, 1)
            row["by an exchange"] = max(
                abs(float(evaluate(query, records[positions])) - own) for positions in swapped
            )
        rows.append(row)
    return pd.DataFrame(rows)


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
