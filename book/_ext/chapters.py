"""What a page of the book needs beyond its notebook, which holds plain Markdown.

What a cell says is prose like any other. ``<a id="eq-tight"></a>`` above a displayed equation
labels it. A link leads to whatever has an id: an equation, a figure, a reference, which a notebook
finds in the file of them. A figure, fig-NAME, is the file that its cell has saved,
figures/NAME.svg. A chapter ends with its executed notebook, to download.

A chapter's pictures are numbered with it, Picture 2.1; those of a page without a number A, B and so
on, as a plain Picture 2 would look like one of the second chapter.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx_external_toc.parsing import parse_toc_yaml

DOWNLOAD = "{{download}}`This chapter as a notebook, with what its code printed <{}.ipynb>`"
NUMBERS = "The numbers of this chapter, which you may change"
EQUATION = re.compile(r'<a id="(eq-[a-z0-9-]+)"></a>\n+(\$\$\n.*?\n\$\$)', re.DOTALL)


def _stop_without(app: Sphinx, config: Config) -> None:
    """Stop where chapters have not been run, by one line and not by a traceback."""
    listed = parse_toc_yaml(Path(app.srcdir) / config.external_toc_path)
    missing = [name for name in listed if not list(Path(app.srcdir).glob(f"{name}.*"))]
    if missing:
        sys.exit(f"{len(missing)} pages are missing, such as {missing[0]}: `make book` makes them")


def _rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    """A notebook as the book has it."""
    if app.env.doc2path(page).endswith(".ipynb"):
        notebook = json.loads(source[0].replace("<th></th>", "<td></td>"))  # of a DataFrame
        cells = [part for cell in notebook["cells"] for part in _parts(cell)]
        cells += _markdown(DOWNLOAD.format(page.rpartition("/")[2]))
        notebook["cells"] = [_linked(cell, page) for cell in cells]
        source[0] = json.dumps(notebook)


def _markdown(text: str) -> list[dict[str, Any]]:
    """A cell of Markdown, or none."""
    return [{"cell_type": "markdown", "metadata": {}, "source": text}] if text else []


def _parts(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """A cell, and after it what it says in Markdown."""
    if cell["cell_type"] != "code":
        return [cell]
    if "parameters" in cell["metadata"].get("tags", []):
        prompt = {"code_prompt_show": NUMBERS, "code_prompt_hide": NUMBERS}
        cell["metadata"].setdefault("mystnb", {}).update(prompt)
    said = ["".join(of.get("data", {}).get("text/markdown", "")) for of in cell["outputs"]]
    rest = [output for output, text in zip(cell["outputs"], said) if not text]
    return [cell | {"outputs": rest}, *(part for text in said for part in _markdown(text))]


def _linked(cell: dict[str, Any], page: str) -> dict[str, Any]:
    """A cell of Markdown with labels and links as the book has them."""
    if cell["cell_type"] != "markdown":
        return cell
    text = EQUATION.sub(r"\2 (\1)", "".join(cell["source"]))
    text = text.replace("](#", f"]({page.rpartition('/')[2]}.ipynb#")
    text = text.replace("](../book/references.bib#", "](../references.md#")
    text = text.replace("](../figures/", "](/figures/")
    return cell | {"source": text.replace("](../book/", "](../")}


def _open_ids(app: Sphinx, document: nodes.document) -> None:
    """All ids of a page, for links in Markdown."""
    known = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for name, element in document.ids.items():
        known.setdefault(name.removeprefix("equation-"), (element.line, name, ""))


def _file(app: Sphinx, document: nodes.document) -> None:
    """The file of a figure in the place of its PNG; wider than a phone, its box scrolls."""
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
    """Letters for the pictures of a page without a number."""
    for page, kinds in env.toc_fignumbers.items():
        figures = kinds.get("figure", {})
        if not any(env.toc_secnumbers.get(page, {}).values()):
            figures.update(zip(figures, ((letter,) for letter in ascii_uppercase)))
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", _stop_without)
    app.connect("source-read", _rewrite)
    app.connect("doctree-read", _file, priority=400)  # before Sphinx collects the files
    app.connect("doctree-read", _open_ids)
    app.connect("env-get-updated", _letter, priority=900)  # after the numbers are given
    return {"parallel_read_safe": True, "parallel_write_safe": True}
