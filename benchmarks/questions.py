"""What a whole question costs: processor seconds, and the most memory, each in its own process.

    python benchmarks/questions.py
    python benchmarks/questions.py --records 1000 --output questions.csv

The records are lognormal, a few of them large, as bills and visits are. A row
is one call of a question of dpchoose, with what all readers get; where every
release is listed, it is the epsilon of one risk over all of them. The memory
is that of the process, with Python and NumPy.
"""

import argparse
import csv
import multiprocessing
import resource
import time
from pathlib import Path

import joblib
import numpy as np

import dpchoose as dp

COLUMNS = ["question", "records", "released", "seconds", "megabytes"]
RECORDS = [10**3, 10**5, 10**6]
ALL_BUT_ONE = {
    "a mean": "mean",
    "a mean and a variance together": ["mean", "var"],
}
HALF = {"a median": "median", "a variance": "var"}
EVERYBODY = "a mean in each of 1,000 groups, of everybody"
DRAWN = "a median of everybody, of 2,001 candidates"
SHARES = "1,000 shares of a column, of everybody"
LISTED = 20  # records, of which half are released: 184,756 worlds


def middle(values: np.ndarray) -> np.ndarray:
    """A query of one's own: halfway between the least and the largest value."""
    return (values.min(axis=-1) + values.max(axis=-1)) / 2


def ask(question: str, records: int) -> tuple[int, float, float]:
    """How many records are released, seconds, and megabytes of this process."""
    universe = np.random.default_rng(records).lognormal(size=records)
    query = (ALL_BUT_ONE | HALF).get(question, middle if "own" in question else "mean")
    released = records - 1 if question in ALL_BUT_ONE else records // 2
    with joblib.parallel_config("sequential"):  # the seconds of other processes would not count
        dp.KnownFile(query, universe[:5], 4).for_risk("1/2")  # what is loaded once
        if question not in ALL_BUT_ONE | HALF:
            import pandas as pd
        start = time.process_time()
        if "listed" in question:
            worlds = dp.possible_worlds(query, universe, released)
            most = dp.global_sensitivity(query, universe, released).value
            dp.epsilon_from_risk(worlds, risk="0.01", sensitivity=most)
        elif question in HALF:
            dp.KnownFile(query, universe, released).for_odds(3)
        elif question == EVERYBODY:
            released, groups = records, np.arange(records) % 1000
            dp.PublicLimits(query, universe, (0, 20), by=groups).for_odds(3).to_dict()
        elif question == DRAWN:
            released = records
            dp.PublicLimits("median", universe, (0, 20, "0.01")).for_odds(3).to_dict()
        elif question == SHARES:
            released, asked = records, [("share", f"x={k}") for k in range(1000)]
            table = pd.DataFrame({"x": (np.arange(records) % 1000).astype(str)})
            dp.PublicLimits(asked, table, {}).for_odds(3).to_dict()
        else:
            dp.KnownFile(query, universe, released).for_risk("0.01")
        seconds = time.process_time() - start
    return released, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(question: str, records: int, runs: int) -> dict[str, object]:
    """A row: the fastest of some runs, and the memory of the leanest."""
    found = []
    for _ in range(runs):
        with multiprocessing.get_context("spawn").Pool(1) as fresh:
            found.append(fresh.apply(ask, (question, records)))
        if found[-1][1] > 20:
            break  # long enough that another would say the same
    released, *costs = map(min, zip(*found))
    return dict(zip(COLUMNS, [question, records, released, *costs]))


def main() -> None:
    """Measure, print a table, and write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=RECORDS, metavar="N")
    parser.add_argument("--runs", type=int, default=3, help="of which the shortest counts")
    parser.add_argument("--output", type=Path, help="a .csv file for the table")
    options = parser.parse_args()
    asked = [
        (name, size) for name in [*ALL_BUT_ONE, EVERYBODY, DRAWN, *HALF] for size in options.records
    ]
    asked += [(SHARES, RECORDS[0]), ("a mean, every release listed", LISTED)]
    asked += [("a function of one's own, every release listed", LISTED)]
    rows = []
    for name, size in asked:
        rows.append(measure(name, size, options.runs))
        print(
            "{question:<48}{records:>10,}{seconds:>9.2f} s{megabytes:>8.0f} MB".format(**rows[-1])
        )
    if options.output:
        with options.output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
