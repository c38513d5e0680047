"""Where the names of lines stand when several compete for the room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dpbook.figures.style import WORDS, label

LINE = 0.26  # of text, with the margin of a panel in proportion, in inches
GAP = 12.6  # points between the names of two lines


def name_ends(axes: Axes, ends: Sequence[tuple[float, str, str]], *, panel: float) -> None:
    """Write names to the right of a panel, each near the end of its line.

    None stands over another, and none outside the panel while there is room.

    Args:
        axes: the panel, with its final limits.
        ends: of each line: its height at the right edge, in data coordinates,
            its name, in one line of text or more, and its colour.
        panel: its height, in inches.
    """
    bottom, top = axes.get_ylim()
    line = LINE * (top - bottom) / panel
    reach = top
    placed = []
    for height, text, color in sorted(ends, reverse=True):
        half = line * (text.count("\n") + 1) / 2
        middle = min(height, reach - half)
        reach = middle - half
        placed.append((middle, half, text, color))
    floor = bottom
    for middle, half, text, color in reversed(placed):
        middle = max(middle, floor + half)
        floor = middle + half
        label(axes, (1, middle), text, color, xycoords=axes.get_yaxis_transform())


def lead_to_names(
    axes: Axes, lines: Sequence[tuple[Sequence[float], str, str]], points: float
) -> None:
    """Lead every line of a panel to its name at the right, none over another.

    Args:
        axes: the panel, with its final limits and its last tick where the lines end.
        lines: the values of each, its name and its colour.
        points: how high the panel is, in points of 1/72 inch.
    """
    bottom, top = axes.get_ylim()
    rising = sorted(lines, key=lambda line: tuple(line[0])[::-1])
    gap = GAP * (top - bottom) / points
    places = apart(np.array([values[-1] for values, *_ in rising]), gap, top)
    for place, (values, name, color) in zip(places, rising):
        axes.annotate(
            name,
            (axes.get_xticks()[-1], values[-1]),
            xytext=(1.09, (place - bottom) / (top - bottom)),
            textcoords="axes fraction",
            va="center",
            fontsize=10,
            color=WORDS.get(color, color),
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.8, "relpos": (0, 0.5)},
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
