"""The table that Munilla Garrido (2021) works by hand, for any small universe."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from dpbook.tables import members
from dpchoose.data.queries import Query, evaluate

KINDS = {"removing": (1, 0), "adding": (0, 1), "changing": (1, 1)}  # records out, records in
LOCAL, GLOBAL = "◆", "★"


def neighbour_table(
    query: Query, universe: Sequence[float], release_size: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every release with all its neighbours at distance 1.

    Args:
        query, universe, release_size: as for :func:`dpchoose.global_sensitivity`.

    Returns:
        two frames with a row for each release, in lexicographic order, and the
        columns removing, adding and changing: the neighbours in words, each
        with its answer and how far that is from the release's, the first
        farthest of a cell marked ◆ and of a column ★; and the local
        sensitivities.

    >>> neighbour_table("median", [1, 2, 3, 10, 11], 3)[1]["changing"][:3].tolist()
    [1.0, 8.0, 8.0]
    """
    records = np.asarray(universe, dtype=float)
    worlds = list(itertools.combinations(range(len(records)), release_size))

    def answer(positions: Sequence[int]) -> float:
        return float(evaluate(query, records[list(positions)]))

    def named(positions: Sequence[int]) -> str:
        return members(records[list(positions)])

    def differences(world: tuple[int, ...], kind: str) -> list[float]:
        near = _neighbours(world, len(records), *KINDS[kind])
        return [abs(answer(positions) - answer(world)) for positions in near]

    def cell(world: tuple[int, ...], kind: str) -> str:
        near = list(_neighbours(world, len(records), *KINDS[kind]))
        steps = differences(world, kind)
        lines = [
            f"{named(positions)}: {answer(positions):.4g} ({step:.4g})"
            for positions, step in zip(near, steps, strict=True)
        ]
        farthest = world == worlds[largest[kind].argmax()]
        lines[steps.index(max(steps))] += f" {GLOBAL if farthest else LOCAL}"
        return "\n".join(lines).replace(" ", "\u00a0")  # each stays on one line

    largest = pd.DataFrame({k: [max(differences(w, k)) for w in worlds] for k in KINDS})
    releases = [f"{named(world)}:\u00a0{answer(world):.4g}" for world in worlds]
    written = {kind: [cell(world, kind) for world in worlds] for kind in KINDS}
    return pd.DataFrame({"release": releases, **written}), largest


def step_table(
    query: Query, universe: Sequence[float], release_size: int, *, asked: str
) -> pd.DataFrame:
    """Every release, all that is one record away, and the largest step of the answer.

    Args:
        query, universe, release_size: as for :func:`dpchoose.global_sensitivity`.
        asked: the query in words, for the heads of the columns.

    Returns:
        a frame with a row for each release, in lexicographic order.

    >>> step_table("mean", [0, 1], 1, asked="mean")["largest step"].tolist()
    [0.5, 0.5]
    """
    records = np.asarray(universe, dtype=float)
    rows = []
    for world in itertools.combinations(range(len(records)), release_size):
        near = [
            one
            for kind in ("removing", "adding")
            for one in _neighbours(world, len(records), *KINDS[kind])
            if one
        ]
        release, *others = [records[list(positions)] for positions in [world, *near]]
        own, *answers = [float(evaluate(query, values)) for values in [release, *others]]
        written = [f"{members(v)}: {a:.4g}" for v, a in zip(others, answers, strict=True)]
        rows.append(
            {
                f"list: its {asked}": f"{members(release)}: {own:.4g}".replace(" ", "\u00a0"),
                f"one pupil away: its {asked}": "\n".join(written).replace(" ", "\u00a0"),
                "largest step": max(abs(answer - own) for answer in answers),
            }
        )
    return pd.DataFrame(rows)


def _neighbours(world: tuple[int, ...], records: int, out: int, back: int) -> Iterator[list[int]]:
    """The worlds with ``out`` records of this one removed and ``back`` others added."""
    rest = [position for position in range(records) if position not in world]
    for removed in itertools.combinations(world, out):
        for added in itertools.combinations(rest, back):
            yield sorted({*world} - {*removed} | {*added})
