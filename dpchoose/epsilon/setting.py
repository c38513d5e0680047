"""What a recommendation knows before a risk is named: data, worlds, sensitivities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from dpchoose import sensitivity
from dpchoose.data.asking import Asked
from dpchoose.epsilon.choose import farthest_curve, tight_curve
from dpchoose.epsilon.ray import Ray, ray_of
from dpchoose.risk import curves, decay, world_curves
from dpchoose.risk.bounds import average_risk, farthest_of, tight_bound
from dpchoose.risk.record import RecordTable, record_table
from dpchoose.risk.shell import Shells, surroundings
from dpchoose.worlds import subsets
from dpchoose.worlds.possible import Worlds, weighed
from dpchoose.worlds.subsets import TooManyWorlds


def as_risk(log_risk: float) -> float:
    """A risk from its logarithm; the smallest float stands for all that are below it."""
    return min(1.0, max(math.exp(log_risk), math.ulp(0.0)))


@dataclass(frozen=True, eq=False)
class Setting:
    """Statistics of one release, published together.

    Attributes:
        asked: the d statistics.
        release_size: n.
        adjacency: of the neighbours for which epsilon is stated.
        max_worlds: the most worlds that may be listed.
        scales: noise scales of those that are out already, nan for new ones, (d,).
    """

    asked: Asked
    release_size: int
    adjacency: str
    max_worlds: int
    scales: np.ndarray

    @property
    def records(self) -> int:
        return self.asked.records

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.asked.statistics]

    @property
    def amount(self) -> str:
        """The number of worlds, as it is read."""
        return subsets.amount_of_worlds(self.records, self.release_size)

    @property
    def new(self) -> np.ndarray:
        """Which statistics are to be published now, (d,)."""
        return np.isnan(self.scales)

    @cached_property
    def sensitivities(self) -> np.ndarray:
        """Of each statistic, for the adjacency of epsilon, shape (d,)."""
        return self.bounded if self.adjacency == "bounded" else self.unbounded

    @cached_property
    def unbounded(self) -> np.ndarray:
        """Unbounded global sensitivity at distance 1, shape (d,)."""
        return self._sensitivities("unbounded")

    @cached_property
    def bounded(self) -> np.ndarray:
        """Bounded global sensitivity at distance 1, shape (d,)."""
        return self._sensitivities("bounded")

    def _sensitivities(self, adjacency: str) -> np.ndarray:
        at = {"adjacency": adjacency, "distance": 1, "max_worlds": self.max_worlds}
        return np.array(
            [
                sensitivity.find(one.query, one.values, self.release_size, **at).value
                for one in self.asked.statistics
            ]
        )

    @cached_property
    def worlds(self) -> Worlds | None:
        """None where they can be neither counted nor listed."""
        try:
            return weighed(self.asked, self.release_size, None, self.max_worlds)
        except TooManyWorlds:
            return None

    @cached_property
    def around(self) -> Shells | None:
        """The shells of the shell bound; None where they cannot be had."""
        try:
            return surroundings(self.asked, self.release_size, self.max_worlds)
        except TooManyWorlds:
            return None

    @cached_property
    def table(self) -> RecordTable:
        """In which the risks of records are looked up."""
        return record_table(self.asked, self.release_size, self.max_worlds)

    @property
    def prior(self) -> Fraction:
        """Of every world; 0 where it is too small for a float."""
        return subsets.prior(self.records, self.release_size)

    @property
    def log_odds(self) -> float:
        """The logarithm of the odds against a world."""
        if self.prior:
            return math.log(self.prior.denominator - 1)
        return subsets.log10_count(self.records, self.release_size) * math.log(10)

    @cached_property
    def spread(self) -> np.ndarray:
        """The largest difference between two worlds in each answer, shape (d,)."""
        return np.atleast_1d(self.worlds.spread) if self.worlds else self.around.spread

    @cached_property
    def means(self) -> np.ndarray:
        """The mean answer over the worlds, (d,); over the universe where these are not known."""
        if self.worlds:
            return self.worlds.mean_answers
        share = self.release_size / self.records
        return np.array([one.typical(share) for one in self.asked.statistics])

    def farthest(self, rates: np.ndarray) -> float:
        """How far apart two worlds are at most, in all answers together."""
        if self.worlds:
            return farthest_of(self.worlds)(rates)
        return float(decay.exponents(rates, self.spread).sum())

    def step(self, rates: np.ndarray) -> float:
        """How far the answers together move at most as one record is changed."""
        return float(decay.exponents(rates, self.bounded).sum())

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together, from those of each, (d,)."""
        return float(epsilons.sum())

    def unbounded_total(self, rates: np.ndarray) -> float:
        """The epsilon of all answers together when a record is added or removed."""
        return float(decay.exponents(rates, self.unbounded).sum())

    def world_risk(self, rates: np.ndarray) -> float:
        """The tight bound at rates, (d,); the shell bound where worlds are not known."""
        if self.worlds is None:
            return as_risk(self.around.curve(rates).log_risk(1.0))
        if self._one_answer:
            return tight_bound(self.worlds, epsilon=rates[0], sensitivity=1.0)
        return tight_bound(self.worlds, epsilon=rates, sensitivity=np.ones(len(rates)))

    @property
    def _one_answer(self) -> bool:
        """Whether there is a single answer whose worlds are known."""
        return self.worlds is not None and self.worlds.answers.ndim == 1

    def average(self, rates: np.ndarray) -> float:
        """The average case of a single answer whose worlds are known; nan elsewhere."""
        if not self._one_answer:
            return math.nan
        return average_risk(self.worlds, epsilon=rates[0], sensitivity=1.0)

    def ray(self, weights: np.ndarray | None = None) -> Ray:
        """The ray of equal epsilons, or with these weights of the new answers."""
        ray = ray_of(self.sensitivities, self.scales)
        if weights is None:
            return ray
        every = np.zeros(len(self.scales))
        every[self.new] = np.resize(weights, int(self.new.sum()))  # in groups, for each
        return ray.towards(every)

    def world_curve(self, ray: Ray, risk: Fraction) -> curves.Curve:
        """The tight bound along a ray; the shell bound where worlds are not known."""
        return tight_curve(self.worlds, risk, ray) if self.worlds else self.shell_curve(ray)

    def shell_curve(self, ray: Ray) -> curves.Curve | None:
        """The shell bound along a ray; None where it cannot be had."""
        if self.around is None:
            return None
        return self.around.curve(ray.direction, self.around.along(ray.base))

    def record_curve(self, ray: Ray, secret: str, risk: Fraction) -> curves.Curve:
        """The largest posterior that one record is "present", or "absent", along a ray.

        Who is missing, or there, alone is one world, whose ties are counted exactly.
        """
        if self.worlds and self.release_size == {"absent": self.records - 1, "present": 1}[secret]:
            return self.world_curve(ray, risk)
        share = Fraction(self.release_size, self.records)
        prior = share if secret == "present" else 1 - share
        look = partial(self.table.look, secret=secret)
        places = getattr(self.table, "answers", None)
        return world_curves.OneRecord(look, prior, ray.base, ray.direction, places)

    def bounds(self, ray: Ray, risk: Fraction) -> dict[str, curves.Curve | None]:
        """Every bound on the risk of a world along a ray; None where it is not known."""
        one = self._one_answer
        return {
            "tight bound": self.world_curve(ray, risk) if self.worlds else None,
            "shell bound": self.shell_curve(ray),
            "upper bound": farthest_curve(self.farthest, self.prior, ray, self.log_odds),
            "average case": world_curves.Average(self.worlds, float(ray.direction[0]))
            if one
            else None,
        }

    def any_mechanism(self, risk: Fraction) -> float:
        r"""The total epsilon for which no mechanism discloses more; nan where none does.

        Any two worlds are s = min(n, N - n) changes apart, or twice as many
        removals and additions: :math:`\varepsilon s \le \ln\frac{(m - 1)\rho}{1 - \rho}`.
        """
        few = min(self.release_size, self.records - self.release_size)
        steps = few if self.adjacency == "bounded" else 2 * few
        log_odds = self.log_odds + math.log(float(risk / (1 - risk)))
        return log_odds * (1 - 1e-12) / steps if log_odds > 0 else math.nan
