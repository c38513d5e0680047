"""What the property tests draw, and whether a sample looks like what it should come from."""

import math

import mpmath
import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.worlds.answers import TooFarApart

NAMED_QUERIES = ["count", "sum", "mean", "median", "std", "var"]
NAMED_QUERIES += [f"percentile_{p}" for p in ("0", "25", "33.3", "50", "90", "100")]


def midrange(values):
    """A query that is not named: half way between the extremes."""
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


QUERIES = [*NAMED_QUERIES, midrange]

few = st.integers(0, 3).map(float)
signed = st.integers(-9, 9).map(float)
quarters = st.integers(-40, 40).map(lambda quarters: quarters / 4)
clustered = st.builds(lambda c, d: c + d / 1024, st.sampled_from([0, 5, 100]), st.integers(-3, 3))
heavy = st.builds(lambda s, e: s * 2.0**e, st.sampled_from([-1, 1]), st.integers(-6, 12))
offset = st.integers(0, 20).map(lambda quarters: 2.0**30 + quarters / 4)


def rounded(digits, *, upto=50):
    """Decimals of so many digits, from 0."""
    return st.integers(0, upto * 10**digits).map(lambda whole: whole / 10**digits)


AWKWARD = {
    "whole": few,
    "tenths": st.integers(0, 6).map(lambda tenth: tenth / 10),
    "money": rounded(2, upto=100),
    "timestamps": st.one_of(rounded(1), rounded(3), rounded(6)).map(lambda s: 1.7e9 + s),
    "offsets": st.builds(
        lambda o, s: o + s, st.sampled_from([0, 1e6, 1e10, 1e15]), st.one_of(rounded(0), rounded(2))
    ),
    "sentinels": st.one_of(rounded(1), rounded(1), st.sampled_from([1e15, -1e15, 999999.0])),
    "fills": st.one_of(rounded(0, upto=30), rounded(1), st.sampled_from([1e20, 9.96921e36])),
    "neighbours": st.builds(
        lambda o, s: o + s * math.ulp(o), st.sampled_from([1.0, 0.1, 1e9]), st.integers(0, 8)
    ),
    "sizes": st.sampled_from([0.0, 1e-100, 3e-100, 1e-20, 1.0, 1.5, 1e20, 1e100, -1e100]),
}


@st.composite
def universes(draw, min_size=2, max_size=6):
    """Records with ties, negatives, clusters, heavy tails, one far outlier or a large offset."""
    kind = draw(st.sampled_from([few, signed, quarters, clustered, heavy, offset]))
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
def awkward_releases(draw, least=3, most=6, several=3, queries=NAMED_QUERIES):
    """A universe of one awkward kind, the size of a release, often all but one, and queries."""
    kind = AWKWARD[draw(st.sampled_from(list(AWKWARD)))]
    universe = draw(st.lists(kind, min_size=least, max_size=most))
    size = draw(st.sampled_from([len(universe) - 1, *range(1, len(universe))]))
    asked = st.lists(st.sampled_from(queries), min_size=1, max_size=several, unique=True)
    return universe, size, draw(asked)


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


def unless_far(call, *given, **more):
    """What a call gives; values that are too far apart are refused, and promise nothing."""
    try:
        return call(*given, **more)
    except TooFarApart:
        return assume(False)


def noise_of(question, goal):
    """What a question answers to a goal, such as {"risk": 0.1, "before": 0.05}."""
    (name, *_), kind = goal, "at" if {"epsilon", "scale"} & goal.keys() else "for"
    return getattr(question, f"{kind}_{name}")(*goal.values())


def worlds_of(answers, prior=None):
    """Worlds with given answers: one record is released, and its value is asked."""
    return dp.possible_worlds("mean", answers, 1, prior=prior)


def chi_square(observed, chances):
    """The p-value of Pearson's statistic; cells that expect fewer than 5 are pooled."""
    observed, chances = np.asarray(observed, dtype=float), np.asarray(chances, dtype=float)
    expected = observed.sum() * chances / chances.sum()
    rare = expected < 5
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = (len(expected) - 1) / 2
    return float(mpmath.gammainc(freedom, statistic / 2, mpmath.inf, regularized=True))


def binomial(n, chance):
    """The probabilities of 0 to n successes, by multiplying out the generating function."""
    chances = np.ones(1)
    for _ in range(n):
        chances = np.convolve(chances, [1 - chance, chance])
    return chances
