"""What a chapter prints at its foot, for a reader to type, does what it says."""

import ast
import re
import shlex
import subprocess
import sys

import pytest
from dpbook import build
from dpbook.chapter import NOTEBOOKS

LINE = re.compile(r"^papermill notebooks/.*$", re.MULTILINE)


def lines(slug):
    """Written out in a chapter that is not converted yet, else what its last cell is given."""
    text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    given = re.findall(r"^chapter\.again\(.*?\)$", text, flags=re.M | re.S)
    start = f"papermill notebooks/{slug}.ipynb out.ipynb"
    return LINE.findall(text) + [
        f"{start} {question.value}"
        for call in given
        for question in ast.parse(call).body[0].value.args
    ]


COMMANDS = {slug: lines(slug) for slug in build.slugs()}


@pytest.mark.parametrize("slug", [slug for slug, lines in COMMANDS.items() if lines])
def test_the_command_at_the_foot_of_a_chapter_runs(slug, tmp_path):
    """In a folder with the notebooks, and a file of one's own beside them."""
    (tmp_path / "notebooks").symlink_to(NOTEBOOKS)
    incomes = "\n".join(str(20 + 7 * i % 61) for i in range(200))
    (tmp_path / "mine.csv").write_text(f"income\n{incomes}\n", "utf-8")
    for line in COMMANDS[slug]:
        run = subprocess.run(
            [sys.executable, "-m", *shlex.split(line), "--no-progress-bar"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-2000:]
        assert (tmp_path / "out.ipynb").exists()
