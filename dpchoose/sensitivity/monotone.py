r"""Exact global sensitivities of the count, the sum, the mean and the percentiles.

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
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpchoose.sensitivity.witness import Sensitivity
from dpchoose.worlds.whole import place_of


def unbounded(query: str, u: np.ndarray, size: int, k: int) -> Sensitivity:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    Args:
        query: count, sum, mean, median or percentile_p.
        u: the universe, sorted, shape (N,).
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.

    Returns:
        the sensitivity with its witness.

    >>> unbounded("median", np.array([1.0, 2, 3, 10]), 3, 1).value
    4.0
    """
    value, cut, m, first = max(
        (value, cut, m, first)
        for m in (size - k, size)
        if m >= 1 and m + k <= len(u)
        for value, cut, first in _candidates(query, u, m, k)
    )
    large = _ends(u, cut, m + k)
    small = large[:m] if first else large[k:]
    return Sensitivity(value, *((small, large) if m == size else (large, small)))


def bounded(query: str, u: np.ndarray, size: int, k: int) -> Sensitivity:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    Args:
        query, u, size: as for :func:`unbounded`.
        k: the distance, in [1, min(n, N - n)].

    >>> bounded("median", np.array([1.0, 2, 3, 10, 11]), 3, 1).value
    8.0
    """
    values, cuts = _at_distances(query, u, size, np.array([k]))
    both = _ends(u, int(cuts[0]), size + k)
    return Sensitivity(float(values[0]), both[:size], both[k:])


def bounded_by_distance(query: str, u: np.ndarray, size: int) -> np.ndarray:
    """:func:`bounded` for every distance 1, ..., min(n, N - n) at once.

    It costs a few operations per distance.

    >>> bounded_by_distance("sum", np.array([1.0, 2, 3, 10, 11]), 3).tolist()
    [10.0, 18.0]
    """
    distances = np.arange(1, min(size, len(u) - size) + 1)
    return np.maximum.accumulate(_at_distances(query, u, size, distances)[0])  # but for an ulp


def _candidates(query: str, u: np.ndarray, m: int, k: int) -> Iterator[tuple[float, int, bool]]:
    """Candidates (change, cut, whether A is the first m of b) for A of m and K of k."""
    if query == "count":
        yield float(k), m, True
    elif query == "sum":
        yield abs(float(u[:k].sum())), k, False
        yield abs(float(u[-k:].sum())), m, True
    elif query == "mean":
        yield _mean_change(u[-m:], u[:k]), k, False
        yield _mean_change(u[:m], u[-k:]), m, True
    else:
        small, large = (float(sum(place_of(query, of))) for of in (m, m + k))
        for low, high, first in ((large, k + small, False), (small, large, True)):
            for cut in _cuts(low, m + k):
                yield float(_gap(u, cut, m + k, low, high)), int(cut), first


def _at_distances(
    query: str, u: np.ndarray, size: int, distances: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The bounded sensitivity at each distance, in rising order, and the cut of its b."""
    if query == "count":
        return np.zeros(len(distances)), np.full(len(distances), size)
    if query in ("sum", "mean"):
        widest = distances[-1]
        gains = running_sums(u[: -widest - 1 : -1] - u[:widest])[distances - 1]
        return gains if query == "sum" else gains / size, np.full(len(distances), size)
    low, total = float(sum(place_of(query, size))), size + distances
    cuts = np.array(_cuts(low, total))
    values = np.array([_gap(u, cut, total, low, low + distances) for cut in cuts])
    best = values.argmax(axis=0)[None]
    return np.take_along_axis(values, best, 0)[0], np.take_along_axis(cuts, best, 0)[0]


def running_sums(terms: np.ndarray) -> np.ndarray:
    """Running sums, to which what each addition rounds off is given back.

    >>> running_sums(np.array([1e16, 1.0, 1.0])).tolist()
    [1e+16, 1e+16, 1.0000000000000002e+16]
    """
    sums = np.cumsum(terms)
    before = np.concatenate([[0.0], sums[:-1]])
    part = sums - before
    return sums + np.cumsum((before - (sums - part)) + (terms - part))


def _ends(u: np.ndarray, cut: int, total: int) -> np.ndarray:
    """The records b: the ``cut`` smallest and the largest up to ``total``."""
    return np.concatenate([u[:cut], u[len(u) - total + cut :]])


def _cuts(low: float, total: np.ndarray | int) -> list[np.ndarray]:
    return [np.minimum(int(low) + more, total) for more in (1, 2)]


def _gap(
    u: np.ndarray, cut: np.ndarray, total: np.ndarray | int, low: float, high: np.ndarray | float
) -> np.ndarray:
    """b(high) - b(low), b as in :func:`_ends`, interpolated between records.

    Summed as gaps between neighbouring records, all of one sign, so that no
    digit is lost; but for two ranks between the same records, where the change
    is no more than that of the other two ranks.
    """

    def record(index: np.ndarray) -> np.ndarray:
        index = np.minimum(index, total - 1)
        return u[np.where(index < cut, index, index + len(u) - total)]

    start, end = np.floor(low).astype(int), np.floor(high).astype(int)
    after_start, after_end = low - start, high - end
    step = record(start + 1) - record(start)
    reach = record(end) - record(start + 1)
    last = after_end * (record(end + 1) - record(end))
    return (1 - after_start) * step + reach + last


def _mean_change(kept: np.ndarray, moved: np.ndarray) -> float:
    """How far the mean of ``kept`` goes when ``moved`` join, in one division.

    So 17/6 is the float nearest to it.
    """
    m, k, origin = len(kept), len(moved), kept[len(kept) // 2]
    change = m * (moved - origin).sum() - k * (kept - origin).sum()
    return abs(float(change)) / (m * (m + k))
