"""Worlds, however many there are: their lines, and what readers believe of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

import dpchoose as dp
from dpbook.figures.style import BLUE, GREEN, PINK, RED, label

MANY = 8  # worlds that are coloured and named one by one
GREYS = 60  # of more worlds, so many are drawn grey at most
COLORS = [RED, BLUE, GREEN, PINK]
DASHES = ["-", (0, (5, 2)), (0, (2, 1)), (0, (6, 2, 1, 2)), (0, (1, 1.5))]
FAINT = {"color": "#bdbdbd", "ls": "-", "lw": 0.6, "zorder": 1}


class Line(NamedTuple):
    """The line of a world: its place among the worlds, its look, and whether it is named."""

    place: int
    look: dict[str, Any]
    named: bool


def world_lines(answers: Any, risks: Any) -> list[Line]:
    """The worlds that are drawn, the grey ones first.

    Up to eight all are coloured. Of more, the lowest, the highest and the riskiest are, and of
    the others at most sixty are grey, evenly spread over the order of their answers.

    Args:
        answers: of each world, shape (m,).
        risks: of each world, how sure its own answer makes her, shape (m,).

    >>> [line.place for line in world_lines(range(9), [0] * 8 + [1])][-2:]
    [0, 8]
    """
    answers, risks = np.asarray(answers), np.asarray(risks)
    if len(answers) <= MANY:
        named, grey = list(range(len(answers))), []
    else:
        named = list(dict.fromkeys([answers.argmin(), answers.argmax(), risks.argmax()]))
        spread = np.linspace(0, len(answers) - 1, min(GREYS, len(answers))).astype(int)
        grey = [place for place in np.argsort(answers)[spread] if place not in named]
    looks = (
        {"color": COLORS[i % len(COLORS)], "ls": DASHES[i % len(DASHES)], "lw": 2.4, "zorder": 3}
        for i in range(len(named))
    )
    coloured = [Line(int(place), look, True) for place, look in zip(named, looks)]
    return [Line(int(place), FAINT, False) for place in grey] + coloured


def draw_steps(axes: Axes, rows: Sequence[tuple[str, float, float, str]], title: str) -> None:
    """What readers believe before and after: a line from a circle to a dot, a row for each.

    Args:
        rows: of each reader the name, the belief before and after, and the colour.
    """
    for place, (reader, before, after, color) in enumerate(rows):
        look = {"color": color, "ms": 7, "zorder": 3}
        axes.plot([before, after], [-place] * 2, color=color, lw=2.4)
        axes.plot(before, -place, "o", mfc="white", **look)
        axes.plot(after, -place, "o", **look)
        axes.text(0, 0.24 - place, reader, fontsize=10.5)
        text = f"{100 * after:.3g}%\n× {dp.odds_factor(before, after):.3g}"
        look = {"shift": (0, 0), "fontweight": "bold", "linespacing": 1.1}
        label(axes, (1.04, -place), text, color, annotation_clip=False, **look)
    axes.set(xlim=(-0.02, 1.02), ylim=(0.5 - len(rows), 0.7), yticks=[], title=title)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.spines["left"].set_visible(False)
