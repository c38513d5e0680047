"""Worlds that are counted are the worlds that would be listed."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_queries import by_definition

import dpchoose as dp

NAMED = ["count", "sum", "mean", "median", "std", "var"]
PERCENTILES = [
    "percentile_0",
    "percentile_25",
    "percentile_37.5",
    "percentile_90",
    "percentile_100",
]

records = st.one_of(
    st.integers(0, 2).map(float),  # ties
    st.integers(-9, 9).map(float),
    st.integers(-40, 40).map(lambda quarters: quarters / 4),
    st.integers(-500, 500).map(lambda cents: cents / 100),  # decimals that no float equals
    st.sampled_from([1e5, -1e5, 0.0, 1e-3]),
)


@st.composite
def releases(draw, max_size=7):
    """Records, and how many of them are released."""
    universe = draw(st.lists(records, min_size=2, max_size=max_size))
    return universe, draw(st.integers(1, len(universe) - 1))


def meant(value):
    """A float as the decimal that it is written as."""
    return Fraction(repr(value))


@pytest.mark.parametrize("query", NAMED + PERCENTILES)
@given(drawn=releases())
def test_the_worlds_of_an_answer_are_counted(query, drawn):
    """For every query and release size, the answers and their numbers of worlds are exact."""
    universe, size = drawn
    worlds = dp.possible_worlds(query, universe, size)
    listed = Counter(
        by_definition(query, world) for world in itertools.combinations(map(meant, universe), size)
    )
    expected = sorted(listed)
    scale = max(map(abs, universe))
    slack = 1e-14 * (scale**2 if query == "var" else scale) + 1e-300
    floats = list(map(float, expected))
    assert worlds.answers.tolist() == pytest.approx(floats, rel=1e-13, abs=slack)
    assert list(worlds.masses) == [listed[one] for one in expected]
    assert worlds.total == math.comb(len(universe), size) == sum(worlds.masses)


@pytest.mark.parametrize("query", ["mean", "var", "median", "std", "percentile_10"])
@given(
    values=st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=30),
    far=st.sampled_from([0, 1e3, -1e6]),
    scale=st.sampled_from([1e-90, 1.0, 1e90]),
)
def test_leaving_one_out_loses_no_digits(query, values, far, scale):
    """With an outlier or not, on any scale, each answer is the exact one."""
    universe = [value * scale for value in [*(value / 1e9 for value in values), far]]
    answers = dp.world_answers(query, universe, len(values))
    unit = Fraction(scale)
    for answer, world in zip(answers, itertools.combinations(universe, len(values))):
        exact = by_definition(query, [Fraction(value) / unit for value in world])
        got = answer / (scale**2 if query == "var" else scale)
        assert got == pytest.approx(
            float(exact),
            rel=1e-11,
            abs=1e-7 * (query == "std") + 1e-13,
        )


def test_a_median_of_a_thousand_records_is_counted_exactly():
    """One in 2**k of the worlds of 1000 records have their median beyond the middle by k."""
    worlds = dp.possible_worlds("median", range(1000), 501)
    assert len(worlds.answers) == 500
    assert sum(worlds.masses) == worlds.total == math.comb(1000, 501)
    assert worlds.masses[0] == math.comb(749, 250)
    assert worlds.masses == worlds.masses[::-1]


def test_sums_of_forty_ages_are_counted_without_listing_a_hundred_thousand_million_worlds():
    """The numbers of worlds add up, and the mean over all of them is that of the records."""
    ages = [18 + (7 * i * i) % 61 for i in range(40)]
    worlds = dp.possible_worlds("mean", ages, 20)
    assert worlds.total == sum(worlds.masses) == math.comb(40, 20)
    mean = sum(Fraction(a) * m for a, m in zip(worlds.answers, worlds.masses)) / worlds.total
    assert float(mean) == pytest.approx(sum(ages) / 40, rel=1e-14)


def test_the_share_of_yes_among_nine_hundred_is_hypergeometric():
    """Data of two values cost next to nothing, however many worlds there are."""
    universe = np.arange(900) % 3 == 0  # 300 times yes
    worlds = dp.possible_worlds("mean", universe.astype(float), 400)
    assert worlds.answers.tolist() == [yes / 400 for yes in range(301)]
    assert worlds.masses[100] == math.comb(300, 100) * math.comb(600, 300)
    assert sum(worlds.masses) == worlds.total == math.comb(900, 400)
    shares = [mass / worlds.total for mass in worlds.masses]
    assert worlds.weights.tolist() == shares


def test_decimals_are_added_as_they_are_written():
    """0.1 + 0.2 is 0.3, though their floats are not."""
    worlds = dp.possible_worlds("sum", [0.1, 0.2, 0.3, 0.0, 5.0], 2)
    assert worlds.answers.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 5.0, 5.1, 5.2, 5.3]
    assert worlds.masses == [1, 1, 2, 1, 1, 1, 1, 1, 1]


def test_what_cannot_be_counted_is_refused_in_words():
    """Real numbers have too many sums; the refusal says how many worlds there are."""
    universe = np.random.default_rng(0).normal(size=60)
    message = r"^max_worlds is 10,000,000 but this release looks at about 1e17 datasets: "
    for query in ("mean", "var"):
        with pytest.raises(ValueError, match=message):
            dp.possible_worlds(query, universe, 30)
