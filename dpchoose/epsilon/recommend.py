"""Which epsilon to take: the question of the whole package, answered for every adversary."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.asking import ask_beside
from dpchoose.epsilon import text
from dpchoose.epsilon.choose import best, sizes_of, unattainable
from dpchoose.epsilon.describe import Noise, describe
from dpchoose.epsilon.grouped import grouped
from dpchoose.epsilon.inverse import largest_rate
from dpchoose.epsilon.ray import Ray, weights_of
from dpchoose.epsilon.recommendation import Recommendation
from dpchoose.epsilon.setting import Setting
from dpchoose.risk import curves
from dpchoose.risk.bounds import rates_of
from dpchoose.worlds.subsets import MAX_WORLDS

SECRETS = {
    "world": "the largest prior",
    "present": "the prior that a record is in",
    "absent": "the prior that a record is out",
}
NOTHING_LEFT = 1e-3  # of the risk: what is left below it would buy no answer
ROUNDING = 1e-12


def recommend(
    query: Any,
    universe: Any,
    release_size: int | None = None,
    *,
    risk: Any = None,
    epsilon: Any = None,
    scale: Any = None,
    secret: str = "world",
    by: Any = None,
    split: Any = "equal",
    already: Any = None,
    adjacency: str = "unbounded",
    max_worlds: int = MAX_WORLDS,
) -> Any:
    r"""Which epsilon to take, what it costs, and what every adversary gets.

    The accepted risk holds for all answers that are published together, and
    for an adversary who knows the universe and n, and to whom all worlds are
    equally likely. It is kept by the tight bound where the worlds can be
    counted or listed, and by the shell bound where not; for the secret of one
    person by the exact record risk or the record bound.

    Args:
        query: a name, a callable on the last axis, or a list of them; of a
            DataFrame (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1]; None for all but one.
        risk: accepted, in (0, 1): a number, a text such as "1/3", or several.
        epsilon: instead of a risk, one that somebody already has, in (0, inf]:
            of all answers together, or of each, shape (d,).
        scale: instead of a risk, the scale of the noise, in [0, inf), of the
            only answer or of each, shape (d,).
        secret: which risk is accepted: that of a "world" (which n records), or
            that one record is "present" or "absent".
        by: for one answer a group, published together: labels by position,
            shape (N,), or the name of a column.
        split: as for :func:`dpchoose.epsilon_from_risk`.
        already: answers on the same release that are out: pairs of a query (or
            a (query, column) pair) and its noise scale in (0, inf).
        adjacency: of the neighbours for which epsilon is stated, "unbounded"
            (add or remove a record) or "bounded" (change one).
        max_worlds: the most datasets that may be listed.

    Returns:
        a :class:`Recommendation`, or a list of them for a sequence of risks.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> found = recommend("mean", [1, 2, 3, 10], risk="1/3")
    >>> round(found.epsilon, 9), found.status
    (0.43172012, 'ok')
    """
    given = {"risk": risk, "epsilon": epsilon, "scale": scale}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        got = " and ".join(named) or "none"
        raise ValueError(f"exactly one of risk, epsilon and scale must be given, got {got}")
    checks.choice("secret", secret, tuple(SECRETS))
    checks.adjacency(adjacency)
    several = isinstance(risk, (list, tuple)) or (isinstance(risk, np.ndarray) and risk.ndim > 0)
    risks = [] if risk is None else list(risk) if several else [risk]
    if several and not len(risk):
        raise ValueError(f"risk must name at least one, got {risk!r}")
    targets = [text.parse_risk(one) for one in risks]
    asked, scales = ask_beside(query, universe, already)
    asked = replace(asked, several=len(asked.statistics) > 1)  # a list of one is that one
    size = asked.records - 1 if release_size is None else release_size
    size = checks.release_size(size, asked.records)
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    weights = weights_of(split, int(np.isnan(scales).sum()))
    if by is None:
        setting = Setting(asked, size, adjacency, max_worlds, scales)
    else:
        setting = grouped(asked, size, adjacency, max_worlds, scales, by, universe)
    if targets:
        found = [_for_risk(setting, target, secret, weights) for target in targets]
        return found if several else found[0]
    return _as_stated(setting, secret, weights, epsilon, scale)


def _for_risk(
    setting: Setting, risk: Fraction, secret: str, weights: np.ndarray | None
) -> Recommendation:
    """The noise that keeps a risk."""
    import pandas as pd

    curve_of = partial(secret_curve, setting, secret, risk)
    ray = setting.ray(weights)
    if weights is None:
        ray = best(ray, sizes_of(setting.means, setting.spread), curve_of, risk)
    curve = curve_of(ray)
    left = math.inf if setting.new.all() else _left(curve, risk)
    along = largest_rate(curve, risk) if left > NOTHING_LEFT else 0.0
    if 0 <= left <= NOTHING_LEFT and not setting.spread[setting.new].any():
        along = math.inf  # the new answers are the same in every world
    noise = Noise.along(ray, along)
    found = describe(setting, noise, secret=secret, risk=risk)
    if along:
        return replace(found, bounds=pd.Series(_bounds(setting, ray, risk, secret)))
    if 0 <= left <= NOTHING_LEFT:
        reason = f"what is out already leaves under a thousandth of the risk of {text.show(risk)}"
        return replace(found, status="nothing left", reason=reason)
    reason = unattainable(risk, curve.prior, SECRETS[secret])
    if left < 0:
        reason = f"what is out already exceeds the risk of {text.show(risk)}"
    return replace(found.without_numbers(), status="cannot be met", reason=reason)


def _as_stated(
    setting: Setting, secret: str, weights: np.ndarray | None, epsilon: Any, scale: Any
) -> Recommendation:
    """What an epsilon, or a noise scale, that somebody already has amounts to."""
    new = setting.new
    if weights is None:
        raise ValueError("split must be equal or weights where no risk is given, got 'best'")
    if scale is not None:
        scales = checks.stated("scale", scale, int(new.sum()), "[)")
        with np.errstate(divide="ignore", over="ignore"):
            rates = 1 / scales
    else:
        epsilons = checks.stated("epsilon", epsilon, int(new.sum()), "(]")
        if np.ndim(epsilon) == 0:
            ray = setting.ray(weights)
            ones = ray.epsilons(1.0)[new]
            epsilons = epsilons * ones / (setting.total(ones) or 1.0)
        rates = rates_of(epsilons, setting.sensitivities[new])
    every = np.divide(1, setting.scales)
    every[new] = rates
    return describe(setting, Noise.stated(every, setting.sensitivities), secret=secret, risk=None)


def secret_curve(setting: Setting, secret: str, risk: Fraction, ray: Ray) -> curves.Curve:
    """The risk of the secret along a ray."""
    if secret == "world":
        return setting.world_curve(ray, risk)
    return setting.record_curve(ray, secret, risk)


def _left(curve: curves.Curve, risk: Fraction) -> float:
    """How much of the risk is left by what is out, relative; below 0 where it is exceeded."""
    goal = text.log(risk)
    seen = curve.look(0.0, goal)
    left = goal - seen.log_risk
    return max(left, 0.0) if abs(left) <= ROUNDING + seen.log_error else left


def _bounds(setting: Setting, ray: Ray, risk: Fraction, secret: str) -> dict[str, float]:
    """The epsilon of the new answers by each bound; nan where unknown or not to be met."""
    known = setting.bounds(ray, risk)
    if secret != "world":
        known[secret] = secret_curve(setting, secret, risk, ray)
    found = {}
    for name, curve in known.items():
        along = largest_rate(curve, risk) if curve else 0.0
        found[name] = setting.total(ray.epsilons(along)[setting.new]) if along else math.nan
    return found | {"any mechanism": setting.any_mechanism(risk)}
