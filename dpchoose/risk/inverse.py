"""From a risk to the rate that keeps it: the one inversion of every bound.

A curve is a function of one number, the rate along a ray, that gives a value which never
falls and by how much it may be off. Laplace noise of scale b is Laplace noise of a smaller
scale a and independent noise besides, which is 0 with probability a^2/b^2 and Laplace of
scale b otherwise (compare the characteristic functions 1/(1 + b^2 s^2)). So more noise tells
nobody more, and the safe rates form an interval from 0. A rate is *safe* when the value
with its margin is at most the goal.

Rates are looked for on a grid, the floats of 31 binary digits, by a walk that decides one
digit after the other, whatever the goal. So of two goals the larger one never gets the
smaller rate, and what is returned is within 1e-9 of the solution but for the margin. For speed
alone a bracket is found first, by secants, at both ends of which the curve is farther from the
goal than its margins: it spares most evaluations, and changes no result.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks, numbers, progress
from dpchoose.risk import bounds
from dpchoose.risk.kernel import UNIT
from dpchoose.worlds.answers import TooFarApart
from dpchoose.worlds.worlds import Worlds

DIGITS = 30  # binary digits of a rate on the grid, after the first
POWERS = 11  # of its exponent, which goes from -1024 to 1023
NEAR = 2.0**-27  # the relative width at which a bracket is narrow enough
LOWEST = 1e-290  # the smallest rate that is tried; its inverse is the largest
ROUNDS = 12  # how often the active set may get another row
MOST_STEPS = 60  # evaluations of a curve that a bracket may take
USUAL_STEPS = 20  # evaluations that most curves take in all, for the forecast
LARGEST_MARGIN = 1e-6  # of a logarithm of a risk: beyond it floats cannot tell the answers apart
SHAVED = 1 - 2.0**-50  # a factor, so that epsilon / sensitivity, rounded, is at most the rate
BOUNDS = ("tight", "upper", "average")

Curve = Callable[[float], tuple[float, float]]  # of a rate: a value, and its margin


class UnattainableRisk(ValueError):
    """No positive epsilon meets the risk, because so much was believed before any answer.

    It is a ValueError, and says what to exceed.
    """


def largest_rate(curve: Curve, goal: float, start: float = 1.0) -> float:
    """The largest rate on the grid at which a curve, with its margin, is at most the goal.

    The nearer the start, in (0, inf), the better. It is 0 when no rate is found safe, and the
    largest of the grid, about 1e308, when all are.

    >>> round(largest_rate(lambda rate: (rate * rate, 0.0), 2.0), 8)  # the root of 2
    1.41421356
    """
    what, faster = "looking for the noise", "fewer answers at once"
    with progress.bar(USUAL_STEPS, what, faster=faster) as bar:

        def counted(rate: float) -> tuple[float, float]:
            bar.update(bar.n < USUAL_STEPS - 1)
            return curve(rate)

        safe, unsafe = _bracket(counted, goal, start)
        code = 0
        for digit in reversed(range(DIGITS + POWERS)):
            trial = code | 1 << digit
            rate = _on_grid(trial)
            if rate <= safe or (rate < unsafe and sum(counted(rate)) <= goal):
                code = trial
    return _on_grid(code) if code else 0.0


def _bracket(curve: Curve, goal: float, rate: float) -> tuple[float, float]:
    """A rate below which all are safe, and one above which none is, by more than the margins."""
    low, high, safe, unsafe = 0.0, 0.0, 0.0, math.inf
    gaps = [0.0, 0.0]  # of low and high, halved where a secant stays on one side
    last, step = 0, NEAR
    for _ in range(MOST_STEPS):
        value, margin = curve(rate)
        gap = value + margin - goal
        safe = max(safe, rate) if gap <= -2 * margin else safe
        unsafe = min(unsafe, rate) if gap > 2 * margin else unsafe
        side = int(gap > 0)
        gaps[side], gaps[1 - side] = gap, gaps[1 - side] / (1 + (side == last))
        low, high, last = (low, rate, side) if side else (rate, high, side)
        if not high or not low:
            rate *= 1 + step if not high else 1 / (1 + step)
            step = min(2.0**12 * step, 7)  # the start may be close
            if not LOWEST < rate < 1 / LOWEST:
                break
        elif high > 4 * low:
            rate = math.sqrt(low) * math.sqrt(high)
        elif high <= low * (1 + NEAR):
            break
        else:
            rate = low + (high - low) * (gaps[0] / (gaps[0] - gaps[1]))
            rate = min(max(rate, low * (1 + NEAR / 2)), high * (1 - NEAR / 2))
    return safe, unsafe


def _on_grid(code: int) -> float:
    """The float that a code of the grid stands for; codes are ordered as the floats."""
    share = code & ((1 << DIGITS) - 1)
    return math.ldexp(1 + share / (1 << DIGITS), (code >> DIGITS) - (1 << POWERS - 1))


def on_ray(direction: np.ndarray, along: float) -> np.ndarray:
    """The rates so far along a ray from 0, (d,); where the direction is 0 a rate stays 0."""
    with np.errstate(invalid="ignore"):
        return np.where(direction == 0, 0, along * direction)


def goal_of(risk: Fraction) -> float:
    """The logarithm of a risk, less what rounding it may add."""
    goal = numbers.log(risk)
    return goal - 8 * UNIT * (1 + abs(goal))


def log_odds_ratio(before: Fraction, risk: Fraction) -> float:
    """The logarithm of the factor by which odds grow from a belief to a larger one, rounded down.

    The factor is exact before it is a float, so its logarithm is within 2^-51, relative.

    >>> round(log_odds_ratio(Fraction(1, 4), Fraction(1, 2)) / math.log(3), 12)
    1.0
    """
    return numbers.log(risk * (1 - before) / ((1 - risk) * before)) * (1 - 8 * UNIT)


def largest_tight_rate(worlds: Worlds, direction: np.ndarray, risk: Fraction) -> float:
    """How far along a ray the tight bound keeps a risk; 0 for nowhere, inf for everywhere.

    The *active set* holds the rows that were the worst at some rate: where one of them exceeds
    the risk, no other needs to be evaluated.
    Raises TooFarApart where the answers lie too far apart for floats at that rate.
    """
    if risk >= worlds.largest_share:  # the exact answers keep it
        return math.inf
    if risk <= worlds.largest_prior:
        return 0.0
    goal, candidates = goal_of(risk), worlds.exceeds_without_noise(risk)
    active: list[int] = []

    def curve(along: float) -> tuple[float, float]:
        margin = bounds.margin(worlds, rates := on_ray(direction, along))
        for row in active:
            if (value := bounds.log_risk_of_row(worlds, rates, row)) - margin > goal:
                return value, margin
        logs = np.where(candidates, bounds.log_risks(worlds, rates), -math.inf)
        active.append(int(logs.argmax()))
        return float(logs.max()), margin

    def curve_of_last(along: float) -> tuple[float, float]:
        rates = on_ray(direction, along)
        return bounds.log_risk_of_row(worlds, rates, active[-1]), bounds.margin(worlds, rates)

    if not np.isfinite(1 / direction).all() and sum(curve(math.inf)) <= goal:
        return math.inf  # an answer without a share, or without noise
    distance = bounds.diameter(worlds, direction)
    ratio = log_odds_ratio(worlds.largest_prior, risk)
    start = ratio / distance if 0 < distance < math.inf else 1.0
    start = min(max(start, LOWEST), 1 / LOWEST)
    curve(start)
    for _ in range(ROUNDS):  # the worst row is solved alone, and checked where it reaches the goal
        start = largest_rate(curve_of_last, goal, start) or start
        if sum(curve(start)) <= goal:
            break
    along = largest_rate(curve, goal, start)
    if along and curve(along)[1] > LARGEST_MARGIN:
        raise TooFarApart(worlds.answers.ravel(), "the answers")
    return along


def epsilon_from_risk(
    worlds: Worlds,
    *,
    risk: Any,
    sensitivity: Any = None,
    bound: str = "tight",
    split: Any = "equal",
) -> Any:
    """The largest epsilon, rounded down, whose bound is at most ``risk`` (``eq-choose``).

    Lee and Clifton (2011): equation 9 inverted (``eq-closed-form``) for "upper"; the search
    of section 5 for "tight"; "average" inverts :func:`dpchoose.average_risk`. For d answers
    published together the epsilons lie along a ray, and it is their joint risk that is kept.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3" or "5%".
        sensitivity: of the query, in [0, inf), in the unit of the answers; for d answers of
            shape (d,). None for ``worlds.sensitivity``.
        bound: "tight", "upper", or, for one answer, "average".
        split: of the risk among d answers: "equal" epsilons, or weights above 0, of
            shape (d,).

    Returns:
        a float, or an array of shape (d,), rounded down, as a rule by less than 1e-9 of it, so
        that the risk does not exceed the request; math.inf when every epsilon meets it.

    Raises:
        UnattainableRisk: no positive epsilon meets it.

    >>> days = dp.possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(dp.epsilon_from_risk(days, risk="1/3"), 8)
    0.43172012
    >>> both = dp.possible_worlds(["mean", "median"], [1, 2, 3, 10], 3)
    >>> dp.epsilon_from_risk(both, risk="1/3", sensitivity=[17 / 6, 4]).round(4).tolist()
    [0.3686, 0.3686]
    """
    several = bounds.known(worlds).several
    checks.choice("bound", bound, BOUNDS)
    target = numbers.parse_risk(risk)
    deltas = bounds.sensitivity_of(worlds, sensitivity).reshape(-1)
    if several and bound == "average":
        raise ValueError("bound must be tight or upper for several answers, got 'average'")
    weights = weights_of(split, several or 1)  # a sensitivity of 0 asks for no noise
    direction = np.divide(weights, deltas, out=np.full(len(deltas), math.inf), where=deltas > 0)
    along = _largest_along(worlds, direction, target, bound)
    if not along:
        reason = f"risk must exceed {numbers.format_fraction(worlds.largest_prior)}, the largest "
        reason += "prior, for any positive epsilon to meet it"
        raise UnattainableRisk(f"{reason}, got {numbers.format_fraction(target)}")
    with np.errstate(invalid="ignore"):
        rates = on_ray(direction, along)
        epsilons = np.where(deltas > 0, rates * deltas, 0 if along < math.inf else along) * SHAVED
    return epsilons if several else float(epsilons[0])


def _largest_along(worlds: Worlds, direction: np.ndarray, risk: Fraction, bound: str) -> float:
    """How far along a ray a bound keeps a risk; 0 for nowhere, inf for everywhere."""
    if bound == "tight":
        return largest_tight_rate(worlds, direction, risk)
    without_noise = Fraction(sum(worlds.peak_masses), sum(worlds.masses))  # the average case
    if risk >= without_noise and (bound == "average" or len(worlds.peaks) == 1):
        return math.inf
    if risk <= worlds.largest_prior:
        return 0.0

    def curve(along: float) -> tuple[float, float]:
        rates = on_ray(direction, along)
        if bound == "upper":
            distance = bounds.diameter(worlds, rates)
            return distance, 64 * UNIT * distance
        margin = bounds.margin(worlds, rates) + UNIT * (64 + 4000 * len(worlds.peaks))
        return math.log(bounds.average(worlds, rates)), margin

    upper = bound == "upper"
    goal = log_odds_ratio(worlds.largest_prior, risk) if upper else goal_of(risk)
    return math.inf if sum(curve(math.inf)) <= goal else largest_rate(curve, goal)


def weights_of(split: Any, count: int) -> np.ndarray:
    """The epsilons' shares that a split gives, each above 0, shape (count,).

    >>> weights_of("equal", 2).tolist()
    [1.0, 1.0]
    """
    if isinstance(split, str):
        checks.choice("split", split, ("equal",))
        return np.ones(count)
    return checks.reals("split", split, 0, math.inf, closed="()", shape=(count,))
