"""Numbers that a page types, held against what its code computes.

A key is a phrase of the page, with a value for each number in it. A number agrees if it is
what its value rounds to at the digits typed: up after "at most", "below" and "up to", down
after "at least" and "over", to nearest else. Of a formula only what follows "=" is a number.
"""

from __future__ import annotations

import ast
import decimal
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

NUMBER = re.compile(r"(?<![\w.])−?\d+(?:,\d{3})*(?:\.\d+|/\d+)?%?(?![\w%/]|[.,]\d)")
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL)
RESULT = re.compile(rf"=\s*({NUMBER.pattern})(?=\s*(?:[=$.,;\\]|$))")
DIRECTION = re.compile(r"\b(at most|below|up to)\b|\b(at least|over)\b")
YEAR = re.compile(r"(?:1[89]|20)\d\d")
SMALL = 13  # whole numbers from here on are held


def prose(text: str) -> str:
    """The prose of a page: without head, code, headings, tags and link targets, spaces single.

    >>> prose("# Head 14\\nFrom `x = 15` to\\n> [16](p17.md).")
    'From to 16.'
    """
    text = re.sub(r"\A---\n.*?^---$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:#+ .*|:{3,}.*|> ?|:\w[\w-]*:.*)", "", text, flags=re.MULTILINE)
    text = re.sub(r"\{\w+\}`[^`]*`|`[^`]*`|<[a-z/!][^>]*>|\]\([^)]*\)", "", text)
    return " ".join(text.replace("[", "").split())


def numbers(text: str) -> list[re.Match[str]]:
    """The numbers of a text, where they stand; of a formula those that follow "=".

    >>> [number[0] for number in numbers("$b = a/30 = 3.33$ days, 7/3 of 5,912 and 68.3%")]
    ['3.33', '7/3', '5,912', '68.3%']
    """
    formulas = [formula.span() for formula in FORMULA.finditer(text)]
    results = {
        found.start(1) for low, high in formulas for found in RESULT.finditer(text, low, high)
    }
    return [
        number
        for number in NUMBER.finditer(text)
        if number.start() in results
        or not any(low <= number.start() < high for low, high in formulas)
    ]


def unheld(text: str, phrases: Iterable[str]) -> list[str]:
    """Decimals, per cent and whole numbers from 13 on that no phrase covers, in their context.

    Args:
        text: from :func:`prose`.
        phrases: the keys of all calls of holds for this page, and what is given.

    >>> unheld("From 25% to 68.3% in 2011, of 12 or 14.", ["25% to 68.3%"])
    ['From 25% to 68.3% in 2011, of 12 or 14.']
    """
    covered = [(start, start + len(phrase)) for phrase in phrases for start in places(phrase, text)]
    return [
        text[max(0, number.start() - 40) : number.end() + 20]
        for number in numbers(text)
        if _is_to_be_held(number[0])
        and not any(low <= number.start() and number.end() <= high for low, high in covered)
    ]


def _is_to_be_held(number: str) -> bool:
    """Whether a number is a decimal, per cent, or a whole number from 13 on that is no year."""
    if "." in number or "%" in number:
        return True
    return "/" not in number and not YEAR.fullmatch(number) and _whole(number) >= SMALL


def _whole(number: str) -> int:
    """A whole number as it is typed, with commas between thousands."""
    return abs(int(number.replace(",", "").replace("−", "-")))


def places(phrase: str, text: str) -> list[int]:
    """Where a phrase begins, not within a longer number or word.

    >>> places("4.3", "4.3 and 14.3 and 4.33")
    [0]
    """
    whole = rf"(?<![\w.]){re.escape(phrase)}(?![\w%]|[.,/]\d)"
    return [found.start() for found in re.finditer(whole, text)]


def differences(phrase: str, values: Any, text: str) -> list[str]:
    """What is wrong with a phrase, or with the values of its numbers, a line each.

    >>> differences("to 68.3%", 0.6825, "up to 68.3%"), differences("25%", 0.26, "25% or 30%")
    ([], ["'25%': 25% is 0.26"])
    """
    if not places(phrase, text):
        return [f"{phrase!r} is not in the text"]
    values = list(values) if hasattr(values, "__len__") else [values]
    typed = numbers(phrase)
    if not typed or len(typed) != len(values):
        return [f"{phrase!r} has {len(typed)} numbers, for which there are {len(values)} values"]
    return [
        f"{phrase!r}: {number[0]} is {float(value):.6g}"
        for number, value in zip(typed, values)
        if not _agrees(number[0], float(value), _rounding(phrase[: number.start()]))
    ]


def _rounding(before: str) -> str:
    """Which way a number is rounded after these words."""
    *_, last = [None, *DIRECTION.finditer(before)]
    if last is None:
        return decimal.ROUND_HALF_UP
    return decimal.ROUND_CEILING if last[1] else decimal.ROUND_FLOOR


def _agrees(typed: str, value: float, rounding: str) -> bool:
    """Whether a value, rounded so, is the number that is typed."""
    plain = typed.rstrip("%").replace(",", "").replace("−", "-")
    if "/" in plain:
        above, below = map(int, plain.split("/"))
        return math.isclose(above / below, value, rel_tol=1e-12)
    if not math.isfinite(value):
        return False
    exact = decimal.Decimal(f"{value:.12g}") * (100 if typed.endswith("%") else 1)
    digits = decimal.Decimal(1).scaleb(-len(plain.partition(".")[2]))
    return exact.quantize(digits, rounding) == decimal.Decimal(plain)


def keys(cells: Sequence[str]) -> dict[str, list[str]]:
    """The phrases of all calls of ``chapter.holds`` in code that is not run, by page.

    A key is a constant of the dictionary that the function displays or returns; the page of
    the chapter itself is "".

    >>> keys(['chapter.holds(lambda: {"25%": 1 / 4}, given=["of 14"])'])
    {'': ['25%', 'of 14']}
    """
    source = "\n".join(line for cell in cells for line in cell.splitlines() if line[:1] not in "%!")
    nodes = list(ast.walk(ast.parse(source)))
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    phrases: dict[str, list[str]] = {}
    for call in nodes:
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".holds"):
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            page = ast.literal_eval(named["page"]) if "page" in named else ""
            (numbers,) = call.args
            body = functions[numbers.id] if isinstance(numbers, ast.Name) else numbers
            phrases.setdefault(page, []).extend(_constants(body) + _constants(named.get("given")))
    return phrases


def _constants(tree: ast.AST | None) -> list[str]:
    """The keys of the dictionaries, and the entries of the list, that a piece of code displays."""
    if tree is None:
        return []
    shown = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    nodes = [key for node in shown for key in node.keys] if shown else getattr(tree, "elts", [])
    return [node.value for node in nodes if isinstance(node, ast.Constant)]


def check(numbers: Mapping[str, Any], given: Sequence[str], text: str) -> None:
    """Every phrase of a page is in it, and every number is what its value rounds to.

    Args:
        numbers: phrases with the values of their numbers.
        given: phrases alone.
        text: from :func:`prose`.

    Raises:
        AssertionError: with a line for each phrase and number that is wrong.
    """
    wrong = [f"{phrase!r} is not in the text" for phrase in given if not places(phrase, text)]
    wrong += [line for phrase in numbers for line in differences(phrase, numbers[phrase], text)]
    assert not wrong, "\n".join(wrong)
