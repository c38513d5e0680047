"""Where the names of lines stand: beside them, or at their ends, and clear of each other."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from dpbook.figures.style import WHITE, label

LINE = 0.26  # of text, with the margin of a panel in proportion, in inches


def apart(places: np.ndarray, gap: float, top: float, low: float = 0.0) -> np.ndarray:
    """Move rising places apart, as little as needed (least squares), and none beyond the ends
    if there is room.

    >>> apart(np.array([1.0, 1.0, 5.0]), 1.0, 5.0).tolist()
    [0.5, 1.5, 5.0]
    >>> apart(np.array([4.5, 5.0, 5.0]), 1.0, 5.0).tolist()
    [3.0, 4.0, 5.0]
    """
    count, steps = len(places), gap * np.arange(len(places))
    shifted = places - steps
    means = [[shifted[i : j + 1].mean() for j in range(i, count)] for i in range(count)]
    rising = [max(min(means[i][j - i :]) for i in range(j + 1)) for j in range(count)]
    return np.clip(rising, low, max(top - gap * (count - 1), low)) + steps


def name_ends(axes: Axes, ends: Sequence[tuple[float, str, str]], *, panel: float) -> None:
    """Write names to the right of a panel, each near the end of its line.

    None stands over another, and none outside the panel while there is room.

    Args:
        axes: the panel, with its final limits.
        ends: of each line: its height at the right edge, in data coordinates, its name, and
            its colour.
        panel: its height, in inches.
    """
    bottom, top = axes.get_ylim()
    line = LINE * (top - bottom) / panel
    ends = sorted(ends, reverse=True)
    falling = np.array([height for height, *_ in ends])
    heights = -apart(-falling, line, -bottom - line / 2, -top + line / 2)
    for height, (_, name, color) in reversed([*zip(heights, ends)]):
        label(axes, (1, height), name, color, xycoords=axes.get_yaxis_transform())


def name_lines(axes: Axes, lines: Sequence[tuple[str, Any, Any, str, Sequence[bool]]]) -> None:
    """Write the name of each line beside it, where it is clear of all lines and names.

    Of the places along a line, the one with the most room up to a little,
    and of those the nearest to the line and to the right middle of the panel. Where there is
    none, a name may interrupt a vertical; a line that is nowhere clear keeps no name.

    Args:
        axes: a panel with its final place and limits, and all its lines.
        lines: of each its name, its points x and y, the colour of its name, and whether this
            may stand above it (True), below it (False), or both.
    """
    frame, unit = axes.get_window_extent(), axes.figure.dpi / 72
    drawn = [line for line in axes.lines if line.get_marker() in ("None", None, "")]
    dots = {line: _filled(line.get_transform(), *line.get_data()) for line in drawn}
    curves = [points for line, points in dots.items() if line.get_gid() != "pole"]
    taken: list[tuple[float, ...]] = []
    for name, x, y, color, sides in lines:
        text = axes.text(0, 0, name, color=color, fontsize=11, parse_math=False)
        text.set(bbox=WHITE, zorder=1.8)
        box = text.get_window_extent()
        width, height = box.width, 0.86 * box.height
        points = _filled(axes.transData, np.asarray(x), np.asarray(y))[::6]
        spots = list(itertools.product(points, (1 * unit, 5 * unit), sides, (True, False)))
        best, best_box = -math.inf, None
        for ink in (np.concatenate([*dots.values()]), np.concatenate(curves)):
            for (px, py), gap, up, left in spots if best_box is None else []:
                start, foot = px - width * left, py + gap if up else py - gap - height
                place = (start, foot, start + width, foot + height)
                room = min(_clearance(place, ink, taken, frame), 4 * unit) / unit
                away = abs(start + width / 2 - frame.x0 - 0.7 * frame.width) / unit
                score = room - 0.2 * gap / unit - 0.02 * away
                if room >= 1.5 and score > best:
                    best, best_box = score, place
        if best_box is None:
            text.remove()
        else:
            text.set_position(axes.transData.inverted().transform(best_box[:2]))
            taken.append(best_box)


def _filled(transform: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points of a line two pixels apart, in pixels."""
    points = transform.transform(np.column_stack([x, y]).astype(float))
    steps = np.r_[0, np.hypot(*np.diff(points, axis=0).T).cumsum()]
    at = np.arange(0, steps[-1] + 2, 2.0)
    return np.column_stack([np.interp(at, steps, points[:, i]) for i in (0, 1)])


def _clearance(box: tuple[float, ...], ink: np.ndarray, taken: Sequence[Any], frame: Any) -> float:
    """How far a box is from lines, names and the frame, in pixels; below 0 if it leaves it."""
    left, foot, right, top = box
    inside = min(left - frame.x0, frame.x1 - right, foot - frame.y0, frame.y1 - top)
    across = np.maximum(np.maximum(left - ink[:, 0], ink[:, 0] - right), 0)
    along = np.maximum(np.maximum(foot - ink[:, 1], ink[:, 1] - top), 0)
    others = [max(left - x1, x0 - right, foot - y1, y0 - top) for x0, y0, x1, y1 in taken]
    return min(inside, float(np.hypot(across, along).min()), *others)
