"""The table of recommendations: always an answer, and what each cell says is so."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

EPSILONS = [
    "epsilon worst case",
    "epsilon shell bound",
    "epsilon upper bound",
    "epsilon average case",
    "epsilon any mechanism",
]


def midrange(values):
    """A query without a name."""
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


@pytest.mark.parametrize("adjacency", ["unbounded", "bounded"])
@pytest.mark.parametrize("query", ["sum", "mean", "median", "var", "count", midrange])
@given(
    universe=st.lists(st.integers(0, 9), min_size=3, max_size=7),
    risk=st.sampled_from(["1/50", "1/5", 0.4, "0.9"]),
    data=st.data(),
)
def test_a_row_is_what_its_functions_say(query, adjacency, universe, risk, data):
    """Whatever is asked there is a row, and each number in it can be had by itself."""
    size = data.draw(st.integers(1, len(universe) - 1))
    row = dp.recommend(query, universe, size, risk=risk, adjacency=adjacency).loc[0]
    worlds = dp.possible_worlds(query, universe, size)
    sensitivity = dp.global_sensitivity(query, universe, size, adjacency=adjacency).value
    assert row["worlds"] == worlds.total
    assert row["sensitivity"] == sensitivity
    assert row["spread"] == worlds.spread
    for bound in ("worst-case", "upper", "average"):
        column = {"worst-case": "worst case", "upper": "upper bound", "average": "average case"}
        cell = row[f"epsilon {column[bound]}"]
        try:
            epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=sensitivity, bound=bound)
        except dp.UnattainableRisk:
            assert cell.startswith("cannot be met: ")
            continue
        assert cell == ("any epsilon will do" if epsilon == math.inf else epsilon)
    assert row["epsilon"] == row["epsilon worst case"]
    if isinstance(row["epsilon"], float):
        assert row["noise scale"] == sensitivity / row["epsilon"]
        assert row["half-width"] == pytest.approx(row["noise scale"] * math.log(20))
        numbers = [row[name] for name in EPSILONS[:2]]
        assert numbers[1] <= numbers[0] * (1 + 1e-9)
    else:
        assert row["reason"]


@given(
    universe=st.lists(st.integers(0, 9), min_size=3, max_size=7, unique=True),
    risk=st.fractions(Fraction(7, 20), Fraction(9, 10), max_denominator=20),
    data=st.data(),
)
def test_no_mechanism_discloses_more(universe, risk, data):
    """Epsilon for any mechanism keeps the promise for Laplace noise too, on either adjacency."""
    size = data.draw(st.integers(1, len(universe) - 1))
    for adjacency in ("bounded", "unbounded"):
        row = dp.recommend("mean", universe, size, risk=risk, adjacency=adjacency).loc[0]
        assert row["epsilon any mechanism"] <= row["epsilon worst case"] * (1 + 1e-12)
        total, few = math.comb(len(universe), size), min(size, len(universe) - size)
        steps = few if adjacency == "bounded" else 2 * few
        odds = (total - 1) * risk / (1 - risk)
        expected = math.log(odds) / steps
        assert row["epsilon any mechanism"] == pytest.approx(expected, rel=1e-12)


def test_two_thousand_real_records_get_an_answer():
    """By the shell bound, and the blank worst case is explained."""
    incomes = pd.Series(np.random.default_rng(0).lognormal(10, 1, 2000))
    row = dp.recommend("mean", incomes, 1000, risk=0.01).loc[0]
    assert math.isnan(row["epsilon worst case"])
    assert row["epsilon"] == row["epsilon shell bound"] > row["epsilon upper bound"]
    assert row["worlds"] == "about 1e600"
    assert row["reason"].startswith("no worst case: about 1e600 worlds can be neither counted nor")
    assert row["reason"].endswith("epsilon is by the shell bound")


def test_the_record_that_is_exposed_is_in_the_table():
    """No world exceeds 0.2, and yet some record's presence is certain."""
    row = dp.recommend("mean", [1, 2, 3, 4, 5, 1000], 3, risk=0.2).loc[0]
    assert row["epsilon"] == pytest.approx(265.5186, abs=1e-4)
    assert row["record present"] > 0.999
    assert row["record absent"] > 0.999
    assert "a record can be told" in row["reason"]


def test_a_row_for_each_query_and_risk():
    """In the order in which they were asked, the risks as they were written."""
    table = dp.recommend(["mean", "median"], [1, 2, 3, 10], 3, risk=["1/3", 0.5])
    assert table["query"].tolist() == ["mean", "mean", "median", "median"]
    assert table["risk"].tolist() == ["1/3", 0.5, "1/3", 0.5]
    assert table["epsilon"][0] == pytest.approx(0.4317201195672, abs=1e-9)
    assert table["epsilon"][2] == pytest.approx(4 * math.log(2), rel=1e-15)
    assert table["epsilon"][3] == "any epsilon will do"
    assert table["noise scale"][3] == 0
    assert "1/2 = 0.5" in table["reason"][3]
    assert table["relative half-width"][0] == pytest.approx(table["half-width"][0] / 4)


def test_a_risk_that_cannot_be_met_is_a_cell():
    """With the least risk that can, and the sentence of the error."""
    row = dp.recommend("mean", [1, 2, 3, 10], 3, risk=0.2).loc[0]
    for name in (*EPSILONS, "epsilon"):
        assert row[name] == "cannot be met: must exceed 1/4 = 0.25"
    assert math.isnan(row["noise scale"])
    assert row["reason"].startswith("risk must exceed 1/4 = 0.25")


def test_an_answer_of_zero_has_no_relative_width():
    """The cell is blank."""
    row = dp.recommend("sum", [-1, 0, 1], 2, risk=0.5).loc[0]
    assert math.isnan(row["relative half-width"])


def test_a_query_of_which_nothing_can_be_known_has_a_row_too():
    """Blank, with the refusals."""
    row = dp.recommend(midrange, np.arange(40.0), 20, risk=0.1).loc[0]
    assert all(math.isnan(row[name]) for name in [*EPSILONS, "epsilon", "sensitivity"])
    assert row["query"] == "midrange"
    assert row["reason"].startswith("no sensitivity: max_worlds is 10,000,000 but")


def test_a_median_of_two_thousand_real_records_is_counted():
    """Its 500,000 answers have more worlds than floats can say, and a worst case all the same."""
    universe = np.random.default_rng(0).lognormal(10, 1, 2000)
    row = dp.recommend("median", universe, 1000, risk=0.01).loc[0]
    assert row["epsilon"] == row["epsilon worst case"] > row["epsilon shell bound"]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"query": "mode"}, ValueError, r"^query must be one of "),
        ({"query": ["mean", 3]}, TypeError, r"^query must be a name or a callable, got 3$"),
        ({"risk": [0.5, 2]}, ValueError, r"^risk must lie in \(0, 1\), got 2"),
        ({"adjacency": "near"}, ValueError, r"^adjacency must be one of "),
        ({"release_size": 4}, ValueError, r"^release_size must be in \[1, 3\], got 4$"),
        ({"max_worlds": 0}, ValueError, r"^max_worlds must be at least 1, got 0$"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong, error, message):
    """Before any work."""
    asked = {"query": "mean", "universe": [1, 2, 3, 10], "release_size": 3, "risk": 0.5} | wrong
    with pytest.raises(error, match=message):
        dp.recommend(asked.pop("query"), asked.pop("universe"), asked.pop("release_size"), **asked)
