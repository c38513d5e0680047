"""What a recommendation knows of a table with answers for each group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose.data.asking import Asked, groups_of
from dpchoose.epsilon.ray import Ray
from dpchoose.epsilon.setting import Setting, as_risk
from dpchoose.risk import curves, decay
from dpchoose.risk.groups import GroupedSums
from dpchoose.risk.record_bound import BoundedRecords
from dpchoose.risk.shell import log_sizes
from dpchoose.sensitivity.groups import GroupSensitivities, group_sensitivities
from dpchoose.worlds.groups import GroupedWorlds, all_but_one, refuse_emptied


def grouped(
    asked: Asked,
    size: int,
    adjacency: str,
    max_worlds: int,
    scales: np.ndarray,
    by: Any,
    universe: Any,
) -> Grouped:
    """The setting of answers for each group, group by group in the order of the labels.

    Raises:
        ValueError: labels that do not fit, or a group that can be emptied
            where a query needs a record.
    """
    codes, names = groups_of(by, universe, asked.records)
    queries = [one.query for one in asked.statistics]
    refuse_emptied(queries, names, np.bincount(codes), release_size=size, adjacency=adjacency)
    flat = np.tile(scales, len(names))
    return Grouped(asked, size, adjacency, max_worlds, flat, codes, tuple(names))


@dataclass(frozen=True, eq=False)
class Grouped(Setting):
    """Statistics for each of G groups, published together.

    Rates, epsilons and scales are those of group after group, shape (G * d,).

    Attributes:
        codes: the group of each record, shape (N,).
        names: of the groups.
    """

    codes: np.ndarray
    names: tuple[Any, ...]

    @property
    def labels(self) -> list[str]:
        return [f"{one.label}, {name}" for name in self.names for one in self.asked.statistics]

    @property
    def _pairs(self) -> list[tuple[Any, np.ndarray]]:
        return [(one.query, one.values) for one in self.asked.statistics]

    @cached_property
    def worlds(self) -> GroupedWorlds | None:
        if self.release_size < self.records - 1:
            return None
        return all_but_one(self._pairs, self.codes)

    @cached_property
    def found(self) -> GroupSensitivities:
        """How far the answers of each group can move."""
        return group_sensitivities(
            self._pairs,
            self.codes,
            self.release_size,
            worlds=self.worlds,
            max_worlds=self.max_worlds,
        )

    @cached_property
    def unbounded(self) -> np.ndarray:
        return self.found.unbounded.ravel()

    @cached_property
    def bounded(self) -> np.ndarray:
        return self.found.bounded.ravel()

    @cached_property
    def spread(self) -> np.ndarray:
        return self.found.spread.ravel()

    @cached_property
    def means(self) -> np.ndarray:
        if self.worlds:
            return self.worlds.mean_answers.ravel()
        share = self.release_size / self.records
        parts = [np.flatnonzero(self.codes == code) for code in range(len(self.names))]
        typical = [one.typical(share, part) for part in parts for one in self.asked.statistics]
        return np.array(typical)

    @cached_property
    def _sums(self) -> GroupedSums | None:
        return GroupedSums(self.worlds) if self.worlds else None

    @cached_property
    def table(self) -> GroupedRecords:
        return GroupedRecords(self)

    def _shaped(self, rates: np.ndarray) -> np.ndarray:
        return rates.reshape(len(self.names), -1)

    def farthest(self, rates: np.ndarray) -> float:
        shaped = self._shaped(rates)
        return self._sums.diameter(shaped) if self._sums else self.found.farthest(shaped)

    def step(self, rates: np.ndarray) -> float:
        return self.found.largest_step(self._shaped(rates))

    def total(self, epsilons: np.ndarray) -> float:
        """The largest of a group where a record comes or goes; of a changed one, of two."""
        by_group = np.sort(epsilons.reshape(len(self.names), -1).sum(axis=1))
        return float(by_group[-1] if self.adjacency == "unbounded" else by_group[-2:].sum())

    def unbounded_total(self, rates: np.ndarray) -> float:
        return float(self._shaped(decay.exponents(rates, self.unbounded)).sum(axis=1).max())

    def world_risk(self, rates: np.ndarray) -> float:
        if self._sums:
            return as_risk(self._sums.tight(self._shaped(rates)).log_risk)
        return as_risk(self._around(rates).log_risk(1.0))

    def shell_curve(self, ray: Ray) -> curves.Around:
        known = self._around(ray.direction)
        return curves.Around(
            self._distances,
            known.logs,
            self.prior,
            known.limit,
            ray.base,
            ray.direction,
            known.log_error,
        )

    def _distances(self, rates: np.ndarray) -> np.ndarray:
        most = min(self.release_size, self.records - self.release_size)
        return self.found.shell_distances(self._shaped(rates), most)

    def _around(self, rates: np.ndarray) -> curves.Exponentials:
        """The shell bound; without noise it may give every world away."""
        logs, error = log_sizes(self.release_size, self.records)
        limit = Fraction(1) if self.spread.any() else self.prior
        return curves.Exponentials(self._distances(rates), logs, self.prior, limit, error)


@dataclass(frozen=True, eq=False)
class GroupedRecords:
    """The risks of one record: "absent" of all but one is exact, the rest is the record bound."""

    setting: Grouped
    exact: bool = False

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, rounded up."""
        setting = self.setting
        steps = np.array([setting.step(rates)])
        bound = BoundedRecords(steps, setting.release_size, setting.records)
        present, absent = bound.largest_log_odds(np.ones(1))
        if setting.worlds:
            risk = setting.world_risk(rates)
            out = math.log(risk) - math.log1p(-risk) if risk < 1 else math.inf
            absent = min(absent, out + 1e-9)
        return present, absent

    def look(self, rates: np.ndarray, secret: str) -> tuple[float, np.ndarray, float]:
        """One of them, and no slope, as none is at hand; nothing is lost."""
        return self.largest_log_odds(rates)[secret == "absent"], np.zeros(len(rates)), 0.0
