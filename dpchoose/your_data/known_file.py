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
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.queries import QueryBatch, Statistic, ask, evaluate
from dpchoose.risk import bounds
from dpchoose.risk.inverse import LARGEST_MARGIN
from dpchoose.risk.odds import after, odds_factor
from dpchoose.sensitivity.global_local import find, spread
from dpchoose.worlds.answers import exact_answer
from dpchoose.worlds.worlds import Worlds, worlds_of
from dpchoose.your_data.formats import decimals_of, format_exact
from dpchoose.your_data.question import ROUNDED_UP, Question, Reader, reader_at, statistic_of_file


@dataclass(frozen=True, eq=False)
class KnownFile(Question):
    """A file that is known, n of whose N records are released, and what is asked of them.

    Attributes:
        rows: the statistics, published together.
        size: n.
        adjacency: of the neighbours for which epsilon is stated.
        released: which records are released, (N,); None if not said.
    """

    rows: tuple[Statistic, ...]
    size: int
    adjacency: str
    released: np.ndarray | None
    groups = ()
    questions = Question.labels  # there are no groups

    @cached_property
    def records(self) -> int:
        return len(self.rows[0].values)

    @cached_property
    def one_is_missing(self) -> bool:
        return self.size == self.records - 1

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
        return self.all_worlds.codes.any(axis=0) if self.one_is_missing else self.spreads > 0

    @cached_property
    def worlds(self) -> Worlds:
        """The worlds, of the informative answers alone."""
        return self.all_worlds.keep(self.informative)

    def ray(self, weights: np.ndarray) -> np.ndarray:
        """The direction in which the epsilons are as the weights."""
        deltas = np.where(self.informative, self.sensitivities, 0)
        weights = np.resize(weights, len(deltas))
        return np.divide(weights, deltas, out=np.zeros(len(deltas)), where=deltas > 0)

    def distance(self, rates: np.ndarray) -> float:
        """D where one is missing, else s."""
        if not self.informative.any():
            return 0.0
        if self.one_is_missing:
            return bounds.diameter(self.worlds, rates[self.informative])
        return self._sum_of_losses(rates, self.exchanges)

    def _sum_of_losses(self, rates: np.ndarray, moves: np.ndarray) -> float:
        """The privacy loss where each answer moves so far, rounded up."""
        losses = bounds.times(np.where(self.informative, rates, 0.0), moves)
        return float(losses.sum()) * ROUNDED_UP

    def tight(self, rates: np.ndarray) -> float:
        """The tight bound, with its margin: for a reader who suspects nobody."""
        if not self.informative.any():
            return 1 / self.records
        rates = rates[self.informative]
        if rates.any() and np.isinf(rates[rates != 0]).all():  # no noise
            return float(self.worlds.largest_share)
        margin = bounds.margin(self.worlds, rates)
        return math.exp(min(bounds.largest_log_risk(self.worlds, rates) + margin, 0.0))

    def readers(
        self, rates: np.ndarray, before: Fraction | None = None, already: float = 1.0
    ) -> list[Reader]:
        loss, half = self.distance(rates), Fraction(1, 2)
        included = Fraction(self.size, self.records)
        beliefs = {"suspicion": before, "torn": half}
        if not self.one_is_missing:
            beliefs = {"in": included, "out": 1 - included, "suspicion": before, "two places": half}
        beliefs = {reader: belief for reader, belief in beliefs.items() if belief is not None}
        rows = [reader_at(*believed, loss, already=already) for believed in beliefs.items()]
        if not self.one_is_missing:
            of_lists = self._sum_of_losses(rates, self.spreads)
            return [*rows, reader_at("lists", half, of_lists, already=already, promised=False)]
        first, alone = Fraction(1, self.records), already == 1
        # What an earlier answer gave who suspects nobody is known by its factor alone.
        risk = self.tight(rates) if alone else after(float(first), rows[-1].factor)
        factor = odds_factor(float(first), risk) * ROUNDED_UP
        margin = bounds.margin(self.worlds, rates[self.informative])
        rows = [row._replace(exact=alone and margin <= LARGEST_MARGIN) for row in rows]
        return [Reader("nobody", first, risk, factor, exact=alone, promised=True), *rows]

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
            "situation": "known file",
            "records": self.records,
            "released": self.size,
            "adjacency": self.adjacency,
        }


def known_file(
    query: Any, data: Any, release_size: Any, released: Any, adjacency: Any
) -> KnownFile:
    """The question that is asked of a known file; the arguments are of ``recommend``."""
    adjacency = checks.choice("adjacency", adjacency, ("unbounded", "bounded"))
    batch = ask(query, data, parse=statistic_of_file)
    mask = None if released is None else checks.truths("released", released)
    fits = mask is None or mask.shape == (batch.records,)
    checks.require(fits, f"released must have shape ({batch.records},)", np.shape(mask))
    size = release_size if mask is None else int(mask.sum())
    return KnownFile(batch.statistics, checks.release_size(size, batch.records), adjacency, mask)
