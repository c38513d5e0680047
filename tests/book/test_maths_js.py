"""The page's JavaScript has the numbers, the readers and the sentences of the package."""

import base64
import io
import json
import math
import os
import re
import shutil
import subprocess
import warnings
from collections import Counter
from pathlib import Path

import explorer
import numpy as np
import pandas as pd
import pytest
from strategies import noise_of

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.your_data import wording
from dpchoose.your_data.command import output

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node, Debian's nodejs")

SCRIPT = Path(__file__).parents[1] / "js" / "answers.js"
ABOVE = 1e-6  # of the package's own scale: the page's is never below it


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Run a script with the words of the package, as the page has them."""
    path = tmp_path_factory.mktemp("words") / "words.json"
    words = {"words": explorer.package_words(), "shared": explorer.SHARED}
    path.write_text(json.dumps(words), "utf-8")

    def run(*arguments, given=""):
        environment = os.environ | {"DPCHOOSE_WORDS": str(path)}
        how = {"input": given, "env": environment, "capture_output": True, "text": True}
        done = subprocess.run([NODE, *map(str, arguments)], **how)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def answers(node):
    """What the scripts answer, all in one process."""

    def answered(cases):
        done = node(SCRIPT, given=json.dumps(cases))
        return json.loads(re.sub(r'"(NaN|Infinity)"', r"\1", done))

    return answered


def columns(rng, size):
    """Ties, decimals, heavy tails, one value, clusters, and floats that are no short decimals."""
    kinds = (
        rng.integers(0, 5, size).astype(float),
        np.round(rng.normal(50, 10, size), 1),
        np.round(rng.lognormal(0, 1.5, size), 4),
        np.full(size, 3.0),
        np.where(rng.random(size) < 0.8, 0.0, np.round(rng.normal(0, 1, size), 6)),
        1e9 + rng.integers(0, 50, size),
        rng.normal(size=size),
    )
    table = {name: kinds[rng.integers(len(kinds))] for name in "ab"}
    table["flag"] = rng.integers(0, 2, size)
    table["ward"] = rng.permutation(np.resize(["n", "s", "w"], size))
    return pd.DataFrame(table)


def told(name):
    """A statistic as the page asks for it."""
    query, _, column = name.partition(":")
    column, _, value = column.partition("=")
    return {"query": query, "column": column, "value": value}


def pair(name):
    query, _, column = name.partition(":")
    return (query, column) if column else query


def case(csv, how=(), **asked):
    """A file, how it is read, and a question, as the page asks it where nothing else is said."""
    question = {
        "limits": {},
        "hide": False,
        "by": "",
        "groups": [],
        "person": "",
        "perPerson": "1",
        "dropMissing": False,
        "codesAreValues": True,
        "already": "1",
        "goal": {"goal": "odds", "value": "3", "before": None},
    }
    content = csv if isinstance(csv, bytes) else csv.to_csv(index=False).encode()
    given = {"csv": base64.b64encode(content).decode(), "question": question | asked}
    return given | {"how": dict(how)}


def compare(ours, answer):
    """The page's numbers and sentences beside the package's: never less noise, hardly more."""
    assert "done" in answer, answer
    its = answer["done"]
    assert its["became"] == wording.became(ours.to_dict())
    assert its["words"]["sentences"] == ours.sentences()
    for row, scale in zip(its["answers"], ours.scales, strict=True):
        assert scale <= row["scale"] * (1 + 1e-15) <= scale * (1 + ABOVE) + 1e-300
    assert its["epsilon"] == pytest.approx(ours.epsilon, rel=2 * ABOVE)
    report = ours.to_dict()
    public = [row["error"] for row in report["answers"] if row["scale"] is not None]
    assert its["public"] == public
    for row, its_row in zip(ours.readers.to_dict("records"), its["readers"], strict=True):
        assert [its_row[name] for name in ("reader", "exact")] == [row["reader"], row["exact"]]
        assert its_row["after"] == pytest.approx(row["after"], rel=2 * ABOVE)
    planned = [
        math.nan if row["error"] is None else row["error"] for row in report["private"]["planned"]
    ]
    derived = [row["error"] for row in its["private"]["derived"]]
    assert derived == pytest.approx(planned, nan_ok=True)


EVERY = ("mean:a", "sum:a", "mean:b", "sum:b", "mean:flag", "share:ward=s", "count")


def test_everybody_has_the_answer_of_the_package(answers):
    """With n public and hidden, alone and several, by group, with rows and what is out."""
    rng = np.random.default_rng(7)
    cases, ours = [], []
    for _ in range(150):
        table = columns(rng, int(rng.integers(4, 60)))
        hidden, by = bool(rng.random() < 0.5), rng.random() < 0.4
        known = EVERY if hidden else EVERY[:-1]
        names = [str(name) for name in rng.choice(known, rng.choice([1, 1, 2, 3]), replace=False)]
        goal = str(rng.choice(["odds", "before"] + ["error"] * (not hidden)))
        value = {"odds": "3", "before": "40%", "error": "0.25"}[goal]
        before = "7%" if goal == "before" else None
        goal = "risk" if goal == "before" else goal
        rows, already = int(rng.choice([1, 1, 2])), str(rng.choice(["1", "1", "1.5"]))
        asked = {name.partition(":")[2] for name in names} & {"a", "b", "flag"}
        typed = {"a": ["-5", "60.5"], "b": ["0", "7"], "flag": ["0", "1"]}
        pairs = {"a": (-5, 60.5), "b": (0, 7), "flag": (0, 1)}
        groups = ["s", "n", "w", "x"] if hidden and by else None
        question = {
            "asks": list(map(told, names)),
            "limits": {name: typed[name] for name in sorted(asked)},
            "hide": hidden,
            "by": "ward" if by else "",
            "groups": groups or [],
            "perPerson": str(rows),
            "already": already,
            "goal": {"goal": goal, "value": value, "before": before},
        }
        cases.append(case(table, **question))
        ours.append(
            noise_of(
                dp.PublicLimits(
                    list(map(pair, names)),
                    pd.read_csv(io.StringIO(table.to_csv(index=False))),
                    {name: pairs[name] for name in asked},
                    hide_n=hidden,
                    groups=groups,
                    by="ward" if by else None,
                    rows_per_person=rows,
                    already=already,
                ),
                {goal: value} | ({"before": before} if before else {}),
            )
        )
    for result, answer in zip(ours, answers(cases), strict=True):
        compare(result, answer)


ODD = ["hours (99=n/a)", "bmi>=30", "ward=north", "sex (1=f)", "a<b", "=s", "w = v", "a, b"]
CELLS = ["1", "1.0", "01", "0", "-0", "2.5", "2.50", "2,5", "-3", "\N{MINUS SIGN}3", "1 000",
         "1,000", "true", "TRUE", "false", "north", "North", "n, f"]  # fmt: skip


def test_names_and_cells_say_the_same_as_in_the_package(answers, tmp_path, capsys):
    """Columns with signs in their names; numbers, truths and texts as files spell them."""
    rng = np.random.default_rng(11)
    cases, ours = [], []
    for number in range(60):
        name, group, other = rng.choice(ODD, 3, replace=False).tolist()
        decimal, thousands = [(".", ""), (",", ""), (".", ","), (",", "."), (".", " ")][number % 5]
        cells = rng.choice(CELLS, 40).tolist()
        table = pd.DataFrame({name: cells, group: rng.choice(CELLS[:11], 40), other: range(40)})
        table.loc[rng.random(40) < 0.1, name] = "99.0"
        hidden, by, value = bool(number % 2), bool(number % 3), cells[0]
        if hidden and rng.random() < 0.5:
            asks = [{"query": "count", "column": "", "value": ""}]
        else:
            asks = [{"query": "share", "column": name, "value": value}]
        asks += [{"query": "mean", "column": other, "value": ""}] * int(rng.integers(2))
        groups = CELLS[:11:2] if hidden and by else []
        question = {
            "asks": asks,
            "limits": {other: ["0", "50"]},
            "hide": hidden,
            "by": group if by else "",
            "groups": groups,
            "dropMissing": True,
        }
        path = tmp_path / "mine.csv"
        table.to_csv(path, index=False, sep="|")
        how = {"decimal": decimal, "thousands": thousands, "missing": "99", "delimiter": "|"}
        cases.append(case(path.read_bytes(), how, **question))
        words = [word for ask in asks for word in ("--ask", spelt(ask))]
        words += ["--limits", f"{other}=0:50"] * (len(asks) > 1) + ["--hide-n"] * hidden
        words += ["--by", group] * by + [word for one in groups for word in (f"--group={one}",)]
        words += [f"--{flag}={sign}" for flag, sign in how.items() if sign]
        words += ["--odds", "3", "--drop-missing", "--everybody", "--format", "json"]
        code = main(["epsilon", str(path), *words])
        ours.append((code, *capsys.readouterr()))
    answered = 0
    for (code, out, err), answer in zip(ours, answers(cases), strict=True):
        assert ("error" in answer) == bool(code), (err, answer)
        if not code:
            answered += 1
            told, its = json.loads(out), answer["done"]
            assert its["words"]["sentences"] == told["sentences"]
            rows = [row for row in told["answers"] if row["scale"] is not None]
            assert [row["statistic"] for row in its["answers"]] == [r["statistic"] for r in rows]
    assert answered > 20


NEARLY_CODES = [-999, -99, -9, 8, 9, 40, 97, 98, 99, 300, 998, 999, 5000, 9999, 10**6]


def test_codes_are_found_as_the_package_finds_them(answers):
    """Asked about where several rows have one, and warned of in one row."""
    rng, cases, ours = np.random.default_rng(13), [], []
    for number in range(120):
        few = rng.choice(NEARLY_CODES, int(rng.integers(1, 4)))
        values = [1, 2, 3, 5, *few, *few[: number % 3]]
        low, high = [(0, 5), (1, 30), (-5, 60)][number % 3]
        table = pd.DataFrame({"a": values})
        limits = {"a": [str(low), str(high)]}
        cases.append(case(table, asks=[told("mean:a")], limits=limits, codesAreValues=False))
        with warnings.catch_warnings(record=True, action="always") as said:
            dp.PublicLimits(("mean", "a"), table, {"a": (low, high)})
        ours.append([str(one.message) for one in said])
    kinds = Counter()
    for texts, answer in zip(ours, answers(cases), strict=True):
        is_asked = any("are they codes" in text for text in texts)
        kinds[is_asked, len(texts)] += 1
        its = [answer["error"]] if "error" in answer else answer["done"]["warnings"]
        assert its == texts, answer
    assert min(kinds[True, 1], kinds[False, 1], kinds[False, 0]) > 5


def spelt(ask):
    """An answer as it is asked for on the command line."""
    if ask["query"] == "count":
        return "count"
    return f"{ask['query']}:{ask['column']}" + f"={ask['value']}" * (ask["query"] == "share")


FILES = {  # name: what stands in it, how it is written
    "ties": (lambda rng: {"x": rng.integers(0, 4, 60)}, {}),
    "same": (lambda rng: {"x": [7.25] * 12, "y": range(12)}, {}),
    "negative": (lambda rng: {"x": -np.round(rng.lognormal(0, 3, 50), 2)}, {}),
    "two": (lambda rng: {"x": [1.5, 2]}, {}),
    "truths": (lambda rng: {"x": rng.random(40) < 0.3}, {}),
    "tiny": (lambda rng: {"x": rng.exponential(1e-7, 30)}, {}),
    "marked": (lambda rng: {"größe": rng.integers(150, 199, 30)}, {"encoding": "utf-8-sig"}),
    "returns": (lambda rng: {"x": range(20)}, {"lineterminator": "\r"}),
}


@pytest.mark.parametrize("query", ["mean", "sum"])
def test_every_file_has_the_answers_of_the_command(answers, tmp_path, capsys, query):
    """The browser reads others, and how it tells the command to read them."""
    cases, ours = [], []
    for name, (make, how) in FILES.items():
        path = tmp_path / f"{name}.csv"
        pd.DataFrame(make(np.random.default_rng(1))).to_csv(path, index=False, **how)
        column = "größe" if name == "marked" else "x"
        asks = [{"query": query, "column": column, "value": ""}]
        cases.append(case(path.read_bytes(), asks=asks, limits={column: ["-3", "9.5"]}))
        words = ["--ask", f"{query}:{column}", "--limits", f"{column}=-3:9.5", "--odds", "3"]
        assert main(["epsilon", str(path), *words, "--format", "json"]) == 0
        ours.append(json.loads(capsys.readouterr().out))
    for told, answer in zip(ours, answers(cases), strict=True):
        its, (row,) = answer["done"], told["answers"]
        assert its["words"]["sentences"] == told["sentences"]
        assert its["public"] == [row["error"]]
        assert its["answers"][0]["scale"] == pytest.approx(row["scale"], rel=1e-3)  # to 4 digits


REFUSED = {  # what is picked, and what has to be in the sentence that refuses it
    "empty": (b"", "an empty file"),
    "names": (b"a,b\n", "only a line of names"),
    "one": (b"a\n5\n", "at least 2 records"),
    "quote": (b'a,b\n1,2\n3,"4\n5,6\n', "near row 2 below the names: a quote is not closed"),
    "trailing": (
        b'a,b\n"1"x,2\n3,4\n',
        "near row 1 below the names: a quote is not closed, or something",
    ),
    "sheet": (b"PK\3\4 and so on", "is an Excel file: save the table as CSV"),
    "packed": (b"\x1f\x8b\x08 and so on", "unpack it first"),
    "binary": (b"a,b\n\0\1,2\n", "not a table of text"),
    "json": (b'[{"a": 1}]', "is JSON"),
    "old": ("Größe,n\n1,2\n3,4\n".encode("latin-1"), "not text in utf-8"),
    "twice": (b"a,a\n1,2\n", "each column once, got 'a' twice"),
    "ragged": (b"a,b\n1,2\n1,2,3\n", "got 3 in row 2 below the names: is its comma for decimals?"),
    "blank": (b"a,b\n1,2\n\n3,4\n", "got 0 in row 2 below the names"),
    "long": (b'a,b\n1,"' + b"x" * 140_000 + b'"\n2,y\n', "more than 131,072 letters"),
    "longer": (b'a,b\n1,"' + b"x" * 10_000_000 + b'"\n2,y\n', "more than 131,072 letters"),
    "bare": (b"a,b\n1," + b"x" * 140_000 + b"\n2,y\n", "more than 131,072 letters"),
    "open": (b'a\n1\n"' + b"2" * 4_000_000, "or a field has more than 131,072 letters"),
    "both": (b"a;b,c\n1;2,3\n", "commas and semicolons"),
    "title": (b"Report of 2025\nx,y\n1,2\n3,4\n", "is its first line a title"),
    "apart": (b"Report of 2025\n\nx,y\n1,2\n3,4\n", "is its first line a title"),
    "comma": (b"Report, 2025\n\nx,y\n1,2\n3,4\n", "is its first line a title"),
    "note": (b"sep=;\nx;y\n1;2\n3;4\n", "a note for Excel"),
    "page": (b"<!doctype html>\n<html><p>1</p>\n</html>\n", "page of the web"),
}


def test_what_is_wrong_with_a_file_is_said(answers):
    asks = [{"query": "mean", "column": "a", "value": ""}]
    cases = [case(content, asks=asks) for content, _ in REFUSED.values()]
    for (_, words), answer in zip(REFUSED.values(), answers(cases), strict=True):
        assert words in answer["error"]


def people(rng):
    """A column of persons, of whom some have several rows, and some rows miss whose they are."""
    names = rng.integers(0, 1500, 1600).astype(str)
    names[rng.random(1600) < rng.choice([0, 0.01])] = "NA"
    return names if rng.random() < 0.7 else np.array([f"p{i}" for i in range(1600)])


def test_whose_row_it_is_is_checked_as_the_command_checks_it(
    answers, tmp_path, capsys, monkeypatch
):
    """Which row is refused, or the sentence to sign; also of more people than the page lists."""
    rng = np.random.default_rng(5)
    monkeypatch.setattr(output, "is_terminal", lambda _: True)  # where the row is shown
    cases, ours = [], []
    for number in range(24):
        by = "ward" if number % 3 == 0 else ""
        table = columns(rng, 1600).assign(who=people(rng))
        table.loc[rng.random(1600) < rng.choice([0, 0.5]), "a"] = None
        rows = int(rng.choice([1, 2, 4, 9]))
        question = {
            "asks": [told("mean:a")],
            "limits": {"a": ["0", "50"]},
            "by": by,
            "person": "who",
            "perPerson": str(rows),
            "dropMissing": True,
        }
        cases.append(case(table, **question))
        table.to_csv(tmp_path / "people.csv", index=False)
        asked = "--ask mean:a --limits a=0:50 --odds 3 --person who --drop-missing --missing none"
        words = [
            *asked.split(),
            "--rows-per-person",
            str(rows),
            "--format",
            "json",
            *["--by", by] * bool(by),
        ]
        code = main(["epsilon", str(tmp_path / "people.csv"), *words])
        known = table.dropna()["who"].value_counts()
        ours.append((code, *capsys.readouterr(), known, rows, by))
    refused = 0
    for (code, out, err, counts, rows, by), answer in zip(ours, answers(cases), strict=True):
        assert ("error" in answer) == bool(code)
        if code:
            rule, first, cure = re.match(
                r"dpchoose: (.*), got (.* in row \d+ below the names)"
                r"(: add up each person's rows in the file.*), or use the first .*--keep-rows.*\n",
                err,
            ).groups()
            assert cure.endswith("give each person one ward" if by else "in the file")
            refused += 1
            several = (counts.drop("NA", errors="ignore") > rows).sum()
            many = "1 person" if several == 1 else f"{several} people"
            said = f"{rule}, got {many} with more, first {first}{cure}"
            assert answer["error"] == said
        else:
            assert answer["done"]["words"]["sentences"] == json.loads(out)["sentences"]
    assert 0 < refused < len(ours)


def test_numbers_are_shown_as_the_package_shows_them(node):
    """Scales, beliefs and factors of many sizes, through the one place that writes them."""
    from dpchoose import numbers as text

    rng = np.random.default_rng(3)
    values = [*10.0 ** rng.uniform(-9, 9, 300), 1e-7, 2.77, 0.0032919234, 1e15, 0.0]
    risks = [*rng.uniform(0, 1, 300), *(1 - 10.0 ** -rng.uniform(2, 8, 100))]
    risks += [1 / 3, 0.01, 0.9999999, 0.5, 2 / 3, 1.0]
    program = (
        "require(process.argv[1]); const dp = globalThis.dpchoose;"
        "const [v, r] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const made = [v.map((x) => dp.roundUp(x)), v.map((x) => dp.roundDown(x)),"
        "  r.map((x) => dp.chance(x)), r.map((x) => dp.chance(x, [])),"
        "  v.map((x) => dp.factor(1 + x)), r.map(dp.of100)];"
        "process.stdout.write(JSON.stringify(made))"
    )
    index = SCRIPT.with_name("maths.js")
    shown = node("-e", program, index, given=json.dumps([values, risks]))
    ups, downs, chances, percents, factors, hundreds = json.loads(shown)
    assert ups == [text.round_up(value) for value in values]
    assert downs == [text.round_down(value) for value in values]
    assert chances == [text.format_probability(value) for value in risks]
    assert percents == [text.format_probability(value, ()) for value in risks]
    assert factors == [text.format_odds_factor(1 + value) for value in values]
    assert hundreds == [text.per_hundred(value) for value in risks]
