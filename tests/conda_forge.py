"""Ask conda-forge whether it has what environment.yml wants of it; part of `make audit`.

Prints each package of which no version lies within the bounds, and then ends with 1.
Where conda-forge cannot be reached, one line says so, and that is no failure.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path

import yaml
from packaging.specifiers import SpecifierSet

ENVIRONMENT = Path(__file__).resolve().parent.parent / "environment.yml"
CHANNEL = "https://api.anaconda.org/package/conda-forge/"


def wanted() -> list[str]:
    """What environment.yml wants of conda-forge itself, as "name bounds"."""
    listed = yaml.safe_load(ENVIRONMENT.read_text("utf-8"))["dependencies"]
    return [item for item in listed if isinstance(item, str)]


def versions(name: str) -> list[str]:
    """All that conda-forge has of a package."""
    try:
        with urllib.request.urlopen(CHANNEL + name, timeout=60) as answer:
            return json.load(answer)["versions"]
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return []
        raise


def missing(items: Iterable[str], had: Callable[[str], list[str]]) -> list[str]:
    """Those of which no version is there."""
    pairs = [(item, *item.partition(" ")[::2]) for item in items]
    return [item for item, name, bounds in pairs if not any(SpecifierSet(bounds).filter(had(name)))]


if __name__ == "__main__":
    try:
        lacking = missing(wanted(), versions)
    except OSError as error:
        print(f"conda-forge cannot be reached, so environment.yml is not checked: {error}")
        sys.exit(0)
    print(*(f"conda-forge has no {item}" for item in lacking), sep="\n", end="\n" * bool(lacking))
    sys.exit(bool(lacking))
