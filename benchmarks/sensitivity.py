"""What the exact sensitivities cost, in sorts of the same array.

    python benchmarks/sensitivity.py
    python benchmarks/sensitivity.py --records 1000 100000 --distances 1 --output costs.csv

Each row is one query, adjacency, number of records N and distance, for a release of N/2 records
drawn from a normal distribution: the processor seconds of one call, the same as a multiple of
``numpy.sort``, and the seconds of the local sensitivity of every other record. Variances have no
closed form beyond distance 1, and local sensitivities have none either.
"""

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import dpchoose as dp

QUERIES = ["count", "sum", "mean", "median", "percentile_25", "percentile_90", "var", "std"]
COLUMNS = ["query", "adjacency", "records", "distance", "seconds", "sorts", "local"]
SEED = 20110325


def main() -> None:
    """Measure, print a table, and write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=[10**6], metavar="N")
    parser.add_argument("--distances", type=int, nargs="+", default=[1, 4], metavar="K")
    parser.add_argument("--queries", nargs="+", default=QUERIES, metavar="QUERY")
    parser.add_argument("--output", type=Path, help="a .csv file for the table")
    options = parser.parse_args()
    rows = []
    print("".join(f"{name:>14}" for name in COLUMNS))
    for row in measured(options.queries, options.records, options.distances):
        rows.append(row)
        print("".join(f"{formatted(value):>14}" for value in row.values()), flush=True)
    if options.output:
        with options.output.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


def measured(
    queries: list[str], records: list[int], distances: list[int]
) -> Iterator[dict[str, Any]]:
    """One row of the table after the other."""
    for count in records:
        universe, size = np.random.default_rng(SEED).normal(size=count), count // 2
        every_other = np.arange(0, count, 2)
        sort = shortest(lambda: np.sort(universe), 7)  # noqa: B023
        for query in queries:
            for adjacency in ("unbounded", "bounded"):
                for distance in distances:
                    if distance > 1 and query in ("var", "std"):
                        continue
                    how = {"adjacency": adjacency, "distance": distance}
                    once = shortest(lambda: dp.global_sensitivity(query, universe, size, **how))  # noqa: B023
                    local = None
                    if distance == 1:
                        local = shortest(
                            lambda: dp.local_sensitivity(query, universe, every_other, **how)  # noqa: B023
                        )
                    row = [query, adjacency, count, distance, once, once / sort, local]
                    yield dict(zip(COLUMNS, row))


def shortest(call: Callable[[], Any], runs: int = 3) -> float:
    """The processor seconds of the fastest of some calls."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def formatted(value: Any) -> str:
    """Three digits of a number; nothing of what was not measured."""
    return "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
