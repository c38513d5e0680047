"""A script that publishes the answers once, with noise that OpenDP draws."""

import itertools
import pprint
import re
from dataclasses import astuple
from importlib import resources
from pathlib import Path
from typing import Any

from dpchoose.your_data import words as texts
from dpchoose.your_data.command.output import Report
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.shares import Condition

ROOM = 40  # scales of noise for which a whole number of 64 bits must have room


def render(_: str, result: Any, report: Report, found: Any) -> str:
    """The script: the file beside this one, its words filled in; a ValueError without noise.

    ``found`` has the source and the digest of its bytes, as they were read.
    """
    question, path = result.question, Path(found.source.path).resolve()
    public = isinstance(question, PublicLimits)
    rows = itertools.product(question.groups or (None,), question.rows)
    answers = zip(rows, question.sensitivities.tolist(), report["answers"])
    filled = {
        "COMMAND": report["question"]["command"],
        "DIGEST_OF_FILE": found.digest,
        "SOURCE_OF_ROWS": vars(found.source) | {"path": str(path)},
        "WHETHER_N_IS_PUBLIC": public and not question.hidden,
        "QUESTION_ASKED": _question(report, result.question.context.left_out) if public else None,
        "ANSWERS_ASKED": [
            {"group": group} | _answer(question, row, sensitivity, printed)
            for (group, row), sensitivity, printed in answers
        ],
        "MEANS_OF_TWO": [
            (mean.label + of, mean.limits, question.rows[mean.row].label + of, "count" + of)
            for of in [f", {group}" for group in question.groups] or [""]
            for mean in (question.means if public else ())
        ],
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
        "assumed": [text.replace(texts.ALL_WITHIN, "") for text in assumed],
        **{name: report["question"][name] for name in ("file", "where", "limits")},
        "left out": [f"rows that miss {name}" for name in left_out],
        "factor": report["factor"],
    }


def _answer(question: Any, row: Any, sensitivity: float, printed: Report) -> dict[str, Any]:
    """What the script needs of an answer; a ValueError if its whole numbers may exceed 64 bits."""
    label, scale = printed["statistic"], printed["scale"]
    if not scale:
        raise ValueError(f"--opendp needs noise to draw, got an exact {label}")
    column = astuple(row.column) if isinstance(row.column, Condition) else row.column
    entry = {"label": label, "query": row.query, "column": column}
    entry |= {"sensitivity": sensitivity, "scale": scale, "loss": sensitivity / scale}
    if isinstance(question, PublicLimits):
        entry |= {"limits": row.limits, "steps": row.units}
        entry |= {} if row.step is None else {"step": str(row.step)}
        most = max(map(abs, row.limits or (1,))) * question.records * question.person_rows
        largest = row.units * (most + ROOM * scale)
        if largest >= 2.0**62:
            raise ValueError(f"--opendp: {label} may exceed whole numbers of 64 bits")
        if row.rank is not None:
            entry |= {"rank": str(row.rank), "step": str(row.grid.unit)}
    return entry
