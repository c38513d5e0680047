"""The answers of all possible worlds, each with its weight.

The adversary knows the universe of N records and that n of them are released. Every
n-subset of positions is a world, so two subsets with equal values are two worlds. A world
has one answer, or d of them when d statistics are published together.

By group, with all records but one released, the world without record j differs from the
full universe in the answers of one group alone, that of j. So a row is a group and the
answers that it gives without a record; without groups all records are one group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks, progress
from dpchoose.data.queries import Asked, Query, ask, evaluate, groups_of, members_of
from dpchoose.worlds import subsets
from dpchoose.worlds.answers import Answers, exact_answer, of_subsets, without_each
from dpchoose.worlds.subsets import MAX_WORLDS

LEAST_PRIOR = 1e-290  # below it sums of weights that decay lose digits


@dataclass(frozen=True, eq=False)
class Worlds:
    """What the adversary weighs: the distinct answers and their prior mass.

    Attributes:
        answers: the distinct answers, sorted, shape (M,); for several statistics, or by
            group, the distinct rows, shape (M, d).
        weights: prior mass of the worlds with that answer, in (0, 1], summing to 1, (M,).
        peaks: largest prior of a single world with that answer, (M,).
        total: number m of worlds, exact.
        masses: the weights, exact up to one common factor: whole numbers, under a uniform
            prior the numbers of worlds.
        peak_masses: the peaks in the same unit.
        group: the group that misses a record, an integer code, 0 without groups, (M,).
        places: from which the differences of the answers within a group are taken, (M, d).
        codes: whole numbers that are equal where the answers of a group are, (M, d).
        moves: by group, the answers less those of the full group, (M, d).
        shape: of the rates, (G, d).
    """

    answers: np.ndarray
    weights: np.ndarray
    peaks: np.ndarray
    total: int
    masses: Sequence[int]
    peak_masses: Sequence[int]
    group: np.ndarray
    places: np.ndarray
    codes: np.ndarray
    moves: np.ndarray
    shape: tuple[int, int]

    def keep(self, columns: np.ndarray) -> Worlds:
        """The same worlds without the statistics that are the same in all of them, (d,)."""
        parts = ("answers", "places", "codes", "moves")
        some = {part: getattr(self, part)[:, columns] for part in parts}
        return replace(self, **some, shape=(self.shape[0], int(columns.sum())))

    @property
    def starts(self) -> np.ndarray:
        """The first row of each group, (G,)."""
        return np.searchsorted(self.group, np.arange(self.shape[0]))

    @cached_property
    def largest_prior(self) -> Fraction:
        """The largest prior of a world, exact: 1/m when it is uniform."""
        return Fraction(max(self.peak_masses), sum(self.masses))

    @cached_property
    def shares(self) -> list[tuple[int, int]]:
        """Of each row the peak, and the mass that the exact answers do not tell from it, (M,).

        By group, tables in which no answer moves are alike whatever the group.
        """
        still = ~self.moves.any(axis=1) & (self.shape[0] > 1)
        alike = sum(self.masses[row] for row in np.flatnonzero(still).tolist())
        masses = (alike if one else mass for one, mass in zip(still.tolist(), self.masses))
        return list(zip(self.peak_masses, masses))

    @cached_property
    def largest_share(self) -> Fraction:
        """The largest posterior of a world when the answers are known, exact (``eq-limit``)."""
        return max(Fraction(peak, mass) for peak, mass in set(self.shares))

    def growing(self, risk: Fraction) -> np.ndarray:
        """Which rows exceed a risk without noise: all others never do, at any rate, (M,)."""
        top, below = risk.as_integer_ratio()
        return np.array([peak * below > mass * top for peak, mass in self.shares])

    @property
    def spread(self) -> Any:
        """The largest difference between the answers of two worlds: a float, or (d,)."""
        widths = np.ptp(self.places, axis=0)
        return float(widths[0]) if self.answers.ndim == 1 else widths


def world_answers(
    query: Query, universe: Any, release_size: int, *, max_worlds: int = MAX_WORLDS
) -> np.ndarray:
    """The answer of every world, which takes what :func:`possible_worlds` takes.

    Returns:
        float array of shape (C(N, n),), or (C(N, n), d) for a list of d queries, in
        lexicographic order of positions. When n = N - 1 the first world is the one
        without the last record.

    >>> world_answers("median", [1, 2, 3, 10], 3).tolist()
    [2.0, 2.0, 3.0, 3.0]
    """
    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    found = every_world(asked, size, checks.integer("max_worlds", max_worlds, 1))
    answers = np.stack([one.floats() for one in found], axis=1)
    return answers if asked.several else answers[:, 0]


def possible_worlds(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    prior: Any = None,
    by: Any = None,
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
        by: for one answer a group, published together: labels by position, shape (N,),
            or the name of a column. All records but one are then released, and the
            prior is uniform.
        max_worlds: the most worlds that may be listed, at least 1; more are refused.

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
        if prior is not None:
            raise ValueError("prior must be uniform, None, for answers by group")
        if size < asked.records - 1:
            raise ValueError(
                f"release_size must be {asked.records - 1}, all records but one, for the worlds "
                f"of answers by group, got {size}"
            )
        codes, names = groups_of(by, universe, asked.records)
        refuse_emptied([one.query for one in asked.statistics], names, codes, 1)
        return by_group(asked, codes)
    return listed(asked, size, max_worlds, prior=prior)


def listed(asked: Asked, size: int, max_worlds: int = MAX_WORLDS, *, prior: Any = None) -> Worlds:
    """:func:`possible_worlds` without groups, of arguments that have been checked."""
    shares, total = None, subsets.count(asked.records, size)
    if prior is not None:
        prior = checks.prior(prior, total)
        if (least := prior.min(where=prior > 0, initial=1)) < LEAST_PRIOR:
            raise ValueError(f"prior must be 0 or at least {LEAST_PRIOR} of a world, got {least}")
        possible = np.flatnonzero(prior > 0)
        shares = _whole_numbers(prior[possible])
    found = every_world(asked, size, max_worlds)
    if prior is not None:
        found = [one._replace(numbers=one.numbers[possible]) for one in found]
    group = np.zeros(len(found[0].numbers), dtype=np.intp)
    return replace(_merged([found], group, shares, asked.several), total=total)


def every_world(asked: Asked, size: int, max_worlds: int) -> list[Answers]:
    """The answers to each statistic in every world, in lexicographic order of positions."""
    total = subsets.count(asked.records, size)
    found = []
    for one in asked.statistics:
        if size == asked.records - 1 and not callable(one.query):
            answers = without_each(one.query, one.values)
            found.append(answers._replace(numbers=answers.numbers[::-1]))
        else:
            subsets.refuse_above(max_worlds, total, "this release")
            found.append(of_subsets(one.query, one.values, size))
    return found


def by_group(asked: Asked, codes: np.ndarray) -> Worlds:
    """The worlds of answers by group, of codes 0, ..., G - 1, all records but one released.

    >>> worlds = by_group(ask("sum", [1, 2, 2]), np.array([0, 1, 1]))
    >>> worlds.group.tolist(), worlds.moves.ravel().tolist(), worlds.weights.round(3).tolist()
    ([0, 1], [-1.0, -2.0], [0.333, 0.667])
    """
    parts = members_of(codes)
    tables, moves = [], []
    for part in progress.shown(parts, len(parts), "leaving out each record of each group"):
        values = [one.values[part] for one in asked.statistics]
        pairs = [(one.query, v) for one, v in zip(asked.statistics, values)]
        tables.append([without_each(*pair) for pair in pairs])
        moves.append(np.stack([_moved(*both) for both in zip(tables[-1], pairs)], axis=1))
    return _merged(tables, np.sort(codes), None, True, np.concatenate(moves))


def laid_out(found: Sequence[Answers]) -> tuple[np.ndarray, np.ndarray]:
    """Places counted from an answer in the middle, and codes that tell answers apart, (M, d)."""
    places, codes = [], []
    for one in found:
        half = len(one.numbers) // 2
        places.append(one.places(int(np.partition(one.numbers, half)[half])))
        codes.append(np.unique(one.numbers, return_inverse=True)[1])
    return np.stack(places, axis=1), np.stack(codes, axis=1)


def refuse_emptied(
    asked: Sequence[Query], names: Sequence[Any], codes: np.ndarray, missing: int
) -> None:
    """Stop where a query, not a count or sum, needs a record and a group may miss so many."""
    needy = [query for query in asked if query not in ("count", "sum")]
    for name, size in zip(names, np.bincount(codes).tolist()):
        if needy and size <= missing:
            query = needy[0] if isinstance(needy[0], str) else "query"
            name = name.item() if isinstance(name, np.generic) else name
            rule = f"group {name!r} must hold at least {missing + 1} records for the {query}"
            raise ValueError(f"{rule}, got {size}")


def _moved(without: Answers, asked: tuple[Query, np.ndarray]) -> np.ndarray:
    """The answers of a group without each record, less its full answer."""
    known = callable(asked[0])
    full = Fraction(float(evaluate(*asked))) if known else exact_answer(*asked)[0]
    top, below = without.unit.as_integer_ratio()
    numbers = without.numbers.astype(object) * (top * full.denominator) - full.numerator * below
    below *= full.denominator
    gaps = np.array([one / below for one in numbers.tolist()], dtype=float)
    if not without.root:
        return gaps
    roots = without.floats() + float(np.sqrt(float(full)))
    return np.divide(gaps, roots, out=np.zeros_like(gaps), where=roots > 0)


def _merged(
    tables: list[list[Answers]],
    group: np.ndarray,
    shares: np.ndarray | None,
    several: bool,
    moves: np.ndarray | None = None,
) -> Worlds:
    """Worlds with equal answers as one, group by group; without shares each counts once."""
    parts = [laid_out(table) for table in tables]
    places, codes = (np.concatenate(one) for one in zip(*parts))
    order = np.lexsort((*codes.T[::-1], group))
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.diff(group[order]).astype(bool) | np.diff(codes[order], axis=0).any(axis=1)
    begins = np.flatnonzero(new)
    first, total = order[begins], len(order)
    shares = (np.ones(total, dtype=np.int64) if shares is None else shares)[order]
    masses, tops = (f.reduceat(shares, begins) for f in (np.add, np.maximum))
    weights, peaks = ((one / shares.sum()).astype(float) for one in (masses, tops))
    answers = np.concatenate([np.stack([a.floats() for a in table], axis=1) for table in tables])
    answers, places = answers[first], places[first]
    moves = np.zeros_like(places) if moves is None else moves[first]
    answers = answers if several else answers[:, 0]
    shape = (len(tables), places.shape[1])
    kept = (group[first], places, codes[first], moves, shape)
    return Worlds(answers, weights, peaks, total, masses.tolist(), tops.tolist(), *kept)


def _whole_numbers(shares: np.ndarray) -> np.ndarray:
    """Positive floats as Python's whole numbers in one unit, exactly."""
    ratios = [share.as_integer_ratio() for share in shares.tolist()]
    unit = max(below for _, below in ratios)  # a power of two, as all of them are
    return np.array([above * (unit // below) for above, below in ratios], dtype=object)
