"""The possible worlds are the n-subsets of positions, weighed by the prior."""

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import QUERIES, midrange, priors, universes_and_sizes
from test_sensitivity import answer, with_numpy

import dpchoose as dp


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_sizes(max_size=7))
def test_there_is_one_answer_per_subset_in_lexicographic_order(query, drawn):
    """World by world, the answer is the query's answer to that subset."""
    universe, size = drawn
    answers = dp.world_answers(query, universe, size)
    expected = [
        with_numpy(query, np.array(world)) for world in itertools.combinations(universe, size)
    ]
    assert answers.tolist() == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=universes_and_sizes(max_size=7), data=st.data())
def test_worlds_are_grouped_by_their_exact_answer(query, drawn, data):
    """Worlds tied on paper are merged, others are not, and every group has its worlds' prior."""
    universe, size = drawn
    prior = data.draw(priors(math.comb(len(universe), size)))
    worlds = dp.possible_worlds(query, universe, size, prior=prior)
    groups = defaultdict(list)
    subsets = list(itertools.combinations(universe, size))
    shares = [Fraction(1)] * len(subsets) if prior is None else list(map(Fraction, prior))
    for world, share in zip(subsets, shares):
        if share > 0:
            groups[answer(query, world)].append(share)
    expected = sorted(groups)
    floats = list(map(float, expected))
    rounding = 4 * math.ulp(max(map(abs, universe)))
    assert worlds.answers.tolist() == pytest.approx(floats, rel=1e-14, abs=rounding)
    assert worlds.total == len(subsets)
    assert list(worlds.masses) == [sum(groups[a]) for a in expected]
    assert list(worlds.peak_masses) == [max(groups[a]) for a in expected]
    whole = sum(shares)
    assert worlds.weights.tolist() == [float(sum(groups[a]) / whole) for a in expected]
    assert worlds.peaks.tolist() == [float(max(groups[a]) / whole) for a in expected]
    assert worlds.largest_prior == max(shares) / whole
    assert worlds.spread == worlds.answers.max() - worlds.answers.min()


@given(drawn=universes_and_sizes(max_size=7), data=st.data())
def test_the_weights_sum_to_one(drawn, data):
    """Some world is the true one."""
    universe, size = drawn
    prior = data.draw(priors(math.comb(len(universe), size)))
    worlds = dp.possible_worlds("mean", universe, size, prior=prior)
    assert math.fsum(worlds.weights) == pytest.approx(1, rel=1e-15)


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


def test_a_tie_is_a_difference_of_no_more_than_8_ulps_of_the_largest_answer():
    """What rounding can make is merged; one ulp more is another answer."""
    ulp = math.ulp(1.0)
    assert len(dp.possible_worlds(itself, [1.0, 1.0 + 8 * ulp], 1).answers) == 1
    assert len(dp.possible_worlds(itself, [1.0, 1.0 + 9 * ulp], 1).answers) == 2
    assert len(dp.possible_worlds(itself, [-1.0, 1.0, 1.0 + 8 * ulp], 1).answers) == 2


def test_a_long_run_of_near_ties_is_left_apart():
    """A hundred answers, each near the next, are not one answer."""
    records = 1 + 4 * math.ulp(1.0) * np.arange(100)
    assert len(dp.possible_worlds(itself, records, 1).answers) == 100


@pytest.mark.parametrize("query", ["mean", "sum", "median", "percentile_100"])
def test_answers_that_are_exact_are_tied_only_when_they_are_equal(query):
    """Nothing is rounded when one record is released or left out, so one ulp is a difference."""
    worlds = dp.possible_worlds(query, [1.0, 1.0, 1.0 + math.ulp(1.0)], 1)
    assert worlds.answers.tolist() == [1.0, 1.0 + math.ulp(1.0)]
    assert worlds.masses == [2, 1]


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
    assert worlds.spread == 14 / 3 - 2
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
        ask("mean", range(1000), 500)
