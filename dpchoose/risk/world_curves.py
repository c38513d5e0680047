"""The risks of worlds and of one record along a ray of rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpchoose.risk import average, decay
from dpchoose.risk.curves import Look, root_of, upper
from dpchoose.risk.decay import UNIT
from dpchoose.risk.joint import JointRisk, diameter
from dpchoose.worlds.places import Places
from dpchoose.worlds.possible import Worlds
from dpchoose.worlds.whole import TooFarApart


@dataclass(frozen=True, eq=False)
class Tight:
    """The tight bound of one answer, :func:`dpchoose.tight_bound`.

    Attributes:
        worlds: with one answer each.
        among: the answers that exceed the accepted risk without noise, (M,).
        direction: how fast the rate of the noise grows along the ray.
    """

    worlds: Worlds
    among: np.ndarray
    direction: float = 1.0

    @property
    def prior(self) -> Fraction:
        return self.worlds.largest_prior

    @property
    def limit(self) -> Fraction:
        return self.worlds.largest_share

    def start(self, goal: float) -> float:
        return upper(self.prior, self.worlds.spread * self.direction).start(goal)

    def look(self, rate: float, goal: float) -> Look:
        worlds, places, stated = self.worlds, self.worlds.places, np.array([rate * self.direction])
        rates, (heads, tails) = places.rates(stated), places.column(0)
        sums = decay.sums(heads, worlds.weights, rates, tails)[0]
        lost = places.lost(stated)
        risks = worlds.peaks * self.among / sums * np.exp(lost)
        at = int(risks.argmax())
        distances = np.abs(places.from_row(at)[:, 0]) / places.divisors[0]
        error = 2 * decay.relative_error(len(sums), float(rates[0] * (heads[-1] - heads[0])))
        logs = self._logs - math.log(worlds.peaks[at])
        root = root_of(distances, logs, error - goal, float(stated[0]))
        return Look(math.log(risks[at]), error, root / self.direction, _largest(lost, at))

    def too_far(self) -> TooFarApart | None:
        return self.worlds.places.too_far()

    @cached_property
    def _logs(self) -> np.ndarray:
        return np.log(self.worlds.weights)


@dataclass(frozen=True, eq=False)
class Joint:
    """The tight bound of several answers, along the ray base + rate * direction.

    Attributes:
        worlds: with d answers each.
        among: the rows that exceed the accepted risk without noise, (M,).
        base, direction: rates of shape (d,).
    """

    worlds: Worlds
    among: np.ndarray
    base: np.ndarray
    direction: np.ndarray

    @cached_property
    def rows(self) -> JointRisk:
        worlds = self.worlds
        return JointRisk(worlds.places, worlds.weights, worlds.peaks * self.among)

    @cached_property
    def prior(self) -> Fraction:
        if not self.base.any():
            return self.worlds.largest_prior
        return Fraction(math.exp(self.rows.largest(self.base)[0] - self.rows.log_error))

    @cached_property
    def limit(self) -> Fraction:
        bare = np.where(self.direction > 0, math.inf, self.base)
        if np.isinf(bare).all() or not self.worlds.places.exact:
            return self.worlds.largest_share
        return Fraction(math.exp(self.rows.largest(bare)[0] + self.rows.log_error))

    def start(self, goal: float) -> float:
        farthest = diameter(self.worlds.places, self.direction)[0]
        return upper(self.worlds.largest_prior, farthest).start(goal)

    def look(self, rate: float, goal: float) -> Look:
        rates = self.base + decay.exponents(rate, self.direction)
        log_risk, at = self.rows.largest(rates)
        logs = np.log(self.worlds.weights) - math.log(self.worlds.peaks[at])
        if self.base.any():
            logs = logs - self.rows.distances(at, self.base)
        distances = self.rows.distances(at, self.direction)
        root = root_of(distances, logs, self.rows.log_error - goal, rate)
        lost = _largest(self.worlds.places.lost(rates), at)
        return Look(log_risk, self.rows.log_error, root, lost)

    def too_far(self) -> TooFarApart | None:
        return self.worlds.places.too_far()


@dataclass(frozen=True, eq=False)
class Average:
    """The average case, :func:`dpchoose.average_risk`.

    Attributes:
        worlds: with one answer each.
        direction: how fast the rate of the noise grows along the ray.
    """

    worlds: Worlds
    direction: float = 1.0

    @property
    def prior(self) -> Fraction:
        return self.worlds.largest_prior

    @property
    def limit(self) -> Fraction:
        return self.worlds.sum_of_peaks

    def start(self, goal: float) -> float:
        return len(self.worlds.answers) / (self.worlds.spread * self.direction)

    def look(self, rate: float, goal: float) -> Look:
        found = average.best_guess(self._heights, self.worlds.places, rate * self.direction)
        root = math.nan
        if found.slope > 0:
            root = rate + (math.exp(goal) - found.risk) / (found.slope * self.direction)
        return Look(math.log(found.risk), 2 * found.error / found.risk, root)

    @cached_property
    def _heights(self) -> np.ndarray:
        return np.log(self.worlds.peaks)


@dataclass(frozen=True, eq=False)
class OneRecord:
    """The largest posterior that a record is in, or out, along base + rate * direction.

    Attributes:
        looked_up: the logarithm of the largest odds at given rates, never too
            small, how fast it grows with each rate, and what part of it is lost.
        places: of the answers, where these are known.
        prior: of being in, or out.
        base, direction: rates.
    """

    looked_up: Callable[[np.ndarray], tuple[float, np.ndarray, float]]
    prior: Fraction
    base: np.ndarray
    direction: np.ndarray
    places: Places | None = None

    @cached_property
    def limit(self) -> Fraction:
        if self.places is not None and not self.places.exact:
            return Fraction(1)
        bare = np.where(self.direction > 0, math.inf, self.base)
        return Fraction(min(1.0, math.exp(_log_share(self.looked_up(bare)[0])) * (1 + 8 * UNIT)))

    def start(self, goal: float) -> float:
        return 1.0  # an epsilon, whatever the unit of the data

    def look(self, rate: float, goal: float) -> Look:
        rates = self.base + decay.exponents(rate, self.direction)
        log_odds, slopes, lost = self.looked_up(rates)
        slope, root = float(slopes @ self.direction), math.nan
        if slope > 0 and math.isfinite(log_odds):
            accepted = goal - math.log1p(-math.exp(goal))
            root = rate + (accepted - log_odds) / slope
        return Look(_log_share(log_odds), 8 * UNIT, root, lost)

    def too_far(self) -> TooFarApart | None:
        return self.places.too_far()


def _largest(lost: np.ndarray | float, at: int) -> float:
    """What the places of one row have lost."""
    return float(lost[at]) if isinstance(lost, np.ndarray) else lost


def _log_share(log_odds: float) -> float:
    """The logarithm of a probability from that of its odds."""
    return -float(np.logaddexp(0.0, -log_odds))
