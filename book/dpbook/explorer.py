"""What the explorer begins with: the own records of the book as files, and a still picture."""

from __future__ import annotations

import io
import math
import typing
from collections.abc import Sequence
from typing import Any

import numpy as np

import dpchoose as dp
from dpchoose.epsilon.text import parse_risk

if typing.TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

WRITE = 'import dpchoose as dp; dp.datasets.{0}()[0].to_csv("{1}", index=False)'
COPY = 'import dpchoose as dp, shutil; shutil.copyfile(dp.datasets.health(), "{0}")'
RANGE = (
    "import dpchoose as dp, pandas as pd; "
    'pd.DataFrame({{"{0}": dp.datasets.vehicle()[0]["{0}"]}}).to_csv("{1}", index=False)'
)
POINTS = 121  # of a curve


def records() -> list[dict[str, Any]]:
    """The book's own data: each a file, what is asked of it first, and how to write it.

    Returns:
        a list of sets with "words", "file" and "csv" for the page to read,
        "first" (a query and a column), "risk", and "make", a line of Python
        that writes the file.

    >>> [(one["file"], one["csv"].count("\\n") - 1) for one in records()][:2]
    [('school.csv', 4), ('school_large.csv', 10)]
    """
    import pandas as pd

    found = []
    for name, words in {
        "school": "four pupils, three released",
        "school_large": "ten pupils, nine released",
    }.items():
        pupils, _ = getattr(dp.datasets, name)()
        make = WRITE.format(name, f"{name}.csv")
        found.append(
            _set(words, f"{name}.csv", pupils.to_csv(index=False), make, "absence_days", "1/3")
        )
    universes, _ = dp.datasets.vehicle()
    for name, values in universes.items():
        text = pd.DataFrame({name: values}).to_csv(index=False)
        words = f"cars: {name.replace('_', ' ')}, all but one of {len(values)} released"
        make = RANGE.format(name, f"{name}.csv")
        found.append(_set(words, f"{name}.csv", text, make, name, "0.2"))
    path = dp.datasets.health()
    text = path.read_text("utf-8")
    words = f"{text.count(chr(10)) - 1:,} patients, all but one released"
    return [*found, _set(words, path.name, text, COPY.format(path.name), "visits", "0.01")]


def _set(words: str, file: str, csv: str, make: str, column: str, risk: str) -> dict[str, Any]:
    first = {"query": "mean", "column": column}
    return {"words": words, "file": file, "csv": csv, "make": make, "risk": risk, "first": first}


def risks(query: Any, universe: Any, halves: Any) -> pd.DataFrame:
    """Both readers' beliefs, where the 95% error of one answer is as large as asked.

    Args:
        query, universe: as for :func:`dpchoose.recommend`, of one answer about
            all records but one.
        halves: 95% errors, above 0, shape (H,).

    Returns:
        a row for each error, a column for who suspects nobody, "world", and
        one for who is torn between two, "torn".

    >>> risks("mean", [1, 2, 3, 10], [19.662])["world"].round(4).tolist()
    [0.3333]
    """
    import pandas as pd

    halves = np.asarray(halves, dtype=float)
    found = [
        dp.recommend(query, universe, len(universe) - 1, scale=half / math.log(20)).readers["after"]
        for half in halves
    ]
    return pd.DataFrame([list(one[:2]) for one in found], index=halves, columns=["world", "torn"])


def kept(queries: Sequence[str]) -> pd.DataFrame:
    """Whether the scales that the page shows at first keep their risks, by the definition.

    Args:
        queries: asked of each of the book's own data.

    Returns:
        a row for each that needs noise: its scale, the risk that it
        reaches, and the verdict, met or missed.

    >>> one = kept(["mean"]).iloc[0]
    >>> one["verdict"], f"{one['reached']:.4f}"
    ('met', '0.3333')
    """
    import pandas as pd

    rows = []
    for one in records():
        first, risk = one["first"], parse_risk(one["risk"])
        known = pd.read_csv(io.StringIO(one["csv"]))[first["column"]]
        size = len(known) - 1
        for query in queries:
            found = dp.recommend(query, known, size, risk=risk)
            scale = found.table["noise scale"][0]
            if found.status != "cannot be met" and scale > 0:
                worlds = dp.possible_worlds(query, known, size)
                gaps = np.abs(worlds.answers[:, None] - worlds.answers)
                faded = np.exp(-gaps / scale) @ worlds.weights
                belief = float((worlds.peaks / faded).max())
                rows.append(
                    {
                        "data": f"{one['words']}: {first['column']}",
                        "query": query,
                        "accepted": one["risk"],
                        "noise scale": scale,
                        "reached": belief,
                        "verdict": "met" if belief <= risk * (1 + 1e-12) else "missed",
                    }
                )
    return pd.DataFrame(rows)


def picture(curve: pd.DataFrame, *, risk: float, half: float | None, of: str) -> Figure:
    """Surest belief against 95% error, with the accepted risk where it meets its curve.

    Args:
        curve: from :func:`risks`.
        risk: accepted, in (0, 1).
        half: the error that keeps it, above 0; None where there is none.
        of: what the errors are of.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from dpbook.figures.style import BLUE, INK, LOOK, WIDTH, label

    words = {"torn": "torn between two", "world": "all equally likely"}
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 3.3))
        axes = figure.subplots()
        for name, place in {"torn": 2, "world": 3}.items():
            color = INK if name == "torn" else BLUE
            axes.plot(curve.index, curve[name], "--" if name == "torn" else "-", color=color)
            row = len(curve) * place // 6
            at = curve.index[row], curve[name].iloc[row]
            above = name == "torn"
            shift, ha = ((8, 6), "left") if above else ((-8, -6), "right")
            label(axes, at, words[name], color, shift=shift, ha=ha)
        if half is not None:
            axes.plot([curve.index[0], half, half], [risk, risk, 0], color=INK, linestyle=":")
            axes.plot([half], [risk], "o", color=BLUE, markersize=9)
            label(axes, (half, risk), f"risk {risk:.3g}: ± {half:.3g}", BLUE, shift=(9, 9))
        axes.set(
            xscale="log",
            ylabel="surest belief",
            ylim=(0, 1.02),
            xlim=(curve.index[0], curve.index[-1]),
            title="The more error you bear, the less they know",
        )
        axes.set_xlabel(f"95% error of {of}", parse_math=False)  # a column's name may be anything
    return figure
