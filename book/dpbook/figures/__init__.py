"""What the figures share: one look, names beside lines, and how one is saved."""

from dpbook.figures.style import BAND, GRID, LOOK, epsilon_axis, in_words, save_figure

__all__ = ["BAND", "GRID", "LOOK", "epsilon_axis", "in_words", "save_figure"]
