"""The risk of an epsilon is what the equations say, on any scale, within its stated error."""

import math

import definition
import numpy as np
import pytest
from definition import mp, real
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import priors, weighted_answers, worlds_of

import dpchoose as dp
from dpchoose.risk import bounds

RISKS = [dp.tight_bound, dp.upper_bound, dp.average_risk]
each_risk = pytest.mark.parametrize("risk", RISKS)


epsilons = st.one_of(
    st.sampled_from([0.0, 1e-12, 1e-6, 0.1, 0.5, 1.0, 5.0, 100.0, 1e6, math.inf]),
    st.floats(-12, 6).map(lambda power: 10**power),
)
ratios = st.sampled_from([1e-6, 0.3, 1.0, 7.0, 1e6])


def by_definition(risk, answers, prior, rate):
    """An equation at the exact decimals that the answers are, or the floats."""
    exact = list(map(real, definition.meant(answers)))
    if risk is dp.average_risk:
        return definition.average_risk(exact, min(rate, mp.mpf(10) ** 200), prior)
    equation = {dp.tight_bound: definition.tight_bound, dp.upper_bound: definition.upper_bound}
    return equation[risk]([(one,) for one in exact], [rate], prior)


@each_risk
@given(drawn=weighted_answers(max_size=12), ratio=ratios, epsilon=epsilons)
def test_a_risk_is_its_equation(risk, drawn, ratio, epsilon):
    """For any prior, epsilon and scale the floats agree with 60 digits of the definition."""
    answers, prior, scale = drawn
    got = risk(worlds_of(answers, prior), epsilon=epsilon, sensitivity=ratio * scale)
    expected = by_definition(risk, answers, prior, real(epsilon) / real(ratio * scale))
    assert got == pytest.approx(float(expected), rel=1e-12, abs=0)


@given(drawn=weighted_answers(max_size=30), power=st.floats(-3, 9))
@example(drawn=(np.array([0.0, 1e-3, 1e9]), None, 1.0), power=2.0)
def test_the_logarithm_of_a_risk_is_within_its_margin(drawn, power):
    """Never further off than is charged to it, which grows, and is seldom a millionth."""
    answers, prior, scale = drawn
    worlds, rate = worlds_of(answers, prior), 10**power / scale
    rates = np.array([[rate]])
    exact = mp.log(by_definition(dp.tight_bound, answers, prior, real(rate)))
    charged = bounds.margin(worlds, rates)
    assert (
        abs(bounds.largest_log_risk(worlds, rates) - exact)
        <= charged
        <= bounds.margin(worlds, 2 * rates)
    )
    assert charged <= 1e-6 or rate * worlds.spread > 1e8


@each_risk
@given(
    prior=priors(5).filter(lambda prior: prior is not None),
    far=st.sampled_from([1e6, -1e9, 1e14]),
    epsilon=st.floats(0.01, 10),
)
@example(prior=np.array([0.6, 0.1, 0.1, 0.1, 0.1]), far=1e14, epsilon=2 * math.log(6) * (1 + 2e-6))
@example(prior=np.array([0, 0, 1, 7, 1]) / 9, far=1e14, epsilon=7.0)
def test_a_far_outlier_loses_no_digits(risk, prior, far, epsilon):
    """Four answers close together are weighed as if the fifth were near."""
    answers = [0, 1, 2.5, 3, far]
    got = risk(worlds_of(answers, prior), epsilon=epsilon, sensitivity=2)
    expected = by_definition(risk, answers, prior, real(epsilon) / 2)
    assert got == pytest.approx(float(expected), rel=1e-12, abs=0)


@given(drawn=weighted_answers(), ratio=ratios)
def test_risks_grow_with_epsilon_in_order_from_the_largest_prior_to_what_ties_leave(drawn, ratio):
    """Less noise never protects more; average, tight and upper bound; both ends of each."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    epsilon = np.concatenate([[0], np.logspace(-12, 6, 40), [math.inf]])
    at = {"epsilon": epsilon, "sensitivity": ratio * scale}
    average, tight, upper = (risk(worlds, **at) for risk in (dp.average_risk, *RISKS[:2]))
    for less, more in ((average, tight), (tight, upper)):
        assert (less <= more * (1 + 1e-13)).all()
    for risks in (average, tight, upper):
        assert (np.diff(risks) >= -1e-13).all()
        assert ((risks > 0) & (risks <= 1)).all()
        assert risks[0] == pytest.approx(float(worlds.largest_prior), rel=1e-14)
    alone = 1 if len(worlds.answers) > 1 else float(worlds.largest_prior)
    assert tight[-1] == pytest.approx(float(worlds.largest_share), rel=1e-14)
    assert (average[-1], upper[-1]) == pytest.approx((worlds.peaks.sum(), alone), rel=1e-13)
    for risk in RISKS:  # a sensitivity of 0 asks for no noise
        exact = risk(worlds, epsilon=math.inf, sensitivity=scale)
        assert risk(worlds, epsilon=[0, 1, 1e6], sensitivity=0).tolist() == [exact] * 3


@each_risk
@given(drawn=weighted_answers(scales=(1.0,)), epsilon=epsilons)
def test_each_entry_of_an_array_is_the_risk_at_that_epsilon_in_any_unit(risk, drawn, epsilon):
    """One epsilon gives a float; left and right are alike, and only the ratio counts."""
    answers, prior, _ = drawn
    worlds, grid = worlds_of(answers, prior), np.array([[epsilon], [0.5], [math.inf]])
    got = risk(worlds, epsilon=grid, sensitivity=2)
    single = [risk(worlds, epsilon=one, sensitivity=2) for one in grid.ravel().tolist()]
    assert {type(one) for one in single} == {float}
    assert got.tolist() == [[one] for one in single]
    assert risk(worlds, epsilon=[], sensitivity=1).shape == (0,)
    there = risk(worlds_of(-answers * 2.0**300, prior), epsilon=epsilon, sensitivity=2.0**301)
    assert there == pytest.approx(single[0], rel=1e-13)


@pytest.mark.parametrize(
    ("prior", "epsilon"),
    [(None, 0.43172), (None, 3.0), ([0.1, 0.2, 0.3, 0.4], 0.7), ([0.97, 0.01, 0.01, 0.01], 5.0)],
)
def test_the_average_is_the_integral_over_all_outputs(prior, epsilon):
    """Added up over a fine grid; of the school's days 30.325% where the worst case is 1/3."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 10], 3, prior=prior)
    rate, outputs = epsilon / (17 / 6), np.linspace(-150, 160, 310_001)
    tents = np.exp(-rate * np.abs(outputs - worlds.answers[:, None])) * worlds.peaks[:, None]
    got = dp.average_risk(worlds, epsilon=epsilon, sensitivity=17 / 6)
    assert got == pytest.approx(np.trapezoid(tents.max(axis=0) * rate / 2, outputs), rel=1e-5)
    assert epsilon != 0.43172 or got == pytest.approx(0.30325, abs=5e-6)


@given(worlds=st.integers(2, 40), epsilon=st.floats(0, 60), gap=st.floats(1e-3, 1e3))
def test_the_average_of_equally_spaced_worlds(worlds, epsilon, gap):
    """Guerra-Balboa and others (2026), theorem 5.3: epsilon for the whole range of m worlds."""
    answers = np.arange(worlds) * gap
    got = dp.average_risk(worlds_of(answers), epsilon=epsilon, sensitivity=answers[-1])
    gain = (worlds - 1) / worlds * -math.expm1(-epsilon / (2 * (worlds - 1)))
    assert got - 1 / worlds == pytest.approx(gain, rel=1e-9, abs=1e-12)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=6), st.floats(0.1, 9))
@example([0, 0, 0, 0, 3], 1.0)
def test_tight_is_upper_only_where_one_world_lies_at_one_end_and_all_others_at_the_other(
    universe, epsilon
):
    """N - 1 equal records and another: the upper bound is all that is known without the file."""
    counts = [universe.count(min(universe)), universe.count(max(universe))]
    met = (1 in counts and sum(counts) == len(universe)) or sum(counts) == 2 * len(universe)
    worlds = worlds_of(universe)
    tight, upper = (risk(worlds, epsilon=epsilon, sensitivity=1) for risk in RISKS[:2])
    assert (tight == pytest.approx(upper, rel=1e-9)) == met
