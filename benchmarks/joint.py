"""What the joint risk of several answers costs, in seconds.

    python benchmarks/joint.py
    python benchmarks/joint.py --rows 10000

All but one of so many rows are released, and the mean of each column is asked. For each
way in which the rows can lie, each number of columns and some accepted risks: the
processor seconds of the epsilons that keep the risk, those of one tight bound at these
epsilons, and how many such bounds the search is worth.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import dpchoose as dp

SPREAD = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(size=shape),
    "even": lambda rng, shape: rng.random(shape),
    "clusters": lambda rng, shape: rng.normal(size=shape) * 0.01 + rng.integers(0, 5, shape),
}


def seconds(work: Callable[..., Any], *given: Any, **how: Any) -> tuple[Any, float]:
    """What a call returns, and its processor seconds."""
    start = time.process_time()
    found = work(*given, **how)
    return found, time.process_time() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--answers", type=int, nargs="+", default=[2, 3])
    count = parser.parse_args()
    size = count.rows
    print(f"{'rows lie':>10} {'answers':>8} {'risk':>10} {'epsilons':>9} {'bound':>8} {'ratio':>6}")
    for name, draw in SPREAD.items():
        for answers in count.answers:
            rows = pd.DataFrame(draw(np.random.default_rng(answers), (size, answers)))
            rows.columns = [f"column {number}" for number in range(answers)]
            means = [("mean", column) for column in rows]
            worlds = dp.possible_worlds(means, rows, size - 1)
            at = {"sensitivity": worlds.spread}
            for risk in (1.01 / size, 2 / size, 0.01, 0.1, 0.5):
                epsilons, search = seconds(dp.epsilon_from_risk, worlds, risk=risk, **at)
                _, once = seconds(dp.tight_bound, worlds, epsilon=epsilons, **at)
                print(
                    f"{name:>10} {answers:>8} {risk:>10.3g} {search:>9.2f} {once:>8.2f} "
                    f"{search / max(once, 1e-9):>6.0f}",
                    flush=True,
                )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"at most {peak} MB in memory")


if __name__ == "__main__":
    main()
