"""In the docstrings ``eq-tight`` names an equation; on the page it is a link to it."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

LABEL = re.compile(r"``(eq-[a-z-]+)``")


def _link(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = [LABEL.sub(r":eq:`\1`", line) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
