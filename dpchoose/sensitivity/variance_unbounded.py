"""The pairs farthest apart when records come or go, for the variance and the deviation.

The facts 1 to 4 that the proofs lean on are those of
:mod:`dpchoose.sensitivity.windows`. A is the smaller set, of m records, K the
k that come or go, and B = A + K the larger set, of M = m + k.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from dpchoose.sensitivity.runs import Moments, SortedUniverse, rise
from dpchoose.sensitivity.search import blocks, how_many_hold
from dpchoose.sensitivity.windows import best_split, hole, outer, outer_variance
from dpchoose.sensitivity.witness import Pair

NOTHING: Pair = (-np.inf, np.arange(0), np.arange(0))


def farthest(query: str, u: SortedUniverse, size: int, k: int) -> Pair:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    When B has the larger answer, A is a window of the universe and K outer in
    what A leaves; when A has, K is a window and A outer in what K leaves.

    Args:
        query: var or std.
        u: the universe of N records.
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.

    Returns:
        the sensitivity, and a pair of positions (D, D') in u that attains it.
        The time grows like N log N.

    >>> farthest("var", SortedUniverse(np.array([0.0, 1, 9, 10])), 2, 1)[0]  # 0, 10 and 0
    25.0
    """
    fits = [m for m in (size - k, size) if m >= 1 and m + k <= len(u)]
    best = max((_growth(query, u, m, k) for m in fits), key=itemgetter(0))
    best = max([best, *(_decline(query, u, m, k, best[0]) for m in fits)], key=itemgetter(0))
    change, small, large = best
    return (change, small, large) if len(small) == size else (change, large, small)


def _growth(query: str, u: SortedUniverse, m: int, k: int) -> Pair:
    """The best pair (A, B) with f(B) > f(A): A a window of u, K outer in u less A.

    For a given A, K is outer by 2. For a given B, A minimises V: a window of
    B. For a given K, V(B) - V(A) is convex in (P, Q) of A and falls with Q, so
    by 3 A is a window of u less K. No other record is then inside A. By 4,
    the split of K is found by bisection.
    """
    total, best = m + k, NOTHING
    for starts in blocks(len(u) - m + 1):
        window = u.between(starts, starts + m)
        split = best_split(u, starts, m, total, window)
        large = hole(u, starts, m, total, split).moments(u, window)
        change = rise(query, window.variance(m), large.variance(total))
        at = int(change.argmax())
        if change[at] > best[0]:
            start = int(starts[at])
            kept = np.arange(start, start + m)
            come = outer(len(u), k, int(split[at]), start=start, inner=m)
            best = float(change[at]), kept, np.concatenate([kept, come])
    return best


def _decline(query: str, u: SortedUniverse, m: int, k: int, floor: float) -> Pair:
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
    total, best = m + k, NOTHING
    highest = max(outer_variance(u, m)[0].max(), 0.0)
    reach = k / total
    if query == "std":
        reach /= (1 + np.sqrt(m / total)) * np.sqrt(highest or 1.0)
    if reach * highest <= floor:
        return best
    for starts in blocks(len(u) - k + 1):
        own = u.between(starts, starts + k).variance(k)[0]
        starts = starts[reach * (highest - own) > floor]
        if not len(starts):
            continue
        window = u.between(starts, starts + k)
        peak = _peak(query, u, starts, m, k, window)
        for split in (peak, np.maximum(peak - 1, 0)):
            large = hole(u, starts, k, total, split).moments(u, window)
            change = rise(query, large.variance(total), large.minus(window).variance(m))
            at = int(change.argmax())
            if change[at] > best[0]:
                start = int(starts[at])
                small = outer(len(u), m, int(split[at]), start=start, inner=k)
                gone = np.arange(start, start + k)
                best = float(change[at]), small, np.concatenate([small, gone])
                floor = max(floor, best[0])
    return best


def _peak(
    query: str, u: SortedUniverse, starts: np.ndarray, m: int, k: int, window: Moments
) -> np.ndarray:
    """The split of A around each K at or next after the peak of f(A) - f(B)."""
    total = m + k

    def rises(i: np.ndarray) -> np.ndarray:
        """Whether the derivative along the splits is positive just after the i-th."""
        around = hole(u, starts, k, total, i)
        middle = (u.x[around.low] + u.x[around.high]) / 2
        p_all = around.total(u.sums.first[0], window.first[0])
        p = p_all - window.first[0]
        fall, fall_all = middle - p / m, middle - p_all / total
        if query == "var":
            return fall / m < fall_all / total
        q_all = around.total(u.sums.second[0], window.second[0])
        v = (q_all - window.second[0]) / m - (p / m) ** 2
        v_all = q_all / total - (p_all / total) ** 2
        ratio = np.divide(v, v_all, out=np.ones_like(v), where=(v > v_all) & (v_all > 0))
        return fall / m < np.sqrt(ratio) * fall_all / total

    return how_many_hold(rises, m, len(starts))
