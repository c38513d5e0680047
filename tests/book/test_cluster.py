"""A chapter over a grid of parameters, and a query of one's own, here or on a Dask cluster."""

import os
import re

import distributed
import joblib
import pytest
from dpbook.places import ROOT
from dpbook.sweep import sweep
from test_parallel import UNIVERSE, all_answers, process, scaled

import dpchoose as dp
from dpchoose.worlds import subsets


@pytest.fixture(scope="module")
def cluster():
    """Two processes; without an address of its own each cluster would ask for port 8787."""
    one = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(n_workers=2, **one) as started:
        yield started


def test_the_lines_for_a_dask_cluster_on_the_page_run_every_point(cluster, tmp_path):
    """Also where one fails: it says why, and the others are kept."""
    page = (ROOT / "book" / "reproducing.md").read_text("utf-8")
    (lines,) = re.findall(r"^```python\n(import distributed.*?)^```", page, flags=re.M | re.S)
    for shown, meant in {
        "distributed.Client(": "client = distributed.Client(",
        "tcp://10.0.0.1:8786": cluster.scheduler_address,
        "    sweep(": "    made = sweep(",
        "_build/sweep": str(tmp_path),
        '["mean", "var"]': '["var"]',
        '["1/3", 0.4]': "[1.2, 0.4]",
    }.items():
        assert lines.count(shown) == 1
        lines = lines.replace(shown, meant)
    there = {}
    exec(lines, there)
    there["client"].close()
    (bad, why), (good, nothing) = there["made"].items()
    assert why == "ValueError: risk must lie in (0, 1), got 1.2"
    assert (bad.name, good.name, nothing) == ("0-var-1.2", "1-var-0.4", "")
    drawn = ["fig-2-outputs.svg", "fig-2.svg"]
    assert sorted(path.name for path in good.iterdir()) == sorted([*drawn, "fig-2.ipynb"])


def test_an_unknown_chapter_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"slug must be one of .*, got 'fig-4'"):
        sweep("fig-4", tmp_path)


def test_dask_workers_do_the_work_inside_parallel_config(cluster, monkeypatch):
    monkeypatch.setattr(subsets, "LONG", 0)
    monkeypatch.setattr(subsets, "BLOCK", 64)
    with distributed.Client(cluster) as client:
        workers = set(client.run(os.getpid).values())
        with joblib.parallel_config("dask"):
            asked = set(dp.world_answers(process, UNIVERSE, 4).astype(int).tolist())
            there = all_answers(scaled(3))
    with joblib.parallel_config(backend="sequential"):
        assert all_answers(scaled(3)) == there
    assert len(workers) == 2
    assert os.getpid() not in workers
    assert asked <= workers
