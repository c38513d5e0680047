"""The sheet for whoever signs: one page that stands alone, without a record or an exact answer."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import Any

from dpchoose.command import output, plot

NOT_IF = (
    "your record stands or falls with others: for k people the factor is its k-th power;",
    "you have more than one row in this file;",
    "these rows are asked anything else that is not named here: the factors multiply;",
    "the noise is drawn twice, or by a program that is not made for it;",
)
LIMITS = "the limits were chosen by looking at this file;"
WHOLE = "your secret is whether all values are whole numbers: the script draws whole noise then;"
PUBLIC = (
    "your secret is that you are in the file, in your group, that a condition is met, or that a "
    "value is missing: these count as known."
)


def made(_: str, found: Any, told: output.Told, *__: Any) -> str:
    """The page: HTML in which any name or label is text."""
    picture = plot.made(".svg", found, told).decode()
    facts = told["question"].items()
    asked = [("asked", ""), *((name, output.field(one)) for name, one in facts if one)]
    first, *others = told["sentences"]
    filled = {"PICTURE": picture[picture.index("<svg") :], "QUESTION": _html(asked)}
    filled |= {"SENTENCE": _html(first), "SUSPICIONS": _html(suspicions(told))}
    filled["VERDICT"] = f'<p class="{told["status"]}">{escape(output.accepted(told))}</p>'
    filled["ANSWERS"] = _html(output.answers(told)) + _html(output.readers(told))
    rows = f"The records are the rows of {output.rows_of(told['question'])}."
    filled["ASSUMED"] = "\n".join(map(_html, [rows, *others]))
    filled["NOT_IF"] = "".join(f"<li>{escape(one)}</li>" for one in not_if(told["question"]))
    parts = [output.offered(told), output.choices(told)] if told["choices"] else []
    filled["CHOICES"] = "".join(map(_html, parts))
    page = resources.files(__package__).joinpath("report.html.in").read_text("utf-8")
    return "\n".join(filled.get(line, line) for line in page.split("\n"))


def suspicions(told: output.Told) -> output.Rows:
    """Of 100 before, and of 100 after, at most."""
    if not told["of 100"]:
        return []
    after = map(str, told["of 100"].values())
    return [("of 100 before", *told["of 100"]), ("of 100 after, at most", *after)]


def not_if(question: output.Told) -> list[str]:
    """Who is not protected."""
    if "limits" not in question:
        return list(NOT_IF)
    hidden, limited = question["hide_n"], any("=" not in name for name in question["limits"])
    kinds = {one.partition(":")[0] for one in question["statistics"]}
    whole = limited and not kinds.isdisjoint({"sum", "mean"} if hidden else {"sum"})
    return [*NOT_IF, *[LIMITS] * limited, *[WHOLE] * whole, *[PUBLIC] * (not hidden)]


def _html(part: str | output.Rows) -> str:
    """A paragraph, or a table of text under its heading."""
    if isinstance(part, str):
        return f"<p>{escape(output.printable(part))}</p>"
    tags = ["th", *["td"] * (len(part) - 1)]
    text = [[escape(output.printable(cell)) for cell in row] for row in part]
    rows = ["".join(f"<{tag}>{cell}</{tag}>" for cell in row) for tag, row in zip(tags, text)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
