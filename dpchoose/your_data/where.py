"""The rows of a table that meet a condition such as ``age >= 65 and `the ward` in ('a', 'b')``.

A value is a number with a decimal point, a cell of the file between quotes, or True or False: 1 and
0. Between backticks a column may have any name. A condition is matched comparison by comparison,
and nothing of it is ever evaluated."""

import re
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

import numpy as np

from dpchoose.checks import require, short
from dpchoose.your_data import columns
from dpchoose.your_data.cells import POINT, Cells

Comparison = tuple[str, str, tuple[float | str, ...]]
RULE = "one comparison, such as age >= 65 or ward == 'north', or several joined by and"
NOT = """no or, no not; equal is ==; a column comes first; texts and dates have no order, and no \
list with numbers"""
ORDER: dict[str, Callable[[Any, Any], Any]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])"
VALUE = rf"""(?:{NUMBER}|'[^']*'|"[^"]*"|(?:True|False)\b)"""
COMPARISON = re.compile(  # and the word after it that announces another one
    rf"""\s*(?:(?P<open>\()\s*)?(?:`(?P<quoted>[^`]+)`|(?P<name>[^\W\d]\w*\b))\s*
    (?:(?P<sign>[=!]=|[<>]=?)\s*(?P<value>{VALUE})
    |in\b\s*[(\[]\s*(?P<values>{VALUE}(?:\s*,\s*{VALUE})*)\s*,?\s*[)\]])
    \s*(?(open)\)\s*)(?P<more>and\b)?""",
    re.VERBOSE,
)


def parse(condition: str) -> list[Comparison]:
    """A condition's comparisons: a column, how, and with what; a ValueError says what is wrong.

    >>> parse("age >= 65 and ward in ('a', 'b')")
    [('age', '>=', (65.0,)), ('ward', 'in', ('a', 'b'))]
    """
    comparisons: list[Comparison] = []
    place, more = 0, "and"
    while more and (match := COMPARISON.match(condition, place)):
        column, sign = match["quoted"] or match["name"], match["sign"] or "in"
        values = tuple(map(_value, re.findall(VALUE, match["value"] or match["values"])))
        texts = [isinstance(value, str) for value in values]
        if any(texts) and (sign in ORDER or not all(texts)):
            break
        comparisons.append((column, sign, values))
        place, more = match.end(), match["more"]
    hint = f", not clear from {short(condition[place:].strip())} on: {NOT}"
    hint += columns.A_DATE * bool(columns.DATE.search(condition))
    require(not more and place == len(condition), f"where must be {RULE}", condition, hint=hint)
    return comparisons


def matches(table: Any, comparisons: list[Comparison], cells: Cells) -> np.ndarray:
    """The rows of a DataFrame of text in which every comparison holds, booleans (rows,).

    No value of the columns compared is missing. A text between quotes is the value that it is in a
    cell; beside a number all cells must be numbers.
    """
    met = np.ones(len(table), dtype=bool)
    for column, sign, values in comparisons:
        is_text = isinstance(values[0], str)
        numbers = None if is_text else columns.floats(table[column], cells)
        if sign in ORDER:
            met &= ORDER[sign](numbers, values[0])
            continue
        said = {cells.value(value) if isinstance(value, str) else value for value in values}
        met &= columns.says(table[column], said, cells) ^ (sign == "!=")
    return met


def _value(text: str) -> float | str:
    """A number, or what stands between quotes."""
    if text[0] in "'\"":
        return text[1:-1]
    value = POINT.value(text)
    require(not isinstance(value, str), f"where must compare with {POINT.rule(text)}", text)
    return value
