"""The rows of a question about everybody in a file: what each asks, and what is refused."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.codes import MissingCodeWarning, warn_of_codes
from dpchoose.queries import among, rank_of
from dpchoose.sensitivity.limits import limits_sensitivity
from dpchoose.your_data import quantiles, shares
from dpchoose.your_data.limits import CODES, codes_beyond, parse_limits
from dpchoose.your_data.question import condition_values
from dpchoose.your_data.shares import Condition

Limits = tuple[float, float]
NARROW = 2.0**-50  # the range of limits beside their size below which floats cannot add exactly
HIDDEN = ("count", "sum", "mean", "share")
PUBLIC = ("sum", "mean", "share")


class Row(NamedTuple):
    """An answer that gets noise, in each group.

    Attributes:
        label: what it is called.
        query: "sum", "mean", "share", "centred sum", "count" or "percentile".
        column: of which it is asked, "" of a count; a share's is its condition.
        limits: of the values; of a share (0, 1), of a count None.
        values: cut to the limits, (N,); those of a centred sum are less the middle. None where
            there is no file.
        rank: of a percentile, else None.
        grid: its candidates, else None.
        whole: whether its values are publicly whole numbers.
    """

    label: str
    query: str
    column: str
    limits: Limits | None = None
    values: np.ndarray | None = None
    rank: Fraction | None = None
    grid: quantiles.Grid | None = None
    whole: bool = False


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last


def refuse_question(query: Any, *, hide_n: Any, groups: Any, by: Any) -> list[Any]:
    """The queries as a list; refused where no file could make them right."""
    if not isinstance(hide_n, bool):
        raise TypeError(f"hide_n must be True or False, got {checks.short(hide_n)}")
    if hide_n and by is not None and groups is None:
        raise ValueError(
            "groups must list the groups where n is hidden, got none: a public list, on the "
            "command line --group A --group B"
        )
    if groups is not None and (by is None or not hide_n):
        raise ValueError(f"groups must come with by and hide_n, got {checks.short(groups)}")
    queries = query if isinstance(query, list) else [query]
    if not queries:
        raise ValueError(f"query must name at least one statistic, got {checks.short(query)}")
    for entry in queries:
        kind = entry[0] if isinstance(entry, tuple) and entry else entry
        if isinstance(kind, str) and rank_of(kind) is not None:
            continue
        if kind == "count" and not hide_n:
            raise ValueError(
                "query count must come with hide_n (--hide-n), got n public: it is n, and is "
                "known; how many of the rows are so is a share (share:COLUMN=VALUE)"
            )
        if kind not in (HIDDEN if hide_n else PUBLIC):
            names = ", ".join(HIDDEN if hide_n else PUBLIC)
            rule = f"query must be one of {names}, median, percentile_p where only limits are known"
            way = "it can move far even where hardly a record changes; where the file is known it "
            way = f"{way}can be asked" if callable(kind) or kind in ("var", "std") else ""
            raise ValueError(f"{rule}, got {checks.short(kind)}{f': {way}' * bool(way)}")
    return queries


def length_of(data: Any) -> int:
    """The number of records of an array or a table."""
    return len(data) if hasattr(data, "columns") else len(checks.universe(data))


def parse_row(query: Any, data: Any, limits: Any, unit: Any, whole: Any) -> Row:
    """The row of a question, its values cut to the limits that are stated."""
    kind, column = query if isinstance(query, tuple) and len(query) == 2 else (query, "")
    column = str(column)
    if hasattr(data, "columns") and not isinstance(query, tuple) and query != "count":
        rule = "query must be a pair (query, column) for a table"
        raise TypeError(f"{rule}, got {checks.short(query)}")
    if kind == "count":
        if column:
            rule = "query count must be asked without a column"
            raise ValueError(f"{rule}, got {checks.short(column)}")
        return Row("count", "count", "")
    label = f"{kind}:{column}" if column else str(kind)
    if kind == "share":
        values = None if data is None else condition_values(column, data)
        shares.parse_condition(column)
        return Row(label, "share", column, (0.0, 1.0), values)
    pair = _stated(limits, column)
    rank, values = rank_of(kind), None
    if data is not None:
        if hasattr(data, "columns") and column not in data.columns:
            raise ValueError(f"column must be {among(column, data.columns)}")
        values = data[column] if hasattr(data, "columns") else data
        values = checks.universe(values, name=f"column {column}" if column else "data")
        _warn_of_codes(values, pair, f"column {column}" if column else "data")
        values = np.clip(values, *pair)
    is_whole = whole is True or column in ([whole] if isinstance(whole, str) else whole or ())
    if is_whole:
        if any(not float(limit).is_integer() for limit in pair):
            raise ValueError(f"whole needs limits of {column or 'data'} that are whole numbers")
        values = None if values is None else np.floor(values + 0.5)
    if rank is not None:
        step = unit.get(column) if isinstance(unit, dict) else unit
        grid = quantiles.grid_of(pair, step, f"unit of {column}" if column else "unit")
        return Row(label, "percentile", column, pair, values, rank, grid)
    return Row(label, str(kind), column, pair, values, whole=is_whole)


def _warn_of_codes(values: np.ndarray, limits: Limits, name: str) -> None:
    """Warn of values that look like codes for missing ones."""
    if codes := codes_beyond(values, limits):
        text = CODES.format(name=name, codes=" and ".join(f"{code:g}" for code in codes))
        warnings.warn(text, MissingCodeWarning, stacklevel=5)
    else:
        warn_of_codes(values, name)


def _stated(limits: Any, column: str) -> Limits:
    """The limits of a column, as they are stated: never inferred."""
    called = f"limits of {column}" if column else "limits"
    if isinstance(limits, dict) and column not in limits:
        raise ValueError(
            f"{called} must be given, as {column or 'value'}=0:60: public numbers, fixed "
            "without looking at the file"
        )
    return parse_limits(limits[column] if isinstance(limits, dict) else limits, called)


def condition_of(text: str) -> Condition:
    """The condition of a share."""
    return shares.parse_condition(text)


def plain_column(name: str) -> str:
    """A column, without the condition of a share."""
    try:
        return shares.parse_condition(name).column
    except ValueError:
        return name


def moves_of(row: Row, n: int | None) -> tuple[float, float]:
    """How far one record moves a row: when it is changed, and when it comes or goes."""
    if row.rank is not None:
        change, add = quantiles.loss_steps(row.rank)
        return change, math.nan if n is not None else add
    return limits_sensitivity(row.query, row.limits, n)


def refuse_narrow(row: Row, n: int | None) -> None:
    """Refuse limits whose range floats cannot add up exactly beside their size."""
    if row.limits is None or row.query == "percentile":
        return
    low, high = row.limits
    size = max(abs(low), abs(high))
    if high - low < (n or 2**20) * NARROW * size:
        raise ValueError(
            f"limits of {row.column or 'data'} must not be so narrow beside their size that "
            f"floats cannot add them up, got {low:.17g} to {high:.17g}: count from another origin"
        )


def refuse_repeats(rows: Sequence[Row]) -> None:
    """Refuse a statistic that is asked twice."""
    labels = [row.label for row in rows]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"query must name each statistic once, got {label!r} twice")


def refuse_extra(limits: Any, columns: dict[str, Limits]) -> None:
    """Refuse limits of a column that is not asked for, and other limits of a share than 0:1."""
    for name in limits if isinstance(limits, dict) else ():
        if name not in columns:
            raise ValueError(f"limits must be of columns that are asked for, got {name!r}")
        if columns[name] == (0, 1) and parse_limits(limits[name]) != (0, 1):
            raise ValueError(f"limits of {name} must be (0, 1), as of every share")


def refuse_unasked(name: str, value: Any, columns: dict[str, Limits]) -> None:
    """Refuse a column that is named and not asked for."""
    named = [value] if isinstance(value, str) and name == "whole" else value
    for column in named if isinstance(named, (dict, list, tuple)) else ():
        if column not in columns:
            raise ValueError(f"{name} must be of columns that are asked for, got {column!r}")


def refuse_several_shares(rows: Sequence[Row], *, hidden: bool) -> None:
    """Refuse two shares of one column where n is hidden: they are counts by the column."""
    if not hidden:
        return
    columns = [condition_of(row.column).column for row in rows if row.query == "share"]
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(
                f"query must ask one share of {column} where n is hidden, got "
                f"{columns.count(column)}: ask counts by it (count, by {column})"
            )
