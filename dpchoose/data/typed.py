"""Parquet and Excel files, through the readers that pandas finds, as a table of text.

Their cells have types of their own. They are written out as a CSV file would
hold them, so that one set of rules says what a column may be.
"""

from __future__ import annotations

import io
import typing
import warnings
import zipfile
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

if typing.TYPE_CHECKING:
    import pandas as pd

PARQUET = b"PAR1"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
ZIP = b"PK\3\4"
WORKBOOKS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")


def kind_of(data: bytes) -> tuple[str, str]:
    """What a file is, and the package that reads it; empty for text and all else.

    >>> kind_of(b"PAR1..."), kind_of(b"days")
    (('Parquet', 'pyarrow'), ('', ''))
    """
    if data[:4] == PARQUET:
        return "Parquet", "pyarrow"
    if data[:4] == OLD_EXCEL:
        return "Excel", "xlrd"
    if data[:4] == ZIP:
        try:
            held = zipfile.ZipFile(io.BytesIO(data)).namelist()
        except zipfile.BadZipFile:
            return "", ""
        readers = dict(zip(WORKBOOKS, ("openpyxl", "pyxlsb", "odfpy"), strict=True))
        for name in WORKBOOKS:
            if name in held:
                return "Excel", readers[name]
    return "", ""


def rows_of(data: bytes, path: Any, decimal: str) -> list[list[str]]:
    """The names and the rows of a Parquet or Excel file; "" where a value is missing.

    Args:
        data: of the file.
        path: of the file, for messages.
        decimal: the sign in 1.5 with which numbers are written.

    Raises:
        ValueError: the reader is not installed, the file is broken, or it has
            several sheets.
    """
    kind, package = kind_of(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about colours and the like
            table = _read(kind, data)
    except ImportError:
        raise ValueError(
            f"{kind} file must have a reader, got {str(path)!r} and none: "
            f"pip install {package}, or save the table as CSV"
        ) from None
    except Exception as error:  # each reader has its own
        reason = " ".join(str(error).split())[:100]
        raise ValueError(f"{kind} file must be well formed, got {str(path)!r}: {reason}") from None
    if isinstance(table, dict):
        if len(table) != 1:
            sheets = ", ".join(map(str, table))
            raise ValueError(f"Excel file must have one sheet, got {len(table)}: {sheets}")
        (table,) = table.values()
        names: list[list[str]] = []  # in its first row
    else:
        names = [[str(name) for name in table.columns]]
    columns = [_texts(table.iloc[:, place], decimal) for place in range(table.shape[1])]
    return names + [list(row) for row in zip(*columns, strict=True)]


def _read(kind: str, data: bytes) -> Any:
    import pandas as pd

    if kind == "Parquet":
        return pd.read_parquet(io.BytesIO(data), dtype_backend="numpy_nullable")
    cells = {"header": None, "dtype": object, "na_filter": False}
    return pd.read_excel(io.BytesIO(data), sheet_name=None, **cells)


def _texts(column: pd.Series, decimal: str) -> list[str]:
    missing = column.isna().tolist()
    return [
        "" if none else _text(cell, decimal)
        for none, cell in zip(missing, column.tolist(), strict=True)
    ]


def _text(cell: Any, decimal: str) -> str:
    """A cell as a CSV file holds it.

    >>> _text(3.0, "."), _text(1.5, ","), _text(True, "."), _text(" a ", ".")
    ('3', '1,5', 'true', 'a')
    """
    if isinstance(cell, (bool, np.bool_)):
        return str(bool(cell)).lower()
    if isinstance(cell, Decimal):
        return str(cell).replace(".", decimal)
    if isinstance(cell, Integral):
        return str(int(cell))
    if isinstance(cell, Real):
        number = float(cell)
        whole = number.is_integer() and abs(number) < 2.0**53
        return str(int(number)) if whole else repr(number).replace(".", decimal)
    return str(cell).strip()
