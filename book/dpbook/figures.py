"""How the figures look: one drawing function for each kind, and one that saves.

The colours are told apart without colour vision (Okabe and Ito 2008) and every
line also has its own dashes. A figure is 5.2 inches wide, so that its text can
still be read on a telephone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from dpchoose.checks import parse_risk
from dpchoose.epsilon.choose import round_down

WIDTH = 5.2  # inches
RED, BLUE, GREEN, PINK, GREY = "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#555555"
GRID, BAND = "#e4e4e4", "#dbe9f4"  # behind the lines

LOOK = {
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 11,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "grid.color": GRID,
    "legend.fontsize": 10.5,
    "legend.frameon": False,
    "lines.linewidth": 2.0,
    "savefig.dpi": 200,
    "svg.hashsalt": "dpchoose",
}

LINES: dict[str, dict[str, Any]] = {
    "upper bound": {"color": RED, "linestyle": (0, (6, 2))},
    "tight bound": {"color": BLUE, "linestyle": "-"},
    "shell bound": {"color": "black", "linestyle": (0, (6, 2, 1, 2))},
    "average": {"color": GREEN, "linestyle": (0, (1, 1.5))},
    "as coded": {"color": GREEN, "linestyle": (0, (1, 1.5))},
    "yes after yes": {"color": BLUE, "linestyle": "-"},
    "no after no": {"color": RED, "linestyle": (0, (6, 2))},
}

WORLD_LINES: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-", "linewidth": 3.2},
    {"color": RED, "linestyle": (0, (5, 2)), "linewidth": 2.2},
    {"color": GREEN, "linestyle": (0, (2, 1)), "linewidth": 3.2},
    {"color": "black", "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.4},
]


def in_words(name: str) -> str:
    """A column's or a query's name as it is read: school_year, School year."""
    return name.replace("_", " ").capitalize()


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
        panels: column to curve ("upper bound", "tight bound" or "average") to
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


def save_figure(figure: Figure, name: str, folder: Path) -> Path:
    """Write <name>.png and <name>.svg, the same bytes every time.

    Returns:
        the path of the PNG.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(LOOK):
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        figure.savefig(folder / f"{name}.png")
    return folder / f"{name}.png"


def stack(panels: int, *, height: float) -> tuple[Figure, Sequence[Axes]]:
    """Panels one above the other, with a shared x axis."""
    figure = Figure(figsize=(WIDTH, height * panels + 0.3))
    return figure, figure.subplots(panels, sharex=True, squeeze=False)[:, 0]


def head(axes: Axes, title: str) -> None:
    """The title and the legend above a panel, where they can hide no curve."""
    axes.legend(
        title=title,
        title_fontproperties={"size": 12, "weight": "bold"},
        alignment="left",
        loc="lower left",
        bbox_to_anchor=(-0.02, 0.99),
        ncols=2,
        columnspacing=1.0,
        handlelength=2.0,
        handletextpad=0.6,
        borderpad=0,
    )


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
