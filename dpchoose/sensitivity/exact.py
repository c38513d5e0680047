r"""Exact sensitivities of the count, the sum, the mean and the percentiles.

These queries are monotone: a larger record never makes the answer smaller.
So an exchange argument leaves a handful of pairs to look at, after one sort.

Notation: u is the sorted universe of N records, n the release size, k the
distance. Unbounded neighbours are :math:`A \subset B = A \cup K` of m and
M = m + k records, where m is n - k (removal) or n (addition).

*Removing or adding.* Let b be B, sorted. For a given B the answer to A is
largest when A is the last m records of b and smallest when it is the first m.

- sum: the change is the sum of K, so K is the k smallest or k largest of u.
- mean: the change is k/M times (mean of A less mean of K), so one is the
  smallest records of u and the other the largest.
- percentiles: the change is b(high) - b(low), interpolated at two ranks with
  low <= high. Its coefficients on b_0, b_1, ... are first negative, then
  positive, so the best b is the smallest records up to some cut, and the
  largest from there. The cut is floor(low) + 1 or floor(low) + 2.

*Changing.* Let b hold the n + k records of both datasets (and others to make
up the number). No dataset within it answers more than its last n, or less
than its first n, and these two share n - k. The same cuts remain.

*From the release.* The best change takes away the smallest records and brings
the largest, or the reverse, each swap for as long as it helps: the result
dominates every other choice record by record.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpchoose.data.queries import percentile_rank

Answer = tuple[float, np.ndarray, np.ndarray]  # value, dataset, neighbour: sorted values

SHRINK = 64  # binary digits by which values near the largest float are scaled down


def global_unbounded(query: str, universe: np.ndarray, size: int, k: int) -> Answer:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    Args:
        query: count, sum, mean, median or percentile_p.
        universe: shape (N,), finite, in any order.
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.

    Returns:
        the sensitivity, and the sorted values of a pair (D, D') that attains it.

    >>> global_unbounded("median", np.array([1.0, 2, 3, 10]), 3, 1)[0]
    4.0
    """
    u, shrink = _sorted(universe)
    records = len(u)
    value, cut, m, first = max(
        (value, cut, m, first)
        for m in (size - k, size)
        if m >= 1 and m + k <= records
        for value, cut, first in _unbounded(query, u, m, k)
    )
    large = np.concatenate([u[:cut], u[records - m - k + cut :]])
    small = large[:m] if first else large[k:]
    pair = (small, large) if m == size else (large, small)
    return _unshrunk(value, *pair, shrink)


def global_bounded(query: str, universe: np.ndarray, size: int, k: int) -> Answer:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    Args:
        query, universe, size: as for :func:`global_unbounded`.
        k: the distance, in [1, min(n, N - n)].

    >>> global_bounded("median", np.array([1.0, 2, 3, 10, 11]), 3, 1)[0]
    8.0
    """
    u, shrink = _sorted(universe)
    values, cuts = _bounded(query, u, size, np.array([k]))
    cut = int(cuts[0])
    both = np.concatenate([u[:cut], u[len(u) - size - k + cut :]])
    return _unshrunk(float(values[0]), both[:size], both[k:], shrink)


def bounded_by_distance(query: str, universe: np.ndarray, size: int) -> np.ndarray:
    """:func:`global_bounded` for every distance 1, ..., min(n, N - n) at once.

    All of it costs one sort and a few operations per distance.

    >>> bounded_by_distance("sum", np.array([1.0, 2, 3, 10, 11]), 3).tolist()
    [10.0, 18.0]
    """
    u, shrink = _sorted(universe)
    distances = np.arange(1, min(size, len(u) - size) + 1)
    values = np.maximum.accumulate(_bounded(query, u, size, distances)[0])  # but for an ulp
    with np.errstate(over="ignore"):
        return np.ldexp(values, shrink)


def local_unbounded(query: str, universe: np.ndarray, release: np.ndarray, k: int) -> Answer:
    """Largest |f(R) - f(D')|, D' the release R less k records, or with k more.

    Args:
        query, universe, k: as for :func:`global_unbounded`.
        release: positions of the release, distinct, shape (n,).

    >>> local_unbounded("median", np.array([1.0, 2, 3, 10]), np.array([0, 1, 2]), 1)[0]
    0.5
    """
    r, others, shrink = _parted(universe, release)
    options = []
    if k < len(r):
        options += [(r[k:], r[:k]), (r[:-k], r[-k:])]
    if k <= len(others):
        options += [(r, others[:k]), (r, others[-k:])]
    kept, moved = max(options, key=lambda pair: _grown(query, *pair))
    neighbour = kept if len(kept) < len(r) else np.sort(np.concatenate([r, moved]))
    return _unshrunk(_grown(query, kept, moved), r, neighbour, shrink)


def local_bounded(query: str, universe: np.ndarray, release: np.ndarray, k: int) -> Answer:
    """Largest |f(R) - f(D')|, D' of n records with at least n - k of the release R.

    >>> local_bounded("median", np.array([1.0, 2, 3, 10, 11]), np.array([0, 1, 2]), 1)[0]
    1.0
    """
    r, others, shrink = _parted(universe, release)
    upward = _swapped(r, others, k)
    downward = -_swapped(-r[::-1], -others[::-1], k)[::-1]
    neighbour = max(upward, downward, key=lambda swapped: _moved(query, r, swapped))
    return _unshrunk(_moved(query, r, neighbour), r, neighbour, shrink)


def _unbounded(query: str, u: np.ndarray, m: int, k: int) -> Iterator[tuple[float, int, bool]]:
    """Candidates (change, cut, A is the first m of b) for A of m and K of k."""
    records = len(u)
    if query == "count":
        yield float(k), m, True
    elif query == "sum":
        yield abs(float(u[:k].sum())), k, False
        yield abs(float(u[records - k :].sum())), m, True
    elif query == "mean":
        yield _mean_change(u[records - m :], u[:k]), k, False
        yield _mean_change(u[:m], u[records - k :]), m, True
    else:
        small, large = _rank(query, m), _rank(query, m + k)
        for low, high, first in ((large, k + small, False), (small, large, True)):
            for cut in _cuts(low, m + k):
                yield float(_between(u, cut, m + k, low, high)), int(cut), first


def _bounded(
    query: str, u: np.ndarray, size: int, distances: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The bounded global sensitivity at each distance, and the cut of its b."""
    if query == "count":
        return np.zeros(len(distances)), np.full(len(distances), size)
    if query in ("sum", "mean"):
        widest = distances[-1]
        gains = np.cumsum(u[: -widest - 1 : -1] - u[:widest])[distances - 1]
        return gains if query == "sum" else gains / size, np.full(len(distances), size)
    low, total = _rank(query, size), size + distances
    options = np.array(_cuts(low, total))
    values = np.array([_between(u, cut, total, low, low + distances) for cut in options])
    best = values.argmax(axis=0)[None]
    return np.take_along_axis(values, best, 0)[0], np.take_along_axis(options, best, 0)[0]


def _rank(query: str, size: int) -> float:
    """Where the percentile of that many sorted records lies, as numpy counts it."""
    rank = 50.0 if query == "median" else percentile_rank(query)
    return (size - 1) * (rank / 100)


def _cuts(low: float, total: np.ndarray | int) -> list[np.ndarray]:
    return [np.minimum(int(low) + more, total) for more in (1, 2)]


def _between(
    u: np.ndarray, cut: np.ndarray, total: np.ndarray | int, low: float, high: np.ndarray | float
) -> np.ndarray:
    """b(high) - b(low), b the ``cut`` smallest and the largest up to ``total``.

    Summed as gaps between neighbouring records, all of one sign, so that no
    digit is lost.
    """

    def record(index: np.ndarray) -> np.ndarray:
        index = np.minimum(index, total - 1)
        return u[np.where(index < cut, index, index + len(u) - total)]

    high = np.maximum(low, high)
    start, end = np.floor(low).astype(int), np.floor(high).astype(int)
    after_start, after_end = low - start, high - end
    step = record(start + 1) - record(start)
    reach = record(end) - record(start + 1)
    last = after_end * (record(end + 1) - record(end))
    apart = (1 - after_start) * step + reach + last
    return np.where(start == end, (after_end - after_start) * step, apart)


def _grown(query: str, kept: np.ndarray, moved: np.ndarray) -> float:
    """How far the answer to the kept records moves when the others join them."""
    if query == "count":
        return float(len(moved))
    if query == "sum":
        return abs(float(moved.sum()))
    if query == "mean":
        return _mean_change(kept, moved)
    return abs(_order_difference(query, kept, np.sort(np.concatenate([kept, moved]))))


def _moved(query: str, before: np.ndarray, after: np.ndarray) -> float:
    """How far the answer moves between sorted datasets of one size."""
    if query == "count":
        return 0.0
    if query in ("sum", "mean"):
        change = abs(float((after - before).sum()))
        return change if query == "sum" else change / len(before)
    return abs(_order_difference(query, before, after))


def _swapped(r: np.ndarray, others: np.ndarray, k: int) -> np.ndarray:
    """The release with its smallest records changed for the largest others."""
    most = min(k, len(r), len(others))
    swaps = np.count_nonzero(others[::-1][:most] > r[:most])
    return np.sort(np.concatenate([r[swaps:], others[len(others) - swaps :]]))


def _order_difference(query: str, one: np.ndarray, other: np.ndarray) -> float:
    """The percentile of the other less that of the one, from a common origin."""
    origin = one[int(_rank(query, len(one)))]
    high, low = (
        (1 - after) * (values[index] - origin)
        + after * (values[min(index + 1, len(values) - 1)] - origin)
        for values in (other, one)
        for index in [int(_rank(query, len(values)))]
        for after in [_rank(query, len(values)) - index]
    )
    return float(high - low)


def _mean_change(kept: np.ndarray, moved: np.ndarray) -> float:
    """How far the mean moves, in one division: 17/6 is the float nearest to it."""
    m, k, origin = len(kept), len(moved), kept[len(kept) // 2]
    change = m * (moved - origin).sum() - k * (kept - origin).sum()
    return abs(float(change)) / (m * (m + k))


def _sorted(universe: np.ndarray) -> tuple[np.ndarray, int]:
    """The sorted values, made smaller by a power of two when sums could overflow."""
    u = np.sort(universe)
    shrink = SHRINK if max(-u[0], u[-1]) > 2.0**900 else 0
    return (np.ldexp(u, -shrink) if shrink else u), shrink


def _parted(universe: np.ndarray, release: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """The sorted values of the release and of the other records."""
    values, shrink = universe, 0
    if np.abs(universe).max() > 2.0**900:
        values, shrink = np.ldexp(universe, -SHRINK), SHRINK
    inside = np.zeros(len(universe), dtype=bool)
    inside[release] = True
    return np.sort(values[inside]), np.sort(values[~inside]), shrink


def _unshrunk(value: float, one: np.ndarray, other: np.ndarray, shrink: int) -> Answer:
    if shrink:
        with np.errstate(over="ignore"):
            value = float(np.ldexp(value, shrink))
        one, other = np.ldexp(one, shrink), np.ldexp(other, shrink)
    return value, one, other
