"""A column of a file as it goes by in chunks: categorical texts, rows numbered as in the file.

The first row that does not fit is refused."""

import numpy as np

from dpchoose import later as pd
from dpchoose.checks import short
from dpchoose.your_data.cells import FINITE, Cells, Value

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
        comma = ": add --decimal , or --thousands ," * (rule == FINITE and "," in text)
        refuse_first(column, odd, rule, comma)
    return numbers[codes]


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
