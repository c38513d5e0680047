r"""By how much odds can grow: the law behind every promise of this package.

Given the others, let d be the most by which the answers of two lists can lie apart, in
scales of the noise. Then for any two beliefs between such lists the odds after are at most
:math:`F = e^d` times the odds before, whatever the odds were. The *odds factor* is
:math:`e^d` and nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpchoose import checks


def odds_factor(before: Any, after: Any) -> Any:
    r"""The factor between the odds of two probabilities.

    .. math:: F = \frac{a}{1 - a} \Big/ \frac{b}{1 - b}

    Args:
        before: b, in (0, 1), of any shape.
        after: a, in (0, 1], of a shape that goes with it.

    Returns:
        factors in (0, inf], of the common shape.

    Raises:
        ValueError: a probability outside its interval.
        TypeError: an argument of the wrong kind.

    >>> odds_factor(0.25, 0.5)
    3.0
    """
    b = checks.reals("before", before, 0, 1, closed="()")
    a = checks.reals("after", after, 0, 1, closed="(]")
    with np.errstate(divide="ignore"):
        found = a * (1 - b) / (b * (1 - a))
    return float(found) if found.ndim == 0 else found


def after(before: Any, factor: Any) -> Any:
    r"""The probability after odds have grown by a factor (``eq-torn`` for b = 1/2).

    .. math:: \frac{F b}{1 - b + F b}

    Args:
        before: b, in [0, 1], of any shape.
        factor: F, in [1, inf], of a shape that goes with it.

    Returns:
        probabilities in [0, 1], of the common shape.

    Raises:
        ValueError: an argument outside its interval.
        TypeError: an argument of the wrong kind.

    >>> after(0.25, 3), after(0.5, np.inf)
    (0.5, 1.0)
    """
    b = checks.reals("before", before, 0, 1)
    f = checks.reals("factor", factor, 1, math.inf)
    with np.errstate(divide="ignore"):
        found = np.where(b == 0, 0.0, b / (b + (1 - b) / f))
    return float(found) if found.ndim == 0 else found
