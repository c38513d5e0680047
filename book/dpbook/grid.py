"""The points of a sweep, read from a YAML file and refused as a whole before any of them runs."""

from __future__ import annotations

import functools
import itertools
import json
import math
import typing
from pathlib import Path
from typing import Any

from dpbook import build
from dpbook.asked import FOLDER, parameters
from dpbook.chapter import refuse

if typing.TYPE_CHECKING:
    import yaml

MOST = 10_000  # points
LARGEST = 1_000_000  # bytes of a file


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

    >>> slug, points = read_grid(build.NOTEBOOKS / "sweep.yaml")
    >>> slug, points[0]
    ('fig-2', {'query': 'mean', 'risk': 0.3})
    """
    import yaml

    if not path.is_file():
        raise ValueError(f"grid file must exist, got {str(path)!r}")
    if path.stat().st_size > LARGEST:
        raise ValueError(
            f"grid file must have at most {LARGEST:,} bytes, got {path.stat().st_size:,}"
        )
    try:
        grid = yaml.load(path.read_text("utf-8"), _plain_loader())
    except RecursionError:
        raise ValueError("grid file must be YAML: too many brackets in brackets") from None
    except (yaml.YAMLError, ValueError) as error:
        raise ValueError(f"grid file must be YAML: {error}") from None
    if not isinstance(grid, dict) or set(grid) != {"chapter", "parameters"}:
        raise ValueError("grid must be a mapping with the keys chapter and parameters")
    slug, listed = grid["chapter"], grid["parameters"]
    if not isinstance(listed, dict) or not listed:
        raise ValueError(f"parameters must map names to lists of values, got {listed!r}")
    if slug not in build.slugs():
        raise ValueError(f"chapter must be one of {', '.join(build.slugs())}, got {slug!r}")
    known = {name: value for name, value in parameters(slug).items() if name != FOLDER}
    for name, values in listed.items():
        if name not in known:
            raise ValueError(f"parameter must be one of {', '.join(known)}, got {name!r}")
        if not isinstance(values, list) or not values:
            raise ValueError(f"{name} must have a list of values, got {values!r}")
        for value in values:
            refuse(name, value, known[name], own_file="csv" in known)
    combinations = math.prod(len(values) for values in listed.values())
    if combinations > MOST:
        raise ValueError(f"grid must have at most {MOST:,} points, got {combinations:,}")
    points = [dict(zip(listed, values)) for values in itertools.product(*listed.values())]
    return slug, list({json.dumps(point): point for point in points}.values())


@functools.cache
def _plain_loader() -> type[yaml.SafeLoader]:
    """YAML without its aliases, which can stand for far more than is written, and each key once."""
    import yaml

    class Plain(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError(f"an alias, *{self.peek_event().anchor}, is not understood")
            return super().compose_node(parent, index)

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            names = [key.value for key, _ in node.value]
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise yaml.YAMLError(
                    f"{twice[0]!r} must stand there once, and not {len(twice)} times"
                )
            return super().construct_mapping(node, deep)

    return Plain
