"""Formulas are set when the book is built, by KaTeX, which stands in ``book/vendor``.

A page holds each as HTML, which needs a style sheet and fonts and no script, and as MathML,
which a screen reader speaks. What KaTeX does not know stops the build. In the docstrings
``eq-tight`` names an equation; on the page it is a link to it.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset
from sphinx.util.math import get_node_equation_number

KATEX = Path(__file__).resolve().parents[1] / "vendor" / "katex"
SOURCE = re.compile(r"<annotation .*?</annotation>", re.DOTALL)  # TeX, which nobody is shown
LABEL = re.compile(r"``(eq-[a-z-]+)``")


@functools.cache
def _engine() -> MiniRacer:
    """One for the whole book."""
    engine = MiniRacer()
    engine.eval((KATEX / "katex.min.js").read_text("utf-8"))
    return engine


@functools.cache
def html(tex: str, *, displayed: bool = False) -> str:
    r"""A formula as HTML and MathML.

    Raises:
        py_mini_racer.JSEvalException: KaTeX does not know it.

    >>> r"\frac" in html(r"\frac{1}{3}"), "<mfrac>" in html(r"\frac{1}{3}")
    (False, True)
    """
    options = {"displayMode": displayed, "strict": "error"}
    call = f"katex.renderToString({json.dumps(tex)}, {json.dumps(options)})"
    made = SOURCE.sub("", str(_engine().eval(call)))
    return made.replace('"katex-display"', '"katex-display" tabindex="0"')  # which may scroll


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body += [writer.starttag(node, "span", "", CLASS="math"), html(node.astext()), "</span>"]
    raise nodes.SkipNode


def _displayed(writer: Any, node: nodes.math_block) -> None:
    """With its number, and a link to it."""
    writer.body.append(writer.starttag(node, "div", "", CLASS="math"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    tex = node.astext()
    split = rf"\begin{{split}}{tex}\end{{split}}" if r"\\" in tex and not node["nowrap"] else tex
    writer.body += [html(split, displayed=True), "</div>\n"]
    raise nodes.SkipNode


def _link(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = [LABEL.sub(r":eq:`\1`", line) for line in lines]


def _copy(app: Sphinx) -> None:
    """The style and the fonts, among what the pages load."""
    target = Path(app.outdir) / "_static" / "katex"
    copy_asset(KATEX, target, excluded=lambda path: path.endswith((".js", "LICENSE")))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("katex", (_inline, None), (_displayed, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("autodoc-process-docstring", _link)
    app.connect("builder-inited", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
