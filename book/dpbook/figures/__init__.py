"""What the figures share: one look, names beside lines, and how one is saved."""

from dpbook.figures.beliefs import draw_beliefs, draw_steps
from dpbook.figures.bounds import Flag, draw_bounds, name_lines, reached
from dpbook.figures.sensitivities import SHADES, draw_ratios, draw_sensitivities
from dpbook.figures.style import BAND, GRID, LOOK, epsilon_axis, in_words, save_figure
from dpbook.figures.worlds import draw_hills, ends_around, shared_ends, world_lines

__all__ = [
    "BAND",
    "Flag",
    "GRID",
    "LOOK",
    "SHADES",
    "draw_beliefs",
    "draw_bounds",
    "draw_hills",
    "draw_ratios",
    "draw_sensitivities",
    "draw_steps",
    "ends_around",
    "epsilon_axis",
    "in_words",
    "name_lines",
    "reached",
    "save_figure",
    "shared_ends",
    "world_lines",
]
