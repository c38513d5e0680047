"""The command line: one line in, an answer out; or one line that says why not."""

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from strategies import noise_of

import dpchoose as dp
from dpchoose import progress
from dpchoose.your_data import file
from dpchoose.your_data.command.options import COMMANDS, OPTIONS

PUPILS = (
    "name,school_year,absence_days,ward,in\n"
    "Chris,1,1,north,yes\nKelly,2,2,north,yes\nPat,3,3,south,yes\nTerry,4,10,south,no\n"
)
TABLE = pd.read_csv(io.StringIO(PUPILS))
DAYS, YEARS = ("mean", "absence_days"), ("sum", "school_year")
ASK, ALL, ODDS = ("--ask", "mean:absence_days"), ("--all-but-one",), ("--odds", "3")
ADDED = {"file", "where", "person", "filtered", "dropped", "command", "by", "keep_rows"}


@pytest.fixture
def pupils(tmp_path):
    path = tmp_path / "pupils.csv"
    path.write_text(PUPILS)
    return str(path)


def same(answer, expected, **context):
    """Whether an answer is the dictionary of the package, but for what the file adds to it."""
    expected.question.context = expected.question.context._replace(**context)
    told = expected.to_dict()
    assert told.pop("private")
    assert answer["question"].keys() == told["question"].keys() | ADDED
    for one in (answer, told):
        one["question"] = {k: v for k, v in one["question"].items() if k not in ADDED}
    assert answer == told


def typed(line, path):
    """The words of a line about a file."""
    return [str(path) if word == "FILE" else word for word in line.split()]


# What is asked.

IN, BOTH = "--limits absence_days=0:30", "--all-but-one --ask sum:school_year"
NORTH = ("share", "ward=north")
CUT, HIDDEN = {"limits": {"absence_days": (0, 30)}}, {"hide_n": True}
ODDS_3 = {"odds": "3"}
ASKED = [  # beside mean:absence_days
    ("--all-but-one --odds 3", [DAYS], ODDS_3, {}),
    ("--all-but-one --odds 1,5", [DAYS], {"odds": "1,5"}, {}),
    ("--all-but-one --risk 1/3", [DAYS], {"risk": "1/3"}, {}),
    ("--all-but-one --risk 40% --before 0,1", [DAYS], {"risk": "40%", "before": "0,1"}, {}),
    ("--all-but-one --error 5%", [DAYS], {"error": "5%"}, {}),
    ("--all-but-one --ask count --odds 3", [DAYS, "count"], ODDS_3, {}),
    ("--all-but-one --odds 3 --adjacency bounded", [DAYS], ODDS_3, {"adjacency": "bounded"}),
    (f"{BOTH} --odds 3 --split 1:2,5", [DAYS, YEARS], ODDS_3, {"split": [1, 2.5]}),
    (f"{BOTH} --error 2 --error 50%", [DAYS, YEARS], {"error": ["2", "50%"]}, {}),
    ("--all-but-one --odds 3 --already 1,5", [DAYS], ODDS_3, {"already": "1,5"}),
    ("--release-size 2 --odds 3", [DAYS], ODDS_3, {"release_size": 2}),
    ("--released in --odds 3", [DAYS], ODDS_3, {"released": [0, 1, 2]}),
    ("--all-but-one --epsilon 1.5", [DAYS], {"epsilon": "1.5"}, {}),
    (f"{BOTH} --scale 1,5 --scale 7/3", [DAYS, YEARS], {"scale": ["1,5", "7/3"]}, {}),
    (f"{IN} --odds 3", [DAYS], ODDS_3, CUT),
    (f"{IN}:1 --odds 3", [DAYS], ODDS_3, {"limits": {"absence_days": (0, 30, 1)}}),
    (f"{IN} --epsilon 0,5", [DAYS], {"epsilon": "0,5"}, CUT),
    (f"{IN} --odds 3 --rows-per-person 2", [DAYS], ODDS_3, CUT | {"rows_per_person": 2}),
    (f"{IN} --odds 3 --ask share:ward=north", [DAYS, NORTH], ODDS_3, CUT),
    (f"{IN} --odds 3 --hide-n --ask count", [DAYS, "count"], ODDS_3, CUT | HIDDEN),
    (f"{IN} --odds 3 --hide-n --by ward --group south --group north", [DAYS], ODDS_3,
     CUT | HIDDEN | {"by": "ward", "groups": ["south", "north"]}),
    (f"{IN} --odds 3 --ask share:ward=north --hide-n --already 3/2", [DAYS, NORTH], ODDS_3,
     CUT | HIDDEN | {"already": "3/2"}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "query", "goal", "how"), ASKED)
def test_what_is_typed_is_what_the_package_is_asked(pupils, found, words, query, goal, how):
    command = "risk" if {"epsilon", "scale"} & goal.keys() else "epsilon"
    kind = dp.PublicLimits if "limits" in how else dp.KnownFile
    who = {} if {"released", "limits"} & how.keys() else {"release_size": 3}
    answer = found(command, pupils, *ASK, *words.split())
    same(answer, noise_of(kind(query, TABLE, **who | how), goal))


def test_a_filter_comes_before_all_that_is_counted(pupils, found):
    answer = found("epsilon", pupils, *ASK, "--where", "school_year >= 2", *ALL, *ODDS)
    assert [answer["question"][name] for name in ("records", "filtered", "dropped")] == [3, 1, 0]
    same(answer, dp.KnownFile(DAYS, TABLE[1:], 2).for_odds("3"), where="school_year >= 2")


def test_missing_values_are_dropped_and_counted(tmp_path, found, run):
    path = tmp_path / "gaps.csv"
    path.write_text('absence_days\n1\n2\n""\n3\n10\n999\nx\n')
    words = ("epsilon", path, *ASK, *ALL, *ODDS, "--drop-missing")
    words += ("--missing", "999", "--missing", "x")
    same(
        answer := found(*words),
        dp.KnownFile(DAYS, TABLE, 3).for_odds("3"),
        left_out=("absence_days",),
    )
    assert "Rows that miss absence_days are left out of every answer." in answer["sentences"][0]
    assert "without 3 that miss a value" in " ".join(run(*words)[1].split())


def test_a_file_from_germany(tmp_path, found):
    path = tmp_path / "de.csv"
    path.write_text("Tage;Lohn\n1;1.234,5\n2;2.000,0\n3;3.000,25\n10;999\n", encoding="utf-16")
    words = ("--decimal", ",", "--thousands", ".", "--delimiter", ";", "--encoding", "utf-16")
    answer = found("epsilon", path, "--ask", "sum:Lohn", *ALL, *ODDS, *words)
    frame = pd.DataFrame({"Lohn": [1234.5, 2000, 3000.25, 999]})
    same(answer, dp.KnownFile(("sum", "Lohn"), frame, 3).for_odds("3"))


STAGES = [
    ("--all-but-one --ask var:absence_days --odds 3", ["reading", "sensitivity"]),
    (f"{BOTH} --risk 1%", ["reading", "looking for the noise"]),
    (f"{IN} --by school_year --odds 3", ["reading"]),
]


@pytest.mark.parametrize(("words", "stages"), STAGES)
def test_each_stage_whose_work_grows_with_the_records_reports_its_steps(
    tmp_path, run, monkeypatch, words, stages
):
    """The file is read, the sensitivities and the noise are looked for, a step at a time."""
    bars, bar = {}, progress.bar
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(
        progress, "bar", lambda total, what, **how: bars.setdefault(what, bar(total, what, **how))
    )
    monkeypatch.setattr(file, "CHUNK", 64)
    values = [f"{place % 9},{place * place % 700}" for place in range(640)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["school_year,absence_days", *values]))
    code, _, seen = run("epsilon", path, *ASK, *words.split())
    assert (code, sorted(bars)) == (0, sorted(stages))
    assert all(f"{stage}: 0% after" in seen for stage in stages)
    assert bars["reading"].n == bars["reading"].total == path.stat().st_size
    assert "%" not in run("epsilon", path, *ASK, *words.split(), log=True)[2]


def test_a_sensitivity_is_that_of_the_package_rounded_up(pupils, run, found):
    words = ("--ask", "std:absence_days", "--ask", "sum:school_year", "--release-size", 2)
    words += ("--adjacency", "bounded")
    rows = found("sensitivity", pupils, *words)["answers"]
    for row, (query, column) in zip(rows, [("std", "absence_days"), YEARS], strict=True):
        exact = dp.global_sensitivity(query, TABLE[column], 2, adjacency="bounded")
        assert exact.value <= row["sensitivity"] <= exact.value * 1.0001
    assert re.search(r"^sum:school_year +3$", run("sensitivity", pupils, *words)[1], re.M)


# How it is told.


def test_a_text_says_what_on_which_rows_the_noise_the_readers_and_what_is_signed(pupils, run):
    code, out, err = run("epsilon", pupils, *ASK, *ALL, *ODDS, "--where", "school_year > 0")
    assert (code, err) == (0, "")
    told = dp.KnownFile(DAYS, TABLE, 3).for_odds(3).to_dict()
    what, signed, noise, accepted, readers = out.strip().split("\n\n")
    assert " ".join(what.split()) == (
        "mean:absence_days: computed on all but one of the 4 records of pupils.csv "
        "where school_year > 0"
    )
    for name in ("scale", "error", "epsilon"):
        assert str(told["answers"][0][name]) in noise
    assert accepted.startswith("Asked for: factor 3; it is kept. Epsilon 1.")
    assert re.search(r"^has any suspicion .* 50% -> 75% +x 3$", readers, re.M)
    sentence = told["sentences"][0].replace("4 records may", "4 records where school_year > 0 may")
    multiply = "Anything else that is published about these people is a further answer"
    assert " ".join(signed.split()) == f"{sentence} {multiply}; factors multiply."


def test_choices_and_what_is_private_stand_on_a_terminal_alone(pupils, run, found):
    words = ("epsilon", pupils, *ASK, "--released", "in", *ODDS)
    out = run(*words, screen=True)[1]
    assert re.search(r"^3 \(chosen\) .* 75% ", out, re.M)
    assert re.search(r"^100 .* 50\.3% +91\.8% +99\.1% ", out, re.M)
    halved = run("epsilon", pupils, *ASK, *IN.split(), "--odds", "2", screen=True)[1]
    assert re.search(r"^2 \(chosen\) .* 66\.7%$", halved, re.M)
    assert re.search(r"50% -> 66\.7% +x 2$", halved, re.M)
    assert re.search(r"25% -> 1/3 ", run("epsilon", pupils, *ASK, *ALL, "--risk", "1/3")[1])
    assert "For you alone: the 95% error is about 400% of mean:absence_days." in out
    assert not re.search("chosen|alone", run(*words)[1])
    assert [one["factor"] for one in found(*words)["choices"] if one["chosen"]] == [3]


def test_answers_by_group_are_named_and_what_is_open_is_said(tmp_path, run):
    """The statistic, the groups, the rows, and the largest error of a factor."""
    path = tmp_path / "stays.csv"
    path.write_text("ward,stay\neast,1\nnorth,2\nnorth,9\neast,4\nnorth,\nnorth,5\n")
    asked = ("--ask", "mean:stay", "--limits", "stay=0:60", "--by", "ward", "--drop-missing")
    code, out, _ = run("epsilon", path, *asked, *ODDS, screen=True)
    told = " ".join(out.split())
    assert code == 0
    assert "stays.csv, without 1 that miss a value" in told
    first = (
        "The mean of stay, each counted as 0 to 60, in each of 2 groups by ward of all 5 records"
    )
    assert first in told
    open_ = (
        "a person is in the file and in which group, or that a value is missing, counts as known, "
        "and is not protected"
    )
    assert open_ in told
    assert "so those of groups do not add up" in told
    assert "its 95% error of mean:stay, east, the largest, and" in told
    hidden = ("--hide-n", "--group", "east", "--group", "north")
    told = " ".join(run("epsilon", path, *asked, *hidden, *ODDS)[1].split())
    assert "mean:stay, east computed" in told
    assert "Rows that miss stay or ward are left out of every answer" in told
    assert "comes or goes (each row is in one" in told
    assert "is not protected" not in told
    assert "without 1" not in told


@pytest.mark.parametrize(
    "words",
    [ALL, ("--hide-n", "--by", "ward", "--group", "0", "--group", "1"), ("--release-size", "2")],
)
def test_no_line_is_wider_than_a_terminal(tmp_path, run, words):
    name = "the number of days on which somebody was absent for any reason in the last year"
    path = tmp_path / "long.csv"
    path.write_text(f"{name},ward\n" + "".join(f"{value},{value % 2}\n" for value in range(12)))
    words = ("--ask", f"sum:{name}", "--ask", "count", *ODDS, *words)
    words += ("--limits", f"{name}=0:30") if "--hide-n" in words else ()
    assert max(map(len, run("epsilon", path, *words, screen=True)[1].splitlines())) <= 80


def test_a_scale_is_told_as_it_was_given_and_no_risk_with_seventeen_digits(pupils, run):
    for scale in ("0,7", "0.01", "1e9", "1e-30"):
        out = run("risk", pupils, *ASK, *ALL, "--scale", scale, screen=True)[1]
        assert f"Given: scale {scale}; computed from it" in out
        assert not re.search(r"\d{12}|99\.99999", out.partition("who reads it")[2])
        assert scale != "0,7" or re.search(r"^mean:absence_days +0\.7 ", out, re.M)
    out = run("risk", pupils, *ASK, "--released", "in", "--scale", "0")[1]
    assert re.search(r"^mean:absence_days .* 2\.00$", out, re.M)
    assert re.findall(r"-> (\S+) +(.*)$", out, re.M)[1:] == [("100%", "without limit")] * 2


# How it ends.


def test_the_one_question_is_asked_where_nobody_said_who_is_released(pupils, run):
    for command in COMMANDS:
        code, out, err = run(command, pupils, *ASK)
        assert (code, out) == (2, "")
        assert err.startswith("dpchoose: is everybody in the file part of the number?")
        assert "No, and who of it is in the number is the secret:" in err
        for option in ("--limits", "--everybody", "--all-but-one", "--released", "--release-size"):
            assert f" {option}" in err


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_cannot_be_kept_ends_with_2_and_a_line(pupils, run, form):
    code, out, err = run("epsilon", pupils, *ASK, *ALL, "--risk", "20%", "--format", form)
    assert (code, out) == (2, "")
    assert re.fullmatch("dpchoose: risk must exceed 1/4 = 0.25, .*\n", err)


EVERY = [(name, one[0]) for one in OPTIONS if not isinstance(one, str) for name in one[2]]


@pytest.mark.parametrize(("command", "typed"), EVERY)
def test_an_option_that_is_no_list_is_refused_by_name_when_it_is_given_twice(run, command, typed):
    flag, _, shown = typed.partition(" ")
    value = ["json" if flag == "--format" else "3"] if shown else []
    if not shown.endswith("..."):
        err = run(command, "none.csv", flag, *value, flag, *value)[2]
        assert re.match(f"dpchoose: {flag} was given twice", err)


HALF = "epsilon FILE --ask mean:absence_days --release-size"
GOOD = "epsilon FILE --ask mean:absence_days --all-but-one --odds 3"
NO_GOAL = GOOD.removesuffix(" --odds 3")
BAD_WORDS = [
    (NO_GOAL.replace(" FILE", ""), "exactly one of FILE, --records must be given, got none"),
    ("epsilon FILE --odds 3", "--ask must be given, as --ask mean:visits: see .* epsilon --help"),
    ("epsilon", "--ask must be given"),
    ("mean:absence_days", "command must be one of 'epsilon', .*, got 'mean:absence_days'"),
    ("epsilon --records 9 --ask mean:x --all-but-one --odds 3", "--records must come with --lim"),
    ("epsilon FILE --ask mean:x --limits x=2024-01-01:9 --odds 3", "'2024-01-01:9': is it a date"),
    ("epsilon FILE --ask share:ward>=2024-01-31 --everybody --odds 3", "number, .*: is it a date"),
    (NO_GOAL, "exactly one .* --error must be given, got none: with --odds 3 a suspicion"),
    (f"{GOOD} --risk 1/3", "exactly one of .* must be given, got --odds and --risk"),
    (f"{GOOD} --release-size 2", "exactly one .*, got --all-but-one and --release-size"),
    (f"{GOOD} --ask mean:days", "column must be one of 'name', 'school.*'days'"),
    (f"{GOOD} --ask mean:name", "numbers, got 'Chris' in row 1 below the names"),
    (f"{GOOD} --ask mean", "--ask must be written like mean:visits, or count alone"),
    (f"{GOOD} --ask count:in", "--ask must be written like mean:visits, or count alone"),
    (f"{HALF} 2 --odds 1,234", "--odds must be .*, got '1,234': is it 1234 or 1.234"),
    (f"{HALF} 4 --odds 3", r"in \[1, 3\], got 4"),
    (f"{HALF} 0 --odds 3", r"release_size must be in \[1, 3\], got 0"),
    (f"{HALF} -1 --odds 3", "--release-size must be a whole number, got -1"),
    (f"{GOOD} --format xml", "--format must be one of 'text', 'json', got 'xml'"),
    (f"{NO_GOAL} --epsilon 1", "--epsilon is an option of dpchoose risk"),
    (f"{NO_GOAL.replace('epsilon', 'risk')} --odds 3", "--odds is an option of dpchoose epsilon"),
    (f"{GOOD} --before 1%", "--before must come with --risk, got --odds"),
    (f"{GOOD} --by ward", "--by must come with --limits, got .*: of a known file ask each"),
    (f"{GOOD} --person=", "column must be one of 'name', .*, got ''"),
    (f"{NO_GOAL.replace('--all-but-one', '--released=')} --odds 3", "column must be .*, got ''"),
    (f"{GOOD} --show-cut", "--show-cut must come with --limits, got --all-but-one"),
    (f"{GOOD} --opendp o.py", "--opendp needs --limits or --released"),
    (f"{GOOD} --riks 1/3", "No such option.*--risk"),
    (f"{GOOD} {'x' * 5000}", r"unexpected extra argument \(x{280,300}$"),
    (f"{GOOD} --split {'9' * 5000}", "--split must be written like"),
    (f"{NO_GOAL.replace('epsilon', 'risk')} --scale nan", "--scale must be written like"),
    (GOOD.replace("FILE", "none.csv"), "CSV file must be readable"),
    ("epsilon FILE --ask share:name=Pat --limits name=Pat=0:2 --odds 3",
     "limits must be of columns whose values are asked for, got .name=Pat"),
    (f"risk FILE --ask mean:absence_days {IN} --scale 0", r"scale must lie in \(0, inf\), got 0"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "reason"), BAD_WORDS)
def test_a_bad_word_is_refused_in_one_line(pupils, run, words, reason):
    code, out, err = run(*typed(words, pupils))
    assert (code, out) == (2, "")
    assert re.match("dpchoose: .*\n$", err)
    assert re.search(reason, err)
    assert len(err) < 1000


def test_a_first_line_that_may_be_a_row_is_shown_on_a_terminal(tmp_path, run):
    path = tmp_path / "x.csv"
    path.write_text("ann,north\nbob,south\ncy,north\n")
    words = ("epsilon", path, "--ask", "count", "--hide-n", *ODDS)
    said = "dpchoose: warning: the first line is taken for the names of columns, ['ann', 'north']"
    code, _, err = run(*words)
    assert (code, err[: len(said)]) == (0, said)
    assert run(*words, log=True)[::2] == (0, "")


def test_a_bad_word_is_refused_before_the_file_is_read(run):
    for words in (("--format", "xml"), ("--split", "x"), ("--already", "x"), ("--where", "or")):
        code, _, err = run(*typed(GOOD, "none.csv"), *words)
        assert code == 2
        assert "readable" not in err


# Everybody is in the file.

WITHIN = (*ASK, *IN.split())
BEFORE = [  # refused before the file is looked for, the last three in words of the package
    ("--limits absence_days=0:9 --odds 3",
     "--limits must name each column once, as visits=, got abs"),
    ("--all-but-one --odds 3", "exactly one .*, got --all-but-one and --limits"),
    ("--limits 0:30 --odds 3", "--limits must name each column once, as visits=, got 0:30"),
    ("--limits x=3:3 --odds 3", "--limits x must be a low number and a higher one, got 3 and"),
    ("--limits x=30:0 --odds 3", "--limits x must be a low number and a higher one, got 30 and"),
    ("--limits x=0:inf --odds 3", r"--limits x must lie in \[-1e\+100, 1e\+100\], got inf"),
    ("--limits x=:max --odds 3", "--limits x must be two numbers, as 0:60, or .* got ':max'"),
    ("--limits x=nan:3 --odds 3", r"--limits x must lie in \[-1e\+100, 1e\+100\], got nan"),
    ("--limits x=0:9:2 --ask sum:x --odds 3", "limits of x must have a step that divides 0 to 9"),
    ("--limits x=1:2:3:4 --odds 3", "--limits x must be two numbers, as .*'1:2:3:4'"),
    ("--odds 3 --adjacency bounded", "--adjacency must come with --all-but-one or --released"),
    ("--risk 10% --before 1", r"before must lie in \(0, 1\), got 1"),
    ("--odds 3 --group north --by ward", "groups must come with by and hide_n"),
    ("--odds 3 --ask count", r"query count must come with hide_n \(--hide-n\)"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "reason"), BEFORE)
def test_a_bad_word_about_limits_is_refused_before_any_work(run, words, reason):
    code, out, err = run("epsilon", "none.csv", *WITHIN, *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(f"^dpchoose: .*{reason}", err)


def test_a_sensitivity_from_limits_is_that_of_the_table(pupils, found):
    for words, how, query in (
        ((), {}, [DAYS]),
        (("--hide-n", "--ask", "count"), HIDDEN, [DAYS, "count"]),
    ):
        moves = found("sensitivity", pupils, *WITHIN, *words)["answers"]
        expected = dp.PublicLimits(query, TABLE, **CUT, **how).for_odds(3).to_dict()["answers"]
        expected = [one["sensitivity"] for one in expected if one["sensitivity"] is not None]
        assert [one["sensitivity"] for one in moves] == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_each_option_of_the_table_in_its_section(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"dpchoose {command} stays.csv" in out
    for row in OPTIONS:
        if isinstance(row, str):
            heading = row
        elif command in row[2]:
            section = out.partition(f"{heading}:")[2].split(":\n")[0]
            assert f"\n  {row[0].split()[0]}" in section
    assert command in run()[1]


def stopped(script, *words, ready, pipe=os.devnull):
    """How a program ends that is interrupted once it is ready, and what it says."""
    command = [sys.executable, "-c", script, *words]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **both) as process:
        try:
            assert process.stdout.readline() == f"{ready}\n"
            with open(pipe, "w"):  # it has begun to read
                process.send_signal(signal.SIGINT)
                _, err = process.communicate()
        finally:
            process.kill()
    return process.returncode, err.strip()


def test_an_interrupt_ends_it_with_130_and_one_line(tmp_path):
    """Interrupted while it waits for a file that never ends, a pipe."""
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    script = (
        "import signal, sys; from dpchoose.__main__ import main;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # as in a terminal
        "print('ready', flush=True); sys.exit(main())"
    )
    words = typed(GOOD, pipe)
    assert stopped(script, *words, ready="ready", pipe=pipe) == (130, "dpchoose: interrupted")


SLOW = """
import signal, sys, time
import dpchoose.__main__
class Slow:
    def find_spec(self, name, *_):
        if name == "numpy":
            print("loading", flush=True)
            time.sleep(60)
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
sys.meta_path.insert(0, Slow())
sys.exit(dpchoose.__main__.main())
"""


def test_an_interrupt_while_numpy_is_loaded_ends_it_with_130_and_one_line():
    assert stopped(SLOW, ready="loading") == (130, "dpchoose: interrupted")


def test_it_runs_as_an_installed_command(pupils):
    """As a module it runs where nothing is installed."""
    words = ["sensitivity", pupils, *ASK, *ALL, "--format", "json"]
    command = [Path(sys.executable).with_name("dpchoose"), *words]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    assert '"sensitivity": 2.8334' in made.stdout
