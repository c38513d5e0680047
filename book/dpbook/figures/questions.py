"""Many questions side by side: the risk of each, and the error of each at the same risk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from dpbook.figures.sensitivity import COLORS
from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, WIDTH, WORDS, in_words, label
from dpchoose.epsilon.text import parse_risk


def query_grid(
    epsilons: np.ndarray,
    curves: Mapping[str, Mapping[str, Mapping[str, np.ndarray]]],
    *,
    risk: Any,
    title: str,
) -> Figure:
    """Disclosure risk against epsilon, a small panel for each query.

    Args:
        epsilons: shape (E,).
        curves: query to column to "upper bound" and "tight bound" to risks of
            shape (E,). A column has a colour, a bound has its dashes.
        risk: the accepted one, a horizontal line.
        title: what the figure shows.
    """
    dashes = {"tight bound": "-", "upper bound": (0, (3, 1.5))}
    rows = -(-len(curves) // 2)
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 1.5 * rows + 1.3))
        panels = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False).ravel()
        for axes, (query, columns) in zip(panels, curves.items()):
            axes.axhline(float(parse_risk(risk)), color=INK, linewidth=1.0)
            for color, (column, bounds) in zip((BLUE, RED, GREEN), columns.items()):
                for name, values in bounds.items():
                    style = {"color": color, "linestyle": dashes[name], "linewidth": 1.8}
                    axes.plot(epsilons, values, label=f"{in_words(column)}, {name}", **style)
            axes.set_title(query, fontsize=10.5, fontweight="normal")
            axes.set(xlim=(epsilons[0], epsilons[-1]), ylim=(0, 1))
        for axes in panels[len(curves) :]:
            axes.set_axis_off()
        for axes in panels[: len(curves)][-2:]:
            axes.set_xlabel("ε")
            axes.tick_params(labelbottom=True)
        figure.supylabel("disclosure risk", fontsize=11)
        figure.legend(
            *panels[0].get_legend_handles_labels(),
            title=title,
            title_fontproperties={"size": 12, "weight": "bold"},
            alignment="left",
            loc="outside upper left",
            ncols=2,
            columnspacing=1.2,
        )
    return figure


def ranked_queries(panels: Mapping[str, pd.Series], *, title: str) -> Figure:
    """The error of every query at the same risk, the smallest on top.

    Args:
        panels: title to relative half-widths by query; nan where none is defined.
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        count = max(len(errors) for errors in panels.values())
        figure = Figure(figsize=(WIDTH, (0.22 * count + 0.55) * len(panels) + 0.6))
        rows = figure.subplots(len(panels), squeeze=False)[:, 0]
        for axes, (name, errors) in zip(rows, panels.items()):
            known = errors.dropna().sort_values(kind="stable")
            for place, (query, error) in enumerate(known.items()):
                color = COLORS.get(query, INK)
                axes.plot([0, error], [-place, -place], color=color, linewidth=1.6)
                axes.plot(error, -place, "o", color=color, markersize=6)
                words = "no noise" if error == 0 else f"± {_percent(error)}"
                label(axes, (error, -place), words, color, fontsize=9.5)
            axes.set_yticks(-np.arange(len(known)), known.index, fontsize=9.5)
            for tick, query in zip(axes.get_yticklabels(), known.index):
                color = COLORS.get(query, INK)
                tick.set_color(WORDS.get(color, color))
            axes.tick_params(axis="y", length=0)
            axes.set(xlim=(0, 1.25 * known.max() or 1), xticks=[], ylim=(0.6 - len(known), 0.6))
            axes.spines["bottom"].set_visible(False)
            axes.set_title(name, fontsize=11)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def _percent(share: float) -> str:
    """A share in per cent, with about three digits.

    >>> _percent(0.0034786), _percent(4.915)
    ('0.35%', '492%')
    """
    return f"{100 * share:.0f}%" if share >= 0.1 else f"{100 * share:.2g}%"
