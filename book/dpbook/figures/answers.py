"""What several answers tell together, and which of their errors keep a risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, WORDS
from dpchoose.epsilon.text import chance


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
        axes.plot(times, risks, "o-", color=RED, markersize=7, clip_on=False)
        for k, risk in zip(times[1:], risks[1:]):
            axes.annotate(
                chance(risk),
                (k, risk),
                xytext=(0, 8),
                textcoords="offset points",
                ha="right",
                color=WORDS[RED],
            )
        axes.text(
            times[-1],
            accepted + 0.02,
            f"accepted: {chance(accepted)}",
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
            axis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        axes.set_title(title)
    return figure
