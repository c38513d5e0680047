"""An answer as it is printed for people.

What is shown to people errs on the safe side: an epsilon is rounded down; a
noise scale, an error and a risk are rounded up.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from dpchoose.commands.options import Question, called
from dpchoose.epsilon.sentences import chance
from dpchoose.epsilon.text import round_down, round_up

ADVERSARIES = {
    "world": "holds all worlds equally likely: which world",
    "torn": "is torn between two worlds: which world",
    "not knowing n": "knows everybody else but not n: whether one is in",
    "knowing n": "knows everybody else and n: which of two is in",
    "present": "asks about one record: that it is in",
    "absent": "asks about one record: that it is out",
    "average": "guesses the world: how often right, on average",
}
REACHES = ("an adversary who", "gets at most")
REACHED = {
    "world": "who holds all worlds equally likely reaches",
    "present": "who asks about one record, that it is in, reaches",
    "absent": "who asks about one record, that it is out, reaches",
}
SUREST = {
    "world": "surest belief in one world",
    "present": "surest belief that a record is in",
    "absent": "surest belief that a record is out",
}
SHOWN = 1 + 1e-12  # a risk that exceeds another by less is shown as that one
MOST_ROWS = 20  # statistics that a short answer shows


class Answer(NamedTuple):
    """A recommendation, the question it answers, and the words it was asked in.

    Attributes:
        asked: in words, such as "risk 0.01" or "epsilon 1".
        question: what was asked of which records.
        found: of :func:`dpchoose.recommend`.
        together: the risk of the secret from answers that were each asked alone,
            if all of them are published; nan if they were not asked alone.
    """

    asked: str
    question: Question
    found: Any
    together: float = math.nan

    @property
    def secret(self) -> str:
        """What is to be hidden."""
        return self.found.facts.secret

    @property
    def risk(self) -> float:
        """The accepted risk; nan if none was given."""
        accepted = self.found.facts.risk
        return math.nan if accepted is None else float(accepted)


def record(answer: Answer) -> dict[str, Any]:
    """What was asked, so that the answer can be told from any other."""
    from dpchoose import __version__

    question = answer.question
    source, rows = question.source, question.rows
    return {
        "file": Path(source.path).name,
        "statistics": ", ".join(called(one) for one in question.asked),
        "by": source.by or "",
        "already": ", ".join(f"{called(one)}:{scale!r}" for one, scale in question.already),
        "where": source.where,
        "person": source.person or "",
        "N": len(rows.values),
        "n": question.release_size,
        "filtered": rows.filtered,
        "dropped": rows.dropped,
        "adjacency": question.adjacency,
        "secret": answer.found.facts.secret,
        "version": f"dpchoose {__version__}",
    }


def as_text(answers: Sequence[Answer], *, verbose: bool) -> str:
    """For people: what to compute, its noise, who learns what, and what was asked."""
    parts = [wrapped(answers[0].found.sentences()[0])]
    for answer in answers:
        parts += _short(answer, verbose=verbose)
    warnings = {one.risk: one.together for one in answers if one.together > one.risk * SHOWN}
    for risk, together in warnings.items():
        parts.append(
            wrapped(
                "WARNING: each promise is for one answer alone. If all are published together, "
                f"{REACHED[answers[0].secret]} {chance(together)}, not {chance(risk)}."
            )
        )
    asked = dict.fromkeys(one for answer in answers for one in answer.question.asked)
    every = replace(answers[0].question, asked=tuple(asked))
    parts.append(told(answers[0]._replace(question=every)))
    return "\n\n".join(printable(part) for part in parts) + "\n"


def _short(answer: Answer, *, verbose: bool) -> list[str]:
    found = answer.found
    reason = found.reason.replace("secret='present'", "--secret present")
    status = wrapped(f"{answer.asked}: {found.status}. {reason}".strip())
    if found.status == "cannot be met":
        return [status]
    rows = statistics(found)
    shown = rows if verbose else rows[: MOST_ROWS + 1]
    lines = [aligned(shown)]
    if len(shown) < len(rows):
        lines.append(f"and {len(rows) - len(shown)} more: --verbose, or --format csv")
    lines.append(f"\n{total(answer)}  {down(found.epsilon)}")
    known = [(ADVERSARIES.get(name, name), risk) for name, risk in risks(found).items()]
    parts = ["\n".join(lines), aligned([REACHES, *known]), status]
    if verbose:
        known = [("worlds", found.facts.worlds)]
        for row in found.table.to_dict("records"):
            known.append((f"sensitivity of {row['statistic']}", up(row["sensitivity"])))
        known += [(f"epsilon by {name}", down(value)) for name, value in found.bounds.items()]
        parts += [aligned(known), "\n".join(wrapped(text) for text in found.sentences()[1:])]
    return parts


def total(answer: Answer) -> str:
    """Of which answers the total epsilon is: what is out already is not in it."""
    return "epsilon in total" + (", of the new answers" if answer.question.already else "")


def statistics(found: Any) -> list[tuple[str, ...]]:
    """A line for each statistic under a line of names, as text."""
    heading = ("statistic", "noise scale", "95% error", "epsilon", "relative error")
    lines = [heading]
    for row in found.table.to_dict("records"):
        share = row["relative half-width"]
        lines.append(
            (
                str(row["statistic"]),
                up(row["noise scale"]),
                up(row["half-width"]),
                down(row["epsilon"]),
                "" if math.isnan(share) else f"{round_up(100 * share, 2)}%",
            )
        )
    return lines


def risks(found: Any) -> dict[str, str]:
    """What each adversary reaches, as text."""
    return {
        name: "not known" if math.isnan(risk) else chance(risk)
        for name, risk in found.risks.items()
    }


def told(answer: Answer) -> str:
    """The record of an answer in a line or two."""
    known = record(answer).items()
    return wrapped("; ".join(f"{name} {value}" for name, value in known if value != ""))


def down(value: float) -> str:
    """An epsilon, rounded down; empty when there is none."""
    return "" if math.isnan(value) else round_down(value)


def up(value: float) -> str:
    """A scale, an error or a risk, rounded up; empty when there is none."""
    return "" if math.isnan(value) else round_up(value)


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """Columns of text: the first to the left, the rest to the right.

    >>> print(aligned([("a", "b"), ("mean", "1.5")]))
    a       b
    mean  1.5
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def wrapped(text: str) -> str:
    """A paragraph of lines that a terminal holds."""
    return textwrap.fill(text, 88, break_long_words=False, break_on_hyphens=False)


def printable(text: str) -> str:
    r"""Text without signs that a terminal would obey.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\n'
    """
    return "".join(
        sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text
    )
