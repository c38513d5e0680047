r"""Which epsilon to take: the question of the whole package, answered for every reader.

Every goal ends in a rate t for each answer, along the ray on which the epsilons are shared
as asked. ``odds`` F: the largest rates at which the distance d of what is promised
(:mod:`dpchoose.epsilon.readers`, :mod:`dpchoose.epsilon.everybody`) is at most ln F.
``risk``: those at which the tight bound is at most the risk
(:func:`~dpchoose.epsilon.inverse.kept_rate`); with ``before`` it is the factor
odds(risk)/odds(before). ``error`` e: Laplace noise of scale b exceeds e with probability
:math:`e^{-e/b}`, 5 % at b = e / ln 20. ``epsilon`` and ``scale`` are as given.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import ask_beside, groups_of
from dpchoose.epsilon import text
from dpchoose.epsilon.everybody import Everybody, everybody, refuse_question
from dpchoose.epsilon.inverse import SHAVED, Ray, goal_of, growth, kept_rate, weights_of
from dpchoose.epsilon.readers import KnownFile, furthest
from dpchoose.epsilon.result import CONFIDENT, Goal, Recommendation, errors_of, scales_of
from dpchoose.risk.kernel import UNIT
from dpchoose.worlds.subsets import MAX_WORLDS
from dpchoose.worlds.worlds import refuse_emptied

NOTHING_LEFT = 1e-3  # of what is accepted: what is left below it would buy no answer
SURPRISING = 10  # a factor that is said beside a risk that was accepted
EXACT = ("exact", "every choice of the released records gives the same", math.inf)


def recommend(
    query: Any,
    data: Any,
    release_size: int | None = None,
    *,
    released: Any = None,
    limits: Any = None,
    hide_n: bool = False,
    groups: Any = None,
    odds: Any = None,
    risk: Any = None,
    before: Any = None,
    error: Any = None,
    epsilon: Any = None,
    scale: Any = None,
    by: Any = None,
    split: Any = "equal",
    already: Any = None,
    adjacency: str | None = None,
    max_worlds: int = MAX_WORLDS,
) -> Recommendation:
    r"""Which noise to add, what it costs, and how sure it leaves every reader.

    Either *the file is known*: she knows all N records and the number n that are released, and
    asks who they are (``release_size`` or ``released``). Or *everybody is in the file*: all
    records are released, and of the answered values only public ``limits`` are known, to
    which they are cut. Exactly one of the three says which, and exactly one goal says what
    is accepted.

    Args:
        query: a name, a callable on the last axis, or a list of them that are published
            together; of a DataFrame (query, column) pairs, ("share", "COLUMN=VALUE") too. With
            limits sum, mean and share; where n is hidden also count.
        data: the N records, shape (N,), or a DataFrame.
        release_size: n, in [1, N - 1].
        released: which records are released, 0/1 or booleans, shape (N,).
        limits: public limits (l, h) of the values, or {column: (l, h)}; {} where no column needs
            any, as one of 0 and 1. They are fixed without looking at the file.
        hide_n: with limits, whether n is hidden too, and with it who is in.
        groups: with ``by`` and hide_n the public list of the groups.
        odds: the factor by which odds may grow, above 1. With n = N - 1 it holds for any
            suspicion about who is missing, with fewer for one person's place, with limits for
            every reader in the table.
        risk: in (0, 1), a number or a text such as "1/3" or "1%": how sure she may get who
            is missing who suspects nobody, for n = N - 1; else it needs ``before``.
        before: in (0, risk): with it the risk is that of who suspects one person so much.
        error: the 95 % error that you need, in the unit of each answer, above 0, or of the
            answer, as "5%" (not with limits); one for all or one for each. Not if n is hidden.
        epsilon: that somebody already has, in (0, inf): of all answers together, or of each.
        scale: of the noise that somebody already has, in [0, inf), of one answer or of each.
        by: for one answer a group, published together: labels by position, shape (N,), or
            the name of a column.
        split: "equal" epsilons of the answers, or weights, at least 0.
        already: answers on the same release that are out: pairs of a query (or a (query,
            column) pair) and its noise scale in (0, inf); where n is hidden ("centred sum",
            column) and "count" in the place of a mean.
        adjacency: where the file is known, of the neighbours for which epsilon is stated,
            "unbounded" (add or remove a record; the default) or "bounded" (change one). With
            limits it is of a changed record where n is public, else of one that comes or goes.
        max_worlds: the most datasets that may be listed, at least 1.

    >>> found = recommend("mean", [1, 2, 3, 10], 3, risk="1/3")
    >>> round(found.epsilon, 8), found.status, round(found.odds, 2)
    (0.43172012, 'ok', 1.58)
    """
    goal = _goal(odds=odds, risk=risk, error=error, epsilon=epsilon, scale=scale, before=before)
    named = {"release_size": release_size, "released": released, "limits": limits}
    given = [name for name, value in named.items() if value is not None]
    if len(given) != 1:
        raise ValueError(
            "exactly one of release_size (n), released (a mask) and limits must be given, got "
            f"{' and '.join(given) or 'none'}: either the file is known and only some of it "
            "released, or everybody is in it and limits of the values are public"
        )
    if limits is not None:
        _refuse_beside_limits(goal, adjacency, hide_n)
        how = {"hide_n": hide_n, "groups": groups, "by": by, "already": already}
        setting = everybody(query, data, limits, **how)
        return _noise(setting, goal, setting.ray(weights_of(split, len(setting.questions))))
    if hide_n is not False or groups is not None:
        raise ValueError("hide_n and groups must come with limits: n of a known file is known")
    adjacency = "unbounded" if adjacency is None else adjacency
    checks.choice("adjacency", adjacency, ("unbounded", "bounded"))
    asked, scales = ask_beside(query, data, already)
    mask = None if released is None else checks.truths("released", released)
    if mask is not None and mask.shape != (asked.records,):
        raise ValueError(f"released must have shape ({asked.records},), got {mask.shape}")
    size = release_size if mask is None else int(mask.sum())
    size = checks.release_size(size, asked.records)
    codes, names = groups_of(by, data, asked.records)
    if names:
        queries = [one.query for one in asked.statistics]
        missing = asked.records - size + (adjacency == "unbounded")
        refuse_emptied(queries, names, codes, missing)
    limit = checks.integer("max_worlds", max_worlds, 1)
    known = asked.statistics, np.tile(scales, max(len(names), 1)), codes, tuple(names)
    setting = KnownFile(*known, size, adjacency, mask, limit)
    if goal.name == "risk" and goal.before is None and not setting.all_but_one:
        raise ValueError(
            f"risk must come with before where n is not N - 1 = {asked.records - 1}, got n = "
            f"{size}: say how sure she is of one person (before), or what factor you accept (odds)"
        )
    return _noise(setting, goal, setting.ray(weights_of(split, int(np.isnan(scales).sum()))))


def refuse(query: Any, by: Any, already: Any, adjacency: Any, limits: Any, **more: Any) -> None:
    """Refuse what no file could make right; the arguments are of :func:`recommend`."""
    how = {name: more.pop(name, None) for name in ("hide_n", "groups")}
    goal = _goal(**more)
    if limits is not None:
        _refuse_beside_limits(goal, adjacency, how["hide_n"])
        refuse_question(query, by=by, already=already, **how)


def _goal(before: Any, **given: Any) -> Goal:
    """The one goal that is given, checked."""
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        got = " and ".join(named) or "none"
        raise ValueError(f"exactly one of {', '.join(given)} must be given, got {got}")
    (name,) = named
    value = given[name]
    belief = None if before is None else text.parse_risk(before, "before")
    if belief is not None and name != "risk":
        raise ValueError(f"before must come with risk, got {name}")
    exact = value
    if name == "odds" and (exact := text.parse_number(value, "odds")) <= 1:
        raise ValueError(f"odds must exceed 1, got {value}")
    if name == "risk" and (exact := text.parse_risk(value)) <= (belief or 0):
        raise ValueError(f"before must lie below the risk, {value}, got {before}")
    return Goal(name, value, exact, belief)


def _refuse_beside_limits(goal: Goal, adjacency: Any, hidden: Any) -> None:
    """Refuse what means nothing, or would tell of the answer, where only limits are known."""
    if adjacency is not None:
        raise ValueError(f"adjacency must not be given beside limits, got {adjacency!r}")
    if goal.name == "risk" and goal.before is None:
        raise ValueError(
            "risk must come with before where everybody is in the file: say how sure she is of "
            "one person (before), or what factor you accept (odds)"
        )
    if goal.name == "error" and hidden:
        raise ValueError("error must not be given where n is hidden, since n and the answer fix it")
    values = goal.given if isinstance(goal.given, (list, tuple)) else [goal.given]
    if goal.name == "error" and any(isinstance(one, str) and "%" in one for one in values):
        raise ValueError(
            f"error must be in the unit of the answer beside limits, got {goal.given}: noise "
            "that is a share of the answer tells the answer"
        )


def accepted_distance(goal: Goal) -> float:
    """The logarithm of the factor that is accepted, rounded down."""
    if goal.name == "odds":
        return text.log(goal.value) * (1 - 8 * UNIT)
    return growth(goal.before, goal.value)


def _noise(setting: KnownFile | Everybody, goal: Goal, ray: Ray) -> Recommendation:
    """The noise that a goal asks for, or the reason why there is none."""
    new, telling, moves = setting.new, setting.telling, setting.sensitivities
    rates, scales, status, reason = ray.base.copy(), None, "computed", ""
    stated = goal.name in ("error", "scale") or np.ndim(goal.value) > 0  # of each answer
    if not stated and goal.name == "epsilon":  # of all together
        total = _for_each(setting, goal)[0]
        rates = ray.at(total / (setting.total((ray.direction * moves)[new]) or 1.0))
    elif stated:
        given = _for_each(setting, goal)
        with np.errstate(divide="ignore"):
            if goal.name == "epsilon":
                rates[new] = given / moves[new]
            else:
                scales = given
                if goal.name == "error":  # a scale that is printed as it is
                    scales = np.array([float(text.round_down(one / CONFIDENT)) for one in given])
                rates[new] = 1 / scales
    else:
        status, reason, along = _kept(setting, goal, ray)
        if status in ("cannot be met", "nothing left"):
            nothing = np.full(int(new.sum()), math.nan)
            return Recommendation(setting, goal, ray.base, *[nothing] * 3, status, reason)
        rates = ray.at(along)
    if scales is None:  # where it is not stated, an answer that says nothing needs no noise
        scales = scales_of((rates if stated else np.where(telling, rates, math.inf))[new])
    with np.errstate(invalid="ignore"):
        epsilons = np.where(telling, rates * moves * SHAVED, math.nan)[new]
    if goal.name == "epsilon":  # as they were given
        epsilons = np.array([float(f"{one:.14g}") for one in epsilons])
    if not scales.any():
        status, reason = "exact", reason or EXACT[1]
    errors = errors_of(scales)
    found = Recommendation(setting, goal, rates, scales, errors, epsilons, status, reason)
    if goal.name == "risk" and goal.before is None and found.odds > SURPRISING:
        grown = f"grow x {text.factor(found.odds)}" if found.odds < math.inf else "become certain"
        whom = reason or "for who suspects nobody"
        return replace(found, reason=f"{whom}; any suspicion about who is missing may {grown}")
    return found


def _kept(setting: KnownFile | Everybody, goal: Goal, ray: Ray) -> tuple[str, str, float]:
    """Status, reason, and how far along the ray what is accepted is kept."""
    out, law = ray.base.any(), goal.name == "odds" or goal.before is not None
    what = str(goal) if goal.before is None else f"{goal} from {text.show(goal.before)}"
    if law:
        accepted = accepted_distance(goal)
        left = accepted - setting.distance(ray.base)
    else:
        prior, goal_log = Fraction(1, setting.records), goal_of(goal.value)
        accepted = goal_log - text.log(prior)
        left = goal_log - math.log(setting.tight(ray.base)) if out else accepted
        if goal.value < prior or (goal.value == prior and ray.direction.any()):
            reason = f"risk must exceed {text.show(prior)}, the chance to guess who is missing"
            return "cannot be met", f"{reason}, got {text.show(goal.value)}", 0.0
    if out and left < -1e-12:
        return "cannot be met", f"what is out already exceeds {what}", 0.0
    if not ray.direction.any():
        return EXACT
    if out and left <= NOTHING_LEFT * accepted:
        return "nothing left", f"what is out already leaves nothing of {what}", 0.0
    if law:
        return "ok", "", furthest(setting, ray, accepted)
    shaped = Ray(*map(setting.rates, (ray.base, ray.direction)))
    along = kept_rate(setting.worlds, shaped, goal.value)
    if along == math.inf:
        most = text.chance(setting.tight(ray.at(math.inf)))
        return "ok", f"even the exact answers leave who suspects nobody at most {most} sure", along
    if not along:
        return "cannot be met", f"{what} is too close to what is believed before", along
    return "ok", "", along


def _for_each(setting: KnownFile | Everybody, goal: Goal) -> np.ndarray:
    """One number for each new answer: all alike, or for each statistic, or for each answer."""
    name, values, count = goal.name, goal.value, int(setting.new.sum())
    values = list(values) if isinstance(values, (list, tuple, np.ndarray)) else [values]
    asked = int(setting.new[: setting.shape[1]].sum())
    if len(values) not in (1, asked, count):
        raise ValueError(f"{name} must give one number or {asked}, got {len(values)}")
    values = list(np.resize(np.array(values, dtype=object), count))
    found = np.array([float(text.parse_number(one, name)) for one in values])
    if name == "error":
        share = [isinstance(one, str) and one.strip().endswith("%") for one in values]
        found = np.where(share, found * np.abs(setting.answers()[setting.new]), found)
    exact = name == "scale" and isinstance(setting, KnownFile)  # may be 0
    if found.min() < 0 or (found.min() == 0 and not exact):
        interval = "[0, inf)" if exact else "(0, inf)"
        raise ValueError(f"{name} must lie in {interval}, got {found.min():g}")
    return found
