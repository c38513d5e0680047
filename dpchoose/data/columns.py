"""What a column of text means: numbers, labels, who is released, whose row it is.

An entry that does not fit is refused with its row, counted from 1 below the
names of the file; rows that were filtered out keep their numbers.
"""

from __future__ import annotations

import math
import re
import typing

import numpy as np

from dpchoose.checks import LARGEST, SMALLEST
from dpchoose.data.reading import short

if typing.TYPE_CHECKING:
    import pandas as pd

PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))
WHOLE = 2.0**53  # up to here every integer is a float


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
    import pandas as pd

    if (
        decimal not in (".", ",")
        or thousands not in ("", ".", ",", " ", "'")
        or thousands == decimal
    ):
        raise ValueError(
            "decimal must be . or , and thousands another of . , ' and space, "
            f"got {decimal!r} and {thousands!r}"
        )
    grouped = rf"|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+" if thousands else ""
    point = re.escape(decimal)
    number = re.compile(
        rf"[+-]?(?:(?:\d+{grouped})(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?", re.ASCII
    )
    codes, distinct = pd.factorize(column.to_numpy(object))
    words = [text.lower() for text in distinct] if len(distinct) < 9 else []
    if words and {"true", "false"}.issuperset(words):
        return np.array([float(word == "true") for word in words])[codes]
    plain = [text.replace(thousands, "") if thousands else text for text in distinct]
    plain = [text.replace(decimal, ".") for text in plain] if decimal != "." else plain
    written = list(map(number.fullmatch, distinct))
    values = np.array(
        [float(text) if match else math.nan for text, match in zip(plain, written, strict=True)]
    )
    size = np.abs(values)
    good = (size >= SMALLEST) & (size < WHOLE)
    for place in np.flatnonzero(~good).tolist():
        rule, hint = _refused(distinct[place], plain[place], float(values[place]))
        if rule:
            row = column.index[int(np.argmax(codes == place))]
            raise ValueError(
                f"column {column.name} must hold {rule}, got {short(distinct[place])} "
                f"in row {row}{hint}"
            )
    return values[codes]


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


def _refused(text: str, plain: str, value: float) -> tuple[str, str]:
    """The rule that an entry breaks, and what to do about it; empty for a number.

    Args:
        text: as it stands in the file.
        plain: with a decimal point, and without thousands.
        value: as a float; nan if it is none.
    """
    if math.isnan(value):
        comma = ": add --decimal , or --thousands , to say what its comma is" if "," in text else ""
        return "finite numbers", comma
    zero = value == 0 and not re.search("[1-9]", re.split("[eE]", plain)[0])
    if not zero and not SMALLEST <= abs(value) <= LARGEST:
        return "0 or numbers from 1e-100 to 1e100 in size", ""
    whole = abs(value) >= WHOLE and re.fullmatch(r"[+-]?\d+\.?0*", plain)
    if whole and int(value) != int(plain.partition(".")[0]):
        return "integers that a float can tell apart", ": count from another origin"
    return "", ""
