"""Every chapter: its two halves, its form, and its run in a real kernel."""

import ast
import json
import re
import signal
import subprocess
import sys
import time

import jupytext
import nbformat
import papermill
import pytest
from dpbook import build, chapter, sweep
from dpbook.chapter import FIGURES, NOTEBOOKS

SLUGS = build.slugs()
SKELETON = ["Setup", "Parameters", "Check", "Vary it", "Takeaway"]

COMMITTED = {path.name: path.read_bytes() for path in FIGURES.iterdir()}  # before a test draws

every_notebook = pytest.mark.parametrize("slug", SLUGS)
every_chapter = pytest.mark.parametrize("slug", [s for s in SLUGS if s != "scorecard"])


def cells(slug):
    return nbformat.read(NOTEBOOKS / f"{slug}.ipynb", as_version=4).cells


def test_there_are_chapters_and_each_has_two_halves():
    assert {path.stem for path in NOTEBOOKS.glob("*.md")} == set(SLUGS) != set()


@every_notebook
def test_both_halves_hold_the_same_cells(slug):
    """`jupytext --test` passes on pairs that disagree, so they are compared here."""
    text = jupytext.read(NOTEBOOKS / f"{slug}.md").cells
    assert [(c.cell_type, c.source, c.metadata.get("tags", [])) for c in text] == [
        (c.cell_type, c.source, c.metadata.get("tags", [])) for c in cells(slug)
    ]


@every_notebook
def test_the_notebook_half_carries_no_output(slug):
    for place, cell in enumerate(cells(slug)):
        assert cell.id == str(place)
        assert not cell.get("outputs")
        assert not cell.get("execution_count")


@every_notebook
def test_cells_fit_the_page(slug):
    """At most fifteen lines of code, at most 79 characters wide."""
    for cell in cells(slug):
        if cell.cell_type == "code":
            lines = [line for line in cell.source.splitlines() if line.strip()]
            assert len(lines) <= 15, cell.source
            assert max(map(len, lines)) <= 79, cell.source


@every_chapter
def test_a_chapter_asks_and_then_answers(slug):
    """A question as title, a claim, and the parts of the skeleton in their order."""
    text = "\n\n".join(cell.source for cell in cells(slug) if cell.cell_type == "markdown")
    headings = re.findall(r"^#+ (.*)", text, flags=re.M)
    assert headings[0].endswith("?")
    assert "**Claim.**" in text
    assert [heading for heading in headings if heading in SKELETON] == SKELETON


@every_notebook
def test_parameters_are_literals_with_a_comment(slug):
    tagged = [cell for cell in cells(slug) if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    lines = tagged[0].source.splitlines()
    for statement in ast.parse(tagged[0].source).body:
        assert isinstance(statement, ast.Assign)
        ast.literal_eval(statement.value)
        assert "  # " in lines[statement.end_lineno - 1], lines[statement.end_lineno - 1]
    assert "figures_folder" in chapter.parameters(slug)


@every_chapter
def test_figures_have_a_caption_and_an_alternative_text(slug):
    text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    figures = re.findall(r"```\{figure\} (\S+)\n:name: (\S+)\n:alt: (.+)\n\n(.+)\n```", text)
    assert len(figures) == text.count("```{figure}") > 0
    for path, _, alternative, _ in figures:
        assert (FIGURES / path.removeprefix("/figures/")).exists()
        assert alternative.endswith(".")


@every_chapter
def test_a_run_draws_the_committed_figures_to_the_byte(slug, tmp_path):
    output = build.run(slug, tmp_path / "out.ipynb", {"figures_folder": str(tmp_path)})
    drawn = sorted(path for path in tmp_path.iterdir() if path.suffix in {".png", ".svg"})
    assert drawn
    for path in drawn:
        assert path.read_bytes() == COMMITTED[path.name], path.name
    verdicts = re.findall(r">(agrees|explained|differs|met|missed)</td>", output.read_text("utf-8"))
    assert verdicts
    assert "differs" not in verdicts


QUESTIONS = [
    ("fig-2", {"risk": 0.25, "query": "var"}),
    ("fig-2", {"query": "count"}),
    ("fig-2-zoom", {"columns": ["absence_days"], "risk": "2/5", "query": "std"}),
    ("median", {"query": "percentile_90", "risk": 0.5}),
    ("posterior", {"query": "sum", "output": 7.5}),
    ("randomized-response", {"p": 0.7, "sizes": [20, 50], "first_head": 0.2, "risk": "3/4"}),
    ("exponential-mechanism", {"unit": 1, "sensitivity": 1000, "risk": 0.1, "person": "Widowed"}),
    ("exponential-mechanism", {"epsilon": 30, "risk": 0.5, "honest_range": [0.5, 3]}),
    ("errata", {"risk": 0.4, "query": "median", "column": "school_year", "apart": [0, 7, 8, 8]}),
    ("errata", {"query": "count", "twins": [2, 2, 2, 5], "twin_risk": "2/3", "distances": [1, 2]}),
]


@pytest.mark.parametrize(("slug", "question"), QUESTIONS)
def test_another_question_leaves_the_published_figures_alone(slug, question, tmp_path, monkeypatch):
    """Plain papermill: figures beside the output, and nothing compared."""
    before = {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()}
    monkeypatch.chdir(tmp_path)
    papermill.execute_notebook(
        NOTEBOOKS / f"{slug}.ipynb", "out.ipynb", parameters=question, progress_bar=False
    )
    assert {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()} == before
    assert (tmp_path / f"{slug}.svg").exists()
    assert "nothing is compared" in (tmp_path / "out.ipynb").read_text("utf-8")
    glued = dict(sweep.glued(tmp_path / "out.ipynb"))
    assert slug == "posterior" or any(name.startswith("epsilon ") for name in glued)


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A repository with one chapter, which the test writes."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(chapter, "NOTEBOOKS", tmp_path)

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


def test_an_unknown_parameter_is_refused_before_a_kernel_starts(workshop):
    output = workshop("risk = 0.5")
    with pytest.raises(ValueError, match="parameter must be one of risk, got 'rsik'"):
        build.run("chapter", output, {"rsik": 0.25})
    assert not output.parent.exists()


def test_an_unknown_chapter_is_refused(workshop):
    output = workshop("risk = 0.5")
    with pytest.raises(ValueError, match="chapter must be one of chapter, got 'chaptre'"):
        build.run("chaptre", output)


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
        "import sys; from pathlib import Path; from dpbook import build, chapter;"
        "build.NOTEBOOKS = chapter.NOTEBOOKS = Path(sys.argv[1]);"
        "build.run('chapter', Path(sys.argv[2]), {'mark': sys.argv[3]})"
    )
    mark = tmp_path / "started"
    process = subprocess.Popen([sys.executable, "-c", script, tmp_path, output, mark])
    deadline = time.monotonic() + 60
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert mark.exists()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not output.exists()
    assert not list(output.parent.glob("[!.]*"))


def test_a_finished_chapter_is_fresh_until_something_it_is_made_from_changes(
    workshop, tmp_path, monkeypatch
):
    monkeypatch.setattr(build, "EXECUTED", tmp_path / "made")
    output = workshop("risk = 0.5")
    (tmp_path / "dpchoose").mkdir()
    (tmp_path / "dpchoose" / "module.py").write_text("")
    assert not build.is_fresh("chapter")
    build.run("chapter", output)
    assert build.is_fresh("chapter")
    (tmp_path / "dpchoose" / "module.py").write_text("changed = True")
    assert not build.is_fresh("chapter")


def test_the_executed_chapter_is_a_whole_notebook(workshop):
    output = build.run("chapter", workshop("risk = 0.5", "print(risk)"), {"risk": 0.25})
    notebook = nbformat.read(output, as_version=4)
    nbformat.validate(notebook)
    assert json.dumps(notebook).count("0.25") > 0
    assert notebook.cells[-1].outputs[0].text == "0.25\n"
