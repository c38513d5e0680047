"""A row of the question that is asked of everybody in a file: one answer, and how far it moves."""

import math
import warnings
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose.checks import require
from dpchoose.codes import MissingCodeWarning, warn_of_codes
from dpchoose.queries import rank_of, statistic
from dpchoose.sensitivity.limits import limits_sensitivity
from dpchoose.your_data import noise, shares, words
from dpchoose.your_data.limits import codes_beyond, parse_limits
from dpchoose.your_data.noise import Noise

Limits = tuple[float, float]
QUERIES = ("sum", "mean", "share", "median", "percentile_p")  # with n hidden also count
COUNT_IS_N = ": it is n, and is known; how many of the rows are so is a share (share:COLUMN=VALUE)"


class Row(NamedTuple):
    """An answer that is asked for, or that gets noise, in each group.

    Attributes:
        label: what it is called.
        query: "sum", "mean", "share", "centred sum", "count" or "percentile".
        column: of which it is asked, "" of a count; a share's is its condition.
        source: the same, but of a share the column that is compared.
        limits: of the values; of a share (0, 1), of a count None.
        values: cut to the limits, (N,); None of a count, and where there is no file.
        rank: of a percentile, else None.
        grid: its candidates, else None.
        whole: whether its values are publicly whole numbers.
    """

    label: str
    query: str
    column: str | shares.Condition = ""
    source: str = ""
    limits: Limits | None = None
    values: np.ndarray | None = None
    rank: Fraction | None = None
    grid: noise.Grid | None = None
    whole: bool = False

    def centred(self) -> "Row":
        """The centred sum by which a mean is published where n is hidden."""
        return self._replace(label=f"centred sum:{self.column}", query="centred sum")

    def moves(self, n: int | None) -> tuple[float, float]:
        """How far one record moves it: when it is changed, and when it comes or goes.

        Of a percentile it is the privacy loss at a scale of one record; nan where n is public.
        """
        if self.rank is None:
            return limits_sensitivity(self.query, self.limits, n)
        return 2.0, 2 * float(max(self.rank, 1 - self.rank)) if n is None else math.nan

    @property
    def steps(self) -> int:
        """How many whole steps a unit of the answer has; 0 where the noise is continuous."""
        if self.query == "count":
            return 1
        if not self.whole or self.query not in ("sum", "centred sum"):
            return 0
        return 1 if self.query == "sum" or sum(self.limits) % 2 == 0 else 2

    def noise(self, scale: float, n: int | None) -> Noise:
        """The law of its noise; n is public, or None."""
        if self.grid is not None:
            return noise.Drawn(scale, self.grid.size, self.rank, n)
        return noise.Whole(scale, self.steps) if self.steps else noise.Continuous(scale)

    def answer(self, members: np.ndarray | None) -> float:
        """The exact answer of some records; nan of a centred sum, of a mean of nobody, of None."""
        if members is None or self.query == "centred sum":
            return math.nan
        if self.query == "count":
            return float(len(members))
        values = self.values[members]
        if self.grid is not None:
            return noise.percentile_of(self.grid.counts(values), self.rank, self.grid)
        if self.query == "sum":
            return math.fsum(values)
        return math.fsum(values) / len(values) if len(values) else math.nan

    def unit_error(self, members: np.ndarray | None, scale: float) -> float | None:
        """The 95 % error of a drawn percentile in its unit; None of another answer, or of None."""
        if self.grid is None or members is None or not scale > 0:
            return None
        counts = self.grid.counts(self.values[members])
        return noise.unit_error(counts, self.rank, self.grid, scale)


COUNT = Row("count", "count")


def parse_row(query: Any, data: Any, limits: Any, unit: Any, whole: Any, hide_n: bool) -> Row:
    """The row of a question, its values cut to the limits that are stated: never inferred.

    What cannot be asked where only limits are known is refused.
    """
    kind, column = query if isinstance(query, tuple) and len(query) == 2 else (query, "")
    if kind == "share":
        condition = shares.parse_condition(column, getattr(data, "columns", None))
        values = None if data is None else shares.values_of_share(condition, data)
        return Row(f"share:{condition}", kind, condition, condition.column, (0.0, 1.0), values)
    column = str(column)
    label = f"{kind}:{column}" if column else str(kind)
    if kind == "count":
        require(hide_n, "query count must come with hide_n (--hide-n)", label, hint=COUNT_IS_N)
        require(not column, "query count must be asked without a column", column)
        return COUNT
    rule = f"query must be one of {', '.join(QUERIES)} or, with hide_n, count beside limits"
    rank, hint = rank_of(kind), ": others can be asked where the file is known"
    require(kind in QUERIES or rank is not None, rule, kind, hint=hint)
    values = None if data is None else np.asarray(statistic(query, data).values, float)
    stated = limits[column] if isinstance(limits, dict) and column in limits else limits
    of = f" of {column}" if column else ""
    rule = f"limits{of} must be given, as {column or 'value'}=0:60"
    require(not isinstance(stated, dict), rule, limits, hint=words.FIXED)
    pair = parse_limits(stated, f"limits{of}")
    is_whole = whole is True or column in whole
    fits = not is_whole or all(limit.is_integer() for limit in pair)
    require(fits, f"whole needs limits of {column or 'data'} that are whole numbers", pair)
    if values is not None:
        name = f"column {column}" if column else "data"
        if codes := codes_beyond(values, pair):
            text = words.CODES.format(name=name, codes=" and ".join(f"{code:g}" for code in codes))
            warnings.warn(text, MissingCodeWarning, stacklevel=4)
        else:
            warn_of_codes(values, name)
        values = np.clip(values, *pair)
        values = np.floor(values + 0.5) if is_whole else values
    if rank is None:
        return Row(label, kind, column, column, pair, values, whole=is_whole)
    rank = noise.plain_rank(rank, label)
    step = unit.get(column) if isinstance(unit, dict) else unit
    grid = noise.grid_of(pair, step, f"unit{of}")
    return Row(label, "percentile", column, column, pair, values, rank, grid, is_whole)
