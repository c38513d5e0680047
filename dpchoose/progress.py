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
LONG = 60.0  # seconds of which is said before


def shown(steps: Iterable[Any], total: int, what: str) -> Iterator[Any]:
    """The steps of the work, of which there are ``total``, while standard error says how far it is.

    Each is done when the next is asked for.
    """
    terminal, began = bool(sys.stderr and sys.stderr.isatty()), time.monotonic()
    due, drawn = PATIENCE, False
    try:
        for done, step in enumerate(steps, start=1):
            yield step
            passed = time.monotonic() - began
            if passed < due or done >= total:
                continue
            left = f"about {span(passed * (total - done) / done)} more"
            line = f"{what}: {done / total:.0%} after {span(passed)}, {left}"
            _say(f"\r{line:{WIDTH}}" if terminal else f"{line}\n")
            due, drawn = passed + OFTEN if terminal else 2 * passed, terminal
    finally:
        if drawn:
            _say(f"\r{'':{WIDTH}}\r")


def announce(seconds: float, faster: str) -> None:
    """Say before work of over a minute about how long it takes, and what would be faster."""
    if seconds > LONG:
        _say(f"this takes about {span(seconds)}; {faster} would be faster\n")


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
