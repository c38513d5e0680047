"""Both bounds on the risk against epsilon, as Figure 2 of Lee and Clifton (2011) draws them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dpbook.figures.labels import name_lines
from dpbook.figures.style import BLUE, INK, RED, WHITE, cut, in_words, label
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
    values: Mapping[str, Sequence[float]],
    risk_range: Sequence[float] | None = None,
    headline: str = "",
) -> Figure:
    """Both bounds against epsilon, a panel for each column, two beside each other.

    Args:
        epsilons: as :func:`dpbook.figures.epsilon_axis` gives them.
        upper, tight: of each column, the bounds at these epsilons.
        risk: the accepted one, in words or as a number.
        flags: of each column, its verticals.
        values: of each column, the records, which the title lists where they are few.
        risk_range: the ends of the vertical axis; 0 to 1, or to five times a small risk.
        headline: what to see; by default, which bound reaches the accepted risk last.
    """
    accepted = float(parse_risk(risk))
    across = min(2, len(upper))
    rows = -(-len(upper) // across)
    size = (max(PANEL[0] * across, 5.2), PANEL[1] * rows)  # one panel has room for the headline
    figure, grid = plt.subplots(rows, across, figsize=size, sharey=True, squeeze=False)
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.05, wspace=0.03, hspace=0.04)
    for axes in grid.flat[len(upper) :]:
        axes.set_axis_off()
    grid[0, 0].set_ylim(risk_range or (0, 1 if accepted >= 0.1 else 5 * accepted))
    head = 8 + ROW * max(map(len, flags.values()))
    for axes, column in zip(grid.flat, upper):
        axes.set_xlim(epsilons[[0, -1]])
        axes.set_xlabel("ε", labelpad=1)
        if axes.get_subplotspec().is_first_col():
            axes.set_ylabel("disclosure risk")
        name = in_words(column)
        title = f"{name}: {', '.join(f'{value:g}' for value in values[column])}"
        if len(title) > LONGEST:
            title = cut(name, LONGEST)
        how = {"pad": head, "fontsize": 11, "fontweight": "normal", "parse_math": False}
        axes.set_title(title, **how).set_in_layout(False)
    headline = headline or _headline(upper, tight, accepted)
    how = {"x": 0.015, "ha": "left", "fontsize": 12, "fontweight": "bold", "wrap": True}
    figure.suptitle(headline, **how)
    figure.draw_without_rendering()  # panels have their places from here on
    for axes, column in zip(grid.flat, upper):
        level = np.full(len(epsilons), accepted)
        lines = [  # with its name below it, above it, or on either side
            ("tight bound", tight[column], BLUE, "-", 2.4, [False]),
            (f"accepted: {risk}", level, INK, "-", 1.0, [True, False]),
            ("upper bound", upper[column], RED, (0, (4.5, 1.8)), 2.0, [True]),
        ]
        for _, line, color, dashes, width, _ in lines:
            axes.plot(epsilons, line, color=color, ls=dashes, lw=width)
        _fly(axes, flags[column])
        name_lines(axes, [(of, epsilons, line, DARK[c], up) for of, line, c, *_, up in lines])
    return figure


def _headline(
    upper: Mapping[str, np.ndarray], tight: Mapping[str, np.ndarray], accepted: float
) -> str:
    """What to see: which bound reaches the accepted risk last, or which one is lower.

    >>> rising = {"days": np.array([0.2, 0.5])}
    >>> [_headline(rising, {"days": np.array([0.2, end])}, 0.3) for end in (0.4, 0.5)]
    ['The tight bound allows the larger ε', 'Both bounds are one']
    """
    if all(np.allclose(upper[column], tight[column]) for column in upper):
        return "Both bounds are one"
    if all(risks[0] < accepted < risks[-1] for risks in upper.values()):
        return "The tight bound allows the larger ε"
    return "The tight bound is the lower one"


def reached(bound: str, epsilon: float, risk: Any) -> Flag:
    """The flag where a bound reaches an accepted risk.

    Args:
        bound: "upper" or "tight".
        epsilon: nan where none keeps the risk, inf where each does.
        risk: the accepted one, in words or as a number.

    >>> reached("upper", float("nan"), "1/3").words
    'no ε keeps 1/3'
    """
    words = bound
    if not math.isfinite(epsilon):
        words = f"{'no' if math.isnan(epsilon) else 'every'} ε keeps {risk}"
    return Flag(epsilon, words, float(parse_risk(risk)), bound)


def _fly(axes: Axes, flags: Sequence[Flag]) -> None:
    """Draw verticals, their marks, and their words beside their tops, a row above the other.

    All words stand right of their verticals where there is room, or all left; else each where
    there is room. The vertical farthest from its words' side is the highest, so that none runs
    through the words of another where all stand on one side.
    """
    frame, (low, high) = axes.get_window_extent(), axes.get_xlim()
    drawn = []
    for flag in sorted(flags):
        finite = math.isfinite(flag.epsilon)
        share = (flag.epsilon - low) / (high - low) if finite else 0.0
        words = f"{four_digits(flag.epsilon)}  {flag.words}" if finite else flag.words
        look = {"bbox": WHITE, "va": "baseline", "zorder": 2, "annotation_clip": False}
        place = {"xycoords": "axes fraction", "shift": (0, 0)}
        text = label(axes, (share, 1), words, DARK[COLOR[flag.bound]], **place, **look)
        text.set_in_layout(False)
        drawn.append((flag, text, share, text.get_window_extent().width / frame.width))
    rights = [share + width < 1.05 for *_, share, width in drawn]
    if not all(rights) and all(share - width > -0.05 for *_, share, width in drawn):
        rights = [False] * len(drawn)
    rows = range(len(drawn))
    for row, (flag, text, *_), right in zip(rows[::-1] if any(rights) else rows, drawn, rights):
        foot = 4 + ROW * row
        text.set(position=(4 if right else -4, foot), ha="left" if right else "right")
        if math.isfinite(flag.epsilon):
            top = 1 + (foot + 11) * axes.figure.dpi / 72 / frame.height
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
