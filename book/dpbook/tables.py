"""Tables, as the pages show them."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Mapping, Sequence
from html import escape

from dpbook import published
from dpchoose.epsilon.choose import round_down

if typing.TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

CHECKED = "dpchoose_checked"  # the key of a check table's rows in its cell's metadata


def table(frame: pd.DataFrame, digits: int | Mapping[str, int] = 4) -> HTML:
    """A DataFrame without its index, as it is shown on a page.

    Args:
        frame: what to show; a missing value is left blank.
        digits: after the decimal point of floats, for all columns or by name.
    """
    from IPython.display import HTML

    def decimals(column: str) -> Callable[[float], str]:
        places = digits if isinstance(digits, int) else digits.get(column, 4)
        return lambda value: f"{value:.{places}f}"

    floats = frame.select_dtypes("float").columns
    text = frame.to_html(
        index=False,
        border=0,
        na_rep="",
        justify="left",
        classes="numbers",
        formatters={column: decimals(column) for column in floats},
    )
    return HTML(scrolling(text))


def members(values: Sequence[float]) -> str:
    """A dataset as a set is written: {1, 2, 10}.

    >>> members([1.0, 2.0, 10.0])
    '{1, 2, 10}'
    """
    return "{" + ", ".join(f"{value:g}" for value in values) + "}"


def shown(epsilon: float) -> str:
    """An epsilon in a table: rounded down, or "any", or "none" for nan.

    >>> shown(0.38298), shown(math.nan)
    ('0.3829', 'none')
    """
    return "none" if math.isnan(epsilon) else round_down(epsilon)


def scrolling(table: str) -> str:
    """The HTML of a table that scrolls by itself where the page is narrow."""
    return f'<div class="wide-table" role="group" aria-label="table" tabindex="0">{table}</div>'


def check_table(comparison: pd.DataFrame, *, scored: bool = False) -> HTML:
    """A comparison as a table; each row can be linked to.

    Args:
        comparison: from :func:`dpbook.published.compare`.
        scored: whether the rows go with the cell as data too, for the
            scorecard.
    """
    from IPython.display import HTML

    shown = comparison.assign(difference=comparison.difference.map(_small)).to_dict("index")
    rows = {f'id="{address}"': check_cells(row) for address, row in shown.items()}
    return HTML(cards(rows), metadata={CHECKED: shown} if scored else None)


def check_cells(row: Mapping[str, str]) -> dict[str, str]:
    """A row of a comparison as HTML, by column.

    The place stands under the quantity, the cause under the verdict.

    >>> check_cells(dict.fromkeys(published.COLUMNS, "<"))["published"]
    '&lt;'
    """
    text = {name: escape(row[name]) for name in published.COLUMNS}
    cause = f"<small>{text['cause']}</small>" if text["cause"] else ""
    verdict = f'<b class="{text["verdict"]}">{text["verdict"]}</b> {cause}'
    quantity = f"{text['quantity']} <small>{text['place']}</small>"
    plain = {name: text[name] for name in ("published", "reproduced", "difference")}
    return {"quantity": quantity, **plain, "verdict": verdict}


def linked_table(frame: pd.DataFrame) -> HTML:
    """A table of texts whose first column links to the sections of its own page.

    Args:
        frame: its index holds the addresses of the sections, as
            :func:`dpbook.published.address` makes them of their titles.

    >>> import pandas as pd
    >>> '<a href="#setup">N &lt; 3</a>' in linked_table(
    ...     pd.DataFrame({"what": ["N < 3"]}, index=["setup"])
    ... ).data
    True
    """
    from IPython.display import HTML

    rows = {}
    for address, row in frame.to_dict("index").items():
        first, *others = row
        link = f'<a href="#{address}">{escape(row[first])}</a>'
        cells = {first: link} | {name: escape(row[name]) for name in others}
        rows[f'data-section="{address}"'] = cells
    return HTML(cards(rows))


def cards(rows: Mapping[str, Mapping[str, str]]) -> str:
    """The HTML of a table that becomes a card for each row where the page is narrow.

    Args:
        rows: the attributes of each row, to its cells: column to HTML, the
            same columns in each. Roles are spelled out, as a card's layout
            takes them from a table.

    >>> cards({'id="x"': {"a": "1"}}).count('role="cell" data-label="a"')
    1
    """
    first = next(iter(rows.values()))
    head = "".join(f'<th role="columnheader" scope="col">{name}</th>' for name in first)
    body = ""
    for attributes, cells in rows.items():
        row = [f'<td role="cell" data-label="{name}">{cell}</td>' for name, cell in cells.items()]
        body += f'<tr role="row" {attributes}>{"".join(row)}</tr>'
    return (
        '<table class="dataframe numbers cards" role="table"><thead role="rowgroup">'
        f'<tr role="row">{head}</tr></thead><tbody role="rowgroup">{body}</tbody></table>'
    )


def _small(difference: float) -> str:
    if difference != difference:
        return ""
    if difference == 0:
        return "0"
    return f"{difference:.1f}" if difference >= 0.1 else f"{difference:.0e}"
