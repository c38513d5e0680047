r"""Exact sensitivities of the variance and the standard deviation.

Both depend on s records through their sum P and sum of squares Q alone:
:math:`V = Q/s - (P/s)^2`. What the proofs below lean on:

1. Choices of s records that are corners of the lower hull of all (P, Q)
   minimise some :math:`\sum (x - c)^2`: they are *windows*, s neighbours.
2. V is strictly convex in each record. A choice that makes V largest leaves
   no record out on both sides of one that it takes: it is *outer*, the i
   smallest and the s - i largest.
3. V and its root are concave in (P, Q), strictly but for a change of Q alone.
   For d >= 0, f(D') - f(D) <= d means V' - V <= d for the variance, and
   V' - V - d^2 <= 2 d sqrt(V) for the deviation. When V' - V is convex in the
   (P, Q) of a choice and falls with Q, such sets are convex, and the largest
   change is at a corner of the lower hull: a window.
4. Swapping h for l < h raises V while (l + h)/2 lies below the mean of the
   rest. Along the outer choices (i = 0, 1, ...) the first never falls and the
   second never rises, so the best i is found by bisection.

"Window" and "outer" are up to the order of equal records.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpchoose.sensitivity.exact import Answer
from dpchoose.sensitivity.sums import Exact, Moments, Records, common_scale
from dpchoose.sensitivity.windows import (
    BLOCK,
    Slices,
    around,
    best_split,
    blocks,
    how_many_hold,
    most_shared,
    outer_moments,
    outer_slices,
    outer_variance,
    rise,
    row_minima,
    unscaled,
    without,
)

Candidate = tuple[float, Slices, Slices]  # change, and D and D' as runs of sorted records

NOTHING: Candidate = (-np.inf, [], [])
SLACK = 1 + 1e-9  # a bound in plain floats, this much larger, is a bound


def global_unbounded(query: str, universe: np.ndarray, size: int, k: int) -> Answer:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    Let A be the smaller set, of m records, and B = A + K the larger. When B
    has the larger answer, A is a window of the universe and K outer in what A
    leaves; when A has, K is a window and A outer in what K leaves.

    Args:
        query: var or std.
        universe: shape (N,), finite, in any order.
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.

    Returns:
        the sensitivity, and the sorted values of a pair (D, D') that attains
        it. The time grows like N log N.

    >>> global_unbounded("var", np.array([0.0, 1, 9, 10]), 2, 1)[0]  # 0, 10 and 0
    25.0
    """
    u, exponent = _records(universe)
    fits = [m for m in (size - k, size) if m >= 1 and m + k <= len(u)]
    best = max((_growth(query, u, m, k) for m in fits), key=_by_change)
    best = max([best, *(_decline(query, u, m, k, best[0]) for m in fits)], key=_by_change)
    change, small, large = best
    added = sum(stop - start for start, stop in small) == size
    return _answer(query, u, exponent, (change, *((small, large) if added else (large, small))))


def global_bounded(query: str, universe: np.ndarray, size: int, k: int) -> Answer:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    See :func:`_bounded` for the three families of pairs.

    Args:
        query, universe, size: as for :func:`global_unbounded`.
        k: the distance, in [1, min(n, N - n)].

    >>> global_bounded("var", np.array([0.0, 1, 9, 10]), 2, 2)[0]
    24.75
    """
    u, exponent = _records(universe)
    return _answer(query, u, exponent, _bounded(query, u, size, k))


def bounded_by_distance(query: str, universe: np.ndarray, size: int) -> np.ndarray:
    """:func:`global_bounded` for every distance 1, ..., min(n, N - n).

    Each distance costs like one call: for N = 2000 and n = 1000, a few
    milliseconds each.

    >>> bounded_by_distance("var", np.array([0.0, 1, 9, 10]), 2).tolist()
    [24.75, 24.75]
    """
    u, exponent = _records(universe)
    widest = min(size, len(u) - size)
    spread = _bounded(query, u, size, widest)[0]
    changes = np.full(widest, spread)
    for k in range(1, widest):
        floor = changes[k - 2] if k > 1 else 0.0
        changes[k - 1] = max(floor, _bounded(query, u, size, k, floor)[0])
        if changes[k - 1] >= spread:
            changes[k - 1 :] = spread
            break
    return np.array([unscaled(query, change, exponent) for change in changes])


def _growth(query: str, u: Records, m: int, k: int) -> Candidate:
    """The best pair (A, B) with f(B) > f(A): A a window of u, K outer in u less A.

    For a given A, K is outer by 2. For a given B, A minimises V: a window of
    B. For a given K, V(B) - V(A) is convex in (P, Q) of A and falls with Q, so
    by 3 A is a window of u less K. No other record is then inside A. By 4,
    the split of K is found by bisection.
    """
    total = m + k
    best: Candidate = NOTHING
    for starts in blocks(len(u) - m + 1):
        window = u.between(starts, starts + m)
        split = best_split(u, starts, m, total, window)
        outer = outer_moments(u, starts, m, total, window, split).variance(total)
        change = rise(query, window.variance(m), outer)
        at = int(change.argmax())
        if change[at] > best[0]:
            start = int(starts[at])
            large = outer_slices(len(u), start, m, int(split[at]), total)
            best = float(change[at]), [(start, start + m)], large
    return best


def _decline(query: str, u: Records, m: int, k: int, floor: float) -> Candidate:
    """The best pair with f(A) > f(B): K a window of u, A outer in u less K.

    For a given A, V(B) is concave in (P, Q) of K and rises with Q: K is a
    window of u less A. For a given B, A is outer by 2. For a given K, the
    change has no maximum in the middle as one record of A moves: V(A) - V(B)
    is convex in it, and where the difference of the roots is stationary and
    positive, its second derivative is positive too. So A is outer in u less
    K. Along the splits of A, V(A) - V(B) is concave as a function of P; where
    it is positive the difference of the roots has no minimum but at the ends.
    Hence bisection, on its derivative where positive, else on that of
    V(A) - V(B). The peak lies between two splits, and both are evaluated.

    As V(A) - V(B) is at most (V(A) - V(K)) k/M, and V(B) at least V(A) m/M,
    windows that cannot exceed ``floor`` are passed over: often all of them.
    """
    total = m + k
    best: Candidate = NOTHING
    highest = max(outer_variance(u, m)[0].max(), 0.0) * SLACK
    reach = k / total
    if query == "std":
        reach /= (1 + np.sqrt(m / total)) * np.sqrt(highest or 1.0)
    if reach * highest <= floor:
        return best
    for starts in blocks(len(u) - k + 1):
        spread = u.between(starts, starts + k).variance(k)[0]
        starts = starts[reach * (highest - spread) > floor]
        if not len(starts):
            continue
        window = u.between(starts, starts + k)

        def worth(i: np.ndarray, starts: np.ndarray = starts, window: Moments = window):
            low, high, (p, q) = around(u, starts, k, total, window, i, squares=query == "std")
            middle, own = (low + high) / 2, p - window.first[0]
            fall, fall_all = middle - own / m, middle - p / total
            if query == "var":
                return fall / m < fall_all / total
            v = (q - window.second[0]) / m - (own / m) ** 2
            v_all = q / total - (p / total) ** 2
            ratio = np.divide(v, v_all, out=np.ones_like(v), where=(v > v_all) & (v_all > 0))
            return fall / m < np.sqrt(ratio) * fall_all / total

        peak = how_many_hold(worth, m, len(starts))
        for split in (peak, np.maximum(peak - 1, 0)):
            outer = outer_moments(u, starts, k, total, window, split)
            change = rise(query, outer.variance(total), outer.minus(window).variance(m))
            at = int(change.argmax())
            if change[at] > best[0]:
                start = int(starts[at])
                large = outer_slices(len(u), start, k, int(split[at]), total)
                best = float(change[at]), without(large, (start, start + k)), large
                floor = max(floor, best[0])
    return best


def _bounded(query: str, u: Records, size: int, k: int, floor: float = 0.0) -> Candidate:
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
    best = max([unmoved, *_far_apart(query, u, size, k)], key=_by_change)
    if k == min(size, len(u) - size):  # any two worlds are neighbours
        return best
    beside = (_beside(query, u, size, k, mirror=mirror) for mirror in (False, True))
    best = max([best, *beside], key=_by_change)
    return max([best, *_inside(query, u, size, k, max(best[0], floor))], key=_by_change)


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
        fits = np.flatnonzero(most_shared(u.values, size, _take(u, slices)) >= size - k)
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


def _by_change(candidate: Candidate) -> float:
    return candidate[0]


def _records(universe: np.ndarray) -> tuple[Records, int]:
    origin, exponent = common_scale(universe)
    return Records.of(universe, origin, exponent), exponent


def _take(u: Records, slices: Slices) -> np.ndarray:
    return np.concatenate([u.values[start:stop] for start, stop in slices])


def _answer(query: str, u: Records, exponent: int, candidate: Candidate) -> Answer:
    change, *pair = candidate
    dataset, neighbour = (_take(u, slices) for slices in pair)
    return unscaled(query, change, exponent), dataset, neighbour
