"""Sensitivities against the distance, with the name of each query beside its line."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, WIDTH, label

COLORS = {"mean": BLUE, "median": RED, "var": GREEN}  # the other queries are grey
GAP = 11.5  # points between the names of two lines
SERIES = {
    "global": {"color": INK, "linewidth": 1.6, "marker": "o", "markerfacecolor": "none"},
    "diameter": {"color": RED, "linestyle": (0, (4, 1.5)), "marker": "o", "markersize": 4},
    "local": {"color": BLUE, "linestyle": (0, (1, 1.2)), "linewidth": 2.8},
}


def sensitivity_lines(panels: Mapping[str, pd.DataFrame], *, title: str) -> Figure:
    """Sensitivity against the number of records that differ, a line for each query.

    Each panel has an axis of its own. Queries whose lines are the same share
    one line and its name; p25 is the 25th percentile.

    Args:
        panels: title to a frame with a row per distance, a column per query.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK | {"lines.markersize": 4}):
        figure = Figure(figsize=(WIDTH, 2.9 * len(panels) + 0.6))
        rows = figure.subplots(len(panels), squeeze=False)[:, 0]
        for axes, (name, frame) in zip(rows, panels.items()):
            top = 1.06 * frame.to_numpy().max() or 1.0
            axes.set(xticks=frame.index, ylim=(0, top), ylabel="sensitivity")
            _named_lines(axes, frame)
            axes.set_title(name, fontsize=11)
        rows[-1].set_xlabel("records, k")
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def comparison_grid(series: Mapping[str, pd.DataFrame], *, title: str) -> Figure:
    """The same queries by several definitions, a small panel for each query.

    Args:
        series: "global", "diameter" or "local" to a frame with a row per
            distance and a column per query, the same for all.
        title: what the figure shows.
    """
    first = next(iter(series.values()))
    count = len(first.columns)
    rows = -(-count // 2)
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 1.5 * rows + 1.2))
        panels = figure.subplots(rows, 2, sharex=True, squeeze=False).ravel()
        for axes, query in zip(panels, first.columns):
            for name, frame in series.items():
                axes.plot(frame.index, frame[query], label=name, **SERIES[name])
            axes.set_title(query, fontsize=10.5, fontweight="normal")
            top = max(frame[query].max() for frame in series.values())
            axes.set(xticks=first.index, ylim=(0, 1.12 * top or 1))
        for axes in panels[count:]:
            axes.set_axis_off()
        for axes in panels[:count][-2:]:
            axes.set_xlabel("records, k")
            axes.tick_params(labelbottom=True)
        figure.legend(
            *panels[0].get_legend_handles_labels(),
            title=title,
            title_fontproperties={"size": 12, "weight": "bold"},
            alignment="left",
            loc="outside upper left",
            ncols=len(series),
            handlelength=2.6,
        )
    return figure


def _named_lines(axes: Axes, frame: pd.DataFrame) -> None:
    """Draw the lines, and write the names at their ends so that none hides another."""
    lines: dict[tuple[float, ...], list[str]] = {}
    for query in frame:
        lines.setdefault(tuple(np.round(frame[query], 9)), []).append(str(query))
    drawn = sorted(lines.items(), key=lambda line: line[0][::-1])
    bottom, top = axes.get_ylim()
    points = 72 * 2.1  # of the height of a panel, a little less than it is drawn
    unit = (top - bottom) / points
    ends = np.array([values[-1] for values, _ in drawn])
    places = apart(ends, GAP * unit, top)
    for (values, names), place in zip(drawn, places):
        color = next((COLORS[name] for name in names if name in COLORS), INK)
        thin = color == INK
        axes.plot(
            frame.index, values, "o-", color=color, linewidth=1.1 if thin else 2.4, zorder=2 - thin
        )
        axes.plot(
            [1.02, 1.06],
            [(values[-1] - bottom) / (top - bottom), (place - bottom) / (top - bottom)],
            color=color,
            linewidth=0.8,
            transform=axes.transAxes,
            clip_on=False,
        )
        weight = "normal" if thin else "bold"
        words = ", ".join(short(name) for name in names)
        label(
            axes,
            (1.07, (place - bottom) / (top - bottom)),
            words,
            color,
            shift=(2, 0),
            xycoords="axes fraction",
            fontsize=9.5,
            fontweight=weight,
            annotation_clip=False,
        )


def apart(places: np.ndarray, gap: float, top: float) -> np.ndarray:
    """Move rising places apart, as little as needed, and none above the top if there is room.

    >>> apart(np.array([1.0, 1.0, 5.0]), 1.0, 5.0).tolist()
    [1.0, 2.0, 5.0]
    >>> apart(np.array([4.5, 5.0, 5.0]), 1.0, 5.0).tolist()
    [3.0, 4.0, 5.0]
    """
    moved = places.astype(float).copy()
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    moved[-1] = min(moved[-1], max(top, gap * (len(moved) - 1)))
    for i in range(len(moved) - 2, -1, -1):
        moved[i] = min(moved[i], moved[i + 1] - gap)
    return moved


def short(query: str) -> str:
    """A query's name where there is little room: percentile_25 is p25."""
    return query.replace("percentile_", "p")
