r"""The exact risk of every record, prepared once and looked up at any rates.

With d answers published together at rates t, the worlds that hold record r and
those that do not have likelihoods whose sums are

.. math:: A_r(\gamma) = \sum_{i \ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|}, \qquad
          B_r(\gamma) = \sum_{i \not\ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|},

and the odds that r is in are :math:`A_r/B_r` when all worlds are equally likely.
The largest over all outputs is what a table gives. Odds keep the digits that a
posterior near 1 loses.

A table has ``exact``; ``posteriors(rates)``, the largest posteriors that each
record is present and absent, shape (N,) each; ``largest_log_odds(rates)``, the
logarithms of the largest odds over all records, never below those on paper;
and ``look(rates, secret)``, one of these with its derivative by each rate and the
part of it that places may have lost, which is what an inversion needs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpchoose.risk import decay, decay_rows
from dpchoose.risk.decay import UNIT
from dpchoose.worlds.places import Places
from dpchoose.worlds.whole import sorted_parts

BLOCK = 1 << 20  # numbers held at once
STRIP = 1024  # numbers that are added in any order; their sums are added exactly


class Seen(NamedTuple):
    """The logarithm of the largest odds at some rates.

    Attributes:
        log_odds: never below that on paper.
        slopes: its derivative by each rate, shape (d,).
        lost: the part of it that stands for answers which are not known well enough.
    """

    log_odds: float
    slopes: np.ndarray
    lost: float = 0.0


@dataclass(frozen=True, eq=False)
class LoneWorlds:
    r"""Each record has one world of its own: the one without it, or that with it alone.

    When all but one are released (n = N - 1), "r is out" is one world. Its
    posterior :math:`1/\sum_j C_j e^{\sum_q t_q(|\gamma_q - f_{q,r}| - |\gamma_q - f_{q,j}|)}`
    is largest at its own answer, by the triangle inequality in each
    coordinate. In each coordinate the exponents never fall while the output
    moves away from :math:`f_{q,r}`, and are constant beyond the outermost
    answers: it is least at a corner of the answers' box, and there "r is in"
    has its largest posterior. When one is released (n = 1), "in" and "out"
    change places.

    Attributes:
        answers: places of the M distinct answers, sorted when d = 1.
        counts: worlds with each of them, shape (M,).
        own: which of them is the answer of each record's own world, shape (N,).
        secret: what is true in that world alone, "absent" (n = N - 1) or
            "present" (n = 1).
        exact: True.
    """

    answers: Places
    counts: np.ndarray
    own: np.ndarray
    secret: str
    exact: bool = True

    def posteriors(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Largest posteriors of present and of absent, shape (N,) each."""
        own = 1 / self._sums(rates)
        inverse = np.maximum.reduce([found for found, _ in self._log_inverses(rates)])
        pair = np.minimum(-np.expm1(-inverse), 1)[self.own], np.minimum(own, 1)[self.own]
        return pair if self.secret == "absent" else pair[::-1]

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, never below."""
        return self.look(rates, "present")[0], self.look(rates, "absent")[0]

    def look(self, rates: np.ndarray, secret: str) -> Seen:
        """The logarithm of the largest odds for one secret, and its derivatives, (d,).

        Where it is that of a world of its own, the posterior is raised by
        twice :meth:`sum_error` (relative), otherwise the logarithm by
        :meth:`corner_error`: so it is never below that on paper.
        """
        if secret == self.secret:
            sums = self._sums(rates)
            row = output = int(sums.argmin())
            posterior = (1 + 2 * self.sum_error(rates)) / sums[row]
            odds = math.log(posterior) - math.log1p(-posterior) if posterior < 1 else math.inf
            lost = float(np.ravel(self.answers.lost(rates))[row * (self.answers.tails is not None)])
        else:
            inverse, output = max(self._log_inverses(rates), key=lambda found: found[0].max())
            row, inverse = int(inverse.argmax()), float(inverse.max())
            lost = self.answers.most_lost(rates)
            odds = inverse + math.log1p(-math.exp(-inverse)) + self.corner_error(rates) + lost
        alone = (np.arange(len(self.counts)) == row).astype(float)
        gaps = np.abs(self.answers.from_row(output)) / self.answers.divisors
        slopes = _log_odds_slopes(gaps, alone, self.counts - alone, rates)
        return Seen(odds, slopes if secret == self.secret else -slopes, lost)

    def sum_error(self, rates: np.ndarray) -> float:
        """A bound on the relative error of the sums at the answers."""
        if len(rates) == 1:
            return decay.relative_error(len(self.counts))
        return decay_rows.relative_error(len(self.counts), len(rates))

    def corner_error(self, rates: np.ndarray) -> float:
        """A bound on the error of the log odds at the corners.

        Two exponents of at most E, the sum over the coordinates of rate times
        range, are off by (d + 5) u E each, sums of 1024 terms by 1024 u, and
        the rest by a few u of at most E + log N. As the least posterior is at
        most 1/2, passing from it to the odds at most doubles the error.
        """
        widest = decay.exponents(rates, self.answers.ranges())
        widest = widest[np.isfinite(widest)].sum() + math.log(len(self.own))
        return 2 * (2 * _exponent_error(len(rates), float(widest)) + STRIP) * UNIT

    def _sums(self, rates: np.ndarray) -> np.ndarray:
        """The sums S at every answer, less what places may have lost, shape (M,)."""
        places, counts = self.answers, self.counts.astype(float)
        if len(rates) == 1:
            heads, tails = places.column(0)
            found = decay.sums(heads, counts, places.rates(rates), tails)[0]
        else:
            found = decay_rows.sums(places.heads, counts, places.rates(rates), places.tails)
        return found * np.exp(-places.lost(rates))

    def _log_inverses(self, rates: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Logarithms of one over the posterior of each answer's worlds, (M,), at each corner."""
        places, ends = self.answers, self.answers.ends()
        if np.isinf(rates[places.ranges() > 0]).any():  # an exact answer rules each world out
            yield np.full(len(places), math.inf), ends[0]
            return
        for corner in itertools.product(*zip(*ends)):
            gaps = np.abs(places.from_row(np.array(corner)))
            away = decay.exponents(places.rates(rates), gaps).sum(axis=1)
            nearest = away.min()
            terms = self.counts * np.exp(nearest - away)
            strips = np.add.reduceat(terms, np.arange(0, len(terms), STRIP))
            yield away - nearest + math.log(math.fsum(strips)), np.array(corner)


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
        slopes = sign * _log_odds_slopes(gaps, self.held[record], self.left[record], rates)
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
        return 2 * (2 * _exponent_error(len(rates), widest) + len(self.answers)) * UNIT

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


def _log_odds_slopes(
    gaps: np.ndarray, held: np.ndarray, left: np.ndarray, rates: np.ndarray
) -> np.ndarray:
    r"""How the log odds :math:`\ln A/B` of worlds with and without a record grow with each rate.

    Each is the mean distance of the output from the answers without it, less
    that from those with it, weighed by their terms in B and in A.

    Args:
        gaps: of the answers from the output, shape (M, d).
        held, left: worlds with each answer, with and without the record, shape (M,).
        rates: t, in [0, inf], shape (d,).

    >>> gaps = np.array([[0.0], [3.0]])
    >>> _log_odds_slopes(gaps, np.array([1, 0]), np.array([0, 1]), np.ones(1)).tolist()
    [3.0]
    """
    away = decay.exponents(rates, gaps).sum(axis=1)
    means = []
    for weights in (held, left):
        near = away[weights > 0].min(initial=math.inf)
        if near == math.inf:
            return np.full(len(rates), math.nan)
        means.append(np.average(gaps, axis=0, weights=weights * np.exp(np.minimum(near - away, 0))))
    return means[1] - means[0]


def _exponent_error(answers: int, widest: float) -> float:
    """How far an exponent may be off, in units of u.

    A difference and its tail, a rate and its unit, a product and a sum over d.

    Args:
        answers: d.
        widest: the largest exponent, the sum over d of rate times distance.

    >>> _exponent_error(2, 9.0)
    80.0
    """
    return (answers + 6) * (widest + 1)
