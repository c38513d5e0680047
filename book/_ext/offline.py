"""Make the book stand alone: mathematics from the book itself, nothing twice, no font of icons."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset_file

ICONS = re.compile(r"\s*<(?:link|script)\b[^>]*fontawesome\.js[^>]*>(?:</script>)?")
MATHJAX = Path("mathjax") / "tex-svg.js"  # one file: the glyphs are inside


def _copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        import importlib.util

        package = importlib.util.find_spec("sphinx-mathjax-offline")
        if package is None or package.origin is None:
            raise RuntimeError("the package sphinx-mathjax-offline is not installed")
        target = Path(app.outdir) / "_static" / MATHJAX.parent
        target.mkdir(parents=True, exist_ok=True)
        copy_asset_file(str(Path(package.origin).parent / "static" / MATHJAX), str(target))


def _drop_icon_font(app: Sphinx, error: Exception | None) -> None:
    """Take the theme's font of icons out of every page: ``dpchoose.css`` draws the few in use."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text("utf-8")
            path.write_text(ICONS.sub("", text), "utf-8")
        for path in Path(app.outdir).rglob("fontawesome.js*"):
            path.unlink()


def _drop_repeated_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    def content(script: Any) -> Any:
        return getattr(script, "filename", None) or script.attributes.get("body")

    scripts = {content(script): script for script in reversed(context.get("script_files", []))}
    context["script_files"] = list(reversed(scripts.values()))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect(
        "builder-inited", lambda app: setattr(app.config, "mathjax_path", MATHJAX.as_posix())
    )
    app.connect("build-finished", _copy_mathjax)
    app.connect("build-finished", _drop_icon_font)
    app.connect("html-page-context", _drop_repeated_scripts, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
