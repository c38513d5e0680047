"""What is printed of an answer, as text, CSV or JSON, and how files are written.

What is private is for a terminal alone; what a terminal would obey, or a spreadsheet, is text.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import click

from dpchoose.epsilon.text import before, chance, cuts, factor, written

WIDTH = 80  # of a terminal
COLUMNS = {"scale": "noise scale", "error": "95% error", "epsilon": "epsilon", "exact": "exactly"}
SUSPICIONS = ("1", "10", "50")  # of 100
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # as one begins
BECOMES = "and what a suspicion of 1%, 10% or 50% becomes at most:"
ROUNDED = "Scales, errors, risks and factors are rounded up, epsilons down."
Told = dict[str, Any]
Rows = list[tuple[str, ...]]  # a table of text, its heading first


def show(told: Told, form: str | None) -> None:
    """Print an answer in its form, or for people."""
    click.echo(FORMS[form](told) if form in FORMS else as_text(told), nl=False)


def as_text(told: Told) -> str:
    """For people; on a screen with the choices, and with what is private."""
    screen, parts = sys.stdout.isatty(), [what(told["question"]), answers(told)]
    if "readers" in told:
        parts.insert(1, told["sentences"][0] + seen(told["question"]))
        parts += [accepted(told), readers(told)]
    if screen and told.get("choices"):
        parts += [offered(told), choices(told)]
    if screen and "private" in told:
        parts += [f"For you alone: {beside(told)}"]
    return "\n\n".join(printable(aligned(part)) for part in parts) + "\n"


def what(question: Told) -> str:
    """What is computed, and on which rows."""
    known, out = question["records"], question.get("released")
    who = "all but one" if known and out == known - 1 else f"{out:,}" if out else "all"
    whole = f"all {known:,}" if known and not out else f"{who} of the {known:,}" if known else "all"
    by = f", by {question['by']}" if question["by"] else ""
    said = f"{', '.join(question['statistics'])}{by}: computed on {whole} records of"
    cut = cuts(question.get("limits", {}))
    return f"{said} {rows_of(question)}{f', {cut}' * bool(cut)}"


def rows_of(question: Told) -> str:
    """The rows that are asked, of a file."""
    where = f" where {question['where']}" if question["where"] else ""
    gone = f", without {question['dropped']:,} that miss a value" if question["dropped"] else ""
    return f"{question['file']}{where}{gone}"


def seen(question: Told) -> str:
    """What of a person is not protected, where n is public."""
    if question.get("hide_n") is not False:
        return ""
    group = " and in which group" * bool(question["by"])
    missed = ", or that her value is missing," * bool(question["dropped"])
    return f" That she is in the file{group}{missed} is not protected; for that: --hide-n."


def answers(told: Told) -> Rows:
    """The table of answers."""
    known = [name for name in COLUMNS if any(one.get(name) is not None for one in told["answers"])]
    known = known or ["sensitivity"]
    rows = [("statistic", *(COLUMNS.get(name, name) for name in known))]
    for one in told["answers"]:
        if one["sensitivity"] is None:  # of two others
            one = one | {"scale": "computed"}
        shown = (one[name] if isinstance(one[name], str) else written(one[name]) for name in known)
        rows.append((one["statistic"], *shown))
    return rows


def accepted(told: Told) -> str:
    """What was accepted, or given, and what became of it."""
    goal, reason = told["accepted"], f", {told['reason']}" if told["reason"] else ""
    started = f" from {goal['before']}" if goal["before"] else ""
    said = f"{goal['goal']} {goal['value']}{started}: {told['status']}{reason}"
    if goal["goal"] != "odds" and told["factor"] and " x " not in reason:
        said += f", factor {factor(told['factor'])}"
    return (
        f"{said}. Epsilon {written(told['epsilon']) or 'without limit'} {total(told['question'])}"
    )


def total(question: Told) -> str:
    """Of what the epsilon of all answers is."""
    hidden = question.get("hide_n")
    bounded = question.get("adjacency", "unbounded" if hidden else "bounded") == "bounded"
    of = "a record is changed" if bounded else "a record comes or goes"
    alone = question["by"] and not (bounded and hidden is None)  # where none changes its group
    apart = " (a person is in one group, so those of groups do not add up)" * bool(alone)
    return f"in total, where {of}{apart}. {ROUNDED}"


def readers(told: Told) -> Rows:
    """Who reads it: before, after, and how many times her odds grow."""
    rows = [("who reads it", "before -> after", "factor")]
    for one in told["readers"]:
        bound = "at most " * (not one["exact"]) + chance(one["after"])
        promised = "" if one["promised"] else " (not promised)"
        grown = _times(one["factor"], one["after"])
        seen = f"{before(one['before'])} -> {bound}"
        rows.append((one["reader"] + promised, seen, f"x {grown}" if one["factor"] else grown))
    return rows


def _times(value: float | None, after: float) -> str:
    """A factor as it is printed, which makes a belief what it is after."""
    unknown = "without limit" if after == 1 else "over a million"
    return unknown if value is None else factor(value)


def offered(told: Told) -> str:
    """What stands in the choices."""
    largest = f" of {choice_of(told)[0]}, the largest," if len(told["answers"]) > 1 else ""
    return f"What you could accept: a factor, its 95% error{largest} {BECOMES}"


def choice_of(told: Told) -> tuple[str, list[float | None]]:
    """Whose error stands in the choices, the largest, and it: for you alone that of a mean."""
    every, rows = told["answers"], [one["errors"] for one in told["choices"]]
    if planned := told.get("private", {}).get("planned"):
        every, rows = planned, told["private"]["choices"]
    place = max(range(len(rows[0])), key=lambda i: rows[0][i] or 0)
    return every[place]["statistic"], [row[place] for row in rows]


def choices(told: Told) -> Rows:
    """What each factor would cost and give, with the largest error: the others go with it."""
    rows = [("factor", "95% error", *(f"{one}% ->" for one in SUSPICIONS), "suspects nobody ->")]
    for one, error in zip(told["choices"], choice_of(told)[1]):
        after = [*(one["after"][each] for each in SUSPICIONS), one["suspects nobody"]]
        risks = ("" if risk is None else chance(risk) for risk in after)
        mark = " (chosen)" if one["chosen"] else ""
        rows.append((_times(one["factor"], 0) + mark, written(error), *risks))
    return rows if rows[-1][-1] else [row[:-1] for row in rows]


def beside(told: Told) -> str:
    """How large the errors are beside the answers, to one digit, and what would help."""
    shares = zip(told["answers"], told["private"]["relative errors"])
    percent = ((one["statistic"], float(f"{100 * share:.0e}")) for one, share in shares if share)
    said = ", ".join(f"about {written(share)}% of {name}" for name, share in percent)
    return " ".join(([f"the 95% error is {said}."] if said else []) + told["private"]["advice"])


def public(told: Told) -> Told:
    """All but what is for whoever holds the file."""
    return {name: value for name, value in told.items() if name != "private"}


def as_json(told: Told) -> str:
    """For programs: the dictionary in ASCII, but for what is private."""
    return json.dumps(public(told), indent=2, allow_nan=False).replace("\x7f", "\\u007f") + "\n"


def as_csv(told: Told) -> str:
    """For programs: a row for each fact, answer, reader and choice, as its first cell says."""
    facts = told["question"] | told.get("accepted", {})
    facts |= {name: told.get(name) for name in ("status", "reason", "epsilon")}
    facts |= {f"sentence {i}": one for i, one in enumerate(told.get("sentences", []), start=1)}
    rows = [{"kind": "fact", "name": name, "value": value} for name, value in facts.items()]
    rows += [{"kind": "answer", **one} for one in told["answers"]]
    rows += [{"kind": "reader", **one} for one in told.get("readers", [])]
    for one in told.get("choices", []):
        after = {f"{risk}% ->": one["after"][risk] for risk in SUSPICIONS}
        row = {"kind": "choice", **one, "after": None, **after}
        for answer, error in zip(told["answers"], row.pop("errors")):
            rows.append(row | {"statistic": answer["statistic"], "error": error})
    fields = dict.fromkeys(name for row in rows for name in row)
    cells = ([field(row.get(name)) for name in fields] for row in rows)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([fields, *cells])
    return out.getvalue()


def field(value: Any) -> str:
    """A cell; a text that begins like a formula is marked as text.

    >>> [field(value) for value in ("=1+1", 0.1, None, ["-a", 2])]
    ["'=1+1", '0.1', '', '["-a", 2]']
    """
    if not isinstance(value, str):
        return "" if value is None else printable(json.dumps(value, ensure_ascii=False))
    return "'" * (value.startswith(FORMULA)) + printable(value)


def aligned(rows: str | Rows) -> str:
    """A paragraph, or columns, 80 wide: the first to the left and folded, the rest to the right."""
    if isinstance(rows, str):
        return textwrap.fill(rows, WIDTH, break_on_hyphens=False)
    widths = [max(map(len, column)) for column in zip(*rows)]
    first = min(widths[0], max(WIDTH - sum(width + 2 for width in widths[1:]), 20))
    lines = []
    for name, *cells in rows:
        head, *tail = textwrap.wrap(name, first, break_on_hyphens=False) or [""]
        found = [cell.rjust(width) for cell, width in zip(cells, widths[1:])]
        lines += ["  ".join([head.ljust(first), *found]).rstrip(), *tail]
    return "\n".join(lines)


def printable(text: str) -> str:
    r"""Text without signs that a terminal would obey.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\n'
    """
    return "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in text)


FORMS = {"csv": as_csv, "json": as_json}


def check(option: str, path: str, source: str, *suffixes: str) -> None:
    """Refuse a file that could not be written, or with another suffix, before any work."""
    if Path(path).suffix not in suffixes:
        raise ValueError(f"{option} must end in {' or '.join(suffixes)}, got {path!r}")
    target = os.path.realpath(path)
    if not os.access(os.path.join(os.path.dirname(target), ""), os.W_OK):
        raise ValueError(f"{option} must lie in a folder that can be written, got {path!r}")
    if os.path.isdir(target) or target == os.path.realpath(source):
        raise ValueError(f"{option} must not be a folder or the data, got {path!r}")


def write(path: str, content: str | bytes) -> None:
    """Put a file in its place at once; a link is followed, and an older file keeps its rights."""
    target = Path(os.path.realpath(path))
    with tempfile.TemporaryDirectory(prefix=".dpchoose-", dir=target.parent) as folder:
        part = Path(folder, "part")
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
