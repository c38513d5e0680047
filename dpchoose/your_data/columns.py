"""A column of a file as it goes by in chunks: categorical texts, rows numbered as in the file.

The first row that does not fit is refused: whole on a terminal, and in a log without what it holds.
"""

import re
from collections.abc import Iterable
from itertools import product
from typing import Self

import numpy as np

from dpchoose import later as pd
from dpchoose.checks import short
from dpchoose.your_data.cells import FINITE, Cells, Value

THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # 52.000, as much as 52 or as 52,000
CURRENCY = re.compile(r"[-+($€£¥\s]*[0-9][0-9.,'\s]*[$€£¥%\s)]*")
DATE = re.compile(r"(?<![0-9.])[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?![0-9.])")
A_DATE = ": is it a date? Count the days from a public one, in a column of numbers"
SHOWN = ", got what a terminal shows"
PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))


class Refused(ValueError):
    """What stands in a file and does not fit.

    Attributes:
        logged: what a log may keep of it: the argument, its rule and the way on, and no value.
    """

    def __init__(self, text: str, logged: str | None = None) -> None:
        super().__init__(text)
        self.logged = text if logged is None else logged

    @classmethod
    def of(cls, rule: str, got: str, hint: str = "", hint_of_log: str | None = None) -> Self:
        """With what was got between the rule and the way on; that of a log may be another one."""
        way = hint if hint_of_log is None else hint_of_log
        return cls(f"{rule}, got {got}{hint}", rule + SHOWN + way)


def without_value(text: str) -> str:
    """A refusal, or its rule, for a log: without what was got.

    >>> without_value("days must be a number, got 'Terry Pratchett'")
    'days must be a number, got what a terminal shows'
    """
    return text.partition(", got ")[0] + SHOWN


def floats(column: "pd.Series", cells: Cells) -> np.ndarray:
    """The numbers of a chunk, (rows,); a text that is none is refused."""
    codes, texts = pd.factorize(column)
    values = cells.values(texts)
    numbers = np.array([np.nan if isinstance(value, str) else value for value in values], float)
    odd = np.isnan(numbers)[codes]
    if odd.any():
        text = column.iloc[odd.argmax()]
        rule = cells.rule(text)
        hints = _hints(text, [*texts], cells) if rule == FINITE else ("", "")
        refuse_first(column, odd, rule, *hints)
    return numbers[codes]


def _hints(text: str, texts: list[str], cells: Cells) -> tuple[str, str]:
    """What to do about a text that is no number, for a terminal and for a log.

    They are signs with which more of the texts are numbers.

    >>> _hints("1,500", ["1,500", "20"], Cells())
    (': is it 1500 (--thousands ,) or 1.5 (--decimal ,)?', ': is it --thousands , or --decimal ,?')
    >>> _hints("$1,500", ["$1,500"], Cells())
    (': take the $ out', ': take the $ out')
    """
    read = [one for one in texts if not isinstance(cells.value(one), str)]
    meanings: dict[str, str] = {}
    for decimal, sign in product(".,", ("", *",. '")):
        if decimal == sign:
            continue
        other = Cells(decimal, sign)
        value = other.value(text)
        if not (isinstance(value, str) or any(isinstance(other.value(one), str) for one in read)):
            meanings.setdefault(f"{value:.15g}", _options(other, cells))
    if meanings:
        return _is_it(meanings)
    hint = ""
    if CURRENCY.fullmatch(text) and (sign := re.search("[$€£¥%]", text)):
        hint = f": take the {sign[0]} out"
    elif re.fullmatch(r"\([0-9.,' ]+\)", text):
        hint = ": write it with a minus, and without brackets"
    elif re.fullmatch(r"[+-]?[0-9]{1,2}(,[0-9]{2})*,[0-9]{3}(\.[0-9]+)?", text):
        hint = ": write it without its commas"
    elif DATE.match(text):
        hint = A_DATE
    return hint, hint


def _is_it(meanings: dict[str, str]) -> tuple[str, str]:
    """Which numbers a text may be, each with its options; and for a log the options alone."""
    seen = " or ".join(f"{number} ({options})" for number, options in meanings.items())
    return f": is it {seen}?", f": is it {' or '.join(meanings.values())}?"


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
                meanings = {f"{float(text):g}": "--decimal ."}
                meanings[text.replace(".", "")] = "--decimal , --thousands ."
                rule = "numbers whose point has one meaning"
                refuse_first(column, np.ones(len(column), bool), rule, *_is_it(meanings))


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


def refuse_first(
    column: "pd.Series", odd: np.ndarray, rule: str, hint: str = "", hint_of_log: str | None = None
) -> None:
    """Refuse a column by the first of its odd rows, if there is one."""
    if odd.any():
        row, entry = column.index[odd.argmax()], column.iloc[odd.argmax()]
        got = f"{short(entry)} in row {row} below the names"
        raise Refused.of(f"column {column.name} must hold {rule}", got, hint, hint_of_log)
