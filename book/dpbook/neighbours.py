"""The table that Munilla Garrido (2021) works by hand, for any small universe."""

from __future__ import annotations

import itertools
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpbook.tables import members, scrolling
from dpchoose.data.queries import Query, evaluate

if typing.TYPE_CHECKING:
    from IPython.display import HTML

KINDS = {"removing": (1, 0), "adding": (0, 1), "changing": (1, 1)}  # records out, records in


@dataclass(frozen=True)
class Group:
    """The neighbours of one release by one kind of step.

    Attributes:
        neighbours: their records.
        answers: the query's answers to them.
        differences: how far each is from the answer to the release.
    """

    neighbours: list[np.ndarray]
    answers: list[float]
    differences: list[float]

    @property
    def largest(self) -> float:
        """The local sensitivity at that release."""
        return max(self.differences)

    def lines(self, mark: str, style: str) -> list[str]:
        """A line for each neighbour, the first farthest one marked."""
        written = [
            f"{members(values)}: {answer:g}, {difference:g}"
            for values, answer, difference in zip(
                self.neighbours, self.answers, self.differences, strict=True
            )
        ]
        at = self.differences.index(self.largest)
        written[at] = f'<b class="{style}">{written[at]} {mark}</b>'
        return written


def neighbour_table(
    query: Query, universe: Sequence[float], release_size: int
) -> tuple[HTML, dict[str, list[float]]]:
    """Every release with all its neighbours at distance 1.

    Args:
        query, universe, release_size: as for :func:`dpchoose.global_sensitivity`.

    Returns:
        the table, in which the first largest difference of each group is
        orange and the first largest of each column green; and for removing,
        adding and changing a record the local sensitivities of the releases,
        in lexicographic order.

    >>> neighbour_table("median", [1, 2, 3, 10, 11], 3)[1]["changing"][:3]
    [1.0, 8.0, 8.0]
    """
    from IPython.display import HTML

    records = np.asarray(universe, dtype=float)
    worlds = list(itertools.combinations(range(len(records)), release_size))
    groups = {
        kind: [_group(query, records, world, *KINDS[kind]) for world in worlds] for kind in KINDS
    }
    largest = {kind: [group.largest for group in column] for kind, column in groups.items()}
    rows = []
    for place, world in enumerate(worlds):
        release = records[list(world)]
        cells = [f"{members(release)}: {float(evaluate(query, release)):g}"]
        for kind, column in groups.items():
            is_global = place == largest[kind].index(max(largest[kind]))
            lines = column[place].lines(*(("★", "global") if is_global else ("◆", "local")))
            cells.append("<br>".join(lines))
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{title}</th>" for title in ("release", *KINDS))
    text = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return HTML(scrolling(f'<table class="dataframe numbers hand">{text}</table>')), largest


def _group(query: Query, records: np.ndarray, world: tuple[int, ...], out: int, back: int) -> Group:
    near = [records[positions] for positions in _neighbours(world, len(records), out, back)]
    answers = [float(evaluate(query, values)) for values in near]
    release = float(evaluate(query, records[list(world)]))
    return Group(near, answers, [abs(answer - release) for answer in answers])


def _neighbours(world: tuple[int, ...], records: int, out: int, back: int) -> Iterator[list[int]]:
    """The worlds with ``out`` records of this one removed and ``back`` others added."""
    rest = [position for position in range(records) if position not in world]
    for removed in itertools.combinations(world, out):
        for added in itertools.combinations(rest, back):
            yield sorted({*world} - {*removed} | {*added})
