"""The options that say which records, and what is asked of them."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from dpchoose import checks
from dpchoose.data import queries
from dpchoose.data.source import Rows, Source

if typing.TYPE_CHECKING:
    import pandas as pd

Command = Callable[..., Any]
Asked = tuple[str, str | None]  # a query and its column; count has none
FORMATS = ("table", "csv", "json")

FILE = (
    click.option("--where", default="", help="Rows that count, as 'age >= 65'; filters first."),
    click.option("--person", help="Column that names the person: each may have one row only."),
    click.option("--drop-missing", is_flag=True, help="Leave out records without a value."),
    click.option("--missing", multiple=True, help="A word that means a missing value, as -99."),
    click.option(
        "--delimiter", help="The sign between fields: , ; | or a tab.  [default: found out]"
    ),
    click.option("--decimal", default=".", help="The decimal sign, where it is a comma: ,"),
    click.option("--thousands", default="", help="The sign between thousands, where there is one."),
    click.option(
        "--encoding",
        default="utf-8-sig",
        help="How the text of the file is encoded.  [default: utf-8]",
    ),
)
ASKED = (
    click.argument("data"),
    click.option("--column", help="The numeric column of every --query."),
    click.option(
        "--query",
        "names",
        multiple=True,
        help=f"{', '.join(queries.NAMED)} or percentile_p; several are published together."
        "  [default: mean]",
    ),
    click.option(
        "--ask", "asked", multiple=True, help="A query and its column, as mean:visits; or count."
    ),
    click.option("--release-size", type=int, help="Records released.  [default: all but one]"),
    click.option(
        "--adjacency",
        default="unbounded",
        show_default=True,
        help="unbounded: a record more or less; bounded: one changed.",
    ),
    click.option(
        "--format",
        "form",
        default="table",
        show_default=True,
        help="How the answer is printed: table, csv or json.",
    ),
)
TOGETHER = (
    click.option("--by", help="Column of groups: an answer for each, published together."),
    click.option("--released", help="Column that says who is released: 0/1, yes/no; gives n."),
    click.option(
        "--already",
        multiple=True,
        help="Published before, of the same released rows: mean:visits:0.0033, its noise scale.",
    ),
    click.option("--verbose", is_flag=True, help="All that is known, and each sentence."),
)


def add(*options: Command) -> Callable[[Command], Command]:
    """A decorator that gives a command these options, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked, of which records.

    Attributes:
        asked: the statistics.
        source: the file.
        rows: what was read of it.
        release_size: n.
        adjacency: which datasets are neighbours.
        already: what is out, each with its noise scale.
    """

    asked: tuple[Asked, ...]
    source: Source
    rows: Rows
    release_size: int
    adjacency: str
    already: tuple[tuple[Asked, float], ...] = ()

    @property
    def query(self) -> Any:
        """As :func:`dpchoose.recommend` takes it: one, or a list of several."""
        found = [as_query(one) for one in self.asked]
        return found[0] if len(found) == 1 else found

    @property
    def universe(self) -> pd.DataFrame:
        """The records; a column of zeros where they are only counted."""
        values = self.rows.values
        return values if len(values.columns) else values.assign(record=0.0)

    @property
    def published(self) -> list[tuple[Any, float]] | None:
        """What is out, as :func:`dpchoose.recommend` takes it."""
        return [(as_query(one), scale) for one, scale in self.already] or None

    def recommend(self, **how: Any) -> Any:
        """What :func:`dpchoose.recommend` says to the question."""
        from dpchoose.epsilon.recommend import recommend

        return recommend(
            self.query,
            self.universe,
            self.release_size,
            by=self.rows.labels,
            already=self.published,
            adjacency=self.adjacency,
            **how,
        )


def as_query(one: Asked) -> Any:
    """A statistic as :func:`dpchoose.recommend` takes it: a pair, or count alone."""
    return one[0] if one[1] is None else one


def question(
    *,
    data: str,
    column: str | None,
    names: tuple[str, ...],
    asked: tuple[str, ...],
    release_size: int | None,
    adjacency: str,
    form: str,
    already: tuple[str, ...] = (),
    by: str | None = None,
    released: str | None = None,
    **reading: Any,
) -> Question:
    """What the options ask; all that they refuse is refused before the file is read.

    Args:
        data: path of the file.
        column: of ``names``.
        names: queries of that column.
        asked: as ``mean:visits``.
        release_size: n; None for all but one, or what ``released`` says.
        adjacency: "unbounded" or "bounded".
        form: how the answer is printed.
        already: as ``mean:visits:0.0033``.
        by: column of the groups.
        released: column that says who is released.
        reading: what else :class:`dpchoose.data.source.Source` is told.

    Raises:
        ValueError: an argument out of its domain.
    """
    checks.choice("--format", form, FORMATS)
    checks.adjacency(adjacency)
    statistics = _statistics(column, names, asked)
    before = tuple(_published(text) for text in already)
    columns = [one[1] for one in (*statistics, *(one for one, _ in before))]
    source = Source(
        data,
        tuple(dict.fromkeys(name for name in columns if name is not None)),
        by=by,
        released=released,
        **reading,
    )
    rows = source.read()
    records = len(rows.values)
    size = records - 1 if release_size is None else checks.release_size(release_size, records)
    if rows.released is not None:
        said = int(np.count_nonzero(rows.released))
        if release_size is not None and size != said:
            raise ValueError(f"--release-size must be the {said} of --released, got {size}")
        size = said
    return Question(statistics, source, rows, size, adjacency, before)


def _statistics(
    column: str | None, names: tuple[str, ...], asked: tuple[str, ...]
) -> tuple[Asked, ...]:
    """Each statistic once, in the order in which it was asked."""
    found: list[Asked] = []
    for name in names or (() if column is None and asked else ("mean",)):
        queries.resolve(name)
        if name != "count" and column is None:
            raise ValueError(
                f"--column must name the column of {name}: add it, or --ask {name}:..."
            )
        found.append((name, None if name == "count" else column))
    found.extend(_statistic(text) for text in asked)
    for one in found:
        if found.count(one) > 1:
            raise ValueError(f"query must name each statistic once, got {called(one)} twice")
    return tuple(found)


def _statistic(text: str) -> Asked:
    """A statistic that is written as ``mean:visits``, or ``count``."""
    name, colon, column = text.partition(":")
    queries.resolve(name)
    if name == "count" and colon:
        raise ValueError(
            f"count must be asked without a column, got {text}: did you mean sum:{column}? "
            "(count is the number of released records)"
        )
    if name != "count" and not column:
        raise ValueError(f"--ask must be written like mean:visits, got {text}")
    return name, column or None


def _published(text: str) -> tuple[Asked, float]:
    """What is out already, written as ``mean:visits:0.0033``: a statistic and its noise scale."""
    statistic, _, last = text.rpartition(":")
    try:
        scale = float(last)
    except ValueError:
        scale = math.nan
    if not statistic or not 0 <= scale < math.inf:
        raise ValueError(f"--already must be written like mean:visits:0.0033, got {text}")
    if scale == 0:
        raise ValueError(
            f"--already must have a noise scale above 0, got {text}: an exact answer is out, and "
            "no noise on later ones takes it back; ask dpchoose risk for its --scale 0"
        )
    return _statistic(statistic), scale


def called(one: Asked) -> str:
    """A statistic as it is asked for on the command line.

    >>> called(("mean", "visits")), called(("count", None))
    ('mean:visits', 'count')
    """
    return one[0] if one[1] is None else f"{one[0]}:{one[1]}"
