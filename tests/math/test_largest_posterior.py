"""Bayes' rule over worlds and outputs that can be listed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpchoose as dp

quick = settings(derandomize=True, deadline=None, max_examples=60)


@st.composite
def exact_mechanisms(draw):
    """A prior over worlds and the chances of outputs in each, as exact fractions."""
    worlds, outputs = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    parts = st.integers(0, 20)

    def distribution(size):
        numbers = draw(st.lists(parts, min_size=size, max_size=size).filter(any))
        return [Fraction(number, sum(numbers)) for number in numbers]

    return distribution(worlds), [distribution(outputs) for _ in range(worlds)]


def floats(rows):
    return [[float(value) for value in row] for row in rows]


def exact_posteriors(prior, likelihoods):
    """One list of posteriors per output that is possible."""
    columns = [
        [p * row[o] for p, row in zip(prior, likelihoods)] for o in range(len(likelihoods[0]))
    ]
    return [[joint / sum(column) for joint in column] for column in columns if any(column)]


@quick
@given(exact_mechanisms())
def test_it_is_the_largest_exact_posterior(mechanism):
    prior, likelihoods = mechanism
    exact = max(max(column) for column in exact_posteriors(prior, likelihoods))
    ours = dp.largest_posterior(floats(likelihoods), prior=[float(p) for p in prior])
    assert ours == pytest.approx(float(exact), rel=1e-12)


@quick
@given(exact_mechanisms())
def test_posteriors_agree_one_by_one_and_impossible_outputs_have_none(mechanism):
    prior, likelihoods = mechanism
    ours = dp.posteriors(floats(likelihoods), prior=[float(p) for p in prior])
    possible = ~np.isnan(ours).any(axis=0)
    exact = np.array(exact_posteriors(prior, likelihoods), dtype=float).T
    assert ours[:, possible] == pytest.approx(exact, rel=1e-12)
    assert np.isnan(ours[:, ~possible]).all()


@quick
@given(exact_mechanisms())
def test_it_is_never_below_the_largest_prior(mechanism):
    prior, likelihoods = mechanism
    risk = dp.largest_posterior(floats(likelihoods), prior=[float(p) for p in prior])
    assert risk >= float(max(prior)) * (1 - 1e-12)


@quick
@given(exact_mechanisms())
def test_an_output_that_says_less_never_raises_it(mechanism):
    """Data processing: two outputs that are reported as one."""
    prior, likelihoods = mechanism
    merged = [[row[0] + row[-1], *row[1:-1]] if len(row) > 1 else row for row in likelihoods]
    weights = [float(p) for p in prior]
    assert dp.largest_posterior(floats(merged), prior=weights) <= dp.largest_posterior(
        floats(likelihoods), prior=weights
    ) * (1 + 1e-12)


@quick
@given(epsilon=st.floats(0.01, 5), worlds=st.integers(2, 6))
def test_pure_privacy_bounds_it(epsilon, worlds):
    """If no likelihood exceeds another by e^epsilon, the risk is below 1/(1 + (m-1)e^-epsilon)."""
    outputs = np.eye(worlds) * math.expm1(epsilon) + 1
    risk = dp.largest_posterior(outputs / outputs.sum(axis=1, keepdims=True))
    assert risk == pytest.approx(1 / (1 + (worlds - 1) * math.exp(-epsilon)), rel=1e-12)


def test_an_output_that_cannot_occur_has_no_posterior_and_no_risk():
    rows = [[0.25, 0, 0.75], [0.75, 0, 0.25]]
    assert np.isnan(dp.posteriors(rows)).tolist() == [[False, True, False]] * 2
    assert dp.largest_posterior(rows) == 0.75


def test_worlds_that_look_alike_keep_the_prior():
    assert dp.largest_posterior([[0.5, 0.5]] * 3, prior=[0.5, 0.25, 0.25]) == 0.5


def test_no_prior_means_the_uniform_one():
    rows = [[0.6, 0.4], [0.1, 0.9]]
    assert dp.largest_posterior(rows) == dp.largest_posterior(rows, prior=[0.5, 0.5])


@pytest.mark.parametrize(
    ("likelihoods", "prior", "error", "message"),
    [
        ([[0.5, 0.4]], None, ValueError, "sum to 1 in each row, got 0.9 in row 0"),
        ([[1.5, -0.5]], None, ValueError, r"likelihoods must lie in \[0, 1\], got 1.5"),
        ([0.5, 0.5], None, ValueError, r"a row for each world, got shape \(2,\)"),
        ([["a", "b"]], None, TypeError, "likelihoods must hold real numbers"),
        ([[math.nan, 1]], None, ValueError, r"likelihoods must be finite, got nan at \(0, 0\)"),
        ([[1, 0], [0, 1]], [1], ValueError, "prior must hold one probability per world, 2"),
        ([[1, 0], [0, 1]], [0.5, 0.6], ValueError, "prior must sum to 1, got 1.1"),
    ],
)
def test_bad_arguments_are_named(likelihoods, prior, error, message):
    with pytest.raises(error, match=message):
        dp.largest_posterior(likelihoods, prior=prior)
