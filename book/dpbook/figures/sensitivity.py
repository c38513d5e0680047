"""Sensitivities against the distance, with the name of each query beside its line."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, PINK, RED, WIDTH, WORDS

LOOKS = [  # of the queries, in their order
    {"color": color, "marker": marker, "linestyle": dashes}
    for dashes, markers in (("-", "os^vD"), ((0, (4, 1.5)), "s^vDo"))
    for color, marker in zip((BLUE, RED, GREEN, PINK, INK), markers)
]
GAP = 12.6  # points between the names of two lines


def sensitivity_lines(
    panels: Mapping[str, pd.DataFrame],
    *,
    title: str,
    xlabel: str = "records that differ, k",
    height: float = 3.0,
) -> Figure:
    """Sensitivity against the number of records that differ, a line for each query.

    Each panel has an axis of its own. Queries whose lines are the same share
    one line and its name; p25 is the 25th percentile. Every line is led to its
    name, and the same query has the same look in each panel.

    Args:
        panels: title to a frame with a row per distance, a column per query.
        title: what the figure shows.
        xlabel: what the distance counts.
        height: of each panel with all around it, in inches.
    """
    with mpl.rc_context(LOOK | {"lines.markersize": 4}):
        figure = Figure(figsize=(WIDTH, height * len(panels) + 0.5))
        rows = figure.subplots(len(panels), squeeze=False)[:, 0]
        for axes, (name, frame) in zip(rows, panels.items()):
            top = 1.06 * frame.to_numpy().max() or 1.0
            axes.set(xticks=frame.index, ylim=(0, top), ylabel="sensitivity")
            _named_lines(axes, frame, points=72 * (height - 0.9))
            axes.set_xlabel(xlabel, fontsize=10.5)
            axes.set_title(name, fontsize=11)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def _named_lines(axes: Axes, frame: pd.DataFrame, *, points: float) -> None:
    """Draw the lines of a panel that high, each led to its name at the right."""
    lines: dict[tuple[float, ...], list[str]] = {}
    for query in frame:
        lines.setdefault(tuple(np.round(frame[query], 9)), []).append(str(query))
    bottom, top = axes.get_ylim()
    gap = GAP * (top - bottom) / points
    rising = sorted(lines.items(), key=lambda line: line[0][::-1])
    for place, (values, names) in zip(
        apart(np.array([v[-1] for v, _ in rising]), gap, top), rising
    ):
        look = LOOKS[list(frame).index(names[0]) % len(LOOKS)]
        axes.plot(frame.index, values, linewidth=1.6, **look)
        axes.annotate(
            ", ".join(short(name) for name in names),
            (frame.index[-1], values[-1]),
            xytext=(1.09, (place - bottom) / (top - bottom)),
            textcoords="axes fraction",
            va="center",
            fontsize=10,
            color=WORDS.get(look["color"], look["color"]),
            arrowprops={
                "arrowstyle": "-",
                "color": look["color"],
                "linewidth": 0.8,
                "relpos": (0, 0.5),
            },
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
