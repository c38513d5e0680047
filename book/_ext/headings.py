"""A heading for the page that the theme leaves without one: the index of functions."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def _title(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    context["pagetitle"] = context.get("pagetitle") or "Index"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _title, priority=900)  # after the theme's own
    return {"parallel_read_safe": True, "parallel_write_safe": True}
