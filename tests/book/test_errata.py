"""What the sources have wrong: each fact has a heading on the page, and the search its digits."""

import re

import pytest
from dpbook import errata, published
from dpbook.chapter import NOTEBOOKS

import dpchoose as dp

SCHOOL = {"school_year": [1, 2, 3, 4], "absence_days": [1, 2, 3, 10]}
PAGE = (NOTEBOOKS / "published.md").read_text("utf-8")


def test_every_fact_in_error_has_the_heading_of_an_erratum_on_the_page():
    named = {fact["erratum"] for fact in published.facts().values() if "erratum" in fact}
    assert named <= set(re.findall(r"^### (.*)$", PAGE, flags=re.M))


def searched(query, column, bound=dp.tight_bound):
    worlds = dp.possible_worlds(query, SCHOOL[column], 3)
    at = {"sensitivity": dp.global_sensitivity(query, SCHOOL[column], 3).value}
    found = errata.halving(bound, worlds, risk="1/3", **at)
    return found, dp.tight_bound(worlds, epsilon=found, **at)


@pytest.mark.parametrize(
    ("query", "fact", "bound"),
    [
        ("mean", "mu-search-label", dp.upper_bound),
        ("mean", "mu-tight", dp.tight_bound),
        ("median", "mu-median-tight", dp.tight_bound),
    ],
)
@pytest.mark.parametrize("column", SCHOOL)
def test_the_published_search_gives_the_published_digits(query, fact, bound, column):
    found, _ = searched(query, column, bound)
    assert published.agrees(published.facts()[fact]["printed"][column], found)


def test_the_published_search_ends_on_either_side_of_the_risk():
    assert {bool(searched("mean", column)[1] > 1 / 3) for column in SCHOOL} == {True, False}
