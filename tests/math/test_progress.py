"""Long work says on standard error how far it is; short work, and its answer, say nothing of it."""

import io
import sys

import joblib
import numpy as np
import pytest

import dpchoose as dp
from dpchoose import progress
from dpchoose.sensitivity import enumeration, variance_bounded
from dpchoose.sensitivity.runs import SortedUniverse
from dpchoose.worlds import moves, subsets


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
    assert [line.split(" after ")[1].split(",")[0] for line in lines] == [
        "1 s",
        "2 s",
        "4 s",
        "8 s",
        "16 s",
        "32 s",
        "1 min 4 s",
    ]


def test_a_terminal_has_one_line_which_goes(impatient):
    screen = impatient(Terminal())
    list(progress.shown(range(5), 5, "counting"))
    parts = screen.getvalue().split("\r")
    assert "counting: 40% after 2 s, about 3 s more" in parts[2]
    assert not parts[-2].strip()
    assert "\n" not in screen.getvalue()


def test_work_that_is_given_up_leaves_no_line_on_a_terminal(impatient):
    screen = impatient(Terminal())
    steps = progress.shown(range(9), 9, "counting")
    for _ in range(3):
        next(steps)
    steps.close()
    assert not screen.getvalue().split("\r")[-2].strip()


def test_short_work_says_nothing(monkeypatch):
    monkeypatch.delenv("DPCHOOSE_PROGRESS")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    list(progress.shown(range(3), 3, "counting"))
    assert not sys.stderr.getvalue()


@pytest.mark.parametrize("stream", [Full(), None])
def test_no_work_is_lost_where_none_can_hear_of_it(impatient, stream):
    impatient(stream)
    assert list(progress.shown(range(3), 3, "counting")) == [0, 1, 2]


def test_it_is_quiet_where_that_is_asked_for(impatient, monkeypatch):
    monkeypatch.setenv("DPCHOOSE_PROGRESS", "off")
    log = impatient(io.StringIO())
    list(progress.shown(range(3), 3, "counting"))
    assert not log.getvalue()


def test_whatever_may_be_long_is_shown(impatient, monkeypatch):
    log = impatient(io.StringIO())
    monkeypatch.setattr(subsets, "LONG", 1)
    monkeypatch.setattr(subsets, "BLOCK", 16)
    monkeypatch.setattr(moves, "BLOCK", 16)
    universe = np.random.default_rng(0).lognormal(size=200)

    def highest(values):
        return np.max(values, axis=-1)

    def heard():
        said = log.getvalue()
        log.seek(0), log.truncate()
        return said

    with joblib.parallel_config(backend="sequential"):
        dp.world_answers(["mean", "var"], universe[:8], 4)
        assert heard().count("enumerating: 89%") == 2
        dp.global_sensitivity(highest, universe[:8], 7)
        assert "enumerating" in heard()
        dp.global_sensitivity(highest, universe[:8], 4, adjacency="bounded")
        assert "enumerating" in heard()
    variance_bounded.bound_by_distance("std", SortedUniverse(np.sort(universe)), 100)
    assert "distances of the std: 2%" in heard()
    moves.moves_of(highest, universe, np.zeros(200, dtype=int), np.array([200]))
    assert "leaving out each" in heard()


@pytest.mark.parametrize(
    "query",
    [
        lambda values: np.max(values, axis=-1),
        lambda values: np.median(values, axis=-1),
        lambda values: 2 * values[..., 0] + values[..., -1],
    ],
)
@pytest.mark.parametrize("records", [2, 3, 4, 9])
def test_without_one_or_two_is_the_definition(monkeypatch, query, records):
    monkeypatch.setattr(enumeration, "CACHED", 16)
    universe = np.sort(np.random.default_rng(records).normal(size=records).round(1))
    every = set(range(records))
    without = [query(universe[sorted(every - {i})]) for i in every]
    changes = [abs(answer - query(universe)) for answer in without]
    if records > 2:
        changes += [
            abs(without[i] - query(universe[sorted(every - {i, j})]))
            for i in every
            for j in every - {i}
        ]
    found = dp.global_sensitivity(query, universe, records - 1)
    assert found.value == pytest.approx(max(changes))
    assert len(found.dataset) == records - 1
    assert abs(len(found.neighbour) - len(found.dataset)) == 1
    assert abs(query(found.dataset) - query(found.neighbour)) == pytest.approx(found.value)
