"""One page for whoever signs: what is promised, to whom, and what it rests on.

The page holds results and no record of the data; it loads nothing.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from html import escape

from dpchoose.commands import answer as answers
from dpchoose.commands.answer import ADVERSARIES, REACHES, SUREST, Answer, printable

STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b;
  background: #fff; font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: #555; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ddd; text-align: right;
  overflow-wrap: anywhere; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; } code { overflow-wrap: anywhere; }
.first { font-weight: 600; } .sign { margin-top: 3rem; display: flex; gap: 2rem; }
.sign span { flex: 1; border-top: 1px solid #1b1b1b; }
"""


def page(answer: Answer, picture: str, command: Sequence[str]) -> str:
    """The page.

    Args:
        answer: to be signed or refused.
        picture: an SVG of risk against epsilon.
        command: that made it.

    Returns:
        HTML that stands alone; all names and labels are shown as text.
    """
    found = answer.found
    first, *said = found.sentences()
    heading, *rows = answers.statistics(found)
    reached = [(ADVERSARIES.get(name, name), risk) for name, risk in answers.risks(found).items()]
    known = [(name, str(value)) for name, value in answers.record(answer).items() if value != ""]
    status = f"{answer.asked}: {found.status}. {found.reason}".strip()
    drawn = picture[picture.index("<svg") :]
    body = [
        "<h1>Sign or refuse?</h1>",
        f'<p class="first">{text(first)}</p>',
        f"<p>{text(status)}</p>",
        "<h2>What may be said</h2>",
        *(f"<p>{text(sentence)}</p>" for sentence in said),
        "<h2>What is published, and how far off it is</h2>",
        table(heading, rows),
        f"<p>{text(answers.total(answer).capitalize())}: {text(answers.down(found.epsilon))}. The "
        "error is less than the 95% error in 95 of 100 releases.</p>",
        "<h2>Who learns what</h2>",
        table(REACHES, reached),
        f"<figure role='img' aria-label='{SUREST[answer.secret].capitalize()}, against epsilon: "
        f"each line rises with epsilon; a dashed line is the accepted risk.'>{drawn}</figure>",
        "<h2>What it rests on</h2>",
        "<ul>",
        *(f"<li>{text(line)}</li>" for line in assumptions(answer)),
        "</ul>",
        "<h2>What was asked</h2>",
        table(("of", "is"), known),
        f"<p>Made by <code>{text(shlex.join(command))}</code></p>",
        '<p class="sign"><span>Signed</span><span>Refused</span><span>Date</span></p>',
    ]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width">',
            f"<title>Sign or refuse?</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            *body,
            "</body>\n</html>\n",
        ]
    )


def assumptions(answer: Answer) -> list[str]:
    """What must hold for the promise to hold."""
    person = answer.question.source.person
    return [
        "The file is the universe: all that the adversary knows. The released rows are some of "
        "it, and which rows these are stays secret.",
        f"The column {person} names each person once, so that a row is a person."
        if person is not None
        else "A person has one row. Whether one has several has not been checked; --person COLUMN "
        "checks it, and refuses them.",
        "What was published of these rows before is named below; nothing else was. Another "
        "filter on the same rows is another answer.",
        "Each noise is drawn once, independently, by a library that is made for it, at no "
        "smaller a scale than the one above.",
    ]


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table of text."""
    lines = ["<table>", _row("th", heading), *(_row("td", row) for row in rows), "</table>"]
    return "\n".join(lines)


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{text(cell)}</{tag}>" for cell in cells) + "</tr>"


def text(words: str) -> str:
    """Words as a page shows them, whatever stands in them."""
    return escape(printable(words))
