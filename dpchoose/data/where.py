"""The rows of a table that meet a condition such as ``age >= 65 and ward == 'north'``.

    condition  = comparison {"and" comparison}
    comparison = name ("==" | "!=" | "<" | "<=" | ">" | ">=") value
               | name "in" "(" value {"," value} ")"
    name       = a word, or any text between backquotes
    value      = a number, or any text between quotes

A condition is taken apart here and never evaluated as code.
"""

from __future__ import annotations

import operator
import re
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dpchoose.data.columns import labels, numbers
from dpchoose.data.reading import short

if typing.TYPE_CHECKING:
    import pandas as pd

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
TOKEN = re.compile(
    r"""\s*(?:(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    |(?P<text>'[^']*'|"[^"]*")|`(?P<quoted>[^`]*)`|(?P<word>[^\W\d]\w*)
    |(?P<sign>[=!<>]=|[<>(),]))""",
    re.VERBOSE,
)
RULE = "one comparison, such as age >= 65 or ward == 'north', or several joined by and"


class Comparison(NamedTuple):
    """A column, how it is compared, and with what: numbers alone, or texts alone."""

    column: str
    sign: str
    values: tuple[float, ...] | tuple[str, ...]


def parse(condition: str) -> list[Comparison]:
    """The comparisons of a condition.

    Args:
        condition: as the grammar above says.

    Raises:
        ValueError: it is none, with the place where it stops being one.

    >>> parse("age >= 65 and ward in ('north', 'south')")[0]
    Comparison(column='age', sign='>=', values=(65.0,))
    """
    tokens = _tokens(condition)
    found = []
    while True:
        column = _take(tokens, condition, "word", "quoted")[1]
        sign = _take(tokens, condition, "sign", "word")[1]
        if sign == "in":
            values = [_take(tokens, condition, "number", "text")] if _sign(tokens, "(") else []
            while _sign(tokens, ","):
                values.append(_take(tokens, condition, "number", "text"))
            closed = _sign(tokens, ")")
        else:
            values = [_take(tokens, condition, "number", "text")] if sign in COMPARE else []
            closed = True
        kinds = {kind for kind, _ in values}
        ordered = sign in ("<", "<=", ">", ">=")
        if not closed or len(kinds) != 1 or (ordered and kinds == {"text"}):
            raise ValueError(f"where must be {RULE}, got {short(condition)}")
        found.append(Comparison(column, sign, tuple(value for _, value in values)))
        if not tokens:
            return found
        if _take(tokens, condition, "word")[1] != "and":
            raise ValueError(f"where must be {RULE}, got {short(condition)}")


def matches(
    table: pd.DataFrame, comparisons: list[Comparison], *, decimal: str = ".", thousands: str = ""
) -> np.ndarray:
    """The rows of a table in which every comparison holds.

    Args:
        table: of text without missing values in the columns that are compared.
        comparisons: of :func:`parse`.
        decimal: as in :func:`dpchoose.data.columns.numbers`.
        thousands: likewise.

    Returns:
        (rows,) booleans.

    Raises:
        ValueError: a column that is compared with a number holds something else.

    >>> import pandas as pd
    >>> matches(pd.DataFrame({"age": ["70", "8"]}), parse("age >= 65")).tolist()
    [True, False]
    """
    held = np.ones(len(table), dtype=bool)
    for column, sign, values in comparisons:
        entries = table[column]
        texts = isinstance(values[0], str)
        cells = labels(entries) if texts else numbers(entries, decimal=decimal, thousands=thousands)
        if sign == "in":
            held &= np.any([cells == value for value in values], axis=0)
        else:
            held &= COMPARE[sign](cells, values[0])
    return held


def _tokens(condition: str) -> list[tuple[str, Any]]:
    tokens, place = [], 0
    text = condition.rstrip()
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"where must be {RULE}, got {short(text[place:].strip())}")
        kind, found = match.lastgroup or "", match[match.lastgroup or 0]
        value = float(found) if kind == "number" else found[1:-1] if kind == "text" else found
        tokens.append((kind, value))
        place = match.end()
    return tokens


def _take(tokens: list[tuple[str, Any]], condition: str, *kinds: str) -> tuple[str, Any]:
    """The next token, which must be of one of these kinds."""
    if not tokens or tokens[0][0] not in kinds:
        raise ValueError(f"where must be {RULE}, got {short(condition)}")
    return tokens.pop(0)


def _sign(tokens: list[tuple[str, Any]], sign: str) -> bool:
    """Take this sign if it is the next token."""
    return bool(tokens) and tokens[0] == ("sign", sign) and bool(tokens.pop(0))
