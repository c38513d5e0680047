"""The two steps from notebooks to a book; Make knows which of them are stale.

``python -m dpbook.build SLUG`` runs a chapter, and without a slug the executed
chapters and the pages are rendered; ``--sync`` is ``make sync``, ``--draft`` is ``make draft``.
What is made carries the time at which its making began, so that an edit in the
meantime is not lost, and gets its name when it is whole: what fails, or is killed,
leaves nothing that looks finished.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from papermill import PapermillExecutionError

from dpbook.places import BUILD, EXECUTED, FIGURES, NOTEBOOKS, ROOT
from dpbook.run import execute

KEPT = ("jupytext", "kernelspec", "tags", "mystnb")  # of the metadata of a notebook and its cells
FOLDED = {  # in JupyterLab, by what folds on the pages
    "hide-input": {"source_hidden": True},
    "hide-cell": {"outputs_hidden": True, "source_hidden": True},
}


def slugs() -> list[str]:
    """The chapters, in the order of their names."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def run(
    slug: str, output: Path, parameters: Mapping[str, Any] | None = None, **options: Any
) -> Path:
    """Run one chapter from the root, as :func:`dpbook.run.execute` does."""
    return execute(NOTEBOOKS / f"{slug}.ipynb", output, parameters, cwd=ROOT, **options)


def run_chapter(slug: str) -> None:
    """Run a chapter of the book, and draw its figures.

    Raises:
        ValueError: the halves of its notebook hold different cells.
        papermill.PapermillExecutionError: a cell failed.
    """
    halves = [jupytext.read(NOTEBOOKS / f"{slug}.{kind}").cells for kind in ("md", "ipynb")]
    text, notebook = (
        [(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in half]
        for half in halves
    )
    if text != notebook:
        raise ValueError(f"{slug}.md and {slug}.ipynb differ: `make sync`, and the newer one wins")
    with tempfile.TemporaryDirectory() as folder:
        given, finish = {"figures_folder": folder}, partial(_as_shown, drawn=Path(folder))
        output = run(slug, EXECUTED / f"{slug}.ipynb", given, finish=finish)
        for figure in Path(folder).iterdir():
            _replace(FIGURES / figure.name, figure.read_bytes())
    began = output.stat().st_mtime_ns
    for figure in FIGURES.glob(f"{slug}*"):
        if figure.stat().st_mtime_ns > began:
            os.utime(figure, ns=(began, began))


def _as_shown(executed: nbformat.NotebookNode, drawn: Path) -> None:
    """Without papermill's cell; each picture has its text, for who does not see it.

    Raises:
        ValueError: a figure has not been saved.
    """
    executed.cells = [
        cell
        for cell in executed.cells
        if "injected-parameters" not in cell.metadata.get("tags", [])
    ]
    for cell in executed.cells:
        said = cell.metadata.get("mystnb", {})
        name = said.get("figure", {}).get("name", "").removeprefix("fig-")
        for output in cell.get("outputs", []):
            if name and "image/png" in output.get("data", {}):
                if not (drawn / f"{name}.svg").exists():
                    raise ValueError(f"the cell of fig-{name} must save {name}.svg")
                output.metadata["image/png"] = {"alt": said["image"]["alt"]}


def _replace(path: Path, content: bytes) -> None:
    """A file that appears whole, and that keeps its time where it does not change."""
    if not path.exists() or path.read_bytes() != content:
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        part.write_bytes(content)
        part.replace(path)


def sync() -> None:
    """Make both halves of each notebook agree, the newer one winning; write only what differs."""
    texts = {path.stem for path in NOTEBOOKS.glob("*.md")} - {"README"}
    for slug in sorted(texts | {*slugs()}):
        halves = [NOTEBOOKS / f"{slug}.{kind}" for kind in ("md", "ipynb")]
        newer = max(filter(Path.exists, halves), key=lambda path: path.stat().st_mtime_ns)
        stripped = _stripped(jupytext.read(newer))  # which sorts the keys of metadata
        notebook = nbformat.reads(stripped, as_version=4)
        written = jupytext.writes(notebook, "md:myst"), stripped
        for half, text in zip(halves, written):
            if not half.exists() or half.read_text("utf-8") != text:
                half.write_text(text, "utf-8")
                print(f"{half.name} is as {newer.name}")


def _stripped(notebook: nbformat.NotebookNode) -> str:
    """The text of a notebook without what a run adds to it, its cells folded for JupyterLab."""
    kept = {key: notebook.metadata[key] for key in KEPT if key in notebook.metadata}
    kept.get("jupytext", {}).pop("text_representation", None)
    new = nbformat.v4.new_notebook(metadata=kept)
    for place, cell in enumerate(notebook.cells):
        metadata = {key: cell.metadata[key] for key in KEPT if key in cell.metadata}
        add = getattr(nbformat.v4, f"new_{cell.cell_type}_cell")
        new.cells.append(add(cell.source, id=str(place), metadata=metadata))
    content = json.loads(nbformat.writes(new))
    for cell in content["cells"]:
        tags = {*cell["metadata"].get("tags", [])}
        for tag in FOLDED.keys() & tags if "parameters" not in tags else ():
            cell["metadata"]["jupyter"] = FOLDED[tag]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def render() -> None:
    """Build the book from the executed chapters, warnings being errors."""
    began = time.time_ns()
    html, part = BUILD / "html", BUILD / "part"
    shutil.rmtree(part, ignore_errors=True)
    _sphinx(part, "--all")
    lay_wheel(part / "_build" / "html")
    os.utime(part / "_build" / "html" / "index.html", ns=(began, began))
    shutil.rmtree(html, ignore_errors=True)
    (part / "_build" / "html").rename(html)
    shutil.rmtree(part)


def _sphinx(folder: Path, *options: str) -> None:
    """Render the pages into a folder; without ``--all`` those whose text is not that of before.

    Raises:
        SystemExit: the build failed or warned; with the lines that say why.
    """
    how = ["-W", "-n", "--keep-going", "-q", *options, "--path-output", folder]
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT, *how]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        said = re.sub(r"\x1b\[[0-9;]*m", "", made.stdout.decode())
        reasons = re.findall(r"^.*(?:WARNING|Error\b|ERROR).*$", said, flags=re.M)
        lines = "\n".join(dict.fromkeys(map(str.strip, reasons)))
        raise SystemExit(f"the pages cannot be built: {lines or said.strip()}")


def lay_wheel(folder: Path) -> Path:
    """Lay the package into a folder as a wheel, for notebooks that are taken from the pages.

    It is made of a copy, as a build leaves modules behind that the next one would take; without
    a network, by the setuptools that are here.
    """
    with tempfile.TemporaryDirectory() as copy:
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "dpchoose", Path(copy, "dpchoose"), ignore=ignored)
        alone = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", *alone, "-w", folder, copy]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("dpchoose-*.whl")
    return wheel


def main() -> None:
    """Do one step, and say in a line why it failed."""
    slug = sys.argv[1] if sys.argv[1:] else ""
    what = slug or "the pages"
    try:
        if slug == "--sync":
            sync()
        elif slug == "--draft":
            _sphinx(BUILD / "draft")
        elif slug:
            print(f"running {slug}", flush=True)
            run_chapter(slug)
        else:
            print("rendering the pages", flush=True)
            render()
    except KeyboardInterrupt:
        sys.exit(f"{what}: interrupted")
    except PapermillExecutionError as error:
        line = f"{what}, cell {error.exec_count}: {error.ename}: {error.evalue}"
        sys.exit(" ".join(line.split()))
    except Exception as error:
        sys.exit(f"{what}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
