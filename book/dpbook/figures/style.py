"""How the figures look, and how one is saved.

The colours are told apart without colour vision (Okabe and Ito 2008) and every
line also has its own dashes or its own name beside it. A figure is nearly black
on white, and brings its white along, because a picture in a README has no style
sheet. It is 5.2 inches wide, so that its text can be read on a telephone.
"""

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.ticker import PercentFormatter

import dpchoose as dp

INK, GREY = "#1a1a1a", "#757575"  # words and axes; lines that are not the point
RED, BLUE, GREEN, PINK = "#d55e00", "#0072b2", "#009e73", "#cc79a7"
WORDS = {RED: "#b84f00", GREEN: "#00795a", PINK: "#a8517f"}  # these need more contrast
GRID, BAND = "#e4e4e4", "#dbe9f4"  # behind the lines

LOOK = {
    "axes.edgecolor": INK,
    "axes.facecolor": "white",
    "axes.labelcolor": INK,
    "axes.labelsize": 11,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",
    "font.size": 11,
    "grid.color": GRID,
    "legend.fontsize": 10.5,
    "legend.frameon": False,
    "lines.linewidth": 2.0,
    "savefig.dpi": 200,
    "svg.hashsalt": "dpchoose",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def label(
    axes: Axes,
    at: tuple[float, float],
    text: str,
    color: str = INK,
    *,
    shift: tuple[float, float] = (6, 0),
    **how: Any,
) -> Annotation:
    """Write the name of a line beside it, in its colour.

    Args:
        at: the point of the line, in data coordinates.
        color: of the line; its words get the darker shade that they need.
        shift: from the point, in points of 1/72 inch.
        how: what else `Axes.annotate` takes, such as which side is at the point, "ha".
    """
    how = {"va": "center", "fontsize": 10.5, "parse_math": False} | how
    color = WORDS.get(color, color)
    return axes.annotate(text, at, xytext=shift, textcoords="offset points", color=color, **how)


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


def save_figure(figure: Figure, name: str, folder: Path) -> Path:
    """Write <name>.png and <name>.svg, the same bytes every time.

    Each appears whole, and one that does not change keeps its time.

    Returns:
        the path of the PNG.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(LOOK):
        for kind, metadata in {"svg": {"Date": None}, "png": None}.items():
            drawn, path = io.BytesIO(), folder / f"{name}.{kind}"
            figure.savefig(drawn, format=kind, metadata=metadata)
            if not path.exists() or path.read_bytes() != drawn.getvalue():
                part = path.with_name(f".{path.name}.{os.getpid()}.part")
                part.write_bytes(drawn.getvalue())
                part.replace(path)
    return folder / f"{name}.png"
