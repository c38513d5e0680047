r"""Where the answers of the worlds lie, so that their differences keep every digit.

A risk depends on the differences of answers alone, and a difference of two rounded
answers has lost as many digits as they share. So an answer is held as

.. math:: \frac{\text{base} + \text{place}}{\text{divisor}},

with a place that is a sum of floats without rounding
(:func:`dpchoose.worlds.whole.parts_of`): the base is the same for all worlds and
drops out, and the divisor goes with the rate of the noise. Two answers are equal
when their places are, and not otherwise. What the risk is computed from are the
first two parts of each place. They are off by less than :data:`LOST` of
themselves, and that enters the proof of the risk.

The floats that a callable gives are its answers, and their own places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpchoose.worlds.whole import Parts, TooFarApart, sorted_parts

LOST = 2.0**-98  # of a place, what two floats and the difference of two such pairs leave out
FARTHEST = 745.0  # exponents beyond vanish in floats
MOST = 300.0  # lost of a logarithm: no risk is accepted then

Apart = tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Column:
    """The answers to one query, in some order.

    Attributes:
        parts: of the places, each of shape (M,). Beyond the first two they only tell
            answers apart.
        base: two floats whose sum is the base.
        divisor: above 0.
        off: by how much a difference of two answers may be off besides.
        extremes: two records, where some lie very far apart.
    """

    parts: Parts
    base: tuple[float, float] = (0.0, 0.0)
    divisor: float = 1.0
    off: float = 0.0
    extremes: Apart = None

    def __len__(self) -> int:
        return len(self.parts[0])

    def take(self, rows: np.ndarray) -> Column:
        """Some of the answers."""
        return replace(self, parts=tuple(part[rows] for part in self.parts))

    def answers(self) -> np.ndarray:
        """The answers as floats: base and place, added with their rounding kept, divided once.

        >>> Column((np.array([-1.0, -2]),), base=(16.0, 0.0), divisor=3).answers().tolist()
        [5.0, 4.666666666666667]
        """
        high, low = self.base
        place = self.parts[0]
        whole = high + place
        back = whole - high
        rest = (high - (whole - back)) + (place - back) + low
        if len(self.parts) > 1:
            rest = rest + self.parts[1]
        return (whole + rest) / self.divisor

    def order(self) -> tuple[np.ndarray, np.ndarray]:
        """The order of the answers, and where each group of equal ones begins in it."""
        return sorted_parts(self.parts)

    def distinct(self) -> tuple[Column, np.ndarray]:
        """The distinct answers, sorted, and the number of times that each is there."""
        if len(self.parts) == 1:  # a sort is cheaper than an order
            part = np.sort(self.parts[0])
            begins = np.flatnonzero(np.diff(part, prepend=-np.inf) > 0)
            return replace(self, parts=(part[begins],)), np.diff(begins, append=len(part))
        order, begins = self.order()
        return self.take(order[begins]), np.diff(begins, append=len(order))


@dataclass(frozen=True, eq=False)
class Places:
    """The distinct rows of answers to d queries, ready for sums over their differences.

    Attributes:
        heads: the first parts, shape (M, d).
        tails: the second ones, shape (M, d); None where all are 0.
        divisors: shape (d,).
        off: by how much the difference of two answers may be off besides, shape (d,);
            above 0 also where different answers have the same two parts.
        extremes: of each query, two records, where some lie very far apart.
    """

    heads: np.ndarray
    tails: np.ndarray | None
    divisors: np.ndarray
    off: np.ndarray
    extremes: Sequence[Apart] = ()

    @classmethod
    def of(cls, answers: np.ndarray) -> Places:
        """Of floats that are the answers themselves, shape (M,) or (M, d).

        >>> Places.of(np.array([1.0, 2.0])).heads.tolist()
        [[1.0], [2.0]]
        """
        return cls.of_columns([Column((one,)) for one in answers.reshape(len(answers), -1).T])

    @classmethod
    def of_columns(cls, columns: Sequence[Column]) -> Places:
        """Of the answers to each query."""
        heads, tails = (np.stack([_part(one, k) for one in columns], axis=1) for k in (0, 1))
        return cls(
            heads,
            tails if tails.any() else None,
            np.array([float(one.divisor) for one in columns]),
            np.array([_off(one) for one in columns]),
            [one.extremes for one in columns],
        )

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def exact(self) -> bool:
        """Whether rows are equal exactly where the answers are."""
        return not self.off.any()

    def column(self, query: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Heads and tails of one query, shape (M,)."""
        return self.heads[:, query], None if self.tails is None else self.tails[:, query]

    def rates(self, rates: np.ndarray) -> np.ndarray:
        """The rates of the answers as those of the places, shape (..., d)."""
        return rates / self.divisors

    def from_row(self, row: int | np.ndarray) -> np.ndarray:
        """How far all places lie from those of one row, with signs, shape (M, d).

        Or from those of a row for each query, shape (d,): a corner of the places' box.
        """
        queries = np.arange(self.heads.shape[1])
        gaps = self.heads - self.heads[row, queries]
        return gaps if self.tails is None else gaps + (self.tails - self.tails[row, queries])

    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """A row with the lowest answer to each query, and one with the highest, (d,) each."""
        if self.tails is None:
            return self.heads.argmin(axis=0), self.heads.argmax(axis=0)
        orders = [np.lexsort(pair) for pair in zip(self.tails.T, self.heads.T)]
        return np.array([one[0] for one in orders]), np.array([one[-1] for one in orders])

    def lost(self, rates: np.ndarray) -> np.ndarray | float:
        r"""By how much the logarithm of each row's sum may be off because places are, (M,).

        Places h and h' are off by :math:`\lambda(|h| + |h'|)` at most. Where the
        exponent :math:`t|h - h'|` does not vanish, :math:`t|h'| \le t|h| + 745`.

        Args:
            rates: of the answers, shape (d,).
        """
        finite = np.where(np.isinf(rates), 0.0, rates)  # without noise only ties count
        off = finite * self.off
        if self.tails is None:
            return min(float(off.sum()), MOST)
        with np.errstate(over="ignore"):
            moved = self.rates(finite) * np.abs(self.heads)
            return np.minimum((LOST * (2 * moved + FARTHEST) + off).sum(axis=1), MOST)

    @property
    def widest_loss(self) -> np.ndarray:
        """The most that a difference of two answers may be off because places are, (d,)."""
        if self.tails is None:
            return np.zeros(len(self.divisors))
        return LOST * 2 * np.abs(self.heads).max(axis=0) / self.divisors

    def most_lost(self, rates: np.ndarray) -> float:
        """The most that the logarithm of a ratio of two likelihoods may be off, anywhere."""
        finite = np.where(np.isinf(rates), 0.0, rates)
        return min(4 * float((finite * (self.off + self.widest_loss)).sum()), MOST)

    def ranges(self) -> np.ndarray:
        """The largest difference of two answers to each query, shape (d,)."""
        low, high = self.ends()
        return self.from_row(low)[high, np.arange(len(high))] / self.divisors

    def too_far(self) -> TooFarApart | None:
        """What to say where digits are lost because some records lie very far apart."""
        named = [apart for apart in self.extremes if apart is not None]
        return TooFarApart(*named[0]) if named else None


def distinct_rows(columns: Sequence[Column]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of answers in order, from the first column on, equal ones together.

    Returns:
        the order of the rows, and where each group of equal rows begins in it.

    >>> order, begins = distinct_rows([Column((np.array([2.0, 1, 2]),))])
    >>> order.tolist(), begins.tolist()
    ([1, 0, 2], [0, 1])
    """
    if len(columns) == 1:
        return columns[0].order()
    codes = []
    for column in columns:
        order, begins = column.order()
        code = np.empty(len(order), dtype=np.intp)
        code[order] = np.cumsum(np.bincount(begins, minlength=len(order))) - 1
        codes.append(code)
    return sorted_parts(codes)


def whole_numbers(shares: np.ndarray) -> list[int]:
    """Positive floats as whole numbers in one unit, exactly.

    >>> whole_numbers(np.array([0.5, 0.25]))
    [2, 1]
    """
    ratios = [share.as_integer_ratio() for share in shares.tolist()]
    unit = max(below for _, below in ratios)  # a power of two, as all of them are
    return [above * (unit // below) for above, below in ratios]


def _off(column: Column) -> float:
    """What is off in a column; above 0 where two floats do not tell its answers apart."""
    if len(column.parts) > 2 and not column.off:
        told, all_told = (len(sorted_parts(parts)[1]) for parts in (column.parts[:2], column.parts))
        return 0.0 if told == all_told else math.ulp(0.0)
    return column.off


def _part(column: Column, which: int) -> np.ndarray:
    if which < len(column.parts):
        return column.parts[which]
    return np.zeros(len(column))
