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
GAP = 12.6  # points between the names of two lines


def sensitivity_lines(
    panels: Mapping[str, pd.DataFrame],
    *,
    title: str,
    xlabel: str = "records that differ, k",
    height: float = 2.7,
) -> Figure:
    """Sensitivity against the number of records that differ, a line for each query.

    Each panel has an axis of its own. Queries whose lines are the same share
    one line and its name; p25 is the 25th percentile. The coloured lines have
    their names beside them, and the grey ones where there is room; the others
    are named below the panel.

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
            unnamed = _named_lines(axes, frame, points=72 * (height - 0.9))
            below = f"\ngrey, from the top: {', '.join(unnamed)}" if unnamed else ""
            axes.set_xlabel(f"{xlabel}{below}", fontsize=10.5)
            axes.set_title(name, fontsize=11)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def _named_lines(axes: Axes, frame: pd.DataFrame, *, points: float) -> list[str]:
    """Draw the lines of a panel that high, and name those that have a colour or room.

    Returns:
        the names of the others, from the highest end to the lowest.
    """
    lines: dict[tuple[float, ...], list[str]] = {}
    for query in frame:
        lines.setdefault(tuple(np.round(frame[query], 9)), []).append(str(query))
    bottom, top = axes.get_ylim()
    gap = GAP * (top - bottom) / points
    named, unnamed = [], []
    for values, names in sorted(lines.items(), key=lambda line: line[0][::-1]):
        color = next((COLORS[name] for name in names if name in COLORS), INK)
        grey = color == INK
        width = 1.1 if grey else 2.4
        axes.plot(frame.index, values, "o-", color=color, linewidth=width, zorder=2 - grey)
        words = ", ".join(short(name) for name in names)
        others = [other[-1] for other in lines if other != values]
        if grey and any(abs(end - values[-1]) < gap for end in others):
            unnamed.append(words)
        else:
            named.append((values[-1], words, color))
    ends = np.array([end for end, *_ in named])
    for place, (_, words, color) in zip(apart(ends, gap, top) if named else (), named):
        at = 1, (place - bottom) / (top - bottom)
        weight = "normal" if color == INK else "bold"
        label(axes, at, words, color, xycoords="axes fraction", fontweight=weight)
    return unnamed[::-1]


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
