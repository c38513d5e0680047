"""The table from which an epsilon is picked."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Query, evaluate, resolve
from dpchoose.epsilon import certify, shells, solve
from dpchoose.epsilon.choose import (
    UnattainableRisk,
    below_prior,
    epsilon_from_risk,
    epsilon_from_spread,
    show,
)
from dpchoose.risk.record import record_risk
from dpchoose.sensitivity import global_sensitivity
from dpchoose.worlds.possible import Worlds, possible_worlds, subsets
from dpchoose.worlds.subsets import MAX_WORLDS, TooManyWorlds

if typing.TYPE_CHECKING:
    import pandas as pd

EVERY = "any epsilon will do"
EXPOSED = 0.99  # a posterior of a record that is worth a word
RECORD_WORLDS = 200_000  # worlds of which the record risk is added to the table
BLANK = math.nan

Cell = float | str


def recommend(
    query: Query | Sequence[Query],
    universe: Any,
    release_size: int,
    *,
    risk: Any,
    adjacency: str = "unbounded",
    max_worlds: int = MAX_WORLDS,
) -> pd.DataFrame:
    r"""Which epsilon to take, and what it costs, by every bound on the risk.

    The recommended epsilon is the worst case's; where the worlds cannot be
    counted or listed it is the shell bound's, which is safe too. A baseline
    for any mechanism at all: epsilon times the number s of steps between any
    two worlds is at most :math:`\ln\frac{(m - 1)\rho}{1 - \rho}`, with s =
    min(n, N - n) changes, or twice as many removals and additions.

    Args:
        query: a name or a callable on the last axis, or several.
        universe: the N known records, shape (N,); a Series too.
        release_size: n, in [1, N - 1].
        risk: accepted, in (0, 1): a number, a text such as "1/3", or several.
        adjacency: of the neighbours for which epsilon is stated, "unbounded"
            (add or remove a record) or "bounded" (change one).
        max_worlds: the most datasets that may be listed.

    Returns:
        a DataFrame with a row per query and risk. It has the number of worlds,
        the sensitivity and the spread; epsilon by the worst case, the shell
        bound, the upper bound and the average case, and for any mechanism;
        the recommended one; the scale of the Laplace noise, and the half-width
        that holds it with 95 % probability (scale times ln 20), absolute and
        relative to the answer on the universe (blank where that is 0); the
        largest posterior that any record is present, and absent, where the
        worlds can be listed; and the reason for what is blank or in words.
        An epsilon cell is a number, "any epsilon will do", "cannot be met"
        with the risk that must be exceeded, or blank (nan).

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> table = recommend("mean", [1, 2, 3, 10], 3, risk="1/3")
    >>> float(round(table.loc[0, "epsilon"], 9))
    0.43172012
    """
    import pandas as pd

    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    checks.adjacency(adjacency)
    queries = list(query) if isinstance(query, (list, tuple)) else [query]
    risks = list(risk) if isinstance(risk, (list, tuple, np.ndarray)) else [risk]
    targets = [checks.parse_risk(one) for one in risks]
    for one in queries:
        resolve(one)
    rows = []
    for one in queries:
        known = _look_at(one, values, size, adjacency, checks.integer("max_worlds", max_worlds, 1))
        name = one if isinstance(one, str) else getattr(one, "__name__", repr(one))
        rows += [
            {"query": name, "risk": as_given} | _row(known, target)
            for as_given, target in zip(risks, targets)
        ]
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class _Known:
    """What is the same for every risk; None for what cannot be had."""

    query: Query
    values: np.ndarray
    size: int
    total: int
    steps: int
    worlds: Worlds | None
    shells: shells.Shells | None
    sensitivity: float | None
    reasons: list[str]


def _look_at(
    query: Query, values: np.ndarray, size: int, adjacency: str, max_worlds: int
) -> _Known:
    reasons: list[str] = []

    def unless_too_many(find: Callable[[], Any], what: str) -> Any:
        try:
            return find()
        except TooManyWorlds as refusal:
            reasons.append(f"no {what}: {refusal}")
            return None

    limit = {"max_worlds": max_worlds}
    sensitivity = unless_too_many(
        lambda: global_sensitivity(query, values, size, adjacency=adjacency, **limit).value,
        "sensitivity",
    )
    around = unless_too_many(lambda: shells.shells(query, values, size, max_worlds), "shell bound")
    worlds, total = None, math.comb(len(values), size)
    try:
        worlds = possible_worlds(query, values, size, **limit)
    except TooManyWorlds:
        instead = "; epsilon is by the shell bound" if around else ""
        worlds_in_words = f"{subsets.amount(total)} worlds can be neither counted nor listed"
        reasons.append(f"no worst case: {worlds_in_words}{instead}")
    few = min(size, len(values) - size)
    steps = few if adjacency == "bounded" else 2 * few
    return _Known(query, values, size, total, steps, worlds, around, sensitivity, reasons)


def _row(known: _Known, target: Fraction) -> dict[str, Any]:
    worlds, around, sensitivity = known.worlds, known.shells, known.sensitivity
    reasons = list(known.reasons)
    prior = Fraction(1, known.total)

    def cell(find: Callable[[], float], *needed: Any) -> Cell:
        if sensitivity is None or any(one is None for one in needed):
            return BLANK
        try:
            epsilon = find()
        except UnattainableRisk as error:
            if str(error) not in reasons:
                reasons.append(str(error))
            least = prior if sensitivity else worlds.largest_share if worlds else around.limit
            return f"cannot be met: {'must exceed' if sensitivity else 'at least'} {show(least)}"
        return EVERY if epsilon == math.inf else epsilon

    def by_worlds(bound: str) -> Cell:
        return cell(
            lambda: epsilon_from_risk(worlds, risk=target, sensitivity=sensitivity, bound=bound),
            worlds,
        )

    spread = BLANK
    if worlds or around:
        spread = worlds.spread if worlds else float(around.distances[-1])
    worst = by_worlds("worst-case")
    shell = cell(lambda: shells.largest_epsilon(around, target, sensitivity), around)
    upper = by_worlds("upper")
    if worlds is None:
        upper = cell(lambda: epsilon_from_spread(prior, spread, target, sensitivity), around)
    epsilon = shell if worst is BLANK else worst
    if epsilon == EVERY:
        kept = worlds.largest_share if worlds else around.limit
        reasons.append(f"{EVERY}: even the exact answer keeps the risk at {show(kept)}")
    chosen = math.inf if epsilon == EVERY else epsilon if isinstance(epsilon, float) else BLANK
    scale = BLANK if sensitivity is None else sensitivity / chosen
    half_width = scale * math.log(20)
    answer = abs(float(evaluate(known.query, known.values)))
    present, absent = _records(known, chosen)
    share = known.size / len(known.values)
    if (present > EXPOSED and share < 0.9) or (absent > EXPOSED and 1 - share < 0.9):
        reasons.append("a record can be told to be in or out, though no world can be told")
    return {
        "worlds": known.total if known.total < 10**15 else subsets.amount(known.total),
        "sensitivity": BLANK if sensitivity is None else sensitivity,
        "spread": spread,
        "epsilon worst case": worst,
        "epsilon shell bound": shell,
        "epsilon upper bound": upper,
        "epsilon average case": by_worlds("average"),
        "epsilon any mechanism": cell(lambda: _any_mechanism(known, target)),
        "epsilon": epsilon,
        "noise scale": scale,
        "half-width": half_width,
        "relative half-width": half_width / answer if answer else BLANK,
        "record present": present,
        "record absent": absent,
        "reason": "; ".join(reasons),
    }


def _any_mechanism(known: _Known, target: Fraction) -> float:
    """Epsilon for which no mechanism discloses more, by the number of steps between worlds."""
    odds = (known.total - 1) * target / (1 - target)
    if odds <= 1:
        raise UnattainableRisk(below_prior(target, Fraction(1, known.total)))
    return certify.certified_epsilon(
        lambda epsilon, margin: (
            (epsilon * known.steps).exp() * (1 + margin) <= certify.to_decimal(odds)
        ),
        start=max(solve.log_of(odds), 1e-12) / known.steps,
    )


def _records(known: _Known, epsilon: float) -> tuple[float, float]:
    """The largest posterior that a record is present, and absent, where it can be had."""
    few = known.total <= RECORD_WORLDS or known.size == len(known.values) - 1
    if known.sensitivity is None or math.isnan(epsilon) or not few:
        return BLANK, BLANK
    table = record_risk(
        known.query, known.values, known.size, epsilon=epsilon, sensitivity=known.sensitivity
    )
    return float(table.present.max()), float(table.absent.max())
