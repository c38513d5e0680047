"""What readers believe, as bars after an answer, and as steps from before to after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

import dpchoose as dp
from dpbook.figures.style import BLUE, GREY, RED, label


def draw_beliefs(axes: Axes, names: Sequence[str], beliefs: Sequence[float], before: float) -> None:
    """A bar for the belief in each world, and a vertical at the belief before.

    Args:
        names, beliefs: of each world, the smallest belief first; the last has a colour of its own.
    """
    end = 1 if max(beliefs) > 0.1 else 1.2 * max(beliefs)
    colors = [BLUE] * (len(beliefs) - 1) + [RED]
    axes.barh(names, beliefs, height=0.6, color=colors)
    for name, belief, color in zip(names, beliefs, colors):
        words = f"{100 * belief:.3g}%"
        label(axes, (1.12 * end, name), words, color, shift=(0, 0), ha="right")
    axes.axvline(before, color=GREY, lw=1.2)
    label(axes, (before, len(beliefs) - 0.3), f"before: {100 * before:.3g}%", shift=(4, 0))
    axes.set(xlim=(-0.02 * end, 1.12 * end), ylim=(-0.6, len(beliefs)))
    axes.set_xticks(np.linspace(0, end, 5))
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("belief that this one is missing")
    axes.spines["left"].set_visible(False)


def draw_steps(axes: Axes, rows: Sequence[tuple[str, float, float, str]], title: str) -> None:
    """What readers believe before and after: a line from a circle to a dot, a row for each.

    Args:
        rows: of each reader the name, the belief before and after, and the colour.
    """
    for place, (reader, before, after, color) in enumerate(rows):
        look = {"color": color, "ms": 7, "zorder": 3}
        axes.plot([before, after], [-place] * 2, color=color, lw=2.4)
        axes.plot(before, -place, "o", mfc="white", **look)
        axes.plot(after, -place, "o", **look)
        axes.text(0, 0.24 - place, reader, fontsize=10.5)
        text = f"{100 * after:.3g}%\n× {dp.odds_factor(before, after):.3g}"
        look = {"shift": (0, 0), "fontweight": "bold", "linespacing": 1.1}
        label(axes, (1.04, -place), text, color, annotation_clip=False, **look)
    axes.set(xlim=(-0.02, 1.02), ylim=(0.5 - len(rows), 0.7), yticks=[], title=title)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.spines["left"].set_visible(False)
