"""How sure somebody was before the answers, and how sure an output can make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, WORDS


def belief_steps(panels: Mapping[str, Sequence[tuple[str, float, float, bool]]]) -> Figure:
    """From a circle, before the answers, to a dot, the most that an output can do.

    Args:
        panels: title to rows of (who, before, after, whether the promise is
            about them); before and after in [0, 1].
    """
    heights = [len(rows) for rows in panels.values()]
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.5 * sum(heights) + 0.55 * len(panels) + 0.6))
        every = figure.subplots(
            len(panels), sharex=True, squeeze=False, height_ratios=[h + 0.4 for h in heights]
        )
        for axes, (title, rows) in zip(every[:, 0], panels.items()):
            for place, (who, before, after, promised) in enumerate(rows):
                color = BLUE if promised else RED
                axes.plot([before, after], [-place, -place], color=color, linewidth=2.4)
                axes.plot(before, -place, "o", color=color, markerfacecolor="white", markersize=7)
                axes.plot(after, -place, "o", color=color, markersize=7)
                axes.text(0, 0.25 - place, who, fontsize=10.5)
                _beside(axes, after, -place, _per_cent(after), color)
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
        beyond: records that can be known to be in and to be out with more
            than this are drawn in red.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.27 * len(who) + 1.1))
        axes = figure.subplots()
        axes.axvline(prior, color=INK, linewidth=1.2)
        told = (high > beyond) & (1 - low > beyond)
        for place, ends in enumerate(zip(low, high)):
            color = RED if told[place] else BLUE
            axes.plot(ends, [-place, -place], color=color, linewidth=5, solid_capstyle="butt")
        axes.set(ylim=(0.6 - len(who), 1.5), yticks=-np.arange(len(who)))
        axes.set_yticklabels(who)
        for label, exposed in zip(axes.get_yticklabels(), told):
            label.set_color(WORDS[RED] if exposed else INK)
        axes.text(prior, 0.75, f" before: {_per_cent(prior)}", fontsize=10.5)
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
            _beside(axes, belief, -place, f"{belief:.1%}", color)
        axes.axvline(before, color=INK, linewidth=1.2)
        axes.text(before, 0.5, f" before: {_per_cent(before)}", fontsize=10.5)
        axes.set(ylim=(0.5 - len(who), 1.0), yticks=-np.arange(len(who)), title=title)
        axes.set_yticklabels(who)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("belief that this pupil is missing")
        _percent_axis(axes)
    return figure


def repeated_answers(
    times: np.ndarray, risks: np.ndarray, *, accepted: float, title: str
) -> Figure:
    """The risk after an answer has been published again and again.

    Args:
        times: how often, shape (K,).
        risks: of all of them together, shape (K,).
        accepted: the risk of each alone, a horizontal line.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 3.0))
        axes = figure.subplots()
        axes.axhline(accepted, color=INK, linewidth=1.2)
        axes.plot(times, risks, "o-", color=RED, markersize=7)
        for k, risk in zip(times[1:], risks[1:]):
            axes.annotate(
                _per_cent(risk),
                (k, risk),
                xytext=(0, 8),
                textcoords="offset points",
                ha="right",
                color=WORDS[RED],
            )
        axes.text(
            times[-1],
            accepted + 0.02,
            f"accepted: {_per_cent(accepted)}",
            ha="right",
            fontsize=10.5,
        )
        axes.set(ylim=(0, 1), xticks=times, xlabel="times that the same answer is published")
        axes.set_ylabel("disclosure risk of all together")
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set_xlim(times[0] - 0.15, times[-1] + 0.15)
        axes.set_title(title)
    return figure


def safe_pairs(
    widths: np.ndarray,
    points: Mapping[str, tuple[float, float, bool]],
    *,
    names: Sequence[str],
    limits: Sequence[float],
    title: str,
) -> Figure:
    """Which errors of two answers keep the accepted risk together.

    Args:
        widths: relative half-widths on the boundary, shape (K, 2).
        points: name to its two relative half-widths and whether it keeps the risk.
        names: of the two answers.
        limits: the ends of the two axes.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 3.6))
        axes = figure.subplots()
        axes.plot(*widths.T, color=BLUE)
        for name, (x, y, kept) in points.items():
            color = BLUE if kept else RED
            axes.plot(x, y, "o", color=color, markersize=7)
            axes.annotate(
                name,
                (x, y),
                xytext=(7, 5),
                textcoords="offset points",
                color=BLUE if kept else WORDS[RED],
                fontsize=10.5,
            )
        axes.text(0.97, 0.9, "keeps the risk", color=BLUE, transform=axes.transAxes, ha="right")
        axes.text(0.02, 0.03, "exceeds it", color=WORDS[RED], transform=axes.transAxes)
        axes.set(xlim=(0, limits[0]), ylim=(0, limits[1]))
        axes.set(xlabel=f"half-width of the {names[0]}", ylabel=f"half-width of the {names[1]}")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set_title(title)
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


def _per_cent(value: float) -> str:
    """A probability in per cent; 0 and 100 stand for nothing else.

    >>> _per_cent(1 / 3), _per_cent(0.01), _per_cent(0.99996)
    ('33.3%', '1%', '> 99.9%')
    """
    if 0.9995 <= value < 1:
        return "> 99.9%"
    return f"{100 * value:.1f}".removesuffix(".0") + "%"
