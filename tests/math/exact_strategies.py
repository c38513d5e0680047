"""Small universes of every awkward kind, with what may be asked of them."""

from hypothesis import strategies as st

QUERIES = ["count", "sum", "mean", "median", "var", "std"]
QUERIES += [f"percentile_{p}" for p in ("0", "25", "37.5", "90")]

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
def offset_universes(draw, least=3, most=6):
    """Whole numbers within ten of each other, very far from zero."""
    offset = draw(st.sampled_from([10**6, 10**9, 10**12, -(10**15)]))
    steps = draw(st.lists(st.integers(0, 10), min_size=least, max_size=most))
    return [float(offset + step) for step in steps]


@st.composite
def questions(draw, adjacency, *, records=universes, **bounds):
    """A universe, the positions of a release in it, and a possible distance."""
    universe = draw(records(**bounds))
    records = len(universe)
    size = draw(st.integers(1, records - 1))
    release = sorted(draw(st.permutations(range(records)))[:size])
    outside = records - size
    farthest = min(size, outside) if adjacency == "bounded" else max(size - 1, outside)
    return universe, release, draw(st.integers(1, min(4, farthest)))
