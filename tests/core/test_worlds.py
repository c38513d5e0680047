"""The possible worlds are the n-subsets of positions; equal answers are one, by exact fractions."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from definition import mp, worlds
from hypothesis import given
from hypothesis import strategies as st
from strategies import awkward_releases, midrange, priors, universes_and_sizes, unless_far

import dpchoose as dp

UNIT = mp.mpf(2) ** -53


asked = functools.partial(unless_far, dp.possible_worlds)


def classes(rows, shares=None):
    """The rows that are alike: (row, shares of its worlds), those of share 0 left out, in order."""
    shares = [Fraction(1)] * len(rows) if shares is None else list(map(Fraction, shares))
    some = sorted((row, share) for row, share in zip(rows, shares) if share)
    groups = itertools.groupby(some, key=lambda pair: pair[0])
    return [(row, [share for _, share in pairs]) for row, pairs in groups]


def assert_weighed(found, alike, total):
    """One row for all that are alike, with the sum and the largest of their shares, exactly."""
    whole = sum(sum(shares) for _, shares in alike)
    for masses, weights, of in (
        (found.masses, found.weights, sum),
        (found.peak_masses, found.peaks, max),
    ):
        exact = [of(shares) / whole for _, shares in alike]
        assert [Fraction(int(mass), int(sum(found.masses))) for mass in masses] == exact
        assert weights.tolist() == pytest.approx(list(map(float, exact)), rel=1e-15)
    assert found.total == total
    assert found.largest_prior == max(max(shares) for _, shares in alike) / whole
    assert found.largest_share == max(max(shares) / sum(shares) for _, shares in alike)


def assert_placed(places, exact):
    """From the answer of one of them each lies as far as it should, within four roundings."""
    for column, answers in zip(places.T.tolist(), zip(*exact)):
        origin = answers[column.index(0.0)]
        for place, answer in zip(column, answers):
            assert abs(place - (answer - origin)) <= 4 * UNIT * abs(answer - origin)


@given(drawn=awkward_releases(), data=st.data())
def test_worlds_are_the_definition_for_any_records_and_queries(drawn, data):
    """Answers, masses, places, spread, in every kind of number, with any prior."""
    universe, size, queries = drawn
    prior = data.draw(priors(math.comb(len(universe), size)))
    found, (_, rows) = asked(queries, universe, size, prior=prior), worlds(queries, universe, size)
    alike = classes(rows, prior)
    assert_weighed(found, alike, len(rows))
    exact = [row for row, _ in alike]
    for column, answers in zip(found.answers.T.tolist(), zip(*exact)):
        for answer, meant in zip(column, answers):
            assert abs(answer - meant) <= 4 * UNIT * abs(meant)
    assert_placed(found.coordinates, exact)
    widths = [max(answers) - min(answers) for answers in zip(*exact)]
    assert np.ravel(found.spread).tolist() == pytest.approx(list(map(float, widths)), rel=1e-14)
    listed = dp.world_answers(queries, universe, size)
    np.testing.assert_allclose(listed, np.array(rows, dtype=float), rtol=1e-15)


@given(drawn=universes_and_sizes(max_size=5), prior=st.booleans())
def test_a_callable_is_asked_for_each_world(drawn, prior):
    """Alone or in a list; its floats are its answers, and it may spoil what it is given."""
    universe, size = drawn
    records = np.array(universe)
    answers = [midrange(np.array(world)) for world in itertools.combinations(universe, size)]
    shares = np.arange(1.0, len(answers) + 1) if prior else np.ones(len(answers))

    def spoils(values):
        answer = midrange(values)
        values[...] = 0
        return answer

    found = dp.possible_worlds(spoils, records, size, prior=shares / shares.sum())
    alike = classes([(answer,) for answer in answers], (shares / shares.sum()).tolist())
    assert_weighed(found, alike, len(answers))
    assert found.answers.tolist() == [row[0] for row, _ in alike]
    assert dp.world_answers([spoils], records, size)[:, 0].tolist() == answers
    assert records.tolist() == universe


def test_the_prior_follows_the_order_of_positions_and_is_brought_to_one():
    """The first world of n = N - 1 leaves the last record out; an impossible one is still one."""
    table = pd.DataFrame({"x": [1, 2, 4, 8], "y": [5, 5, 5, 5]})
    pairs, prior = [("sum", "x"), ("median", "y"), "count"], [0.5, 0.25, 0.25 + 9e-10, 0]
    listed = dp.world_answers(pairs, table, 3)
    assert listed.tolist() == [[7, 5, 3], [11, 5, 3], [13, 5, 3], [14, 5, 3]]
    found = dp.possible_worlds(pairs, table, 3, prior=prior)
    assert found.answers.tolist() == listed[:3].tolist()
    assert math.fsum(found.weights) == pytest.approx(1, rel=1e-15)
    assert (found.spread.tolist(), found.total) == ([6, 0, 0], 4)


def test_many_records_less_one_are_not_listed():
    """For every named query one sort, and the answers are exact."""
    values = np.arange(100_000) % 1000
    for query in ("mean", "var", "std", "median", "percentile_33.3"):
        found = dp.possible_worlds(query, values, 99_999)
        assert sum(found.masses) == found.total == 100_000
        assert len(found.answers) <= 1000
    mean = (values.sum() - np.arange(999, -1, -1)) / 99_999
    exact = dp.possible_worlds("mean", values, 99_999).answers
    np.testing.assert_allclose(exact, mean, rtol=1e-15)


def test_numbers_beyond_every_float_on_the_way_are_none():
    """Squares of small decimals beside 1, and the widest records that are taken."""
    for universe in ([1.0, 1e-100, 2e-100, 1.0, 3.0], [1e50, 1e-50, 2.0, 1e50, 7.0]):
        for query in ("sum", "mean", "var", "std"):
            assert np.isfinite(asked(query, universe, 4).coordinates).all()


@pytest.mark.parametrize("ask", [dp.possible_worlds, dp.world_answers])
def test_too_many_worlds_are_refused_with_their_number(ask):
    """The refusal says how many there are and what can be done."""
    message = r"^max_worlds is 9 but this release looks at 10 datasets: .* or raise max_worlds$"
    for query in (midrange, "mean", "median", ["count", "var"]):
        with pytest.raises(dp.TooManyDatasets, match=message):
            ask(query, [1, 2, 3, 4, 5], 3, max_worlds=9)
    for records, size, said in ((1000, 500, "1e299"), (1200, 601, "1e359"), (10**6, 10**5, "1e14")):
        with pytest.raises(dp.TooManyDatasets, match=f"about {said}"):
            ask("median", np.arange(float(records)), size)


def test_a_prior_that_floats_cannot_weigh_is_refused():
    """A tiny one, that is not 0."""
    with pytest.raises(ValueError, match=r"^prior must be 0 or at least 1e-290 of a world"):
        dp.possible_worlds("mean", [1, 2, 3, 4], 3, prior=[1 - 1e-300, 1e-300, 0, 0])


@pytest.mark.parametrize("query", ["mean", "var", ["mean", "median"]])
def test_worlds_know_the_sensitivity_of_what_was_asked(query):
    worlds = dp.possible_worlds(query, [1, 2, 3, 10], 3)
    named = query if isinstance(query, list) else [query]
    steps = [float(dp.global_sensitivity(one, [1, 2, 3, 10], 3)) for one in named]
    assert np.ravel(worlds.sensitivity).tolist() == steps
    at = {"risk": "1/3", "sensitivity": worlds.sensitivity}
    given, known = (dp.epsilon_from_risk(worlds, **one) for one in (at, {"risk": "1/3"}))
    assert np.array_equal(given, known)
    assert dp.tight_bound(worlds, epsilon=known) <= 1 / 3
    for bound in (dp.tight_bound, dp.upper_bound, *([] if worlds.several else [dp.average_risk])):
        same = bound(worlds, epsilon=known, sensitivity=worlds.sensitivity)
        assert bound(worlds, epsilon=known) == same
