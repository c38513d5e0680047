"""Randomized response: what it guarantees, estimates, draws and discloses."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from goodness import binomial, chi_square
from hypothesis import assume, given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.risk.posterior import posteriors

COINS = dp.RandomizedResponse.from_first_head_probability(0.5)
HONEST = dp.RandomizedResponse(epsilon=math.inf)
GRID = np.arange(0.001, 10, 0.1)  # of the tutorial's trade-off figure

responses = st.builds(dp.RandomizedResponse, epsilon=st.floats(0.01, 30))
shares = st.floats(0.001, 0.999)


def sum_of_binomials(true_yes, respondents, truth):
    return np.convolve(binomial(true_yes, truth), binomial(respondents - true_yes, 1 - truth))


# -- what it guarantees


@given(st.floats(1e-6, 30))
def test_the_loss_of_either_answer_is_epsilon(epsilon):
    """Both truths are neighbours: the log ratio is at most epsilon, and attains it."""
    logs = np.log(dp.RandomizedResponse(epsilon=epsilon).likelihoods)
    assert np.abs(logs[0] - logs[1]) == pytest.approx([epsilon] * 2, rel=1e-9)


@given(st.floats(1e-12, 1 - 1e-12))
def test_coins_epsilon_and_truth_probability_are_one_number(heads):
    by_coins = dp.RandomizedResponse.from_first_head_probability(heads)
    assert by_coins.truth_probability == pytest.approx(1 - heads / 2, rel=1e-12)
    with mpmath.workdps(40):
        exact = mpmath.log((2 - mpmath.mpf(heads)) / mpmath.mpf(heads))
        assert by_coins.epsilon == pytest.approx(float(exact), rel=1e-14)


def test_no_coin_shows_heads_when_epsilon_is_infinite():
    assert dp.RandomizedResponse.from_first_head_probability(0) == HONEST
    assert HONEST.likelihoods.tolist() == [[1, 0], [0, 1]]
    assert HONEST.estimate(0.3) == 0.3
    assert HONEST.disclosure_risk(0.2) == 1


# -- what it estimates


@given(one=responses, p=st.floats(0, 1), truths=st.lists(st.booleans(), min_size=1, max_size=30))
def test_the_estimate_is_unbiased_for_drawn_and_for_fixed_truths(one, p, truths):
    """Its expectation, summed over all numbers of yes answers, is the share of true yes."""
    people, honest = len(truths), sum(truths)
    estimates = one.estimate(np.arange(people + 1) / people)
    error = 1e-11 / min(one.epsilon, 1)
    assert binomial(people, one.expected_yes(p)) @ estimates == pytest.approx(p, abs=error)
    chances = sum_of_binomials(honest, people, one.truth_probability)
    assert chances @ estimates == pytest.approx(honest / people, abs=error)


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
    mean = Fraction(1, 4) + p / 2
    exact = Fraction(0)
    for yes in range(respondents + 1):
        share = Fraction(yes, respondents)
        if (share - mean) ** 2 <= 4 * share * (1 - share) / respondents:
            chance = mean**yes * (1 - mean) ** (respondents - yes)
            exact += math.comb(respondents, yes) * chance
    assert COINS.coverage(float(p), respondents) == pytest.approx(float(exact), abs=1e-12)


def test_coverage_is_near_95_percent_on_the_published_grid_and_for_a_million():
    for respondents in (100, 2000):
        coverages = [dp.RandomizedResponse(epsilon=e).coverage(0.2, respondents) for e in GRID]
        assert 0.93 < min(coverages) < max(coverages) < 0.97
    assert COINS.coverage(0.2, 10**6) == pytest.approx(math.erf(math.sqrt(2)), abs=1e-3)


def test_coverage_fails_where_the_normal_approximation_does():
    """A rare truth told almost always, few asked: no yes at all claims no error at all."""
    rare = dp.RandomizedResponse(epsilon=9)
    assert rare.coverage(0.01, 50) < 0.5
    assert rare.uncertainty(0.0, 50) == 0
    assert rare.coverage(0.01, 20_000) == pytest.approx(0.954, abs=0.01)


@given(one=responses, p=st.floats(0, 1), error=st.floats(0.001, 0.5))
def test_the_respondents_needed_are_enough_and_one_fewer_are_not(one, p, error):
    people, expected = one.respondents_needed(error=error, p=p), one.expected_yes(p)
    assert one.uncertainty(expected, people) <= error * (1 + 1e-9)
    if people > 1:
        assert one.uncertainty(expected, people - 1) > error * (1 - 1e-9)


def test_respondents_needed_are_those_of_a_hand_calculation():
    """4 r(1 - r)/((2f - 1) error)^2 with r = 0.35: 4 * 0.2275 / (0.25 * 0.0025)."""
    assert COINS.respondents_needed(error=0.05, p=0.2) == 1456
    assert HONEST.respondents_needed(error=0.01, p=0) == 1


# -- what it draws


def test_drawn_truths_give_one_binomial_and_fixed_ones_two():
    """Twenty respondents, of whom a fifth or exactly four have a true yes."""
    drawn, fixed = binomial(20, 0.35), sum_of_binomials(4, 20, 0.75)
    ours = COINS.sample_yes(0.2, 20, 20_000, rng=np.random.default_rng(1))
    assert chi_square(np.bincount(ours, minlength=21), drawn) > 0.01
    ours = COINS.sample_yes_of(4, 20, 20_000, rng=np.random.default_rng(2))
    assert chi_square(np.bincount(ours, minlength=21), fixed) > 0.01
    assert chi_square(np.bincount(ours, minlength=21), drawn) < 1e-6


def test_the_binomials_are_what_flipping_every_coin_gives():
    """Twenty respondents, two real coins each, against the same probabilities."""
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 20_000, 20)) < 0.5
    fixed, drawn = np.arange(20) < 4, rng.random((20_000, 20)) < 0.2
    for truths, chances in (
        (fixed, sum_of_binomials(4, 20, 0.75)),
        (drawn, binomial(20, 0.35)),
    ):
        answers = np.where(first, second, truths).sum(axis=1)
        assert chi_square(np.bincount(answers, minlength=21), chances) > 0.01


def test_surveys_of_a_million_are_within_six_standard_errors():
    rng, people = np.random.default_rng(5), 10**6
    for epsilon in GRID:
        one = dp.RandomizedResponse(epsilon=epsilon)
        yes = one.sample_yes(0.2, people, 10, rng=rng) / people
        assert (np.abs(one.estimate(yes) - 0.2) <= 3 * one.uncertainty(yes, people)).all()


@pytest.mark.parametrize("p", [0, 1])
def test_certain_truths_give_certain_answers_without_noise(p):
    rng = np.random.default_rng(0)
    assert HONEST.sample_yes(p, 10, rng=rng) == HONEST.sample_yes_of(10 * p, 10, rng=rng) == 10 * p


def test_each_answer_is_its_truth_turned_round_with_the_chance_of_a_lie():
    truths = np.arange(40_000).reshape(200, 200) % 5 == 0
    answers = COINS.answers(truths, rng=np.random.default_rng(1))
    assert (answers.dtype, answers.shape) == (bool, truths.shape)
    for truth, share in ((True, 0.75), (False, 0.25)):
        of_these = answers[truths == truth]
        assert abs(of_these.mean() - share) < 4 * math.sqrt(share * (1 - share) / of_these.size)
    with pytest.raises(TypeError, match="truths must be booleans, got an array of int64"):
        COINS.answers([0, 1], rng=np.random.default_rng(1))


# -- what it discloses


@given(one=responses, p=shares)
def test_both_risks_are_the_posteriors_of_bayes_rule(one, p):
    beliefs = posteriors(one.likelihoods, prior=[p, 1 - p])
    assert one.disclosure_risk(p) == pytest.approx(beliefs[0, 0], rel=1e-12)
    assert one.disclosure_risk(1 - p) == pytest.approx(beliefs[1, 1], rel=1e-12)
    assert one.disclosure_risk(max(p, 1 - p)) == pytest.approx(beliefs.max(), rel=1e-12)


@given(p=shares, epsilon=st.floats(1e-12, 1e-3))
def test_the_posterior_tends_to_the_prior_as_epsilon_tends_to_zero(p, epsilon):
    """It moves by p(1 - p) epsilon at first: never more than epsilon/4 and its square."""
    gain = dp.RandomizedResponse(epsilon=epsilon).disclosure_risk(p) - p
    assert -1e-15 <= gain <= epsilon / 4 + epsilon**2 + 1e-15


@given(risk=st.floats(1e-6, 1 - 1e-9), base=st.floats(1e-9, 1 - 1e-6), near=st.integers(0, 60))
def test_the_epsilon_of_a_risk_is_safe_and_a_little_more_is_not(risk, base, near):
    """At 60 digits, however near the risk is to the base rate."""
    risk = Fraction(base) + abs(Fraction(risk) - Fraction(base)) / 2**near
    assume(Fraction(base) < risk < 1)
    epsilon = dp.RandomizedResponse.from_risk(risk=risk, base_rate=base).epsilon

    def posterior(value):
        odds = mpmath.exp(mpmath.mpf(value)) * mpmath.mpf(base) / (1 - mpmath.mpf(base))
        return odds / (1 + odds)

    with mpmath.workdps(60):
        target = mpmath.mpf(risk.numerator) / risk.denominator
        assert posterior(epsilon) <= target < posterior(epsilon * (1 + 1e-14))


def test_the_larger_base_rate_covers_both_answers():
    one = dp.RandomizedResponse.from_risk(risk="9/10", base_rate=0.8)
    assert dp.largest_posterior(one.likelihoods, prior=[0.2, 0.8]) == pytest.approx(0.9)


def test_the_rarest_truth_needs_an_epsilon_beyond_every_odds_that_a_float_holds():
    """Odds of 2e323 against it: the epsilon is the logarithm of the largest power of ten taken."""
    found = dp.RandomizedResponse.from_risk(risk=0.999, base_rate=5e-324).epsilon
    assert 690 < found <= 300 * math.log(10)


@pytest.mark.parametrize("risk", [0.1, 0.2, "1/5"])
def test_a_risk_not_above_the_base_rate_is_unattainable(risk):
    with pytest.raises(dp.UnattainableRisk, match=r"risk must exceed 0.2.* got (0|1/5)"):
        dp.RandomizedResponse.from_risk(risk=risk, base_rate=0.2)


# -- what is printed


def test_two_fair_coins_have_an_epsilon_of_log_3():
    assert COINS.epsilon == pytest.approx(math.log(3), rel=1e-15)
    assert COINS.truth_probability == pytest.approx(0.75, rel=1e-15)


def test_the_random_numbers_of_the_tutorial_are_within_their_uncertainty():
    """10,000 respondents, p = 0.2, drawn mean 0.2061, noisy share 0.3492, corrected 0.1984."""
    assert COINS.expected_yes(0.2061) == pytest.approx(0.35305, abs=1e-12)
    assert COINS.estimate(0.3492) == pytest.approx(0.1984, abs=1e-12)
    assert abs(COINS.estimate(0.3492) - 0.2) <= COINS.uncertainty(0.3492, 10_000)
    assert abs(0.2061 - 0.2) <= HONEST.uncertainty(0.2061, 10_000)


def test_yes_after_yes_and_no_after_no_at_a_base_rate_of_one_fifth():
    assert COINS.disclosure_risk(0.2) == pytest.approx(3 / 7, rel=1e-14)
    assert COINS.disclosure_risk(0.8) == pytest.approx(12 / 13, rel=1e-14)


# -- what it refuses

RNG = np.random.default_rng(0)


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
            lambda: COINS.sample_yes_of(11, 10, rng=RNG),
            ValueError,
            r"true_yes must be in \[0, 10\], got 11",
        ),
        (
            lambda: COINS.sample_yes(10, 2, rng=RNG),
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
