"""A script that publishes the answers once, with noise that OpenDP draws."""

from __future__ import annotations

import hashlib
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


def render(_: str, result: Any, report: Report, source: Source) -> str:
    """The script: the file beside this one, its words filled in; a ValueError without noise."""
    question, asked, path = result.asked, report["question"], Path(source.path).resolve()
    public = isinstance(question, PublicLimits)
    groups = question.groups or (None,)
    cells = [(group, row) for group in groups for row in question.rows]
    filled = {
        "COMMAND": asked["command"],
        "DIGEST_OF_FILE": hashlib.sha256(path.read_bytes()).hexdigest(),
        "SOURCE_OF_ROWS": {
            name: value for name, value in (vars(source) | {"path": str(path)}).items() if value
        },
        "WHETHER_N_IS_PUBLIC": public and not question.hidden,
        "QUESTION_ASKED": _question(report, result.context.left_out) if public else None,
        "ANSWERS_ASKED": [
            _answer(question, index, row, report["answers"][index]) | {"group": group}
            for index, (group, row) in enumerate(cells)
        ],
        "MEANS_OF_TWO": _means(question, groups) if public else [],
    }
    template = resources.files(__package__).joinpath("publish.py.in").read_text("utf-8")
    words = re.compile(rf"\b({'|'.join(filled)})\b")
    return words.sub(lambda word: pprint.pformat(filled[word[1]], width=96), template)


def _question(report: Report, left_out: tuple[str, ...]) -> dict[str, Any]:
    """What a result says of itself."""
    first, *assumed = report["sentences"]
    several = len(report["question"]["statistics"]) > 1
    verb = texts.ARE_PUBLISHED if several else texts.IS_PUBLISHED
    return {
        "published": first.replace(texts.MAY_BE_PUBLISHED, verb),
        "assumed": assumed,
        **{name: report["question"][name] for name in ("file", "where", "limits")},
        "left out": [f"rows that miss {name}" for name in left_out],
        "factor": report["factor"],
    }


def _means(question: PublicLimits, groups: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """For each mean of two: its label, limits, rows that are expected, its sum and its count."""
    means = []
    for of in ("" if group is None else f", {group}" for group in groups):
        for mean in question.means:
            terms = f"{question.rows[mean.row].label}{of}", f"count{of}"
            means.append((f"{mean.label}{of}", mean.limits, question.expected, *terms))
    return means


def _answer(question: Question, index: int, row: Any, numbers: dict[str, Any]) -> dict[str, Any]:
    """What the script needs of an answer."""
    label, scale = numbers["statistic"], numbers["scale"]
    if scale == 0:
        raise ValueError(f"--opendp needs noise to draw, got an exact {label}")
    if not scale:
        raise ValueError(f"--opendp: {label} has a share of 0 in --split and is not published")
    sensitivity = numbers["sensitivity"]
    entry = {"label": label, "query": row.query, "column": row.column, "scale": float(scale)}
    entry |= {"limits": None, "steps": 0, "whole": False}
    entry |= {"rank": None, "unit": None, "score_move": None}
    if isinstance(question, PublicLimits):
        of_change = row.rank is not None or not question.hidden  # as OpenDP's map is
        sensitivity = (question.change if of_change else question.add).ravel()[index]
        entry |= {"limits": row.limits, "steps": row.steps, "whole": row.whole}
        _refuse_range(label, question, row, entry["steps"], scale)
    entry |= {"sensitivity": float(sensitivity), "loss": float(sensitivity) / scale}
    if entry["limits"] and row.rank is not None:
        rows, change_and_add = question.person_rows, loss_steps(row.rank)
        farthest = max(row.rank, 1 - row.rank) if question.hidden else 1
        entry |= {"rank": str(row.rank), "unit": str(row.grid.unit)}
        entry |= {"loss": rows * change_and_add[question.hidden] / scale}
        entry |= {"score_move": Fraction(rows) * farthest}
    return entry


def _refuse_range(label: str, question: PublicLimits, row: Any, steps: int, scale: float) -> None:
    """Refuse whole numbers that 64 bits may not hold."""
    most = 1.0 if row.limits is None else max(map(abs, row.limits))
    largest = steps * (most * question.records * question.person_rows + ROOM * scale)
    if largest >= 2.0**62:
        rule = f"--opendp: {label} may exceed whole numbers of 64 bits"
        raise ValueError(f"{rule}, got {largest:.3g}")
