"""The sheet for whoever signs: a page that stands alone, without a record or an exact answer."""

from __future__ import annotations

import importlib.util
from html import escape
from importlib import resources
from typing import Any

from dpchoose.your_data import wording, words
from dpchoose.your_data.command import output
from dpchoose.your_data.command.output import Report, Rows


def render(_: str, result: Any, report: Report, *__: Any) -> str:
    """The page: HTML in which any name or label is text."""
    facts = report["question"].items()
    asked = [("asked", ""), *((name, output.field(value)) for name, value in facts if value)]
    first, *others = report["sentences"]
    filled = {"PICTURE": _picture(result, report), "QUESTION": _html(asked)}
    filled |= {"SENTENCE": _html(first), "SUSPICIONS": _html(suspicions(report))}
    filled["ODDS"] = _html(report["odds"])
    filled["VERDICT"] = f'<p class="{report["status"]}">{escape(wording.accepted(report))}</p>'
    filled["ANSWERS"] = _html(output.answers(report)) + _html(output.readers(report))
    rows = words.ROWS.format(rows=wording.rows_of(report["question"]))
    filled["ASSUMED"] = "\n".join(map(_html, [rows, *others]))
    exceptions = wording.not_if(report)
    filled["NOT_IF"] = "".join(f"<li>{escape(exception)}</li>" for exception in exceptions)
    filled["DRAWN"] = _html(words.DRAWN)
    filled["CHOICES"] = ""
    if report["choices"]:
        heading = wording.offered(report, output.choice_of(report)[0])
        filled["CHOICES"] = _html(heading) + _html(output.choices(report))
    page = resources.files(__package__).joinpath("report.html.in").read_text("utf-8")
    return "\n".join(filled.get(line, line) for line in page.split("\n"))


def suspicions(report: Report) -> Rows:
    """Of 100 before, and of 100 after, at most."""
    if not report["of 100"]:
        return []
    after = map(str, report["of 100"].values())
    return [(words.BEFORE_100, *report["of 100"]), (words.AFTER_100, *after)]


def _picture(result: Any, report: Report) -> str:
    """The picture of the choices with its frame; nothing where matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from dpchoose.your_data.command import plot

    picture = plot.render(".svg", result, report).decode()
    label = "The error of the answers against the factor: each line falls."
    figure = f'<figure role="img" aria-label="{label}">'
    return f"{figure}\n{picture[picture.index('<svg') :]}\n</figure>"


def _html(block: str | Rows) -> str:
    """A paragraph, or a table of text under its heading."""
    if isinstance(block, str):
        return f"<p>{escape(output.printable(block))}</p>"
    tags = ["th", *["td"] * (len(block) - 1)]
    text = [[escape(output.printable(cell)) for cell in row] for row in block]
    rows = ["".join(f"<{tag}>{cell}</{tag}>" for cell in row) for tag, row in zip(tags, text)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
