"""The possible worlds are the n-subsets of positions, weighed by the prior."""

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import QUERIES, midrange, of_each_family, priors, universes_and_sizes
from test_sensitivity import answer, with_numpy

import dpchoose as dp
from dpchoose.worlds.subsets import TooManyWorlds


@of_each_family
@given(drawn=universes_and_sizes(), data=st.data())
def test_there_is_one_answer_per_subset_in_lexicographic_order(family, drawn, data):
    """World by world, the answer is the query's answer to that subset."""
    universe, size = drawn
    query = data.draw(st.sampled_from(family))
    answers = dp.world_answers(query, universe, size)
    expected = [
        with_numpy(query, np.array(world)) for world in itertools.combinations(universe, size)
    ]
    assert answers.tolist() == pytest.approx(expected, rel=1e-14, abs=0)


@of_each_family
@given(drawn=universes_and_sizes(), data=st.data())
def test_worlds_are_grouped_by_their_exact_answer(family, drawn, data):
    """Worlds tied on paper are merged, others are not, and every group has its worlds' prior."""
    universe, size = drawn
    query = data.draw(st.sampled_from(family))
    prior = data.draw(priors(math.comb(len(universe), size)))
    worlds = dp.possible_worlds(query, universe, size, prior=prior)
    subsets = itertools.combinations(universe, size)
    assert_grouped(worlds, [(answer(query, world),) for world in subsets], prior, universe)
    widest = worlds.answers.max() - worlds.answers.min()
    rounding = 4 * np.spacing(np.abs(worlds.answers).max())
    assert worlds.spread == pytest.approx(widest, rel=1e-15, abs=rounding)


@given(
    drawn=universes_and_sizes(),
    several=st.lists(st.sampled_from(QUERIES), min_size=1, max_size=3, unique=True),
    data=st.data(),
)
def test_worlds_are_grouped_by_all_their_answers(drawn, several, data):
    """Of several queries rows are merged when every answer is tied, and sorted from the first."""
    universe, size = drawn
    prior = data.draw(priors(math.comb(len(universe), size)))
    worlds = dp.possible_worlds(several, universe, size, prior=prior)
    rows = [
        tuple(answer(query, world) for query in several)
        for world in itertools.combinations(universe, size)
    ]
    assert worlds.answers.shape == (len(worlds.weights), len(several))
    assert_grouped(worlds, rows, prior, universe)
    rounding = 4 * np.spacing(np.abs(worlds.answers).max())
    np.testing.assert_allclose(worlds.spread, np.ptp(worlds.answers, axis=0), 1e-15, rounding)


def assert_grouped(worlds, rows, prior, universe):
    """The rows of answers of all worlds, exact and in order, with the prior of those alike."""
    groups = defaultdict(list)
    shares = [Fraction(1)] * len(rows) if prior is None else list(map(Fraction, prior))
    for row, share in zip(rows, shares):
        if share > 0:
            groups[row].append(share)
    expected = sorted(groups)
    rounding = 4 * math.ulp(max(map(abs, universe)))
    floats = [float(one) for row in expected for one in row]
    assert worlds.rows.ravel().tolist() == pytest.approx(floats, rel=1e-14, abs=rounding)
    assert worlds.total == len(rows)
    whole, mass = sum(shares), sum(worlds.masses)
    assert worlds.mass == mass
    for found, floated, of in [
        (worlds.masses, worlds.weights, sum),
        (worlds.peak_masses, worlds.peaks, max),
    ]:
        exact = [of(groups[row]) / whole for row in expected]
        assert all(type(one) is int for one in found)
        assert [Fraction(one, mass) for one in found] == exact
        assert floated.tolist() == list(map(float, exact))
    assert worlds.largest_prior == max(shares) / whole
    assert worlds.sum_of_peaks == sum(max(group) for group in groups.values()) / whole
    assert worlds.largest_share == max(max(group) / sum(group) for group in groups.values())


@pytest.mark.parametrize("size", [1, 3, 5])
def test_the_answers_of_a_table_are_those_of_its_columns(size):
    """Pairs of a query and a column, beside a count: np.unique finds the same rows."""
    rng = np.random.default_rng(size)
    asked = [("sum", "visits"), ("percentile_100", "age"), "count", ("median", "age")]
    for _ in range(20):
        table = pd.DataFrame({"age": rng.integers(0, 5, 6), "visits": rng.integers(-3, 3, 6)})
        listed = dp.world_answers(asked, table, size)
        columns = [
            dp.world_answers("sum", table["visits"], size),
            dp.world_answers("percentile_100", table["age"], size),
            np.full(len(listed), size),
            dp.world_answers("median", table["age"], size),
        ]
        assert listed.tolist() == np.stack(columns, axis=1).tolist()
        rows, counts = np.unique(listed, axis=0, return_counts=True)
        worlds = dp.possible_worlds(asked, table, size)
        assert worlds.answers.tolist() == rows.tolist()
        assert worlds.masses == counts.tolist()
        assert worlds.weights.tolist() == (counts / math.comb(6, size)).tolist()
        assert worlds.peaks.tolist() == [1 / math.comb(6, size)] * len(rows)
        assert worlds.total == math.comb(6, size)


@given(drawn=universes_and_sizes(), query=st.sampled_from(QUERIES))
def test_a_list_of_one_query_is_a_column(drawn, query):
    """The same worlds, in one column instead of a row."""
    universe, size = drawn
    one, column = (dp.possible_worlds(ask, universe, size) for ask in (query, [query]))
    assert column.answers.shape == (len(one.answers), 1)
    assert column.answers[:, 0].tolist() == pytest.approx(one.answers.tolist(), rel=1e-14)
    assert column.masses == one.masses
    assert column.spread == pytest.approx([one.spread], rel=1e-13, abs=1e-9)
    assert one.rows.tolist() == one.answers[:, None].tolist()


@given(drawn=universes_and_sizes(), risk=st.fractions(Fraction(1, 60), Fraction(59, 60)))
def test_the_answers_that_grow_beyond_a_risk_are_those_of_few_worlds(drawn, risk):
    """Without noise an answer of so many worlds gives one of them away with 1 over that number."""
    universe, size = drawn
    worlds = dp.possible_worlds(["median", "sum"], universe, size)
    for accepted in (risk, worlds.largest_share):
        expected = [Fraction(1, mass) > accepted for mass in worlds.masses]
        assert worlds.growing(accepted).tolist() == expected


@given(drawn=universes_and_sizes(max_size=7))
def test_a_uniform_prior_counts_the_worlds(drawn):
    """Without a prior the masses are numbers of worlds, C(N, n) in all."""
    universe, size = drawn
    worlds = dp.possible_worlds("median", universe, size)
    assert sum(worlds.masses) == worlds.total == math.comb(len(universe), size)
    assert worlds.largest_prior == Fraction(1, worlds.total)
    assert set(worlds.peak_masses) == {1}


@given(drawn=universes_and_sizes(max_size=7))
def test_a_prior_that_is_uniform_changes_nothing(drawn):
    """Equal probabilities are the default."""
    universe, size = drawn
    total = math.comb(len(universe), size)
    default = dp.possible_worlds("mean", universe, size)
    uniform = dp.possible_worlds("mean", universe, size, prior=np.full(total, 1 / total))
    assert uniform.answers.tolist() == default.answers.tolist()
    assert uniform.weights.tolist() == pytest.approx(default.weights.tolist(), rel=1e-15)
    assert uniform.largest_prior == pytest.approx(default.largest_prior, rel=1e-15)


def test_variances_that_are_equal_on_paper_are_one_answer():
    """Both {0, 1, 7} and {0, 6, 7} have variance 86/9, although their floats may differ."""
    worlds = dp.possible_worlds("var", [0, 1, 6, 7], 3)
    assert worlds.answers.tolist() == pytest.approx([62 / 9, 86 / 9], rel=1e-15)
    assert worlds.weights.tolist() == [0.5, 0.5]
    raw = dp.world_answers("var", [0, 1, 6, 7], 3)
    assert raw.tolist() == pytest.approx([62 / 9, 86 / 9, 86 / 9, 62 / 9], rel=1e-15)


def itself(values):
    """The record of a release of one, for a query that has no name."""
    return values.sum(axis=-1)


def test_the_floats_of_a_callable_are_its_answers():
    """One ulp is a difference: a callable that rounds has been told apart by its rounding."""
    ulp = math.ulp(1.0)
    assert len(dp.possible_worlds(itself, [1.0, 1.0 + ulp], 1).answers) == 2
    assert len(dp.possible_worlds(itself, [1.0, 1.0], 1).answers) == 1


@pytest.mark.parametrize("query", ["mean", "sum", "median", "percentile_100"])
def test_answers_that_are_exact_are_tied_only_when_they_are_equal(query):
    """Nothing is rounded when one record is released or left out, so one ulp is a difference."""
    worlds = dp.possible_worlds(query, [1.0, 1.0, 1.0 + math.ulp(1.0)], 1)
    assert worlds.answers.tolist() == [1.0, 1.0 + math.ulp(1.0)]
    assert worlds.masses == [2, 1]


def test_a_percentile_is_the_decimal_that_is_written():
    """Of three records, 33.3333 lies 0.666666 of the way from the first to the second."""
    found = dp.possible_worlds("percentile_33.3333", [0, 1, 3, 7], 3).answers.tolist()
    share = Fraction("0.666666")
    assert found == [float(share), float(3 * share), float(1 + 2 * share)]


def test_equal_records_are_different_records():
    """Two worlds with equal values are two worlds."""
    worlds = dp.possible_worlds("mean", [5, 5, 5, 8], 1)
    assert worlds.answers.tolist() == [5, 8]
    assert worlds.weights.tolist() == [0.75, 0.25]
    assert worlds.total == 4


def test_an_impossible_world_is_not_weighed():
    """A world of probability 0 gives no answer, but it is still one of the worlds."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 10], 3, prior=[0.5, 0.25, 0.25, 0])
    assert worlds.answers.tolist() == [2, 13 / 3, 14 / 3]
    assert worlds.peaks.tolist() == [0.5, 0.25, 0.25]
    assert worlds.spread == 8 / 3
    assert worlds.total == 4


def test_the_first_world_of_n_minus_1_leaves_the_last_record_out():
    """The prior follows the lexicographic order of positions."""
    assert dp.world_answers("sum", [1, 2, 4, 8], 3).tolist() == [7, 11, 13, 14]
    worlds = dp.possible_worlds("sum", [1, 2, 4, 8], 3, prior=[1, 0, 0, 0])
    assert worlds.answers.tolist() == [7]


def test_a_prior_off_by_rounding_is_brought_back_to_one():
    """Probabilities that sum to 1 within 1e-9 are divided by their sum."""
    worlds = dp.possible_worlds("mean", [0, 1, 2], 1, prior=[0.5, 0.25, 0.25 + 9e-10])
    assert math.fsum(worlds.weights) == pytest.approx(1, rel=1e-15)
    assert worlds.largest_prior < Fraction(1, 2)


def test_half_of_six_records_is_20_worlds():
    """The means of three of {1, 2, 3, 4, 5, 10} lie 13/3 apart at most."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 4, 5, 10], 3)
    assert worlds.total == 20
    assert worlds.spread == pytest.approx(13 / 3, rel=1e-15)


def test_the_medians_of_the_school():
    """Lee and Clifton, section 6: two of the four worlds share each median."""
    assert dp.world_answers("median", [1, 2, 3, 10], 3).tolist() == [2, 2, 3, 3]
    worlds = dp.possible_worlds("median", [1, 2, 3, 10], 3)
    assert worlds.answers.tolist() == [2, 3]
    assert worlds.masses == [2, 2]


def test_a_count_tells_nothing():
    """All worlds give one answer."""
    worlds = dp.possible_worlds("count", [1, 2, 3, 10], 3)
    assert worlds.answers.tolist() == [3]
    assert worlds.spread == 0


@pytest.mark.parametrize("ask", [dp.possible_worlds, dp.world_answers])
def test_too_many_worlds_are_refused_with_their_number(ask):
    """The refusal says how many there are and what can be done."""
    message = r"^max_worlds is 9 but this release looks at 10 datasets: .* or raise max_worlds$"
    with pytest.raises(ValueError, match=message):
        ask(midrange, [1, 2, 3, 4, 5], 3, max_worlds=9)
    assert len(dp.world_answers("mean", [1, 2, 3, 4, 5], 3, max_worlds=10)) == 10
    with pytest.raises(ValueError, match=r"about 1e299 datasets"):
        ask(midrange, range(1000), 500)


@pytest.mark.parametrize("query", ["median", ["median", "count"]])
def test_more_than_1e300_worlds_are_refused_with_their_number(query):
    """They would not fit in a float, and the risks that need no worlds are named."""
    with pytest.raises(TooManyWorlds, match=r"^worlds must be at most 1e300 .* got about 1e359: "):
        dp.possible_worlds(query, np.arange(1200.0), 601)


TABLE = pd.DataFrame({"age": [1, 2, 3, 10], "visits": [0, 4, 4, 5], "name": list("abcd")})


@pytest.mark.parametrize("ask", [dp.possible_worlds, dp.world_answers])
@pytest.mark.parametrize(
    ("asked", "universe", "error", "message"),
    [
        ([], [1, 2, 3], ValueError, r"^query must name at least one statistic, got \[\]$"),
        (["mean", "mean"], [1, 2, 3], ValueError, "^query must name each statistic once, "),
        (["mean", "mode"], [1, 2, 3], ValueError, "^query must be one of .* got 'mode'$"),
        (["mean", 3], [1, 2, 3], TypeError, "^query must be a name or a callable, got 3$"),
        ("mean", TABLE, TypeError, r"^query must be a pair \(query, column\) .* got 'mean'$"),
        (("mean", "size"), TABLE, ValueError, "^column must be one of age, .* got 'size'$"),
        (("mean", "name"), TABLE, TypeError, "^column name must hold real numbers, got "),
        (("count", "age"), TABLE, ValueError, "^query count must be asked without a column"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, asked, universe, error, message):
    """No statistic, one twice, an unknown one, and columns that are missing or hold no numbers."""
    with pytest.raises(error, match=message):
        ask(asked, universe, 2)
