"""A page on which a risk is dragged, and everything that follows from it is looked up."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np

from dpbook import figures
from dpbook.bounds import curves_of
from dpchoose import checks
from dpchoose.epsilon.recommend import recommend
from dpchoose.epsilon.recommendation import Recommendation
from dpchoose.epsilon.text import parse_risk, round_down, show
from dpchoose.sensitivity import global_sensitivity

if typing.TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML
    from matplotlib.figure import Figure

CELLS = {  # the bounds as they are named on the page and in the table of recommendations
    "tight": "tight bound",
    "shell": "shell bound",
    "upper": "upper bound",
    "any": "any mechanism",
    "average": "average case",
}
Entry = Mapping[str, Any]
POINTS = 161  # of a curve


@dataclass(frozen=True)
class Records:
    """A column that can be chosen on the page.

    Attributes:
        dataset: how the page names the data.
        column: how it names the column.
        values: the universe, shape (N,).
        release_size: n, in [1, N - 1].
    """

    dataset: str
    column: str
    values: Any
    release_size: int


def stops() -> list[str]:
    """The risks at which the slider stops, in ascending order.

    >>> stops()[:4], "1/3" in stops(), len(stops())
    (['0.001', '0.002', '0.005', '0.01'], True, 46)
    """
    texts = ["0.001", "0.002", "0.005", "1/3", "2/3", "0.25", "0.75", "0.99"]
    texts += [f"0.0{percent}" for percent in range(1, 10)]
    texts += [f"{percent / 100:g}" for percent in [*range(10, 50, 2), *range(50, 100, 5)]]
    return sorted(set(texts), key=parse_risk)


def round_up(value: float, digits: int = 4) -> str:
    """A scale of noise as it may be shown: never less than it is.

    Args:
        value: finite, at least 0.
        digits: significant ones, at least 1.

    >>> round_up(6.56288), round_up(0.0), round_up(12345.6)
    ('6.563', '0', '12350')
    """
    exact = Decimal(value)
    if not exact:
        return "0"
    place = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return f"{exact.quantize(place, ROUND_CEILING):f}"


def explore(records: Records, queries: Sequence[str], risks: Sequence[str]) -> list[Entry]:
    """All that the page shows for one column: an entry for each query.

    Args:
        records: the column.
        queries: names of queries.
        risks: the slider's stops.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.recommend`.

    >>> school = Records("four pupils", "absence days", [1, 2, 3, 10], 3)
    >>> explore(school, ["mean"], ["1/3"])[0]["rows"][0]["epsilon"]
    '0.4317'
    """
    known = records.values, records.release_size
    return [_entry(records, query, recommend(query, *known, risk=list(risks))) for query in queries]


def page(entries: Sequence[Entry], risks: Sequence[str], start: Mapping[str, Any]) -> HTML:
    """The form, the plot and their data, which need nothing else.

    Args:
        entries: from :func:`explore`, of all columns.
        risks: the slider's stops.
        start: the dataset, column, query and risk that are shown at first.

    Raises:
        ValueError: a start that is not among the entries and the stops.
    """
    from IPython.display import HTML

    first = {key: start[key] for key in ("dataset", "column", "query")}
    if not any(first.items() <= entry.items() for entry in entries):
        raise ValueError(f"start must be among the entries, got {first}")
    checks.choice("risk", start["risk"], tuple(risks))
    known = [{"text": text, "value": float(parse_risk(text))} for text in risks]
    ordered = sorted(entries, key=lambda entry: not first.items() <= entry.items())
    data = {"stops": known, **_packed(ordered)}
    pieces = {
        "STYLE": _asset("explorer.css"),
        "SCRIPT": _asset("explorer.js"),
        "DATA": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"),
        "LAST": str(len(risks) - 1),
        "FIRST": str(list(risks).index(start["risk"])),
    }
    text = _asset("explorer.html")
    for name, piece in pieces.items():
        text = text.replace(f"%{name}%", piece)
    return HTML(text)


def picture(records: Records, query: str, risk: str) -> Figure:
    """What the page shows for one query and risk, to be printed.

    Args:
        records: the column.
        query: the name of a query.
        risk: accepted, in (0, 1), as a text.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.recommend`.

    >>> picture(Records("pupils", "days", [1, 2, 3, 10], 3), "mean", "1/3").axes[0].get_xlabel()
    'ε'
    """
    known = recommend(query, records.values, records.release_size, risk=risk)
    names = ("upper bound", "tight bound", "shell bound")
    found = {name: known.bounds.get(name, math.nan) for name in names}
    end = _nice(4 * max([e for e in found.values() if math.isfinite(e)], default=1.0))
    epsilons = np.linspace(0, end, 501)
    curves = _curves(records, query, epsilons, known.table["sensitivity"][0])
    title = f"{records.column.capitalize()}, {query}"
    marks = {title: {name: found[name] for name in curves}}
    return figures.risk_curves(epsilons, {title: curves}, risk=risk, marks=marks)


def kept(records: Records, entries: Sequence[Entry], risks: Sequence[str]) -> pd.DataFrame:
    """Whether the epsilons that the page shows keep their risks, by the definition.

    Args:
        records: the column.
        entries: from :func:`explore`.
        risks: the slider's stops.

    Returns:
        a row per query of the column that has an epsilon at some stop: at how
        many, by how much the risk exceeds the accepted one at most, and the
        verdict, met or missed.

    >>> school = Records("four pupils", "absence days", [1, 2, 3, 10], 3)
    >>> kept(school, explore(school, ["mean"], ["1/3", "0.5"]), ["1/3", "0.5"]).verdict.tolist()
    ['met']
    """
    import pandas as pd

    rows = []
    for entry in entries:
        if (entry["dataset"], entry["column"]) != (records.dataset, records.column):
            continue
        found = {
            float(row["epsilon"]): float(parse_risk(risk))
            for row, risk in zip(entry["rows"], risks, strict=True)
            if _is_number(row["epsilon"])
        }
        if found:
            delta = global_sensitivity(entry["query"], records.values, records.release_size)
            curves = _curves(records, entry["query"], np.array(list(found)), delta.value)
            reached = np.min(list(curves.values()), axis=0)
            excess = float((reached - np.array(list(found.values()))).max())
            rows.append(
                {
                    "data": f"{records.dataset}: {records.column}",
                    "query": entry["query"],
                    "stops": len(found),
                    "largest excess": excess,
                    "verdict": "met" if excess <= 0 else "missed",
                }
            )
    return pd.DataFrame(rows)


def _curves(records: Records, query: str, epsilons: np.ndarray, sensitivity: float) -> Any:
    return curves_of(
        query, records.values, records.release_size, epsilon=epsilons, sensitivity=sensitivity
    )


def _entry(records: Records, query: str, found: Sequence[Recommendation]) -> Entry:
    size, total = records.release_size, len(records.values)
    delta = float(found[0].table["sensitivity"][0])
    rows = [_row(one) for one in found]
    shown = [row[kind] for row in rows for kind in ("tight", "upper")]
    end = _nice(max([float(text) for text in shown if _is_number(text)], default=5.0))
    curves = _curves(records, query, np.linspace(0, end, POINTS), delta)
    at = {"adjacency": "bounded", "distance": total}  # any two worlds are neighbours
    width = global_sensitivity(query, records.values, size, **at).value
    return {
        "dataset": records.dataset,
        "column": records.column,
        "query": query,
        "known": f"all {total:,} records but not which {size:,} are released",
        "worlds": found[0].facts.worlds,
        "sensitivity": f"{delta:.4g}",
        "spread": f"{width:.4g}",
        "prior": show(Fraction(1, math.comb(total, size))),
        "end": end,
        "curves": {
            name.partition(" ")[0]: [round(float(risk), 4) for risk in risks]
            for name, risks in curves.items()
        },
        "rows": rows,
    }


def _row(found: Recommendation) -> dict[str, str]:
    """One stop of the slider, as it is read."""
    noise = found.table.iloc[0]
    scale, half, relative = (
        float(noise[name]) for name in ("noise scale", "half-width", "relative half-width")
    )
    met = found.status != "cannot be met"
    shown = {kind: _epsilon(found.bounds.get(name, math.nan), met) for kind, name in CELLS.items()}
    return shown | {
        "epsilon": _epsilon(found.epsilon, met),
        "noise": "none" if scale != scale else round_up(scale),
        "error": "" if half != half else round_up(half),
        "relative": "" if relative != relative else f"{round_up(100 * relative, 3)} %",
        "status": found.status,
        "reason": found.reason.partition(", got ")[0],
    }


def _epsilon(value: float, met: bool) -> str:
    """An epsilon as it is read: "any", or "" where it is unknown, or "none" where there is none."""
    if value == value:
        return round_down(value)
    return "" if met else "none"


def _is_number(text: str) -> bool:
    return text not in ("", "any", "none")


def _nice(value: float) -> float:
    """The next round number above."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if n * power >= value)


def _packed(entries: Sequence[Entry]) -> dict[str, Any]:
    """The entries with each row as a list, and each text of a row but once."""
    cells = list(entries[0]["rows"][0])
    texts = {
        text: place
        for place, text in enumerate(
            dict.fromkeys(
                text for entry in entries for row in entry["rows"] for text in row.values()
            )
        )
    }
    sets = [
        entry | {"rows": [[texts[row[cell]] for cell in cells] for row in entry["rows"]]}
        for entry in entries
    ]
    return {"cells": cells, "texts": list(texts), "sets": sets}


def _asset(name: str) -> str:
    return resources.files("dpbook.explorer").joinpath(name).read_text("utf-8").strip()
