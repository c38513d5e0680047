"""Small panels, two in a row, one for each query."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.style import WIDTH


def grid(count: int) -> tuple[Figure, Sequence[Axes]]:
    """As many panels as there are queries, with a shared x axis."""
    rows = -(-count // 2)
    figure = Figure(figsize=(WIDTH, 1.65 * rows + 1.0))
    return figure, figure.subplots(rows, 2, sharex=True, squeeze=False).ravel()


def finish(figure: Figure, panels: Sequence[Axes], xlabel: str, ylabel: str) -> None:
    """Label the outer axes, hide the panel left over, and put the legend on top."""
    used = [axes for axes in panels if axes.lines]
    for axes in panels[len(used) :]:
        axes.set_axis_off()
    for axes in used[-2:]:
        axes.set_xlabel(xlabel)
        axes.tick_params(labelbottom=True)
    for axes in used[::2]:
        axes.set_ylabel(ylabel)
    handles, labels = used[0].get_legend_handles_labels()
    columns = 2 if len(labels) > 3 else 3
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, columnspacing=1.2)
