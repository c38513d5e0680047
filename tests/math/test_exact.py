"""The exact sensitivities against the definition, their witnesses and their laws."""

import itertools
import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from exact_strategies import QUERIES, offset_universes, questions, universes
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.data.queries import evaluate
from dpchoose.sensitivity import bounded_by_distance, enumeration, spread
from dpchoose.sensitivity.sums import Records, common_scale
from dpchoose.sensitivity.windows import most_shared, row_minima

SCOPES = ["global", "local"]
ADJACENCIES = ["unbounded", "bounded"]
EVERYTHING = 10**9

every_query = pytest.mark.parametrize("query", QUERIES)
every_scope = pytest.mark.parametrize("scope", SCOPES)
every_adjacency = pytest.mark.parametrize("adjacency", ADJACENCIES)
kinds = st.tuples(st.sampled_from(SCOPES), st.sampled_from(ADJACENCIES))


def ask(scope, query, universe, release, adjacency, distance):
    if scope == "local":
        return dp.local_sensitivity(
            query, universe, release, adjacency=adjacency, distance=distance
        )
    return dp.global_sensitivity(
        query, universe, len(release), adjacency=adjacency, distance=distance
    )


def define(scope, query, universe, release, adjacency, distance):
    look = getattr(enumeration, f"{scope}_{adjacency}")
    start = np.array(release) if scope == "local" else len(release)
    return look(query, np.array(universe), start, distance, max_worlds=EVERYTHING)[0]


def close(query, universe, expected):
    """Equal to 1e-9, or to the rounding of answers as large as these records."""
    largest = max(map(abs, universe))
    return pytest.approx(expected, rel=1e-9, abs=1e-13 * largest ** (2 if query == "var" else 1))


@every_query
@every_scope
@every_adjacency
@given(data=st.data())
def test_the_sensitivity_is_the_largest_change_between_neighbours(query, scope, adjacency, data):
    universe, release, distance = data.draw(questions(adjacency))
    found = ask(scope, query, universe, release, adjacency, distance).value
    expected = define(scope, query, universe, release, adjacency, distance)
    assert found == close(query, universe, expected)


@every_query
@every_scope
@every_adjacency
@given(data=st.data())
def test_the_witness_is_a_pair_of_neighbours_that_attains_it(query, scope, adjacency, data):
    universe, release, distance = data.draw(questions(adjacency))
    found = ask(scope, query, universe, release, adjacency, distance)
    dataset, neighbour = Counter(found.dataset.tolist()), Counter(found.neighbour.tolist())
    assert dataset <= Counter(universe)
    assert neighbour <= Counter(universe)
    assert dataset.total() == len(release)
    if adjacency == "bounded":
        assert neighbour.total() == len(release)
        assert (dataset & neighbour).total() >= len(release) - distance
    else:
        assert dataset <= neighbour or neighbour <= dataset
        assert abs(dataset.total() - neighbour.total()) == distance
    if scope == "local":
        assert dataset == Counter(universe[i] for i in release)
    one, other = (float(evaluate(query, pair)) for pair in (found.dataset, found.neighbour))
    assert abs(one - other) == close(query, universe, found.value)


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
    universe, release, distance = data.draw(questions(adjacency, records=offset_universes))
    records, size = range(len(universe)), len(release)
    worlds = [set(world) for world in itertools.combinations(records, size)]
    if adjacency == "bounded":
        pairs = [(a, b) for a in worlds for b in worlds if len(a - b) <= distance]
    else:
        others = [
            set(other)
            for length in (size - distance, size + distance)
            if length > 0
            for other in itertools.combinations(records, length)
        ]
        pairs = [(a, b) for a in worlds for b in others if a <= b or b <= a]
    values = {
        (tuple(sorted(universe[i] for i in a)), tuple(sorted(universe[i] for i in b)))
        for a, b in pairs
    }
    expected = float(max(difference(query, a, b) for a, b in values))
    found = ask("global", query, universe, release, adjacency, distance).value
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@every_query
@given(universe=universes(), data=st.data())
def test_bounded_sensitivity_never_shrinks_with_distance_and_ends_at_the_spread(
    query, universe, data
):
    size = data.draw(st.integers(1, len(universe) - 1))
    by_distance = bounded_by_distance(query, universe, size)
    assert (np.diff(by_distance) >= 0).all()
    single = [
        dp.global_sensitivity(query, universe, size, adjacency="bounded", distance=k + 1).value
        for k in range(len(by_distance))
    ]
    assert by_distance == close(query, universe, np.array(single))
    answers = dp.world_answers(query, universe, size)
    assert by_distance[-1] == close(query, universe, np.ptp(answers))
    assert spread(query, universe, size) == close(query, universe, by_distance[-1])


@every_query
@every_adjacency
@given(data=st.data())
def test_no_release_moves_further_than_the_global_sensitivity_and_one_moves_as_far(
    query, adjacency, data
):
    universe, release, distance = data.draw(questions(adjacency, most=6))
    largest = max(
        ask("local", query, universe, list(world), adjacency, distance).value
        for world in itertools.combinations(range(len(universe)), len(release))
    )
    everywhere = ask("global", query, universe, release, adjacency, distance).value
    assert largest == close(query, universe, everywhere)


@pytest.mark.parametrize("query", [query for query in QUERIES if query not in ("count", "sum")])
@given(data=st.data())
def test_shifting_the_universe_changes_nothing(query, data):
    scope, adjacency = data.draw(kinds)
    universe, release, distance = data.draw(questions(adjacency))
    shift = data.draw(st.integers(-100, 100))
    moved = [value + shift for value in universe]
    before = ask(scope, query, universe, release, adjacency, distance).value
    after = ask(scope, query, moved, release, adjacency, distance).value
    # an addition rounds each record by this much
    rounding = 8 * np.spacing(max(map(abs, moved))) * (np.ptp(universe) if query == "var" else 1)
    if query == "std":
        rounding = math.sqrt(rounding * np.spacing(1.0)) + rounding
    assert after == pytest.approx(before, rel=1e-9, abs=rounding)


@every_query
@given(data=st.data())
def test_scaling_the_universe_scales_the_sensitivity(query, data):
    scope, adjacency = data.draw(kinds)
    universe, release, distance = data.draw(questions(adjacency))
    factor = data.draw(st.sampled_from([0.25, 2.0, 1024.0, 2.0**300, 2.0**-300]))
    before = ask(scope, query, universe, release, adjacency, distance).value
    if query != "count":
        before *= factor
    if query == "var":
        before *= factor
    scaled = [factor * value for value in universe]
    after = ask(scope, query, scaled, release, adjacency, distance).value
    assert after == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("query", ["sum", "mean", "median", "var", "std"])
@given(data=st.data())
def test_turning_every_sign_changes_nothing(query, data):
    scope, adjacency = data.draw(kinds)
    universe, release, distance = data.draw(questions(adjacency))
    before = ask(scope, query, universe, release, adjacency, distance).value
    turned = [-value for value in universe]
    after = ask(scope, query, turned, release, adjacency, distance).value
    assert after == close(query, universe, before)


@every_query
@every_adjacency
@given(data=st.data())
def test_the_order_of_the_universe_does_not_matter(query, adjacency, data):
    universe, release, distance = data.draw(questions(adjacency))
    order = data.draw(st.permutations(range(len(universe))))
    before = ask("global", query, universe, release, adjacency, distance)
    shuffled = [universe[i] for i in order]
    after = ask("global", query, shuffled, release, adjacency, distance)
    assert after.value == before.value
    assert after.dataset.tolist() == before.dataset.tolist()


@every_query
@given(data=st.data())
def test_the_neighbourhood_is_at_least_as_wide_as_the_local_sensitivity(query, data):
    universe, release, distance = data.draw(questions("bounded"))
    local = ask("local", query, universe, release, "bounded", distance).value
    diameter = dp.neighbourhood_diameter(query, universe, release, distance=distance)
    assert local <= diameter or local == close(query, universe, diameter)


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


def test_table_4_local_sensitivities_of_the_median():
    worlds = itertools.combinations(range(4), 3)
    found = [dp.local_sensitivity("median", [1, 2, 3, 10], world).value for world in worlds]
    assert found == [0.5, 4, 3.5, 3.5]


def test_a_release_far_from_the_other_records_keeps_its_digits():
    universe = [1e9, 1e9 + 1, 1e9 + 2, 1e9 + 4, 0.1]
    assert dp.local_sensitivity("median", universe, [0, 1, 2, 3], distance=2).value == 1.5
    assert dp.local_sensitivity("var", universe, [0, 1, 2, 3], distance=2).value == 2.1875 - 0.25


@pytest.mark.parametrize("query", ["mean", "median", "std", "percentile_90"])
@every_adjacency
def test_records_near_the_largest_float_do_not_overflow(query, adjacency):
    universe = np.array([-1.0, -0.5, 0.25, 1.0, 0.75])
    small = dp.global_sensitivity(query, universe, 3, adjacency=adjacency)
    large = dp.global_sensitivity(query, universe * 2.0**1022, 3, adjacency=adjacency)
    assert large.value == small.value * 2.0**1022
    assert large.neighbour.tolist() == (small.neighbour * 2.0**1022).tolist()


@pytest.mark.parametrize("query", ["sum", "var"])
def test_a_sensitivity_beyond_the_floats_is_refused(query):
    universe = np.array([-1.0, -1.0, 1.0, 1.0]) * 1.5e308
    with pytest.raises(ValueError, match="finite"):
        dp.global_sensitivity(query, universe, 2, adjacency="bounded", distance=2)


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
    array = np.array(values, dtype=float)
    origin, exponent = common_scale(array)
    run = Records.of(array, origin, exponent).between(start, stop)
    head, tail = run.variance(stop - start)
    scaled = exactly("var", sorted(values)[start:stop]) / Fraction(4) ** exponent
    assert abs(Fraction(head) + Fraction(tail) - scaled) <= Fraction(1, 10**15) * scaled


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


@given(universe=universes(), data=st.data())
def test_records_of_equal_value_are_shared_between_a_window_and_a_dataset(universe, data):
    values = np.sort(universe)
    size = data.draw(st.integers(1, len(values)))
    chosen = data.draw(st.sets(st.integers(0, len(values) - 1), min_size=1))
    others = values[sorted(chosen)]
    expected = [
        (Counter(values[start : start + size].tolist()) & Counter(others.tolist())).total()
        for start in range(len(values) - size + 1)
    ]
    assert most_shared(values, size, others).tolist() == expected


@pytest.mark.parametrize("query", ["var", "std"])
def test_a_record_alone_does_not_vary(query):
    """Whatever it is: no change of a release of one record moves its variance."""
    universe = np.random.default_rng(0).normal(size=50)
    assert dp.global_sensitivity(query, universe, 1, adjacency="bounded").value == 0
    assert dp.local_sensitivity(query, universe, [3], adjacency="bounded").value == 0
