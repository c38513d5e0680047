"""A recommendation: numbers in a table, readers beside it, words, and always an answer."""

import html
import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import AWKWARD, QUERIES, unless_far

import dpchoose as dp

DAYS = [1, 2, 3, 10]
GOALS = [{"odds": 3}, {"risk": 0.45}, {"risk": "5%", "before": "1%"}, {"odds": "3/2"}]
GOALS += [{"error": 0.5}, {"error": "5%"}, {"epsilon": 1}, {"scale": 0.7}, {"scale": 0}]
FACTORS = {1.5, 2, 3, 5, 10, 30, 100}
LOG_20 = math.log(20)  # the 95 % error of Laplace noise over its scale


@st.composite
def files(draw):
    """A file of one kind, its release, one or two statistics, a goal that fits."""
    kind = AWKWARD[draw(st.sampled_from(["whole", "tenths", "money", "offsets"]))]
    universe, goal = draw(st.lists(kind, min_size=3, max_size=6)), draw(st.sampled_from(GOALS))
    alone = goal.keys() == {"risk"}
    size = len(universe) - 1 if alone else draw(st.integers(1, len(universe) - 1))
    queries = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=2, unique=True))
    return universe, size, queries, goal


def recommended(queries, universe, size=None, **at):
    """One that is not refused for values that are too far apart, or an error of nothing."""
    try:
        return unless_far(dp.recommend, queries, universe, size, **at)
    except ValueError:
        assume("error" not in at)
        raise


@given(files(), st.sampled_from(["unbounded", "bounded"]))
@example(([0.1, 0.2, 0.4, 0.7], 3, ["mean", "median"], {"odds": 3}), "bounded")
def test_its_numbers_are_those_of_its_functions(drawn, adjacency):
    """Each can be had by itself, and what is asked the other way round is the same."""
    universe, size, queries, goal = drawn
    result = recommended(queries, universe, size, adjacency=adjacency, **goal)
    table, scales = result.table, result.table["noise scale"]
    at = {"adjacency": adjacency}
    known = [dp.global_sensitivity(query, universe, size, **at).value for query in queries]
    assert table.sensitivity.tolist() == pytest.approx(known, rel=1e-12)
    if result.status not in ("ok", "computed"):
        return
    assert result.epsilon == pytest.approx(table.epsilon.sum())
    costly = table[table.epsilon > 0]
    assert (costly["noise scale"] * costly.epsilon).tolist() == pytest.approx(
        costly.sensitivity.tolist()
    )
    noisy = table[scales > 0]
    assert noisy["95% error"].tolist() == pytest.approx((scales[scales > 0] * LOG_20).tolist())
    again = [{"scale": scales.tolist()}]
    if (table.epsilon > 0).all() and result.epsilon < math.inf:
        shares = table.epsilon.tolist()
        again += [{"epsilon": shares}, {"epsilon": result.epsilon, "split": shares}]
    for goal in again:
        back = recommended(queries, universe, size, adjacency=adjacency, **goal)
        assert back.table["noise scale"].tolist() == pytest.approx(scales.tolist(), rel=1e-9)
        assert back.readers.after.iloc[-1] == pytest.approx(result.readers.after.iloc[-1], rel=1e-9)


def assert_up(shown, value, slack=1.001):
    """A number that is printed is rounded up; what is over a million may be without limit."""
    if shown is None:
        assert not value < 1e6
    else:
        assert value * (1 - 1e-11) - 1e-6 <= shown <= value * slack + 1e-4


@given(files(), st.booleans())
@example(([0.0, 0.0, 1.0], 1, ["count", "sum"], {"scale": 0.7}), False)
def test_the_dictionary_is_the_result_rounded_safely(drawn, mask):
    """Scales, errors, risks, factors up and epsilons down; nothing infinite; plain JSON."""
    universe, size, queries, goal = drawn
    who = {"released": [1] * size + [0] * (len(universe) - size)} if mask else {}
    result = recommended(queries, universe, None if mask else size, **goal, **who)
    report = result.to_dict()
    assert json.loads(json.dumps(report, allow_nan=False)) == report  # no nan, nothing infinite
    keys = "question accepted status reason factor;of 100;odds answers epsilon readers choices"
    assert list(report) == [*re.split(r" (?!100)|;", keys), "sentences", "private"]
    assert (report["question"]["records"], report["question"]["released"]) == (len(universe), size)
    assert report["accepted"]["goal"] in goal
    for row, answer in zip(result.table.to_dict("records"), report["answers"]):
        assert answer["statistic"] == row["statistic"]
        assert_up(answer["scale"], row["noise scale"])
        assert_up(answer["error"], row["95% error"], slack=1.11)
        if answer["scale"]:  # the noise is drawn with the scale that is printed
            assert answer["error"] >= answer["scale"] * LOG_20 * (1 - 1e-11)
        if answer["epsilon"] is not None:  # of noise that is given it is rounded up
            excess = (answer["epsilon"] - row["epsilon"]) * (1 if "scale" in goal else -1)
            assert 0 <= excess <= row["epsilon"] * 0.001 + 1e-4
        assert (answer["exact"] is not None) <= (mask and answer["scale"] == 0)
    for row, reader in zip(result.readers.to_dict("records"), report["readers"]):
        assert list(reader) == ["reader", "before", "after", "factor", "exact", "promised"]
        assert_up(reader["after"], row["after"], slack=1.1)
        assert_up(reader["factor"], row["factor"], slack=1.02)
    assert len(report["choices"]) == len(result.choices())
    if result.refused:
        assert report["readers"] == report["choices"] == []
        assert {answer["scale"] for answer in report["answers"]} == {None}
        assert report["reason"] in report["sentences"][0]


@given(files())
def test_the_choices_are_what_each_factor_costs(drawn):
    """The error of every answer at seven factors and at this one's; suspicions of 100."""
    universe, size, queries, goal = drawn
    result = recommended(queries, universe, size, **goal)
    rows = result.choices()
    if len(rows) == 0:
        return
    assert rows.factor.is_monotonic_increasing
    assert rows.chosen.sum() == int(result.odds < math.inf)
    assert {*rows.factor}.issuperset(f for f in FACTORS if abs(f / result.odds - 1) > 1e-6)
    assert list(rows)[-1] == ("suspects nobody" if size == len(universe) - 1 else "after 50")
    for _, row in rows.iterrows():
        for of in (1, 10, 50):
            odds = row["factor"] * of / (100 - of)
            assert row[f"after {of}"] == pytest.approx(odds / (1 + odds), rel=1e-9)
        scales = [row[f"error of {label}"] / LOG_20 for label in result.asked.labels]
        if all(0 < scale < math.inf for scale in scales):
            back = recommended(queries, universe, size, scale=scales)
            assert back.odds == pytest.approx(row["factor"], rel=1e-6)
            if "suspects nobody" in rows:
                assert row["suspects nobody"] == pytest.approx(back.readers.after[0], rel=1e-6)


@given(
    universe=st.lists(st.integers(0, 9), min_size=3, max_size=6, unique=True),
    queries=st.permutations(["count", "sum", "mean", "median"]),
    adjacency=st.sampled_from(["bounded", "unbounded"]),
    each=st.lists(st.sampled_from([0.1, 0.5, 1, 4]), min_size=4, max_size=4),
)
@example(universe=DAYS, queries=["mean", "median", "count"], adjacency="bounded", each=[1, 0.1, 1])
def test_every_error_falls_as_the_factor_grows_in_proportion(universe, queries, adjacency, each):
    """With an epsilon for each answer, of which one may be equal in every world."""
    how = {"release_size": len(universe) - 1, "adjacency": adjacency, "epsilon": each}
    result = dp.recommend(queries, universe, **how)
    rows = result.choices()
    errors = rows[[f"error of {query}" for query in queries]].to_numpy()
    informative = result.asked.informative
    assert (errors[:, ~informative] == errors[0, ~informative]).all()  # whose noise tells nothing
    errors = errors[:, informative]
    assert (np.diff(errors, axis=0) < 0).all()
    ratios = errors / errors[:, :1]
    assert ratios == pytest.approx(np.broadcast_to(ratios[:1], ratios.shape), rel=1e-9)


@given(files())
def test_the_curve_grows_from_no_answer_to_twice_this_epsilon(drawn):
    """For every reader who is promised something, and it goes through the recommendation."""
    universe, size, queries, goal = drawn
    result = recommended(queries, universe, size, **goal)
    assume(result.status in ("ok", "computed") and result.epsilon > 0 and result.odds < math.inf)
    curve, promised = result.curve(points=21), result.readers[result.readers.promised]
    assert list(curve) == ["epsilon", *promised.reader]
    assert curve.epsilon.tolist() == pytest.approx(np.linspace(0, 2 * result.epsilon, 21).tolist())
    for reader, after, before in zip(promised.reader, promised.after, promised.before):
        assert (curve[reader][0], curve[reader][10]) == pytest.approx((before, after), rel=1e-9)
        assert (np.diff(curve[reader]) >= -1e-12).all()


@given(files())
def test_the_sentences_say_the_numbers_of_the_table_rounded_up(drawn):
    """At most five, whole, and read back from the words; nothing that is false as worded."""
    universe, size, queries, goal = drawn
    result = recommended(queries, universe, size, **goal)
    sentences, text = result.sentences(), " ".join(result.sentences()).lower()
    assert len(sentences) <= 5
    assert all(sentence.endswith((".", ".)")) for sentence in sentences)
    assert not re.search("nobody's odds|any epsilon|times as likely|adversary|nan|99.99999", text)
    assert all(html.escape(sentence) in result._repr_html_() for sentence in sentences)
    if result.refused:
        assert len(sentences) == 1
        return
    assert f"of {size} of the {len(universe)} records" in text
    assert ("of whole lists nothing is promised" in text) == (size < len(universe) - 1)
    if result.odds < 1e6:
        beliefs = re.search(
            r"10% sure of a .*, this publication makes her at most ([\d.]+)% sure; "
            r"1% becomes at most ([\d.]+)%, 50% at most ([\d.]+)%", sentences[0])  # fmt: skip
        for of, shown in zip((10, 1, 50), map(float, beliefs.groups())):
            after = 100 / (1 + (100 / of - 1) / result.odds)
            assert after - 1e-6 <= shown <= after + 1
            assert shown < 100 or after > 99.9999


def test_every_status_and_what_it_means():
    """The refusals come before all others, and say what to exceed or what is out."""
    cases = {
        "ok": dp.recommend("mean", DAYS, 3, risk="1/3"),
        "exact": dp.recommend("median", DAYS, 3, risk=0.5),
        "computed": dp.recommend("mean", DAYS, 2, scale=1),
        "nothing left": dp.recommend("mean", DAYS, 3, odds=3, already="3"),
        "cannot be met": dp.recommend("mean", DAYS, 3, risk=0.2),
    }
    for status, result in cases.items():
        assert result.status == status
        assert bool(result.reason) == (status not in ("ok", "computed"))
        if result.refused:
            columns = ["epsilon", "noise scale", "95% error", "relative error"]
            assert result.table[columns].isna().all(axis=None)
            assert math.isnan(result.epsilon)
    assert (cases["exact"].table["noise scale"][0], cases["exact"].epsilon) == (0, math.inf)
    assert cases["ok"].epsilon == pytest.approx(0.4317201195672, abs=1e-9)
    assert "1/4 = 0.25" in cases["cannot be met"].reason
    assert "already" in cases["nothing left"].reason


@pytest.mark.parametrize("who", [{"release_size": 3}, {"limits": (0, 30)}])
def test_what_is_out_already_divides_the_factor_that_is_left(who):
    """The rest is kept; where nothing is left, or less, nothing can be published."""
    scale = dp.recommend("mean", DAYS, odds="5/2", **who).table["noise scale"][0]
    for goal in ({"odds": 3}, {"risk": 0.3, "before": 0.125}):
        beside = dp.recommend("mean", DAYS, **who, **goal, already=1.2)
        assert beside.table["noise scale"][0] == pytest.approx(scale)
        assert beside.odds == pytest.approx(3, rel=1e-9)
        assert beside.to_dict()["question"]["already"] == "1.2"
        assert "before anything was published" in beside.sentences()[0]
        spent = dp.recommend("mean", DAYS, **who, **goal, already=3)
        assert spent.sentences()[0].startswith("Nothing can be published so: what is out already")
        over = dp.recommend("mean", DAYS, **who, **goal, already=3.1)
        assert (spent.status, over.status) == ("nothing left", "cannot be met")
    alone, noisy = (dp.recommend("mean", DAYS, **who, scale=4, already=out) for out in (1, 2))
    assert noisy.odds == pytest.approx(2 * alone.odds)


def test_what_tells_nothing_is_free_beside_what_is_out():
    assert dp.recommend("count", DAYS, 3, odds=3, already=2).table["noise scale"].tolist() == [0]


@pytest.mark.parametrize("size", [3, 2, 1])
def test_more_that_is_accepted_never_takes_more_noise_and_weights_split_it(size):
    """Alone and beside what is out."""
    levels = [{"odds": odds} for odds in (1.5, 1.500001, 2, 5, 5 + 1e-9, 99, 1e6)]
    risks = [{"risk": r / 100} for r in range(30, 100, 7)]
    for goals, already in ((levels, 1), (levels, 1.4), *([(risks, 1)] if size == 3 else [])):
        results = [dp.recommend("mean", DAYS, size, already=already, **goal) for goal in goals]
        scales = [result.table["noise scale"][0] for result in results]
        assert scales == sorted(scales, reverse=True)
    both = dp.recommend(["mean", "sum"], DAYS, size, odds=3, split=[1, 3]).table.epsilon
    assert both[1] == pytest.approx(3 * both[0])


def test_goals_are_read_as_people_write_them_and_a_scale_is_echoed():
    """5%, 0,05 and 1/20 are one number, and digits of one's own are not cut."""
    for name, forms in {
        "risk": ["30%", "0,3", "3/10", "0.30"],
        "odds": ["3", 3, 3.0, "3,0", "9/3"],
        "epsilon": ["0,5", 0.5, "1/2", "50%"],
        "error": ["0,5", 0.5, "1/2"],
    }.items():
        scales = {dp.recommend("mean", DAYS, 3, **{name: v}).table["noise scale"][0] for v in forms}
        assert len(scales) == 1
    report = dp.recommend("mean", DAYS, 3, scale=0.123456789).to_dict()
    assert report["answers"][0]["scale"] == 0.123456789
    assert report["accepted"] == {"goal": "scale", "value": "0.123456789", "before": None}
    share = dp.recommend("sum", DAYS, released=[1, 1, 1, 0], error="5%")
    assert 0.3 * (1 - 1e-3) < share.table["95% error"][0] <= 0.3
    assert share.to_dict()["answers"][0]["scale"] == share.table["noise scale"][0]


def test_file_release_and_groups_are_said_in_any_form():
    """A mask of 0/1 or booleans or n; pairs of a table's columns; labels or a column."""
    table = pd.DataFrame({"<b>": DAYS, "year": [1, 2, 3, 4], "ward": list("baba")})
    by_size = dp.recommend("mean", DAYS, 3, odds=3).table["noise scale"][0]
    mask = [True, False, True, True]
    for form in (mask, [1, 0, 1, 1], np.array([1.0, 0, 1, 1]), pd.Series(mask)):
        result = dp.recommend(("mean", "<b>"), table, released=form, odds=3)
        assert result.table["noise scale"].tolist() == [by_size]
        assert result.to_dict()["private"]["answers"] == pytest.approx([14 / 3])
        assert "<b>" not in result._repr_html_()
    asked = [("mean", "<b>"), ("median", "year"), "count"]
    both = dp.recommend(asked, table, 3, odds=2)
    assert both.table["statistic"].tolist() == ["mean:<b>", "median:year", "count"]
    for labels in ("ward", list("baba")):
        result = dp.recommend(("sum", "<b>"), table, by=labels, limits={"<b>": (0, 10)}, odds=2)
        assert result.table["statistic"].tolist() == ["sum:<b>, a", "sum:<b>, b"]
        assert result.to_dict()["question"]["by"] == ["a", "b"]


@given(
    query=st.sampled_from(["sum", "mean", "median", "var", "std"]),
    universe=st.lists(st.integers(-20, 20), min_size=4, max_size=7),
    factor=st.sampled_from([2.0**40, 2.0**-9, 10.0, 0.1, 3.0, -1.0, -7.0]),
    shift=st.sampled_from([0.0, 1.0, -17.0, 2.0**20]),
    goal=st.sampled_from([{"odds": 3}, {"risk": 0.6}]),
    data=st.data(),
)
def test_unit_origin_and_order_of_the_records_change_nothing_but_the_scale(
    query, universe, factor, shift, goal, data
):
    """Scaling scales the noise, of a variance by the square; shifting and mixing leave it."""
    size = len(universe) - 1 if "risk" in goal else data.draw(st.integers(1, len(universe) - 1))
    mixed = np.array(data.draw(st.permutations(universe))) * factor + shift
    at = {"adjacency": "bounded", **goal}
    before, after = (recommended(query, np.array(u), size, **at) for u in (universe, mixed))
    power = abs(factor) ** 2 if query == "var" else abs(factor)
    assert after.status == before.status
    expected = before.epsilon, before.table["noise scale"][0] * power
    got = after.epsilon, after.table["noise scale"][0]
    assert got == pytest.approx(expected, rel=1e-7, nan_ok=True)


@pytest.mark.parametrize("noise", [1e-300, 1e-3, 1e300])
@pytest.mark.parametrize("goal", ["scale", "epsilon"])
def test_noise_beyond_all_use_has_an_answer(noise, goal):
    """The readers of it stay within 0 and 1; an answer of 0 has no relative error."""
    for size in (1, 2):
        result = dp.recommend("sum", [-1, 0, 1], size, **{goal: noise})
        assert result.readers.after.between(0, 1, inclusive="right").all()
        assert result.to_dict()["private"]["relative errors"] == [None]


MASK = {"release_size": None, "odds": 3}
REFUSED = [
    ({}, "exactly one of odds, risk, error, epsilon, scale must be given, got none"),
    ({"risk": 0.5, "epsilon": 1}, "exactly one of odds, risk, error, .* got risk and epsilon"),
    ({"odds": 1}, "odds must exceed 1, got 1"),
    ({"odds": "1,500"}, "odds must be written .* is it 1500 or 1.500"),
    ({"odds": [2, 3]}, "odds must be a number"),
    ({"risk": 1.2}, r"risk must lie in \(0, 1\), got 1.2"),
    ({"risk": 0.1, "before": 0.2}, "before must lie below the risk"),
    ({"risk": 0.5, "release_size": 2}, "risk must come with before where n"),
    ({"odds": 3, "before": 0.1}, "before must come with risk, got 'odds'"),
    ({"epsilon": 0}, r"epsilon must lie in \(0, inf\), got 0"),
    ({"epsilon": [1, 1]}, "epsilon must give one number, got 2"),
    ({"scale": -1}, r"scale must lie in \[0, inf\), got -1"),
    ({"error": 0}, r"error must lie in \(0, inf\), got 0"),
    (MASK, "exactly one of .*, got none"),
    ({"released": [1, 1, 1, 0], "odds": 3}, "exactly one of .*, got release_size and released"),
    (MASK | {"released": [1, 1, 0]}, r"released must have shape \(4,\)"),
    (MASK | {"released": [2, 1, 1, 0]}, "released must hold 0/1 or"),
    (MASK | {"released": [1, 1, 1, 1]}, "release_size must be in"),
    ({"split": [1, 2], "odds": 3}, r"split must have shape \(1,\), got \(2,\)"),
    ({"already": 0.9, "odds": 3}, "already must be a factor of at least 1, got 0.9"),
    ({"already": [("mean", 2)], "odds": 3}, "already must be a number"),
    ({"already": 2, "risk": 0.5}, "risk must come with before beside already, got 2"),
    ({"by": list("abbb"), "odds": 3}, "by must come with limits, got .*: of a known file ask each"),
]


@pytest.mark.parametrize(("wrong", "message"), REFUSED)
def test_what_cannot_be_asked_is_refused(wrong, message):
    """Before any work, with the argument, the rule and the value."""
    at = {"query": "mean", "release_size": 3} | wrong
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        dp.recommend(at.pop("query"), DAYS, at.pop("release_size"), **at)


def test_a_belief_close_to_certainty_is_not_printed_as_certain():
    readers = dp.recommend("mean", np.arange(300_000.0), 1, odds=3).to_dict()["readers"]
    assert [row["before"] for row in readers[:2]] == [3.333e-06, 0.999997]
