"""The answers of all possible worlds, each with its weight.

The adversary knows the universe of N records and that n of them are released.
Every n-subset of positions is a world, so two subsets with equal values are
two worlds. A world has one answer, or d of them when d statistics are
published together.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.asking import Asked, Statistic, ask, groups_of
from dpchoose.data.queries import Query, evaluate
from dpchoose.worlds import all_but_one, counting, formulas, places, subsets
from dpchoose.worlds.groups import GroupedWorlds, refuse_emptied
from dpchoose.worlds.groups import all_but_one as groups_without_one
from dpchoose.worlds.places import Column, Places
from dpchoose.worlds.subsets import MAX_WORLDS

LEAST_PRIOR = 1e-290  # below it sums of weights that decay lose digits


@dataclass(frozen=True, eq=False)
class Worlds:
    """What the adversary weighs: the distinct answers and their prior mass.

    Attributes:
        answers: the distinct answers, sorted, shape (M,); for several
            statistics the distinct rows, sorted from the first column on,
            shape (M, d).
        weights: prior mass of the worlds with that answer, shape (M,), in
            (0, 1], summing to 1.
        peaks: largest prior of a single world with that answer, shape (M,).
        total: number m of worlds, exact.
        masses: the weights, exact up to one common factor: whole numbers,
            under a uniform prior the numbers of worlds.
        peak_masses: the peaks in the same unit.
        places: from which the differences of the answers are taken; None where
            the answers are these floats.
    """

    answers: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    masses: Sequence[int]
    peak_masses: Sequence[int]
    places: Places | None = None

    def __post_init__(self) -> None:
        if self.places is None:
            object.__setattr__(self, "places", Places.of(self.answers))

    @property
    def spread(self) -> Any:
        """The largest difference between the answers of two worlds: a float, or shape (d,)."""
        widths = self.places.ranges()
        return float(widths[0]) if self.answers.ndim == 1 else widths

    @property
    def rows(self) -> np.ndarray:
        """The answers with a column per statistic, shape (M, d)."""
        return self.answers.reshape(len(self.answers), -1)

    @property
    def mean_answers(self) -> np.ndarray:
        """The mean of each answer over the worlds, shape (d,)."""
        return self.weights @ self.rows

    @cached_property
    def mass(self) -> int:
        """The sum of the masses."""
        return sum(self.masses)

    @cached_property
    def largest_prior(self) -> Fraction:
        """The largest prior of a world, exact: 1/m when it is uniform."""
        return Fraction(max(self.peak_masses), self.mass)

    @cached_property
    def sum_of_peaks(self) -> Fraction:
        """The chance to guess the world when the answer is known, exact."""
        return Fraction(sum(self.peak_masses), self.mass)

    @cached_property
    def largest_share(self) -> Fraction:
        """The largest posterior of a world when the answer is known, exact (``eq-limit``).

        1 where floats are not quite the decimals that are counted, as these may tie
        where the floats do not.
        """
        if not self.places.exact:
            return Fraction(1)
        if max(self.peak_masses) == min(self.peak_masses):
            return Fraction(self.peak_masses[0], min(self.masses))
        shares = self.peaks / self.weights
        near = np.flatnonzero(shares >= shares.max() * (1 - 1e-9)).tolist()
        pairs = {(self.peak_masses[i], self.masses[i]) for i in near}
        return max(Fraction(peak, mass) for peak, mass in pairs)

    def growing(self, risk: Fraction) -> np.ndarray:
        """Which answers may give a world away beyond the risk when no noise is added, (M,)."""
        if not self.places.exact:
            return np.ones(len(self.peaks), dtype=bool)
        excess = self.peaks / self.weights / float(risk) - 1
        among = excess > 0
        for i in np.flatnonzero(np.abs(excess) <= 1e-9).tolist():
            among[i] = Fraction(self.peak_masses[i], self.masses[i]) > risk
        return among


def world_answers(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The answer of every world.

    Args:
        query, universe: as for :func:`possible_worlds`.
        release_size: n, in [1, N - 1].
        max_worlds: the most worlds that may be listed.

    Returns:
        float array of shape (C(N, n),), or (C(N, n), d) for a list of d
        queries, in lexicographic order of positions. When n = N - 1 the first
        world is the one without the last record.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> world_answers("median", [1, 2, 3, 10], 3).tolist()
    [2.0, 2.0, 3.0, 3.0]
    """
    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    columns = every_world(asked, size, checks.integer("max_worlds", max_worlds, 1))
    answers = np.stack([column.answers() for column in columns], axis=1)
    return answers if asked.several else answers[:, 0]


def possible_worlds(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    prior: Any = None,
    by: Any = None,
    max_worlds: int = MAX_WORLDS,
) -> Worlds | GroupedWorlds:
    """The distinct answers of all worlds, with their prior mass.

    The worlds of a named query are counted, not listed, where that can be:
    for n = N - 1, for the count, the median and the percentiles, and for sums
    and means of whole numbers or decimals with few digits. Otherwise, and for
    several queries unless n = N - 1, each world is evaluated.

    Answers are those of the floats given, exactly: two are one answer where they are
    equal, and only there (:mod:`dpchoose.worlds.places`). The floats that a callable
    gives are its answers, by definition, with the rounding that it may have done; if
    it gives 0.1 + 0.2 in one world and 0.3 in another, these are told apart.

    Args:
        query: a name, a callable on the last axis, or a list of them that are
            published together; of a DataFrame (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1].
        prior: None for the uniform prior, or one probability per world in
            lexicographic order of positions, shape (C(N, n),). For n = N - 1
            the first world is the one that leaves the LAST record out.
        by: for one answer a group, published together: labels by position,
            shape (N,), or the name of a column. All records but one are then
            released, and the prior is uniform.
        max_worlds: the most worlds that may be listed.

    Returns:
        the worlds; with ``by`` a :class:`~dpchoose.worlds.groups.GroupedWorlds`,
        which holds for each the group that misses a record, and by how much
        its answers move. The bounds take both.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> worlds = possible_worlds("median", [1, 2, 3, 10], 3)
    >>> worlds.answers.tolist(), worlds.weights.tolist(), worlds.total
    ([2.0, 3.0], [0.5, 0.5], 4)
    >>> possible_worlds(["median", "count"], [1, 2, 3, 10], 3).answers.tolist()
    [[2.0, 3.0], [3.0, 3.0]]
    """
    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    if by is not None:
        return _by_group(asked, size, prior, by, universe)
    if prior is not None:
        total = subsets.count(asked.records, size)
        prior = checks.prior(prior, total)
        if (least := prior.min(where=prior > 0, initial=1)) < LEAST_PRIOR:
            raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR} of a world, got {least}")
    return weighed(asked, size, prior, max_worlds)


def _by_group(asked: Asked, size: int, prior: Any, by: Any, universe: Any) -> GroupedWorlds:
    if prior is not None:
        raise ValueError("prior must be uniform, None, for answers by group")
    if size < asked.records - 1:
        raise ValueError(
            f"release_size must be {asked.records - 1}, all records but one, for the worlds of "
            f"answers by group, got {size}: recommend bounds their risk without the worlds"
        )
    codes, names = groups_of(by, universe, asked.records)
    queries = [one.query for one in asked.statistics]
    at = {"release_size": size, "adjacency": "bounded"}
    refuse_emptied(queries, names, np.bincount(codes), **at)
    return groups_without_one([(one.query, one.values) for one in asked.statistics], codes)


def weighed(asked: Asked, size: int, prior: np.ndarray | None, max_worlds: int) -> Worlds:
    """:func:`possible_worlds` of arguments that have been checked."""
    total = subsets.count(asked.records, size)
    if prior is None and not asked.several and size < asked.records - 1:
        only = asked.statistics[0]
        counted = counting.count_worlds(only.query, only.values, size, max_worlds=max_worlds)
        if counted is not None:
            ones = [1] * len(counted.counts)
            return _merged(asked, [counted.column], counted.counts, ones, total)
    columns = every_world(asked, size, max_worlds)
    if prior is None:
        return _merged(asked, columns, None, None, total)
    possible = np.flatnonzero(prior > 0)
    shares = places.whole_numbers(prior[possible])
    return _merged(asked, [one.take(possible) for one in columns], shares, shares, total)


def every_world(asked: Asked, size: int, max_worlds: int) -> list[Column]:
    """The answers of each statistic in every world, in lexicographic order of positions."""
    if size == asked.records - 1:
        found = [
            all_but_one.answers_without_each(one.query, one.values) for one in asked.statistics
        ]
        if all(column is not None for column in found):
            last = np.arange(asked.records)[::-1]
            return [column.take(last) for column in found]
    subsets.refuse_above(max_worlds, subsets.count(asked.records, size), "this release")
    columns = []
    for one in asked.statistics:
        if callable(one.query):
            columns.append(Column((_over_worlds(partial(_called, one), asked, size),)))
        else:
            task = formulas.over_rows(one.query, one.values, size)
            numbers = _over_worlds(task, asked, size)
            columns.append(formulas.column_of(one.query, numbers, one.values, size))
    return columns


def _over_worlds(task: Any, asked: Asked, size: int) -> np.ndarray:
    return np.concatenate(list(subsets.over_blocks(task, (asked.records, size), held=size)))


def _called(one: Statistic, worlds: np.ndarray) -> np.ndarray:
    return evaluate(one.query, one.values[worlds])


def _merged(
    asked: Asked,
    columns: list[Column],
    masses: Sequence[int] | None,
    peaks: Sequence[int] | None,
    total: int,
) -> Worlds:
    """Worlds with equal answers as one; without masses each world counts once."""
    if masses is None and len(columns) == 1:
        column, counts = columns[0].distinct()
        columns = [column]
    else:
        order, begins = places.distinct_rows(columns)
        columns = [column.take(order[begins]) for column in columns]
        counts = np.diff(begins, append=len(order))
    answers = np.stack([column.answers() for column in columns], axis=1)
    answers, where = answers if asked.several else answers[:, 0], Places.of_columns(columns)
    if masses is None:
        alike, ones = np.full(len(counts), 1 / total), [1] * len(counts)
        return Worlds(answers, counts / total, alike, total, counts.tolist(), ones, where)
    bounds = itertools.pairwise([*begins.tolist(), len(order)])
    groups = [order[start:end].tolist() for start, end in bounds]
    masses = [sum(masses[i] for i in group) for group in groups]
    peaks = [max(peaks[i] for i in group) for group in groups]
    whole = sum(masses)
    weights = np.array([mass / whole for mass in masses])
    shares = np.array([peak / whole for peak in peaks])
    return Worlds(answers, weights, shares, total, masses, peaks, where)
