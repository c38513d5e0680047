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
    assert list(progress.with_progress(range(100), 100, "counting")) == list(range(100))
    lines = log.getvalue().splitlines()
    assert lines[0] == "counting: 2% after 2 s, about 1 min 38 s more"
    passed = [line.split(" after ")[1].split(",")[0] for line in lines]
    assert passed == ["2 s", "4 s", "8 s", "16 s", "32 s", "1 min 4 s"]


def test_a_terminal_has_one_line_which_goes(impatient):
    """Also when the work is given up."""
    for stop in (5, 4):
        screen = impatient(Terminal())
        steps = progress.with_progress(range(5), 5, "counting")
        for _ in range(stop):
            next(steps)
        steps.close()
        drawn = screen.getvalue().split("\r")
        assert "counting: 40% after" in drawn[1]
        assert "counting: 60% after" in drawn[2]
        assert not drawn[-2].strip()
        assert "\n" not in screen.getvalue()


def test_short_work_says_nothing_and_no_work_is_lost_where_none_can_hear_of_it(
    impatient, monkeypatch
):
    for stream in (Full(), None):
        impatient(stream)
        assert list(progress.with_progress(range(3), 3, "counting")) == [0, 1, 2]
    log = impatient(io.StringIO())
    monkeypatch.setattr(progress, "PATIENCE", 2.0)
    list(progress.with_progress(range(2), 2, "counting"))
    monkeypatch.setenv("DPCHOOSE_PROGRESS", "off")
    list(progress.with_progress(range(99), 99, "counting", "fewer answers"))
    assert not log.getvalue()


def test_work_of_over_a_minute_says_so_once_and_what_would_be_faster(impatient):
    for seconds, advice in ((60, []), (61, ["this takes about 1 min 1 s; less would be faster"])):
        log = impatient(io.StringIO())
        list(progress.with_progress(range(seconds), seconds, "counting", "less"))
        assert [line for line in log.getvalue().splitlines() if "counting" not in line] == advice


@pytest.mark.parametrize(("processes", "start"), [(1, 0.0), (2, 1.5), (64, 5.0)])
def test_the_first_estimate_counts_neither_the_start_nor_one_process(processes, start, monkeypatch):
    """Each process does a thousand steps of a quarter of a second, after some time to start."""
    clock, spans = [0.0], []
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(progress, "span", lambda seconds: spans.append(seconds) or "")

    def steps():
        for step in range(1000 * processes):
            clock[0] = start + 0.25 * (1 + step // processes)
            yield step

    for _ in progress.with_progress(steps(), 1000 * processes, "counting"):
        pass
    assert sum(spans[:2]) == pytest.approx(start + 250, rel=0.15)


def test_whatever_may_be_long_is_shown(impatient, monkeypatch):
    """Listing, sensitivities, the search for the noise."""
    log = impatient(io.StringIO())
    monkeypatch.setattr(subsets, "LONG", 1)
    monkeypatch.setattr(subsets, "BLOCK", 16)
    universe = np.random.default_rng(0).lognormal(size=200)

    def new_lines():
        lines = log.getvalue()
        log.seek(0), log.truncate()
        return lines

    with joblib.parallel_config(backend="sequential"):
        dp.world_answers(["mean", "var"], universe[:8], 4)
        assert new_lines().count("enumerating: 89%") == 2
        for size, adjacency in ((7, "unbounded"), (4, "bounded")):
            dp.global_sensitivity(lambda v: v.max(axis=-1), universe[:8], size, adjacency=adjacency)
            assert "enumerating" in new_lines()
    dp.recommend(["mean", "var"], universe, 199, risk="1%")
    assert "looking for the noise" in new_lines()
