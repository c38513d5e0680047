r"""The exact risk of every record, prepared once and looked up at any rates.

With d answers published together at rates t, the worlds that hold record r and
those that do not have likelihoods whose sums are

.. math:: A_r(\gamma) = \sum_{i \ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|}, \qquad
          B_r(\gamma) = \sum_{i \not\ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|},

and the odds that r is in are :math:`A_r/B_r` when all worlds are equally likely.
The largest over all outputs is what a table gives. Odds keep the digits that a
posterior near 1 loses.

A table has ``exact``; ``posteriors(rates)`` with the largest posteriors that each
record is present and absent, shape (N,) each; and ``largest_log_odds(rates)``
with the logarithms of the largest odds over all records, never below those on
paper, which is what an inversion needs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.record_bound import record_bound

UNIT = 2.0**-53
BLOCK = 1 << 20  # numbers held at once
PAIRS = 1 << 16  # the same for pairs of rows, which stay in the cache
STRIP = 1024  # numbers that are added in any order; their sums are added exactly
MOST_PAIRED = 20_000  # distinct rows of several answers of which every sum is formed


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
        answers: the distinct answers, shape (M, d), sorted when d = 1.
        counts: worlds with each of them, shape (M,).
        own: which of them is the answer of each record's own world, shape (N,).
        secret: what is true in that world alone, "absent" (n = N - 1) or
            "present" (n = 1).
    """

    answers: np.ndarray
    counts: np.ndarray
    own: np.ndarray
    secret: str

    @property
    def exact(self) -> bool:
        """Whether ``posteriors`` is exact: for one answer, or at most 20,000 distinct rows."""
        return self.answers.shape[1] == 1 or len(self.answers) <= MOST_PAIRED

    def posteriors(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Largest posteriors of present and of absent, shape (N,) each.

        Where there are too many rows for exact sums, the posterior of a
        record's own world is replaced by the record bound.
        """
        if self.exact:
            own = 1 / self._sums(rates)
        else:
            step = float(decay.exponents(rates, np.ptp(self.answers, axis=0)).sum())
            step *= 1 + 16 * UNIT
            bound = record_bound(step, release_size=1, records=len(self.own))[0]
            own = np.full(len(self.answers), bound)
        rest = -np.expm1(-self._log_inverse_least(rates))
        pair = np.minimum(rest, 1)[self.own], np.minimum(own, 1)[self.own]
        return pair if self.secret == "absent" else pair[::-1]

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, never below.

        For the secret of its own world they exceed the exact ones by a
        relative error of the posterior of twice :meth:`sum_error`, for the
        other by :meth:`corner_error` at most.
        """
        posterior = (1 + 2 * self.sum_error(rates)) / float(self._sums(rates).min())
        lone = math.log(posterior) - math.log1p(-posterior) if posterior < 1 else math.inf
        inverse = float(self._log_inverse_least(rates).max())
        rest = inverse + math.log1p(-math.exp(-inverse)) + self.corner_error(rates)
        return (rest, lone) if self.secret == "absent" else (lone, rest)

    def sum_error(self, rates: np.ndarray) -> float:
        """A bound on the relative error of the sums at the answers."""
        if len(rates) == 1:
            return decay.relative_error(len(self.counts))
        return (_exponent_error(rates, 745.0) + len(self.counts)) * UNIT

    def corner_error(self, rates: np.ndarray) -> float:
        """A bound on the error of the log odds at the corners.

        Two exponents of at most E, the sum over the coordinates of rate times
        range, are off by (d + 2) u E each, sums of 1024 terms by 1024 u, and
        the rest by a few u of at most E + log N. As the least posterior is at
        most 1/2, passing from it to the odds at most doubles the error.
        """
        widest = decay.exponents(rates, np.ptp(self.answers, axis=0))
        widest = widest[np.isfinite(widest)].sum() + math.log(len(self.own))
        return 2 * (2 * _exponent_error(rates, float(widest)) + STRIP) * UNIT

    def _sums(self, rates: np.ndarray) -> np.ndarray:
        """The sums S at every answer, shape (M,)."""
        if len(rates) == 1:
            return decay.sums(self.answers[:, 0], self.counts.astype(float), rates)[0]
        return pair_sums(self.answers, self.counts.astype(float), rates)

    def _log_inverse_least(self, rates: np.ndarray) -> np.ndarray:
        """Logarithms of one over the least posterior of each answer's worlds, shape (M,)."""
        lows, highs = self.answers.min(axis=0), self.answers.max(axis=0)
        largest = np.zeros(len(self.answers))
        if np.isinf(rates[lows < highs]).any():
            return np.full(len(self.answers), math.inf)  # an exact answer rules each world out
        for corner in itertools.product(*zip(lows, highs)):
            away = decay.exponents(rates, np.abs(self.answers - corner)).sum(axis=1)
            nearest = away.min()
            terms = self.counts * np.exp(nearest - away)
            strips = np.add.reduceat(terms, np.arange(0, len(terms), STRIP))
            np.maximum(largest, away - nearest + math.log(math.fsum(strips)), out=largest)
        return largest


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
        answers: the distinct answers, shape (M, d), sorted when d = 1.
        held: of the worlds with that answer, those that hold each record, (N, M).
        left: those that do not, (N, M).
        exact: True.
    """

    answers: np.ndarray
    held: np.ndarray
    left: np.ndarray
    exact: bool = True

    @cached_property
    def grid(self) -> list[np.ndarray]:
        """The distinct answers in each coordinate, sorted."""
        return [np.unique(column) for column in self.answers.T]

    def posteriors(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Largest posteriors of present and of absent, shape (N,) each."""
        present, absent = self._log_odds(rates)
        return np.exp(-np.logaddexp(0, -present)), np.exp(-np.logaddexp(0, -absent))

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, never below.

        They exceed the exact ones by twice :meth:`error` at most, while they
        are below 700; beyond, terms that vanish can make them infinite.
        """
        present, absent = self._log_odds(rates)
        more = self.error(rates)
        return float(present.max()) + more, float(absent.max()) + more

    def error(self, rates: np.ndarray) -> float:
        """A bound on the error of the log odds.

        For several answers an exponent and the least one beside it are off by
        (d + 2) u E each, E the largest exponent, and sums of M positive terms
        by M u, in numerator and denominator.
        """
        if len(rates) == 1:
            return 3 * decay.relative_error(len(self.answers))
        widest = decay.exponents(rates, np.ptp(self.answers, axis=0))
        widest = float(widest[np.isfinite(widest)].sum())
        return 2 * (2 * _exponent_error(rates, widest) + len(self.answers)) * UNIT

    def _log_odds(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The largest log odds of present and of absent over all outputs, (N,) each."""
        blocks = self._at_answers(rates) if len(rates) == 1 else self._on_the_grid(rates)
        most, least = np.zeros(len(self.held)), np.full(len(self.held), math.inf)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            for held, left in blocks:  # 0/0, an impossible output, is passed over
                odds = held / left
                np.fmax(most, np.fmax.reduce(odds, axis=0), out=most)
                np.fmin(least, np.fmin.reduce(odds, axis=0), out=least)
            return np.log(most), -np.log(least)

    def _at_answers(self, rates: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The sums A and B at every answer, shape (M, N)."""
        values = self.answers[:, 0]
        yield tuple(
            np.stack([decay.sums(values, row, rates)[0] for row in weights.astype(float)], axis=1)
            for weights in (self.held, self.left)
        )

    def _on_the_grid(self, rates: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The sums A and B, a block of outputs at a time, shape (outputs, N).

        Both are divided by the likelihood of the nearest world, so that an
        output far from all of them is not lost. Where some answers carry no
        noise, both are 0 at an output that no world can give.
        """
        apart = [
            decay.exponents(rate, np.abs(points[:, None] - column))
            for rate, points, column in zip(rates, self.grid, self.answers.T)
        ]
        both = np.concatenate([self.held, self.left]).T.astype(float)
        shape = [len(points) for points in self.grid]
        outputs, rows = math.prod(shape), max(1, BLOCK // len(self.answers))
        for start in range(0, outputs, rows):
            cells = np.unravel_index(np.arange(start, min(start + rows, outputs)), shape)
            away = sum(table[index] for table, index in zip(apart, cells))
            nearest = away.min(axis=1, keepdims=True)
            near = np.subtract(np.where(np.isfinite(nearest), nearest, 0), away, out=away)
            yield np.split(np.exp(near, out=near) @ both, 2, axis=1)


def pair_sums(rows: np.ndarray, weights: np.ndarray, rates: np.ndarray) -> np.ndarray:
    r"""The sums :math:`\sum_j w_j e^{-\sum_q t_q|x_{q,i} - x_{q,j}|}` at every row, pair by pair.

    Args:
        rows: x, shape (M, d).
        weights: w, at least 0, shape (M,).
        rates: t, in [0, inf], shape (d,).

    >>> pair_sums(np.array([[0.0, 0], [1, 1]]), np.ones(2), np.array([0, np.log(2)])).tolist()
    [1.5, 1.5]
    """
    sums = np.empty(len(rows))
    height = max(1, PAIRS // len(rows))
    for start in range(0, len(rows), height):
        block = rows[start : start + height]
        away = np.zeros((len(block), len(rows)))
        for rate, mine, column in zip(rates, block.T, rows.T):
            gaps = np.subtract.outer(mine, column)
            np.abs(gaps, out=gaps)
            away += (
                decay.exponents(rate, gaps) if rate == math.inf else np.multiply(gaps, rate, gaps)
            )
        np.exp(np.negative(away, away), away)
        sums[start : start + height] = away @ weights
    return sums


def _exponent_error(rates: np.ndarray, widest: float) -> float:
    """Rounding of a difference, a product and a sum over d coordinates, in units of u."""
    return (len(rates) + 3) * (widest + 1)
