"""How the figures look, and how one is saved.

The colours are told apart without colour vision (Okabe and Ito 2008) and every
line also has its own dashes or its own name beside it. A figure is nearly black
on white, and brings its white along, because a picture in a README has no style
sheet. It is 5.2 inches wide, so that its text can be read on a telephone.
"""

import io
import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

INK, GREY = "#1a1a1a", "#757575"  # words and axes; lines that are not the point
RED, BLUE, GREEN, PINK = "#d55e00", "#0072b2", "#009e73", "#cc79a7"
WORDS = {RED: "#b84f00", GREEN: "#00795a", PINK: "#a8517f"}  # these need more contrast
WHITE = {"fc": "white", "ec": "none", "pad": 0.5}  # around words that stand over a line
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


def in_words(name: str) -> str:
    """A column's or a query's name as it is read: school_year, School year."""
    return name.replace("_", " ").capitalize()


def cut(words: str, most: int) -> str:
    """Words of a reader's file, of so many characters at most.

    >>> cut("Outpatient visits", 17), cut("Outpatient visits", 11)
    ('Outpatient visits', 'Outpatient…')
    """
    return words if len(words) <= most else f"{words[: most - 1]}…"


def query_in_words(query: str) -> str:
    """A query as it is read.

    >>> [query_in_words(f"percentile_{p}") for p in ("25", "12.5", "11", "2")]
    ['25th percentile', '12.5th percentile', '11th percentile', '2nd percentile']
    >>> query_in_words("var"), query_in_words("mean")
    ('variance', 'mean')
    """
    place = query.removeprefix("percentile_")
    if place == query:
        return {"std": "standard deviation", "var": "variance"}.get(query, query)
    ending = {"1": "st", "2": "nd", "3": "rd"}.get(place[-1], "th")
    return f"{place}{'th' if place[-2:] in ('11', '12', '13') else ending} percentile"


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
