"""Two libraries made for releases agree on what we choose for them."""

import warnings

import numpy as np
import opendp.prelude as opendp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own imports
    import diffprivlib.mechanisms as diffprivlib

opendp.enable_features("contrib")

positive = st.floats(1e-3, 1e3)


def opendp_laplace(scale):
    answers = opendp.atom_domain(T=float, nan=False)
    return opendp.m.make_laplace(answers, opendp.absolute_distance(T=float), scale=scale)


@given(epsilon=positive, sensitivity=positive)
def test_opendp_accounts_for_the_epsilon_of_our_scale(epsilon, sensitivity):
    scale = dp.Laplace(epsilon=epsilon, sensitivity=sensitivity).scale
    assert opendp_laplace(scale).map(sensitivity) == pytest.approx(epsilon, rel=1e-12)


@given(epsilon=positive, sensitivity=positive)
def test_diffprivlib_draws_with_our_scale(epsilon, sensitivity):
    theirs = diffprivlib.Laplace(epsilon=epsilon, sensitivity=sensitivity)
    ours = dp.Laplace(epsilon=epsilon, sensitivity=sensitivity)
    assert np.sqrt(theirs.variance(0.0) / 2) == pytest.approx(ours.scale, rel=1e-12)


@given(records=st.lists(st.integers(-50, 50), min_size=3, max_size=12, unique=True), data=st.data())
def test_opendp_has_our_bounded_sensitivities(records, data):
    """Of a sum and a mean of n numbers between bounds, when one of them changes."""
    size = data.draw(st.integers(1, len(records) - 1))
    values = np.array(records, dtype=float)
    numbers = opendp.atom_domain(bounds=(values.min(), values.max()), nan=False)
    domain = opendp.vector_domain(numbers, size=size)
    makers = {"sum": opendp.t.make_sum, "mean": opendp.t.make_mean}
    for query, make in makers.items():
        theirs = make(domain, opendp.symmetric_distance()).map(2)
        ours = dp.global_sensitivity(query, values, size, adjacency="bounded").value
        assert theirs == pytest.approx(ours, rel=1e-9)


@given(scores=st.lists(st.floats(-20, 20), min_size=2, max_size=6), epsilon=st.floats(0.01, 5))
def test_diffprivlib_chooses_with_our_probabilities(scores, epsilon):
    theirs = diffprivlib.Exponential(epsilon=epsilon, sensitivity=1.0, utility=scores)
    ours = dp.Exponential(scores, epsilon=epsilon, sensitivity=1.0).probabilities
    assert np.diff(theirs._probabilities, prepend=0) == pytest.approx(ours, abs=1e-9)


@given(epsilon=st.floats(0.01, 8))
def test_diffprivlib_tells_the_truth_as_often_as_our_coins(epsilon):
    """Its binary mechanism is randomized response."""
    theirs = diffprivlib.Binary(epsilon=epsilon, value0="no", value1="yes", random_state=7)
    truths = np.mean([theirs.randomise("yes") == "yes" for _ in range(400)])
    ours = dp.RandomizedResponse(epsilon=epsilon).truth_probability
    assert abs(truths - ours) < 5 * np.sqrt(ours * (1 - ours) / 400) + 0.01
