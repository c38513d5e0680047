r"""Who reads what is published of a known file, and how sure she gets: the table of readers.

She knows all N records and n, and asks who is on the list (Lee and Clifton 2011). Let t be the
rates of the noise. The distances d behind the table are

- n = N - 1: D, the most by which two worlds lie apart; no suspicion about who is missing
  can grow by more than :math:`e^D`, and who is torn between the two farthest worlds
  attains it. Who suspects nobody is bounded by the tight bound, exactly.
- n < N - 1: s, the most by which exchanging one record moves the answers, for one person's
  place, held by who knows the others' or holds them independent but for their number.
  Of whole lists nothing is promised: that distance is the sum of rate x spread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from dpchoose.data.queries import Asked, Statistic, evaluate, members_of
from dpchoose.epsilon import text
from dpchoose.epsilon.inverse import MOST_OFF, Ray, distance_curve, largest_rate
from dpchoose.risk import bounds
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after, odds_factor
from dpchoose.sensitivity import find, spread
from dpchoose.sensitivity.groups import GroupSensitivities, group_sensitivities
from dpchoose.worlds.answers import exact_answer
from dpchoose.worlds.worlds import Worlds, by_group, listed

NOBODY = "suspects nobody: who is missing"
ANYBODY = "has any suspicion about who is missing"
IN = "suspects nobody: is this record in"
OUT = "suspects nobody: is this record out"
TWO = "knows all places but two people's, of whom one is in"
LISTS = "has any suspicion about whole lists"
NOISE = (
    "Scale, error and epsilon are computed from the file and give its extremes away: they are "
    "not for publication."
)
MOST = 700.0  # a distance whose factor is a float
ROUNDED = 1 + 64 * UNIT


class Reader(NamedTuple):
    """A row of the table.

    Attributes:
        reader: who she is, and what she asks.
        before: her belief before any answer, exact.
        after: the most that it can become.
        factor: the most by which its odds grow.
        exact: whether some output attains it; else it is a bound.
        promised: whether she is one whom what was accepted binds.
    """

    reader: str
    before: Fraction
    after: float
    factor: float
    exact: bool
    promised: bool


@dataclass(frozen=True, eq=False)
class Setting:
    """What is asked of a file, whatever a reader knows of it.

    Rates, scales and sensitivities are those of group after group, in each row after row, shape
    (K,) with K = G d; without groups G is 1.

    Attributes:
        rows: the d answers that get noise, those that are out already among them.
        scales: noise scales of what is out, nan of what is new, (K,).
        codes: the group of each record, (N,).
        names: of the groups; empty without groups.
    """

    rows: tuple[Statistic, ...]
    scales: np.ndarray
    codes: np.ndarray
    names: tuple[Any, ...]

    @property
    def records(self) -> int:
        """N."""
        return len(self.codes)

    @property
    def shape(self) -> tuple[int, int]:
        """G and d."""
        return max(len(self.names), 1), len(self.rows)

    @property
    def new(self) -> np.ndarray:
        """Which answers are to be published now, (K,)."""
        return np.isnan(self.scales)

    @property
    def labels(self) -> list[str]:
        """What each new answer is called."""
        every = self.in_groups([row.label for row in self.rows])
        return [label for label, new in zip(every, self.new) if new]

    def in_groups(self, called: list[str]) -> list[str]:
        """The names of some answers, of group after group."""
        return [f"{label}, {name}" for name in self.names for label in called] or called

    def told(self, statistics: list[str], **situation: Any) -> dict[str, Any]:
        """What is asked, for whoever finds the answer."""
        pairs = zip(self.rows, self.scales.tolist())
        return {
            "statistics": statistics,
            "by": [str(name) for name in self.names] or None,
            **situation,
            "already": [[row.label, scale] for row, scale in pairs if not math.isnan(scale)],
            "version": f"dpchoose {metadata.version('dpchoose')}",
        }

    def derived(self, _: np.ndarray) -> list[tuple[str, float, float]]:
        """What is computed of noisy answers: label, exact answer and error; here nothing is."""
        return []

    def exact(self, _: int) -> str | None:
        """The exact answer at a place of the rows; None where it is not to be published."""


@dataclass(frozen=True, eq=False)
class KnownFile(Setting):
    """A file that is known, n of whose N records are released, and what is asked of them.

    Attributes:
        size: n.
        adjacency: of the neighbours for which epsilon is stated.
        released: which records are released, (N,); None if not said.
        max_worlds: the most datasets that may be listed.
    """

    size: int
    adjacency: str
    released: np.ndarray | None
    max_worlds: int

    @property
    def questions(self) -> list[str]:
        """What the answers that are asked for are called, of each group."""
        return [row.label for row, new in zip(self.rows, self.new) if new]

    def question(self) -> dict[str, Any]:
        """What is asked, for whoever finds the answer."""
        return self.told(
            self.questions,
            situation="the file is known",
            records=self.records,
            released=self.size,
            adjacency=self.adjacency,
        )

    def sentences(self, rows: list[Reader], asked: str, how: str) -> list[str]:
        """What may be published, for whom that promises something, and for whom it does not."""
        knows, first = f"whoever knows all {self.records:,} records", rows[0]
        begins = f"Who suspects nobody more than another begins at {text.before(first.before)}"
        gets, grows = f"gets at most {text.chance(first.after)} sure", text.factor(first.factor)
        law = f"{knows}, whatever she suspects about who is missing."
        sure = f"{begins} and {gets} who is missing (x {grows} for her)."
        if not self.all_but_one:
            law = (
                f"{knows} and that {self.size:,} are released, about one person's place, if she "
                "knows the others' or holds them independent but for their number; for k people "
                "who stand or fall together the factor is its k-th power at most. Of whole lists "
                "nothing is promised."
            )
            out = f"{text.before(rows[1].before)}, {text.chance(rows[1].after)}"
            sure = f"{begins} that a person is in and {gets} (that she is out: {out})."
        what = f"{asked} of {self.size:,} of the {self.records:,} records {how}."
        return [what, f"This holds for {law}", sure, NOISE]

    @property
    def all_but_one(self) -> bool:
        """Whether all records but one are released."""
        return self.size == self.records - 1

    @cached_property
    def grouped(self) -> GroupSensitivities:
        """How far one record moves the answers of each group."""
        pairs = [(one.query, one.values) for one in self.rows]
        return group_sensitivities(pairs, self.codes, self.size, max_worlds=self.max_worlds)

    @cached_property
    def moved(self) -> dict[str, np.ndarray]:
        """How far one record moves each answer, by adjacency, and its spread, (K,)."""
        kinds = {self.adjacency} if self.all_but_one else {self.adjacency, "bounded", "spread"}
        if self.names:
            return {kind: getattr(self.grouped, kind).ravel() for kind in kinds}
        asked = [(one.query, one.values, self.size) for one in self.rows]
        how = {"max_worlds": self.max_worlds}
        ways = {kind: partial(find, adjacency=kind) for kind in kinds} | {"spread": spread}
        return {kind: np.array([float(ways[kind](*one, **how)) for one in asked]) for kind in kinds}

    @property
    def sensitivities(self) -> np.ndarray:
        """Of each answer, for the adjacency of epsilon, (K,)."""
        return self.moved[self.adjacency]

    @cached_property
    def every_world(self) -> Worlds:
        """All worlds, each without one record."""
        asked = Asked(self.rows, True, self.records)
        if self.names:
            return by_group(asked, self.codes)
        return listed(asked, self.size, self.max_worlds)

    @cached_property
    def telling(self) -> np.ndarray:
        """Which answers are not the same in every world: all others say nothing, (K,)."""
        if not self.all_but_one:
            return self.moved["spread"] > 0
        worlds = self.every_world
        differ = worlds.moves != 0 if worlds.shape[0] > 1 else worlds.codes > 0
        return np.logical_or.reduceat(differ, worlds.starts).ravel()

    @cached_property
    def worlds(self) -> Worlds:
        """The worlds, as far as the statistics tell some of them apart."""
        return self.every_world.keep(self.telling.reshape(self.shape).any(axis=0))

    def ray(self, weights: np.ndarray) -> Ray:
        """The ray on which the epsilons of the new answers are as the weights, (d,) of them."""
        deltas = np.where(self.telling, self.sensitivities, 0)
        shares = np.zeros(len(deltas))
        shares[self.new] = np.resize(weights, int(self.new.sum()))  # in groups, for each
        base = np.where(self.new | ~self.telling, 0, 1 / self.scales)
        return Ray(base, np.divide(shares, deltas, out=shares * 0, where=deltas > 0))

    def rates(self, rates: np.ndarray) -> np.ndarray:
        """The rates that the worlds take, from those of all answers, (G, d')."""
        shaped = np.where(self.telling, rates, 0.0).reshape(self.shape)
        return shaped[:, self.telling.reshape(self.shape).any(axis=0)]

    def distance(self, rates: np.ndarray) -> float:
        """D where all but one are released, else s: what is promised, rounded up."""
        rates = np.where(self.telling, rates, 0.0)
        if not self.telling.any():
            return 0.0
        if self.all_but_one:
            return bounds.diameter(self.worlds, self.rates(rates))
        if self.names:
            return self.grouped.largest_step(rates.reshape(self.shape)) * ROUNDED
        return float(bounds.times(rates, self.moved["bounded"]).sum()) * ROUNDED

    def tight(self, rates: np.ndarray) -> float:
        """The tight bound, with its margin."""
        if not self.telling.any():
            return 1 / self.records
        at = self.rates(rates)
        if at.any() and np.isinf(at[at != 0]).all():  # no noise
            return float(self.worlds.largest_share)
        return math.exp(min(bounds.largest(self.worlds, at) + self.margin(rates), 0.0))

    def margin(self, rates: np.ndarray) -> float:
        """By how much the logarithm of the tight bound may be off."""
        return bounds.margin(self.worlds, self.rates(rates))

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together: one record comes or goes, or is changed."""
        by_group = np.sort(epsilons.reshape(max(len(self.names), 1), -1).sum(axis=1))
        return float(by_group[-2:].sum() if self.adjacency == "bounded" else by_group[-1])

    def readers(self, rates: np.ndarray, before: Fraction | None = None) -> list[Reader]:
        """The table at rates of shape (K,), with ``before`` for that belief as well."""
        far, half = self.distance(rates), Fraction(1, 2)
        rows = [grown(ANYBODY if self.all_but_one else TWO, half, far)]
        if before is not None:
            rows.insert(0, grown(f"suspects it at {text.before(before)}", before, far))
        share = Fraction(self.size, self.records)
        if self.all_but_one:
            first, risk = 1 - share, self.tight(rates)
            factor = odds_factor(float(first), risk) * ROUNDED
            rows.insert(0, Reader(NOBODY, first, risk, factor, True, True))
            sure = not self.telling.any() or self.margin(rates) <= MOST_OFF
            return [row._replace(exact=sure) for row in rows]
        whole = bounds.times(np.where(self.telling, rates, 0.0), self.moved["spread"]).sum()
        lists = grown(LISTS, half, float(whole) * ROUNDED)._replace(promised=False)
        return [grown(IN, share, far), grown(OUT, 1 - share, far), *rows, lists]

    def answers(self) -> np.ndarray:
        """Each answer of the release, (K,); where that is not said, of a typical one."""
        found, share = [], 1.0 if self.released is not None else self.size / self.records
        for part in members_of(self.codes):
            inside = part if self.released is None else part[self.released[part]]
            for one in self.rows:
                answer = float(evaluate(one.query, one.values[inside]))
                found.append(answer * (share if one.query in ("sum", "count") else 1))
        return np.array(found)

    def advice(self, factor: float, large: bool) -> list[str]:
        """What would make errors smaller that are large beside their answers."""
        if not large or not 1 < factor < 1e3:
            return []
        return [
            "An error is more than a tenth of its answer. Half of every error takes the square "
            f"of the factor, {text.factor(factor**2)}; of k answers published together each "
            "has k times the error of one alone."
        ]

    @property
    def about(self) -> str:
        """Of what a reader may get how sure."""
        return "who is missing" if self.all_but_one else "one person's place"

    def exact(self, place: int) -> str | None:
        """The exact answer at a place of the rows, from its fraction; None where not known."""
        one = self.rows[place % self.shape[1]]
        if self.released is None or callable(one.query):
            return None
        inside = self.released & (self.codes == place // self.shape[1])
        value, root = exact_answer(one.query, one.values[inside])
        decimals = 0 if one.query == "count" else text.decimals(one.values) + 2
        return text.exactly(value, root, decimals)


def grown(name: str, before: Fraction, distance: float) -> Reader:
    """The row of who tells two lists apart that lie a distance from each other, at most."""
    factor = math.exp(distance) * ROUNDED if distance < MOST else math.inf
    return Reader(
        name, before, min(after(float(before), factor) * ROUNDED, 1.0), factor, False, True
    )


def furthest(setting: Any, ray: Ray, distance: float) -> float:
    """How far along a ray the distance that is promised is kept; 0 for nowhere."""
    far = setting.distance(ray.direction)
    if not ray.base[setting.telling].any():  # it grows in proportion
        return distance / far * (1 - 2.0**-40) if far else math.inf
    return largest_rate(distance_curve(setting.distance, ray), distance)
