"""What the property tests draw: universes, releases, worlds and their priors."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

import dpchoose as dp

NAMED_QUERIES = [
    "count",
    "sum",
    "mean",
    "median",
    "std",
    "var",
    "percentile_0",
    "percentile_25",
    "percentile_50",
    "percentile_75",
    "percentile_90",
    "percentile_100",
]


def midrange(values):
    """A query that is not named: half way between the extremes."""
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


QUERIES = [*NAMED_QUERIES, midrange]
FAMILIES = {
    "sums": ["count", "sum", "mean"],
    "order statistics": ["median", *(name for name in NAMED_QUERIES if "_" in name)],
    "the rest": ["std", "var", midrange],
}
of_each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)

# Quarters add, square and interpolate without rounding, so that two answers
# are tied in floats exactly when they are tied on paper.
_quarters = st.integers(-40, 40).map(lambda quarters: quarters / 4)
_kinds = [
    st.integers(0, 2).map(float),  # ties
    st.integers(-9, 9).map(float),  # negatives
    _quarters,
    st.builds(
        lambda centre, near: centre + near / 4, st.sampled_from([-50, 100]), st.integers(0, 3)
    ),
    st.builds(lambda sign, power: sign * 2.0**power, st.sampled_from([-1, 1]), st.integers(-2, 12)),
    st.integers(0, 20).map(lambda quarters: 2.0**30 + quarters / 4),  # a large offset
]


@st.composite
def universes(draw, min_size=2, max_size=6):
    """Records with ties, negatives, clusters, heavy tails, one far outlier or a large offset."""
    kind = draw(st.sampled_from(_kinds))
    records = draw(st.lists(kind, min_size=min_size, max_size=max_size))
    if draw(st.booleans()) and max(map(abs, records)) < 2**20:
        records[draw(st.integers(0, len(records) - 1))] = draw(st.sampled_from([-1e5, 1e5]))
    return records


@st.composite
def universes_and_sizes(draw, min_size=2, max_size=6):
    """A universe and the number of its records that are released."""
    universe = draw(universes(min_size, max_size))
    return universe, draw(st.integers(1, len(universe) - 1))


@st.composite
def universes_and_releases(draw, min_size=2, max_size=6):
    """A universe and the positions of its records that are released."""
    universe, size = draw(universes_and_sizes(min_size, max_size))
    return universe, draw(st.permutations(range(len(universe))))[:size]


@st.composite
def priors(draw, size):
    """Uniform, general, with impossible worlds, or with almost impossible ones."""
    shares = st.sampled_from([0, 1, 2, 3, 7, 100, 0.1, 1e-9, 1e-280])
    parts = np.array(draw(st.lists(shares, min_size=size, max_size=size).filter(any)))
    return parts / parts.sum() if draw(st.booleans()) else None


@st.composite
def weighted_answers(draw, max_size=6, scales=(1e-90, 1e-9, 1.0, 1e6, 1e90)):
    """The answers of some worlds, their prior (or None) and a scale for the sensitivity."""
    scale = draw(st.sampled_from(scales))
    steps = st.one_of(st.integers(-20, 20), st.floats(-20, 20, width=16))
    answers = draw(st.lists(steps, min_size=2, max_size=max_size))
    return np.array(answers) * scale, draw(priors(len(answers))), scale


def worlds_of(answers, prior=None):
    """Worlds with given answers: one record is released, and its value is asked."""
    return dp.possible_worlds("mean", answers, 1, prior=prior)


def as_fractions(answers, prior):
    """The prior of each possible world, exact, by answer; the shares need not sum to 1."""
    shares = [1] * len(answers) if prior is None else prior
    return [(answer, Fraction(share)) for answer, share in zip(answers, shares) if share > 0]
