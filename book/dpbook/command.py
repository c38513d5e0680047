"""The program, run on a page: what it prints stands in the output of a cell."""

import contextlib
import io
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
        refusals: print these alone, with their lines broken, and "accepted" where there is none.

    >>> dpchoose("epsilon", "a.csv", "--ask", "mean:b", files={"a.csv": "b\\n1"}, refusals=True)
    ... # doctest: +ELLIPSIS
    dpchoose: ...
    """
    printed, refused = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder if files else "."):
        for name, text in (files or {}).items():
            Path(name).write_text(text, "utf-8")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(refused):
            main(words)
    said = (printed.getvalue() + refused.getvalue()).splitlines()
    if refusals:
        said = textwrap.wrap(refused.getvalue() or "accepted", 80)
    print(*said, sep="\n")
