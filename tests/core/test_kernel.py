"""The one sum, sum_j w_j exp(-|x_i - x_j|_1) over the rows of i's segment, within its error."""

import math

import numpy as np
import pytest
from definition import mp
from hypothesis import example, given
from hypothesis import strategies as st

from dpchoose.risk.kernel import rounding, sums

COORDINATES = [
    st.integers(0, 3).map(float),  # ties in one coordinate
    st.floats(-10, 10),
    st.sampled_from([0.0, 1e-3, 2e-3, 50.0, 50.001, 50.002]),  # clusters
    st.integers(0, 20).map(lambda quarters: 2.0**30 + quarters / 4),  # a far offset
    st.sampled_from([-1e100, -1e-100, 0.0, 1e-100, 1.0, 1e100, 700.0, 1e5, 1e9]),
]
SHARES = st.sampled_from([1.0, 2.0, 1000.0, 1e-9, 1e-100, 0.0])


@st.composite
def tables(draw, most=10):
    """Rows of one to four coordinates, one or several weights of each, and segments or none."""
    width, size = draw(st.integers(1, 4)), draw(st.integers(1, most))
    kinds = draw(st.lists(st.sampled_from(COORDINATES), min_size=width, max_size=width))
    rows = [draw(st.lists(kind, min_size=size, max_size=size)) for kind in kinds]
    weights = [draw(st.lists(SHARES, min_size=size, max_size=size)) for _ in range(2)]
    weights = np.array(weights).T if draw(st.booleans()) else np.array(weights[0])
    parts = st.lists(st.integers(0, 3), min_size=size, max_size=size)
    return np.array(rows).T, weights, draw(st.none() | parts.map(np.array))


def error(rows):
    """Of a sum, relative: the stated one, and a unit for every gap between two coordinates."""
    return rounding(*rows.shape) + np.ptp(rows, axis=0).sum() * 2.0**-53


@given(tables())
@example((np.zeros((4, 1)), np.array([1000.0, 1e-9, 1e-9, 3.0]), None))
def test_the_sum_is_the_definition_within_its_error(drawn):
    """All pairs of a segment, at 60 digits, in each column of weights."""
    rows, weights, segment = drawn
    got, columns = sums(rows, weights, segment), weights.reshape(len(rows), -1).T.tolist()
    assert got.shape == weights.shape
    exact = [list(map(mp.mpf, row)) for row in rows.tolist()]
    parts = [0] * len(rows) if segment is None else segment.tolist()
    for i, found in enumerate(got.reshape(len(rows), -1).tolist()):
        near = [
            mp.exp(-mp.fsum(map(abs, map(mp.fsub, exact[i], row)))) if part == parts[i] else 0
            for row, part in zip(exact, parts)
        ]
        for here, column in zip(found, columns):
            there = mp.fdot(near, column)  # what underflows is small beside a row's own weight
            assert abs(here - there) <= error(rows) * there + mp.mpf("1e-290")


MANY = {
    "lognormal": lambda rng, shape: rng.lognormal(sigma=2, size=shape),
    "clusters": lambda rng, shape: rng.normal(size=shape) * 1e-3 + rng.integers(0, 4, shape) * 50,
    "whole numbers": lambda rng, shape: rng.integers(0, 9, shape).astype(float),
    "one line": lambda rng, shape: np.outer(rng.random(shape[0]), np.ones(shape[1])),
    "a far offset": lambda rng, shape: 1e6 + rng.random(shape),
    "a far record": lambda rng, shape: (
        np.where(np.arange(shape[0])[:, None] == 3, 1e7, 0) + rng.random(shape)
    ),
}


@pytest.mark.parametrize("coordinates", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", MANY)
def test_many_rows_have_the_sums_of_all_pairs_in_any_order(kind, coordinates):
    """With two columns of weights and 1 to 300 segments, from no distance to no neighbour."""
    rng = np.random.default_rng(coordinates)
    rows, weights, order = MANY[kind](rng, (400, coordinates)), rng.random((400, 2)), np.arange(400)
    for power, segments in zip((1e-2, 1.0, 1e2, 1e4), (1, 3, 30, 300)):
        segment, scaled = rng.integers(0, segments, 400), rows * power * rng.random(coordinates)
        gaps = sum(np.abs(column[:, None] - column) for column in scaled.T)
        near = np.where(segment[:, None] == segment, np.exp(-gaps), 0)
        got = sums(scaled[order], weights[order], segment[order])
        np.testing.assert_allclose(got, (near @ weights)[order], rtol=error(scaled) + 1e-13)
        order = rng.permutation(400)


def test_rows_of_hardly_any_weight_do_not_vanish_far_from_the_others():
    """Half of them weigh 1e-283, and so do their sums."""
    rows = np.append(np.linspace(0, 500, 1500), np.linspace(2500, 3000, 1500))
    weights = np.where(rows < 1000, 1.0, 1e-280) / 1500
    got = sums(rows[:, None], weights, None)
    for place in (0, 1499, 1500, 1700, 2999):
        exact = math.fsum(np.exp(-np.abs(rows[place] - rows)) * weights)
        assert got[place] == pytest.approx(exact, rel=1e-11, abs=0)
