r"""The file is known, and who of it is released is the secret: Lee and Clifton's situation.

The reader knows all N records and n, and asks who is on the list. Let t be the rates of the
noise. The privacy losses behind the table of readers are

- n = N - 1: D, the largest distance of two worlds; no suspicion about who is missing can grow
  by more than :math:`e^D`, and the reader who is torn between the two farthest worlds attains
  it. Who suspects nobody is bounded by the tight bound, exactly.
- n < N - 1: s, the most by which exchanging one record moves the answers: it bounds what is
  learned of one person's place by a reader who knows the others' places, or holds them
  independent but for their number. Of whole lists nothing is promised: their loss is the sum
  of rate x spread.

Noise is drawn around the float of an answer less a number between the least answer and the
greatest (:func:`dpchoose.worlds.answers.beside_all`), which is off by a few units in the last place
of the spread at most. Where one record is missing that is a share of D that is rounded up anyway.
"""

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.checks import require
from dpchoose.numbers import format_fraction
from dpchoose.queries import QueryBatch, Statistic, ask, evaluate
from dpchoose.risk import bounds
from dpchoose.risk.inverse import LARGEST_MARGIN, UnattainableRisk, largest_tight_rate, weights_of
from dpchoose.risk.odds import after, odds_factor
from dpchoose.sensitivity.global_local import find, spread
from dpchoose.worlds.answers import exact_answer
from dpchoose.worlds.worlds import Worlds, worlds_of
from dpchoose.your_data import words
from dpchoose.your_data.asked import HALF, ROUNDED_UP, Goal, Reader, reader_at
from dpchoose.your_data.formats import decimals_of, format_exact
from dpchoose.your_data.noise import Continuous, Law
from dpchoose.your_data.question import (
    NEEDS_BEFORE,
    SAY_BEFORE,
    Noise,
    Question,
    factor_of,
    statistic_of_file,
)

EITHER = "release_size (n) and released (positions, or True and False)"
POSITIONS = "released must be positions, each once, or True and False for each record"
ZERO_ONE = ": of 0 and 1 say == 1"
FLOATS = 2.0**-50  # of the spread: by how much more the floats of two answers may lie apart
TELLS_NOTHING = """query must tell something of who is released: every choice of the released \
records gives the same, and it needs no noise"""


class KnownFile(Question):
    """A file of N records that a reader knows; which n of them are released is the secret.

    Args:
        query: a name, a function that reduces the last axis, or a list of them, published
            together. Of a DataFrame: pairs (query, column), or ("share", "COLUMN=VALUE").
        data: the N records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1]; or
        released: which records are released: their positions, or True and False for each.
        adjacency: the neighbours that epsilon is stated for: "unbounded" (a record added or
            removed) or "bounded" (one changed).
        split: how the answers share the epsilon: "equal", or for each a weight, above 0.
        already: the product of the factors of all earlier answers about the same secret, at
            least 1. What is accepted covers old and new answers.

    >>> noise = dp.KnownFile("mean", [1, 2, 3, 10], release_size=3).for_risk("1/3")
    >>> round(noise.epsilon, 8), round(noise.odds, 2)
    (0.43172012, 1.58)
    """

    situation = "known file"
    scales_from = "["
    rows: tuple[Statistic, ...]

    def __init__(
        self,
        query: Any,
        data: Any,
        release_size: int | None = None,
        *,
        released: Any = None,
        adjacency: str = "unbounded",
        split: Any = "equal",
        already: Any = 1,
    ) -> None:
        checks.exactly_one({"release_size": release_size, "released": released}, EITHER)
        self.adjacency = checks.choice("adjacency", adjacency, ("unbounded", "bounded"))
        batch = ask(query, data, parse=statistic_of_file)
        self.rows, self.records = batch.statistics, batch.records
        self.released = None if released is None else _mask(released, batch.records)
        size = release_size if self.released is None else int(self.released.sum())
        self.size = checks.release_size(size, batch.records)
        self.one_is_missing = self.size == self.records - 1
        self.weights, self.already = weights_of(split, len(self.rows)), factor_of(already)
        if not self.informative.any():
            raise ValueError(f"{TELLS_NOTHING}, got {', '.join(self.labels)}")

    @property
    def questions(self) -> list[str]:
        return self.labels  # there are no groups

    @cached_property
    def sensitivities(self) -> np.ndarray:
        return self._largest_steps(self.adjacency)

    @cached_property
    def exchanges(self) -> np.ndarray:
        """How far exchanging one record moves each answer at most, (K,)."""
        bounded = self.adjacency == "bounded"
        return self.sensitivities if bounded else self._largest_steps("bounded")

    def _largest_steps(self, adjacency: str) -> np.ndarray:
        """The global sensitivities of the answers at distance 1, (K,)."""
        found = [find(row.query, row.values, self.size, adjacency=adjacency) for row in self.rows]
        return np.array([float(sensitivity) for sensitivity in found])

    @cached_property
    def spreads(self) -> np.ndarray:
        """The largest answer less the smallest, over all lists, (K,)."""
        return np.array([spread(row.query, row.values, self.size) for row in self.rows])

    @cached_property
    def all_worlds(self) -> Worlds:
        """The worlds of a list of statistics, each without one record."""
        return worlds_of(QueryBatch(self.rows, several=True), self.size)

    @cached_property
    def informative(self) -> np.ndarray:
        if self.one_is_missing:
            return np.asarray(self.all_worlds.codes.any(axis=0))
        return self.spreads > 0

    @cached_property
    def worlds(self) -> Worlds:
        """The worlds, of the informative answers alone."""
        return self.all_worlds.keep(self.informative)

    def law(self, index: int, scale: float) -> Law:
        return Continuous(scale)

    def ray(self, weights: np.ndarray) -> np.ndarray:
        """The direction in which the epsilons are as the weights."""
        deltas = np.where(self.informative, self.sensitivities, 0)
        weights = np.resize(weights, len(deltas))
        return np.divide(weights, deltas, out=np.zeros(len(deltas)), where=deltas > 0)

    def distance(self, rates: np.ndarray) -> float:
        """D where one is missing, else s."""
        if self.one_is_missing:
            return bounds.diameter(self.worlds, rates[self.informative])
        return self._sum_of_losses(rates, self.exchanges + FLOATS * self.spreads)

    def _sum_of_losses(self, rates: np.ndarray, moves: np.ndarray) -> float:
        """The privacy loss where each answer moves so far, rounded up."""
        losses = bounds.times(np.where(self.informative, rates, 0.0), moves)
        return float(losses.sum()) * ROUNDED_UP

    def tight(self, rates: np.ndarray) -> float:
        """The tight bound, with its margin: for a reader who suspects nobody."""
        rates = rates[self.informative]
        if rates.any() and np.isinf(rates[rates != 0]).all():  # no noise
            return float(self.worlds.largest_share)
        margin = bounds.margin(self.worlds, rates)
        return math.exp(min(bounds.largest_log_risk(self.worlds, rates) + margin, 0.0))

    def readers(self, rates: np.ndarray, before: Fraction | None = None) -> list[Reader]:
        loss, already = self.distance(rates), float(self.already)
        included = Fraction(self.size, self.records)
        beliefs = {"suspicion": before, "torn": HALF}
        if not self.one_is_missing:
            beliefs = {"in": included, "out": 1 - included, "suspicion": before, "two places": HALF}
        rows = [
            reader_at(reader, belief, loss, already)
            for reader, belief in beliefs.items()
            if belief is not None
        ]
        if not self.one_is_missing:
            of_lists = self._sum_of_losses(rates, self.spreads)
            return [*rows, reader_at("lists", HALF, of_lists, already, promised=False)]
        first, alone = Fraction(1, self.records), already == 1
        # What an earlier answer gave who suspects nobody is known by its factor alone.
        risk = self.tight(rates) if alone else after(float(first), rows[-1].factor)
        factor = odds_factor(float(first), risk) * ROUNDED_UP
        margin = bounds.margin(self.worlds, rates[self.informative])
        rows = [row._replace(exact=alone and margin <= LARGEST_MARGIN) for row in rows]
        return [Reader("nobody", first, risk, factor, exact=alone), *rows]

    def answers(self) -> np.ndarray:
        """The answers of the release; where that is not said, of a typical one."""
        inside = slice(None) if self.released is None else self.released
        answers = [float(evaluate(row.query, row.values[inside])) for row in self.rows]
        if self.released is not None:
            return np.array(answers)
        grows = [row.query in ("sum", "count") for row in self.rows]
        return np.where(grows, self.size / self.records, 1) * answers

    def exact(self, index: int) -> str | None:
        """The answer from its fraction, to two decimals more than the data have."""
        row = self.rows[index]
        if self.released is None or callable(row.query):
            return None
        value, root = exact_answer(row.query, row.values[self.released])
        decimals = 0 if row.query == "count" else decimals_of(row.values) + 2
        return format_exact(value, root, decimals)

    def facts(self) -> dict[str, Any]:
        return {
            "statistics": self.questions,
            "by": None,
            "situation": self.situation,
            "records": self.records,
            "released": self.size,
            "adjacency": self.adjacency,
        }

    def _at_plain_risk(self, risk: Fraction, goal: Goal) -> Noise:
        """The least noise at which the tight bound keeps a risk."""
        where = f"where n is not N - 1 = {self.records - 1}"
        rule = f"{NEEDS_BEFORE} {where}"
        require(self.one_is_missing, rule, self.size, hint=SAY_BEFORE)
        rule = f"{NEEDS_BEFORE} beside already"
        require(self.already == 1, rule, str(self.already), hint=SAY_BEFORE)
        prior, ray = Fraction(1, self.records), self.ray(self.weights)
        if risk <= prior:
            facts = {"prior": format_fraction(prior), "risk": format_fraction(risk)}
            raise UnattainableRisk(words.BELOW_PRIOR.format(**facts))
        along = largest_tight_rate(self.worlds, ray[self.informative], risk)
        if not along:
            raise UnattainableRisk(words.TOO_CLOSE.format(accepted=goal))
        return self._along(ray, along, goal)

    def _errors(self, error: Any) -> np.ndarray:
        """In the unit of the answers, or as shares of them."""
        errors = self._each("error", error)
        given = np.resize(np.atleast_1d(np.array(error, dtype=object)), len(errors)).tolist()
        shares = [isinstance(entry, str) and entry.strip().endswith("%") for entry in given]
        errors = np.where(shares, errors * np.abs(self.answers()), errors)
        return checks.reals("error", errors, 0, math.inf, closed="()")


def _mask(released: Any, records: int) -> np.ndarray:
    """Which records are released, (N,), of their positions, or of True and False for each."""
    array = checks.held("released", released, "biu", POSITIONS.removeprefix("released must "), 1)
    if array.dtype.kind == "b":
        require(array.shape == (records,), f"{POSITIONS}, {records}", array.shape)
        return array
    of_each = len(array) == records and np.isin(array, (0, 1)).all()
    distinct = len(np.unique(array)) == len(array)
    require(distinct and not of_each, POSITIONS, released, hint=ZERO_ONE * bool(of_each))
    mask = np.zeros(records, dtype=bool)
    places = checks.reals("released", array, 0, records, closed="[)")
    mask[places.astype(np.intp)] = True
    return mask
