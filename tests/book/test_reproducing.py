"""The page on reproducing: what it tells a reader to do can be done."""

import ast
import importlib.util
import re
import subprocess
import sys

import pytest
from dpbook import build, chapter
from dpbook.build import ROOT
from dpbook.chapter import FIGURES

PAGE = (ROOT / "book" / "reproducing.md").read_text("utf-8")
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def fenced(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.M | re.S)


LINES = [line for block in fenced("bash") for line in block.splitlines()]


@pytest.fixture(scope="module")
def commands():
    """The extension that fills the page."""
    path = ROOT / "book" / "_ext" / "commands.py"
    spec = importlib.util.spec_from_file_location("commands", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_targets_is_what_make_help_prints(commands):
    made = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    printed = [line.removeprefix("make ").split(maxsplit=1) for line in made.stdout.splitlines()]
    assert [list(row) for row in commands.make_targets()] == printed
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text("utf-8"), flags=re.M)
    assert sorted(name for name, _ in commands.make_targets()) == sorted(phony.split())


def test_each_target_on_the_page_can_be_made(commands):
    named = re.findall(r"`make ([\w-]+)", PAGE) + [
        line.split()[1] for line in LINES if line.startswith("make")
    ]
    assert {"book", "sweep", "notebooks"} <= set(named) <= {n for n, _ in commands.make_targets()}


def test_each_line_on_the_page_runs_a_known_command():
    starts = ("make ", "papermill ", "source .venv/bin/activate", "git status figures")
    assert [line for line in LINES if not line.startswith(starts)] == []


def test_each_notebook_and_parameter_in_a_line_on_the_page_is_there():
    runs = [line for line in LINES if line.startswith("papermill")]
    assert len(runs) >= 3
    for line in runs:
        (slug,) = re.findall(r"notebooks/([\w-]+)\.ipynb", line)
        named = re.findall(r"-p (\w+) ", line) + re.findall(r'-y "(\w+):', line)
        build.refuse_unknown(slug, named)


def test_the_chapters_on_the_page_are_all_the_chapters(commands):
    assert sorted(commands.chapters_in_order()) == build.slugs()


@pytest.mark.parametrize("slug", build.slugs())
def test_every_parameter_is_on_the_page_with_its_default_and_its_meaning(commands, slug):
    rows = commands.parameters(slug)
    assert {name: ast.literal_eval(default) for name, _, default, _ in rows} == (
        chapter.parameters(slug)
    )
    assert all(kind in ("text", "number", "boolean", "list", "mapping") for _, kind, _, _ in rows)
    assert all(meaning for *_, meaning in rows)


def test_every_figure_is_on_the_page_under_the_notebook_that_draws_it(commands):
    listed = {slug: [name for name, _ in commands.figures(slug)] for slug in build.slugs()}
    drawn = sorted(path.stem for path in FIGURES.glob("*.svg"))
    assert sorted(name for names in listed.values() for name in names) == drawn
    for slug, names in listed.items():
        assert all(name == slug or name.startswith(f"{slug}-") for name in names)


@pytest.mark.parametrize(
    "words", [["dpchoose"], ["dpchoose", "epsilon"], ["python", "-m", "dpbook.sweep"]]
)
def test_the_help_on_the_page_is_what_the_command_prints(commands, words):
    command = " ".join(words)
    assert f"```{{help-of}} {command}\n" in PAGE
    module = "dpbook.sweep" if "-m" in words else "dpchoose"
    rest = [] if "-m" in words else words[1:]
    made = subprocess.run(
        [sys.executable, "-m", module, *rest, "--help"], capture_output=True, text=True, check=True
    )
    assert commands.help_of(command).split() == made.stdout.split()


@pytest.mark.parametrize("package", ["numpy", "matplotlib"])
def test_the_lock_has_one_version_for_every_python_of_what_draws(package):
    """What the page says of the bytes of the figures."""
    assert len(re.findall(rf"^{package}==", LOCK, flags=re.M)) == 1
    assert re.search(rf"^{package}==\S+ \\$", LOCK, flags=re.M)
