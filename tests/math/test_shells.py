"""The shell bound is a bound, no worse than the closed form, and its epsilon is safe."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf

import dpchoose as dp
from dpchoose.epsilon import shells

QUERIES = ["count", "sum", "mean", "median", "var", "std", "percentile_25", "percentile_90"]
RISKS = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


@st.composite
def releases(draw, max_size=8):
    """Records with ties, clusters or an outlier, and how many are released."""
    kind = draw(
        st.sampled_from([st.integers(0, 2), st.integers(-9, 9), st.floats(-5, 5, width=16)])
    )
    universe = draw(st.lists(kind.map(float), min_size=2, max_size=max_size))
    if draw(st.booleans()):
        universe[0] = draw(st.sampled_from([100.0, -1e4]))
    return universe, draw(st.integers(1, len(universe) - 1))


def midrange(values):
    """A query without a name."""
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


@pytest.mark.parametrize("query", [*QUERIES, midrange])
@given(drawn=releases(), power=st.floats(-2, 2))
def test_the_bounds_stand_in_order(query, drawn, power):
    """Worst case, shell bound, upper bound, at every epsilon."""
    universe, size = drawn
    worlds = dp.possible_worlds(query, universe, size)
    at = {"epsilon": 10**power, "sensitivity": max(worlds.spread, 1e-3)}
    worst = dp.worst_case_risk(worlds, **at)
    shell = dp.shell_bound(query, universe, size, **at)
    assert worst <= shell * (1 + 1e-9)
    assert shell <= dp.risk_upper_bound(worlds, **at) * (1 + 1e-9)


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=releases())
def test_shells_are_all_the_worlds_by_how_many_records_they_change(query, drawn):
    """Their sizes add up, and no world of a shell is farther than the shell."""
    universe, size = drawn
    around = shells.shells(query, universe, size, 10**6)
    sizes = around.sizes(len(around.logs))
    assert sum(sizes) == around.total == math.comb(len(universe), size)
    assert np.exp(around.logs) == pytest.approx(sizes, rel=1e-12)
    assert np.all(np.diff(around.distances) >= 0)
    answers = dp.world_answers(query, universe, size)
    worlds = list(itertools.combinations(range(len(universe)), size))
    slack = 1e-9 * (1 + np.abs(answers).max())
    for one, other in itertools.combinations(range(len(worlds)), 2):
        changed = size - len(set(worlds[one]) & set(worlds[other]))
        assert abs(answers[one] - answers[other]) <= around.distances[changed] + slack


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=releases(), risk=RISKS)
def test_the_epsilon_of_the_shell_bound_is_the_largest_safe_one(query, drawn, risk):
    """With 60 digits on the distances as they are; or any epsilon will do, or none."""
    universe, size = drawn
    around = shells.shells(query, universe, size, 10**6)
    at = {"risk": risk, "sensitivity": 0.7}
    tied = sum(around.sizes(int(np.count_nonzero(around.distances == 0))))
    if Fraction(1, tied) <= risk:
        assert dp.epsilon_from_shell_bound(query, universe, size, **at) == math.inf
        return
    if risk <= Fraction(1, around.total):
        with pytest.raises(dp.UnattainableRisk, match=r"^risk must exceed "):
            dp.epsilon_from_shell_bound(query, universe, size, **at)
        return
    epsilon = dp.epsilon_from_shell_bound(query, universe, size, **at)
    assert_largest(around, epsilon, risk, 0.7)


def assert_largest(around, epsilon, risk, sensitivity):
    sizes = around.sizes(len(around.logs))
    with mpmath.workdps(60):
        target = mpf(risk.numerator) / risk.denominator

        def bound(rate):
            pairs = zip(sizes, around.distances.tolist())
            return 1 / mpmath.fsum(n * mpmath.exp(-rate * mpf(d)) for n, d in pairs)

        rate = mpf(epsilon) / mpf(sensitivity)
        assert bound(rate) <= target
        assert bound(rate * (1 + mpf("1e-9"))) > target


@pytest.mark.parametrize("query", ["mean", "median", "var"])
def test_two_thousand_records_are_answered_and_proved(query):
    """By floats and not digit by digit; the proof is checked with 60 digits."""
    universe = np.random.default_rng(0).lognormal(10, 1, 2000)
    sensitivity = dp.global_sensitivity(query, universe, 1000).value
    around = shells.shells(query, universe, 1000, 10**6)
    risk = Fraction(1, 100)
    epsilon = shells.largest_epsilon(around, risk, sensitivity)
    assert epsilon == dp.epsilon_from_shell_bound(
        query, universe, 1000, risk=risk, sensitivity=sensitivity
    )
    assert_largest(around, epsilon, risk, sensitivity)
    assert dp.shell_bound(
        query, universe, 1000, epsilon=epsilon, sensitivity=sensitivity
    ) == pytest.approx(0.01, rel=1e-6)


def test_distances_that_are_dear_are_rounded_up():
    """Every distance in between has the value of the next larger one that was looked at."""
    universe = np.random.default_rng(1).normal(size=150)
    around = shells.shells("var", universe, 75, 10**6)
    every = dp.sensitivity.bounded_by_distance("var", universe, 75)
    assert np.all(around.distances[1:] >= every * (1 - 1e-12))
    assert around.distances[1] == pytest.approx(every[0])
    assert around.distances[-1] == pytest.approx(every[-1])


def test_all_but_one_is_the_closed_form():
    """Every other world is one change away."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 10], 3)
    for epsilon in ([0.0, 0.1, 1.0, math.inf], 0.3):
        at = {"epsilon": epsilon, "sensitivity": 17 / 6}
        shell = dp.shell_bound("mean", [1, 2, 3, 10], 3, **at)
        assert shell == pytest.approx(dp.risk_upper_bound(worlds, **at), rel=1e-14)
        assert np.shape(shell) == np.shape(epsilon)


def test_without_noise_only_tied_shells_protect():
    """A sensitivity of 0 asks for no noise; then any epsilon will do, or none."""
    zeros = [0, 0, 0, 0, 5]
    assert dp.shell_bound("median", zeros, 3, epsilon=1, sensitivity=0) == pytest.approx(0.1)
    at = {"sensitivity": 0}
    assert dp.epsilon_from_shell_bound("median", zeros, 3, risk=0.1, **at) == math.inf
    with pytest.raises(dp.UnattainableRisk, match=r"^risk must be at least 1, "):
        dp.epsilon_from_shell_bound("mean", zeros, 3, risk=0.3, **at)


def test_a_callable_is_refused_when_there_are_too_many_pairs():
    """It is enumerated where it can be."""
    assert dp.shell_bound(midrange, [0, 1, 2], 1, epsilon=0, sensitivity=1) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"^max_worlds is 10 but this sensitivity looks at "):
        dp.shell_bound(midrange, range(9), 4, epsilon=1, sensitivity=1, max_worlds=10)
