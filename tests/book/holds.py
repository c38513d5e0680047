"""Numbers that a page types, held against what its code computes.

A key is a phrase of the page, with a value for each number in it. A number agrees if it is
what its value rounds to at the digits typed: up after "at most", "below" and "up to", down
after "at least" and "over", to nearest else. Of a formula only what follows "=" is a number.
"""

import decimal
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

NUMBER = re.compile(r"(?<![\w.])−?\d+(?:,\d{3})*(?:\.\d+|/\d+)?%?(?![\w%/]|[.,]\d)")
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL)
RESULT = re.compile(rf"=\s*({NUMBER.pattern})(?=\s*(?:[=$.,;\\]|$))")
DIRECTION = re.compile(r"\b(at most|below|up to)\b|\b(at least|over)\b")
UNHELD = re.compile(r"−?(?:\d|1[0-2]|[\d,]+/\d+)|(?:1[89]|20)\d\d")  # small, a fraction, a year


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
    symbols, results = set(), set()
    for formula in FORMULA.finditer(text):
        symbols |= {*range(*formula.span())}
        results |= {found.start(1) for found in RESULT.finditer(text, *formula.span())}
    return [n for n in NUMBER.finditer(text) if n.start() not in symbols - results]


def unheld(text: str, phrases: Iterable[str]) -> list[str]:
    """Decimals, per cent and whole numbers from 13 on that no phrase covers, in their context.

    Args:
        text: from :func:`prose`.
        phrases: those whose numbers are held.

    >>> unheld("From 25% to 68.3% in 2011, of 12 or 14.", ["25% to 68.3%"])
    ['From 25% to 68.3% in 2011, of 12 or 14.']
    """
    covered = [(start, start + len(phrase)) for phrase in phrases for start in places(phrase, text)]
    return [
        text[max(0, number.start() - 40) : number.end() + 20]
        for number in numbers(text)
        if not UNHELD.fullmatch(number[0])
        and not any(low <= number.start() and number.end() <= high for low, high in covered)
    ]


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
        if not _agrees(number[0], float(value), before=phrase[: number.start()])
    ]


def _agrees(typed: str, value: float, before: str) -> bool:
    """Whether a value, rounded as the words before it say, is the number that is typed."""
    plain = typed.rstrip("%").replace(",", "").replace("−", "-")
    if "/" in plain:
        above, below = map(int, plain.split("/"))
        return math.isclose(above / below, value, rel_tol=1e-12)
    if not math.isfinite(value):
        return False
    exact = decimal.Decimal(f"{value:.12g}") * (100 if typed.endswith("%") else 1)
    digits = decimal.Decimal(1).scaleb(-len(plain.partition(".")[2]))
    rounding = decimal.ROUND_HALF_UP
    for direction in DIRECTION.finditer(before):  # the last one counts
        rounding = decimal.ROUND_CEILING if direction[1] else decimal.ROUND_FLOOR
    return exact.quantize(digits, rounding) == decimal.Decimal(plain)


def check(numbers: Mapping[str, Any], text: str) -> None:
    """Every phrase of a page is in it, and every number is what its value rounds to.

    Args:
        numbers: phrases with the values of their numbers.
        text: from :func:`prose`.

    Raises:
        AssertionError: with a line for each phrase and number that is wrong.
    """
    wrong = [line for phrase in numbers for line in differences(phrase, numbers[phrase], text)]
    assert not wrong, "\n".join(wrong)
