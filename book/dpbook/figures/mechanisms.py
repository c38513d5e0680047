"""The figures of randomized response and of the exponential mechanism."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from dpbook.figures.style import BAND, BLUE, GREEN, GREY, LOOK, PINK, RED, head, stack

SIZE_LINES: list[dict[str, Any]] = [
    {"color": RED, "linestyle": (0, (1, 1)), "linewidth": 1.8},
    {"color": GREEN, "linestyle": (0, (5, 1.5)), "linewidth": 1.8},
    {"color": BLUE, "linestyle": "-", "linewidth": 2.2},
]

OUTCOME_LINES: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-"},
    {"color": RED, "linestyle": (0, (6, 2))},
    {"color": GREEN, "linestyle": (0, (2, 1))},
    {"color": PINK, "linestyle": "-", "linewidth": 3.6},
    {"color": "black", "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.4},
    {"color": GREY, "linestyle": (0, (3, 1.5))},
    {"color": RED, "linestyle": (0, (1, 1.2)), "linewidth": 1.6},
]


def trade_off(
    epsilons: np.ndarray,
    estimates: Mapping[int, np.ndarray],
    errors: Mapping[int, np.ndarray] | None = None,
    *,
    truth: float,
    estimate_range: Sequence[float],
    error_range: Sequence[float] | None = None,
) -> Figure:
    """What surveys of some sizes estimate, and below it how uncertain that is.

    Args:
        epsilons: shape (E,).
        estimates: respondents to estimates of shape (E,).
        errors: the same for their uncertainties; None leaves the panel out.
        truth: what is estimated, a horizontal line.
        estimate_range, error_range: of the axes, the second one logarithmic.
    """
    with mpl.rc_context(LOOK):
        figure, rows = stack(2 if errors else 1, height=3.0)
        rows[0].axhline(truth, color="black", linewidth=1.2, label=f"truth, {truth:g}", zorder=3)
        for axes, curves in zip(rows, [estimates, errors]):
            for line, (people, values) in zip(itertools.cycle(SIZE_LINES), curves.items()):
                axes.plot(epsilons, values, label=f"N = {people:,}", **line)
        rows[0].set(ylabel="estimate p\u0302", ylim=estimate_range)
        rows[0].set_xlim(0, math.ceil(epsilons[-1]))
        head(rows[0], "Estimate")
        if errors:
            rows[1].set(ylabel="uncertainty Δp", yscale="log", ylim=error_range)
            rows[1].yaxis.set_major_formatter("{x:g}")
            head(rows[1], "Uncertainty")
        rows[-1].set_xlabel("ε")
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
            low, high = truth - panel["band"], truth + panel["band"]
            axes.fill_between(epsilons, low, high, color=BAND, label="truth ± Δp", zorder=1)
            for edge in (low, high):
                axes.plot(epsilons, edge, color=BLUE, linewidth=1.0)
            axes.axhline(truth, color="black", linewidth=1.2, label=f"truth, {truth:g}")
            places = np.broadcast_to(epsilons[:, None], panel["inside"].shape)
            for kept, name, look in (
                (panel["inside"], "holds the truth", {"marker": ".", "ms": 3, "color": BLUE}),
                (~panel["inside"], "misses it", {"marker": "x", "ms": 5, "color": RED}),
            ):
                label = f"{name}: {np.count_nonzero(kept):,}"
                axes.plot(places[kept], panel["estimates"][kept], label=label, ls="", **look)
            axes.set(ylabel="estimate p\u0302", ylim=(truth - reach, truth + reach))
            axes.set_xlim(0, math.ceil(epsilons[-1]))
            head(axes, f"N = {people:,}")
        rows[-1].set_xlabel("ε")
    return figure


def outcome_probabilities(
    epsilons: np.ndarray, curves: Mapping[str, np.ndarray], *, mark: float, xlabel: str
) -> Figure:
    """The probability of each outcome against epsilon, which has a logarithmic axis.

    Args:
        epsilons: shape (E,), positive.
        curves: outcome to probabilities of shape (E,).
        mark: an epsilon, a vertical line that the legend names.
        xlabel: what epsilon stands for.
    """
    with mpl.rc_context(LOOK):
        figure, (axes,) = stack(1, height=4.2)
        axes.axvline(mark, color=GREY, linewidth=1.2, label=f"ε = {mark:g}")
        for line, (outcome, values) in zip(itertools.cycle(OUTCOME_LINES), curves.items()):
            axes.plot(epsilons, values, label=outcome, **line)
        axes.set(ylabel="probability", xlabel=xlabel, xscale="log", ylim=(0, 1.02))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlim(epsilons[0], epsilons[-1])
        head(axes, "Outcome")
    return figure
