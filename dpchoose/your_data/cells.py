"""The value of a cell: the one function that means, conditions, groups and codes ask.

A value is of one cell and of the signs in its numbers, never of its column. Were two readings of a
cell in use, shares of one column could be asked of records that none of them has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from dpchoose.checks import LARGEST, SMALLEST, choice

Value = float | str
TRUTHS = {"false": 0.0, "true": 1.0}
NUMBER = re.compile(  # with a comma between thousands and a decimal point
    r"[+-]?(?:(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
SPACES = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
PLAIN = re.compile(r"(?:-?[0-9]{1,15}(?:\.[0-9]{1,17})?\n)*")  # lines, in which a point is a point
FINITE = "finite numbers"
WHOLE = 2**53 - 1  # up to here no other integer has the same float


@dataclass(frozen=True)
class Cells:
    """The cells of a file, by the signs in 1,000.5."""

    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        choice("decimal", self.decimal, (".", ","))
        choice("thousands", self.thousands, ("", *".,' ".replace(self.decimal, "")))

    @cached_property
    def _signs(self) -> dict[int, str]:
        """As NUMBER has them: a point or a comma of another meaning spoils the text."""
        between = dict.fromkeys(SPACES if self.thousands == " " else self.thousands, ",")
        others = {".": "no number", ",": "no number", "\N{MINUS SIGN}": "-"}
        return str.maketrans(others | between | {self.decimal: "."})

    def value(self, text: str) -> Value:
        """The number that a text says, true and false being 1 and 0; else the text itself.

        >>> [Cells(",").value(text) for text in ("2,5", "2,50", "2.5", "TRUE", "-0", "north")]
        [2.5, 2.5, '2.5', 1.0, 0.0, 'north']
        """
        return self._read(text)[0]

    def values(self, texts: Sequence[str]) -> list[Value]:
        """The value of each of some texts; what is PLAIN is what float says."""
        lines = "".join(f"{text}\n" for text in texts)
        if self.decimal == "." and lines.count("\n") == len(texts) and PLAIN.fullmatch(lines):
            return [*map(float, texts)]
        return [*map(self.value, texts)]

    def rule(self, text: str) -> str:
        """The rule for numbers that a text breaks, or none.

        >>> Cells().rule("9007199254740993")
        'integers that a float can tell apart'
        """
        return self._read(text)[1]

    def _read(self, text: str) -> tuple[Value, str]:
        """The value of a text, and the rule for numbers that it breaks."""
        plain = text.translate(self._signs)
        if not NUMBER.fullmatch(plain):
            truth = TRUTHS.get(text.lower())
            return (text, FINITE) if truth is None else (truth, "")
        plain = plain.replace(",", "")
        number = float(plain)
        if SMALLEST <= abs(number) <= WHOLE:
            return number, ""
        rule = _broken_rule(plain, number)
        return text if rule else number + 0.0, rule  # and -0 is 0


def _broken_rule(plain: str, number: float) -> str:
    """The rule that a number as it was written breaks, or none."""
    if not SMALLEST <= abs(number) <= LARGEST and re.match("[^eE]*[1-9]", plain):
        return "0 or numbers from 1e-100 to 1e100 in size"
    if re.fullmatch(r"[+-]?[0-9]+\.?0*", plain) and Decimal(plain) != Decimal(number):
        return "integers that a float can tell apart"
    return ""


POINT = Cells()  # numbers as a program writes them
