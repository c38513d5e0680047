"""A sensitivity is the largest change of an answer, and its witness attains it.

The oracle is the definition, read aloud: every set of positions, every pair of
them, in plain Python and in exact arithmetic.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import QUERIES, midrange, universes, universes_and_releases, universes_and_sizes
from test_queries import by_definition

import dpchoose as dp

SCHOOL_YEAR, ABSENCE_DAYS = [1, 2, 3, 4], [1, 2, 3, 10]
HAND_TABLE = [1, 2, 3, 10, 11]
ADJACENCIES = ["unbounded", "bounded"]

NUMPY = {
    "count": lambda records: len(records),
    "sum": np.sum,
    "mean": np.mean,
    "median": np.median,
    "std": lambda records: np.std(records - records[0]),
    "var": lambda records: np.var(records - records[0]),
}


def answer(query, records):
    """The answer to one dataset, by definition."""
    if query is midrange:
        return (Fraction(max(records)) + Fraction(min(records))) / 2
    return by_definition(query, records)


def with_numpy(query, records):
    """The answer to one dataset, by numpy's own function."""
    if query is midrange:
        return midrange(records)
    if query.startswith("percentile_"):
        return np.percentile(records, float(query.removeprefix("percentile_")))
    return NUMPY[query](records)


def rounding(query, universe):
    """What the evaluation of an answer may lose."""
    if query in ("var", "std"):
        return 1e-12 * max(1, max(universe) - min(universe)) ** 2
    return 1e-14 * len(universe) * max(map(abs, universe))


def subsets(positions, size):
    """All sets of so many positions."""
    return [frozenset(some) for some in itertools.combinations(sorted(positions), size)]


def neighbours(world, positions, adjacency, k):
    """All neighbours at distance k of one set of positions."""
    n = len(world)
    if adjacency == "bounded":
        return [other for other in subsets(positions, n) if len(world & other) >= n - k]
    fewer = subsets(world, n - k) if k < n else []
    more = [world | extra for extra in subsets(positions - world, k)]
    return fewer + more


class Definition:
    """The sensitivities of one query on one universe, by looking at every pair."""

    def __init__(self, query, universe):
        self.positions = frozenset(range(len(universe)))
        self.answers = {
            world: answer(query, [universe[i] for i in world])
            for size in range(1, len(universe) + 1)
            for world in subsets(self.positions, size)
        }
        largest = max(abs(a) for a in self.answers.values())
        self.rounding = 16 * math.ulp(float(largest))

    def from_world(self, world, adjacency, k):
        around = neighbours(frozenset(world), self.positions, adjacency, k)
        return max(abs(self.answers[frozenset(world)] - self.answers[other]) for other in around)

    def from_anywhere(self, size, adjacency, k):
        return max(self.from_world(w, adjacency, k) for w in subsets(self.positions, size))


def distances(adjacency, size, records):
    """Every distance that is possible."""
    if adjacency == "bounded":
        return range(1, min(size, records - size) + 1)
    return range(1, max(size - 1, records - size) + 1)


def assert_legal(pair, universe, size, adjacency, k):
    """The two datasets can be drawn from the universe as neighbours at distance k."""
    one, other, whole = Counter(pair.dataset), Counter(pair.neighbour), Counter(universe)
    assert one <= whole
    assert other <= whole
    assert one.total() == size
    assert pair.dataset.tolist() == sorted(pair.dataset)
    assert pair.neighbour.tolist() == sorted(pair.neighbour)
    if adjacency == "bounded":
        assert other.total() == size
        assert (one & other).total() >= size - k
    else:
        assert abs(other.total() - size) == k
        assert one <= other or other <= one


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_sizes())
def test_global_sensitivity_is_its_definition(query, adjacency, drawn):
    """It is the largest difference over all pairs, attained by the witness, at every distance."""
    universe, size = drawn
    definition = Definition(query, universe)
    for k in distances(adjacency, size, len(universe)):
        got = dp.global_sensitivity(query, universe, size, adjacency=adjacency, distance=k)
        expected = float(definition.from_anywhere(size, adjacency, k))
        assert got.value == pytest.approx(expected, rel=1e-12, abs=definition.rounding)
        assert_legal(got, universe, size, adjacency, k)
        attained = abs(with_numpy(query, got.dataset) - with_numpy(query, got.neighbour))
        assert attained == pytest.approx(got.value, rel=1e-12, abs=definition.rounding)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_releases())
def test_local_sensitivity_is_its_definition(query, adjacency, drawn):
    """It is the largest difference from the release, which is one half of the witness."""
    universe, release = drawn
    definition = Definition(query, universe)
    for k in distances(adjacency, len(release), len(universe)):
        got = dp.local_sensitivity(query, universe, release, adjacency=adjacency, distance=k)
        expected = float(definition.from_world(release, adjacency, k))
        assert got.value == pytest.approx(expected, rel=1e-12, abs=definition.rounding)
        assert got.dataset.tolist() == sorted(universe[i] for i in release)
        assert_legal(got, universe, len(release), adjacency, k)
        attained = abs(with_numpy(query, got.dataset) - with_numpy(query, got.neighbour))
        assert attained == pytest.approx(got.value, rel=1e-12, abs=definition.rounding)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_sizes(max_size=5), data=st.data())
def test_the_global_sensitivity_is_the_largest_local_one(query, adjacency, drawn, data):
    """No release has a larger local sensitivity, and some release has this one."""
    universe, size = drawn
    k = data.draw(st.sampled_from(distances(adjacency, size, len(universe))))
    everywhere = dp.global_sensitivity(query, universe, size, adjacency=adjacency, distance=k)
    local = [
        dp.local_sensitivity(query, universe, release, adjacency=adjacency, distance=k).value
        for release in itertools.combinations(range(len(universe)), size)
    ]
    assert max(local) == pytest.approx(everywhere.value, abs=rounding(query, universe))


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_releases())
def test_a_bounded_sensitivity_never_shrinks_with_distance_and_saturates(query, drawn):
    """Changing at most k records includes changing fewer; beyond min(n, N - n) none are left."""
    universe, release = drawn
    size, records = len(release), len(universe)
    last = min(size, records - size)
    for at in (
        lambda k: dp.global_sensitivity(query, universe, size, adjacency="bounded", distance=k),
        lambda k: dp.local_sensitivity(query, universe, release, adjacency="bounded", distance=k),
    ):
        values = [at(k).value for k in range(1, last + 3)]
        slack = rounding(query, universe)
        assert all(less <= more + slack for less, more in itertools.pairwise(values))
        assert values[last - 1] == values[last] == values[last + 1]


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_sizes())
def test_at_the_largest_bounded_distance_the_sensitivity_is_the_spread(query, drawn):
    """When every record may change, any two worlds are neighbours."""
    universe, size = drawn
    got = dp.global_sensitivity(query, universe, size, adjacency="bounded", distance=len(universe))
    spread = dp.possible_worlds(query, universe, size).spread
    assert got.value == pytest.approx(spread, abs=rounding(query, universe))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", [q for q in QUERIES if q != "sum"])
@given(drawn=universes_and_sizes(max_size=5), shift=st.sampled_from([-7.25, 3.0, 1000.5]))
def test_moving_every_record_changes_no_sensitivity(query, adjacency, drawn, shift):
    """All queries but the sum move with the data, or do not move at all."""
    universe, size = drawn
    moved = [record + shift for record in universe]
    before = dp.global_sensitivity(query, universe, size, adjacency=adjacency)
    after = dp.global_sensitivity(query, moved, size, adjacency=adjacency)
    assert after.value == pytest.approx(before.value, abs=2 * rounding(query, [*universe, *moved]))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", QUERIES)
@given(
    drawn=universes_and_sizes(max_size=5), factor=st.sampled_from([0.25, 8.0, 2.0**-300, 2.0**300])
)
def test_another_unit_scales_every_sensitivity(query, adjacency, drawn, factor):
    """A power of two scales the answer exactly: not the count, twice over the variance."""
    universe, size = drawn
    scaled = [record * factor for record in universe]
    power = {"count": 0, "var": 2}.get(query if isinstance(query, str) else "", 1)
    before = dp.global_sensitivity(query, universe, size, adjacency=adjacency)
    after = dp.global_sensitivity(query, scaled, size, adjacency=adjacency)
    assert after.value == pytest.approx(before.value * factor**power, rel=1e-12, abs=0)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(
    ("query", "mirrored"),
    [
        ("mean", "mean"),
        ("sum", "sum"),
        ("median", "median"),
        ("std", "std"),
        ("percentile_25", "percentile_75"),
        ("percentile_0", "percentile_100"),
    ],
)
@given(drawn=universes_and_sizes())
def test_a_mirrored_universe_mirrors_the_query(query, mirrored, adjacency, drawn):
    """With all signs changed, the low percentiles become the high ones."""
    universe, size = drawn
    one = dp.global_sensitivity(query, universe, size, adjacency=adjacency)
    negative = [-record for record in universe]
    other = dp.global_sensitivity(mirrored, negative, size, adjacency=adjacency)
    assert other.value == pytest.approx(one.value, abs=rounding(query, universe))


@given(drawn=universes_and_sizes(), data=st.data())
def test_the_unbounded_sum_moves_by_the_k_largest_records_or_the_k_smallest(drawn, data):
    """Whatever the release size, a sum changes by the k records that come or go."""
    universe, size = drawn
    k = data.draw(st.sampled_from(distances("unbounded", size, len(universe))))
    ordered = sorted(universe)
    expected = max(abs(sum(ordered[:k])), abs(sum(ordered[-k:])))
    got = dp.global_sensitivity("sum", universe, size, distance=k)
    assert got.value == pytest.approx(expected, abs=rounding("sum", universe))


@given(drawn=universes_and_sizes(), data=st.data())
def test_a_count_changes_by_the_distance_or_not_at_all(drawn, data):
    """Adding or removing k records changes the count by k; changing them leaves it."""
    universe, size = drawn
    k = data.draw(st.sampled_from(distances("unbounded", size, len(universe))))
    assert dp.global_sensitivity("count", universe, size, distance=k).value == k
    bounded = dp.global_sensitivity("count", universe, size, adjacency="bounded", distance=k)
    assert bounded.value == 0


@given(universe=universes(), data=st.data())
def test_the_order_of_the_records_does_not_matter(universe, data):
    """A universe is a collection: shuffled, it has the same sensitivities."""
    query = data.draw(st.sampled_from(QUERIES))
    shuffled = data.draw(st.permutations(universe))
    one = dp.global_sensitivity(query, universe, 1)
    other = dp.global_sensitivity(query, shuffled, 1)
    assert other.value == pytest.approx(one.value, abs=rounding(query, universe))


@pytest.mark.parametrize(
    ("query", "universe", "expected"),
    [
        ("mean", ABSENCE_DAYS, 17 / 6),  # Lee and Clifton, section 4.1
        ("mean", SCHOOL_YEAR, 5 / 6),
        ("median", ABSENCE_DAYS, 4),  # section 6
        ("median", SCHOOL_YEAR, 1),
        ("count", ABSENCE_DAYS, 1),
    ],
)
def test_the_published_sensitivities_of_the_school(query, universe, expected):
    """Three of four pupils are released, and one may come or go."""
    got = dp.global_sensitivity(query, universe, 3)
    assert got.value == pytest.approx(expected, rel=1e-15)
    assert float(got) == got.value


def test_the_published_local_sensitivities_of_the_median():
    """Lee and Clifton's Table 4, one value for each of the four worlds."""
    local = [
        dp.local_sensitivity("median", ABSENCE_DAYS, release).value
        for release in itertools.combinations(range(4), 3)
    ]
    assert local == [0.5, 4, 3.5, 3.5]


def test_the_table_worked_out_by_hand():
    """Medians of three of {1, 2, 3, 10, 11}: 4.5 by removing, 8 by changing one record."""
    everywhere = dp.global_sensitivity("median", HAND_TABLE, 3)
    assert everywhere.value == 4.5
    assert len(everywhere.neighbour) == 2  # by removing
    assert dp.global_sensitivity("median", HAND_TABLE, 3, adjacency="bounded").value == 8
    assert dp.local_sensitivity("median", HAND_TABLE, [0, 1, 2]).value == 0.5
    bounded = dp.local_sensitivity("median", HAND_TABLE, [0, 1, 2], adjacency="bounded")
    assert bounded.value == 1


def test_when_nothing_can_be_removed_something_is_added():
    """One record has only larger neighbours; N - 1 records at distance 2 only smaller ones."""
    assert len(dp.global_sensitivity("mean", [1, 2, 4], 1).neighbour) == 2
    assert len(dp.global_sensitivity("mean", [1, 2, 4, 8], 3, distance=2).neighbour) == 1


def test_too_many_datasets_are_refused_with_their_number():
    """The refusal comes before the enumeration and says how large it would have been."""
    message = r"^max_worlds is 100 but this sensitivity looks at [0-9,]+ datasets"
    with pytest.raises(ValueError, match=message):
        dp.global_sensitivity(midrange, range(20), 10, max_worlds=100)
    with pytest.raises(ValueError, match=message):
        dp.local_sensitivity(midrange, range(20), range(10), distance=5, max_worlds=100)


def test_a_sensitivity_is_frozen():
    """Nobody changes a result by accident."""
    got = dp.global_sensitivity("mean", ABSENCE_DAYS, 3)
    with pytest.raises(AttributeError):
        got.value = 0
