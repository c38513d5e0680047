"""The pairs farthest apart when records change, for the variance and the deviation.

The facts 1 to 4 that the proofs lean on are those of
:mod:`dpchoose.sensitivity.windows`. D' has the larger answer, I is what the
two share, X = D' - I and Y = D - I.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np

from dpchoose import progress
from dpchoose.sensitivity.runs import Exact, SortedUniverse, rise
from dpchoose.sensitivity.search import BLOCK, blocks, how_many_hold, row_minima
from dpchoose.sensitivity.windows import best_split, hole, outer, outer_variance
from dpchoose.sensitivity.witness import Pair

EXAMINED = 64  # distances that are looked at when there are more


def farthest(query: str, u: SortedUniverse, size: int, k: int, floor: float = 0.0) -> Pair:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    Args:
        query: var or std.
        u: the universe of N records.
        size: n, in [1, N - 1].
        k: the distance, in [1, min(n, N - n)].
        floor: a sensitivity at most this large may be understated.

    Returns:
        the sensitivity, and a pair of positions (D, D') in u that attains it.

    When k = min(n, N - n) any two worlds are neighbours: D' is the outer choice
    of largest variance, and D the window of least.

    Else, when |X| < k, neither can be bettered by changing one record: D' is
    outer and D a window. The run of N - n records that D' leaves out is longer
    than D - D', so it reaches beyond an end of D, and D - D' lies at that end.
    The n - k records at the other end are shared. Take them for I: then Y is a
    window beside I, and X outer in what I leaves.

    When |X| = k, for a given D' the set I is a window of D' and Y of u less
    D'; for a given D, X is outer and Y a window of D. Exchanging between X and
    Y, or between I and what is in neither, leaves V' - V linear in (P, Q), so
    by 3 Y is a window of X + Y, and I of itself and the rest. Altogether Y is
    a window of u. And I is one too, or has Y inside it, and D is a window.

    >>> farthest("var", SortedUniverse(np.array([0.0, 1, 9, 10])), 2, 2)[0]
    24.75
    """
    if k == min(size, len(u) - size):
        return _spread(query, u, size)
    right, left = _beside(query, u, size, k), _beside(query, u.mirrored(), size, k)
    left = left[0], *(len(u) - 1 - mirrored for mirrored in left[1:])
    best = max(right, left, key=itemgetter(0))
    return max([best, *_inside(query, u, size, k, max(best[0], floor))], key=itemgetter(0))


def bound_by_distance(query: str, u: SortedUniverse, size: int) -> np.ndarray:
    """At least the bounded sensitivity at each distance 1, ..., min(n, N - n), which never falls.

    Each distance costs like one call. So beyond 64 of them a geometric series
    of 64 is looked at, where the numbers are exact; a distance in between is
    given the number of the next larger one, which is a bound, since changing
    at most k records includes changing fewer.

    >>> bound_by_distance("var", SortedUniverse(np.array([0.0, 1, 9, 10])), 2).tolist()
    [24.75, 24.75]
    """
    last = min(size, len(u) - size)
    distances = np.arange(1, last + 1)
    examined = distances
    if last > EXAMINED:
        examined = np.unique(np.geomspace(1, last, EXAMINED).round().astype(int))
    spread = farthest(query, u, size, last)[0]
    found = np.full(len(examined), spread)
    floor = 0.0
    looked_at = progress.shown(examined[:-1].tolist(), len(examined), f"distances of the {query}")
    for place, k in enumerate(looked_at):
        floor = max(floor, farthest(query, u, size, k, floor)[0])
        if floor >= spread:
            break
        found[place] = floor
    return found[np.searchsorted(examined, distances)]


def _spread(query: str, u: SortedUniverse, size: int) -> Pair:
    """The window of least variance, and the outer choice of largest."""
    starts = np.arange(len(u) - size + 1)
    windows, outers = u.between(starts, starts + size).variance(size), outer_variance(u, size)
    start, split = int(windows[0].argmin()), int(outers[0].argmax())
    low, high = (windows[0][start], windows[1][start]), (outers[0][split], outers[1][split])
    return float(rise(query, low, high)), np.arange(start, start + size), outer(len(u), size, split)


def _beside(query: str, u: SortedUniverse, size: int, k: int) -> Pair:
    """I a window, X outer in what it leaves, Y a window after it.

    V(I + Y) is, up to terms in I and in Y alone, minus the product of two sums
    that rise as the windows move right (Monge), so its best Y moves right
    with I. When 2 k <= n, no record of neither set lies between I and Y (Y
    would be farther from the mean of D than that record). If one of X does,
    X holds all that lies left of I, or with Y all that lies right of it, so
    at most k or 2 k records; else D is a window, as in :func:`_inside`.
    """
    core, outside = size - k, len(u) - size
    starts = np.arange(outside + 1)
    if 2 * k <= size:
        starts = starts[(starts <= k) | (starts >= outside - k)]
    window = u.between(starts, starts + core)
    split = best_split(u, starts, core, size, window)
    large = hole(u, starts, core, size, split).moments(u, window).variance(size)

    def filled(start: np.ndarray, column: np.ndarray) -> Exact:
        kept = u.between(start, start + core)
        return kept.plus(u.between(column, column + k)).variance(size)

    columns = row_minima(
        lambda row, column: filled(starts[row], column)[0], starts + core, len(u) - k
    )
    change = rise(query, filled(starts, columns), large)
    best = int(change.argmax())
    start, column = int(starts[best]), int(columns[best])
    shared = np.arange(start, start + core)
    come = outer(len(u), k, int(split[best]), start=start, inner=core)
    small = np.concatenate([shared, np.arange(column, column + k)])
    return float(change[best]), small, np.concatenate([shared, come])


def _inside(query: str, u: SortedUniverse, size: int, k: int, floor: float) -> Iterator[Pair]:
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
    least = k / size * max(u.between(holes, holes + k).variance(k)[0].min(), 0.0)

    def bound(starts: np.ndarray, splits: np.ndarray) -> np.ndarray:
        window = u.between(starts, starts + size)
        both = hole(u, starts, size, total, splits).moments(u, window)
        most = both.variance(total)[0] * (total / size) - least
        low = window.variance(size)[0]
        return np.sqrt(np.maximum(most, 0)) - np.sqrt(np.maximum(low, 0))

    def best_bound(starts: np.ndarray) -> np.ndarray:
        window = u.between(starts, starts + size)
        return bound(starts, best_split(u, starts, size, total, window))

    bounds = np.concatenate([best_bound(starts) for starts in blocks(outside + 1)])
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
    query: str, u: SortedUniverse, size: int, k: int, starts: np.ndarray, splits: np.ndarray
) -> Pair:
    """The best of the given windows D with the given splits of X, over all Y in D."""
    records = len(u)
    window = u.between(starts, starts + size)
    ends = u.between(0, splits).plus(u.between(records - k + splits, records))
    most = window.plus(ends)

    def worth(gap: np.ndarray) -> np.ndarray:
        low, high = u.x[starts + gap], u.x[starts + gap + k]
        first = u.sums.first[0]
        total = most.first[0] - (first[starts + gap + k] - first[starts + gap])
        return (low + high) * (size - 1) < 2 * (total - high)

    gap = how_many_hold(worth, size - k, len(starts))
    large = most.minus(u.between(starts + gap, starts + gap + k))
    change = rise(query, window.variance(size), large.variance(size))
    best = int(change.argmax())
    small = np.arange(starts[best], starts[best] + size)
    shared = np.delete(small, slice(gap[best], gap[best] + k))
    come = outer(records, k, int(splits[best]), start=small[0], inner=size)
    return float(change[best]), small, np.concatenate([shared, come])
