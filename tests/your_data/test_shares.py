"""Shares of one column are one histogram: what a changed record costs, by pairs of its values.

Groups are those of one column or of several.
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data.groups import groups_of
from dpchoose.your_data.shares import (
    SIGNS,
    histogram_loss,
    holds,
    parse_condition,
    patterns,
)

VALUES = [-9, 0, 0.5, 1, 1.5, 2, 2.5, 3, 99]
ASKED = [
    ["x=1"],
    ["x=1", "x=2", "x=3"],  # by value: the two largest rates
    ["x>=1", "x>=2", "x>=3"],  # nested: all of them
    ["x<1", "x<=1", "x>1", "x>=1"],
    ["x=1", "x>=2", "x<=2"],
    ["x=1", "x==1.0", "x=2"],
    ["x>=1", "x<3", "x=2", "x>0"],
]


def met(condition, value):
    """Whether a condition holds of a number."""
    return SIGNS[condition.sign](value, float(condition.value))


def test_the_spellings_of_a_number_are_one_class():
    """Who has 1000 has 1e3: one who gets .5 changes three shares."""
    table = pd.DataFrame({"x": ["1e3", "5", "0.5", "7"]})
    asked = [("share", f"x={text}") for text in ("1e3", "1000", ".5")]
    found = dp.PublicLimits(asked, table, {}).for_odds(3)
    assert found.question.answers().tolist() == [0.25] * 3
    assert sum(1 / 4 / found.table["noise scale"]) == pytest.approx(math.log(3), rel=1e-9)
    for truth in ([True, False], ["true", "0"], [1.0, "x"], [1, False]):
        for text in ("x=True", "x=1", "x=1.0", "x==TRUE"):
            assert holds(pd.Series(truth, name="x"), parse_condition(text)).tolist() == [1, 0]
    with pytest.warns(MissingCodeWarning, match="holds '2' in no row"):
        assert holds(pd.Series([True, False]), parse_condition("x=2")).tolist() == [0, 0]


def test_classes_are_all_that_the_values_of_a_cell_allow():
    """At numbers that are named, between and beyond them; of texts where no threshold is."""
    classes = {tuple(row) for row in patterns(["x=2.5", "x>=1", "x>=2"]).tolist()}
    assert classes == {(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)}
    classes = {tuple(row) for row in patterns(["x=1", "x=true", "x=a", "x=b"]).tolist()}
    assert classes == {(0, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}
    between = patterns(["x>1", "x<2"]).tolist()  # where both are met
    assert sorted(between) == [[False, True], [True, False], [True, True]]
    classes = {tuple(row) for row in patterns(["x<1", "x>1", "x=1"]).tolist()}
    assert classes == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    with pytest.raises(ValueError, match="compare x with numbers beside x>=1, got 'a'"):
        patterns(["x=a", "x>=1"])
    assert histogram_loss(np.array([1.0, 1, 3]), patterns(["x=1", "x=true", "x=2"])) == 5


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("texts", ASKED)
def test_shares_of_one_column_keep_the_factor_over_all_pairs_of_files(texts, rows):
    """Exactly, where no other answer stands beside them."""
    values, split = [1.0, 2, 3, 0], np.random.default_rng(0).uniform(1, 3, len(texts)).tolist()
    table = pd.DataFrame({"x": values})
    asked = [("share", text) for text in texts]
    question = dp.PublicLimits(asked, table, {}, rows_per_person=rows, split=split)
    scales = question.for_odds(3).scales
    columns = np.array([[met(parse_condition(text), v) for text in texts] for v in VALUES]) / 4
    moves = [columns[i] - columns[j] for i, j in itertools.permutations(range(len(VALUES)), 2)]
    moves = [sum(some) for some in itertools.combinations_with_replacement(moves, rows)]
    loss = max(float((abs(move) / scales).sum()) for move in moves)
    assert math.log(3) * (1 - 1e-9) < loss <= math.log(3) * (1 + 1e-12)


def test_a_mean_beside_them_and_shares_of_another_column_are_added():
    table = pd.DataFrame({"x": [0.0, 1, 2, 3], "y": [*"aabc"]})
    asked = [("mean", "x"), *(("share", text) for text in ("x>=1", "x>=2", "y=a", "y=b", "y=c"))]
    found = dp.PublicLimits(asked, table, {"x": (0, 3)}, split=[3, 1, 1, 1, 2, 2]).for_odds(3)
    mean, *shares = (1 / found.table["noise scale"]).tolist()
    loss = 3 / 4 * mean + (shares[0] + shares[1]) / 4 + sum(sorted(shares[2:])[1:]) / 4
    assert loss == pytest.approx(math.log(3), rel=1e-9)
    assert not found.readers["exact"].any()


def test_with_n_hidden_a_share_is_two_answers_and_two_columns_share_the_count():
    table = pd.DataFrame({"x": [1.0, 2, 3], "y": [*"abb"]})
    asked = [("share", "x>=2"), ("share", "y=b")]
    found = dp.PublicLimits(asked, table, {}, hide_n=True).for_odds(3)
    assert found.question.labels == ["centred sum:x>=2", "centred sum:y=b", "count"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [("x>=a", "share must compare x with a number"), (">=3", "share must be of COLUMN=VALUE"),
     ("x", "share must be of COLUMN=VALUE"), ("y>=1", "column y must hold numbers, got 'a'")],
)  # fmt: skip
def test_a_condition_that_means_nothing_is_refused(text, rule):
    table = pd.DataFrame({"x": [1.0, 2, 3], "y": [*"abb"]})
    with pytest.raises(ValueError, match=rule):
        dp.PublicLimits(("share", text), table, {}).for_odds(3)


def test_two_columns_are_the_groups_of_both():
    table = pd.DataFrame({"x": [1.0, 2, 3, 4], "ward": [*"nnss"], "sex": [*"fmff"]})
    found = dp.PublicLimits(("sum", "x"), table, {"x": (0, 9)}, by=["ward", "sex"]).for_odds(3)
    assert found.question.labels == ["sum:x, n, f", "sum:x, n, m", "sum:x, s, f"]
    assert found.table["noise scale"].tolist() == pytest.approx([9 / math.log(3)] * 3)
    how = {"hide_n": True, "groups": ["n, f", "n, m", "s, f", "s, m"]}
    hidden = dp.PublicLimits("count", table, {}, by=["ward", "sex"], **how).for_odds(3)
    assert hidden.question.labels == [f"count, {group}" for group in how["groups"]]
    assert hidden.table["noise scale"].tolist() == pytest.approx([2 / math.log(3)] * 4)


def test_groups_are_numbered_in_the_order_of_their_labels():
    table = pd.DataFrame({"age": ["b", "a", "b"], "los": [1.5, 2, 3]})
    codes, names = groups_of("age", table, 3)
    assert (codes.tolist(), names) == ([1, 0, 1], ["a", "b"])
    refused = {
        "by must be one of 'age', 'los', got 'ward'": "ward",
        "by must hold a label for each of 3 records, got 1": 5,
        "by must hold a label for each of 3 records, got 2": ["a", "b"],
        "by must label each record, got nan": ["a", math.nan, "b"],
        "by must not be masked": np.ma.array([1, 2, 3], mask=[0, 1, 0]),
        "by must hold labels of one kind": ["a", 1, "b"],
        "by must label each record, got <NA>": pd.array(["a", "b", None], "string"),
    }
    for rule, by in refused.items():
        with pytest.raises((ValueError, TypeError), match=rule):
            groups_of(by, table, 3)
