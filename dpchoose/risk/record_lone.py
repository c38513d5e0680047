"""The risk of every record where each has one world of its own: one is out, or one is in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpchoose.risk import decay, decay_rows
from dpchoose.risk.decay import UNIT
from dpchoose.risk.record_tables import Seen, exponent_error, log_odds_slopes
from dpchoose.worlds.places import Places

STRIP = 1024  # numbers that are added in any order; their sums are added exactly


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
        slopes = log_odds_slopes(gaps, alone, self.counts - alone, rates)
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
        return 2 * (2 * exponent_error(len(rates), float(widest)) + STRIP) * UNIT

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
