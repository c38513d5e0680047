"""Epsilon as a function of the accepted risk, never on the wrong side."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpchoose import checks, progress
from dpchoose.epsilon import text
from dpchoose.epsilon.inverse import UnattainableRisk, largest_rate
from dpchoose.epsilon.ray import SHAVED, Ray, ray_of, weights_of
from dpchoose.risk import curves, world_curves
from dpchoose.risk.bounds import farthest_of
from dpchoose.risk.groups import GroupedSums, GroupedTight
from dpchoose.worlds.groups import GroupedWorlds
from dpchoose.worlds.possible import Worlds

MOST_UNEVEN = 1e6  # ratio of two weights that the search looks at
BOUNDS = ("tight", "upper", "average")


def epsilon_from_risk(
    worlds: Worlds | GroupedWorlds,
    *,
    risk: Any,
    sensitivity: Any,
    bound: str = "tight",
    split: Any = "equal",
    already: Any = None,
) -> Any:
    """The largest epsilon whose disclosure risk is at most the accepted one (``eq-choose``).

    Lee and Clifton (2011): equation 9 inverted (``eq-closed-form``) for "upper"; the search of
    section 5 for "tight"; "average" inverts :func:`dpchoose.average_risk`.
    For d answers published together the epsilons lie along a ray, and it is
    their joint risk that is kept.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3".
        sensitivity: of the query, in [0, inf), in the unit of the answers; for
            d answers of shape (d,).
        bound: "tight", "upper", or, for one answer, "average".
        split: of the risk among d answers: "equal" epsilons, weights of shape
            (d,), at least 0, or "best" (d at most 4): the least sum of
            half-widths, each relative to the mean answer over the worlds, that
            was found; the feasible set is not convex, so it is the best found.
        already: noise scales of answers that are published, in (0, inf), nan
            for the new ones, shape (d,); None for none.

    Returns:
        a float, or an array of shape (d,), whose risk does not exceed the
        request; math.inf when every epsilon meets it. What is published
        already comes back as sensitivity / scale.

    Raises:
        UnattainableRisk: no positive epsilon meets it.
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(epsilon_from_risk(days, risk="1/3", sensitivity=17 / 6), 9)
    0.43172012
    >>> both = possible_worlds(["mean", "median"], [1, 2, 3, 10], 3)
    >>> epsilon_from_risk(both, risk="1/3", sensitivity=[17 / 6, 4]).round(4).tolist()
    [0.3686, 0.3686]
    """
    checks.worlds(worlds)
    checks.choice("bound", bound, BOUNDS)
    target = text.parse_risk(risk)
    if worlds.answers.ndim == 1:
        delta = checks.sensitivity(sensitivity)
        found: Any = epsilon_of_one(worlds, target, delta, bound)
    else:
        if bound == "average":
            raise ValueError("bound must be tight or upper for several answers, got 'average'")
        means = worlds.mean_answers.ravel()
        deltas = checks.sensitivities(sensitivity, len(means))
        ray = ray_of(deltas, already)
        if not (ray.direction.any() or np.isinf(ray.base).any()):
            raise ValueError("already must leave an answer that is new, got a scale for each")
        weights = weights_of(split, len(deltas))
        curve_of = partial(joint_curve, worlds, target, bound)
        if weights is None:
            ray = best(ray, sizes_of(means, worlds.spread.ravel()), curve_of, target)
        else:
            ray = ray.towards(weights)
        along = largest_rate(curve_of(ray), target)
        found = ray.epsilons(along) if along else 0.0
    if not np.any(found):
        out = "already must leave some of the risk, got scales that take up all of "
        reason = out + text.show(target) if already is not None else None
        raise UnattainableRisk(reason or unattainable(target, worlds.largest_prior))
    return found


def epsilon_of_one(worlds: Worlds, risk: Fraction, sensitivity: float, bound: str) -> float:
    """The epsilon of a single answer; 0 when no positive one meets the risk."""
    if bound == "tight":
        curve: curves.Curve = world_curves.Tight(worlds, worlds.growing(risk))
    elif bound == "upper":
        farthest = farthest_of(worlds)(np.ones(1))
        curve = curves.upper(worlds.largest_prior, farthest)
    else:
        curve = world_curves.Average(worlds)
    rate = largest_rate(curve, risk)
    return rate if rate == math.inf else rate * sensitivity * SHAVED


def joint_curve(worlds: Worlds, risk: Fraction, bound: str, ray: Ray) -> curves.Curve:
    """The bound on the joint risk along a ray."""
    if bound == "upper":
        return farthest_curve(farthest_of(worlds), worlds.largest_prior, ray)
    return tight_curve(worlds, risk, ray)


def tight_curve(worlds: Worlds | GroupedWorlds, risk: Fraction, ray: Ray) -> curves.Curve:
    """The tight bound along a ray; worlds that cannot exceed the risk are left out."""
    if isinstance(worlds, GroupedWorlds):
        return GroupedTight(GroupedSums(worlds), risk, ray.base, ray.direction)
    among = worlds.growing(risk)
    if worlds.answers.ndim == 1:
        return world_curves.Tight(worlds, among, float(ray.direction[0]))
    return world_curves.Joint(worlds, among, ray.base, ray.direction)


def farthest_curve(
    farthest: Callable[[np.ndarray], float],
    prior: Fraction,
    ray: Ray,
    log_odds: float | None = None,
) -> curves.Around:
    """The upper bound along a ray, from how far apart two worlds can be at given rates."""
    at_once = curves.upper(prior, farthest(ray.direction), log_odds)
    return curves.Around(
        lambda rates: np.array([0.0, farthest(rates)]),
        at_once.logs,
        prior,
        at_once.limit,
        ray.base,
        ray.direction,
    )


def sizes_of(means: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """To what half-widths are relative: the mean answer, or the spread where that is 0."""
    return np.where(spread > 0, np.where(means == 0, spread, np.abs(means)), 0.0)


def best(
    ray: Ray, sizes: np.ndarray, curve_of: Callable[[Ray], curves.Curve], risk: Fraction
) -> Ray:
    """The ray with the least sum of relative half-widths that a search finds.

    From equal epsilons and from equal relative half-widths, one weight at a
    time is multiplied or divided by 4, 2, 1.4, ... as long as that helps.
    Every direction is judged by the noise that the accepted risk allows there.

    Args:
        ray: of equal epsilons.
        sizes: of the answers, to which the half-widths are relative, 0 for an
            answer that needs no noise, shape (d,).
        curve_of: the risk along a ray.
        risk: accepted.
    """
    free = np.flatnonzero((ray.direction > 0) & (sizes > 0))

    def cost(weights: np.ndarray) -> float:
        aimed = ray.towards(weights)
        along = largest_rate(curve_of(aimed), risk)
        if along in (0.0, math.inf):
            return math.inf
        return float((1 / (aimed.rates(along)[free] * sizes[free])).sum())

    even, alike = np.ones(len(sizes)), np.ones(len(sizes))
    alike[free] = ray.sensitivities[free] / sizes[free]
    found, least = even, math.inf
    for weights in (even, alike):
        now, factor = cost(weights), 4.0
        while factor > 1.05:
            trials = [
                weights * np.where(np.arange(len(weights)) == q, change, 1.0)
                for q in free[1:]
                for change in (factor, 1 / factor)
                if 1 / MOST_UNEVEN <= weights[q] * change <= MOST_UNEVEN
            ]
            looked_at = progress.shown(trials, len(trials), "a round of the search for a split")
            costs = [cost(trial) for trial in looked_at] or [math.inf]
            at = int(np.argmin(costs))
            if costs[at] < now:
                weights, now = trials[at], costs[at]
            else:
                factor = math.sqrt(factor)
        if now < least:
            found, least = weights, now
    return ray.towards(found)


def unattainable(risk: Fraction, prior: Fraction, what: str = "the largest prior") -> str:
    """What to say when no positive epsilon meets a risk."""
    return (
        f"risk must exceed {text.show(prior)}, {what}, for any positive "
        f"epsilon to meet it, got {text.show(risk)}"
    )
