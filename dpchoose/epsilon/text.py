"""Risks as they are written, epsilons and scales as they may be shown.

An epsilon that is shown is never more than it is, and a scale never less, so
that whoever types a number from a page keeps the promise that goes with it.
"""

from __future__ import annotations

import decimal
import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpchoose import checks
from dpchoose.risk.curves import log as log

SMALL, LARGE = -6, 15  # powers of ten beyond which a number is written with its power
MOST_DIGITS = 400  # in the text of a risk: more would say nothing and could take for ever


def parse_risk(value: Any) -> Fraction:
    """The accepted disclosure risk, in (0, 1), as the exact fraction meant.

    A text may be a fraction or a decimal (``"1/3"``, ``"0.33"``); a float is
    taken as the binary fraction that it is.

    Raises:
        TypeError: not a number or a text.
        ValueError: not in (0, 1), or a text that is no number.

    >>> parse_risk("1/3")
    Fraction(1, 3)
    """
    if isinstance(value, str):
        exact = _parsed(value)
    elif isinstance(value, Fraction):
        exact = value
    else:
        exact = Fraction(checks.number("risk", value, 0, 1, closed="()"))
    if not 0 < exact < 1:
        raise ValueError(f"risk must lie in (0, 1), got {value}")
    return exact


def _parsed(text: str) -> Fraction:
    refusal = ValueError(f"risk must be written like 1/3 or 0.33, got {checks.short(text)}")
    if "/" not in text:
        try:  # an exponent of many digits would otherwise be written out
            value = float(text)
        except ValueError:
            raise refusal from None
        if not 0 < value < 1 and value != 1:
            raise ValueError(f"risk must lie in (0, 1), got {checks.short(text)}")
    if len(text) > MOST_DIGITS:
        raise refusal
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise refusal from None


def round_down(value: float, digits: int = 4) -> str:
    """An epsilon as it may be shown: never more than it is.

    Args:
        value: in [0, inf].
        digits: after the decimal point, at least 0; as many more as it takes
            to show four significant ones.

    >>> round_down(2.772588722239781), round_down(0.0000123456), round_down(math.inf)
    ('2.7725', '0.00001234', 'any')
    """
    return _rounded(value, digits, decimal.ROUND_FLOOR, "any")


def round_up(value: float, digits: int = 4) -> str:
    """A noise scale, a half-width or a risk as it may be shown: never less than it is.

    Args:
        value: in [0, inf].
        digits: as for :func:`round_down`.

    >>> round_up(0.0032919234), round_up(2.77), round_up(math.inf)
    ('0.003292', '2.7700', 'infinite')
    """
    return _rounded(value, digits, decimal.ROUND_CEILING, "infinite")


def _rounded(value: float, digits: int, rounding: str, unbounded: str) -> str:
    value = checks.number("value", value, 0, math.inf)
    digits = checks.integer("digits", digits, 0)
    if value == math.inf:
        return unbounded
    exact = Decimal(abs(value))  # 0 has no sign
    if exact.adjusted() > LARGE:
        return repr(value)
    if value and exact.adjusted() < SMALL and digits <= 3 - exact.adjusted():
        return _in_powers(exact, rounding)
    if value > 0:
        digits = max(digits, 3 - exact.adjusted())
    room = decimal.Context(prec=digits + sys.float_info.max_10_exp + 1)
    unit = Decimal(1).scaleb(-digits)
    nearest = exact.quantize(unit, decimal.ROUND_HALF_EVEN, room)
    if float(nearest) == value:  # read back, it is the float itself: 2.77 is not 2.7701
        return f"{nearest:f}"
    return f"{exact.quantize(unit, rounding, room):f}"


def _in_powers(exact: Decimal, rounding: str) -> str:
    """Four digits and a power of ten: 1.311e-15.

    >>> _in_powers(Decimal("1.3105e-15"), decimal.ROUND_CEILING)
    '1.311e-15'
    """
    power = exact.adjusted()
    unit = Decimal(1).scaleb(power - 3)
    room = decimal.Context(prec=8)
    shown = exact.quantize(unit, decimal.ROUND_HALF_EVEN, room)
    if float(shown) != float(exact):
        shown = exact.quantize(unit, rounding, room)
    return f"{shown:.3e}"


def show(value: Fraction) -> str:
    """A probability as it is read: itself while it is short, and a decimal.

    >>> show(Fraction(1, 3))
    '1/3 = 0.333333'
    """
    text = f"{float(value):.6g}" if value > 1e-300 else f"1e{log(value) / math.log(10):.0f}"
    return f"{value} = {text}" if 1 < value.denominator < 10**6 else text
