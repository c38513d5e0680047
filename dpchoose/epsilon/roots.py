"""Where sums that decay with distance fall to a given value."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

FARTHEST = 700.0  # whose exponential is a float, as is its inverse


def smallest_root(
    worst: Callable[[float], int],
    answers: np.ndarray,
    logs: np.ndarray,
    peaks: np.ndarray,
    goal: float,
    rate: float,
) -> tuple[float, int]:
    """The rate at which the worst world reaches the goal, and that world.

    Args:
        worst: the world of largest risk at a rate.
        answers, logs, peaks: of the worlds; logarithms of weight and peak.
        goal: logarithm of the risk.
        rate: to begin with.

    >>> answers, logs = np.array([0.0, 1, 9]), np.zeros(3)
    >>> smallest_root(lambda rate: 2, answers, logs, logs, -np.log(2), 0.1)[1]
    2
    """
    before = -1
    for _ in range(100):
        at = worst(rate)
        if at == before:
            break
        reached = root(np.abs(answers - answers[at]), logs, peaks[at] - goal, rate)
        if reached == math.inf:  # where a coarse look sees a tie
            rate, before = min(16 * rate, 1e280), -1
            continue
        settled = before >= 0 and abs(reached - rate) <= 1e-13 * rate
        rate, before = reached, at
        if settled:
            break
    return float(rate), at


def root(distances: np.ndarray, logs: np.ndarray, goal: float, rate: float) -> float:
    """The rate at which the logarithm of the sum falls to the goal; inf if it never does.

    Newton's method on a convex, decreasing function: from the left it stays
    on the left, from the right it jumps there.

    >>> round(root(np.array([0.0, 1]), np.log([1, 3]), math.log(2), 0.0), 9)  # ln 3
    1.098612289
    """
    for _ in range(200):
        value, mean = log_sum(distances, logs, rate)
        if mean == 0:
            return math.inf if value > goal else rate
        step = (value - goal) / mean
        rate = rate + step if rate + step > 0 else rate / 4
        if abs(step) <= 1e-13 * rate:
            break
        if rate > 1e300:
            return math.inf
    return rate


def log_sum(distances: np.ndarray, logs: np.ndarray, rate: float) -> tuple[float, float]:
    """The logarithm of the sum of weights that decay with distance, and minus its slope.

    >>> log_sum(np.array([1.0]), np.array([0.0]), 2.0)
    (-2.0, 1.0)
    """
    terms = logs - rate * distances
    top = float(terms.max())
    terms -= top
    np.exp(terms, out=terms)
    whole = float(terms.sum())
    terms *= distances
    return top + math.log(whole), float(terms.sum()) / whole


def crossing(excess: Callable[[float], float], low: float) -> float:
    """Where an increasing function crosses 0, found from below by regula falsi.

    Args:
        excess: continuous; its argument stays within [-700, 700] or so.
        low: to begin with; better below the crossing.

    >>> round(crossing(lambda x: math.exp(x) - 2, -3.0), 9)  # ln 2
    0.693147181
    """
    step, below = math.log(2), excess(low)
    while below >= 0 and low > -FARTHEST:
        low, step = low - step, 2 * step
        below = excess(low)
    high, step = low + math.log(2), math.log(2)
    while (above := excess(min(high, FARTHEST))) < 0 and high < FARTHEST:
        low, below, step = high, above, 2 * step
        high = low + step
    high, side = min(high, FARTHEST), 0
    if below >= 0 or above < 0:  # too flat for floats
        return low
    for _ in range(200):
        if high - low <= 1e-13:
            break
        middle = low + (high - low) / 2
        if above > below:
            chord = low - below * (high - low) / (above - below)
            middle = chord if low < chord < high else middle
        value = excess(middle)
        if abs(value) <= 4e-15:
            return middle
        if value < 0:
            low, below, above = middle, value, above / 2 if side < 0 else above
        else:
            high, above, below = middle, value, below / 2 if side > 0 else below
        side = -1 if value < 0 else 1
    return low
