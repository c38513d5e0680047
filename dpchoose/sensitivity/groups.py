r"""How far one record can move a group's answer, and all answers together.

When n of all N records are released, a group of :math:`N_g` records has between
:math:`l_g = \max(0, N_g - (N - n))` and :math:`h_g = \min(N_g, n)` of them in the
dataset, and every part of the group of such a size occurs. One step is

- *unbounded*: a record of the group comes or goes, from m to m + 1 records or back,
  where one of the two datasets has n records: m from :math:`\max(0, l_g - 1)` to
  :math:`\min(h_g, N_g - 1)`.
- *bounded*: a record is swapped for another of the group, at a size from
  :math:`l_g` to :math:`h_g`; or it leaves for one of another group (a *shift*),
  which moves the answer like a record that goes, m from :math:`l_g` to
  :math:`h_g - 1`.

A step of the mean is largest at the smallest size: from m to m + 1 records it moves
by the farthest record less the mean of the m farthest from it, divided by m + 1. As
m grows that mean comes closer, and the divisor grows. A swap moves it by the range
of the group, divided by the size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpchoose.data.queries import Query, evaluate
from dpchoose.sensitivity import global_sensitivity
from dpchoose.worlds.groups import GroupedWorlds, all_but_one
from dpchoose.worlds.subsets import MAX_WORLDS, over_blocks, refuse_above


@dataclass(frozen=True, eq=False)
class GroupSensitivities:
    """How far the answers of each group can move, in their units, each of shape (G, d).

    Attributes:
        unbounded: global sensitivity at distance 1 when a record comes or goes; nan
            where the query needs a record and the group may have none.
        bounded: the same when a record is changed; nan likewise.
        shift: the part of ``bounded`` that comes with a change in another group.
        spread: the largest difference between the answers of two worlds.
    """

    unbounded: np.ndarray
    bounded: np.ndarray
    shift: np.ndarray
    spread: np.ndarray

    def largest_step(self, rates: np.ndarray) -> float:
        r"""The most that :math:`\sum_{g,q} t_{gq} f_{gq}` can move as one record is changed.

        The change stays within a group, or shifts a record from one to another.
        Exact for one query when all records but one are released; otherwise it is
        never below what is exact. It is the s of the record bound, and k s bounds
        the distance of worlds that differ in k records.

        Args:
            rates: t, in [0, inf], shape (G, d).
        """
        within = _moved(rates, self.bounded).sum(axis=1)
        between = np.sort(_moved(rates, self.shift).sum(axis=1))[-2:]
        return float(max(within.max(), between.sum()))

    def farthest(self, rates: np.ndarray) -> float:
        r"""At least the distance of any two worlds, :math:`\sum_{g,q} t_{gq} \Delta v_{gq}`."""
        return float(_moved(rates, self.spread).sum())

    def shell_distances(self, rates: np.ndarray, most: int) -> np.ndarray:
        """At least the distance of two worlds that differ in k = 0, ..., most records.

        Args:
            rates: t, in [0, inf], shape (G, d).
            most: min(n, N - n).

        Returns:
            shape (most + 1,), which never falls.
        """
        steps = np.append(0.0, np.arange(1, most + 1) * self.largest_step(rates))
        return np.minimum(steps, self.farthest(rates))


def _moved(rates: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """rate * size, where no size means 0 even at an infinite rate."""
    return np.multiply(rates, sizes, out=np.zeros(sizes.shape), where=sizes != 0)


def group_sensitivities(
    asked: Sequence[tuple[Query, np.ndarray]],
    group: np.ndarray,
    release_size: int,
    *,
    worlds: GroupedWorlds | None = None,
    max_worlds: int = MAX_WORLDS,
) -> GroupSensitivities:
    """The sensitivities of each group's answers.

    Count, sum and mean cost a sort; the other named queries one exact search for each
    group and size that it can have, a callable an enumeration of the group.

    Args:
        asked: d pairs of a query and the records that it is asked of, shape (N,).
        group: codes 0, ..., G - 1, each of them present, shape (N,).
        release_size: n, in [1, N - 1].
        worlds: of the same, where n = N - 1 and they have been made.
        max_worlds: the most datasets that an enumeration may look at.

    >>> found = group_sensitivities([("sum", np.array([1.0, 2, 5]))], np.array([0, 1, 1]), 2)
    >>> found.unbounded.ravel().tolist(), found.bounded.ravel().tolist()
    ([1.0, 5.0], [1.0, 5.0])
    """
    sizes = np.bincount(group)
    missing = len(group) - release_size
    reach = _Reach(sizes, np.maximum(0, sizes - missing), np.minimum(sizes, release_size))
    columns = []
    for column, (query, values) in enumerate(asked):
        u = values[np.lexsort((values, group))]
        if query in ("count", "sum", "mean"):
            columns.append(_closed(query, u, group, reach))
        elif missing == 1:
            if worlds is None:
                worlds = all_but_one(asked, group)
            columns.append(_from_moves(query, u, reach, worlds, column, max_worlds))
        else:
            columns.append(_searched(query, u, reach, max_worlds))
    return GroupSensitivities(*(np.column_stack(parts) for parts in zip(*columns)))


@dataclass(frozen=True, eq=False)
class _Reach:
    """The sizes of the groups, and the fewest and the most that are in a world."""

    sizes: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        return np.cumsum(self.sizes) - self.sizes

    def parts(self, u: np.ndarray) -> Iterator[tuple[np.ndarray, int, int]]:
        for start, size, low, high in zip(self.starts, self.sizes, self.low, self.high):
            yield u[start : start + size], int(low), int(high)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _closed(query: str, u: np.ndarray, group: np.ndarray, reach: _Reach) -> Columns:
    """Count, sum and mean of all groups at once; u is sorted by group and value."""
    starts, sizes, low, high = reach.starts, reach.sizes, reach.low, reach.high
    apart = high > low
    if query == "count":
        ones = np.ones(len(sizes))
        return ones, ones * apart, ones * apart, (high - low).astype(float)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    rank = np.arange(len(u)) - starts[codes]
    smallest, largest = u[starts], u[starts + sizes - 1]
    mirrored = u[(starts + sizes - 1)[codes] - rank]  # the largest of the group first

    def total(terms: np.ndarray, first: np.ndarray) -> np.ndarray:
        """The sum of the terms of the first ranks of each group; none is negative."""
        return np.add.reduceat(np.where(rank < first[codes], terms, 0.0), starts)

    widest = total(mirrored - u, np.minimum(low, sizes - low))
    if query == "sum":
        step = np.maximum(np.abs(smallest), np.abs(largest))
        shift = step * apart
        free = np.where(rank >= low[codes], np.maximum(mirrored, 0) - np.minimum(u, 0), 0.0)
        return step, np.maximum(largest - smallest, shift), shift, widest + total(free, high)

    def step_from(m: np.ndarray) -> np.ndarray:
        up, down = total(largest[codes] - u, m), total(mirrored - smallest[codes], m)
        return np.maximum(up, down) / np.where(m > 0, m * (m + 1.0), np.nan)

    some = np.where(low > 0, low, np.nan)
    shift = step_from(low) * np.where(low > 0, apart, np.nan)
    bounded = np.maximum((largest - smallest) / some, shift)
    return step_from(low - 1), bounded, shift, widest / some


def _from_moves(
    query: Query, u: np.ndarray, reach: _Reach, worlds: GroupedWorlds, column: int, limit: int
) -> Columns:
    """When all but one are released, the moves of the worlds are all there is.

    But for the unbounded step, which takes a second record away.
    """
    moves, starts = worlds.moves[:, column], worlds.starts[:-1]
    low, high = np.minimum.reduceat(moves, starts), np.maximum.reduceat(moves, starts)
    shift = np.maximum(high, -low) * (len(starts) > 1)
    unbounded = [
        _steps(query, part, least - 1, min(most, len(part) - 1), limit) if least > 1 else np.nan
        for part, least, most in reach.parts(u)
    ]
    return np.array(unbounded), np.maximum(high - low, shift), shift, worlds.spread[:, column]


def _searched(query: Query, u: np.ndarray, reach: _Reach, limit: int) -> Columns:
    rows = []
    for part, low, high in reach.parts(u):
        if low == 0:
            rows.append([np.nan] * 4)
            continue
        records = len(part)
        swaps = (
            global_sensitivity(query, part, m, adjacency="bounded", max_worlds=limit).value
            for m in range(low, min(high, records - 1) + 1)
        )
        shift = _steps(query, part, low, high - 1, limit)
        unbounded = _steps(query, part, low - 1, min(high, records - 1), limit)
        ends = [_range_at(query, part, m, limit) for m in range(low, high + 1)]
        spread = max(most for _, most in ends) - min(least for least, _ in ends)
        bounded = max([shift, *swaps])
        rows.append([unbounded if low > 1 else np.nan, bounded, shift, spread])
    return tuple(np.array(rows).T)


def _steps(query: Query, part: np.ndarray, first: int, last: int, limit: int) -> float:
    """The largest change as a record joins m others of the group, m from first to last.

    One search covers two sizes. So a single size is bounded by the smaller of two
    searches, which is exact unless the steps on both sides of it are larger.
    """

    def both(m: int) -> float:
        return global_sensitivity(query, part, m, max_worlds=limit).value

    first = max(first, 1)
    if last < first:
        return 0.0
    if first == last:
        sizes = [m for m in (first, first + 1) if m < len(part)]
        return min(both(m) for m in sizes)
    return max(both(min(m, last)) for m in range(first + 1, last + 2, 2))


def _range_at(query: Query, part: np.ndarray, m: int, limit: int) -> tuple[float, float]:
    """The smallest and the largest answer to m records of the sorted group."""
    if callable(query):
        refuse_above(limit, math.comb(len(part), m), "this group")
        blocks = over_blocks(partial(_answers, query, part), (len(part), m), held=m)
        ends = [(block.min(), block.max()) for block in blocks]
        return min(low for low, _ in ends), max(high for _, high in ends)
    if query not in ("var", "std"):  # a larger record never makes the answer smaller
        return float(evaluate(query, part[:m])), float(evaluate(query, part[len(part) - m :]))
    # the smallest variance is that of neighbours, the largest that of the outermost
    x = part - part[len(part) // 2]
    one, two = (np.append(0.0, np.cumsum(power)) for power in (x, x * x))
    start = np.arange(len(x) - m + 1)
    inner = (two[start + m] - two[start]) / m - np.square((one[start + m] - one[start]) / m)
    split = np.arange(m + 1)
    after = len(x) - m + split
    outer = (two[split] + two[-1] - two[after]) / m
    outer -= np.square((one[split] + one[-1] - one[after]) / m)
    i, j = int(inner.argmin()), int(outer.argmax())
    far = np.concatenate([part[:j], part[len(part) - m + j :]])
    return float(evaluate(query, part[i : i + m])), float(evaluate(query, far))


def _answers(query: Query, part: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return evaluate(query, part[rows])
