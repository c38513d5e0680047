"""One page for whoever signs, which holds results and no record of the data; it loads nothing."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import Any

from dpchoose.command import output, plot


def made(_: str, found: Any, told: output.Told, *__: Any) -> str:
    """The page: HTML that stands alone, in which any name or label is text."""
    picture = plot.made(".svg", found, told).decode()
    facts = told["question"].items()
    asked = [("asked", ""), *((name, output.field(one)) for name, one in facts if one)]
    filled = {"PICTURE": picture[picture.index("<svg") :], "QUESTION": _html(asked)}
    parts = told["sentences"] + output.sections(told, choose=True)
    filled["SECTIONS"] = "\n".join(map(_html, parts))
    page = resources.files(__package__).joinpath("report.html.in").read_text("utf-8")
    return "\n".join(filled.get(line, line) for line in page.split("\n"))


def _html(part: str | output.Rows) -> str:
    """A paragraph, or a table of text under its heading."""
    if isinstance(part, str):
        return f"<p>{escape(output.printable(part))}</p>"
    tags = ["th", *["td"] * (len(part) - 1)]
    text = [[escape(output.printable(cell)) for cell in row] for row in part]
    rows = ["".join(f"<{tag}>{cell}</{tag}>" for cell in row) for tag, row in zip(tags, text)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
