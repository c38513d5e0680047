"""The rows of a table that meet a condition such as ``age >= 65 and `the ward` in ('a', 'b')``.

A value is a number, a text between quotes, or True or False: 1 and 0. Each column name and each
value of the condition is replaced by a placeholder, _0, _1 and so on, so that names of any spelling
are allowed. Python's parser turns the rest into a syntax tree; the comparisons are read off the
tree, and nothing of it is ever evaluated."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose.checks import short

Comparison = tuple[str, Callable[[Any, Any], Any], tuple[float | str, ...]]
RULE = "one comparison, such as age >= 65 or ward == 'north', or several joined by and"
EQUAL = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: operator.eq}
ORDER = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
OPERAND = re.compile(  # a column name or a value; ``other`` is a sign that no condition has
    r"""(?<![\w.])(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w.])
    |'(?P<single>[^']*)' | "(?P<double>[^"]*)" | `(?P<quoted>[^`]*)`
    |\b(?:(?P<truth>True|False)|(?!and\b|or\b|not\b|in\b)(?P<name>[^\W\d]\w*))\b
    |(?P<other>(?<!\w)\d[\w.]*|[^\s\w()<>=!,\[\]])""",
    re.VERBOSE,
)
VALUES = {"number": float, "single": str, "double": str, "truth": "True".__eq__}


def parse(condition: str) -> list[Comparison]:
    """A condition's comparisons: a column, how, and with what; a ValueError says what is wrong.

    >>> [(column, values) for column, _, values in parse("age >= 65 and ward in ('a', 'b')")]
    [('age', (65.0,)), ('ward', ('a', 'b'))]
    """
    matches = OPERAND.finditer(condition)
    operands = {
        f"_{k}": (match.lastgroup, match[match.lastgroup]) for k, match in enumerate(matches)
    }
    placeholders = iter(operands)
    words = OPERAND.sub(lambda _: f" {next(placeholders)} ", condition).split()
    try:
        tree = ast.parse(" ".join(words), mode="eval").body
        joined = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
        return [_comparison(node, operands) for node in (tree.values if joined else [tree])]
    except ValueError as error:
        reason = f": {error}"
    except (SyntaxError, RecursionError, MemoryError):
        signs = (text for kind, text in operands.values() if kind == "other")
        reason = next((f": there is no {sign} in it" for sign in signs), "")
    raise ValueError(f"where must be {RULE}, got {short(condition)}{reason}")


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


def _comparison(node: ast.expr, operands: dict[str, tuple[Any, Any]]) -> Comparison:
    """The comparison of a node of the tree, by its placeholders; a ValueError if it is none."""
    if not isinstance(node, ast.Compare) or len(node.ops) > 1:
        raise ValueError("each part compares once, as age >= 18 and age < 65; no or, no not")
    sign, right = type(node.ops[0]), node.comparators[0]
    listed = sign is ast.In and isinstance(right, (ast.Tuple, ast.List))
    nodes = [node.left, *(right.elts if listed else [right])]
    names = [getattr(node, "id", "") for node in nodes]
    (kind, column), *right_hand = [operands.get(name, ("", "")) for name in names]
    if kind not in ("name", "quoted") or sign not in EQUAL | ORDER:
        raise ValueError("a column comes first, and then one of ==, !=, <, <=, >, >=, in")
    for kind, text in right_hand:
        if kind not in VALUES:
            raise ValueError(f"{text!r} is no number, and no text between quotes")
    values = tuple(VALUES[kind](text) for kind, text in right_hand)
    if len({isinstance(value, str) for value in values}) != 1:
        raise ValueError(f"{column} is compared with numbers alone, or with texts alone")
    if sign in ORDER and isinstance(values[0], str):
        raise ValueError("texts, and dates, have no order here: compare them with ==, != or in")
    return column, (EQUAL | ORDER)[sign], values
