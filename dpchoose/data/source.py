"""Where records come from: a file, and the rows and columns of it that are asked for."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose.data import columns as meaning
from dpchoose.data import where as conditions
from dpchoose.data.reading import read_table

if typing.TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Rows:
    """The records that were read.

    Attributes:
        values: a column of floats for each that was asked for, N rows.
        labels: the group of each record, shape (N,); None without groups.
        released: whether each record is released, shape (N,); None if not said.
        filtered: rows of the file that do not meet the condition.
        dropped: rows that miss a value.
    """

    values: pd.DataFrame
    labels: np.ndarray | None
    released: np.ndarray | None
    filtered: int
    dropped: int


@dataclass(frozen=True)
class Source:
    """A CSV file, and what is read of it.

    Attributes:
        path: of the file; "-" is standard input.
        columns: of numbers; none if records are only counted.
        by: the column of the groups.
        released: the column that says who is released.
        person: the column that names the person of each record.
        where: the condition that rows meet, or "" for all; all else is
            counted after it.
        drop_missing: leave out rows that miss a value.
        delimiter: as for :func:`dpchoose.data.reading.read_table`.
        decimal: likewise.
        thousands: the sign in 1,000; none by default.
        encoding: likewise.
        missing: likewise.
    """

    path: str
    columns: tuple[str, ...] = ()
    by: str | None = None
    released: str | None = None
    person: str | None = None
    where: str = ""
    drop_missing: bool = False
    delimiter: str | None = None
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8-sig"
    missing: tuple[str, ...] = ()

    def read(self) -> Rows:
        """Read the file once.

        Raises:
            ValueError: what :mod:`dpchoose.data.reading`,
                :mod:`dpchoose.data.columns` and :mod:`dpchoose.data.where`
                refuse, or fewer than two records.

        >>> from dpchoose.data import datasets
        >>> rows = Source(str(datasets.health()), ("visits",), where="visits > 0").read()
        >>> len(rows.values), rows.filtered
        (3485, 1563)
        """
        import pandas as pd

        comparisons = conditions.parse(self.where) if self.where else []
        compared = list(dict.fromkeys(comparison.column for comparison in comparisons))
        named = [name for name in (self.by, self.released, self.person) if name is not None]
        wanted = [*self.columns, *named, *compared]
        table = read_table(
            self.path,
            columns=wanted or None,
            delimiter=self.delimiter,
            decimal=self.decimal,
            encoding=self.encoding,
            missing=self.missing,
        )
        signs = {"decimal": self.decimal, "thousands": self.thousands}
        known = self._complete(table, compared)
        chosen = known[conditions.matches(known, comparisons, **signs)]
        kept = self._complete(chosen, list(self.columns))
        if len(kept) < 2:
            met = " that meet the condition" if self.where else ""
            raise ValueError(f"CSV file must hold at least 2 records{met}, got {len(kept)}")
        if self.person is not None:
            meaning.one_row_each(kept[self.person])
        return Rows(
            pd.DataFrame({name: meaning.numbers(kept[name], **signs) for name in self.columns})
            if self.columns
            else pd.DataFrame(index=range(len(kept))),
            None if self.by is None else meaning.labels(kept[self.by]),
            None if self.released is None else meaning.released(kept[self.released]),
            filtered=len(known) - len(chosen),
            dropped=len(table) - len(known) + len(chosen) - len(kept),
        )

    def _complete(self, table: pd.DataFrame, names: list[str]) -> Any:
        """The rows in which these columns miss nothing."""
        return table.loc[meaning.complete(table[names], drop_missing=self.drop_missing).index]
