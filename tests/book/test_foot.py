"""What a chapter prints at its foot for a reader to type works, and what comes out reads."""

import ast
import re
import shlex
from pathlib import Path

import in_process
import papermill.cli
import pytest
from dpbook import build
from dpbook.chapter import FIGURES, NOTEBOOKS
from dpbook.run import execute
from test_plain import is_plain, reads_as_plain_html

COMMAND = "papermill notebooks/{0}.ipynb out.ipynb {1}"


def feet():
    """What is given to the last cell of each chapter."""
    for slug in (slug for slug in build.slugs() if not is_plain(slug)):
        text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
        (call,) = re.findall(r"^chapter\.again\(.*?\)$", text, flags=re.M | re.S)
        yield from ((slug, line.value) for line in ast.parse(call).body[0].value.args)


FEET = [*feet()]


def in_a_kernel(input_path, output_path, parameters, **_):
    """What papermill does, but for the transport."""
    return execute(Path(input_path), Path(output_path), parameters)


@pytest.mark.parametrize(("slug", "question"), FEET)
def test_another_question_has_its_answer_and_leaves_the_published_figures_alone(
    book, slug, question, tmp_path, monkeypatch
):
    """In a folder with the notebooks, and a file of one's own: figures beside the output.

    One question in a kernel, and the others without, which changes no output.
    """
    run = in_a_kernel if (slug, question) == FEET[0] else in_process.execute_notebook
    monkeypatch.setattr(papermill.cli, "execute_notebook", run)
    (tmp_path / "notebooks").symlink_to(NOTEBOOKS)
    stays = "\n".join(str(7 * i % 61) for i in range(200))
    (tmp_path / "mine.csv").write_text(f"stay\n{stays}\n", "utf-8")
    before = {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()}
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(COMMAND.format(slug, question))
    papermill.cli.papermill.main([*words, "--no-progress-bar"], standalone_mode=False)
    assert {path: path.stat().st_mtime_ns for path in FIGURES.iterdir()} == before
    made = {path.name for path in tmp_path.iterdir()} - {"notebooks", "mine.csv"}
    assert made - {"my-figures"} == {"out.ipynb"}
    assert ("my-figures" in made) == (slug != "published")
    said = (tmp_path / "out.ipynb").read_text("utf-8")
    assert "Nothing is compared" in said
    if slug == "your-data":
        assert ("which of two records" if "limits 0:60" in question else "suspects nobody") in said
    reads_as_plain_html(tmp_path / "out.ipynb")
