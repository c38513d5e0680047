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


class Full(Terminal):
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


def test_there_are_ever_fewer_lines_with_an_estimate_and_what_would_be_faster(impatient):
    log = impatient(Terminal())
    assert list(progress.with_progress(range(100), 100, "counting", "less")) == list(range(100))
    lines = log.getvalue().splitlines()
    assert lines[0] == "counting: 2% after 0:00:02, about 0:01:38 more; less would be faster"
    passed = [line.split(" after ")[1].split(",")[0] for line in lines]
    assert passed == ["0:00:02", "0:00:04", "0:00:08", "0:00:16", "0:00:32", "0:01:04"]
    assert all(line.endswith("more; less would be faster") for line in lines)
    log = impatient(Terminal())
    list(progress.with_progress(range(9), 9, "counting"))
    assert log.getvalue().endswith(" more\n")


def test_short_work_says_nothing_and_no_work_is_lost_where_none_can_hear_of_it(
    impatient, monkeypatch
):
    for stream in (Full(), None):
        impatient(stream)
        assert list(progress.with_progress(range(3), 3, "counting")) == [0, 1, 2]
    log = impatient(Terminal())
    monkeypatch.setattr(progress, "PATIENCE", 2.0)
    list(progress.with_progress(range(2), 2, "counting"))
    monkeypatch.setenv("DPCHOOSE_PROGRESS", "off")
    list(progress.with_progress(range(99), 99, "counting", "fewer answers"))
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.delenv("DPCHOOSE_PROGRESS")
    log.isatty = lambda: False
    list(progress.with_progress(range(99), 99, "counting", "fewer answers"))
    assert not log.getvalue()


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
    log = impatient(Terminal())
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
