"""A person may have several rows: the promise for people with up to K rows, by brute force.

A person's rows may lie in any groups, and with n hidden there may be any number of them, from
none to K. Nothing of the package is used but the noise scales that it returns.
"""

import itertools
import math
from collections import Counter

import definition
import numpy as np
import pandas as pd
import pytest

import dpchoose as dp

LIMITS = {"x": (-2, 5)}
TABLE = pd.DataFrame({"x": [0.0, 1, 2, 3, 4], "g": [*"AABBB"], "c": [*"abaab"]})


def adds(labels, record, sizes):
    """What a row adds to each answer; a mean is a sum over a public size."""
    sums = [label.replace("mean", "sum").replace("share", "sum") for label in labels]
    amounts = [definition.of_everybody(one, [record], LIMITS, float) for one in sums]
    size = sizes[record["group"]]
    return [x / (1 if a == b else size) for x, a, b in zip(amounts, sums, labels)]


def loss_of(found, rows, groups, *, hidden):
    """The largest privacy loss between two sets of rows that a person may have."""
    sizes = Counter(TABLE["g"]) if len(groups) > 1 else Counter(A=5)
    records = [{"x": x, "c": c, "group": g} for g in groups for x in LIMITS["x"] for c in "abz"]
    scales = found.table["noise scale"].to_numpy()[: len(found.question.labels)]
    added = np.array([adds(found.question.labels, one, sizes) for one in records]) / scales
    numbers, places = range(rows + 1) if hidden else [rows], range(len(records))
    people = [some for k in numbers for some in itertools.combinations_with_replacement(places, k)]
    sums = np.array([added[list(some)].sum(axis=0) for some in people])
    apart = np.abs(sums[:, None] - sums).sum(axis=-1)
    if not hidden:  # where somebody's rows are is known
        kinds = [[records[place]["group"] for place in some] for some in people]
        apart[[[one != other for other in kinds] for one in kinds]] = 0
    return float(apart.max())


ASKED = [
    (["count"], True),
    ([("sum", "x"), "count"], True),
    ([("mean", "x")], True),
    ([("share", "c=a"), ("sum", "x")], True),
    ([("sum", "x")], False),
    ([("mean", "x"), ("share", "c=a"), ("share", "c=b")], False),
]


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(("asked", "hidden"), ASKED)
def test_people_with_up_to_k_rows_keep_the_factor(asked, hidden, grouped, rows):
    """Never more than was accepted; all of it, where the answers have a common worst pair."""
    groups = ["A", "B"] if grouped else ["A"]
    limits = LIMITS if any(one[-1] == "x" for one in asked) else {}
    how = {
        "hide_n": hidden,
        "rows_per_person": rows,
        "limits": limits,
        "by": "g" if grouped else None,
    }
    how["groups"] = groups if hidden and grouped else None
    found = dp.PublicLimits(asked, TABLE, **how).for_odds(3)
    loss = loss_of(found, rows, groups, hidden=hidden)
    assert loss <= math.log(3) * (1 + 1e-12)
    assert len(asked) > 1 or loss > math.log(3) * (1 - 1e-9)
    single = dp.PublicLimits(asked, TABLE, **how | {"rows_per_person": 1}).for_odds(3)
    widened = found.table["noise scale"] / single.table["noise scale"]
    assert widened.dropna().tolist() == pytest.approx([rows] * len(found.question.labels))
    assert found.epsilon == pytest.approx(single.epsilon)


def test_epsilon_is_that_of_k_rows():
    """Of noise that somebody has three times that of one row, and the factor its cube."""
    once, thrice = (dp.PublicLimits("mean", range(9), (0, 8), rows_per_person=rows).at_scale(2)
                    for rows in (1, 3))  # fmt: skip
    assert thrice.epsilon == pytest.approx(3 * once.epsilon) == pytest.approx(3 * 8 / 9 / 2)
    assert thrice.odds == pytest.approx(once.odds**3)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_median_of_k_rows_has_k_times_the_places(hidden):
    scales = [
        dp.PublicLimits(
            "percentile_90", range(20), (0, 19), hide_n=hidden, rows_per_person=k
        ).for_odds(3)
        for k in (1, 3)
    ]
    one, three = (found.table["noise scale"][0] for found in scales)
    assert (one, three) == pytest.approx((2 / math.log(3), 6 / math.log(3)))


@pytest.mark.parametrize("rows", [0, -1, 1.5, True])
def test_k_is_a_whole_number_of_at_least_one(rows):
    with pytest.raises((ValueError, TypeError), match="rows_per_person must be"):
        dp.PublicLimits("mean", [1, 2], (0, 3), rows_per_person=rows).for_odds(3)


# The command.


STAYS = ("--ask", "mean:stay", "--limits", "stay=0:60", "--odds", "3")


@pytest.fixture
def stays(tmp_path):
    path = tmp_path / "stays.csv"
    path.write_text("id,stay\na,1\na,2\na,3\nb,4\nc,5\nc,6\n")
    return path


CLAUSES = [
    ((), "(factor 3, where each person has one row)."),
    (("--rows-per-person", "3"), "(factor 3, for people with up to 3 rows each)."),
    (
        ("--rows-per-person", "3", "--person", "id"),
        "(factor 3, for people with up to 3 rows each).",
    ),
    (("--where", "stay in (1, 4, 5)", "--person", "id"), "50% at most 75% (factor 3)."),
]


@pytest.mark.parametrize(("words", "clause"), CLAUSES)
def test_the_first_sentence_says_how_many_rows_a_person_has(stays, found, words, clause):
    """And says nothing of it where it was checked that each has one."""
    told = found("epsilon", stays, *STAYS, *words)
    assert told["sentences"][0].endswith(clause)
    assert told["factor"] == 3
    assert told["question"]["rows_per_person"] == (3 if "--rows-per-person" in words else 1)


def test_who_has_more_rows_is_refused_without_the_advice_of_a_larger_k(stays, run):
    """K read off the file would be an answer without noise."""
    for rows, rule in ((1, "1 row at most"), (2, "2 rows at most")):
        code, _, error = run("epsilon", stays, *STAYS, "--person", "id", "--rows-per-person", rows)
        assert code == 2
        assert (
            f"column id must hold each person in {rule}, got 'a' in row 1 below the names: add up "
            "each person's rows in the file, or use the first ones alone (--keep-rows, where"
        ) in error
        assert "3" not in error.replace(str(rows), "", 1)
        assert "--rows" not in error
        assert "table" not in error


def test_of_people_with_several_rows_the_factor_is_a_bound():
    """Whether a person has them is not looked up in the file."""
    for rows in (1, 2):
        found = dp.PublicLimits("mean", [1, 2, 3, 10], (0, 20), rows_per_person=rows).for_odds(3)
        assert found.readers.exact.tolist() == [rows == 1]
