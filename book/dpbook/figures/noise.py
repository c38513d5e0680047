"""The noisy answers themselves: their densities, what they say, and what drawn ones betray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, label, stack

WORLD_LINES: list[dict[str, Any]] = [
    {"color": RED, "linestyle": "-", "linewidth": 2.6},
    {"color": BLUE, "linestyle": (0, (5, 2)), "linewidth": 2.0},
    {"color": GREEN, "linestyle": (0, (2, 1)), "linewidth": 2.6},
    {"color": INK, "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.6},
]
STEP = 0.13  # the height of a name, in heights of the highest curve


def noise_densities(
    x: np.ndarray,
    panels: Mapping[str, Mapping[str, np.ndarray]],
    *,
    outputs: Mapping[str, float] | None = None,
) -> Figure:
    """The density of the noisy answer in each world, a panel for each column.

    Every curve has its name on a pole at its peak; worlds with the same curve
    share one.

    Args:
        x: possible outputs, shape (X,).
        panels: title to world to densities of shape (X,).
        outputs: title to the output that was observed, marked by a line.
    """
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=2.9)
        for axes, (title, worlds) in zip(rows, panels.items()):
            axes.set(ylabel="density", xlim=(x[0], x[-1]), title=title)
            if axes is rows[-1]:
                axes.set_xlabel("noisy answer")
            top = _curves(axes, x, worlds)
            if outputs:
                seen = outputs[title]
                axes.plot([seen, seen], [0, top], color=INK, linewidth=1.4)
                axes.set_xlabel(f"noisy answer (the grey line: {seen:g})")
    return figure


def _curves(axes: Axes, x: np.ndarray, worlds: Mapping[str, np.ndarray]) -> float:
    """Draw each density once, with its names on a pole; how high the curves are.

    The poles are the lower the farther the names fly, so that none crosses another's.
    """
    shared: dict[bytes, list[str]] = {}
    for world, density in worlds.items():
        shared.setdefault(density.tobytes(), []).append(world)
    curves = [np.frombuffer(drawn) for drawn in shared]
    names = ["\nor ".join(same) for same in shared.values()]
    peaks = [float(x[curve.argmax()]) for curve in curves]
    top = max(float(curve.max()) for curve in curves)
    right = bool(np.mean(peaks) < 0.4 * x[0] + 0.6 * x[-1])  # the way the names fly
    side = (1, "left") if right else (-1, "right")
    height = 1.0
    for index in sorted(range(len(curves)), key=peaks.__getitem__, reverse=right):
        line, half = WORLD_LINES[min(index, 3)], STEP * (names[index].count("\n") + 1) / 2
        axes.plot(x, curves[index], **line)
        pole = [curves[index].max(), top * (height + 2 * half)]
        axes.plot(2 * [peaks[index]], pole, color=line["color"], linewidth=1.0)
        at = (peaks[index], top * (height + half))
        label(axes, at, names[index], line["color"], shift=(4 * side[0], 0), ha=side[1])
        height += 2 * half
    axes.set_ylim(0, top * height)
    axes.set_yticks([tick for tick in axes.get_yticks() if tick <= 1.05 * top])
    return top
