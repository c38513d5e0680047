"""A file of records, read as it stands: nothing is guessed, nothing is dropped in silence.

All is read as text, Excel and Parquet too, rows numbered from 1 below the names of the columns.
Then each column gets its meaning, and what does not fit is refused with its row."""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpchoose.checks import LARGEST, SMALLEST, choice, short
from dpchoose.data import where as conditions
from dpchoose.data.later import pd
from dpchoose.data.queries import among, holds
from dpchoose.progress import shown

DELIMITERS = (",", ";", "\t", "|")
MISSING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))
GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\3\4", b"PAR1"
READERS = {ZIP: "openpyxl (odfpy for .ods)", PARQUET: "pyarrow"}
UNPACKED = 2 * 10**9  # bytes that a compressed file may hold
UNREADABLE = (csv.Error, OSError, EOFError, zlib.error, LookupError, UnicodeError)
WHOLE = 2**53 - 1  # up to here no other integer has the same float


class Rows(NamedTuple):
    """The N records that were read; rows without the condition, and without a value, apart."""

    values: pd.DataFrame  # a column of floats for each that was asked for
    labels: np.ndarray | None  # the group of each record, (N,)
    released: np.ndarray | None  # whether each record is released, (N,)
    filtered: int  # rows of the file that do not meet the condition
    dropped: int  # rows that miss a value


@dataclass(frozen=True)
class Source:
    """A file, and what is read of it.

    Attributes:
        path: of a CSV file, plain or packed with gzip, or of an Excel or Parquet file, whatever
            its name; "-" is standard input. Its first line names the columns.
        columns: of numbers; none if records are only counted.
        shares: "COLUMN=VALUE", each a column of 1 where that is so and 0 elsewhere.
        by: the column of the groups.
        released: the column that says who is released: 0/1, false/true or no/yes.
        person: the column that names the person of each record.
        where: the condition that rows meet, or ""; all else is counted after it.
        drop_missing: leave out rows that miss a value in a column named here.
        delimiter: between two fields; None takes the one of comma, semicolon, tab and bar
            that stands in the first line.
        decimal: the sign in 1.5, which then is not taken for a delimiter.
        thousands: the sign in 1,000; none by default.
        encoding: of the text.
        missing: words that mean a missing value, besides NA and its like.
    """

    path: str
    columns: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
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
        """Read the file once, or raise a ValueError.

        No such file, not a table of text, more than 2 GB when unpacked, a column named twice or
        not at all, a row of another width, an entry that does not fit, a missing value not to be
        dropped, a person with several rows, or fewer than 2 records.

        >>> from dpchoose.data import datasets
        >>> rows = Source(str(datasets.health()), ("visits",), where="visits > 0").read()
        >>> len(rows.values), rows.filtered
        (4146, 1766)
        """
        choice("delimiter", self.delimiter or ",", DELIMITERS)
        choice("decimal", self.decimal, (".", ","))
        choice("thousands", self.thousands, ("", *".,' ".replace(self.decimal, "")))
        comparisons = conditions.parse(self.where) if self.where else []
        compared = [column for column, _, _ in comparisons]
        named = [name for name in (self.by, self.released, self.person) if name is not None]
        of = {share: share.partition("=")[0] for share in self.shares}
        table = self.table([*self.columns, *of.values(), *named, *compared])
        known = self._complete(table, compared)
        chosen = known[conditions.matches(known, comparisons, self.numbers)]
        kept = self._complete(chosen, [*self.columns, *of.values(), *named])
        if len(kept) < 2:
            raise ValueError(f"CSV file must hold at least 2 records to read, got {len(kept)}")
        if self.person is not None:
            _refuse_repeats(kept[self.person])
        values = {name: self.numbers(kept[name]) for name in self.columns}
        values |= {name: holds(kept[one], name.partition("=")[2]) for name, one in of.items()}
        labels = None if self.by is None else kept[self.by].to_numpy(object)
        released = None if self.released is None else _released(kept[self.released])
        out = len(known) - len(chosen), len(table) - len(known) + len(chosen) - len(kept)
        return Rows(pd.DataFrame(values, range(len(kept))), labels, released, *out)

    def table(self, columns: Iterable[str] = ()) -> pd.DataFrame:
        """Columns of the file, or its first, as text, nan where missing, rows numbered from 1.

        >>> from dpchoose.data import datasets
        >>> Source(str(datasets.health())).table(["visits", "chronic_diseases"]).loc[1].tolist()
        ['0', '13.73189']
        """
        try:
            data = _bytes(self.path)
            rows = self._cells(data) if data[:4] in READERS else self._text(data)
            names = [name.strip().lstrip("\ufeff") for name in next(rows, [])]
            wanted = _positions(names, columns)
            even = shown(_even(rows, len(names)), max(map(data.count, b"\n\r")), "reading")
            kept = [[sys.intern(row[place].strip()) for place in wanted.values()] for row in even]
        except UNREADABLE as no:
            kind = self.encoding.removesuffix("-sig")
            why = f"{self.path!r}: {getattr(no, 'strerror', None) or no}"
            hint = ": save the table as CSV, or name its --encoding" * isinstance(no, UnicodeError)
            raise ValueError(f"CSV file must be readable as {kind}, got {why}{hint}") from None
        table = pd.DataFrame(kept, range(1, len(kept) + 1), list(wanted), dtype=object)
        return table.mask(table.isin(MISSING.union(self.missing)))

    def numbers(self, column: pd.Series) -> np.ndarray:
        """The finite numbers, (rows,), of a column of text that misses no value; true is 1.

        A ValueError names the first row whose entry is no number, or one no float can hold.

        >>> import pandas as pd
        >>> Source("", decimal=",", thousands=".").numbers(pd.Series(["1.234,5", "7"])).tolist()
        [1234.5, 7.0]
        """
        once = column.drop_duplicates()
        words = once.str.lower()
        if words.isin(["true", "false"]).all():
            return column.map(dict(zip(once, words == "true"))).to_numpy(float)
        sign, point = re.escape(self.thousands), re.escape(self.decimal)
        grouped = rf"|[0-9]{{1,3}}(?:{sign}[0-9]{{3}})+" if sign else ""
        number = rf"(?:(?:[0-9]+{grouped})(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?"
        other = once[~once.str.fullmatch(f"[+-]?{number}")]
        if len(other):
            hint = ": add --decimal , or --thousands ,"
            raise _misfit(other, "finite numbers", hint * ("," in other.iloc[0]))
        plain = once.str.replace(self.thousands, "").str.replace(self.decimal, ".")
        values = plain.astype(float)
        for row, text in plain[~values.abs().between(SMALLEST, WHOLE)].items():
            if not SMALLEST <= abs(values[row]) <= LARGEST and re.match("[^eE]*[1-9]", text):
                raise _misfit(once[[row]], "0 or numbers from 1e-100 to 1e100 in size")
            if re.fullmatch(r"[+-]?\d+\.?0*", text) and Decimal(text) != Decimal(values[row]):
                raise _misfit(once[[row]], "integers that a float can tell apart")
        return column.map(dict(zip(once, values))).to_numpy(float)

    def _complete(self, table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
        """The rows that miss nothing in these columns."""
        for name in names:
            rows = table[name][table[name].isna()]
            if len(rows) and not self.drop_missing:
                hint = f", the first of {len(rows)}: drop them (--drop-missing) or fill them in"
                raise _misfit(rows, "a value in every row", hint)
        return table.dropna(subset=names)

    def _text(self, data: bytes) -> Iterator[list[str]]:
        """The fields of each row of a text, divided by the one delimiter of its first line."""
        text = io.TextIOWrapper(io.BytesIO(data), encoding=self.encoding, newline="")
        first = re.split("[\r\n]", re.sub('"[^"]*"', "", text.read(1 << 20)), maxsplit=1)[0]
        signs = [one for one in DELIMITERS if one != self.decimal]
        found = [one for one in signs if one in first]
        if len(found) > 1 and self.delimiter is None:
            raise csv.Error(f"{' and '.join(found)} stand in its first line: add --delimiter")
        text.seek(0)
        sign = self.delimiter or (found or signs)[0]
        return csv.reader(text, delimiter=sign, skipinitialspace=True, strict=True)

    def _cells(self, data: bytes) -> Iterator[list[str]]:
        """The names and the rows of an Excel or Parquet file; "" where a value is missing."""
        try:
            if data[:4] == PARQUET:
                table = pd.read_parquet(io.BytesIO(data), dtype_backend="numpy_nullable")
                rows = [table.columns.tolist()]
            else:
                parts = zipfile.ZipFile(io.BytesIO(data)).filelist
                _refuse_large(sum(one.file_size for one in parts))
                how = {"header": None, "dtype": object, "na_filter": False}
                (table,), rows = pd.read_excel(io.BytesIO(data), None, **how).values(), []
        except Exception as error:  # each reader has its own
            install = isinstance(error, ImportError) and f"pip install {READERS[data[:4]]}"
            why = install or f"it is not one table, {short(str(error))}"
            raise csv.Error(f"{why}, or save the table as CSV") from None
        rows += table.astype(object).where(table.notna(), "").to_numpy().tolist()
        return ([self._cell(cell) for cell in row] for row in rows)

    def _cell(self, cell: object) -> str:
        """A cell as a CSV file holds it."""
        number = isinstance(cell, (float, np.floating, Decimal))
        return str(cell).removesuffix(".0").replace(".", self.decimal) if number else str(cell)


def _misfit(entries: pd.Series, rule: str, hint: str = "") -> ValueError:
    """A rule of a column, and the first of the entries that break it."""
    entry = f"{short(entries.iloc[0])} in row {entries.index[0]}"
    return ValueError(f"column {entries.name} must hold {rule}, got {entry}{hint}")


def _released(column: pd.Series) -> np.ndarray:
    """Who is released: some are, and some are not."""
    words = column.str.lower()
    pair = next((pair for pair in PAIRS if words.iloc[0] in pair), PAIRS[0])
    odd = column[~words.isin(pair)]
    if len(odd) or words.nunique() < 2:
        raise _misfit(odd if len(odd) else column, "both 0 and 1, false and true, or no and yes")
    return (words == pair[1]).to_numpy(bool)


def _refuse_repeats(column: pd.Series) -> None:
    """Refuse a file in which a person has several rows."""
    rows = column.value_counts()
    if rows.max() > 1:
        got = f"{(rows > 1).sum()} with several rows (up to {rows.max()})"
        hint = f"add up first, table.groupby({column.name!r}).sum(min_count=1)"
        raise ValueError(f"column {column.name} must name each person once, got {got}: {hint}")


def _bytes(path: str) -> bytes:
    """What stands in the file, unpacked."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    if data[:2] == GZIP:
        data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(UNPACKED + 1)
        _refuse_large(len(data))
    return data


def _refuse_large(size: int) -> None:
    """Refuse what holds too much when it is unpacked: that many bytes."""
    if size > UNPACKED:
        raise csv.Error(f"it unpacks to more than {UNPACKED:,} bytes")


def _positions(names: list[str], columns: Iterable[str]) -> dict[str, int]:
    """Where each column that is wanted stands, or the first."""
    known = [name for name in names if name]
    if not known or len({*known}) < len(known):
        raise csv.Error(f"its first line must name each column once, got {short(names)}")
    for name in columns:
        if name not in known:
            raise ValueError(f"column must be {among(name, known)}")
    return {name: names.index(name) for name in columns or known[:1]}


def _even(rows: Iterator[list[str]], width: int) -> Iterator[list[str]]:
    """The rows, of one width; a blank line is a missing value of a single column."""
    for number, row in enumerate(rows, start=1):
        fields = row or [""] * (width == 1)
        if len(fields) != width and (fields or any(rows)):  # blank lines may end a file
            got = f"{len(row)} in row {number} (is it a decimal comma? --decimal ,)"
            raise csv.Error(f"it must have {width} fields in every row, as in its names, got {got}")
        if fields:
            yield fields
