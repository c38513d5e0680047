"""The risk of several answers published together is the definition, for any rates and priors."""

import itertools
import math

import definition
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import awkward_releases, priors, unless_far

import dpchoose as dp
from dpchoose.risk import bounds

BOUNDS = {dp.tight_bound: definition.tight_bound, dp.upper_bound: definition.upper_bound}
SHARES = [0.0, 1e-3, 0.3, 1.0, 7.0, 300.0, math.inf]


def worlds_of(rows, prior=None):
    """Worlds with given rows of answers: the place of one record is released and looked up."""
    lookups = [lambda places, c=column: c[places[..., 0].astype(int)] for column in rows.T]
    return dp.possible_worlds(lookups, np.arange(float(len(rows))), 1, prior=prior)


@st.composite
def tables(draw, most=7, widest=3):
    """Rows of one to three answers with ties, a prior or None, and a rate for each answer."""
    several, size = draw(st.integers(1, widest)), draw(st.integers(2, most))
    steps = st.one_of(st.integers(-4, 4).map(float), st.floats(-4, 4, width=16))
    rows = [draw(st.lists(steps, min_size=size, max_size=size)) for _ in range(several)]
    rates = draw(st.lists(st.sampled_from(SHARES), min_size=several, max_size=several))
    return np.array(rows).T, draw(priors(size)), np.array(rates)


@given(drawn=tables(), factor=st.floats(1, 9), axis=st.integers(0, 2))
def test_both_bounds_are_their_equations_and_no_rate_lowers_them(drawn, factor, axis):
    """Lee and Clifton's equations 11 and 9; noise without end, or the answer in two halves."""
    rows, prior, rates = drawn
    exact = [tuple(map(definition.mp.mpf, row)) for row in rows.tolist()]
    ones, more = np.ones(len(rates)), rates.copy()
    more[axis % len(rates)] = max(more[axis % len(rates)], 1e-3) * factor
    ladder = np.stack([0 * ones, rates, more, np.maximum(more, 1e9), ones * np.inf])
    for bound, equation in BOUNDS.items():
        risks = bound(worlds_of(rows, prior), epsilon=ladder, sensitivity=ones)
        assert risks[1] == pytest.approx(float(equation(exact, rates.tolist(), prior)), rel=1e-12)
        assert (np.diff(risks) >= -1e-13).all()
        for beside, some in (
            (np.column_stack([rows, np.arange(len(rows))]), np.append(rates, 0)),
            (np.hstack([rows, rows]), np.append(rates, rates) / 2),
        ):
            same = bound(worlds_of(beside, prior), epsilon=some, sensitivity=np.ones(len(some)))
            assert same == pytest.approx(risks[1], rel=1e-12)


@given(drawn=awkward_releases(least=3, most=5), data=st.data())
def test_the_risk_of_real_queries_is_within_its_margin_at_60_digits(drawn, data):
    """Whatever the records are; an infinite rate is no noise."""
    universe, size, queries = drawn
    worlds = unless_far(dp.possible_worlds, queries, universe, size)
    shares = [data.draw(st.sampled_from(SHARES)) for _ in queries]
    rates = np.array(shares) / np.where(worlds.spread > 0, worlds.spread, 1)
    exact = definition.tight_bound(definition.worlds(queries, universe, size)[1], rates.tolist())
    seen = bounds.largest_log_risk(worlds, rates)
    assert abs(seen - definition.mp.log(exact)) <= bounds.margin(worlds, rates)


@given(tables(), st.integers(0, 99))
def test_no_output_gives_a_world_more_than_the_tight_bound(drawn, seed):
    """Points of the grid of the coordinates, near and far; an answer gives as much."""
    rows, prior, rates = drawn
    rates, rng = np.minimum(rates, 50), np.random.default_rng(seed)
    grid = np.array(list(itertools.product(*map(np.unique, rows.T))))
    around = rng.uniform(rows.min(axis=0) - 1, rows.max(axis=0) + 1, (40, rows.shape[1]))
    far = rng.choice([-1e6, 0.0, 1e6], (9, rows.shape[1])) + around[:9]
    at = {"epsilon": rates, "sensitivity": np.ones(len(rates))}
    bound = dp.tight_bound(worlds_of(rows, prior), **at)
    beliefs = dp.posterior(rows, np.concatenate([rows, grid, around, far]), prior=prior, **at)
    assert beliefs.max() <= bound * (1 + 1e-12)
    assert beliefs[: len(rows)].max() == pytest.approx(bound, rel=1e-12)


@given(tables())
def test_how_far_two_worlds_lie_apart_at_most_is_rounded_up_a_little(drawn):
    rows, rates = drawn[0], np.minimum(drawn[2], 300)
    exact = [tuple(map(definition.real, row)) for row in rows.tolist()]
    pairs = itertools.product(exact, exact)
    farthest = max(definition.distance(*pair, rates.tolist()) for pair in pairs)
    found = bounds.diameter(worlds_of(rows), rates)
    assert farthest <= found <= farthest * (1 + definition.mp.mpf("1e-13"))


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_last_axis_of_epsilon_is_that_of_the_answers(bound):
    """Shapes (d,) and (..., d) give a float and an array without it."""
    worlds = worlds_of(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]))
    epsilon = np.linspace(0, 3, 24).reshape(3, 4, 2)
    got = bound(worlds, epsilon=epsilon, sensitivity=[2, 3])
    alone = bound(worlds, epsilon=epsilon[1, 2], sensitivity=[2, 3])
    assert (got.shape, type(alone), alone) == ((3, 4), float, got[1, 2])
    assert bound(worlds, epsilon=np.zeros((0, 2)), sensitivity=[2, 3]).shape == (0,)
    two = dp.tight_bound(worlds, epsilon=[1, 2], sensitivity=[1, 1])
    assert two == pytest.approx(1 / ((1 + math.exp(-1)) * (1 + math.exp(-2))), rel=1e-14)


def test_answers_that_run_against_each_other_add_up_like_those_that_run_together():
    """The farthest two worlds of x and -x are as far apart as at twice the rate of x."""
    worlds = worlds_of(np.array([[0.0, 0.0], [1.0, -1.0], [3.0, -3.0]]))
    alone = worlds_of(np.array([[0.0], [1.0], [3.0]]))
    both = dp.upper_bound(worlds, epsilon=[1, 1], sensitivity=[3, 3])
    assert both == pytest.approx(dp.upper_bound(alone, epsilon=[2], sensitivity=[3]), rel=1e-12)
