"""A question of one's own: the published ones stay apart, and it is said what happened."""

import json
import re

import pytest
from dpbook import asked, build, chapter
from dpbook.places import FIGURES, NOTEBOOKS


def ask(slug, folder, line, instead):
    """A chapter whose default somebody has changed and saved, in both halves."""
    folder.mkdir(exist_ok=True)
    for kind in ("md", "ipynb"):
        text = (NOTEBOOKS / f"{slug}.{kind}").read_text("utf-8")
        old, new = (json.dumps(one)[1:-1] if kind == "ipynb" else one for one in (line, instead))
        assert text.count(old) == 1
        (folder / f"{slug}.{kind}").write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A book in which fig-2 has another default, and where each part of it goes."""
    notebooks = tmp_path / "notebooks"
    ask("fig-2", notebooks, 'risk = "1/3"  #', "risk = 0.4  #")
    for module in (asked, build):
        monkeypatch.setattr(module, "NOTEBOOKS", notebooks)
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "EXECUTED", tmp_path / "chapters")
    monkeypatch.setattr(build, "ELSEWHERE", tmp_path / "_build" / "figures")
    return tmp_path


@pytest.mark.parametrize("slug", build.slugs())
def test_each_notebook_of_the_book_asks_the_published_question(slug):
    """Who changes the book's own question changes dpbook/parameters.yaml too."""
    assert json.dumps(asked.parameters(slug)) == json.dumps(asked.published()[slug])


def test_nothing_is_published_of_a_chapter_that_is_not_there():
    assert list(asked.published()) == build.slugs()


def test_a_changed_default_leaves_what_is_published_and_says_so(workshop, capsys):
    """Also the verdicts of an earlier run go, so that no page holds them beside other numbers."""
    before = {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()}
    (workshop / "chapters").mkdir()
    (workshop / "chapters" / "fig-2.csv").write_text("of an earlier run")
    build.run_chapter("fig-2")
    assert {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()} == before
    drawn = sorted(path.name for path in build.ELSEWHERE.iterdir())
    assert drawn == sorted(path.name for path in FIGURES.glob("fig-2[.-][!z]*"))
    assert (build.ELSEWHERE / "fig-2.svg").read_bytes() != (FIGURES / "fig-2.svg").read_bytes()
    assert not (workshop / "chapters" / "fig-2.csv").exists()
    said = "risk is 0.4 and not the published 1/3"
    assert capsys.readouterr().err == f"fig-2: {said}; its figures are in _build/figures\n"
    page = (workshop / "chapters" / "fig-2.ipynb").read_text("utf-8")
    assert f"{said}: nothing is compared, and the figures are in" in page
    first = json.loads(page)["cells"][0]["source"]
    assert re.match(r"# .+\?\n\n:::\{warning\}\n", first)
    assert "/_build/figures/fig-2.svg" in page
    assert " /figures/fig-2.svg" not in page


@pytest.mark.parametrize("line", ["risk = 2/5", "risk: 0.4", "import os", "risk[0] = 1"])
def test_a_parameter_that_is_no_literal_is_refused_by_its_line(workshop, line):
    ask("fig-2", workshop / "notebooks", 'risk = "1/3"  #', f"{line}  #")
    with pytest.raises(ValueError, match=rf"parameters of fig-2 must be .* got '{re.escape(line)}"):
        asked.parameters("fig-2")


def test_a_parameter_that_is_gone_is_named():
    values = asked.published()["fig-2"].copy()
    del values["risk"]
    with pytest.raises(ValueError, match="risk must be among the parameters"):
        chapter.Chapter.open("fig-2", values)


def test_with_the_published_parameters_nothing_is_said(capsys):
    run = chapter.Chapter.open("fig-2", asked.published()["fig-2"])
    assert run.as_published
    assert run.folder == FIGURES
    assert capsys.readouterr().out == ""


def test_what_a_page_says_of_a_name_is_text(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "ELSEWHERE", tmp_path)
    notebook = tmp_path / "a.ipynb"
    cell = {"cell_type": "markdown", "source": ["# A?\n", "\n", "Text"]}
    notebook.write_text(json.dumps({"cells": [cell]}))
    build._say(notebook, "a", "column is <b>$x$ `y` *z*")
    warning = json.loads(notebook.read_text())["cells"][0]["source"]
    assert not set("<>$`*") & set(warning.removeprefix("# A?").replace(":::{warning}", ""))
