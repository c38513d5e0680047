"""The page that takes a file, and that page shut: it sends nothing.

In the place of the paragraph that begins with :data:`ANCHOR` stands the form of
``_assets/explorer/page.html``, with the book's own records beside it; without
scripts the command is all there is. The page that holds it gets the scripts, and a
content security policy that refuses every connection and every form, and all
scripts and pictures but those that are in the page when it is built.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from dpbook import explorer
from sphinx.application import Sphinx

ASSETS = Path(__file__).resolve().parent.parent / "_assets"
MATHS = ("core", "text", "known", "everybody", "result", "source")
PAGE = ("help", "work", "refuse", "question", "dots", "choices", "command", "sheet", "main")
SCRIPTS = (
    *(f"maths/{name}.js" for name in MATHS),
    "explorer/read.js",
    "explorer/serve.js",
    "explorer/reader.js",
    "vendor/papaparse.min.js",
    *(f"explorer/{name}.js" for name in PAGE),
)
ANCHOR = '<a id="your-file">'
CODE = re.compile(r'<script\b|<link(?=[^>]* as="script")')
PICTURE = re.compile(r'(<(?:img|link rel="icon")[^>]*? (?:src|href)=")([^":]+\.(svg|png))(?=")')
KINDS = {"svg": "image/svg+xml", "png": "image/png"}
POLICY = (
    "default-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'; "
    "worker-src blob:; style-src 'self' 'unsafe-inline'; img-src data:; font-src 'self' data:; "
    "script-src 'nonce-{}'"
)


def _place(app: Sphinx, document: nodes.document) -> None:
    """Put the form, and the records that can be chosen in it, in the place of its paragraph."""
    for paragraph in [*document.findall(nodes.paragraph)]:
        if paragraph.children and paragraph[0].astext() == ANCHOR:
            form = (ASSETS / "explorer" / "page.html").read_text("utf-8")
            own = json.dumps(explorer.records(), separators=(",", ":")).replace("<", "\\u003c")
            data = f'<script type="application/json">{own}</script>\n</div>'
            whole = ANCHOR + "</a>" + data.join(form.rsplit("</div>", 1))
            paragraph.replace_self(nodes.raw("", whole, format="html"))
            app.env.metadata[app.env.docname]["explorer"] = "here"


def _add_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    if "explorer" in app.env.metadata.get(page, {}):
        app.add_css_file("explorer/explorer.css")
        for name in SCRIPTS:
            app.add_js_file(name, loading_method="defer")


def _shut(app: Sphinx, error: Exception | None) -> None:
    """Write the policy into the head, before anything that it is about."""
    if error is None and app.builder.format == "html":
        for page, known in app.env.metadata.items():
            if "explorer" in known:
                path = Path(app.builder.get_outfilename(page))
                path.write_text(shut(path.read_text("utf-8"), path.parent), "utf-8")


def shut(page: str, folder: Path) -> str:
    """A page with its pictures inside, that runs the scripts it names, and loads nothing else."""

    def inside(found: re.Match[str]) -> str:
        content = base64.b64encode((folder / found[2]).read_bytes()).decode()
        return f"{found[1]}data:{KINDS[found[3]]};base64,{content}"

    page = PICTURE.sub(inside, page)
    nonce = hashlib.sha256(page.encode()).hexdigest()[:32]
    page = CODE.sub(lambda found: f'{found[0]} nonce="{nonce}"', page)
    first = '<meta charset="utf-8" />'
    rules = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(nonce)}">'
    return page.replace(first, f"{first}\n    {rules}", 1)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _place)
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _shut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
