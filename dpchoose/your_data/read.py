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
from shlex import quote
from typing import Any, BinaryIO, NamedTuple

import click
import numpy as np

from dpchoose import later as pd
from dpchoose import progress
from dpchoose.checks import choice, require, short
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data import where as conditions
from dpchoose.your_data.cells import POINT, Cells, Value
from dpchoose.your_data.columns import THOUSANDS, Points, floats, refuse_first, released, says
from dpchoose.your_data.groups import labels_of
from dpchoose.your_data.persons import like_persons
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
KEEP = ", or use the first ones alone (--keep-rows, where everybody is in the file)"
Look = Callable[[list[str], list[list[str]]], None]  # at the names and the first rows
UNREADABLE = (csv.Error, OSError, EOFError, zlib.error, LookupError, UnicodeError)
TITLE = ": is it a title? The names must stand there"
NO_NAMES = ": is it a row? The names must stand above it"
CALLED = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
TYPED = {",": "','", ";": "';'", "\t": r"$'\t'", "|": "'|'"}  # in a shell
MALFORMED = {  # what the csv module says, and how it goes on
    "field larger": "a field must have 131,072 letters at most, got more{} (is a quote open?)",
    "unexpected end": "each quote must be closed, got an open one{}",
    "expected after": "a quote that is closed must end its field, got more after one{}",
}


class Rows(NamedTuple):
    """The N records that were read; rows without the condition, and without a value, apart."""

    values: pd.DataFrame  # a column of floats for each that was asked for, and each condition
    shares: dict[str, Condition]  # what each share that was asked for means in this file
    labels: np.ndarray | None  # the group of each record, (N,)
    released: np.ndarray | None  # whether each record is released, (N,)
    filtered: int  # rows of the file that do not meet the condition
    dropped: int  # rows that miss a value
    beyond: int  # rows that could be answered, and are not among the first of their persons
    persons: tuple[str, ...]  # columns beside those asked that may name the person of each record
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
        keep_rows: use so many rows of each person, the first in the file that can be answered.
        where: the condition that rows meet, or ""; all else is counted after it.
        drop_missing: leave out rows that miss a value in a column named here.
        delimiter: between two fields; None takes the one of comma, semicolon, tab and bar
            that stands in the first line.
        decimal: the sign in 1.5, which then is not taken for a delimiter; None is a point, and
            refuses a column in which every number is like 52.000.
        thousands: the sign in 1,000; none by default.
        encoding: of the text.
        missing: cells that mean a missing value, besides NA and its like; one that occurs nowhere
            is warned of, and no condition of a share names one.
        sheet: of an Excel file; none is named where one alone is filled.
    """

    path: str
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
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str = ""
    encoding: str = "utf-8-sig"
    missing: tuple[str, ...] = ()
    sheet: str = ""

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
        choice("delimiter", self.delimiter or ",", DELIMITERS)
        cells, shares, points = self.cells, {}, Points()
        missing, unseen = {*map(cells.value, (*MISSING, *self.missing))}, {*self.missing}
        comparisons = conditions.parse(self.where) if self.where else []
        compared = [column for column, _, _ in comparisons]
        ordered = [column for column, _, values in comparisons if not isinstance(values[0], str)]
        named = [name for name in (*self.by, self.released, self.person) if name is not None]
        needed: list[str] = []
        persons: list[str] = []

        def look(names: list[str], head: list[list[str]]) -> None:
            others = [name for name in names if name not in {*needed, *compared}]
            persons.extend(name for name in like_persons(names, head) if name in others)

        def asked(names: list[str]) -> list[str]:
            shares.update({text: parse_condition(text, names, cells) for text in self.shares})
            for one in shares.values():
                is_code = one.sign == "=" and one.value in missing
                require(not is_code, "share must not be of a missing value", str(one))
            needed.extend([*self.columns, *(one.column for one in shares.values()), *named])
            if self.keep_rows:  # nobody's row is left out for want of a name: it is refused
                needed[:] = [name for name in needed if name != self.person]
            return [*needed, *named, *compared]

        numbers, met, texts = [], [], []
        rows = filtered = 0
        digest = hashlib.sha256()
        for table in self.chunks(asked, digest, None if self.person else look):
            known = self._complete(table, compared, missing, cells)
            chosen = known[conditions.matches(known, comparisons, cells)]
            kept = self._complete(chosen, needed, missing, cells)
            if self.keep_rows:
                names, way = kept[self.person], ": fill it in, or take the row out of the file"
                refuse_first(names, names.isin(MISSING).to_numpy(), "a person in every row", way)
            numeric = dict.fromkeys([*self.columns, *numeric_columns([*shares.values()])])
            values = {name: floats(kept[name], cells) for name in numeric}
            if self.decimal is None and not self.thousands:
                points.take([*(known[name] for name in ordered), *(kept[name] for name in numeric)])
            numbers.append({name: values[name] for name in self.columns})
            met.append({one: _met(one, kept, values, cells) for one in shares.values()})
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
        require(records > 1, "CSV file must hold at least 2 records to read", records)
        if self.person is not None:
            several = columns.groupby(self.person)[self.person].transform("size") > self.rows
            rule = f"each person in {self.rows} row{'s' * (self.rows > 1)} at most"
            cure = ": add up each person's rows in the file"
            cure += f", and give each person one {' and one '.join(self.by)}" * bool(self.by)
            refuse_first(columns[self.person], several, rule, cure + KEEP)
        values = {
            name: np.concatenate([chunk[name] for chunk in chunks])[used]
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
            dropped=dropped,
            beyond=len(used) - records,
            persons=tuple(persons),
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
        self,
        asked: Callable[[list[str]], Iterable[str]],
        digest: Any = None,
        look: Look | None = None,
    ) -> Iterator[pd.DataFrame]:
        """The table of the columns that are asked of its names, categorical, CHUNK rows at a time.

        Where none is asked it is that of the first. Texts are stripped, and rows are numbered from
        1. With the last of them the digest is that of all bytes of the file, each read once.
        Before the first one ``look`` is called with the names and its rows, with all their fields.

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
                if start != ZIP and self.sheet:
                    raise csv.Error(f"it must be an Excel file to have a sheet {self.sheet!r}")
                if start in (ZIP, PARQUET):
                    rows = self._cells(io.BytesIO(file.read()), start)
                else:
                    unpacked = gzip.GzipFile(fileobj=file) if start[:2] == GZIP else file
                    # A name of its own: the file is closed where nobody holds its text.
                    text = io.TextIOWrapper(unpacked, encoding=self.encoding, newline="")
                    rows = self._fields(text)
                rows = _well_formed(rows)
                first = next(rows, None)
                if first is None:
                    raise csv.Error("it must hold names and records, got an empty file")
                names = [name.strip().lstrip("\ufeff") for name in first]
                below = list(islice(rows, 3))
                places = _positions(names, asked, below)
                with progress.bar(size, "reading") as bar:
                    fields = self._of_width(chain(below, rows), len(names))
                    if look is not None:
                        fields = _seen(fields, names, look)
                    for table in _tables(fields, places):
                        yield table
                        bar.update(hashed.count - bar.n)
                while file.read(CHUNK):  # what stands behind the last row
                    pass
        except UNREADABLE as no:
            how = f" as {self.encoding.removesuffix('-sig')}"
            of_text = isinstance(no, (LookupError, UnicodeError))
            rule = "one table" if isinstance(no, csv.Error) else f"readable{how * of_text}"
            why = f"{self.path!r}: {getattr(no, 'strerror', None) or no}"
            hint = ": save the table as CSV, or name its --encoding" * isinstance(no, UnicodeError)
            raise ValueError(f"CSV file must be {rule}, got {why}{hint}") from None

    def _fields(self, text: io.TextIOWrapper) -> Iterator[list[str]]:
        """The fields of each row of a text, divided by the one delimiter of its first line."""
        head = text.read(1 << 20) + text.readline()
        first = re.split("[\r\n]", re.sub('"[^"]*"', "", head), maxsplit=1)[0]
        if re.fullmatch("sep=.?", first.strip(" \ufeff"), re.IGNORECASE):
            got = f"got {short(first)}, a note for Excel: take it out"
            raise csv.Error(f"its first line must name the columns, {got}")
        signs = [sign for sign in DELIMITERS if sign != self.decimal]
        present = [sign for sign in signs if sign in first]
        if self.delimiter is None and not present and self.decimal == "," in first:
            way = "add --delimiter ',' if it divides, or --delimiter ';' if it does not"
            raise csv.Error(f"the decimal sign stands in its first line: {way}")
        if len(present) > 1 and self.delimiter is None:
            stand = " and ".join(CALLED[sign] for sign in present)
            way = " or ".join(f"--delimiter {TYPED[sign]}" for sign in present)
            raise csv.Error(f"{stand} stand in its first line: add {way}")
        sign = self.delimiter or (present or signs)[0]
        lines = chain(io.StringIO(head, newline=""), text)
        return csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)

    def _of_width(self, rows: Iterator[list[str]], width: int) -> Iterator[list[str]]:
        """The rows, each of one width.

        Blank lines may end a file; else each is a missing value of a single column.
        """
        blank = 0
        for number, row in enumerate(rows, start=1):
            if not row:
                blank += 1
                continue
            if blank and width == 1:
                yield from [[""]] * blank
            if len(row) != width or (blank and width > 1):
                at, got = (number - blank, 0) if blank and width > 1 else (number, len(row))
                rule = f"it must have {width} field{'s' * (width > 1)} in every row"
                where = f"in row {at} below the names{self._width_hint(row, got, width)}"
                raise csv.Error(f"{rule}, as in its names, got {got} {where}")
            blank = 0
            yield row

    def _width_hint(self, row: list[str], got: int, width: int) -> str:
        """What to do about a row of another width."""
        if not got:
            return ": take the blank line out"
        if got == width + 1 and not row[-1].strip():
            return ": does a delimiter end each row? End the first line with one too"
        digits = got == 2 and all(field.strip(" +-").isdecimal() for field in row)
        if width == 1 and digits and self.delimiter is None and self.decimal != ",":
            return ": is it a decimal comma? Add --decimal ,"
        return ": a field with the delimiter in it must stand between quotes" * (got > width)

    def _cells(self, file: BinaryIO, start: bytes) -> Iterator[list[str]]:
        """The names and the rows of an Excel or Parquet file; "" where a value is missing."""
        try:
            if start == PARQUET:
                table = pd.read_parquet(file, "pyarrow", dtype_backend="numpy_nullable")
                rows = [table.columns.tolist()]
            else:
                sheets = pd.read_excel(file, None, header=None, dtype=object, na_filter=False)
                table, rows = self._sheet(sheets), []
        except ImportError as no:  # of which pandas gives no name
            name = "pyarrow" if start == PARQUET else "openpyxl"
            raise ImportError(f"{name} must be there", name=name) from no
        except csv.Error:
            raise
        except Exception as error:  # each reader has its own
            why = " ".join(str(error).split())
            raise csv.Error(f"it is no single table ({why}): save the table as CSV") from None
        rows += table.astype(object).where(table.notna(), "").to_numpy().tolist()
        return ([_text(cell) for cell in row] for row in rows)

    def _sheet(self, sheets: dict[str, pd.DataFrame]) -> pd.DataFrame:
        """The sheet that is named, or the one that is filled."""
        filled = [name for name, table in sheets.items() if table.size]
        if self.sheet and self.sheet not in sheets:
            names = ", ".join(map(repr, sheets))
            raise csv.Error(f"its sheet must be one of {names}, got {self.sheet!r}")
        if self.sheet:
            return sheets[self.sheet]
        if len(filled) > 1:
            names = " and ".join(map(repr, filled))
            raise csv.Error(f"it must be one sheet, got {names}: add --sheet {quote(filled[0])}")
        return sheets[(filled or [*sheets])[0]]


def _met(
    condition: Condition, table: pd.DataFrame, numbers: dict[str, np.ndarray], cells: Cells
) -> np.ndarray:
    """Whether a condition holds of each row of a chunk, 1 or 0."""
    if condition.sign == "=":
        return says(table[condition.column], {condition.value}, cells).astype(float)
    return SIGNS[condition.sign](numbers[condition.column], condition.value).astype(float)


def _well_formed(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """The rows of a text, the first of which has the names; one that is broken is refused."""
    number = 0
    try:
        for row in rows:
            yield row
            number += 1
    except csv.Error as no:
        known = (text for piece, text in MALFORMED.items() if piece in str(no))
        where = f" in row {number} below the names" if number else " in its first line"
        raise csv.Error(next(known, f"{no}{{}}").format(where)) from None


def _positions(
    names: list[str], asked: Callable[[list[str]], Iterable[str]], below: list[list[str]]
) -> dict[str, int]:
    """Where each column that is wanted stands, or the first.

    A first line that looks like no names, with the few rows ``below`` it, is refused where nothing
    that is asked for stands in it.
    """
    places = {name: place for place, name in enumerate(names) if name}
    numbers = [name for name in places if re.search("[0-9]", name) and POINT.value(name) != name]
    again = [name for place, name in enumerate(names) if name and name in names[:place]]
    if again or not places:
        got = f"{again[0]!r} twice" if again else "no names"
        hint = NO_NAMES * bool(numbers)
        raise csv.Error(f"its first line must name each column once, got {got}{hint}")
    columns = [*asked([*places])]
    are_rows = len(numbers) == len(places)
    if not columns or not {*columns} <= {*places}:
        doubt = TITLE if _is_title(names, below) else NO_NAMES * bool(numbers and columns)
        if doubt or are_rows:
            got = f"got {short(names)}{doubt or NO_NAMES}"
            raise csv.Error(f"its first line must name the columns, {got}")
    elif are_rows:
        warnings.warn("all names in its first line are numbers: is it a row?", stacklevel=5)
    return {choice("column", name, places): places[name] for name in columns or [*places][:1]}


def _is_title(names: list[str], below: list[list[str]]) -> bool:
    """Whether a first line may be a title, above the names or above a blank line and the names."""
    under = [field.strip() for field in next(filter(any, below), [])]
    if not under or any(not text or POINT.value(text) != text for text in under):
        return False
    alone = not any(names[1:]) and (len(under) > 1 or any(map(under[0].count, DELIMITERS)))
    return alone or not any(below[0]) or 1 < len(names) < len(under)


def _seen(rows: Iterator[list[str]], names: list[str], look: Look) -> Iterator[list[str]]:
    """The rows, when ``look`` has seen the names and the rows of the first chunk."""
    head = [*islice(rows, CHUNK)]
    look(names, head)
    return chain(head, rows)


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


def _text(cell: Any) -> str:
    """The text of a cell of a sheet; the point of a number is no thousand sign: 1.125 is 1.1250."""
    text = str(cell)
    return f"{text}0" if isinstance(cell, float) and THOUSANDS.fullmatch(text) else text
