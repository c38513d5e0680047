"""Records on a line, and where the answers to queries lie among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, label

COLORS = [BLUE, RED]


def record_lines(
    rows: Mapping[str, tuple[Sequence[float], float | None, Mapping[str, float]]],
    *,
    title: str,
    xlabel: str,
) -> Figure:
    """A line of dots for each dataset, the answers marked and named below it.

    Args:
        rows: name of a dataset to its records, the one that is ringed (None
            for none), and at most two answers by the name of their query.
        title: what the figure shows.
        xlabel: what the records count.
    """
    every = [value for records, *_ in rows.values() for value in records]
    low, high = min(every), max(every)
    margin = 0.06 * (high - low) or 1.0
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.95 * len(rows) + 0.95))
        axes = figure.subplots()
        for place, (name, (records, ringed, answers)) in enumerate(rows.items()):
            axes.plot([low, high], [-place, -place], color=INK, linewidth=0.8, zorder=1)
            axes.text(low - margin, 0.3 - place, name, fontsize=10.5)
            axes.plot(records, [-place] * len(records), "o", color=INK, markersize=9)
            if ringed is not None:
                ring = {"markerfacecolor": "none", "markeredgewidth": 2}
                axes.plot(ringed, -place, "o", color=INK, markersize=15, **ring)
            sides = sorted(answers, key=answers.get)
            for (query, value), color in zip(answers.items(), COLORS):
                axes.plot(value, -place - 0.13, "^", color=color, markersize=10, zorder=4)
                side = "left" if query == sides[-1] else "right"
                label(
                    axes,
                    (value, -place - 0.3),
                    f"{query} {value:.2f}".removesuffix(".00"),
                    color,
                    shift=(0 if len(answers) == 1 else 4 if side == "left" else -4, 0),
                    ha="center" if len(answers) == 1 else side,
                    fontweight="bold",
                )
        axes.set(ylim=(0.62 - len(rows), 0.55), yticks=[], xlabel=xlabel)
        axes.set_xlim(low - margin, high + margin)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.spines["left"].set_visible(False)
        axes.set_title(title)
    return figure
