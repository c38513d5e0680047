"""What the tables of records have in common: derivatives of log odds, and rounding."""

from __future__ import annotations

import math

import numpy as np

from dpchoose.risk import decay


def log_odds_slopes(
    answers: np.ndarray, held: np.ndarray, left: np.ndarray, output: np.ndarray, rates: np.ndarray
) -> np.ndarray:
    r"""How the log odds :math:`\ln A/B` of worlds with and without a record grow with each rate.

    Each is the mean distance of the output from the answers without it, less
    that from those with it, weighed by their terms in B and in A.

    Args:
        answers: shape (M, d).
        held, left: worlds with each answer, with and without the record, shape (M,).
        output: shape (d,).
        rates: t, in [0, inf], shape (d,).

    >>> two = np.array([[0.0], [3.0]])
    >>> log_odds_slopes(two, np.array([1, 0]), np.array([0, 1]), two[0], np.ones(1)).tolist()
    [3.0]
    """
    gaps = np.abs(answers - output)
    away = decay.exponents(rates, gaps).sum(axis=1)
    means = []
    for weights in (held, left):
        near = away[weights > 0].min(initial=math.inf)
        if near == math.inf:
            return np.full(len(rates), math.nan)
        means.append(np.average(gaps, axis=0, weights=weights * np.exp(np.minimum(near - away, 0))))
    return means[1] - means[0]


def exponent_error(answers: int, widest: float) -> float:
    """How far an exponent may be off: a difference, a product and a sum over d, in units of u.

    Args:
        answers: d.
        widest: the largest exponent, the sum over d of rate times distance.

    >>> exponent_error(2, 9.0)
    50.0
    """
    return (answers + 3) * (widest + 1)
