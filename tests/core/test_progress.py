"""Long work says on a terminal how far it is; a log, and short work, say nothing of it."""

import io
import re
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


@pytest.fixture
def listen(monkeypatch):
    """What standard error hears of work of which every step is long."""
    monkeypatch.setattr(progress, "PATIENCE", 0)

    def on(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return on


def test_it_is_in_per_cent_and_says_what_would_be_faster(listen):
    seen = listen(Terminal())
    bar = progress.bar(977, "counting", steps=iter(range(977)), faster="less")
    bar.mininterval = 0
    assert list(bar) == list(range(977))
    lines = re.findall("[^\r]*%[^\r]*", seen.getvalue())
    form = r"counting: (\d+)% after \d\d:\d\d, about .* more; less would be faster *"
    shares = [int(re.fullmatch(form, line)[1]) for line in lines]
    assert shares == sorted(shares)
    assert (shares[0], len(shares) > 50) == (0, True)
    assert "977" not in seen.getvalue()  # as many as rows, maybe


def test_a_log_hears_nothing_and_no_work_is_lost_where_nobody_hears(listen):
    closed = Terminal()
    closed.close()
    for stream in (log := io.StringIO(), closed, None):
        listen(stream)
        assert list(progress.bar(3, "counting", steps=range(3))) == [0, 1, 2]
    assert log.getvalue() == ""


def test_short_work_says_nothing(listen, monkeypatch):
    seen = listen(Terminal())
    monkeypatch.setattr(progress, "PATIENCE", 60)
    list(progress.bar(99, "counting", steps=range(99)))
    assert "counting" not in seen.getvalue()


def test_whatever_may_be_long_is_shown(listen, monkeypatch):
    """Listing, sensitivities, the search for the noise."""
    monkeypatch.setattr(subsets, "LONG", 1)
    monkeypatch.setattr(subsets, "BLOCK", 16)
    universe = np.random.default_rng(0).lognormal(size=200)
    with joblib.parallel_config(backend="sequential"):
        seen = listen(Terminal())
        dp.world_answers(["mean", "var"], universe[:8], 4)
        assert "enumerating: 0%" in seen.getvalue()
        for size, adjacency in ((7, "unbounded"), (4, "bounded")):
            seen = listen(Terminal())
            dp.global_sensitivity(lambda v: v.max(axis=-1), universe[:8], size, adjacency=adjacency)
            assert "enumerating: 0%" in seen.getvalue()
    seen = listen(Terminal())
    dp.KnownFile(["mean", "var"], universe, 199).for_risk("1%")
    assert "looking for the noise: 0%" in seen.getvalue()
