"""The figures of part two, looked at as matplotlib holds them."""

import matplotlib.pyplot as plt
import numpy as np
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
