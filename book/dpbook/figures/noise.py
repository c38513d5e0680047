"""The noisy answers themselves: their densities, and what drawn ones betray."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, GREY, LOOK, RED, head, stack

WORLD_LINES: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-", "linewidth": 3.2},
    {"color": RED, "linestyle": (0, (5, 2)), "linewidth": 2.2},
    {"color": GREEN, "linestyle": (0, (2, 1)), "linewidth": 3.2},
    {"color": "black", "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.4},
]


def noise_densities(
    x: np.ndarray,
    panels: Mapping[str, Mapping[str, np.ndarray]],
    *,
    outputs: Mapping[str, float] | None = None,
) -> Figure:
    """The density of the noisy answer in each world, a panel for each column.

    Args:
        x: possible outputs, shape (X,).
        panels: title to world to densities of shape (X,).
        outputs: title to the output that was observed, marked by a line.
    """
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=2.9)
        for axes, (title, worlds) in zip(rows, panels.items()):
            for line, (world, density) in zip(itertools.cycle(WORLD_LINES), worlds.items()):
                axes.plot(x, density, label=world, **line)
            for output in [outputs[title]] if outputs else []:
                axes.axvline(output, color=GREY, linewidth=1.2, label=f"output {output:g}")
            axes.set(ylabel="density", xlim=(x[0], x[-1]))
            axes.set_ylim(bottom=0)
            head(axes, title)
        rows[-1].set_xlabel("noisy answer")
    return figure


def shared_outputs(outputs: np.ndarray, shared: np.ndarray, *, centre: float) -> Figure:
    """How many of the outputs around a value another world could have given.

    Args:
        outputs: shape (D,).
        shared: whether another world could have given each, shape (D,).
        centre: the exact answer of the world that gave them all.
    """
    edges = np.quantile(outputs, np.linspace(0.005, 0.995, 41))
    drawn, _ = np.histogram(outputs, edges)
    hidden, _ = np.histogram(outputs[shared], edges)
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=2.7)
        axes.set_axisbelow(True)
        axes.stairs(hidden / drawn, edges, fill=True, color=BLUE)
        axes.axvline(centre, color="black", linewidth=1.4, label=f"exact answer {centre:.4g}")
        axes.set(xlabel="output", ylabel="share", ylim=(0, 1), xlim=(edges[0], edges[-1]))
        head(axes, "Could come from another world too")
    return figure
