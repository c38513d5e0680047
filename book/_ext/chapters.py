"""Stop where the chapters have not been run, instead of building a book without them."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx_external_toc.parsing import parse_toc_yaml


def _stop_without(app: Sphinx, config: Config) -> None:
    """One line, and not a traceback: an exception would get jupyter-book's own box around it."""
    listed = parse_toc_yaml(Path(app.srcdir) / config.external_toc_path)
    missing = [name for name in listed if not list(Path(app.srcdir).glob(f"{name}.*"))]
    if missing:
        sys.exit(f"{len(missing)} pages are missing, such as {missing[0]}: `make book` makes them")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", _stop_without)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
