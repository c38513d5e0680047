"""What a column of a file means, as it goes by in chunks.

A chunk is a column of text, rows numbered as in the file; its first row that does not fit is
refused."""

import re
from decimal import Decimal

import numpy as np

from dpchoose.checks import LARGEST, SMALLEST, short
from dpchoose.your_data import later as pd

TRUTHS = ("false", "true")
PAIRS = (("0", "1"), TRUTHS, ("no", "yes"))
NUMBER = re.compile(  # with a comma between thousands and a decimal point
    r"[+-]?(?:(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
SPACES = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
WHOLE = 2**53 - 1  # up to here no other integer has the same float


class Numbers:
    """The numbers of a column that goes by in chunks.

    Attributes:
        truths: whether they are true and false, as the first of them is; None before it.
    """

    def __init__(self, decimal: str = ".", thousands: str = "") -> None:
        between = dict.fromkeys(SPACES if thousands == " " else thousands, ",")
        # As NUMBER has them: a point or a comma of another meaning spoils the entry.
        others = {".": "no number", ",": "no number", "\N{MINUS SIGN}": "-"}
        self.signs = str.maketrans(others | between | {decimal: "."})
        self.truths: bool | None = None

    def floats(self, column: "pd.Series") -> np.ndarray:
        """The numbers of a chunk, (rows,)."""
        codes, entries = pd.factorize(column)
        if self.truths is None and len(entries):
            self.truths = entries[0].lower() in TRUTHS
        if self.truths:
            rule = "true or false in every row, as in its first"
            return truths(column, TRUTHS, rule).astype(float)
        numbers = np.empty(len(entries))
        for place, entry in enumerate(entries):
            plain = entry.translate(self.signs)
            plain = plain.replace(",", "") if NUMBER.fullmatch(plain) else "nan"
            numbers[place] = number = float(plain)
            if not SMALLEST <= abs(number) <= WHOLE and (rule := _broken_rule(plain, number)):
                comma = ": add --decimal , or --thousands ," * (plain == "nan" and "," in entry)
                refuse_first(column, codes == place, rule, comma)
        return numbers[codes]


def released(column: "pd.Series") -> np.ndarray:
    """Who is released: some are, and some are not."""
    rule, first = "both 0 and 1, false and true, or no and yes", column.iloc[0].lower()
    pair = next((pair for pair in PAIRS if first in pair), PAIRS[0])
    inside = truths(column, pair, rule)
    refuse_first(column, np.full(len(inside), inside.all() == inside.any()), rule)
    return inside


def truths(column: "pd.Series", pair: tuple[str, str], rule: str) -> np.ndarray:
    """Whether each row holds the second of two words, (rows,), in letters of any size."""
    words = column.str.lower()
    refuse_first(column, ~words.isin(pair).to_numpy(), rule)
    return (words == pair[1]).to_numpy(bool)


def refuse_first(column: "pd.Series", odd: np.ndarray, rule: str, hint: str = "") -> None:
    """Refuse a column by the first of its odd rows, if there is one."""
    if odd.any():
        row, entry = column.index[odd.argmax()], column.iloc[odd.argmax()]
        got = f"{short(entry)} in row {row} below the names{hint}"
        raise ValueError(f"column {column.name} must hold {rule}, got {got}")


def _broken_rule(text: str, number: float) -> str:
    """The rule that the number of a text breaks, or none."""
    if np.isnan(number):
        return "finite numbers"
    if not SMALLEST <= abs(number) <= LARGEST and re.match("[^eE]*[1-9]", text):
        return "0 or numbers from 1e-100 to 1e100 in size"
    if re.fullmatch(r"[+-]?\d+\.?0*", text) and Decimal(text) != Decimal(number):
        return "integers that a float can tell apart"
    return ""
