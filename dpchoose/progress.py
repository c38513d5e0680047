"""How far long work has come, and how much longer it takes, on standard error.

A terminal has one line for it, which is drawn again and goes when the work is done. All else,
such as a log, gets a line after 2, 4, 8, ... seconds. DPCHOOSE_PROGRESS=off silences both.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

PATIENCE = 2.0  # seconds before anything is said
OFTEN = 0.2  # seconds between two looks of a line on a terminal
WIDTH = 79
LONG = 60.0  # seconds: work that takes longer says so, with what would be faster


def with_progress(steps: Iterable[Any], total: int, what: str, faster: str = "") -> Iterator[Any]:
    """The steps of the work, of which there are ``total``, while standard error says how far it is.

    A step is done when the next is asked for. The time that is left is estimated from the steps
    after the first one, which includes the start of processes; and not before as much time has
    passed again, in which each process comes to its second. ``faster`` names what would be
    faster, and is said where the work takes over a minute.
    """
    terminal, began = bool(sys.stderr and sys.stderr.isatty()), time.monotonic()
    due, drawn, first = PATIENCE, False, 0.0
    try:
        for done, step in enumerate(steps, start=1):
            yield step
            passed = time.monotonic() - began
            if done == 1:
                first, due = passed, max(PATIENCE, 2 * passed)
            if done == 1 or passed < due or done >= total:
                continue
            left = (passed - first) / (done - 1) * (total - done)
            if faster and passed + left > LONG:
                _say(f"this takes about {span(passed + left)}; {faster} would be faster\n")
            faster = ""
            line = f"{what}: {done / total:.0%} after {span(passed)}, about {span(left)} more"
            _say(f"\r{line:{WIDTH}}" if terminal else f"{line}\n")
            due, drawn = passed + OFTEN if terminal else 2 * passed, terminal
    finally:
        if drawn:
            _say(f"\r{'':{WIDTH}}\r")


def span(seconds: float) -> str:
    """A time as it is read.

    >>> span(12.4), span(200), span(8000)
    ('12 s', '3 min 20 s', '2 h 13 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _say(text: str) -> None:
    """Write, if anybody is to hear of it; no work is lost where nobody can."""
    if os.environ.get("DPCHOOSE_PROGRESS") != "off" and sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()
