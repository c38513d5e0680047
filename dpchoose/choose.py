"""Epsilon as a function of the accepted risk, never on the wrong side.

Each bound on the risk grows with epsilon. What is returned is the largest
float at which the bound, on the exact values of the arguments, is still at most
the risk that was asked for: it is evaluated with 60 digits, and with more when
these do not tell the float from the next.
"""

from __future__ import annotations

import decimal
import itertools
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import average_risk, risk_upper_bound, worst_case_risk
from dpchoose.worlds import Worlds

DIGITS = decimal.Context(prec=60, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)


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

    >>> from dpchoose.worlds import possible_worlds
    >>> days = possible_worlds("mean", [1, 2, 3, 10], 3)
    >>> round(epsilon_from_risk(days, risk=1 / 3, sensitivity=17 / 6), 9)
    0.43172012
    """
    approximate, exact = BOUNDS[checks.choice("bound", bound, tuple(BOUNDS))]
    target = checks.parse_risk(risk)
    sensitivity = checks.sensitivity(sensitivity)
    prior, limit = worlds.largest_prior, _limit(worlds, bound)
    if limit <= target:
        return math.inf
    hopeless = target < prior or (target == prior and _grows_at_once(worlds, bound))
    if hopeless or sensitivity == 0:
        raise UnattainableRisk(_unattainable(target, prior, limit, sensitivity))

    def meets(epsilon: Decimal, margin: Decimal) -> bool:
        return exact(worlds, epsilon / Decimal(sensitivity), target, margin)

    def seems_to_meet(epsilon: float) -> bool:
        return approximate(worlds, epsilon=epsilon, sensitivity=sensitivity) <= float(target)

    epsilon = certified_epsilon(meets, seems_to_meet)
    if epsilon == 0:
        raise UnattainableRisk(_unattainable(target, prior, limit, sensitivity))
    return epsilon


def certified_epsilon(
    meets: Callable[[Decimal, Decimal], bool],
    seems_to_meet: Callable[[float], bool],
    *,
    start: float = 1.0,
) -> float:
    """The last float at which an exact condition on epsilon still holds.

    Args:
        meets: the condition, called with the exact epsilon and a relative
            margin far above the rounding of its own evaluation: to be added to
            what must not be exceeded; a negative one asks whether the
            condition surely fails.
        seems_to_meet: the same in floats, which only says where to look.
        start: where the search begins, in [0, inf).

    Returns:
        a float at which it holds and after which, one float on, it does not;
        0 when it holds at no positive float, the largest float when at all
        that were tried. A condition that never turns true again has only one
        such place. The number of digits doubles from 60 until it tells the
        float from the next, up to 2,000.
    """

    def holds(epsilon: float, digits: int, *, surely: bool) -> bool:
        with decimal.localcontext(DIGITS, prec=digits):
            return meets(Decimal(epsilon), Decimal(1 if surely else -1).scaleb(10 - digits))

    epsilon, digits = _last_true(seems_to_meet, start), DIGITS.prec
    while True:
        epsilon = _last_true(partial(holds, digits=digits, surely=True), epsilon)
        beyond = math.nextafter(epsilon, math.inf)
        if beyond == math.inf or digits > 1000 or not holds(beyond, digits, surely=False):
            return epsilon
        digits *= 2


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


def _limit(worlds: Worlds, bound: str) -> Fraction:
    """What the risk tends to as epsilon grows, exactly."""
    if bound == "upper":
        return Fraction(1) if len(worlds.answers) > 1 else worlds.largest_prior
    if bound == "average":
        return Fraction(sum(worlds.peak_masses)) / Fraction(sum(worlds.masses))
    pairs = zip(worlds.peak_masses, worlds.masses, strict=True)
    return max(Fraction(peak) / Fraction(mass) for peak, mass in pairs)


def _grows_at_once(worlds: Worlds, bound: str) -> bool:
    """Whether any positive epsilon has a larger risk than the prior, below the limit.

    On average it does not while the noise lets a single favourite stay the guess.
    """
    return bound != "average" or worlds.peak_masses.count(max(worlds.peak_masses)) > 1


def _unattainable(target: Fraction, prior: Fraction, limit: Fraction, sensitivity: float) -> str:
    if sensitivity == 0 and target >= prior:
        return (
            f"risk must be at least {_show(limit)}, the risk of the exact answer, "
            f"as a sensitivity of 0 asks for no noise, got {_show(target)}"
        )
    return below_prior(target, prior)


def below_prior(target: Fraction, prior: Fraction, what: str = "the largest prior") -> str:
    """What to say when no positive epsilon meets a risk."""
    return (
        f"risk must exceed {_show(prior)}, {what}, for any positive "
        f"epsilon to meet it, got {_show(target)}"
    )


def _show(value: Fraction) -> str:
    text = f"{float(value):.6g}"
    return f"{value} = {text}" if 1 < value.denominator < 10**6 else text


def _worst_case_meets(worlds: Worlds, rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    answers = [Decimal(answer) for answer in worlds.answers.tolist()]
    masses = [to_decimal(mass) for mass in worlds.masses]
    decays = [(rate * (low - high)).exp() for low, high in itertools.pairwise(answers)]
    right = [Decimal(0)]
    for decay, mass in zip(reversed(decays), reversed(masses)):
        right.append(decay * (right[-1] + mass))
    right.reverse()
    target, left = to_decimal(risk), Decimal(0)
    for i, (mass, peak) in enumerate(zip(masses, worlds.peak_masses)):
        if i:
            left = decays[i - 1] * (left + masses[i - 1])
        reach = left + mass + right[i]
        # An answer that enough worlds share meets the risk even without noise,
        # and may come closer to it than any number of digits could tell.
        if to_decimal(peak) * (1 + margin) > target * reach and peak > risk * worlds.masses[i]:
            return False
    return True


def _upper_meets(worlds: Worlds, rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    spread = Decimal(float(worlds.answers[-1])) - Decimal(float(worlds.answers[0]))
    odds = (1 - worlds.largest_prior) / worlds.largest_prior
    reach = to_decimal(odds) * (-rate * spread).exp()
    return to_decimal(1 / risk - 1) * (1 + margin) <= reach


def _average_meets(worlds: Worlds, rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    tents: list[tuple[Decimal, Decimal]] = []  # answer, height; no tip is covered
    for answer, peak in zip(worlds.answers.tolist(), worlds.peak_masses):
        tip = Decimal(answer), to_decimal(peak)
        if tents and _covers(tents[-1], tip, rate):
            continue
        while tents and _covers(tip, tents[-1], rate):
            tents.pop()
        tents.append(tip)
    if len(tents) == 1:
        return worlds.largest_prior <= risk
    overlaps = (
        (high * other).sqrt() * (-rate * (there - here) / 2).exp()
        for (here, high), (there, other) in itertools.pairwise(tents)
    )
    success = sum(height for _, height in tents) - sum(overlaps)
    total = to_decimal(Fraction(sum(worlds.masses)))
    return success + margin * total <= to_decimal(risk) * total


def _covers(tent: tuple[Decimal, Decimal], tip: tuple[Decimal, Decimal], rate: Decimal) -> bool:
    return tent[1] * (-rate * abs(tent[0] - tip[0])).exp() >= tip[1]


Meets = Callable[[Worlds, Decimal, Fraction, Decimal], bool]

BOUNDS: dict[str, tuple[Callable[..., Any], Meets]] = {
    "worst-case": (worst_case_risk, _worst_case_meets),
    "upper": (risk_upper_bound, _upper_meets),
    "average": (average_risk, _average_meets),
}


def to_decimal(value: int | Fraction) -> Decimal:
    """A fraction to the digits of the context in force."""
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def _last_true(holds: Callable[[float], bool], start: float) -> float:
    """The largest positive float at which a decreasing condition holds, or 0.

    Floats are bisected by their rank: 1, 2, 4, ... floats away from ``start``
    until both sides are met, then by halves.
    """
    low, high = 0, _rank(sys.float_info.max) + 1
    at, step = _rank(start), 1
    while low < at < high:
        if holds(_float(at)):
            low, at = at, at + step
        else:
            high, at = at, at - step
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(_float(middle)) else (low, middle)
    return _float(low)


def _rank(value: float) -> int:
    return int(np.float64(value).view(np.int64))


def _float(rank: int) -> float:
    return float(np.int64(rank).view(np.float64))
