"""The answers of all possible worlds, each with its weight.

The adversary knows the universe of N records and that n of them are released. Every
n-subset of positions is a world, so two subsets with equal values are two worlds. A world
has one answer, or d of them when d statistics are published together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.queries import Query, QueryBatch, Statistic, ask
from dpchoose.sensitivity.global_local import global_sensitivity
from dpchoose.worlds import subsets
from dpchoose.worlds.answers import Answers, of_subsets, without_each
from dpchoose.worlds.subsets import MAX_WORLDS

LEAST_PRIOR = 1e-290  # of a world: sums of weights below it lose digits as they decay


@dataclass(frozen=True, eq=False)
class Worlds:
    """What the adversary weighs: the distinct answers and their prior mass.

    Attributes:
        answers: the distinct answers, sorted, shape (M,); for several statistics the distinct
            rows, shape (M, d).
        weights: prior mass of the worlds with that answer, in (0, 1], summing to 1, (M,).
        peaks: largest prior of a single world with that answer, (M,).
        total: number m of worlds, exact.
        masses: the weights, exact up to one common factor: whole numbers, under a uniform
            prior the numbers of worlds.
        peak_masses: the peaks in the same unit.
        coordinates: the answers as floats whose differences are exact to four roundings, (M, d).
        codes: whole numbers that are equal where the answers are, (M, d).
        statistics: what was asked, and of which records.
        size: the number n of records in a world.
    """

    answers: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    masses: Sequence[int]
    peak_masses: Sequence[int]
    coordinates: np.ndarray
    codes: np.ndarray
    statistics: tuple[Statistic, ...]
    size: int

    def keep(self, columns: np.ndarray) -> "Worlds":
        """The same worlds with some of the statistics alone: ``columns`` are booleans, (d,)."""
        names = ("answers", "coordinates", "codes")
        kept = {name: getattr(self, name)[:, columns] for name in names}
        return replace(self, statistics=(*compress(self.statistics, columns),), **kept)

    @property
    def several(self) -> int:
        """The number d of statistics where a list was asked; 0 where a single one was."""
        return self.answers.shape[1] if self.answers.ndim > 1 else 0

    @cached_property
    def largest_prior(self) -> Fraction:
        """The largest prior of a world, exact: 1/m when it is uniform."""
        return Fraction(max(self.peak_masses), sum(self.masses))

    @cached_property
    def largest_share(self) -> Fraction:
        """The largest posterior of a world when the answers are known, exact (``eq-limit``)."""
        shares = {*zip(self.peak_masses, self.masses)}
        return max(Fraction(peak, mass) for peak, mass in shares)

    def exceeds_without_noise(self, risk: Fraction) -> np.ndarray:
        """Which answers give a world more than a risk without noise, (M,).

        All others never do, at any rate.
        """
        top, below = risk.as_integer_ratio()
        pairs = zip(self.peak_masses, self.masses)
        return np.array([peak * below > mass * top for peak, mass in pairs])

    @property
    def spread(self) -> Any:
        """The largest difference between the answers of two worlds, a float or (d,)."""
        widths = np.ptp(self.coordinates, axis=0)
        return widths if self.several else float(widths[0])

    @cached_property
    def sensitivity(self) -> Any:
        """The global sensitivity of what was asked, one record added or removed, a float or (d,).

        >>> dp.possible_worlds("mean", [1, 2, 3, 10], 3).sensitivity
        2.8333333333333335
        """
        of = (global_sensitivity(one.query, one.values, self.size) for one in self.statistics)
        steps = np.array([float(step) for step in of])
        return steps if self.several else float(steps[0])


def world_answers(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The answer of every world, of the arguments of :func:`possible_worlds` but the prior.

    Returns:
        float array of shape (C(N, n),), or (C(N, n), d) for a list of d queries, in
        lexicographic order of positions, which is that of ``itertools.combinations``. When
        n = N - 1 the first world is the one without the LAST record: read from the end, the
        answers are those without each record in turn.

    >>> dp.world_answers("median", [1, 2, 3, 10], 3).tolist()
    [2.0, 2.0, 3.0, 3.0]
    """
    batch = ask(query, universe)
    size = checks.release_size(release_size, batch.records)
    table = all_answers(batch, size, checks.integer("max_worlds", max_worlds, 1))
    answers = np.stack([column.floats() for column in table], axis=1)
    return answers if batch.several else answers[:, 0]


def possible_worlds(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    prior: Any = None,
    max_worlds: int = MAX_WORLDS,
) -> Worlds:
    """The distinct answers of all worlds, with their prior mass.

    With all records but one released, the worlds of a named query cost one sort; all
    others are listed. Answers are exact (:mod:`dpchoose.worlds.answers`): two are one
    where they are equal, and only there. The floats that a callable gives are its
    answers, by definition, with the rounding that it may have done.

    Args:
        query: a name, a callable on the last axis, or a list of them that are published
            together; of a DataFrame (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1].
        prior: None for the uniform prior, or one probability per world in lexicographic
            order of positions, shape (C(N, n),). For n = N - 1 the first world is the one
            that leaves the LAST record out.
        max_worlds: the most worlds that may be listed, at least 1; more are refused.

    >>> worlds = dp.possible_worlds("median", [1, 2, 3, 10], 3)
    >>> worlds.answers.tolist(), worlds.weights.tolist(), worlds.total
    ([2.0, 3.0], [0.5, 0.5], 4)
    >>> dp.possible_worlds(["median", "count"], [1, 2, 3, 10], 3).answers.tolist()
    [[2.0, 3.0], [3.0, 3.0]]
    """
    batch = ask(query, universe)
    size = checks.release_size(release_size, batch.records)
    return worlds_of(batch, size, checks.integer("max_worlds", max_worlds, 1), prior=prior)


def worlds_of(
    batch: QueryBatch, size: int, max_worlds: int = MAX_WORLDS, *, prior: Any = None
) -> Worlds:
    """:func:`possible_worlds` of arguments that have been checked."""
    shares, total = None, subsets.count(batch.records, size)
    if prior is not None:
        prior = checks.prior(prior, total)
        if (least := prior.min(where=prior > 0, initial=1)) < LEAST_PRIOR:
            raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR} of a world, got {least}")
        possible = np.flatnonzero(prior > 0)
        shares = _whole_numbers(prior[possible])
    table = all_answers(batch, size, max_worlds)
    if prior is not None:
        table = [column._replace(numbers=column.numbers[possible]) for column in table]
    return _merged(table, shares, total, batch, size)


def all_answers(batch: QueryBatch, size: int, max_worlds: int) -> list[Answers]:
    """The answers to each statistic in every world, in lexicographic order of positions."""
    total = subsets.count(batch.records, size)
    table = []
    for statistic in batch.statistics:
        if size == batch.records - 1 and not callable(statistic.query):
            answers = without_each(statistic.query, statistic.values)
            table.append(answers._replace(numbers=answers.numbers[::-1]))
        else:
            subsets.refuse_above(max_worlds, total, "this release")
            table.append(of_subsets(statistic.query, statistic.values, size))
    return table


def laid_out(table: Sequence[Answers]) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates counted from an answer in the middle, and codes of equal answers, (M, d)."""
    coordinates, codes = [], []
    for answers in table:
        ranked, code = _ranked(answers.numbers)
        coordinates.append(answers.differences(int(ranked[len(ranked) // 2])))
        codes.append(code)
    return np.stack(coordinates, axis=1), np.stack(codes, axis=1)


def _ranked(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers in order, and of each the rank among the distinct ones.

    Rounding keeps their order but for ties, and floats are sorted a hundred times faster.
    """
    order = np.argsort(numbers.astype(float), kind="stable")
    if (numbers[order][1:] < numbers[order][:-1]).any():
        order = np.argsort(numbers, kind="stable")
    ranked, code = numbers[order], np.empty(len(numbers), dtype=np.intp)
    code[order] = np.append(0, np.cumsum(ranked[1:] != ranked[:-1]))
    return ranked, code


def _merged(
    table: list[Answers], shares: np.ndarray | None, total: int, batch: QueryBatch, size: int
) -> Worlds:
    """Worlds with equal answers as one; without shares of the prior each counts once."""
    coordinates, codes = laid_out(table)
    order = np.lexsort(codes.T[::-1])
    new = np.append(True, np.diff(codes[order], axis=0).any(axis=1))
    begins = np.flatnonzero(new)
    first = order[begins]
    shares = (np.ones(len(order), dtype=np.int64) if shares is None else shares)[order]
    masses, peak_masses = (f.reduceat(shares, begins) for f in (np.add, np.maximum))
    weights, peaks = ((mass / shares.sum()).astype(float) for mass in (masses, peak_masses))
    answers = np.stack([column.floats() for column in table], axis=1)[first]
    return Worlds(
        answers=answers if batch.several else answers[:, 0],
        weights=weights,
        peaks=peaks,
        total=total,
        masses=masses.tolist(),
        peak_masses=peak_masses.tolist(),
        coordinates=coordinates[first],
        codes=codes[first],
        statistics=batch.statistics,
        size=size,
    )


def _whole_numbers(shares: np.ndarray) -> np.ndarray:
    """Positive floats as Python's whole numbers in one unit, exactly."""
    ratios = [share.as_integer_ratio() for share in shares.tolist()]
    unit = max(below for _, below in ratios)  # a power of two, as all of them are
    return np.array([above * (unit // below) for above, below in ratios], dtype=object)
