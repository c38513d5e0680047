"""From a risk to the rate that keeps it: the one inversion of every bound.

A curve is a function of one number, the rate along a ray, that gives a value which never
falls and by how much it may be off. Laplace noise of scale b is Laplace noise of a smaller
scale a and independent noise besides, which is 0 with probability a^2/b^2 and Laplace of
scale b otherwise (compare the characteristic functions 1/(1 + b^2 s^2)). So more noise tells
nobody more, and the safe rates form an interval from 0. A rate is *safe* when the value
with its margin is at most the goal.

Rates are looked for on a grid, the floats of 31 binary digits, by a walk that decides one
digit after the other, whatever the goal. So of two goals the larger one never gets the
smaller rate, and what is returned is within 1e-9 of the solution but for the margin. Most
digits need no look: a bracket is found first by secants, at both ends of which the curve
is farther from the goal than its margins.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpchoose import checks, progress
from dpchoose.epsilon import text
from dpchoose.risk import bounds
from dpchoose.risk.kernel import UNIT
from dpchoose.worlds.answers import TooFarApart
from dpchoose.worlds.worlds import Worlds

DIGITS = 30  # binary digits of a rate on the grid, after the first
POWERS = 11  # of its exponent, which goes from -1024 to 1023
NEAR = 2.0**-27  # how close a bracket is wanted
LOWEST = 1e-290  # rates beyond it, and beyond its inverse, are not looked at
ROUNDS = 12  # of rows that are the worst, one after the other
LOOKS, USUAL = 60, 20  # at most for a bracket; in all, for most curves
MOST_OFF = 1e-6  # of the logarithm of a risk: beyond, the answers are not known well enough
SHAVED = 1 - 2.0**-50  # so that epsilon / sensitivity, rounded, is no more than the rate
BOUNDS = ("tight", "upper", "average")

Curve = Callable[[float], tuple[float, float]]


class UnattainableRisk(ValueError):
    """No positive epsilon meets the risk, because so much was believed before any answer.

    It is a ValueError. :func:`dpchoose.recommend` never raises it: the status says
    "cannot be met", and the reason names what to exceed.
    """


def largest_rate(curve: Curve, goal: float, start: float = 1.0) -> float:
    """The largest rate on the grid at which a curve, with its margin, is at most the goal.

    The nearer the start, in (0, inf), the better. It is 0 when no rate is found safe, and the
    largest of the grid, about 1e308, when all are.

    >>> round(largest_rate(lambda rate: (rate * rate, 0.0), 2.0), 8)  # the root of 2
    1.41421356
    """
    looks = _Looks(curve)
    safe, unsafe = _bracket(looks, goal, start)
    found = 0
    for digit in reversed(range(DIGITS + POWERS)):
        trial = found | 1 << digit
        rate = _on_grid(trial)
        if rate <= safe or (rate < unsafe and sum(looks(rate)) <= goal):
            found = trial
    return _on_grid(found) if found else 0.0


class _Looks:
    """A curve that says on standard error how far it is, and before, if that takes long."""

    def __init__(self, curve: Curve) -> None:
        self.curve, self.began = curve, time.monotonic()
        self.shown = progress.shown(range(3 * LOOKS), USUAL, "looking for the noise")

    def __call__(self, rate: float) -> tuple[float, float]:
        if next(self.shown, 0) == 1:
            progress.announce((time.monotonic() - self.began) * USUAL, "fewer answers at once")
        return self.curve(rate)


def _bracket(look: Curve, goal: float, rate: float) -> tuple[float, float]:
    """A rate that is safe by more than its margins, and one that is not by more."""
    low, high, safe, unsafe = 0.0, 0.0, 0.0, math.inf
    gaps = [0.0, 0.0]  # of low and high, halved where a secant stays on one side
    last, step = 0, NEAR
    for _ in range(LOOKS):
        value, off = look(rate)
        gap = value + off - goal
        safe = max(safe, rate) if gap <= -2 * off else safe
        unsafe = min(unsafe, rate) if gap > 2 * off else unsafe
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


@dataclass(frozen=True, eq=False)
class Ray:
    """Rates that grow together in a direction, from the base of what is out already, (K,) each."""

    base: np.ndarray
    direction: np.ndarray

    def at(self, along: float) -> np.ndarray:
        """The rates so far along the ray, shape (K,)."""
        with np.errstate(invalid="ignore"):
            return self.base + np.where(self.direction == 0, 0, along * self.direction)


def distance_curve(distance: Callable[[np.ndarray], float], ray: Ray) -> Curve:
    """How far apart two lists can lie along a ray."""

    def curve(along: float) -> tuple[float, float]:
        far = distance(ray.at(along))
        return far, 64 * UNIT * far

    return curve


def goal_of(risk: Fraction) -> float:
    """The logarithm of a risk, less what rounding it may add."""
    goal = text.log(risk)
    return goal - 8 * UNIT * (1 + abs(goal))


def growth(before: Fraction, risk: Fraction) -> float:
    """The logarithm of the factor by which odds grow from a belief to a larger one, rounded down.

    The factor is exact before it is a float, so its logarithm is within 2^-51, relative.

    >>> round(growth(Fraction(1, 4), Fraction(1, 2)) / math.log(3), 12)
    1.0
    """
    return text.log(risk * (1 - before) / ((1 - risk) * before)) * (1 - 8 * UNIT)


def kept_rate(worlds: Worlds, ray: Ray, risk: Fraction) -> float:
    """How far along a ray the tight bound keeps a risk; 0 for nowhere, inf for everywhere.

    Raises TooFarApart where the answers lie too far apart for floats at that rate.
    """
    if risk >= worlds.largest_share:  # the exact answers keep it
        return math.inf
    if risk <= worlds.largest_prior:
        return 0.0
    goal, among = goal_of(risk), worlds.growing(risk)
    known: list[int] = []  # rows that were the worst somewhere

    def curve(along: float) -> tuple[float, float]:
        off = bounds.margin(worlds, rates := ray.at(along))
        for row in known:
            if (value := bounds.of_row(worlds, rates, row)) - off > goal:
                return value, off
        logs = np.where(among, bounds.log_risks(worlds, rates), -math.inf)
        known.append(int(logs.argmax()))
        return float(logs.max()), off

    def curve_of_one(along: float) -> tuple[float, float]:
        rates = ray.at(along)
        return bounds.of_row(worlds, rates, known[-1]), bounds.margin(worlds, rates)

    if ray.base.any() and sum(curve(math.inf)) <= goal:
        return math.inf
    far = bounds.diameter(worlds, ray.direction)
    start = growth(worlds.largest_prior, risk) / far if 0 < far < math.inf else 1.0
    start = min(max(start, LOWEST), 1 / LOWEST)
    curve(start)
    for _ in range(ROUNDS):  # where the worst row reaches the goal, look which is the worst there
        start = largest_rate(curve_of_one, goal, start) or start
        if sum(curve(start)) <= goal:
            break
    along = largest_rate(curve, goal, start)
    if along and curve(along)[1] > MOST_OFF:
        raise TooFarApart(worlds.answers.ravel(), "the answers")
    return along


def epsilon_from_risk(
    worlds: Worlds,
    *,
    risk: Any,
    sensitivity: Any,
    bound: str = "tight",
    split: Any = "equal",
    already: Any = None,
) -> Any:
    """The largest epsilon whose disclosure risk is at most the accepted one (``eq-choose``).

    Lee and Clifton (2011): equation 9 inverted (``eq-closed-form``) for "upper"; the search
    of section 5 for "tight"; "average" inverts :func:`dpchoose.average_risk`. For d answers
    published together the epsilons lie along a ray, and it is their joint risk that is kept.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3" or "5%".
        sensitivity: of the query, in [0, inf), in the unit of the answers; for d answers of
            shape (d,).
        bound: "tight", "upper", or, for one answer, "average".
        split: of the risk among d answers: "equal" epsilons, or weights of shape (d,), at
            least 0.
        already: noise scales of answers that are published, in (0, inf), nan for the new
            ones, shape (d,); None for none.

    Returns:
        a float, or an array of shape (d,), whose risk does not exceed the request; math.inf
        when every epsilon meets it. What is out already comes back as sensitivity / scale.

    Raises:
        UnattainableRisk: no positive epsilon meets it.

    >>> from dpchoose.worlds.worlds import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(epsilon_from_risk(days, risk="1/3", sensitivity=17 / 6), 8)
    0.43172012
    >>> both = possible_worlds(["mean", "median"], [1, 2, 3, 10], 3)
    >>> epsilon_from_risk(both, risk="1/3", sensitivity=[17 / 6, 4]).round(4).tolist()
    [0.3686, 0.3686]
    """
    several = bounds.known(worlds).answers.ndim > 1
    count = worlds.shape[0] * worlds.shape[1]
    checks.choice("bound", bound, BOUNDS)
    target = text.parse_risk(risk)
    shape = (count,) if several else ()
    deltas = checks.reals("sensitivity", sensitivity, 0, math.inf, closed="[)", shape=shape)
    deltas = deltas.reshape(-1)
    scales = scales_of(already, count)
    if several and bound == "average":
        raise ValueError("bound must be tight or upper for several answers, got 'average'")
    new, weights = np.isnan(scales), weights_of(split, count)
    if not new.any():
        raise ValueError("already must leave an answer that is new, got a scale for each")
    base = np.where(new, np.where(deltas == 0, math.inf, 0), 1 / scales)
    free = new & (deltas > 0)
    ray = Ray(base, np.divide(weights, deltas, out=np.zeros(count), where=free))
    along = _along(worlds, ray, target, bound)
    if not along:
        reason = f"risk must exceed {text.show(worlds.largest_prior)}, the largest prior, for any "
        if already is not None and target > worlds.largest_prior:
            reason = "already must leave some of the risk, so that there is for any "
        raise UnattainableRisk(f"{reason}positive epsilon to meet it, got {text.show(target)}")
    with np.errstate(invalid="ignore"):
        found = np.nan_to_num(ray.at(along) * deltas, nan=0.0, posinf=math.inf) * SHAVED
    if along == math.inf:
        found[(ray.direction > 0) | np.isinf(ray.base)] = math.inf
    return found if several else float(found[0])


def _along(worlds: Worlds, ray: Ray, risk: Fraction, bound: str) -> float:
    """How far along a ray a bound keeps a risk; 0 for nowhere, inf for everywhere."""
    if bound == "tight":
        return kept_rate(worlds, ray, risk)
    differ = len(worlds.peaks) > 1
    guessed = Fraction(sum(worlds.peak_masses), sum(worlds.masses))  # where the answer is known
    if risk >= (guessed if bound == "average" or not differ else 1):
        return math.inf
    if risk <= worlds.largest_prior:
        return 0.0

    def average(along: float) -> tuple[float, float]:
        rates = ray.at(along)
        off = bounds.margin(worlds, rates) + UNIT * (64 + 4000 * len(worlds.peaks))
        return math.log(bounds.average(worlds, rates)), off

    if bound == "average":
        curve, goal = average, goal_of(risk)
    else:
        curve = distance_curve(partial(bounds.diameter, worlds), ray)
        goal = growth(worlds.largest_prior, risk)
    return math.inf if sum(curve(math.inf)) <= goal else largest_rate(curve, goal)


def scales_of(already: Any, count: int) -> np.ndarray:
    """Noise scales of what is out, in (0, inf), nan for new answers, shape (count,)."""
    if already is None:
        return np.full(count, math.nan)
    scales = np.atleast_1d(checks.held("already", already)).astype(float)
    if scales.shape != (count,):
        raise ValueError(f"already must have shape ({count},), got {scales.shape}")
    checks.reals("already", scales[~np.isnan(scales)], 0, math.inf, closed="()")
    return scales


def weights_of(split: Any, count: int) -> np.ndarray:
    """The epsilons' shares that a split gives, shape (count,).

    >>> weights_of("equal", 2).tolist()
    [1.0, 1.0]
    """
    if isinstance(split, str):
        checks.choice("split", split, ("equal",))
        return np.ones(count)
    weights = checks.reals("split", split, 0, math.inf, closed="[)", shape=(count,))
    if not weights.any():
        raise ValueError(f"split must not be all 0, got {weights.tolist()}")
    return weights
