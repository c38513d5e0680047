r"""Exact global sensitivities of the variance and the standard deviation.

Both depend on s records through their sum P and sum of squares Q alone:
:math:`V = Q/s - (P/s)^2`. What the proofs of the farthest pairs lean on, in
:mod:`~dpchoose.sensitivity.variance_unbounded` and
:mod:`~dpchoose.sensitivity.variance_bounded`:

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

from dpchoose.sensitivity import variance_bounded, variance_unbounded
from dpchoose.sensitivity.runs import SortedUniverse
from dpchoose.sensitivity.witness import Sensitivity

EXAMINED = 64  # distances that are looked at when there are more


def unbounded(query: str, u: np.ndarray, size: int, k: int) -> Sensitivity:
    """Largest |f(D) - f(D')|, D of n records, D' of k fewer or k more.

    Args:
        query: var or std.
        u: the universe, sorted, shape (N,).
        size: n, in [1, N - 1].
        k: the distance; removal needs k < n and addition k <= N - n.

    Returns:
        the sensitivity with its witness. The time grows like N log N.

    >>> unbounded("var", np.array([0.0, 1, 9, 10]), 2, 1).value  # 0, 10 and 0
    25.0
    """
    return Sensitivity.between(u, variance_unbounded.farthest(query, SortedUniverse(u), size, k))


def bounded(query: str, u: np.ndarray, size: int, k: int) -> Sensitivity:
    """Largest |f(D) - f(D')|, both of n records, sharing at least n - k.

    Args:
        query, u, size: as for :func:`unbounded`.
        k: the distance, in [1, min(n, N - n)].

    >>> bounded("var", np.array([0.0, 1, 9, 10]), 2, 2).value
    24.75
    """
    return Sensitivity.between(u, variance_bounded.farthest(query, SortedUniverse(u), size, k))


def bound_by_distance(query: str, u: np.ndarray, size: int) -> np.ndarray:
    """At least :func:`bounded` at each distance 1, ..., min(n, N - n), which never falls.

    Each distance costs like one call. So beyond 64 of them a geometric series
    of 64 is looked at, where the numbers are exact; a distance in between is
    given the number of the next larger one, which is a bound, since changing
    at most k records includes changing fewer.

    >>> bound_by_distance("var", np.array([0.0, 1, 9, 10]), 2).tolist()
    [24.75, 24.75]
    """
    sorted_universe = SortedUniverse(u)
    last = min(size, len(u) - size)
    distances = np.arange(1, last + 1)
    examined = distances
    if last > EXAMINED:
        examined = np.unique(np.geomspace(1, last, EXAMINED).round().astype(int))
    spread = variance_bounded.farthest(query, sorted_universe, size, last)[0]
    found = np.full(len(examined), spread)
    floor = 0.0
    for place, k in enumerate(examined[:-1].tolist()):
        farthest = variance_bounded.farthest(query, sorted_universe, size, k, floor)
        floor = max(floor, farthest[0])
        if floor >= spread:
            break
        found[place] = floor
    return found[np.searchsorted(examined, distances)]
