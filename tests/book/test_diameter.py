"""The diameter that is published as a local sensitivity, against its definition."""

import itertools

import pytest
from dpbook.diameter import neighbourhood_diameter

import dpchoose as dp

UNIVERSE = [3.0, 1, 4, 1, 5, 9]


@pytest.mark.parametrize("query", ["count", "sum", "mean", "median", "var", "std"])
@pytest.mark.parametrize("distance", [1, 2, 3])
def test_it_is_the_widest_of_the_worlds_that_share_so_many_records_of_the_release(query, distance):
    release, worlds = {0, 2, 5}, [set(world) for world in itertools.combinations(range(6), 3)]
    answers = dp.world_answers(query, UNIVERSE, 3)
    expected = max(
        abs(one - other)
        for core in itertools.combinations(release, 3 - distance)
        for (a, one), (b, other) in itertools.combinations(zip(worlds, answers), 2)
        if a >= set(core) <= b
    )
    found = neighbourhood_diameter(query, UNIVERSE, sorted(release), distance=distance)
    assert found == pytest.approx(expected, abs=1e-12)


def test_it_can_exceed_the_local_sensitivity_and_never_the_global_one():
    """From {1} of {0, 1, 5} one change moves the mean by 4, and two such changes are 5 apart."""
    assert dp.local_sensitivity("mean", [0, 1, 5], [1], adjacency="bounded").value == 4
    assert neighbourhood_diameter("mean", [0, 1, 5], [1]) == 5
    assert dp.global_sensitivity("mean", [0, 1, 5], 1, adjacency="bounded").value == 5


def test_its_arguments_are_checked_before_any_work():
    with pytest.raises(ValueError, match=r"^distance must be at least 1, got 0$"):
        neighbourhood_diameter("mean", UNIVERSE, [0, 1], distance=0)
    with pytest.raises(ValueError, match=r"^max_worlds is 10 but "):
        neighbourhood_diameter("mean", UNIVERSE, [0, 1, 2], distance=2, max_worlds=10)
