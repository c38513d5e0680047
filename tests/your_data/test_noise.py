"""What a verb answers: numbers in a table, readers beside it, words, or an exception."""

import html
import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import AWKWARD, QUERIES, noise_of, unless_far

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


def asked_for(goal, queries, universe, size=None, **at):
    """The noise of a goal that is kept, of values that are not too far apart.

    Nor is the answer the same in every release, or an error a share of nothing.
    """
    try:
        return unless_far(noise_of, dp.KnownFile(queries, universe, size, **at), goal)
    except dp.UnattainableRisk:
        return assume(False)
    except ValueError as no:
        assume("error" not in goal and "tell something of who is released" not in str(no))
        raise


@given(files(), st.sampled_from(["unbounded", "bounded"]))
@example(([0.1, 0.2, 0.4, 0.7], 3, ["mean", "median"], {"odds": 3}), "bounded")
def test_its_numbers_are_those_of_its_functions(drawn, adjacency):
    """Each can be had by itself, and what is asked the other way round is the same."""
    universe, size, queries, goal = drawn
    result = asked_for(goal, queries, universe, size, adjacency=adjacency)
    table, scales = result.table, result.table["noise scale"]
    at = {"adjacency": adjacency}
    known = [dp.global_sensitivity(query, universe, size, **at).value for query in queries]
    assert table.sensitivity.tolist() == pytest.approx(known, rel=1e-12)
    if not 0 < result.epsilon < math.inf:
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
        split = {"split": goal.pop("split")} if "split" in goal else {}
        back = asked_for(goal, queries, universe, size, adjacency=adjacency, **split)
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
    who = {"released": [*range(size)]} if mask else {}
    result = asked_for(goal, queries, universe, None if mask else size, **who)
    report = result.to_dict()
    assert json.loads(json.dumps(report, allow_nan=False)) == report  # no nan, nothing infinite
    keys = "question accepted reason factor;of 100;odds answers epsilon readers choices"
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


@given(files())
def test_the_choices_are_what_each_factor_costs(drawn):
    """The error of every answer at seven factors and at this one's; suspicions of 100."""
    universe, size, queries, goal = drawn
    result = asked_for(goal, queries, universe, size)
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
        scales = [row[f"error of {label}"] / LOG_20 for label in result.question.labels]
        if all(0 < scale < math.inf for scale in scales):
            back = asked_for({"scale": scales}, queries, universe, size)
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
    question = dp.KnownFile(queries, universe, len(universe) - 1, adjacency=adjacency)
    result = question.at_epsilon(each[: len(queries)])
    rows = result.choices()
    errors = rows[[f"error of {query}" for query in queries]].to_numpy()
    informative = question.informative
    assert (errors[:, ~informative] == errors[0, ~informative]).all()  # whose noise tells nothing
    errors = errors[:, informative]
    assert (np.diff(errors, axis=0) < 0).all()
    ratios = errors / errors[:, :1]
    assert ratios == pytest.approx(np.broadcast_to(ratios[:1], ratios.shape), rel=1e-9)


@given(files())
def test_the_sentences_say_the_numbers_of_the_table_rounded_up(drawn):
    """At most five, whole, and read back from the words; nothing that is false as worded."""
    universe, size, queries, goal = drawn
    result = asked_for(goal, queries, universe, size)
    sentences, text = result.sentences(), " ".join(result.sentences()).lower()
    assert len(sentences) <= 5
    assert all(sentence.endswith((".", ".)")) for sentence in sentences)
    assert not re.search("nobody's odds|any epsilon|times as likely|adversary|nan|99.99999", text)
    assert all(html.escape(sentence) in result._repr_html_() for sentence in sentences)
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


def test_a_factor_stands_once_among_the_choices():
    """That of the noise is 3 but for rounding."""
    rows = dp.PublicLimits("mean", 5912, (0, 30)).for_odds(3).choices()
    assert len(rows) == len(FACTORS)
    assert rows.factor[rows.chosen].tolist() == pytest.approx([3])


def test_what_cannot_be_kept_is_an_exception_with_its_reason():
    """What to exceed, or what is out."""
    asked, reason = dp.KnownFile("mean", DAYS, 3), "risk must exceed 1/4 = 0.25, the chance to"
    for risk in (0.2, 0.25):
        with pytest.raises(dp.UnattainableRisk, match=reason):
            asked.for_risk(risk)
    with pytest.raises(dp.UnattainableRisk, match=r"risk must exceed 1/2 = 0.5, .*, got 1/3"):
        dp.KnownFile("mean", [1, 2], 1).for_risk("1/3")
    with pytest.raises(dp.UnattainableRisk, match=r"risk 0.2500.* too close to what is believed"):
        asked.for_risk("0.25000000000000000001")
    assert asked.for_risk("1/3").epsilon == pytest.approx(0.4317201195672, abs=1e-9)
    exact = dp.KnownFile("median", DAYS, 3).for_risk(0.5)
    assert (exact.scale, exact.epsilon, exact.error) == (0, math.inf, 0)
    assert (
        "even the exact answers leave who suspects nobody at most 50% sure" in exact._repr_html_()
    )


@pytest.mark.parametrize("asked", ["count", "mean", ["mean", "max"]])
def test_answers_that_are_the_same_in_every_release_are_refused(asked):
    """Of equal records, or of a number that is known: there is no noise to choose."""
    asked = [np.max if name == "max" else name for name in [asked]] if asked == "max" else asked
    asked = ["mean", "sum"] if isinstance(asked, list) else asked
    records = DAYS if asked == "count" else [2, 2, 2]
    with pytest.raises(ValueError, match=r"query must tell something .* it needs no noise, got"):
        dp.KnownFile(asked, records, 2)


def test_the_scale_and_the_error_of_one_answer():
    one = dp.PublicLimits("mean", 5912, (0, 30)).for_odds(3)
    assert (one.scale, one.error) == (one.scales[0], one.errors()[0])
    assert one.error == pytest.approx(30 / 5912 / math.log(3) * LOG_20)
    two = dp.KnownFile(["mean", "sum"], DAYS, 3).for_odds(3)
    for name, others in (("scale", "scales"), ("error", "table")):
        with pytest.raises(ValueError, match=f"{name} is that of one answer: see {others}, got 2"):
            getattr(two, name)


def test_with_n_hidden_the_error_of_the_mean_stands_beside_those_of_sum_and_count():
    """N is said once, where there is no file; of a file the error is planned, to one digit."""
    limits, hidden = (0, 30), {"hide_n": True}
    guessed = dp.PublicLimits("mean", 5000, limits, **hidden).for_odds(3)
    assert guessed.table["statistic"].tolist() == ["centred sum", "count", "mean"]
    said = dp.PublicLimits("mean", [2.0] * 40, limits, **hidden, expect_n=5000).for_odds(3)
    planned = dp.PublicLimits("mean", [2.0] * 5000, limits, **hidden).for_odds(3)
    of_two = (30 / math.log(3) * math.log(40) + 15 * 7) / 5000  # P(|count's noise| > 7) < 2.5%
    assert guessed.error == said.error == pytest.approx(of_two)
    assert planned.error == 0.03 < guessed.error
    for noise in (guessed, said, planned):
        assert noise.table["95% error"].tolist() == [*noise.errors(), noise.error]
        assert noise.choices()["error of mean"][2] == noise.error


@pytest.mark.parametrize(
    ("limits", "by"), [((0, 60), {}), ({0: (0, 60)}, {}), ({0: (0, 60)}, {"by": 1})]
)
def test_a_column_may_be_named_by_a_number(limits, by):
    table = pd.DataFrame({0: [1.0, 2, 3, 61], 1: [0, 0, 1, 1]})
    noise = dp.PublicLimits(("mean", 0), table, limits, **by).for_odds(3)
    assert noise.table["statistic"][0] == "mean:0" + ", 0" * bool(by)
    assert noise.question.answers().mean() == (1 + 2 + 3 + 60) / 4
    assert "The mean of 0, each counted as 0 to 60," in noise.sentences()[0]
    assert dp.KnownFile(("mean", 0), table, 3).for_odds(3).table["statistic"].tolist() == ["mean:0"]


@pytest.mark.parametrize(("kind", "who"), [(dp.KnownFile, 3), (dp.PublicLimits, (0, 30))])
def test_what_is_out_already_divides_the_factor_that_is_left(kind, who):
    """The rest is kept; where nothing is left, or less, nothing can be published."""
    scale = kind("mean", DAYS, who).for_odds("5/2").scale
    for goal in ({"odds": 3}, {"risk": 0.3, "before": 0.125}):
        beside = noise_of(kind("mean", DAYS, who, already=1.2), goal)
        assert beside.scale == pytest.approx(scale)
        assert beside.odds == pytest.approx(3, rel=1e-9)
        assert beside.to_dict()["question"]["already"] == "1.2"
        assert "before anything was published" in beside.sentences()[0]
        for out, why in ((3, "leaves nothing of"), (3.1, "exceeds")):
            with pytest.raises(dp.UnattainableRisk, match=f"what is out already {why} "):
                noise_of(kind("mean", DAYS, who, already=out), goal)
    alone, noisy = (kind("mean", DAYS, who, already=out).at_scale(4) for out in (1, 2))
    assert noisy.odds == pytest.approx(2 * alone.odds)


def test_what_is_out_already_is_known_by_its_factor_alone_of_who_suspects_nobody():
    """It may have been any answer: from 1/4 at factor 3 to 1/2, and not the tight bound's 0.47."""
    nobody, *others = dp.KnownFile("mean", DAYS, 3, already=1.2).for_odds(3).readers.itertuples()
    assert (nobody.after, nobody.factor) == pytest.approx((1 / 2, 3), rel=1e-9)
    assert not any(row.exact for row in (nobody, *others))
    assert dp.KnownFile("mean", DAYS, 3).for_odds(3).readers["after"][0] < 0.47


@pytest.mark.parametrize("size", [3, 2, 1])
def test_more_that_is_accepted_never_takes_more_noise_and_weights_split_it(size):
    """Alone and beside what is out."""
    levels = [{"odds": odds} for odds in (1.5, 1.500001, 2, 5, 5 + 1e-9, 99, 1e6)]
    risks = [{"risk": r / 100} for r in range(30, 100, 7)]
    for goals, already in ((levels, 1), (levels, 1.4), *([(risks, 1)] if size == 3 else [])):
        asked = dp.KnownFile("mean", DAYS, size, already=already)
        scales = [noise_of(asked, goal).scale for goal in goals]
        assert scales == sorted(scales, reverse=True)
    both = dp.KnownFile(["mean", "sum"], DAYS, size, split=[1, 3]).for_odds(3).table.epsilon
    assert both[1] == pytest.approx(3 * both[0])


def test_goals_are_read_as_people_write_them_and_a_scale_is_echoed():
    """5%, 0,05 and 1/20 are one number, and digits of one's own are not cut."""
    for name, forms in {
        "risk": ["30%", "0,3", "3/10", "0.30"],
        "odds": ["3", 3, 3.0, "3,0", "9/3"],
        "epsilon": ["0,5", 0.5, "1/2", "50%"],
        "error": ["0,5", 0.5, "1/2"],
    }.items():
        asked = dp.KnownFile("mean", DAYS, 3)
        scales = {noise_of(asked, {name: form}).scale for form in forms}
        assert len(scales) == 1
    report = dp.KnownFile("mean", DAYS, 3).at_scale(0.123456789).to_dict()
    assert report["answers"][0]["scale"] == 0.123456789
    assert report["accepted"] == {"goal": "scale", "value": "0.123456789", "before": None}
    share = dp.KnownFile("sum", DAYS, released=[0, 1, 2]).for_error("5%")
    assert 0.3 * (1 - 1e-3) < share.table["95% error"][0] <= 0.3
    assert share.to_dict()["answers"][0]["scale"] == share.table["noise scale"][0]


def test_file_release_and_groups_are_said_in_any_form():
    """Positions or booleans or n; pairs of a table's columns; labels or a column."""
    table = pd.DataFrame({"<b>": DAYS, "year": [1, 2, 3, 4], "ward": list("baba")})
    by_size = dp.KnownFile("mean", DAYS, 3).for_odds(3).table["noise scale"][0]
    mask = [True, False, True, True]
    for form in (mask, [3, 0, 2], np.array([0, 2, 3]), pd.Series(mask)):
        result = dp.KnownFile(("mean", "<b>"), table, released=form).for_odds(3)
        assert result.table["noise scale"].tolist() == [by_size]
        assert result.to_dict()["private"]["answers"] == pytest.approx([14 / 3])
        assert "<b>" not in result._repr_html_()
    asked = [("mean", "<b>"), ("median", "year"), "count"]
    both = dp.KnownFile(asked, table, 3).for_odds(2)
    assert both.table["statistic"].tolist() == ["mean:<b>", "median:year", "count"]
    for labels in ("ward", list("baba")):
        result = dp.PublicLimits(("sum", "<b>"), table, {"<b>": (0, 10)}, by=labels).for_odds(2)
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
    before, after = (
        asked_for(goal, query, np.array(u), size, adjacency="bounded") for u in (universe, mixed)
    )
    power = abs(factor) ** 2 if query == "var" else abs(factor)
    expected = before.epsilon, before.table["noise scale"][0] * power
    got = after.epsilon, after.table["noise scale"][0]
    assert got == pytest.approx(expected, rel=1e-7, nan_ok=True)


@pytest.mark.parametrize("noise", [1e-300, 1e-3, 1e300])
@pytest.mark.parametrize("goal", ["scale", "epsilon"])
def test_noise_beyond_all_use_has_an_answer(noise, goal):
    """The readers of it stay within 0 and 1; an answer of 0 has no relative error."""
    for size in (1, 2):
        result = noise_of(dp.KnownFile("sum", [-1, 0, 1], size), {goal: noise})
        assert result.readers.after.between(0, 1, inclusive="right").all()
        assert result.to_dict()["private"]["relative errors"] == [None]


REFUSED = [
    ({"odds": 1}, "odds must exceed 1, got 1"),
    ({"odds": "1,500"}, "odds must be written .* is it 1500 or 1.500"),
    ({"odds": [2, 3]}, "odds must be a number"),
    ({"risk": 1.2}, r"risk must lie in \(0, 1\), got 1.2"),
    ({"risk": 0.1, "before": 0.2}, "before must lie below the risk"),
    ({"epsilon": 0}, r"epsilon must lie in \(0, inf\), got 0"),
    ({"epsilon": [1, 1]}, "epsilon must give one number, got 2"),
    ({"scale": -1}, r"scale must lie in \[0, inf\), got -1"),
    ({"error": 0}, r"error must lie in \(0, inf\), got 0"),
]


@pytest.mark.parametrize(("goal", "message"), REFUSED)
def test_what_cannot_be_accepted_is_refused(goal, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        noise_of(dp.KnownFile("mean", DAYS, 3), goal)


MASK = {"release_size": None}
POSITIONS = "released must be positions, each once, or True and False for each record"
NOT_ASKED = [
    (MASK, "exactly one of .*, got none"),
    ({"released": [0, 1]}, "exactly one of .*, got release_size and released"),
    (MASK | {"released": [True, False]}, rf"{POSITIONS}, 4, got \(2,\)"),
    (MASK | {"released": [1, 1, 1, 0]}, rf"{POSITIONS}, got \[1, 1, 1, 0\]: of 0 and 1 say == 1"),
    (MASK | {"released": [0, 0, 2]}, rf"{POSITIONS}, got \[0, 0, 2\]$"),
    (MASK | {"released": [1.0, 2.0]}, POSITIONS),
    (MASK | {"released": [1, 4]}, r"released must lie in \[0, 4\), got 4"),
    (MASK | {"released": [3, 1, 0, 2]}, r"release_size must be in \[1, 3\], got 4"),
    ({"split": [1, 2]}, r"split must have shape \(1,\), got \(2,\)"),
    ({"already": 0.9}, "already must be a factor of at least 1, got 0.9"),
    ({"already": [("mean", 2)]}, "already must be a number"),
    ({"adjacency": "near"}, "adjacency must be one of 'unbounded', 'bounded'"),
]


@pytest.mark.parametrize(("wrong", "message"), NOT_ASKED)
def test_what_cannot_be_asked_is_refused(wrong, message):
    """With the argument, the rule and the value."""
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        dp.KnownFile("mean", DAYS, **{"release_size": 3} | wrong)


def test_a_risk_of_who_suspects_nobody_is_of_one_missing_record_and_of_these_answers_alone():
    for asked, where in (
        (dp.KnownFile("mean", DAYS, 2), "where n is not N - 1 = 3, got 2"),
        (dp.KnownFile("mean", DAYS, 3, already=2), "beside already, got '2'"),
        (dp.PublicLimits("mean", DAYS, (0, 30)), "where everybody is in the file, got 0.5"),
    ):
        with pytest.raises(ValueError, match=f"^risk must come with before {where}: say how sure"):
            asked.for_risk(0.5)


def test_a_belief_close_to_certainty_is_not_printed_as_certain():
    readers = dp.KnownFile("mean", np.arange(300_000.0), 1).for_odds(3).to_dict()["readers"]
    assert [row["before"] for row in readers[:2]] == [3.333e-06, 0.999997]
