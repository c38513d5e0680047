"""A bound on the risk that lists no worlds, from how far a query can move.

Around any world lie shells of others: those that differ from it in k records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks, sensitivity
from dpchoose.data.queries import Query
from dpchoose.epsilon import certify, solve
from dpchoose.epsilon.choose import FEW, UnattainableRisk, unattainable
from dpchoose.risk.bounds import decay, over_epsilons
from dpchoose.worlds import counting
from dpchoose.worlds.subsets import MAX_WORLDS

DEAR = 64  # distances that are looked at when each is dear


@dataclass(frozen=True, eq=False)
class Shells:
    """The worlds by how many records they differ in from any one of them.

    Attributes:
        distances: how far the answers of a shell are away at most, for
            k = 0, ..., min(n, N - n); never falls.
        logs: logarithms of the numbers of worlds in each shell.
        log_error: by how much each logarithm may be off.
        release_size: n.
        records: N.
    """

    distances: np.ndarray
    logs: np.ndarray
    log_error: float
    release_size: int
    records: int

    @cached_property
    def total(self) -> int:
        """The number of worlds, exact."""
        return math.comb(self.records, self.release_size)

    @cached_property
    def limit(self) -> Fraction:
        """What the bound tends to as epsilon grows, exactly."""
        tied = int(np.count_nonzero(self.distances == 0))
        if tied == len(self.distances):
            return Fraction(1, self.total)
        return Fraction(1, sum(self.sizes(tied)))

    def sizes(self, most: int) -> list[int]:
        """The numbers of worlds in the first shells, exact."""
        outside, found, size = self.records - self.release_size, [], 1
        for k in range(most):
            found.append(size)
            size = size * (self.release_size - k) * (outside - k) // (k + 1) ** 2
        return found


def shell_bound(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    epsilon: Any,
    sensitivity: float,
    max_worlds: int = MAX_WORLDS,
) -> Any:
    r"""A bound on the worst-case risk, for any number of records.

    .. math:: \frac{1}{\sum_k \binom{n}{k}\binom{N-n}{k} e^{-t\Delta v_k}}

    with :math:`\Delta v_k` the bounded global sensitivity at distance k: each
    world has that many others k changes away, and none of their answers is
    farther than that. It is never below :func:`dpchoose.worst_case_risk` of
    the uniform prior, and never above :func:`dpchoose.risk_upper_bound`.

    For var and std each distance is dear. Beyond 64 of them a geometric
    series of distances is looked at, and one in between is given the value of
    the next larger, which keeps the bound a bound.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        epsilon: in [0, inf], a float or an array.
        sensitivity: of the query, in [0, inf), in the unit of the answers.
        max_worlds: the most datasets that may be looked at for a callable.

    Returns:
        risks in (0, 1], of the shape of epsilon.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> round(shell_bound("mean", [1, 2, 3, 10], 3, epsilon=0.3829, sensitivity=17 / 6), 4)
    0.3333
    """
    epsilon, sensitivity = checks.epsilons(epsilon), checks.sensitivity(sensitivity)
    return bound(shells(query, universe, release_size, max_worlds), epsilon, sensitivity)


def epsilon_from_shell_bound(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    risk: Any,
    sensitivity: float,
    max_worlds: int = MAX_WORLDS,
) -> float:
    """The largest epsilon whose shell bound is at most the accepted risk.

    Args:
        query, universe, release_size, max_worlds: as for :func:`shell_bound`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3".
        sensitivity: of the query, in [0, inf), in the unit of the answers.

    Returns:
        a float whose bound does not exceed the request in exact arithmetic,
        within 1e-9 of the solution; math.inf when every epsilon meets it.

    Raises:
        UnattainableRisk: no positive epsilon meets it.
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> round(epsilon_from_shell_bound("mean", [1, 2, 3, 10], 3, risk="1/3", sensitivity=17 / 6), 6)
    0.382939
    """
    target, sensitivity = checks.parse_risk(risk), checks.sensitivity(sensitivity)
    return largest_epsilon(shells(query, universe, release_size, max_worlds), target, sensitivity)


def shells(query: Query, universe: Any, release_size: int, max_worlds: int) -> Shells:
    """The shells of a release; see :func:`shell_bound`.

    >>> shells("sum", [1, 2, 3, 10, 11], 3, 100).distances.tolist()
    [0.0, 10.0, 18.0]
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    most = min(size, len(values) - size)
    if query in ("var", "std") and most > DEAR:
        looked_at = np.unique(np.geomspace(1, most, DEAR).round().astype(int))
        found = [
            sensitivity.global_sensitivity(
                query, values, size, adjacency="bounded", distance=int(k)
            ).value
            for k in looked_at
        ]
        found = np.maximum.accumulate(found)
        found = found[np.searchsorted(looked_at, np.arange(1, most + 1))]
    else:
        found = sensitivity.bounded_by_distance(query, values, size, max_worlds=max_worlds)
        found = np.maximum.accumulate(found)
    inside, error = counting.log_choose(size, most)
    outside, error_too = counting.log_choose(len(values) - size, most)
    logs = inside + outside
    error += error_too + float(np.spacing(logs.max()))
    return Shells(np.concatenate([[0.0], found]), logs, error, size, len(values))


def bound(shells: Shells, epsilon: np.ndarray, sensitivity: float) -> Any:
    """:func:`shell_bound` of given shells.

    >>> float(bound(shells("sum", [1, 2, 3], 1, 100), np.array(0.0), 1.0))
    0.3333333333333333
    """

    def risks(rates: np.ndarray) -> np.ndarray:
        found = []
        for rate in rates:
            terms = shells.logs - decay.exponents(rate, shells.distances)
            top = terms.max()
            found.append(np.exp(-top) / np.exp(terms - top).sum())
        return np.minimum(found, 1)

    return over_epsilons(risks, len(shells.logs), epsilon, sensitivity)


def largest_epsilon(shells: Shells, target: Fraction, sensitivity: float) -> float:
    """:func:`epsilon_from_shell_bound` of given shells.

    >>> largest_epsilon(shells("count", [1, 2, 3], 1, 100), Fraction(1, 3), 1.0)
    inf
    """
    prior, limit = Fraction(1, shells.total), shells.limit
    if limit <= target:
        return math.inf
    if target <= prior or sensitivity == 0:
        raise UnattainableRisk(unattainable(target, prior, limit, sensitivity))
    epsilon = None
    if len(shells.logs) > FEW:
        epsilon = solve.shell_epsilon(
            shells.distances, shells.logs, shells.log_error, target, sensitivity
        )
    if epsilon is None:
        sizes, distances = shells.sizes(len(shells.logs)), shells.distances.tolist()

        def meets(epsilon: Decimal, margin: Decimal) -> bool:
            rate = epsilon / Decimal(sensitivity)
            return certify.shells_meet(distances, sizes, rate, target, margin)

        def seems_to_meet(epsilon: float) -> bool:
            return bound(shells, np.array(epsilon), sensitivity) <= float(target)

        epsilon = certify.certified_epsilon(meets, seems_to_meet)
    if epsilon == 0:
        raise UnattainableRisk(unattainable(target, prior, limit, sensitivity))
    return epsilon
