"""A script that publishes the answers once, with noise that OpenDP draws."""

import itertools
import pprint
from dataclasses import astuple
from pathlib import Path
from typing import Any

import dpchoose
from dpchoose.your_data import words as texts
from dpchoose.your_data.command.output import Report
from dpchoose.your_data.noise import MOST_FINE
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.row import Row
from dpchoose.your_data.shares import Condition

ROOM = 40  # scales of noise for which a whole number of 64 bits must have room
NARROW_FINE = 2.0**-20  # the range of limits beside their size below which fine values are too few
SCRIPT = '''"""Publish answers once, with noise that OpenDP draws.

Run it once, where dpchoose and OpenDP 0.16 or later are installed: it calls
them. It writes one result beside itself and does not run again while that is
there: every run publishes again, and the promise is for one. That is a guard
against a slip, and no more: a copy of this script, a script made anew under
another name, or this one when its result is gone, publishes again.

Only the result goes out. Keep this script where the file is: its digest is an
exact number about every row.
"""

import os
import sys

SCRIPT = os.path.realpath(__file__)  # also where it is run through a link
FOLDER = os.path.dirname(SCRIPT)
# Not from its own folder: a script that is named like a module would import itself.
sys.path[:] = [path for path in sys.path if os.path.realpath(path) != FOLDER]

QUESTION = QUESTION_AS_DATA

if __name__ == "__main__":
    try:
        from dpchoose.your_data.command.publish import publish

        publish(SCRIPT, QUESTION)
    except ImportError as no:
        how = ": pip install 'opendp>=0.16' brings it" * str(no.name).startswith("opendp")
        sys.exit(f"refused: {no.name or no} must be there, as where this script was made{how}")
'''


def render(_: str, result: Any, report: Report, found: Any) -> str:
    """The script: its question as data; a ValueError without noise.

    ``found`` has the source and the digest of its bytes, as they were read.
    """
    question, path = result.question, Path(found.source.path).resolve()
    public = isinstance(question, PublicLimits)
    rows = itertools.product(question.groups or (None,), question.rows)
    answers = zip(rows, question.sensitivities.tolist(), report["answers"])
    data = {
        "dpchoose": dpchoose.__version__,
        "made by": report["question"]["command"],
        "source": vars(found.source) | {"path": str(path)},
        "digest": found.digest,
        "n is public": public and not question.hidden,
        "answers": [
            {"group": group} | _answer(question, row, sensitivity, printed)
            for (group, row), sensitivity, printed in answers
        ],
        "means": [
            (mean.label + of, mean.limits, question.rows[mean.row].label + of, "count" + of)
            for of in [f", {group}" for group in question.groups] or [""]
            for mean in (question.means if public else ())
        ],
        "says": _question(report, question.context.left_out) if public else None,
    }
    # Once: a name in the data may hold any text, and is not looked at again.
    text = pprint.pformat(data, width=96, sort_dicts=False)
    return SCRIPT.replace("QUESTION_AS_DATA", text, 1)


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
    """What the script needs of an answer; a ValueError if it cannot be drawn exactly."""
    scale = printed["scale"]
    if not scale:
        raise ValueError(f"--opendp needs noise to draw, got an exact {printed['statistic']}")
    column = astuple(row.column) if isinstance(row.column, Condition) else row.column
    entry = {"label": row.label, "query": row.query, "column": column}
    entry |= {"limits": None, "step": None, "rank": None}
    if isinstance(question, PublicLimits):
        _refuse_inexact(question, row, scale)
        entry |= {"limits": row.limits}
        entry |= {} if row.grid is None else {"step": str(row.grid.unit)}
        entry |= {} if row.rank is None else {"rank": str(row.rank)}
    return entry | {"sensitivity": sensitivity, "scale": scale, "loss": sensitivity / scale}


def _refuse_inexact(question: PublicLimits, row: Row, scale: float) -> None:
    """A ValueError where the numbers that are drawn around may have too many digits."""
    farthest = max(map(abs, row.limits or (1,)))
    if row.units * (farthest * question.records * question.person_rows + ROOM * scale) >= 2.0**62:
        raise ValueError(f"--opendp: {row.label} may exceed whole numbers of 64 bits")
    if question.hidden and row.limits and row.rank is None and not row.units:
        if question.records > MOST_FINE:
            most = f"--opendp: {row.label} may be of {MOST_FINE:,} records where n is hidden"
            raise ValueError(f"{most}, got {question.records:,}: a step of 1 allows for more")
        if row.query == "sum" and row.limits[1] - row.limits[0] < NARROW_FINE * farthest:
            raise ValueError(
                f"--opendp: limits of {row.label} {texts.TOO_NARROW}, got {row.limits}"
            )
