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

import csv
import hashlib
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click

from dpbook import build, chapter
from dpbook.chapter import FOLDER
from dpbook.tables import shown
from dpchoose import checks
from dpchoose.__main__ import answer
from dpchoose.data import queries

RESULTS = "results.csv"
NAME = "python -m dpbook.sweep"
KINDS = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "text",
    list: "list",
    dict: "mapping",
}

Row = dict[str, str]


def kind(value: Any) -> str:
    """The word for the type of a parameter's value.

    >>> kind("1/3"), kind(2), kind(False), kind([0, 5])
    ('text', 'number', 'boolean', 'list')
    """
    return KINDS.get(type(value), type(value).__name__)


def read_grid(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The chapter and the points of a grid file.

    Args:
        path: of a YAML file, as the module describes it.

    Returns:
        the slug, and for each point its parameters, the last of them varying
        fastest; a point that is listed twice is there once.

    Raises:
        ValueError: no such file, not a grid, an unknown chapter or parameter,
            or a value that the chapter cannot take.
        TypeError: a value of another type than the chapter's own.

    >>> slug, points = read_grid(chapter.NOTEBOOKS / "sweep.yaml")
    >>> slug, points[0]
    ('fig-2', {'query': 'mean', 'risk': 0.3})
    """
    import yaml

    if not path.is_file():
        raise ValueError(f"grid file must exist, got {str(path)!r}")
    try:
        grid = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"grid file must be YAML: {error}") from None
    if not isinstance(grid, dict) or set(grid) != {"chapter", "parameters"}:
        raise ValueError("grid must be a mapping with the keys chapter and parameters")
    slug, listed = grid["chapter"], grid["parameters"]
    if not isinstance(listed, dict) or not listed:
        raise ValueError(f"parameters must map names to lists of values, got {listed!r}")
    build.refuse_unknown(slug, listed)
    if FOLDER in listed:
        raise ValueError(f"{FOLDER} must not be in the grid: each point has a folder of its own")
    for name, values in listed.items():
        if not isinstance(values, list) or not values:
            raise ValueError(f"{name} must have a list of values, got {values!r}")
        for value in values:
            _refuse_value(name, value, chapter.parameters(slug)[name])
    points = [dict(zip(listed, values)) for values in itertools.product(*listed.values())]
    return slug, list({json.dumps(point): point for point in points}.values())


def sweep(grid: Path, folder: Path, *, jobs: int | None = None) -> list[Row]:
    """Run every point of a grid that has not yet ended well, and write the table.

    The table is ``results.csv`` in the folder; the executed notebook of a
    point and its figures are in a folder of their own beside it. A path among
    the parameters begins at the current folder, as with papermill.

    Args:
        grid: the path of a grid file.
        folder: where the results go.
        jobs: points run at once, -1 for as many as there are cores; None for
            what ``joblib.parallel_config`` says, and all cores where it does not.

    Returns:
        the rows: the parameters that vary, the numbers that the notebook
        glues, the point's folder, and its failure, blank when there is none.

    Raises:
        ValueError, TypeError: as :func:`read_grid`, before any kernel starts.
    """
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    slug, points = read_grid(grid)
    if jobs == 0:
        raise ValueError("jobs must not be 0")
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"output must be a folder, got {str(folder)!r}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULTS).unlink(missing_ok=True)
    if jobs is None:
        jobs = get_active_backend()[1]  # None: the caller has not said
    parallel = Parallel(n_jobs=-1 if jobs is None else jobs, batch_size=1, return_as="generator")
    names = [_name(slug, point) for point in points]
    rows = []
    runs = (
        delayed(_run)(slug, point, folder / name, Path.cwd()) for name, point in zip(names, points)
    )
    for name, point, (numbers, failure) in zip(names, points, parallel(runs)):
        click.echo(f"{'failed' if failure else 'have'} {name}", err=True)
        values = {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in point.items()
        }
        rows.append(values | numbers | {"folder": name, "failure": failure})
    _write(rows, folder / RESULTS)
    return rows


def glued(notebook: Path) -> Iterator[tuple[str, str]]:
    """The numbers that an executed notebook glues: name and text, every digit.

    >>> list(glued(chapter.NOTEBOOKS / "fig-2.ipynb"))  # not executed
    []
    """
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            if "scrapbook" in output.get("metadata", {}):
                name = output["metadata"]["scrapbook"]["name"]
                text = "".join(next(iter(output["data"].values())))
                if _is_number(text):
                    yield name, text


def _run(slug: str, point: dict[str, Any], folder: Path, cwd: Path) -> tuple[Row, str]:
    """Run a point unless it is there; its numbers, or why there are none."""
    output = folder / f"{slug}.ipynb"
    try:
        if not build.is_fresh(slug, output):
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


def _refuse_value(name: str, value: Any, default: Any) -> None:
    """What is certainly wrong for a parameter with that default."""
    if kind(value) != kind(default) and not (name == "risk" and kind(value) in ("text", "number")):
        raise TypeError(f"{name} must be a {kind(default)}, as {default!r} is, got {value!r}")
    if name in ("risk", "risks"):
        for risk in value if name == "risks" else [value]:
            checks.parse_risk(risk)
    if name in ("query", "queries"):
        for query in value if name == "queries" else [value]:
            queries.resolve(query)


def _name(slug: str, point: Mapping[str, Any]) -> str:
    """A folder's name that can be read, and that no other point has.

    The content of a file that a parameter names is part of the point.
    """
    files = [Path(v) for v in point.values() if isinstance(v, str) and Path(v).is_file()]
    content = b"".join(
        [json.dumps(point, sort_keys=True).encode(), *(f.read_bytes() for f in files)]
    )
    words = re.sub(r"[^\w.]+", "-", "-".join(map(str, point.values()))).strip("-.")
    return f"{slug}-{words[:40]}-{hashlib.sha256(content).hexdigest()[:8]}"


def _write(rows: list[Row], path: Path) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=["folder", "failure"].__contains__)  # to the end
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    os.replace(part, path)


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
@click.option("--jobs", type=int, help="Points run at once.  [default: as many as there are cores]")
def command(grid: Path, output: Path, jobs: int | None) -> int:
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
