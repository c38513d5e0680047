"""A chapter at every point of a grid of parameters, gathered in one table.

``python -m dpbook.sweep GRID.yaml --output FOLDER``, or ``make sweep``. The
grid names one chapter and lists the values of each parameter that varies;
every combination of them is a point::

    chapter: fig-2
    parameters:
      query: [mean, var]
      risk: [0.3, 1/3]

A parameter that is a list takes a list of lists, as in ``columns:
[[absence_days], [school_year]]``. There is no more to the format: other
points are another grid.

Points run through joblib, on all cores or where its ``parallel_config`` sends
them. One that has ended well is not run again until what it is made from
changes, so the same command goes on where a killed one had stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click

from dpbook import build
from dpbook.asked import FOLDER
from dpbook.grid import read_grid
from dpbook.tables import shown
from dpchoose.__main__ import answer

RESULTS = "results.csv"
NAME = "python -m dpbook.sweep"

Row = dict[str, str]


def sweep(grid: Path, folder: Path, *, jobs: int | None = None) -> list[Row]:
    """Run a chapter at every point of a grid, and write the table of results.

    Args:
        grid: the grid file, see :func:`read_grid`.
        folder: where results.csv and a folder for each point go.
        jobs: points run at once, not 0, and -1 for all cores; None for what
            the caller's ``joblib.parallel_config`` says.

    Returns:
        the rows of the table: the parameters of the point, the numbers that
        its notebook glues, its folder, and why it failed, else "".

    Raises:
        ValueError, TypeError: as :func:`read_grid`, before any kernel starts.
    """
    import pandas as pd
    from joblib import Parallel, delayed

    slug, points = read_grid(grid)
    if jobs == 0:
        raise ValueError("jobs must not be 0")
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"output must be a folder, got {str(folder)!r}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULTS).unlink(missing_ok=True)
    places = [folder / _name(slug, point) for point in points]
    runs = (delayed(_run)(slug, *where, Path.cwd()) for where in zip(points, places))
    rows = []
    parallel = Parallel(jobs, batch_size=1, return_as="generator")
    for point, place, (numbers, failure) in zip(points, places, parallel(runs)):
        click.echo(f"{'failed' if failure else 'have'} {place.name}", err=True)
        values = {k: v if isinstance(v, str) else json.dumps(v) for k, v in point.items()}
        rows.append(values | numbers | {"folder": place.name, "failure": failure})
    table = pd.DataFrame(rows).fillna("")
    ends = ["folder", "failure"]
    part = folder / f".{RESULTS}.part"
    table[[*table.columns.drop(ends), *ends]].to_csv(part, index=False, lineterminator="\n")
    part.replace(folder / RESULTS)
    return rows


def glued(notebook: Path) -> Iterator[tuple[str, str]]:
    """The numbers that an executed notebook glues: name and text, every digit.

    >>> list(glued(build.NOTEBOOKS / "fig-2.ipynb"))  # not executed
    []
    """
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            if "scrapbook" in output.get("metadata", {}):
                text = "".join(next(iter(output["data"].values())))
                if _is_number(text):
                    yield output["metadata"]["scrapbook"]["name"], text


def _run(slug: str, point: dict[str, Any], folder: Path, cwd: Path) -> tuple[Row, str]:
    """Run a point unless it is there; its numbers, or why there are none."""
    output = folder / f"{slug}.ipynb"
    try:
        if not _is_fresh(output, slug):
            parameters = point | {FOLDER: str(folder)}
            with ThreadPoolExecutor(1) as thread:  # so that this one keeps its signals
                thread.submit(_run_here, slug, output, parameters, cwd).result()
        return dict(glued(output)), ""
    except Exception as error:
        name, text = getattr(error, "ename", type(error).__name__), getattr(error, "evalue", error)
        return {}, " ".join(f"{name}: {text}".split())


def _run_here(slug: str, output: Path, parameters: dict[str, Any], cwd: Path) -> None:
    """Run it in this thread, and close the event loop that it opens in it."""
    from jupyter_core.utils import ensure_event_loop

    try:
        build.run(slug, output, parameters, cwd=cwd)
    finally:
        ensure_event_loop().close()


def _is_fresh(output: Path, slug: str) -> bool:
    """Whether nothing that a point is made from is newer than its notebook."""
    code = [
        path
        for folder in ("dpchoose", "book/dpbook")
        for path in build.ROOT.glob(f"{folder}/**/*.*")
    ]
    sources = [build.NOTEBOOKS / f"{slug}.ipynb", *build.ROOT.glob("requirements.lock"), *code]
    newest = max(path.stat().st_mtime for path in sources if path.suffix != ".pyc")
    return output.exists() and newest <= output.stat().st_mtime


def _name(slug: str, point: Mapping[str, Any]) -> str:
    """A folder's name that can be read, and that no other point has.

    The content of a file that a parameter names is part of the point.
    """
    files = [Path(v) for v in point.values() if isinstance(v, str) and Path(v).is_file()]
    parts = [json.dumps(point, sort_keys=True).encode(), *(file.read_bytes() for file in files)]
    words = re.sub(r"[^\w.]+", "-", "-".join(map(str, point.values()))).strip("-.")
    return f"{slug}-{words[:40]}-{hashlib.sha256(b''.join(parts)).hexdigest()[:8]}"


def _text(rows: list[Row], varied: list[str]) -> str:
    """The table for people: epsilons rounded down, the folders left out."""
    import pandas as pd

    def cell(name: str, text: str) -> str:
        if name in varied or not _is_number(text):
            return text
        return shown(float(text)) if name.startswith("epsilon ") else f"{float(text):.6g}"

    frame = pd.DataFrame([{name: cell(name, text) for name, text in row.items()} for row in rows])
    if not frame["failure"].any():
        frame = frame.drop(columns="failure")
    return frame.drop(columns="folder").fillna("").to_string(index=False)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("grid", type=click.Path(path_type=Path))
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for results.csv, and for a folder of each point.",
)
@click.option(
    "--jobs", default=-1, help="Points run at once.  [default: as many as there are cores]"
)
def command(grid: Path, output: Path, jobs: int) -> int:
    """Run a chapter at every point of GRID, a YAML file, and gather a table.

    What has ended well is kept: after a kill, the same command goes on.
    """
    varied = list(read_grid(grid)[1][0])
    rows = sweep(grid, output, jobs=jobs)
    click.echo(_text(rows, varied))
    click.echo(os.path.relpath(output / RESULTS))
    return int(any(row["failure"] for row in rows))


if __name__ == "__main__":
    sys.exit(answer(command, NAME))
