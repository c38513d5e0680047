"""Sums of weights that decay with distance, within groups whose rows stand in line."""

from __future__ import annotations

import math

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.decay import FARTHEST, UNIT
from dpchoose.worlds.groups import GroupedWorlds


def in_line(worlds: GroupedWorlds) -> bool:
    """Whether, along the rows of any group, each answer only rises or only falls.

    Distances add up along such rows. So it is with one answer, and with counts, sums,
    means and percentiles of the same records.
    """
    within = worlds.group[1:] == worlds.group[:-1]
    steps = np.diff(worlds.moves, axis=0) + np.diff(worlds.tails, axis=0)
    group, steps = worlds.group[1:][within], steps[within]
    count = len(worlds.answers)
    return not any(
        (np.bincount(group, step > 0, count) * np.bincount(group, step < 0, count)).any()
        for step in steps.T
    )


def sums(worlds: GroupedWorlds, rates: np.ndarray) -> np.ndarray:
    r"""The sums within the groups whose rows stand in line.

    :math:`L_i = w_i + e^{-t\,\text{gap}} L_{i-1}` from the left, and its mirror from
    the right, with nothing handed on from group to group.

    Args:
        worlds: with rows in line.
        rates: shape (G, d), in [0, inf].

    Returns:
        shape (M,), within a factor 1 + :func:`relative_error`.
    """
    last = len(worlds.group) - 1
    width = math.isqrt(last) + 1
    ends = np.minimum(np.arange(width - 1, last + width, width), last)

    def keep(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        gaps = worlds.gaps(one, other)
        away = decay.exponents(rates[worlds.group[one]], gaps).sum(axis=1)
        return np.where(worlds.group[one] == worlds.group[other], np.exp(-away), 0.0)

    rows = np.arange(last + 1)
    steps = keep(rows[1:], rows[:-1])
    across, across_back = keep(ends[1:], ends[:-1]), keep(last - ends[1:], last - ends[:-1])
    left = _carried(worlds.weights, steps, across, width)
    right = _carried(worlds.weights[::-1], steps[::-1], across_back, width)[::-1]
    left[:-1] += steps * right[1:]
    return left


def relative_error(size: int, coordinates: int) -> float:
    """A bound on the relative error of :func:`sums` of M rows of d moves.

    With u = 2**-53: an exponent is a sum of d products of a rate and a difference, off
    by at most d + 3 roundings of itself, and those above 745 vanish. A term meets at
    most five roundings for each of the two columns and the row of the table that it is
    carried through.

    >>> relative_error(10**6, 1) < 3e-12
    True
    """
    return UNIT * (FARTHEST * (coordinates + 4) + 5 * 3 * (math.isqrt(size) + 1) + 20)


def _carried(given: np.ndarray, steps: np.ndarray, across: np.ndarray, width: int) -> np.ndarray:
    """The running sum :math:`L_i = w_i + k_{i-1} L_{i-1}`, for a row of a table at a time.

    All rows of the table run side by side, column after column: first to find what each
    hands on to the next, and then with what it is handed.

    Args:
        given: w, shape (M,).
        steps: k, shape (M - 1,).
        across: the product of the k from the end of each row to that of the next.
        width: of the table.
    """
    rows = -(-len(given) // width)
    table = np.zeros((2, rows * width))
    table[0, : len(given)] = given
    table[1, 1 : len(given)] = steps
    given_columns, kept = np.ascontiguousarray(table.reshape(2, rows, width).transpose(0, 2, 1))
    state = np.zeros(rows)
    for column in range(width):
        state = state * kept[column] + given_columns[column]
    for row in range(1, rows):
        state[row] += across[row - 1] * state[row - 1]
    state[1:] = state[:-1].copy()  # nothing is kept of the first: its k is 0
    for column in range(width):
        state = state * kept[column] + given_columns[column]
        given_columns[column] = state
    return given_columns.T.ravel()[: len(given)]
