"""A file of records, read as it stands: nothing is guessed, nothing is dropped in silence.

The columns that are named are read as text, Excel and Parquet too, in chunks of 65,536 rows that
are numbered from 1 below the names of the columns. Of each chunk only numbers, and the texts of
groups and the like, are kept. The first row that does not fit is refused."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count, islice
from typing import Any, BinaryIO, NamedTuple

import click
import numpy as np

from dpchoose import later as pd
from dpchoose import progress
from dpchoose.checks import choice, require
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data import where as conditions
from dpchoose.your_data.cells import Cells, Value
from dpchoose.your_data.columns import floats, refuse_first, released, says
from dpchoose.your_data.groups import labels_of
from dpchoose.your_data.shares import (
    SIGNS,
    Condition,
    numeric_columns,
    parse_condition,
    warn_of_nobody,
)

DELIMITERS = (",", ";", "\t", "|")
MISSING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\3\4", b"PAR1"
CHUNK = 2**16  # rows that are held as text at a time
UNREADABLE = (csv.Error, OSError, EOFError, zlib.error, LookupError, UnicodeError)


class Rows(NamedTuple):
    """The N records that were read; rows without the condition, and without a value, apart."""

    values: pd.DataFrame  # a column of floats for each that was asked for, and each condition
    shares: dict[str, Condition]  # what each share that was asked for means in this file
    labels: np.ndarray | None  # the group of each record, (N,)
    released: np.ndarray | None  # whether each record is released, (N,)
    filtered: int  # rows of the file that do not meet the condition
    dropped: int  # rows that miss a value
    left_out: tuple[str, ...]  # the columns whose missing values leave rows out
    digest: str  # the SHA-256 of the bytes that were read


class Hashed(io.RawIOBase):
    """The bytes of a file, each read once, and added to a digest as it is."""

    def __init__(self, file: BinaryIO, digest: Any) -> None:
        self.file, self.digest, self.count = file, digest, 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        some = self.file.read(len(buffer))
        buffer[: len(some)] = some
        self.digest.update(some)
        self.count += len(some)
        return len(some)


@dataclass(frozen=True)
class Source:
    """A file, and what is read of it.

    Attributes:
        path: of a CSV file, plain or packed with gzip, or of an Excel or Parquet file, whatever
            its name; "-" is standard input. Its first line names the columns.
        columns: of numbers; none if records are only counted.
        shares: conditions, such as "ward=north", each a column of 1 where it holds and 0 elsewhere.
        by: the columns of the groups.
        groups: as they are listed.
        released: the column that says who is released: 0/1, false/true or no/yes.
        person: the column that names the person of each record.
        rows: how many rows a person may have at most, where they are named.
        where: the condition that rows meet, or ""; all else is counted after it.
        drop_missing: leave out rows that miss a value in a column named here.
        delimiter: between two fields; None takes the one of comma, semicolon, tab and bar
            that stands in the first line.
        decimal: the sign in 1.5, which then is not taken for a delimiter.
        thousands: the sign in 1,000; none by default.
        encoding: of the text.
        missing: cells that mean a missing value, besides NA and its like; one that occurs nowhere
            is warned of, and no condition of a share names one.
    """

    path: str
    columns: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    released: str | None = None
    person: str | None = None
    rows: int = 1
    where: str = ""
    drop_missing: bool = False
    delimiter: str | None = None
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8-sig"
    missing: tuple[str, ...] = ()

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
        choice("delimiter", self.delimiter or ",", DELIMITERS)
        cells, shares = Cells(self.decimal, self.thousands), {}
        missing, unseen = {*map(cells.value, (*MISSING, *self.missing))}, {*self.missing}
        comparisons = conditions.parse(self.where) if self.where else []
        compared = [column for column, _, _ in comparisons]
        named = [name for name in (*self.by, self.released, self.person) if name is not None]
        needed: list[str] = []

        def asked(names: list[str]) -> list[str]:
            shares.update({text: parse_condition(text, names, cells) for text in self.shares})
            for one in shares.values():
                is_code = one.sign == "=" and one.value in missing
                require(not is_code, "share must not be of a missing value", str(one))
            needed.extend([*self.columns, *(one.column for one in shares.values()), *named])
            return [*needed, *compared]

        numbers, met, texts = [], [], []
        rows = filtered = 0
        digest = hashlib.sha256()
        for table in self.chunks(asked, digest):
            known = self._complete(table, compared, missing, cells)
            chosen = known[conditions.matches(known, comparisons, cells)]
            kept = self._complete(chosen, needed, missing, cells)
            numeric = dict.fromkeys([*self.columns, *numeric_columns([*shares.values()])])
            values = {name: floats(kept[name], cells) for name in numeric}
            numbers.append({name: values[name] for name in self.columns})
            met.append({one: _met(one, kept, values, cells) for one in shares.values()})
            texts.append(kept[[*dict.fromkeys(named)]].astype(object))
            rows += len(table)
            filtered += len(known) - len(chosen)
            for name in table if unseen else ():
                seen = {*map(cells.value, table[name].cat.categories)}
                unseen = {word for word in unseen if cells.value(word) not in seen}
        columns = pd.concat(texts)
        records = len(columns)
        require(records > 1, "CSV file must hold at least 2 records to read", records)
        if self.person is not None:
            several = columns.groupby(self.person)[self.person].transform("size") > self.rows
            rule = f"each person in {self.rows} row{'s' * (self.rows > 1)} at most"
            call = f"table.groupby({self.person!r}).sum(numeric_only=True, min_count=1)"
            cure = f"and give each person one {' and one '.join(self.by)}" if self.by else call
            refuse_first(columns[self.person], several, rule, f": add up a person's rows, {cure}")
        values = {
            name: np.concatenate([chunk[name] for chunk in chunks])
            for chunks in (numbers, met)
            for name in chunks[0]
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
            dropped=rows - filtered - records,
            left_out=tuple(dict.fromkeys([*compared, *needed])) if self.drop_missing else (),
            digest=digest.hexdigest(),
        )

    def _complete(
        self, table: pd.DataFrame, names: list[str], none: set[Value], cells: Cells
    ) -> pd.DataFrame:
        """The rows of a chunk with a value in these columns; others are dropped, or refused."""
        complete = np.ones(len(table), bool)
        for name in dict.fromkeys(names):
            missing = says(table[name], none, cells)
            if not self.drop_missing:
                hint = ": drop such rows (--drop-missing) or fill them in"
                refuse_first(table[name], missing, "a value in every row", hint)
            complete &= ~missing
        return table[complete]

    def chunks(
        self, asked: Callable[[list[str]], Iterable[str]], digest: Any = None
    ) -> Iterator[pd.DataFrame]:
        """The table of the columns that are asked of its names, categorical, CHUNK rows at a time.

        Where none is asked it is that of the first. Texts are stripped, and rows are numbered from
        1. With the last of them the digest is that of all bytes of the file, each read once.

        >>> from dpchoose import datasets
        >>> [len(table) for table in Source(str(datasets.HEALTH)).chunks(lambda names: names[:1])]
        [5912]
        """
        try:
            with click.open_file(self.path, "rb") as source:  # "-" is standard input
                whole = source if source.seekable() else io.BytesIO(source.read())  # of a pipe
                size, _ = whole.seek(0, io.SEEK_END), whole.seek(0)
                hashed = Hashed(whole, digest or hashlib.sha256())
                file = io.BufferedReader(hashed)
                start = file.peek(4)[:4]
                if start in (ZIP, PARQUET):
                    rows = self._cells(io.BytesIO(file.read()), start)
                else:
                    unpacked = gzip.GzipFile(fileobj=file) if start[:2] == GZIP else file
                    # A name of its own: the file is closed where nobody holds its text.
                    text = io.TextIOWrapper(unpacked, encoding=self.encoding, newline="")
                    rows = self._fields(text)
                names = [name.strip().lstrip("\ufeff") for name in next(rows, [])]
                places = _positions(names, asked)
                with progress.bar(size, "reading") as bar:
                    for table in _tables(_of_width(rows, len(names)), places):
                        yield table
                        bar.update(hashed.count - bar.n)
                while file.read(CHUNK):  # what stands behind the last row
                    pass
        except UNREADABLE as no:
            kind = self.encoding.removesuffix("-sig")
            why = f"{self.path!r}: {getattr(no, 'strerror', None) or no}"
            hint = ": save the table as CSV, or name its --encoding" * isinstance(no, UnicodeError)
            raise ValueError(f"CSV file must be readable as {kind}, got {why}{hint}") from None

    def _fields(self, text: io.TextIOWrapper) -> Iterator[list[str]]:
        """The fields of each row of a text, divided by the one delimiter of its first line."""
        head = text.read(1 << 20) + text.readline()
        first = re.split("[\r\n]", re.sub('"[^"]*"', "", head), maxsplit=1)[0]
        signs = [sign for sign in DELIMITERS if sign != self.decimal]
        present = [sign for sign in signs if sign in first]
        if len(present) > 1 and self.delimiter is None:
            raise csv.Error(f"{' and '.join(present)} stand in its first line: add --delimiter")
        sign = self.delimiter or (present or signs)[0]
        lines = chain(io.StringIO(head, newline=""), text)
        return csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)

    def _cells(self, file: BinaryIO, start: bytes) -> Iterator[list[str]]:
        """The names and the rows of an Excel or Parquet file; "" where a value is missing."""
        try:
            if start == PARQUET:
                table = pd.read_parquet(file, "pyarrow", dtype_backend="numpy_nullable")
                rows = [table.columns.tolist()]
            else:
                sheets = pd.read_excel(file, None, header=None, dtype=object, na_filter=False)
                (table,), rows = sheets.values(), []
        except ImportError as no:  # of which pandas gives no name
            name = "pyarrow" if start == PARQUET else "openpyxl"
            raise ImportError(f"{name} must be there", name=name) from no
        except Exception as error:  # each reader has its own
            why = " ".join(str(error).split())
            raise csv.Error(f"it is no single table ({why}): save the table as CSV") from None
        rows += table.astype(object).where(table.notna(), "").to_numpy().tolist()
        return ([str(cell) for cell in row] for row in rows)


def _met(
    condition: Condition, table: pd.DataFrame, numbers: dict[str, np.ndarray], cells: Cells
) -> np.ndarray:
    """Whether a condition holds of each row of a chunk, 1 or 0."""
    if condition.sign == "=":
        return says(table[condition.column], {condition.value}, cells).astype(float)
    return SIGNS[condition.sign](numbers[condition.column], condition.value).astype(float)


def _positions(names: list[str], asked: Callable[[list[str]], Iterable[str]]) -> dict[str, int]:
    """Where each column that is wanted stands, or the first."""
    places = {name: place for place, name in enumerate(names) if name}
    once = 0 < len(places) == sum(map(bool, names))
    require(once, "its first line must name each column once", names, csv.Error)
    columns = [*asked([*places])] or [*places][:1]
    return {choice("column", name, places): places[name] for name in columns}


def _of_width(rows: Iterator[list[str]], width: int) -> Iterator[list[str]]:
    """The rows, each of one width.

    A blank line is a missing value of a single column; of more, blank lines may end a file.
    """
    for number, row in enumerate(rows, start=1):
        fields = row or [""] if width == 1 else row
        if len(fields) != width:
            rule = f"it must have {width} fields in every row, as in its names"
            hint = f" in row {number} below the names (is it a decimal comma? --decimal ,)"
            require(not row and not any(rows), rule, len(row), csv.Error, hint)
            return
        yield fields


def _tables(rows: Iterator[list[str]], places: dict[str, int]) -> Iterator[pd.DataFrame]:
    """Tables of CHUNK rows, and a last one of fewer, of the columns at these places."""
    for start in count(1, CHUNK):
        cells = [[row[place].strip() for place in places.values()] for row in islice(rows, CHUNK)]
        columns = np.array(cells, object).reshape(len(cells), len(places)).T
        texts = {name: _categorical(column) for name, column in zip(places, columns)}
        yield pd.DataFrame(texts, range(start, start + len(cells)))
        if len(cells) < CHUNK:
            return


def _categorical(texts: np.ndarray) -> pd.Categorical:
    """A column of texts, each distinct text once."""
    return pd.Categorical.from_codes(*pd.factorize(texts), validate=False)
