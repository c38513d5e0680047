"""The tight bound of a table by group, along a ray of rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpchoose.risk.curves import Look, root_of, upper
from dpchoose.risk.groups import GroupedSums


@dataclass(frozen=True, eq=False)
class GroupedTight:
    """When all but one are released, along base + rate * direction.

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
        rates = self._table(self.base + rate * self.direction)
        log_risk, log_error, at = self.sums.tight(rates, self._ties < enough)
        logs = np.log(worlds.weights) - math.log(worlds.peaks[at])
        if self.base.any():
            logs = logs - self.sums.distances(at, self._table(self.base))
        distances = self.sums.distances(at, self._table(self.direction))
        return Look(log_risk, log_error, root_of(distances, logs, log_error - goal, rate))

    def _table(self, rates: np.ndarray) -> np.ndarray:
        return rates.reshape(-1, self.sums.worlds.moves.shape[1])
