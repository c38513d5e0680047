"""A file of records, read as it stands: nothing is guessed, nothing is dropped in silence.

The columns that are named are read as text, in chunks. Of each chunk only numbers, and the texts of
groups and the like, are kept. The first row that does not fit is refused.
"""

import hashlib
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpchoose import later as pd
from dpchoose.checks import require
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data import where as conditions
from dpchoose.your_data.cells import Cells, Value
from dpchoose.your_data.columns import Points, Refused, floats, refuse_first, released, says
from dpchoose.your_data.file import File
from dpchoose.your_data.groups import labels_of
from dpchoose.your_data.persons import like_persons
from dpchoose.your_data.shares import (
    SIGNS,
    Condition,
    numeric_columns,
    parse_condition,
    warn_of_nobody,
)

MISSING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
KEEP = ", or use the first ones alone (--keep-rows, where everybody is in the file)"


class Rows(NamedTuple):
    """The N records that were read; rows without the condition, and without a value, apart."""

    values: "pd.DataFrame"  # a column of floats for each that was asked for, and each condition
    shares: dict[str, Condition]  # what each share that was asked for means in this file
    labels: np.ndarray | None  # the group of each record, (N,)
    released: np.ndarray | None  # whether each record is released, (N,)
    filtered: int  # rows of the file that do not meet the condition
    dropped: int  # rows that miss a value
    beyond: int  # rows that could be answered, and are not among the first of their persons
    persons: tuple[str, ...]  # columns beside those asked that may name the person of each record
    left_out: tuple[str, ...]  # the columns whose missing values leave rows out
    digest: str  # the SHA-256 of the bytes that were read


@dataclass(frozen=True)
class Source(File):
    """A file, and what is read of it.

    Attributes:
        columns: of numbers; none if records are only counted.
        shares: conditions, such as "ward=north", each a column of 1 where it holds and 0 elsewhere.
        by: the columns of the groups.
        groups: as they are listed.
        released: the column that says who is released: 0/1, false/true or no/yes.
        person: the column that names the person of each record.
        rows: how many rows a person may have at most, where they are named.
        keep_rows: use so many rows of each person, the first in the file that can be answered.
        where: the condition that rows meet, or ""; all else is counted after it.
        drop_missing: leave out rows that miss a value in a column named here.
        missing: cells that mean a missing value, besides NA and its like; one that occurs nowhere
            is warned of, and no condition of a share names one.
    """

    columns: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    released: str | None = None
    person: str | None = None
    rows: int = 1
    keep_rows: bool = False
    where: str = ""
    drop_missing: bool = False
    missing: tuple[str, ...] = ()

    @property
    def cells(self) -> Cells:
        """How its numbers are written."""
        return Cells(self.decimal or ".", self.thousands)

    def read(self) -> Rows:
        """Read the file once, or raise a ValueError.

        No such file, not a table of text, a column named twice or not at all, a row of another
        width, an entry that does not fit, a missing value not to be dropped, a person with several
        rows, or fewer than 2 records.

        >>> from dpchoose import datasets
        >>> rows = Source(str(datasets.HEALTH), ("visits",), where="visits > 0").read()
        >>> len(rows.values), rows.filtered
        (4146, 1766)
        """
        cells, shares, points = self.cells, {}, Points()
        missing, unseen = {*map(cells.value, (*MISSING, *self.missing))}, {*self.missing}
        comparisons = conditions.parse(self.where) if self.where else []
        compared = [column for column, _, _ in comparisons]
        ordered = [column for column, _, values in comparisons if not isinstance(values[0], str)]
        named = [name for name in (*self.by, self.released, self.person) if name is not None]
        needed: list[str] = []
        persons: list[str] = []

        def asked(names: list[str], head: list[list[str]]) -> list[str]:
            shares.update({text: parse_condition(text, names, cells) for text in self.shares})
            for one in shares.values():
                is_code = one.sign == "=" and one.value in missing
                require(not is_code, "share must not be of a missing value", str(one))
            needed.extend([*self.columns, *(one.column for one in shares.values()), *named])
            if self.keep_rows:  # nobody's row is left out for want of a name: it is refused
                needed[:] = [name for name in needed if name != self.person]
            if self.person is None:
                likely = like_persons(names, [row for row in head if row])
                persons.extend(name for name in likely if name not in {*needed, *compared})
            return [*needed, *named, *compared]

        answered: list[dict[str | Condition, np.ndarray]] = []
        texts = []
        rows = filtered = 0
        digest = hashlib.sha256()
        for table in self.tables(asked, digest.update):
            known = self._complete(table, compared, missing, cells)
            chosen = known[conditions.matches(known, comparisons, cells)]
            kept = self._complete(chosen, needed, missing, cells)
            if self.keep_rows:
                names, way = kept[self.person], ": fill it in, or take the row out of the file"
                refuse_first(names, names.isin(MISSING).to_numpy(), "a person in every row", way)
            numeric = dict.fromkeys([*self.columns, *numeric_columns([*shares.values()])])
            numbers = {name: floats(kept[name], cells) for name in numeric}
            if self.decimal is None and not self.thousands:
                points.take([*(known[name] for name in ordered), *(kept[name] for name in numeric)])
            met = {one: _met(one, kept, numbers, cells) for one in shares.values()}
            answered.append({name: numbers[name] for name in self.columns} | met)
            texts.append(kept[[*dict.fromkeys(named)]].astype(object))
            rows += len(table)
            filtered += len(known) - len(chosen)
            for name in table if unseen else ():
                seen = {*map(cells.value, table[name].cat.categories)}
                unseen = {word for word in unseen if cells.value(word) not in seen}
        points.refuse()
        columns = pd.concat(texts)
        used = np.ones(len(columns), bool)
        if self.keep_rows:  # over the whole file, whatever the group
            used = (columns.groupby(self.person).cumcount() < self.rows).to_numpy()
        dropped, columns = rows - filtered - len(columns), columns[used]
        records = len(columns)
        if records < 2:
            raise Refused.of("CSV file must hold at least 2 records to read", f"{records}")
        if self.person is not None:
            several = columns.groupby(self.person)[self.person].transform("size") > self.rows
            rule = f"each person in {self.rows} row{'s' * (self.rows > 1)} at most"
            cure = ": add up each person's rows in the file"
            cure += f", and give each person one {' and one '.join(self.by)}" * bool(self.by)
            refuse_first(columns[self.person], several, rule, cure + KEEP)
        values = {
            name: np.concatenate([chunk[name] for chunk in answered])[used] for name in answered[0]
        }
        for one in shares.values():
            warn_of_nobody(one, values[one])
        for word in self.missing:
            if needed and word in unseen:
                text = f"--missing {word} occurs nowhere in {', '.join(dict.fromkeys(needed))}"
                warnings.warn(text, MissingCodeWarning, stacklevel=2)
        of = [columns[name] for name in self.by]
        labels = labels_of(of, cells, self.groups) if of else None
        return Rows(
            values=pd.DataFrame(values, range(records), copy=False),
            shares=shares,
            labels=labels,
            released=None if self.released is None else released(columns[self.released]),
            filtered=filtered,
            dropped=dropped,
            beyond=len(used) - records,
            persons=tuple(persons),
            left_out=tuple(dict.fromkeys([*compared, *needed])) if self.drop_missing else (),
            digest=digest.hexdigest(),
        )

    def _complete(
        self, table: "pd.DataFrame", names: list[str], none: set[Value], cells: Cells
    ) -> "pd.DataFrame":
        """The rows of a chunk with a value in these columns; others are dropped, or refused."""
        complete = np.ones(len(table), bool)
        for name in dict.fromkeys(names):
            missing = says(table[name], none, cells)
            if not self.drop_missing:
                hint = ": drop such rows (--drop-missing) or fill them in"
                refuse_first(table[name], missing, "a value in every row", hint)
            complete &= ~missing
        return table[complete]


def _met(
    condition: Condition, table: "pd.DataFrame", numbers: dict[str, np.ndarray], cells: Cells
) -> np.ndarray:
    """Whether a condition holds of each row of a chunk, 1 or 0."""
    if condition.sign == "=":
        return says(table[condition.column], {condition.value}, cells).astype(float)
    return SIGNS[condition.sign](numbers[condition.column], condition.value).astype(float)
