"""Figures that compare queries: lines against the distance, and grids of panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from dpbook.figures import BLUE, GREEN, GREY, LOOK, PINK, RED, WIDTH, in_words
from dpchoose.checks import parse_risk

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
        figure, panels = _grid(len(first.columns))
        for axes, query in zip(panels, first.columns):
            for line, (name, frame) in zip(SERIES, series.items()):
                axes.plot(frame.index, frame[query], label=name, **line)
            axes.set_title(query, loc="left", fontsize=11)
            top = max(frame[query].max() for frame in series.values())
            axes.set(xticks=first.index, ylim=(0, 1.1 * top or 1))
        _finish(figure, panels, "Hamming distance", "sensitivity")
    return figure


def risk_grid(
    epsilons: np.ndarray,
    curves: Mapping[str, Mapping[str, Mapping[str, np.ndarray]]],
    *,
    risk: Any,
) -> Figure:
    """Disclosure risk against epsilon, a small panel for each query.

    Args:
        epsilons: shape (E,).
        curves: query to column to "upper bound" and "tight bound" to risks of
            shape (E,). A column has a colour, a bound has its dashes.
        risk: the accepted one, a horizontal line.
    """
    dashes = {"tight bound": "-", "upper bound": (0, (3, 1.5))}
    with mpl.rc_context(LOOK):
        figure, panels = _grid(len(curves))
        for axes, (query, columns) in zip(panels, curves.items()):
            axes.axhline(float(parse_risk(risk)), color=GREY, linewidth=1.0)
            for color, (column, bounds) in zip((RED, BLUE, GREEN), columns.items()):
                for name, values in bounds.items():
                    label = f"{in_words(column)}, {name}"
                    style = {"color": color, "linestyle": dashes[name], "linewidth": 1.8}
                    axes.plot(epsilons, values, label=label, **style)
            axes.set_title(query, loc="left", fontsize=11)
            axes.set(xlim=(epsilons[0], epsilons[-1]), ylim=(0, 1))
        _finish(figure, panels, "ε", "risk")
    return figure


def cost_lines(lines: Mapping[str, tuple[np.ndarray, np.ndarray]], *, xlabel: str) -> Figure:
    """Seconds against a size, both on logarithmic axes.

    Args:
        lines: label to sizes and seconds, each of shape (S,).
        xlabel: what the sizes count.
    """
    colors = [BLUE, RED, GREEN, PINK, "black", GREY]
    dashes = ["-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2))]
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 4.4))
        axes = figure.subplots()
        for place, (label, (sizes, seconds)) in enumerate(lines.items()):
            style = {"color": colors[place % 6], "linestyle": dashes[place % 4]}
            axes.loglog(sizes, seconds, label=label, marker="o", markersize=4, **style)
        axes.set(xlabel=xlabel, ylabel="seconds")
        figure.legend(loc="outside upper left", ncols=2, columnspacing=1.2)
    return figure


def _grid(count: int) -> tuple[Figure, Sequence[Any]]:
    rows = -(-count // 2)
    figure = Figure(figsize=(WIDTH, 1.65 * rows + 1.0))
    return figure, figure.subplots(rows, 2, sharex=True, squeeze=False).ravel()


def _finish(figure: Figure, panels: Sequence[Any], xlabel: str, ylabel: str) -> None:
    """Label the outer axes, hide the panel left over, and put the legend on top."""
    used = [axes for axes in panels if axes.lines]
    for axes in panels[len(used) :]:
        axes.set_axis_off()
    for axes in used[-2:]:
        axes.set_xlabel(xlabel)
        axes.tick_params(labelbottom=True)
    for axes in used[::2]:
        axes.set_ylabel(ylabel)
    handles, labels = used[0].get_legend_handles_labels()
    columns = 2 if len(labels) > 3 else 3
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, columnspacing=1.2)
