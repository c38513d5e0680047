"""What the command line writes: a picture, a page for whoever signs, a script for OpenDP."""

import ast
import html
import json
import math
import re
import runpy
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.__main__ import main

ODDS = ("--odds", "3")
IN = ("--released", "in")
INCOMES = [91234.125, 1021.375, 70331.5, 8123.25, 44017.75, 50012.625]
COLUMNS = {"income": INCOMES, "smoker": [1, 0, 1, 1, 0, 0], "ward": [*"nnssns"]}
FRAME = pd.DataFrame({**COLUMNS, "in": [1, 1, 1, 0, 1, 0]})


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("data.csv", index=False)
    return "data.csv"


# The picture.

DRAWN = [
    ("--ask", "sum:smoker", "--ask", "count", "--by", "ward", "--all-but-one"),
    ("--ask", "mean:income", "--already", "sum:smoker:20", "--release-size", "4"),
]


@pytest.mark.parametrize(("option", "name"), [("--plot", "out.svg"), ("--report", "out.html")])
def test_an_exact_answer_has_a_picture_and_a_page(data, option, name):
    asked = ("--ask", "median:smoker", "--all-but-one", "--risk", "1/2")
    assert main(["epsilon", data, *asked, option, name]) == 0
    assert Path(name).read_bytes()


@pytest.mark.parametrize(("name", "start"), [("out.svg", b"<?xml"), ("out.png", b"\x89PNG")])
@pytest.mark.parametrize("asked", DRAWN)
def test_a_picture_is_drawn_and_is_the_same_when_it_is_drawn_again(data, name, start, asked):
    drawn = []
    for _ in range(2):
        assert main(["epsilon", data, *asked, *ODDS, "--plot", name]) == 0
        drawn.append(Path(name).read_bytes())
    assert drawn[0].startswith(start)
    assert drawn[0] == drawn[1]


def test_without_matplotlib_one_line_says_so_before_any_work(data, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for module in ("plot", "report"):
        monkeypatch.delitem(sys.modules, f"dpchoose.command.{module}", raising=False)
        monkeypatch.delattr(dp.command, module, raising=False)
    for option, name in (("--plot", "o.svg"), ("--report", "o.html")):
        assert main(["epsilon", "none.csv", "--ask", "count", *IN, *ODDS, option, name]) == 2
        assert re.fullmatch(r".*dpchoose\[plot\].*\n", capsys.readouterr().err)
        assert not Path(name).exists()


# The page.


def test_a_report_begins_with_what_is_signed_tells_the_dictionary_and_stands_alone(data):
    words = ["--ask", "mean:income", "--ask", "sum:smoker", *IN, *ODDS]
    assert main(["epsilon", data, *words, "--report", "out.html"]) == 0
    page = Path("out.html").read_text("utf-8")
    shown = " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())
    asked = [("mean", "income"), ("sum", "smoker")]
    told = dp.recommend(asked, FRAME, released=FRAME["in"], odds=3).to_dict()
    assert shown.rpartition("Sign or refuse? ")[2].startswith(told["sentences"][0])
    for text in (*told["sentences"], "not for publication", "data.csv --ask mean:income"):
        assert text in shown
    assert all(str(row["error"]) in shown for row in told["answers"])
    assert all(str(row["errors"][0]) in shown for row in told["choices"])
    assert all(row["reader"] in shown for row in told["readers"])
    assert "<svg" in page
    assert not re.search("<(script|link|img|iframe|object)|(src|href)=.(?!#)", page)
    for income in FRAME["income"]:
        for text in (f"{income}", f"{income:g}", f"{income:.0f}", f"{income:,.0f}"):
            assert text not in shown


@pytest.mark.parametrize("words", [("--risk", "1%"), (*ODDS, "--already", "sum:income:1")])
def test_nothing_is_written_where_nothing_is_recommended(data, capsys, words):
    for name in ("o.html", "o.svg", "o.py"):
        Path(name).write_text("before")
    files = ["--report", "o.html", "--plot", "o.svg", "--opendp", "o.py"]
    assert main(["epsilon", data, "--ask", "mean:income", *IN, *words, *files]) == 2
    assert capsys.readouterr().out == ""
    assert {Path(name).read_text() for name in ("o.html", "o.svg", "o.py")} == {"before"}


# The script.


def scripted(data, *words, who=IN):
    assert main(["epsilon", data, *who, *words, "--opendp", "out.py"]) == 0
    return Path("out.py").read_text("utf-8")


def publish():
    """What the script says as it ends, run here; None when it published."""
    try:
        runpy.run_path("out.py", run_name="__main__")
    except SystemExit as end:
        return end.code
    return None


ASKED = [
    ("--ask", "mean:income"),
    ("--ask", "mean:income", "--ask", "sum:smoker", "--ask", "median:income"),
    ("--ask", "count", "--ask", "sum:income", "--by", "ward"),
    ("--ask", "mean:income", "--where", "income > 2000", "--already", "sum:smoker:20"),
]


@pytest.mark.parametrize("asked", ASKED)
def test_a_script_publishes_the_values_alone_and_once(data, asked):
    """The first of them in a process of its own."""
    scripted(data, *asked, *ODDS)
    if asked == ASKED[0]:
        subprocess.run([sys.executable, "out.py"], check=True)
    else:
        assert publish() is None
    published = Path("out.json").read_text()
    assert all(isinstance(value, (int, float)) for value in json.loads(published).values())
    assert "publish again" in publish()
    assert Path("out.json").read_text() == published


def test_a_script_is_the_template_with_its_capitals_filled_in(data):
    template = resources.files("dpchoose.command").joinpath("publish.py.in").read_text("utf-8")
    made, plain = ast.parse(scripted(data, *ASKED[0], *ODDS)), ast.parse(template)
    for one, other in zip(made.body, plain.body, strict=True):
        if not isinstance(other, ast.Assign):
            assert ast.dump(one) == ast.dump(other)


def test_a_script_adds_its_noise_to_the_answer_on_the_released_rows(data):
    """The mean of many draws is that answer, and not the one on the file."""
    scripted(data, "--ask", "sum:smoker", "--odds", "10")
    drawn = []
    for _ in range(400):
        assert publish() is None
        drawn.append(json.loads(Path("out.json").read_text())["sum:smoker"])
        Path("out.json").unlink()
    scale = float(dp.recommend(("sum", "smoker"), FRAME, 4, odds=10).table["noise scale"][0])
    assert abs(sum(drawn) / 400 - 2) < 6 * scale * (2 / 400) ** 0.5
    assert all(isinstance(value, int) for value in drawn)


def test_a_script_says_what_it_needs(data, monkeypatch):
    scripted(data, *ASKED[0], *ODDS)
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    assert "pip install 'opendp>=0.16'" in publish()
    assert not Path("out.json").exists()


def test_a_script_refuses_a_file_that_has_changed(data):
    scripted(data, "--ask", "mean:income", *ODDS)
    with open(data, "a") as file:
        file.write("1,1,n,1\n")
    assert "has changed" in publish()
    assert not Path("out.json").exists()


def test_a_script_refuses_noise_in_which_opendp_finds_more_epsilon(data):
    script = scripted(data, "--ask", "mean:income", *ODDS)
    found = dp.recommend(("mean", "income"), FRAME, 4, odds=3)
    scale = repr(found.to_dict()["answers"][0]["scale"])
    assert scale in script
    Path("out.py").write_text(script.replace(scale, repr(float(scale) * 0.99), 1))
    assert "OpenDP finds a distance" in publish()
    assert not Path("out.json").exists()


BY_WARD = ("--by", "ward", "--hide-n", "--group", "n", "--group", "s", "--group", "x")
OF_ALL = [  # who, the largest number of groups in which a person may be thought, steps of a unit
    (("--ask", "mean:income", "--ask", "sum:smoker"), ("--limits", "income=0:100000"), 1, [0, 1]),
    (("--ask", "sum:smoker", "--by", "ward"), ("--everybody",), 1, [1, 1]),
    (("--ask", "mean:smoker", "--ask", "sum:smoker"), ("--hide-n",), 1, [2, 1, 1]),
    (("--ask", "share:ward=n", "--ask", "mean:income"), ("--hide-n", "--limits", "income=0:1e5"), 1,
     [2, 0, 1]),
    (("--ask", "mean:smoker"), BY_WARD, 2, [2, 1] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "who", "groups", "steps"), OF_ALL)
def test_a_script_of_everybody_publishes_once_and_keeps_the_factor(data, asked, who, groups, steps):
    """Value, error and scale, of all rows, a mean within its limits; centred sums are halves."""
    script = scripted(data, *asked, *ODDS, who=who)
    assert publish() is None
    assert "publish again" in publish()
    published = json.loads(Path("out.json").read_text())
    named = {one.targets[0].id: one.value for one in ast.parse(script).body
             if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)}  # fmt: skip
    answers, means = (ast.literal_eval(named[name]) for name in ("ANSWERS", "MEANS"))
    assert published.keys() == {one[0] for one in (*answers, *means)}
    assert [one[5] for one in answers] == steps
    spent = {}
    for label, query, _, group, _, step, moved, scale, promised in answers:
        assert promised == moved / scale
        spent[group] = spent.get(group, 0) + promised
        found = published[label]
        assert found.keys() == {"value", "error", "scale"}
        error = scale * math.log(20)  # with what two digits of it round away
        assert error - bool(step) < found["error"] <= (math.ceil(error) if step else 1.15 * error)
        assert step or float(f"{found['error']:.2g}") == found["error"]
        assert not step or found["value"] * step % 1 == 0
        assert query != "count" or isinstance(found["value"], int)
    assert sum(sorted(spent.values())[-groups:]) <= math.log(3) * (1 + 1e-3)
    for label, (low, high), *_ in means:
        assert low <= published[label]["value"] <= high
        assert 0 < published[label]["error"] <= 1.1 * (high - low)
        assert "scale" not in published[label]


def test_the_error_of_a_published_mean_covers_19_of_20(data, monkeypatch):
    """Of a few rows whose number is hidden: drawn by OpenDP, six hundred times."""
    scripted(data, "--ask", "mean:smoker", "--odds", "30", who=("--hide-n",))
    names = runpy.run_path("out.py", run_name="out")
    there = names["publish"].__globals__
    rows = names["SOURCE"].read()
    monkeypatch.setattr(type(names["SOURCE"]), "read", lambda _: rows)
    there.update(names)
    covered = 0
    for _ in range(600):
        names["publish"]()
        found = json.loads(Path("out.json").read_text())["mean:smoker"]
        Path("out.json").unlink()
        covered += abs(found["value"] - FRAME["smoker"].mean()) <= found["error"]
    assert covered >= 0.95 * 600 - 16


def test_no_script_where_there_is_no_noise(data, capsys):
    assert main(["epsilon", data, "--ask", "count", *IN, *ODDS, "--opendp", "out.py"]) == 2
    assert "--opendp needs noise to draw, got an exact count" in capsys.readouterr().err
    assert not Path("out.py").exists()
