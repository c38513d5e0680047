"""Disclosure risk against epsilon, and the epsilons that it allows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.labels import name_ends
from dpbook.figures.style import (
    BLUE,
    GREEN,
    INK,
    LOOK,
    RED,
    label,
    stack,
)
from dpchoose.epsilon.text import parse_risk, round_down

HEIGHT = 3.0  # of a panel, in inches
LINES: dict[str, dict[str, Any]] = {
    "upper bound": {"color": RED, "linestyle": (0, (6, 2))},
    "tight bound": {"color": BLUE, "linestyle": "-"},
    "average case": {"color": GREEN, "linestyle": (0, (1, 1.5))},
}


def risk_curves(
    epsilons: np.ndarray,
    panels: Mapping[str, Mapping[str, np.ndarray]],
    *,
    risk: Any,
    marks: Mapping[str, Mapping[str, float]],
    ylim: Sequence[float] | None = None,
) -> Figure:
    """Disclosure risk against epsilon, a panel for each column.

    Args:
        epsilons: shape (E,).
        panels: column to curve ("upper bound", "tight bound" or "average case") to
            risks of shape (E,).
        risk: the accepted one, a horizontal line.
        marks: column to name to an epsilon: for a curve, a line up to the
            accepted risk, with the value beside the curve's name; for another
            name, a line across the panel. nan stands for none, inf for any.
        ylim: of the risk; by default from a little below the smallest to 1.
    """
    accepted = float(parse_risk(risk))
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=HEIGHT)
        figure.get_layout_engine().set(h_pad=0.1)
        for axes, (column, curves) in zip(rows, panels.items()):
            lowest = min(values.min() for values in curves.values())
            bottom, top = ylim or (0.8 * min(lowest, accepted), 1.0)
            top = max(top, min(1.2 * accepted, 1.0))
            axes.axhline(accepted, color=INK, linewidth=1.2)
            ends = [(accepted, f"accepted: {risk}", INK)]
            for name, values in curves.items():
                axes.plot(epsilons, values, **LINES[name])
                mark = marks[column].get(name)
                text = name if mark is None else f"{name}\n{_shown(mark)}"
                ends.append((float(values[-1]), text, LINES[name]["color"]))
            for name, epsilon in marks[column].items():
                _drop(axes, name, epsilon, bottom, accepted if name in curves else top)
            axes.set(ylabel="disclosure risk", ylim=(bottom, top))
            axes.set_xlim(epsilons[0], epsilons[-1])
            tried = any(name not in curves for name in marks[column])
            title = column[:1].upper() + column[1:].replace("_", " ")
            axes.set_title(title, pad=18 if tried else 6)
            name_ends(axes, ends, panel=HEIGHT)
        rows[-1].set_xlabel("ε")
    return figure


def epsilon_axis(limits: Sequence[float], *marks: float) -> np.ndarray:
    """501 epsilons from one end of a figure to the other, shape (501,).

    Args:
        limits: the ends, 0 <= low < high < inf.
        marks: epsilons that must lie inside, for which the figure is widened;
            those that are nan or inf are left out.

    Raises:
        ValueError: other limits.

    >>> [float(epsilon_axis([0, 5], *marks)[-1]) for marks in ([0.4317], [10, math.inf])]
    [5.0, 12.0]
    """
    low, high = (float(limit) for limit in limits) if len(limits) == 2 else (0.0, 0.0)
    if not 0 <= low < high < math.inf:
        raise ValueError(f"epsilon_range must be [low, high] with 0 <= low < high, got {limits}")
    inside = [mark for mark in marks if math.isfinite(mark)]
    low = 0.0 if min(inside, default=low) < low else low
    largest = max(inside, default=0.0)
    return np.linspace(low, high if largest <= 0.98 * high else 1.2 * largest, 501)


def _drop(axes: Axes, name: str, epsilon: float, bottom: float, top: float) -> None:
    """A dotted line at an epsilon; its name stands above when no curve has it."""
    color = LINES[name]["color"] if name in LINES else INK
    line = {"color": color, "linewidth": 1.6, "linestyle": (0, (1, 1.2))}
    axes.plot([epsilon, epsilon], [bottom, top], **line)
    if name not in LINES:
        label(axes, (epsilon, top), f"{name}: ε = {epsilon:g}", shift=(0, 8), ha="left")


def _shown(epsilon: float) -> str:
    if math.isnan(epsilon):
        return "no ε"
    return "any ε" if math.isinf(epsilon) else f"ε = {round_down(epsilon)}"
