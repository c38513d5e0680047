"""An answer as programs read it, with every digit."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from dpchoose.commands.answer import Answer, as_text, printable, record


def printed(answers: Sequence[Answer], form: str, *, verbose: bool) -> str:
    """Answers as "table", "csv" or "json"."""
    if form == "table":
        return as_text(answers, verbose=verbose)
    return as_json(answers) if form == "json" else as_csv(answers)


def as_json(answers: Sequence[Answer]) -> str:
    """For programs: a list of answers; null where a number is not known or not finite."""
    return as_json_text([_plain(answer) for answer in answers])


def as_json_text(value: Any) -> str:
    r"""JSON in which a sign that a terminal would obey is written by its number.

    >>> print(as_json_text("\x9b2Jé"), end="")
    "\u009b2Jé"
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)
    safe = (one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)
    return "".join(safe) + "\n"


def _plain(answer: Answer) -> dict[str, Any]:
    found = answer.found
    rows = [
        {name: value if name == "statistic" else _finite(value) for name, value in row.items()}
        for row in found.table.to_dict("records")
    ]
    return {
        "accepted risk": _finite(answer.risk),
        "risk together": _finite(answer.together),
        "status": found.status,
        "reason": found.reason,
        "epsilon": _finite(found.epsilon),
        "statistics": rows,
        "risks": {name: _finite(value) for name, value in found.risks.items()},
        "bounds": {name: _finite(value) for name, value in found.bounds.items()},
        "sentences": found.sentences(),
        "record": record(answer),
    }


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def as_csv(answers: Sequence[Answer]) -> str:
    """For programs: a row for each statistic; empty where a number is not known."""
    rows = []
    for answer in answers:
        found = answer.found
        for row in found.table.to_dict("records"):
            rows.append(
                {
                    **row,
                    "accepted risk": _finite(answer.risk),
                    "risk together": _finite(answer.together),
                    "total epsilon": found.epsilon,
                    **{f"risk {name}": value for name, value in found.risks.items()},
                    **{f"epsilon by {name}": value for name, value in found.bounds.items()},
                    "status": found.status,
                    "reason": found.reason,
                    **{f"asked {name}": value for name, value in record(answer).items()},
                }
            )
    return comma_separated(rows)


def comma_separated(rows: Sequence[dict[str, Any]]) -> str:
    """Rows as CSV, each float with every digit, each text as text.

    >>> comma_separated([{"a": 0.1, "b": "=1+1", "c": float("nan")}])
    "a,b,c\\n0.1,'=1+1,\\n"
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_field(name) for name in rows[0]])
    writer.writerows([_field(value) for value in row.values()] for row in rows)
    return out.getvalue()


def _field(value: Any) -> str:
    """A cell; a spreadsheet takes a text that begins like a formula for one."""
    if isinstance(value, str):
        text = printable(value)
        return f"'{text}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else text
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(float(value))
    return str(value)
