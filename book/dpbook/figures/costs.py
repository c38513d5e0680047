"""What the answers cost in time."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, GREY, LOOK, PINK, RED, WIDTH


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
