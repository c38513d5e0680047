"""What is printed of an answer, as text or JSON, and how files are written.

What is private is for a terminal alone; what a terminal would obey is text.
"""

import json
import os
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import click

from dpchoose.numbers import NO_LIMIT, format_odds_factor, format_prior, format_probability
from dpchoose.your_data import wording, words
from dpchoose.your_data.formats import format_number

WIDTH = 80  # of a terminal
HIDE_N = " That a person is in the file is protected too with --hide-n."
COLUMNS = {
    "scale": "noise scale",
    "error": "95% error",
    "together": words.TOGETHER_WITHIN,
    "epsilon": "epsilon",
    "exact": "exactly",
}
Report = dict[str, Any]  # of Noise.to_dict
Table = list[tuple[str, ...]]  # a table of text, its heading first


def show(report: Report, form: str | None) -> None:
    """Print an answer in its form, or for people."""
    click.echo((as_json if form == "json" else as_text)(report), nl=False)


def is_terminal(stream: Any) -> bool:
    """Whether somebody looks at a stream; a log keeps it."""
    return stream is not None and stream.isatty()


def as_text(report: Report) -> str:
    """For people; on a screen with the choices, and with what is private."""
    question = report["question"]
    blocks: list[str | Table] = [wording.computed_on(question), answers(report)]
    if "readers" in report:
        signed = report["sentences"][: 2 if "limits" in question else 1]
        blocks.insert(1, " ".join([*signed, wording.not_protected(question)]))
        of_n = any(name.split(":")[0] == "var" for name in question["statistics"])  # n is public
        way = HIDE_N * (question.get("hide_n") is False and not of_n)
        blocks += [wording.accepted(report) + way, readers(report)]
        if is_terminal(sys.stdout):
            blocks += [*choices(report), f"For you alone: {wording.beside_answers(report)}"]
    return "\n\n".join(printable(aligned(block)) for block in blocks) + "\n"


def answers(report: Report) -> Table:
    """The table of answers."""
    rows = report["answers"]
    names = [name for name in COLUMNS if any(row.get(name) is not None for row in rows)]
    names = names or ["sensitivity"]
    cells = [(row["statistic"], *(_cell(row, name) for name in names)) for row in rows]
    return [("statistic", *(COLUMNS.get(name, name) for name in names)), *cells]


def _cell(row: dict[str, Any], name: str) -> str:
    """A number of an answer; a percentile misses by places."""
    if name == "scale" and row["sensitivity"] is None:
        return "computed"  # of two others
    text = row[name] if isinstance(row[name], str) else format_number(row[name])
    return f"{text} places" if text and name in ("error", "together") and row["places"] else text


def readers(report: Report) -> Table:
    """Who reads it: before, after, and how many times her odds grow."""
    table = [(*words.WHO_READS,)]
    thirds = (1, 2) if report["accepted"]["goal"] == "risk" else ()  # as a risk is typed
    for row in report["readers"]:
        who = row["reader"] + " (not promised)" * (not row["promised"])
        bound = "at most " * (not row["exact"]) + format_probability(row["after"], thirds)
        factor = f"x {format_odds_factor(row['factor'])}" if row["factor"] else NO_LIMIT
        table.append((who, f"{format_prior(row['before'])} -> {bound}", factor))
    return table


def choices(report: Report) -> list[str | Table]:
    """What each factor would cost and give, with the largest error: the others go with it."""
    if not report["choices"]:
        return []
    label, errors = _largest_error(report)
    heads = [f"{before}% ->" for before in report["of 100"]]
    table = [("factor", "95% error", *heads, "suspects nobody ->")]
    for row, error in zip(report["choices"], errors):
        risks = [format_probability(belief, ()) for belief in row["after"].values()]
        nobody = row["suspects nobody"] and format_probability(row["suspects nobody"])
        mark = " (chosen)" if row["chosen"] else ""
        table.append((format_odds_factor(row["factor"]) + mark, error, *risks, nobody or ""))
    table = table if table[-1][-1] else [row[:-1] for row in table]
    return [wording.offered(report, label), table]


def _largest_error(report: Report) -> tuple[str, list[str]]:
    """Whose error stands in the choices, the largest, and it: for you alone that of a mean.

    Errors in places stand there where all are.
    """
    rows, table = report["answers"], [choice["errors"] for choice in report["choices"]]
    if "private" in report and table[0][-1] is None:
        planned = report["private"]["choices"]
        table = [errors[: -len(mean)] + mean for errors, mean in zip(table, planned)]

    def preference(column: int) -> tuple[bool, bool, float]:
        row, error = rows[column], table[0][column]
        computed = row["sensitivity"] is None and error is not None
        return computed, not row["places"], error or 0

    column = max(range(len(rows)), key=preference)
    places = " places" * rows[column]["places"]
    return rows[column]["statistic"], [format_number(row[column]) + places for row in table]


def public(report: Report) -> Report:
    """All but what is for whoever holds the file."""
    return {name: value for name, value in report.items() if name != "private"}


def as_json(report: Report) -> str:
    """For programs: the dictionary in ASCII, but for what is private."""
    return json.dumps(public(report), indent=2, allow_nan=False).replace("\x7f", "\\u007f") + "\n"


def aligned(rows: str | Table) -> str:
    """A paragraph, or columns, 80 wide: the first to the left and folded, the rest to the right."""
    if isinstance(rows, str):
        return textwrap.fill(rows, WIDTH, break_on_hyphens=False)
    widths = [max(map(len, column)) for column in zip(*rows)]
    first = min(widths[0], max(WIDTH - sum(width + 2 for width in widths[1:]), 20))
    lines = []
    for name, *cells in rows:
        head, *tail = textwrap.wrap(name, first, break_on_hyphens=False) or [""]
        padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:])]
        lines += ["  ".join([head.ljust(first), *padded]).rstrip(), *tail]
    return "\n".join(lines)


def printable(text: str) -> str:
    r"""Text without signs that a terminal would obey.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\n'
    """
    signs = (sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text)
    return "".join(signs)


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
    try:
        _replace(target, content.encode() if isinstance(content, str) else content)
    except OSError as no:
        rule = f"{path} must be written whole, and nothing of it is ({no.strerror or no})"
        raise ValueError(f"{rule}: make room there, or name another folder") from None


def _replace(target: Path, content: bytes) -> None:
    """Put a file in the place of another, when all of it is on the disk."""
    with tempfile.TemporaryDirectory(prefix=".dpchoose-", dir=target.parent) as folder:
        draft = Path(folder, "draft")
        draft.write_bytes(content)
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
