"""The two steps from notebooks to a book; Make knows which of them are stale.

``python -m dpbook.build SLUG`` runs a chapter, and without a slug the executed
chapters and the pages are rendered. What is made carries the time at which its
making began, so that an edit in the meantime is not lost, and gets its name
when it is whole: what fails, or is killed, leaves nothing that looks finished.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbook.chapter import EXECUTED, FIGURES, NOTEBOOKS, ROOT

BUILD = ROOT / "_build"


def slugs() -> list[str]:
    """The chapters, in the order of their names."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def run(
    slug: str,
    output: Path,
    parameters: Mapping[str, Any] | None = None,
    *,
    cwd: Path | None = None,
) -> Path:
    """Run one chapter with papermill.

    Args:
        slug: the name of its notebook.
        output: where the executed notebook goes, once it has ended well.
        parameters: those that differ from the published ones.
        cwd: where it runs, so where a relative path among its parameters
            begins; None for the folder of the notebooks.

    Returns:
        the output.

    Raises:
        papermill.PapermillExecutionError: a cell failed.
    """
    import papermill

    os.environ["DPCHOOSE_PROGRESS"] = "off"  # a chapter says the same, however long it takes

    began = time.time_ns()
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    part = output.with_name(f".{output.stem}.{os.getpid()}.part.json")
    try:
        papermill.execute_notebook(
            NOTEBOOKS / f"{slug}.ipynb",
            part,
            parameters=dict(parameters or {}),
            cwd=cwd or NOTEBOOKS,
            kernel_name="python3",
            progress_bar=False,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        )
        os.utime(part, ns=(began, began))
        part.replace(output)
    finally:
        for left in output.parent.glob(f".{output.stem}.*.part.json"):  # a killed run's too
            left.unlink(missing_ok=True)
    return output


def run_chapter(slug: str) -> None:
    """Run a chapter of the book, and draw its figures.

    Raises:
        ValueError: the halves of its notebook hold different cells.
        papermill.PapermillExecutionError: a cell failed.
    """
    import jupytext

    halves = [jupytext.read(NOTEBOOKS / f"{slug}.{kind}").cells for kind in ("md", "ipynb")]
    text, notebook = (
        [(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in half]
        for half in halves
    )
    if text != notebook:
        raise ValueError(f"{slug}.md and {slug}.ipynb differ: `make sync`, and the newer one wins")
    output = run(slug, EXECUTED / f"{slug}.ipynb")
    began = output.stat().st_mtime_ns
    for figure in FIGURES.glob(f"{slug}*"):
        if figure.stat().st_mtime_ns > began:
            os.utime(figure, ns=(began, began))


def render() -> None:
    """Build the book from the executed chapters, warnings being errors.

    Raises:
        RuntimeError: the build failed or warned; with its output.
    """
    began = time.time_ns()
    html, part, old = BUILD / "html", BUILD / "part", BUILD / "old"
    for left in (part, old):
        shutil.rmtree(left, ignore_errors=True)
    options = ["-W", "-n", "--keep-going", "--all", "-q", "--path-output", part]
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT, *options]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        raise RuntimeError(f"jupyter-book failed:\n{made.stdout.decode()}")
    os.utime(part / "_build" / "html" / "index.html", ns=(began, began))
    if html.exists():
        html.rename(old)
    (part / "_build" / "html").rename(html)
    for left in (part, old):
        shutil.rmtree(left, ignore_errors=True)


def main() -> int:
    try:
        if sys.argv[1:]:
            run_chapter(sys.argv[1])
            print(f"ran {sys.argv[1]}")
        else:
            render()
    except Exception as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
