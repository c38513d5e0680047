"""What another question does to the noise, to the risk, and to the error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.sensitivity import COLORS, apart
from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, WIDTH, WORDS, in_words, label, stack
from dpchoose.epsilon.text import parse_risk, round_down

WORLDS = [
    {"color": BLUE, "linewidth": 2.6},
    {"color": RED, "linestyle": (0, (5, 2))},
    {"color": GREEN, "linestyle": (0, (2, 1)), "linewidth": 2.6},
    {"color": INK, "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.6},
]
BOUNDS = {
    "upper bound": {"color": RED, "linestyle": (0, (6, 2))},
    "tight bound": {"color": BLUE, "linewidth": 2.6},
}


def rising(name: str, ends: Sequence[float], count: int, *, beside: Iterable[float] = ()) -> Any:
    """Evenly spaced points of an axis, up to its end or a little beyond what it must show.

    Args:
        name: of the parameter, for the error.
        ends: the first and the last point, rising.
        count: of the points.
        beside: values that the axis must reach; infinite ones and nan are left out.

    Raises:
        ValueError: the ends do not rise.

    >>> rising("epsilon_range", [0, 5], 3, beside=[9, math.inf]).tolist()
    [0.0, 5.0, 10.0]
    """
    try:
        first, last = (float(end) for end in ends)
    except (TypeError, ValueError):
        first, last = math.nan, math.nan
    if not (math.isfinite(first) and math.isfinite(last) and first < last):
        raise ValueError(f"{name} must be two rising numbers, got {ends}")
    needed = max((value for value in beside if math.isfinite(value)), default=last)
    return np.linspace(first, last if needed <= last else math.ceil(1.05 * needed), count)


def answer_noise(
    x: np.ndarray, panels: Mapping[str, Mapping[str, np.ndarray]], *, title: str
) -> Figure:
    """The density of the noisy answer in each world; worlds with one answer share a line.

    Args:
        x: possible outputs, shape (X,).
        panels: title to world to densities of shape (X,).
        title: what the figure shows.
    """
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=2.6)
        for axes, (name, worlds) in zip(rows, panels.items()):
            shared: dict[bytes, list[str]] = {}
            for world, density in worlds.items():
                shared.setdefault(np.round(density, 12).tobytes(), []).append(world)
            for place, names in enumerate(shared.values()):
                line = WORLDS[place % len(WORLDS)]
                axes.plot(x, worlds[names[0]], label="\n".join(names), **line)
            peaks = [x[density.argmax()] for density in worlds.values()]
            side = "right" if x[-1] - max(peaks) > min(peaks) - x[0] else "left"
            axes.legend(loc=f"upper {side}", labelcolor="linecolor", fontsize=9.5, handlelength=2.6)
            axes.set(ylabel="density", xlim=(x[0], x[-1]))
            axes.set_ylim(bottom=0)
            axes.set_title(name, fontsize=11)
        rows[-1].set_xlabel("noisy answer")
        _message(figure, title)
    return figure


def question_risks(
    epsilons: np.ndarray,
    panels: Mapping[str, Mapping[str, np.ndarray]],
    *,
    risk: Any,
    marks: Mapping[str, Mapping[str, float]],
    title: str,
) -> Figure:
    """Disclosure risk of one query against epsilon, a panel for each column.

    Args:
        epsilons: shape (E,).
        panels: column to "upper bound" and "tight bound" to risks of shape (E,).
        risk: the accepted one, a horizontal line.
        marks: column to bound to the epsilon that it allows, a line down from
            where the curve crosses; nan stands for none, inf for any.
        title: what the figure shows.
    """
    accepted = float(parse_risk(risk))
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=2.6)
        for axes, (column, curves) in zip(rows, panels.items()):
            axes.axhline(accepted, color=INK, linewidth=1.0)
            ends = {f"accepted\n{risk}": (accepted, INK)}
            for name, values in curves.items():
                axes.plot(epsilons, values, **BOUNDS[name])
                mark = marks[column][name]
                color = BOUNDS[name]["color"]
                ends[f"{name}\n{_shown(mark)}"] = (values[-1], color)
                if math.isfinite(mark):
                    dots = {"linestyle": (0, (1, 1.2)), "linewidth": 1.6}
                    axes.plot([mark, mark], [0, accepted], color=color, **dots)
            axes.set(ylabel="disclosure risk", ylim=(0, 1), xlim=(epsilons[0], epsilons[-1]))
            _at_the_end(axes, ends, gap=0.22)
            axes.set_title(in_words(column), fontsize=11)
        rows[-1].set_xlabel("ε")
        _message(figure, title)
    return figure


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
            labelcolor="linecolor",
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
        _message(figure, title)
    return figure


def _at_the_end(axes: Axes, ends: Mapping[str, tuple[float, str]], *, gap: float) -> None:
    """Write names at the right of the ends of lines, and apart from one another."""
    ordered = sorted(ends.items(), key=lambda end: end[1][0])
    places = apart(np.array([height for _, (height, _) in ordered]), gap, 0.95)
    for (text, (_, color)), place in zip(ordered, places):
        label(
            axes,
            (1.0, place),
            text,
            color,
            xycoords="axes fraction",
            fontsize=9.5,
            annotation_clip=False,
        )


def _message(figure: Figure, title: str) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")


def _shown(epsilon: float) -> str:
    if math.isnan(epsilon):
        return "no ε"
    return "any ε" if math.isinf(epsilon) else f"ε = {round_down(epsilon)}"


def _percent(share: float) -> str:
    """A share in per cent, with about three digits.

    >>> _percent(0.0034786), _percent(4.915)
    ('0.35%', '492%')
    """
    return f"{100 * share:.0f}%" if share >= 0.1 else f"{100 * share:.2g}%"
