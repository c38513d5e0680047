"""How the figures look of a chapter that is not plain, and how one is saved.

They are nearly black on white, and bring their white along, because a picture in a README has no
style sheet.
"""

import io
import os
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

INK, BLUE = "#1a1a1a", "#0072b2"  # words and axes; lines
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
