"""Both bounds on the risk against epsilon, as Figure 2 of Lee and Clifton (2011) draws them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.style import BLUE, INK, RED, in_words
from dpchoose.numbers import parse_risk

ROW = 14.5  # points from one flag to the next
PANEL = (3.3, 3.08)  # inches: two panels are 15:7, as in the source
DARK = {RED: "#7d3200", BLUE: "#00436b", INK: INK}  # words at a line: nearly black, of its hue
COLOR = {"upper": RED, "tight": BLUE}
LONGEST = 27  # characters of a title


class Flag(NamedTuple):
    """A vertical at an epsilon, with its words above the panel.

    Attributes:
        epsilon: nan or inf has words and no vertical.
        words: they follow the number.
        risk: where a mark stands on the vertical.
        bound: "upper" or "tight", whose colour it has.
    """

    epsilon: float
    words: str
    risk: float
    bound: str


def draw_bounds(
    epsilons: np.ndarray,
    upper: Mapping[str, np.ndarray],
    tight: Mapping[str, np.ndarray],
    *,
    risk: Any,
    flags: Mapping[str, Sequence[Flag]],
    values: Mapping[str, Sequence[float]] | None = None,
    risk_range: Sequence[float] | None = None,
) -> Figure:
    """Both bounds against epsilon, a panel for each column, two beside each other.

    Args:
        epsilons: as :func:`dpbook.figures.epsilon_axis` gives them.
        upper, tight: of each column, the bounds at these epsilons.
        risk: the accepted one, in words or as a number.
        flags: of each column, its verticals.
        values: of each column, the records, which the title lists where they are few.
        risk_range: the ends of the vertical axis; 0 to 1, or to five times a small risk.
    """
    accepted = float(parse_risk(risk))
    ends = risk_range or (0, 1 if accepted >= 0.1 else 5 * accepted)
    across = min(2, len(upper))
    rows = -(-len(upper) // across)
    size = (PANEL[0] * across, PANEL[1] * rows)
    figure, grid = plt.subplots(rows, across, figsize=size, sharey=True, squeeze=False)
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.05, wspace=0.03, hspace=0.04)
    for axes in grid.flat[len(upper) :]:
        axes.set_axis_off()
    most = max(map(len, flags.values()))
    for axes, column in zip(grid.flat, upper):
        axes.set(xlim=epsilons[[0, -1]], ylim=ends)
        axes.set_xlabel("ε", labelpad=1)
        if axes.get_subplotspec().is_first_col():
            axes.set_ylabel("disclosure risk")
        listed = "" if values is None else ", ".join(f"{value:g}" for value in values[column])
        title = f"{in_words(column)}: {listed}"
        if not listed or len(title) > LONGEST:
            title = in_words(column)
        short = title if len(title) <= LONGEST else f"{title[: LONGEST - 1]}…"
        axes.set_title(short, pad=8 + ROW * most).set_in_layout(False)
    figure.draw_without_rendering()  # panels have their places from here on
    for axes, column in zip(grid.flat, upper):
        lines = [("tight bound", tight[column], BLUE, "-", 2.4)]
        lines += [(f"accepted: {risk}", np.full(len(epsilons), accepted), INK, "-", 1.0)]
        lines += [("upper bound", upper[column], RED, (0, (4.5, 1.8)), 2.0)]
        for _, line, color, dashes, width in lines:
            axes.plot(epsilons, line, color=color, ls=dashes, lw=width)
        _fly(axes, flags[column])
        sides = {BLUE: [False], RED: [True], INK: [True, False]}
        named = [(name, epsilons, line, color) for name, line, color, *_ in lines]
        name_lines(axes, [(*line[:3], DARK[line[3]], sides[line[3]]) for line in named])
    return figure


def reached(bound: str, epsilon: float, risk: Any) -> Flag:
    """The flag where a bound reaches an accepted risk.

    Args:
        bound: "upper" or "tight".
        epsilon: nan where none keeps the risk, inf where each does.
        risk: the accepted one, in words or as a number.

    >>> reached("upper", float("nan"), "1/3").words
    'no ε keeps 1/3'
    """
    words = f"{bound} bound"
    if not math.isfinite(epsilon):
        words = f"{'no' if math.isnan(epsilon) else 'every'} ε keeps {risk}"
    return Flag(epsilon, words, float(parse_risk(risk)), bound)


def _fly(axes: Axes, flags: Sequence[Flag]) -> None:
    """Draw verticals, their marks, and their words beside their tops, a row above the other.

    Words stand right of a vertical where there is room, else left; no vertical runs through the
    words of another where all stand on one side.
    """
    unit = axes.figure.dpi / 72
    frame, (low, high) = axes.get_window_extent(), axes.get_xlim()
    drawn = []
    for flag in sorted(flags):
        finite = math.isfinite(flag.epsilon)
        share = (flag.epsilon - low) / (high - low) if finite else 0.0
        text = axes.annotate(
            f"{four_digits(flag.epsilon)}  {flag.words}" if finite else flag.words,
            (share, 1),
            (0, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=10.5,
            color=DARK[COLOR[flag.bound]],
            parse_math=False,
            bbox={"fc": "white", "ec": "none", "pad": 0.5},
            annotation_clip=False,
            zorder=2,
        )
        text.set_in_layout(False)
        right = share + text.get_window_extent().width / frame.width < 1.05
        drawn.append((flag, text, right))
    if any(right for *_, right in drawn):
        drawn.reverse()
    for row, (flag, text, right) in enumerate(drawn):
        foot = 4 + ROW * row
        text.set(position=(4 if right else -4, foot), ha="left" if right else "right")
        if math.isfinite(flag.epsilon):
            top = 1 + (foot + 11) * unit / frame.height
            color, solid = COLOR[flag.bound], flag.bound == "tight"
            axes.plot(
                *([flag.epsilon, flag.epsilon], [0, top]),
                color=color, ls="-" if solid else (0, (1, 1.2)), lw=1, zorder=1.5, gid="pole",
                transform=axes.get_xaxis_transform(), clip_on=False,
            )  # fmt: skip
            fill = color if solid else "white"
            axes.plot(flag.epsilon, flag.risk, "o", c=color, mfc=fill, ms=6, mew=1.6, zorder=5)


def four_digits(epsilon: float) -> str:
    """An epsilon as its source prints it: to nearest, with four decimals at most.

    >>> four_digits(0.33788), four_digits(0.5), four_digits(0.00001234)
    ('0.3379', '0.5', '1.2e-05')
    """
    if 0 < epsilon < 0.001:
        return f"{epsilon:.2g}"
    return f"{epsilon:.4f}".rstrip("0").rstrip(".")


def name_lines(axes: Axes, lines: Sequence[tuple[str, Any, Any, str, Sequence[bool]]]) -> None:
    """Write the name of each line beside it, where it is clear of all lines and names.

    Of the places along a line, the one with the most room up to a little,
    and of those the nearest to the line and to the right middle of the panel. Where there is
    none, a name may interrupt a vertical; a line that is nowhere clear keeps no name.

    Args:
        axes: a panel with its final place and limits, and all its lines.
        lines: of each its name, its points x and y, the colour of its name, and whether this
            may stand above it (True), below it (False), or both.
    """
    frame, unit = axes.get_window_extent(), axes.figure.dpi / 72
    drawn = [line for line in axes.lines if line.get_marker() in ("None", None, "")]
    dots = [_filled(line.get_transform(), *line.get_data()) for line in drawn]
    curves = [points for points, line in zip(dots, drawn) if line.get_gid() != "pole"]
    taken: list[tuple[float, float, float, float]] = []
    for name, x, y, color, sides in lines:
        label = axes.text(0, 0, name, color=color, fontsize=11, parse_math=False)
        label.set(bbox={"fc": "white", "ec": "none", "pad": 0.5}, zorder=1.8)
        box = label.get_window_extent()
        width, height = box.width, 0.86 * box.height
        points = _filled(axes.transData, np.asarray(x), np.asarray(y))[::6]
        spots = list(itertools.product(points, (1 * unit, 5 * unit), sides, (True, False)))
        best, best_box = -math.inf, None
        for ink in (np.concatenate(dots), np.concatenate(curves)):
            for (px, py), gap, up, left in spots if best_box is None else []:
                start, foot = px - width * left, py + gap if up else py - gap - height
                place = (start, foot, start + width, foot + height)
                room = min(_clearance(place, ink, taken, frame), 4 * unit) / unit
                away = abs(start + width / 2 - frame.x0 - 0.7 * frame.width) / unit
                score = room - 0.2 * gap / unit - 0.02 * away
                if room >= 1.5 and score > best:
                    best, best_box = score, place
        if best_box is None:
            label.remove()
        else:
            label.set_position(axes.transData.inverted().transform(best_box[:2]))
            taken.append(best_box)


def _filled(transform: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points of a line two pixels apart, in pixels."""
    points = transform.transform(np.column_stack([x, y]).astype(float))
    steps = np.r_[0, np.hypot(*np.diff(points, axis=0).T).cumsum()]
    at = np.arange(0, steps[-1] + 2, 2.0)
    return np.column_stack([np.interp(at, steps, points[:, i]) for i in (0, 1)])


def _clearance(box: tuple[float, ...], ink: np.ndarray, taken: Sequence[Any], frame: Any) -> float:
    """How far a box is from lines, names and the frame, in pixels; below 0 if it leaves it."""
    left, foot, right, top = box
    inside = min(left - frame.x0, frame.x1 - right, foot - frame.y0, frame.y1 - top)
    across = np.maximum(np.maximum(left - ink[:, 0], ink[:, 0] - right), 0)
    along = np.maximum(np.maximum(foot - ink[:, 1], ink[:, 1] - top), 0)
    others = [max(left - x1, x0 - right, foot - y1, y0 - top) for x0, y0, x1, y1 in taken]
    return min(inside, float(np.hypot(across, along).min()), *others)
