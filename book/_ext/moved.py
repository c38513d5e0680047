"""The addresses of pages that are no more: each leads on to the page that has what was there."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

MOVED = {  # seen from where they were
    "book/chapters/other-queries": "median",
    "book/chapters/whose-question": "../references",
    "book/chapters/your-data": "../your-file",
}
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta http-equiv="refresh" content="0; url={0}.html">
</head>
<body>
<p>This page has moved: <a href="{0}.html">go on</a>.</p>
</body>
</html>
"""


def _lead_on(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for old, new in MOVED.items():
            Path(app.outdir, f"{old}.html").write_text(PAGE.format(new), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", _lead_on)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
