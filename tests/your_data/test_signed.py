"""What is signed: nothing of it is inferred from the file, and each word of it is true."""

import html
import itertools
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose import datasets, numbers
from dpchoose.your_data import formats, words
from dpchoose.your_data.noise import Continuous, Discrete, Drawn

PACKAGE = Path(dp.__file__).parent
HEALTH = str(datasets.HEALTH)
FIRST = (
    "The mean of visits, each counted as 0 to 30, of all 5,912 records may be published with "
    "noise within 0.014 in 95 of 100 draws. Take any one person, and a reader who knows all, "
    "some or none of the other records, provided that those she does not know tell her nothing "
    "about this person. If she is 10% sure of a guess at this person's visits, this publication "
    "makes her at most 25% sure; 1% becomes at most 3%, 50% at most 75% (factor 3, where each "
    "person has one row)."
)
LOOKING = (
    "Whatever is decided after looking at the file or at the private screen (limits, codes, "
    "groups, rows per person, whether to publish at all) is an answer without noise."
)


@pytest.fixture
def ask(tmp_path, run):
    """What is printed of a question about a file of a column x, and what is said beside it."""

    def command(values, *given, form="json", screen=False):
        path = tmp_path / "mine.csv" if isinstance(values, list) else values
        if path is not values:
            path.write_text("\n".join(map(str, ["x", *values])) + "\n")
        form = ["--format", form] if form else []
        code, out, error = run("epsilon", path, *given, *form, screen=screen)
        if code:
            return code, error
        return json.loads(out) if "json" in form else " ".join(out.split()), error

    return command


# Limits are stated, never inferred.


@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_that_a_column_holds_0_and_1_alone_is_a_fact_of_the_file(ask, kind):
    """Without limits it is refused like one that holds a 2; only a share needs none."""
    code, error = ask([0, 1, 1, 0], "--ask", f"{kind}:x", "--everybody", "--odds", "3")
    assert (code, "limits of x must be given, as x=0:60" in error) == (2, True)
    assert ask([0, 1, 2, 0], "--ask", f"{kind}:x", "--everybody", "--odds", "3") == (code, error)
    report, _ = ask([0, 1, 1, 0], "--ask", "share:x=1", "--everybody", "--odds", "3")
    assert report["factor"] == 3


def test_a_belief_is_said_to_be_certain_of_nothing_less(ask):
    report, _ = ask([1, 2, 3], "--ask", "mean:x", "--limits", "x=0:9", "--odds", "100")
    assert report["of 100"] == {"1": 51, "10": 92, "50": 99.1}
    assert "50% at most 99.1% (factor 100" in report["sentences"][0]


# Codes for missing values.

FIVE = ("--ask", "mean:x", "--limits", "x=1:5", "--odds", "3")
CODES = [[98, 99, 99], [9, 9], [8, 9, 9], [997, 998, 999, 999], [-9, -9], [-98, -99, -99]]
NO_CODES = [[99], [40, 99, 99], [8, 8], [17, 17], [99.5, 99.5]]


@pytest.mark.parametrize("codes", CODES)
def test_codes_beyond_the_limits_are_asked_about_before_anything_is_computed(ask, codes):
    """Until they are named as missing, or as values."""
    values, names = [1, 2, 3, 4, 5, *codes], [str(code) for code in sorted({*codes})]
    code, error = ask(values, *FIVE)
    assert code == 2
    assert "outside its limits with nothing between" in error
    assert "codes for missing values in your code book" in error
    assert f"holds {' and '.join(names)}, outside" in error
    assert "Name them with --missing, or say --missing none if all are values" in error
    report, _ = ask(values, *FIVE, "--missing", ",".join(names), "--drop-missing")
    assert report["question"]["records"] == 5
    report, error = ask(values, *FIVE, "--missing", "none")
    assert (report["question"]["records"], error) == (len(values), "")


@pytest.mark.parametrize("codes", NO_CODES)
def test_of_what_is_no_code_nothing_is_asked(ask, codes):
    assert ask([1, 2, 3, 4, 5, *codes], *FIVE)[0]["factor"] == 3


def test_one_record_far_from_all_others_is_warned_of(ask):
    """It may be a code, and is asked about where there are two."""
    values = [1, 2, 3, 4, 5, 999]
    report, error = ask(values, *FIVE)
    assert report["factor"] == 3
    said = "column x holds 999 in 1 of 6 records, far from all other values: is it a code for"
    assert said in error
    assert ask(values, *FIVE, "--missing", "none")[1] == ""
    assert ask([*values, 999], *FIVE)[0] == 2


def test_a_code_that_occurs_nowhere_is_said(ask):
    _, error = ask([1, 2, 3, 98, 98], *FIVE, "--missing", "98,777", "--drop-missing")
    assert "--missing 777 occurs nowhere in x" in error
    assert "98" not in error


@pytest.mark.parametrize("query", ["mean", "sum", "share"])
@pytest.mark.parametrize(("size", "is_noise"), [(1, True), (2, True), (3, False)])
def test_a_group_whose_answer_is_all_noise_is_named(run, tmp_path, query, size, is_noise):
    """At factor 3 that is one of two records or fewer: ln 20 / ln 3 is 2.73."""
    path, ask = tmp_path / "wards.csv", f"{query}:stay" + "=9" * (query == "share")
    path.write_text("ward,stay\n" + "north,9\n" * 40 + "nroth,9\n" * size)
    limits = ["--everybody"] if query == "share" else ["--limits", "stay=0:60"]
    words = ["epsilon", path, "--ask", ask, "--by", "ward", "--odds", "3", *limits]
    said = f"warning: All noise: {ask}, nroth. The 95% error exceeds what the limits leave open."
    assert run(*words)[2].startswith(f"dpchoose: {said}") == is_noise
    assert run(*words, "--rows-per-person", "3")[2] != ""
    groups = ["--hide-n", "--group", "north", "--group", "nroth"]
    assert run(*words, *groups)[2] == ""  # of which the sizes are hidden


def test_many_answers_that_are_all_noise_are_counted(run, tmp_path):
    path = tmp_path / "wards.csv"
    path.write_text("ward,stay\n" + "".join(f"w{i},1\n" for i in range(5)))
    words = ["epsilon", path, "--ask", "mean:stay", "--limits", "stay=0:60", "--by", "ward"]
    assert "All noise: 5 answers. The 95%" in run(*words, "--odds", "3")[2]
    assert run(*words, "--odds", "100")[2] == ""


# A mean with n hidden.

CLINIC = ("--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3")
HIDE = ("--ask", "mean:x", "--limits", "x=0:30", "--hide-n", "--odds", "3")


def test_a_public_guess_of_n_gives_the_error_of_the_mean_and_its_choices(ask):
    """(e_S + 15 e_C)/N, from the guess alone."""
    few, many = ([5] * 40, [5] * 90)
    for seen in (few, many):
        report, _ = ask(seen, *HIDE, "--expect-n", "4000")
        row = report["answers"][-1]
        of_sum, of_count = 30 / math.log(3), 2 / math.log(3)
        error = (of_sum * math.log(40) + 15 * Discrete(of_count, 1).error(0.975)) / 4000
        assert row["error"] == pytest.approx(error, rel=0.06)
        assert row["error"] >= error
        assert all(choice["errors"][-1] for choice in report["choices"])
        assert f"noise within {row['error']} in 95 of 100 draws" in report["sentences"][0]
    report, _ = ask(few, *HIDE)
    assert report["answers"][-1]["error"] is None
    assert ask(few, *HIDE, "--expect-n", "2")[0]["answers"][-1]["error"] == 30  # at most r
    text, _ = ask(few, *HIDE, "--expect-n", "4000", form=None, screen=True)
    assert "95% error of mean:x" in text
    with pytest.raises(ValueError, match="expect_n must come with hide_n"):
        dp.PublicLimits("mean", [1, 2], (0, 3), expect_n=10)


# Without a file.

QUESTIONS = [
    CLINIC,
    ("--ask", "median:visits", "--ask", "sum:visits", "--limits", "visits=0:30", "--odds", "3"),
    (*CLINIC, "--hide-n", "--expect-n", "5912"),
    ("--ask", "share:visits>=1", "--ask", "share:visits>=10", "--everybody", "--odds", "3"),
    (*CLINIC[:-2], "--error", "0.05"),
]


def test_an_error_that_rests_on_a_guess_of_n_says_so():
    """Below the guess the error is larger, so the first sentence, or the next, names it."""
    expected = {"limits": (0, 9), "hide_n": True, "expect_n": 4000}
    if_rows = "if there are 4,000 rows or more"
    one = dp.PublicLimits("mean", [1, 2], **expected).for_odds(3).sentences()
    assert f"in 95 of 100 draws, {if_rows}." in one[0]
    groups = {"by": ["a", "b"], "groups": ["a", "b"]}
    several = dp.PublicLimits("mean", [1, 2], **expected, **groups).for_odds(3).sentences()
    assert f"The error printed of a mean holds {if_rows} in each group." in several[1]


def test_a_scale_of_0_is_said():
    exact = dp.KnownFile("mean", [1, 2, 3, 10], 3).at_scale(0)
    said = "The mean of 3 of the 4 records is published without noise: scale 0 was given."
    assert exact.sentences()[0].startswith(said)
    mixed = dp.KnownFile(["mean", "median"], [1, 2, 3, 10], 3).at_scale([0, 1])
    assert " are published with noise of the scale given for each answer." in mixed.sentences()[0]


def test_a_median_is_that_of_the_values_rounded_to_the_step():
    """Of 92 values of 2.5 no candidate is within 45 places; rounded, all stand at one."""
    values = np.full(92, 2.5)
    drawn = dp.PublicLimits("median", values, (0, 30)).for_odds(3)
    assert "middle of the 92 values, rounded to steps of 1, in 95" in drawn.sentences()[0]
    assert drawn.question.asked[0].grid.counts(values).max() == 92


def test_what_unknown_records_may_tell_is_asked_of_the_time_before_the_first_answer():
    """After it they do tell something: Ada and Bob, 0 or 30, whose noisy sum is out."""
    said = {
        already: dp.PublicLimits("mean", [0, 30], (0, 30), already=already).for_odds(3)
        for already in (1, 2)
    }
    assert "that those she does not know tell her nothing" in said[1].sentences()[0]
    assert "that those she did not know told her nothing" in said[2].sentences()[0]


def test_noise_that_is_0_nearly_always_has_the_error_0():
    table = dp.PublicLimits("count", [1, 2], {}, hide_n=True).for_odds(100).table
    assert table["95% error"].tolist() == [0]


def test_the_choices_of_a_percentile_beside_a_mean_are_in_the_unit_of_the_mean(ask):
    asked = "--ask", "percentile_90:visits", "--ask", "mean:visits", "--limits", "visits=0:30"
    both, _ = ask(HEALTH, *asked, "--odds", "3", form=None, screen=True)
    assert "its 95% error of mean:visits, the largest" in both
    alone, _ = ask(HEALTH, *asked[:2], *asked[4:], "--odds", "3", form=None, screen=True)
    assert "3 (chosen) 11 places" in alone


@pytest.mark.parametrize("given", QUESTIONS)
def test_the_number_of_records_gives_the_same_public_output_as_the_file(ask, found, given):
    report, without = ask(HEALTH, *given)[0], found("epsilon", "--records", "5912", *given)
    for name in ("file", "command", "filtered", "dropped"):
        report["question"].pop(name)
        without["question"].pop(name)
    assert without == report


def test_without_a_file_there_is_no_script(tmp_path, run):
    path = tmp_path / "o.py"
    code, _, error = run("epsilon", "--records", "5912", *CLINIC, "--opendp", path)
    assert (code, path.exists()) == (2, False)
    assert "--opendp needs --limits or --released, and a file" in error
    code, _, error = run("epsilon", HEALTH, "--records", "5", *CLINIC)
    assert code == 2
    assert "exactly one of FILE, --records must be given, got FILE" in error


# Numbers, rounded to the side that is safe.


@given(top=st.integers(-(10**12), 10**12), below=st.integers(1, 10**6), digits=st.integers(0, 8))
def test_an_exact_answer_is_rounded_from_its_fraction(top, below, digits):
    """To the nearest, of a root to the nearest of its square."""
    value, half = Fraction(top, below), Fraction(1, 2 * 10**digits)
    shown = formats.format_exact(value, False, digits)
    assert abs(Fraction(shown) - value) <= half
    assert len(shown.partition(".")[2]) == digits
    root = Fraction(formats.format_exact(abs(value), True, digits))
    assert max(root - half, Fraction(0)) ** 2 <= abs(value) <= (root + half) ** 2


@given(value=st.floats(0, 1))
def test_a_probability_as_it_is_printed_is_no_less(value):
    assert formats.rounded_probability(value) >= value * (1 - 1e-11)


@given(value=st.floats(1e-9, 1e15))
def test_an_error_has_two_digits_and_is_no_less(value):
    shown = numbers.rounded_up_to(value, 2)
    assert value * (1 - 1e-11) <= shown <= value * 1.1
    assert float(f"{shown:.1e}") == shown


@given(value=st.floats(1e15, 1e300))
def test_a_large_number_is_written_as_it_is(value):
    """Where :g would round it to nearest."""
    assert float(formats.format_number(value)) == value


@pytest.mark.parametrize(
    ("query", "count", "hide_n", "said"),
    [
        ("sum", 2, False, "within {few}, in this order, each in 95 of 100 draws"),
        ("sum", 4, False, "within {few}, in this order, each in 95 of 100 draws"),
        ("sum", 5, False, "with the error given for each answer, in 95 of 100 draws"),
        ("sum", 2, True, "with the error given for each answer, in 95 of 100 draws"),
        ("mean", 2, True, "with noise of the scale given for each answer"),
    ],
)
def test_the_errors_of_a_few_answers_stand_in_the_sentence(query, count, hide_n, said):
    """Up to four, in the order in which the answers are named; a mean with hidden n has none."""
    table = pd.DataFrame({f"x{place}": np.arange(40) for place in range(count)})
    limits = {name: (0, 40 * (place + 1)) for place, name in enumerate(table)}
    asked = [(query, name) for name in table]
    result = dp.PublicLimits(asked, table, limits, hide_n=hide_n).for_odds(3)
    errors = [row["error"] for row in result.to_dict()["answers"] if row["error"]]
    *most, last = map(formats.format_number, errors)
    sentence = result.sentences()[0]
    assert said.format(few=f"{', '.join(most)} and {last}") in sentence


@pytest.mark.parametrize("odds", [1.7, 3, 12])
def test_an_error_has_two_digits_everywhere(ask, tmp_path, odds):
    sheet = tmp_path / "s.html"
    given = (*CLINIC[:-1], str(odds))
    report, _ = ask(HEALTH, *given, "--report", str(sheet))
    error = report["answers"][0]["error"]
    exact = report["answers"][0]["scale"] * math.log(20)
    assert exact <= error * (1 + 1e-9) < exact * 1.1
    assert float(f"{error:.1e}") == error
    (chosen,) = [row for row in report["choices"] if row["chosen"]]
    assert chosen["errors"] == [error]
    assert f"within {error} in" in report["sentences"][0]
    text, _ = ask(HEALTH, *given, form=None, screen=True)
    longer = re.findall(rf"{error}\d", text + sheet.read_text())
    assert (f" {error} " in text, f">{error}<" in sheet.read_text(), longer) == (True, True, [])


def test_the_errors_within_which_all_stay_are_each_by_its_own_law(ask):
    """A sum in whole steps, a mean, and a median in places: all within in 95 of 100 draws."""
    given = ["--ask", "sum:x", "--ask", "mean:x", "--ask", "median:x"]
    report, _ = ask([*range(31)] * 40, *given, "--limits", "x=0:30:1", "--odds", "3")
    inside = 0.95 ** (1 / 3)
    laws = [Discrete(report["answers"][0]["scale"], 1), Continuous(report["answers"][1]["scale"])]
    laws.append(Drawn(report["answers"][2]["scale"], 31, size=31 * 40))
    for law, row in zip(laws, report["answers"]):
        assert law.error(inside) <= row["together"] <= law.error(inside) * 1.1
        assert row["error"] < row["together"]
    rng, scales = np.random.default_rng(0), [row["scale"] for row in report["answers"]]
    q = math.exp(-1 / scales[0])
    steps = rng.geometric(1 - q, 20_000) - rng.geometric(1 - q, 20_000)
    both = (abs(steps) <= report["answers"][0]["together"]) & (
        abs(rng.laplace(scale=scales[1], size=20_000)) <= report["answers"][1]["together"]
    )
    assert both.mean() * inside >= 0.95
    (alone,) = dp.PublicLimits("mean", range(9), (0, 9)).for_odds(3).to_dict()["answers"]
    assert alone["together"] is None


def test_the_epsilon_of_noise_that_is_given_is_rounded_up_and_a_chosen_one_down(run):
    given = dp.PublicLimits("sum", range(9), (0, 30)).at_scale(7).to_dict()
    assert given["epsilon"] == given["answers"][0]["epsilon"] == 4.2858 > 30 / 7
    chosen = dp.PublicLimits("sum", range(9), (0, 30)).for_odds(3).to_dict()
    assert chosen["epsilon"] == 1.0986 < math.log(3)
    words = ("--ask", "sum:x", "--limits", "x=0:30", "--scale", "7")
    text = " ".join(run("risk", "--records", "9", *words)[1].split())
    assert "Epsilon 4.2858 in total" in text
    assert "factors and epsilons are rounded up" in text


# What is said.


def test_rows_that_miss_a_value_are_named_with_n_hidden_too(tmp_path, found):
    """Which columns are named is public: it does not change with one person."""
    seen, path, sheet = [], tmp_path / "gaps.csv", tmp_path / "s.html"
    words = ["--ask", "sum:wages", "--ask", "sum:years", "--hide-n", "--odds", "3"]
    words += ["--limits", "wages=0:9", "--limits", "years=0:9", "--where", "years < 9"]
    for gap in ("", "5"):
        path.write_text(f"wages,years,land\n1,2,a\n{gap},3,b\n3,,a\n4,5,b\n")
        report = found("epsilon", path, *words, "--drop-missing", "--report", sheet)
        seen.append((report, sheet.read_text()))
        assert "of all records where years < 9 may be" in report["sentences"][0]
        assert "that miss years or wages are left out of every answer" in report["sentences"][0]
        assert "left out of every answer" in sheet.read_text()
    assert seen[0] == seen[1]


@pytest.mark.parametrize("more", [(), ("--hide-n",)])
def test_every_sheet_says_that_factors_multiply_and_that_looking_is_an_answer(ask, tmp_path, more):
    sheet = tmp_path / "s.html"
    ask(HEALTH, *CLINIC, *more, "--report", str(sheet))
    text = html.unescape(sheet.read_text())
    for sentence in (LOOKING, words.MULTIPLY, words.CUT_NOT_IN_IT, "each counted as 0 to 30"):
        assert sentence in text
    assert words.MULTIPLY in ask(HEALTH, *CLINIC, *more, form=None)[0]


def test_the_effect_of_the_cut_is_shown_on_request_and_for_the_holder_alone(ask, tmp_path):
    effect = "Cutting moves the mean of visits by -0.035"
    for more, form, screen in itertools.product((False, True), (None, "json"), (False, True)):
        text, said = ask(HEALTH, *CLINIC, *["--show-cut"] * more, form=form, screen=screen)
        is_shown = more and screen and form is None
        assert (effect in str(text)) == is_shown
        assert ("--show-cut is for you alone: what the limits cut is shown on a" in said) == (
            more and not is_shown
        )
    report, _ = ask(HEALTH, *CLINIC, "--show-cut", "--report", str(tmp_path / "s.html"))
    assert "Cutting" not in json.dumps(report) + (tmp_path / "s.html").read_text()


def test_the_first_sentence_is_the_one_that_is_signed(ask):
    """And nothing is asked about: the clinic's visits at 30 are no codes."""
    report, error = ask(HEALTH, *CLINIC)
    assert (report["sentences"][0], error) == (FIRST, "")


@pytest.mark.parametrize(
    ("given", "known", "rests"),
    [
        ([], "", "the number of records is public, and "),
        (["--by", "ward"], f"{words.KNOWN_GROUP}, and ", "the number of records in each group is"),
        (
            ["--where", "ward == 'a'"],
            f"{words.KNOWN_CONDITION}, and ",
            "the number of records is public",
        ),
        (["--drop-missing"], f"{words.KNOWN_MISSING}, and ", "the number of records is public"),
        (
            ["--by", "ward", "--hide-n", "--group", "a", "--group", "b"],
            "",
            "The limits were fixed without this file, and the",
        ),
    ],
)
def test_what_public_numbers_of_rows_show_counts_as_known(tmp_path, found, given, known, rests):
    """A reader who knows all others counts who is in a group, and so learns about the rest."""
    path, gap = tmp_path / "stays.csv", "" if "--drop-missing" in given else "3"
    rows = [f"{stay},{ward}" for stay in range(9) for ward in "ab"] * 9
    path.write_text("\n".join(["stay,ward", f"{gap},a", *rows]))
    asked = ["--ask", "mean:stay", "--limits", "stay=0:9", "--odds", "3"]
    first, second, *_ = found("epsilon", path, *asked, *given)["sentences"]
    assert f"a reader who knows {known}all, some or none of the other" in first
    assert rests in second


@pytest.mark.parametrize("how", [{}, {"hide_n": True}])
def test_people_whose_records_move_together_are_told_their_factor(how):
    """The square of the factor for two, its cube for three: each in numbers."""
    promised = dp.PublicLimits("mean", 40, (0, 9), **how).for_odds(3).sentences()[2]
    together = "for two people whose records move together the factor is 9 at most, for three 27"
    assert together in promised
    assert "one couple is released both or neither, the factor is 9 at most" in " ".join(
        dp.KnownFile("mean", [1, 2, 3, 10, 20], 3).for_odds(3).sentences()
    )


def test_nothing_is_called_useful():
    paths = [*PACKAGE.rglob("*.py"), PACKAGE / "your_data" / "words.toml"]
    texts = [path.read_text("utf-8") for path in paths]
    assert len(texts) > 30
    assert not [text for text in texts if re.search(r"\b[Uu]seful", text)]


def test_of_a_known_file_the_first_sentence_is_without_the_error_of_the_noise():
    """That is computed from the file, and stands where it is said to be not for publication."""
    result = dp.KnownFile("mean", [1, 2, 3, 10], 3).for_risk("1/3")
    (error,) = result.printed_errors()
    first, _, private, _ = result.sentences()
    assert "may be published with noise. Take any reader" in first
    assert private.startswith(f"The noise is within {error:g} in 95 of 100 draws. What is computed")
    assert private.endswith("gives its extremes away: it is not for publication.")
