"""What is printed, what agrees with it, and when a difference is explained."""

import math
import re

import pandas as pd
import pytest
from dpbook import ledger, published, scorecard, tables

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


def verdict(fact, ours, **others):
    known = {name: {fact: value} for name, value in others.items()}
    return published.compare({fact: ours}, **known).verdict.tolist()


def test_a_value_as_printed_agrees():
    assert verdict("lc-ratio", 3.2933) == ["agrees"]


def test_a_value_that_is_neither_printed_nor_right_differs():
    assert verdict("lc-ratio", 3.3) == ["differs"]
    assert verdict("lc-numerator", 0.31) == ["differs"]


def test_a_wrong_print_is_explained_by_the_right_value():
    assert verdict("lc-numerator", 0.30619) == ["explained"]


def test_a_rerun_of_the_source_must_give_what_it_prints():
    right = {"school_year": 0.5251496872695, "absence_days": 0.4317201195672}
    printed = {"school_year": 0.525149770057615, "absence_days": 0.43171996782769506}
    assert verdict("mu-tight", right, rerun=printed) == ["explained", "explained"]
    assert verdict("mu-tight", right, rerun=right) == ["differs", "differs"]


def test_a_difference_without_a_known_right_value_or_rerun_differs():
    row = {"epsilon 5": [0.9705, 0.0158, 0.0088, 0.0049]}
    assert verdict("lc-table2", row) == ["differs"]
    rerun = {"epsilon 5": [0.9705, 0.0159, 0.0087, 0.0049]}
    assert verdict("lc-table2", row, rerun=rerun) == ["explained"]


def test_a_random_number_agrees_within_its_uncertainty_and_not_beyond():
    expected = {"Married-civ-spouse": 177.8}  # 176 is printed
    assert verdict("exp-draws", expected) == ["differs"]
    assert verdict("exp-draws", expected, within={"Married-civ-spouse": 1.9}) == ["agrees"]
    assert verdict("exp-draws", expected, within={"Married-civ-spouse": 1.7}) == ["differs"]


def test_an_uncertainty_of_one_part_says_nothing_about_another():
    run = {"mean": 0.2, "noisy": 0.35}
    assert verdict("rr-observed", run, within={"mean": 0.008}) == ["agrees", "differs"]


def test_an_uncertainty_is_shown_beside_the_expected_value():
    table = published.compare(
        {"exp-draws": {"Divorced": 0.92}}, within={"exp-draws": {"Divorced": 1.9}}
    )
    assert table.reproduced.tolist() == ["0.9 ± 1.9"]


def test_a_value_is_shown_to_the_digits_of_what_is_right():
    assert published.compare({"exp-epsilon": 0.001}).reproduced.tolist() == ["0.0010"]
    assert published.compare({"rr-epsilon": math.log(3)}).reproduced.tolist() == [repr(math.log(3))]


def test_each_printed_part_has_a_row_and_a_sequence_has_its_largest_difference():
    table = published.compare({"lc-densities": [0.3062, 0.0784, 0.0619, 0.0490]})
    assert table.columns.tolist() == published.COLUMNS
    assert table.difference.tolist() == pytest.approx([1e-4])


def test_a_sequence_of_another_length_is_refused():
    with pytest.raises(ValueError, match="4 printed values, got 1"):
        published.compare({"lc-densities": 0.3})


def test_a_number_that_differs_fails_and_is_named():
    table = published.compare({"lc-ratio": 3.3})
    with pytest.raises(
        AssertionError, match=r"ratio of the tail probabilities.*3\.2933, ours 3\.3"
    ):
        published.require_agreement(table)


@pytest.mark.parametrize("fact", published.facts().values(), ids=lambda fact: fact["id"])
def test_every_fact_says_what_it_is_and_every_error_has_a_cause(fact):
    assert {"id", "source", "where", "what", "printed"} <= fact.keys()
    if "right" in fact:
        assert fact["cause"]


def test_an_output_is_found_from_its_rounded_posteriors():
    answers = [2, 13 / 3, 14 / 3, 5]
    beliefs = dp.posterior(answers, 2.9, epsilon=2, sensitivity=17 / 6)
    low, high = published.outputs_behind(
        [f"{belief:.4f}" for belief in beliefs], answers, epsilon=2, sensitivity=17 / 6
    )
    assert low <= 2.9 <= high
    assert high - low < 1e-3


def test_beliefs_that_no_output_gives_have_no_output():
    assert published.outputs_behind([".9", ".1"], [0, 1], epsilon=1, sensitivity=1) is None


# -- the scorecard


@pytest.fixture
def checked(tmp_path):
    """A folder of check tables; each chapter is given the addresses that it checks."""

    def write(**chapters):
        row = dict.fromkeys(published.COLUMNS, "") | {"verdict": "agrees", "published": ".30"}
        for slug, addresses in chapters.items():
            rows = pd.DataFrame([row] * len(addresses), index=addresses)
            rows.to_csv(tmp_path / f"{slug}.csv", index_label="fact")
        return tmp_path

    return write


def test_every_part_of_every_fact_has_one_row_in_the_order_of_the_facts(checked):
    first, *rest = published.addresses()
    card = published.scorecard(checked(b=[*rest, first], a=[first]))
    assert card.index.tolist() == published.addresses()
    assert card.chapters.tolist() == [["a", "b"]] + [["b"]] * len(rest)
    assert set(card.published) == {".30"}
    assert card.difference.isna().all()


def test_a_fact_without_a_verdict_is_refused_by_name(checked):
    others = [name for name in published.addresses() if name != "lc-ratio"]
    with pytest.raises(ValueError, match=r"must have a verdict, none for lc-ratio$"):
        published.scorecard(checked(a=others))
    with pytest.raises(ValueError, match=r"must have a verdict, none for lc-"):
        published.scorecard(checked())


def test_a_table_that_a_chapter_leaves_is_read_as_it_was_compared(tmp_path):
    compared = published.compare({"lc-ratio": 3.29325, "lc-greater": "smaller"})
    rest = pd.DataFrame(index=[a for a in published.addresses() if a not in compared.index])
    pd.concat([compared, rest]).to_csv(tmp_path / "a.csv", index_label="fact")
    read = published.scorecard(tmp_path).loc[compared.index, published.COLUMNS]
    pd.testing.assert_frame_equal(read, compared, check_names=False)


def test_addresses_name_one_part_each():
    assert len(set(published.addresses())) == len(published.addresses())


# -- as tables


def test_each_row_of_a_check_has_the_address_to_which_the_scorecard_links(checked):
    card = published.scorecard(checked(a=published.addresses(), b=published.addresses()[:1]))
    page = tables.scorecard_table(card).data
    rows = tables.check_table(card.drop(columns="chapters")).data
    for address in card.index:
        assert f'href="a.html#{address}"' in page
        assert f'id="{address}"' in rows
    assert page.count('href="b.html#') == 1


def test_a_check_table_is_folded_under_how_many_rows_have_each_verdict():
    compared = published.compare({"lc-ratio": 3.29325, "lc-greater": "smaller"})
    page = tables.check_table(compared.assign(verdict=["agrees", "explained"])).data
    summary, rows = page.split("</summary>")
    assert page.startswith("<details")
    assert "1 agrees, 1 explained" in summary
    assert rows.count("<tr") == 3


def test_the_scorecard_counts_each_source_and_gives_each_explained_statement_a_line(checked):
    """The value that is farthest off stands for its statement, and leads to the erratum."""
    card = published.scorecard(checked(a=published.addresses()))
    wrong = [address for address in card.index if published.fact_of()[address] == "lc-table2"]
    card.loc[wrong, "verdict"] = "explained"
    card["difference"] = [2.0 if address == wrong[3] else 1.0 for address in card.index]
    counts = scorecard.pieces(card).set_index("source")
    assert counts["values"].sum() == len(card)
    assert counts.loc["Lee and Clifton", "explained"] == counts["explained"].sum() == len(wrong)
    page = scorecard.explained(card).data
    assert re.findall(r'href="a.html#([^"]*)"', page) == [wrong[3]]
    assert f"farthest off of {len(wrong)}" in page
    assert f'errata.html#{published.address(ledger.titles()["lc-table2"])}"' in page
    shown = scorecard.by_source(card).data
    assert all(f'href="a.html#{address}"' in shown for address in card.index)
    assert shown.count("<details") == len(counts)


def test_text_cannot_become_markup(checked):
    card = published.scorecard(checked(a=published.addresses())).assign(quantity="<script>")
    assert "<script>" not in tables.scorecard_table(card).data


def test_numbers_stand_to_the_right_and_an_epsilon_is_rounded_down():
    frame = pd.DataFrame(
        {"ε": [1.99999, math.nan, math.inf], "n": [1, 2, 3], "of": ["a", "b", "c"]}
    )
    text = tables.table(frame).data
    assert re.findall(r"col(\d) {\s*text-align: (\w+)", text) == [
        ("0", "right"),
        ("1", "right"),
        ("2", "left"),
    ]
    assert re.findall(r"col0\" >([^<]+)</td>", text) == ["1.9999", "none", "any"]
