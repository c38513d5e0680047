"""The command line: one line in, an answer out; or one line that says why not."""

import csv
import io
import json
import math
import os
import re
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.epsilon.sentences import chance

PUPILS = (
    "name,school_year,absence_days,ward,in\n"
    "Chris,1,1,north,yes\nKelly,2,2,north,yes\nPat,3,3,south,yes\nTerry,4,10,south,no\n"
)
FRAME = pd.DataFrame({"school_year": [1.0, 2, 3, 4], "absence_days": [1.0, 2, 3, 10]})
DAYS = ("--column", "absence_days")
RISK = ("--risk", "1/3")
JSON = ("--format", "json")


@pytest.fixture
def pupils(tmp_path):
    path = tmp_path / "pupils.csv"
    path.write_text(PUPILS)
    return str(path)


@pytest.fixture
def run(capsys):
    def command(*words):
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
def found(run):
    """The answers as programs get them."""

    def command(*words):
        code, out, err = run(*words, *JSON)
        assert (code, err) == (0, "")
        return json.loads(out)

    return command


def same(answer, expected):
    """Whether an answer holds the numbers of the package, digit by digit."""
    assert answer["status"] == expected.status
    assert answer["epsilon"] == (expected.epsilon if math.isfinite(expected.epsilon) else None)
    for row, other in zip(answer["statistics"], expected.table.to_dict("records"), strict=True):
        for name in ("statistic", "sensitivity", "epsilon", "noise scale", "half-width"):
            value = other[name]
            assert row[name] == (value if name == "statistic" or math.isfinite(value) else None)
    for name, value in expected.risks.items():
        assert answer["risks"][name] == (value if math.isfinite(value) else None)
    assert answer["sentences"] == expected.sentences()


# What is asked.


def test_one_statistic_of_one_column(pupils, found):
    (answer,) = found("epsilon", pupils, *DAYS, *RISK)
    same(answer, dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3"))
    assert answer["epsilon"] == pytest.approx(0.43172012, abs=1e-8)
    assert (answer["accepted risk"], answer["risk together"]) == (1 / 3, None)


def test_several_statistics_are_published_together(pupils, found):
    words = ("--query", "mean", "--ask", "sum:school_year", "--ask", "count", "--risk", "0.4")
    (answer,) = found("epsilon", pupils, *DAYS, *words)
    asked = [("mean", "absence_days"), ("sum", "school_year"), "count"]
    same(answer, dp.recommend(asked, FRAME, 3, risk="0.4"))


def test_each_risk_has_its_answer(pupils, found):
    answers = found("epsilon", pupils, *DAYS, "--risk", "1/3", "--risk", "0.4")
    for answer, expected in zip(
        answers, dp.recommend(("mean", "absence_days"), FRAME, 3, risk=["1/3", "0.4"]), strict=True
    ):
        same(answer, expected)


def test_a_count_needs_no_column(pupils, found):
    (answer,) = found("epsilon", pupils, "--ask", "count", *RISK)
    assert answer["statistics"][0]["statistic"] == "count"
    assert answer["status"] == "any epsilon"


def test_the_column_that_says_who_is_released_gives_n(pupils, found):
    (answer,) = found("epsilon", pupils, *DAYS, *RISK, "--released", "in")
    assert (answer["record"]["N"], answer["record"]["n"]) == (4, 3)


def test_a_filter_comes_before_all_that_is_counted(pupils, found):
    words = ("--where", "school_year >= 2", "--released", "in", "--risk", "0.45")
    (answer,) = found("epsilon", pupils, *DAYS, *words)
    same(answer, dp.recommend(("mean", "absence_days"), FRAME[1:], 2, risk="0.45"))
    asked = answer["record"]
    assert (asked["N"], asked["n"], asked["filtered"], asked["dropped"]) == (3, 2, 1, 0)
    assert asked["where"] == "school_year >= 2"


def test_missing_values_are_dropped_and_counted(tmp_path, found):
    path = tmp_path / "gaps.csv"
    path.write_text('days\n1\n2\n""\n3\n10\nNA\n')
    (answer,) = found("epsilon", path, "--column", "days", *RISK, "--drop-missing")
    assert (answer["record"]["N"], answer["record"]["dropped"]) == (4, 2)
    same(
        answer, dp.recommend(("mean", "days"), pd.DataFrame({"days": [1.0, 2, 3, 10]}), risk="1/3")
    )


@pytest.mark.parametrize("secret", ["world", "present", "absent"])
def test_the_secret_is_a_choice(pupils, found, secret):
    words = ("--secret", secret, "--release-size", "2", "--risk", "0.7")
    (answer,) = found("epsilon", pupils, *DAYS, *words)
    same(answer, dp.recommend(("mean", "absence_days"), FRAME, 2, risk="0.7", secret=secret))


def test_what_is_out_already_is_told(pupils, found):
    words = ("--already", "sum:school_year:40", "--risk", "1/3")
    (answer,) = found("epsilon", pupils, *DAYS, *words)
    already = [(("sum", "school_year"), 40.0)]
    same(answer, dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3", already=already))


def test_a_split_has_weights(pupils, found):
    words = ("--query", "mean", "--query", "var", "--split", "3,1", "--risk", "0.4")
    (answer,) = found("epsilon", pupils, *DAYS, *words)
    asked = [("mean", "absence_days"), ("var", "absence_days")]
    same(answer, dp.recommend(asked, FRAME, 3, risk="0.4", split=[3, 1]))


def test_groups_have_an_answer_each(pupils, found):
    (answer,) = found("epsilon", pupils, "--ask", "count", "--by", "ward", "--risk", "0.4")
    by = ["north", "north", "south", "south"]
    same(answer, dp.recommend("count", FRAME, 3, risk="0.4", by=by))


def test_each_is_a_promise_for_one_answer_with_a_warning(pupils, run, found):
    words = ("epsilon", pupils, *DAYS, "--query", "mean", "--query", "var", "--each", *RISK)
    for answer, query in zip(found(*words), ("mean", "var"), strict=True):
        same(answer, dp.recommend((query, "absence_days"), FRAME, 3, risk="1/3"))
    code, out, _ = run(*words)
    scales = [row["statistics"][0]["noise scale"] for row in found(*words)]
    asked = [("mean", "absence_days"), ("var", "absence_days")]
    together = dp.recommend(asked, FRAME, 3, scale=scales).risks["world"]
    assert code == 0
    (shown,) = re.findall(r"published together.* reaches ([\d.]+)%", " ".join(out.split()))
    assert together <= float(shown) / 100 <= together + 1e-3


def test_each_of_several_answers_for_groups_has_its_own_scales(pupils, found):
    words = ("--ask", "count", "--ask", "sum:absence_days", "--by", "ward", "--each")
    answers = found("epsilon", pupils, *words, "--risk", "0.4")
    by = ["north", "north", "south", "south"]
    columns = [[row["noise scale"] for row in answer["statistics"]] for answer in answers]
    scales = [scale for group in zip(*columns) for scale in group]
    asked = ["count", ("sum", "absence_days")]
    together = dp.recommend(asked, FRAME, 3, scale=scales, by=by).risks["world"]
    assert [answer["risk together"] for answer in answers] == [together, together]


def test_each_warns_only_where_the_answers_tell_more_together(pupils, run, found):
    """The count is the same in every world, so that it takes nothing from what else is out."""
    words = ("epsilon", pupils, *DAYS, "--query", "mean", "--query", "count", "--each", *RISK)
    answers = found(*words)
    assert answers[0]["risk together"] == pytest.approx(1 / 3)
    assert "WARNING" not in run(*words)[1]


@pytest.mark.parametrize("secret", ["present", "absent"])
def test_the_warning_of_each_is_about_the_secret(pupils, run, found, secret):
    words = ("--query", "mean", "--query", "var", "--each", "--release-size", "2")
    words = ("epsilon", pupils, *DAYS, *words, "--secret", secret, "--risk", "0.7")
    answers = found(*words)
    scales = [answer["statistics"][0]["noise scale"] for answer in answers]
    asked = [("mean", "absence_days"), ("var", "absence_days")]
    together = dp.recommend(asked, FRAME, 2, scale=scales).risks[secret]
    assert [answer["risk together"] for answer in answers] == [together, together]
    place = {"present": "in", "absent": "out"}[secret]
    warning = rf"one record, that it is {place}, reaches {re.escape(chance(together))}, not 70%"
    assert re.search(warning, " ".join(run(*words)[1].split()))


def test_the_record_of_each_names_all_statistics(pupils, run):
    words = ("--query", "mean", "--query", "var", "--each", "--risk", "1/3", "--risk", "0.4")
    out = " ".join(run("epsilon", pupils, *DAYS, *words)[1].split())
    assert "statistics mean:absence_days, var:absence_days; N 4" in out


def test_each_of_several_can_have_nothing_left(pupils, found):
    scale = dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3").table["noise scale"][0]
    words = ("--query", "median", "--query", "var", "--each")
    words += ("--already", f"mean:absence_days:{float(scale)!r}", *RISK)
    answers = found("epsilon", pupils, *DAYS, *words)
    assert [answer["status"] for answer in answers] == ["nothing left", "nothing left"]
    assert [answer["risk together"] for answer in answers] == [None, None]


def test_several_statistics_without_each_give_no_warning(pupils, run):
    words = ("--query", "mean", "--query", "var")
    assert "WARNING" not in run("epsilon", pupils, *DAYS, *words, *RISK)[1]


@pytest.mark.parametrize("name", ["epsilon", "scale"])
def test_the_risks_of_noise_that_is_given(pupils, found, name):
    (answer,) = found("risk", pupils, *DAYS, f"--{name}", "1.5")
    same(answer, dp.recommend(("mean", "absence_days"), FRAME, 3, **{name: 1.5}))
    words = ("--query", "mean", "--query", "var", f"--{name}", "1.5", f"--{name}", "2")
    (answer,) = found("risk", pupils, *DAYS, *words)
    asked = [("mean", "absence_days"), ("var", "absence_days")]
    same(answer, dp.recommend(asked, FRAME, 3, **{name: [1.5, 2]}))


def test_a_sensitivity_is_that_of_the_package(pupils, run):
    words = ("--column", "school_year", "--release-size", 2, "--query", "sum")
    words += ("--adjacency", "bounded", "--distance", 2, "--format", "json")
    row = json.loads(run("sensitivity", pupils, *words)[1])[0]
    expected = dp.global_sensitivity("sum", [1, 2, 3, 4], 2, adjacency="bounded", distance=2)
    assert row["sensitivity"] == expected.value
    assert (row["release size"], row["distance"], row["adjacency"]) == (2, 2, "bounded")


# How it is told.


def test_the_first_sentence_says_on_which_rows(pupils, run):
    code, out, err = run("epsilon", pupils, *DAYS, *RISK)
    assert (code, err) == (0, "")
    first = dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3").sentences()[0]
    assert " ".join(out.split()).startswith(first)


def test_what_is_shown_errs_on_the_safe_side(run):
    """An epsilon down; a scale, an error and a risk up: at every digit."""
    path, words = str(dp.datasets.health()), ("--column", "visits")
    for query in ("mean", "var", "median", "sum", "std"):
        for risk in ("0.01", "0.1", "0.37"):
            asked = (*words, "--query", query, "--risk", risk)
            (answer,) = json.loads(run("epsilon", path, *asked, *JSON)[1])
            out = run("epsilon", path, *asked)[1]
            if answer["status"] == "any epsilon":
                continue
            exact = answer["statistics"][0]
            line = next(line for line in out.splitlines() if line.startswith(f"{query}:visits "))
            _, scale, error, epsilon = line.split()[:4]
            assert Fraction(scale) >= Fraction(exact["noise scale"])
            assert Fraction(error) >= Fraction(exact["half-width"])
            assert Fraction(epsilon) <= Fraction(exact["epsilon"])
            assert Fraction(exact["sensitivity"]) / Fraction(scale) <= Fraction(exact["epsilon"])


def test_no_risk_is_shown_below_what_it_is(pupils, run, found):
    """Certainty is 100%, and an accepted risk is shown as it was accepted."""
    out = run("risk", pupils, *DAYS, "--scale", "0")[1]
    assert re.findall(r"([\d.]+)%$", out.partition("gets at most")[2], re.M) == ["100"] * 7
    path = str(dp.datasets.health())
    out = run("epsilon", path, "--column", "visits", "--risk", "0.01")[1]
    assert re.search(r"^holds all worlds.* 1%$", out, re.M)
    words = ("epsilon", path, "--column", "visits", "--query", "var", "--risk", "0.37")
    (answer,) = found(*words)
    shown = re.findall(r"([\d.]+)%$", run(*words)[1].partition("gets at most")[2], re.M)
    for text, risk in zip(shown, answer["risks"].values(), strict=True):
        assert float(Fraction(text) / 100) >= risk


def test_the_total_is_that_of_the_new_answers_where_some_are_out(pupils, run):
    words = ("epsilon", pupils, *DAYS, *RISK)
    assert re.search(r"^epsilon in total  \d", run(*words)[1], re.M)
    out = run(*words, "--already", "sum:school_year:40")[1]
    assert re.search(r"^epsilon in total, of the new answers  \d", out, re.M)


def test_a_risk_that_cannot_be_met_has_a_reason_and_no_table(pupils, run):
    met = run("epsilon", pupils, *DAYS, "--risk", "0.4")[1].split("\n\n")
    first, reason, *rest = run("epsilon", pupils, *DAYS, "--risk", "0.2", "--risk", "0.4")[1].split(
        "\n\n"
    )
    assert [first, *rest] == met
    assert re.match(r"risk 0\.2: cannot be met\. .*1/4", reason)


def test_programs_get_every_digit_in_both_forms(pupils, run, found):
    words = ("epsilon", pupils, *DAYS, "--query", "mean", "--query", "var", "--risk", "0.4")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv")[1])))
    (answer,) = found(*words)
    for row, other in zip(rows, answer["statistics"], strict=True):
        for name in ("sensitivity", "epsilon", "noise scale", "half-width"):
            assert float(row[name]) == other[name]
        assert float(row["total epsilon"]) == answer["epsilon"]
        assert float(row["risk torn"]) == answer["risks"]["torn"]


def test_names_are_text_in_a_spreadsheet_and_in_a_terminal(tmp_path, run):
    path = tmp_path / "odd.csv"
    path.write_text("=1+1,a\x1b[2Jb\n1,1\n2,2\n3,3\n10,10\n", encoding="utf-8")
    out = run("epsilon", path, "--where", "`=1+1` > 0", "--column", "=1+1", *RISK)[1]
    assert "mean:=1+1" in out
    words = ("--ask", "mean:a\x1b[2Jb", *RISK)
    assert "\x1b" not in run("epsilon", path, *words)[1]
    assert "\x1b" not in run("epsilon", path, "--column", "\x1b[2J", *RISK)[2]
    path.write_text("g,d\n=1,1\n=1,2\n@b,3\n@b,10\n", encoding="utf-8")
    cells = csv.reader(
        io.StringIO(
            run("epsilon", path, "--ask", "count", "--by", "g", *RISK, "--format", "csv")[1]
        )
    )
    assert not any(cell[:1] in "=+-@" for row in cells for cell in row if cell)


def test_more_is_told_when_it_is_asked_for(pupils, run):
    short = run("epsilon", pupils, *DAYS, *RISK)[1]
    long = " ".join(run("epsilon", pupils, *DAYS, *RISK, "--verbose")[1].split())
    expected = dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3")
    assert len(long) > len(" ".join(short.split()))
    assert re.search(r"worlds +4 sensitivity of mean:absence_days +2\.8334", long)
    for sentence in expected.sentences():
        assert " ".join(sentence.split()) in long


def test_the_answer_is_a_record_of_itself(pupils, run):
    out = " ".join(run("epsilon", pupils, *DAYS, *RISK, "--where", "school_year > 0")[1].split())
    for part in (
        "file pupils.csv",
        "N 4; n 3",
        "dropped 0",
        "where school_year > 0",
        "secret world",
    ):
        assert part in out
    assert f"dpchoose {dp.__version__}" in out


# How it ends.


def test_any_epsilon_and_nothing_left_are_answers(pupils, found):
    (answer,) = found("epsilon", pupils, "--ask", "count", "--risk", "0.4")
    assert answer["status"] == "any epsilon"
    scale = dp.recommend(("mean", "absence_days"), FRAME, 3, risk="1/3").table["noise scale"][0]
    words = ("--query", "median", "--already", f"mean:absence_days:{float(scale)!r}")
    (answer,) = found("epsilon", pupils, *DAYS, *words, *RISK)
    assert (answer["status"], answer["epsilon"]) == ("nothing left", 0)


def test_what_cannot_be_met_ends_with_2_and_a_line(pupils, run):
    code, out, err = run("epsilon", pupils, *DAYS, "--risk", "0.2")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "1/4" in err
    assert run("epsilon", pupils, *DAYS, "--risk", "0.2", "--risk", "0.4")[0] == 0


BAD_WORDS = [
    (("epsilon",), "Missing argument 'DATA'"),
    (("epsilom",), "No such command 'epsilom'"),
    (("epsilon", "FILE", *RISK), "--column must name the column of mean"),
    (("epsilon", "FILE", *DAYS), "Missing option '--risk'"),
    (("epsilon", "FILE", "--column", "days", *RISK), "column must be one of name, school_year"),
    (("epsilon", "FILE", "--column", "name", *RISK), "finite numbers, got 'Chris' in row 1"),
    (("epsilon", "FILE", *DAYS, "--risk", "1.2"), r"risk must lie in \(0, 1\), got '?1.2"),
    (("epsilon", "FILE", *DAYS, "--risk", "0"), r"risk must lie in \(0, 1\), got '?0"),
    (("epsilon", "FILE", *DAYS, "--risk", "third"), "risk must be written like 1/3 or 0.33"),
    (("epsilon", "FILE", *DAYS, "--risk", "1/0"), "risk must be written like 1/3 or 0.33"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "4"), r"in \[1, 3\], got 4"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "0"), r"in \[1, 3\], got 0"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "few"), "'few' is not a valid integer"),
    (("epsilon", "FILE", *DAYS, *RISK, "--query", "maen"), "query must be one of count, sum, mean"),
    (("epsilon", "FILE", *DAYS, *RISK, "--query", "percentile_101"), r"a p in \[0, 100\]"),
    (("epsilon", "FILE", *DAYS, *RISK, "--query", "var", "--query", "var"), "var.*twice"),
    (("epsilon", "FILE", *RISK, "--ask", "count:school_year"), r"did you mean sum:school_year\?"),
    (("epsilon", "FILE", *RISK, "--ask", "mean"), "--ask must be written like mean:visits"),
    (("epsilon", "FILE", *DAYS, *RISK, "--adjacency", "near"), "adjacency must be one of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--format", "xml"), "--format must be one of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--secret", "me"), "--secret must be one of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--split", "0,0"), "--split must be .*, got '0,0'"),
    (("epsilon", "FILE", *DAYS, *RISK, "--split", "2,-1"), "--split must be .*, got '2,-1'"),
    (("epsilon", "FILE", *DAYS, *RISK, "--split", "1,2"), r"split must .*\(1,\).*\(2,\)"),
    (("epsilon", "FILE", *DAYS, *RISK, "--by", "wards"), "column must be one of .* got 'wards'"),
    (("epsilon", "FILE", *DAYS, *RISK, "--released", "ward"), "ward must hold 0 and 1.*'north'"),
    (("epsilon", "FILE", *DAYS, *RISK, "--released", "in", "--release-size", "2"), "be the 3 of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--person", "ward"), "got 2 persons with several rows"),
    (("epsilon", "FILE", *DAYS, *RISK, "--where", "a or b"), "where must be one comparison"),
    (("epsilon", "FILE", *DAYS, *RISK, "--where", "school_year > 3"), "at least 2 records.* got 1"),
    (("epsilon", "FILE", *DAYS, *RISK, "--already", "mean:3"), "--ask must be written|--already"),
    (("epsilon", "FILE", *DAYS, *RISK, "--already", "count:-1"), "--already must be written like"),
    (("epsilon", "FILE", *DAYS, *RISK, "--already", "count:0"), "scale above 0.*exact answer"),
    (("epsilon", "FILE", *DAYS, *RISK, "--decimal", "x"), r"decimal must be \. or ,"),
    (("epsilon", "FILE", *DAYS, *RISK, "--opendp", "o.py"), "--opendp needs --released"),
    (("epsilon", "FILE", *DAYS, *RISK, "--plot", "o.pdf"), r"--plot must end in \.svg or \.png"),
    (("epsilon", "FILE", *DAYS, *RISK, "--report", "no/o.html"), "a folder that can be written"),
    (("epsilon", "FILE", *DAYS, *RISK, *RISK, "--plot", "o.svg"), "need one --risk"),
    (("epsilon", "FILE", *DAYS, *RISK, "--riks", "1/3"), "No such option"),
    (("risk", "FILE", *DAYS), "risk needs either --epsilon or --scale"),
    (("risk", "FILE", *DAYS, "--epsilon", "1", "--scale", "1"), "either --epsilon or --scale"),
    (("risk", "FILE", *DAYS, "--epsilon", "-1"), r"--epsilon must lie in .*, got -1"),
    (("risk", "FILE", *DAYS, "--scale", "nan"), r"--scale must lie in .*, got nan"),
    (("risk", "FILE", *DAYS, "--scale", "1", "--scale", "2"), r"scale must .*\(1,\).*\(2,\)"),
    (("sensitivity", "FILE", *DAYS, "--distance", "0"), r"distance must be in \[1, 2\], got 0"),
    (("sensitivity", "FILE", *DAYS, "--distance", "3"), r"distance must be in \[1, 2\], got 3"),
    (("sensitivity", "FILE", *DAYS, "--distance", "far"), "'far' is not a valid integer"),
]


@pytest.mark.parametrize(("words", "reason"), BAD_WORDS)
def test_a_bad_word_is_refused_in_one_line(pupils, run, words, reason):
    code, out, err = run(*(pupils if word == "FILE" else word for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("dpchoose: ")
    assert err.count("\n") == 1
    assert re.search(reason, err)


BAD_FILES = [
    (None, "CSV file must be readable"),
    (b"", "CSV file must not be empty"),
    (b"days\n7\n", "at least 2 records, got 1"),
    (b"days,name\n1,a\n,b\n3,c\n,d\n", "got 2 missing values, the first in row 2.*--drop-missing"),
]


@pytest.mark.parametrize(("content", "reason"), BAD_FILES)
def test_a_bad_file_is_refused_in_one_line(tmp_path, run, content, reason):
    path = tmp_path / "mine.csv"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run("epsilon", path, "--column", "days", *RISK)
    assert (code, out) == (2, "")
    assert err.startswith("dpchoose: ")
    assert err.count("\n") == 1
    assert re.search(reason, err)


@pytest.mark.parametrize("words", [("--release-size", "9" * 5000), ("x" * 5000,)])
def test_a_word_that_never_ends_is_refused_in_a_line_that_does(pupils, run, words):
    code, out, err = run("epsilon", pupils, *DAYS, *RISK, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert len(err) < 1000


def test_a_bad_word_is_refused_before_the_file_is_read(run):
    for words in (("--format", "xml"), ("--risk", "2"), ("--where", "or"), ("--secret", "x")):
        assert "readable" not in run("epsilon", "none.csv", *DAYS, *RISK, *words)[2]


def test_without_words_it_helps(run):
    code, out, _ = run()
    assert code == 0
    assert "Examples:" in out


@pytest.mark.parametrize("command", ["epsilon", "risk", "sensitivity"])
def test_help_has_examples(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"dpchoose {command} pupils.csv" in out


def test_an_interrupt_ends_it_with_130_and_one_line(tmp_path):
    """Interrupted while it waits for a file that never ends, a pipe."""
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    script = (
        "import signal, sys; from dpchoose.__main__ import main;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # as in a terminal
        "print('ready', flush=True); sys.exit(main())"
    )
    words = ["epsilon", str(pipe), "--column", "days", *RISK]
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            with open(pipe, "w"):  # it has begun to read
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err.strip() == "dpchoose: interrupted"


SLOW = """
import signal, sys, time
import dpchoose_command
class Slow:
    def find_spec(self, name, *_):
        if name == "numpy":
            print("loading", flush=True)
            time.sleep(60)
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
sys.meta_path.insert(0, Slow())
sys.exit(dpchoose_command.main())
"""


def test_an_interrupt_while_numpy_is_loaded_ends_it_with_130_and_one_line():
    with subprocess.Popen(
        [sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "loading\n"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "dpchoose: interrupted\n")


def test_it_runs_as_a_module_and_as_an_installed_command(pupils):
    words = ["sensitivity", pupils, *DAYS, "--format", "csv"]
    installed = Path(sys.executable).with_name("dpchoose")
    for start in ([sys.executable, "-m", "dpchoose"], [str(installed)]):
        made = subprocess.run([*start, *words], capture_output=True, text=True, check=True)
        assert made.stdout.splitlines()[1].startswith("mean:absence_days,4,3,unbounded,1,2.83333")


def test_a_full_disk_is_said_in_one_line(pupils):
    words = [sys.executable, "-m", "dpchoose", "sensitivity", pupils, *DAYS]
    with open("/dev/full", "w") as full:
        made = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert made.returncode == 2
    assert made.stderr.startswith("dpchoose: cannot write")
    assert made.stderr.count("\n") == 1
