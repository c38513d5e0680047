"""The scorecard: the check tables of all chapters, as one page shows them."""

from __future__ import annotations

import typing
from html import escape

from dpbook import ledger, published, tables

if typing.TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

COUNTED = ["agrees", "explained"]


def pieces(card: pd.DataFrame) -> pd.DataFrame:
    """A row per source: how many of its values have which verdict.

    Args:
        card: from :func:`dpbook.published.scorecard`.
    """
    counts = (
        card.groupby(_sources(card), sort=False)["verdict"].value_counts().unstack(fill_value=0)
    )
    counts = counts.reindex(columns=COUNTED, fill_value=0)
    counts.columns = ["agree", "explained"]
    counts.insert(0, "values", counts.sum(axis=1))
    return counts.rename_axis("source").reset_index()


def explained(card: pd.DataFrame) -> HTML:
    """A row per statement that is explained: its value that is farthest off, and the reason."""
    import pandas as pd
    from IPython.display import HTML

    rows = card[card["verdict"] == "explained"]
    facts = [published.fact_of()[address] for address in rows.index]
    worst = [group.loc[_farthest(group)] for _, group in rows.groupby(facts, sort=False)]
    others = [len(group) - 1 for _, group in rows.groupby(facts, sort=False)]
    frame = pd.DataFrame(worst).assign(
        what=[_named(row, _more(count)) for row, count in zip(worst, others, strict=True)],
        reason=[_reason(row) for row in worst],
    )
    columns = {"what": "what", "published": "printed", "reproduced": "computed", "reason": "reason"}
    shown = tables.table(frame[[*columns]].rename(columns=columns), html=["what", "reason"])
    return HTML(f'<div class="explained">{shown.data}</div>')


def by_source(card: pd.DataFrame) -> HTML:
    """Every value, folded by its source."""
    from IPython.display import HTML

    texts = []
    for source, rows in card.groupby(_sources(card), sort=False):
        agree, all_of = int((rows["verdict"] == "agrees").sum()), len(rows)
        how_many = f"{agree} of {all_of} agree" if agree < all_of else f"all {all_of} agree"
        texts.append(tables.folded(f"{source}: {how_many}", tables.scorecard_table(rows)).data)
    return HTML("".join(texts))


def _sources(card: pd.DataFrame) -> list[str]:
    facts = published.facts()
    return [facts[published.fact_of()[address]]["source"] for address in card.index]


def _farthest(rows: pd.DataFrame) -> str:
    """The address of the row with the largest difference; the first where none is a number."""
    return rows["difference"].fillna(-1).idxmax()


def _more(count: int) -> str:
    return f" (farthest off of {count + 1})" if count else ""


def _named(row: pd.Series, more: str) -> str:
    (slug, *_) = row["chapters"]
    return (
        f'<a href="{slug}.html#{row.name}">{escape(row["quantity"])}</a>{more}'
        f"<br><small>{escape(row['place'])}</small>"
    )


def _reason(row: pd.Series) -> str:
    title = ledger.titles()[published.fact_of()[row.name]]
    return f'{escape(row["cause"])} (<a href="errata.html#{published.address(title)}">run</a>)'
