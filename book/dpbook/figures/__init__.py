"""The figures of the book: a module for each family, one look for all."""

from dpbook.figures.risk import epsilon_axis, risk_curves
from dpbook.figures.style import BAND, GRID, LOOK, in_words, save_figure

__all__ = [
    "BAND",
    "GRID",
    "LOOK",
    "epsilon_axis",
    "in_words",
    "risk_curves",
    "save_figure",
]
