"""The limits of a column as they are typed, and what lies beyond them."""

import contextlib
import re
from typing import Any

import numpy as np

from dpchoose.sensitivity.limits import low_and_high

FAMILIES = [range(8, 10), *(range(10**digits - 3, 10**digits) for digits in range(2, 16))]


def parse_limits(limits: Any, name: str = "limits") -> tuple[float, float]:
    """The limits l < h of a column, of a pair or of a text such as ``"0:60"``.

    >>> parse_limits((0, 60)), parse_limits("-0.5:1")
    ((0.0, 60.0), (-0.5, 1.0))
    """
    if isinstance(limits, str):
        with contextlib.suppress(ValueError):
            limits = tuple(map(float, re.split(r"(?<=\d)\s*:", limits)))
    return low_and_high(limits, name)


def codes_beyond(values: np.ndarray, limits: tuple[float, float]) -> list[float]:
    """The repeated values outside the limits that look like codes for missing ones, sorted.

    They are 9, 8 and 9, 98 and 99, 997 to 999 and the like, or their negatives, and nothing lies
    between them and the limits.

    >>> codes_beyond(np.array([2.0, 3, 98, 99, 99]), (0, 15))
    [98.0, 99.0]
    >>> codes_beyond(np.array([2.0, 3, 40, 99, 99]), (0, 15))
    []
    """
    codes: list[float] = []
    for sign, limit in ((-1, -limits[0]), (1, limits[1])):
        outside, counts = np.unique(sign * values[sign * values > limit], return_counts=True)
        for family in FAMILIES:
            group = np.isin(outside, family)
            if group.any() and group[0] and family[-1] in outside and counts[group].sum() > 1:
                codes += (sign * outside[group]).tolist()
    return sorted(codes)
