"""What every committed figure owes to its reader."""

import itertools
import re

import numpy as np
import pytest
from dpbook import figures
from dpbook.chapter import FIGURES
from dpbook.figures.labels import apart, name_ends
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

PICTURES = sorted(FIGURES.glob("*.svg"))


def contrast_with_white(colour):
    """The contrast ratio of WCAG 2.1, from 1 for white to 21 for black."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 1.05 / (luminance + 0.05)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_every_line_and_every_word_stands_out_from_the_paper(path):
    """At least 3 to 1 for a line, 4.5 to 1 for text, and nothing is see-through."""
    drawn = path.read_text("utf-8")
    behind = {"#ffffff", figures.GRID, figures.BAND}
    for colour in set(re.findall(r"(?:stroke|fill): (#[0-9a-f]{6})", drawn)) - behind:
        assert contrast_with_white(colour) >= 3, colour
    words = re.findall(r'id="text_\d+">\s*<!-- .* -->\s*<g style="fill: (#[0-9a-f]{6})', drawn)
    assert all(contrast_with_white(colour) >= 4.5 for colour in words)
    assert not re.search(r'"[^"]*(?:fill|stroke): #[^"]*opacity: 0', drawn)


@pytest.mark.parametrize("third", [0.05, 0.5, 0.97])
def test_no_name_of_a_line_stands_over_another_or_over_the_panel(third):
    drawn = Figure(figsize=(5.2, 3))
    panel = drawn.subplots()
    heights = (0.99, 0.98, 0.97, 0.5, third, third)
    ends = [(height, "a name", "#757575") for height in heights]
    name_ends(panel, ends, panel=2.5)
    FigureCanvasAgg(drawn).draw()
    boxes = [text.get_window_extent() for text in panel.texts]
    assert len(boxes) == len(heights)
    for box, other in itertools.combinations([*boxes, panel.get_window_extent()], 2):
        assert not box.overlaps(other), (box, other)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=10), st.floats(0.1, 1))
def test_names_are_apart_and_inside_while_there_is_room(ends, gap):
    places = apart(np.sort(ends), gap, 10.0)
    assert (np.diff(places) >= gap - 1e-9).all()
    assert places[-1] <= max(10.0, gap * (len(ends) - 1)) + 1e-9
