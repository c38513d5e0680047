r"""Exact sensitivities of the variance and the standard deviation to one record.

s records of sum P and sum of squares Q have the variance V = Q/s - (P/s)^2; f is V or its
root. In the sorted universe U a *window* is a run of neighbours, an *outer* choice the i
smallest and s - i largest records, both up to the order of equal ones. A pair of datasets is
*best* when none changes f by more, and it by d > 0. Facts:

1. V(S + x) = s/(s + 1) V(S) + s/(s + 1)^2 (x - mean of S)^2. So S + x has the largest answer
   for the x farthest from the mean of S, the smallest for the nearest; W - x has the
   smallest for the x farthest from the mean of W, the largest for the nearest. The farthest
   record from any point is the smallest or the largest.
2. Let D and D' hold the same s records I of some set, and V(D') - V(D) be strictly convex in
   (P, Q) of I and fall with Q, or be linear in P with a slope that is not 0. For the root,
   f(D') - f(D) <= d says V(D') - V(D) - d^2 <= 2 d f(D), and f(D) is concave in (P, Q),
   strictly but for a change of Q alone, and rises with Q. So the best I is a corner of the
   lower hull of all (P, Q), least in sum (a - c)^2 for an interval of c: a window of the set.

*The larger set B = A + x has the larger answer.* V(B) - V(A) is strictly convex in P of A and
falls with Q: A is a window of U - x. By (1) x is farthest among U - A from the mean of A, and
among B from that of B: an end of both. If it is the largest of B and the smallest of U - A,
all of U - A is equally far, so equal. Hence x is an end of U, and A a window of U.

*The smaller set A of m records has the larger answer*, so m >= 2. As one record of A moves, V(A)
and V(B) have the second derivatives 2a and 2b, a = (m - 1)/m^2 > b = m/(m + 1)^2: V(A) - V(B)
is strictly convex. Where the roots have one derivative p, the second one of f(A) - f(B) has
the sign of c(a - p^2) - (b - p^2) >= ca - b, where c = f(B)/f(A) < 1 is at least the root of
m/(m + 1), by (1), which exceeds b/a for m >= 3; for m = 2 there is no such p. So A leaves no
records out on both sides of one: it is outer in U - x. With x in its gap it is outer in U, x
nearest to its mean among U - A; else B is outer in U, and x nearest to its mean among B.

*One record is changed*, D = I + y to D' = I + x with the larger answer. V(D') - V(D) is linear
in P of I: I is a window of U - x - y. By (1) x is the farthest and y the nearest among U - I
from the mean of I, and among I + x + y from its mean; so x is an end of both, and of U, as
else x = y. And y lies within I or next to it: D is a window of U.

*Any two datasets of n records* are farthest apart when one is a window and the other outer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpchoose import progress
from dpchoose.worlds.answers import whole

BLOCK = 1 << 15  # datasets looked at together
Pair = tuple[float, np.ndarray, np.ndarray]  # a change, and who is in each of two datasets
Moments = tuple[int, Any, Any]  # how many records, their sums, their sums of squares


class _Records:
    """The sorted universe as whole numbers, from the middle one, with running sums.

    A run of s records goes on, after the last, with the first: it is a window where it starts
    at 0, ..., N - s, and outer where at N - s, ..., N.
    """

    def __init__(self, u: np.ndarray) -> None:
        found = whole(u)
        self.x = found.numbers.astype(object) - int(found.numbers[len(u) // 2])
        self.floats, self.unit = self.x.astype(float), float(found.unit)
        self.sums = [np.append([0], np.cumsum(np.tile(x, 2))) for x in (self.x, self.x**2)]

    def run(self, length: int, starts: np.ndarray) -> Moments:
        """The moments of runs."""
        return length, *(one[starts + length] - one[starts] for one in self.sums)

    def taken(self, length: int, start: int) -> np.ndarray:
        """Whether each record is in a run."""
        return (np.arange(len(self.x)) - start) % len(self.x) < length

    def nearest(self, place: str, starts: Any, stops: Any, moments: Moments) -> np.ndarray:
        """The record nearest to the mean of some in a place, which is relative to runs."""
        last, mean = len(self.x) - 1, moments[1].astype(float) / moments[0]
        over = stops - last - 1  # of an outer run: it takes the records before this one
        places = {"first": (0, 0), "last": (last, last), "within": (starts, stops - 1)}
        places |= {"gap": (over, starts - 1), "below": (0, over - 1), "above": (starts, last)}
        above = np.searchsorted(self.floats, mean)
        sides = [np.clip(one, *places[place]) for one in (above - 1, above)]
        less, more = (np.abs(self.floats[one] - mean) for one in sides)
        return np.where(less <= more, *sides)

    def after(self, moments: Moments, record: np.ndarray, sign: int) -> Moments:
        """The moments with one record more, or with one fewer."""
        count, p, q = moments
        return count + sign, p + sign * self.x[record], q + sign * self.x[record] ** 2

    def changes(self, query: str, one: Moments, other: Moments) -> np.ndarray:
        """How far the answers move, from exact sums."""
        (few, *_), (many, *_) = one, other
        a, b = (count * q - p * p for count, p, q in (one, other))  # count^2 V
        gaps = abs(b * few**2 - a * many**2).astype(float) * (self.unit / (few * many)) ** 2
        if query == "var":
            return gaps
        roots = sum(np.sqrt(v.astype(float)) * (self.unit / s) for v, s in ((a, few), (b, many)))
        return np.divide(gaps, roots, out=np.zeros_like(gaps), where=roots > 0)


def moved(query: str, u: np.ndarray, smaller: list[int], _: int = 1) -> Pair:
    """The pair farthest apart of m records of the sorted universe and one more, m of some."""
    families = []
    for m in smaller:
        left, end = len(u) - m, len(u) + 1
        families += [
            (m, range(1, left + 1), [("first", 1)]),
            (m, range(left), [("last", 1)]),
            (m, range(left, end), [("gap", 1)]),
            (m + 1, range(left, end), [("below", -1)]),
            (m + 1, range(left - 1, end - 1), [("above", -1)]),
        ]
    return _best(query, u, families)


def changed(query: str, u: np.ndarray, size: int, k: int) -> Pair:
    """The pair farthest apart of n records each, of which one is changed, or any may be."""
    if k == 1:
        left = len(u) - size
        first = (size, range(1, left + 1), [("first", 1), ("within", -1)])
        return _best(query, u, [first, (size, range(left), [("last", 1), ("within", -1)])])
    records = _Records(u)
    _, p, q = records.run(size, np.arange(len(u)))
    spread = size * q - p * p
    ends = int(spread.argmin()), int(spread.argmax())
    change = records.changes(query, *((size, p[[at]], q[[at]]) for at in ends))
    return float(change[0]), *(records.taken(size, at) for at in ends)


def _best(query: str, u: np.ndarray, families: list[tuple]) -> Pair:
    """The pair farthest apart of the datasets of some families and what becomes of them.

    A family: the length of runs, their starts, and where who comes (1) or goes (-1) is sought.
    """
    records, best = _Records(u), (-1.0, np.arange(0), np.arange(0))
    blocks = [(one, low) for one in families for low in range(0, len(one[1]), BLOCK)]
    for (length, every, places), low in progress.shown(blocks, len(blocks), "sensitivity"):
        starts = np.array(every[low : low + BLOCK])
        one = other = records.run(length, starts)
        moves = []
        for place, sign in places:
            moves.append((records.nearest(place, starts, starts + length, other), sign))
            other = records.after(other, *moves[-1])
        changes = records.changes(query, one, other)
        at = int(changes.argmax())
        if changes[at] > best[0]:
            dataset = records.taken(length, starts[at])
            neighbour = dataset.copy()
            for record, sign in moves:
                neighbour[record[at]] = sign > 0
            best = float(changes[at]), dataset, neighbour
    return best
