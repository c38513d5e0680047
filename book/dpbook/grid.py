"""The points of a sweep, read from a YAML file and refused as a whole before any of them runs."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

from dpbook import build
from dpbook.asked import FOLDER, parameters
from dpbook.chapter import refuse

MOST = 10_000  # points


def read_grid(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The chapter and the points of a grid file, the last parameter varying fastest.

    Raises:
        ValueError: no such file, not a grid, an unknown chapter or parameter,
            or a value that the chapter cannot take.
        TypeError: a value of another type than the chapter's own.

    >>> slug, points = read_grid(build.NOTEBOOKS / "sweep.yaml")
    >>> slug, points[0]
    ('fig-2', {'query': 'mean', 'risk': 0.3})
    """
    import yaml

    if not path.is_file():
        raise ValueError(f"grid file must exist, got {str(path)!r}")
    try:
        grid = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"grid file must be YAML: {error}") from None
    if not isinstance(grid, dict) or set(grid) != {"chapter", "parameters"}:
        raise ValueError("grid must be a mapping with the keys chapter and parameters")
    slug, listed = grid["chapter"], grid["parameters"]
    if slug not in build.slugs():
        raise ValueError(f"chapter must be one of {', '.join(build.slugs())}, got {slug!r}")
    if not isinstance(listed, dict) or not listed:
        raise ValueError(f"parameters must map names to lists of values, got {listed!r}")
    known = {name: value for name, value in parameters(slug).items() if name != FOLDER}
    for name, values in listed.items():
        if name not in known:
            raise ValueError(f"parameter must be one of {', '.join(known)}, got {name!r}")
        if not isinstance(values, list) or not values:
            raise ValueError(f"{name} must have a list of values, got {values!r}")
        for value in values:
            refuse(name, value, known[name], own_file="csv" in known)
    combinations = math.prod(map(len, listed.values()))
    if combinations > MOST:
        raise ValueError(f"grid must have at most {MOST:,} points, got {combinations:,}")
    points = [dict(zip(listed, values)) for values in itertools.product(*listed.values())]
    return slug, list({json.dumps(point, default=str): point for point in points}.values())
