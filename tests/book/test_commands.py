"""What the command line writes: a picture, a page for whoever signs, a script for OpenDP."""

import ast
import html
import re
import runpy
import subprocess
import sys
from pathlib import Path

import opendp.prelude as opendp
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.your_data.command.publish import publication_of
from dpchoose.your_data.formats import format_number

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
    ("--ask", "sum:smoker", "--by", "ward", "--limits", "smoker=0:1"),
    ("--ask", "mean:income", "--already", "1.5", "--release-size", "4"),
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


def test_without_matplotlib_a_picture_is_refused_in_one_line_and_a_report_has_none(data):
    """The message names the extra of this folder; in a process of its own."""
    hidden = "import sys; sys.modules['matplotlib'] = None;"
    call = f"{hidden} from dpchoose.__main__ import main; sys.exit(main(sys.argv[1:]))"
    words = ["epsilon", data, "--ask", "mean:income", *IN, *ODDS]
    command = [sys.executable, "-c", call, *words]
    plot = subprocess.run([*command, "--plot", "o.svg"], capture_output=True, text=True)
    assert plot.returncode == 2
    assert re.fullmatch(
        r"dpchoose: matplotlib must be there: pip install '\.\[plot\]' .*\n", plot.stderr
    )
    assert not Path("o.svg").exists()
    report = subprocess.run([*command, "--report", "o.html"], capture_output=True, text=True)
    assert report.returncode == 0
    assert "<svg" not in Path("o.html").read_text("utf-8")


# The page.


def test_a_report_begins_with_what_is_signed_tells_the_dictionary_and_stands_alone(data, capsys):
    words = ["--ask", "mean:income", "--ask", "sum:smoker", *IN, *ODDS]
    assert main(["epsilon", data, *words, "--report", "out.html"]) == 0
    assert capsys.readouterr().err == "dpchoose: out.html is written\n"
    page = Path("out.html").read_text("utf-8")
    shown = " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())
    asked = [("mean", "income"), ("sum", "smoker")]
    told = dp.KnownFile(asked, FRAME, released=FRAME["in"] == 1).for_odds(3).to_dict()
    assert shown.rpartition("Sign or refuse? ")[2].startswith(told["sentences"][0])
    for text in (*told["sentences"], "not for publication", "data.csv --ask mean:income"):
        assert text in shown
    assert all(format_number(row["error"]) in shown for row in told["answers"])
    assert all(format_number(row["errors"][0]) in shown for row in told["choices"])
    assert all(row["reader"] in shown for row in told["readers"])
    assert "<svg" in page
    assert not re.search("<(script|link|img|iframe|object)|(src|href)=.(?!#)", page)
    for income in FRAME["income"]:
        for text in (f"{income}", f"{income:g}", f"{income:.0f}", f"{income:,.0f}"):
            assert text not in shown


@pytest.mark.parametrize("words", [("--risk", "1%"), (*ODDS, "--already", "3")])
def test_nothing_is_written_where_no_noise_keeps_what_is_accepted(data, capsys, words):
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


def question():
    """The question in the script, and the rows of its file."""
    opendp.enable_features("contrib")
    made = publication_of(runpy.run_path("out.py")["QUESTION"])
    return made, made.source.read()


ASKED = [("--ask", "mean:income")]


NAMES = ["QUESTION_AS_DATA", '\'"""\'', "x') + exit() #", "{0}", "%s", "a\\", "\N{MINUS SIGN}n"]


@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_one_text_around_a_question_as_data(data, name):
    """Whatever a column is called: its name is data, which a literal says."""
    plain = ast.parse(scripted(data, *ASKED[0], *ODDS))
    FRAME.rename(columns={"income": name}).to_csv(data, index=False)
    made = ast.parse(scripted(data, "--ask", f"mean:{name}", *ODDS))
    (question,) = [one.value for one in made.body if ast.unparse(one).startswith("QUESTION =")]
    assert ast.literal_eval(question)["answers"][0]["column"] == name
    for one, other in zip(made.body, plain.body, strict=True):
        if not ast.unparse(other).startswith("QUESTION ="):
            assert ast.dump(one) == ast.dump(other)
    assert publish() is None


def test_a_script_adds_its_noise_to_the_answer_on_the_released_rows(data):
    """The mean of many draws is that answer, and not the one on the file."""
    scripted(data, "--ask", "sum:smoker", "--odds", "10")
    made, rows = question()
    drawn = [made.results(rows)["sum:smoker"] for _ in range(400)]
    scale = float(dp.KnownFile(("sum", "smoker"), FRAME, 4).for_odds(10).table["noise scale"][0])
    assert abs(sum(drawn) / 400 - 2) < 6 * scale * (2 / 400) ** 0.5


def test_a_script_says_what_it_needs(data, monkeypatch):
    scripted(data, *ASKED[0], *ODDS)
    module = "dpchoose.your_data.command.publish"
    for missing in ("opendp", "pandas", "dpchoose"):
        with monkeypatch.context() as patch:
            patch.delitem(sys.modules, module, raising=False)
            patch.setitem(sys.modules, missing, None)
            said = publish()
        assert re.fullmatch(f"refused: {missing} must be there, as where .*", said)
        assert ("pip install 'opendp>=0.16'" in said) == (missing == "opendp")
    assert not Path("out.json").exists()
    monkeypatch.setattr(dp, "__version__", "0.4.9")
    assert re.fullmatch(r"refused: this .* by dpchoose [\d.]+, and 0\.4\.9 is here: .*", publish())
    assert not Path("out.json").exists()


def test_a_script_refuses_noise_in_which_opendp_finds_more_epsilon(data):
    script = scripted(data, "--ask", "mean:income", *ODDS)
    found = dp.KnownFile(("mean", "income"), FRAME, 4).for_odds(3)
    scale = repr(found.to_dict()["answers"][0]["scale"])
    assert scale in script
    Path("out.py").write_text(
        script.replace(f"'scale': {scale}", f"'scale': {float(scale) * 0.99!r}", 1)
    )
    assert "OpenDP finds a loss" in publish()
    assert not Path("out.json").exists()


def test_the_error_of_a_published_mean_covers_19_of_20(data):
    """Of a few rows whose number is hidden: drawn by OpenDP, six hundred times."""
    scripted(
        data, "--ask", "mean:smoker", "--odds", "30", who=("--hide-n", "--limits", "smoker=0:1")
    )
    (made, rows), covered = question(), 0
    for _ in range(600):
        published = made.results(rows)["answers"]["mean:smoker"]
        covered += abs(published["value"] - FRAME["smoker"].mean()) <= published["error"]
    assert covered >= 0.95 * 600 - 16


def test_no_script_where_there_is_no_noise(data, capsys):
    words = ["--ask", "mean:income", "--ask", "count", *IN, *ODDS, "--opendp", "out.py"]
    assert main(["epsilon", data, *words]) == 2
    assert "--opendp needs noise to draw, got an exact count" in capsys.readouterr().err
    assert not Path("out.py").exists()
