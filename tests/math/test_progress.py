"""Long work says on standard error how far it is; short work, and its answer, say nothing of it."""

import io
import sys

import joblib
import numpy as np
import pytest

import dpchoose as dp
from dpchoose import progress
from dpchoose.worlds import subsets


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Full(io.StringIO):
    def write(self, text):
        raise OSError("No space left on device")


@pytest.fixture
def impatient(monkeypatch):
    """Every step is long, by a clock that goes on by a second at a look."""
    seconds = iter(range(10**9))
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    monkeypatch.delenv("DPCHOOSE_PROGRESS")

    def listen(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return listen


def test_a_log_has_ever_fewer_lines_with_an_estimate(impatient):
    log = impatient(io.StringIO())
    assert list(progress.shown(range(100), 100, "counting")) == list(range(100))
    lines = log.getvalue().splitlines()
    assert lines[0] == "counting: 1% after 1 s, about 1 min 39 s more"
    passed = [line.split(" after ")[1].split(",")[0] for line in lines]
    assert passed == ["1 s", "2 s", "4 s", "8 s", "16 s", "32 s", "1 min 4 s"]


def test_a_terminal_has_one_line_which_goes(impatient):
    """Also when the work is given up."""
    for stop in (5, 3):
        screen = impatient(Terminal())
        steps = progress.shown(range(5), 5, "counting")
        for _ in range(stop):
            next(steps)
        steps.close()
        parts = screen.getvalue().split("\r")
        assert "counting: 40% after" in parts[2]
        assert not parts[-2].strip()
        assert "\n" not in screen.getvalue()


def test_short_work_says_nothing_and_no_work_is_lost_where_none_can_hear_of_it(
    impatient, monkeypatch
):
    for stream in (Full(), None):
        impatient(stream)
        assert list(progress.shown(range(3), 3, "counting")) == [0, 1, 2]
    log = impatient(io.StringIO())
    monkeypatch.setattr(progress, "PATIENCE", 2.0)
    list(progress.shown(range(2), 2, "counting"))
    monkeypatch.setenv("DPCHOOSE_PROGRESS", "off")
    list(progress.shown(range(9), 9, "counting"))
    progress.announce(1000, "fewer answers")
    assert not log.getvalue()


def test_work_of_over_a_minute_says_so_before_it_starts(impatient):
    """And what would be faster; shorter work does not."""
    log = impatient(io.StringIO())
    progress.announce(59, "fewer answers")
    assert not log.getvalue()
    progress.announce(130, "fewer answers")
    assert log.getvalue() == "this takes about 2 min 10 s; fewer answers would be faster\n"


def test_whatever_may_be_long_is_shown(impatient, monkeypatch):
    """Listing, leaving out, the search for the noise, the sensitivities of groups."""
    log = impatient(io.StringIO())
    monkeypatch.setattr(subsets, "LONG", 1)
    monkeypatch.setattr(subsets, "BLOCK", 16)
    universe = np.random.default_rng(0).lognormal(size=200)

    def heard():
        said = log.getvalue()
        log.seek(0), log.truncate()
        return said

    with joblib.parallel_config(backend="sequential"):
        dp.world_answers(["mean", "var"], universe[:8], 4)
        assert heard().count("enumerating: 89%") == 2
        for size, adjacency in ((7, "unbounded"), (4, "bounded")):
            dp.global_sensitivity(lambda v: v.max(axis=-1), universe[:8], size, adjacency=adjacency)
            assert "enumerating" in heard()
    at = {"by": np.arange(200) % 9, "already": [("sum", 1e6)]}
    dp.recommend("sum", universe, 199, odds=3, **at)
    said = heard()
    for what in ("leaving out each record", "sensitivities of the groups", "looking for the noise"):
        assert what in said
