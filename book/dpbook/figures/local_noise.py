"""Noise that is as wide as the release makes it, and what its width gives away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpbook.figures.style import BLUE, INK, LOOK, RED, WIDTH, label
from dpchoose.epsilon.text import parse_risk

LINES = [
    {"color": BLUE, "linewidth": 2.4},
    {"color": RED, "linewidth": 2.4},
    {"color": INK, "linewidth": 2.0},
    {"color": INK, "linewidth": 2.0, "linestyle": (0, (4, 2))},
]


def unequal_noise(
    near: np.ndarray,
    densities: Mapping[str, np.ndarray],
    far: np.ndarray,
    beliefs: Mapping[str, np.ndarray],
    *,
    risk: Any,
    titles: Sequence[str],
) -> Figure:
    """Densities of unequal width above, and what an adversary believes after each output.

    Args:
        near: outputs of the upper panel, shape (X,).
        densities: world to densities there; worlds with the same curve share it.
        far: outputs of the lower panel, shape (Y,).
        beliefs: world to posteriors there.
        risk: the accepted one, a horizontal line.
        titles: of the two panels.
    """
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 5.6))
        above, below = figure.subplots(2)
        highest = max(values.max() for values in densities.values())
        sides = ["left", "right"]  # of the wide curves, from left to right
        for line, (world, values) in zip(LINES, _shared(densities).items()):
            above.plot(near, values, **line)
            if values.max() > 0.5 * highest:
                at, how = int(values.argmax()), {"shift": (8, -6), "ha": "left"}
            else:
                side = sides.pop(0) if sides else "right"
                at = _fallen(values, 0.7, right=side == "right")
                how = {"shift": (0, 5), "va": "bottom"}
                how["ha"] = "left" if side == "right" else "right"
            label(above, (near[at], values[at]), world, line["color"], **how)
        above.set(ylabel="density", xlim=(near[0], near[-1]), xlabel="noisy answer")
        above.set_ylim(bottom=0)
        accepted = float(parse_risk(risk))
        below.axhline(accepted, color=INK, linewidth=1.0, linestyle=(0, (1, 1.5)))
        last = max(values[-1] for values in beliefs.values())
        for line, (world, values) in zip(LINES, _shared(beliefs).items()):
            below.plot(far, values, **line)
            if values[-1] == last:
                at, how = len(far) - 1, {"shift": (-2, -12), "ha": "right"}
            elif values.max() > 0.5:
                at, how = int(values.argmax()), {"shift": (7, 2)}
            else:
                at, how = _fallen(values, 0.33, right=True), {"shift": (4, 12)}
            label(below, (far[at], values[at]), world, line["color"], **how)
        at = far[-1], accepted
        label(below, at, f"accepted: {risk}", INK, shift=(-2, 7), ha="right")
        below.set(ylabel="belief", xlim=(far[0], far[-1]), ylim=(0, 1.05), xlabel="noisy answer")
        below.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        for axes, title in zip((above, below), titles):
            axes.set_title(title)
    return figure


def _shared(curves: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Curves that are the same, as one under all their names."""
    names: dict[bytes, list[str]] = {}
    for world, values in curves.items():
        names.setdefault(np.round(values, 12).tobytes(), []).append(world)
    return {"\n".join(same): curves[same[0]] for same in names.values()}


def _fallen(values: np.ndarray, share: float, *, right: bool) -> int:
    """The first place beside its peak where a curve is below a share of it."""
    low, peak = np.flatnonzero(values < values.max() * share), int(values.argmax())
    beyond = low[low > peak] if right else low[low < peak][::-1]
    return int(beyond[0]) if len(beyond) else peak
