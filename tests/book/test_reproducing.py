"""The page on reproducing: what it tells a reader to do can be done."""

import ast
import json
import re
import runpy
import subprocess

import nbformat
import papermill
import pytest
from dpbook import build
from dpbook.places import FIGURES, ROOT
from moving import parameters
from test_plain import PLAIN, cells, drawn

import dpchoose as dp

PAGE = (ROOT / "book" / "reproducing.md").read_text("utf-8")


def fenced(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.M | re.S)


LINES = [line for block in fenced("bash") for line in block.splitlines()]
WHEEL = f"dpchoose-{dp.__version__}-py3-none-any.whl"


@pytest.mark.parametrize("name", ["book/reproducing.md", "CONTRIBUTING.md", "README.md"])
def test_every_target_that_is_named_is_one_of_make(name):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = re.findall(r"(?:^ *|`)make ([a-z-]+)", (ROOT / name).read_text("utf-8"), re.M)
    assert {"book", "test"} <= {*named} <= {*re.findall(r"^([a-z-]+):", makefile, re.M)}


def test_each_line_on_the_page_runs_a_known_command():
    starts = ("make ", "papermill ", "source .venv/bin/activate", "git status figures")
    starts += ("for risk in ", "    papermill ", "done")
    starts += (
        "python3 -m venv alone && source alone/bin/activate",
        f"pip install './{WHEEL}[plot]'",
    )
    assert [line for line in LINES if not line.startswith(starts)] == []


def test_the_loop_runs_a_chapter_for_each_value():
    """With a papermill that only says what it is asked for."""
    (loop,) = [block for block in fenced("bash") if block.startswith("for ")]
    stub = 'papermill() { printf "%s\\n" "$*"; }\n'
    said = subprocess.run(["bash", "-ec", stub + loop], capture_output=True, text=True, check=True)
    made = [line.split()[1:] for line in said.stdout.splitlines()]
    assert [row[1:] for row in made] == [["-p", "risk", risk] for risk in ("0.3", "0.4", "0.5")]
    assert len({row[0] for row in made}) == 3


@pytest.mark.parametrize("page", ["book/reproducing.md", "README.md"])
def test_each_notebook_and_parameter_in_a_line_for_papermill_is_there(page):
    runs = re.findall(r"papermill notebooks/([\w-]+)\.ipynb(.*)", (ROOT / page).read_text("utf-8"))
    assert len(runs) >= 2
    for slug, given in runs:
        named = re.findall(r"-p (\w+) ", given) + re.findall(r'-y "(\w+):', given)
        assert set(named) <= parameters(slug).keys()


def test_the_wheel_and_each_notebook_lie_beside_the_pages_that_link_them(book):
    assert f'href="../{WHEEL}"' in (book / "book" / "reproducing.html").read_text("utf-8")
    assert (book / WHEEL).stat().st_size > 100_000
    for slug in PLAIN:
        page = (book / "book" / "chapters" / f"{slug}.html").read_text("utf-8")
        (link,) = re.findall(rf'href="([^"]+/{slug}\.ipynb)"', page)
        saved = nbformat.read(book / "book" / "chapters" / link, as_version=4)
        assert [cell.source for cell in saved.cells] == [cell.source for cell in cells(slug)]


def test_every_chapter_is_in_the_contents():
    in_order = re.findall(r"file: book/chapters/(\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
    assert sorted(in_order) == build.slugs()


@pytest.mark.parametrize("slug", build.slugs())
def test_papermill_prints_every_parameter_with_its_default_and_its_meaning(slug):
    """They are literals in one cell of each chapter, each with a comment."""
    found = papermill.inspect_notebook(build.NOTEBOOKS / f"{slug}.ipynb")
    defaults = {name: ast.literal_eval(one["default"]) for name, one in found.items()}
    assert json.dumps(defaults) == json.dumps(parameters(slug))
    assert all(one["help"] for one in found.values())
    (cell,) = [c for c in cells(slug) if "parameters" in c.metadata.get("tags", [])]
    written = {}
    exec(cell.source, written)
    assert {name: written[name] for name in defaults} == defaults
    assert all(isinstance(one, ast.Assign) for one in ast.parse(cell.source).body)
    assert len(ast.parse(cell.source).body) == len(defaults)


def test_a_figures_name_begins_with_that_of_its_chapter(book):
    """And each file among the figures is shown once, by one chapter."""
    names = {slug: [figure["figure"]["name"] for figure in drawn(slug)] for slug in build.slugs()}
    for slug in names:
        assert all(re.fullmatch(rf"fig-{slug}(-[a-z-]+)?", name) for name in names[slug])
    drawn_names = [name for some in names.values() for name in some]
    assert sorted(drawn_names) == sorted(f"fig-{f.stem}" for f in FIGURES.glob("*.svg"))


def test_the_costs_on_the_page_of_the_functions_are_those_that_were_measured():
    page = (ROOT / "book" / "api.md").read_text("utf-8")
    assert runpy.run_path(str(ROOT / "benchmarks" / "tables.py"))["filled"](page) == page
