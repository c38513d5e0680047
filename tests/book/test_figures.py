"""What every committed figure owes to its reader."""

import itertools
import math
import re

import matplotlib as mpl
import numpy as np
import pandas as pd
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
    behind = {"#ffffff", figures.GRID, figures.BAND, *figures.SHADES}
    for colour in set(re.findall(r"(?:stroke|fill): (#[0-9a-f]{6})", drawn)) - behind:
        assert contrast_with_white(colour) >= 3, colour
    words = re.findall(r'id="text_\d+">\s*<!-- .* -->\s*<g style="fill: (#[0-9a-f]{6})', drawn)
    assert all(contrast_with_white(colour) >= 4.5 for colour in words)
    assert not re.search(r'"[^"]*(?:fill|stroke): #[^"]*opacity: 0', drawn)


@pytest.mark.parametrize("limits", [[5, 0], [-1, 2], [0, float("inf")], [1], [0, float("nan")]])
def test_ends_of_a_figure_that_cannot_be_are_refused_in_one_line(limits):
    with pytest.raises(ValueError, match=r"epsilon_range must be \[low, high\] with 0 <= low <"):
        figures.epsilon_axis(limits)


def test_a_chosen_epsilon_lies_inside_the_figure():
    for chosen in (0.05, 0.4, 4.99, 100.0):
        low, high = figures.epsilon_axis([0.1, 5], chosen, float("nan"), float("inf"))[[0, -1]]
        assert low <= chosen < high


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


@pytest.mark.parametrize("pair", [(0.4, 0.5), (2.8, 4.4), (0.1, 4.9), (4.5, 4.9)])
def test_no_vertical_runs_through_the_words_of_another(pair):
    epsilons, risks = np.linspace(0, 5, 501), {"days": np.linspace(0.2, 1, 501)}
    flags = {"days": [figures.Flag(at, "upper", 0.3, "upper") for at in pair]}
    with mpl.rc_context(figures.LOOK):
        values = {"days": [1, 2]}
        drawn = figures.draw_bounds(epsilons, risks, risks, risk=0.3, flags=flags, values=values)
    FigureCanvasAgg(drawn).draw()
    words = [text for text in drawn.axes[0].texts if "upper" in text.get_text()]
    poles = [line for line in drawn.axes[0].lines if line.get_gid() == "pole"]
    boxes = [text.get_window_extent() for text in words if "bound" not in text.get_text()]
    assert len(boxes) == len(poles) == 2
    for box, pole in itertools.product(boxes, poles):
        x, top = pole.get_transform().transform(pole.get_xydata())[1]
        assert not (box.x0 < x < box.x1 and box.y0 < top)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=10), st.floats(0.1, 1))
def test_names_are_apart_and_inside_while_there_is_room(ends, gap):
    places = apart(np.sort(ends), gap, 10.0)
    assert (np.diff(places) >= gap - 1e-9).all()
    assert places[-1] <= max(10.0, gap * (len(ends) - 1)) + 1e-9


def test_every_line_has_its_name_and_what_is_one_line_shares_it():
    rows = {"sum": [0, 9.0], "mean": [0, 0.9], "percentile_50": [0, 0.9], "var": [8, math.nan]}
    panels = {("A", "sensitivity"): pd.DataFrame(rows, index=[1, 2])}
    (axes,) = figures.draw_sensitivities(panels, xlabel="k").axes
    assert [text.get_text() for text in axes.texts] == ["mean\n= p50", "var", "sum"]


def test_a_cell_is_blank_only_where_its_ratio_is_1_and_hatched_where_there_is_none():
    ratios = pd.DataFrame({"mean": [0.999, 1.0], "sum": [0.0, math.nan]}, index=[1, 2])
    (axes,) = figures.draw_ratios({"exchanged": ratios}, headline="days").axes
    words = [text.get_text() for text in axes.texts]
    assert words[words.index("less in 2 of 3") + 1 :][:4] == ["k = 1", "1.00", "0", "2"]
    cells = [patch for patch in axes.patches if patch.get_fill()]
    assert [bool(cell.get_hatch()) for cell in cells[:4]] == [False, False, False, True]


def test_words_can_be_read_on_the_darkest_cell():
    ink, shade = map(contrast_with_white, ("#1a1a1a", figures.SHADES[0]))
    assert ink / shade >= 4.5
