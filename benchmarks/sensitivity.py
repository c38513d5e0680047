"""What the exact sensitivities cost, in sorts of the same array.

    python benchmarks/sensitivity.py
    python benchmarks/sensitivity.py --records 1000 100000 --distances 1 --output costs.csv

Each row is one query, adjacency, number of records N and distance, for a
release of N/2 records drawn from a normal distribution: the time of one call,
the same as a multiple of ``numpy.sort``, the most memory it held at once in
arrays of N floats, the time of the enumeration, which the same query gets
when it is asked as a function, where that can run, and the time of the local
sensitivity of every other record. Small numbers of records are there for the
comparison with enumeration. Variances have no closed form beyond distance 1,
and local sensitivities have none either.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import dpchoose as dp

QUERIES = ["count", "sum", "mean", "median", "percentile_25", "percentile_90", "var", "std"]
RECORDS = [8, 12, 16, 10**3, 10**4, 10**5, 10**6]
DISTANCES = [1, 4]
COLUMNS = ["query", "adjacency", "records", "distance"]
COLUMNS += ["seconds", "sorts", "arrays", "enumeration", "local"]
SEED = 20110325
ENUMERABLE = 10_000_000  # pairs that are enumerated for comparison


def main() -> None:
    """Measure, print a table, and write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=RECORDS, metavar="N")
    parser.add_argument("--distances", type=int, nargs="+", default=DISTANCES, metavar="K")
    parser.add_argument("--queries", nargs="+", default=QUERIES, metavar="QUERY")
    parser.add_argument("--output", type=Path, help="a .csv or .json file for the table")
    options = parser.parse_args()
    if options.output and options.output.suffix not in (".csv", ".json"):
        parser.error(f"--output must end in .csv or .json, got {options.output}")
    rows = []
    for row in measured(options.queries, options.records, options.distances):
        if not rows:
            print("".join(f"{name:>14}" for name in COLUMNS))
        rows.append(row)
        print("".join(f"{formatted(row[name]):>14}" for name in COLUMNS), flush=True)
    if options.output:
        write(rows, options.output)


def measured(
    queries: list[str], records: list[int], distances: list[int]
) -> Iterator[dict[str, Any]]:
    """One row of the table after the other."""
    for count in records:
        universe = np.random.default_rng(SEED).normal(size=count)
        sort = seconds(lambda: np.sort(universe), least=7)  # noqa: B023
        for query in queries:
            for adjacency in ("unbounded", "bounded"):
                for distance in distances:
                    closed = distance == 1 or query not in ("var", "std")
                    if closed and distance < count // 2:
                        yield measure(query, universe, adjacency, distance, sort)


def measure(
    query: str, universe: np.ndarray, adjacency: str, distance: int, sort: float
) -> dict[str, Any]:
    """One row: the times of the exact answer and of the enumeration."""
    size = len(universe) // 2
    neighbours = {"adjacency": adjacency, "distance": distance}

    def as_function(values: np.ndarray) -> np.ndarray:
        return dp.queries.evaluate(query, values)

    def exact() -> None:
        dp.global_sensitivity(query, universe, size, **neighbours)

    def enumerate_pairs() -> None:
        dp.global_sensitivity(as_function, universe, size, max_worlds=ENUMERABLE, **neighbours)

    def local() -> None:
        dp.local_sensitivity(query, universe, np.arange(0, len(universe), 2), **neighbours)

    closed_form = seconds(exact)
    tracemalloc.start()
    exact()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    try:
        enumeration = seconds(enumerate_pairs, least=1)
    except ValueError:  # too many pairs
        enumeration = None
    return {
        "query": query,
        "adjacency": adjacency,
        "records": len(universe),
        "distance": distance,
        "seconds": closed_form,
        "sorts": closed_form / sort,
        "arrays": peak / universe.nbytes,
        "enumeration": enumeration,
        "local": seconds(local) if distance == 1 else None,
    }


def seconds(call: Callable[[], Any], least: int = 3) -> float:
    """The best time of some calls."""
    times = []
    for _ in range(least):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def formatted(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def write(rows: list[dict[str, Any]], path: Path) -> None:
    """The table as CSV or JSON, by the ending of the path."""
    if path.suffix == ".json":
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
