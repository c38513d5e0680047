"""Sums that decay with distance, each within the error that is stated for it."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpchoose.risk import decay

SCALES = [1e-90, 1e-6, 1.0, 1e8, 1e90]


@st.composite
def weighted(draw, max_size=40):
    """Sorted distinct values, positive weights that sum to 1, and a scale."""
    scale = draw(st.sampled_from(SCALES))
    steps = st.one_of(st.integers(-20, 20), st.floats(-20, 20, width=32), st.floats(-1e4, 1e4))
    values = sorted(set(draw(st.lists(steps, min_size=1, max_size=max_size))))
    shares = st.sampled_from([1, 2, 1000, 1e-9, 1e-100, 1e-160, 1e-280])
    weights = np.array(draw(st.lists(shares, min_size=len(values), max_size=len(values))))
    values = np.unique(np.array(values) * scale)
    return values, weights[: len(values)] / weights[: len(values)].sum(), scale


def dense(values, weights, rate):
    """All pairs, with 40 digits."""
    with mpmath.workdps(40):
        return [
            mpmath.fsum(
                mpmath.mpf(w)
                * mpmath.exp(-mpmath.mpf(rate) * abs(mpmath.mpf(v) - mpmath.mpf(here)))
                for v, w in zip(values.tolist(), weights.tolist())
            )
            for here in values.tolist()
        ]


WAYS = {
    "chosen": lambda v, w, t: decay.sums(v, w, np.array([t]))[0],
    "windows": lambda v, w, t: decay._in_windows(decay._Line(v, None), w, t),
    "blocks": lambda v, w, t: decay._in_blocks(decay._Line(v, None), w, t),
}


@pytest.mark.parametrize("way", WAYS)
@given(drawn=weighted(), power=st.floats(-6, 4))
def test_a_sum_is_within_its_error(way, drawn, power):
    """However the terms are added, the stated relative error holds."""
    values, weights, scale = drawn
    rate = 10**power / scale
    if way == "blocks" and weights.min() < decay.SMALLEST:
        weights = np.full(len(values), 1 / len(values))
    got = WAYS[way](values, weights, rate)
    span = rate * (values[-1] - values[0]) if way == "chosen" else math.inf
    error = decay.relative_error(len(values), span)
    for one, exact in zip(got.tolist(), dense(values, weights, rate)):
        assert abs(one - exact) <= error * exact


@pytest.mark.parametrize("span", [1.0, 599.0, 1e4, 1e6, 1e9])
@pytest.mark.parametrize("size", [1025, 40_000])
def test_the_ways_of_adding_many_terms_agree(span, size):
    """Rows, blocks and windows give the same sums up to their stated errors."""
    rng = np.random.default_rng(size)
    values = np.sort(rng.standard_cauchy(size))
    weights = rng.random(size) + 1e-3
    weights /= weights.sum()
    rate = span / (values[-1] - values[0])
    windows = WAYS["windows"](values, weights, rate)
    chosen = WAYS["chosen"](values, weights, rate)
    blocks = WAYS["blocks"](values, weights, rate)
    error = 2 * decay.relative_error(size)
    assert np.abs(chosen / windows - 1).max() <= error
    assert np.abs(blocks / windows - 1).max() <= error
    some = rng.integers(0, size, 20)
    pairs = np.exp(-rate * np.abs(values[some, None] - values)) @ weights
    assert np.abs(chosen[some] / pairs - 1).max() <= error


def test_worlds_that_hardly_anybody_expects_are_added_up_far_from_the_others():
    """Half of them have a weight of 1e-283, and so are their sums: they do not vanish."""
    values = np.append(np.linspace(0, 500, 1500), np.linspace(2500, 3000, 1500))
    weights = np.where(values < 1000, 1.0, 1e-280) / 1500
    got = decay.sums(values, weights, np.array([1.0]))[0]
    error = decay.relative_error(len(values), 3000.0)
    for place in (0, 1499, 1500, 1700, 2999):
        pairs = np.exp(-np.abs(values[place] - values)) * weights
        assert got[place] == pytest.approx(math.fsum(pairs), rel=error, abs=0)


def test_what_values_lack_is_counted_far_from_zero():
    """Ten thousand million away floats are a millionth apart, and the first lacks half of it."""
    heads = np.append(np.arange(50_000.0), 1e10 + 2.0 * np.arange(50_000))
    tails = np.zeros(len(heads))
    tails[50_000:], tails[50_000] = -9e-7, 9e-7
    weights, rate = np.full(len(heads), 1e-5), 1e-5
    got = decay.sums(heads, weights, np.array([rate]), tails)[0]
    error = decay.relative_error(len(heads), rate * 1e10)
    pairs = np.exp(-rate * np.abs((heads - heads[50_000]) + (tails - tails[50_000]))) * weights
    assert got[50_000] == pytest.approx(math.fsum(pairs), rel=error, abs=0)


def test_the_ends_of_the_rates():
    """At rate 0 all weights count, at infinity only the own one."""
    values, weights = np.array([0.0, 1.0, 1e100]), np.array([0.25, 0.25, 0.5])
    got = decay.sums(values, weights, np.array([0.0, math.inf, 5e-324, 1e308]))
    assert got[0].tolist() == [1, 1, 1]
    assert got[1].tolist() == weights.tolist()
    assert got[2] == pytest.approx([1, 1, 1])
    assert got[3].tolist() == weights.tolist()


def test_a_world_without_weight_adds_nothing():
    """Weights of 0 are left out of every sum, and the sum at their place is that of the others."""
    values, weights = np.array([0.0, 1.0, 3.0]), np.array([0.5, 0.0, 0.5])
    got = decay.sums(values, weights, np.array([math.log(2), 1e4]))
    assert got[0] == pytest.approx([0.5625, 0.375, 0.5625], rel=1e-14)
    assert got[1].tolist() == [0.5, 0.0, 0.5]
