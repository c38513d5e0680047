"""How sure somebody was before the answers, and how sure an output can make them."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, WORDS
from dpchoose.epsilon.text import chance


def belief_bars(who: Sequence[str], beliefs: np.ndarray, *, before: float, title: str) -> Figure:
    """How sure somebody is of each possibility, after one answer.

    Args:
        who: the possibilities, shape (m,).
        beliefs: in them, shape (m,).
        before: the belief in each before the answer, a vertical line.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.42 * len(who) + 1.1))
        axes = figure.subplots()
        for place, belief in enumerate(beliefs):
            color = RED if belief == max(beliefs) else BLUE
            axes.barh(-place, belief, height=0.6, color=color)
            color = WORDS.get(color, color)
            look = {"color": color, "fontweight": "bold", "ha": "right", "va": "center"}
            axes.text(1.12, -place, f"{belief:.1%}", fontsize=10.5, **look)
        axes.axvline(before, color=INK, linewidth=1.2)
        axes.text(before, 0.5, f" before: {chance(before)}", fontsize=10.5)
        axes.set(ylim=(0.5 - len(who), 1.0), yticks=-np.arange(len(who)), title=title)
        axes.set_yticklabels(who)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("belief that this pupil is missing")
        _percent_axis(axes)
    return figure


def _percent_axis(axes: Axes) -> None:
    axes.set(xlim=(-0.02, 1.12), xticks=[0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.spines["left"].set_visible(False)
