"""Disclosure risk against epsilon, and the epsilons that it allows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from dpbook.figures.grid import finish, grid
from dpbook.figures.style import BLUE, GREEN, GREY, LOOK, RED, head, in_words, stack
from dpchoose.epsilon.text import parse_risk, round_down

LINES: dict[str, dict[str, Any]] = {
    "upper bound": {"color": RED, "linestyle": (0, (6, 2))},
    "tight bound": {"color": BLUE, "linestyle": "-"},
    "shell bound": {"color": "black", "linestyle": (0, (6, 2, 1, 2))},
    "average case": {"color": GREEN, "linestyle": (0, (1, 1.5))},
    "as coded": {"color": GREEN, "linestyle": (0, (1, 1.5))},
    "yes after yes": {"color": BLUE, "linestyle": "-"},
    "no after no": {"color": RED, "linestyle": (0, (6, 2))},
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
        marks: column to name to an epsilon, which the legend gives: for a
            curve, a line up to the accepted risk, for another name, a line
            across the panel. nan stands for none, inf for any.
        ylim: of the risk; by default from a little below the smallest to 1.
    """
    accepted = float(parse_risk(risk))
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=3.0)
        for axes, (column, curves) in zip(rows, panels.items()):
            lowest = min(values.min() for values in curves.values())
            bottom, top = ylim or (0.8 * lowest, 1.0)
            top = max(top, min(1.2 * accepted, 1.0))
            axes.axhline(accepted, color=GREY, linewidth=1.2)
            for name, values in curves.items():
                mark = marks[column].get(name)
                label = name if mark is None else f"{name}, {_shown(mark)}"
                axes.plot(epsilons, values, label=label, **LINES[name])
            for name, epsilon in marks[column].items():
                _drop(axes, name, epsilon, bottom, accepted if name in curves else top)
            axes.set(ylabel="disclosure risk", ylim=(bottom, top))
            axes.set_xlim(epsilons[0], epsilons[-1])
            head(axes, in_words(column))
            _name_line(axes, f"accepted risk {risk}", accepted, epsilons, curves)
        rows[-1].set_xlabel("ε")
    return figure


def epsilons_by_size(
    sizes: Sequence[int], lines: Mapping[str, np.ndarray], *, title: str
) -> Figure:
    """The epsilon of each bound for every number of released records.

    Args:
        sizes: how many are released, shape (S,).
        lines: bound to epsilons of shape (S,), on a logarithmic axis; where
            one is not in (0, inf) the line has a gap.
        title: of the legend.
    """
    marks = {"tight bound": "o", "shell bound": "D", "upper bound": "s", "as coded": "v"}
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=3.4)
        for name, values in lines.items():
            drawn = np.where((values > 0) & np.isfinite(values), values, np.nan)
            axes.plot(sizes, drawn, label=name, marker=marks[name], markersize=5, **LINES[name])
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set(xlabel="records released", ylabel="ε", xticks=sizes)
        head(axes, title)
    return figure


def risk_grid(
    epsilons: np.ndarray,
    curves: Mapping[str, Mapping[str, Mapping[str, np.ndarray]]],
    *,
    risk: Any,
) -> Figure:
    """Disclosure risk against epsilon, a small panel for each query.

    Args:
        epsilons: shape (E,).
        curves: query to column to "upper bound" and "tight bound" to risks of
            shape (E,). A column has a colour, a bound has its dashes.
        risk: the accepted one, a horizontal line.
    """
    dashes = {"tight bound": "-", "upper bound": (0, (3, 1.5))}
    with mpl.rc_context(LOOK):
        figure, panels = grid(len(curves))
        for axes, (query, columns) in zip(panels, curves.items()):
            axes.axhline(float(parse_risk(risk)), color=GREY, linewidth=1.0)
            for color, (column, bounds) in zip((RED, BLUE, GREEN), columns.items()):
                for name, values in bounds.items():
                    label = f"{in_words(column)}, {name}"
                    style = {"color": color, "linestyle": dashes[name], "linewidth": 1.8}
                    axes.plot(epsilons, values, label=label, **style)
            axes.set_title(query, loc="left", fontsize=11)
            axes.set(xlim=(epsilons[0], epsilons[-1]), ylim=(0, 1))
        finish(figure, panels, "ε", "risk")
    return figure


def _drop(axes: Axes, name: str, epsilon: float, bottom: float, top: float) -> None:
    """A dotted line at an epsilon; in the legend too when no curve has its name."""
    axes.plot(
        [epsilon, epsilon],
        [bottom, top],
        color=LINES[name]["color"] if name in LINES else "black",
        linewidth=1.6,
        linestyle=(0, (1, 1.2)),
        label=f"_{name}" if name in LINES else f"{name}, {_shown(epsilon)}",
    )


def _shown(epsilon: float) -> str:
    if math.isnan(epsilon):
        return "no ε"
    return "any ε" if math.isinf(epsilon) else f"ε = {round_down(epsilon)}"


def _name_line(
    axes: Axes, text: str, height: float, x: np.ndarray, curves: Mapping[str, np.ndarray]
) -> None:
    """Write on a horizontal line that rising curves cross, where they leave room.

    Above it at the left, until the first curve crosses it; or below it at the
    right, as far back as no curve comes near.
    """
    values = np.array(list(curves.values()))
    room = 0.12 * np.ptp(axes.get_ylim())
    above_is_free = (values <= height).all(axis=0)
    below_is_free = ((values > height) | (values < height - room)).all(axis=0)
    left = _run(above_is_free) > _run(below_is_free[::-1])
    axes.annotate(
        text,
        (x[0] if left else x[-1], height),
        xytext=(4 if left else -2, 4 if left else -4),
        textcoords="offset points",
        ha="left" if left else "right",
        va="bottom" if left else "top",
        fontsize=10.5,
        color=GREY,
    )


def _run(flags: np.ndarray) -> int:
    """How many are true before the first that is not."""
    return int(np.append(flags, False).argmin())
