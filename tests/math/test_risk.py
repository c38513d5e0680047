"""The risk of an epsilon is what the equations say, on any scale."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf
from strategies import priors, weighted_answers, worlds_of

import dpchoose as dp

RISKS = [dp.tight_bound, dp.upper_bound, dp.average_risk]

YEARS = dp.possible_worlds("mean", [1, 2, 3, 4], 3)
DAYS = dp.possible_worlds("mean", [1, 2, 3, 10], 3)

epsilons = st.one_of(
    st.sampled_from([0.0, 1e-12, 1e-6, 0.1, 0.5, 1.0, 5.0, 100.0, 1e6, math.inf]),
    st.floats(-12, 6).map(lambda power: 10**power),
)
ratios = st.sampled_from([1e-6, 0.3, 1.0, 7.0, 1e6])


def exact_rows(worlds):
    """The answers before they were rounded to floats, but for a base that all share."""
    places = worlds.places
    tails = np.zeros_like(places.heads) if places.tails is None else places.tails
    return [
        [(mpf(h) + mpf(t)) / mpf(by) for h, t, by in zip(head, tail, places.divisors.tolist())]
        for head, tail in zip(places.heads.tolist(), tails.tolist())
    ]


def possible(worlds):
    """The answers of the worlds, the mass at each and its largest prior, normalised."""
    whole = mpf(worlds.mass)
    return [
        (answer, mass / whole, peak / whole)
        for [answer], mass, peak in zip(exact_rows(worlds), worlds.masses, worlds.peak_masses)
    ]


def worst_case(worlds, rate):
    """Lee and Clifton's equation 11: the largest p_i / sum_j p_j exp(-rate |f_i - f_j|)."""
    listed = possible(worlds)
    return max(
        peak
        / mpmath.fsum(mass * mpmath.exp(-rate * abs(here - there)) for there, mass, _ in listed)
        for here, _, peak in listed
    )


def upper(worlds, rate):
    """Lee and Clifton's equation 9, for any prior."""
    prior = mpf(max(worlds.peak_masses)) / worlds.mass
    [lowest], *_, [highest] = exact_rows(worlds) * 2
    spread = highest - lowest
    return 1 / (1 + (1 - prior) / prior * mpmath.exp(-rate * spread))


def average(worlds, rate):
    """The integral over all outputs of the largest prior times density, piece by piece.

    Between two outputs where any two curves cross or any curve has its tip,
    the largest of them is one exponential, which is integrated as such.
    """
    tents = [(answer, peak) for answer, _, peak in possible(worlds)]
    if rate == 0:
        return max(peak for _, peak in tents)
    edges = [answer for answer, _ in tents]
    for (f, p), (g, q) in itertools.combinations(tents, 2):
        crossing = (f + g) / 2 + mpmath.log(p / q) / (2 * rate)
        if f < crossing < g:
            edges.append(crossing)
    edges.sort()
    success = (max(p * mpmath.exp(-rate * (f - edges[0])) for f, p in tents)) / 2
    success += (max(p * mpmath.exp(-rate * (edges[-1] - f)) for f, p in tents)) / 2
    for left, right in itertools.pairwise(edges):
        middle = (left + right) / 2
        f, p = max(tents, key=lambda tent: mpmath.log(tent[1]) - rate * abs(middle - tent[0]))
        ends = [mpmath.exp(-rate * abs(end - f)) for end in (left, right)]
        success += p * abs(ends[0] - ends[1]) / 2
    return success


EQUATIONS = {
    dp.tight_bound: worst_case,
    dp.upper_bound: upper,
    dp.average_risk: average,
}


def at_rate(risk, worlds, epsilon, sensitivity):
    """An equation evaluated on the exact values of its arguments."""
    if math.isinf(epsilon):  # no two different answers are confused
        sensitivity, epsilon = 1, mpf(10) ** 200
    return EQUATIONS[risk](worlds, mpf(epsilon) / mpf(sensitivity))


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(), ratio=ratios, epsilon=epsilons)
def test_a_risk_is_its_equation(risk, drawn, ratio, epsilon):
    """For any prior, epsilon and scale the floats agree with 40 digits of the definition."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    got = risk(worlds, epsilon=epsilon, sensitivity=ratio * scale)
    with mpmath.workdps(40):
        expected = float(at_rate(risk, worlds, epsilon, ratio * scale))
    assert got == pytest.approx(expected, rel=1e-12, abs=0)


@given(drawn=weighted_answers(max_size=40, scales=(1.0,)), epsilon=epsilons)
def test_many_worlds_lose_no_digits(drawn, epsilon):
    """The worst case, a sum over windows, agrees with the double sum over all pairs."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    got = dp.tight_bound(worlds, epsilon=epsilon, sensitivity=3.7)
    with mpmath.workdps(30):
        expected = float(at_rate(dp.tight_bound, worlds, epsilon, 3.7))
    assert got == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("risk", RISKS)
@given(
    prior=priors(5).filter(lambda prior: prior is not None),
    far=st.sampled_from([1e6, -1e9, 1e14]),
    epsilon=st.floats(0.01, 10),
)
def test_a_far_outlier_loses_no_digits(risk, prior, far, epsilon):
    """Four answers that lie close together are weighed as exactly as if the fifth were near."""
    worlds = worlds_of([0, 1, 2.5, 3, far], prior)
    got = risk(worlds, epsilon=epsilon, sensitivity=2)
    with mpmath.workdps(40):
        expected = float(at_rate(risk, worlds, epsilon, 2))
    assert got == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("far", [-1e6, -1e10, -1e14, 1e14])
@pytest.mark.parametrize("off", [-1e-2, -1e-4, -1e-6, 2e-6, 1e-4, 2.5e-3, 1e-2])
@pytest.mark.parametrize("gap", [0.5, 1, 2])
def test_near_the_epsilon_where_a_guess_is_given_up_the_average_loses_no_digits(far, off, gap):
    """A world that just begins to be guessed is found, however far another answer lies."""
    worlds = worlds_of([0, gap, far], [0.6, 0.2, 0.2])
    epsilon = math.log(3) / gap * (1 + off)
    with mpmath.workdps(40):
        expected = float(at_rate(dp.average_risk, worlds, epsilon, 1))
    got = dp.average_risk(worlds, epsilon=epsilon, sensitivity=1)
    assert got == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(), ratio=ratios)
def test_arrays_of_any_shape_give_the_same_shape_back(risk, drawn, ratio):
    """Each entry is the risk at that epsilon alone, and one epsilon gives a float."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    epsilon = np.array([[0, 1e-12, 0.5], [3, 1e6, math.inf]])
    got = risk(worlds, epsilon=epsilon, sensitivity=ratio * scale)
    assert got.shape == (2, 3)
    for one, alone in zip(epsilon.ravel().tolist(), got.ravel().tolist()):
        single = risk(worlds, epsilon=one, sensitivity=ratio * scale)
        assert type(single) is float
        assert single == alone
    for shape in [(6,), (6, 1), (1, 2, 3), (3, 2)]:
        again = risk(worlds, epsilon=epsilon.reshape(shape), sensitivity=ratio * scale)
        assert again.tolist() == got.reshape(shape).tolist()
    assert risk(worlds, epsilon=[], sensitivity=1).shape == (0,)
    assert type(risk(worlds, epsilon=1, sensitivity=1)) is float


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(), ratio=ratios)
def test_a_risk_grows_with_epsilon(risk, drawn, ratio):
    """Less noise never protects more."""
    answers, prior, scale = drawn
    epsilon = np.concatenate([[0], np.logspace(-12, 6, 60), [math.inf]])
    got = risk(worlds_of(answers, prior), epsilon=epsilon, sensitivity=ratio * scale)
    assert (np.diff(got) >= -1e-13).all()
    assert (got > 0).all()
    assert (got <= 1).all()


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(), ratio=ratios)
def test_at_epsilon_0_the_risk_is_the_largest_prior(risk, drawn, ratio):
    """Noise without end leaves the adversary with the prior."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    got = risk(worlds, epsilon=0, sensitivity=ratio * scale)
    assert got == pytest.approx(float(worlds.largest_prior), rel=1e-14)


@given(drawn=weighted_answers(), ratio=ratios)
def test_without_noise_only_ties_protect(drawn, ratio):
    """At infinity the worst case is the largest peak / weight and the average the sum of peaks."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    at = {"epsilon": math.inf, "sensitivity": ratio * scale}
    shares = worlds.peaks / worlds.weights
    assert dp.tight_bound(worlds, **at) == pytest.approx(shares.max(), rel=1e-14)
    assert dp.average_risk(worlds, **at) == pytest.approx(worlds.peaks.sum(), rel=1e-13)
    alone = 1 if len(worlds.answers) > 1 else float(worlds.largest_prior)
    assert dp.upper_bound(worlds, **at) == pytest.approx(alone, rel=1e-14)


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(), epsilon=epsilons)
def test_a_sensitivity_of_0_asks_for_no_noise(risk, drawn, epsilon):
    """The risk is that of the exact answer, whatever epsilon is."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    exact_answer = risk(worlds, epsilon=math.inf, sensitivity=scale)
    assert risk(worlds, epsilon=epsilon, sensitivity=0) == exact_answer


@given(drawn=weighted_answers(), ratio=ratios, epsilon=epsilons)
def test_the_average_is_at_most_the_worst_case_which_is_at_most_the_upper_bound(
    drawn, ratio, epsilon
):
    """Each bound is safer than the one before."""
    answers, prior, scale = drawn
    worlds = worlds_of(answers, prior)
    ordered = [
        risk(worlds, epsilon=epsilon, sensitivity=ratio * scale)
        for risk in (dp.average_risk, dp.tight_bound, dp.upper_bound)
    ]
    assert ordered[0] <= ordered[1] * (1 + 1e-13)
    assert ordered[1] <= ordered[2] * (1 + 1e-13)


@given(
    drawn=weighted_answers(scales=(1.0,)),
    ratio=st.sampled_from([0.3, 1.0, 7.0]),
    epsilon=st.floats(0.01, 50),
    random_output=st.floats(-60, 60),
)
def test_the_worst_case_is_the_largest_posterior_over_all_outputs(
    drawn, ratio, epsilon, random_output
):
    """No output gives a world more, and the outputs on a grid with the answers reach it."""
    answers, prior, _ = drawn
    at = {"epsilon": epsilon, "sensitivity": ratio}
    worst = dp.tight_bound(worlds_of(answers, prior), **at)
    grid = np.concatenate([answers, np.linspace(-25, 25, 41), [random_output]])
    attained = [dp.posterior(answers, output, prior=prior, **at).max() for output in grid]
    assert max(attained) == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize(
    ("prior", "epsilon"),
    [
        (None, 0.43172),
        (None, 3.0),
        ([0.1, 0.2, 0.3, 0.4], 0.7),
        ([0.9, 0.05, 0.05, 0], 2.0),
        ([0.97, 0.01, 0.01, 0.01], 5.0),
    ],
)
def test_the_average_is_the_integral_over_all_outputs(prior, epsilon):
    """The Bayes success probability, added up over a fine grid, is the closed form."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 10], 3, prior=prior)
    rate = epsilon / (17 / 6)
    outputs = np.linspace(-150, 160, 310_001)
    curves = [
        peak * rate / 2 * np.exp(-rate * np.abs(outputs - answer))
        for answer, peak in zip(worlds.answers, worlds.peaks)
    ]
    integral = np.trapezoid(np.max(curves, axis=0), outputs)
    got = dp.average_risk(worlds, epsilon=epsilon, sensitivity=17 / 6)
    assert got == pytest.approx(integral, rel=1e-5)
    with mpmath.workdps(30):
        pieces = average(worlds, mpf(epsilon) / mpf(17 / 6))
    assert float(pieces) == pytest.approx(integral, rel=1e-5)


@given(drawn=weighted_answers(), ratio=ratios, epsilon=epsilons)
def test_the_average_of_a_uniform_prior_adds_up_gaps(drawn, ratio, epsilon):
    """It is (1 + the sum of 1 - exp(-epsilon gap / (2 sensitivity))) / m."""
    answers, _, scale = drawn
    worlds = worlds_of(answers)
    gaps = np.diff(worlds.answers) / scale
    expected = (1 - np.expm1(-epsilon * gaps / ratio / 2).sum()) / worlds.total
    got = dp.average_risk(worlds, epsilon=epsilon, sensitivity=ratio * scale)
    assert got == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("risk", RISKS)
@given(drawn=weighted_answers(scales=(1.0,)), epsilon=epsilons)
def test_mirrored_answers_in_another_unit_have_the_same_risk(risk, drawn, epsilon):
    """Left and right are alike, and only the ratio of answers and sensitivity counts."""
    answers, prior, _ = drawn
    here = risk(worlds_of(answers, prior), epsilon=epsilon, sensitivity=2)
    there = risk(worlds_of(-answers * 2.0**300, prior), epsilon=epsilon, sensitivity=2.0**301)
    assert there == pytest.approx(here, rel=1e-13)


def test_the_published_risks_of_the_school():
    """At epsilon 0.5 the school year keeps a risk of 1/3 and the absence days do not."""
    year = dp.tight_bound(YEARS, epsilon=0.5, sensitivity=5 / 6)
    days = dp.tight_bound(DAYS, epsilon=0.5, sensitivity=17 / 6)
    assert year == pytest.approx(0.3292, abs=0.5e-4)
    assert year == pytest.approx(0.3291788293012836, rel=1e-14)
    assert year == pytest.approx(1 / sum(math.exp(-k / 5) for k in range(4)), rel=1e-14)
    assert days == pytest.approx(0.3476971459619019, rel=1e-14)
    assert year < 1 / 3 < days


def test_the_average_case_of_the_absence_days():
    """Where the worst case is 1/3 the best guess is right 30.325% of the time."""
    at = {"epsilon": 0.43172, "sensitivity": 17 / 6}
    assert dp.average_risk(DAYS, **at) == pytest.approx(0.30325, abs=0.5e-5)
    assert dp.tight_bound(DAYS, **at) == pytest.approx(1 / 3, abs=1e-6)


def test_the_closed_form_at_the_published_epsilons():
    """Equation 9 gives 1/3 at (17/18) ln 1.5, at (5/6) ln 1.5 and, for the median, at 4 ln 1.5."""
    median = dp.possible_worlds("median", [1, 2, 3, 10], 3)
    for worlds, sensitivity, epsilon in (
        (DAYS, 17 / 6, 17 / 18 * math.log(1.5)),
        (YEARS, 5 / 6, 5 / 6 * math.log(1.5)),
        (median, 4, 4 * math.log(1.5)),
    ):
        got = dp.upper_bound(worlds, epsilon=epsilon, sensitivity=sensitivity)
        assert got == pytest.approx(1 / 3, rel=1e-14)


def test_the_median_of_the_school_never_discloses_more_than_one_half():
    """Two worlds share each median, so the curve levels off, and 4 ln 2 gives 1/3."""
    median = dp.possible_worlds("median", [1, 2, 3, 10], 3)
    at = {"epsilon": [4 * math.log(2), 1000, math.inf], "sensitivity": 4}
    risks = dp.tight_bound(median, **at).tolist()
    assert risks == pytest.approx([1 / 3, 1 / 2, 1 / 2], rel=1e-15)
