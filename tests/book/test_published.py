"""What is printed, what agrees with it, and when a difference is explained."""

import functools
import itertools
import math
import re

import pytest
from dpbook import build, ours, published
from dpbook.neighbours import neighbourhood_diameter
from dpbook.places import FIGURES, NOTEBOOKS

import dpchoose as dp


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        (".3062", 0.306151, True),
        (".3062", 0.306249, True),
        (".3062", 0.306149, False),
        (".3062", 0.306251, False),
        ("4", 4.4, True),
        ("4", 4.6, False),
        ("0.6931471805599453", 0.6931471805599453 * (1 + 9e-13), True),
        ("0.6931471805599453", 0.6931471805599453 * (1 + 2e-12), False),
        ("log(3)", math.log(3), True),
        ("log(3)", 1.0986, False),
        ("greater", "greater", True),
        ("greater", "smaller", False),
    ],
)
def test_the_last_printed_digit_sets_the_tolerance(printed, ours, verdict):
    assert published.agrees(printed, ours) is verdict


TIGHT = {"school_year": 0.5251496872, "absence_days": 0.4317201194}  # rounded down
SEARCHED = {"school_year": 0.525149770057615, "absence_days": 0.43171996782769506}
ROW = {"epsilon 5": [0.9705, 0.0158, 0.0088, 0.0049]}
ROUNDED = {"epsilon 5": [0.9705, 0.0159, 0.0087, 0.0049]}
DRAWN = {"Married-civ-spouse": 177.8}  # 176 is printed


@pytest.mark.parametrize(
    ("fact", "ours", "others", "verdicts"),
    [
        ("lc-ratio", 3.2933, {}, ["agrees"]),
        ("lc-ratio", 3.3, {}, ["differs"]),
        ("lc-numerator", 0.30619, {}, ["explained"]),
        ("lc-numerator", 0.31, {}, ["differs"]),
        ("mu-tight", TIGHT, {}, ["explained"] * 2),
        ("mu-tight", TIGHT, {"rerun": SEARCHED}, ["explained"] * 2),
        ("mu-tight", TIGHT, {"rerun": TIGHT}, ["differs"] * 2),
        ("mu-tight", {"school_year": TIGHT["school_year"] + 1e-9}, {}, ["differs"]),
        ("lc-table2", ROW, {}, ["differs"]),
        ("lc-table2", ROW, {"rerun": ROUNDED}, ["explained"]),
        ("exp-draws", DRAWN, {}, ["differs"]),
        ("exp-draws", DRAWN, {"within": {"Married-civ-spouse": 1.9}}, ["agrees"]),
        ("exp-draws", DRAWN, {"within": {"Married-civ-spouse": 1.7}}, ["differs"]),
        (
            "rr-observed",
            {"mean": 0.2, "noisy": 0.35},
            {"within": {"mean": 0.008}},
            ["agrees", "differs"],
        ),
    ],
)
def test_a_verdict(fact, ours, others, verdicts):
    known = {name: {fact: value} for name, value in others.items()}
    assert published.compare({fact: ours}, **known).verdict.tolist() == verdicts


@pytest.mark.parametrize(
    ("fact", "ours", "within", "shown"),
    [
        ("exp-draws", {"Divorced": 0.92}, {"Divorced": 1.9}, "0.9 ± 1.9"),
        ("exp-epsilon", 0.001, None, "0.0010"),
        ("rr-epsilon", math.log(3), None, repr(math.log(3))),
    ],
)
def test_a_value_is_shown_to_the_digits_of_what_is_right(fact, ours, within, shown):
    table = published.compare({fact: ours}, within={fact: within} if within else None)
    assert table.ours.tolist() == [shown]


computed = functools.cache(lambda slug: ours.CHAPTERS[slug]())


@pytest.mark.parametrize("slug", ours.CHAPTERS)
def test_what_the_package_computes_differs_nowhere(slug):
    published.require_agreement(published.compare(**computed(slug)))


def test_every_fact_is_computed_by_one_chapter():
    facts = [fact for slug in ours.CHAPTERS for fact in computed(slug)["ours"]]
    assert sorted(facts) == sorted(published.facts())
    assert ours.CHAPTERS.keys() <= {*build.slugs()}


def test_a_sequence_of_another_length_is_refused():
    with pytest.raises(ValueError, match="4 printed values, got 1"):
        published.compare({"lc-densities": 0.3})


def test_a_number_that_differs_fails_and_is_named():
    table = published.compare({"lc-ratio": 3.3})
    with pytest.raises(AssertionError, match=r"ratio of the tail prob.*3\.2933, ours 3\.3"):
        published.require_agreement(table)


@pytest.mark.parametrize("fact", published.facts().values(), ids=lambda fact: fact["id"])
def test_every_fact_says_what_it_is_and_every_error_has_an_erratum(fact):
    assert {"id", "source", "where", "what", "printed"} <= fact.keys()
    assert "erratum" in fact or "right" not in fact


def test_every_fact_in_error_has_the_heading_of_an_erratum_on_the_page():
    page = (NOTEBOOKS / "published.md").read_text("utf-8")
    named = {fact["erratum"] for fact in published.facts().values() if "erratum" in fact}
    assert named <= set(re.findall(r"^### (.*)$", page, flags=re.M))


def test_addresses_name_one_part_each():
    assert len(set(published.addresses())) == len(published.addresses())


def test_every_published_figure_has_its_files_and_its_chapter():
    for figure in published.document()["figures"]:
        assert figure["chapter"] in build.slugs()
        assert figure["source"] in published.document()["sources"]
        assert all((FIGURES / f"{name}.svg").exists() for name in figure["files"])


def test_an_output_is_found_from_its_rounded_posteriors():
    answers, at = [2, 13 / 3, 14 / 3, 5], {"epsilon": 2, "sensitivity": 17 / 6}
    rounded = [f"{belief:.4f}" for belief in dp.posterior(answers, 2.9, **at)]
    low, high = published.outputs_behind(rounded, answers, **at)
    assert low <= 2.9 <= high < low + 1e-3
    assert published.outputs_behind([".9", ".1"], [0, 1], epsilon=1, sensitivity=1) is None


def test_a_printed_table_is_computed_at_an_outermost_answer_that_gives_it():
    answers, sensitivity = dp.world_answers("mean", [1, 2, 3, 10], 3), 17 / 6
    rows = published.posterior_rows("lc-table3", answers, answers, sensitivity=sensitivity)
    for row, beliefs in rows.items():
        at_2 = dp.posterior(answers, 2, epsilon=float(row.split()[1]), sensitivity=sensitivity)
        assert beliefs.tolist() == at_2.tolist()
    rounded = answers.round(2)
    rows = published.posterior_rows("lc-table2", rounded, rounded, sensitivity=sensitivity)
    at_5 = dp.posterior(rounded, 5, epsilon=0.1, sensitivity=sensitivity)
    assert rows["epsilon 0.1"].tolist() == at_5.tolist()
    assert published.compare({"lc-table2": rows}).verdict.tolist() == ["agrees"] * 6


def test_the_ledger_has_every_value_in_the_order_of_the_facts(monkeypatch):
    monkeypatch.setattr(published, "addresses", lambda: ["lc-ratio", "lc-greater"])
    chapters = {
        "a": lambda: {"ours": {"lc-greater": "smaller"}},
        "b": lambda: {"ours": {"lc-ratio": 3.29325}},
    }
    card = published.ledger(chapters)
    assert card.index.tolist() == ["lc-ratio", "lc-greater"]
    assert card.chapter.tolist() == ["[b](b.ipynb)", "[a](a.ipynb)"]
    with pytest.raises(KeyError, match="lc-ratio"):
        published.ledger({"a": chapters["a"]})


def test_the_ledger_is_folded_under_how_many_rows_have_each_verdict():
    rows = published.compare({"lc-ratio": 3.29325, "lc-greater": "smaller"})
    page = published.shown(rows.assign(chapter="a"), "Lee and Clifton")
    summary, body = page.data.split("</summary>")
    assert page.data.startswith("<details")
    assert "Lee and Clifton: 1 agrees, 1 explained" in summary
    assert body.count("\n| ") == 3
    assert "| [explained](#greater-stands-for-smaller) |" in body


# -- the diameter that is published as a local sensitivity, against its definition


@pytest.mark.parametrize("query", ["count", "mean", "median", "var"])
@pytest.mark.parametrize("distance", [1, 2, 3])
def test_it_is_the_widest_of_the_worlds_that_share_so_many_records_of_the_release(query, distance):
    universe, release = [3.0, 1, 4, 1, 5, 9], {0, 2, 5}
    worlds = [set(world) for world in itertools.combinations(range(6), 3)]
    answers = dp.world_answers(query, universe, 3)
    expected = max(
        abs(one - other)
        for core in itertools.combinations(release, 3 - distance)
        for (a, one), (b, other) in itertools.combinations(zip(worlds, answers), 2)
        if a >= set(core) <= b
    )
    found = neighbourhood_diameter(query, universe, sorted(release), distance=distance)
    assert found == pytest.approx(expected, abs=1e-12)
