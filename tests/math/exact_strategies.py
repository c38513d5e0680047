"""Universes of every awkward kind, with what may be asked of them."""

import math

from hypothesis import strategies as st

QUERIES = ["count", "sum", "mean", "median", "var", "std"]
QUERIES += [f"percentile_{p}" for p in ("0", "25", "37.5", "90")]
PAIRS = 20_000  # that an example enumerates at most

few = st.integers(0, 3)
signed = st.integers(-20, 20)
clustered = st.builds(lambda c, d: c + d / 1024, st.sampled_from([0, 5, 100]), st.integers(-3, 3))
heavy = st.builds(lambda s, e: s * 2.0**e, st.sampled_from([-1, 1]), st.integers(-6, 12))
measured = st.integers(-(10**9), 10**9).map(lambda digits: digits / 10**7)


@st.composite
def universes(draw, least=2, most=8):
    """Ties, negatives, clusters, heavy tails, any floats; sometimes one far outlier."""
    records = draw(st.sampled_from([few, signed, clustered, heavy, measured]))
    values = draw(st.lists(records, min_size=least, max_size=most))
    if draw(st.booleans()):
        values[draw(st.integers(0, len(values) - 1))] = draw(st.sampled_from([-1000, 1000]))
    return [float(value) for value in values]


@st.composite
def long_universes(draw, least=8, most=16):
    """The same kinds mixed in one heavy-tailed universe, somewhere on the line."""
    offset = draw(st.sampled_from([0, 0, 1000, -(10**6)]))
    records = st.one_of(few, clustered, heavy, heavy)
    values = draw(st.lists(records, min_size=least, max_size=most))
    return [float(offset + value) for value in values]


@st.composite
def offset_universes(draw, least=3, most=6):
    """Whole numbers within ten of each other, very far from zero."""
    offset = draw(st.sampled_from([10**6, 10**9, 10**12, -(10**15)]))
    steps = draw(st.lists(st.integers(0, 10), min_size=least, max_size=most))
    return [float(offset + step) for step in steps]


def farthest(adjacency, records, size):
    """The largest distance that is possible."""
    outside = records - size
    return min(size, outside) if adjacency == "bounded" else max(size - 1, outside)


def pairs(adjacency, records, size, distance):
    """How many pairs of datasets an enumeration looks at."""
    if adjacency == "bounded":
        return math.comb(records, size - distance) * math.comb(records - size + distance, distance)
    both = [large for large in (size, size + distance) if distance < large <= records]
    return sum(math.comb(records, large) * math.comb(large, distance) for large in both)


@st.composite
def questions(draw, adjacency, *, records=universes, **bounds):
    """A universe, the size of a release of it, and a distance of at most 4."""
    universe = draw(records(**bounds))
    possible = [
        (size, distance)
        for size in range(1, len(universe))
        for distance in range(1, min(4, farthest(adjacency, len(universe), size)) + 1)
        if pairs(adjacency, len(universe), size, distance) <= PAIRS
    ]
    return universe, *draw(st.sampled_from(possible))


def rounded(digits, *, upto=50):
    """Decimals of so many digits, from 0."""
    return st.integers(0, upto * 10**digits).map(lambda whole: whole / 10**digits)


AWKWARD = {
    "timestamps": st.one_of(rounded(1), rounded(3), rounded(6)).map(lambda s: 1.7e9 + s),
    "offsets": st.builds(
        lambda o, s: o + s, st.sampled_from([0, 1e6, 1e8, 1e10]), st.one_of(rounded(0), rounded(2))
    ),
    "far": st.builds(
        lambda o, s: o + s, st.sampled_from([1e12, 1e15]), st.one_of(rounded(0, upto=9), rounded(2))
    ),
    "sentinels": st.one_of(rounded(1), rounded(1), st.sampled_from([1e15, -1e15, 999999.0])),
    "fills": st.one_of(rounded(0, upto=30), rounded(1), st.sampled_from([1e20, 9.96921e36])),
    "neighbours": st.builds(
        lambda o, s: o + s * math.ulp(o), st.sampled_from([1.0, 0.1, 1e9]), st.integers(0, 8)
    ),
    "tenths": st.integers(0, 6).map(lambda tenth: tenth / 10),
    "money": rounded(2, upto=100),
    "whole": st.integers(0, 6).map(float),
}
ASKED = ["count", "sum", "mean", "median", "var", "std"]
ASKED += ["percentile_25", "percentile_30", "percentile_33.3", "percentile_90"]
