"""How far long work has come, and how much longer it takes, on standard error.

A terminal has one line for it, which is drawn again and goes when the work is
done. All else, such as a log, gets a line after 2, 4, 8, ... seconds: it is
neither mute nor full. With DPCHOOSE_PROGRESS=off in the environment nothing is
said.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Step = TypeVar("Step")

PATIENCE = 2.0  # seconds before anything is said
OFTEN = 0.2  # seconds between two looks of a line on a terminal
WIDTH = 79
KNOWN = 0.01  # of the work, from which the rest can be judged


def shown(steps: Iterable[Step], total: int, what: str) -> Iterator[Step]:
    """The steps, one after the other, while standard error says how far they are.

    Args:
        steps: of the work; each is done when the next is asked for.
        total: how many there are.
        what: they do, in a word or two.

    >>> list(shown(range(3), 3, "counting"))
    [0, 1, 2]
    """
    if os.environ.get("DPCHOOSE_PROGRESS") == "off" or sys.stderr is None:
        yield from steps
        return
    terminal, began = sys.stderr.isatty(), time.monotonic()
    due, drawn = PATIENCE, False
    try:
        for done, step in enumerate(steps, start=1):
            yield step
            passed = time.monotonic() - began
            if passed < due or done >= total:
                continue
            line = f"{what}: {done / total:.0%} after {span(passed)}"
            if done / total >= KNOWN:
                line += f", about {span(passed * (total - done) / done)} more"
            _say(f"\r{line:{WIDTH}}" if terminal else f"{line}\n")
            due, drawn = passed + OFTEN if terminal else 2 * passed, True
    finally:
        if terminal and drawn:
            _say(f"\r{'':{WIDTH}}\r")


def span(seconds: float) -> str:
    """A time as it is read.

    >>> span(12.4), span(200), span(8000)
    ('12 s', '3 min 20 s', '2 h 13 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # no work is lost where none can hear of it
        sys.stderr.write(text)
        sys.stderr.flush()
