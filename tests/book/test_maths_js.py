"""The page's JavaScript has the numbers, the readers and the sentences of the package."""

import base64
import io
import json
import math
import re
import shutil
import statistics
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node, Debian's nodejs")

SCRIPT = Path(__file__).parents[1] / "js" / "answers.js"
ABOVE = 1e-6  # of the package's own scale: the page's is never below it
QUERIES = ("sum", "mean", "median", "percentile_25", "percentile_33.3", "percentile_100")


def answers(cases):
    """What the scripts answer, all in one process."""
    done = subprocess.run([NODE, SCRIPT], input=json.dumps(cases), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(re.sub(r'"(NaN|Infinity)"', r"\1", done.stdout))


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


def case(table, question):
    csv = table.to_csv(index=False).encode()
    return {"csv": base64.b64encode(csv).decode(), "question": question}


def compare(ours, found):
    """The page's numbers beside those of the package: never less noise, and hardly more."""
    assert "done" in found, found
    its = found["done"]
    assert its["status"] == ours.status, (its["status"], ours.reason)
    mine = ours.to_dict()
    if not mine["readers"]:
        assert its["sentences"] == ours.sentences()
        return
    scales = ours.table["noise scale"].dropna()
    assert len(its["answers"]) == len(scales)
    for one, scale in zip(its["answers"], scales, strict=True):
        shaved = ABOVE if math.isfinite(scale) and its.get("odds") else 0
        assert scale <= one["scale"] * (1 + 1e-15) <= scale * (1 + shaved) + 1e-300
    assert its["epsilon"] == pytest.approx(ours.epsilon, rel=2 * ABOVE)
    after = zip(its["readers"], ours.readers.to_dict("records"), strict=True)
    for one, row in after:
        for name in ("reader", "promised", "exact"):
            assert one[name] == row[name]
        assert one["after"] == pytest.approx(row["after"], rel=2 * ABOVE)
    its_choices = [math.log(row["factor"]) for row in its["choices"]]
    mine_choices = [math.log(row["factor"]) for row in ours._choices]
    assert its_choices == pytest.approx(mine_choices, rel=2 * ABOVE)
    assert its["reason"] == ours.reason


def same_words(one, other):
    """Whether sentences differ in nothing but the last digit of a scale or an error."""
    return len(one) == len(other) and all(
        a == b or _near(a.split(), b.split()) for a, b in zip(one, other, strict=True)
    )


def _near(one, other):
    def close(a, b):
        try:
            return float(a) == pytest.approx(float(b), rel=1e-3)
        except ValueError:
            return a == b

    return len(one) == len(other) and all(map(close, one, other))


def test_all_but_one_of_a_known_file_has_the_answer_of_the_package():
    rng = np.random.default_rng(20261122)
    cases, ours = [], []
    for _ in range(150):
        table = columns(rng, int(rng.integers(3, 60)))
        name = f"{rng.choice(QUERIES)}:{rng.choice(['a', 'b', 'flag'])}"
        goal = rng.choice(["odds", "risk", "before", "error"], p=[0.3, 0.5, 0.1, 0.1])
        value = {
            "odds": str(rng.choice(["1.1", "1,5", "3", "17/4", "100"])),
            "risk": str(rng.choice([0.05, 0.25, "1/3", 0.5, "61%", 0.9, 0.999])),
            "before": "40%",
            "error": str(rng.choice([0.01, 0.5, 20])),
        }[goal]
        goal, before = ("risk", "7%") if goal == "before" else (str(goal), None)
        asked = {"goal": goal, "value": value, "before": before}
        cases.append(case(table, {"situation": "known", "asks": [told(name)], "goal": asked}))
        ours.append(
            dp.recommend(
                pair(name),
                pd.read_csv(io.StringIO(table.to_csv(index=False))).astype({"flag": float}),
                len(table) - 1,
                **{goal: value},
                before=before,
            )
        )
    for one, found in zip(ours, answers(cases), strict=True):
        compare(one, found)
        assert same_words(found["done"]["sentences"], one.sentences())


EVERY = ("mean:a", "sum:a", "mean:b", "sum:b", "mean:flag", "share:ward=s", "count")


def test_everybody_has_the_answer_of_the_package():
    """With n public and hidden, alone and several, by group, with what is out, for each goal."""
    rng = np.random.default_rng(7)
    cases, ours = [], []
    for _ in range(150):
        table = columns(rng, int(rng.integers(4, 60)))
        hidden, by = rng.random() < 0.5, rng.random() < 0.4
        known = EVERY if hidden else EVERY[:-1]
        names = [str(one) for one in rng.choice(known, rng.choice([1, 1, 2, 3]), replace=False)]
        out = [("sum:a", float(rng.integers(900, 9000)))] if rng.random() < 0.2 else []
        kinds = ["odds", "before", "epsilon"] + ["error"] * (not hidden)
        goal = str(rng.choice(kinds))
        value = {"odds": "3", "before": "40%", "error": "0.25", "epsilon": "0.7"}[goal]
        before = "7%" if goal == "before" else None
        goal = "risk" if goal == "before" else goal
        used = {one.partition(":")[2] for one in [*names, *(name for name, _ in out)]} & {"a", "b"}
        limits = {one: ["-5", "60,5"] if one == "a" else ["0", "7"] for one in sorted(used)}
        pairs = {one: (-5, 60.5) if one == "a" else (0, 7) for one in limits}
        groups = ["s", "n", "w", "x"] if hidden and by else None
        question = {
            "situation": "everybody",
            "asks": list(map(told, names)),
            "limits": limits,
            "hide": hidden,
            "by": "ward" if by else "",
            "groups": groups or [],
            "already": [told(name) | {"scale": str(scale)} for name, scale in out],
            "goal": {"goal": goal, "value": value, "before": before},
        }
        cases.append(case(table, question))
        data = pd.read_csv(io.StringIO(table.to_csv(index=False)))
        ours.append(
            dp.recommend(
                list(map(pair, names)),
                data,
                limits=pairs,
                hide_n=bool(hidden),
                groups=groups,
                by="ward" if by else None,
                already=[(pair(name), scale) for name, scale in out] or None,
                **{goal: value},
                before=before,
            )
        )
    for one, found in zip(ours, answers(cases), strict=True):
        compare(one, found)
        assert same_words(found["done"]["sentences"], one.sentences())
        mine = one.to_dict()["private"]
        assert found["done"]["private"]["advice"] == mine["advice"]
        planned = [row["error"] for row in found["done"]["private"]["derived"]]
        theirs = [row["error"] for row in mine["planned"]]
        assert planned == pytest.approx([math.nan if e is None else e for e in theirs], nan_ok=True)


def test_the_scale_that_is_shown_keeps_the_risk_on_paper():
    rng = np.random.default_rng(7)
    paper = {"sum": sum, "mean": statistics.mean, "median": statistics.median}
    shapes = [1e9 + rng.integers(0, 100, 12), np.array([0.1, 0.2, 0.2, 0.3, 0.7, 1e6])]
    shapes += [1e9 + np.round(rng.normal(0, 1, 9), 3), rng.lognormal(0, 3, 10)]
    known = [(query, pd.DataFrame({"x": u})) for u in shapes for query in paper]
    goal = {"goal": "risk", "value": "0.4"}
    asked = [
        case(table, {"situation": "known", "asks": [told(f"{query}:x")], "goal": goal})
        for query, table in known
    ]
    for (query, table), found in zip(known, answers(asked), strict=True):
        u = [Fraction(value) for value in table["x"].tolist()]
        worlds = [paper[query](u[:i] + u[i + 1 :]) for i in range(len(u))]
        shown = Fraction(found["done"]["shown"]["answers"][0][0])
        near = lambda a, b: math.exp(-float(abs(a - b) / shown)) if shown else float(a == b)  # noqa: E731, B023
        belief = 1 / min(math.fsum(near(a, b) for b in worlds) for a in worlds)
        assert belief <= 0.4 * (1 + 1e-12), query


def test_numbers_are_shown_as_the_package_shows_them():
    """Scales, beliefs and factors of many sizes, through the one place that writes them."""
    from dpchoose.epsilon import text

    rng = np.random.default_rng(3)
    values = [*10.0 ** rng.uniform(-9, 9, 300), 1e-7, 2.77, 0.0032919234, 1e15, 0.0]
    risks = [*rng.uniform(0, 1, 300), 1 / 3, 0.01, 0.9999999, 0.5, 2 / 3, 1.0]
    program = (
        "const dp = require(process.argv[1]);"
        "const [v, r] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const made = [v.map((x) => dp.roundUp(x)), v.map((x) => dp.roundDown(x)),"
        "  r.map((x) => dp.chance(x)), v.map((x) => dp.factor(1 + x))];"
        "process.stdout.write(JSON.stringify(made))"
    )
    index = SCRIPT.parents[2] / "book" / "_assets" / "maths" / "index.js"
    made = subprocess.run(
        [NODE, "-e", program, str(index)],
        input=json.dumps([values, risks]),
        capture_output=True,
        text=True,
        check=True,
    )
    ups, downs, chances, factors = json.loads(made.stdout)
    assert ups == [text.round_up(value) for value in values]
    assert downs == [text.round_down(value) for value in values]
    assert chances == [text.chance(value) for value in risks]
    assert factors == [text.factor(1 + value) for value in values]


def test_the_text_of_the_worker_has_all_that_it_needs():
    program = (
        "const dp = require(process.argv[1]), scope = {}; dp.readerSource = '() => ({})';"
        "require('node:vm').runInNewContext(dp.workerSource(), { self: scope });"
        "process.exit(typeof scope.onmessage === 'function' ? 0 : 1)"
    )
    index = SCRIPT.parents[2] / "book" / "_assets" / "maths" / "index.js"
    assert subprocess.run([NODE, "-e", program, str(index)]).returncode == 0
