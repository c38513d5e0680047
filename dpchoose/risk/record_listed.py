"""The risk of every record where all worlds can be listed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.decay import UNIT
from dpchoose.risk.record_tables import Seen, exponent_error, log_odds_slopes
from dpchoose.worlds.places import Places
from dpchoose.worlds.whole import sorted_parts

BLOCK = 1 << 20  # numbers held at once


@dataclass(frozen=True, eq=False)
class ListedWorlds:
    r"""All worlds listed, and how many of those with each answer hold each record.

    Why the product grid of the coordinates holds a worst output: fix all
    coordinates of :math:`\gamma` but one. Between two neighbouring answers of
    that coordinate every term of :math:`A_r` and :math:`B_r` is a constant times
    :math:`e^{tx}` or :math:`e^{-tx}`, so their ratio is
    :math:`(a + by)/(a' + b'y)` in :math:`y = e^{2tx}`, which is monotone; beyond
    the outermost answers it is constant. So the coordinate can be moved to one
    of its answers without making the ratio smaller, and then the next
    coordinate. The result is a point of the grid, which need not be the answer
    of any world unless d = 1.

    Attributes:
        answers: places of the M distinct answers, sorted when d = 1.
        held: of the worlds with that answer, those that hold each record, (N, M).
        left: those that do not, (N, M).
        exact: True.
    """

    answers: Places
    held: np.ndarray
    left: np.ndarray
    exact: bool = True

    @cached_property
    def grid(self) -> list[np.ndarray]:
        """For each coordinate, rows that hold its distinct answers, sorted."""
        columns = map(self.answers.column, range(self.answers.heads.shape[1]))
        ordered = [sorted_parts([part for part in one if part is not None]) for one in columns]
        return [order[begins] for order, begins in ordered]

    def posteriors(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Largest posteriors of present and of absent, shape (N,) each."""
        most, least = (odds for odds, _ in self._extremes(rates))
        with np.errstate(divide="ignore"):
            return 1 / (1 + 1 / most), 1 / (1 + least)

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, never below.

        They exceed the exact ones by twice :meth:`error` at most, while they
        are below 700; beyond, terms that vanish can make them infinite.
        """
        return self.look(rates, "present")[0], self.look(rates, "absent")[0]

    def look(self, rates: np.ndarray, secret: str) -> Seen:
        """One of :meth:`largest_log_odds`, and its derivatives by each rate, shape (d,)."""
        sign = 1 if secret == "present" else -1
        odds, outputs = self._extremes(rates)[0 if secret == "present" else 1]
        record = int(np.argmax(sign * odds))
        with np.errstate(divide="ignore"):
            log_odds = sign * float(np.log(odds[record])) + self.error(rates)
        output = outputs[record]
        gaps = np.abs(self.answers.from_row(output)) / self.answers.divisors
        slopes = sign * log_odds_slopes(gaps, self.held[record], self.left[record], rates)
        lost = self.answers.lost(rates)
        if isinstance(lost, np.ndarray):
            lost = float(lost[output[0]]) if len(rates) == 1 else self.answers.most_lost(rates)
        return Seen(log_odds, slopes, 2 * lost)

    def error(self, rates: np.ndarray) -> float:
        """A bound on the error of the log odds.

        For several answers an exponent and the least one beside it are off by
        (d + 5) u E each, E the largest exponent, and sums of M positive terms
        by M u, in numerator and denominator.
        """
        if len(rates) == 1:
            return 3 * decay.relative_error(len(self.answers))
        widest = decay.exponents(rates, self.answers.ranges())
        widest = float(widest[np.isfinite(widest)].sum())
        return 2 * (2 * exponent_error(len(rates), widest) + len(self.answers)) * UNIT

    def _extremes(self, rates: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The largest and the least odds of each record, (N,), and where they are, (N, d).

        An output is named by rows that hold its coordinates. Odds are moved away from 1
        by what the places may have lost, in numerator and denominator.
        """
        blocks = self._at_answers(rates) if len(rates) == 1 else self._on_the_grid(rates)
        records = range(len(self.held))
        place = np.zeros((len(self.held), len(rates)), dtype=np.intp)
        most = np.full(len(self.held), -1.0), place
        least = np.full(len(self.held), math.inf), place.copy()
        for outputs, held, left, lost in blocks:
            with np.errstate(divide="ignore", over="ignore"):
                odds, off = held / left, np.exp(2 * lost)
            for (best, at), odds_, choose, beats in (
                (most, odds * off, np.argmax, np.greater),
                (least, odds / off, np.argmin, np.less),
            ):
                rows = choose(odds_, axis=0)
                found = odds_[rows, records]
                won = beats(found, best)
                best[won], at[won] = found[won], outputs[rows[won]]
        return most, least

    def _at_answers(self, rates: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
        """The outputs, and the sums A and B at each, shape (M, N)."""
        places = self.answers
        (heads, tails), t = places.column(0), places.rates(rates)
        held, left = (
            np.stack([decay.sums(heads, row, t, tails)[0] for row in weights], axis=1)
            for weights in (self.held.astype(float), self.left.astype(float))
        )
        lost = np.broadcast_to(places.lost(rates), len(places))[:, None]
        yield np.arange(len(places))[:, None], held, left, lost

    def _on_the_grid(self, rates: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
        """A block of outputs at a time, and the sums A and B at each, shape (outputs, N).

        Both are divided by the likelihood of the nearest world, so that an
        output far from all of them is not lost. Where some answers carry no
        noise, outputs that no world can give are left out.
        """
        places, lost = self.answers, self.answers.most_lost(rates)
        apart = []
        for q, (rate, points) in enumerate(zip(places.rates(rates), self.grid)):
            heads, tails = places.column(q)
            gaps = heads[points, None] - heads
            if tails is not None:
                gaps += tails[points, None] - tails
            apart.append(decay.exponents(rate, np.abs(gaps)))
        both = np.concatenate([self.held, self.left]).T.astype(float)
        shape = [len(points) for points in self.grid]
        size, rows = math.prod(shape), max(1, BLOCK // len(places))
        for start in range(0, size, rows):
            cells = np.unravel_index(np.arange(start, min(start + rows, size)), shape)
            away = sum(table[index] for table, index in zip(apart, cells))
            outputs = np.stack([points[index] for points, index in zip(self.grid, cells)], axis=1)
            nearest = away.min(axis=1, keepdims=True)
            possible = np.isfinite(nearest[:, 0])
            if not possible.all():
                away, outputs, nearest = away[possible], outputs[possible], nearest[possible]
            if len(away):
                near = np.subtract(nearest, away, out=away)
                held, left = np.split(np.exp(near, out=near) @ both, 2, axis=1)
                yield outputs, held, left, lost
