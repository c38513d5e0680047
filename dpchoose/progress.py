"""How far long work has come, and how much longer it takes, on standard error.

There is a line after 2, 4, 8, ... seconds, on a terminal; how much time work takes tells how many
rows there are, and a log would keep it. DPCHOOSE_PROGRESS=off silences them.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

PATIENCE = 2.0  # seconds before anything is said


def with_progress(steps: Iterable[Any], total: int, what: str, faster: str = "") -> Iterator[Any]:
    """The steps of the work, of which there are ``total``, while standard error says how far it is.

    A step is done when the next is asked for. The time that is left is estimated from the steps
    after the first one, which includes the start of processes; and not before as much time has
    passed again, in which each process comes to its second. ``faster`` names what would be
    faster.
    """
    began, due, first = time.monotonic(), PATIENCE, 0.0
    more = f"more; {faster} would be faster" if faster else "more"
    for done, step in enumerate(steps, start=1):
        yield step
        passed = time.monotonic() - began
        if done == 1:
            first, due = passed, max(PATIENCE, 2 * passed)
        elif passed >= due and done < total:
            left = (passed - first) / (done - 1) * (total - done)
            _say(f"{what}: {done / total:.0%} after {span(passed)}, about {span(left)} {more}")
            due = 2 * passed


def span(seconds: float) -> str:
    """A time in hours, minutes and seconds.

    >>> span(12.4), span(8000)
    ('0:00:12', '2:13:20')
    """
    return str(timedelta(seconds=round(seconds)))


def _say(line: str) -> None:
    """Write a line on a terminal, if there is one; no work is lost where nobody can hear of it."""
    if os.environ.get("DPCHOOSE_PROGRESS") != "off":
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or None
            if sys.stderr.isatty():
                sys.stderr.write(f"{line}\n")
