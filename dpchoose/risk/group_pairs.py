"""The smallest sum of weights that decay with distance, within groups of several answers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from dpchoose.risk import decay, decay_rows
from dpchoose.risk.decay import FARTHEST, UNIT
from dpchoose.worlds.groups import GroupedWorlds

TRIED = 64  # rows that are summed first
NEIGHBOURS = 12  # on each side, that are looked at before all of a group
FIRST_PAIRS, MOST_PAIRS = 2**12, 2**19  # that are looked at together
MANY_PAIRS = 2**19  # in a group, from which all of its sums cost less


class GroupPairs:
    """The sums within groups, of those rows that may have the smallest one.

    Attributes:
        error: a bound on the relative error of a sum. An exponent is off by at most
            d + 3 roundings of itself, and those above 745 vanish; a term meets at most
            one rounding for each row of its group, and a few more.
    """

    def __init__(self, worlds: GroupedWorlds) -> None:
        self.worlds = worlds
        self.first = worlds.starts[:-1]
        self.sizes = np.diff(worlds.starts)
        most, d = int(self.sizes.max()), worlds.moves.shape[1]
        steps = 2 * FARTHEST * (d + 4) + 2 * most + 100
        self.error = 2 * UNIT * steps + decay_rows.relative_error(most, d)

    def worst(
        self, rates: np.ndarray, peaks: np.ndarray, others: np.ndarray, rest: np.ndarray
    ) -> tuple[float, int]:
        """The largest of peak over sum and others, and its row.

        A part of a sum is a lower bound, and gives the risk of a row a ceiling. By the
        triangle inequality what the rest of the group adds to the own weight is at least
        ``rest``, and it is at least what a few neighbours along a curve add. Where few
        rows of a group have a ceiling above the largest risk so far, these are summed
        one by one, from the highest ceiling down; where many have, all of the group.

        Args:
            rates: shape (G, d), in [0, inf].
            peaks: shape (M,).
            others: what is added to each sum, shape (M,).
            rest: no more than what the rest of its group adds to a row's weight, (M,).

        Returns:
            the number, within a factor 1 + 2 :attr:`error`, and the row.
        """
        worlds, best = self.worlds, (0.0, 0)
        group, parts = worlds.group, worlds.weights + others

        def best_of(rows: np.ndarray, sums: np.ndarray) -> tuple[float, int]:
            risks = peaks[rows] / (sums + others[rows])
            return max(best, (float(risks.max()), int(rows[risks.argmax()])))

        ceilings = peaks / (parts + rest)
        high = np.argpartition(-ceilings, min(TRIED, len(ceilings)) - 1)[:TRIED]
        for rows in self._in_portions(high):
            best = best_of(rows, self._sums_of_rows(rows, rates))
        left = np.flatnonzero(ceilings > best[0] * (1 + self.error))
        ceilings[left] = peaks[left] / (parts[left] + self._sums_of_neighbours(left, rates))
        left = left[ceilings[left] > best[0] * (1 + self.error)]
        left = left[np.argsort(-ceilings[left], kind="stable")]
        counts = np.bincount(group[left], minlength=len(self.sizes))
        many = counts * self.sizes > MANY_PAIRS
        for g in np.flatnonzero(many):
            own = np.arange(self.first[g], self.first[g] + self.sizes[g])
            moves, weights, tails = worlds.moves[own], worlds.weights[own], worlds.tails[own]
            best = best_of(own, decay_rows.sums(moves, weights, rates[g], tails))
        for rows in self._in_portions(left[~many[group[left]]]):
            rows = rows[ceilings[rows] > best[0] * (1 + self.error)]
            if not len(rows):
                break
            best = best_of(rows, self._sums_of_rows(rows, rates))
        return best

    @cached_property
    def _curve(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of each group along a curve that fills space, and each one's place.

        The bits of the ranks of its coordinates by turns make up the place of a row.
        """
        worlds = self.worlds
        ranks = np.empty_like(worlds.moves, dtype=np.int64)
        place = np.arange(len(ranks)) - np.repeat(self.first, self.sizes)
        for axis, moves in enumerate(worlds.moves.T):
            ranks[np.lexsort((moves, worlds.group)), axis] = place
        bits = min(int(self.sizes.max()).bit_length(), 62 // ranks.shape[1])
        ranks >>= max(0, int(self.sizes.max()).bit_length() - bits)
        key = np.zeros(len(ranks), dtype=np.int64)
        for bit in range(bits - 1, -1, -1):
            for rank in ranks.T:
                key = key << 1 | rank >> bit & 1
        order = np.lexsort((key, worlds.group))
        where = np.empty_like(order)
        where[order] = np.arange(len(order))
        return order, where

    def _sums_of_neighbours(self, rows: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """What the neighbours along the curve add to the sums of some rows."""
        worlds, (order, where) = self.worlds, self._curve
        groups, place, found = worlds.group[rows], where[rows], np.zeros(len(rows))
        t = rates[groups]
        for step in itertools.chain(range(-NEIGHBOURS, 0), range(1, NEIGHBOURS + 1)):
            at = place + step
            other = order[at % len(order)]
            inside = (worlds.group[other] == groups) & (at >= 0) & (at < len(order))
            away = decay.exponents(t, worlds.gaps(other, rows)).sum(axis=1)
            found += np.where(inside, worlds.weights[other] * np.exp(-away), 0.0)
        return found

    def _in_portions(self, order: np.ndarray) -> Iterator[np.ndarray]:
        """The rows in order, as many at a time as make a number of pairs, first a small one."""
        pairs = np.cumsum(self.sizes[self.worlds.group[order]])
        start, most = 0, FIRST_PAIRS
        while start < len(order):
            done = pairs[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(pairs, done + most, "right")))
            yield order[start:stop]
            start, most = stop, min(2 * most, MOST_PAIRS)

    def _sums_of_rows(self, rows: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """The sums within their groups for some rows, over all pairs."""
        worlds = self.worlds
        groups = worlds.group[rows]
        sizes = self.sizes[groups]
        begins = np.cumsum(sizes) - sizes
        one = np.repeat(np.arange(len(rows)), sizes)
        other = np.arange(len(one)) - begins[one] + self.first[groups][one]
        away = decay.exponents(rates[groups[one]], worlds.gaps(rows[one], other)).sum(axis=1)
        return np.add.reduceat(worlds.weights[other] * np.exp(-away), begins)
