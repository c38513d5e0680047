"""The figures of the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.labels import name_ends
from dpbook.figures.style import BLUE, GREEN, INK, LOOK, RED, head, label, stack
from dpchoose.epsilon.text import parse_risk, round_down

HEIGHT = 3.4  # of a panel with risks, in inches
LINES: list[dict[str, Any]] = [
    {"color": RED, "linestyle": (0, (1, 1)), "linewidth": 1.8},
    {"color": GREEN, "linestyle": (0, (5, 1.5)), "linewidth": 1.8},
    {"color": BLUE, "linestyle": "-", "linewidth": 2.2},
]


def outcome_probabilities(
    epsilons: np.ndarray, curves: Mapping[str, np.ndarray], *, mark: float, xlabel: str
) -> Figure:
    """The probability of each outcome against epsilon, which has a logarithmic axis.

    Args:
        epsilons: shape (E,), positive.
        curves: outcome to probabilities of shape (E,), the likeliest first:
            three in colour, the others grey.
        mark: an epsilon, a vertical line where it lies on the axis.
        xlabel: what epsilon stands for.
    """
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=4.0)
        for place, (outcome, values) in enumerate(curves.items()):
            if place < 3:
                axes.plot(epsilons, values, label=outcome, **LINES[2 - place])
            else:
                name = "_" if place > 3 else f"{len(curves) - 3} others"
                axes.plot(epsilons, values, label=name, color=INK, linewidth=1.0)
        axes.set(ylabel="probability", xlabel=xlabel, xscale="log", ylim=(0, 1.02))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlim(epsilons[0], epsilons[-1])
        if epsilons[0] <= mark <= epsilons[-1]:
            axes.axvline(mark, color=INK, linewidth=1.2, linestyle=(0, (1, 1.2)))
            side = "right" if mark > math.sqrt(epsilons[0] * epsilons[-1]) else "left"
            shift = (-4 if side == "right" else 4, 0)
            label(axes, (mark, 0.97), f"ε = {mark:g}", shift=shift, ha=side)
        head(axes, f"With more ε, {next(iter(curves))} takes over")
    return figure


def risk_lines(
    epsilons: np.ndarray,
    curves: Mapping[str, np.ndarray],
    *,
    risk: Any,
    marks: Mapping[str, float],
    title: str,
) -> Figure:
    """Beliefs against epsilon, at most three, and the epsilons at which they reach the risk.

    Args:
        epsilons: shape (E,).
        curves: name to beliefs of shape (E,), in [0, 1].
        risk: the accepted one, a horizontal line.
        marks: name of a curve to its epsilon; nan for none, inf for any.
        title: the message.
    """
    accepted = float(parse_risk(risk))
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=HEIGHT)
        axes.axhline(accepted, color=INK, linewidth=1.2)
        ends = [(accepted, f"accepted: {risk}", INK)]
        for line, (name, values) in zip(reversed(LINES), curves.items()):
            axes.plot(epsilons, values, **line)
            epsilon = marks.get(name, math.nan)
            if math.isfinite(epsilon):
                look = {"color": line["color"], "linewidth": 1.6, "linestyle": (0, (1, 1.2))}
                axes.plot([epsilon, epsilon], [0, accepted], **look)
                name += f"\nε = {round_down(epsilon)}"
            ends.append((float(values[-1]), name, line["color"]))
        axes.set(xlabel="ε", ylabel="belief", ylim=(0, 1.02), title=title)
        axes.set_xlim(epsilons[0], epsilons[-1])
        name_ends(axes, ends, panel=HEIGHT)
    return figure
