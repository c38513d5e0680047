r"""Exact sensitivities of the count, the sum, the mean and the percentiles.

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

*From a release, by one record.* Of all answers without a record, or with another one, the
largest and the smallest come of the ends of the release, or of the ends of the others. A
change raises the answer most from the smallest record to the largest of the others, and
lowers it most from the largest to the smallest of them.
"""

from fractions import Fraction

import numpy as np

from dpchoose.queries import place_of
from dpchoose.sensitivity.enumeration import Pair
from dpchoose.worlds.answers import whole


def add_remove_pair(query: str, u: np.ndarray, smaller_sizes: list[int], k: int) -> Pair:
    """The pair farthest apart of m records of the sorted universe and k more, m of some sizes."""
    candidates = [(b[:m], b) for m in smaller_sizes for b in _ends(query, m, m, m + k, len(u))]
    candidates += [(b[k:], b) for m in smaller_sizes for b in _ends(query, m + k, k, m + k, len(u))]
    return _farthest(query, u, candidates)


def replace_pair(query: str, u: np.ndarray, size: int, k: int) -> Pair:
    """The pair farthest apart of n records each, of which up to k are replaced."""
    candidates = [(b[:size], b[k:]) for b in _ends(query, size, size, size + k, len(u))]
    return _farthest(query, u, candidates)


def local_pair(query: str, u: np.ndarray, release: np.ndarray, adjacency: str) -> Pair:
    """The release, of sorted positions, and its neighbour by one record that is farthest away."""
    others, parts = np.delete(np.arange(len(u)), release), []
    if adjacency == "bounded":
        parts += [[release[1:], others[-1:]], [release[:-1], others[:1]]]
    if adjacency in ("unbounded", "removed") and len(release) > 1:
        parts += [[release[1:]], [release[:-1]]]
    if adjacency in ("unbounded", "added"):
        parts += [[release, others[:1]], [release, others[-1:]]]
    neighbours = [np.sort(np.concatenate(positions)) for positions in parts]
    return _farthest(query, u, [(release, neighbour) for neighbour in neighbours])


def _ends(query: str, low: int, few: int, total: int, records: int) -> list[np.ndarray]:
    """The ``cut`` smallest and ``total - cut`` largest records, for each cut that can be farthest.

    Of a percentile that is just after its rank among ``low`` records or one more, else ``few``.
    """
    cuts = [few]
    if query not in ("count", "sum", "mean"):
        rank, _ = place_of(query, low)
        cuts = [min(rank + more, total) for more in (1, 2)]
    return [np.append(np.arange(cut), np.arange(records - total + cut, records)) for cut in cuts]


def _farthest(query: str, u: np.ndarray, candidates: list[tuple[np.ndarray, np.ndarray]]) -> Pair:
    """The pair whose exact answers differ most; a count does not depend on the values."""
    x = whole(np.zeros(len(u)) if query == "count" else u)
    numbers = x.fit(x.bits + len(u).bit_length())
    changes = []
    for pair in candidates:
        first, second = (_answer(query, numbers, positions) for positions in pair)
        changes.append(abs(first - second))
    largest = changes.index(max(changes))
    return float(changes[largest] * x.unit), *candidates[largest]


def _answer(query: str, numbers: np.ndarray, positions: np.ndarray) -> Fraction:
    """The exact answer to some of the sorted whole numbers."""
    size = len(positions)
    if query == "count":
        return Fraction(size)
    if query in ("sum", "mean"):
        return Fraction(int(numbers[positions].sum()), size if query == "mean" else 1)
    rank, beyond = place_of(query, size)
    low, high = (int(numbers[positions[place]]) for place in (rank, min(rank + 1, size - 1)))
    return low + beyond * (high - low)
