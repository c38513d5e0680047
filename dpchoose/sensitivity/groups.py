r"""How far one record can move a group's answer, and all answers together.

Of a group of :math:`N_g` of the N records between :math:`l = \max(0, N_g - (N - n))` and
:math:`h = \min(N_g, n)` are in a dataset, and every part of such a size occurs. One step is

- *unbounded*: a record of the group comes or goes, from m to m + 1 records or back, where
  one of the two datasets has n records: m from max(0, l - 1) to min(h, N_g - 1).
- *bounded*: a record is swapped for another of the group, at a size from l to h; or it
  leaves for one of another group (a *shift*): like one that goes, m from l to h - 1.

The steps from l are the largest: with n = N - 1 there are hardly others; a count or a sum
moves by the record that comes, at any m; the mean by the farthest record less the mean of the
m farthest from it, over m + 1, or in a swap by the range over m, which fall as m grows. Nor is
a mean of more records more extreme. The largest sum has the l largest records and all others
above 0, up to h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpchoose import checks, progress
from dpchoose.data.queries import Query, members_of
from dpchoose.sensitivity import find, spread
from dpchoose.worlds.answers import whole
from dpchoose.worlds.subsets import MAX_WORLDS


@dataclass(frozen=True, eq=False)
class GroupSensitivities:
    """How far the answers of each group can move, in their units, each of shape (G, d).

    Attributes:
        unbounded: at distance 1, as a record comes or goes; nan where the query needs a record
            and the group may have none.
        bounded, shift: the same as one is changed, and of it what comes from another group.
        spread: the largest difference between the answers of two worlds.
    """

    unbounded: np.ndarray
    bounded: np.ndarray
    shift: np.ndarray
    spread: np.ndarray

    def largest_step(self, rates: np.ndarray) -> float:
        r"""The most that :math:`\sum_{g,q} t_{gq} f_{gq}` can move as one record is changed.

        The rates t, in [0, inf], have shape (G, d). It is exact for one query when all records
        but one are released, and otherwise never below what is exact.
        """
        steps = np.stack([self.bounded, self.shift])
        moves = np.multiply(rates, steps, out=np.zeros(steps.shape), where=steps != 0)
        within, shifted = moves.sum(axis=2)
        return float(max(within.max(), np.sort(shifted)[-2:].sum()))


def group_sensitivities(
    pairs: Sequence[tuple], codes: np.ndarray, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> GroupSensitivities:
    """The sensitivities of the answers of each group, of codes 0, ..., G - 1, to d queries.

    Each comes with the records that it is asked of, (N,). Below n = N - 1 only count, sum and
    mean are taken; ValueError where for a callable more datasets are listed in a group.

    >>> found = group_sensitivities([("sum", np.array([1.0, 2, 5]))], np.array([0, 1, 1]), 2)
    >>> found.unbounded.ravel().tolist(), found.bounded.ravel().tolist()
    ([1.0, 5.0], [1.0, 5.0])
    """
    missing = len(codes) - release_size
    others = [query for query, _ in pairs if query not in ("count", "sum", "mean")]
    if missing > 1 and others:
        rule = "by must be asked of count, sum or mean where n < N - 1"
        raise ValueError(f"{rule}, got {checks.short(others[0])}")
    parts = members_of(codes)
    found = []
    for part in progress.shown(parts, len(parts), "sensitivities of the groups"):
        low, high = max(0, len(part) - missing), min(len(part), release_size)
        found.append([_four(query, values[part], low, high, max_worlds) for query, values in pairs])
    return GroupSensitivities(*np.moveaxis(np.array(found), 2, 0))


def _four(query: Query, part: np.ndarray, low: int, high: int, limit: int) -> list[float]:
    """The sensitivities of one group, of which ``low`` to ``high`` records are in a dataset."""
    if query in ("count", "sum"):  # of no record the answer is 0, and a count is a sum of ones
        x = whole(np.ones(len(part)) if query == "count" else part)
        u = np.sort(x.fit(x.bits + len(part).bit_length() + 1))
        step = max(-u[0], u[-1])
        top = u[len(u) - low :].sum() + np.maximum(u[len(u) - high : len(u) - low], 0).sum()
        wide = top - u[:low].sum() - np.minimum(u[low:high], 0).sum()
        shift = step * (high > low)
        found = (step, max(u[-1] - u[0], shift), shift, wide)
        return [float(int(one) * x.unit) for one in found]
    if low == 0:
        return [np.nan] * 4
    added, swap, moved = (
        find(query, part, low, adjacency=kind, max_worlds=limit).value
        for kind in ("added", "bounded", "unbounded")
    )
    shift = added * (high > low)
    wide = max(shift, spread(query, part, low, max_worlds=limit))
    return [moved if low > 1 else np.nan, max(swap, shift), shift, wide]
