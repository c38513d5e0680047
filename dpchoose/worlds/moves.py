"""How the answer of each group moves when one of its records is left out.

The moves are computed from the records: a difference of two rounded means would
lose as many digits as the group has.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpchoose import progress
from dpchoose.data.queries import Query, evaluate, percentile_rank

TIE_ULPS = 8  # moves that differ by less, of the numbers they are made from, are one
BLOCK = 1 << 20  # records of a callable's datasets held at once
SPLITTER = 2.0**27 + 1


def moves_of(
    query: Query, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The move of each record, and the answers of the full groups.

    Equal on paper is equal here: the moves of a sum or a mean are equal floats only
    then, and the others are taken as equal when they differ by no more than the
    rounding of their own evaluation, as for answers without groups.

    Args:
        query: a name or a callable.
        values: the records, group by group, shape (N,).
        codes: of their groups, sorted, shape (N,).
        sizes: of the groups, shape (G,), at least 2 for all but the count and the sum.

    Returns:
        shapes (N,) and (G,).

    >>> moves_of("mean", np.array([1.0, 5, 6]), np.zeros(3, dtype=int), np.array([3]))
    (array([ 1.5, -0.5, -1. ]), array([4.]))
    """
    moves, answers, slack = _rounded_moves(query, values, codes, sizes)
    return (moves if slack is None else _tied(moves, codes, slack)), answers


def _rounded_moves(
    query: Query, values: np.ndarray, codes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The same, and by how much moves of a group that are equal may differ, None for 0."""
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
    share = percentile_rank(query) / 100
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
    starts = range(0, size, rows)
    for start in progress.shown(starts, len(starts), "leaving out each"):
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
