"""Numbers as they are written, and as they may be shown.

An epsilon that is shown is never more than it is; a scale, an error, a risk or a factor
never less: whoever types a number from a page keeps the promise that goes with it.
"""

import decimal
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpchoose import checks

MOST_DIGITS = 60  # in the text of a number: more would say nothing and could take for ever
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)
NEARLY = Fraction(1, 10**6)  # the distance from 0 or 1 that is called practically none
NO_LIMIT, OVER_A_MILLION = "without limit", "over a million"
WRITTEN_LIKE = "{name} must be written like 1/3, 0.33 or 33%, got {got}"
THOUSANDS = (
    "{name} must be written without a sign between thousands, got '{got}': is it {whole} or "
    "{decimal}?"
)
IN_0_1 = "{name} must lie in (0, 1), got {got}"
CLOSE = 1e-12  # the relative excess that is rounding alone


def parse_risk(value: Any, name: str = "risk") -> Fraction:
    """A probability, in (0, 1), as the exact fraction meant.

    A text may be a fraction, a decimal or in per cent; a float is taken as the binary
    fraction that it is.

    >>> parse_risk("1/3"), parse_risk("5%"), parse_risk("0,05")
    (Fraction(1, 3), Fraction(1, 20), Fraction(1, 20))
    """
    if not isinstance(value, (str, Fraction)):
        value = checks.real(name, value, 0, 1, closed="()")
    exact = parse_number(value, name)
    if not 0 < exact < 1:
        raise ValueError(IN_0_1.format(name=name, got=value))
    return exact


def parse_number(value: Any, name: str) -> Fraction:
    """A single number as the exact fraction meant: 0.05, ``"0,05"``, ``"5%"``, ``"1/3"``.

    >>> parse_number("1,5", "odds"), parse_number(3, "odds")
    (Fraction(3, 2), Fraction(3, 1))
    """
    if not isinstance(value, str):
        if isinstance(value, Fraction):
            return value
        return Fraction(checks.real(name, value, -math.inf, math.inf, closed="()"))
    text = value.strip()
    if re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?%?", text):
        ways = {"whole": text.replace(",", ""), "decimal": text.replace(",", ".", 1)}
        raise ValueError(THOUSANDS.format(name=name, got=value, **ways))
    body, divisor = text.removesuffix("%"), 100 if text.endswith("%") else 1
    pieces = [piece.strip() for piece in body.replace(",", ".", 1).split("/")]
    good = len(text) <= MOST_DIGITS and len(pieces) <= 2 and all(map(NUMBER.fullmatch, pieces))
    if not good or (len(pieces) == 2 and not Fraction(pieces[1])):
        raise ValueError(WRITTEN_LIKE.format(name=name, got=checks.short(value)))
    return Fraction(pieces[0]) / Fraction(pieces[-1] if len(pieces) == 2 else 1) / divisor


def log(value: Fraction) -> float:
    """The natural logarithm of a positive fraction, of any size.

    >>> round(log(Fraction(1, 10**400)), 6), round(-400 * math.log(10), 6)
    (-921.034037, -921.034037)
    """
    near = value.numerator / value.denominator if 1e-300 < value < 1e300 else 0.0
    if 0.5 < near < 2:
        return math.log1p(float(value - 1))
    return math.log(near) if near else math.log(value.numerator) - math.log(value.denominator)


def round_down(value: float) -> str:
    """An epsilon as it may be shown: never more than it is.

    It is in [0, inf]; four digits stand after its point, or as many as show four that count.

    >>> round_down(2.772588722239781), round_down(0.0000123456), round_down(math.inf)
    ('2.7725', '0.00001234', 'without limit')
    """
    return _rounded(value, decimal.ROUND_FLOOR)


def round_up(value: float) -> str:
    """A noise scale or an error as it may be shown, with digits as in :func:`round_down`.

    >>> round_up(0.0032919234), round_up(2.77), round_up(math.inf)
    ('0.003292', '2.7700', 'without limit')
    """
    return _rounded(value, decimal.ROUND_CEILING)


def format_probability(value: float, thirds: tuple[int, ...] = (1, 2)) -> str:
    """A probability in per cent, rounded up; 100 is said of nothing less.

    What exceeds a short number by rounding alone is that number, and a third is one of ``thirds``.

    >>> [format_probability(value) for value in (0.01, 1 / 3, 0.98521, 0.9999999, 1.0)]
    ['1%', '1/3', '98.6%', 'practically 100%', '100%']
    """
    for third in thirds:
        if 0.333 * third < value <= third / 3 * (1 + CLOSE):
            return f"{third}/3"
    if 0 < value < NEARLY or 1 - NEARLY < value < 1:
        return "practically 0%" if value < NEARLY else "practically 100%"
    percent = Decimal(value) * 100
    for digits in range(1, 9):
        unit = Decimal(1).scaleb(-digits)
        shown = percent.quantize(unit, decimal.ROUND_HALF_EVEN)
        if abs(float(shown / 100) - value) <= CLOSE * value and (shown < 100 or value == 1):
            break
        shown = percent.quantize(unit, decimal.ROUND_CEILING)
        if 10 * unit < shown < 100:
            break
    return f"{shown:f}".rstrip("0").rstrip(".") + "%"


def format_prior(value: Fraction) -> str:
    """A probability before any answer, in per cent, to the nearest of four digits.

    >>> [format_prior(Fraction(value)) for value in ("3/4", "1/5048", "299999/300000")]
    ['75%', '0.01981%', '99.9997%']
    """
    shown = (f"{float(100 * value):.{digits}g}" for digits in range(4, 18))
    return next(f"{text}%" for text in shown if value == 1 or float(text) < 100)


def format_odds_factor(value: float) -> str:
    """By how much odds grow, rounded up to three digits.

    >>> [format_odds_factor(value) for value in (3.0, 50.981, 1.5, math.inf)]
    ['3', '51', '1.5', 'without limit']
    """
    if value == math.inf:
        return NO_LIMIT
    if value > 10**6:
        return OVER_A_MILLION
    text = f"{Decimal(repr(rounded_up_to(value))):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def rounded_up_to(value: float, digits: int = 3) -> float:
    """A number rounded up to few digits, as a factor is printed; an excess by rounding is none.

    >>> rounded_up_to(63.627), rounded_up_to(0.0311, 1)
    (63.7, 0.04)
    """
    room = decimal.Context(prec=digits, rounding=decimal.ROUND_CEILING)
    return float(room.create_decimal(Decimal(value) * (1 - Decimal(CLOSE))))


def per_hundred(value: float) -> float:
    """A probability as so many of 100, rounded up; below 100 up to 99.9999.

    >>> per_hundred(0.75), per_hundred(0.2941), per_hundred(0.9901), per_hundred(0.99999)
    (75, 30, 99.1, 99.999)
    """
    ups = (math.ceil(100 * value * unit - 1e-9) / unit for unit in (1, 10, 100, 1000, 10**4))
    return next((int(up) if up == int(up) else up for up in ups if up < 100), 100)


def format_fraction(value: Fraction) -> str:
    """A probability as it is read: itself while it is short, and a decimal.

    >>> format_fraction(Fraction(1, 3))
    '1/3 = 0.333333'
    """
    text = f"{float(value):.6g}" if value > 1e-300 else f"1e{log(value) / math.log(10):.0f}"
    return f"{value} = {text}" if 1 < value.denominator < 10**6 else text


def _rounded(value: float, rounding: str) -> str:
    """To four digits, or four that count; what reads back as the float itself is it."""
    value = checks.real("value", value, 0, math.inf)
    if value == math.inf:
        return NO_LIMIT
    exact = Decimal(abs(value))  # 0 has no sign
    if exact.adjusted() > 15:
        return repr(value)
    power = exact.adjusted() if value else 0
    digits = max(4, 3 - power)
    unit, room = Decimal(1).scaleb(-digits), decimal.Context(prec=digits + 320)
    shown = exact.quantize(unit, decimal.ROUND_HALF_EVEN, room)
    if float(shown) != value:  # 2.77 is not 2.7701
        shown = exact.quantize(unit, rounding, room)
    return f"{shown:.3e}" if power < -6 else f"{shown:f}"
