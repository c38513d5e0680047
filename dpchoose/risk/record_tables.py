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

import math
from typing import NamedTuple

import numpy as np

from dpchoose.risk import decay


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


def log_odds_slopes(
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
    >>> log_odds_slopes(gaps, np.array([1, 0]), np.array([0, 1]), np.ones(1)).tolist()
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


def exponent_error(answers: int, widest: float) -> float:
    """How far an exponent may be off, in units of u.

    A difference and its tail, a rate and its unit, a product and a sum over d.

    Args:
        answers: d.
        widest: the largest exponent, the sum over d of rate times distance.

    >>> exponent_error(2, 9.0)
    80.0
    """
    return (answers + 6) * (widest + 1)
