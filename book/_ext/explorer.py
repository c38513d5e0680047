"""The explorer in its page, and that page shut: it can reach no network.

``{explorer}`` stands for the form of ``_assets/explorer/page.html``, with the
book's own records beside it. The page that holds it gets the scripts, and a
content security policy that refuses every connection, every form and every
script that was not in the page when the book was built.
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
from sphinx.util.docutils import SphinxDirective

ASSETS = Path(__file__).resolve().parent.parent / "_assets"
ORDER = re.compile(r"const name of \[(.*?)\]", re.DOTALL)
MATHS = re.findall(r"\w+", ORDER.search((ASSETS / "maths" / "index.js").read_text("utf-8"))[1])
PAGE = ("help", "work", "refuse", "form", "plot", "dots", "words", "command", "curve", "main")
SCRIPTS = (*(f"maths/{name}.js" for name in MATHS), *(f"explorer/{name}.js" for name in PAGE))
INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
POLICY = {
    "default-src": "'none'",
    "connect-src": "'none'",
    "form-action": "'none'",
    "base-uri": "'none'",
    "worker-src": "blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self' data:",
}


class Explorer(SphinxDirective):
    """The form, and the records that can be chosen in it."""

    def run(self) -> list[nodes.Node]:
        form = (ASSETS / "explorer" / "page.html").read_text("utf-8")
        own = json.dumps(explorer.records(), separators=(",", ":")).replace("<", "\\u003c")
        data = f'<script type="application/json">{own}</script>\n</div>'
        self.env.metadata[self.env.docname]["explorer"] = "here"
        return [nodes.raw("", data.join(form.rsplit("</div>", 1)), format="html")]


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
                text = path.read_text("utf-8")
                first = '<meta charset="utf-8" />'
                path.write_text(text.replace(first, first + policy(text), 1), "utf-8")


def policy(page: str) -> str:
    """The element that allows a page its own files and the scripts in it, and nothing else."""
    held = sorted({_digest(script) for script in INLINE.findall(page)})
    rules = POLICY | {"script-src": " ".join(["'self'", *held])}
    text = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'\n    <meta http-equiv="Content-Security-Policy" content="{text}">'


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("explorer", Explorer)
    app.connect("html-page-context", _add_scripts)
    app.connect("build-finished", _shut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
