"""What is signed: nothing of it is inferred from the file, and each word of it is true."""

import html
import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose import datasets
from dpchoose.__main__ import main
from dpchoose.your_data import words
from dpchoose.your_data.noise import Continuous, Drawn, Whole

PACKAGE = Path(dp.__file__).parent
HEALTH = str(datasets.HEALTH)


@pytest.fixture
def ask(tmp_path, capsys, monkeypatch):
    """What is printed of a question about a file of a column x, and what is said beside it."""

    def command(values, *given, form="json", screen=False, name="x"):
        path = values
        if not isinstance(values, str):
            path = str(tmp_path / "mine.csv")
            Path(path).write_text("\n".join(map(str, [name, *values])) + "\n")
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout.isatty", lambda: screen)
            code = main(["epsilon", path, *given, *(["--format", form] if form else [])])
        printed = capsys.readouterr()
        if code:
            return code, printed.err
        told = json.loads(printed.out) if form == "json" else " ".join(printed.out.split())
        return told, printed.err

    return command


# Limits are stated, never inferred.


@pytest.mark.parametrize("given", [(), ("--limits", "x=0:1"), ("--limits", "x=0:2")])
@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_a_value_of_2_in_the_place_of_1_changes_nothing_public(ask, kind, given):
    """The same numbers, or the same refusal."""
    words = ("--ask", f"{kind}:x", *(given or ("--everybody",)), "--odds", "3")
    seen = [ask([0, 1, one, 1, 0], *words) for one in (1, 2)]
    assert seen[0] == seen[1]
    assert (seen[0][0] == 2) == (not given)


def test_where_nothing_but_shares_is_asked_no_limits_are_needed(ask):
    told, _ = ask([0, 1, 1, 0], "--ask", "share:x=1", "--everybody", "--odds", "3")
    assert told["status"] == "ok"
    table = pd.DataFrame({"x": [0, 1, 1, 0]})
    with pytest.raises(ValueError, match="limits of x must be given, as x=0:60"):
        dp.recommend(("mean", "x"), table, limits={}, odds=3)


# What is out already.


def test_already_is_a_factor_and_what_is_left_is_the_rest():
    alone, rest = (dp.recommend("mean", range(20), limits=(0, 30), **how)
                   for how in ({"odds": 2}, {"odds": 6, "already": 3}))  # fmt: skip
    assert rest.table["noise scale"][0] == pytest.approx(alone.table["noise scale"][0])
    assert rest.odds == pytest.approx(6)
    assert "10% sure of a guess about this person's value before anything" in rest.sentences()[0]
    spent = dp.recommend("mean", range(20), limits=(0, 30), odds=3, already=3)
    assert (spent.status, spent.sentences()[0][:31]) == (
        "nothing left",
        "Nothing can be published so: wh",
    )
    over = dp.recommend("mean", range(20), limits=(0, 30), odds=3, already=4)
    assert over.status == "cannot be met"


def test_a_plain_risk_beside_already_is_refused():
    with pytest.raises(ValueError, match="risk must come with before where something is published"):
        dp.recommend("mean", [1, 2, 3, 10], 3, risk="1/2", already=3)
    with pytest.raises(ValueError, match=r"already must be a factor of at least 1, got 0\.5"):
        dp.recommend("mean", [1, 2], limits=(0, 3), odds=3, already=0.5)


# Codes for missing values.

KIDS = [0, 1, 2, 3, 2, 1, 4] * 5 + [98] * 3 + [99] * 2
ASK_KIDS = ("--ask", "mean:x", "--limits", "x=0:15", "--odds", "3")


def test_codes_beyond_the_limits_are_asked_about_before_anything_is_computed(ask):
    code, error = ask(KIDS, *ASK_KIDS)
    assert code == 2
    assert "column x holds 98 and 99, outside its limits with nothing between" in error
    assert "--missing 98,99, or --missing none if all are values" in error
    told, _ = ask(KIDS, *ASK_KIDS, "--missing", "98,99", "--drop-missing")
    assert told["question"]["records"] == 35
    told, error = ask(KIDS, *ASK_KIDS, "--missing", "none")
    assert (told["question"]["records"], error) == (40, "")


FIVE = ("--ask", "mean:x", "--limits", "x=1:5", "--odds", "3")
CODES = [[9, 9], [8, 9, 9], [997, 998, 999, 999], [-9, -9], [-98, -99, -99]]


@pytest.mark.parametrize("codes", CODES)
def test_each_family_of_codes_is_asked_about(ask, codes):
    code, error = ask(
        [1, 2, 3, 4, 5, *codes], "--ask", "mean:x", "--limits", "x=1:5", "--odds", "3"
    )
    assert code == 2
    assert "codes for missing values in your code book" in error


@pytest.mark.parametrize("codes", [[99], [40, 99, 99], [8, 8], [17, 17], [99.5, 99.5]])
def test_of_what_is_no_code_nothing_is_asked(ask, codes):
    told, _ = ask([1, 2, 3, 4, 5, *codes], *FIVE)
    assert told["status"] == "ok"


def test_the_clinics_visits_at_30_raise_no_question(ask):
    told, error = ask(HEALTH, "--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3")
    assert (told["status"], error) == ("ok", "")


def test_a_code_that_occurs_nowhere_is_said(ask):
    _, error = ask(KIDS, *ASK_KIDS, "--missing", "98,99,777", "--drop-missing")
    assert "--missing 777 occurs nowhere in x" in error
    assert "98" not in error


# A mean with n hidden.

HIDE = ("--ask", "mean:x", "--limits", "x=0:30", "--hide-n", "--odds", "3")


def test_a_public_guess_of_n_gives_the_error_of_the_mean_and_its_choices(ask):
    """(e_S + 15 e_C)/N, from the guess alone."""
    few, many = ([5] * 40, [5] * 90)
    for seen in (few, many):
        told, _ = ask(seen, *HIDE, "--expect-n", "4000")
        row = told["answers"][-1]
        of_sum, of_count = 30 / math.log(3), 2 / math.log(3)
        error = (of_sum * math.log(40) + 15 * Whole(of_count, 1).error(0.975)) / 4000
        assert row["error"] == pytest.approx(error, rel=0.06)
        assert row["error"] >= error
        assert all(choice["errors"][-1] for choice in told["choices"])
        assert f"noise within {row['error']} in 95 of 100 draws" in told["sentences"][0]
    told, _ = ask(few, *HIDE)
    assert told["answers"][-1]["error"] is None
    text, _ = ask(few, *HIDE, "--expect-n", "4000", form=None, screen=True)
    assert "95% error of mean:x" in text
    with pytest.raises(ValueError, match="expect_n must come with hide_n"):
        dp.recommend("mean", [1, 2], limits=(0, 3), odds=3, expect_n=10)


# Without a file.

FACTS = ("file", "command", "filtered", "dropped")
QUESTIONS = [
    ("--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3"),
    ("--ask", "median:visits", "--ask", "sum:visits", "--limits", "visits=0:30", "--odds", "3"),
    ("--ask", "mean:visits", "--limits", "visits=0:30", "--hide-n", "--odds", "3"),
    ("--ask", "share:visits>=1", "--ask", "share:visits>=10", "--everybody", "--odds", "3"),
    ("--ask", "mean:visits", "--limits", "visits=0:30", "--error", "0.05"),
]


@pytest.mark.parametrize("given", QUESTIONS)
def test_the_number_of_records_gives_the_same_public_output_as_the_file(ask, capsys, given):
    told, _ = ask(HEALTH, *given)
    assert main(["epsilon", "--records", "5912", *given, "--format", "json"]) == 0
    without = json.loads(capsys.readouterr().out)
    for name in FACTS:
        told["question"].pop(name)
        without["question"].pop(name)
    assert without == told


def test_without_a_file_there_is_no_script(tmp_path, capsys):
    words = ["epsilon", "--records", "5912", *QUESTIONS[0], "--opendp", str(tmp_path / "o.py")]
    assert main(words) == 2
    assert "--opendp needs the file" in capsys.readouterr().err
    assert not (tmp_path / "o.py").exists()
    assert main(["epsilon", HEALTH, "--records", "5", *QUESTIONS[0]]) == 2
    assert "exactly one must be given of FILE, --records, got both" in capsys.readouterr().err


# Numbers.


@pytest.mark.parametrize("odds", [1.7, 3, 12])
def test_an_error_has_two_digits_everywhere(ask, tmp_path, odds):
    sheet = tmp_path / "s.html"
    given = ("--ask", "mean:visits", "--limits", "visits=0:30", "--odds", str(odds))
    told, _ = ask(HEALTH, *given, "--report", str(sheet))
    error = told["answers"][0]["error"]
    exact = told["answers"][0]["scale"] * math.log(20)
    assert exact <= error * (1 + 1e-9) < exact * 1.1
    assert float(f"{error:.1e}") == error
    (chosen,) = [row for row in told["choices"] if row["chosen"]]
    assert chosen["errors"] == [error]
    assert f"within {error} in" in told["sentences"][0]
    text, _ = ask(HEALTH, *given, form=None, screen=True)
    longer = re.findall(rf"{error}\d", text + sheet.read_text())
    assert (f" {error} " in text, f">{error}<" in sheet.read_text(), longer) == (True, True, [])


def test_the_errors_within_which_all_stay_are_each_by_its_own_law(ask):
    """A sum in whole steps, a mean, and a median in places: all within in 95 of 100 draws."""
    given = ["--ask", "sum:x", "--ask", "mean:x", "--ask", "median:x", "--whole", "x"]
    told, _ = ask([*range(31)], *given, "--limits", "x=0:30", "--odds", "3")
    inside = 0.95 ** (1 / 3)
    laws = [Whole(told["answers"][0]["scale"], 1), Continuous(told["answers"][1]["scale"])]
    laws.append(Drawn(told["answers"][2]["scale"], 31))
    for law, row in zip(laws, told["answers"]):
        assert law.error(inside) <= row["together"] <= law.error(inside) * 1.1
        assert row["error"] < row["together"]
    rng, scales = np.random.default_rng(0), [row["scale"] for row in told["answers"]]
    q = math.exp(-1 / scales[0])
    steps = rng.geometric(1 - q, 20_000) - rng.geometric(1 - q, 20_000)
    both = (abs(steps) <= told["answers"][0]["together"]) & (
        abs(rng.laplace(scale=scales[1], size=20_000)) <= told["answers"][1]["together"]
    )
    assert both.mean() * inside >= 0.95
    (one,) = dp.recommend("mean", range(9), limits=(0, 9), odds=3).to_dict()["answers"]
    assert one["together"] is None


def test_the_epsilon_of_noise_that_is_given_is_rounded_up_and_a_chosen_one_down(capsys):
    given = dp.recommend("sum", range(9), limits=(0, 30), scale=7).to_dict()
    assert given["epsilon"] == 4.2858 > 30 / 7
    assert given["answers"][0]["epsilon"] == 4.2858
    chosen = dp.recommend("sum", range(9), limits=(0, 30), odds=3).to_dict()
    assert chosen["epsilon"] == 1.0986 < math.log(3)
    risk = ["risk", "--records", "9", "--ask", "sum:x", "--limits", "x=0:30", "--scale", "7"]
    assert main(risk) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Epsilon 4.2858 in total" in text
    assert "factors and epsilons are rounded up" in text


def test_large_numbers_are_not_rounded_down_in_text(capsys):
    words = ["epsilon", "--records", "9", "--ask", "sum:x", "--limits", "x=0:1e16", "--odds", "3"]
    scale = dp.recommend("sum", 9, limits=(0, 1e16), odds=3).to_dict()["answers"][0]["scale"]
    assert main(words) == 0
    text = " ".join(capsys.readouterr().out.split())
    printed = re.search(r"sum:x (\S+) ", text.partition("epsilon")[2])[1]
    assert float(printed) == scale >= 1e16 / math.log(3)


# What is said.


def test_rows_that_miss_a_value_are_named_with_n_hidden_too(tmp_path, capsys):
    """Which columns are named is public: it does not change with one person."""
    seen, path = [], tmp_path / "gaps.csv"
    for gap in ("", "5"):
        path.write_text(f"wages,years,land\n1,2,a\n{gap},3,b\n3,,a\n4,5,b\n")
        typed = ["epsilon", str(path), "--ask", "sum:wages", "--ask", "sum:years", "--hide-n"]
        typed += ["--limits", "wages=0:9", "--limits", "years=0:9", "--odds", "3"]
        typed += ["--where", "years < 9", "--drop-missing", "--format", "json"]
        sheet = tmp_path / "s.html"
        assert main([*typed, "--report", str(sheet)]) == 0
        seen.append((told := json.loads(capsys.readouterr().out), sheet.read_text()))
        assert "of all records where years < 9 may be" in told["sentences"][0]
        assert "that miss years and wages are left out of every answer" in told["sentences"][0]
        assert "left out of every answer" in sheet.read_text()
    assert seen[0] == seen[1]


@pytest.mark.parametrize("more", [(), ("--hide-n",)])
def test_every_sheet_says_that_factors_multiply_and_that_looking_is_an_answer(ask, tmp_path, more):
    sheet = tmp_path / "s.html"
    given = ("--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3", *more)
    ask(HEALTH, *given, "--report", str(sheet))
    text = html.unescape(sheet.read_text())
    for sentence in (words.LOOKING, words.MULTIPLY):
        assert sentence in text
    assert words.MULTIPLY in ask(HEALTH, *given, form=None)[0]
    assert words.CUT_NOT_IN_IT in text
    assert "each counted as 0 to 30" in text
    assert words.LOOKING == (
        "Whatever is decided after looking at the file or at the private screen (limits, codes, "
        "groups, K, whether to publish at all) is an answer without noise."
    )


def test_the_effect_of_the_cut_is_shown_on_request_and_for_the_holder_alone(ask, tmp_path):
    given = ("--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3")
    effect = "Cutting moves the mean of visits by -0.035"
    for more, form, screen in itertools.product((False, True), (None, "csv"), (False, True)):
        text, _ = ask(HEALTH, *given, *["--show-cut"] * more, form=form, screen=screen)
        assert (effect in text) == (more and screen and form is None)
    told, _ = ask(HEALTH, *given, "--show-cut", "--report", str(tmp_path / "s.html"))
    assert "Cutting" not in json.dumps(told) + (tmp_path / "s.html").read_text()


def test_nothing_is_called_useful(ask):
    texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
    assert len(texts) > 30
    assert not [text for text in texts if re.search(r"\bUseful|\buseful", text)]


def test_the_first_sentence_is_the_one_of_the_design(ask):
    told, _ = ask(HEALTH, "--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3")
    assert told["sentences"][0] == (
        "The mean of visits, each counted as 0 to 30, of all 5,912 records may be published with "
        "noise within 0.014 in 95 of 100 draws. Take a reader who knows all other records, or to "
        "whom they tell nothing about this person. If she is 10% sure of a guess about this "
        "person's visits, this publication makes her at most 25% sure; 1% becomes at most 3%, 50% "
        "at most 75% (factor 3, where each person has one row)."
    )
