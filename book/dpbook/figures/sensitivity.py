"""Sensitivities against the distance, a line for each query or for each definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from dpbook.figures.grid import finish, grid
from dpbook.figures.style import BLUE, GREEN, GREY, LOOK, PINK, RED, WIDTH

QUERIES: dict[str, dict[str, Any]] = {
    "mean": {"color": BLUE, "marker": "o"},
    "median": {"color": RED, "linewidth": 4.5},
    "count": {"color": GREY, "linestyle": (0, (1, 1.2)), "marker": "."},
    "sum": {"color": "black", "marker": "s"},
    "std": {"color": GREEN, "marker": "D"},
    "var": {"color": PINK, "marker": "P"},
    "percentile_25": {"color": BLUE, "linestyle": (0, (4, 2)), "marker": "v"},
    "percentile_50": {"color": "black", "linestyle": (0, (2, 1.5)), "linewidth": 1.3},
    "percentile_75": {"color": RED, "linestyle": (0, (4, 2)), "marker": "^"},
    "percentile_90": {"color": GREEN, "linestyle": (0, (4, 2)), "marker": "*"},
}

SERIES: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-", "linewidth": 4.5, "marker": "o"},
    {"color": RED, "linestyle": (0, (5, 2)), "linewidth": 2.2, "marker": "s", "markersize": 5},
    {"color": "black", "linestyle": (0, (1, 1.2)), "linewidth": 1.8, "marker": "x"},
]


def sensitivity_lines(panels: Mapping[str, pd.DataFrame], *, ylim: Sequence[float]) -> Figure:
    """Sensitivity against the Hamming distance, a line for each query.

    Args:
        panels: title to a frame with a row per distance, a column per query.
        ylim: of the sensitivity, shared by figures that are to be compared.
    """
    with mpl.rc_context(LOOK | {"lines.markersize": 6}):
        figure = Figure(figsize=(WIDTH, 2.8 * len(panels) + 1.3))
        rows = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
        for axes, (title, frame) in zip(rows, panels.items()):
            for query in frame:
                axes.plot(frame.index, frame[query], label=query, **QUERIES.get(query, {}))
            axes.set_title(title, loc="left", fontweight="bold", fontsize=12)
            axes.set(ylabel="sensitivity", xticks=frame.index, ylim=ylim)
        rows[-1].set_xlabel("Hamming distance")
        handles, labels = rows[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=3, columnspacing=1.2)
    return figure


def comparison_grid(series: Mapping[str, pd.DataFrame]) -> Figure:
    """The same queries by several definitions, a small panel for each query.

    Args:
        series: name of the definition to a frame with a row per distance and
            a column per query, the same for all.
    """
    first = next(iter(series.values()))
    with mpl.rc_context(LOOK):
        figure, panels = grid(len(first.columns))
        for axes, query in zip(panels, first.columns):
            for line, (name, frame) in zip(SERIES, series.items()):
                axes.plot(frame.index, frame[query], label=name, **line)
            axes.set_title(query, loc="left", fontsize=11)
            top = max(frame[query].max() for frame in series.values())
            axes.set(xticks=first.index, ylim=(0, 1.1 * top or 1))
        finish(figure, panels, "Hamming distance", "sensitivity")
    return figure
