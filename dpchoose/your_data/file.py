"""A file as a table of texts, whatever its format: the names of its columns, and its rows.

It is read in chunks of 65,536 rows, which are numbered from 1 below the names. Each byte is read
once, and the first row that does not fit is refused.
"""

import csv
import gc
import gzip
import io
import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import chain, islice
from shlex import quote
from typing import IO, Any

import click
import numpy as np

from dpchoose import later as pd
from dpchoose import progress
from dpchoose.checks import choice, short
from dpchoose.your_data.cells import POINT
from dpchoose.your_data.columns import THOUSANDS, Refused

DELIMITERS = (",", ";", "\t", "|")
GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\3\4", b"PAR1"
CHUNK = 2**16  # rows that are held as text at a time
Row = list[str]
# The columns that are wanted, of the names of all, and of the first rows as they are.
Asked = Callable[[list[str], list[Row]], Iterable[str]]
UNREADABLE = (OSError, EOFError, zlib.error, LookupError, UnicodeError)
TITLE = ": is it a title? The names must stand there"
DIVIDED = ": does another --delimiter divide it?"
NO_NAMES = ": is it a row? The names must stand above it"
FIRST_LINE = ": is the first line a row? The names must stand above it"
CALLED = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
TYPED = {",": "','", ";": "';'", "\t": r"$'\t'", "|": "'|'"}  # in a shell
DIGIT = re.compile(r"\s*[-+\N{MINUS SIGN}]?[0-9]")  # begins a number, and a date
MALFORMED = {  # what the csv module says: the rule, what was got, and what to do
    "field larger": ("a field must have 131,072 letters at most", "more", ": is a quote open?"),
    "unexpected end": ("each quote must be closed", "an open one", ""),
    "expected after": (
        "a quote that is closed must end its field",
        "more after one",
        ": a quote within a field is written twice",
    ),
}


class Malformed(Refused):
    """What is no table."""


class Passed(io.RawIOBase):
    """The bytes of a file, each read once, and handed on as it is."""

    def __init__(self, file: IO[bytes], take: Callable[[bytes], object]) -> None:
        self.file, self.take, self.count = file, take, 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        some = self.file.read(len(buffer))
        buffer[: len(some)] = some
        self.take(some)
        self.count += len(some)
        return len(some)


@dataclass(frozen=True)
class File:
    """A file, and how it is written.

    Attributes:
        path: of a CSV file, plain or packed with gzip, or of an Excel or Parquet file, whatever
            its name; "-" is standard input. Its first line names the columns.
        delimiter: between two fields; None takes the one of comma, semicolon, tab and bar
            that stands in the first line.
        decimal: the sign in 1.5, which then is not taken for a delimiter; None is a point, and
            refuses a column in which every number is like 52.000.
        thousands: the sign in 1,000; none by default.
        encoding: of the text.
        sheet: of an Excel file; none is named where one alone is filled.
    """

    path: str
    _: KW_ONLY
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str = ""
    encoding: str = "utf-8-sig"
    sheet: str = ""

    def tables(
        self, asked: Asked, take: Callable[[bytes], object] = len
    ) -> "Iterator[pd.DataFrame]":
        """The table of the columns that are asked of its names, categorical, a chunk at a time.

        Where none is asked it is that of the first. Texts are stripped, and rows are numbered from
        1. With the last of them ``take`` has had all bytes of the file, in order, each once.

        >>> from dpchoose import datasets
        >>> [len(table) for table in File(str(datasets.HEALTH)).tables(lambda *_: [])]
        [5912]
        """
        choice("delimiter", self.delimiter or ",", DELIMITERS)
        got = f"got {self.path!r}"
        try:
            with click.open_file(self.path, "rb") as source:  # "-" is standard input
                pipe = None if source.seekable() else io.BytesIO(source.read())
                whole: IO[bytes] = pipe or source
                size, _ = whole.seek(0, io.SEEK_END), whole.seek(0)
                passed = Passed(whole, take)
                parts = _in_parts(self._rows(passed))
                names = [name.strip().lstrip("\ufeff") for row in next(parts) for name in row]
                head = next(parts)
                places = _positions(names, asked, head)
                chunks = self._of_width(chain([head], parts), len(names))
                with progress.bar(size, "reading") as bar:
                    start = 1
                    for rows in chunks:
                        columns = {name: _column(rows, place) for name, place in places.items()}
                        yield pd.DataFrame(columns, range(start, start + len(rows)))
                        start += len(rows)
                        bar.update(passed.count - bar.n)
        except Malformed as no:
            rule = f"CSV file must be one table, {got}"
            raise Refused(f"{rule}: {no}", f"{rule}: {no.logged}") from None
        except UnicodeError as no:
            rule = f"CSV file must be readable as {self.encoding.removesuffix('-sig')}, {got}"
            hint = ": save the table as CSV, or name its --encoding"
            raise Refused(f"{rule}: {no}{hint}", rule + hint) from None
        except UNREADABLE as no:
            how = f" as {self.encoding}" * isinstance(no, LookupError)
            why = getattr(no, "strerror", None) or no
            raise ValueError(f"CSV file must be readable{how}, {got}: {why}") from None

    def _rows(self, passed: Passed) -> Iterator[Row]:
        """The rows of a file, the first of which has the names."""
        file = io.BufferedReader(passed, CHUNK)
        start = file.peek(4)[:4]
        if start != ZIP and self.sheet:
            raise Malformed(f"it must be an Excel file to have a sheet {self.sheet!r}")
        if start in (ZIP, PARQUET):
            return self._cells(io.BytesIO(file.read()), start)
        unpacked = gzip.GzipFile(fileobj=file) if start[:2] == GZIP else file
        return self._fields(io.TextIOWrapper(unpacked, encoding=self.encoding, newline=""))

    def _fields(self, text: io.TextIOWrapper) -> Iterator[Row]:
        """The fields of each row of a text, divided by the one delimiter of its first line."""
        head = text.read(1 << 20) + text.readline()
        first = re.split("[\r\n]", re.sub('"[^"]*"', "", head), maxsplit=1)[0]
        if re.fullmatch("sep=.?", first.strip(" \ufeff"), re.IGNORECASE):
            got = f"got {short(first)}, a note for Excel: take it out"
            raise Malformed(f"its first line must name the columns, {got}")
        signs = [sign for sign in DELIMITERS if sign != self.decimal]
        present = [sign for sign in signs if sign in first]
        if self.delimiter is None and not present and self.decimal == "," in first:
            way = "add --delimiter ',' if it divides, or --delimiter ';' if it does not"
            raise Malformed(f"the decimal sign stands in its first line: {way}")
        if len(present) > 1 and self.delimiter is None:
            stand = " and ".join(CALLED[sign] for sign in present)
            way = " or ".join(f"--delimiter {TYPED[sign]}" for sign in present)
            raise Malformed(f"{stand} stand in its first line: add {way}")
        sign = self.delimiter or (present or signs)[0]
        lines = chain(io.StringIO(head, newline=""), text)
        return csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)

    def _cells(self, file: IO[bytes], start: bytes) -> Iterator[Row]:
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
        except Malformed:
            raise
        except Exception as error:  # each reader has its own
            rule, way = "it is no single table", ": save the table as CSV"
            raise Malformed(f"{rule} ({' '.join(str(error).split())}){way}", rule + way) from None
        rows += table.astype(object).where(table.notna(), "").to_numpy().tolist()
        return ([_text(cell) for cell in row] for row in rows)

    def _sheet(self, sheets: "dict[str, pd.DataFrame]") -> "pd.DataFrame":
        """The sheet that is named, or the one that is filled."""
        filled = [name for name, table in sheets.items() if table.size]
        if self.sheet and self.sheet not in sheets:
            names = ", ".join(map(repr, sheets))
            raise Malformed(f"its sheet must be one of {names}, got {self.sheet!r}")
        if self.sheet:
            return sheets[self.sheet]
        if len(filled) > 1:
            names = " and ".join(map(repr, filled))
            raise Malformed(f"it must be one sheet, got {names}: add --sheet {quote(filled[0])}")
        return sheets[(filled or [*sheets])[0]]

    def _of_width(self, chunks: Iterable[list[Row]], width: int) -> Iterator[list[Row]]:
        """The rows, each of one width.

        Blank lines may end a file; else each is a missing value of a single column.
        """
        number = blank = 0  # rows so far, and the blank ones that end them
        for rows in chunks:
            if not blank and {*map(len, rows)} <= {width}:
                number += len(rows)
                yield rows
                continue
            kept: list[Row] = []
            for row in rows:
                number += 1
                if not row:
                    blank += 1
                    continue
                if len(row) != width or (blank and width > 1):
                    raise self._of_another_width(row, number, blank * (width > 1), width)
                kept += [[""]] * blank
                kept.append(row)
                blank = 0
            yield kept

    def _of_another_width(self, row: Row, number: int, blank: int, width: int) -> Malformed:
        """The refusal of a row, or of the first of the blank ones above it, and what to do."""
        at, got = (number - blank, 0) if blank else (number, len(row))
        digits = got == 2 and all(field.strip(" +-").isdecimal() for field in row)
        if not got:
            hint = ": take the blank line out"
        elif got == width + 1 and not row[-1].strip():
            hint = ": does a delimiter end each row? End the first line with one too"
        elif width == 1 and digits and self.delimiter is None and self.decimal != ",":
            hint = ": is it a decimal comma? Add --decimal ,"
        elif got > width:
            hint = ": a field with the delimiter in it must stand between quotes"
        else:
            hint = ": add the delimiters that it lacks, or quotes around a field with a line's end"
        rule = f"it must have {width} field{'s' * (width > 1)} in every row, as in its names"
        return Malformed.of(rule, f"{got} in row {at} below the names", hint)


def _in_parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """The first row of a text, and the others in chunks; one that is broken is refused."""
    number, most, left = 0, 1, True
    while left:
        part: list[Row] = []
        broken = None
        collects = gc.isenabled()
        gc.disable()  # half of the time is spent on a search for cycles, and texts have none
        try:
            part.extend(islice(rows, most))  # which keeps the rows before a broken one
        except csv.Error as no:
            broken = no
        finally:
            if collects:
                gc.enable()
        number += len(part)
        if not number and not broken:
            raise Malformed("it must hold names and records, got an empty file")
        if part or not broken:
            yield part
        if broken:
            raise _malformed(broken, number)
        left, most = len(part) == most, CHUNK


def _malformed(error: csv.Error, row: int) -> Malformed:
    """The refusal of what the csv module cannot read."""
    known = (said for piece, said in MALFORMED.items() if piece in str(error))
    rule, got, hint = next(known, ("it must be CSV", str(error), ""))
    where = f"in row {row} below the names" if row else "in its first line"
    return Malformed.of(rule, f"{got} {where}", hint)


def _positions(names: Row, asked: Asked, head: list[Row]) -> dict[str, int]:
    """Where each column that is wanted stands, or the first.

    A first line that looks like no names, with the few rows below it, is refused where nothing
    that is asked for stands in it.
    """
    below = head[:3]
    places = {name: place for place, name in enumerate(names) if name}
    numbers = [name for name in places if re.search("[0-9]", name) and POINT.value(name) != name]
    again = [name for place, name in enumerate(names) if name and name in names[:place]]
    if not places:
        raise Malformed("its first line must name each column once, got no names")
    if again:
        hint = NO_NAMES if numbers else ": rename one of the two"
        rule = "its first line must name each column once"
        raise Malformed.of(rule, f"{again[0]!r} twice", hint)
    columns = [*asked(names, head)]
    are_rows = len(numbers) == len(places)
    may_be_row = any(below) and not _are_above_numbers(names, below)
    if not columns or not {*columns} <= {*places}:
        doubt = TITLE if _is_title(names, below) else NO_NAMES * bool(numbers and columns)
        if len(names) == 1 and any(sign in names[0] for sign in DELIMITERS):
            doubt = DIVIDED
        if doubt or are_rows:
            rule = "its first line must name the columns"
            raise Malformed.of(rule, short(names), doubt or NO_NAMES)
    elif are_rows:
        warnings.warn("all names in its first line are numbers: is it a row?", stacklevel=5)
    if may_be_row and not columns:
        names_are = f"the first line is taken for the names of columns, {short(names)}"
        warnings.warn(names_are + NO_NAMES, stacklevel=5)
    for name in columns:
        try:
            choice("column", name, places)
        except ValueError as no:
            if not may_be_row:
                raise
            of_log = f"column must be one of the names, got {name!r}{FIRST_LINE}"
            raise Refused(f"{no}{FIRST_LINE}", of_log) from None
    return {name: places[name] for name in columns or [*places][:1]}


def _are_above_numbers(names: Row, below: list[Row]) -> bool:
    """Whether a name stands above numbers, or dates, which sets the first line apart from a row."""
    for name, *cells in zip(names, *filter(None, below)):
        filled = [cell for cell in cells if cell.strip()]
        if filled and not DIGIT.match(name) and all(map(DIGIT.match, filled)):
            return True
    return False


def _is_title(names: Row, below: list[Row]) -> bool:
    """Whether a first line may be a title, above the names or above a blank line and the names."""
    under = [field.strip() for field in next(filter(any, below), [])]
    if not under or any(not text or POINT.value(text) != text for text in under):
        return False
    alone = not any(names[1:]) and (len(under) > 1 or any(map(under[0].count, DELIMITERS)))
    return alone or not any(below[0]) or 1 < len(names) < len(under)


def _column(rows: list[Row], place: int) -> "pd.Categorical":
    """The texts of a column, stripped, each distinct one once."""
    codes, texts = pd.factorize(np.array([row[place] for row in rows], object))
    stripped, distinct = pd.factorize(np.array([text.strip() for text in texts], object))
    return pd.Categorical.from_codes(stripped[codes], distinct, validate=False)


def _text(cell: Any) -> str:
    """The text of a cell of a sheet; the point of a number is no thousand sign: 1.125 is 1.1250."""
    text = str(cell)
    return f"{text}0" if isinstance(cell, float) and THOUSANDS.fullmatch(text) else text
