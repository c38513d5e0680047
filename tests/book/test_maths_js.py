"""The explorer's JavaScript has the numbers of the package where all but one record is released."""

import json
import math
import shutil
import statistics
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node, Debian's nodejs")

TESTS = Path(__file__).parents[1]
ROW = {"noise scale": "noiseScale", "95% error": "halfWidth", "epsilon": "epsilon"}
QUERIES = ("sum", "mean", "median", "percentile_25", "percentile_33.3", "var", "std")


def answers(questions):
    """What the scripts answer, all in one process."""
    command = [NODE, TESTS / "js" / "answers.js"]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def compare(one, found):
    """A recommendation of the package, which has a margin of its own, and the page's."""
    assert found["status"] == one.status
    if one.status not in ("ok", "exact"):
        return
    for row, other in zip(one.table.to_dict("records"), found["table"], strict=True):
        assert row["statistic"] == other["statistic"]
        for name, its in ROW.items():
            its_own = 0.0 if row[name] != row[name] else row[name]  # nan: it is set aside
            assert float(other[its]) == pytest.approx(its_own, rel=1e-6, abs=1e-300), name
    after = [found["risks"][name] for name in ("world", "torn")]
    assert after == pytest.approx(list(one.readers["after"])[:2], rel=1e-6)


def columns(rng, size):
    """Ties, decimals, heavy tails, one value, clusters."""
    kinds = (
        rng.integers(0, 5, size).astype(float),
        np.round(rng.normal(50, 10, size), 1),
        np.round(rng.lognormal(0, 1.5, size), 4),
        np.full(size, 3.0),
        np.where(rng.random(size) < 0.8, 0.0, np.round(rng.normal(0, 1, size), 6)),
        1e9 + rng.integers(0, 50, size),
    )
    return {name: kinds[rng.integers(len(kinds))] for name in "ab"}


def both(table, asked, *, by=None, already=(), risk="1/3"):
    """A question for the scripts, and what the package says."""

    def one(query, name):
        values = None if name is None else table[name].tolist()
        return {"query": query, "column": name, "values": values}

    about = {
        "statistics": [one(*pair) for pair in asked],
        "already": [one(*pair) | {"scale": scale} for pair, scale in already],
        "records": len(table["a"]),
        "by": by,
        "risk": risk,
    }
    queries = ["count" if name is None else (query, name) for query, name in asked]
    known, how = pd.DataFrame(table), {"by": by, "already": list(already) or None, "risk": risk}
    return about, dp.recommend(queries, known, len(known) - 1, **how)


@pytest.mark.parametrize("by", [False, True], ids=["all together", "by group"])
def test_a_recommendation_in_the_page_is_that_of_the_package(by):
    rng = np.random.default_rng(20261121)
    known = [("count", None), *((query, name) for query in QUERIES for name in "ab")]
    cases = []
    for _ in range(40):
        records = int(rng.integers(12, 40) if by else rng.integers(2, 40))
        labels = [f"group {one}" for one in rng.permutation(records) % 3] if by else None
        several = rng.choice([1, 1, 2, 3])
        asked = [known[i] for i in rng.choice(len(known), several, replace=False)]
        already = [(("mean", "a"), 2.5)] if rng.random() < 0.2 and not by else []
        risk = rng.choice([one for one in (0.05, 0.25, 0.5, 0.9) if one * records > 1])
        how = {"by": labels, "already": already, "risk": risk}
        cases.append(both(columns(rng, records), asked, **how))
    for (_, one), found in zip(cases, answers([asked for asked, _ in cases]), strict=True):
        compare(one, found["done"])


def test_the_scale_that_is_shown_keeps_the_risk_on_paper_and_hardly_a_smaller_one_does():
    rng = np.random.default_rng(7)
    paper = {"sum": sum, "mean": statistics.mean, "median": statistics.median}
    paper["var"] = statistics.pvariance
    shapes = [1e9 + rng.integers(0, 100, 12), np.array([0.1, 0.2, 0.2, 0.3, 0.7, 1e6])]
    shapes += [1e9 + np.round(rng.normal(0, 1, 9), 3), rng.lognormal(0, 3, 10)]
    cases = [(query, values.tolist()) for values in shapes for query in paper]
    one = [{"statistics": [{"query": query, "values": u}], "risk": "0.4"} for query, u in cases]
    for (query, values), found in zip(cases, answers(one), strict=True):
        u = [Fraction(value) for value in values]
        worlds = [paper[query](u[:i] + u[i + 1 :]) for i in range(len(u))]

        def belief(scale, worlds=worlds):
            near = lambda a, b: math.exp(-float(abs(a - b) / scale)) if scale else float(a == b)  # noqa: E731
            return 1 / min(math.fsum(near(a, b) for b in worlds) for a in worlds)

        row, shown = found["done"]["table"][0], found["done"]["shown"]["table"][0]
        assert belief(Fraction(shown["noiseScale"])) <= 0.4 * (1 + 1e-12), query
        if row["noiseScale"]:
            assert belief(Fraction(row["noiseScale"] * (1 - 1e-9))) > 0.4 * (1 - 1e-12), query


def test_the_javascript_keeps_its_own_tests():
    files = sorted((TESTS / "js").glob("*.test.js"))
    done = subprocess.run([NODE, "--test", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
