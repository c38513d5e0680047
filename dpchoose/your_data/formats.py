"""The formats of numbers in tables and sheets, and numbers as they are printed there."""

import decimal
from decimal import Decimal
from fractions import Fraction

import numpy as np

from dpchoose.numbers import format_prior, format_probability, parse_number

PRECISE = decimal.Context(prec=1000)  # more digits than tell a fraction from half a step


def rounded_probability(value: float) -> float:
    """A probability as the number that :func:`format_probability` shows.

    >>> rounded_probability(0.98521)
    0.986
    """
    shown = format_probability(value)
    as_it_is = shown.startswith("practically") or "/" in shown
    return value if as_it_is else round(float(parse_number(shown, "risk")), 12)


def rounded_prior(value: Fraction) -> float:
    """A probability before any answer as the number that :func:`format_prior` shows.

    >>> rounded_prior(Fraction(1, 5048))
    0.0001981
    """
    return float(parse_number(format_prior(value), "before"))


def format_number(value: float | None) -> str:
    """A number of a dictionary as it stands in a table: no powers of ten, nothing added.

    >>> [format_number(value) for value in (0.003292, 12.0, None, 1.311e-15)]
    ['0.003292', '12', '', '1.311e-15']
    """
    if value is None:
        return ""
    if value and not 1e-6 <= abs(value) < 1e15:
        return repr(float(value))
    return np.format_float_positional(value, trim="-")


def decimals_of(values: np.ndarray) -> int:
    """How many decimals the numbers are written with.

    >>> decimals_of(np.array([1.5, 2.25]))
    2
    """
    written = (np.format_float_positional(value, trim="-") for value in values)
    return max(len(text.partition(".")[2]) for text in written)


def format_exact(value: Fraction, root: bool, decimals: int) -> str:
    """An exact answer, or the root of one, rounded to so many decimals from its fraction.

    >>> format_exact(Fraction(53, 110), False, 3), format_exact(Fraction(2), True, 3)
    ('0.482', '1.414')
    """
    exact = PRECISE.divide(Decimal(value.numerator), value.denominator)
    exact = PRECISE.sqrt(exact) if root else exact
    return f"{exact:z.{decimals}f}"
