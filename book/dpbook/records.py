"""The records that a chapter is about: the school's, or a reader's own."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import dpchoose as dp
from dpbook.tables import members
from dpchoose import checks

SCHOOL = ["school_year", "absence_days"]  # the columns of the pupils
FEW = 8  # worlds that are shown one by one


def records(
    universe: Mapping[str, Sequence[float]], csv: str, columns: Sequence[str]
) -> pd.DataFrame:
    """A row for each record, a column of floats for each that is asked about.

    Rows are sorted by the last column. They are named as the pupils of the school, or numbered
    from 1 as they were given.

    Args:
        universe: the numbers of each column; empty for a file, or for the school.
        csv: the path of a file with a line of names, "" for none.
        columns: what is asked about; with a universe and those of the school, all of its own.

    Raises:
        ValueError, TypeError: both are given; a column is not there, is shorter than another,
            or holds words, fewer than two finite numbers, or one number alone.

    >>> records({"salary": [19, 12]}, "", SCHOOL)["salary"].to_dict()
    {2: 12.0, 1: 19.0}
    """
    if universe and csv:
        raise ValueError("universe or csv must be empty, got both")
    if not (universe or csv):
        pupils, _ = dp.datasets.school()
        return pupils.set_index("name")[list(columns)].astype(float)
    if universe and list(columns) == SCHOOL:
        columns = list(universe)
    if csv:
        universe = {column: read_column(csv, column) for column in columns}
    for column in columns:
        if column not in universe:
            raise ValueError(f"columns must be of universe ({', '.join(universe)}), got {column!r}")
    taken = {column: checks.universe(universe[column], name=column) for column in columns}
    lengths = {len(values) for values in taken.values()}
    if len(lengths) > 1:
        raise ValueError(f"columns of universe must be equally long, got {sorted(lengths)} numbers")
    for column, values in taken.items():
        if not np.ptp(values):
            raise ValueError(f"{column} must hold different numbers, got {values[0]:g} alone")
    frame = pd.DataFrame(taken, index=range(1, lengths.pop() + 1))
    return frame.sort_values(list(frame)[-1], kind="stable")


def read_column(path: str, column: str, *, drop_missing: bool = False) -> np.ndarray:
    """The numbers in a column of a file, as the program reads them.

    Args:
        drop_missing: leave out the rows that miss it.

    >>> read_column(str(dp.datasets.HEALTH), "visits").mean().round(3)
    np.float64(3.018)
    """
    from dpchoose.your_data.read import Source  # which no chapter of a source needs

    return Source(str(path), (column,), drop_missing=drop_missing).read().values[column]


def all_but_one(release_size: int | None, total: int) -> int:
    """The size of a release that lacks one record, N - 1, which is what "" or None stand for.

    Raises:
        ValueError: another size, in a chapter about the missing one.

    >>> all_but_one(None, 4)
    3
    """
    if release_size not in (None, "", total - 1):
        raise ValueError(
            f"release_size must be {total - 1} of {total} records, because one is missing in this "
            f"chapter, got {release_size!r}"
        )
    return total - 1


def few(worlds: pd.DataFrame, column: str, rows: int = FEW) -> pd.DataFrame:
    """At most so many rows of a table of worlds, evenly spread over the values of a column.

    >>> import pandas as pd
    >>> few(pd.DataFrame({"answer": range(100)}), "answer", 3)["answer"].tolist()
    [0, 50, 99]
    """
    if len(worlds) <= rows:
        return worlds
    spread = np.round(np.linspace(0, len(worlds) - 1, rows) + 1e-9).astype(int)
    return worlds.sort_values(column, kind="stable").iloc[spread]


def without(values: Sequence[float], place: int) -> str:
    """The list without the record in this place: its members, or what it lacks where it is long.

    >>> without([1, 2, 3, 10], 3), without(range(100), 7)
    ('{1, 2, 3}', 'all but 7')
    """
    if len(values) > FEW:
        return f"all but {values[place]:g}"
    return members(np.delete(values, place))


def listed(values: Sequence[float]) -> str:
    """The members of a list, or how many they are and between which where there are many.

    >>> listed([1, 2, 10]), listed(range(1, 61))
    ('{1, 2, 10}', '60 numbers, 1 to 60')
    """
    if len(values) > FEW + 2:
        return f"{len(values):,} numbers, {min(values):g} to {max(values):g}"
    return members(values)
