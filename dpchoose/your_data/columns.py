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

TRUTHS = ("false", "true")
PAIRS = (("0", "1"), TRUTHS, ("no", "yes"))
WHOLE = 2**53 - 1  # up to here no other integer has the same float
NUMBERS = "finite numbers"
SIZES = "0 or numbers from 1e-100 to 1e100 in size"
INTEGERS = "integers that a float can tell apart"


class Numbers:
    """The numbers of a column that goes by in chunks, and the first entries that are none.

    Attributes:
        misfits: by the rule that it breaks the first row whose entry does not fit, and the entry.
        truth: the first row of a chunk of nothing but true and false, and its entry.
        mixed: whether there was another chunk: then true and false are no numbers either.
        chunks: the numbers that are kept.
    """

    def __init__(self, name: str, decimal: str = ".", thousands: str = "") -> None:
        spaces = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
        between = spaces if thousands == " " else thousands
        grouped = rf"|[0-9]{{1,3}}(?:[{between}][0-9]{{3}})+" if between else ""
        size = rf"(?:(?:[0-9]+{grouped})(?:[{decimal}][0-9]*)?|[{decimal}][0-9]+)"
        sign = "[+\\-\N{MINUS SIGN}]?"
        self.entry = re.compile(f"{sign}{size}(?:[eE]{sign}[0-9]+)?")
        self.signs = str.maketrans(f"\N{MINUS SIGN}{decimal}", "-.", between)
        self.name = name
        self.misfits: dict[str, tuple[int, str]] = {}
        self.truth: tuple[int, str] | None = None
        self.mixed = False
        self.chunks: list[np.ndarray] = []

    def add(self, column: pd.Series) -> None:
        """Keep the numbers of a chunk."""
        self.chunks.append(self.floats(column))

    def floats(self, column: pd.Series) -> np.ndarray:
        """The numbers of a chunk, (rows,); nan where an entry is not written as a number."""
        codes, entries = pd.factorize(column)

        def first(place: int) -> tuple[int, str]:
            """The first row that holds an entry, and the entry."""
            return column.index[np.argmax(codes == place)], entries[place]

        if all(entry.lower() in TRUTHS for entry in entries):
            if len(entries) and self.truth is None:
                self.truth = first(0)
            return np.array([entry.lower() == "true" for entry in entries], float)[codes]
        self.mixed = True
        written = [entry if self.entry.fullmatch(entry) else "nan" for entry in entries]
        plain = "\n".join(written).translate(self.signs).split("\n")
        numbers = np.fromiter(map(float, plain), float, len(plain))
        sizes = np.abs(numbers)
        for place in np.flatnonzero(~((sizes >= SMALLEST) & (sizes <= WHOLE))).tolist():
            rule = _broken_rule(plain[place], float(numbers[place]))
            if rule and rule not in self.misfits:
                self.misfits[rule] = first(place)
        return numbers[codes]

    def refuse(self) -> None:
        """Refuse the column with the first row that does not fit, if there is one."""
        misfits = [(rule != NUMBERS, *first, rule) for rule, first in self.misfits.items()]
        if self.truth and self.mixed:
            misfits.append((False, *self.truth, NUMBERS))
        if misfits:
            _, row, entry, rule = min(misfits)
            comma = rule == NUMBERS and "," in entry
            raise misfit(self.name, row, entry, rule, ": add --decimal , or --thousands ," * comma)

    def whole(self) -> np.ndarray:
        """The numbers of the column, where all of them fit."""
        self.refuse()
        return np.concatenate(self.chunks)


class Missing:
    """The rows that miss a value, by column, of a table that goes by in chunks.

    Attributes:
        words: those that mean a missing value.
        seen: those of them that occur.
        rows: that miss a value, by column.
    """

    def __init__(self, words: frozenset[str]) -> None:
        self.words = words
        self.seen: set[str] = set()
        self.rows: dict[str, list[int]] = defaultdict(list)

    def left_out(self, table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
        """The rows of a chunk that miss nothing in these columns; the others are noted."""
        complete = np.ones(len(table), bool)
        for name in {*names}:
            words = self.words.intersection(table[name].cat.categories)
            missing = table[name].isin(words).to_numpy()
            self.seen |= words
            self.rows[name] += table.index[missing].tolist()
            complete &= ~missing
        return table[complete]

    def refuse(self, names: list[str]) -> None:
        """Refuse the first of these columns that misses a value."""
        for name in names:
            if rows := self.rows[name]:
                ways = "drop them (--drop-missing) or fill them in"
                hint = f", the first of {len(rows)}: {ways}"
                raise misfit(name, rows[0], np.nan, "a value in every row", hint)


def released(column: pd.Series) -> np.ndarray:
    """Who is released: some are, and some are not."""
    words = column.str.lower()
    pair = next((pair for pair in PAIRS if words.iloc[0] in pair), PAIRS[0])
    odd = column[~words.isin(pair)]
    if len(odd) or words.nunique() < 2:
        row = odd.index[0] if len(odd) else column.index[0]
        rule = "both 0 and 1, false and true, or no and yes"
        raise misfit(column.name, row, column[row], rule)
    return (words == pair[1]).to_numpy(bool)


def refuse_repeats(column: pd.Series, most: int) -> None:
    """Refuse a file in which a person has more rows than a public limit."""
    rows = column.value_counts()
    if rows.max() > most:
        rule = "once" if most == 1 else f"at most {most} times"
        got = f"{(rows > most).sum()} with more rows"
        hint = f"add up a person's rows first, table.groupby({column.name!r}).sum(min_count=1)"
        raise ValueError(f"column {column.name} must name each person {rule}, got {got}: {hint}")


def misfit(name: object, row: int, entry: object, rule: str, hint: str = "") -> ValueError:
    """A rule of a column, and the first row whose entry breaks it."""
    return ValueError(f"column {name} must hold {rule}, got {short(entry)} in row {row}{hint}")


def _broken_rule(text: str, number: float) -> str:
    """The rule that the number of a text breaks, or none."""
    if np.isnan(number):
        return NUMBERS
    if not SMALLEST <= abs(number) <= LARGEST and re.match("[^eE]*[1-9]", text):
        return SIZES
    if re.fullmatch(r"[+-]?\d+\.?0*", text) and Decimal(text) != Decimal(number):
        return INTEGERS
    return ""
