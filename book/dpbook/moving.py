"""What each picture that moves begins with: numbers of the package and of its chapter.

A function for each picture, with no arguments, gives what the script of the
same name reads; nothing of it is typed a second time there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dpchoose as dp
from dpbook.chapter import parameters


def _school() -> dict[str, Any]:
    """The four worlds of the school, named by who is missing, and the mean in each."""
    pupils, release = dp.datasets.school()
    days = pupils["absence_days"]
    return {
        "missing": pupils["name"].tolist()[::-1],
        "answers": dp.world_answers("mean", days, len(release)).tolist(),
        "sensitivity": float(dp.global_sensitivity("mean", days, len(release)).value),
    }


def beliefs() -> dict[str, Any]:
    """Densities and beliefs, at the epsilon and the output of the first chapter.

    >>> start = beliefs()
    >>> start["missing"][0], start["answers"][0]
    ('Terry', 2.0)
    """
    start = parameters("posterior")
    return _school() | {name: start[name] for name in ("epsilon", "output")}


PICTURES: dict[str, Callable[[], dict[str, Any]]] = {
    "beliefs": beliefs,
}
