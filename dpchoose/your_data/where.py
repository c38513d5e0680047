"""The rows of a table that meet a condition such as ``age >= 65 and `the ward` in ('a', 'b')``.

A value is a number, a text between quotes, or True or False: 1 and 0. Between backticks a column
may have any name. A condition is matched comparison by comparison, and nothing of it is ever
evaluated."""

import re
from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import numpy as np

from dpchoose.checks import require, short

Comparison = tuple[str, Callable[[Any, Any], Any], tuple[float | str, ...]]
RULE = "one comparison, such as age >= 65 or ward == 'north', or several joined by and"
NOT = "no or, no not; a column comes first; texts and dates have no order, and no list with numbers"
ORDER = {"<": lt, "<=": le, ">": gt, ">=": ge}
SIGNS = {"==": eq, "!=": ne, "in": eq} | ORDER
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

    >>> [(column, values) for column, _, values in parse("age >= 65 and ward in ('a', 'b')")]
    [('age', (65.0,)), ('ward', ('a', 'b'))]
    """
    comparisons, place, more = [], 0, True
    while more and (match := COMPARISON.match(condition, place)):
        column, sign = match["quoted"] or match["name"], match["sign"] or "in"
        values = tuple(map(_value, re.findall(VALUE, match["value"] or match["values"])))
        texts = [isinstance(value, str) for value in values]
        if any(texts) and (sign in ORDER or not all(texts)):
            break
        comparisons.append((column, SIGNS[sign], values))
        place, more = match.end(), match["more"]
    hint = f", not clear from {short(condition[place:].strip())} on: {NOT}"
    require(not more and place == len(condition), f"where must be {RULE}", condition, hint=hint)
    return comparisons


def matches(table: Any, comparisons: list[Comparison], numbers: dict[str, Any]) -> np.ndarray:
    """The rows of a DataFrame of text in which every comparison holds, booleans (rows,).

    No value of the columns compared is missing; ``numbers`` reads those of each column.
    """
    met = np.ones(len(table), dtype=bool)
    for column, compare, values in comparisons:
        is_text = isinstance(values[0], str)
        entries = table[column]
        entries = entries.to_numpy(object) if is_text else numbers[column].floats(entries)
        met &= np.any([compare(entries, value) for value in values], axis=0)
    return met


def _value(text: str) -> float | str:
    """A number, or what stands between quotes."""
    return text[1:-1] if text[0] in "'\"" else float({"True": 1, "False": 0}.get(text, text))
