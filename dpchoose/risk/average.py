r"""How often the adversary's best guess is right, before any output is known."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.decay import UNIT
from dpchoose.worlds.places import Places


class Success(NamedTuple):
    """The chance that the best guess is right, at one rate.

    Attributes:
        risk: the chance.
        error: by how much it may be off.
        slope: how fast it grows with the rate.
    """

    risk: float
    error: float
    slope: float


def best_guess(heights: np.ndarray, places: Places, rate: float) -> Success:
    r"""The average risk at one rate t.

    On a log scale the curves :math:`p_i q` are tents of one slope. Those whose
    tip lies under another tent never win. Over those that do, h high and g
    apart, the sum of :func:`dpchoose.average_risk` is written without
    cancellation: :math:`h_0 + \sum_i h_{i+1}\left(1 - e^{(\ln h_i - \ln
    h_{i+1} - t g_i)/2}\right)`, where every term is positive.

    Args:
        heights: logarithms of the largest prior at each answer, shape (M,).
        places: of the answers, sorted, distinct, shape (M, 1).
        rate: t, in [0, inf], in the inverse unit of the answers.

    >>> best_guess(np.log([0.5, 0.5]), Places.of(np.array([0.0, 1])), np.inf).risk
    1.0
    """
    (answers, tails), divisor = places.column(0), float(places.divisors[0])
    rate = rate / divisor
    lowest, highest = float(heights.min()), float(heights.max())
    if highest == lowest:  # all tents are alike, and none covers another
        wins = np.arange(len(heights))
        tops, gaps, falls = math.exp(highest), _gaps(answers, tails), 0.0
    else:
        wins = _winning(heights, answers, tails, rate)
        heights, gaps = heights[wins], _gaps(answers, tails, wins)
        tops, falls = np.exp(heights), (heights[:-1] - heights[1:]) / 2
    gains = np.expm1(np.minimum(falls - decay.exponents(rate / 2, gaps), 0.0))
    first, others = np.ravel(tops)[0], tops if highest == lowest else tops[1:]
    risk = float(first - (others * gains).sum())
    slope = float((others * (1 + gains) * gaps).sum()) / 2 / divisor
    whole = len(heights) * tops if highest == lowest else tops.sum()
    error = 4 * UNIT * (40 - lowest) * (risk + float(whole))
    lost = places.lost(np.array([rate * divisor]))
    if isinstance(lost, np.ndarray):  # of a gap, what both of its ends have lost
        lost = lost[wins]
        lost = np.minimum(lost[1:] + lost[:-1], 1.0)
    return Success(risk, error + float((others * (1 + gains) * lost).sum()), slope)


def _gaps(
    answers: np.ndarray, tails: np.ndarray | None, rows: np.ndarray | slice = slice(None)
) -> np.ndarray:
    """How far each of some answers is above the one before."""
    gaps = np.diff(answers[rows])
    return gaps if tails is None else np.maximum(gaps + np.diff(tails[rows]), 0)


def _winning(
    heights: np.ndarray, answers: np.ndarray, tails: np.ndarray | None, rate: float
) -> np.ndarray:
    """The tents of log height ``heights`` that no other tent covers.

    Heights above the farthest tent lose digits when that is far away, so they
    only sort out the clear cases; neighbours are then compared with each other.
    """
    if rate == math.inf:
        return np.arange(len(heights))
    if rate == 0:
        return heights.argmax()[None]
    climb = np.minimum(decay.exponents(rate, answers - answers[0]), 1e300)
    slack = 4 * np.spacing(climb[-1] - heights.min())
    from_left = np.maximum.accumulate(heights + climb) - slack
    from_right = np.maximum.accumulate((heights - climb)[::-1])[::-1] - slack
    wins = np.flatnonzero((heights + climb >= from_left) & (heights - climb >= from_right))
    while True:
        rises = np.diff(heights[wins])
        reaches = decay.exponents(rate, _gaps(answers, tails, wins))
        covered = np.append(rises > reaches, False) | np.insert(rises <= -reaches, 0, False)
        if not covered.any():
            return wins
        wins = wins[~covered]
