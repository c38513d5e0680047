"""Reading a CSV file as it is: nothing is guessed, nothing is dropped in silence.

A table is read as text, with its rows numbered from 1 below the names. What a
column means (a number, a label, who is released) stands in :mod:`dpchoose.data.columns`.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import sys
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dpchoose.data import typed

if TYPE_CHECKING:
    import pandas as pd

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
MISSING = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
LOOK = 100  # rows that decide between two delimiters
BLOCK = 1 << 14  # rows that are taken apart at once


def read_table(
    path: Any,
    *,
    columns: Iterable[str] | None = None,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8-sig",
    missing: Iterable[str] = (),
) -> pd.DataFrame:
    """The columns of a CSV file as text; of a Parquet or Excel file likewise.

    Args:
        path: of the file, plain or packed with gzip; "-" is standard input.
            Its first line holds the names of the columns. What it is stands in
            it and not in its name; Parquet and Excel need their readers.
        columns: those wanted; None for all that have a name.
        delimiter: between two fields; None finds out which of comma,
            semicolon, tab and bar divides every row as it divides the names.
        decimal: the sign in 1.5, which then is not taken for a delimiter.
        encoding: of the text.
        missing: words that mean a missing value, besides NA and its like.

    Returns:
        a DataFrame of text with None where a value is missing; the index
        counts the rows from 1 below the names.

    Raises:
        ValueError: no such file, not a CSV text, a name that stands twice or
            not at all, a row of another width, or no rows.

    >>> from dpchoose.data import datasets
    >>> read_table(datasets.health()).loc[1].to_dict()
    {'visits': '0', 'chronic_diseases': '13.73189'}
    """
    import pandas as pd

    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    except (LookupError, ValueError):
        raise ValueError(f"encoding must be known, got {encoding!r}") from None
    if delimiter is not None and delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be a comma, semicolon, tab or bar, got {delimiter!r}")
    data = _bytes(path)
    try:
        if typed.kind_of(data)[0]:
            delimiter, rows = ",", iter(typed.rows_of(data, path, decimal))
        else:
            _refuse_other_than_text(data, path, encoding)
            delimiter = delimiter or _delimiter(data, encoding, decimal)
            rows = _rows(data, encoding, delimiter)
        names = [name.strip() for name in next(rows, [])]
        wanted = _positions(names, columns)
        absent = MISSING | set(missing)
        texts: dict[str, str] = {}  # each distinct entry once
        kept: list[list[str | None]] = [[] for _ in wanted]
        for block in _blocks(_even(rows, names, delimiter)):
            fields = list(zip(*block, strict=True))
            for cells, position in zip(kept, wanted.values(), strict=True):
                found = list(map(str.strip, fields[position]))
                found = list(map(texts.setdefault, found, found))
                if not absent.isdisjoint(found):
                    found = [None if text in absent else text for text in found]
                cells += found
    except UnicodeError:
        raise ValueError(
            f"CSV file must be text in {encoding.removesuffix('-sig')}, got other bytes: "
            "name its encoding, for example --encoding cp1252"
        ) from None
    except csv.Error as error:
        raise ValueError(f"CSV file must be well formed, got {str(path)!r}: {error}") from None
    if not kept[0]:
        raise ValueError(f"CSV file must hold records, got only column names in {str(path)!r}")
    index = pd.RangeIndex(1, len(kept[0]) + 1)
    return pd.DataFrame(dict(zip(wanted, kept, strict=True)), index=index, dtype=object)


def short(text: str) -> str:
    """An entry as a message shows it: quoted, in one line, at most 60 signs long."""
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _bytes(path: Any) -> bytes:
    """What stands in the file, unpacked."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise ValueError(
            f"CSV file must be readable, got {str(path)!r}: {error.strerror}"
        ) from None
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise ValueError(f"CSV file must unpack with gzip, got {str(path)!r}") from None
    return data


def _refuse_other_than_text(data: bytes, path: Any, encoding: str) -> None:
    wide = encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32"))
    if not wide and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError(f"CSV file must be text, got {str(path)!r}: add --encoding utf-16")
    if data[:4] == typed.ZIP or (not wide and b"\0" in data):
        raise ValueError(f"CSV file must be text, got {str(path)!r}: save the table as CSV")
    if not data.strip():
        raise ValueError(f"CSV file must not be empty, got {str(path)!r}")


def _rows(data: bytes, encoding: str, delimiter: str) -> Iterator[list[str]]:
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")
    return csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)


def _delimiter(data: bytes, encoding: str, decimal: str) -> str:
    """The one that divides the first rows as it divides the names."""
    most, widths = 1, {}
    for sign in DELIMITERS:
        rows = _rows(data, encoding, sign)
        try:
            look = [len(row) for row, _ in zip(rows, range(LOOK), strict=False)]
        except csv.Error:
            continue
        if sign != decimal and look[0] > 1:
            widths[sign] = look
            most = max(most, look[0])
    even = [sign for sign, look in widths.items() if set(look) <= {look[0], 0}]
    if len(even) > 1:
        names = " and ".join(DELIMITERS[sign] for sign in even)
        raise ValueError(
            f"CSV file must be divided by one sign, got rows that {names} divide alike: "
            f"add --delimiter '{even[0]}' or another"
        )
    if even:
        return even[0]
    likely = [sign for sign, look in widths.items() if look[0] == most]
    return likely[0] if likely else "," if decimal != "," else ";"


def _positions(names: list[str], columns: Iterable[str] | None) -> dict[str, int]:
    """Where each column that is wanted stands."""
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"CSV file must name each column once, got {twice!r} twice")
    known = {name: position for position, name in enumerate(names) if name}
    if not known:
        raise ValueError("CSV file must begin with the names of its columns, got a line without")
    for name in columns or ():
        if name not in known:
            raise ValueError(f"column must be one of {', '.join(known)}, got {name!r}")
    return known if columns is None else {name: known[name] for name in dict.fromkeys(columns)}


def _even(rows: Iterator[list[str]], names: list[str], delimiter: str) -> Iterator[list[str]]:
    """The rows, each as wide as the names; a blank line is a missing value of one column."""
    width, blank = len(names), 0
    for number, row in enumerate(rows, start=1):
        if len(row) == width and not blank:
            yield row
        elif not row and width == 1:
            yield [""]
        elif not row:  # at the end of a file it says nothing
            blank = blank or number
        elif blank:
            raise ValueError(f"CSV file must hold a record in every row, got none in row {blank}")
        else:
            shown = short(delimiter.join(row))
            more = delimiter == "," and len(row) > len(names)
            hint = ": if that is a decimal comma, add --decimal ," if more else ""
            raise ValueError(
                f"CSV file must have {width} field{'s' if width > 1 else ''} in every row, as in "
                f"its names, got {len(row)} in row {number}, {shown}{hint}"
            )


def _blocks(rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    while block := list(itertools.islice(rows, BLOCK)):
        yield block
