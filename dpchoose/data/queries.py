"""What may be asked of a dataset, and what is asked of the records.

A query is a name, such as ``percentile_25``, or a callable that maps an array of shape (..., n)
to one of shape (...). ``std`` and ``var`` divide by n; percentiles interpolate linearly."""

from __future__ import annotations

import difflib
import functools
import math
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.checks import short
from dpchoose.data.codes import MissingCodeWarning, warn_of_codes
from dpchoose.data.later import pd

Query = str | Callable[[np.ndarray], np.ndarray]
NAMED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "count": lambda values: np.full(values.shape[:-1], float(values.shape[-1])),
    "sum": lambda values: np.sum(values, axis=-1),
    "mean": lambda values: np.mean(values, axis=-1),
    "median": lambda values: np.median(values, axis=-1),
    "std": lambda values: np.sqrt(NAMED["var"](values)),
    # Counted from the first record, data far from zero keep the digits that squares would lose.
    "var": lambda values: np.var(values - values[..., :1], axis=-1),
}
PERCENTILE = "percentile_"
PLAIN = re.compile(r"(?=.{1,16}$)(?:100|[1-9]?[0-9](?:\.[0-9]*[1-9])?)")  # at most 15 digits


def rank_of(query: Query) -> Fraction | None:
    """The share of the records below a percentile, p/100, exact; None for another query.

    The p of ``percentile_p`` is a plain decimal in [0, 100], of at most 15 digits, in its one
    spelling: 25, and not 25.0, +25 or 2.5e1. A ValueError names the right one.

    >>> rank_of("percentile_12.5"), rank_of("median"), rank_of("mean")
    (Fraction(1, 8), Fraction(1, 2), None)
    """
    if not isinstance(query, str) or not query.startswith(PERCENTILE):
        return Fraction(1, 2) if query == "median" else None
    text = query.removeprefix(PERCENTILE)
    if PLAIN.fullmatch(text):
        return Fraction(text) / 100
    with localcontext(traps=[]):  # what is no number is NaN
        right = f"{Decimal(text).quantize(Decimal('1e-14')).normalize():f}"
        same = PLAIN.fullmatch(right) and Decimal(text) == Decimal(right)
    rule = "a p in [0, 100], a plain decimal of at most 15 digits"
    hint = f": write {PERCENTILE}{right}" if same else ""
    raise ValueError(f"query percentile_p needs {rule}, got {short(query)}{hint}")


def place_of(query: Query, size: int) -> tuple[int, Fraction]:
    """Where a percentile lies among sorted records, of which there are ``size``, at least 1.

    A position in [0, size), and the exact share in [0, 1) of the way to the next one.

    >>> place_of("percentile_33.3", 11)
    (3, Fraction(33, 100))
    """
    place = (size - 1) * rank_of(query)
    return math.floor(place), place % 1


def _percentile(query: str, values: np.ndarray) -> np.ndarray:
    """A percentile, counted from the nearer of the two records between which it lies."""
    rank, beyond = place_of(query, values.shape[-1])
    after = rank + (beyond > 0)
    ordered = np.partition(values, [rank, after], axis=-1)
    low, high = ordered[..., rank], ordered[..., after]
    near_low = low + float(beyond) * (high - low)
    return near_low if 2 * beyond < 1 else high - float(1 - beyond) * (high - low)


def resolve(query: Query) -> Callable[[np.ndarray], np.ndarray]:
    """The function behind a name, or a ValueError or TypeError; a callable is returned as it is."""
    if callable(query):
        return query
    if not isinstance(query, str):
        raise TypeError(f"query must be a name or a callable, got {short(query)}")
    if query not in NAMED and rank_of(query) is None:
        known = f"{', '.join(NAMED)}, percentile_p"
        raise ValueError(f"query must be one of {known}, got {short(query)}")
    return NAMED.get(query, functools.partial(_percentile, query))


def evaluate(query: Query, values: np.ndarray) -> np.ndarray:
    """The query's answers, of shape (...), to datasets of finite values of shape (..., n).

    A ValueError where a callable's have another shape, are masked or not finite; a TypeError
    where they are no real numbers.
    """
    if callable(query):
        values = values.copy()  # which it may sort, or change
    with np.errstate(over="ignore", invalid="ignore"):
        found = resolve(query)(values)
    return checks.answers(found, values.shape[:-1])


class Statistic(NamedTuple):
    """A query and the column of which it is asked, shape (N,); "mean:visits" of a table."""

    label: str
    query: Query
    values: np.ndarray

    @property
    def column(self) -> str:
        """Of which it is asked; "" of a count, and where there is one only."""
        return self.label.partition(":")[2]


@dataclass(frozen=True, eq=False)
class Asked:
    """Some statistics of one universe of N records; whether a list of them was asked."""

    statistics: tuple[Statistic, ...]
    several: bool
    records: int

    def columns(self) -> dict[str, np.ndarray]:
        """The values that are asked, by column: "value", or "value of" each of several."""
        known = {one.column: one.values for one in self.statistics}
        if len(known) > 1:
            return {f"value of {name}": values for name, values in known.items() if name}
        return dict.fromkeys(["value"], *known.values())


def ask(query: Any, universe: Any, *, repeats: bool = False) -> Asked:
    """What a query, or a list of them, asks of a universe.

    A query is a name, a callable, or a list of them; of a DataFrame a pair (query, column), or a
    list of pairs, and ``"count"`` needs no column. One may be asked twice only with ``repeats``.
    """
    table = hasattr(universe, "columns")
    several = isinstance(query, list if table else (list, tuple))
    asked = list(query) if several else [query]
    if not asked:
        raise ValueError(f"query must name at least one statistic, got {short(query)}")
    known = universe if table else checks.universe(universe)
    found = [_statistic(one, known) for one in asked]
    names = [(one.label, one.query) for one in found]
    for one in [] if repeats else found:
        if names.count((one.label, one.query)) > 1:
            raise ValueError(f"query must name each statistic once, got {one.label!r} twice")
        warn_of_codes(one.values, f"column {one.column}" if one.column else "universe")
    return Asked(tuple(found), several, len(found[0].values))


def _name_of(query: Query) -> str:
    """What a query is called, if there is one."""
    resolve(query)
    return query if isinstance(query, str) else getattr(query, "__name__", repr(query))


def _statistic(query: Any, universe: Any) -> Statistic:
    """A statistic of records, or of a column of a table; a share is the mean of "is it"."""
    if not hasattr(universe, "columns"):
        return Statistic(_name_of(query), query, universe)
    if isinstance(query, str) and query == "count":
        return Statistic(query, query, np.zeros(len(universe)))
    if not isinstance(query, tuple) or len(query) != 2:
        raise TypeError(f"query must be a pair (query, column) for a table, got {short(query)}")
    asked, column = query
    if asked == "share":
        return Statistic(f"share:{column}", "mean", _is(column, universe))
    label = f"{_name_of(asked)}:{column}"
    if column not in list(universe.columns):
        raise ValueError(f"column must be {among(column, universe.columns)}")
    if asked == "count":
        raise ValueError(f"query count must be asked without a column, got {short(column)}")
    return Statistic(label, asked, checks.universe(universe[column], name=f"column {column}"))


def _is(what: Any, universe: Any) -> np.ndarray:
    """Whether each record of a table has a value, of "COLUMN=VALUE": 1 or 0."""
    column, equals, value = str(what).partition("=")
    if not equals:
        raise ValueError(f"share must be of COLUMN=VALUE, got {short(what)}")
    if what in universe.columns:  # as it was read
        return checks.universe(universe[what], name=f"column {what}")
    if column not in universe.columns:
        raise ValueError(f"column must be {among(column, universe.columns)}")
    if universe[column].isna().any():
        raise ValueError(f"column {column} must hold a value in every row, got one without")
    return holds(universe[column], value)


def holds(column: pd.Series, value: str) -> np.ndarray:
    """Whether entries are a value, as text or as the same number: 1 or 0, (rows,).

    >>> import pandas as pd
    >>> holds(pd.Series(["1", "1.0", "yes"]), "1").tolist()
    [1.0, 1.0, 0.0]
    """
    same = column.astype(str) == value
    if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value):
        same |= pd.to_numeric(column, errors="coerce") == float(value)
    if not same.any():
        text = f"column {column.name} holds {short(value)} in no row: is it spelt so?"
        warnings.warn(text, MissingCodeWarning, stacklevel=5)
    return same.to_numpy(float)


def among(name: Any, known: Iterable[Any]) -> str:
    """A rule for a message: the names that are known, at most ten of them, and the one given.

    >>> among("day3", [f"day_{number}" for number in range(99)])[:28]
    'one of day_3, day_93, day_83'
    """
    names = list(map(str, known))
    if len(names) > 10:
        names = [*(difflib.get_close_matches(str(name), names, 9) or names[:9]), "..."]
    return f"one of {', '.join(names) or 'those of a table'}, got {short(name)}"


def ask_beside(query: Any, universe: Any, already: Any) -> tuple[Asked, np.ndarray]:
    """What is asked now, followed by what has been published of the same records.

    ``already`` is a pair of a query and its noise scale in (0, inf), or a list of them, else it
    raises as :func:`ask`. All statistics, and the scales of those that are out, nan else, (d,).

    >>> asked, scales = ask_beside("mean", [1, 2, 3], [("mean", 0.5)])
    >>> [one.label for one in asked.statistics], scales.tolist()
    (['mean', 'mean'], [nan, 0.5])
    """
    asked = ask(query, universe)
    scales = [math.nan] * len(asked.statistics)
    pairs = pairs_of(already)
    out = ask([pair[0] for pair in pairs], universe, repeats=True).statistics if pairs else ()
    for one, (_, scale) in zip(out, pairs):
        scales.append(checks.real(f"already: the scale of {one.label}", scale, 0, closed="()"))
    every = Asked(asked.statistics + out, asked.several or bool(out), asked.records)
    return every, np.array(scales)


def pairs_of(already: Any) -> list[Any]:
    """What is out already, as a list of pairs of a query and a scale; a TypeError if it is none."""
    pairs = [] if already is None else already if isinstance(already, list) else [already]
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise TypeError(f"already must be a list of pairs (query, scale), got {short(already)}")
    return pairs


def members_of(codes: np.ndarray) -> list[np.ndarray]:
    """The positions of each group, of the code of each record, (N,), each of them present."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


def groups_of(
    by: Any, universe: Any, records: int, known: Any = None
) -> tuple[np.ndarray, list[Any]]:
    """The group of each of the records as a code, and the labels in order: none without ``by``.

    ``by`` holds labels by position, (N,), none missing, or names a column of a DataFrame; else
    a ValueError, or a TypeError where they cannot be sorted. Where a list of them is ``known``
    it is theirs, and a ValueError names a label that is not in it.

    >>> groups_of(["b", "a", "b"], None, 3)
    (array([1, 0, 1]), ['a', 'b'])
    """
    if by is None:
        return np.zeros(records, dtype=np.intp), []
    if isinstance(by, str):
        columns = getattr(universe, "columns", ())
        if by not in columns:
            raise ValueError(f"by must be {among(by, columns)}")
        by = universe[by]
    checks.unmasked("by", by)
    labels = list(by) if np.iterable(by) else [by]
    if len(labels) != records:
        raise ValueError(f"by must hold a label for each of {records} records, got {len(labels)}")
    try:
        codes, found = pd.factorize(np.fromiter(labels, dtype=object))
        if missing := np.flatnonzero(codes < 0).tolist():
            raise ValueError(f"by must label each record, got none at position {missing[0]}")
        names = sorted(found) if known is None else _listed(known)
    except TypeError:
        raise TypeError("by must hold labels of one kind, which can be sorted") from None
    if known is not None and (other := [one for one in found if one not in names]):
        raise ValueError(f"by must be {among(other[0], names)}, as groups lists them")
    place = {label: position for position, label in enumerate(names)}
    return np.array([place[label] for label in found], dtype=np.intp)[codes], names


def _listed(groups: Any) -> list[Any]:
    """A public list of groups, each named once."""
    names = list(groups) if isinstance(groups, (list, tuple)) else []
    if not names or len({*names}) < len(names):
        raise ValueError(f"groups must list each group once, got {short(groups)}")
    return names
