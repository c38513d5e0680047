"""A script that publishes the answers once, with noise that OpenDP draws."""

from __future__ import annotations

import hashlib
import pprint
import re
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from dpchoose.data.read import Source
from dpchoose.epsilon.text import round_up


def made(_: str, __: Any, told: dict[str, Any], source: Source, known: dict[str, Any]) -> str:
    """The script: the file beside this one, its words filled in; a ValueError without noise."""
    path, question = Path(source.path).resolve(), told["question"]
    rows = {**vars(source), "path": str(path)}
    counts = question["records"], question["released"]
    filled = {"COMMAND": question["command"], "COUNTED_RECORDS": counts}
    filled["DIGEST_OF_FILE"] = hashlib.sha256(path.read_bytes()).hexdigest()
    filled["SOURCE_OF_ROWS"] = {name: value for name, value in rows.items() if value}
    filled["ANSWERS_ASKED"] = [_line(told, known, i) for i in range(len(told["answers"]))]
    template = resources.files(__package__).joinpath("publish.py.in").read_text("utf-8")
    words = re.compile(rf"\b({'|'.join(filled)})\b")
    return words.sub(lambda word: pprint.pformat(filled[word[1]], width=96), template)


def _line(told: dict[str, Any], known: dict[str, Any], place: int) -> tuple[Any, ...]:
    """What the script is told of the answer at a place of the table."""
    row = told["answers"][place]
    if not row["scale"]:
        raise ValueError(f"--opendp needs noise to draw, got an exact {row['statistic']}")
    groups = [None] if known["by"] is None else sorted(set(known["by"]))
    group, one = divmod(place, len(known["query"]))
    query, column = asked if isinstance(asked := known["query"][one], tuple) else (asked, None)
    sensitivity, scale = float(row["sensitivity"]), float(row["scale"])
    values = known["data"][column].to_numpy() if query == "sum" else np.zeros(1)
    exact = (values == np.round(values)).all() and np.abs(values).sum() < 2.0**53
    whole = bool(exact and query in ("count", "sum") and sensitivity.is_integer())
    spent = float(round_up(sensitivity / scale))
    return row["statistic"], query, column, groups[group], whole, sensitivity, scale, spent
