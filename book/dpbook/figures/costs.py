"""What the answers cost in time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, label, stack


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
        for color, (name, (sizes, seconds)) in zip(colors, lines.items()):
            axes.loglog(sizes, seconds, color=color, marker="o", markersize=4)
            label(axes, (sizes[-1], seconds[-1]), name, color, linespacing=1.1)
        axes.set(xlabel=xlabel, ylabel="seconds")
        axes.set_title(title)
    return figure
