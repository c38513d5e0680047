"""The exact sensitivities against the enumeration, their witnesses and their laws."""

import itertools
import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from exact_strategies import QUERIES, long_universes, offset_universes, questions, universes
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.data.queries import evaluate
from dpchoose.sensitivity import by_distance, enumeration
from dpchoose.sensitivity.runs import SortedUniverse
from dpchoose.sensitivity.search import row_minima

ADJACENCIES = ["unbounded", "bounded"]
EVERYTHING = 10**9

every_query = pytest.mark.parametrize("query", QUERIES)
every_adjacency = pytest.mark.parametrize("adjacency", ADJACENCIES)


def define(query, universe, size, adjacency, distance):
    looks = {
        "unbounded": enumeration.global_unbounded,
        "bounded": enumeration.global_bounded,
    }
    return looks[adjacency](query, np.array(universe), size, distance, max_worlds=EVERYTHING)[0]


def close(query, universe, expected):
    """Equal to 1e-9, or to the rounding of answers as large as these records."""
    largest = max(map(abs, universe))
    return pytest.approx(expected, rel=1e-9, abs=1e-13 * largest ** (2 if query == "var" else 1))


def assert_largest_and_attained(query, universe, size, adjacency, distance):
    """No pair of neighbours is farther apart, and the witness is one that is as far."""
    found = dp.global_sensitivity(query, universe, size, adjacency=adjacency, distance=distance)
    expected = define(query, universe, size, adjacency, distance)
    assert found.value == close(query, universe, expected)
    dataset, neighbour = Counter(found.dataset.tolist()), Counter(found.neighbour.tolist())
    assert dataset <= Counter(universe)
    assert neighbour <= Counter(universe)
    assert dataset.total() == size
    if adjacency == "bounded":
        assert neighbour.total() == size
        assert (dataset & neighbour).total() >= size - distance
    else:
        assert dataset <= neighbour or neighbour <= dataset
        assert abs(neighbour.total() - size) == distance
    one, other = (float(evaluate(query, pair)) for pair in (found.dataset, found.neighbour))
    assert abs(one - other) == close(query, universe, found.value)


@every_query
@every_adjacency
@given(data=st.data())
def test_it_is_the_largest_change_between_neighbours_and_a_pair_attains_it(query, adjacency, data):
    universe, size, distance = data.draw(questions(adjacency))
    assert_largest_and_attained(query, universe, size, adjacency, distance)


@every_query
@every_adjacency
@given(data=st.data())
def test_so_it_is_among_8_to_16_heavy_tailed_records(query, adjacency, data):
    universe, size, distance = data.draw(questions(adjacency, records=long_universes))
    assert_largest_and_attained(query, universe, size, adjacency, distance)


@pytest.mark.parametrize(
    ("query", "adjacency", "size", "distance", "universe"),
    [
        # the larger set has the smaller variance, and its outer part is split next to the peak
        ("var", "unbounded", 5, 3, [6, 7, 9, 12, 12, 19]),
        ("var", "unbounded", 2, 3, [-256, -8, -2, -1, 16, 256]),
        ("std", "unbounded", 2, 7, [0, 10, 10, 10, 10, 11, 12, 12, 15, 18]),
        ("std", "unbounded", 2, 11, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 16]),
        # the bound on what a window in the larger set may gain is nearly reached
        ("var", "unbounded", 5, 3, [-13, -9, -7, -4, -1, -1, 2, 5, 9]),
        # the records that go lie to the right of the shared ones, or to the left
        ("var", "bounded", 5, 4, [0, 1, 2, 10, 11, 12, 12, 100, 101, 101, 102]),
        ("var", "bounded", 5, 4, [-102, -101, -101, -100, -12, -12, -11, -10, -2, -1, 0]),
        ("var", "bounded", 4, 2, [-25, -21, -11, -7, 8, 10, 191]),
        ("std", "bounded", 6, 3, [2, 5, 6, 7, 9, 9, 10, 10, 10, 11]),
        # they lie between the shared ones
        ("var", "bounded", 4, 1, [1, 4, 8, 9, 15, 16]),
        ("std", "bounded", 4, 1, [-13, -6, -4, 6, 9, 11]),
        # and the bound on such a window is nearly reached
        ("std", "bounded", 7, 1, [-13, -5, 0, 3, 3, 4, 4, 6, 9]),
        ("std", "bounded", 6, 4, [4, 5, 8, 10, 13, 14, 15, 17, 19, 23, 23, 27]),
    ],
)
def test_each_kind_of_pair_is_the_farthest_in_some_universe(
    query, adjacency, size, distance, universe
):
    assert_largest_and_attained(query, universe, size, adjacency, distance)


def exactly(query, values):
    """The answer as a fraction; of std, the square."""
    values = sorted(map(Fraction, values))
    size = len(values)
    if query in ("count", "sum"):
        return Fraction(size) if query == "count" else sum(values)
    mean = sum(values) / size
    if query == "mean":
        return mean
    if query in ("var", "std"):
        return sum((value - mean) ** 2 for value in values) / size
    rank = Fraction("50" if query == "median" else query.removeprefix("percentile_"))
    place = (size - 1) * rank / 100
    low, after = math.floor(place), place % 1
    return values[low] + (after * (values[low + 1] - values[low]) if after else 0)


def difference(query, one, other):
    one, other = exactly(query, one), exactly(query, other)
    if query != "std":
        return abs(one - other)
    with localcontext(prec=60):
        roots = [(Decimal(v.numerator) / v.denominator).sqrt() for v in (one, other)]
        return abs(Fraction(roots[0]) - Fraction(roots[1]))


@every_query
@every_adjacency
@given(data=st.data())
def test_no_digit_is_lost_far_from_zero(query, adjacency, data):
    universe, size, distance = data.draw(questions(adjacency, records=offset_universes))
    positions = range(len(universe))
    worlds = [set(world) for world in itertools.combinations(positions, size)]
    if adjacency == "bounded":
        pairs = [(a, b) for a in worlds for b in worlds if len(a - b) <= distance]
    else:
        others = [
            set(other)
            for length in (size - distance, size + distance)
            if length > 0
            for other in itertools.combinations(positions, length)
        ]
        pairs = [(a, b) for a in worlds for b in others if a <= b or b <= a]
    values = {
        (tuple(sorted(universe[i] for i in a)), tuple(sorted(universe[i] for i in b)))
        for a, b in pairs
    }
    expected = float(max(difference(query, a, b) for a, b in values))
    found = dp.global_sensitivity(query, universe, size, adjacency=adjacency, distance=distance)
    assert found.value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@every_query
@given(universe=universes(), data=st.data())
def test_the_sensitivity_by_distance_never_falls_and_ends_at_the_spread(query, universe, data):
    size = data.draw(st.integers(1, len(universe) - 1))
    found = by_distance(query, np.array(universe), size)
    assert (np.diff(found) >= 0).all()
    single = [
        dp.global_sensitivity(query, universe, size, adjacency="bounded", distance=k + 1).value
        for k in range(len(found))
    ]
    assert found == close(query, universe, np.array(single))
    answers = dp.world_answers(query, universe, size)
    assert found[-1] == close(query, universe, np.ptp(answers))


@pytest.mark.parametrize("query", ["var", "std"])
def test_beyond_64_distances_every_number_is_that_of_a_distance_at_least_as_large(query):
    universe, size = np.random.default_rng(1).normal(size=150), 75
    found = by_distance(query, universe, size)
    single = [
        dp.global_sensitivity(query, universe, size, adjacency="bounded", distance=k).value
        for k in range(1, size + 1)
    ]
    assert (np.diff(found) >= 0).all()
    assert all(np.isclose(single[k:], found[k], rtol=1e-12, atol=0).any() for k in range(size))
    exact = np.isclose(found, single, rtol=1e-12, atol=0)
    assert exact[[0, 1, 2, -1]].all()
    assert exact.sum() >= 40


def test_a_callable_has_its_sensitivity_by_distance_enumerated():
    universe = np.array([1.0, 2, 3, 10, 11])
    for query in ("sum", "var"):
        asked = by_distance(lambda values, query=query: evaluate(query, values), universe, 3)
        assert asked == pytest.approx(by_distance(query, universe, 3))


@pytest.mark.parametrize(
    ("query", "universe", "size", "adjacency", "distance", "value"),
    [
        ("mean", [1, 2, 3, 10], 3, "unbounded", 1, 17 / 6),
        ("mean", [1, 2, 3, 4], 3, "unbounded", 1, 5 / 6),
        ("median", [1, 2, 3, 10], 3, "unbounded", 1, 4),
        ("median", [1, 2, 3, 10, 11], 3, "unbounded", 1, 4.5),
        ("median", [1, 2, 3, 10, 11], 3, "bounded", 1, 8),
        ("var", [0, 1, 9, 10], 2, "bounded", 1, 24.75),
        ("count", [5, 5, 5], 1, "unbounded", 2, 2),
        ("count", [5, 6, 7], 1, "bounded", 1, 0),
    ],
)
def test_values_known_by_hand(query, universe, size, adjacency, distance, value):
    found = dp.global_sensitivity(query, universe, size, adjacency=adjacency, distance=distance)
    assert found.value == value


def test_the_kept_records_may_lie_between_the_new_ones():
    found = dp.global_sensitivity("var", [0, 10, 10, 20, 30, 1000], 2, distance=3)
    assert found.value == 156856
    assert found.dataset.tolist() == [10, 10]
    assert found.neighbour.tolist() == [0, 10, 10, 20, 1000]


@every_query
@every_adjacency
@pytest.mark.parametrize("unit", [2.0**-332, 2.0**328])  # 1.1e-100 and 5.5e98
def test_the_smallest_and_the_largest_records_keep_every_digit(query, adjacency, unit):
    """Neither their squares nor the errors of these leave the range of a float."""
    universe = np.array([-16.0, -5, 2, 1, 13, 6])
    scale = unit ** {"count": 0, "var": 2}.get(query, 1)
    kind = {"adjacency": adjacency, "distance": 2}
    expected = dp.global_sensitivity(query, universe, 3, **kind).value * scale
    found = dp.global_sensitivity(query, universe * unit, 3, **kind).value
    assert found == pytest.approx(expected, rel=1e-15, abs=0)


@every_query
@every_adjacency
def test_many_records_need_no_enumeration(query, adjacency):
    universe = np.random.default_rng(0).standard_cauchy(20_001)
    found = dp.global_sensitivity(
        query, universe, 9_000, adjacency=adjacency, distance=3, max_worlds=1
    )
    one, other = (evaluate(query, pair) for pair in (found.dataset, found.neighbour))
    assert abs(one - other) == pytest.approx(found.value, rel=1e-9)


def test_a_callable_on_many_records_is_refused():
    with pytest.raises(ValueError, match="max_worlds is 10,000,000"):
        dp.global_sensitivity(lambda values: values.max(axis=-1), np.arange(60.0), 30)


@given(values=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=12), data=st.data())
def test_the_variance_of_a_run_keeps_fifteen_digits(values, data):
    stop = data.draw(st.integers(1, len(values)))
    start = data.draw(st.integers(0, stop - 1))
    values.sort()
    run = SortedUniverse(np.array(values, dtype=float)).between(start, stop)
    head, tail = run.variance(stop - start)
    expected = exactly("var", values[start:stop])
    assert abs(Fraction(head) + Fraction(tail) - expected) <= Fraction(1, 10**15) * expected


@given(data=st.data())
def test_least_columns_of_a_monge_matrix_are_found(data):
    steps = st.lists(st.integers(0, 5), min_size=1, max_size=12)
    left, right = (np.cumsum(data.draw(steps)) for _ in range(2))
    extra = np.array(data.draw(st.lists(st.integers(0, 40), min_size=12, max_size=12)))
    matrix = extra[: len(right)] - np.outer(left, right)
    low = np.sort(data.draw(st.lists(st.integers(0, len(right) - 1), min_size=len(left))))
    low = low[: len(left)]
    found = row_minima(lambda row, column: matrix[row, column], low, len(right) - 1)
    for row, column in enumerate(found):
        assert column >= low[row]
        assert matrix[row, column] == matrix[row, low[row] :].min()


@pytest.mark.parametrize("query", ["var", "std"])
def test_a_record_alone_does_not_vary(query):
    """Whatever it is: no change of a release of one record moves its variance."""
    universe = np.random.default_rng(0).normal(size=50)
    assert dp.global_sensitivity(query, universe, 1, adjacency="bounded").value == 0
