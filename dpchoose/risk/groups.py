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
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpchoose.risk import decay, group_lines
from dpchoose.risk.curves import Look, root_of, upper
from dpchoose.risk.decay import FARTHEST, UNIT
from dpchoose.risk.group_pairs import GroupPairs
from dpchoose.worlds.groups import GroupedWorlds
from dpchoose.worlds.places import LOST


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
        self.in_line = group_lines.in_line(worlds)

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
        peaks = peaks * np.exp(worlds.lost(rates))
        if self.in_line:
            risks = peaks / (group_lines.sums(worlds, rates) + others)
            row = int(risks.argmax())
            return Tight(_log(risks[row]), self.log_error, row)
        rest = np.maximum(masses[worlds.group] - worlds.weights * near, 0.0)
        risk, row = self._pairs.worst(rates, peaks, others, near * rest)
        return Tight(_log(risk), self.log_error, row)

    @cached_property
    def _pairs(self) -> GroupPairs:
        return GroupPairs(self.worlds)

    @cached_property
    def log_error(self) -> float:
        """A bound on the error of the logarithm that :meth:`tight` returns.

        With u = 2**-53: the exponents of two worlds of two groups are off by at most
        d + 3 roundings of themselves, and those above 745 vanish; a term meets at most
        one rounding for each row of its group, one for each group, and a few more. What
        underflows is below 1e-300 of any sum, as each is at least its own weight. To
        this comes the error of the sums within groups, and, where rows were passed over,
        as much again twice.
        """
        records, d = self.worlds.moves.shape
        steps = 2 * FARTHEST * (d + 4) + 2 * int(self.sizes.max()) + 2 * len(self.sizes) + 200
        across = 2 * UNIT * steps
        if self.in_line:
            return across + 2 * group_lines.relative_error(records, d)
        return 3 * (across + self._pairs.error)

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
        gaps = self.worlds.gaps(own, row)
        found[own] = decay.exponents(rates[self.worlds.group[row]], gaps).sum(axis=1)
        return found

    def diameter(self, rates: np.ndarray) -> float:
        r"""The largest distance of two worlds, for the upper bound.

        Within a group it is the largest range of :math:`\sum_q \pm t_q \delta_q` over the
        patterns of signs, between groups the sum of the two farthest moves.

        Args:
            rates: in [0, inf], shape (G, d).
        """
        worlds = self.worlds
        firsts = self.first[worlds.group]
        from_first = worlds.moves - worlds.moves[firsts]
        from_first += worlds.tails - worlds.tails[firsts]
        moved = decay.exponents(rates[worlds.group], from_first)
        if np.isinf(moved).any():
            return math.inf
        widest = 0.0
        for signs in itertools.product((1.0, -1.0), repeat=moved.shape[1] - 1):
            line = moved @ np.array([1.0, *signs])
            high = np.maximum.reduceat(line, self.first)
            widest = max(widest, float((high - np.minimum.reduceat(line, self.first)).max()))
        farthest = np.maximum.reduceat(self._away(rates), self.first)
        if len(farthest) > 1:
            widest = max(widest, float(np.sort(farthest)[-2:].sum()))
        finite = np.where(np.isinf(rates), 0.0, rates)
        widest += 4 * LOST * float(self._away(finite).max())
        return widest * (1 + 4 * (moved.shape[1] + 4) ** 2 * UNIT)

    def _away(self, rates: np.ndarray) -> np.ndarray:
        """The distance of each world from the full universe, which is none of them."""
        return decay.exponents(rates[self.worlds.group], np.abs(self.worlds.moves)).sum(axis=1)


@dataclass(frozen=True, eq=False)
class GroupedTight:
    """The tight bound of :class:`GroupedSums` along base + rate * direction.

    Attributes:
        sums: over the worlds of the table.
        risk: the accepted one: rows that cannot exceed it are left out.
        base, direction: rates of the answers, group by group, shape (G * d,).
    """

    sums: GroupedSums
    risk: Fraction
    base: np.ndarray
    direction: np.ndarray

    @property
    def prior(self) -> Fraction:
        return Fraction(1, self.sums.worlds.total)

    @cached_property
    def limit(self) -> Fraction:
        return Fraction(1, int(self._ties.min()))

    @cached_property
    def _ties(self) -> np.ndarray:
        """How many worlds share all answers with each row: those that move nothing are one."""
        worlds = self.sums.worlds
        counts = np.rint(worlds.weights * worlds.total).astype(np.int64)
        still = ~worlds.moves.any(axis=1)
        return np.where(still, counts[still].sum(), counts)

    def start(self, goal: float) -> float:
        return upper(self.prior, self.sums.diameter(self._table(self.direction))).start(goal)

    def look(self, rate: float, goal: float) -> Look:
        worlds = self.sums.worlds
        enough = -(-self.risk.denominator // self.risk.numerator)  # ties that keep the risk
        rates = self._table(self.base + decay.exponents(rate, self.direction))
        log_risk, log_error, at = self.sums.tight(rates, self._ties < enough)
        logs = np.log(worlds.weights) - math.log(worlds.peaks[at])
        if self.base.any():
            logs = logs - self.sums.distances(at, self._table(self.base))
        distances = self.sums.distances(at, self._table(self.direction))
        root = root_of(distances, logs, log_error - goal, rate)
        return Look(log_risk, log_error, root, float(worlds.lost(rates)[at]))

    def too_far(self) -> None:
        """Groups name no records."""

    def _table(self, rates: np.ndarray) -> np.ndarray:
        return rates.reshape(-1, self.sums.worlds.moves.shape[1])


def _log(risk: float) -> float:
    """Its logarithm, where no row may be the worst, too."""
    return math.log(risk) if risk > 0 else -math.inf


def _of_the_others(masses: np.ndarray) -> np.ndarray:
    """The sum over all groups but one, for each, where nothing cancels."""
    before, after = np.zeros(len(masses)), np.zeros(len(masses))
    before[1:] = np.cumsum(masses[:-1])
    after[:-1] = np.cumsum(masses[:0:-1])[::-1]
    return before + after
