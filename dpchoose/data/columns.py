"""What a column of text means: numbers, labels, who is released, whose row it is.

An entry that does not fit is refused with its row, counted from 1 below the
names of the file; rows that were filtered out keep their numbers.
"""

from __future__ import annotations

import math
import re
import typing
from typing import Any

import numpy as np

from dpchoose.data.reading import short

if typing.TYPE_CHECKING:
    import pandas as pd

PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))
WHOLE = 2.0**53  # up to here every integer is a float
SMALLEST, LARGEST = 1e-100, 1e100  # between these no square is lost


def complete(table: pd.DataFrame, *, drop_missing: bool = False) -> pd.DataFrame:
    """The rows that miss no value; a ValueError when some do and may not be dropped."""
    for name in table:
        rows = table.index[table[name].isna()]
        if len(rows) and not drop_missing:
            values = f"{len(rows)} missing value{'s' if len(rows) > 1 else ''}"
            raise ValueError(
                f"column {name} must be complete, got {values}, the first in row {rows[0]}: "
                "drop them (--drop-missing) or fill them in"
            )
    return table.dropna()


def numbers(column: pd.Series, *, decimal: str = ".", thousands: str = "") -> np.ndarray:
    """The numbers that a column of text holds; true and false are 1 and 0.

    Args:
        column: of :func:`read_table`, without missing values.
        decimal: the sign in 1.5.
        thousands: the sign in 1,000; none by default.

    Returns:
        (rows,) floats, finite.

    Raises:
        ValueError: with the first row whose entry is no number, or one that a
            float cannot hold.

    >>> import pandas as pd
    >>> numbers(pd.Series(["1.234,5", "7"]), decimal=",", thousands=".").tolist()
    [1234.5, 7.0]
    """
    if (
        decimal not in (".", ",")
        or thousands not in ("", ".", ",", " ", "'")
        or thousands == decimal
    ):
        raise ValueError(
            "decimal must be . or , and thousands another of . , ' and space, "
            f"got {decimal!r} and {thousands!r}"
        )
    words = {text.lower() for text in column.unique()}
    if words and words <= {"true", "false"}:
        return (column.str.lower() == "true").to_numpy(float)
    grouped = rf"|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+" if thousands else ""
    point = re.escape(decimal)
    number = re.compile(
        rf"[+-]?(?:(?:\d+{grouped})(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?", re.ASCII
    )
    found: dict[str, float] = {}
    for row, text in column.items():
        if text not in found:
            plain = text.replace(thousands, "") if thousands else text
            plain = plain.replace(decimal, ".")
            value = float(plain) if number.fullmatch(text) else math.nan
            _check_number(column.name, row, text, plain, value)
            found[text] = value
    return column.map(found).to_numpy(float)


def labels(column: pd.Series) -> np.ndarray:
    """The labels of the rows; a missing one is refused with its row.

    >>> import pandas as pd
    >>> labels(pd.Series(["north", "south"])).tolist()
    ['north', 'south']
    """
    rows = column.index[column.isna()]
    if len(rows):
        raise ValueError(f"column {column.name} must label every row, got none in row {rows[0]}")
    return column.to_numpy(object)


def released(column: pd.Series) -> np.ndarray:
    """Who is released, from a column of 0 and 1, false and true, or no and yes.

    Returns:
        (rows,) booleans of which some are true and some false.

    Raises:
        ValueError: another word, a missing one, or all rows alike.

    >>> import pandas as pd
    >>> released(pd.Series(["yes", "no", "yes"])).tolist()
    [True, False, True]
    """
    labels(column)
    words = column.str.lower()
    pair = next((pair for pair in PAIRS if words.iloc[0] in pair), PAIRS[0])
    other = column[~words.isin(pair)]
    if len(other):
        raise ValueError(
            f"column {column.name} must hold 0 and 1, false and true, or no and yes, "
            f"got {short(other.iloc[0])} in row {other.index[0]}"
        )
    chosen = (words == pair[1]).to_numpy(bool)
    if chosen.all():
        raise ValueError(
            f"column {column.name} must leave a row out, got all {len(chosen)} released: "
            "where all rows are published there is no promise"
        )
    if not chosen.any():
        raise ValueError(f"column {column.name} must release a row, got none of {len(chosen)}")
    return chosen


def one_row_each(column: pd.Series) -> None:
    """Refuse a file in which a person has several rows.

    Raises:
        ValueError: with the number of persons that have more than one, or the
            row without a person.
    """
    labels(column)
    rows = column.value_counts()
    several = int((rows > 1).sum())
    if several:
        raise ValueError(
            f"column {column.name} must name each person once, got {several} "
            f"person{'s' if several > 1 else ''} with several rows (up to {rows.max()}): "
            "make one row of each person first"
        )


def _check_number(name: Any, row: Any, text: str, plain: str, value: float) -> None:
    """Refuse an entry that is no number, or none that a float can hold."""
    if math.isnan(value):
        hint = ": add --decimal , or --thousands , to say what its comma is" if "," in text else ""
        raise ValueError(
            f"column {name} must hold finite numbers, got {short(text)} in row {row}{hint}"
        )
    mantissa = re.split("[eE]", plain)[0]
    zero = value == 0 and not re.search("[1-9]", mantissa)
    if not zero and not SMALLEST <= abs(value) <= LARGEST:
        raise ValueError(
            f"column {name} must hold 0 or numbers from 1e-100 to 1e100 in size, "
            f"got {short(text)} in row {row}"
        )
    whole = abs(value) >= WHOLE and re.fullmatch(r"[+-]?\d+\.?0*", plain)
    if whole and int(value) != int(plain.partition(".")[0]):
        raise ValueError(
            f"column {name} must hold integers that a float can tell apart, "
            f"got {short(text)} in row {row}: count from another origin"
        )
