r"""Which epsilon to take: the question of the whole package, answered for every reader.

Every goal ends in a rate t for each answer, along the ray on which the privacy loss is shared
as asked. ``odds`` F: the largest rates at which the loss of what is promised
(:mod:`dpchoose.your_data.known_file`, :mod:`dpchoose.your_data.public_limits`) is at most ln F.
``risk``: those at which the tight bound is at most the risk
(:func:`~dpchoose.risk.inverse.largest_tight_rate`); with ``before`` it is the factor
odds(risk)/odds(before). ``error`` e: Laplace noise of scale b exceeds e with probability
:math:`e^{-e/b}`, 5% at b = e / ln 20. ``epsilon`` and ``scale`` are as given.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import numbers
from dpchoose.checks import exactly_one, reals, require
from dpchoose.numbers import format_fraction, format_odds_factor, format_probability
from dpchoose.risk.inverse import largest_tight_rate, on_ray, weights_of
from dpchoose.your_data import words
from dpchoose.your_data.known_file import KnownFile, known_file
from dpchoose.your_data.noise import Drawn
from dpchoose.your_data.public_limits import Beside, public_limits
from dpchoose.your_data.question import Question
from dpchoose.your_data.result import Goal, Recommendation, largest_along, loss_of, scales_of
from dpchoose.your_data.wording import Context

SURPRISING = 10  # the factor that is said beside an accepted risk
NO_GROUPS = ": of a known file ask each group's file by itself; one record is missing from one"
EITHER_OR = ": is the file known and some of it released, or is everybody in it, with public limits"
NEEDS_BEFORE = "risk must come with before"
SAY_BEFORE = ": say how sure she is of one person, or what factor you accept (odds)"


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
    rows: int = 1,
    expect_n: int | None = None,
    by: Any = None,
    unit: Any = None,
    whole: Any = (),
    split: Any = "equal",
    already: Any = 1,
    adjacency: str | None = None,
) -> Recommendation:
    r"""Which noise to add, what it costs, and how sure it leaves every reader.

    Either *the file is known*: she knows all N records and the number n that are released, and
    asks who they are (``release_size`` or ``released``). Or *everybody is in the file*: all
    records are released, and of the answered values only public ``limits`` are known, to
    which they are cut. Exactly one of the three says which, and exactly one goal says what
    is accepted.

    Args:
        query: a name, a function that reduces the last axis, or a list of them, published
            together. Of a DataFrame: pairs (query, column), ("share", "COLUMN=VALUE") or
            ("share", "COLUMN>=NUMBER"). With limits: sum, mean, share, median, percentile_p
            and, where n is hidden, count.
        data: the N records, shape (N,), or a DataFrame. With limits N itself will do.
        release_size: n, in [1, N - 1].
        released: which records are released: 0/1 or booleans, shape (N,).
        limits: public limits (l, h) of the values, or {column: (l, h)}, fixed without looking at
            the file; {} where no column needs any, as for a share.
        hide_n: with limits, True to hide n, and with it who is in.
        groups: with ``by`` and hide_n, the public list of the groups.
        odds: the accepted factor, above 1: 3 lets odds of 1 to 9 (10%) become 3 to 9 (25%). It
            holds for the readers who are marked promised in the table ``readers``: of one missing
            record (n = N - 1) for any suspicion; with limits for each in the table.
        risk: how sure a reader may get, in (0, 1), as 0.01, "1%" or "1/3". Without ``before`` it
            is for a reader who suspects nobody, and for who is missing (n = N - 1 only).
        before: with risk, how sure she was of a guess about one person, in (0, risk). The accepted
            factor is then odds(risk)/odds(before).
        error: the 95% error that you need, above 0, in the unit of the answer; without limits also
            as a share of the answer, "5%". One for all or one for each; none where n is hidden.
        epsilon: of noise that there is, in (0, inf): a number for all answers together, or a list
            with one for each.
        scale: of noise that there is, one for all or for each: above 0; without limits 0 too.
        rows: with limits, how many rows K a person may have: public, never read off the file.
        expect_n: where n is hidden, a public guess of n for the errors of means.
        by: with limits, for an answer for each group, published together: labels by position,
            shape (N,), the name of a column, or a list of two columns or more.
        unit: of medians and percentiles, the public step of the values: a number, or {column:
            number}, to which each value is rounded. Without it: 1, if limits are whole and at least
            ten apart.
        whole: columns whose values are publicly whole numbers: each value is rounded to one.
        split: how the answers share ln F: "equal", or for each a weight, above 0.
        already: the product of the factors of all earlier answers about the same secret, at least
            1. What is accepted covers old and new answers.
        adjacency: where the file is known, the neighbours that epsilon is stated for: "unbounded"
            (a record added or removed; the default) or "bounded" (one changed). With limits they
            are fixed: one changed where n is public, one added or removed where it is hidden.

    Returns:
        a :class:`Recommendation`: its ``table``, ``readers``, ``status`` and ``sentences()``.

    >>> result = dp.recommend("mean", [1, 2, 3, 10], 3, risk="1/3")
    >>> round(result.epsilon, 8), result.status, round(result.odds, 2)
    (0.43172012, 'ok', 1.58)
    """
    situations = {"release_size": release_size, "released": released, "limits": limits}
    exactly_one(situations, "release_size (n), released (a mask) and limits", hint=EITHER_OR)
    goals = {"odds": odds, "risk": risk, "error": error, "epsilon": epsilon, "scale": scale}
    beside = Beside(hide_n, groups, by, rows, unit, whole, expect_n)
    stated = {"limits": limits, "adjacency": adjacency, "already": already, "before": before}
    goal, earlier = refuse(query, **stated, **goals, **beside._asdict())
    question: Question
    if limits is not None:
        question = public_limits(query, data, limits, beside)
    else:
        question = known_file(query, data, release_size, released, adjacency or "unbounded")
        where = f"where n is not N - 1 = {question.records - 1}"
        plain = goal.is_plain_risk and not question.one_is_missing
        require(not plain, f"{NEEDS_BEFORE} {where}", question.size, hint=SAY_BEFORE)
    direction = question.ray(weights_of(split, len(question.questions)))
    if goal.name in ("odds", "risk"):
        status, reason, along = _kept(question, goal, earlier, direction)
        rates = on_ray(direction, along)
        scales = scales_of(rates, question.informative)
        if math.isnan(along):  # nothing can be published
            rates = scales = np.full(len(direction), math.nan)
    else:
        status, reason = "computed", ""
        rates, scales = _as_given(question, goal, direction)
    if not scales.any():
        same = words.SCALE_0 if question.informative.any() else words.SAME_IN_EVERY_RELEASE
        status, reason = "exact", reason or same
    context = Context(by=by if isinstance(by, str) else "")
    result = Recommendation(question, goal, earlier, rates, scales, status, reason, context)
    if goal.is_plain_risk and result.odds > SURPRISING:
        text = words.MAY_GROW if result.odds < math.inf else words.MAY_BE_CERTAIN
        factor = format_odds_factor(result.odds)
        return replace(result, reason=text.format(reason=reason or words.FOR_NOBODY, factor=factor))
    return result


def refuse(
    query: Any, *, limits: Any, already: Any, adjacency: Any, before: Any, **others: Any
) -> tuple[Goal, Fraction]:
    """The goal, and the factor of what is out; what no file could make right is refused."""
    beside = Beside(**{name: others.pop(name) for name in Beside._fields if name in others})
    goal, earlier = _goal(before, **others), numbers.parse_number(already, "already")
    require(earlier >= 1, "already must be a factor of at least 1", already)
    if goal.is_plain_risk:
        require(earlier == 1, f"{NEEDS_BEFORE} beside already", already, hint=SAY_BEFORE)
        everybody = f"{NEEDS_BEFORE} where everybody is in the file"
        require(limits is None, everybody, goal.text, hint=SAY_BEFORE)
    if limits is None:
        for name, value in beside._asdict().items():
            hint = NO_GROUPS if name == "by" else " beside a known file"
            fits = not np.any(value != Beside._field_defaults[name])
            require(fits, f"{name} must come with limits", value, hint=hint)
        return goal, earlier
    require(adjacency is None, "adjacency must not be given beside limits", adjacency)
    if goal.name == "error":
        rule = "error must not be given where n is hidden, since n and the answer fix it"
        require(not beside.hide_n, rule, goal.text)
        rule = "error must be in the unit of the answer beside limits, as a share tells the answer"
        require("%" not in goal.text, rule, goal.text)
    if not beside.hide_n:
        beside = beside._replace(by=None)  # whose sizes are in the file
    public_limits(query, 1, limits, beside)  # refuses what needs no file
    return goal, earlier


def _goal(before: Any, **given: Any) -> Goal:
    """The one goal that is given, checked."""
    name = exactly_one(given)
    value, factor, belief = given[name], None, None
    text = ", ".join(map(str, value if isinstance(value, (list, tuple)) else [value]))
    require(before is None or name == "risk", "before must come with risk", name)
    if name == "odds":
        value = factor = numbers.parse_number(value, "odds")
        require(factor > 1, "odds must exceed 1", given["odds"])
    if name == "risk":
        value = numbers.parse_risk(value)
        if before is not None:
            belief = numbers.parse_risk(before, "before")
            if value <= belief:
                raise ValueError(words.BEFORE_BELOW_RISK.format(risk=text, before=before))
            factor = value * (1 - belief) / ((1 - value) * belief)
    return Goal(name, value, text, belief, factor)


def _kept(
    question: Question, goal: Goal, earlier: Fraction, direction: np.ndarray
) -> tuple[str, str, float]:
    """Status, reason, and how far along the ray what is accepted is kept; nan if it cannot be."""
    if goal.factor is not None:
        left = loss_of(goal.factor) - numbers.log(earlier)
        if left < -1e-12:
            return "cannot be met", words.EXCEEDED.format(accepted=goal), math.nan
        if left <= 1e-12 and direction.any():
            return "nothing left", words.NOTHING_LEFT.format(accepted=goal), math.nan
        left *= 1 if earlier == 1 else 1 - 2.0**-40
        return "ok", "", largest_along(question, direction, left)
    prior = Fraction(1, question.records)
    if goal.value < prior or (goal.value == prior and direction.any()):
        facts = {"prior": format_fraction(prior), "risk": format_fraction(goal.value)}
        return "cannot be met", words.BELOW_PRIOR.format(**facts), math.nan
    if not direction.any():
        return "ok", "", math.inf
    along = largest_tight_rate(question.worlds, direction[question.informative], goal.value)
    if not along:
        return "cannot be met", words.TOO_CLOSE.format(accepted=goal), math.nan
    if along < math.inf:
        return "ok", "", along
    risk = format_probability(question.tight(on_ray(direction, math.inf)))
    return "ok", words.EXACT_KEEP_IT.format(risk=risk), along


def _as_given(
    question: Question, goal: Goal, direction: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rates and scales of an epsilon, an error or a scale: one for each answer, or for all."""
    given, sensitivities = _for_each(question, goal), question.sensitivities
    if goal.name == "epsilon" and np.ndim(goal.value) == 0:  # of all answers together
        total = question.total(direction * sensitivities) or 1.0
        rates = on_ray(direction, given[0] / total)
        return rates, scales_of(rates, question.informative)
    if goal.name == "error":  # a scale that is printed as it is
        errors = enumerate(given.tolist())
        given = np.array([_scale_of(question, index, error) for index, error in errors])
    with np.errstate(divide="ignore"):
        if goal.name == "epsilon":
            return given / sensitivities, scales_of(given / sensitivities)
        return 1 / given, given


def _scale_of(question: Question, index: int, error: float) -> float:
    """The largest scale of an answer's noise whose 95 % error is no more than the one given."""
    low, high = error * 1e-3, error * 1e3
    for _ in range(80):
        middle = math.sqrt(low * high)
        law = question.noise_of(index, middle)
        kept = (law.uncapped(0.95) if isinstance(law, Drawn) else law.error(0.95)) <= error
        low, high = (middle, high) if kept else (low, middle)
    return float(numbers.round_down(low))


def _for_each(question: Question, goal: Goal) -> np.ndarray:
    """A number for each answer: all alike, or for each statistic, or for each answer."""
    name, count, rows = goal.name, len(question.labels), question.rows
    values = np.atleast_1d(np.array(goal.value, dtype=object))
    each = ", ".join(row.label for row in rows[: words.MOST_NAMED])
    each += f", ... ({len(rows)} in all)" * (len(rows) > words.MOST_NAMED)
    rule = f"{name} must give one number" + f", or one for each of {each}" * (len(rows) > 1)
    require(len(values) in (1, len(rows), count), rule, len(values))
    values = np.resize(values, count).tolist()
    parsed = np.array([float(numbers.parse_number(value, name)) for value in values])
    if name == "error":
        shares = [isinstance(value, str) and value.strip().endswith("%") for value in values]
        parsed = np.where(shares, parsed * np.abs(question.answers()), parsed)
    exact = name == "scale" and isinstance(question, KnownFile)  # may be 0
    return reals(name, parsed, 0, math.inf, closed="[)" if exact else "()")
