"""A query of one's own, enumerated by the workers of a Dask cluster."""

import os

import distributed
import joblib
import numpy as np

import dpchoose as dp
from dpchoose.worlds import subsets

UNIVERSE = [3.0, 1, 4, 1, 5, 9, 2, 6]


def process(values):
    """A query that answers with the number of the process that asks."""
    return np.full(values.shape[:-1], os.getpid())


def test_dask_workers_do_the_work_inside_parallel_config(monkeypatch):
    monkeypatch.setattr(subsets, "LONG", 0)
    monkeypatch.setattr(subsets, "BLOCK", 64)

    def every_answer(factor=3):
        def scaled(values):
            return factor * values.max(axis=-1) + values.min(axis=-1)

        release = [0, 2, 5, 6]
        found = []
        for kind in ({"adjacency": "unbounded"}, {"adjacency": "bounded", "distance": 3}):
            found.append(dp.global_sensitivity(scaled, UNIVERSE, 4, **kind))
            found.append(dp.local_sensitivity(scaled, UNIVERSE, release, **kind))
        answers = [(one.value, one.dataset.tolist(), sorted(one.neighbour)) for one in found]
        return answers, dp.world_answers(scaled, UNIVERSE, 4).tolist()

    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        workers = set(client.run(os.getpid).values())
        with joblib.parallel_config("dask"):
            asked = set(dp.world_answers(process, UNIVERSE, 4).astype(int).tolist())
            there = every_answer()
    with joblib.parallel_config(backend="sequential"):
        here = every_answer()
    assert len(workers) == 2
    assert os.getpid() not in workers
    assert asked <= workers
    assert there == here
