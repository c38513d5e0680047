"""A named query gives the number that its definition gives."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NAMED_QUERIES, midrange, of_each_family, universes

from dpchoose.data import queries


def by_definition(query, records):
    """The answer in exact arithmetic, except for the root of a standard deviation."""
    exact = sorted(map(Fraction, records))
    n = len(exact)
    centre = sum(exact) / n
    if query.startswith("percentile_"):
        place = Fraction(query.removeprefix("percentile_")) / 100 * (n - 1)
        low = math.floor(place)
        high = min(low + 1, n - 1)
        return exact[low] + (place - low) * (exact[high] - exact[low])
    variance = sum((value - centre) ** 2 for value in exact) / n
    return {
        "count": Fraction(n),
        "sum": sum(exact),
        "mean": centre,
        "median": statistics.median(exact),
        "var": variance,
        "std": math.sqrt(variance),
    }[query]


@pytest.mark.parametrize("query", NAMED_QUERIES)
@given(records=universes(min_size=1, max_size=8))
def test_a_named_query_is_its_definition(query, records):
    """Every name stands for the textbook formula, computed here with fractions."""
    expected = float(by_definition(query, records))
    got = float(queries.evaluate(query, np.array(records)))
    largest = 0 if query in ("var", "std") else max(map(abs, records))
    assert got == pytest.approx(expected, rel=1e-14, abs=4 * math.ulp(largest))


@of_each_family
@given(records=universes(min_size=2, max_size=6), data=st.data())
def test_datasets_are_answered_one_by_one_along_the_last_axis(family, records, data):
    """A stack of datasets has the stack of their answers, whatever its shape."""
    query = data.draw(st.sampled_from(family))
    stack = np.array([[np.roll(records, turn), records[::-1]] for turn in range(3)], dtype=float)
    answers = queries.evaluate(query, stack)
    assert answers.shape == (3, 2)
    alone = [[float(queries.evaluate(query, row)) for row in pair] for pair in stack]
    assert answers.tolist() == alone


@given(records=universes(), offset=st.sampled_from([1e6, -1e9, 2.0**40]))
def test_a_variance_far_from_zero_keeps_its_digits(records, offset):
    """Data moved by an offset have the same variance and standard deviation, to the last bit."""
    here, there = np.array(records), np.array(records) + offset
    for query in ("var", "std"):
        assert queries.evaluate(query, here) == queries.evaluate(query, there)


@given(records=universes(min_size=1, max_size=8))
def test_the_median_is_the_50th_percentile(records):
    """Half of the records lie on either side of both."""
    median = queries.evaluate("median", np.array(records))
    assert queries.evaluate("percentile_50", np.array(records)) == pytest.approx(median, rel=1e-15)


@given(records=universes(min_size=1, max_size=8))
def test_the_outer_percentiles_are_the_extremes(records):
    """Percentile 0 is the smallest record and percentile 100 the largest."""
    assert queries.evaluate("percentile_0", np.array(records)) == min(records)
    assert queries.evaluate("percentile_100", np.array(records)) == max(records)


def test_a_callable_stands_for_itself():
    """A query that is no name is used as it is."""
    assert queries.resolve(midrange) is midrange
    assert queries.evaluate(midrange, np.array([[1.0, 2.0, 9.0]])).tolist() == [5.0]


def test_a_callable_that_sorts_its_rows_leaves_them_as_they_were():
    """It may do with its own copy what it likes."""
    rows = np.array([[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]])

    def middle(values):
        values.sort(axis=-1)
        return values[..., 1]

    assert queries.evaluate(middle, rows).tolist() == [2.0, 8.0]
    assert rows.tolist() == [[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]]


@pytest.mark.parametrize(
    ("query", "rank"),
    [("percentile_0", 0), ("percentile_12.5", 12.5), ("percentile_100", 100), ("median", 50)],
)
def test_a_percentile_is_named_by_its_rank(query, rank):
    """The p of percentile_p may be any number from 0 to 100."""
    assert queries.percentile_rank(query) == rank


@pytest.mark.parametrize("query", ["mean", midrange])
def test_only_a_percentile_has_a_rank(query):
    """Any other query has none."""
    assert queries.percentile_rank(query) is None


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (lambda values: values, r"^query must reduce the last axis: .* got \(3, 2\)$"),
        (lambda values: values.sum(), r"^query must reduce the last axis: .* got \(\)$"),
        (lambda values: values[..., 0] * math.nan, "^query must give finite answers, got"),
        (lambda values: values.sum(axis=-1) + math.inf, "^query must give finite answers, got"),
    ],
)
def test_a_callable_must_give_one_finite_number_per_dataset(query, message):
    """Another shape, and an answer that is not finite, are refused."""
    with pytest.raises(ValueError, match=message):
        queries.evaluate(query, np.ones((3, 2)))


def test_an_answer_beyond_the_floats_is_refused():
    """A sum that overflows has no finite answer."""
    with pytest.raises(ValueError, match=r"^query must give finite answers, got"):
        queries.evaluate("sum", np.array([1.5e308, 1.5e308]))
