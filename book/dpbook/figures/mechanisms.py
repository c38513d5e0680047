"""The figures of randomized response and of the exponential mechanism."""

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


def settling(estimates: np.ndarray, errors: np.ndarray, *, truth: float) -> Figure:
    """The estimate of a survey after each further respondent, and how far off it may be.

    Args:
        estimates: after 1, 2, ... respondents, shape (N,).
        errors: two standard errors for as many, shape (N,).
        truth: what is estimated, a horizontal line.
    """
    asked = np.arange(1, len(estimates) + 1)
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=3.0)
        for edge in (truth - errors, truth + errors):
            axes.plot(asked, edge, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))
        axes.axhline(truth, color=INK, linewidth=1.2)
        axes.plot(asked, estimates, color=BLUE)
        axes.set(xlabel="pupils asked", ylabel="estimated share", ylim=(truth - 0.6, truth + 0.6))
        axes.set_xlim(0, len(asked))
        end = len(asked)
        label(axes, (end, truth + errors[-1]), "two standard errors", ha="right", shift=(0, 10))
        label(axes, (end, truth), f"truth,\n{truth:g}", shift=(4, 0))
        axes.set_title("With every answer the estimate settles")
    return figure


def survey_bands(
    epsilons: np.ndarray,
    panels: Mapping[int, Mapping[str, np.ndarray]],
    *,
    truth: float,
    reach: float,
) -> Figure:
    """Every survey's estimate, and the band around the truth, a panel for each size.

    Args:
        epsilons: shape (E,).
        panels: respondents to "estimates" and "inside" (whether the truth
            lies within the survey's own uncertainty), both of shape (E, runs),
            and "band", the uncertainty to expect, of shape (E,).
        truth: what is estimated.
        reach: how far above and below the truth the panels show.
    """
    with mpl.rc_context(LOOK):
        figure, rows = stack(len(panels), height=2.6)
        for axes, (people, panel) in zip(rows, panels.items()):
            inside = panel["inside"]
            for edge in (truth - panel["band"], truth + panel["band"]):
                axes.plot(epsilons, edge, color=INK, linewidth=1.2)
            axes.axhline(truth, color=INK, linewidth=1.2)
            places = np.broadcast_to(epsilons[:, None], inside.shape)
            for kept, look in (
                (inside, {"marker": ".", "ms": 3, "color": BLUE}),
                (~inside, {"marker": "x", "ms": 5, "color": RED}),
            ):
                axes.plot(places[kept], panel["estimates"][kept], ls="", **look)
            axes.set(ylabel="estimate p\u0302", ylim=(truth - reach, truth + reach))
            axes.set_xlim(0, math.ceil(epsilons[-1]))
            missed = np.count_nonzero(~inside)
            axes.set_title(f"N = {people:,}: {missed:,} of {inside.size:,} miss the truth (×)")
        rows[-1].set_xlabel("ε")
    return figure


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
