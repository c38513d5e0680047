"""The epsilon of many worlds is proved safe, and near the solution, with 60 digits."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf

import dpchoose as dp
from dpchoose.epsilon import choose, solve
from dpchoose.worlds.possible import Worlds

RISKS = st.one_of(
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    st.floats(1e-6, 1 - 1e-6).map(Fraction),
)


@st.composite
def some_worlds(draw, max_size=12):
    """Answers on any scale, with numbers of worlds or with a prior."""
    scale = draw(st.sampled_from([1e-90, 1e-6, 1.0, 1e90]))
    measured = st.integers(-(10**12), 10**12).map(lambda digits: digits / 10**6)
    steps = st.one_of(st.integers(-20, 20), st.floats(-20, 20, width=16), measured)
    values = draw(st.lists(steps, min_size=2, max_size=max_size))
    prior = None
    if draw(st.booleans()):
        shares = st.sampled_from([1, 2, 3, 7, 100, 0.1, 1e-9])
        prior = np.array(draw(st.lists(shares, min_size=len(values), max_size=len(values))))
        prior = prior / prior.sum()
    return dp.possible_worlds("mean", np.array(values) * scale, 1, prior=prior), scale


def exact(fraction):
    return mpf(fraction.numerator) / mpf(fraction.denominator)


def worst_case(worlds, rate):
    whole = worlds.mass
    listed = [
        (mpf(a), exact(Fraction(m) / whole), exact(Fraction(p) / whole))
        for a, m, p in zip(worlds.answers.tolist(), worlds.masses, worlds.peak_masses)
    ]
    return max(
        peak / mpmath.fsum(m * mpmath.exp(-rate * abs(here - there)) for there, m, _ in listed)
        for here, _, peak in listed
    )


@given(drawn=some_worlds(), risk=RISKS, ratio=st.sampled_from([1e-3, 1.0, 17 / 6]))
def test_what_floats_prove_is_safe_and_within_a_billionth(drawn, risk, ratio):
    """Every epsilon that is returned has a risk of at most the request, and 1e-9 more has not."""
    worlds, scale = drawn
    if not worlds.largest_prior < risk < worlds.largest_share:
        return
    sensitivity = ratio * scale
    epsilon = solve.worst_case_epsilon(worlds, risk, sensitivity)
    if epsilon is None:
        return
    with mpmath.workdps(60):
        rate = mpf(epsilon) / mpf(sensitivity)
        assert worst_case(worlds, rate) <= exact(risk)
        assert worst_case(worlds, rate * (1 + mpf("1e-9"))) > exact(risk)


@pytest.mark.parametrize("bound", ["worst-case", "average"])
@given(drawn=some_worlds(), risk=RISKS)
def test_floats_and_digits_find_the_same_epsilon(bound, drawn, risk):
    """With the few worlds' way and with the many worlds' way, up to 1e-9, and never above."""
    worlds, scale = drawn
    at = {"risk": risk, "sensitivity": scale, "bound": bound}
    try:
        expected = dp.epsilon_from_risk(worlds, **at)
    except dp.UnattainableRisk:
        expected = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "FEW", 1)
        if expected is None:
            with pytest.raises(dp.UnattainableRisk):
                dp.epsilon_from_risk(worlds, **at)
            return
        epsilon = dp.epsilon_from_risk(worlds, **at)
    assert epsilon <= expected
    assert epsilon == pytest.approx(expected, rel=1e-9)


def test_floats_prove_nearly_every_epsilon():
    """The slow way is for the rare case that is ill-conditioned."""
    rng = np.random.default_rng(0)
    proved = 0
    for _ in range(200):
        values = rng.standard_cauchy(50)
        worlds = dp.possible_worlds("mean", values, 49)
        risk = Fraction(rng.uniform(0.03, 0.97))
        proved += solve.worst_case_epsilon(worlds, risk, 0.1) is not None
        proved += solve.average_epsilon(worlds, risk, 0.1) is not None
    assert proved >= 395


@pytest.mark.parametrize("draw", ["normal", "standard_cauchy", "random", "standard_exponential"])
@pytest.mark.parametrize("risk", ["0.001", "1/3", "0.99"])
def test_many_worlds_are_safe(draw, risk):
    """With 20,000 worlds no single risk exceeds the request, by an independent sum."""
    values = getattr(np.random.default_rng(1), draw)(size=20_000)
    worlds = dp.possible_worlds("mean", values, len(values) - 1)
    sensitivity = float(np.ptp(values)) / len(values)
    epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=sensitivity)
    rate, target = epsilon / sensitivity, float(Fraction(risk))
    answers, weights = worlds.answers, worlds.weights
    suspects = np.unique(np.r_[0:50, -50:0, np.argsort(-_crude(answers, weights, rate))[:50]])
    sums = [math.fsum(weights * np.exp(-rate * np.abs(answers - answers[i]))) for i in suspects]
    largest = (worlds.peaks[suspects] / sums).max()
    assert target * (1 - 1e-7) < largest <= target * (1 + 1e-12)


def _crude(answers, weights, rate):
    """Risks up to a factor, from the 50 nearest answers on both sides."""
    sums = weights.copy()
    for step in range(1, 51):
        decay = np.exp(-rate * (answers[step:] - answers[:-step]))
        sums[step:] += decay * weights[:-step]
        sums[:-step] += decay * weights[step:]
    return weights / sums


def test_a_tie_as_large_as_the_risk_asks_does_not_hold_many_worlds_back():
    """Three worlds share each answer but one, so at risk 1/3 only that one counts."""
    values = np.repeat(np.arange(400.0), 3)[:-2]
    worlds = dp.possible_worlds("sum", values, 1)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=1)
    # the last answer is alone: 1 + 3 (x + x^2 + ...) = 3 at x = 2/5
    assert epsilon == pytest.approx(math.log(5 / 2), rel=1e-9)
    assert epsilon <= math.log(5 / 2)


def test_two_plateaus_are_left_to_the_digits():
    """Where the risk stays within 1e-13 of the request for long, floats prove nothing."""
    values = np.concatenate([np.zeros(4), np.ones(4)]) + np.arange(8) * 1e-9
    worlds = dp.possible_worlds("mean", values, 1)
    risk = Fraction(1, 4) + Fraction(1, 10**12)
    assert solve.worst_case_epsilon(worlds, risk, 1.0) is None
    epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1)
    with mpmath.workdps(60):
        assert worst_case(worlds, mpf(epsilon)) <= exact(risk)
        assert worst_case(worlds, mpf(epsilon) * (1 + mpf("1e-9"))) > exact(risk)


def test_worlds_known_by_logarithms_get_a_safe_epsilon():
    """Numbers of worlds beyond 1e290: safe, and within 1e-9 of the exact answer."""
    universe = np.sort(np.random.default_rng(3).normal(size=1200))
    full = dp.possible_worlds("median", universe, 1185)
    risk, sensitivity = Fraction(1, 10**30), 1e-3
    assert full.log_counts is None
    exact_epsilon = dp.epsilon_from_risk(full, risk=risk, sensitivity=sensitivity)
    logs = np.array([math.log(mass) for mass in full.masses])
    for masses in (full.masses, None):
        peaks = None if masses is None else full.peak_masses
        known = Worlds(
            full.answers, full.weights, full.peaks, full.total, masses, peaks, logs, 1e-13
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choose, "FEW", 1)
            epsilon = dp.epsilon_from_risk(known, risk=risk, sensitivity=sensitivity)
        assert epsilon <= exact_epsilon
        assert epsilon == pytest.approx(exact_epsilon, rel=1e-8)


def test_an_average_that_floats_cannot_tell_from_the_prior_is_left_to_the_digits():
    """A favourite stays the guess until the noise is fine, and the risk hardly moves."""
    worlds = dp.possible_worlds("mean", [0, 1, 2], 1, prior=[0.9, 0.05, 0.05])
    risk = worlds.largest_prior + Fraction(1, 10**18)
    assert solve.average_epsilon(worlds, risk, 1.0) is None
    epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1, bound="average")
    assert epsilon == pytest.approx(math.log(18) / 2, rel=1e-6)  # the farther one comes first
