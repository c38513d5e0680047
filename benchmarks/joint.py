"""What the joint risk of several answers costs, in seconds.

    python benchmarks/joint.py
    python benchmarks/joint.py --rows 10000

For each way in which rows of answers can lie, each number of answers and some
accepted risks: the processor seconds of one evaluation of the largest risk, at
the rates that have this risk, and how many evaluations it took to find them
(Newton's method on the worst row, and a look at all rows again).
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from dpchoose.risk.joint import JointRisk

SPREAD = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(size=shape),
    "even": lambda rng, shape: rng.random(shape),
    "clusters": lambda rng, shape: rng.normal(size=shape) * 0.01 + rng.integers(0, 5, shape),
}


def invert(distances: np.ndarray, weights: np.ndarray, total: float) -> float:
    """The factor tau at which the sum of weights times exp(-tau distance) is the total."""
    tau = 0.0
    for _ in range(100):
        terms = weights * np.exp(-tau * distances)
        step = (terms.sum() - total) / (terms @ distances)
        tau += step  # the sum is convex and falls: from the left no step goes too far
        if step <= 1e-14 * tau:
            break
    return tau


def fitting(joint: JointRisk, risk: float, ray: np.ndarray) -> tuple[np.ndarray, float, int]:
    """The rates along the ray with this risk, seconds of the last evaluation, evaluations."""
    row, rounds = 0, 0
    while True:
        tau = invert(joint.distances(row, ray), joint.weights, joint.peaks[row] / risk)
        start = time.process_time()
        log_risk, row = joint.largest(tau * ray)
        seconds = time.process_time() - start
        rounds += 1
        if log_risk <= np.log(risk) + 1e-9:
            return tau * ray, seconds, rounds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--answers", type=int, nargs="+", default=[2, 3])
    count = parser.parse_args()
    size = count.rows
    print(f"{'rows lie':>10} {'answers':>8} {'risk':>10} {'seconds':>8} {'evaluations':>12}")
    for name, draw in SPREAD.items():
        for answers in count.answers:
            table = draw(np.random.default_rng(answers), (size, answers))
            joint = JointRisk(table, np.full(size, 1 / size), np.full(size, 1 / size))
            ray = 1 / np.ptp(table, axis=0)
            for risk in (1.01 / size, 2 / size, 0.01, 0.1, 0.5):
                _, seconds, rounds = fitting(joint, risk, ray)
                print(f"{name:>10} {answers:>8} {risk:>10.3g} {seconds:>8.2f} {rounds:>12}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"at most {peak} MB in memory")


if __name__ == "__main__":
    main()
