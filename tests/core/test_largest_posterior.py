"""Bayes' rule over worlds and outputs that can be listed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.risk.posterior import posteriors


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
    floats = likelihoods.astype(float), prior.astype(float)
    exact = []
    for belief, joint in zip(posteriors(floats[0], prior=floats[1]).T, likelihoods.T * prior):
        if any(joint):
            exact.append((joint / sum(joint)).astype(float))
            assert belief == pytest.approx(exact[-1], rel=1e-12)
        else:
            assert np.isnan(belief).all()
    largest = dp.largest_posterior(floats[0], prior=floats[1])
    assert largest == pytest.approx(np.max(exact), rel=1e-12)


@given(exact_mechanisms())
def test_outputs_that_are_reported_as_one_tell_less_and_the_prior_is_the_least(mechanism):
    prior, likelihoods = mechanism
    prior, likelihoods = prior.astype(float), likelihoods.astype(float)
    merged = np.add.reduceat(likelihoods, range(0, likelihoods.shape[1], 2), axis=1)
    less, more = (dp.largest_posterior(rows, prior=prior) for rows in (merged, likelihoods))
    assert float(max(prior)) * (1 - 1e-12) <= less <= more * (1 + 1e-12)


@given(epsilon=st.floats(0.01, 5), worlds=st.integers(2, 6))
def test_pure_privacy_allows_no_more_than_its_bound_which_is_attained(epsilon, worlds):
    """No likelihood exceeds another by e^epsilon: at most 1/(1 + (m - 1)e^-epsilon)."""
    outputs = np.eye(worlds) * math.expm1(epsilon) + 1
    risk = dp.largest_posterior(outputs / outputs.sum(axis=1, keepdims=True))
    assert risk == pytest.approx(1 / (1 + (worlds - 1) * math.exp(-epsilon)), rel=1e-12)
