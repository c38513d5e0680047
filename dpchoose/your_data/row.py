"""A row of the question that is asked of everybody in a file: one answer, and how far it moves."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.codes import MissingCodeWarning, warn_of_codes
from dpchoose.queries import rank_of
from dpchoose.sensitivity.limits import limits_sensitivity
from dpchoose.your_data import noise, shares
from dpchoose.your_data.limits import CODES, codes_beyond, parse_limits
from dpchoose.your_data.noise import Noise
from dpchoose.your_data.question import statistic_of_file

Limits = tuple[float, float]
QUERIES = ("count", "sum", "mean", "share")  # with n public all but the first


class Row(NamedTuple):
    """An answer that is asked for, or that gets noise, in each group.

    Attributes:
        label: what it is called.
        query: "sum", "mean", "share", "centred sum", "count" or "percentile".
        column: of which it is asked, "" of a count; a share's is its condition.
        source: the same, but of a share the column that is compared.
        limits: of the values; of a share (0, 1), of a count None.
        values: cut to the limits, (N,); those of a centred sum are less the middle. None of a
            count, and where there is no file.
        rank: of a percentile, else None.
        grid: its candidates, else None.
        whole: whether its values are publicly whole numbers.
    """

    label: str
    query: str
    column: str = ""
    source: str = ""
    limits: Limits | None = None
    values: np.ndarray | None = None
    rank: Fraction | None = None
    grid: noise.Grid | None = None
    whole: bool = False

    def centred(self) -> Row:
        """The centred sum by which a mean is published where n is hidden."""
        values = None if self.values is None else self.values - sum(self.limits) / 2
        label = f"centred sum:{self.column}"
        return self._replace(label=label, query="centred sum", values=values)

    def moves(self, n: int | None) -> tuple[float, float]:
        """How far one record moves it: when it is changed, and when it comes or goes."""
        if self.rank is None:
            return limits_sensitivity(self.query, self.limits, n)
        change, add = noise.loss_steps(self.rank)
        return change, add if n is None else math.nan

    @property
    def steps(self) -> int:
        """How many whole steps a unit of the answer has; 0 where the noise is continuous."""
        if self.query == "count":
            return 1
        if not self.whole or self.query not in ("sum", "centred sum"):
            return 0
        return 1 if self.query == "sum" or sum(self.limits) % 2 == 0 else 2

    def noise(self, scale: float) -> Noise:
        """The law of its noise."""
        if self.grid is not None:
            return noise.Drawn(scale, self.grid.size)
        return noise.Whole(scale, self.steps) if self.steps else noise.Continuous(scale)

    def answer(self, members: np.ndarray) -> float:
        """The exact answer of some records; nan of a centred sum, and of a mean of nobody."""
        if self.query == "count":
            return float(len(members))
        values = self.values[members]
        if self.grid is not None:
            return noise.percentile_of(self.grid.counts(values), self.rank, self.grid)
        if self.query == "sum":
            return math.fsum(values)
        if self.query == "centred sum" or not len(values):
            return math.nan
        return math.fsum(values) / len(values)

    def unit_error(self, members: np.ndarray, scale: float) -> float | None:
        """The 95 % error of a drawn percentile in its unit; None of another answer."""
        if self.grid is None or not scale > 0:
            return None
        counts = self.grid.counts(self.values[members])
        return noise.unit_error(counts, self.rank, self.grid, scale)


COUNT = Row("count", "count")


def check_query(query: Any, hide_n: bool) -> None:
    """Refuse a statistic that cannot be asked where only limits are known."""
    kind = query[0] if isinstance(query, tuple) and query else query
    if kind == "count" and not hide_n:
        raise ValueError(
            "query count must come with hide_n (--hide-n), got n public: it is n, and is known; "
            "how many of the rows are so is a share (share:COLUMN=VALUE)"
        )
    if kind not in QUERIES and rank_of(kind) is None:
        names = ", ".join(QUERIES[not hide_n :])
        raise ValueError(
            f"query must be one of {names}, median, percentile_p where only limits are known, got "
            f"{checks.short(kind)}: others can be asked where the file is known"
        )


def parse_row(query: Any, data: Any, limits: Any, unit: Any, whole: Any) -> Row:
    """The row of a question, its values cut to the limits that are stated: never inferred."""
    kind, column = query if isinstance(query, tuple) and len(query) == 2 else (query, "")
    column = str(column)
    label = f"{kind}:{column}" if column else str(kind)
    if kind == "count":
        if column:
            rule = "query count must be asked without a column"
            raise ValueError(f"{rule}, got {checks.short(column)}")
        return COUNT
    values = None if data is None else np.asarray(statistic_of_file(query, data).values, float)
    if kind == "share":
        source = shares.parse_condition(column).column
        return Row(label, kind, column, source, (0.0, 1.0), values)
    called, name = (f"limits of {column}", f"column {column}") if column else ("limits", "data")
    if isinstance(limits, dict) and column not in limits:
        raise ValueError(
            f"{called} must be given, as {column or 'value'}=0:60: public numbers, fixed "
            "without looking at the file"
        )
    pair = parse_limits(limits[column] if isinstance(limits, dict) else limits, called)
    is_whole = whole is True or column in whole
    if is_whole and not all(limit.is_integer() for limit in pair):
        raise ValueError(f"whole needs limits of {column or 'data'} that are whole numbers")
    if values is not None:
        _warn_of_codes(values, pair, name)
        values = np.clip(values, *pair)
        values = np.floor(values + 0.5) if is_whole else values
    rank = rank_of(kind)
    if rank is None:
        return Row(label, kind, column, column, pair, values, whole=is_whole)
    step = unit.get(column) if isinstance(unit, dict) else unit
    grid = noise.grid_of(pair, step, f"unit of {column}" if column else "unit")
    return Row(label, "percentile", column, column, pair, values, rank, grid, is_whole)


def _warn_of_codes(values: np.ndarray, limits: Limits, name: str) -> None:
    """Warn of values that look like codes for missing ones."""
    if codes := codes_beyond(values, limits):
        text = CODES.format(name=name, codes=" and ".join(f"{code:g}" for code in codes))
        warnings.warn(text, MissingCodeWarning, stacklevel=5)
    else:
        warn_of_codes(values, name)
