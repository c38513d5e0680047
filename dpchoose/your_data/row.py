"""One answer of values within public limits: what is asked, how far one record moves it, its noise.

Values are cut to their limits and, where these have a step, rounded to it, before anything is asked
of them. A mean with n hidden is computed of two such answers.
"""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose.sensitivity.limits import limits_sensitivity
from dpchoose.your_data import noise
from dpchoose.your_data.noise import Grid, Law

Limits = tuple[float, float]


class Row(NamedTuple):
    """One noisy answer: query, column, values within limits, sensitivity, law of the noise."""

    label: str
    query: str  # "sum", "mean", "var", "share", "centred sum", "count" or "percentile"
    column: Any = ""  # of which it is asked, "" of a count; a share's is its condition
    source: Any = ""  # the same, but of a share the column that is compared
    limits: Limits | None = None  # of the values; of a share (0, 1), of a count None
    step: Fraction | None = None  # the public one, to which values are rounded
    values: np.ndarray | None = None  # cut to the limits, (N,); None without a file, of a count
    rank: Fraction | None = None  # of a percentile
    grid: Grid | None = None  # what values may be that have a step; a percentile's candidates

    @property
    def is_cut(self) -> bool:
        """Whether its values are cut to limits: a count has none, and a share asks the cell."""
        return self.query not in ("count", "share")

    def centred(self) -> "Row":
        """The centred sum by which a mean is published where n is hidden."""
        label = f"centred sum{self.label.removeprefix(self.query)}"
        return self._replace(label=label, query="centred sum")

    def moves(self, n: int | None) -> tuple[float, float]:
        """How far one record moves it: when it is changed, and when it comes or goes.

        Of a percentile it is the privacy loss at a scale of one record; nan where n is public.
        """
        if self.rank is None:
            return limits_sensitivity(self.query, self.limits, n)
        return 2.0, 2 * float(max(self.rank, 1 - self.rank)) if n is None else math.nan

    @property
    def units(self) -> int:
        """How many whole units of its noise one of the answer has; 0 where noise is continuous.

        Noise is whole where values are publicly whole numbers: of a step of 1 between whole
        limits. A value less the middle of the limits is a whole number of halves.
        """
        if self.query == "count":
            return 1
        grid = self.grid
        if self.limits is None or grid is None or grid.unit != 1 or grid.low.denominator > 1:
            return 0
        of_sum = {"sum": 1, "centred sum": 1 + int(sum(self.limits) % 2)}
        return of_sum.get(self.query, 0)

    def law(self, scale: float, n: int | None) -> Law:
        """The law of its noise; n is public, or None."""
        if self.rank is not None and self.grid is not None:
            return noise.Drawn(scale, self.grid.size, self.rank, n)
        return noise.Discrete(scale, self.units) if self.units else noise.Continuous(scale)

    @property
    def low_high_step(self) -> list[float]:
        """The limits as they are given, with their step if there is one; of a count none."""
        return [*(self.limits or ()), *([] if self.step is None else [float(self.step)])]

    def of(self, members: np.ndarray | None) -> np.ndarray | None:
        """The values of some records, of a count as many ones; None where there is no file."""
        if self.values is None or members is None:
            return None if members is None else np.ones(len(members))
        return self.values[members]

    def answer(self, values: np.ndarray | None) -> float:
        """The exact answer of some values; nan of a centred sum, of a mean of nobody, of None."""
        if values is None or self.query == "centred sum":
            return math.nan
        if self.rank is not None and self.grid is not None:
            return noise.percentile_of(self.grid.counts(values), self.rank, self.grid)
        if self.query == "var":
            return float(variance_of(self, values))
        total = float(self._total(values))
        if self.query in ("sum", "count"):
            return total
        return total / len(values) if len(values) else math.nan

    def _total(self, values: np.ndarray) -> Fraction:
        """The sum of some values: of whole steps, or rounded once."""
        if self.grid is None:
            return Fraction(math.fsum(values))
        return len(values) * self.grid.low + int(self.grid.places(values).sum()) * self.grid.unit

    def unit_error(self, values: np.ndarray | None, scale: float) -> float | None:
        """The 95 % error of a drawn percentile in its unit; None of another answer, or of None."""
        if self.rank is None or self.grid is None or values is None or not scale > 0:
            return None
        return noise.unit_error(self.grid.counts(values), self.rank, self.grid, scale)


COUNT = Row("count", "count")


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last
    asked: Row


def variance_of(row: Row, values: np.ndarray) -> Fraction:
    """The exact variance, divided by n, of values within limits: of floats, or of whole steps.

    >>> variance_of(COUNT, np.array([0.0, 0.0, 0.0, 30.0]))
    Fraction(675, 4)
    """
    places = values if row.grid is None else row.grid.places(values)
    distinct, counts = (array.tolist() for array in np.unique(places, return_counts=True))
    ratios = [value.as_integer_ratio() for value in distinct]
    bottom = max(below for _, below in ratios)  # powers of two: each divides the largest
    wholes = [above * (bottom // below) for above, below in ratios]
    size, unit = len(values), (1 if row.grid is None else row.grid.unit) / Fraction(bottom)
    total = sum(whole * count for whole, count in zip(wholes, counts))
    squares = sum(whole * whole * count for whole, count in zip(wholes, counts))
    return unit**2 * Fraction(size * squares - total * total, size * size)
