"""What the answers cost in time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, label, stack

CLOSE = 2.5  # ends of two lines whose ratio is less have their names apart


def cost_lines(
    lines: Mapping[str, tuple[np.ndarray, np.ndarray]], *, xlabel: str, title: str
) -> Figure:
    """Seconds against a size, both on logarithmic axes, each line with its name at its end.

    Args:
        lines: name to sizes and seconds, each of shape (S,); three in colour.
        xlabel: what the sizes count.
        title: the message.
    """
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=3.6)
        colors = itertools.chain([BLUE, RED, GREEN], itertools.repeat(INK))
        ends = np.array([seconds[-1] for _, seconds in lines.values()])
        for color, (name, (sizes, seconds)) in zip(colors, lines.items()):
            axes.loglog(sizes, seconds, color=color, marker="o", markersize=4)
            side = _side(seconds[-1], ends)
            label(axes, (sizes[-1], seconds[-1]), name, color, linespacing=1.1, va=side)
        axes.set(xlabel=xlabel, ylabel="seconds")
        axes.set_title(title)
    return figure


def _side(end: float, ends: np.ndarray) -> str:
    """Which side of a name is at the end of its line: away from an end that is close."""
    if np.any((end < ends) & (ends < CLOSE * end)):
        return "top"
    return "bottom" if np.any((ends < end) & (end < CLOSE * ends)) else "center"
