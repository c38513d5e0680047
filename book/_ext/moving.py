"""A picture that moves, in the place of a still one.

:data:`dpbook.moving.FIGURES` says which figures move, by their names. Where
scripts run, the picture that ``_assets/moving/NAME.js`` draws stands in the
place of such a figure, above its caption; without them, and in print, the figure
is all there is.
The scripts stand where the picture is, so that it is there before it is seen,
and on no other page. Its numbers come from :mod:`dpbook.moving`.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from docutils import nodes
from dpbook import moving
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

SHARED = ["maths/core", "moving/pictures", "moving/moving"]


class Picture(nodes.General, nodes.Element):
    """The picture: ``name``, ``data``, and the figure inside."""


def _move(app: Sphinx, document: nodes.document) -> None:
    for figure in [*document.findall(nodes.figure)]:
        for name in (moving.FIGURES[one] for one in figure["ids"] if one in moving.FIGURES):
            picture = Picture(name=name, data=moving.PICTURES[name]())
            figure.replace_self(picture)
            picture += figure


def _open(writer: Any, node: Picture) -> None:
    """The shared scripts once a page, then the data, an empty stage and the figure."""
    first = next(node.document.findall(Picture)) is node
    data = json.dumps(node["data"]).replace("<", "\\u003c")
    writer.body += [_script(writer, name) for name in SHARED if first]
    writer.body.append(
        f'<div class="moving" data-moving="{escape(node["name"])}">'
        f'<script type="application/json">{data}</script>'
        '<div class="moving-stage" hidden></div>'
        f"{_script(writer, 'moving/' + node['name'])}"
        '<div class="moving-still">'
    )


def _close(writer: Any, node: Picture) -> None:
    writer.body.append("</div></div>")


def _script(writer: Any, name: str) -> str:
    page = writer.builder.get_target_uri(writer.builder.current_docname)
    return f'<script src="{relative_uri(page, f"_static/{name}.js")}"></script>'


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(Picture, html=(_open, _close))
    app.connect("doctree-read", _move)
    app.add_css_file("moving/moving.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
