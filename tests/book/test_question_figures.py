"""The figures of part two, looked at as matplotlib holds them."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from dpbook import figures
from dpbook.figures.labels import apart, lead_to_names
from hypothesis import given
from hypothesis import strategies as st


def names(axes):
    return [text.get_text() for text in axes.texts]


@given(st.lists(st.floats(0, 10), min_size=1, max_size=10), st.floats(0.1, 1))
def test_names_are_apart_and_inside_while_there_is_room(ends, gap):
    places = apart(np.sort(ends), gap, 10.0)
    assert (np.diff(places) >= gap - 1e-9).all()
    assert places[-1] <= max(10.0, gap * (len(ends) - 1)) + 1e-9


def test_every_line_has_its_name_in_the_order_of_their_ends():
    axes = plt.figure().subplots()
    axes.set(xticks=[1, 2], ylim=(0, 10))
    ends = {"sum": 9.0, "mean": 0.9, "var": 0.95, "count": 0.0}
    lines = [((0.0, end), name, "#0072b2") for name, end in ends.items()]
    lead_to_names(axes, lines, 100)
    assert names(axes) == ["count", "mean", "var", "sum"]
    plt.close()


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
