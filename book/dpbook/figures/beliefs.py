"""How sure somebody was before the answers, and how sure an output can make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, WORDS, label
from dpchoose.epsilon.text import chance


def belief_steps(panels: Mapping[str, Sequence[tuple[str, float, float, str]]]) -> Figure:
    """From a circle, before the answers, to a dot, the most that an output can do.

    Args:
        panels: title to rows of (who, before, after, in words what was
            accepted for them and is kept, or ""); before and after in [0, 1].
    """
    heights = [len(rows) for rows in panels.values()]
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.5 * sum(heights) + 0.55 * len(panels) + 0.6))
        every = figure.subplots(
            len(panels), sharex=True, squeeze=False, height_ratios=[h + 0.4 for h in heights]
        )
        for axes, (title, rows) in zip(every[:, 0], panels.items()):
            for place, (who, before, after, kept) in enumerate(rows):
                color = BLUE if kept else RED
                axes.plot([before, after], [-place, -place], color=color, linewidth=2.4)
                axes.plot(before, -place, "o", color=color, markerfacecolor="white", markersize=7)
                axes.plot(after, -place, "o", color=color, markersize=7)
                axes.text(0, 0.25 - place, who, fontsize=10.5)
                _beside(axes, after, -place, kept or chance(after), color)
            axes.set_title(title)
            axes.set(ylim=(0.5 - len(rows), 0.85), yticks=[])
            _percent_axis(axes)
        axes.set_xlabel("how sure: before (circle), and after the worst output (dot)")
    return figure


def belief_spans(
    who: Sequence[str],
    low: np.ndarray,
    high: np.ndarray,
    *,
    prior: float,
    beyond: float,
    title: str,
) -> Figure:
    """Between which beliefs the outputs can leave somebody about each record.

    Args:
        who: the records, shape (N,).
        low, high: the least and the largest posterior that each is in, (N,).
        prior: that each is in, a vertical line.
        beyond: records that can be known to be in, or to be out, with more
            than this are drawn in red.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.27 * len(who) + 1.1))
        axes = figure.subplots()
        axes.axvline(prior, color=INK, linewidth=1.2)
        told = (high > beyond) | (1 - low > beyond)
        for place, ends in enumerate(zip(low, high)):
            color = RED if told[place] else BLUE
            axes.plot(ends, [-place, -place], color=color, linewidth=5, solid_capstyle="butt")
        axes.set(ylim=(0.6 - len(who), 1.5), yticks=-np.arange(len(who)))
        axes.set_yticklabels(who)
        for label, exposed in zip(axes.get_yticklabels(), told):
            label.set_color(WORDS[RED] if exposed else INK)
        axes.text(prior, 0.75, f" before: {chance(prior)}", fontsize=10.5)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("belief that this pupil is in, over all outputs")
        axes.set_title(title)
        _percent_axis(axes)
    return figure


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


def exchanges(
    left: Sequence[str],
    right: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    *,
    heads: tuple[str, str],
    title: str,
) -> Figure:
    """Two columns of names, and a line for each pair of them.

    Args:
        left, right: the names, from the top.
        pairs: positions at the left and at the right.
        heads: above the columns.
        title: what the figure shows.
    """
    rows = max(len(left), len(right))
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.42 * rows + 0.9))
        axes = figure.subplots()
        for i, j in pairs:
            axes.plot([0, 1], [-i, -j], "o-", color=INK, markersize=5, linewidth=1.2)
        for side, names, head, color in zip((0, 1), (left, right), heads, (BLUE, RED)):
            apart, ha = (-8, "right") if side == 0 else (8, "left")
            label(axes, (side, 0.85), head, color, shift=(apart, 0), ha=ha, fontweight="bold")
            for place, name in enumerate(names):
                label(axes, (side, -place), name, shift=(apart, 0), ha=ha)
        axes.set(xlim=(-0.9, 1.9), ylim=(0.6 - rows, 1.2), title=title)
        axes.set_axis_off()
    return figure


def _percent_axis(axes: Axes) -> None:
    axes.set(xlim=(-0.02, 1.12), xticks=[0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.spines["left"].set_visible(False)


def _beside(axes: Axes, x: float, y: float, text: str, color: str) -> None:
    axes.annotate(
        text,
        (x, y),
        xytext=(7, 0),
        textcoords="offset points",
        va="center",
        color=WORDS[RED] if color == RED else color,
        fontweight="bold",
        fontsize=10.5,
    )
