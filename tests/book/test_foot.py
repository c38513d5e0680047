"""What a chapter prints at its foot for a reader to type works, and what comes out reads."""

import ast
import re
import shlex
import subprocess
import sys

import pytest
from dpbook import build
from dpbook.chapter import NOTEBOOKS
from test_plain import reads_as_plain_html


def lines(slug):
    """Those that its last cell is given."""
    text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    (call,) = re.findall(r"^chapter\.again\(.*?\)$", text, flags=re.M | re.S)
    start = f"papermill notebooks/{slug}.ipynb out.ipynb"
    return [f"{start} {question.value}" for question in ast.parse(call).body[0].value.args]


COMMANDS = {slug: lines(slug) for slug in build.slugs()}


@pytest.mark.parametrize("slug", COMMANDS)
def test_the_command_at_the_foot_of_a_chapter_runs(slug, tmp_path):
    """In a folder with the notebooks, and a file of one's own beside them."""
    (tmp_path / "notebooks").symlink_to(NOTEBOOKS)
    stays = "\n".join(str(7 * i % 61) for i in range(200))
    (tmp_path / "mine.csv").write_text(f"stay\n{stays}\n", "utf-8")
    for line in COMMANDS[slug]:
        run = subprocess.run(
            [sys.executable, "-m", *shlex.split(line), "--no-progress-bar"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-2000:]
        reads_as_plain_html(tmp_path / "out.ipynb")
