"""Enumeration in blocks: all of it, in order, here or in other processes."""

import itertools
import os
import subprocess
import sys

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.worlds import subsets

UNIVERSE = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])


@pytest.fixture
def long_work(monkeypatch):
    """Work in tiny blocks that counts as long."""
    monkeypatch.setattr(subsets, "LONG", 0)
    monkeypatch.setattr(subsets, "BLOCK", 64)


def scaled(factor):
    return lambda values: factor * values.max(axis=-1) + values.min(axis=-1)


def process(values):
    """A query that answers with the number of the process that asks."""
    return np.full(values.shape[:-1], os.getpid())


def all_answers(query):
    release, results = [0, 2, 5, 6], []
    for adjacency, distance in itertools.product(["unbounded", "bounded"], [1, 3]):
        kind = {"adjacency": adjacency, "distance": distance}
        results.append(dp.global_sensitivity(query, UNIVERSE, 4, **kind))
        results.append(dp.local_sensitivity(query, UNIVERSE, release, **kind))
    answers = [(r.value, r.dataset.tolist(), r.neighbour.tolist()) for r in results]
    return answers, dp.world_answers(query, UNIVERSE, 4).tolist()


@given(size=st.integers(0, 9), data=st.data())
def test_any_stretch_of_subsets_can_be_made_alone(size, data):
    choose = data.draw(st.integers(0, size))
    expected = list(itertools.combinations(range(size), choose))
    start = data.draw(st.integers(0, len(expected)))
    stop = data.draw(st.integers(start, len(expected)))
    rows = subsets.ranked(size, choose, start, stop)
    assert rows.shape == (stop - start, choose)
    assert list(map(tuple, rows.tolist())) == expected[start:stop]
    many = subsets.ranked(20_000, 19_999, 0, 2)  # few are left out: cheap
    assert many[:, -2:].tolist() == [[19_997, 19_998], [19_997, 19_999]]


@given(first=st.integers(1, 6), second=st.integers(1, 6), held=st.integers(1, 100), data=st.data())
def test_blocks_of_two_levels_cover_every_pair_once(first, second, held, data):
    levels = [(size, data.draw(st.integers(0, size))) for size in (first, second)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "BLOCK", 64)
        pairs = [
            (tuple(row), tuple(other))
            for rows, others in subsets.over_blocks(lambda *rows: rows, [levels], held=held)
            for row, other in itertools.product(rows.tolist(), others.tolist())
        ]
    expected = itertools.product(*(itertools.combinations(range(n), k) for n, k in levels))
    assert sorted(pairs) == sorted(expected)


def test_the_size_of_a_block_changes_no_answer(monkeypatch):
    expected = all_answers(scaled(2))
    for block in (1, 7, 1000):
        monkeypatch.setattr(subsets, "BLOCK", block)
        assert all_answers(scaled(2)) == expected


def test_the_package_and_small_work_need_numpy_and_little_else():
    heavy = ["pandas", "scipy", "matplotlib", "papermill", "IPython", "yaml", "joblib", "click"]
    heavy += ["multiprocessing", "dpbook"]
    script = (
        "import sys, numpy as np, dpchoose as dp\n"
        "dp.world_answers(lambda v: v.max(axis=-1), np.arange(12.0), 6)\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_long_work_goes_to_other_processes_and_brings_back_answers_and_errors(long_work):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "LONG", 1 << 60)
        expected = all_answers(scaled(3))
    with joblib.parallel_config(n_jobs=2):
        assert os.getpid() not in set(dp.world_answers(process, UNIVERSE, 4).astype(int).tolist())
        assert all_answers(scaled(3)) == expected
        with pytest.raises(ValueError, match="query must give finite answers"):
            dp.world_answers(lambda v: np.full(v.shape[:-1], np.nan), UNIVERSE, 4)
    for backend in ("threading", "sequential"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert all_answers(scaled(3)) == expected
            assert set(dp.world_answers(process, UNIVERSE, 4)) == {os.getpid()}


def test_the_default_is_all_cores(long_work, monkeypatch):
    asked, parallel = [], joblib.Parallel

    def remember(**options):
        asked.append(options["n_jobs"])
        return parallel(**{**options, "n_jobs": 1})

    monkeypatch.setattr(joblib, "Parallel", remember)
    dp.world_answers(scaled(1), UNIVERSE, 4)
    with joblib.parallel_config(n_jobs=1):
        dp.world_answers(scaled(1), UNIVERSE, 4)
    assert asked == [-1, 1]
