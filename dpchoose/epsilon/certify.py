"""Conditions on epsilon, decided with 60 digits or more, and where they end.

Each condition leaves a margin for the rounding of its own evaluation, so that
what it passes is safe in exact arithmetic on the values of the arguments.
"""

from __future__ import annotations

import decimal
import itertools
import math
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np

from dpchoose.worlds.possible import Worlds

DIGITS = decimal.Context(prec=60, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)


def certified_epsilon(
    meets: Callable[[Decimal, Decimal], bool],
    seems_to_meet: Callable[[float], bool] | None = None,
    *,
    start: float = 1.0,
) -> float:
    """The last float at which an exact condition on epsilon still holds.

    Args:
        meets: the condition, called with the exact epsilon and a relative
            margin far above the rounding of its own evaluation: to be added to
            what must not be exceeded; a negative one asks whether the
            condition surely fails.
        seems_to_meet: the same in floats, which only says where to look; None
            to look at ``start``.
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

    epsilon, digits = start, DIGITS.prec
    if seems_to_meet:
        epsilon = _last_true(seems_to_meet, start)
    while True:
        epsilon = _last_true(partial(holds, digits=digits, surely=True), epsilon)
        beyond = math.nextafter(epsilon, math.inf)
        if beyond == math.inf or digits > 1000 or not holds(beyond, digits, surely=False):
            return epsilon
        digits *= 2


def to_decimal(value: int | Fraction) -> Decimal:
    """A fraction to the digits of the context in force."""
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def worst_case_meets(worlds: Worlds, rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    """Whether :func:`dpchoose.worst_case_risk` is at most the risk.

    An answer shared by enough worlds meets the risk even without noise. It
    may come closer to it than any number of digits could tell.
    """
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
        if to_decimal(peak) * (1 + margin) > target * reach and peak > risk * worlds.masses[i]:
            return False
    return True


def shells_meet(
    distances: Iterable[float],
    counts: Iterable[int],
    rate: Decimal,
    risk: Fraction,
    margin: Decimal,
) -> bool:
    """Whether :func:`dpchoose.shell_bound` is at most the risk."""
    reach = sum(
        Decimal(count) * (-rate * Decimal(distance)).exp()
        for distance, count in zip(distances, counts)
    )
    return 1 + margin <= to_decimal(risk) * reach


def upper_meets(
    prior: Fraction, spread: Decimal, rate: Decimal, risk: Fraction, margin: Decimal
) -> bool:
    """Whether :func:`dpchoose.risk_upper_bound` is at most the risk."""
    reach = to_decimal((1 - prior) / prior) * (-rate * spread).exp()
    return to_decimal(1 / risk - 1) * (1 + margin) <= reach


def average_meets(worlds: Worlds, rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    """Whether :func:`dpchoose.average_risk` is at most the risk."""

    def covers(tent: tuple[Decimal, Decimal], tip: tuple[Decimal, Decimal]) -> bool:
        decay = (-rate * abs(tent[0] - tip[0])).exp()
        return tent[1] * decay * (1 - abs(margin)) >= tip[1]

    tents: list[tuple[Decimal, Decimal]] = []  # answer, height; no tip is covered
    for answer, peak in zip(worlds.answers.tolist(), worlds.peak_masses):
        tip = Decimal(answer), to_decimal(peak)
        if tents and covers(tents[-1], tip):
            continue
        while tents and covers(tip, tents[-1]):
            tents.pop()
        tents.append(tip)
    if len(tents) == 1:
        return worlds.largest_prior <= risk
    overlaps = (
        (high * other).sqrt() * (-rate * (there - here) / 2).exp()
        for (here, high), (there, other) in itertools.pairwise(tents)
    )
    success = sum(height for _, height in tents) - sum(overlaps)
    total = to_decimal(worlds.mass)
    return success + margin * total <= to_decimal(risk) * total


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
