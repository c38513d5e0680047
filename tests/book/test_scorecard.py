"""The scorecard, from chapters that the tests write."""

import json

import pytest
from dpbook import published, scorecard
from dpbook.tables import CHECKED

ROW = dict.fromkeys(published.COLUMNS, "") | {"verdict": "agrees"}


@pytest.fixture
def executed(tmp_path):
    """A folder of executed chapters; each is given the addresses that it checks."""

    def write(**chapters):
        for slug, addresses in chapters.items():
            rows = dict.fromkeys(addresses, ROW)
            output = {"metadata": {"text/html": {CHECKED: rows}}}
            title = {"source": [f"# What of {slug}?\n", "\n", "**Claim.**"]}
            cells = [title, {"source": [], "outputs": [output]}]
            (tmp_path / f"{slug}.ipynb").write_text(json.dumps({"cells": cells}))
        return tmp_path

    return write


def test_every_part_of_every_fact_has_one_row_in_the_order_of_the_facts(executed):
    first, *rest = published.addresses()
    card = scorecard.gather(executed(b=rest, a=[first]))
    assert card.index.tolist() == published.addresses()
    assert card.chapters.iloc[0] == (("a", "What of a?"),)


def test_a_fact_that_two_chapters_check_links_to_both(executed):
    everything = published.addresses()
    card = scorecard.gather(executed(a=everything, b=everything[:1]))
    assert [slug for slug, _ in card.chapters.iloc[0]] == ["a", "b"]
    page = scorecard.as_html(card)
    for slug in "ab":
        assert f'href="chapters/{slug}.html#{everything[0]}"' in page


def test_a_fact_without_a_verdict_is_refused_by_name(executed):
    with pytest.raises(ValueError, match=r"must have a verdict, none for lc-ratio$"):
        scorecard.gather(executed(a=[name for name in published.addresses() if name != "lc-ratio"]))


def test_addresses_name_one_part_each():
    addresses = published.addresses()
    assert len(set(addresses)) == len(addresses) > len(published.facts())


def test_what_a_source_prints_cannot_become_markup(executed):
    card = scorecard.gather(executed(a=published.addresses()))
    card["quantity"] = "<script>"
    assert "<script>" not in scorecard.as_html(card)
