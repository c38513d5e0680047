"""A sensitivity is the largest change of an answer, and its witness attains it."""

import copy
import itertools
import pickle
from collections import Counter
from fractions import Fraction

import definition
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import AWKWARD, NAMED_QUERIES, midrange
from strategies import universes_and_releases as drawn_releases
from strategies import universes_and_sizes as drawn_sizes

import dpchoose as dp
from dpchoose.queries import evaluate
from dpchoose.sensitivity import variance
from dpchoose.sensitivity.global_local import ADJACENCIES, find, spread

ABSENCE_DAYS, HAND_TABLE = [1, 2, 3, 10], [1, 2, 3, 10, 11]
SPREADING = ["var", "std"]
ULPS = 8 * 2.0**-52

with_each_query = pytest.mark.parametrize("query", NAMED_QUERIES)


def steps(size, records):
    """Every adjacency with every distance that is possible."""
    left = records - size
    most = {"added": left, "removed": size - 1}
    most |= {"unbounded": max(most.values()), "bounded": min(size, left)}
    all_steps = [{"adjacency": kind, "distance": k + 1} for kind in most for k in range(most[kind])]
    return st.sampled_from(all_steps)


def largest(query, universe, size, adjacency="unbounded", distance=1, release=None):
    """The sensitivity from a release, or from all of a size, by definition."""
    releases = [release] if release else itertools.combinations(range(len(universe)), size)
    return float(definition.sensitivity(query, universe, releases, adjacency, distance))


def float_error(query, universe):
    """What the evaluation in floats may lose."""
    return 1e-12 * max(1, *map(abs, universe)) ** (2 if query == "var" else 1)


def assert_witnessed(result, query, universe, size, adjacency, distance):
    """The two datasets can be drawn from the universe as such neighbours, and are as far apart."""
    pair = [result.dataset.tolist(), result.neighbour.tolist()]
    dataset, neighbour, records = map(Counter, [*pair, universe])
    assert dataset <= records
    assert neighbour <= records
    assert pair == [sorted(values) for values in pair]
    assert dataset.total() == size
    more = {"bounded": [0], "added": [distance], "removed": [-distance]}
    assert neighbour.total() - size in more.get(adjacency, [-distance, distance])
    shared = size - distance if adjacency == "bounded" else min(size, neighbour.total())
    assert (dataset & neighbour).total() >= shared
    answers = [definition.answer(query, [*map(Fraction, values)]) for values in pair]
    change = float(abs(answers[0] - answers[1]))
    assert change == pytest.approx(result.value, rel=1e-9, abs=1e-9)


@with_each_query
@given(drawn=drawn_sizes(max_size=5), data=st.data())
def test_global_sensitivity_is_its_definition(query, drawn, data):
    """The largest difference over all pairs, which the witness attains; for a callable as well."""
    universe, size = drawn
    step = data.draw(steps(size, len(universe)))
    result = dp.global_sensitivity(query, universe, size, **step)
    expected = largest(query, universe, size, **step)
    assert result.value == pytest.approx(expected, rel=1e-12, abs=0)
    assert_witnessed(result, query, universe, size, **step)
    listed = dp.global_sensitivity(lambda values: evaluate(query, values), universe, size, **step)
    assert listed.value == pytest.approx(expected, rel=1e-9, abs=float_error(query, universe))


@with_each_query
@given(drawn=drawn_releases(max_size=5), data=st.data())
def test_local_sensitivity_is_its_definition(query, drawn, data):
    """At distance 1 with no list, and within a few ulp; beyond it, and for a callable, listed."""
    universe, release = drawn
    step = data.draw(steps(len(release), len(universe)))
    limit = {"max_worlds": 1} if step["distance"] == 1 else {}
    result = dp.local_sensitivity(query, universe, release, **step, **limit)
    expected = largest(query, universe, len(release), **step, release=release)
    rounding = float_error(query, universe)
    exact = {"rel": ULPS, "abs": 0} if limit else {"rel": 1e-12, "abs": rounding * (query == "sum")}
    assert result.value == pytest.approx(expected, **exact)
    assert result.dataset.tolist() == sorted(universe[i] for i in release)
    assert_witnessed(result, query, universe, len(release), **step)
    listed = dp.local_sensitivity(lambda values: evaluate(query, values), universe, release, **step)
    assert listed.value == pytest.approx(expected, rel=1e-9, abs=rounding)


@with_each_query
@given(drawn=drawn_sizes(), factor=st.sampled_from([2.0**-300, 1.0, 2.0**300]))
def test_the_spread_is_that_of_all_answers_in_any_unit_and_needs_no_list(query, drawn, factor):
    universe, size = drawn
    _, rows = definition.worlds([query], universe, size)
    widest = float(max(rows)[0] - min(rows)[0])
    values = np.array(universe) * factor
    result = spread(query, values, size, max_worlds=1) / factor ** (query != "count")
    assert result / factor ** (query == "var") == pytest.approx(widest, rel=ULPS, abs=0)
    most = {"adjacency": "bounded", "distance": min(size, len(universe) - size)}
    assert dp.global_sensitivity(query, values, size, **most) == spread(query, values, size)
    listed = spread(lambda rows: evaluate(query, rows), np.array(universe), size)
    assert listed == pytest.approx(widest, rel=1e-9, abs=float_error(query, universe))


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
    result = dp.global_sensitivity(query, universe, size, **step).value
    expected = largest(query, universe, size, **step)
    assert result == pytest.approx(expected, rel=ULPS, abs=0)
    step["distance"] = 1
    assume(step["adjacency"] != "removed" or size > 1)
    assume(step["adjacency"] != "added" or size < len(universe))
    release = data.draw(st.permutations(range(len(universe))))[:size]
    result = dp.local_sensitivity(query, universe, release, **step).value
    expected = largest(query, universe, size, **step, release=release)
    assert result == pytest.approx(expected, rel=ULPS, abs=0)


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


def moves_of_all(values, size, release=None):
    """By adjacency, the largest moves of var and std by one record, of a release or all sets."""
    records = len(values)
    masks, bits = np.arange(2**records), 1 << np.arange(records)
    inside = (masks[:, None] & bits > 0).astype(int)
    count, p, q = inside.sum(axis=1), inside @ values, inside @ (values * values)
    variances = (count * q - p * p) / np.maximum(count, 1) ** 2
    answers = np.stack([variances, np.sqrt(variances)])
    swaps = (bits[:, None] | bits).ravel()
    kinds = {"added": (1, bits), "removed": (-1, bits), "bounded": (0, swaps)}
    for adjacency, (more, flips) in kinds.items():
        sets = masks[count == size] if release is None else bits[release].sum(keepdims=True)
        datasets, flips = np.broadcast_arrays(sets[:, None], flips)
        neighbours = datasets ^ flips
        near = (count[neighbours] == size + more) & (count[neighbours] > 0)
        if near.any():
            gaps = np.abs(answers[:, datasets] - answers[:, neighbours])[:, near]
            yield from zip([adjacency] * 2, SPREADING, gaps.max(axis=1).tolist())


@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("block", [4, variance.BLOCK])
@given(seed=st.integers(0, 2**32))
def test_var_and_std_move_as_far_by_one_record_as_over_all_sets(block, offset, seed):
    rng = np.random.default_rng(seed)
    values = some_universe(rng)
    size = int(rng.integers(1, len(values)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variance, "BLOCK", block)
        for adjacency, query, expected in moves_of_all(values, size):
            result = find(query, values + offset, size, adjacency=adjacency).value
            assert result == pytest.approx(expected, rel=1e-12)
    release = rng.permutation(len(values))[:size]
    for adjacency, query, expected in moves_of_all(values, size, release):
        result = dp.local_sensitivity(query, values + offset, release, adjacency=adjacency)
        rounding = 1e-12 * int(np.abs(values).max()) ** (2 if query == "var" else 1)
        assert result.value == pytest.approx(expected, rel=1e-12, abs=rounding)


@pytest.mark.parametrize("kind", [kind for kind in AWKWARD if kind != "sizes"])
@given(data=st.data())
def test_floats_rule_out_no_pair_that_may_be_the_farthest(kind, data):
    """Whatever the records are, no pair's answers lie farther apart than floats say they can."""
    few = data.draw(st.lists(AWKWARD[kind], min_size=3, max_size=9))
    universe = np.sort(data.draw(st.sampled_from([few, few * 40])))
    records, size = variance._Records(universe), data.draw(st.integers(2, len(universe) - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variance, "_best", lambda query, u, families: families)
        families = variance.add_remove_pair("var", universe, [size - 1, size])
        families += variance.replace_pair("var", universe, size, 1)
    for length, starts, places in families:
        rounded, exact = (
            variance._moved(of, length, np.array(starts), places)[:2]
            for of in (records.rounded, records)
        )
        for query in SPREADING:
            most = records.rounded.at_most(query, *rounded)
            assert (most >= records.changes(query, *exact)).all()


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
    result = dp.global_sensitivity(query, universe, size, adjacency=adjacency)
    moves = {(kind, name): change for kind, name, change in moves_of_all(np.array(universe), size)}
    kinds = ["added", "removed"] if adjacency == "unbounded" else [adjacency]
    assert result.value == pytest.approx(max(moves.get((kind, query), 0) for kind in kinds))
    assert_witnessed(result, query, universe, size, adjacency, 1)


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
    assert dp.global_sensitivity("mean", [0.1, 0.2, 0.7], 2, adjacency="bounded") == 0.3
    fewer = {"adjacency": "bounded", "distance": 2}  # one change moves it, but not both
    assert dp.local_sensitivity("var", [0, 1, 9, 10], [0, 1], **fewer).value == 24.75


def test_a_local_sensitivity_is_exact_where_floats_swallow_a_record():
    assert dp.local_sensitivity("sum", [1e100, 3], [0]).value == 3
    universe = [1e100, -1e100, 3, 9]
    assert dp.local_sensitivity("mean", universe, [0, 1, 2], adjacency="added").value == 2


def test_a_sensitivity_is_a_number_which_its_two_datasets_go_with():
    """In sums, arrays and prints; also of a copy, and from another process."""
    result = dp.global_sensitivity("mean", ABSENCE_DAYS, 3)
    assert (str(result), type(result.value), type(2 * result)) == (str(17 / 6), float, float)
    assert (np.array([result, 1]) == [17 / 6, 1]).all()
    assert dp.Laplace(epsilon=2, sensitivity=result).scale == 17 / 12
    for same in (result, copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert same == result.value == 17 / 6
        assert (same.dataset.tolist(), same.neighbour.tolist()) == ([1, 2, 10], [1, 2])


def test_released_are_positions_and_not_values():
    assert dp.local_sensitivity("median", ABSENCE_DAYS, [0, 1, 2]) == 0.5  # of 1, 2 and 3
    assert dp.local_sensitivity("median", ABSENCE_DAYS, [1, 2, 3]) == 3.5  # of 2, 3 and 10


def test_many_records_need_no_list():
    universe = np.random.default_rng(0).standard_cauchy(5_001)
    for query, adjacency in itertools.product(NAMED_QUERIES, ADJACENCIES):
        k = 1 if query in SPREADING else 3
        kind = {"adjacency": adjacency, "max_worlds": 1}
        for result in (
            dp.global_sensitivity(query, universe, 2_000, **kind, distance=k),
            dp.local_sensitivity(query, universe, range(1, 4_001, 2), **kind),
        ):
            answers = [evaluate(query, pair) for pair in (result.dataset, result.neighbour)]
            assert abs(answers[0] - answers[1]) == pytest.approx(result.value, rel=1e-9)


@pytest.mark.parametrize(
    ("adjacency", "size", "distance", "rule"),
    [
        ("removed", 1, 1, "adjacency 'removed' must leave a record, got a release of 1"),
        ("removed", 3, 3, r"distance must be in \[1, 2\], got 3"),
        ("added", 3, 2, r"distance must be in \[1, 1\], got 2"),
        ("unbounded", 3, 3, r"distance must be in \[1, 2\], got 3"),
        ("bounded", 3, 2, r"distance must be in \[1, 1\], got 2"),
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
    with pytest.raises(dp.TooManyDatasets, match=r"^max_worlds is 10,000,000 but this sensitivity"):
        dp.global_sensitivity(query, range(60), 30, **kind)
    with pytest.raises(dp.TooManyDatasets, match=r"^max_worlds is 9 but this sensitivity"):
        dp.local_sensitivity(query, range(60), range(30), **kind, max_worlds=9)


@pytest.mark.parametrize(
    ("query", "distance", "faster"),
    [(midrange, 1, "a query by name, or fewer than 5"), ("var", 2, "distance 1, or fewer than 4")],
)
def test_a_long_list_says_what_would_be_faster(query, distance, faster, monkeypatch):
    advice = []

    def remember(_, __, steps, faster):
        advice.append(faster)
        return steps

    monkeypatch.setattr("dpchoose.progress.bar", remember)
    dp.local_sensitivity(query, HAND_TABLE, [0, 1, 2], distance=distance)
    assert advice == [f"{faster} datasets,"]
