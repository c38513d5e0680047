"""What the command line writes: a picture, a page for whoever signs, a script for OpenDP."""

import html.parser
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.commands.plot import Drawing

RISK = ("--risk", "0.3")
ROWS = [
    (91234.125, 1, "north", 1),
    (1021.375, 0, "north", 1),
    (70331.5, 1, "south", 1),
    (8123.25, 1, "south", 0),
    (44017.75, 0, "north", 1),
    (50012.625, 0, "south", 0),
]
HOSTILE = "<img src=x onerror=alert(3)>$x_2$"


def write(path, names="income,smoker,ward,in"):
    lines = [names, *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "data.csv")


class Page(html.parser.HTMLParser):
    """The tags of a page and their attributes, and its text."""

    def __init__(self, content):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


# The picture.


@pytest.mark.parametrize(("name", "start"), [("out.svg", b"<?xml"), ("out.png", b"\x89PNG")])
@pytest.mark.parametrize(
    "asked", [("--ask", "mean:income"), ("--ask", "sum:smoker", "--ask", "count")]
)
def test_a_picture_is_drawn(data, name, start, asked):
    assert main(["epsilon", data, *asked, *RISK, "--plot", name]) == 0
    assert Path(name).read_bytes().startswith(start)


def test_groups_and_what_is_out_can_be_drawn(data):
    words = ["--ask", "count", "--by", "ward", "--already", "sum:smoker:20"]
    assert main(["epsilon", data, *words, *RISK, "--plot", "out.svg"]) == 0


@pytest.mark.parametrize("secret", ["world", "present", "absent"])
@pytest.mark.parametrize("by", [(), ("--by", "ward")])
def test_the_line_of_the_secret_meets_the_accepted_risk_at_the_chosen_epsilon(
    data, monkeypatch, secret, by
):
    drawn = []
    monkeypatch.setattr(Drawing, "draw", lambda self, form: drawn.append(self) or b"")
    words = ["--ask", "sum:income", *by, "--secret", secret, "--release-size", "4"]
    assert main(["epsilon", data, *words, "--risk", "0.8", "--plot", "out.svg"]) == 0
    (figure,) = drawn
    curve = next(iter(figure.curves.values()))
    assert np.interp(figure.chosen, figure.epsilons, curve) == pytest.approx(0.8, abs=1e-6)


def test_a_name_is_drawn_as_it_is(tmp_path, monkeypatch):
    """Neither a formula nor a tag."""
    monkeypatch.chdir(tmp_path)
    odd = write(tmp_path / "odd.csv", f"{HOSTILE},smoker,ward,in")
    assert main(["epsilon", odd, "--column", HOSTILE, *RISK, "--plot", "out.svg"]) == 0
    assert "<img" not in Path("out.svg").read_text("utf-8")


def test_without_matplotlib_one_line_says_so(data, monkeypatch, capsys):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for option in ("--plot", "--report"):
        name = {"--plot": "o.svg", "--report": "o.html"}[option]
        assert main(["epsilon", data, "--ask", "count", *RISK, option, name]) == 2
        assert re.fullmatch(r".*dpchoose\[plot\].*\n", capsys.readouterr().err)
        assert not Path(name).exists()


# The page.


@pytest.fixture
def page(data):
    words = ["--ask", "mean:income", "--ask", "sum:smoker", "--released", "in", *RISK]
    assert main(["epsilon", data, *words, "--report", "out.html"]) == 0
    return Path("out.html").read_text("utf-8")


def test_a_report_stands_alone_and_holds_every_sentence(page, data):
    import pandas as pd

    frame = pd.read_csv(data)
    asked = [("mean", "income"), ("sum", "smoker")]
    shown = " ".join(Page(page).text.split())
    found = dp.recommend(asked, frame, 4, risk="0.3")
    for sentence in found.sentences():
        assert " ".join(sentence.split()) in shown
    tags = Page(page).tags
    assert "svg" in {tag for tag, _ in tags}
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in tags}
    outside = [
        value
        for tag, attributes in tags
        for name, value in attributes.items()
        if name in ("href", "src", "xlink:href") and not value.startswith("#")
    ]
    assert outside == []
    assert f"dpchoose epsilon {data} --ask mean:income" in shown


def test_a_report_holds_no_record(page):
    shown = Page(page).text
    for income, *_ in ROWS:
        assert str(income) not in page
        for text in (f"{income:g}", f"{income:.0f}", f"{income:,.0f}"):
            assert text not in shown


def test_a_report_shows_names_as_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    odd = write(tmp_path / "odd.csv", f"{HOSTILE},smoker,ward,in")
    assert main(["epsilon", odd, "--column", HOSTILE, *RISK, "--report", "out.html"]) == 0
    content = Page(Path("out.html").read_text("utf-8"))
    assert "img" not in {tag for tag, _ in content.tags}
    assert f"mean:{HOSTILE}" in content.text


def test_nothing_is_left_of_a_page_that_could_not_be_written(data, monkeypatch, capsys):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    before = sorted(os.listdir())
    words = ["epsilon", data, "--ask", "mean:income", *RISK, "--report", "out.html"]
    assert main(words) == 2
    assert capsys.readouterr().err == "dpchoose: cannot write: No space left on device\n"
    assert sorted(os.listdir()) == before


def test_the_data_are_never_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = write(tmp_path / "data.svg")
    words = ["epsilon", data, "--ask", "mean:income", *RISK, "--plot", "data.svg"]
    before = Path(data).read_bytes()
    assert main(words) == 2
    assert "must not be a folder or the data" in capsys.readouterr().err
    assert Path(data).read_bytes() == before


def test_a_report_says_whose_belief_is_drawn_and_of_which_answers_the_epsilon_is(data):
    words = ["--ask", "mean:income", "--secret", "absent", "--already", "sum:smoker:20"]
    words += ["--risk", "0.8", "--release-size", "4", "--report", "out.html"]
    assert main(["epsilon", data, *words]) == 0
    page = Page(Path("out.html").read_text("utf-8"))
    assert "Epsilon in total, of the new answers: " in page.text
    labels = [attributes.get("aria-label", "") for tag, attributes in page.tags]
    assert any("belief that a record is out" in label for label in labels)


# The script.


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
def test_a_script_publishes_once(data, asked):
    words = ["epsilon", data, *asked, "--released", "in", *RISK, "--opendp", "out.py"]
    assert main(words) == 0
    assert publish() is None
    published = Path("out.json").read_text()
    assert all(isinstance(value, (int, float)) for value in json.loads(published).values())
    assert "publish again" in publish()
    assert Path("out.json").read_text() == published


def test_a_script_runs_by_itself(data):
    words = ["epsilon", data, "--ask", "mean:income", "--released", "in", *RISK]
    assert main([*words, "--opendp", "out.py"]) == 0
    subprocess.run([sys.executable, "out.py"], check=True)
    assert list(json.loads(Path("out.json").read_text())) == ["mean:income"]


def test_a_script_adds_its_noise_to_the_answer_on_the_released_rows(tmp_path, monkeypatch):
    """The mean of many draws is that answer, and not the one on the file."""
    monkeypatch.chdir(tmp_path)
    data = write(tmp_path / "data.csv")
    words = ["epsilon", data, "--ask", "sum:smoker", "--released", "in", "--risk", "0.2"]
    assert main([*words, "--opendp", "out.py"]) == 0
    drawn = []
    for _ in range(400):
        assert publish() is None
        drawn.append(json.loads(Path("out.json").read_text())["sum:smoker"])
        Path("out.json").unlink()
    scale = float(dp.recommend("sum", [1, 0, 1, 1, 0, 0], 4, risk="0.2").table["noise scale"][0])
    assert abs(sum(drawn) / 400 - 2) < 6 * scale * (2 / 400) ** 0.5
    assert all(isinstance(value, int) for value in drawn)


def test_a_script_refuses_a_file_that_has_changed(data):
    words = ["epsilon", data, "--ask", "mean:income", "--released", "in", *RISK]
    assert main([*words, "--opendp", "out.py"]) == 0
    with open(data, "a") as file:
        file.write("1,1,north,1\n")
    assert "has changed" in publish()
    assert not Path("out.json").exists()


def test_a_script_refuses_noise_in_which_opendp_finds_more_epsilon(data):
    words = ["epsilon", data, "--ask", "mean:income", "--released", "in", *RISK]
    assert main([*words, "--opendp", "out.py"]) == 0
    script = Path("out.py").read_text()
    scale = dp.recommend("mean", [row[0] for row in ROWS], 4, risk="0.3").table["noise scale"][0]
    assert repr(float(scale)) in script
    Path("out.py").write_text(script.replace(repr(float(scale)), repr(float(scale) * 0.99)))
    assert "OpenDP finds epsilon" in publish()
    assert not Path("out.json").exists()


def test_a_hostile_name_is_no_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "'''+str(open('pwned','w'))+'''\"\"\"\\"
    odd = tmp_path / "odd.csv"
    write(odd, '"' + name.replace('"', '""') + '",smoker,ward,in')
    words = ["epsilon", str(odd), "--column", name, "--released", "in", *RISK]
    assert main([*words, "--opendp", "out.py"]) == 0
    assert publish() is None
    assert not Path("pwned").exists()


def test_no_script_where_there_is_no_noise(data, capsys):
    words = ["epsilon", data, "--ask", "count", "--released", "in", *RISK, "--opendp", "out.py"]
    assert main(words) == 2
    assert "--opendp needs noise to draw, got any epsilon" in capsys.readouterr().err
    assert not Path("out.py").exists()
