r"""Exact global sensitivities of the count, the sum, the mean and the percentiles.

A larger record never makes the answer smaller. So an exchange argument leaves a handful of
pairs, after one sort. Let u be the sorted universe, n the release size, k the distance.

*Removing or adding.* Neighbours are :math:`A \subset B = A \cup K` of m and m + k records, m
being n - k (removal) or n (addition). Let b be B, sorted. For a given B the answer to A is
largest when A is the last m records of b and smallest when it is the first m.

- sum: the change is the sum of K, so K is the k smallest or k largest of u.
- mean: the change is k/(m + k) times (mean of A less mean of K), so one is the smallest
  records of u and the other the largest.
- percentiles: the change is b(high) - b(low), interpolated at two ranks with low <= high,
  of which low is that in A if it is the first m, else that in B. The coefficients on
  b_0, b_1, ... are first negative, then positive, so the best b is the smallest records up
  to some cut, and the largest from there, after floor(low) + 1 or floor(low) + 2 records.

*Changing.* Let b hold the n + k records of both datasets (and others to make up the
number). No dataset within it answers more than its last n, or less than its first n, and
these two share n - k. The same cuts remain.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpchoose.data.queries import place_of
from dpchoose.worlds.answers import whole

Pair = tuple[float, np.ndarray, np.ndarray]


def moved(query: str, u: np.ndarray, smaller: list[int], k: int) -> Pair:
    """The pair farthest apart of m records of the sorted universe and k more, m of some."""
    pairs = [(b[:m], b) for m in smaller for b in _ends(query, m, m, m + k, len(u))]
    pairs += [(b[k:], b) for m in smaller for b in _ends(query, m + k, k, m + k, len(u))]
    return _farthest(query, u, pairs)


def changed(query: str, u: np.ndarray, size: int, k: int) -> Pair:
    """The pair farthest apart of n records each, of which up to k are changed."""
    pairs = [(b[:size], b[k:]) for b in _ends(query, size, size, size + k, len(u))]
    return _farthest(query, u, pairs)


def _ends(query: str, low: int, few: int, total: int, records: int) -> list[np.ndarray]:
    """The positions of b: of a percentile cut after its rank among ``low``, else after ``few``."""
    cuts = [few]
    if query not in ("count", "sum", "mean"):
        rank, _ = place_of(query, low)
        cuts = [min(rank + more, total) for more in (1, 2)]
    return [np.append(np.arange(cut), np.arange(records - total + cut, records)) for cut in cuts]


def _farthest(query: str, u: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]) -> Pair:
    """The pair farthest apart, by exact answers; a count asks nothing of the records."""
    x = whole(np.zeros(len(u)) if query == "count" else u)
    numbers = x.fit(x.bits + len(u).bit_length())
    answers = [[_answer(query, numbers[some]) for some in pair] for pair in pairs]
    changes = [abs(one - other) for one, other in answers]
    at = changes.index(max(changes))
    return float(changes[at] * x.unit), *pairs[at]


def _answer(query: str, b: np.ndarray) -> Fraction:
    """The exact answer to sorted whole numbers."""
    if query == "count":
        return Fraction(len(b))
    if query in ("sum", "mean"):
        return Fraction(int(b.sum()), len(b) if query == "mean" else 1)
    rank, beyond = place_of(query, len(b))
    low, high = int(b[rank]), int(b[min(rank + 1, len(b) - 1)])
    return low + beyond * (high - low)
