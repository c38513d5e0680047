"""What the figures share: one look, names beside lines, and how one is saved."""

from dpbook.figures.labels import name_ends, name_lines
from dpbook.figures.style import (
    BAND,
    GRID,
    LOOK,
    in_words,
    query_in_words,
    save_figure,
)
from dpbook.figures.worlds import draw_steps, world_lines
