"""Many questions side by side: the error of each at the same risk."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, WIDTH, WORDS, label

COLORS = {"mean": BLUE, "median": RED, "var": GREEN}  # the other queries are grey


def ranked_queries(panels: Mapping[str, pd.Series], *, title: str) -> Figure:
    """The error of every query at the same risk, the smallest on top, on one logarithmic axis.

    A query without noise has no point, and says so at the left edge.

    Args:
        panels: title to relative half-widths by query; nan where none is defined.
        title: what the figure shows.
    """
    known = {name: of.dropna().sort_values(kind="stable") for name, of in panels.items()}
    every = np.concatenate([of.to_numpy() for of in known.values()])
    least, most = min(every[every > 0], default=0.1), max(every.max(), 1.0)
    edge = 10.0 ** np.floor(np.log10(least) - 0.2)
    counts = [max(len(of), 1) for of in known.values()]
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.22 * sum(counts) + 0.5 * len(counts) + 0.9))
        rows = figure.subplots(
            len(counts), sharex=True, squeeze=False, gridspec_kw={"height_ratios": counts}
        )[:, 0]
        for axes, (name, errors), count in zip(rows, known.items(), counts):
            axes.axvline(1, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=0)
            for place, (query, error) in enumerate(errors.items()):
                _rank(axes, -place, error, COLORS.get(query, INK), edge)
            axes.set_yticks(-np.arange(len(errors)), errors.index, fontsize=10)
            for tick, query in zip(axes.get_yticklabels(), errors.index):
                color = COLORS.get(query, INK)
                tick.set_color(WORDS.get(color, color))
            axes.tick_params(axis="y", length=0)
            axes.set(xscale="log", xlim=(edge, 6 * most), ylim=(0.6 - count, 0.6))
            axes.set_title(name, fontsize=11)
        rows[-1].xaxis.set_major_formatter(FuncFormatter(lambda share, _: _percent(share)))
        rows[-1].set_xlabel("error, as a share of the answer (dashed: 100%)")
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def _rank(axes: Axes, place: int, error: float, color: str, edge: float) -> None:
    """One query of a ranking: a point and its error, or that it needs no noise."""
    if error == 0:
        label(axes, (edge, place), "no noise", color, fontsize=10)
        return
    axes.plot([edge, error], [place, place], color=color, linewidth=0.8)
    axes.plot(error, place, "o", color=color, markersize=6)
    label(axes, (error, place), f"± {_percent(error)}", color, fontsize=10)


def _percent(share: float) -> str:
    """A share in per cent, with about three digits.

    >>> _percent(0.0034786), _percent(4.915)
    ('0.35%', '492%')
    """
    return f"{100 * share:.0f}%" if share >= 0.1 else f"{100 * share:.2g}%"
