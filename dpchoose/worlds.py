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
from functools import partial
from typing import Any

import numpy as np

from dpchoose import checks, subsets
from dpchoose.queries import Query, evaluate, resolve
from dpchoose.subsets import MAX_WORLDS

TIE_ULPS = 8


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
            under a uniform prior, fractions otherwise.
        peak_masses: the peaks in the same unit.
    """

    answers: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    masses: Sequence[int | Fraction]
    peak_masses: Sequence[int | Fraction]

    @property
    def spread(self) -> float:
        """The largest difference between the answers of two worlds."""
        return float(self.answers[-1] - self.answers[0])

    @property
    def largest_prior(self) -> Fraction:
        """The largest prior of a world, exact: 1/m when it is uniform."""
        return Fraction(max(self.peak_masses)) / Fraction(sum(self.masses))


def world_answers(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The answer of every world.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        max_worlds: the most worlds that may be enumerated.

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
    total = math.comb(len(values), size)
    subsets.refuse_above(max_worlds, total, "this release")
    answers = partial(_answers, query, values)
    return np.concatenate(list(subsets.over_blocks(answers, (len(values), size), held=size)))


def possible_worlds(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    prior: Any = None,
    max_worlds: int = MAX_WORLDS,
) -> Worlds:
    """The distinct answers of all worlds, with their prior mass.

    Answers that differ by no more than the rounding of their own evaluation
    (8 ulps of the largest magnitude) are one answer: the variances of
    {0, 1, 7} and {0, 6, 7} are equal, although their floats are not.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        prior: None for the uniform prior, or one probability per world in
            lexicographic order of positions, shape (C(N, n),). For n = N - 1
            the first world is the one that leaves the LAST record out.
        max_worlds: the most worlds that may be enumerated.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> worlds = possible_worlds("median", [1, 2, 3, 10], 3)
    >>> worlds.answers.tolist(), worlds.weights.tolist(), worlds.total
    ([2.0, 3.0], [0.5, 0.5], 4)
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    total = math.comb(len(values), size)
    if prior is not None:
        prior = checks.prior(prior, total)
    answers = world_answers(query, values, size, max_worlds=max_worlds)
    if prior is not None:
        answers, prior = answers[prior > 0], prior[prior > 0]
    order = np.argsort(answers, kind="stable")
    answers = answers[order]
    starts = _tie_starts(answers)
    distinct = answers[starts]
    if prior is None:
        counts = np.diff(starts, append=len(answers))
        masses = counts.tolist()
        return Worlds(
            distinct,
            counts / total,
            np.full(len(starts), 1 / total),
            total,
            masses,
            [1] * len(starts),
        )
    prior = prior[order]
    groups = np.split(prior, starts[1:])
    masses = [sum(map(Fraction, group)) for group in groups]
    peaks = np.maximum.reduceat(prior, starts)
    return Worlds(
        distinct,
        np.array([float(mass) for mass in masses]),
        peaks,
        total,
        masses,
        [Fraction(peak) for peak in peaks],
    )


def _answers(query: Query, values: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    return evaluate(query, values[worlds])


def _tie_starts(answers: np.ndarray) -> np.ndarray:
    """Where each group of equal answers begins, in sorted answers."""
    slack = TIE_ULPS * np.spacing(np.abs(answers).max())
    return np.flatnonzero(np.diff(answers, prepend=-np.inf) > slack)
