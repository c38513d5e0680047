"""The program, run on a page: what it prints stands in the output of a cell."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path

from dpchoose.__main__ import main


def dpchoose(*words: str, files: Mapping[str, str] | None = None, refusals: bool = False) -> None:
    """Run a command line in this process, and print what it prints, refusals too.

    Args:
        words: of the command line, after the name of the program.
        files: texts by name, which lie in the current folder while it runs.
        refusals: print these alone, and break their lines.

    >>> dpchoose("epsilon", "a.csv", "--ask", "mean:b", files={"a.csv": "b\\n1"}, refusals=True)
    ... # doctest: +ELLIPSIS
    dpchoose: ...
    """
    with contextlib.ExitStack() as stack:
        if files:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            for name, text in files.items():
                Path(folder, name).write_text(text, "utf-8")
            stack.enter_context(contextlib.chdir(folder))
        refused = io.StringIO() if refusals else sys.stdout
        stack.enter_context(contextlib.redirect_stderr(refused))
        if refusals:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        main(words)
    if refusals and refused.getvalue():
        print(textwrap.fill(refused.getvalue(), 80))
