"""Every chapter: its two halves, its form, and its run in a real kernel."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import papermill
import pytest
from dpbook import build, ours
from dpbook.places import NOTEBOOKS, ROOT
from test_plain import PLAIN, cells, sources

SLUGS = build.slugs()
every_plain = pytest.mark.parametrize("slug", PLAIN)


def test_there_are_chapters_and_each_has_two_halves():
    assert {path.stem for path in NOTEBOOKS.glob("*.md")} - {"README"} == {*SLUGS} != {*()}


def test_the_figures_that_the_book_has_drawn_are_the_committed_ones_to_the_byte(book):
    """Make has run every chapter that is older than its code or its figures."""
    command = ["git", "status", "--porcelain", "--", "figures"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line for line in made.stdout.splitlines() if line[1] != " "] == []


@pytest.mark.parametrize("slug", ours.CHAPTERS)
def test_a_chapter_of_a_source_loads_the_core_alone(book, slug):
    """As the run that made the book has written down."""
    loaded = nbformat.read(build.EXECUTED / f"{slug}.ipynb", as_version=4).metadata["modules"]
    assert "dpchoose" in loaded
    assert not [name for name in loaded if name.startswith("dpchoose.your_data")]


@every_plain
def test_a_plain_chapter_imports_what_anybody_has_and_the_package(slug):
    imported = re.findall(r"^(?:import|from) (\w+)", sources(slug), flags=re.M)
    library = {"opendp"} if slug == "release" else set()  # which draws
    usual = {"numpy", "pandas", "matplotlib", "dpchoose"} | library
    assert {*imported} <= usual | sys.stdlib_module_names


@every_plain
def test_the_pages_show_nothing_of_papermill(book, slug):
    shown = [cell.source for cell in cells(slug, build.EXECUTED)]
    assert shown == [cell.source for cell in cells(slug)]


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A repository with one chapter, which the test writes."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "NOTEBOOKS", tmp_path)

    def write(*sources):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
        notebook.cells[0].metadata["tags"] = ["parameters"]
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        nbformat.write(notebook, tmp_path / "chapter.ipynb")
        return tmp_path / "made" / "chapter.ipynb"

    return write


def test_a_chapter_that_fails_leaves_nothing(workshop):
    """Not even what an earlier run had left."""
    output = workshop("risk = 0.5", "1 / 0")
    output.parent.mkdir()
    output.write_text("from an earlier run")
    with pytest.raises(papermill.PapermillExecutionError, match="ZeroDivisionError"):
        build.run("chapter", output)
    assert list(output.parent.iterdir()) == []


def test_a_chapter_that_is_killed_leaves_nothing_that_looks_finished(workshop, tmp_path):
    output = workshop("mark = ''", "open(mark, 'w').close()", "import time; time.sleep(60)")
    script = (
        "import sys; from pathlib import Path; from dpbook import build;"
        "build.NOTEBOOKS = Path(sys.argv[1]);"
        "build.run('chapter', Path(sys.argv[2]), {'mark': sys.argv[3]})"
    )
    mark = tmp_path / "started"
    process = subprocess.Popen([sys.executable, "-c", script, tmp_path, output, mark])
    while not mark.exists():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not output.exists()
    assert not list(output.parent.glob("[!.]*"))


def test_a_finished_chapter_is_whole_and_older_than_what_was_written_while_it_ran(
    workshop, tmp_path
):
    """So that an edit in the meantime makes it stale."""
    sources = workshop("risk = 0.5", "open('written', 'w').close(); print(risk)")
    output = build.run("chapter", sources, {"risk": 0.25})
    assert output.stat().st_mtime_ns < (tmp_path / "written").stat().st_mtime_ns
    notebook = nbformat.read(output, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[-1].outputs[0].text == "0.25\n"


def test_halves_that_differ_are_refused_before_a_kernel_starts(workshop, tmp_path, monkeypatch):
    workshop("risk = 0.5")
    (tmp_path / "chapter.md").write_text("```{code-cell}\nrisk = 0.6\n```\n")
    monkeypatch.setattr(build, "run", lambda *_: pytest.fail("a kernel starts"))
    with pytest.raises(ValueError, match=r"chapter.md and chapter.ipynb differ: `make sync`"):
        build.run_chapter("chapter")


def test_a_chapter_without_a_kernel_is_refused_in_one_line(workshop, tmp_path):
    output = workshop("risk = 0.5")
    notebook = nbformat.read(tmp_path / "chapter.ipynb", as_version=4)
    del notebook.metadata["kernelspec"]
    nbformat.write(notebook, tmp_path / "chapter.ipynb")
    with pytest.raises(ValueError, match=r"^No kernel name found in notebook[^\n]*$"):
        build.run("chapter", output)


@pytest.mark.parametrize("newer", ["md", "ipynb"])
def test_of_two_halves_the_newer_one_wins(workshop, tmp_path, newer):
    """What a run, or JupyterLab, adds to a notebook is left out."""
    shutil.copy(NOTEBOOKS / "posterior.md", tmp_path / "posterior.md")
    notebook = nbformat.read(NOTEBOOKS / "posterior.ipynb", as_version=4)
    opening, parameters = notebook.cells[:2]
    title = opening.source.splitlines()[0]
    opening.source = opening.source.replace(title, "# Another title")
    parameters.outputs = [nbformat.v4.new_output("stream", text="7")]
    parameters.metadata["trusted"] = True
    nbformat.write(notebook, tmp_path / "posterior.ipynb")
    os.utime(tmp_path / f"posterior.{newer}", ns=(2**62, 2**62))
    build.sync()
    for kind in ("md", "ipynb"):
        text = (NOTEBOOKS / f"posterior.{kind}").read_text("utf-8")
        text = text.replace(title, "# Another title") if newer == "ipynb" else text
        assert (tmp_path / f"posterior.{kind}").read_text("utf-8") == text


def test_both_halves_hold_the_same_and_nothing_else(monkeypatch):
    """No output, and folded for JupyterLab: `make sync` would write nothing."""
    written = []
    monkeypatch.setattr(Path, "write_text", lambda path, *_: written.append(path.name))
    build.sync()
    assert written == []


@pytest.mark.parametrize("old", [None, "the book as it was"])
def test_a_book_that_is_not_finished_takes_no_books_place(tmp_path, monkeypatch, old):
    def killed(command, **_):
        html = command[-1] / "_build" / "html"
        html.mkdir(parents=True)
        (html / "index.html").write_text("half a book")
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "BUILD", tmp_path)
    monkeypatch.setattr(build.subprocess, "run", killed)
    page = tmp_path / "html" / "index.html"
    if old:
        page.parent.mkdir()
        page.write_text(old)
    with pytest.raises(KeyboardInterrupt):
        build.render()
    assert (page.read_text() if page.exists() else None) == old
