"""Randomized response: what it guarantees, estimates, draws and discloses."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import binomial, chi_square

import dpchoose as dp
from dpchoose.risk.posterior import posteriors

COINS = dp.RandomizedResponse.from_first_head_probability(0.5)
HONEST = dp.RandomizedResponse(epsilon=math.inf)
GRID = np.arange(0.001, 10, 0.1)  # of the tutorial's trade-off figure
RNG = np.random.default_rng(0)

responses = st.builds(dp.RandomizedResponse, epsilon=st.floats(0.01, 30))
shares = st.floats(0.001, 0.999)


def sum_of_binomials(true_yes, respondents, truth):
    return np.convolve(binomial(true_yes, truth), binomial(respondents - true_yes, 1 - truth))


# -- what it guarantees


@given(st.floats(1e-12, 1 - 1e-12))
def test_coins_epsilon_and_truth_probability_are_one_number(heads):
    """And no answer is likelier by more than e^epsilon, which both attain."""
    by_coins = dp.RandomizedResponse.from_first_head_probability(heads)
    assert by_coins.truth_probability == pytest.approx(1 - heads / 2, rel=1e-12)
    assert 2 * by_coins.lie_probability == pytest.approx(heads, rel=1e-12)
    with mpmath.workdps(40):
        exact = mpmath.log((2 - mpmath.mpf(heads)) / mpmath.mpf(heads))
        assert by_coins.epsilon == pytest.approx(float(exact), rel=1e-14)
    yes, no = by_coins.likelihoods
    assert np.abs(np.log(yes / no)) == pytest.approx([by_coins.epsilon] * 2, rel=1e-9, abs=1e-15)


@given(st.floats(0.5, 1, exclude_min=True))
def test_the_chance_of_the_truth_says_epsilon_and_is_kept(truth):
    one = dp.RandomizedResponse(truth_probability=truth)
    assert one.truth_probability == truth
    with mpmath.workdps(40):
        exact = mpmath.log(truth / (1 - mpmath.mpf(truth))) if truth < 1 else mpmath.inf
        assert one.epsilon == pytest.approx(float(exact), rel=1e-15)
    assert one.lie_probability == pytest.approx(1 - truth, rel=1e-14)
    assert one == dp.RandomizedResponse(epsilon=one.epsilon)


def test_an_array_of_epsilons_is_as_many_mechanisms():
    """Each method of the array gives what each mechanism gives; so does an array of chances."""
    epsilons = np.array([[0.5, 1.0], [3.0, math.inf]])
    truths = 1 / (1 + np.exp(-epsilons))
    for many in (
        dp.RandomizedResponse(epsilon=epsilons),
        dp.RandomizedResponse(truth_probability=truths),
    ):
        for place in np.ndindex(2, 2):
            one = dp.RandomizedResponse(epsilon=epsilons[place])
            for ask in (
                lambda of: of.epsilon,
                lambda of: of.truth_probability,
                lambda of: of.lie_probability,
                lambda of: of.expected_yes(0.2),
                lambda of: of.estimate(0.3),
                lambda of: of.uncertainty(0.3, 40),
                lambda of: of.respondents_needed(error=0.05, p=0.2),
                lambda of: of.disclosure_risk(0.2),
            ):
                assert ask(many)[place] == pytest.approx(ask(one), rel=1e-14)
                assert np.shape(ask(one)) == ()
            assert np.allclose(many.likelihoods[place], one.likelihoods, rtol=1e-14)
        assert many.sample_yes(0.2, 10, rng=RNG).shape == (2, 2)
        answers = many.answers(np.ones((5, 2, 2)), rng=RNG)
        assert answers.shape == (5, 2, 2)
        assert answers[:, 1, 1].all()


def test_no_coin_shows_heads_when_epsilon_is_infinite():
    assert dp.RandomizedResponse.from_first_head_probability(0) == HONEST
    assert HONEST.likelihoods.tolist() == [[1, 0], [0, 1]]
    assert HONEST.estimate(0.3) == 0.3
    assert HONEST.disclosure_risk(0.2) == 1
    for p in (0, 1):
        assert HONEST.sample_yes(p, 10, rng=RNG) == 10 * p


# -- what it estimates


@given(one=responses, p=st.floats(0, 1), truths=st.lists(st.booleans(), min_size=1, max_size=30))
def test_the_estimate_is_unbiased_for_drawn_and_for_fixed_truths(one, p, truths):
    """Its expectation, summed over all numbers of yes answers, is the share of true yes."""
    people, honest = len(truths), sum(truths)
    estimates = one.estimate(np.arange(people + 1) / people)
    error = 1e-12 / min(one.epsilon, 1)
    assert binomial(people, one.expected_yes(p)) @ estimates == pytest.approx(p, abs=error)
    chances = sum_of_binomials(honest, people, one.truth_probability)
    assert chances @ estimates == pytest.approx(honest / people, abs=error)


@given(epsilon=st.floats(1e-300, 800), share=shares)
def test_the_estimate_loses_no_digit_however_small_epsilon_is(epsilon, share):
    """At 400 digits, (r + t - 1)/(2t - 1); half a yes is half a yes at any epsilon."""
    weak = dp.RandomizedResponse(epsilon=epsilon)
    assert weak.estimate(0.5) == 0.5
    with mpmath.workdps(400):
        t, r = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon))), mpmath.mpf(share)
        exact = (r + t - 1) / (2 * t - 1)
        size = float(r + abs((2 * r - 1) * (1 - t) / (2 * t - 1)))
        assert weak.estimate(share) == pytest.approx(float(exact), rel=1e-15, abs=1e-15 * size)


def test_the_uncertainty_is_two_standard_errors():
    """The exact standard deviation of the estimate, at the expected share of yes."""
    respondents, p = 40, 0.3
    estimates = COINS.estimate(np.arange(respondents + 1) / respondents)
    chances = binomial(respondents, COINS.expected_yes(p))
    deviation = math.sqrt(chances @ (estimates - p) ** 2)
    assert COINS.uncertainty(COINS.expected_yes(p), respondents) == pytest.approx(2 * deviation)


def covered(one, p, respondents):
    """How often the truth lies within the uncertainty of the estimate, of all numbers of yes."""
    shares = np.arange(respondents + 1) / respondents
    near = np.abs(one.estimate(shares) - p) <= one.uncertainty(shares, respondents)
    return binomial(respondents, one.expected_yes(p)) @ near


def test_the_uncertainty_covers_95_percent_but_where_the_normal_approximation_fails():
    """A rare truth told almost always, few asked: no yes at all claims no error at all."""
    for respondents in (100, 2000):
        coverages = [covered(dp.RandomizedResponse(epsilon=e), 0.2, respondents) for e in GRID]
        assert 0.93 < min(coverages) < max(coverages) < 0.97
    rare = dp.RandomizedResponse(epsilon=9)
    assert rare.uncertainty(0.0, 50) == 0
    assert covered(rare, 0.01, 50) < 0.5
    assert covered(rare, 0.01, 20_000) == pytest.approx(0.954, abs=0.01)


@given(one=responses, p=st.floats(0, 1), error=st.floats(0.001, 0.5))
def test_the_respondents_needed_are_enough_and_one_fewer_are_not(one, p, error):
    people, expected = one.respondents_needed(error=error, p=p), one.expected_yes(p)
    assert one.uncertainty(expected, people) <= error * (1 + 1e-9)
    if people > 1:
        assert one.uncertainty(expected, people - 1) > error * (1 - 1e-9)
    # by hand, 4 r(1 - r)/((2f - 1) error)^2 with r = 0.35: 4 * 0.2275 / (0.25 * 0.0025)
    assert COINS.respondents_needed(error=0.05, p=0.2) == 1456


# -- what it draws


@given(one=responses, truths=st.lists(st.booleans(), min_size=1, max_size=9), seed=st.integers(0))
def test_each_answer_is_its_truth_turned_round_with_the_chance_of_a_lie(one, truths, seed):
    turned = np.random.default_rng(seed).random(len(truths)) < one.lie_probability
    spelled = [not truth if lie else truth for truth, lie in zip(truths, turned)]
    for same in (truths, np.array(truths, dtype=int), np.array(truths, dtype=float)):
        ours = one.answers(same, rng=np.random.default_rng(seed))
        assert (ours.dtype, ours.tolist()) == (bool, spelled)
    assert one.answers(np.zeros((5, 3)), rng=RNG).shape == (5, 3)


def test_the_published_experiment_on_an_array():
    """Ten thousand people, p = 0.2, two fair coins: 0.35 is seen, and 0.2 recovered."""
    rng = np.random.default_rng(2011)
    truths = rng.random(10_000) < 0.2
    seen = COINS.answers(truths, rng=rng).mean()
    assert abs(seen - 0.35) < 3 * math.sqrt(0.35 * 0.65 / 10_000)
    assert abs(COINS.estimate(seen) - 0.2) < 1.5 * COINS.uncertainty(seen, 10_000)


def test_answers_one_by_one_and_binomials_have_one_distribution():
    """Twenty respondents, of whom a fifth or exactly four have a true yes."""
    rng, fixed, drawn = np.random.default_rng(1), np.arange(20) < 4, binomial(20, 0.35)
    kept = sum_of_binomials(4, 20, 0.75)
    one_by_one = [COINS.answers(fixed, rng=rng).sum() for _ in range(20_000)]
    for numbers, chances in (
        (one_by_one, kept),
        (COINS.sample_yes(0.2, 20, 20_000, rng=rng), drawn),
    ):
        assert chi_square(np.bincount(numbers, minlength=21), chances) > 0.01
    assert chi_square(np.bincount(one_by_one, minlength=21), drawn) < 1e-6


# -- what it discloses


@given(one=responses, p=shares)
def test_both_risks_are_the_posteriors_of_bayes_rule(one, p):
    beliefs = posteriors(one.likelihoods, prior=[p, 1 - p])
    assert one.disclosure_risk(p) == pytest.approx(beliefs[0, 0], rel=1e-12)
    assert one.disclosure_risk(1 - p) == pytest.approx(beliefs[1, 1], rel=1e-12)
    assert one.disclosure_risk(max(p, 1 - p)) == pytest.approx(beliefs.max(), rel=1e-12)


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
    rarest = dp.RandomizedResponse.from_risk(risk=0.999, base_rate=5e-324).epsilon
    assert 690 < rarest <= 300 * math.log(10)  # odds of 2e323 against it


def heads(probability):
    return dp.RandomizedResponse.from_first_head_probability(probability)


def ask(risk, base):
    return dp.RandomizedResponse.from_risk(risk=risk, base_rate=base)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dp.RandomizedResponse(epsilon=0), r"epsilon must lie in \(0, inf\], got 0.0"),
        (lambda: dp.RandomizedResponse(epsilon=math.nan), r"epsilon must lie .* got nan"),
        (lambda: dp.RandomizedResponse(), "exactly one of epsilon, truth_probability .*, got none"),
        (
            lambda: dp.RandomizedResponse(epsilon=1, truth_probability=0.75),
            "exactly one of epsilon, truth_probability .*, got epsilon and truth_probability",
        ),
        (
            lambda: dp.RandomizedResponse(truth_probability=[0.75, 0.5]),
            r"truth_probability must lie in \(0.5, 1\], got 0.5",
        ),
        (lambda: heads(1), r"probability must lie in \[0, 1\), got 1.0"),
        (lambda: COINS.expected_yes(1.2), r"p must lie in \[0, 1\], got 1.2"),
        (lambda: COINS.estimate([0.1, math.nan]), "yes_share must lie .* got nan"),
        (lambda: COINS.estimate("0.1"), "yes_share must be a number or an array, got '0.1'"),
        (lambda: COINS.uncertainty(0.1, 0), "respondents must be at least 1, got 0"),
        (lambda: COINS.uncertainty(0.1, 10.0), "respondents must be an integer, got 10.0"),
        (lambda: COINS.disclosure_risk(1), r"p must lie in \(0, 1\), got 1.0"),
        (lambda: COINS.respondents_needed(error=0, p=0.2), r"error must lie in .*, got 0.0"),
        (lambda: COINS.sample_yes(10, 2, rng=RNG), r"p must lie in \[0, 1\], got 10.0"),
        (lambda: COINS.answers([0, 1, 2], rng=RNG), r"truths must hold .*, got \[0, 1, 2\]"),
        (lambda: COINS.answers(["0"], rng=RNG), r"truths must hold .*, got \['0'\]"),
        (lambda: COINS.answers([math.nan], rng=RNG), "truths must hold 0/1 or booleans, .*"),
        (lambda: ask(1.2, 0.2), r"risk must lie in \(0, 1\), got 1.2"),
        (lambda: ask(0.5, 0), r"base_rate must lie in \(0, 1\), got 0.0"),
        (lambda: ask(0.2, 0.2), "risk must exceed 0.2, the base rate, got 0.2"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises((ValueError, TypeError), match=f"^{message}$") as caught:
        call()
    assert isinstance(caught.value, dp.UnattainableRisk) == ("base rate," in str(caught.value))
