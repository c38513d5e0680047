"""What is asked of the records: one statistic, or several that are published together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.data.codes import warn_of_codes
from dpchoose.data.queries import Query, evaluate, resolve


class Statistic(NamedTuple):
    """A query and the column of which it is asked.

    Attributes:
        label: how it is called: "mean", or "mean:visits" for a column of a table.
        query: a name or a callable on the last axis.
        values: the column, shape (N,).
    """

    label: str
    query: Query
    values: np.ndarray

    def typical(self, share: float, part: Any = slice(None)) -> float:
        """The answer on a part of the universe; of a sum or a count a share of it."""
        answer = float(evaluate(self.query, self.values[part]))
        return share * answer if self.query in ("sum", "count") else answer


@dataclass(frozen=True, eq=False)
class Asked:
    """Some statistics of one universe.

    Attributes:
        statistics: at least one.
        several: whether a list was asked, so that answers have a column each.
        records: N.
    """

    statistics: tuple[Statistic, ...]
    several: bool
    records: int

    def columns(self) -> dict[str, np.ndarray]:
        """The values that are asked, by column: "value", or "value of" each of several."""
        known = {one.label.partition(":")[2]: one.values for one in self.statistics}
        if len(known) > 1:
            return {f"value of {name}": values for name, values in known.items() if name}
        return dict.fromkeys(["value"], *known.values())


def ask(query: Any, universe: Any, *, repeats: bool = False) -> Asked:
    """What a query, or a list of them, asks of a universe.

    Args:
        query: a name, a callable, or a list of them; of a DataFrame a pair
            (query, column), or a list of pairs. ``"count"`` needs no column.
        universe: the N known records, shape (N,), or a DataFrame.
        repeats: whether a statistic may be asked more than once.

    Raises:
        ValueError: an empty list, a statistic that is asked twice, a column
            that is missing or holds what is no finite number.
        TypeError: an argument of the wrong kind.

    >>> ask(["mean", "var"], [1, 2, 3]).statistics[1].label
    'var'
    """
    several = isinstance(query, list) or (isinstance(query, tuple) and not _is_pair(query))
    queries: Sequence[Any] = list(query) if several else [query]
    if not queries:
        raise ValueError(f"query must name at least one statistic, got {checks.short(query)}")
    if hasattr(universe, "columns"):
        if not len(universe.columns):
            raise ValueError("universe must have at least one column, got none")
        found = [_of_column(one, universe) for one in queries]
    else:
        values = checks.universe(universe)
        found = [_of_values(one, values) for one in queries]
    if not repeats:
        _refuse_repeats(found)
        for label, one in {one.label.partition(":")[2]: one for one in found}.items():
            warn_of_codes(one.values, f"column {label}" if label else "universe")
    return Asked(tuple(found), several, len(found[0].values))


def name_of(query: Query) -> str:
    """What a query is called.

    >>> name_of("mean"), name_of(max)
    ('mean', 'max')
    """
    return query if isinstance(query, str) else getattr(query, "__name__", repr(query))


def _is_pair(query: tuple[Any, ...]) -> bool:
    """Whether a tuple is (query, column): the second is then no query that is known."""
    if len(query) != 2 or callable(query[1]):
        return False
    try:
        resolve(query[1])
    except (ValueError, TypeError):
        return True
    return False


def _of_values(query: Any, values: np.ndarray) -> Statistic:
    resolve(query)
    return Statistic(name_of(query), query, values)


def _of_column(query: Any, universe: Any) -> Statistic:
    if isinstance(query, str) and query == "count":
        return Statistic("count", query, np.zeros(len(universe)))
    if not isinstance(query, tuple) or len(query) != 2:
        raise TypeError(
            f"query must be a pair (query, column) for a table, got {checks.short(query)}"
        )
    asked, column = query
    resolve(asked)
    try:
        missing = column not in universe.columns
    except TypeError:  # a list is no name
        missing = True
    if missing:
        known = ", ".join(map(str, universe.columns))
        raise ValueError(f"column must be one of {known}, got {checks.short(column)}")
    if asked == "count":
        raise ValueError(
            f"query count must be asked without a column, got {checks.short(column)}: "
            f"it counts records; did you mean ('sum', {checks.short(column)})?"
        )
    values = checks.universe(universe[column], name=f"column {column}")
    return Statistic(f"{name_of(asked)}:{column}", asked, values)


def _refuse_repeats(found: Sequence[Statistic]) -> None:
    seen: set[Any] = set()
    for one in found:
        key = (one.query, one.label)
        if key in seen:
            raise ValueError(f"query must name each statistic once, got {one.label!r} twice")
        seen.add(key)


def ask_beside(query: Any, universe: Any, already: Any) -> tuple[Asked, np.ndarray]:
    """What is asked now, followed by what has been published of the same records.

    Args:
        query, universe: as for :func:`ask`.
        already: pairs of a query and its noise scale in (0, inf); None for none.

    Returns:
        all statistics, the new ones first, and the scales of those that are
        out, nan for the new ones, shape (d,).

    Raises:
        ValueError, TypeError: as :func:`ask`, and for what is no such pair.

    >>> asked, scales = ask_beside("mean", [1, 2, 3], [("mean", 0.5)])
    >>> [one.label for one in asked.statistics], scales.tolist()
    (['mean', 'mean'], [nan, 0.5])
    """
    asked = ask(query, universe)
    if already is None:
        return asked, np.full(len(asked.statistics), np.nan)
    pairs = [already] if _is_published(already) else already
    if not isinstance(pairs, (list, tuple)):
        raise TypeError(f"already must be a list of pairs, got {checks.short(already)}")
    for pair in pairs:
        if not _is_published(pair):
            raise TypeError(
                f"already must hold pairs of a query and a scale, got {checks.short(pair)}"
            )
    new = np.full(len(asked.statistics), np.nan)
    if not pairs:
        return asked, new
    out = ask([pair[0] for pair in pairs], universe, repeats=True)
    scales = [checks.published_scale(one.label, s) for one, (_, s) in zip(out.statistics, pairs)]
    together = Asked(asked.statistics + out.statistics, True, asked.records)
    return together, np.concatenate([new, scales])


def _is_published(pair: Any) -> bool:
    return isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[1], Real)


def groups_of(by: Any, universe: Any, records: int) -> tuple[np.ndarray, list[Any]]:
    """The group of each record as a code, and the labels in order.

    Args:
        by: labels by position, shape (N,), or the name of a column of a DataFrame.
        universe: the records.
        records: N.

    Raises:
        ValueError: no such column, labels of another length, or a missing one.
        TypeError: labels that cannot be sorted.

    >>> groups_of(["b", "a", "b"], None, 3)
    (array([1, 0, 1]), ['a', 'b'])
    """
    if isinstance(by, str):
        if by not in getattr(universe, "columns", ()):
            known = ", ".join(map(str, getattr(universe, "columns", ()))) or "those of a table"
            raise ValueError(f"by must be one of {known}, got {checks.short(by)}")
        by = universe[by]
    if not np.iterable(by):
        raise TypeError(f"by must hold a label for each record, got {checks.short(by)}")
    checks.unmasked("by", by)
    labels = list(by)
    if len(labels) != records:
        raise ValueError(f"by must hold a label for each of {records} records, got {len(labels)}")
    for place, label in enumerate(labels):
        if label is None or label != label:
            raise ValueError(f"by must hold a label for each record, got none at position {place}")
    try:
        known = sorted(set(labels))
    except TypeError:
        raise TypeError("by must hold labels of one kind, which can be sorted") from None
    code = {label: place for place, label in enumerate(known)}
    return np.array([code[label] for label in labels], dtype=np.intp), known
