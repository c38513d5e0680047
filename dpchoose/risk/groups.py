r"""The tight bound of one answer for each group, when all records but one are released.

The world without record a of group g differs from the one without b in the answers
of both their groups, or of g alone:

.. math:: \sum_b w_b e^{-d_{ab}} = \sum_{b \in g} w_b e^{-|t_g(\delta_a - \delta_b)|}
          + e^{-|t_g \delta_a|} \sum_{b \notin g} w_b e^{-|t_b \delta_b|}

with the moves :math:`\delta` of :class:`~dpchoose.worlds.groups.GroupedWorlds`, and
:math:`|t\delta| = \sum_q t_q |\delta_q|` for d answers. The second sum is one number
for each group, so that only the first one asks for pairs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpchoose.risk import decay, decay_rows
from dpchoose.worlds.groups import GroupedWorlds

UNIT = 2.0**-53
FARTHEST = 745.0  # exponents beyond vanish in floats
TRIED = 64  # rows that are summed first
NEIGHBOURS = 12  # on each side, that are looked at before all of a group
FIRST_PAIRS, MOST_PAIRS = 2**12, 2**19  # that are looked at together
MANY_PAIRS = 2**19  # in a group, from which all of its sums cost less


class Tight(NamedTuple):
    """The tight bound at some rates.

    Attributes:
        log_risk: its logarithm.
        log_error: how far it may be off.
        row: a world that attains it.
    """

    log_risk: float
    log_error: float
    row: int


class GroupedSums:
    """The sums over all worlds as the rates vary, and what the bounds need of them.

    Rates are those of each group's answers, t = 1/scale, shape (G, d), in [0, inf].

    >>> from dpchoose.worlds.groups import all_but_one
    >>> worlds = all_but_one([("count", np.zeros(5))], np.array([0, 0, 0, 1, 1]))
    >>> bound = GroupedSums(worlds).tight(np.array([[np.inf], [1.0]]))
    >>> round(float(np.exp(bound.log_risk)), 12), bound.row
    (0.5, 1)
    """

    def __init__(self, worlds: GroupedWorlds) -> None:
        self.worlds = worlds
        self.first = worlds.starts[:-1]
        self.sizes = np.diff(worlds.starts)
        self.in_line = _all_in_line(worlds)

    def tight(self, rates: np.ndarray, among: np.ndarray | None = None) -> Tight:
        """The tight bound (``eq-tight``) on the logarithmic scale.

        Args:
            rates: shape (G, d).
            among: the rows that may be the worst, shape (M,); all where it is None.
        """
        worlds = self.worlds
        near = np.exp(-self._away(rates))
        masses = np.add.reduceat(worlds.weights * near, self.first)
        others = near * _of_the_others(masses)[worlds.group]
        peaks = worlds.peaks if among is None else worlds.peaks * among
        if self.in_line:
            risks = peaks / (self._sums_of_lines(rates) + others)
            row = int(risks.argmax())
            return Tight(float(np.log(risks[row])), self.log_error, row)
        rest = np.maximum(masses[worlds.group] - worlds.weights * near, 0.0)
        risk, row = self._largest(rates, peaks, others, near * rest)
        return Tight(float(np.log(risk)), self.log_error, row)

    @cached_property
    def log_error(self) -> float:
        """A bound on the error of the logarithm that :meth:`tight` returns.

        A row that was passed over has a risk that exceeds the largest one found by no
        more than their rounding, and by as much again.
        """
        return self._rounding if self.in_line else 3 * self._rounding

    @cached_property
    def _rounding(self) -> float:
        r"""A bound on the error of the logarithm of a row's risk.

        With u = 2**-53: an exponent is a sum of d products of a rate and a difference,
        off by at most d + 1 roundings of itself, and those above 745 vanish; a term
        meets at most five roundings for each column and row of the table that it is
        carried through, one for each row of a group's sum, one for each group, and a few
        more. What underflows is below 1e-300 of any sum, as each is at least its own
        weight.
        """
        records, d = self.worlds.moves.shape
        most, groups = int(self.sizes.max()), len(self.sizes)
        table = 5 * 3 * (math.isqrt(records) + 1)
        steps = 2 * FARTHEST * (d + 2) + table + 2 * most + 2 * groups + 200
        return 2 * UNIT * steps + decay_rows.relative_error(most, d)

    def distances(self, row: int, rates: np.ndarray) -> np.ndarray:
        r"""How far all worlds are from one of them, :math:`\sum t |f_i - f_j|`, shape (M,).

        Along a ray these grow in proportion to the rates, so that the risk of the row,
        peak over the sum of weights times :math:`e^{-\tau d}`, is easily inverted.

        Args:
            row: a world.
            rates: finite, shape (G, d).
        """
        away = self._away(rates)
        own = slice(*self.worlds.starts[self.worlds.group[row] :][:2])
        found = away + away[row]
        gaps = np.abs(self.worlds.moves[own] - self.worlds.moves[row])
        found[own] = gaps @ rates[self.worlds.group[row]]
        return found

    def diameter(self, rates: np.ndarray) -> float:
        r"""The largest distance of two worlds, for the upper bound.

        Within a group it is the largest range of :math:`\sum_q \pm t_q \delta_q` over the
        patterns of signs, between groups the sum of the two farthest moves.

        Args:
            rates: finite, shape (G, d).
        """
        moved = self.worlds.moves * rates[self.worlds.group]
        widest = 0.0
        for signs in itertools.product((1.0, -1.0), repeat=moved.shape[1] - 1):
            line = moved @ np.array([1.0, *signs])
            high = np.maximum.reduceat(line, self.first)
            widest = max(widest, float((high - np.minimum.reduceat(line, self.first)).max()))
        farthest = np.maximum.reduceat(self._away(rates), self.first)
        if len(farthest) == 1:
            return widest
        return max(widest, float(np.sort(farthest)[-2:].sum()))

    def _away(self, rates: np.ndarray) -> np.ndarray:
        """The distance of each world from the full universe, which is none of them."""
        return decay.exponents(rates[self.worlds.group], np.abs(self.worlds.moves)).sum(axis=1)

    def _sums_of_lines(self, rates: np.ndarray) -> np.ndarray:
        r"""The sums within the groups whose rows stand in line.

        :math:`L_i = w_i + e^{-t\,\text{gap}} L_{i-1}` from the left, and its mirror from
        the right, with nothing handed on from group to group.
        """
        worlds, last = self.worlds, len(self.worlds.group) - 1
        width = math.isqrt(last) + 1
        ends = np.minimum(np.arange(width - 1, last + width, width), last)

        def keep(one: np.ndarray, other: np.ndarray) -> np.ndarray:
            gaps = np.abs(worlds.moves[one] - worlds.moves[other])
            away = decay.exponents(rates[worlds.group[one]], gaps).sum(axis=1)
            return np.where(worlds.group[one] == worlds.group[other], np.exp(-away), 0.0)

        rows = np.arange(last + 1)
        steps = keep(rows[1:], rows[:-1])
        across, across_back = keep(ends[1:], ends[:-1]), keep(last - ends[1:], last - ends[:-1])
        left = _carried(worlds.weights, steps, across, width)
        right = _carried(worlds.weights[::-1], steps[::-1], across_back, width)[::-1]
        left[:-1] += steps * right[1:]
        return left

    def _largest(
        self, rates: np.ndarray, peaks: np.ndarray, others: np.ndarray, rest: np.ndarray
    ) -> tuple[float, int]:
        """The worst row where they do not stand in line, from the fewest pairs.

        A part of a sum is a lower bound, and gives the risk of a row a ceiling. By the
        triangle inequality what the rest of the group adds to the own weight is at least
        ``rest``, and it is at least what a few neighbours along a curve add. Where few
        rows of a group have a ceiling above the largest risk so far, these are summed
        one by one, from the highest ceiling down; where many have, all of the group.
        """
        group, best = self.worlds.group, (0.0, 0)
        parts = self.worlds.weights + others

        def best_of(rows: np.ndarray, sums: np.ndarray) -> tuple[float, int]:
            risks = peaks[rows] / (sums + others[rows])
            return max(best, (float(risks.max()), int(rows[risks.argmax()])))

        ceilings = peaks / (parts + rest)
        high = np.argpartition(-ceilings, min(TRIED, len(ceilings)) - 1)[:TRIED]
        for rows in self._in_portions(high):
            best = best_of(rows, self._sums_of_rows(rows, rates))
        left = np.flatnonzero(ceilings > best[0] * (1 + self._rounding))
        ceilings[left] = peaks[left] / (parts[left] + self._sums_of_neighbours(left, rates))
        left = left[ceilings[left] > best[0] * (1 + self._rounding)]
        left = left[np.argsort(-ceilings[left], kind="stable")]
        counts = np.bincount(group[left], minlength=len(self.sizes))
        many = counts * self.sizes > MANY_PAIRS
        for g in np.flatnonzero(many):
            own = np.arange(self.first[g], self.first[g] + self.sizes[g])
            moves, weights = self.worlds.moves[own], self.worlds.weights[own]
            best = best_of(own, decay_rows.sums(moves, weights, rates[g]))
        for rows in self._in_portions(left[~many[group[left]]]):
            rows = rows[ceilings[rows] > best[0] * (1 + self._rounding)]
            if not len(rows):
                break
            best = best_of(rows, self._sums_of_rows(rows, rates))
        return best

    @cached_property
    def _curve(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of each group along a curve that fills space, and each one's place.

        The bits of the ranks of its coordinates by turns make up the place of a row.
        """
        worlds = self.worlds
        ranks = np.empty_like(worlds.moves, dtype=np.int64)
        place = np.arange(len(ranks)) - np.repeat(self.first, self.sizes)
        for axis, moves in enumerate(worlds.moves.T):
            ranks[np.lexsort((moves, worlds.group)), axis] = place
        bits = min(int(self.sizes.max()).bit_length(), 62 // ranks.shape[1])
        ranks >>= max(0, int(self.sizes.max()).bit_length() - bits)
        key = np.zeros(len(ranks), dtype=np.int64)
        for bit in range(bits - 1, -1, -1):
            for rank in ranks.T:
                key = key << 1 | rank >> bit & 1
        order = np.lexsort((key, worlds.group))
        where = np.empty_like(order)
        where[order] = np.arange(len(order))
        return order, where

    def _sums_of_neighbours(self, rows: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """What the neighbours along the curve add to the sums of some rows."""
        worlds, (order, where) = self.worlds, self._curve
        groups, place, found = worlds.group[rows], where[rows], np.zeros(len(rows))
        moves, t = worlds.moves[rows], rates[groups]
        for step in itertools.chain(range(-NEIGHBOURS, 0), range(1, NEIGHBOURS + 1)):
            at = place + step
            other = order[at % len(order)]
            inside = (worlds.group[other] == groups) & (at >= 0) & (at < len(order))
            away = decay.exponents(t, np.abs(worlds.moves[other] - moves)).sum(axis=1)
            found += np.where(inside, worlds.weights[other] * np.exp(-away), 0.0)
        return found

    def _in_portions(self, order: np.ndarray) -> Iterator[np.ndarray]:
        """The rows in order, as many at a time as make a number of pairs, first a small one."""
        pairs = np.cumsum(self.sizes[self.worlds.group[order]])
        start, most = 0, FIRST_PAIRS
        while start < len(order):
            done = pairs[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(pairs, done + most, "right")))
            yield order[start:stop]
            start, most = stop, min(2 * most, MOST_PAIRS)

    def _sums_of_rows(self, rows: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """The sums within their groups for some rows, over all pairs."""
        groups = self.worlds.group[rows]
        sizes = self.sizes[groups]
        begins = np.cumsum(sizes) - sizes
        one = np.repeat(np.arange(len(rows)), sizes)
        other = np.arange(len(one)) - begins[one] + self.first[groups][one]
        away = np.zeros(len(one))
        for moves, t in zip(self.worlds.moves.T, rates.T):
            away += decay.exponents(t[groups][one], np.abs(moves[rows][one] - moves[other]))
        return np.add.reduceat(self.worlds.weights[other] * np.exp(-away), begins)


def count_risks(sizes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    r"""The risk of who is missing from each group, when counts are published.

    .. math:: \frac{1}{c_a + e^{-t_a}\sum_{b \neq a} c_b e^{-t_b}}

    The largest of them is the tight bound, for all but one released.

    Args:
        sizes: c, records of each group, shape (G,).
        rates: t, in [0, inf], shape (G,).

    >>> count_risks(np.array([1000, 2]), np.array([np.inf, 5.0])).tolist()
    [0.001, 0.5]
    """
    near = np.exp(-rates)
    return 1 / (sizes + near * _of_the_others(sizes * near))


def _of_the_others(masses: np.ndarray) -> np.ndarray:
    """The sum over all groups but one, for each, where nothing cancels."""
    before, after = np.zeros(len(masses)), np.zeros(len(masses))
    before[1:] = np.cumsum(masses[:-1])
    after[:-1] = np.cumsum(masses[:0:-1])[::-1]
    return before + after


def _all_in_line(worlds: GroupedWorlds) -> bool:
    """Whether, along the rows of any group, each answer only rises or only falls.

    Distances add up along such rows. So it is with one answer, and with counts, sums,
    means and percentiles of the same records.
    """
    within = worlds.group[1:] == worlds.group[:-1]
    group, steps = worlds.group[1:][within], np.diff(worlds.moves, axis=0)[within]
    count = len(worlds.answers)
    return not any(
        (np.bincount(group, step > 0, count) * np.bincount(group, step < 0, count)).any()
        for step in steps.T
    )


def _carried(given: np.ndarray, steps: np.ndarray, across: np.ndarray, width: int) -> np.ndarray:
    """The running sum :math:`L_i = w_i + k_{i-1} L_{i-1}`, for a row of a table at a time.

    All rows of the table run side by side, column after column: first to find what each
    hands on to the next, and then with what it is handed.

    Args:
        given: w, shape (M,).
        steps: k, shape (M - 1,).
        across: the product of the k from the end of each row to that of the next.
        width: of the table.
    """
    rows = -(-len(given) // width)
    table = np.zeros((2, rows * width))
    table[0, : len(given)] = given
    table[1, 1 : len(given)] = steps
    given_columns, kept = np.ascontiguousarray(table.reshape(2, rows, width).transpose(0, 2, 1))
    state = np.zeros(rows)
    for column in range(width):
        state = state * kept[column] + given_columns[column]
    for row in range(1, rows):
        state[row] += across[row - 1] * state[row - 1]
    state[1:] = state[:-1].copy()
    state[0] = 0
    for column in range(width):
        state = state * kept[column] + given_columns[column]
        given_columns[column] = state
    return given_columns.T.ravel()[: len(given)]
