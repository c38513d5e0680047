"""The pairs that can be farthest apart when records change, for variance and deviation.

The facts 1 to 4 that the proofs lean on are those of
:mod:`dpchoose.sensitivity.moments`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpchoose.sensitivity.sums import Exact, Records
from dpchoose.sensitivity.windows import (
    BLOCK,
    SLACK,
    Candidate,
    best_split,
    blocks,
    by_change,
    how_many_hold,
    most_shared,
    outer_moments,
    outer_slices,
    outer_variance,
    rise,
    row_minima,
    take,
)


def best_change(query: str, u: Records, size: int, k: int, floor: float = 0.0) -> Candidate:
    """The bounded global sensitivity; one at most ``floor`` may be understated.

    Let D' have the larger answer, I be what the two share, X = D' - I and
    Y = D - I. When |X| < k neither can be bettered by changing one record: D'
    is a world of largest variance and D a window. When |X| = k, for a given
    D' the set I is a window of D' and Y of u less D'; for a given D, X is
    outer and Y a window of D. Exchanging between X and Y, or between I and
    what is in neither, leaves V' - V linear in (P, Q), so by 3 Y is a window
    of X + Y, and I of itself and the rest. Altogether Y is a window of u. And
    I is one too, or has Y inside it, and D is a window.
    """
    unmoved: Candidate = (0.0, [(0, size)], [(0, size)])
    best = max([unmoved, *_far_apart(query, u, size, k)], key=by_change)
    if k == min(size, len(u) - size):  # any two worlds are neighbours
        return best
    beside = (_beside(query, u, size, k, mirror=mirror) for mirror in (False, True))
    best = max([best, *beside], key=by_change)
    return max([best, *_inside(query, u, size, k, max(best[0], floor))], key=by_change)


def _far_apart(query: str, u: Records, size: int, k: int) -> Iterator[Candidate]:
    """Worlds of largest variance, each with the best window that shares enough."""
    outside = len(u) - size
    starts = np.arange(outside + 1)
    outer = outer_variance(u, size)
    windows = u.between(starts, starts + size).variance(size)
    largest = outer[0].max()
    near = np.flatnonzero(outer[0] >= largest - 1e-13 * abs(largest))
    for split in {int(near[0]), int(near[-1])}:  # by 4, only two can be equal
        slices = [(0, split), (split + outside, len(u))]
        fits = np.flatnonzero(most_shared(u.values, size, take(u, slices)) >= size - k)
        if len(fits):
            here = outer[0][split], outer[1][split]
            change = rise(query, (windows[0][fits], windows[1][fits]), here)
            best = int(change.argmax())
            start = int(fits[best])
            yield float(change[best]), [(start, start + size)], slices


def _beside(query: str, u: Records, size: int, k: int, *, mirror: bool = False) -> Candidate:
    """I a window, X outer in what it leaves, Y a window after it (mirror: before).

    V(I + Y) is, up to terms in I and in Y alone, minus the product of two sums
    that rise as the windows move right (Monge), so its best Y moves right
    with I. When 2 k <= n, no record of neither set lies between I and Y (Y
    would be farther from the mean of D than that record). If one of X does,
    X holds all that lies left of I, or with Y all that lies right of it, so
    at most k or 2 k records; else D is a window, as in :func:`_inside`.
    """
    u = u.mirrored() if mirror else u
    core, outside = size - k, len(u) - size
    starts = np.arange(outside + 1)
    if 2 * k <= size:
        starts = starts[(starts <= k) | (starts >= outside - k)]
    window = u.between(starts, starts + core)
    split = best_split(u, starts, core, size, window)
    outer = outer_moments(u, starts, core, size, window, split).variance(size)

    def filled(start: np.ndarray, column: np.ndarray) -> Exact:
        kept = u.between(start, start + core)
        return kept.plus(u.between(column, column + k)).variance(size)

    columns = row_minima(
        lambda row, column: filled(starts[row], column)[0], starts + core, len(u) - k
    )
    change = rise(query, filled(starts, columns), outer)
    best = int(change.argmax())
    start, column = int(starts[best]), int(columns[best])
    small = [(start, start + core), (column, column + k)]
    large = outer_slices(len(u), start, core, int(split[best]), size)
    if mirror:
        small, large = (
            [(len(u) - stop, len(u) - start) for start, stop in reversed(slices)]
            for slices in (small, large)
        )
    return float(change[best]), small, large


def _inside(query: str, u: Records, size: int, k: int, floor: float) -> Iterator[Candidate]:
    """D a window, Y a window in it, X outer in what D leaves.

    Given D and the split i of X, the best Y is found by bisection. For the
    variance, exchanging I with the rest changes V' - V by a multiple of the
    sum of X less that of Y: all of I lies on one side of the rest, and X takes
    all that D leaves on its left, or on its right. For the deviation every i
    is tried, but where n V' <= (n + k) V(D + X) - k V(Y) shows that ``floor``
    stands: a sum of squares is least about its own mean.
    """
    outside = len(u) - size
    if query == "var":
        left = np.arange(min(k, outside) + 1)
        right = outside - left
        starts, splits = np.concatenate([left, right]), np.concatenate([left, k - left])
        yield _gapped(query, u, size, k, starts, splits)
        return
    total = size + k
    holes = np.arange(len(u) - k + 1)
    least = k * max(u.between(holes, holes + k).variance(k)[0].min(), 0.0) / size / SLACK

    def bound(starts: np.ndarray, splits: np.ndarray | None) -> np.ndarray:
        window = u.between(starts, starts + size)
        if splits is None:
            splits = best_split(u, starts, size, total, window)
        most = outer_moments(u, starts, size, total, window, splits).variance(total)[0]
        low = window.variance(size)[0]
        most = np.maximum(most * (total / size * SLACK) - least, 0)
        return np.sqrt(most) - np.sqrt(np.maximum(low, 0))

    bounds = np.concatenate([bound(starts, None) for starts in blocks(outside + 1)])
    alive = np.flatnonzero(bounds > floor)
    alive = alive[np.argsort(-bounds[alive])]
    rows, done = 1, 0
    while done < len(alive) and bounds[alive[done]] > floor:
        some = alive[done : done + rows]
        starts, splits = np.repeat(some, k + 1), np.tile(np.arange(k + 1), len(some))
        fits = (splits <= starts) & (k - splits <= outside - starts)
        starts, splits = starts[fits], splits[fits]
        hopeful = bound(starts, splits) > floor
        if hopeful.any():
            candidate = _gapped(query, u, size, k, starts[hopeful], splits[hopeful])
            yield candidate
            floor = max(floor, candidate[0])
        done, rows = done + rows, max(BLOCK // (k + 1), 1)


def _gapped(
    query: str, u: Records, size: int, k: int, starts: np.ndarray, splits: np.ndarray
) -> Candidate:
    """The best of the given windows D with the given splits of X, over all Y in D."""
    records, core = len(u), size - k
    window = u.between(starts, starts + size)
    ends = u.between(0, splits).plus(u.between(records - k + splits, records))
    most = window.plus(ends)

    def worth(gap: np.ndarray) -> np.ndarray:
        low, high = u.x[starts + gap], u.x[starts + gap + k]
        first = u.sums.first[0]
        total = most.first[0] - (first[starts + gap + k] - first[starts + gap])
        return (low + high) * (size - 1) < 2 * (total - high)

    gap = how_many_hold(worth, core, len(starts))
    outer = most.minus(u.between(starts + gap, starts + gap + k))
    change = rise(query, window.variance(size), outer.variance(size))
    best = int(change.argmax())
    start, i, hole = int(starts[best]), int(splits[best]), int(starts[best] + gap[best])
    large = [(0, i), (start, hole), (hole + k, start + size), (records - k + i, records)]
    return float(change[best]), [(start, start + size)], large
