r"""Shares of one column are one histogram: a changed record leaves one class for another.

The conditions on a column, such as ``age>=65`` or ``ward=north``, cut its values into classes; a
class is the *pattern* of the conditions that its values meet. A record that is changed moves
from a class v to a class w, so of shares with rates t_c of n records the privacy loss is

.. math:: \max_{v,w} \frac1n \sum_c t_c |[c \text{ holds of } v] - [c \text{ holds of } w]|.

Shares by value cost the two largest rates; k nested thresholds cost all k. Values and thresholds
are named by the user, never listed from the file.
"""

import math
import re
import warnings
from collections.abc import Sequence
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.checks import require, short
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data import later as pd

SIGNS = {">=": ge, "<=": le, "=": eq, ">": gt, "<": lt}
NO_ROW = "{column} holds {value} in no row: is it spelt so?"


class Condition(NamedTuple):
    """A comparison of a column with a value, as text; the sign == is =."""

    column: str
    sign: str
    value: str

    @property
    def number(self) -> float:
        """The value as a number, in whatever way it is written; nan where it is a text."""
        number = float(pd.to_numeric(self.value, errors="coerce"))
        return number if math.isfinite(number) else math.nan


def parse_condition(text: object) -> Condition:
    """The condition of a share.

    >>> [tuple(parse_condition(text)) for text in ("age>=65", "ward=north")]
    [('age', '>=', '65'), ('ward', '=', 'north')]
    """
    match = re.fullmatch(r"(.*?)(>=|<=|==|=|>|<)(.*)", str(text), re.S)
    rule = "share must be of COLUMN=VALUE, or COLUMN>=NUMBER (and <=, <, >, ==)"
    require(match and match[1].strip(), rule, text)
    sign = "=" if match[2] == "==" else match[2]
    condition = Condition(match[1].strip(), sign, match[3].strip())
    rule = f"share must compare {condition.column} with a number"
    require(sign == "=" or not math.isnan(condition.number), rule, text)
    return condition


def holds(column: "pd.Series", condition: Condition) -> np.ndarray:
    """Whether a condition holds of entries, 1 or 0, (rows,): of text, or of the same number.

    >>> import pandas as pd
    >>> holds(pd.Series(["1", "1.0", "yes"]), parse_condition("x=1")).tolist()
    [1.0, 1.0, 0.0]
    """
    is_text = condition.sign == "="
    entries = column.astype(str) if is_text else column
    numbers = pd.to_numeric(entries, errors="coerce")
    odd = column[column.isna() if is_text else numbers.isna()]
    rule = f"column {condition.column} must hold {'a value in every row' if is_text else 'numbers'}"
    require(odd.empty, rule, next(iter(odd), None))
    met = SIGNS[condition.sign](numbers, condition.number)
    if is_text:
        met |= entries == condition.value
        if not met.any():
            text = NO_ROW.format(column=f"column {condition.column}", value=short(condition.value))
            warnings.warn(text, MissingCodeWarning, stacklevel=5)
    return met.to_numpy(float)


def values_of_share(text: str, data: Any) -> np.ndarray:
    """Whether the condition of a share holds of each record of a table, 1 or 0, (N,)."""
    condition = parse_condition(text)
    require(hasattr(data, "columns"), "share must be of a table", data, TypeError)
    if text in data.columns:  # 0 and 1, as the file was read
        return checks.universe(data[text], name=f"column {text}")
    return holds(data[checks.choice("column", condition.column, data.columns)], condition)


def patterns(texts: Sequence[str]) -> np.ndarray:
    """The classes into which conditions on one column cut it: booleans (classes, conditions).

    >>> patterns(["x=1", "x=2"]).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1]]
    >>> patterns(["x>=1", "x>=2"]).astype(int).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    conditions = [parse_condition(text) for text in texts]
    numbers = np.array([condition.number for condition in conditions])
    if all(condition.sign == "=" for condition in conditions):
        keys = [c.value if math.isnan(x) else x for c, x in zip(conditions, numbers.tolist())]
        rows = [[False] * len(keys), *([key == other for other in keys] for key in keys)]
    else:
        ends = np.unique(numbers)
        middles = (ends[1:] + ends[:-1]) / 2
        points = np.sort(np.concatenate([[-math.inf], ends, middles, [math.inf]]))
        rows = [[bool(SIGNS[c.sign](x, c.number)) for c in conditions] for x in points.tolist()]
    return np.array([*dict.fromkeys(map(tuple, rows))])


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
