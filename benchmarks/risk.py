"""What the risk and its epsilon cost, in sorts of as many numbers.

    python benchmarks/risk.py
    python benchmarks/risk.py --largest 4 --csv timings.csv --json timings.json

All but one of N records with a normal distribution are released and their
mean is asked, so that there are N worlds. Every time is the shortest of some
runs, divided by that of ``numpy.sort`` of the N answers; nothing is asserted.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import dpchoose as dp


def shortest(work: Callable[[], object], runs: int) -> float:
    """Seconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(records: int, runs: int) -> list[dict[str, object]]:
    """A row per task: name, worlds, seconds and sorts."""
    universe = np.random.default_rng(records).normal(size=records)
    sensitivity = dp.global_sensitivity("mean", universe, records - 1).value
    worlds = dp.possible_worlds("mean", universe, records - 1)
    shuffled = np.random.default_rng(0).permutation(worlds.answers)
    fitting = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=sensitivity)
    at = {"sensitivity": sensitivity}

    def fresh() -> dp.Worlds:
        """The same without what is kept once it is known."""
        return dataclasses.replace(worlds)

    tasks = {
        "worlds": lambda: dp.possible_worlds("mean", universe, records - 1),
        "tight bound, one epsilon": lambda: dp.tight_bound(worlds, epsilon=fitting, **at),
        "tight bound, epsilon a thousand times that": lambda: dp.tight_bound(
            worlds, epsilon=1000 * fitting, **at
        ),
        "tight bound, 500 epsilons": lambda: dp.tight_bound(
            worlds, epsilon=np.linspace(0, 2 * fitting, 500), **at
        ),
        "average case, one epsilon": lambda: dp.average_risk(worlds, epsilon=fitting, **at),
        "epsilon from risk 1/3": lambda: dp.epsilon_from_risk(fresh(), risk="1/3", **at),
        "epsilon from risk 1/50": lambda: dp.epsilon_from_risk(fresh(), risk="1/50", **at),
        "epsilon from average risk 1/3": lambda: dp.epsilon_from_risk(
            fresh(), risk="1/3", bound="average", **at
        ),
    }
    rows = []
    for name, work in tasks.items():
        sort = shortest(lambda: np.sort(shuffled), runs + 4)
        seconds = shortest(work, 1 if "500" in name else runs)
        rows.append({"task": name, "worlds": records, "seconds": seconds, "sorts": seconds / sort})
    return rows


def main() -> None:
    """Print the table, and write it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--largest", type=int, default=6, help="the most worlds, as a power of 10")
    parser.add_argument("--runs", type=int, default=5, help="of which the shortest counts")
    parser.add_argument("--csv", type=Path, help="where to write the rows as CSV")
    parser.add_argument("--json", type=Path, help="where to write the rows as JSON")
    options = parser.parse_args()
    rows = []
    print(f"{'task':<42}{'worlds':>10}{'seconds':>12}{'sorts':>10}")
    for power in range(3, options.largest + 1):
        for row in measure(10**power, options.runs):
            rows.append(row)
            print(
                f"{row['task']:<42}{row['worlds']:>10,}{row['seconds']:>12.5f}{row['sorts']:>10.1f}",
                flush=True,
            )
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
