"""What may be asked of a dataset, and what is asked of the records.

A query is a name, such as ``percentile_25``, or a callable that maps an array of shape (..., n)
to one of shape (...). ``std`` and ``var`` divide by n; percentiles interpolate linearly."""

import functools
import math
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.checks import require
from dpchoose.codes import warn_of_codes

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
    spelling: 25, and not 25.0, +25 or 2.5e1, for which there is a ValueError.

    >>> rank_of("percentile_12.5"), rank_of("median"), rank_of("mean")
    (Fraction(1, 8), Fraction(1, 2), None)
    """
    if not isinstance(query, str) or not query.startswith(PERCENTILE):
        return Fraction(1, 2) if query == "median" else None
    text = query.removeprefix(PERCENTILE)
    rule = "a p in [0, 100], a plain decimal of at most 15 digits, as short as 25 or 12.5"
    require(PLAIN.fullmatch(text), f"query percentile_p needs {rule}", query)
    return Fraction(text) / 100


def place_of(query: Query, size: int) -> tuple[int, Fraction]:
    """Where a percentile lies among sorted records, of which there are ``size``, at least 1.

    A position in [0, size), and the exact share in [0, 1) of the way to the next one. Any other
    query that comes here has a name, and no exact answer or sensitivity of its own.

    >>> place_of("percentile_33.3", 11)
    (3, Fraction(33, 100))
    """
    rank = rank_of(query)
    if rank is None:
        raise ValueError(f"query must be a percentile here, got {query}")
    place = (size - 1) * rank
    return math.floor(place), Fraction(place % 1)


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
    require(isinstance(query, str), "query must be a name or a callable", query, TypeError)
    rule = f"query must be one of {', '.join(NAMED)}, percentile_p"
    require(query in NAMED or rank_of(query) is not None, rule, query)
    return NAMED.get(query, functools.partial(_percentile, query))


def evaluate(query: Query, values: np.ndarray) -> np.ndarray:
    """The query's answers, of shape (...), to datasets of finite values of shape (..., n).

    A ValueError where a callable's have another shape, are masked or not finite; a TypeError
    where they are no real numbers.
    """
    if callable(query):
        values = values.copy()  # which it may sort, or change
    with np.errstate(over="ignore", invalid="ignore"):
        answers = resolve(query)(values)
    array, shape = checks.held("the answers of query", answers).astype(float), values.shape[:-1]
    require(array.shape == shape, f"query must reduce the last axis: to shape {shape}", array.shape)
    return checks.all_of(array, np.isfinite(array), "query must give finite answers")


class Statistic(NamedTuple):
    """A query and the column of which it is asked, shape (N,); "mean:visits" of a table.

    The column is the key of the table under which its values stand: a name, or a condition on one;
    "" of a count, and where there is one only.
    """

    label: str
    query: Query
    values: np.ndarray
    column: Hashable = ""


@dataclass(frozen=True, eq=False)
class QueryBatch:
    """Some statistics of one universe of N records; whether a list of them was asked."""

    statistics: tuple[Statistic, ...]
    several: bool

    @property
    def records(self) -> int:
        """N."""
        return len(self.statistics[0].values)


def ask(
    query: Any, universe: Any, *, parse: Callable[[Any, Any], Statistic] | None = None
) -> QueryBatch:
    """What a query, or a list of them, asks of a universe.

    A query is a name, a callable, or a list of them; of a DataFrame a pair (query, column), or a
    list of pairs, and ``"count"`` needs no column. None may be asked twice. ``parse`` makes a
    statistic of one query and the universe; :func:`statistic` unless given.

    >>> [statistic.label for statistic in ask(["mean", "count"], [1, 2, 3]).statistics]
    ['mean', 'count']
    """
    table = hasattr(universe, "columns")
    several = isinstance(query, list if table else (list, tuple))
    queries = list(query) if several else [query]
    require(queries, "query must name at least one statistic", query)
    records = universe if table else checks.universe(universe)
    statistics = tuple((parse or statistic)(query, records) for query in queries)
    keys = [(entry.label, entry.query) for entry in statistics]
    for entry, key in zip(statistics, keys):
        require(keys.count(key) == 1, "query must name each statistic once", entry.label)
        warn_of_codes(entry.values, "universe" if entry.column == "" else f"column {entry.column}")
    return QueryBatch(statistics, several)


def statistic(query: Any, universe: Any) -> Statistic:
    """The statistic of a query: of records that are checked, (N,), or of a column of a table.

    >>> statistic("mean", np.array([1.0, 2.0])).label
    'mean'
    """
    if not hasattr(universe, "columns"):
        return Statistic(_name_of(query), query, universe)
    if isinstance(query, str) and query == "count":
        return Statistic(query, query, np.zeros(len(universe)))
    is_pair = isinstance(query, tuple) and len(query) == 2
    require(is_pair, "query must be a pair (query, column) for a table", query, TypeError)
    query, column = query
    checks.choice("column", column, universe.columns)
    require(query != "count", "query count must be asked without a column", column)
    values = checks.universe(universe[column], name=f"column {column}")
    return Statistic(f"{_name_of(query)}:{column}", query, values, column)


def _name_of(query: Query) -> str:
    """What a query is called, if there is one."""
    resolve(query)
    return query if isinstance(query, str) else getattr(query, "__name__", repr(query))
