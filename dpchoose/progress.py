"""How far long work has come, in per cent, on a terminal alone.

How many steps it takes may tell how many rows a file has, and a log would keep that: where standard
error is no terminal nothing is said. TQDM_DISABLE=1 silences a terminal too.
"""

import contextlib
import sys
import threading
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm

PATIENCE = 2.0  # seconds before anything is said
FORM = "{desc}: {percentage:.0f}% after {elapsed}, about {remaining} more"


class Bar(tqdm):
    """A bar with a lock of its own: the usual one is for processes, and loads what they need."""


Bar.set_lock(threading.RLock())


def bar(total: int, what: str, *, steps: Iterable[Any] | None = None, faster: str = "") -> Bar:
    """The steps of the work, or a bar to be updated, of which there are ``total``.

    ``faster`` names what would be faster.
    """
    form = f"{FORM}; {faster} would be faster" if faster else FORM
    hidden = {"disable": True}
    with contextlib.suppress(ValueError, AttributeError):  # it may be closed, or None
        hidden = {} if sys.stderr.isatty() else hidden
    return Bar(steps, what, total, delay=PATIENCE, leave=False, bar_format=form, **hidden)
