r"""One answer for each group of the universe, when all records but one are released.

The world without record a differs from the full universe in the answers of one
group alone, that of a. So a world is a group and a *move*: the group's answers
without the record less its answers with it. A table with a column for each group
is never needed.

The moves are computed from the records: a difference of two rounded means would
lose as many digits as the group has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpchoose.data.queries import Query, evaluate, percentile_rank

Asked = Sequence[tuple[Query, np.ndarray]]

NEEDS_NO_RECORD = ("count", "sum")
TIE_ULPS = 8  # moves that differ by less, of the numbers they are made from, are one
BLOCK = 1 << 20  # records of a callable's datasets held at once
SPLITTER = 2.0**27 + 1


@dataclass(frozen=True, eq=False)
class GroupedWorlds:
    """What the adversary weighs when each group's answers are published.

    Rows are sorted by group, and by moves within a group; equal ones are one row.

    Attributes:
        group: the group from which a record is missing, an integer code, shape (M,).
        moves: its answers less those of the full group, shape (M, d).
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

    @cached_property
    def starts(self) -> np.ndarray:
        """The first row of each group, and M at the end, shape (G + 1,)."""
        return np.searchsorted(self.group, np.arange(len(self.answers) + 1))

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

    Equal on paper is equal here: the moves of a sum or a mean are equal floats only
    then, and the others are taken as equal when they differ by no more than the
    rounding of their own evaluation, as for answers without groups.

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
    columns, answers = [], []
    for query, values in asked:
        moves, answer, slack = _moves(query, values[order], codes, sizes)
        columns.append(moves if slack is None else _tied(moves, codes, slack))
        answers.append(answer)
    moves = np.column_stack(columns)
    rows = np.lexsort((*moves.T[::-1], codes))
    moves, codes = moves[rows], codes[rows]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (np.diff(codes) > 0) | (moves[1:] != moves[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    total = len(rows)
    weights = np.diff(starts, append=total) / total
    peaks = np.full(len(starts), 1 / total)
    return GroupedWorlds(
        codes[starts], moves[starts], weights, peaks, total, np.column_stack(answers)
    )


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


def _moves(
    query: Query, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The move of each record, the full answers, and what may be rounding, by group.

    Args:
        values, codes: sorted by code, shape (N,).
        sizes: shape (G,), at least 2 for all but the count and the sum.
    """
    if query == "count":
        return np.full(len(values), -1.0), sizes.astype(float), None
    if query in ("sum", "mean", "var", "std"):
        return _moves_of_moments(query, values, codes, sizes)
    if isinstance(query, str):
        return _moves_of_percentile(query, values, codes, sizes)
    moves, answers, slack = np.empty(len(values)), np.empty(len(sizes)), np.empty(len(sizes))
    ends = np.cumsum(sizes)
    for g, (start, stop) in enumerate(zip(ends - sizes, ends)):
        part = values[start:stop]
        answers[g] = evaluate(query, part)
        without = _without_each(query, part)
        moves[start:stop] = without - answers[g]
        slack[g] = TIE_ULPS * np.spacing(np.abs(without).max())
    return moves, answers, slack


def _moves_of_moments(
    query: str, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    r"""Moves of the sum, the mean, the variance and its root.

    With m records of sum S, mean :math:`\mu` and variance V, and
    :math:`d = x - \mu = (mx - S)/m`: the mean moves by :math:`-d/(m - 1)` and the
    variance by :math:`(V - d^2 m/(m - 1))/(m - 1)`.
    """
    bounds = np.append(0, np.cumsum(sizes)).tolist()
    listed = values.tolist()
    parts = [listed[start:stop] for start, stop in itertools.pairwise(bounds)]
    sums = [math.fsum(part) for part in parts]
    if query == "sum":
        return -values, np.array(sums), None
    rests = np.array([math.fsum([*part, -whole]) for part, whole in zip(parts, sums)])
    sums = np.array(sums)
    # m x is exact in two halves, so that S - m x loses nothing where they are close
    big = values * SPLITTER
    half = big - (big - values)
    m = sizes[codes].astype(float)
    rise = ((sums[codes] - m * half) - m * (values - half)) + rests[codes]
    if query == "mean":
        return rise / (m * (m - 1)), sums / sizes, None
    squares = np.square(rise / m)
    starts = bounds[:-1]
    variances = np.add.reduceat(squares, starts) / sizes
    before = variances[codes]
    moves = (before - squares * (m / (m - 1))) / (m - 1)
    slack = np.maximum(variances, np.maximum.reduceat(squares, starts)) / (sizes - 1)
    if query == "std":
        after = before + moves
        for i in np.flatnonzero(after < before / 4):  # most of S was this record
            start, stop = bounds[codes[i]], bounds[codes[i] + 1]
            after[i] = evaluate("var", np.delete(values[start:stop], i - start))
        roots = np.sqrt(np.maximum(after, 0)) + np.sqrt(before)
        moves = np.divide(moves, roots, out=np.zeros_like(moves), where=roots > 0)
        variances = np.sqrt(variances)
        slack = np.divide(slack, variances, out=np.zeros_like(slack), where=variances > 0)
    return moves, variances, TIE_ULPS * np.spacing(slack)


def _moves_of_percentile(
    query: str, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Moves of a percentile: a group has three at most, from records close by.

    The record removed stood before, between or after the two ranks between which
    the percentile of the others is interpolated.
    """
    share = (50.0 if query == "median" else percentile_rank(query)) / 100
    order = np.lexsort((values, codes))
    u = values[order]
    starts = np.cumsum(sizes) - sizes

    def between(size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rank = (size - 1) * share
        return rank.astype(np.intp), rank - np.floor(rank)

    def record(index: np.ndarray) -> np.ndarray:
        return u[starts + np.minimum(index, sizes - 1)]

    low, after = between(sizes)
    origin = record(low)
    full = after * (record(low + 1) - origin)
    low, after = between(sizes - 1)
    one, two, three = (record(low + step) - origin for step in range(3))
    options = np.array(
        [
            (1 - after) * two + after * three - full,
            (1 - after) * one + after * three - full,
            (1 - after) * one + after * two - full,
        ]
    )
    slack = TIE_ULPS * np.spacing(np.abs([one, two, three]).max(axis=0))
    place = np.arange(len(u)) - starts[codes]
    moves = np.empty(len(u))
    moves[order] = options[np.clip(place - low[codes], 0, 2), codes]
    return moves, origin + full, slack


def _without_each(query: Query, part: np.ndarray) -> np.ndarray:
    """The answer without each record in turn, by listing them."""
    size = len(part)
    rows = max(1, BLOCK // size)
    answers = []
    for start in range(0, size, rows):
        left_out = np.arange(start, min(start + rows, size))[:, None]
        kept = np.arange(size - 1)
        answers.append(evaluate(query, part[kept + (kept >= left_out)]))
    return np.concatenate(answers)


def _tied(moves: np.ndarray, codes: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """The moves, those of a group that only rounding keeps apart made equal.

    A run of such moves that is longer than rounding explains is left as it is.
    """
    order = np.lexsort((moves, codes))
    sorted_moves, allowed = moves[order], slack[codes[order]]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(codes[order]) > 0) | (np.diff(sorted_moves) > allowed[1:])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(order)) - 1
    run = np.cumsum(new) - 1
    short = sorted_moves[last] - sorted_moves[first] <= 2 * allowed[first]
    result = np.empty_like(moves)
    result[order] = np.where(short[run], sorted_moves[first][run], sorted_moves)
    return result
