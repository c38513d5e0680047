"""The command as a hand types it."""

import json
import re

import pytest

from dpchoose.__main__ import main


@pytest.fixture
def run(capsys, monkeypatch):
    """The exit code of a line of words, what it prints, and what it says beside it.

    What it prints is kept, but for a screen; what it says beside it is seen, but for a log.
    """

    def command(*words, screen=False, log=False):
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout.isatty", lambda: screen)
            patch.setattr("sys.stderr.isatty", lambda: not log)
            code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
def found(run):
    """The answer as programs get it."""

    def command(*words):
        code, out, err = run(*words, "--format", "json")
        assert (code, re.sub("dpchoose: .* is written\n", "", err)) == (0, "")
        return json.loads(out)

    return command
