"""The figures of part two, looked at as matplotlib holds them."""

import numpy as np
import pandas as pd
import pytest
from dpbook import figures
from dpbook.figures.sensitivity import apart
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

STEPS = [1, 2, 3]


def names(axes):
    return [text.get_text() for text in axes.texts]


@given(st.lists(st.floats(0, 10), min_size=1, max_size=10), st.floats(0.1, 1))
def test_names_are_apart_and_inside_while_there_is_room(ends, gap):
    places = apart(np.sort(ends), gap, 10.0)
    assert (np.diff(places) >= gap - 1e-9).all()
    assert places[-1] <= max(10.0, gap * (len(ends) - 1)) + 1e-9


def test_queries_with_the_same_values_share_a_line_and_each_panel_has_its_own_axis():
    frame = pd.DataFrame({"median": [1.0, 2, 3], "percentile_50": [1.0, 2, 3]}, index=STEPS)
    figure = figures.sensitivity_lines({"small": frame, "large": 100 * frame}, title="two")
    small, large = figure.axes
    assert names(small) == names(large) == ["median, p50"]
    assert large.get_ylim()[1] == pytest.approx(100 * small.get_ylim()[1])


def test_every_line_has_its_name_and_a_look_of_its_own_however_near_the_lines_end():
    ends = {"sum": 9.0, "std": 1.1, "percentile_25": 1.0, "mean": 0.9, "median": 1.0, "var": 0.95}
    frame = pd.DataFrame({q: [0.0, 0.1 * i, end] for i, (q, end) in enumerate(ends.items())})
    (axes,) = figures.sensitivity_lines({"pupils": frame}, title="").axes
    assert set(names(axes)) == {"sum", "std", "p25", "mean", "median", "var"}
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in axes.lines}
    assert len(looks) == len(ends)


def test_a_query_that_is_always_zero_is_drawn_on_an_axis_of_its_own():
    frame = pd.DataFrame({"count": [0.0, 0, 0]}, index=STEPS)
    (axes,) = figures.sensitivity_lines({"count": frame}, title="none").axes
    assert axes.get_ylim() == (0, 1)


def test_the_ranking_begins_with_the_smallest_error_and_leaves_out_what_has_none():
    errors = pd.Series({"var": 0.5, "mean": 0.0034786, "count": 0.0, "percentile_25": np.nan})
    (axes,) = figures.ranked_queries({"visits": errors}, title="").axes
    ranked = [tick.get_text() for tick in axes.get_yticklabels()]
    assert ranked == ["count", "mean", "var"]
    assert names(axes) == ["no noise", "± 0.35%", "± 50%"]


def test_all_rankings_have_one_axis_on_which_every_error_and_the_whole_answer_lie():
    small, large = pd.Series({"mean": 0.001}), pd.Series({"mean": 90.0})
    rows = figures.ranked_queries({"clinic": small, "school": large}, title="").axes
    assert rows[0].get_xlim() == rows[1].get_xlim()
    low, high = rows[0].get_xlim()
    assert low < 0.001 < 1 < 90 < high


def test_a_ranking_in_which_nothing_needs_noise_or_nothing_is_known_can_be_drawn():
    errors = {"none": pd.Series({"count": 0.0}), "unknown": pd.Series({"mean": np.nan})}
    first, second = figures.ranked_queries(errors, title="").axes
    assert (names(first), names(second)) == (["no noise"], [])


def test_worlds_with_the_same_density_share_a_name_in_the_attack():
    days, lists = [1, 2, 3, 10], [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    scales = [dp.local_sensitivity("median", days, world).value for world in lists]
    x = np.linspace(-3, 8, 111)
    answers = dp.world_answers("median", days, 3)
    heights = np.exp(-abs(x[:, None] - answers) / scales) / (2 * np.array(scales))
    curves = dict(zip("abcd", heights.T, strict=True))
    figure = figures.unequal_noise(x, curves, x, curves, risk=0.5, titles=["", ""])
    assert sorted(names(figure.axes[0])) == ["a", "b", "c\nd"]
