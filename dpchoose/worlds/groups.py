r"""One answer for each group of the universe, when all records but one are released.

The world without record a differs from the full universe in the answers of one
group alone, that of a. So a world is a group and a *move*: the group's answers
without the record less its answers with it. A table with a column for each group
is never needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose.data.queries import Query
from dpchoose.worlds.moves import moves_of
from dpchoose.worlds.places import FARTHEST, LOST, MOST
from dpchoose.worlds.whole import Parts, sorted_parts

Asked = Sequence[tuple[Query, np.ndarray]]

NEEDS_NO_RECORD = ("count", "sum")


@dataclass(frozen=True, eq=False)
class GroupedWorlds:
    """What the adversary weighs when each group's answers are published.

    Rows are sorted by group, and by moves within a group; equal ones are one row.

    Attributes:
        group: the group from which a record is missing, an integer code, shape (M,).
        moves: its answers less those of the full group, shape (M, d).
        tails: what the moves lack, shape (M, d).
        weights: prior mass of the worlds behind a row, shape (M,), summing to 1.
        peaks: largest prior of a single world behind a row, shape (M,).
        total: the number N of worlds.
        answers: of the full groups, shape (G, d).
    """

    group: np.ndarray
    moves: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    answers: np.ndarray
    tails: np.ndarray

    @property
    def largest_prior(self) -> Fraction:
        """The prior of every world, exact."""
        return Fraction(1, self.total)

    @cached_property
    def starts(self) -> np.ndarray:
        """The first row of each group, and M at the end, shape (G + 1,)."""
        return np.searchsorted(self.group, np.arange(len(self.answers) + 1))

    def gaps(self, one: Any, other: Any) -> np.ndarray:
        """How far the moves of some rows are from those of others, shape (rows, d)."""
        found = self.moves[one] - self.moves[other]
        found += self.tails[one] - self.tails[other]
        return np.abs(found, out=found)

    def lost(self, rates: np.ndarray) -> np.ndarray:
        """By how much the logarithm of each row's sum may be off because moves are, (M,).

        As in :meth:`dpchoose.worlds.places.Places.lost`.

        Args:
            rates: shape (G, d).
        """
        finite = np.where(np.isinf(rates), 0.0, rates)
        with np.errstate(over="ignore"):
            moved = finite[self.group] * np.abs(self.moves)
            return np.minimum(LOST * (2 * moved + FARTHEST).sum(axis=1), MOST)

    @cached_property
    def spread(self) -> np.ndarray:
        """How far apart two worlds can be in each answer, shape (G, d)."""
        low = np.minimum.reduceat(self.moves, self.starts[:-1])
        high = np.maximum.reduceat(self.moves, self.starts[:-1])
        if len(self.answers) == 1:
            return high - low
        return np.maximum(high, 0) - np.minimum(low, 0)

    @cached_property
    def mean_answers(self) -> np.ndarray:
        """The mean of each answer over the worlds, shape (G, d)."""
        mean_moves = np.add.reduceat(self.weights[:, None] * self.moves, self.starts[:-1])
        return self.answers + mean_moves


def all_but_one(asked: Asked, group: np.ndarray) -> GroupedWorlds:
    """The worlds of a universe in groups of which all records but one are released.

    Two worlds have one answer where it is equal, and only there, as without groups.

    Args:
        asked: d pairs of a query and the records that it is asked of, shape (N,).
        group: codes 0, ..., G - 1, each of them present, shape (N,).

    >>> worlds = all_but_one([("sum", np.array([1.0, 2, 2]))], np.array([0, 1, 1]))
    >>> worlds.group.tolist(), worlds.moves.ravel().tolist(), worlds.answers.ravel().tolist()
    ([0, 1], [-1.0, -2.0], [1.0, 4.0])
    """
    order = np.argsort(group, kind="stable")
    codes = group[order]
    sizes = np.bincount(group)
    columns = [moves_of(query, values[order], codes, sizes) for query, values in asked]
    keys = [part for column in columns for part in column.parts]
    rows, starts = sorted_parts([codes, *keys])
    total = len(rows)
    first = rows[starts]
    heads, tails = (
        np.column_stack([_part(column.parts, k)[first] for column in columns]) for k in (0, 1)
    )
    weights = np.diff(starts, append=total) / total
    peaks = np.full(len(starts), 1 / total)
    answers = np.column_stack([column.answers for column in columns])
    return GroupedWorlds(codes[first], heads, weights, peaks, total, answers, tails)


def _part(parts: Parts, which: int) -> np.ndarray:
    return parts[which] if which < len(parts) else np.zeros(len(parts[0]))


def refuse_emptied(
    asked: Sequence[Query],
    names: Sequence[object],
    sizes: np.ndarray,
    *,
    release_size: int,
    adjacency: str,
) -> None:
    """Stop where a query needs a record and a group can be left without one.

    A dataset misses N - n records of the universe, and an unbounded neighbour one
    more. A group of no more records than these can be empty, and has no mean then.

    Args:
        asked: the queries; all but the count and the sum need a record.
        names: of the groups, shape (G,).
        sizes: N_g, records of each group, shape (G,).
        release_size: n, in [1, N - 1].
        adjacency: "unbounded" or "bounded".

    Raises:
        ValueError: the first group that can be emptied, by its name.

    >>> refuse_emptied(
    ...     ["mean"], ["A", "B"], np.array([9, 2]), release_size=10, adjacency="unbounded"
    ... )
    Traceback (most recent call last):
    ValueError: group 'B' must hold at least 3 records for the mean, got 2
    """
    needy = [query for query in asked if query not in NEEDS_NO_RECORD]
    missing = int(sizes.sum()) - release_size + (adjacency == "unbounded")
    small = np.flatnonzero(sizes <= missing)
    if needy and small.size:
        query = needy[0] if isinstance(needy[0], str) else "query"
        name, size = names[small[0]], sizes[small[0]]
        name = name.item() if isinstance(name, np.generic) else name
        raise ValueError(
            f"group {name!r} must hold at least {missing + 1} records for the {query}, got {size}"
        )
