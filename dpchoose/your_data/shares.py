r"""Shares of one column are one histogram: a changed record leaves one class for another.

The conditions on a column, such as ``age>=65`` or ``ward=north``, cut the values of its cells into
classes; a class is the *pattern* of the conditions that its values meet. A record that is changed
moves from a class v to a class w, so of shares with rates t_c of n records the privacy loss is

.. math:: \max_{v,w} \frac1n \sum_c t_c |[c \text{ holds of } v] - [c \text{ holds of } w]|.

Values and thresholds are named by the user, never listed from the file, and the classes follow
from them alone: they are all that a record may be in, whoever is in one. A threshold makes the
column one of numbers; no text stands beside it. Else there are the texts that are named, and one
that is not. Shares by value cost the two largest rates; k nested thresholds cost all k.
"""

import math
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose import later as pd
from dpchoose.checks import require, short
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data.cells import POINT, WHOLE, Cells, Value
from dpchoose.your_data.columns import A_DATE, DATE

SIGNS = {">=": ge, "<=": le, "=": eq, ">": gt, "<": lt}
SIGN = re.compile(">=|<=|==|=|>|<")
NO_ROW = "{column} holds {value} in no row: is it spelt so?"
RULE = "share must be of COLUMN=VALUE, or COLUMN>=NUMBER (and <=, <, >, ==)"


@dataclass(frozen=True)
class Condition:
    """A comparison of a column with the value of a text; the sign == is =.

    >>> str(Condition("ward", "=", "north", "north"))
    'ward=north'
    """

    column: str
    sign: str
    text: str
    value: Value

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{self.text}"

    def meets(self, value: Value) -> bool:
        """Whether it holds of a value; a threshold is asked of numbers alone."""
        return bool(SIGNS[self.sign](value, self.value))


def parse_condition(
    given: Any, names: Iterable[Any] | None = None, cells: Cells = POINT
) -> Condition:
    """The condition of a share, or one that is given.

    Where the ``names`` of a table are known the column is the longest of them that fits; else it
    ends at the first sign at which it can.

    >>> str(parse_condition("age>=65")), parse_condition("x=2,5", cells=Cells(",")).value
    ('age>=65', 2.5)
    >>> parse_condition("sex (1=f)=1", ["sex", "sex (1=f)"]).column
    'sex (1=f)'
    """
    if isinstance(given, Condition):
        return given
    text = str(given)
    found = [_split(text, sign, cells) for sign in SIGN.finditer(text)]
    found = [one for one in found if one.column]
    require(found, RULE, given)
    if names is not None:
        known, places = {*map(str, names)}, reversed(range(len(text)))
        every = [_split(text, sign, cells) for at in places if (sign := SIGN.match(text, at))]
        found = [one for one in every if one.column in known] or found[:1]
    fits = [one for one in found if one.sign == "=" or not isinstance(one.value, str)]
    hint = A_DATE * bool(DATE.match(found[0].text))
    require(fits, f"share must compare {found[0].column} with a number", given, hint=hint)
    return fits[0]


def _split(text: str, sign: re.Match[str], cells: Cells) -> Condition:
    """The condition that a text is if its column ends at a sign."""
    said = text[sign.end() :].strip()
    how = "=" if sign[0] == "==" else sign[0]
    return Condition(text[: sign.start()].strip(), how, said, cells.value(said))


def numeric_columns(conditions: Sequence[Condition]) -> dict[str, Condition]:
    """The columns that must hold numbers, each with a threshold; a text beside one is refused."""
    numeric = {one.column: one for one in conditions if one.sign != "="}
    for one in conditions:
        is_text = one.column in numeric and isinstance(one.value, str)
        rule = f"share must compare {one.column} with numbers beside {numeric.get(one.column)}"
        require(not is_text, rule, one.text)
    return numeric


def values_of(column: "pd.Series") -> np.ndarray:
    """The value of each cell of a column of a table, (rows,); none may be missing."""
    rule = f"column {column.name} must hold a value in every row"
    require(not column.isna().any(), rule, next(iter(column[column.isna()]), None))
    if column.dtype.kind in "biuf":
        sizes = np.abs(column.to_numpy().astype(float))
        if ((sizes == 0) | ((sizes >= checks.SMALLEST) & (sizes <= WHOLE))).all():
            return column.to_numpy().astype(float)
    codes, cells = pd.factorize(column)
    values = [POINT.value(str(cell).strip()) for cell in cells]
    return np.array([*values, ""], object)[codes]  # of numbers alone, too


def holds(column: "pd.Series", condition: Condition) -> np.ndarray:
    """Whether a condition holds of the cells of a column, 1 or 0, (rows,).

    >>> import pandas as pd
    >>> holds(pd.Series(["1", "1.0", "yes"]), parse_condition("x=1")).tolist()
    [1.0, 1.0, 0.0]
    """
    values = values_of(column)
    if condition.sign != "=":
        odd = [value for value in values.tolist() if isinstance(value, str)]
        rule = f"column {condition.column} must hold numbers"
        require(not odd, rule, next(iter(odd), None))
    met = SIGNS[condition.sign](values, condition.value)
    warn_of_nobody(condition, met)
    return np.asarray(met, float)


def warn_of_nobody(condition: Condition, met: np.ndarray) -> None:
    """Warn of a value that is held in no row."""
    if condition.sign == "=" and not np.any(met):
        said = {"column": f"column {condition.column}", "value": short(condition.text)}
        warnings.warn(NO_ROW.format(**said), MissingCodeWarning, stacklevel=5)


def values_of_share(condition: Condition, data: Any) -> np.ndarray:
    """Whether a condition holds of each record of a table, 1 or 0, (N,)."""
    require(hasattr(data, "columns"), "share must be of a table", data, TypeError)
    if condition in data.columns:  # 0 and 1, as the file was read
        return checks.universe(data[condition], name=f"column {condition}")
    names = {str(name): name for name in data.columns}
    return holds(data[names[checks.choice("column", condition.column, names)]], condition)


def patterns(conditions: Sequence[Any]) -> np.ndarray:
    """The classes into which conditions on one column cut it: booleans (classes, conditions).

    They are the distinct patterns at every number that is named, between each two neighbours, below
    the least and above the greatest; and, without a threshold, at every text that is named. One
    that is not meets no condition, as the least number does then.

    >>> patterns(["x=1", "x=2"]).astype(int).tolist()
    [[1, 0], [0, 1], [0, 0]]
    >>> patterns(["x>=1", "x>=2"]).astype(int).tolist()
    [[1, 0], [1, 1], [0, 0]]
    """
    parsed = [parse_condition(one) for one in conditions]
    values = [one.value for one in parsed]
    numbers = np.unique([value for value in values if not isinstance(value, str)])
    between = (numbers[1:] + numbers[:-1]) / 2
    points: list[Value] = [*numbers.tolist(), *between.tolist(), -math.inf, math.inf]
    if not numeric_columns(parsed):
        points += [value for value in values if isinstance(value, str)]
    rows = [tuple(one.meets(point) for one in parsed) for point in points]
    return np.array([*dict.fromkeys(rows)])


def histogram_loss(rates: np.ndarray, classes: np.ndarray) -> float:
    """The largest sum of rates that differ between two classes; rates are (conditions,).

    >>> histogram_loss(np.array([1.0, 2.0, 4.0]), patterns(["x=a", "x=b", "x=c"]))
    6.0
    """
    if classes.sum(axis=1).max() <= 1:
        return float(np.sort(rates)[-2:].sum())
    if np.isinf(rates).any():
        return math.inf
    weighted = classes * rates
    return max(float(np.abs(weighted - row).sum(axis=1).max()) for row in weighted)
