"""A named query gives the number that its definition gives, and has one name."""

import math
from fractions import Fraction

import definition
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NAMED_QUERIES, QUERIES, midrange, universes

import dpchoose as dp
from dpchoose import queries


@pytest.mark.parametrize("query", NAMED_QUERIES)
@given(records=universes(min_size=1, max_size=8))
def test_a_named_query_is_its_definition(query, records):
    expected = float(definition.answer(query, list(map(Fraction, records))))
    got = float(queries.evaluate(query, np.array(records)))
    largest = 0 if query in ("var", "std") else max(map(abs, records))
    assert got == pytest.approx(expected, rel=1e-14, abs=4 * math.ulp(largest))


@pytest.mark.parametrize("query", QUERIES)
@given(records=universes(min_size=2, max_size=6))
def test_datasets_are_answered_one_by_one_along_the_last_axis(query, records):
    stack = np.array([[np.roll(records, turn), records[::-1]] for turn in range(3)], dtype=float)
    alone = [[float(queries.evaluate(query, row)) for row in pair] for pair in stack]
    assert queries.evaluate(query, stack).tolist() == alone


@given(records=universes(), offset=st.sampled_from([1e6, -1e9, 2.0**40]))
def test_a_variance_far_from_zero_keeps_its_digits(records, offset):
    quarters = np.round(np.array(records) * 4) / 4
    for query in ("var", "std"):
        assert queries.evaluate(query, quarters) == queries.evaluate(query, quarters + offset)


def test_a_callable_that_sorts_its_rows_leaves_them_as_they_were():
    rows = np.array([[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]])

    def middle(values):
        values.sort(axis=-1)
        return values[..., 1]

    assert queries.evaluate(middle, rows).tolist() == [2.0, 8.0]
    assert rows.tolist() == [[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]]


def test_a_query_must_give_one_finite_number_per_dataset():
    shapes = [lambda values: values, lambda values: values.sum()]
    infinite = [lambda values: values[..., 0] * math.nan, lambda values: values[..., 0] + math.inf]
    for query in shapes:
        with pytest.raises(ValueError, match=r"^query must reduce the last axis: .* got \("):
            queries.evaluate(query, np.ones((3, 2)))
    for query in [*infinite, "sum"]:
        with pytest.raises(ValueError, match=r"^query must give finite answers, got"):
            queries.evaluate(query, np.full((3, 2), 1.5e308))


@given(digits=st.integers(0, 10**6), places=st.integers(0, 4), size=st.integers(1, 10**9))
def test_a_percentile_has_an_exact_place(digits, places, size):
    p = Fraction(digits % (100 * 10**places + 1), 10**places)
    query = f"percentile_{float(p):.4f}".rstrip("0").rstrip(".") if p else "percentile_0"
    rank, beyond = queries.place_of(query, size)
    assert queries.rank_of(query) == p / 100
    assert rank + beyond == p / 100 * (size - 1)
    assert 0 <= beyond < 1


def test_the_median_is_percentile_50_and_no_other_query_has_a_rank():
    assert queries.rank_of("median") == queries.rank_of("percentile_50") == Fraction(1, 2)
    assert queries.rank_of("percentile_99.9999999999999") == Fraction(999999999999999, 10**15)
    assert queries.rank_of("mean") is queries.rank_of(midrange) is None


@pytest.mark.parametrize(
    "text",
    [
        *["25.0", "+25", "2_5", "1e1", " 25", "٢٥", "025", ".5", "5.", "1_0.5", "0e999999999"],
        "100.0",
    ],
)
def test_a_percentile_has_one_spelling(text):
    with pytest.raises(ValueError, match=r"a plain decimal .* as short as 25 or 12\.5, got"):
        queries.resolve(f"percentile_{text}")


@pytest.mark.parametrize(
    "text",
    [
        *["", "p", "-1", "-0", "100.1", "101", "nan", "inf", "33.33333333333333", "1e-9999999"],
        *["1e9999999", "1e-99999999999999999999", "9" * 5000, f"0.{10**-9:.100000f}"],
    ],
)
def test_a_percentile_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match=r"needs a p in \[0, 100\], .*, got 'percentile_[^:]*$"):
        queries.rank_of(f"percentile_{text}")


def test_a_percentile_of_a_million_records_keeps_its_share():
    records = np.repeat([0.0, 1.0], [999_900, 100])
    answer = queries.evaluate("percentile_99.99", records)
    assert answer == float(Fraction(9999, 10**4) * 999_999 - 999_899)


# What is asked of a table.

TABLE = pd.DataFrame({"age": [30, 40, 50], "los": [1.5, 2, 3], "percentile_rank": [1, 2, 3]})


def test_statistics_are_asked_alone_together_and_of_columns():
    for query, found in {"mean": ["mean"], ("mean", "var"): ["mean", "var"]}.items():
        asked = queries.ask(query, [1, 2, 3])
        assert ([one.label for one in asked.statistics], asked.several) == (found, len(found) > 1)
    asked = queries.ask([("mean", "age"), ("sum", "los"), "count", (midrange, "age")], TABLE)
    labels = ["mean:age", "sum:los", "count", "midrange:age"]
    assert [one.label for one in asked.statistics] == labels
    (ranks,) = queries.ask(("mean", "percentile_rank"), TABLE).statistics
    assert ranks.values.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        (("mean", "aeg"), "column must be one of 'age', 'los', .* got 'aeg'"),
        (("mean", ["age"]), r"column must be one of .* got \['age'\]"),
        (("maen", "age"), "query must be one of count"),
    ],
)
def test_what_cannot_be_asked_of_a_table_is_refused(query, rule):
    """What is no query is refused by test_checks, at every door."""
    with pytest.raises(ValueError, match=rule):
        queries.ask(query, TABLE)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: dp.world_answers("range", [1, 2, 3, 10], 3),
        lambda: dp.possible_worlds("range", [1, 2, 3, 10], 3),
        lambda: dp.global_sensitivity("range", [1, 2, 3, 10], 3),
        lambda: dp.local_sensitivity("range", [1, 2, 3, 10], [0, 1, 2]),
    ],
)
def test_a_name_without_its_exact_answer_is_refused(ask, monkeypatch):
    monkeypatch.setitem(queries.NAMED, "range", lambda values: np.ptp(values, axis=-1))
    with pytest.raises(ValueError, match="query must be a percentile here, got range"):
        ask()
