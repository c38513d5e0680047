"""A bound on the risk that lists no worlds, from how far the queries can move.

Around any world lie shells of others: those that differ from it in k records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks, sensitivity
from dpchoose.data.asking import Asked, ask
from dpchoose.risk import decay
from dpchoose.risk.bounds import rates_of
from dpchoose.risk.curves import Exponentials
from dpchoose.risk.decay import UNIT
from dpchoose.worlds import subsets
from dpchoose.worlds.subsets import MAX_WORLDS


@dataclass(frozen=True, eq=False)
class Shells:
    """The worlds by how many records they differ in from any one of them.

    Attributes:
        distances: how far the answers of a shell are away at most, for
            k = 0, ..., min(n, N - n), a row per statistic, shape (d, K);
            never falls.
        logs: logarithms of the numbers of worlds in each shell, shape (K,).
        log_error: by how much each logarithm may be off.
        release_size: n.
        records: N.
    """

    distances: np.ndarray
    logs: np.ndarray
    log_error: float
    release_size: int
    records: int

    @property
    def spread(self) -> np.ndarray:
        """The largest difference between the answers of two worlds, shape (d,)."""
        return self.distances[:, -1]

    @cached_property
    def prior(self) -> Fraction:
        """Of every world; 0 where it is too small for a float."""
        return subsets.prior(self.records, self.release_size)

    def curve(self, rates: np.ndarray, beside: np.ndarray | float = 0.0) -> Exponentials:
        """The shell bound along a ray of rates.

        Args:
            rates: the direction of the ray, shape (d,).
            beside: distances that other answers add, shape (K,).
        """
        ways = self.along(rates)
        # where one change moves no answer, no number of changes does
        limit = Fraction(1) if (ways + beside).any() else self.prior
        return Exponentials(ways, self.logs - beside, self.prior, limit, self.log_error)

    def along(self, rates: np.ndarray) -> np.ndarray:
        """How far the answers of each shell are away at these rates, together, (K,)."""
        return decay.exponents(rates[:, None], self.distances).sum(axis=0)


def shell_bound(
    query: Any,
    universe: Any,
    release_size: int,
    *,
    epsilon: Any,
    sensitivity: Any,
    max_worlds: int = MAX_WORLDS,
) -> Any:
    r"""The largest posterior of any world, bounded without listing worlds (``eq-shell``).

    .. math:: \frac{1}{\sum_k \binom{n}{k}\binom{N - n}{k} e^{-\sum_q t_q \Delta v_{q,k}}}

    for the uniform prior, with :math:`\Delta v_{q,k}` the bounded global
    sensitivity of query q at distance k. Any world has that many others k
    changes away, and none of their answers is farther than that. It is never
    below :func:`dpchoose.tight_bound` of the uniform prior, and for one
    answer never above :func:`dpchoose.upper_bound`.

    Args:
        query: a name, a callable on the last axis, or a list of d of them that
            are published together; of a DataFrame (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1].
        epsilon, sensitivity: as for :func:`dpchoose.tight_bound`.
        max_worlds: the most datasets that may be looked at for a callable.

    Returns:
        risks in (0, 1], shaped as those of :func:`dpchoose.tight_bound`; one
        below every float is given as the smallest, about 5e-324.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> round(shell_bound("mean", [1, 2, 3, 10], 3, epsilon=0.3829, sensitivity=17 / 6), 4)
    0.3333
    """
    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    several = len(asked.statistics) if asked.several else None
    epsilons = checks.epsilons(epsilon, several)
    deltas = checks.sensitivities(sensitivity, several or 1)
    around = surroundings(asked, size, checks.integer("max_worlds", max_worlds, 1))
    shape = epsilons.shape[:-1] if several else epsilons.shape
    rates = rates_of(epsilons.reshape(-1, len(deltas)), deltas)
    logs = [around.curve(rate).log_risk(1.0) for rate in rates]
    risks = np.clip(np.exp(logs), math.ulp(0.0), 1).reshape(shape)
    return float(risks) if risks.ndim == 0 else risks


def surroundings(asked: Asked, size: int, max_worlds: int) -> Shells:
    """The shells of a release, of arguments that have been checked.

    >>> surroundings(ask("sum", [1, 2, 3, 10, 11]), 3, 100).distances.tolist()
    [[0.0, 10.0, 18.0]]
    """
    found = [
        sensitivity.by_distance(one.query, one.values, size, max_worlds=max_worlds)
        for one in asked.statistics
    ]
    distances = np.concatenate([np.zeros((len(found), 1)), found], axis=1)
    return Shells(distances, *log_sizes(size, asked.records), size, asked.records)


def log_sizes(size: int, records: int) -> tuple[np.ndarray, float]:
    """Logarithms of the numbers of worlds k changes away, and how far they may be off.

    >>> np.exp(log_sizes(3, 5)[0]).round(9).tolist()
    [1.0, 6.0, 3.0]
    """
    most = min(size, records - size)
    inside, error = log_choose(size, most)
    outside, error_too = log_choose(records - size, most)
    logs = inside + outside
    return logs, error + error_too + float(np.spacing(logs.max()))


def log_choose(size: int, most: int) -> tuple[np.ndarray, float]:
    """ln C(size, k) for k = 0, ..., most, and by how much it may be off.

    Running sums of ln((size - k)/(k + 1)); what each addition rounds off is
    kept, so that the error is that of the terms.

    >>> np.exp(log_choose(4, 2)[0]).round(12).tolist()
    [1.0, 4.0, 6.0]
    """
    k = np.arange(most, dtype=float)
    terms = np.log((size - k) / (k + 1))
    heads = np.concatenate([[0.0], np.cumsum(terms)])
    part = heads[1:] - heads[:-1]
    tails = (heads[:-1] - (heads[1:] - part)) + (terms - part)
    heads[1:] += np.cumsum(tails)
    error = 4 * UNIT * (most + np.abs(terms).sum())
    return heads, float(error)
