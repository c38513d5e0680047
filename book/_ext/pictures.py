"""Pictures: the file that each shows, and its number.

A figure of a chapter, fig-NAME, is the file that its cell has saved, figures/NAME.svg.

A chapter's are numbered with it, Picture 2.1; those of a page without a number A, B and so on,
as a plain Picture 2 would look like one of the second chapter.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def _file(app: Sphinx, document: nodes.document) -> None:
    """In the place of the PNG that the output has; wider than a phone, its box scrolls."""
    for figure in document.findall(nodes.figure):
        pngs = [one for one in figure.findall(nodes.image) if one["uri"].endswith(".png")]
        for image, name in zip(pngs, figure["ids"]):
            image["uri"] = f"/figures/{name.removeprefix('fig-')}.svg"
            drawn = Path(app.srcdir, image["uri"][1:]).read_text("utf-8")
            wide = float(drawn.partition(' width="')[2].partition("pt")[0]) > 500  # two panels
            image["classes"] += ["dark-light", "two-panels" if wide else "one-panel"]
            box = nodes.container("", classes=["x-scroll"])
            image.replace_self(box)
            box += image


def _letter(app: Sphinx, env: BuildEnvironment) -> list[str]:
    for page, kinds in env.toc_fignumbers.items():
        figures = kinds.get("figure", {})
        if not any(env.toc_secnumbers.get(page, {}).values()):
            figures.update(zip(figures, ((letter,) for letter in ascii_uppercase)))
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _file, priority=400)  # before Sphinx collects the files
    app.connect("env-get-updated", _letter, priority=900)  # after the numbers are given
    return {"parallel_read_safe": True, "parallel_write_safe": True}
