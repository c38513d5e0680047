"""What the figures of chapters that are not plain share: one look, and how one is saved."""

from dpbook.figures.style import BAND, GRID, LOOK, save_figure
