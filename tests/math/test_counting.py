"""Worlds that are counted are the worlds that would be listed."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.worlds import counting

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
def releases(draw, max_size=8):
    """Records, and how many of them are released."""
    universe = draw(st.lists(records, min_size=2, max_size=max_size))
    return universe, draw(st.integers(1, len(universe) - 1))


def meant(value):
    """A float as the decimal that it is written as."""
    return Fraction(repr(value))


def between(query, world):
    """The exact median or percentile, interpolated as numpy does."""
    percent = 50.0 if query == "median" else float(query.removeprefix("percentile_"))
    place = Fraction((len(world) - 1) * (percent / 100))
    low = math.floor(place)
    high = min(low + 1, len(world) - 1)
    return world[low] + (world[high] - world[low]) * (place - low)


def exact_answer(query, world):
    """The answer to a world of fractions, squared for the standard deviation."""
    n = len(world)
    mean = sum(world) / n
    if query == "count":
        return Fraction(n)
    if query in ("sum", "mean"):
        return sum(world) if query == "sum" else mean
    if query in ("var", "std"):
        return sum((value - mean) ** 2 for value in world) / n
    return between(query, sorted(world))


@pytest.mark.parametrize("query", NAMED + PERCENTILES)
@given(drawn=releases())
def test_the_worlds_of_an_answer_are_counted(query, drawn):
    """For every query and release size, the answers and their numbers of worlds are exact."""
    universe, size = drawn
    worlds = dp.possible_worlds(query, universe, size)
    listed = Counter(
        exact_answer(query, world) for world in itertools.combinations(map(meant, universe), size)
    )
    expected = sorted(listed)
    scale = max(map(abs, universe))
    slack = 1e-14 * (scale**2 if query == "var" else scale) + 1e-300
    floats = [math.sqrt(one) if query == "std" else float(one) for one in expected]
    assert worlds.answers.tolist() == pytest.approx(floats, rel=1e-13, abs=slack)
    assert list(worlds.masses) == [listed[one] for one in expected]
    assert worlds.total == math.comb(len(universe), size) == sum(worlds.masses)


@pytest.mark.parametrize("query", ["median", "percentile_25", "percentile_37.5", "percentile_90"])
@pytest.mark.parametrize("bits", [0, 100])
@given(drawn=releases())
def test_logarithms_of_the_counts_are_the_logarithms(query, bits, drawn):
    """Where the numbers have too many digits, their logarithms are within the stated error."""
    universe, size = drawn
    expected = dp.possible_worlds(query, universe, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "EXACT_BITS", bits)
        worlds = dp.possible_worlds(query, universe, size)
    assert worlds.answers.tolist() == expected.answers.tolist()
    assert worlds.weights.tolist() == pytest.approx(expected.weights.tolist(), rel=1e-12)
    if worlds.masses is None:
        logs = [math.log(mass) for mass in expected.masses]
        assert np.abs(worlds.log_counts - logs).max() <= worlds.log_error + 1e-15
        assert worlds.largest_prior == expected.largest_prior
        assert worlds.largest_share >= expected.largest_share
        assert worlds.largest_share <= expected.largest_share * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("query", NAMED + PERCENTILES)
@given(drawn=releases(max_size=7), data=st.data())
def test_a_prior_goes_to_the_world_that_leaves_a_record_out(query, drawn, data):
    """When all but one are released the first probability is for the last record's absence."""
    universe, _ = drawn
    shares = data.draw(st.lists(st.integers(1, 9), min_size=len(universe), max_size=len(universe)))
    prior = np.array(shares) / sum(shares)
    worlds = dp.possible_worlds(query, universe, len(universe) - 1, prior=prior)
    masses, peaks = {}, {}
    for world, share in zip(
        itertools.combinations(map(meant, universe), len(universe) - 1), prior.tolist()
    ):
        answer = exact_answer(query, world)
        masses[answer] = masses.get(answer, 0) + Fraction(share)
        peaks[answer] = max(peaks.get(answer, 0), Fraction(share))
    assert list(worlds.masses) == [masses[answer] for answer in sorted(masses)]
    assert list(worlds.peak_masses) == [peaks[answer] for answer in sorted(peaks)]


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
        exact = exact_answer(query, [Fraction(value) / unit for value in world])
        got = answer / (scale**2 if query == "var" else scale)
        assert got == pytest.approx(
            math.sqrt(exact) if query == "std" else float(exact),
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


def test_the_share_of_yes_among_two_thousand_is_hypergeometric():
    """Data of two values cost next to nothing, however many worlds there are."""
    universe = np.arange(2000) % 3 == 0  # 667 times yes
    worlds = dp.possible_worlds("mean", universe.astype(float), 900)
    assert worlds.answers.tolist() == [yes / 900 for yes in range(668)]
    assert worlds.masses[300] == math.comb(667, 300) * math.comb(1333, 600)
    assert sum(worlds.masses) == worlds.total == math.comb(2000, 900)


def test_decimals_are_added_as_they_are_written():
    """0.1 + 0.2 is 0.3, though their floats are not."""
    worlds = dp.possible_worlds("sum", [0.1, 0.2, 0.3, 0.0, 5.0], 2)
    assert worlds.answers.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 5.0, 5.1, 5.2, 5.3]
    assert worlds.masses == [1, 1, 2, 1, 1, 1, 1, 1, 1]


def test_worlds_beyond_every_float_have_logarithms():
    """The weights are what floats can hold, the logarithms are the rest."""
    worlds = dp.possible_worlds("median", np.arange(1200.0), 601)
    assert worlds.total > 10**350
    assert math.fsum(worlds.weights) == pytest.approx(1, rel=1e-12)
    assert worlds.log_counts[0] == pytest.approx(math.log(math.comb(899, 300)), rel=1e-15)


def test_what_cannot_be_counted_is_refused_in_words():
    """Real numbers have too many sums; the refusal says how many worlds there are."""
    universe = np.random.default_rng(0).normal(size=60)
    message = r"^max_worlds is 10,000,000 but this release looks at about 1e17 datasets: "
    for query in ("mean", "var"):
        with pytest.raises(ValueError, match=message):
            dp.possible_worlds(query, universe, 30)


@given(size=st.integers(1, 400), data=st.data())
def test_logarithms_of_binomials_are_within_their_error(size, data):
    """ln C(n, k) for k = 0, ..., most."""
    most = data.draw(st.integers(0, size))
    logs, error = counting.log_choose(size, most)
    expected = [math.log(math.comb(size, k)) for k in range(most + 1)]
    assert np.abs(logs - expected).max() <= error + 1e-15
    assert error < 1e-11
