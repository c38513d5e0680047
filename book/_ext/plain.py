"""A notebook holds plain Markdown; what a page of the book needs beyond it is added here.

What a cell says is prose like any other, and what it draws is a figure with its
caption. ``<a id="eq-tight"></a>`` above a displayed equation labels it. A link leads
to whatever has an id: an equation, a figure, a reference, which a notebook finds in
the file of them.
A chapter ends with its executed notebook, to download.
"""

from __future__ import annotations

import json
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

DOWNLOAD = "{{download}}`This chapter as a notebook, with what its code printed <{}.ipynb>`"
NUMBERS = "The numbers of this chapter, which you may change"
EQUATION = re.compile(r'<a id="(eq-[a-z0-9-]+)"></a>\n+(\$\$\n.*?\n\$\$)', re.DOTALL)


def _rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    if app.env.doc2path(page).endswith(".ipynb"):
        notebook = json.loads(source[0].replace("<th></th>", "<td></td>"))  # of a DataFrame
        notebook["cells"] = [
            _linked(part, page) for cell in notebook["cells"] for part in _parts(cell)
        ]
        download = DOWNLOAD.format(page.rpartition("/")[2])
        notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": download})
        source[0] = json.dumps(notebook)


def _parts(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell of code says becomes Markdown, and what it draws a figure."""
    tags = cell["metadata"].get("tags", [])
    if "parameters" in tags:
        prompt = {"code_prompt_show": NUMBERS, "code_prompt_hide": NUMBERS}
        cell["metadata"].setdefault("mystnb", {}).update(prompt)
    if cell["cell_type"] != "code" or "remove-output" in tags:
        return [cell]
    if "hide-cell" in tags:  # what it draws is a figure all the same
        about = [output.get("metadata", {}) for output in cell["outputs"]]
        figure = next((one["figure"] for one in about if "figure" in one), {})
        seen = [out for out, one in zip(cell["outputs"], about) if "caption" not in one]
        return [cell | {"metadata": cell["metadata"] | figure, "outputs": seen}]
    parts = [cell | {"outputs": []}]
    for output in cell["outputs"]:
        if "remove-cell" in tags and output["output_type"] != "display_data":
            continue  # a departure from the published question is said, a check only returned
        said, about = output.get("data", {}).get("text/markdown"), output.get("metadata", {})
        if said and "caption" not in about:
            parts.append({"cell_type": "markdown", "metadata": {}, "source": "".join(said)})
        elif not said:
            if parts[-1]["cell_type"] != "code" or ("figure" in about and parts[-1]["outputs"]):
                rest = {"tags": [tag for tag in tags if tag == "remove-cell"] or ["remove-input"]}
                parts.append(cell | {"outputs": [], "metadata": rest})
            kept = {"metadata": parts[-1]["metadata"] | about.get("figure", {})}
            parts[-1] |= kept | {"outputs": [*parts[-1]["outputs"], output]}
    unseen = {"remove-input", "remove-cell"} & {*tags} and not parts[0]["outputs"]
    return parts[1:] if unseen else parts


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
    known = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for name, element in document.ids.items():
        known.setdefault(name.removeprefix("equation-"), (element.line, name, ""))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", _rewrite)
    app.connect("doctree-read", _open_ids)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
