r"""Sums of weights that decay with distance, for rows of several coordinates.

:math:`S_i = \sum_j w_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}` for every row i, in
about :math:`M (\log M)^{d-1}` steps for M rows of d coordinates.

The rows are halved at a value c of the first coordinate. Between a row of the
lower and a row of the upper half, :math:`|f_i - f_j| = |f_i - c| + |c - f_j|`,
so that each row's own factor :math:`e^{-t|f_i - c|}` takes the coordinate out
of their term. Both halves are halved again, until they are small enough for
all their pairs, and for each halving the same is done to the second
coordinate, and so on. In the last one the rows stand in order, and a running
sum that shrinks by :math:`e^{-t\,\text{gap}}` from row to row meets every pair.
All terms are positive, and nothing cancels.
"""

from __future__ import annotations

import math

import numpy as np

from dpchoose.risk.decay import FARTHEST, UNIT
from dpchoose.worlds.whole import sorted_parts

LEAF = 6  # halves of at most 2**LEAF rows are summed over all their pairs
PAIRS = 2**16  # pairs that are looked at together: they fit into a fast cache
NOTHING = 800.0  # exp(-800) is 0 in floating point


def sums(
    answers: np.ndarray,
    weights: np.ndarray,
    rates: np.ndarray,
    tails: np.ndarray | None = None,
) -> np.ndarray:
    r"""The sums :math:`S_i = \sum_j w_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}` of all rows.

    Args:
        answers: f, shape (M, d), finite, differences in [0, 1e300].
        weights: w, shape (M,), each 0 or at least 1e-290, the largest at most
            1e290 times the smallest above 0; they add up to at most 1e300.
        rates: t, shape (d,), in [0, inf]. At an infinite rate only rows count
            that are equal in that coordinate.
        tails: what the answers lack, shape (M, d); None where that is nothing.

    Returns:
        shape (M,), each within a factor 1 + :func:`relative_error` of the sum.

    >>> rows = np.array([[0.0, 0], [1, 1], [1, 5]])
    >>> sums(rows, np.array([1.0, 2, 4]), np.array([np.log(2), np.inf])).tolist()
    [1.0, 2.0, 4.0]
    >>> sums(rows, np.array([1.0, 2, 4]), np.array([np.log(2), 0.0])).tolist()
    [4.0, 6.5, 6.5]
    """
    with np.errstate(over="ignore", under="ignore"):
        return _Halving(*_finite(answers, tails, rates), weights).run()


def relative_error(size: int, coordinates: int) -> float:
    r"""A bound on the relative error of :func:`sums`, and of one row's sum in any order.

    With u = 2**-53, for each term: its exponent is a sum of products of a rate
    and a difference, off by at most d + 4 roundings (the rate and its unit, the
    difference and its tail, product, sum) of parts that add up to at most 745,
    beyond which a term vanishes. On its way from row to row it meets
    a factor, which is an exponential (4 u), a product and an addition, at most
    once for each row and twice for each column of a table that holds M, and
    two for each coordinate that was halved. A block in which all pairs are
    summed takes 2**LEAF additions. With at most L halvings of a coordinate there are
    :math:`1 + L + \dots + L^{d-1} \le (L + 1)^{d-1}` parts of a sum, added one
    after the other. Terms that underflow are lost: the risk is then too high
    and never too low, by less than 1e-25 of itself, because a sum is at least
    the row's own weight.

    >>> relative_error(10**5, 3) < 2e-12
    True
    """
    width, rows = _table(size)
    levels = max(1, size).bit_length() + 1
    steps = 6 * (2 * width + rows + 2 * coordinates + 2**LEAF)
    return UNIT * (FARTHEST * (coordinates + 5) + steps + levels ** max(1, coordinates - 1) + 100)


def _finite(
    answers: np.ndarray, tails: np.ndarray | None, rates: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Rows and rates with the same terms, without an infinite rate.

    A coordinate with an infinite rate becomes the rank among its values, whose
    differences are 0 or at least 1.
    """
    infinite = np.isinf(rates)
    if infinite.any():
        answers, lacking = answers.copy(), tails
        tails = None if tails is None else np.where(infinite, 0.0, tails)
        for axis in np.flatnonzero(infinite):
            both = [answers[:, axis]] if lacking is None else [answers[:, axis], lacking[:, axis]]
            order, begins = sorted_parts(both)
            ranks = np.cumsum(np.bincount(begins, minlength=len(order)))
            answers[order, axis] = ranks
    return answers, tails, np.where(infinite, NOTHING, rates)


def _table(size: int) -> tuple[int, int]:
    """Width and rows, both about the square root of the size, of a table that holds it."""
    width = math.isqrt(max(0, size - 1)) + 1
    return width, -(-size // width)


class _Halving:
    """One evaluation: the columns, their ranks, and the sums so far.

    A last, empty row of weight 0 fills tables and blocks up.
    """

    def __init__(
        self,
        answers: np.ndarray,
        tails: np.ndarray | None,
        rates: np.ndarray,
        weights: np.ndarray,
    ) -> None:
        if answers.shape[1] == 1:
            answers, rates = np.insert(answers, 0, 0.0, axis=1), np.insert(rates, 0, 0.0)
            tails = None if tails is None else np.insert(tails, 0, 0.0, axis=1)
        self.size = len(answers)
        self.rates = rates
        self.weights = np.append(weights, 0.0)
        self.columns = np.vstack([answers, answers[-1:]]).T.copy()
        self.tails: list[np.ndarray | None] = [None] * len(rates)
        if tails is not None:
            last = np.vstack([tails, tails[-1:]]).T.copy()
            self.tails = [tail if tail.any() else None for tail in last]
        self.sorted = [
            np.argsort(column[:-1], kind="stable")
            if tail is None
            else np.lexsort((tail[:-1], column[:-1]))
            for column, tail in zip(self.columns, self.tails)
        ]
        self.ranks = np.empty((len(rates), self.size), dtype=np.int64)
        for rank, rows in zip(self.ranks, self.sorted):
            rank[rows] = np.arange(self.size)
        self.shift = self.size.bit_length()
        self.total = np.zeros(self.size + 1)
        width, rows = _table(self.size)
        self.terms = np.empty((2, width, 2, rows))

    def run(self) -> np.ndarray:
        """All sums."""
        everything = np.zeros(self.size, dtype=np.int64)
        self.halve(0, everything, None, self.weights[None], np.ones((1, self.size + 1)))
        return self.total[:-1]

    def halve(
        self,
        axis: int,
        segment: np.ndarray,
        upper: np.ndarray | None,
        sources: np.ndarray,
        targets: np.ndarray,
    ) -> None:
        """Add, for rows of one segment, what is left of the distance from this coordinate on.

        Args:
            axis: the coordinate.
            segment: an integer of each row; only rows of one segment meet.
            upper: 1 in the upper half of the first coordinate, 0 in the lower;
                only rows of different halves meet. None before there are any.
            sources: what the rows give, once for each half, 0 in the other.
            targets: the factors with which the rows take, opposite to it.
        """
        key = np.sort(segment << self.shift | self.ranks[axis])
        order = self.sorted[axis][key & ((1 << self.shift) - 1)]
        key >>= self.shift
        first = np.append(True, key[1:] != key[:-1])
        if axis == len(self.rates) - 1:
            self.sweep(order, first, sources, targets)
            return
        starts = np.flatnonzero(first)
        sizes = np.diff(starts, append=self.size)
        start, last = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
        local = np.arange(self.size) - start
        self.pairs(axis, order, local, sources, targets)
        values, tail = self.columns[axis, order], self.tails[axis]
        factor, place = np.zeros(self.size + 1), np.empty_like(segment)
        for level in range(LEAF + 1, int(local.max()).bit_length() + 1):
            node = start + (local >> level << level)
            middle = np.minimum(node + (1 << level - 1), last)
            gaps = values - values[middle]
            if tail is not None:
                gaps += tail[order] - tail[order[middle]]
            factor[order] = np.exp(-self.rates[axis] * np.abs(gaps))
            half = local >> level - 1 & 1
            if upper is None:
                place[order] = node
                side = np.zeros(self.size + 1, dtype=np.int64)
                side[order] = half
                sides = np.stack([1 - side, side]) * factor
                self.halve(axis + 1, place, side, sources * sides, targets * sides[::-1])
            else:  # those meet that lie in different halves of this coordinate too
                place[order] = 2 * node + (half ^ upper[order])
                self.halve(axis + 1, place, upper, sources * factor, targets * factor)

    def pairs(
        self,
        axis: int,
        order: np.ndarray,
        local: np.ndarray,
        sources: np.ndarray,
        targets: np.ndarray,
    ) -> None:
        """Add all pairs within blocks of 2**LEAF rows that stand together."""
        fresh = local & (1 << LEAF) - 1 == 0
        width = min(self.size, 1 << LEAF)
        blocks = np.full((int(fresh.sum()), width), self.size)
        blocks[np.cumsum(fresh) - 1, local & (1 << LEAF) - 1] = order
        step = max(1, PAIRS // width**2)
        for block in (blocks[i : i + step] for i in range(0, len(blocks), step)):
            away = np.zeros((len(block), width, width))
            for column, tail, rate in zip(
                self.columns[axis:], self.tails[axis:], self.rates[axis:]
            ):
                values = column[block]
                gaps = values[:, :, None] - values[:, None, :]
                if tail is not None:
                    values = tail[block]
                    gaps += values[:, :, None] - values[:, None, :]
                np.abs(gaps, out=gaps)
                gaps *= rate
                away += gaps
            decay = np.exp(np.negative(away, out=away), out=away)
            for given, taken in zip(sources, targets):
                self.total[block] += taken[block] * (decay @ given[block][..., None])[..., 0]

    def sweep(
        self, order: np.ndarray, first: np.ndarray, sources: np.ndarray, targets: np.ndarray
    ) -> None:
        """Add the pairs of all segments, with the rows in order of the last coordinate.

        The order is cut into stretches, one to each row of a table, forwards
        and backwards. The running sums of all stretches grow at once, column
        by column: a first time to find what each stretch hands on to the next,
        and a second time with what it was handed.
        """
        width, rows = _table(self.size)
        padded = np.full(width * rows, self.size)
        padded[: self.size] = order
        breaks = np.ones(width * rows, dtype=bool)
        breaks[: self.size] = first
        table = _columnwise(padded, padded[::-1], rows, width)
        keep, across = _steps(np.take(self.columns[-1], table, mode="clip"))
        if self.tails[-1] is not None:
            more, farther = _steps(np.take(self.tails[-1], table, mode="clip"))
            keep += more
            across += farther
        for gaps in (keep, across):
            np.abs(gaps, out=gaps)
            gaps *= -self.rates[-1]
            np.exp(gaps, out=gaps)
        broken = _columnwise(breaks, np.append(True, breaks[:0:-1]), rows, width)
        keep[broken] = 0
        across[broken.any(axis=0)] = 0
        terms = self.terms
        np.take(sources, table, axis=1, out=terms, mode="clip")
        state = np.zeros((len(sources), 2, rows))
        for column in range(width):
            state *= keep[column]
            state += terms[:, column]
        for row in range(1, rows):
            state[:, :, row] += across[:, row] * state[:, :, row - 1]
        state[:, :, 1:] = state[:, :, :-1].copy()
        state[:, :, 0] = 0
        for column in range(width):
            state *= keep[column]
            state += terms[:, column]
            terms[:, column] = state
        for half, taken in zip(terms, targets):
            half *= np.take(taken, table, out=keep, mode="clip")
        forwards, backwards = np.add(terms[0], terms[1], out=keep).transpose(1, 2, 0)
        gained = forwards.ravel() + backwards.ravel()[::-1]
        self.total[order] += gained[: self.size]


def _steps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From each value of a table to the next, down its columns, and from last to last."""
    keep, across = np.empty(values.shape), np.zeros(values.shape[1:])
    np.subtract(values[1:], values[:-1], out=keep[1:])
    np.subtract(values[0, :, 1:], values[-1, :, :-1], out=keep[0, :, 1:])
    across[:, 1:] = values[-1, :, 1:] - values[-1, :, :-1]
    keep[0, :, 0] = 0
    return keep, across


def _columnwise(forwards: np.ndarray, backwards: np.ndarray, rows: int, width: int) -> np.ndarray:
    """Two sequences, cut into rows, as an array of shape (width, 2, rows)."""
    both = np.stack([forwards, backwards]).reshape(2, rows, width)
    return np.ascontiguousarray(both.transpose(2, 0, 1))
