"""How far one record can move an answer of which only public limits of the values are known.

Of a column with limits l and h let r = h - l. Where n is public one record is changed: a sum
moves by r at most, a mean by r/n, and a variance, divided by n, by r^2 (n - 1)/n^2: one value
leaves the others, all at one limit, for the other one. Where n is hidden it also comes or goes: a
count moves by 1, a sum by max(\\|l\\|, \\|h\\|), and the *centred sum*, of the values less
(l + h)/2, by r/2.
"""

import math
from fractions import Fraction
from typing import Any

from dpchoose import checks
from dpchoose.queries import Query

HIDDEN, PUBLIC = ("count", "sum", "centred sum"), ("sum", "mean", "var", "share")
LIMITS_IN_ORDER = "{name} must be a low number and a higher one, got {low} and {high}"


def low_and_high(limits: Any, name: str = "limits") -> tuple[float, float]:
    """The limits l < h of a column, two numbers in [-1e100, 1e100].

    >>> low_and_high((0, 60))
    (0.0, 60.0)
    """
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        raise TypeError(f"{name} must be two numbers, such as 0:60, got {checks.short(limits)}")
    low, high = (checks.real(name, limit, -checks.LARGEST, checks.LARGEST) for limit in limits)
    if high - low < checks.SMALLEST:
        raise ValueError(LIMITS_IN_ORDER.format(name=name, low=f"{low:g}", high=f"{high:g}"))
    return low + 0.0, high + 0.0  # -0 is 0


def limits_sensitivity(query: Query, limits: Any, n: int | None = None) -> tuple[float, float]:
    """How far one record can move an answer: when it is changed, and when it comes or goes.

    A change is ``eq-limits``.

    Args:
        query: with n "sum", "mean", "var" or "share"; without "count", "sum" or "centred sum".
            Others are refused.
        limits: (l, h) of the values; of a share and of a count they are not used.
        n: the public number of records, at least 1, of "var" 2; None where it is hidden.

    Returns:
        (change, add), rounded up; add is nan where n is public. That of "var" is of its floats.

    >>> dp.limits_sensitivity("mean", (0, 30), 4)
    (7.5, nan)
    >>> round(dp.limits_sensitivity("var", (0, 30), 4)[0], 9)  # 30^2 x 3/16
    168.75
    >>> dp.limits_sensitivity("centred sum", (0, 30)), dp.limits_sensitivity("count", None)
    ((30.0, 15.0), (0.0, 1.0))
    """
    checks.choice("query", query, HIDDEN if n is None else PUBLIC)
    if query == "count":
        return 0.0, 1.0
    pair = (0.0, 1.0) if query == "share" else low_and_high(limits)
    low, high, middle = map(Fraction, (*pair, sum(pair) / 2))  # the middle as it is taken off
    if n is not None:
        size = checks.integer("n", n, 2 if query == "var" else 1)
        if query == "var":  # each float is off by half a unit in the last place of r^2/4 at most
            exact = (high - low) ** 2 * (size - 1) / size**2
            return _up(exact + Fraction(math.ulp(largest_variance(pair)))), math.nan
        return _up((high - low) / (1 if query == "sum" else size)), math.nan
    farthest = max(abs(low), abs(high)) if query == "sum" else max(high - middle, middle - low)
    return _up(high - low), _up(farthest)


def largest_variance(limits: tuple[float, float]) -> float:
    """r^2/4, of which the variance of values within limits is no more; rounded up.

    >>> largest_variance((0.0, 30.0))
    225.0
    """
    low, high = map(Fraction, limits)
    return _up((high - low) ** 2 / 4)


def margin_of_floats(n: int) -> float:
    """By how much more, as a share, one record moves the float of a sum, a mean or a share.

    Less its lower limit a value lies in [0, r], and the sum of n of them in [0, n r]: its float is
    off by n r 2^-53 at most. So the floats of two sums lie up to n r 2^-52 farther apart than
    their r, those of two means r 2^-52 farther than their r/n.
    """
    return n * 2.0**-52


def _up(exact: Fraction) -> float:
    """The least float that is no less."""
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)
