"""Searches that look at a few places instead of all, because of a known order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

BLOCK = 1 << 14  # rows looked at together: their arrays stay in the cache


def blocks(count: int) -> Iterator[np.ndarray]:
    """The numbers 0, 1, ..., count - 1, a block after the other."""
    return (np.arange(low, min(low + BLOCK, count)) for low in range(0, count, BLOCK))


def how_many_hold(holds: Callable[[np.ndarray], np.ndarray], limit: int, rows: int) -> np.ndarray:
    """How many of the tests 0, 1, ..., limit - 1 hold in each row, when the first ones do.

    Args:
        holds: for the number of a test in each row, shape (rows,), whether it holds.
        limit: how many tests there are, at least 0.
        rows: for each of which it is asked.

    >>> how_many_hold(lambda i: i * i < np.array([5, 10]), 4, 2).tolist()
    [3, 4]
    """
    count = np.zeros(rows, dtype=np.intp)
    step = 1 << limit.bit_length() >> 1
    while step:
        trial = count + step
        good = trial <= limit
        good &= holds(np.minimum(trial, limit) - 1)
        count += step * good
        step >>= 1
    return count


def row_minima(
    cost: Callable[[np.ndarray, np.ndarray], np.ndarray], low: np.ndarray, high: int
) -> np.ndarray:
    """Where each row of a Monge matrix is least: columns low[row], ..., high.

    The least columns never move left from row to row, so the rows between two
    known ones need only the columns between theirs: about log2(rows) passes.

    Args:
        cost: the entries at some rows and columns.
        low: the first column of each row, which never falls.
        high: the last column of all.

    >>> row_minima(lambda row, column: (column - 2 * row) ** 2, np.zeros(3, dtype=int), 5).tolist()
    [0, 2, 4]
    """
    best = np.zeros(len(low), dtype=np.intp)
    stride = 1 << len(low).bit_length()
    while stride := stride >> 1:
        rows = np.arange(stride - 1, len(low), 2 * stride)
        if not len(rows):
            continue
        before, after = rows - stride, rows + stride
        start = np.maximum(low[rows], np.where(before >= 0, best[before], 0))
        stop = np.where(after < len(low), best[np.minimum(after, len(low) - 1)], high) + 1
        counts = stop - start
        firsts = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(rows)), counts)
        columns = np.arange(counts.sum()) + (start - firsts)[owner]
        costs = np.concatenate(
            [cost(rows[owner[some]], columns[some]) for some in blocks(len(columns))]
        )
        least = np.flatnonzero(costs == np.minimum.reduceat(costs, firsts)[owner])
        best[rows] = columns[least[np.diff(owner[least], prepend=-1) > 0]]
    return best
