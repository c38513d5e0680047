"""The sheet for whoever signs: a page that stands alone, without a record or an exact answer."""

import importlib.util
import json
import re
from html import escape
from importlib import resources
from typing import Any

from dpchoose.your_data import wording, words
from dpchoose.your_data.command import output
from dpchoose.your_data.command.output import Report, Table

# what stands out: the error, and the three beliefs
BOLD = re.compile(r"noise within .+? draws|at most [^;]+% sure; .+?(?= \()")


def render(_: str, result: Any, report: Report, *__: Any) -> str:
    """The page: HTML in which any name or label is text."""
    question, (first, *others) = report["question"], report["sentences"]
    before, after = report["of 100"].keys(), map(str, report["of 100"].values())
    facts = ((name, _fact(value)) for name, value in question.items() if value)
    filled = {
        "SENTENCE": BOLD.sub(
            r"<strong>\g<0></strong>", _html(first, wording.not_protected(question), report["odds"])
        ),
        "SUSPICIONS": _html([(words.BEFORE_100, *before), (words.AFTER_100, *after)]),
        "VERDICT": f'<p class="{wording.became(report)}">{escape(wording.accepted(report))}</p>',
        "ANSWERS": _html(output.answers(report), output.readers(report)),
        "ASSUMED": _html(words.ROWS.format(rows=wording.rows_of(question)), *others),
        "NOT_IF": "".join(f"<li>{escape(reader)}</li>" for reader in wording.not_if(report)),
        "DRAWN": _html(words.DRAWN),
        "PICTURE": _picture(result, report),
        "CHOICES": _html(*output.choices(report), [("asked", ""), *facts]),
    }
    page = resources.files(__package__).joinpath("sheet.html.in").read_text("utf-8")
    return "\n".join(filled.get(line, line) for line in page.split("\n"))


def _fact(value: Any) -> str:
    """A fact of the question: a text, or what it is in JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _picture(result: Any, report: Report) -> str:
    """The picture of the choices with its frame; nothing where matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        return ""
    from dpchoose.your_data.command import plot

    picture = plot.render(".svg", result, report).decode()
    label = "The error of the answers against the factor: each line falls."
    figure = f'<figure role="img" aria-label="{label}">'
    return f"{figure}\n{picture[picture.index('<svg') :]}\n</figure>"


def _html(*blocks: str | Table) -> str:
    """Paragraphs, and tables of text under their headings."""
    return "\n".join(map(_paragraph_or_table, blocks))


def _paragraph_or_table(block: str | Table) -> str:
    """A text, or the rows of a table, the heading first."""
    if isinstance(block, str):
        return f"<p>{escape(output.printable(block))}</p>"
    rows = []
    for tag, row in zip(["th", *["td"] * len(block)], block):
        cells = (f"<{tag}>{escape(output.printable(cell))}</{tag}>" for cell in row)
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"
