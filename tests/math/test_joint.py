"""Several answers together: the sums over all rows, the largest risk, the diameter."""

import math
from fractions import Fraction
from unittest import mock

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpchoose.risk import decay, decay_rows
from dpchoose.risk.joint import JointRisk, diameter

COORDINATES = [
    st.integers(0, 3).map(float),  # ties in one coordinate
    st.floats(-10, 10),
    st.sampled_from([0.0, 1e-3, 2e-3, 50.0, 50.001, 50.002]),  # clusters
    st.integers(0, 20).map(lambda quarters: 2.0**30 + quarters / 4),  # a far offset
    st.sampled_from([-1e100, -1e-100, 0.0, 1e-100, 1.0, 1e100]),
]
RATES = st.one_of(st.sampled_from([0.0, np.inf]), st.floats(-5, 3).map(lambda power: 10**power))


@st.composite
def rows(draw, max_size=12, most=4):
    """Distinct rows of answers, their weights and peaks, and a rate for each coordinate."""
    width, size = draw(st.integers(1, most)), draw(st.integers(1, max_size))
    columns = [
        draw(st.lists(kind, min_size=size, max_size=size))
        for kind in draw(st.lists(st.sampled_from(COORDINATES), min_size=width, max_size=width))
    ]
    answers = np.unique(np.array(columns).T, axis=0)
    share = st.sampled_from([1.0, 2.0, 1000.0, 1e-9, 1e-100, 0.0])
    weights = np.array([draw(share) for _ in answers])
    weights[draw(st.integers(0, len(answers) - 1))] = 1.0
    parts = np.array([draw(st.sampled_from([1.0, 0.5, 0.01])) for _ in answers])
    rates = np.array(draw(st.lists(RATES, min_size=width, max_size=width)))
    return answers, weights, weights * parts, rates


def away(one, other, rates):
    """The distance of two rows, with the digits of mpmath; an infinite rate times 0 is 0."""
    gaps = [(abs(mpmath.mpf(a) - mpmath.mpf(b)), t) for a, b, t in zip(one, other, rates)]
    return mpmath.fsum(mpmath.mpf(float(t)) * gap for gap, t in gaps if gap)


def exact_sums(answers, weights, rates):
    """All pairs."""
    table = answers.tolist()
    return [
        mpmath.fsum(
            mpmath.mpf(w) * mpmath.exp(-away(here, row, rates))
            for row, w in zip(table, weights.tolist())
        )
        for here in table
    ]


@pytest.mark.parametrize("leaf", [0, 1, 6])
@given(drawn=rows())
def test_every_sum_is_within_its_error_however_far_the_rows_are_halved(leaf, drawn):
    """At 50 digits."""
    answers, weights, _, rates = drawn
    with mock.patch.object(decay_rows, "LEAF", leaf):
        got = decay_rows.sums(answers, weights, rates)
    error = decay_rows.relative_error(*answers.shape)
    with mpmath.workdps(50):
        for one, exact, weight in zip(got.tolist(), exact_sums(answers, weights, rates), weights):
            lost = 0 if weight else 1e-300  # what underflows is small beside a row's own weight
            assert abs(one - exact) <= error * exact + lost


MANY = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(sigma=2, size=shape),
    "evenly spread": lambda rng, shape: rng.random(shape),
    "clusters": lambda rng, shape: rng.normal(size=shape) * 1e-3 + rng.integers(0, 4, shape) * 50,
    "whole numbers": lambda rng, shape: rng.integers(0, 9, shape).astype(float),
    "one line": lambda rng, shape: np.outer(rng.random(shape[0]), np.ones(shape[1])),
    "a far offset": lambda rng, shape: 1e9 + rng.random(shape),
}


@pytest.mark.parametrize("coordinates", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", MANY)
def test_halving_gives_what_all_pairs_give(kind, coordinates):
    """For 700 rows, at rates from hardly any distance to hardly any neighbour."""
    rng = np.random.default_rng(coordinates)
    answers = np.unique(MANY[kind](rng, (700, coordinates)), axis=0)
    weights = rng.random(len(answers))
    error = 2 * decay_rows.relative_error(*answers.shape)
    for rates in (rng.random(coordinates) * power for power in (1e-2, 1.0, 1e2, 1e4)):
        got = decay_rows.sums(answers, weights, rates)
        gaps = sum(
            rate * np.abs(column[:, None] - column) for rate, column in zip(rates, answers.T)
        )
        np.testing.assert_allclose(got, np.exp(-gaps) @ weights, rtol=error)


@given(drawn=rows(max_size=40, most=1))
def test_one_answer_has_the_sums_of_the_line(drawn):
    """The sums in one coordinate are those of ``decay``."""
    answers, weights, _, rates = drawn
    line = decay.sums(answers[:, 0], weights, rates)[0]
    error = decay.relative_error(len(line)) + decay_rows.relative_error(len(line), 1)
    got = decay_rows.sums(answers, weights, rates)
    np.testing.assert_allclose(got, line, rtol=error, atol=1e-300)


@given(drawn=rows())
def test_the_largest_risk_is_the_largest_within_its_error(drawn):
    """And the row that is named has it, up to twice the error."""
    answers, weights, peaks, rates = drawn
    joint = JointRisk(answers, weights, peaks)
    got, row = joint.largest(rates)
    with mpmath.workdps(50):
        logs = [
            mpmath.log(mpmath.mpf(p) / total) if p else -mpmath.inf
            for p, total in zip(peaks, exact_sums(answers, weights, rates))
        ]
        assert abs(got - max(logs)) <= joint.log_error
        assert logs[row] >= max(logs) - 2 * joint.log_error


@given(drawn=rows(), factor=st.floats(1, 10), axis=st.integers(0, 3))
def test_no_risk_falls_with_any_rate(drawn, factor, axis):
    """Along a ray, and for one rate alone, up to the error."""
    answers, weights, peaks, rates = drawn
    joint = JointRisk(answers, weights, peaks)
    one = rates.copy()
    one[axis % len(rates)] *= factor
    before = joint.largest(rates)[0]
    for more in (one, rates * factor):
        assert joint.largest(more)[0] >= before - 2 * joint.log_error


@given(drawn=rows(max_size=30))
def test_one_row_has_its_distances(drawn):
    """From all rows, as in many digits."""
    answers, weights, _, rates = drawn
    joint = JointRisk(answers, weights, weights)
    row = int(weights.argmax())
    with mpmath.workdps(50):
        exact = [float(away(answers[row].tolist(), other, rates)) for other in answers.tolist()]
    np.testing.assert_allclose(joint.distances(row, rates), exact, rtol=joint.log_error)


@given(drawn=rows(max_size=30))
def test_no_two_rows_are_farther_apart_than_the_diameter(drawn):
    """Held against all pairs in fractions."""
    answers, _, _, rates = drawn
    got, first, second = diameter(answers, rates)
    if np.isinf(got):
        assert any(np.isinf(t) and np.ptp(f) for f, t in zip(answers.T, rates))
        assert any(np.isinf(rates[answers[first] != answers[second]]))
        return
    exact = [[Fraction(value) for value in row] for row in answers.tolist()]
    finite = [Fraction(rate) if math.isfinite(rate) else Fraction(0) for rate in rates]

    def distance(one, other):
        return sum(rate * abs(a - b) for rate, a, b in zip(finite, one, other))

    largest = max(distance(one, other) for one in exact for other in exact)
    slack = Fraction(8 * (len(rates) + 4) ** 2, 2**53)
    assert largest <= Fraction(got) <= largest * (1 + slack)
    assert distance(exact[first], exact[second]) >= largest * (1 - slack)
