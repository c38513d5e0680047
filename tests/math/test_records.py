"""The risk of a record is the largest posterior of its worlds, over all outputs."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

QUERIES = ["sum", "mean", "median", "var", "percentile_25"]


@st.composite
def releases(draw, max_size=7):
    kind = draw(st.sampled_from([st.integers(0, 3), st.floats(-5, 5, width=16)]))
    universe = draw(st.lists(kind.map(float), min_size=2, max_size=max_size))
    return universe, draw(st.integers(1, len(universe) - 1))


@pytest.mark.parametrize("query", QUERIES)
@given(
    drawn=releases(), epsilon=st.sampled_from([0.0, 0.1, 1.0, 7.0, 100.0]), more=st.floats(-9, 9)
)
def test_no_output_says_more_about_a_record_and_one_says_as_much(query, drawn, epsilon, more):
    """Held against a fine grid of outputs, far ones and the answers themselves."""
    universe, size = drawn
    answers = dp.world_answers(query, universe, size)
    at = {"epsilon": epsilon, "sensitivity": 1.5}
    table = dp.record_risk(query, universe, size, **at)
    low, high = answers.min(), answers.max()
    outputs = np.concatenate([answers, np.linspace(low - 1, high + 1, 101), [more, -1e3, 1e3]])
    beliefs = dp.posterior(answers, outputs, **at)
    worlds = list(itertools.combinations(range(len(universe)), size))
    for record, row in enumerate(table.itertuples()):
        holds = np.array([record in world for world in worlds])
        present = beliefs[:, holds].sum(axis=1).max()
        absent = beliefs[:, ~holds].sum(axis=1).max()
        assert row.present == pytest.approx(present, rel=1e-10)
        assert row.absent == pytest.approx(absent, rel=1e-10)
        assert row.prior == size / len(universe)
        assert row.present >= row.prior * (1 - 1e-12)


@pytest.mark.parametrize("query", QUERIES)
@given(drawn=releases())
def test_when_all_but_one_are_released_an_absence_is_a_world(query, drawn):
    """The largest posterior of an absence is the worst-case risk."""
    universe, _ = drawn
    at = {"epsilon": 0.8, "sensitivity": 1.5}
    table = dp.record_risk(query, universe, len(universe) - 1, **at)
    worlds = dp.possible_worlds(query, universe, len(universe) - 1)
    assert table.absent.max() == pytest.approx(dp.worst_case_risk(worlds, **at), rel=1e-12)


def test_a_hundred_thousand_records_of_which_one_is_left_out():
    """Each in turn without a second look at the others."""
    universe = np.random.default_rng(0).normal(size=100_000)
    at = {"epsilon": 10.0, "sensitivity": float(np.ptp(universe)) / 1e5}
    table = dp.record_risk("mean", universe, 99_999, **at)
    worlds = dp.possible_worlds("mean", universe, 99_999)
    assert table.absent.max() == pytest.approx(dp.worst_case_risk(worlds, **at), rel=1e-9)
    assert table.absent.idxmax() in (universe.argmin(), universe.argmax())


def test_a_record_is_exposed_although_no_world_is():
    """Whether 1000 is in is certain although no world of three records exceeds 0.2."""
    universe = [1, 2, 3, 4, 5, 1000]
    sensitivity = dp.global_sensitivity("mean", universe, 3).value
    worlds = dp.possible_worlds("mean", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk=0.2, sensitivity=sensitivity)
    assert epsilon == pytest.approx(265.5186, abs=1e-4)
    table = dp.record_risk("mean", universe, 3, epsilon=epsilon, sensitivity=sensitivity)
    assert table.prior.tolist() == [0.5] * 6
    assert table.present[5] == pytest.approx(1, abs=1e-12)
    assert table.absent[5] == pytest.approx(1, abs=1e-12)
    assert table.present[:5].max() < 0.9


def test_the_index_of_a_series_is_kept():
    """Rows are known by name, in the order of the universe."""
    days = pd.Series([10, 1, 3, 2], index=["Terry", "Chris", "Pat", "Kelly"])
    table = dp.record_risk("mean", days, 3, epsilon=1, sensitivity=17 / 6)
    assert table.index.tolist() == days.index.tolist()
    assert table.value.tolist() == days.tolist()
    assert table.absent.idxmax() == "Terry"


def test_without_noise_a_record_is_told_by_its_answers():
    """At infinity, or sensitivity 0, each answer speaks for its worlds alone."""
    for at in ({"epsilon": math.inf, "sensitivity": 1}, {"epsilon": 1, "sensitivity": 0}):
        table = dp.record_risk("median", [1, 2, 3, 10], 3, **at)
        assert table.absent.tolist() == [0.5, 0.5, 0.5, 0.5]
        assert table.present.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"epsilon": -1}, r"^epsilon must lie in \[0, inf\], got -1"),
        ({"sensitivity": -1}, r"^sensitivity must lie in \[0, inf\), got -1"),
        ({"max_worlds": 9}, r"^max_worlds is 9 but this record risk looks at 10 datasets"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong, message):
    """With the argument, the rule and the value."""
    with pytest.raises(ValueError, match=message):
        dp.record_risk("mean", [1, 2, 3, 4, 5], 3, **{"epsilon": 1, "sensitivity": 1} | wrong)
