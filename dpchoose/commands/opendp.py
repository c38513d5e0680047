"""A script that publishes the answers once, with noise that OpenDP draws."""

from __future__ import annotations

import hashlib
import math
import pprint
import shlex
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from dpchoose.commands.answer import Answer, printable, up

SCRIPT = '''\
"""Publish answers once, with noise that OpenDP draws.

Made by {made}
Run it once, in an environment that has dpchoose and OpenDP 0.16 or later. It
writes one result beside itself and does not run again while that is there:
every run publishes again, and the promise is for one.
"""

import hashlib
import json
import sys
from pathlib import Path

import opendp.prelude as opendp

from dpchoose.data.queries import evaluate
from dpchoose.data.source import Source

RESULT = Path(__file__).with_suffix(".json")
DIGEST = {digest!r}  # of the file for which the scales were computed
SOURCE = Source({source})
RECORDS, RELEASED = {records}, {released}

# label, query, column, group, whether all answers are whole numbers, sensitivity,
# noise scale, and the epsilon that the two make, rounded up
ANSWERS = {answers}


def chosen(rows, column, group):
    """The released records of a group, as numbers; every record where none is named."""
    inside = rows.released if group is None else rows.released & (rows.labels == group)
    return (rows.values.assign(**{{"": 0.0}})[column or ""])[inside].to_numpy()


def mechanism(whole, sensitivity, scale, epsilon):
    """OpenDP's Laplace noise of this scale, if OpenDP finds no more epsilon in it."""
    kind = {{"T": int}} if whole else {{"T": float, "nan": False}}
    distance = opendp.absolute_distance(T=kind["T"])
    noise = opendp.m.make_laplace(opendp.atom_domain(**kind), distance, scale=scale)
    spent = noise.map(kind["T"](sensitivity))
    if not spent <= epsilon:
        sys.exit(f"refused: OpenDP finds epsilon {{spent}}, above {{epsilon}}")
    return noise


def publish():
    """Draw each noise once, and write the result where none was."""
    if RESULT.exists():
        sys.exit(f"refused: {{RESULT}} is there, and running again would publish again")
    if hashlib.sha256(Path(SOURCE.path).read_bytes()).hexdigest() != DIGEST:
        sys.exit(f"refused: {{SOURCE.path}} has changed since the scales were computed")
    rows = SOURCE.read()
    if (len(rows.values), int(rows.released.sum())) != (RECORDS, RELEASED):
        sys.exit(f"refused: {{RECORDS}} records must be there, {{RELEASED}} of them released")
    opendp.enable_features("contrib")
    ready = [
        (label, evaluate(query, chosen(rows, column, group)), mechanism(whole, *numbers), whole)
        for label, query, column, group, whole, *numbers in ANSWERS
    ]
    with open(RESULT, "x", encoding="utf-8") as file:
        published = {{
            label: noise(int(answer) if whole else float(answer))
            for label, answer, noise, whole in ready
        }}
        json.dump(published, file, indent=2, ensure_ascii=False)
        file.write("\\n")


if __name__ == "__main__":
    publish()
'''


def script(answer: Answer, command: Sequence[str]) -> str:
    """The script.

    Args:
        answer: with a scale for each statistic.
        command: that made it.

    Raises:
        ValueError: a statistic without noise, or with no end of it.
    """
    question, found = answer.question, answer.found
    scales = found.table["noise scale"]
    if found.status in ("nothing left", "cannot be met") or not all(
        0 < scale < math.inf for scale in scales
    ):
        raise ValueError(f"--opendp needs noise to draw, got {found.status}: {found.reason}")
    path = Path(question.source.path).resolve()
    source = asdict(replace(question.source, path=str(path)))
    return SCRIPT.format(
        made=_comment(shlex.join(command)),
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        source=_keywords(source),
        records=len(question.rows.values),
        released=question.release_size,
        answers=pprint.pformat(_answers(answer), width=96),
    )


def _comment(words: str) -> str:
    """Words that may stand in a docstring."""
    return printable(words).replace("\\", "\\\\").replace('"""', '\\"\\"\\"').rstrip("\n")


def _keywords(source: dict[str, Any]) -> str:
    given = [f"    {name}={value!r}," for name, value in source.items() if value not in ("", None)]
    return "\n" + "\n".join(given) + "\n"


def _answers(answer: Answer) -> list[tuple[Any, ...]]:
    """A line for each statistic of the table, in its order."""
    question = answer.question
    labels = question.rows.labels
    groups = [None] if labels is None else sorted(set(labels.tolist()))
    asked = [(one, group) for group in groups for one in question.asked]
    table = answer.found.table
    lines = []
    for (one, group), row in zip(asked, table.to_dict("records"), strict=True):
        sensitivity, scale = row["sensitivity"], row["noise scale"]
        whole = _whole(answer, one) and float(sensitivity).is_integer()
        lines.append(
            (
                str(row["statistic"]),
                *one,
                group,
                whole,
                float(sensitivity),
                float(scale),
                float(up(sensitivity / scale)),
            )
        )
    return lines


def _whole(answer: Answer, one: tuple[str, str | None]) -> bool:
    """Whether every answer is a whole number that a float and an integer both hold."""
    query, column = one
    if query == "count":
        return True
    values = answer.question.rows.values[column].to_numpy() if query == "sum" else np.array([0.5])
    return bool((values == np.round(values)).all() and np.abs(values).sum() < 2.0**53)
