r"""The epsilon of a risk in floats, for many worlds, between two bounds that prove it.

The risk of world i is :math:`e^{\ln p_i - \ln S_i(t)}` at rate t, and
:math:`\ln S_i(t) = \ln\sum_j p_j e^{-t|f_i - f_j|}` is convex and decreasing:
Newton's method finds the rate at which one world reaches the accepted risk.
The smallest of these rates is sought by going from the worst world to the
worst world at its rate, which only ever goes down.

Two floats around the result, 8e-10 apart, settle it: at the lower one the
risk plus the bound on its error is at most what is accepted, at the upper one
the risk less that bound is more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpchoose.epsilon.roots import crossing, log_sum, root, smallest_root
from dpchoose.risk.bounds import best_guess, decay, log_heights, log_risk_error, worst_world
from dpchoose.worlds.possible import Worlds

HALF_GAP = 4e-10  # relative, of the two floats around the result
COARSE = 4096  # answers in the first look at many worlds
UNIT = 2.0**-53


def worst_case_epsilon(worlds: Worlds, target: Fraction, sensitivity: float) -> float | None:
    """An epsilon whose worst-case risk is at most the target, within 8e-10 of the solution.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`, M > 1 answers.
        target: the accepted risk, above the prior and below the limit.
        sensitivity: of the query, in (0, inf), in the unit of the answers.

    Returns:
        None where floats cannot prove it.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(worst_case_epsilon(days, Fraction(1, 3), 17 / 6), 9)
    0.431720119
    """
    if not _fit_for_floats(worlds):
        return None
    goal, among = log_of(target), _growing(worlds, target)
    rate, at = _worst_case_rate(worlds, target, goal, among)
    off = log_risk_error(worlds) + 4 * UNIT * (abs(goal) + 1)
    distances, logs = np.abs(worlds.answers - worlds.answers[at]), _logs(worlds)

    def at_least(rate: float) -> float:
        return _log_peaks(worlds)[at] - log_sum(distances, logs, rate)[0] - off

    def at_most(rate: float) -> float:
        return worst_world(worlds, rate, among)[0] + off

    return _between(at_least, at_most, goal, rate, sensitivity)


def safe_epsilon(worlds: Worlds, target: Fraction, sensitivity: float) -> float:
    """An epsilon whose worst-case risk is at most the target, as near as floats can prove.

    For worlds of which only logarithms of the numbers are known.
    """
    goal, among = log_of(target), _growing(worlds, target)
    off = log_risk_error(worlds) + 4 * UNIT * (abs(goal) + 1)
    rate = _worst_case_rate(worlds, target, goal, among)[0]
    return _stepped_down(lambda t: worst_world(worlds, t, among)[0] + off, goal, rate, sensitivity)


def average_epsilon(worlds: Worlds, target: Fraction, sensitivity: float) -> float | None:
    """The same for the average risk, by regula falsi on a logarithmic scale.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(average_epsilon(days, Fraction(1, 3), 17 / 6), 6)
    0.705314
    """
    heights, answers, goal = log_heights(worlds), worlds.answers, float(target)
    if not _fit_for_floats(worlds) or worlds.log_counts is not None:
        return None

    def excess(log_rate: float) -> float:
        return best_guess(heights, answers, math.exp(log_rate))[0] / goal - 1

    rate = math.exp(crossing(excess, math.log(_first_guess(worlds, target))))

    def at_least(rate: float) -> float:
        risk, off = best_guess(heights, answers, rate)
        return risk - off

    def at_most(rate: float) -> float:
        risk, off = best_guess(heights, answers, rate)
        return risk + off + 4 * UNIT * goal

    return _between(at_least, at_most, goal, rate, sensitivity)


def shell_epsilon(
    distances: np.ndarray, logs: np.ndarray, log_error: float, target: Fraction, sensitivity: float
) -> float | None:
    """The same for one world with shells of others around it, by their logarithmic sizes.

    >>> round(shell_epsilon(np.array([0.0, 1]), np.log([1, 3]), 0.0, Fraction(1, 2), 1.0), 8)
    1.09861229
    """
    goal = log_of(target)
    size = float(np.abs(logs).max()) + 1000 + len(logs)
    off = log_error + 4 * UNIT * (abs(goal) + size)
    rate = root(distances, logs, -goal, 0.0)

    def risk(rate: float) -> float:
        return -log_sum(distances, logs, rate)[0]

    return _between(lambda t: risk(t) - off, lambda t: risk(t) + off, goal, rate, sensitivity)


def _between(
    at_least: Callable[[float], float],
    at_most: Callable[[float], float],
    goal: float,
    rate: float,
    sensitivity: float,
) -> float | None:
    """An epsilon just below ``rate * sensitivity`` that two bounds prove, or None.

    Args:
        at_least, at_most: bounds on the risk at a rate, on any increasing scale.
        goal: the accepted risk on that scale; ``at_most`` allows for its rounding.
        rate: near the solution.
        sensitivity: in (0, inf).
    """
    epsilon = rate * sensitivity
    if not 1e-290 < epsilon < 1e290:
        return None
    low, high = epsilon * (1 - HALF_GAP), epsilon * (1 + HALF_GAP)
    if at_most(low / sensitivity) <= goal and at_least(high / sensitivity) > goal:
        return low
    return None


def _stepped_down(
    at_most: Callable[[float], float], goal: float, rate: float, sensitivity: float
) -> float:
    """The first of some epsilons below ``rate * sensitivity`` that a bound proves safe, or 0."""
    for step in range(40):
        epsilon = rate * sensitivity * (1 - min(2.0 ** (step - 33), 0.5)) * 0.5 ** max(step - 32, 0)
        if epsilon > 0 and at_most(epsilon / sensitivity) <= goal:
            return epsilon
    return 0.0


def log_of(value: Fraction) -> float:
    """The natural logarithm of a positive fraction, however small or large."""
    if abs(value.numerator.bit_length() - value.denominator.bit_length()) < 1000:
        return math.log(float(value))
    return math.log(value.numerator) - math.log(value.denominator)


def _fit_for_floats(worlds: Worlds) -> bool:
    """Whether no distance overflows and no weight is too small to be counted on."""
    if not math.isfinite(worlds.spread):
        return False
    return worlds.log_counts is not None or worlds.weights.min() > 1e-290


def _logs(worlds: Worlds) -> np.ndarray:
    return np.log(worlds.weights) if worlds.log_counts is None else worlds.log_counts


def _log_peaks(worlds: Worlds) -> np.ndarray:
    """In the unit of :func:`_logs`."""
    if worlds.log_counts is None:
        return np.log(worlds.peaks)
    return np.zeros(len(worlds.answers))


def _growing(worlds: Worlds, target: Fraction) -> np.ndarray | None:
    """Which answers exceed the risk without noise; None for all. Others never do."""
    if worlds.masses is None:
        among = worlds.log_counts < -log_of(target) + worlds.log_error + 1e-12
    else:
        shares = _log_peaks(worlds) - _logs(worlds) - log_of(target)
        slack = 1e-11 * (1 + np.abs(_logs(worlds)).max())
        among = shares > slack
        for i in np.flatnonzero(np.abs(shares) <= slack).tolist():
            among[i] = worlds.peak_masses[i] > target * worlds.masses[i]
    return None if among.all() else among


def _worst_case_rate(
    worlds: Worlds, target: Fraction, goal: float, among: np.ndarray | None
) -> tuple[float, int]:
    answers, logs, peaks = worlds.answers, _logs(worlds), _log_peaks(worlds)
    if among is not None:
        peaks = np.where(among, peaks, -math.inf)
    start = _first_guess(worlds, target)
    if len(answers) > 4 * COARSE and worlds.log_counts is None:
        start = _coarse_rate(answers, logs, peaks, goal, start)
    return smallest_root(
        lambda rate: worst_world(worlds, rate, among)[1], answers, logs, peaks, goal, start
    )


def _first_guess(worlds: Worlds, target: Fraction) -> float:
    """The rate of the upper bound, which is never too high."""
    prior = worlds.largest_prior
    odds = log_of(target / (1 - target)) + log_of((1 - prior) / prior)
    return max(odds, 1e-12) / worlds.spread


def _coarse_rate(
    answers: np.ndarray, logs: np.ndarray, peaks: np.ndarray, goal: float, start: float
) -> float:
    """Nearly the rate, from groups of neighbouring answers; the outermost stay alone."""
    size = len(answers)
    edges = np.linspace(64, size - 64, COARSE).astype(int)
    starts = np.unique(np.concatenate([np.arange(64), edges, np.arange(size - 64, size)]))
    weights = np.add.reduceat(np.exp(logs), starts)
    some = answers[starts], np.log(weights), np.maximum.reduceat(peaks, starts)

    def worst(rate: float) -> int:
        return int((some[2] - np.log(decay.sums(some[0], weights, np.array([rate]))[0])).argmax())

    rate = smallest_root(worst, *some, goal, start)[0]
    return rate if rate < 1e9 * start else start
