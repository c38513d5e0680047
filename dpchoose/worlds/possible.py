"""The answers of all possible worlds, each with its weight.

The adversary knows the universe of N records and that n of them are released.
Every n-subset of positions is a world, so two subsets with equal values are
two worlds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Query, evaluate, resolve
from dpchoose.worlds import all_but_one, counting, subsets
from dpchoose.worlds.subsets import MAX_WORLDS

TIE_ULPS = 8
LARGEST_TOTAL = 10**290  # beyond it, numbers of worlds are also held as logarithms


@dataclass(frozen=True, eq=False)
class Worlds:
    """What the adversary weighs: the distinct answers and their prior mass.

    Attributes:
        answers: the distinct answers, sorted, shape (M,).
        weights: prior mass of the worlds with that answer, shape (M,), in
            (0, 1], summing to 1.
        peaks: largest prior of a single world with that answer, shape (M,).
        total: number m of worlds, exact.
        masses: the weights, exact up to one common factor: numbers of worlds
            under a uniform prior, fractions otherwise; None when only their
            logarithms are known.
        peak_masses: the peaks in the same unit.
        log_counts: natural logarithms of the numbers of worlds, shape (M,),
            when these exceed 1e290 in all; weights and peaks may then be 0
            where they are too small for a float. None otherwise.
        log_error: by how much each of the logarithms may be off.
    """

    answers: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    masses: Sequence[int | Fraction] | None
    peak_masses: Sequence[int | Fraction] | None
    log_counts: np.ndarray | None = None
    log_error: float = 0.0

    @property
    def spread(self) -> float:
        """The largest difference between the answers of two worlds."""
        return float(self.answers[-1] - self.answers[0])

    @cached_property
    def mass(self) -> Fraction:
        """The sum of the masses, exact."""
        if self.masses is None:
            return Fraction(self.total)
        numerators, unit = _over_common_unit(self.masses)
        return Fraction(sum(numerators), unit)

    @cached_property
    def largest_prior(self) -> Fraction:
        """The largest prior of a world, exact: 1/m when it is uniform."""
        if self.peak_masses is None:
            return Fraction(1, self.total)
        return Fraction(max(self.peak_masses)) / self.mass

    @cached_property
    def sum_of_peaks(self) -> Fraction:
        """The chance to guess the world when the answer is known, exact."""
        if self.peak_masses is None:
            return Fraction(len(self.answers), self.total)
        numerators, unit = _over_common_unit(self.peak_masses)
        return Fraction(sum(numerators), unit) / self.mass

    @cached_property
    def largest_share(self) -> Fraction:
        """The largest posterior of a world when the answer is known, exact.

        Where only logarithms of the numbers of worlds are known, a bound that
        is above it by no more than their error.
        """
        if self.masses is None:
            fewest = float(self.log_counts.min()) - self.log_error
            return min(Fraction(1), Fraction(math.exp(-fewest)) * (1 + Fraction(1, 10**15)))
        peak = max(self.peak_masses)
        if peak == min(self.peak_masses):
            return Fraction(peak) / Fraction(min(self.masses))
        shares = self.peaks / self.weights
        near = np.flatnonzero(shares >= shares.max() * (1 - 1e-9)).tolist()
        pairs = {(self.peak_masses[i], self.masses[i]) for i in near}
        return max(Fraction(peak) / Fraction(mass) for peak, mass in pairs)


def world_answers(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The answer of every world.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        max_worlds: the most worlds that may be listed.

    Returns:
        float array of shape (C(N, n),), in lexicographic order of positions.
        When n = N - 1 the first world is the one without the last record.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> world_answers("median", [1, 2, 3, 10], 3).tolist()
    [2.0, 2.0, 3.0, 3.0]
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    resolve(query)
    return _answers(query, values, size, checks.integer("max_worlds", max_worlds, 1))[0]


def possible_worlds(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    prior: Any = None,
    max_worlds: int = MAX_WORLDS,
) -> Worlds:
    """The distinct answers of all worlds, with their prior mass.

    The worlds of a named query are counted, not listed, where that can be:
    for n = N - 1, for the count, the median and the percentiles, and for sums
    and means of whole numbers or decimals with few digits. Otherwise each
    world is evaluated.

    Answers that are equal on paper are one answer. Where the floats do not
    tell (interpolated percentiles, var and std, and whatever is evaluated
    world by world), answers that differ by no more than the rounding of their
    own evaluation (8 ulps of the largest magnitude) are taken as equal: the
    variances of {0, 1, 7} and {0, 6, 7} are, although their floats are not.
    A longer run of such answers is left apart, which is the safe side.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        prior: None for the uniform prior, or one probability per world in
            lexicographic order of positions, shape (C(N, n),). For n = N - 1
            the first world is the one that leaves the LAST record out.
        max_worlds: the most worlds that may be listed.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> worlds = possible_worlds("median", [1, 2, 3, 10], 3)
    >>> worlds.answers.tolist(), worlds.weights.tolist(), worlds.total
    ([2.0, 3.0], [0.5, 0.5], 4)
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    resolve(query)
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    total = math.comb(len(values), size)
    if prior is not None:
        prior = checks.prior(prior, total)
        answers, exact = _answers(query, values, size, max_worlds)
        return _weighed(answers[prior > 0], prior[prior > 0], total, exact)
    if size < len(values) - 1 or not isinstance(query, str):
        counted = counting.count_worlds(query, values, size, max_worlds=max_worlds)
        if counted is not None:
            return _counted(counted, total)
    answers, exact = _answers(query, values, size, max_worlds)
    answers = np.sort(answers)
    starts = tie_starts(answers, exact)
    counts = np.diff(starts, append=len(answers))
    return Worlds(
        answers[starts],
        counts / total,
        np.full(len(starts), 1 / total),
        total,
        counts.tolist(),
        [1] * len(starts),
    )


def _answers(
    query: Query, values: np.ndarray, size: int, max_worlds: int
) -> tuple[np.ndarray, bool]:
    """The answer of every world, and whether equal ones are equal floats."""
    if size == len(values) - 1:
        without = all_but_one.answers_without_each(query, values)
        if without is not None:
            return without[0][::-1], without[1]
    subsets.refuse_above(max_worlds, math.comb(len(values), size), "this release")
    listed = subsets.over_blocks(partial(_evaluated, query, values), (len(values), size), held=size)
    return np.concatenate(list(listed)), False


def _evaluated(query: Query, values: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    return evaluate(query, values[worlds])


def _weighed(answers: np.ndarray, prior: np.ndarray, total: int, exact: bool) -> Worlds:
    order = np.argsort(answers, kind="stable")
    answers, prior = answers[order], prior[order]
    starts = tie_starts(answers, exact)
    numerators, unit = _over_common_unit([Fraction(share) for share in prior.tolist()])
    whole = sum(numerators)
    ends = [*starts[1:].tolist(), len(answers)]
    masses = [sum(numerators[start:end]) for start, end in zip(starts.tolist(), ends)]
    peaks = [max(numerators[start:end]) for start, end in zip(starts.tolist(), ends)]
    return Worlds(
        answers[starts],
        np.array([mass / whole for mass in masses]),
        np.array([peak / whole for peak in peaks]),
        total,
        [Fraction(mass, unit) for mass in masses],
        [Fraction(peak, unit) for peak in peaks],
    )


def _counted(counted: counting.Counted, total: int) -> Worlds:
    order = np.argsort(counted.answers, kind="stable")
    answers = counted.answers[order]
    starts = tie_starts(answers, counted.exact)
    peaks = np.full(len(starts), 1 / total)
    if counted.counts is None:
        logs = np.logaddexp.reduceat(counted.logs[order], starts)
        most = float(np.diff(starts, append=len(answers)).max())
        error = counted.log_error + 4 * most * np.spacing(abs(logs).max())
        weights = np.exp(logs - math.log(total))
        return Worlds(answers[starts], weights, peaks, total, None, None, logs, error)
    ends = [*starts[1:].tolist(), len(answers)]
    order = order.tolist()
    masses = [
        sum(counted.counts[i] for i in order[start:end])
        for start, end in zip(starts.tolist(), ends)
    ]
    weights = np.array([mass / total for mass in masses])
    ones = [1] * len(masses)
    if total <= LARGEST_TOTAL:
        return Worlds(answers[starts], weights, peaks, total, masses, ones)
    logs = np.array([math.log(mass) for mass in masses])
    error = 4 * float(np.spacing(logs.max()))
    return Worlds(answers[starts], weights, peaks, total, masses, ones, logs, error)


def _over_common_unit(masses: Sequence[int | Fraction]) -> tuple[list[int], int]:
    """Integers, and the unit of which they are multiples: masses are numerator / unit."""
    if isinstance(masses[0], int):
        return masses, 1
    unit = math.lcm(*{mass.denominator for mass in masses})
    return [mass.numerator * (unit // mass.denominator) for mass in masses], unit


def tie_starts(answers: np.ndarray, exact: bool) -> np.ndarray:
    """Where each group of equal answers begins, in sorted answers."""
    steps = np.diff(answers, prepend=-np.inf)
    if exact:
        return np.flatnonzero(steps > 0)
    slack = TIE_ULPS * np.spacing(np.abs(answers).max())
    starts = np.flatnonzero(steps > slack)
    ends = np.append(starts[1:], len(answers))
    drawn_out = answers[ends - 1] - answers[starts] > 2 * slack
    if not drawn_out.any():
        return starts
    apart = steps > slack
    for start, end in zip(starts[drawn_out], ends[drawn_out]):
        apart[start:end] |= steps[start:end] > 0
    return np.flatnonzero(apart)
