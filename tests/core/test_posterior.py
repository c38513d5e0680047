"""The adversary's beliefs follow the rule of Bayes, also where the outputs can be listed."""

import math
from fractions import Fraction

import definition
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import priors, weighted_answers

import dpchoose as dp
from dpchoose.risk.posterior import posteriors

epsilons = st.sampled_from([0.0, 1e-12, 0.01, 0.5, 2.0, 50.0, 1e6])
places = st.sampled_from([-3, -1, -0.4, 0, 0.3, 0.77, 1, 1.001, 2, 40])


def by_definition(rows, output, epsilon, sensitivity, prior):
    """At 60 digits, of what the floats are."""
    *rows, output, epsilon, sensitivity = (
        [definition.real(float(one)) for one in row]
        for row in (*rows, output, epsilon, sensitivity)
    )
    rates = [e / s for e, s in zip(epsilon, sensitivity)]
    return [float(belief) for belief in definition.posterior(rows, output, rates, prior)]


@given(drawn=weighted_answers(), epsilon=epsilons, place=places)
def test_the_posterior_is_bayes_rule(drawn, epsilon, place):
    """At any output, on any scale; an impossible world stays impossible."""
    answers, prior, scale = drawn
    output = place * 20 * scale
    got = dp.posterior(answers, output, epsilon=epsilon, sensitivity=2 * scale, prior=prior)
    expected = by_definition(answers[:, None], [output], [epsilon], [2 * scale], prior)
    assert got.tolist() == pytest.approx(expected, rel=3e-13 + 2e-15 * epsilon, abs=1e-300)
    assert math.fsum(got) == pytest.approx(1, rel=1e-14)
    if prior is not None:
        assert (got[prior == 0] == 0).all()


@st.composite
def rows_of_answers(draw):
    """The answers of some worlds to d queries, their prior, epsilons and sensitivities."""
    size, several = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    steps = st.one_of(st.integers(-3, 3), st.floats(-20, 20, width=16))
    rows = st.lists(steps, min_size=several, max_size=several)
    answers = np.array(draw(st.lists(rows, min_size=size, max_size=size)), dtype=float)
    units = st.sampled_from([1e-3, 0.7, 20.0])
    rates, sensitivities = (
        draw(st.lists(one, min_size=several, max_size=several)) for one in (epsilons, units)
    )
    return answers, draw(priors(size)), rates, sensitivities


@given(drawn=rows_of_answers(), data=st.data())
def test_the_densities_of_several_answers_are_multiplied(drawn, data):
    """Each answer has noise of its own, and they speak together, or one after the other."""
    answers, prior, rates, sensitivities = drawn
    at = {"epsilon": rates, "sensitivity": sensitivities, "prior": prior}
    spots = st.lists(places, min_size=len(rates), max_size=len(rates))
    outputs = np.array([[data.draw(spots) for _ in range(3)]], dtype=float)
    got = dp.posterior(answers, outputs, **at)
    assert got.shape == (1, 3, len(answers))
    rounding = 3e-13 + 1e-14 * sum(e / s * 40 for e, s in zip(rates, sensitivities))
    for output, belief in zip(outputs[0], got[0]):
        expected = by_definition(answers, output, rates, sensitivities, prior)
        assert belief.tolist() == pytest.approx(expected, rel=rounding, abs=1e-300)
        assert belief.tolist() == dp.posterior(answers, output, **at).tolist()
    at["epsilon"], belief = np.array(sensitivities) / 7, prior
    for column, out, sensitivity in zip(answers.T, outputs[0, 0], sensitivities):
        one = {"epsilon": sensitivity / 7, "sensitivity": sensitivity}
        belief = dp.posterior(column, out, prior=belief, **one)
    together = dp.posterior(answers, outputs[0, 0], **at)
    assert together.tolist() == pytest.approx(belief.tolist(), rel=1e-12)


def test_the_noise_is_said_by_its_scale_or_by_epsilon_and_sensitivity():
    """Exactly one of both; without end it says nothing."""
    assert dp.posterior([2, 3, 10], 4, scale=math.inf).tolist() == [1 / 3] * 3
    for scale, epsilon in ((4, 0.25), ([4, 0.5], [0.25, 2])):
        answers = [2, 3, 10] if epsilon == 0.25 else [[2, 0], [3, 5], [10, 1]]
        by = {"epsilon": epsilon, "sensitivity": np.ones_like(epsilon, dtype=float)}
        outputs = np.full(np.shape(epsilon), 4.0)
        same = dp.posterior(answers, outputs, **by).tolist()
        assert dp.posterior(answers, outputs, scale=scale).tolist() == same
    rule = "^scale, or epsilon and sensitivity, must be given, got "
    for noise, got in (
        ({}, "none"),
        ({"epsilon": 1}, "epsilon"),
        ({"sensitivity": 1}, "sensitivity"),
        ({"scale": 1, "epsilon": 1, "sensitivity": 1}, "scale and epsilon and sensitivity"),
        ({"scale": 1, "sensitivity": 1}, "scale and sensitivity"),
    ):
        with pytest.raises(ValueError, match=f"{rule}{got}$"):
            dp.posterior([2, 3], 2, **noise)


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


def test_neither_an_impossible_world_nor_a_far_output_costs_a_digit():
    """Densities that all underflow have a ratio all the same."""
    far = [-1e15, 0, 1e15 + 1]
    got = dp.posterior(far, 0, epsilon=0.1, sensitivity=1, prior=[0.5, 0, 0.5]).tolist()
    first = 1 / (1 + math.exp(-0.1))
    assert got == pytest.approx([first, 0, 1 - first], rel=1e-13)
    at = {"epsilon": 1, "sensitivity": 1e-300, "prior": [0.5, 0, 0.5]}
    assert dp.posterior([-1e100, 0, 1e100], 0, **at).tolist() == [0.5, 0, 0.5]
    assert dp.posterior([0, 1e100], 4e99, epsilon=1, sensitivity=1e-100).tolist() == [1, 0]
    at |= {"sensitivity": 1, "prior": [0.5, 0.5, 0]}
    belief = dp.posterior([0, 1, 1e30], 1e30, **at).tolist()
    assert belief == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e), 0], rel=1e-15)


@given(data=st.data(), size=st.integers(2, 8))
def test_the_confidence_is_the_largest_gain_and_the_risk_the_largest_belief(data, size):
    before, after = (data.draw(priors(size).filter(lambda p: p is not None)) for _ in range(2))
    gain = dp.confidence(prior=before, posterior=after)
    assert gain == max(b - a for a, b in zip(before.tolist(), after.tolist()))
    assert dp.confidence(prior=before, posterior=before) == 0
    assert dp.disclosure_risk(after) == max(after.tolist())


# Outputs that can be listed.


@st.composite
def exact_mechanisms(draw):
    """A prior over worlds and the chances of outputs in each, as exact fractions."""
    worlds, outputs = draw(st.integers(1, 5)), draw(st.integers(1, 5))

    def distribution(size):
        numbers = draw(st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any))
        return [Fraction(number, sum(numbers)) for number in numbers]

    return np.array(distribution(worlds)), np.array([distribution(outputs) for _ in range(worlds)])


@given(exact_mechanisms())
def test_posteriors_are_those_of_bayes_rule_and_impossible_outputs_have_none(mechanism):
    prior, likelihoods = mechanism
    beliefs = posteriors(likelihoods.astype(float), prior=prior.astype(float))
    for belief, joint in zip(beliefs.T, likelihoods.T * prior):
        if any(joint):
            assert belief == pytest.approx((joint / sum(joint)).astype(float), rel=1e-12)
        else:
            assert np.isnan(belief).all()


@given(exact_mechanisms())
def test_outputs_that_are_reported_as_one_tell_less_and_the_prior_is_the_least(mechanism):
    prior, likelihoods = mechanism
    prior, likelihoods = prior.astype(float), likelihoods.astype(float)
    merged = np.add.reduceat(likelihoods, range(0, likelihoods.shape[1], 2), axis=1)
    less, more = (np.nanmax(posteriors(rows, prior=prior)) for rows in (merged, likelihoods))
    assert float(max(prior)) * (1 - 1e-12) <= less <= more * (1 + 1e-12)


@given(epsilon=st.floats(0.01, 5), worlds=st.integers(2, 6))
def test_pure_privacy_allows_no_more_than_its_bound_which_is_attained(epsilon, worlds):
    """No likelihood exceeds another by e^epsilon: at most 1/(1 + (m - 1)e^-epsilon)."""
    outputs = np.eye(worlds) * math.expm1(epsilon) + 1
    risk = posteriors(outputs / outputs.sum(axis=1, keepdims=True)).max()
    assert risk == pytest.approx(1 / (1 + (worlds - 1) * math.exp(-epsilon)), rel=1e-12)
