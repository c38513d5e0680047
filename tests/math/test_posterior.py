"""The adversary's beliefs follow Bayes' rule."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import priors, weighted_answers

import dpchoose as dp

SCHOOL_YEAR = dp.world_answers("mean", [1, 2, 3, 4], 3)
ABSENCE_DAYS = dp.world_answers("mean", [1, 2, 3, 10], 3)

epsilons = st.sampled_from([0.0, 1e-12, 0.01, 0.5, 2.0, 50.0, 1e6])
places = st.sampled_from([-3, -1, -0.4, 0, 0.3, 0.77, 1, 1.001, 2, 40])


def by_definition(answers, output, epsilon, sensitivity, prior):
    """Bayes' rule with 40 digits: prior times densities, divided by the sum of all; rows."""
    with mpmath.workdps(40):
        shares = [1] * len(answers) if prior is None else prior
        rates = [mpmath.mpf(e) / mpmath.mpf(s) for e, s in zip(epsilon, sensitivity)]
        beliefs = [
            mpmath.mpf(share)
            * mpmath.exp(
                -mpmath.fsum(
                    rate * abs(mpmath.mpf(out) - mpmath.mpf(answer))
                    for rate, out, answer in zip(rates, output, row)
                )
            )
            for share, row in zip(shares, answers.tolist())
        ]
        return [float(belief / mpmath.fsum(beliefs)) for belief in beliefs]


@given(drawn=weighted_answers(), epsilon=epsilons, place=places)
def test_the_posterior_is_bayes_rule(drawn, epsilon, place):
    """At any output, on any scale, the posterior is prior times density, normalised."""
    answers, prior, scale = drawn
    output = place * 20 * scale
    got = dp.posterior(answers, output, epsilon=epsilon, sensitivity=2 * scale, prior=prior)
    expected = by_definition(answers[:, None], [output], [epsilon], [2 * scale], prior)
    rounding = 1e-13 + 2e-15 * epsilon
    assert got.tolist() == pytest.approx(expected, rel=rounding, abs=1e-300)


@st.composite
def rows_of_answers(draw):
    """The answers of some worlds to d queries, their prior, epsilons and sensitivities."""
    size, several = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    steps = st.one_of(st.integers(-3, 3), st.floats(-20, 20, width=16))
    rows = st.lists(steps, min_size=several, max_size=several)
    answers = np.array(draw(st.lists(rows, min_size=size, max_size=size)), dtype=float)
    rates = draw(st.lists(epsilons, min_size=several, max_size=several))
    sensitivities = draw(
        st.lists(st.sampled_from([1e-3, 0.7, 20.0]), min_size=several, max_size=several)
    )
    return answers, draw(priors(size)), rates, sensitivities


@given(drawn=rows_of_answers(), data=st.data())
def test_the_densities_of_several_answers_are_multiplied(drawn, data):
    """Each answer has noise of its own, and they speak together."""
    answers, prior, rates, sensitivities = drawn
    at = {"epsilon": rates, "sensitivity": sensitivities, "prior": prior}
    spots = st.lists(places, min_size=len(rates), max_size=len(rates))
    outputs = np.array([[data.draw(spots) for _ in range(3)]], dtype=float)
    got = dp.posterior(answers, outputs, **at)
    assert got.shape == (1, 3, len(answers))
    rounding = 1e-13 + 1e-14 * sum(e / s * 40 for e, s in zip(rates, sensitivities))
    for output, belief in zip(outputs[0], got[0]):
        expected = by_definition(answers, output, rates, sensitivities, prior)
        assert belief.tolist() == pytest.approx(expected, rel=rounding, abs=1e-300)
        assert belief.tolist() == dp.posterior(answers, output, **at).tolist()


@given(drawn=rows_of_answers(), data=st.data())
def test_answers_may_be_learnt_one_after_the_other(drawn, data):
    """The posterior of the first answer is the prior of the next."""
    answers, prior, _, sensitivities = drawn
    output = data.draw(st.lists(places, min_size=len(sensitivities), max_size=len(sensitivities)))
    rates = np.array(sensitivities) / 7
    together = dp.posterior(answers, output, epsilon=rates, sensitivity=sensitivities, prior=prior)
    belief = prior
    for column, out, epsilon, sensitivity in zip(answers.T, output, rates, sensitivities):
        at = {"epsilon": epsilon, "sensitivity": sensitivity}
        belief = dp.posterior(column, out, prior=belief, **at)
    assert together.tolist() == pytest.approx(belief.tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"output": [1, 2, 3]}, r"^output must have shape \(\.\.\., 2\), got \(3,\)$"),
        ({"output": 1}, r"^output must have shape \(\.\.\., 2\), got \(\)$"),
        ({"epsilon": 1}, r"^epsilon must have shape \(2,\), got \(\)$"),
        ({"epsilon": [1, math.inf]}, r"^epsilon must lie in \[0, inf\), got inf$"),
        ({"sensitivity": [1]}, r"^sensitivity must have shape \(2,\), got \(1,\)$"),
        ({"sensitivity": [1, 0]}, r"^sensitivity must lie in \(0, inf\), got 0"),
        ({"prior": [1]}, r"^prior must hold one probability per world, 3 of them, got 1$"),
    ],
)
def test_what_does_not_fit_several_answers_is_refused_with_both_shapes(wrong, message):
    """One output, epsilon and sensitivity for each answer, one probability for each world."""
    fits = {"output": [1, 2], "epsilon": [1, 1], "sensitivity": [1, 2], "prior": None}
    with pytest.raises(ValueError, match=message):
        dp.posterior([[0, 1], [2, 3], [4, 5]], **{**fits, **wrong})


@given(drawn=weighted_answers(), epsilon=epsilons, place=places)
def test_a_posterior_is_a_distribution(drawn, epsilon, place):
    """It is nonnegative, sums to 1 and keeps impossible worlds impossible."""
    answers, prior, scale = drawn
    got = dp.posterior(
        answers, place * scale, epsilon=epsilon, sensitivity=1e-3 * scale, prior=prior
    )
    assert (got >= 0).all()
    assert math.fsum(got) == pytest.approx(1, rel=1e-14)
    if prior is not None:
        assert (got[prior == 0] == 0).all()


@given(drawn=weighted_answers(), place=places)
def test_at_epsilon_0_the_posterior_is_the_prior(drawn, place):
    """Noise without end tells nothing."""
    answers, prior, scale = drawn
    got = dp.posterior(answers, place * scale, epsilon=0, sensitivity=scale, prior=prior)
    expected = np.full(len(answers), 1 / len(answers)) if prior is None else prior
    assert got.tolist() == pytest.approx(expected.tolist(), rel=1e-12, abs=0)


@given(drawn=weighted_answers(scales=(1.0,)), epsilon=st.sampled_from([0.1, 1.0, 3.0]))
def test_no_output_moves_the_odds_by_more_than_the_guarantee(drawn, epsilon):
    """The odds of two worlds change by at most exp(epsilon |f_i - f_j| / sensitivity)."""
    answers, _, _ = drawn
    for output in (-30.0, 0.0, 7.5, answers[0]):
        belief = dp.posterior(answers, output, epsilon=epsilon, sensitivity=4)
        for i, j in itertools.permutations(range(len(answers)), 2):
            limit = math.exp(epsilon * abs(answers[i] - answers[j]) / 4)
            assert belief[i] <= belief[j] * limit * (1 + 1e-12)


@given(drawn=weighted_answers(), epsilon=epsilons)
def test_every_output_beyond_the_answers_says_the_same(drawn, epsilon):
    """All distances grow alike, however far the output lies, so no digit may be lost."""
    answers, prior, scale = drawn
    at = {"epsilon": epsilon, "sensitivity": scale, "prior": prior}
    highest = dp.posterior(answers, answers.max(), **at).tolist()
    lowest = dp.posterior(answers, answers.min(), **at).tolist()
    for far in (100 * scale, 1e100):
        assert dp.posterior(answers, far, **at).tolist() == highest
        assert dp.posterior(answers, -far, **at).tolist() == lowest


def test_a_world_that_cannot_be_costs_the_others_no_digit():
    """It lies at the output, and the others so far away that a tenth of their distance rounds."""
    got = dp.posterior(
        [-1e15, 0, 1e15 + 1], 0, epsilon=0.1, sensitivity=1, prior=[0.5, 0, 0.5]
    ).tolist()
    first = 1 / (1 + math.exp(-0.1))
    assert got == pytest.approx([first, 0, 1 - first], rel=1e-13)


def test_an_output_far_from_every_answer_still_tells_them_apart():
    """Densities that all underflow have a ratio all the same."""
    belief = dp.posterior([0, 1e100], 4e99, epsilon=1, sensitivity=1e-100)
    assert belief.tolist() == [1, 0]
    belief = dp.posterior([0, 1], 1e20, epsilon=1, sensitivity=1)
    assert belief.tolist() == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e)], rel=1e-15)


@given(drawn=weighted_answers(), data=st.data())
def test_the_posterior_follows_the_order_of_the_worlds(drawn, data):
    """Worlds listed in another order have the same beliefs in that order."""
    answers, _, scale = drawn
    order = data.draw(st.permutations(range(len(answers))))
    belief = dp.posterior(answers, scale, epsilon=1, sensitivity=scale)
    shuffled = dp.posterior(answers[order], scale, epsilon=1, sensitivity=scale)
    assert shuffled.tolist() == pytest.approx(belief[order].tolist(), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("epsilon", "printed"),
    [
        (5, [0.9705, 0.0158, 0.0088, 0.0049]),
        (2, [0.6825, 0.1315, 0.1039, 0.0821]),
        (1, [0.4596, 0.2017, 0.1793, 0.1594]),
        (0.5, [0.3477, 0.2303, 0.2172, 0.2048]),
        (0.1, [0.2680, 0.2469, 0.2440, 0.2411]),
        (0.01, [0.2518, 0.2497, 0.2494, 0.2491]),
    ],
)
def test_lee_and_clifton_table_3(epsilon, printed):
    """Any output up to 2 gives the posteriors that the table prints."""
    for output in (2, 0, -10):
        belief = dp.posterior(ABSENCE_DAYS, output, epsilon=epsilon, sensitivity=17 / 6)
        assert belief.tolist() == pytest.approx(printed, abs=0.5e-4)


@pytest.mark.parametrize(
    ("answers", "sensitivity", "printed"),
    [
        (SCHOOL_YEAR, 5 / 6, [0.33898835, 0.4003158, 0.17987348, 0.08082237]),
        (ABSENCE_DAYS, 17 / 6, [0.61802372, 0.15816999, 0.12500781, 0.09879847]),
    ],
)
def test_the_published_posteriors_of_the_school(answers, sensitivity, printed):
    """Output 2.20131 with epsilon 2; Lee and Clifton print 0.3390 and 0.6180 for {1, 2, 3}."""
    belief = dp.posterior(answers, 2.20131, epsilon=2, sensitivity=sensitivity)
    assert belief.tolist() == pytest.approx(printed, abs=0.5e-8)


def test_the_published_confidences_after_their_correction():
    """The gains are 0.1503158 and 0.36802372; with the arguments exchanged come the losses."""
    prior = [0.25] * 4
    years = dp.posterior(SCHOOL_YEAR, 2.20131, epsilon=2, sensitivity=5 / 6)
    days = dp.posterior(ABSENCE_DAYS, 2.20131, epsilon=2, sensitivity=17 / 6)
    assert dp.confidence(prior=prior, posterior=years) == pytest.approx(0.1503158, abs=0.5e-7)
    assert dp.confidence(prior=prior, posterior=days) == pytest.approx(0.36802372, abs=0.5e-8)
    assert dp.confidence(prior=years, posterior=prior) == pytest.approx(0.16917763, abs=0.5e-8)
    assert dp.confidence(prior=days, posterior=prior) == pytest.approx(0.15120153, abs=0.5e-8)
    sure = dp.posterior(ABSENCE_DAYS, 2, epsilon=5, sensitivity=17 / 6)
    assert dp.confidence(prior=prior, posterior=sure) == pytest.approx(0.7205, abs=0.5e-4)


@given(data=st.data(), size=st.integers(2, 8))
def test_the_confidence_is_the_largest_gain_of_belief(data, size):
    """It is at least 0, below 1, and 0 when nothing was learnt."""
    before, after = (data.draw(priors(size).filter(lambda p: p is not None)) for _ in range(2))
    gain = dp.confidence(prior=before, posterior=after)
    assert gain == max(b - a for a, b in zip(before.tolist(), after.tolist()))
    assert -1e-15 <= gain <= 1
    assert dp.confidence(prior=before, posterior=before) == 0


@given(data=st.data(), size=st.integers(2, 8))
def test_the_disclosure_risk_is_the_largest_posterior(data, size):
    """The adversary's best guess is the likeliest world, never less than 1/m."""
    belief = data.draw(priors(size).filter(lambda p: p is not None))
    assert dp.disclosure_risk(belief) == max(belief.tolist())
    assert dp.disclosure_risk(belief) >= 1 / size * (1 - 1e-15)
