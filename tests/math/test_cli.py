"""The command line: one line in, an epsilon out; or one line that says why not."""

import csv
import io
import json
import signal
import subprocess
import sys

import pytest

import dpchoose as dp
from dpchoose.__main__ import main

PUPILS = "name,school_year,absence_days\nChris,1,1\nKelly,2,2\nPat,3,3\nTerry,4,10\n"


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


def test_a_strangers_file_gives_an_epsilon_in_one_line(pupils, run):
    code, out, err = run("epsilon", pupils, "--column", "absence_days", "--risk", "1/3")
    assert (code, err) == (0, "")
    assert "0.4317" in out
    assert "0.3829" in out


def test_the_table_rounds_epsilon_down(pupils, run):
    words = ("--column", "absence_days", "--query", "median", "--risk", "1/3")
    assert "2.7725" in run("epsilon", pupils, *words)[1]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_programs_get_the_numbers_of_the_package(pupils, run, form):
    queries = ["mean", "var"]
    words = [word for query in queries for word in ("--query", query)]
    words += ["--risk", "1/3", "--risk", "0.4", "--format", form]
    out = run("epsilon", pupils, "--column", "absence_days", *words)[1]
    rows = json.loads(out) if form == "json" else list(csv.DictReader(io.StringIO(out)))
    table = dp.recommend(queries, [1, 2, 3, 10], 3, risk=["1/3", "0.4"])
    assert [row["query"] for row in rows] == ["mean", "mean", "var", "var"]
    for row, expected in zip(rows, table.itertuples()):
        assert float(row["epsilon"]) == pytest.approx(expected.epsilon, rel=1e-14)


def test_a_sensitivity_is_that_of_the_package(pupils, run):
    words = ("--column", "school_year", "--release-size", 2, "--query", "sum")
    words += ("--adjacency", "bounded", "--distance", 2, "--format", "json")
    row = json.loads(run("sensitivity", pupils, *words)[1])[0]
    expected = dp.global_sensitivity("sum", [1, 2, 3, 4], 2, adjacency="bounded", distance=2)
    assert row["sensitivity"] == expected.value
    assert (row["release size"], row["distance"], row["adjacency"]) == (2, 2, "bounded")


def test_one_of_several_risks_that_cannot_be_met_is_a_cell_and_a_reason(pupils, run):
    words = ("--column", "absence_days", "--risk", "0.1", "--risk", "0.4")
    code, out, _ = run("epsilon", pupils, *words)
    assert code == 0
    assert "cannot be met" in out
    assert "risk must exceed 1/4" in out


def test_any_epsilon_is_said_in_words(pupils, run):
    words = ("--column", "absence_days", "--query", "count", "--risk", "0.4")
    assert "any epsilon will do" in run("epsilon", pupils, *words)[1]


def test_missing_values_can_be_dropped(tmp_path, run):
    path = tmp_path / "gaps.csv"
    path.write_text('days\n1\n2\n""\n3\n10\nNA\n')
    words = ("sensitivity", path, "--column", "days", "--query", "count", "--drop-missing")
    code, out, _ = run(*words, "--format", "json")
    assert code == 0
    assert json.loads(out)[0]["records"] == 4


DAYS = ("--column", "absence_days")
RISK = ("--risk", "1/3")

BAD_WORDS = [
    (("epsilon",), "Missing argument 'DATA'"),
    (("epsilom",), "No such command 'epsilom'"),
    (("epsilon", "FILE", *RISK), "Missing option '--column'"),
    (("epsilon", "FILE", *DAYS), "Missing option '--risk'"),
    (("epsilon", "FILE", "--column", "days", *RISK), "column must be one of name, school_year"),
    (("epsilon", "FILE", "--column", "name", *RISK), "finite numbers, got 'Chris' in row 1"),
    (("epsilon", "FILE", *DAYS, "--risk", "1.2"), r"risk must lie in \(0, 1\), got 1.2"),
    (("epsilon", "FILE", *DAYS, "--risk", "0"), r"risk must lie in \(0, 1\), got 0"),
    (("epsilon", "FILE", *DAYS, "--risk", "third"), "risk must be written like 1/3 or 0.33"),
    (("epsilon", "FILE", *DAYS, "--risk", "1/0"), "risk must be written like 1/3 or 0.33"),
    (("epsilon", "FILE", *DAYS, "--risk", "0.2"), "risk must exceed 1/4 = 0.25, the largest prior"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "4"), r"in \[1, 3\], got 4"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "0"), r"in \[1, 3\], got 0"),
    (("epsilon", "FILE", *DAYS, *RISK, "--release-size", "few"), "'few' is not a valid integer"),
    (("epsilon", "FILE", *DAYS, *RISK, "--query", "maen"), "query must be one of count, sum, mean"),
    (("epsilon", "FILE", *DAYS, *RISK, "--query", "percentile_101"), r"a p in \[0, 100\]"),
    (("epsilon", "FILE", *DAYS, *RISK, "--adjacency", "near"), "adjacency must be one of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--format", "xml"), "--format must be one of"),
    (("epsilon", "FILE", *DAYS, *RISK, "--riks", "1/3"), "No such option"),
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
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(err)


BAD_FILES = [
    (None, "CSV file must be readable"),
    (b"", "CSV file must not be empty"),
    (b"days\n", "CSV file must hold records"),
    (b"\x00\x01days\n1\n", "CSV file must be text"),
    (b"days\n\xff\xfe\n", "CSV file must be text in utf-8"),
    (
        b"days,name\n1,a\n2,b,c\n",
        "CSV file must have 2 fields in every row, as in its names, got 3 in row 2",
    ),
    (b"days\n1\ntwo\n3\n", "finite numbers, got 'two' in row 2"),
    (b"days\n1\ninf\n3\n", "finite numbers, got 'inf' in row 2"),
    (b"days,name\n1,a\n,b\n3,c\n,d\n", "got 2 missing values, the first in row 2.*--drop-missing"),
    (b"days\n7\n", "universe must hold at least 2 records, got 1"),
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
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(err)


def test_a_folder_is_no_file(tmp_path, run):
    code, _, err = run("epsilon", tmp_path, "--column", "days", *RISK)
    assert code == 2
    assert "CSV file must be readable" in err


def test_without_words_it_helps(run):
    code, out, _ = run()
    assert code == 0
    assert "epsilon" in out
    assert "Examples:" in out


@pytest.mark.parametrize("command", ["epsilon", "sensitivity"])
def test_help_has_examples(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"dpchoose {command} pupils.csv" in out


def test_an_interrupt_ends_it_with_130_and_one_line(tmp_path):
    """Interrupted while it waits for a file that never ends, a pipe."""
    import os

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


def test_it_runs_as_a_module_and_as_an_installed_command(pupils):
    from pathlib import Path

    words = ["sensitivity", pupils, *DAYS, "--format", "csv"]
    installed = Path(sys.executable).with_name("dpchoose")
    for start in ([sys.executable, "-m", "dpchoose"], [str(installed)]):
        made = subprocess.run([*start, *words], capture_output=True, text=True, check=True)
        assert made.stdout.splitlines()[1].startswith("mean,4,3,unbounded,1,2.83333")
