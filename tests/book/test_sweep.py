"""A chapter over a grid of parameters, here or on a cluster."""

import re

import distributed
import joblib
import pytest
from dpbook.places import ROOT
from dpbook.sweep import sweep


def test_the_lines_for_a_dask_cluster_on_the_page_run_every_point(tmp_path):
    page = (ROOT / "book" / "reproducing.md").read_text("utf-8")
    (lines,) = re.findall(r"^```python\n(import distributed.*?)^```", page, flags=re.M | re.S)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with cluster:
        for shown, meant in {
            "tcp://10.0.0.1:8786": cluster.scheduler_address,
            "_build/sweep": str(tmp_path),
            '["1/3", 0.4]': "[0.4]",
        }.items():
            assert lines.count(shown) == 1
            lines = lines.replace(shown, meant)
        exec(lines, {})
    drawn = [f"fig-2{part}.{kind}" for part in ("", "-outputs") for kind in ("png", "svg")]
    for place in (tmp_path / "0-mean-0.4", tmp_path / "1-var-0.4"):
        assert sorted(path.name for path in place.iterdir()) == sorted([*drawn, "fig-2.ipynb"])


def test_a_point_that_fails_says_why_and_the_others_are_kept(tmp_path):
    with joblib.parallel_config("threading", n_jobs=2):
        made = sweep("fig-2", tmp_path, risk=[1.2, 0.4])
    (bad, why), (good, nothing) = made.items()
    assert why == "ValueError: risk must lie in (0, 1), got 1.2"
    assert (bad.name, good.name, nothing) == ("0-1.2", "1-0.4", "")
    assert (good / "fig-2.svg").exists()


def test_an_unknown_chapter_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"slug must be one of .*, got 'fig-4'"):
        sweep("fig-4", tmp_path)
