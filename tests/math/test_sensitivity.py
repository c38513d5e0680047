"""A sensitivity is the largest change of an answer, and its witness attains it."""

import itertools
from collections import Counter
from fractions import Fraction

import definition
import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import AWKWARD, NAMED_QUERIES, midrange
from strategies import universes_and_releases as drawn_releases
from strategies import universes_and_sizes as drawn_sizes

import dpchoose as dp
from dpchoose.data.queries import evaluate
from dpchoose.sensitivity import ADJACENCIES, find, spread
from dpchoose.worlds import subsets

ABSENCE_DAYS, HAND_TABLE = [1, 2, 3, 10], [1, 2, 3, 10, 11]
SPREADING = ["var", "std"]
ULPS = 8 * 2.0**-52

every_query = pytest.mark.parametrize("query", NAMED_QUERIES)


def steps(size, records):
    """Every adjacency with every distance that is possible."""
    left = records - size
    most = {"added": left, "removed": size - 1}
    most |= {"unbounded": max(most.values()), "bounded": min(size, left)}
    pairs = [{"adjacency": kind, "distance": k + 1} for kind in most for k in range(most[kind])]
    return st.sampled_from(pairs)


def largest(query, universe, size, adjacency="unbounded", distance=1, release=None):
    """The sensitivity from a release, or from all of a size, by definition."""
    every = itertools.combinations(range(len(universe)), size)
    releases = [release] if release else list(every)
    return float(definition.sensitivity(query, universe, releases, adjacency, distance))


def lost(query, universe):
    """What the evaluation in floats may lose."""
    return 1e-12 * max(1, *map(abs, universe)) ** (2 if query == "var" else 1)


def assert_witnessed(found, query, universe, size, adjacency, distance):
    """The two datasets can be drawn from the universe as such neighbours, and are as far apart."""
    pair = [found.dataset.tolist(), found.neighbour.tolist()]
    one, other, whole = map(Counter, [*pair, universe])
    assert one <= whole
    assert other <= whole
    assert pair == [sorted(part) for part in pair]
    assert one.total() == size
    more = {"bounded": [0], "added": [distance], "removed": [-distance]}
    assert other.total() - size in more.get(adjacency, [-distance, distance])
    shared = size - distance if adjacency == "bounded" else min(size, other.total())
    assert (one & other).total() >= shared
    answers = [definition.answer(query, [*map(Fraction, part)]) for part in pair]
    assert float(abs(answers[0] - answers[1])) == pytest.approx(found.value, rel=1e-9, abs=1e-9)


@every_query
@given(drawn=drawn_sizes(max_size=5), data=st.data())
def test_global_sensitivity_is_its_definition(query, drawn, data):
    """The largest difference over all pairs, which the witness attains; for a callable as well."""
    universe, size = drawn
    step = data.draw(steps(size, len(universe)))
    found = dp.global_sensitivity(query, universe, size, **step)
    expected = largest(query, universe, size, **step)
    assert found.value == pytest.approx(expected, rel=1e-12, abs=0)
    assert_witnessed(found, query, universe, size, **step)
    called = dp.global_sensitivity(lambda part: evaluate(query, part), universe, size, **step)
    assert called.value == pytest.approx(expected, rel=1e-9, abs=lost(query, universe))


@every_query
@given(drawn=drawn_releases(max_size=5), data=st.data())
def test_local_sensitivity_is_its_definition(query, drawn, data):
    universe, release = drawn
    step = data.draw(steps(len(release), len(universe)))
    found = dp.local_sensitivity(query, universe, release, **step)
    expected = largest(query, universe, len(release), **step, release=release)
    rounding = lost(query, universe) * (query == "sum")  # all others count from a record
    assert found.value == pytest.approx(expected, rel=1e-12, abs=rounding)
    assert found.dataset.tolist() == sorted(universe[i] for i in release)
    assert_witnessed(found, query, universe, len(release), **step)


@every_query
@given(drawn=drawn_sizes(), factor=st.sampled_from([2.0**-300, 1.0, 2.0**300]))
def test_the_spread_is_that_of_all_answers_in_any_unit_and_needs_no_list(query, drawn, factor):
    universe, size = drawn
    _, rows = definition.worlds([query], universe, size)
    widest = float(max(rows)[0] - min(rows)[0])
    values = np.array(universe) * factor
    found = spread(query, values, size, max_worlds=1) / factor ** (query != "count")
    assert found / factor ** (query == "var") == pytest.approx(widest, rel=ULPS, abs=0)
    far = dp.global_sensitivity(query, values, size, adjacency="bounded", distance=99)
    assert far.value == spread(query, values, size)
    listed = spread(lambda part: evaluate(query, part), np.array(universe), size)
    assert listed == pytest.approx(widest, rel=1e-9, abs=lost(query, universe))


@pytest.mark.parametrize("kind", [kind for kind in AWKWARD if kind != "sizes"])
@given(data=st.data())
def test_no_digit_is_lost_on_awkward_records(kind, data):
    """Far from zero, an ulp apart, with codes for missing values: within a few ulp."""
    query = data.draw(st.sampled_from(NAMED_QUERIES))
    universe = data.draw(st.lists(AWKWARD[kind], min_size=3, max_size=5))
    size = data.draw(st.integers(1, len(universe) - 1))
    step = data.draw(steps(size, len(universe)))
    if query in SPREADING and step["distance"] > 1:
        step = {"adjacency": "added"}
    found = dp.global_sensitivity(query, universe, size, **step).value
    expected = largest(query, universe, size, **step)
    assert found == pytest.approx(expected, rel=ULPS, abs=0)


def some_universe(rng):
    """Whole numbers with ties, in clusters, with heavy tails, or one far away."""
    records = int(rng.integers(3, 10))
    kinds = [
        lambda: rng.integers(0, 4, records),
        lambda: rng.integers(-20, 21, records),
        lambda: rng.choice([0, 100], records) + rng.integers(-3, 4, records),
        lambda: np.round(rng.lognormal(0, 2, records) * rng.choice([1, 10])).astype(int),
        lambda: rng.choice([-1, 1], records) * 2 ** rng.integers(0, 13, records),
    ]
    values = kinds[int(rng.integers(len(kinds)))]()
    values[0] = rng.choice([values[0], values[0], values[0], -1000, 1000])
    return values


def moves_of_all(values, size):
    """By adjacency, the largest moves of var and std by one record, over all sets of a size."""
    records = len(values)
    masks, bits = np.arange(2**records), 1 << np.arange(records)
    inside = (masks[:, None] & bits > 0).astype(int)
    count, p, q = inside.sum(axis=1), inside @ values, inside @ (values * values)
    variances = (count * q - p * p) / np.maximum(count, 1) ** 2
    answers = np.stack([variances, np.sqrt(variances)])
    swaps = (bits[:, None] | bits).ravel()
    kinds = {"added": (1, bits), "removed": (-1, bits), "bounded": (0, swaps)}
    for adjacency, (more, flips) in kinds.items():
        ones, others = np.broadcast_arrays(masks[count == size][:, None], flips)
        others = ones ^ others
        near = (count[others] == size + more) & (count[others] > 0)
        if near.any():
            gaps = np.abs(answers[:, ones] - answers[:, others])[:, near]
            yield from zip([adjacency] * 2, SPREADING, gaps.max(axis=1).tolist())


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_one_record_moves_var_and_std_as_far_as_is_found(offset, monkeypatch):
    monkeypatch.setattr("dpchoose.sensitivity.variance.BLOCK", 4)
    rng = np.random.default_rng(int(offset))
    for _ in range(250):
        values = some_universe(rng)
        size = int(rng.integers(1, len(values)))
        for adjacency, query, expected in moves_of_all(values, size):
            found = find(query, values + offset, size, adjacency=adjacency).value
            assert found == pytest.approx(expected, rel=1e-12), (values, size, adjacency, query)


@pytest.mark.parametrize(
    ("query", "adjacency", "size", "universe"),
    [
        ("var", "unbounded", 2, [0, 1, 9, 10]),  # the larger set has the larger answer
        ("var", "added", 8, [-1] * 5 + [0] + [1] * 5),  # the smaller set has: 0 comes to it
        ("std", "unbounded", 4, [0, 0, 5, 10, 10]),
        ("std", "bounded", 4, [-13, -6, -4, 6, 9, 11]),
    ],
)
def test_each_kind_of_pair_is_the_farthest_in_some_universe(query, adjacency, size, universe):
    found = dp.global_sensitivity(query, universe, size, adjacency=adjacency)
    known = {(one, name): change for one, name, change in moves_of_all(np.array(universe), size)}
    kinds = ["added", "removed"] if adjacency == "unbounded" else [adjacency]
    assert found.value == pytest.approx(max(known.get((kind, query), 0) for kind in kinds))
    assert_witnessed(found, query, universe, size, adjacency, 1)


@pytest.mark.parametrize(
    ("percentile", "values", "size", "value"),
    [  # a rank in one float would lose up to half of the digits
        ("99.9", [9, 1, 4, 9, 8, 2, 0], 6, 0.005),
        ("99.99", np.repeat([0, 1], [999_901, 100]), 1_000_000, 1e-4),
        ("99.9", np.repeat([0, 1], [999_001, 1000]), 999_999, 0.002),
    ],
)
def test_a_percentile_keeps_rank_and_fraction_apart(percentile, values, size, value):
    query = f"percentile_{percentile}"
    assert dp.global_sensitivity(query, values, size, adjacency="bounded").value == value


def test_decimals_as_they_are_written_and_two_changes_of_which_one_counts():
    found = dp.global_sensitivity("mean", [0.1, 0.2, 0.7], 2, adjacency="bounded")
    assert float(found) == found.value == 0.3
    fewer = {"adjacency": "bounded", "distance": 2}  # one change moves it, but not both
    assert dp.local_sensitivity("var", [0, 1, 9, 10], [0, 1], **fewer).value == 24.75


def test_many_records_need_no_list():
    universe = np.random.default_rng(0).standard_cauchy(5_001)
    for query, adjacency in itertools.product(NAMED_QUERIES, ADJACENCIES):
        k = 1 if query in SPREADING else 3
        kind = {"adjacency": adjacency, "distance": k, "max_worlds": 1}
        found = dp.global_sensitivity(query, universe, 2_000, **kind)
        one, other = (evaluate(query, pair) for pair in (found.dataset, found.neighbour))
        assert abs(one - other) == pytest.approx(found.value, rel=1e-9)


@pytest.mark.parametrize(
    ("adjacency", "size", "distance", "rule"),
    [
        ("removed", 1, 1, "adjacency 'removed' must leave a record, got a release of 1"),
        ("removed", 3, 3, r"distance must be in \[1, 2\], got 3"),
        ("added", 3, 2, r"distance must be in \[1, 1\], got 2"),
        ("unbounded", 3, 3, r"distance must be in \[1, 2\], got 3"),
        ("bounded", 3, 0, "distance must be at least 1, got 0"),
        ("changed", 3, 1, "adjacency must be one of 'unbounded', 'bounded', 'added', 'removed', "),
    ],
)
def test_what_has_no_neighbour_is_refused_in_one_line(adjacency, size, distance, rule):
    kind = {"adjacency": adjacency, "distance": distance}
    for look, released in ((dp.global_sensitivity, size), (dp.local_sensitivity, range(size))):
        with pytest.raises(ValueError, match=f"^{rule}"):
            look("mean", ABSENCE_DAYS, released, **kind)


@pytest.mark.parametrize(("query", "distance"), [("var", 2), ("std", 2), (midrange, 1)])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_what_needs_too_long_a_list_is_refused_before_it_begins(query, distance, adjacency):
    kind = {"adjacency": adjacency, "distance": distance}
    with pytest.raises(subsets.TooManyWorlds, match=r"^max_worlds is 10,000,000 but this sensi"):
        dp.global_sensitivity(query, range(60), 30, **kind)
    with pytest.raises(subsets.TooManyWorlds, match=r"^max_worlds is 9 but this sensitivity"):
        dp.local_sensitivity(query, range(60), range(30), **kind, max_worlds=9)


def test_a_long_list_says_beforehand_how_long_it_takes(monkeypatch):
    said = []
    monkeypatch.setattr(subsets, "LONG", 0)
    monkeypatch.setattr("dpchoose.progress.announce", lambda *what: said.append(what))
    with joblib.parallel_config(backend="sequential"):
        dp.global_sensitivity(midrange, HAND_TABLE, 3)
    [(seconds, faster)] = said
    assert 0 < seconds < 10
    assert faster == "a query by name, or fewer than 50 datasets,"
