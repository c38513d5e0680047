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

*From a release D* of mean m, all x and y counted from m, by (1): a record that goes is an end
of D or its nearest to m, and one that comes is an end of the others or their nearest to m. If
y replaces x, n^2 V(D') = n^2 V(D) + (n - 1) y^2 - (n + 1) x^2 + 2 x y. This is convex in y and
concave in x. So it is largest where y is an end of the others, and x the nearest of D to
y/(n + 1); and smallest where x is an end of D, and y the nearest of the others to -x/(n - 1).

*Rounding.* Exact sums are asked for the few pairs alone that floats cannot rule out. Let no record
exceed X, no running sum M, none of squares M', in size, u be 2^-53, s the smaller number of
records. A sum is a difference of two rounded running sums, with one or two records more or less:
P is within 8u(M + X), Q within 8u(M' + X^2), and |P| <= sX. So V is within u(24M' + 24XM + 72X^2)/s
+ 6uX^2. A record taken for the nearest is farther from the mean by 16u(M + X)/s + 8uX at most, no
record is farther than 2X, and V holds the square of that distance at most 2/s times: this adds at
most u(128XM/s + 192X^2). So u(152(M' + XM)/s + 270X^2) is enough for each V; about twice it is
charged, for the rounding of what follows.
"""

import copy
from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import progress
from dpchoose.sensitivity.enumeration import Pair
from dpchoose.worlds.answers import whole

BLOCK = 1 << 15  # datasets looked at together
CHARGED = 2.0**-44  # for rounding, of the sizes that enter a variance
Moments = tuple[int, Any, Any]  # how many records, their sums, their sums of squares


class _Records:
    """The sorted universe as whole numbers, from the middle one, with running sums.

    A run of s records goes on, after the last, with the first: it is a window where it starts
    at 0, ..., N - s, and outer where at N - s, ..., N.
    """

    def __init__(self, u: np.ndarray) -> None:
        numbers, unit, _ = whole(u)
        self.x, self.unit = numbers.astype(object) - int(numbers[len(u) // 2]), float(unit)

    @cached_property
    def floats(self) -> np.ndarray:
        """The records, each rounded once."""
        return self.x.astype(float)

    @cached_property
    def sums(self) -> list[np.ndarray]:
        """The running sums of the records, and of their squares, twice through the universe."""
        return [np.append([0], np.cumsum(np.tile(x, 2))) for x in (self.x, self.x**2)]

    @cached_property
    def rounded(self) -> "_Records":
        """The same in floats, each number rounded once."""
        twin = copy.copy(self)
        twin.x, twin.sums = self.floats, [sums.astype(float) for sums in self.sums]
        return twin

    @cached_property
    def sizes(self) -> list[float]:
        """X, M and M'."""
        return [float(np.abs(numbers).max()) for numbers in (self.x, *self.sums)]

    def run(self, length: int, starts: np.ndarray) -> Moments:
        """The moments of runs."""
        return length, *(sums[starts + length] - sums[starts] for sums in self.sums)

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
        sides = [np.clip(side, *places[place]) for side in (above - 1, above)]
        less, more = (np.abs(self.floats[side] - mean) for side in sides)
        return np.where(less <= more, *sides)

    def after(self, moments: Moments, record: np.ndarray, sign: int) -> Moments:
        """The moments with one record more, or with one fewer."""
        count, p, q = moments
        return count + sign, p + sign * self.x[record], q + sign * self.x[record] ** 2

    def at_most(self, query: str, before: Moments, after: Moments) -> np.ndarray:
        """More than the answers can move, from moments in floats."""
        one, other = (q / count - (p / count) ** 2 for count, p, q in (before, after))
        largest, farthest, squares = self.sizes
        off = (squares + largest * farthest) / min(before[0], after[0]) + largest**2
        off *= CHARGED
        low, high = np.maximum(np.minimum(one, other) - off, 0), np.maximum(one, other) + off
        if query == "var":
            return (high - low) * self.unit**2
        return (np.sqrt(high) - np.sqrt(low)) * self.unit

    def changes(self, query: str, before: Moments, after: Moments) -> np.ndarray:
        """How far the answers move, from exact sums."""
        (few, *_), (many, *_) = before, after
        a, b = (count * q - p * p for count, p, q in (before, after))  # count^2 V
        gaps = abs(b * few**2 - a * many**2).astype(float) * (self.unit / (few * many)) ** 2
        if query == "var":
            return gaps
        roots = sum(np.sqrt(v.astype(float)) * (self.unit / s) for v, s in ((a, few), (b, many)))
        return np.divide(gaps, roots, out=np.zeros_like(gaps), where=roots > 0)


def add_remove_pair(query: str, u: np.ndarray, smaller_sizes: list[int], _: int = 1) -> Pair:
    """The pair farthest apart of m records of the sorted universe and one more, m of some sizes."""
    families = []
    for m in smaller_sizes:
        left, end = len(u) - m, len(u) + 1
        families += [
            (m, range(1, left + 1), [("first", 1)]),
            (m, range(left), [("last", 1)]),
            (m, range(left, end), [("gap", 1)]),
            (m + 1, range(left, end), [("below", -1)]),
            (m + 1, range(left - 1, end - 1), [("above", -1)]),
        ]
    return _best(query, u, families)


def replace_pair(query: str, u: np.ndarray, size: int, k: int) -> Pair:
    """The pair farthest apart of n records each, of which one is replaced, or any may be."""
    if k == 1:
        left = len(u) - size
        first = (size, range(1, left + 1), [("first", 1), ("within", -1)])
        return _best(query, u, [first, (size, range(left), [("last", 1), ("within", -1)])])
    records = _Records(u)
    _, p, q = records.run(size, np.arange(len(u)))
    spread = size * q - p * p
    ends = int(spread.argmin()), int(spread.argmax())
    narrow, wide = ((size, p[[start]], q[[start]]) for start in ends)
    change = float(records.changes(query, narrow, wide)[0])
    least, most = (records.taken(size, start) for start in ends)
    return change, least, most


def local_pair(query: str, u: np.ndarray, release: np.ndarray, adjacency: str) -> Pair:
    """The release, of sorted positions, and its neighbour by one record that is farthest away."""
    records, others = _Records(u), np.delete(np.arange(len(u)), release)
    x, n = records.x, len(release)
    total, squares = x[release].sum(), (x[release] ** 2).sum()
    mean, moves = Fraction(total, n), []
    if adjacency == "bounded":
        for coming in others[[0, -1]]:
            target = mean + (x[coming] - mean) / (n + 1)
            moves += [[(leaving, -1), (coming, 1)] for leaving in _nearest(x, release, target)]
        for leaving in release[[0, -1]]:
            target = mean - (x[leaving] - mean) / max(n - 1, 1)
            moves += [[(leaving, -1), (coming, 1)] for coming in _nearest(x, others, target)]
    for sign, kind, candidates in ((-1, "removed", release), (1, "added", others)):
        if adjacency in ("unbounded", kind) and n + sign > 0:
            records_to_try = *candidates[[0, -1]], *_nearest(x, candidates, mean)
            moves += [[(record, sign)] for record in records_to_try]
    changes = []
    for move in moves:
        before = after = n, np.array([total], object), np.array([squares], object)
        for record, sign in move:
            after = records.after(after, record, sign)
        changes.append(float(records.changes(query, before, after)[0]))
    largest = changes.index(max(changes))
    dataset = np.isin(np.arange(len(u)), release)
    neighbour = dataset.copy()
    for record, sign in moves[largest]:
        neighbour[record] = sign > 0
    return changes[largest], dataset, neighbour


def _nearest(x: np.ndarray, positions: np.ndarray, target: Fraction) -> list[int]:
    """The records on both sides of a number, of some sorted positions."""
    above = bisect_left(x[positions], target)
    return positions[max(above - 1, 0) : above + 1].tolist()


def _best(query: str, u: np.ndarray, families: list[tuple]) -> Pair:
    """The pair farthest apart of the datasets of some families and what becomes of them.

    A family is the length of its runs, their starts, and the moves: the place in which the
    nearest record is looked for, and whether that record comes (1) or goes (-1).
    """
    records, best = _Records(u), (-1.0, np.arange(0), np.arange(0))
    blocks = [
        (length, starts[low : low + BLOCK], places)
        for length, starts, places in families
        for low in range(0, len(starts), BLOCK)
    ]
    for length, block, places in progress.bar(len(blocks), "sensitivity", steps=blocks):
        starts = np.arange(block.start, block.stop)
        most = records.rounded.at_most(query, *_moved(records.rounded, length, starts, places)[:2])
        likely = _moved(records, length, starts[[most.argmax()]], places)[:2]
        starts = starts[most >= max(best[0], records.changes(query, *likely)[0])]
        if not len(starts):
            continue
        before, after, moves = _moved(records, length, starts, places)
        changes = records.changes(query, before, after)
        largest = int(changes.argmax())
        if changes[largest] > best[0]:
            dataset = records.taken(length, starts[largest])
            neighbour = dataset.copy()
            for record, sign in moves:
                neighbour[record[largest]] = sign > 0
            best = float(changes[largest]), dataset, neighbour
    return best


def _moved(
    records: _Records, length: int, starts: np.ndarray, places: list[tuple[str, int]]
) -> tuple[Moments, Moments, list[tuple[np.ndarray, int]]]:
    """The moments of runs, those after the moves, and the records that move."""
    before = after = records.run(length, starts)
    moves = []
    for place, sign in places:
        moves.append((records.nearest(place, starts, starts + length, after), sign))
        after = records.after(after, *moves[-1])
    return before, after, moves
