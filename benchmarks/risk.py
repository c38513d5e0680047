"""What the risk and its epsilon cost, in seconds and in sorts of as many numbers.

    python benchmarks/risk.py
    python benchmarks/risk.py --largest 4

All but one of N records with a normal distribution are released and their mean is asked, so that
there are N worlds. Every time is that of the fastest of some runs, in processor seconds, and
divided by that of ``numpy.sort`` of the N answers; nothing is asserted.
"""

import argparse
import dataclasses
from collections.abc import Iterator

import numpy as np
from sensitivity import shortest

import dpchoose as dp


def measured(records: int, runs: int) -> Iterator[tuple[str, float, float]]:
    """Of each task its name, seconds and sorts."""
    universe = np.random.default_rng(records).normal(size=records)
    worlds = dp.possible_worlds("mean", universe, records - 1)
    shuffled = np.random.default_rng(0).permutation(worlds.answers)
    fitting = dp.epsilon_from_risk(worlds, risk="1/3")
    at = {"sensitivity": worlds.sensitivity}

    def bound(epsilon: float | np.ndarray) -> None:
        dp.tight_bound(worlds, epsilon=epsilon, **at)

    def search(risk: str, bound: str = "tight") -> None:
        """Without what is kept once it is known."""
        dp.epsilon_from_risk(dataclasses.replace(worlds), risk=risk, bound=bound, **at)

    tasks = {
        "worlds": lambda: dp.possible_worlds("mean", universe, records - 1),
        "tight bound, one epsilon": lambda: bound(fitting),
        "tight bound, epsilon a thousand times that": lambda: bound(1000 * fitting),
        "tight bound, 500 epsilons": lambda: bound(np.linspace(0, 2 * fitting, 500)),
        "average case, one epsilon": lambda: dp.average_risk(worlds, epsilon=fitting, **at),
        "epsilon from risk 1/3": lambda: search("1/3"),
        "epsilon from risk 1/50": lambda: search("1/50"),
        "epsilon from average risk 1/3": lambda: search("1/3", "average"),
    }
    for name, work in tasks.items():
        sort = shortest(lambda: np.sort(shuffled), runs + 4)
        seconds = shortest(work, 1 if "500" in name else runs)
        yield name, seconds, seconds / sort


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--largest", type=int, default=6, help="the most worlds, as a power of 10")
    parser.add_argument("--runs", type=int, default=5, help="of which the shortest counts")
    options = parser.parse_args()
    print(f"{'task':<42}{'worlds':>10}{'seconds':>12}{'sorts':>10}")
    for power in range(3, options.largest + 1):
        for name, seconds, sorts in measured(10**power, options.runs):
            print(f"{name:<42}{10**power:>10,}{seconds:>12.5f}{sorts:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
