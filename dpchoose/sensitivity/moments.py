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

import numpy as np

from dpchoose.sensitivity.bounded_moments import best_change
from dpchoose.sensitivity.exact import Answer
from dpchoose.sensitivity.sums import Moments, Records, common_scale
from dpchoose.sensitivity.windows import (
    SLACK,
    Candidate,
    around,
    best_split,
    blocks,
    by_change,
    how_many_hold,
    outer_moments,
    outer_slices,
    outer_variance,
    rise,
    take,
    unscaled,
    without,
)

NOTHING: Candidate = (-np.inf, [], [])


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
    best = max((_growth(query, u, m, k) for m in fits), key=by_change)
    best = max([best, *(_decline(query, u, m, k, best[0]) for m in fits)], key=by_change)
    change, small, large = best
    added = sum(stop - start for start, stop in small) == size
    return _answer(query, u, exponent, (change, *((small, large) if added else (large, small))))


def global_bounded(query: str, universe: np.ndarray, size: int, k: int) -> Answer:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    See :func:`~dpchoose.sensitivity.bounded_moments.best_change` for the three families of pairs.

    Args:
        query, universe, size: as for :func:`global_unbounded`.
        k: the distance, in [1, min(n, N - n)].

    >>> global_bounded("var", np.array([0.0, 1, 9, 10]), 2, 2)[0]
    24.75
    """
    u, exponent = _records(universe)
    return _answer(query, u, exponent, best_change(query, u, size, k))


def bounded_by_distance(query: str, universe: np.ndarray, size: int) -> np.ndarray:
    """:func:`global_bounded` for every distance 1, ..., min(n, N - n).

    Each distance costs like one call: for N = 2000 and n = 1000, a few
    milliseconds each.

    >>> bounded_by_distance("var", np.array([0.0, 1, 9, 10]), 2).tolist()
    [24.75, 24.75]
    """
    u, exponent = _records(universe)
    widest = min(size, len(u) - size)
    spread = best_change(query, u, size, widest)[0]
    changes = np.full(widest, spread)
    for k in range(1, widest):
        floor = changes[k - 2] if k > 1 else 0.0
        changes[k - 1] = max(floor, best_change(query, u, size, k, floor)[0])
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


def _records(universe: np.ndarray) -> tuple[Records, int]:
    origin, exponent = common_scale(universe)
    return Records.of(universe, origin, exponent), exponent


def _answer(query: str, u: Records, exponent: int, candidate: Candidate) -> Answer:
    change, *pair = candidate
    dataset, neighbour = (take(u, slices) for slices in pair)
    return unscaled(query, change, exponent), dataset, neighbour
