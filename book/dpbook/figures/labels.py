"""Where the names of lines stand when several compete for the room."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from dpbook.figures.style import label

LINE = 0.26  # of text, with the margin of a panel in proportion, in inches


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
