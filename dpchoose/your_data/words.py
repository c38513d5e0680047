"""Sentences that the package and the page of the book both say, in one language.

The keys of ``words.toml`` become attributes of this module; the page gets them as JSON when the
book is built.
"""

import tomllib
from importlib import resources
from typing import Any

_text = resources.files(__package__).joinpath("words.toml").read_text("utf-8")

globals().update(tomllib.loads(_text))


def __getattr__(name: str) -> Any:
    """No other name; and for who checks types, what a key of the file is."""
    raise AttributeError(f"words.toml has no {name}")
