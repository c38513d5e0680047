"""Every published value with its verdict, gathered from the chapters that were run."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from dpbook import published
from dpbook.tables import CHECKED, cards, check_cells

if typing.TYPE_CHECKING:
    import pandas as pd

VERDICTS = {"agrees": "agree", "explained": "are explained", "differs": "differ"}


def gather(executed: Path) -> pd.DataFrame:
    """The check tables of all chapters, as one.

    Args:
        executed: the folder of the executed chapters.

    Returns:
        a row per part of each fact, in the order of the facts, its index the
        address of the row on the chapter's page: the columns of
        :func:`dpbook.published.compare` as they are shown, and chapters,
        the slug and the title of each one that checks it.

    Raises:
        ValueError: a fact that no chapter checks.
    """
    import pandas as pd

    rows: dict[str, dict[str, Any]] = {}
    for path in sorted(executed.glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        title = "".join(cells[0]["source"]).lstrip("# ").partition("\n")[0]
        for cell in cells:
            for output in cell.get("outputs", []):
                checked = output.get("metadata", {}).get("text/html", {}).get(CHECKED, {})
                for address, row in checked.items():
                    others = rows.get(address, {}).get("chapters", ())
                    rows[address] = row | {"chapters": (*others, (path.stem, title))}
    missing = [address for address in published.addresses() if address not in rows]
    if missing:
        raise ValueError(f"each fact must have a verdict, none for {', '.join(missing)}")
    return pd.DataFrame.from_dict(rows, orient="index").loc[published.addresses()]


def summary(card: pd.DataFrame) -> str:
    """How many values there are, and how many have each verdict, in words.

    >>> import pandas as pd
    >>> summary(pd.DataFrame({"verdict": ["agrees", "agrees", "explained"]}))
    'Of 3 published values 2 agree, 1 are explained and 0 differ'
    """
    counts = [f"{(card.verdict == name).sum()} {words}" for name, words in VERDICTS.items()]
    return f"Of {len(card)} published values {', '.join(counts[:-1])} and {counts[-1]}"


def as_html(card: pd.DataFrame) -> str:
    """The scorecard as a page shows it, with a choice of verdicts that needs no script.

    Args:
        card: from :func:`gather`.

    >>> import pandas as pd
    >>> row = dict.fromkeys(published.COLUMNS, "") | {"verdict": "agrees", "chapters": ()}
    >>> 'data-verdict="agrees"' in as_html(pd.DataFrame([row]))
    True
    """
    choices = [("all", f"all {len(card)}", "checked")]
    for name, words in VERDICTS.items():
        count = (card.verdict == name).sum()
        choices.append((name, f"{count} that {words}", "" if count else "disabled"))
    radios = "".join(
        f'<label><input type="radio" name="verdict" value="{name}" {state}> {words}</label>'
        for name, words, state in choices
    )
    rows = {
        f'data-verdict="{row["verdict"]}" data-fact="{address}"': check_cells(row)
        | {"chapter": _links(address, row["chapters"])}
        for address, row in card.to_dict("index").items()
    }
    return (
        f'<div class="scorecard"><fieldset><legend>Show</legend>{radios}</fieldset>'
        f"{cards(rows)}</div>"
    )


def _links(address: str, chapters: Iterable[tuple[str, str]]) -> str:
    return "<br>".join(
        f'<a href="chapters/{slug}.html#{address}" title="{escape(title)}">{slug}</a>'
        for slug, title in chapters
    )
