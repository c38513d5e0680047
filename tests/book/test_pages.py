"""What the pages say: equations, front pages, works; each is found where it comes from.

The book is built with the command that a reader uses; test_browser opens its pages.
"""

import doctest
import operator
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dpbook.places import NOTEBOOKS, ROOT

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.your_data.command.options import OPTIONS

PROSE = [*NOTEBOOKS.glob("*.md")]
LABEL = re.compile(r'^<a id="(eq-\S+)"></a>$', re.MULTILINE)
API = (ROOT / "book" / "api.md").read_text("utf-8")
EQUATIONS = dict(
    re.findall(r"^\| \{eq\}`(\S+)` \| \{py:obj\}`~dpchoose\.(\S+)` \|$", API, flags=re.M)
)
LABELS = [found for path in PROSE for found in LABEL.findall(path.read_text("utf-8"))]


def test_every_numbered_equation_is_computed_by_the_function_that_the_page_names():
    assert sorted(LABELS) == sorted(EQUATIONS)
    assert all(operator.attrgetter(name)(dp).__doc__ for name in EQUATIONS.values())


def test_the_examples_on_the_page_of_the_functions_print_what_stands_under_them():
    page = (ROOT / "book" / "api.md").read_text("utf-8").replace("```", "")  # which end an answer
    found = doctest.DocTestParser().get_doctest(page, {}, "api.md", None, 0)
    results = doctest.DocTestRunner().run(found)
    assert (results.failed, results.attempted > 4) == (0, True)


def test_each_example_of_a_docstring_runs_after_the_imports_that_the_page_names():
    page = (ROOT / "book" / "api.md").read_text("utf-8")
    said = r"The examples of each run alone after `(.+?)`, `(.+?)` and `(.+?)`"
    imports = re.search(said, page).groups()
    shown = re.findall(
        r"^\.\. auto(?:function|class|exception):: ([\w.]+)(?:\(\))?$", page, flags=re.M
    )
    namespace, ran = {}, 0
    exec("\n".join(imports), namespace)
    for name in shown:
        given = pkgutil.resolve_name(name if name.startswith("dpchoose.") else f"dpchoose.{name}")
        for found in doctest.DocTestFinder().find(given, name, globs=namespace):
            ran += len(found.examples)
            assert doctest.DocTestRunner().run(found).failed == 0, found.name
    assert ran > len(shown)


def test_each_option_of_the_command_is_described_once(book):
    page = (book / "book" / "api.html").read_text("utf-8")
    described = re.findall(r' id="cmdoption-dpchoose-(?:epsilon|risk|sensitivity)-([\w-]+)"', page)
    flags = [option[0].split()[0] for option in OPTIONS if not isinstance(option, str)]
    assert sorted(described) == sorted(flag.removeprefix("--") for flag in flags)


def test_the_docstring_of_each_names_its_equation():
    """So that who reads the code finds the page."""
    silent = {
        label
        for label, name in EQUATIONS.items()
        if label not in (operator.attrgetter(name)(dp).__doc__ or "")
    }
    assert not silent


def test_the_promise_that_is_quoted_is_what_the_command_prints(monkeypatch, capsys):
    """Word for word."""
    page = (ROOT / "book" / "signing.md").read_text("utf-8")
    monkeypatch.chdir(ROOT)
    asked = ["--ask", "mean:visits", "--limits", "visits=0:30", "--odds", "3"]
    assert main(["epsilon", str(dp.datasets.HEALTH), *asked]) == 0
    paragraphs = [" ".join(part.split()) for part in capsys.readouterr().out.split("\n\n")]
    noise = dp.PublicLimits(("mean", "visits"), dp.datasets.health(), (0, 30)).for_odds(3)
    quoted = " ".join(re.findall(r"^> (.+)$", page, flags=re.M))
    assert quoted in paragraphs
    assert quoted.startswith(" ".join(noise.sentences()[:2]))


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_page_to_sign_prints_on_one_page(book, browser, paper):
    page = browser.new_page()
    page.goto((book / "book" / "signing.html").as_uri())
    printed = page.pdf(format=paper)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


def test_each_work_that_a_chapter_names_is_among_the_references():
    pages = [path.read_text("utf-8") for path in PROSE]
    known = re.findall(r"^@\w+\{(\w+),", (ROOT / "book/references.bib").read_text("utf-8"), re.M)
    assert {*re.findall(r"references\.bib#(\w+)", "".join(pages))} <= {*known}


def test_without_its_chapters_the_book_is_not_built_and_one_line_says_what_to_do(tmp_path):
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("chapters"))
    command = [Path(sys.executable).with_name("jupyter-book"), "build", tmp_path, "-q"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 1
    (line,) = made.stderr.splitlines()
    assert re.fullmatch(r"\d+ pages are missing, such as book/chapters/\S+: `make book` .+", line)
    assert not list(tmp_path.glob("_build/html/*"))


def test_every_public_name_is_documented_and_on_the_page_of_the_functions(book):
    described = re.findall(r' id="([\w.]+)"', (book / "book" / "api.html").read_text("utf-8"))
    public = {*dp.__all__} - {"datasets"}
    assert {f"dpchoose.{name}" for name in public} | {"dpchoose.datasets.school"} <= {*described}
    assert all(getattr(dp, name).__doc__ for name in dp.__all__)
