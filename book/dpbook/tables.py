"""Tables, as the pages show them: pandas' own, with one look for all."""

import decimal
import math
import re
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence

import pandas as pd
from IPython import get_ipython
from IPython.display import HTML, Markdown
from pandas.api.types import is_float_dtype, is_numeric_dtype

from dpchoose.numbers import round_down, round_up

SCROLLING = '<div class="wide-table" role="group" aria-label="table" tabindex="0">{}</div>'
FOLDED = "<details>\n<summary>{of}: {many}</summary>\n\n{rows}\n\n</details>"


def table(
    frame: pd.DataFrame,
    digits: int = 4,
    *,
    words: Mapping[str, Callable[[float], str]] | None = None,
    html: Collection[str] = (),
) -> HTML:
    """A DataFrame without its index: numbers to the right, text escaped.

    Thousands are set apart, a column has no more decimals than its numbers need, and
    no line breaks within a set such as {1, 2, 10}.

    A column of floats whose name begins with ε or epsilon holds epsilons, and
    is rounded down; noise scales and errors are rounded up, a 95% error to
    two digits; a belief, before or after, is in per cent, and a factor has
    three digits. What is wider than the page scrolls by itself.

    Args:
        frame: what to show; a missing value is left blank, a missing epsilon
            is "none".
        digits: after the decimal point of floats, at most.
        words: for a column of numbers, how one is written.
        html: the columns whose cells are HTML already.

    >>> import pandas as pd
    >>> shown = table(pd.DataFrame({"ε by <": [0.38298, math.nan], "of": ["a & b", "c"]})).data
    >>> [text in shown for text in ("ε by &lt;", ">0.3829<", ">none<", "a &amp; b")]
    [True, True, True, True]
    >>> shown = table(pd.DataFrame({"records": [5048.0], "mean": [2.835], "of": "{1, 2}"}), 3).data
    >>> [text in shown for text in (">5,048<", ">2.835<", ">{1,\u00a02}<")]
    [True, True, True]
    """
    numbers = [name for name in frame if is_numeric_dtype(frame[name])]
    plain = frame.reset_index(drop=True)
    plain = plain.apply(lambda of: of if of.name in numbers else of.map(_unbroken))
    uuid = f"{zlib.crc32(plain.to_csv().encode()):08x}"  # the same at every run
    style = plain.style.hide(axis="index").set_uuid(uuid).format_index(escape="html", axis=1)
    sides = {}
    for name, column in plain.items():
        by_name = _by_name(str(name)) if is_float_dtype(column) else None
        style.format(
            (words or {}).get(name, by_name),
            subset=[name],
            na_rep="none" if str(name).startswith(("ε", "epsilon")) else "",
            precision=_precision(column, digits),
            thousands=",",
            escape=None if name in html else "html",
        )
        look = f"text-align: {'right' if name in numbers else 'left'}; white-space: pre-line"
        sides[name] = [{"selector": "", "props": look}]
    style.set_table_styles(sides)
    text = style.to_html(table_attributes='class="dataframe numbers"')
    return HTML(SCROLLING.format(text))


def _unbroken(cell: object) -> object:
    """A text without line breaks within a set."""
    if not isinstance(cell, str):
        return cell
    return re.sub(r"\{[^{}]*\}", lambda found: found[0].replace(" ", "\u00a0"), cell)


def _precision(column: pd.Series, most: int) -> int:
    """After the decimal point: as many as show all numbers of a column exactly, or the most."""
    if not is_float_dtype(column):
        return most
    exact = (n for n in range(most) if not (column.round(n) - column).abs().gt(1e-9).any())
    return next(exact, most)


def _by_name(name: str) -> Callable[[float], str] | None:
    """How the numbers of a column are written, if not to a number of digits."""
    if name.startswith(("ε", "epsilon")):
        return lambda epsilon: "any" if math.isinf(epsilon) else round_down(epsilon)
    if name == "before" or name.startswith("after") or name.endswith("→"):
        return _per_cent
    if name.startswith("×") or name.endswith("factor"):
        return _times
    if name.endswith("95% error"):
        return _two_digits
    if name.endswith(("noise scale", "half-width", "relative error")):
        return lambda value: round_up(value) if value else "0"
    return None


def _per_cent(belief: float) -> str:
    """A belief to three digits; 100% is said of nothing less.

    >>> [_per_cent(belief) for belief in (1 / 3, 1 / 5912, 0.99996, 1.0)]
    ['33.3%', '0.0169%', 'over 99.9%', '100%']
    """
    text = f"{100 * belief:.3g}%"
    return "over 99.9%" if text == "100%" and belief < 1 - 1e-12 else text


def _times(factor: float) -> str:
    """A factor of odds to three digits, or in whole numbers.

    >>> [_times(factor) for factor in (4.7416, 591.1, 21590.2, math.inf)]
    ['4.74', '591', '21,590', 'without limit']
    """
    if math.isinf(factor):
        return "without limit"
    return f"{factor:,.0f}" if factor >= 100 else f"{factor:.3g}"


def _two_digits(error: float) -> str:
    """An error as it is read out: two digits, rounded up.

    >>> _two_digits(0.01387), _two_digits(8.181), _two_digits(19.61)
    ('0.014', '8.2', '20')
    """
    room = decimal.Context(prec=2, rounding=decimal.ROUND_CEILING)
    return f"{room.create_decimal(decimal.Decimal(error * (1 - 1e-12))):f}"


def show_frames(digits: int = 4) -> None:
    """Let every DataFrame of a running notebook show itself as :func:`table`, to these digits."""
    shell = get_ipython()
    if shell is not None:
        formatter = shell.display_formatter.formatters["text/html"]
        formatter.for_type(pd.DataFrame, lambda frame: table(frame, digits).data)


def check_table(rows: pd.DataFrame, of: str = "Published beside reproduced") -> Markdown:
    """Published values beside ours, folded under how many have which verdict.

    Args:
        rows: from :func:`dpbook.published.compare` or :func:`dpbook.published.gathered`.
        of: whose they are.
    """
    counts = rows["verdict"].value_counts()
    many = ", ".join(f"{n} {word if n == 1 else word.rstrip('s')}" for word, n in counts.items())
    page = "](published.ipynb#" + rows["erratum"].str.lower().str.replace(" ", "-") + ")"
    linked = ("[" + rows["verdict"] + page).where(rows["erratum"] != "", rows["verdict"])
    value = rows["quantity"] + ", " + rows["where"]
    shown = rows.assign(value=value, verdict=linked).replace(r"\|", "&#124;", regex=True)
    kept = ["value", "printed", "ours", "verdict", *(["chapters"] if "chapters" in rows else [])]
    head, *lines = [f"| {' | '.join(row)} |" for row in [kept, *shown[kept].to_numpy()]]
    drawn = "\n".join([head, f"|{'---|' * len(kept)}", *lines])
    return Markdown(FOLDED.format(of=of, many=many, rows=drawn))


def members(values: Sequence[float]) -> str:
    """A dataset as a set is written: {1, 2, 10}.

    >>> members([1.0, 2.0, 10.0])
    '{1, 2, 10}'
    """
    return "{" + ", ".join(f"{value:g}" for value in values) + "}"
