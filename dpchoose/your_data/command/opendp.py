"""A script that publishes the answers once, with noise that OpenDP draws."""

from __future__ import annotations

import hashlib
import math
import pprint
import re
import sys
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from dpchoose.your_data import words as texts
from dpchoose.your_data.command.output import Report
from dpchoose.your_data.noise import loss_steps
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.question import Question
from dpchoose.your_data.read import Source

PACKAGES = {"numpy", "pandas", "opendp", "dpchoose", "click", "joblib", "scipy", "dateutil", "six"}
IMPORTED = PACKAGES | sys.stdlib_module_names
ROOM = 40  # scales of noise for which a whole number of 64 bits must have room


def refuse_name(path: str) -> None:
    """Refuse a script that would be imported in the place of a module that it needs."""
    if Path(path).stem in IMPORTED:
        raise ValueError(f"--opendp must not be named like a module that it imports, got {path!r}")


def render(_: str, result: Any, report: Report, source: Source) -> str:
    """The script: the file beside this one, its words filled in; a ValueError without noise."""
    path, question = Path(source.path).resolve(), result.asked
    rows = {**vars(source), "path": str(path)}
    public = isinstance(question, PublicLimits)
    filled: dict[str, Any] = {"COMMAND": report["question"]["command"]}
    filled["DIGEST_OF_FILE"] = hashlib.sha256(path.read_bytes()).hexdigest()
    filled["SOURCE_OF_ROWS"] = {name: value for name, value in rows.items() if value}
    filled["WHETHER_N_IS_PUBLIC"] = public and not question.hidden
    filled["QUESTION_ASKED"] = None
    if public:
        asked = report["question"]
        verb = texts.ARE_PUBLISHED if len(asked["statistics"]) > 1 else texts.IS_PUBLISHED
        filled["QUESTION_ASKED"] = {
            "published": report["sentences"][0].replace(texts.MAY_BE_PUBLISHED, verb),
            "assumed": report["sentences"][1:],
            "file": asked["file"],
            "where": asked["where"],
            "left out": [f"rows that miss {name}" for name in result.context.left_out],
            "limits": asked["limits"],
            "factor": report["factor"],
        }
    groups = question.groups or (None,)
    cells = [(group, row) for group in groups for row in question.rows]
    filled["ANSWERS_ASKED"] = [
        _answer(question, index, group, row, report["answers"][index])
        for index, (group, row) in enumerate(cells)
    ]
    filled["MEANS_OF_TWO"] = []
    for group in groups if public else ():
        of = "" if group is None else f", {group}"
        for mean in question.means:
            terms = f"{question.rows[mean.row].label}{of}", f"count{of}"
            entry = (f"{mean.label}{of}", mean.limits, question.expected, *terms)
            filled["MEANS_OF_TWO"].append(entry)
    template = resources.files(__package__).joinpath("publish.py.in").read_text("utf-8")
    words = re.compile(rf"\b({'|'.join(filled)})\b")
    return words.sub(lambda word: pprint.pformat(filled[word[1]], width=96), template)


def _answer(
    question: Question, index: int, group: Any, row: Any, numbers: dict[str, Any]
) -> dict[str, Any]:
    """What the script needs of an answer."""
    label = numbers["statistic"]
    if numbers["scale"] == 0:
        raise ValueError(f"--opendp needs noise to draw, got an exact {label}")
    if not numbers["scale"]:
        raise ValueError(f"--opendp: {label} has a share of 0 in --split and is not published")
    limited = isinstance(question, PublicLimits)
    scale, rank = float(numbers["scale"]), getattr(row, "rank", None)
    steps = row.steps if limited else 0
    sensitivity = float(question.sensitivities[index]) if limited else float(numbers["sensitivity"])
    if limited and not math.isnan(question.change.ravel()[index]) and row.query != "count":
        sensitivity = float(question.change.ravel()[index])  # OpenDP's map is of a changed record
    if limited and question.hidden and rank is None:
        sensitivity = float(question.add.ravel()[index])
    if steps:
        _refuse_range(label, question, row, steps, scale)
    entry = {
        "label": label,
        "query": row.query,
        "column": row.column,
        "group": group,
        "limits": row.limits if limited else None,
        "steps": steps,
        "whole": bool(limited and row.whole),
        "sensitivity": sensitivity,
        "scale": scale,
        "loss": sensitivity / scale,
        "rank": None,
        "unit": None,
        "score_move": None,
    }
    if limited and rank is not None:
        rows = question.person_rows
        move = Fraction(rows) * (max(rank, 1 - rank) if question.hidden else 1)
        change, add = loss_steps(rank)
        loss = rows * (add if question.hidden else change) / scale
        entry |= {"rank": str(rank), "unit": str(row.grid.unit), "loss": loss}
        entry |= {"score_move": move}
    return entry


def _refuse_range(label: str, question: PublicLimits, row: Any, steps: int, scale: float) -> None:
    """Refuse whole numbers that 64 bits may not hold."""
    most = 1.0 if row.limits is None else max(map(abs, row.limits))
    largest = most * steps * question.records * question.person_rows + ROOM * scale * steps
    if largest >= 2.0**62:
        raise ValueError(
            f"--opendp: {label} may exceed whole numbers of 64 bits, got {largest:.3g}"
        )
