r"""The tight bound of one answer for each group, when all records but one are released.

The world without record a of group g differs from the one without b in the answers
of both their groups, or of g alone:

.. math:: \sum_b w_b e^{-d_{ab}} = \sum_{b \in g} w_b e^{-|t_g(\delta_a - \delta_b)|}
          + e^{-|t_g \delta_a|} \sum_{b \notin g} w_b e^{-|t_b \delta_b|}

with the moves :math:`\delta` of :class:`~dpchoose.worlds.groups.GroupedWorlds`, and
:math:`|t\delta| = \sum_q t_q |\delta_q|` for d answers. The second sum is one number
for each group, so that only the first one asks for pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from dpchoose.risk import decay
from dpchoose.worlds.groups import GroupedWorlds

UNIT = 2.0**-53
FARTHEST = 745.0  # exponents beyond vanish in floats
TOGETHER = 16  # groups of up to this many times their number of rows are summed side by side
FEW = 32  # rows: groups as small as this always are
FIRST_PAIRS, MOST_PAIRS = 2**12, 2**19  # that are looked at together
SLACK = 1 + 1e-6  # a bound that decides which rows need not be looked at


class GroupedSums:
    """The sums over all worlds as the rates vary, and what the bounds need of them.

    Rates are those of each group's answers, t = 1/scale, shape (G, d), in [0, inf].

    >>> from dpchoose.worlds.groups import all_but_one
    >>> worlds = all_but_one([("count", np.zeros(5))], np.array([0, 0, 0, 1, 1]))
    >>> log_risk, row = GroupedSums(worlds).tight(np.array([[np.inf], [1.0]]))
    >>> round(float(np.exp(log_risk)), 12), row
    (0.5, 1)
    """

    def __init__(self, worlds: GroupedWorlds) -> None:
        self.worlds = worlds
        self.first = worlds.starts[:-1]
        self.sizes = np.diff(worlds.starts)

    def tight(self, rates: np.ndarray, among: np.ndarray | None = None) -> tuple[float, int]:
        """The logarithm of the tight bound (``eq-tight``), and the row that attains it.

        Args:
            rates: shape (G, d).
            among: the rows that may be the worst, shape (M,); all where it is None.

        Returns:
            the logarithm, within :attr:`log_error`, and the row.
        """
        worlds = self.worlds
        away = self._away(rates)
        near = np.exp(-away)
        masses = np.add.reduceat(worlds.weights * near, self.first)
        others = (near * _of_the_others(masses)[worlds.group], masses)
        peaks = worlds.peaks if among is None else worlds.peaks * among
        if worlds.moves.shape[1] == 1:
            risks = peaks / (self._sums_of_lines(rates[:, 0]) + others[0])
            row = int(risks.argmax())
            return float(np.log(risks[row])), row
        return self._largest(rates, peaks, near, *others)

    @cached_property
    def log_error(self) -> float:
        r"""A bound on the error of the logarithm that :meth:`tight` returns.

        With u = 2**-53: an exponent is a sum of d products of a rate and a difference,
        off by at most d + 1 roundings of itself, and those above 745 vanish; a term
        meets at most four roundings for each row that it is carried past (or those of
        :func:`dpchoose.risk.decay.relative_error`), one for each row of a sum, one for
        each group, and a few more. What underflows is below 1e-300 of any sum, as each
        is at least its own weight.
        """
        d = self.worlds.moves.shape[1]
        beside = max((len(rows) for _, rows in self._beside), default=0)
        alone = max((decay.relative_error(int(self.sizes[g])) for g in self._alone), default=0.0)
        most, groups = int(self.sizes.max()), len(self.sizes)
        steps = 2 * FARTHEST * (d + 2) + 4 * beside + 2 * most + 2 * groups + 200
        return 2 * (UNIT * steps + alone)

    def distances(self, row: int, rates: np.ndarray) -> np.ndarray:
        r"""How far all worlds are from one of them, :math:`\sum t |f_i - f_j|`, shape (M,).

        Along a ray these grow in proportion to the rates, so that the risk of the row,
        peak over the sum of weights times :math:`e^{-\tau d}`, is easily inverted.

        Args:
            row: a world.
            rates: finite, shape (G, d).
        """
        away = self._away(rates)
        own = slice(*self.worlds.starts[self.worlds.group[row] :][:2])
        found = away + away[row]
        gaps = np.abs(self.worlds.moves[own] - self.worlds.moves[row])
        found[own] = gaps @ rates[self.worlds.group[row]]
        return found

    def diameter(self, rates: np.ndarray) -> float:
        r"""The largest distance of two worlds, for the upper bound.

        Within a group it is the largest range of :math:`\sum_q \pm t_q \delta_q` over the
        patterns of signs, between groups the sum of the two farthest moves.

        Args:
            rates: finite, shape (G, d).
        """
        moved = self.worlds.moves * rates[self.worlds.group]
        widest = 0.0
        for signs in itertools.product((1.0, -1.0), repeat=moved.shape[1] - 1):
            line = moved @ np.array([1.0, *signs])
            high = np.maximum.reduceat(line, self.first)
            widest = max(widest, float((high - np.minimum.reduceat(line, self.first)).max()))
        farthest = np.maximum.reduceat(self._away(rates), self.first)
        if len(farthest) == 1:
            return widest
        return max(widest, float(np.sort(farthest)[-2:].sum()))

    def _away(self, rates: np.ndarray) -> np.ndarray:
        """The distance of each world from the full universe, which is none of them."""
        return decay.exponents(rates[self.worlds.group], np.abs(self.worlds.moves)).sum(axis=1)

    @cached_property
    def _alone(self) -> np.ndarray:
        """The groups that are summed one by one: few of about their size."""
        if self.worlds.moves.shape[1] > 1:
            return np.arange(0)
        return np.concatenate([np.arange(0), *(few for few, many in self._by_size if not many)])

    @cached_property
    def _by_size(self) -> list[tuple[np.ndarray, bool]]:
        """Groups of one size within a factor two, and whether they are summed side by side."""
        order = np.argsort(self.sizes, kind="stable")
        sizes = self.sizes[order]
        ends = np.searchsorted(sizes, 2 ** np.arange(1, int(sizes[-1]).bit_length() + 1))
        classes = [order[start:stop] for start, stop in zip([0, *ends], ends) if stop > start]
        return [
            (groups, self.sizes[groups[-1]] <= max(FEW, TOGETHER * len(groups)))
            for groups in classes
        ]

    @cached_property
    def _beside(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Groups that are summed side by side, and their rows, one column for each group.

        Columns are as long as the longest; the last row of a group fills them up.
        """
        found = []
        for groups, many in self._by_size:
            if many and self.worlds.moves.shape[1] == 1:
                steps = np.arange(self.sizes[groups[-1]])[:, None]
                found.append(
                    (groups, self.first[groups] + np.minimum(steps, self.sizes[groups] - 1))
                )
        return found

    def _sums_of_lines(self, rates: np.ndarray) -> np.ndarray:
        """The sums within the groups for one query; moves are sorted in each, rates (G,)."""
        values, weights = self.worlds.moves[:, 0], self.worlds.weights
        found = np.empty(len(values))
        for groups, rows in self._beside:
            real = np.arange(len(rows))[:, None] < self.sizes[groups]
            given = np.where(real, weights[rows], 0.0)
            keep = np.exp(-decay.exponents(rates[groups], np.diff(values[rows], axis=0)))
            left, right = given.copy(), np.zeros_like(given)
            for i in range(1, len(rows)):
                left[i] += keep[i - 1] * left[i - 1]
                right[-i - 1] = keep[-i] * (right[-i] + given[-i])
            found[rows[real]] = (left + right)[real]
        for g in self._alone:
            own = slice(self.first[g], self.first[g] + self.sizes[g])
            found[own] = decay.sums(values[own], weights[own], rates[g : g + 1])[0]
        return found

    def _largest(
        self,
        rates: np.ndarray,
        peaks: np.ndarray,
        near: np.ndarray,
        others: np.ndarray,
        masses: np.ndarray,
    ) -> tuple[float, int]:
        """The worst row for several queries: pairs are looked at where it can be.

        By the triangle inequality the sum within the group of a row is at least its own
        weight and ``near`` times what the rest of the group has. So its risk has a
        ceiling, and rows are looked at from the highest one down, until no ceiling left
        exceeds the largest risk.
        """
        weights, group = self.worlds.weights, self.worlds.group
        rest = np.maximum(masses[group] - weights * near, 0.0)
        ceilings = SLACK * peaks / (weights + near * rest + others)
        order = np.argsort(-ceilings, kind="stable")
        best, row = 0.0, int(order[0])
        for rows in self._in_portions(order):
            if ceilings[rows[0]] <= best:
                break
            rows = rows[ceilings[rows] > best]
            risks = peaks[rows] / (self._sums_of_rows(rows, rates) + others[rows])
            at = int(risks.argmax())
            if risks[at] > best:
                best, row = float(risks[at]), int(rows[at])
        return float(np.log(best)), row

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
        groups = self.worlds.group[rows]
        sizes = self.sizes[groups]
        begins = np.cumsum(sizes) - sizes
        one = np.repeat(np.arange(len(rows)), sizes)
        other = np.arange(len(one)) - begins[one] + self.first[groups][one]
        away = np.zeros(len(one))
        for moves, t in zip(self.worlds.moves.T, rates.T):
            away += decay.exponents(t[groups][one], np.abs(moves[rows][one] - moves[other]))
        return np.add.reduceat(self.worlds.weights[other] * np.exp(-away), begins)


def count_risks(sizes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    r"""The risk of who is missing from each group, when counts are published.

    .. math:: \frac{1}{c_a + e^{-t_a}\sum_{b \neq a} c_b e^{-t_b}}

    The largest of them is the tight bound, for all but one released.

    Args:
        sizes: c, records of each group, shape (G,).
        rates: t, in [0, inf], shape (G,).

    >>> count_risks(np.array([1000, 2]), np.array([np.inf, 5.0])).tolist()
    [0.001, 0.5]
    """
    near = np.exp(-rates)
    return 1 / (sizes + near * _of_the_others(sizes * near))


def _of_the_others(masses: np.ndarray) -> np.ndarray:
    """The sum over all groups but one, for each, where nothing cancels."""
    before, after = np.zeros(len(masses)), np.zeros(len(masses))
    before[1:] = np.cumsum(masses[:-1])
    after[:-1] = np.cumsum(masses[:0:-1])[::-1]
    return before + after
