"""What a chapter is asked: the parameters in its notebook, and the published ones.

The published ones are kept apart, in parameters.yaml, so that a notebook which
somebody has changed and saved asks another question, and what is published
stays as it is.
"""

from __future__ import annotations

import ast
import functools
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from dpbook.places import NOTEBOOKS

FOLDER = "figures_folder"  # the parameter of every chapter that says where figures go


@functools.cache
def published() -> dict[str, dict[str, Any]]:
    """The published parameters of every chapter.

    >>> published()["fig-2"]["risk"]
    '1/3'
    """
    import yaml

    text = resources.files("dpbook").joinpath("parameters.yaml").read_text("utf-8")
    return {slug: values | {FOLDER: ""} for slug, values in yaml.safe_load(text).items()}


def parameters(slug: str) -> dict[str, Any]:
    """The parameters of a chapter as they stand in its notebook.

    Returns:
        name to value, in order; empty when the notebook is not there, as in
        an installation without the book.

    Raises:
        ValueError: a line that gives no name a literal value.

    >>> parameters("no-such-chapter")
    {}
    """
    path = NOTEBOOKS / f"{slug}.ipynb"
    if not path.exists():
        return {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            return _literals("".join(cell["source"]), slug)
    return {}


def _literals(source: str, slug: str) -> dict[str, Any]:
    found = {}
    try:
        for node in ast.parse(source).body:
            found[node.targets[0].id] = ast.literal_eval(node.value)
    except (SyntaxError, ValueError, AttributeError, TypeError) as error:
        line = source.splitlines()[getattr(error, "lineno", None) or node.lineno - 1]
        raise ValueError(
            f"parameters of {slug} must be lines such as risk = '1/3', got {line!r}"
        ) from None
    return found


def departure(slug: str, values: Mapping[str, Any]) -> str:
    """In words, which values are not the published ones; "" where all of them are.

    Args:
        values: at least the chapter's parameters, by name.

    >>> departure("fig-2", published()["fig-2"] | {"risk": 0.4, "query": ""})
    "query is '' and not the published mean, risk is 0.4 and not the published 1/3"
    """
    if slug not in published():
        return f"of {slug} nothing is published"
    return ", ".join(
        f"{name} is {_word(values[name])} and not the published {_word(value)}"
        for name, value in published()[slug].items()
        if name != FOLDER and values[name] != value
    )


def departures() -> dict[str, str]:
    """The chapters whose notebooks ask another question than the published one, each in words."""
    found = {
        slug: departure(slug, published()[slug] | parameters(slug))
        for slug in published()
        if (NOTEBOOKS / f"{slug}.ipynb").exists()
    }
    return {slug: words for slug, words in found.items() if words}


def without_verdict(missing: int, departures: Mapping[str, str]) -> str:
    """Why facts have no verdict, in a sentence; "" where none is without.

    >>> without_verdict(2, {"fig-2": "risk is 0.4 and not the published 1/3"})[:57]
    '2 more have no verdict here, because chapters were asked '
    """
    if not missing:
        return ""
    reasons = "; ".join(f"{slug}, where {words}" for slug, words in departures.items())
    return (
        f"{missing} more have no verdict here, because chapters were asked another question "
        f"than the published one: {reasons}."
    )


def _word(value: Any) -> str:
    return value if isinstance(value, str) and value.strip() else repr(value)
