"""What must not change when the data are only written another way, and what must move how."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

MOST = 1e12  # an epsilon from which the noise is below the rounding of the data
QUERIES = ["sum", "mean", "median", "var", "std"]
whole = st.lists(st.integers(-20, 20), min_size=4, max_size=7)


def noise(query, universe, size, **how):
    """Epsilon, scale and status; noise that no float could show is none."""
    found = dp.recommend(query, np.array(universe, dtype=float), size, risk=0.6, **how)
    if found.epsilon > MOST:
        return math.inf, 0.0, found.status
    return found.epsilon, found.table["noise scale"][0], found.status


def close(one, other):
    return one == other or one == pytest.approx(other, rel=1e-8)


@given(
    query=st.sampled_from(QUERIES),
    universe=whole,
    factor=st.sampled_from([2.0**40, 2.0**-9, 10.0, 0.1, 3.0, -1.0, -7.0]),
    data=st.data(),
)
def test_scaling_the_data_leaves_epsilon(query, universe, factor, data):
    """And scales the noise, for a variance by the square."""
    size = data.draw(st.integers(1, len(universe) - 1))
    epsilon, scale, status = noise(query, universe, size)
    scaled, wider, same = noise(query, np.array(universe, dtype=float) * factor, size)
    power = abs(factor) ** 2 if query == "var" else abs(factor)
    assert same == status
    assert close(scaled, epsilon) or math.isnan(epsilon)
    assert close(wider, scale * power) or math.isnan(scale)


@given(
    query=st.sampled_from(["mean", "median", "var", "std"]),
    universe=whole,
    shift=st.sampled_from([1.0, -17.0, 2.0**20, 1000.0]),
    data=st.data(),
)
def test_shifting_the_data_leaves_the_scale(query, universe, shift, data):
    size = data.draw(st.integers(1, len(universe) - 1))
    one = noise(query, universe, size)
    other = noise(query, np.array(universe) + shift, size)
    assert all(close(*pair) or pair[0] != pair[0] for pair in zip(other[:2], one[:2]))


@given(
    query=st.sampled_from(QUERIES),
    universe=whole,
    secret=st.sampled_from(["world", "present", "absent"]),
    data=st.data(),
)
def test_the_order_of_the_rows_never_matters(query, universe, secret, data):
    size = data.draw(st.integers(1, len(universe) - 1))
    mixed = data.draw(st.permutations(universe))
    one, other = (noise(query, rows, size, secret=secret) for rows in (universe, mixed))
    assert all(close(*pair) or pair[0] != pair[0] for pair in zip(other[:2], one[:2]))


@given(query=st.sampled_from(["sum", "mean"]), universe=whole)
def test_twice_every_record_and_n_makes_a_world_no_easier_to_find(query, universe):
    """A world is now two of before, A and B; those that share A lie as far from it as before."""
    size = len(universe) // 2
    scale = 0.5
    risk = dp.recommend(query, universe, size, scale=scale).risks["world"]
    doubled = dp.recommend(query, universe * 2, 2 * size, scale=scale).risks["world"]
    assert doubled <= risk * (1 + 1e-9)
