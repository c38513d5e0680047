"""A column of a file as it goes by in chunks: categorical texts, rows numbered as in the file.

The first row that does not fit is refused."""

import re
from collections.abc import Iterable
from itertools import product

import numpy as np

from dpchoose import later as pd
from dpchoose.checks import short
from dpchoose.your_data.cells import FINITE, Cells, Value

THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # 52.000, as much as 52 or as 52,000
CURRENCY = re.compile(r"[-+($€£¥\s]*[0-9][0-9.,'\s]*[$€£¥%\s)]*")
PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))


def floats(column: "pd.Series", cells: Cells) -> np.ndarray:
    """The numbers of a chunk, (rows,); a text that is none is refused."""
    codes, texts = pd.factorize(column)
    values = cells.values(texts)
    numbers = np.array([np.nan if isinstance(value, str) else value for value in values], float)
    odd = np.isnan(numbers)[codes]
    if odd.any():
        text = column.iloc[odd.argmax()]
        rule = cells.rule(text)
        hint = _hint(text, [*texts], cells) if rule == FINITE else ""
        refuse_first(column, odd, rule, hint)
    return numbers[codes]


def _hint(text: str, texts: list[str], cells: Cells) -> str:
    """What to do about a text that is no number: signs with which more of the texts are numbers.

    >>> _hint("1,500", ["1,500", "20"], Cells())
    ': is it 1500 (--thousands ,) or 1.5 (--decimal ,)?'
    >>> _hint("$1,500", ["$1,500"], Cells())
    ': take the $ out'
    """
    read = [one for one in texts if not isinstance(cells.value(one), str)]
    meanings: dict[float, str] = {}
    for decimal, sign in product(".,", ("", *",. '")):
        if decimal == sign:
            continue
        other = Cells(decimal, sign)
        value = other.value(text)
        if not (isinstance(value, str) or any(isinstance(other.value(one), str) for one in read)):
            meanings.setdefault(value, f"{value:.15g} ({_options(other, cells)})")
    if meanings:
        return f": is it {' or '.join(meanings.values())}?"
    if CURRENCY.fullmatch(text) and (sign := re.search("[$€£¥%]", text)):
        return f": take the {sign[0]} out"
    if re.fullmatch(r"\([0-9.,' ]+\)", text):
        return ": write it with a minus, and without brackets"
    indian = re.fullmatch(r"[+-]?[0-9]{1,2}(,[0-9]{2})*,[0-9]{3}(\.[0-9]+)?", text)
    return ": write it without its commas" if indian else ""


def _options(signs: Cells, given: Cells) -> str:
    """How signs are typed in the place of those that were given."""
    words = [f"--decimal {signs.decimal}"] * (signs.decimal != given.decimal)
    if signs.thousands != given.thousands:
        sign = signs.thousands if signs.thousands in (".", ",") else repr(signs.thousands)
        words.append(f"--thousands {sign}" if signs.thousands else "no --thousands")
    return " ".join(words)


class Points:
    """Columns in which every number is like 52.000: a thousand sign, or a decimal one?"""

    def __init__(self) -> None:
        self.first: dict[str, pd.Series] = {}  # chunk of each column
        self.clear: set[str] = set()
        self.several: set[str] = set()  # whose numbers differ

    def take(self, columns: Iterable["pd.Series"]) -> None:
        """The same columns of a chunk."""
        for column in columns:
            if column.name in self.clear or column.empty:
                continue
            texts = column.unique()
            if not all(map(THOUSANDS.fullmatch, texts)):
                self.clear.add(column.name)
            first = self.first.setdefault(column.name, column)
            if len(texts) > 1 or texts[0] != first.iloc[0]:
                self.several.add(column.name)

    def refuse(self) -> None:
        """Refuse the first column that is not clear."""
        for name, column in self.first.items():
            if name in self.several - self.clear:
                text = column.iloc[0]
                much = f"{float(text):g} (--decimal .) or {text.replace('.', '')}"
                hint = f": is it {much} (--decimal , --thousands .)?"
                rule = "numbers whose point has one meaning"
                refuse_first(column, np.ones(len(column), bool), rule, hint)


def says(column: "pd.Series", values: set[Value], cells: Cells) -> np.ndarray:
    """Whether each row has one of some values, (rows,)."""
    codes, texts = pd.factorize(column)
    return np.array([value in values for value in cells.values(texts)], bool)[codes]


def released(column: "pd.Series") -> np.ndarray:
    """Who is released: some are, and some are not."""
    rule, words = "both 0 and 1, false and true, or no and yes", column.str.lower()
    pair = next((pair for pair in PAIRS if words.iloc[0] in pair), PAIRS[0])
    refuse_first(column, ~words.isin(pair).to_numpy(), rule)
    inside = (words == pair[1]).to_numpy(bool)
    refuse_first(column, np.full(len(inside), inside.all() == inside.any()), rule)
    return inside


def refuse_first(column: "pd.Series", odd: np.ndarray, rule: str, hint: str = "") -> None:
    """Refuse a column by the first of its odd rows, if there is one."""
    if odd.any():
        row, entry = column.index[odd.argmax()], column.iloc[odd.argmax()]
        got = f"{short(entry)} in row {row} below the names{hint}"
        raise ValueError(f"column {column.name} must hold {rule}, got {got}")
