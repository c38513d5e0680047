"""What a column of a file means, as it goes by in chunks, and its first row that does not fit.

A chunk is a column of text, rows numbered as in the file. What does not fit is noted, and refused
when the whole column was seen."""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import Decimal

import numpy as np

from dpchoose.checks import LARGEST, SMALLEST, short
from dpchoose.your_data.later import pd

PAIRS = (("0", "1"), ("false", "true"), ("no", "yes"))
WHOLE = 2**53 - 1  # up to here no other integer has the same float


def categorical(texts: list[str], missing: frozenset[str], seen: set[str]) -> pd.Categorical:
    """A column of texts, each distinct text once, without those that mean a missing value.

    Those that occurred are added to ``seen``.
    """
    codes, entries = pd.factorize(np.array(texts, object))
    present = [text not in missing for text in entries]
    seen |= missing.intersection(entries)
    places = np.where(present, np.cumsum(present) - 1, -1)
    return pd.Categorical.from_codes(places[codes], entries[present], validate=False)


class Numbers:
    """The numbers of a column that goes by in chunks, and the first entries that are none.

    Attributes:
        truth: the first row of a chunk of nothing but true and false, and its entry.
        mixed: whether there was another chunk: then true and false are no numbers either.
        odd: the first row whose entry is not written as a number, and that entry.
        unfit: the first row whose number no float can hold, its entry, and the rule that it breaks.
    """

    def __init__(self, decimal: str, thousands: str) -> None:
        sign, point = re.escape(thousands), re.escape(decimal)
        grouped = rf"|[0-9]{{1,3}}(?:{sign}[0-9]{{3}})+" if sign else ""
        size = rf"(?:(?:[0-9]+{grouped})(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?"
        self.entry = re.compile(f"[+-]?{size}")
        self.lines = re.compile(rf"(?:[+-]?{size}\n)*+[+-]?{size}")
        self.decimal, self.thousands = decimal, thousands
        self.name: object = None
        self.truth: tuple[int, str] | None = None
        self.mixed = False
        self.odd: tuple[int, str] | None = None
        self.unfit: tuple[int, str, str] | None = None

    def floats(self, column: pd.Series) -> np.ndarray:
        """The numbers of a chunk, (rows,); all nan where an entry is not written as a number."""
        self.name = column.name
        codes, entries = pd.factorize(column)

        def row(place: int) -> int:
            """The first row that holds an entry."""
            return column.index[np.argmax(codes == place)]

        if all(entry.lower() in ("true", "false") for entry in entries):
            if len(entries) and self.truth is None:
                self.truth = row(0), entries[0]
            return np.array([entry.lower() == "true" for entry in entries], float)[codes]
        self.mixed = True
        lines = self._signs("\n".join(entries))
        if lines.count("\n") >= len(entries) or not self.lines.fullmatch(lines):
            if self.odd is None:
                odd = next(
                    k
                    for k, text in enumerate(entries)
                    if not self.entry.fullmatch(self._signs(text))
                )
                self.odd = row(odd), entries[odd]
            return np.full(len(column), np.nan)
        plain = lines.replace(self.thousands, "").replace(self.decimal, ".").split("\n")
        numbers = np.fromiter(map(float, plain), float, len(plain))
        sizes = np.abs(numbers)
        for place in np.flatnonzero((sizes < SMALLEST) | (sizes > WHOLE)).tolist():
            rule = _unfit(plain[place], float(numbers[place]))
            if rule and self.unfit is None:
                self.unfit = row(place), entries[place], rule
        return numbers[codes]

    def _signs(self, text: str) -> str:
        """A text with plain signs: a minus that is none, and spaces that do not break."""
        text = text.replace("\N{MINUS SIGN}", "-")
        if self.thousands == " ":
            text = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
        return text

    def refuse(self) -> None:
        """Refuse the column with the first row that does not fit, if there is one."""
        words = [word for word in (self.odd, self.truth) if word and self.mixed]
        if words:
            hint = ": add --decimal , or --thousands ," * ("," in min(words)[1])
            raise _misfit(self.name, *min(words), "finite numbers", hint)
        if self.unfit:
            raise _misfit(self.name, *self.unfit)


class Texts:
    """The texts of a column that goes by in chunks, each distinct text kept once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.codes: list[pd.Series] = []

    def add(self, column: pd.Series) -> None:
        """Keep a chunk, a categorical column that misses no value."""
        entries = column.cat.categories
        places = [self.places.setdefault(text, len(self.places)) for text in entries]
        codes = np.array(places, np.int32)[column.cat.codes]
        self.codes.append(pd.Series(codes, column.index, name=column.name))

    def whole(self) -> pd.Series:
        """The column, as far as it was kept, with its rows."""
        codes = pd.concat(self.codes)
        return pd.Series(np.array([*self.places], object)[codes], codes.index, name=codes.name)


class Missing:
    """What is missing in a table that goes by in chunks: by column the first row, and how often."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.counts: dict[str, int] = defaultdict(int)

    def left_out(self, table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
        """The rows of a chunk that miss nothing in these columns; the others are noted."""
        for name in dict.fromkeys(names):
            missing = table[name].isna()
            if missing.any():
                self.rows.setdefault(name, missing.idxmax())
                self.counts[name] += missing.sum()
        return table.dropna(subset=names) if self.rows else table

    def refuse(self, names: list[str]) -> None:
        """Refuse the first of these columns that misses a value."""
        for name in names:
            if name in self.rows:
                ways = "drop them (--drop-missing) or fill them in"
                hint = f", the first of {self.counts[name]}: {ways}"
                raise _misfit(name, self.rows[name], np.nan, "a value in every row", hint)


def released(column: pd.Series) -> np.ndarray:
    """Who is released: some are, and some are not."""
    entries = column.drop_duplicates()
    words = entries.str.lower()
    pair = next((pair for pair in PAIRS if words.iloc[0] in pair), PAIRS[0])
    odd = entries[~words.isin(pair)]
    if len(odd) or words.nunique() < 2:
        worst = odd if len(odd) else entries
        rule = "both 0 and 1, false and true, or no and yes"
        raise _misfit(column.name, worst.index[0], worst.iloc[0], rule)
    return column.isin(entries[words == pair[1]]).to_numpy(bool)


def refuse_repeats(column: pd.Series, most: int) -> None:
    """Refuse a file in which a person has more rows than a public limit."""
    rows = column.value_counts()
    if rows.max() > most:
        rule = "once" if most == 1 else f"at most {most} times"
        got = f"{(rows > most).sum()} with more rows"
        hint = f"add up a person's rows first, table.groupby({column.name!r}).sum(min_count=1)"
        raise ValueError(f"column {column.name} must name each person {rule}, got {got}: {hint}")


def _unfit(text: str, number: float) -> str:
    """The rule that the number of a text breaks, or none."""
    if not SMALLEST <= abs(number) <= LARGEST and re.match("[^eE]*[1-9]", text):
        return "0 or numbers from 1e-100 to 1e100 in size"
    if re.fullmatch(r"[+-]?\d+\.?0*", text) and Decimal(text) != Decimal(number):
        return "integers that a float can tell apart"
    return ""


def _misfit(name: object, row: int, entry: object, rule: str, hint: str = "") -> ValueError:
    """A rule of a column, and the first row whose entry breaks it."""
    return ValueError(f"column {name} must hold {rule}, got {short(entry)} in row {row}{hint}")
