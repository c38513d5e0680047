"""Randomized response: what it guarantees, estimates, draws and discloses."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from goodness import binomial, chi_square
from hypothesis import given, settings
from hypothesis import strategies as st

import dpchoose as dp

quick = settings(derandomize=True, deadline=None, max_examples=60)
epsilons = st.floats(1e-6, 30)
shares = st.floats(0.001, 0.999)

COINS = dp.RandomizedResponse.from_first_head_probability(0.5)
GRID = np.arange(0.001, 10, 0.1)  # of the tutorial's trade-off figure


def sum_of_binomials(true_yes, respondents, truth):
    return np.convolve(binomial(true_yes, truth), binomial(respondents - true_yes, 1 - truth))


# -- what it guarantees


@quick
@given(epsilons)
def test_the_loss_of_either_answer_is_epsilon(epsilon):
    """Both truths are neighbours: the log ratio is at most epsilon, and attains it."""
    logs = np.log(dp.RandomizedResponse(epsilon=epsilon).likelihoods)
    assert np.abs(logs[0] - logs[1]) == pytest.approx([epsilon] * 2, rel=1e-9)


@quick
@given(st.floats(1e-12, 1 - 1e-12))
def test_coins_epsilon_and_truth_probability_are_one_number(heads):
    by_coins = dp.RandomizedResponse.from_first_head_probability(heads)
    assert by_coins.first_head_probability == pytest.approx(heads, rel=1e-12)
    assert by_coins.truth_probability == pytest.approx(1 - heads / 2, rel=1e-12)
    with mpmath.workdps(40):
        exact = mpmath.log((2 - mpmath.mpf(heads)) / mpmath.mpf(heads))
        assert by_coins.epsilon == pytest.approx(float(exact), rel=1e-14)


def test_no_coin_shows_heads_when_epsilon_is_infinite():
    honest = dp.RandomizedResponse.from_first_head_probability(0)
    assert honest.epsilon == math.inf
    assert honest.likelihoods.tolist() == [[1, 0], [0, 1]]
    assert honest.estimate(0.3) == 0.3
    assert honest.disclosure_risk(0.2) == 1


def test_truth_and_lie_add_up_at_every_epsilon():
    for epsilon in (1e-300, 1e-9, 1, 40, 800, math.inf):
        one = dp.RandomizedResponse(epsilon=epsilon)
        assert one.truth_probability + one.lie_probability == pytest.approx(1, abs=1e-15)


# -- what it estimates


@quick
@given(epsilon=st.floats(0.01, 10), p=st.floats(0, 1), respondents=st.integers(1, 30))
def test_the_estimate_is_unbiased(epsilon, p, respondents):
    """Its expectation, summed over all numbers of yes answers, is the truth."""
    one = dp.RandomizedResponse(epsilon=epsilon)
    estimates = one.estimate(np.arange(respondents + 1) / respondents)
    chances = binomial(respondents, one.expected_yes(p))
    assert chances @ estimates == pytest.approx(p, abs=1e-11 / min(epsilon, 1))


@quick
@given(epsilon=st.floats(0.01, 10), truths=st.lists(st.booleans(), min_size=1, max_size=30))
def test_the_estimate_is_unbiased_for_fixed_truths(epsilon, truths):
    one = dp.RandomizedResponse(epsilon=epsilon)
    n, honest = len(truths), sum(truths)
    estimates = one.estimate(np.arange(n + 1) / n)
    chances = sum_of_binomials(honest, n, one.truth_probability)
    assert chances @ estimates == pytest.approx(honest / n, abs=1e-11 / min(epsilon, 1))


@quick
@given(epsilon=epsilons, p=st.floats(0, 1))
def test_the_estimate_undoes_the_expectation(epsilon, p):
    one = dp.RandomizedResponse(epsilon=epsilon)
    assert one.estimate(one.expected_yes(p)) == pytest.approx(p, abs=1e-9)


def test_the_uncertainty_is_two_standard_errors():
    """The exact standard deviation of the estimate, at the expected share of yes."""
    respondents, p = 40, 0.3
    estimates = COINS.estimate(np.arange(respondents + 1) / respondents)
    chances = binomial(respondents, COINS.expected_yes(p))
    deviation = math.sqrt(chances @ (estimates - p) ** 2)
    assert COINS.uncertainty(COINS.expected_yes(p), respondents) == pytest.approx(2 * deviation)


@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(1, 5), Fraction(2, 3)])
@pytest.mark.parametrize("respondents", [1, 7, 50])
def test_coverage_is_the_exact_binomial_sum(p, respondents):
    """In rational arithmetic: two fair coins, every number of yes answers."""
    truth = Fraction(3, 4)
    mean = 1 - truth + (2 * truth - 1) * p
    exact = Fraction(0)
    for yes in range(respondents + 1):
        share = Fraction(yes, respondents)
        if (share - mean) ** 2 <= 4 * share * (1 - share) / respondents:
            chance = mean**yes * (1 - mean) ** (respondents - yes)
            exact += math.comb(respondents, yes) * chance
    assert COINS.coverage(float(p), respondents) == pytest.approx(float(exact), abs=1e-12)


def test_coverage_is_near_95_percent_on_the_published_grid():
    for respondents in (100, 500, 2000):
        coverages = [dp.RandomizedResponse(epsilon=e).coverage(0.2, respondents) for e in GRID]
        assert min(coverages) > 0.93
        assert max(coverages) < 0.97


def test_coverage_fails_where_the_normal_approximation_does():
    """A rare truth told almost always, few asked: no yes at all claims no error at all."""
    assert dp.RandomizedResponse(epsilon=9).coverage(0.01, 50) < 0.5
    assert dp.RandomizedResponse(epsilon=9).uncertainty(0.0, 50) == 0
    assert dp.RandomizedResponse(epsilon=9).coverage(0.01, 20_000) == pytest.approx(0.954, abs=0.01)


def test_coverage_holds_for_a_million_respondents():
    assert COINS.coverage(0.2, 10**6) == pytest.approx(math.erf(math.sqrt(2)), abs=1e-3)


@quick
@given(epsilon=st.floats(0.05, 10), p=st.floats(0, 1), error=st.floats(0.001, 0.5))
def test_the_respondents_needed_are_enough_and_one_fewer_are_not(epsilon, p, error):
    one = dp.RandomizedResponse(epsilon=epsilon)
    people = one.respondents_needed(error=error, p=p)
    expected = one.expected_yes(p)
    assert one.uncertainty(expected, people) <= error * (1 + 1e-9)
    if people > 1:
        assert one.uncertainty(expected, people - 1) > error * (1 - 1e-9)


def test_respondents_needed_are_those_of_a_hand_calculation():
    """4 r(1 - r)/((2f - 1) error)^2 with r = 0.35: 4 * 0.2275 / (0.25 * 0.0025)."""
    assert COINS.respondents_needed(error=0.05, p=0.2) == 1456
    assert dp.RandomizedResponse(epsilon=math.inf).respondents_needed(error=0.01, p=0) == 1


# -- what it draws


def test_the_sampler_draws_one_binomial_when_truths_are_drawn():
    draws = COINS.sample_yes(0.2, 20, 20_000, rng=np.random.default_rng(1))
    assert chi_square(np.bincount(draws, minlength=21), binomial(20, 0.35)) > 0.01


def test_the_sampler_draws_two_binomials_when_truths_are_fixed():
    draws = COINS.sample_yes_of(4, 20, 20_000, rng=np.random.default_rng(2))
    chances = sum_of_binomials(4, 20, 0.75)
    assert chi_square(np.bincount(draws, minlength=21), chances) > 0.01
    assert chi_square(np.bincount(draws, minlength=21), binomial(20, 0.35)) < 1e-6


def test_two_binomials_are_what_flipping_every_coin_gives():
    """Twenty respondents, two real coins each, against the same probabilities."""
    rng = np.random.default_rng(3)
    truths = np.arange(20) < 4
    first, second = rng.random((2, 20_000, 20)) < 0.5
    answers = np.where(first, second, truths).sum(axis=1)
    chances = sum_of_binomials(4, 20, 0.75)
    assert chi_square(np.bincount(answers, minlength=21), chances) > 0.01


def test_one_binomial_is_what_drawing_each_truth_and_flipping_gives():
    rng = np.random.default_rng(4)
    truths = rng.random((20_000, 20)) < 0.2
    first, second = rng.random((2, 20_000, 20)) < 0.5
    answers = np.where(first, second, truths).sum(axis=1)
    assert chi_square(np.bincount(answers, minlength=21), binomial(20, 0.35)) > 0.01


def test_a_million_respondents_at_a_hundred_epsilons_are_drawn_at_once():
    """Every one of the 1000 simulated surveys is within six standard errors."""
    rng, people = np.random.default_rng(5), 10**6
    for epsilon in GRID:
        one = dp.RandomizedResponse(epsilon=epsilon)
        yes = one.sample_yes(0.2, people, 10, rng=rng) / people
        assert (np.abs(one.estimate(yes) - 0.2) <= 3 * one.uncertainty(yes, people)).all()


def test_certain_truths_are_drawn_without_a_warning():
    for p in (0, 1):
        honest = dp.RandomizedResponse(epsilon=math.inf)
        assert honest.sample_yes(p, 10, rng=np.random.default_rng(0)) == 10 * p
        assert honest.sample_yes_of(10 * p, 10, rng=np.random.default_rng(0)) == 10 * p


# -- what it discloses


@quick
@given(epsilon=epsilons, p=shares)
def test_both_risks_are_the_posteriors_of_bayes_rule(epsilon, p):
    one = dp.RandomizedResponse(epsilon=epsilon)
    beliefs = dp.posteriors(one.likelihoods, prior=[p, 1 - p])
    assert one.disclosure_risk(p) == pytest.approx(beliefs[0, 0], rel=1e-12)
    assert one.disclosure_risk(1 - p) == pytest.approx(beliefs[1, 1], rel=1e-12)
    largest = dp.largest_posterior(one.likelihoods, prior=[p, 1 - p])
    assert one.disclosure_risk(max(p, 1 - p)) == pytest.approx(largest, rel=1e-12)


@quick
@given(p=shares, epsilon=st.floats(1e-12, 1e-3))
def test_the_posterior_tends_to_the_prior_as_epsilon_tends_to_zero(p, epsilon):
    """It moves by p(1 - p) epsilon at first: never more than epsilon/4 and its square."""
    gain = dp.RandomizedResponse(epsilon=epsilon).disclosure_risk(p) - p
    assert -1e-15 <= gain <= epsilon / 4 + epsilon**2 + 1e-15


@quick
@given(risk=st.floats(1e-6, 1 - 1e-9), base=st.floats(1e-9, 1 - 1e-6))
def test_the_epsilon_of_a_risk_is_the_last_safe_float(risk, base):
    """At 60 digits: the posterior does not exceed the request, one float on it does."""
    if risk <= base:
        risk, base = base, risk
    if risk == base:
        return
    epsilon = dp.RandomizedResponse.from_risk(risk=risk, base_rate=base).epsilon

    def posterior(value):
        odds = mpmath.exp(mpmath.mpf(value)) * mpmath.mpf(base) / (1 - mpmath.mpf(base))
        return odds / (1 + odds)

    with mpmath.workdps(60):
        assert posterior(epsilon) <= mpmath.mpf(risk)
        assert posterior(math.nextafter(epsilon, math.inf)) > mpmath.mpf(risk)


def test_a_risk_may_be_a_text():
    by_text = dp.RandomizedResponse.from_risk(risk="1/3", base_rate=0.2)
    assert by_text.epsilon == pytest.approx(math.log(2), rel=1e-15)


def test_the_larger_base_rate_covers_both_answers():
    one = dp.RandomizedResponse.from_risk(risk=0.9, base_rate=0.8)
    assert dp.largest_posterior(one.likelihoods, prior=[0.2, 0.8]) == pytest.approx(0.9)


@pytest.mark.parametrize("risk", [0.1, 0.2])
def test_a_risk_not_above_the_base_rate_is_unattainable(risk):
    with pytest.raises(dp.UnattainableRisk, match=f"exceed 0.2, the base rate.*got {risk}"):
        dp.RandomizedResponse.from_risk(risk=risk, base_rate=0.2)


# -- what is printed


def test_two_fair_coins_have_an_epsilon_of_log_3():
    assert COINS.epsilon == pytest.approx(math.log(3), rel=1e-15)
    assert COINS.truth_probability == pytest.approx(0.75, rel=1e-15)


def test_the_expected_share_of_the_tutorial():
    assert COINS.expected_yes(0.2061) == pytest.approx(0.35305, abs=1e-12)


def test_the_corrected_estimate_of_the_tutorial():
    assert COINS.estimate(0.3492) == pytest.approx(0.1984, abs=1e-12)


def test_the_random_numbers_of_the_tutorial_are_within_their_uncertainty():
    """10,000 respondents, p = 0.2, drawn mean 0.2061, noisy share 0.3492."""
    assert abs(COINS.estimate(0.3492) - 0.2) <= COINS.uncertainty(0.3492, 10_000)
    assert abs(COINS.estimate(0.3492) - 0.2061) <= COINS.uncertainty(0.3492, 10_000)
    assert abs(0.2061 - 0.2) <= dp.RandomizedResponse(epsilon=math.inf).uncertainty(0.2061, 10_000)


def test_yes_after_yes_and_no_after_no_at_a_base_rate_of_one_fifth():
    assert COINS.disclosure_risk(0.2) == pytest.approx(3 / 7, rel=1e-14)
    assert COINS.disclosure_risk(0.8) == pytest.approx(12 / 13, rel=1e-14)


# -- what it refuses


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: dp.RandomizedResponse(epsilon=0), ValueError, r"epsilon must lie in \(0, inf\]"),
        (lambda: dp.RandomizedResponse(epsilon=math.nan), ValueError, "epsilon .* got nan"),
        (
            lambda: dp.RandomizedResponse.from_first_head_probability(1),
            ValueError,
            r"probability must lie in \[0, 1\), got 1",
        ),
        (lambda: COINS.expected_yes(1.2), ValueError, r"p must lie in \[0, 1\], got 1.2"),
        (lambda: COINS.estimate([0.1, math.nan]), ValueError, "yes_share must lie .* got nan"),
        (lambda: COINS.estimate("0.1"), TypeError, "yes_share must be a number or an array"),
        (lambda: COINS.uncertainty(0.1, 0), ValueError, "respondents must be at least 1, got 0"),
        (lambda: COINS.uncertainty(0.1, 10.0), TypeError, "respondents must be an integer"),
        (lambda: COINS.coverage(0, 10), ValueError, r"p must lie in \(0, 1\), got 0"),
        (lambda: COINS.disclosure_risk(1), ValueError, r"p must lie in \(0, 1\), got 1"),
        (
            lambda: COINS.respondents_needed(error=0, p=0.2),
            ValueError,
            r"error must lie in \(0, 1\), got 0",
        ),
        (
            lambda: COINS.sample_yes_of(11, 10, rng=np.random.default_rng(0)),
            ValueError,
            r"true_yes must be in \[0, 10\], got 11",
        ),
        (
            lambda: COINS.sample_yes(10, 0.2, rng=np.random.default_rng(0)),
            ValueError,
            r"p must lie in \[0, 1\], got 10",
        ),
        (
            lambda: dp.RandomizedResponse.from_risk(risk=1.2, base_rate=0.2),
            ValueError,
            r"risk must lie in \(0, 1\), got 1.2",
        ),
        (
            lambda: dp.RandomizedResponse.from_risk(risk=0.5, base_rate=0),
            ValueError,
            r"base_rate must lie in \(0, 1\), got 0",
        ),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
