"""A chapter at every point of a grid of parameters: papermill under joblib."""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from dpbook.build import slugs
from dpbook.places import NOTEBOOKS


def sweep(slug: str, folder: str | Path, **values: Sequence[Any]) -> dict[Path, str]:
    """Run a chapter at every combination of some values of its parameters.

    The points run on all cores, or where ``joblib.parallel_config`` sends them.

    Args:
        slug: the name of its notebook.
        folder: where each point gets a folder, with its notebook and its figures.
        values: of each parameter that varies, such as ``risk=["1/3", 0.4]``.

    Returns:
        the folder of each point, and why it failed: the last line, or "".

    Raises:
        ValueError: no such chapter.
    """
    if slug not in slugs():
        raise ValueError(f"slug must be one of {', '.join(slugs())}, got {slug!r}")
    points = [dict(zip(values, point)) for point in itertools.product(*values.values())]
    words = (re.sub(r"[^\w.]+", "-", "-".join(map(str, point.values()))) for point in points)
    places = [Path(folder).resolve() / f"{i}-{word[:40]}" for i, word in enumerate(words)]
    runs = (delayed(_run)(slug, point, place) for point, place in zip(points, places))
    return dict(zip(places, Parallel(-1)(runs)))


def _run(slug: str, point: dict[str, Any], place: Path) -> str:
    """In a process of its own, so that a worker needs no event loop."""
    place.mkdir(parents=True, exist_ok=True)
    files = [NOTEBOOKS / f"{slug}.ipynb", place / f"{slug}.ipynb"]
    given = json.dumps(point | {"figures_folder": str(place)})
    command = [sys.executable, "-m", "dpbook.run", *files, given]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stderr.strip().splitlines()[-1] if run.returncode else ""
