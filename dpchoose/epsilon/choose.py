"""Epsilon as a function of the accepted risk, never on the wrong side.

Each bound on the risk grows with epsilon. For a few hundred answers, what is
returned is the largest float at which the bound, evaluated with 60 digits or
more on the exact values of the arguments, is still at most the risk that was
asked for. For more, it is a float within 1e-9 of the solution, proved by
bounds on the rounding of the evaluation.
"""

from __future__ import annotations

import decimal
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpchoose import checks
from dpchoose.epsilon import certify, solve
from dpchoose.epsilon.certify import DIGITS
from dpchoose.risk.bounds import average_risk, risk_upper_bound, worst_case_risk
from dpchoose.worlds.possible import Worlds

FEW = 256  # answers that are weighed digit by digit
BOUNDS: dict[str, Callable[..., Any]] = {
    "worst-case": worst_case_risk,
    "upper": risk_upper_bound,
    "average": average_risk,
}


class UnattainableRisk(ValueError):
    """No positive epsilon meets the risk: the prior alone exceeds it."""


def epsilon_from_risk(
    worlds: Worlds, *, risk: Any, sensitivity: float, bound: str = "worst-case"
) -> float:
    """The largest epsilon whose disclosure risk is at most the accepted one.

    Lee and Clifton (2011): equation 9 inverted for "upper"; the search of
    section 5 for "worst-case", here certified; "average" inverts
    :func:`dpchoose.average_risk`.

    Args:
        worlds: from :func:`dpchoose.possible_worlds`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3".
        sensitivity: of the query, in [0, inf), in the unit of the answers.
        bound: "worst-case", "upper" or "average".

    Returns:
        a float whose risk does not exceed the request in exact arithmetic;
        math.inf when every epsilon meets it.

    Raises:
        UnattainableRisk: no positive epsilon meets it.
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> from dpchoose.worlds.possible import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(epsilon_from_risk(days, risk=1 / 3, sensitivity=17 / 6), 9)
    0.43172012
    """
    checks.choice("bound", bound, tuple(BOUNDS))
    target = checks.parse_risk(risk)
    sensitivity = checks.sensitivity(sensitivity)
    prior = worlds.largest_prior
    if bound == "upper":
        ends = Decimal(float(worlds.answers[0])), Decimal(float(worlds.answers[-1]))
        return epsilon_from_spread(prior, DIGITS.subtract(ends[1], ends[0]), target, sensitivity)
    limit = worlds.sum_of_peaks if bound == "average" else worlds.largest_share
    if limit <= target:
        return math.inf
    hopeless = target < prior or (target == prior and _grows_at_once(worlds, bound))
    if hopeless or sensitivity == 0:
        raise UnattainableRisk(unattainable(target, prior, limit, sensitivity))
    epsilon = None
    if target > prior and len(worlds.answers) > FEW:
        in_floats = solve.worst_case_epsilon if bound == "worst-case" else solve.average_epsilon
        epsilon = in_floats(worlds, target, sensitivity)
    if epsilon is None:
        epsilon = _digit_by_digit(worlds, bound, target, sensitivity)
    if epsilon == 0:
        raise UnattainableRisk(unattainable(target, prior, limit, sensitivity))
    return epsilon


def epsilon_from_spread(
    prior: Fraction, spread: Any, target: Fraction, sensitivity: float
) -> float:
    """The largest epsilon of the upper bound, from the largest prior and the spread alone.

    Args:
        prior: the largest prior of a world, in (0, 1).
        spread: largest difference between two answers, at least 0.
        target: the accepted risk, in (0, 1).
        sensitivity: of the query, in [0, inf), in the unit of the answers.

    Raises:
        UnattainableRisk: no positive epsilon meets it.

    >>> round(epsilon_from_spread(Fraction(1, 4), 3.0, Fraction(1, 3), 17 / 6), 9)
    0.382939269
    """
    limit = Fraction(1) if spread > 0 else prior
    if limit <= target:
        return math.inf
    epsilon = 0.0
    if target > prior and sensitivity > 0:
        exact = Decimal(spread)
        odds = solve.log_of(target / (1 - target)) + solve.log_of((1 - prior) / prior)
        start = max(odds, 1e-300) / float(spread) * sensitivity
        epsilon = certify.certified_epsilon(
            lambda epsilon, margin: certify.upper_meets(
                prior, exact, epsilon / Decimal(sensitivity), target, margin
            ),
            start=min(start, 1e308),
        )
    if epsilon == 0:
        raise UnattainableRisk(unattainable(target, prior, limit, sensitivity))
    return epsilon


def _digit_by_digit(worlds: Worlds, bound: str, target: Fraction, sensitivity: float) -> float:
    if worlds.masses is None:
        return solve.safe_epsilon(worlds, target, sensitivity)
    exact = certify.worst_case_meets if bound == "worst-case" else certify.average_meets

    def meets(epsilon: Decimal, margin: Decimal) -> bool:
        return exact(worlds, epsilon / Decimal(sensitivity), target, margin)

    def seems_to_meet(epsilon: float) -> bool:
        return BOUNDS[bound](worlds, epsilon=epsilon, sensitivity=sensitivity) <= float(target)

    return certify.certified_epsilon(meets, seems_to_meet)


def round_down(epsilon: float, digits: int = 4) -> str:
    """An epsilon as it may be shown: never more than it is.

    Args:
        epsilon: in [0, inf].
        digits: after the decimal point, at least 0; as many more as it takes
            to show four significant ones.

    >>> round_down(2.772588722239781), round_down(0.0000123456), round_down(math.inf)
    ('2.7725', '0.00001234', 'any')
    """
    epsilon = checks.number("epsilon", epsilon, 0, math.inf)
    digits = checks.integer("digits", digits, 0)
    if epsilon == math.inf:
        return "any"
    exact = Decimal(abs(epsilon))  # 0 has no sign
    if epsilon > 0:
        digits = max(digits, 3 - exact.adjusted())
    room = decimal.Context(prec=digits + sys.float_info.max_10_exp + 1)
    return f"{exact.quantize(Decimal(1).scaleb(-digits), decimal.ROUND_FLOOR, room):f}"


def _grows_at_once(worlds: Worlds, bound: str) -> bool:
    """Whether any positive epsilon has a larger risk than the prior, below the limit.

    On average it does not while the noise lets a single favourite stay the guess.
    """
    peaks = worlds.peak_masses
    return bound != "average" or peaks is None or peaks.count(max(peaks)) > 1


def unattainable(target: Fraction, prior: Fraction, limit: Fraction, sensitivity: float) -> str:
    """What to say when no positive epsilon meets a risk: too little, or no noise."""
    if sensitivity == 0 and target >= prior:
        return (
            f"risk must be at least {show(limit)}, the risk of the exact answer, "
            f"as a sensitivity of 0 asks for no noise, got {show(target)}"
        )
    return below_prior(target, prior)


def below_prior(target: Fraction, prior: Fraction, what: str = "the largest prior") -> str:
    """What to say when no positive epsilon meets a risk."""
    return (
        f"risk must exceed {show(prior)}, {what}, for any positive "
        f"epsilon to meet it, got {show(target)}"
    )


def show(value: Fraction) -> str:
    """A fraction as it is read: itself while it is short, and a decimal.

    >>> show(Fraction(1, 3))
    '1/3 = 0.333333'
    """
    text = (
        f"{float(value):.6g}" if value > 1e-300 else f"1e{solve.log_of(value) / math.log(10):.0f}"
    )
    return f"{value} = {text}" if 1 < value.denominator < 10**6 else text
