"""A script that publishes the answers once, with noise that OpenDP draws."""

from __future__ import annotations

import hashlib
import pprint
import re
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from dpchoose.data.queries import Statistic
from dpchoose.data.read import Source
from dpchoose.epsilon.everybody import Everybody


def made(_: str, found: Any, told: dict[str, Any], source: Source) -> str:
    """The script: the file beside this one, its words filled in; a ValueError without noise."""
    path, setting = Path(source.path).resolve(), found.setting
    rows = {**vars(source), "path": str(path)}
    public = isinstance(setting, Everybody)
    filled = {"COMMAND": told["question"]["command"], "WHETHER_PUBLIC": public}
    filled["DIGEST_OF_FILE"] = hashlib.sha256(path.read_bytes()).hexdigest()
    filled["SOURCE_OF_ROWS"] = {name: value for name, value in rows.items() if value}
    answers = [one for one in told["answers"] if one["sensitivity"] is not None]
    groups = setting.names or (None,)
    limits = setting.columns if public else {}
    asked = [row for row, scale in zip(setting.rows, setting.scales) if np.isnan(scale)]
    every = zip(((group, one) for group in groups for one in asked), answers)
    filled["ANSWERS_ASKED"] = [_line(*one, limits.get(one[1].column), row) for one, row in every]
    filled["MEANS_OF_TWO"] = []
    for group in groups if public else ():
        of = "" if group is None else f", {group}"
        for mean in setting.means:
            two = f"{setting.rows[mean.row].label}{of}", f"count{of}"
            filled["MEANS_OF_TWO"].append((f"{mean.label}{of}", mean.limits, *two))
    template = resources.files(__package__).joinpath("publish.py.in").read_text("utf-8")
    words = re.compile(rf"\b({'|'.join(filled)})\b")
    return words.sub(lambda word: pprint.pformat(filled[word[1]], width=96), template)


def _line(group: Any, one: Statistic, limits: Any, row: dict[str, Any]) -> tuple[Any, ...]:
    """What the script is told of an answer."""
    query, values = one.query, one.values
    if not row["scale"]:
        raise ValueError(f"--opendp needs noise to draw, got an exact {row['statistic']}")
    sensitivity, scale = float(row["sensitivity"]), float(row["scale"])
    steps = 0
    for tried in (2, 1) if query in ("sum", "centred sum", "count") else ():
        whole = values * tried if query != "count" else np.ones(1)
        if (whole == np.round(whole)).all() and np.abs(whole).sum() < 2.0**53:
            steps = tried if (sensitivity * tried).is_integer() else steps
    numbers = sensitivity, scale, sensitivity / scale
    return row["statistic"], query, one.column, group, limits, steps, *numbers
