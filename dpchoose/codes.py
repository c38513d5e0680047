"""Values that look as if they stood for a missing one."""

import math
import re
import warnings

import numpy as np

# The ratio of the largest to the second largest value, in size, of a code; a million draws from a
# Cauchy distribution reach the first in one set of a thousand, and the other in one of five.
ANY_RATIO = 1000
CODE_RATIO = 5  # of nines, which are in use as codes
NINES = re.compile(r"9{3,}(\.0*|\.9+)?")
FAMILIES = [range(8, 10), *(range(10**digits - 3, 10**digits) for digits in range(2, 16))]
CODE = "{name} holds {value}, far from all other values: is it a code for a missing one?"


class MissingCodeWarning(UserWarning):
    """A value looks like a code for a missing one."""


def warn_of_codes(values: np.ndarray, name: str = "universe") -> None:
    """Warn of each value of the records, (N,), that looks like a code for a missing one."""
    for code in codes_among(values):
        count = f"{np.count_nonzero(values == code):,} of {len(values):,} records"
        text = CODE.format(name=name, value=f"{code:g} in {count}")
        warnings.warn(text, MissingCodeWarning, stacklevel=4)


def codes_among(values: np.ndarray, limits: tuple[float, float] | None = None) -> list[float]:
    """The values that look like codes for missing ones, sorted; nothing lies nearer at their end.

    One is a thousand times as far from 0 as all others; or, of nines (999, -99999), five times as
    far, or below 0 where nothing else is. Where limits are stated, all others are what they allow,
    and a code lies beyond them; so do 9, 8 and 9, 98 and 99, 997 to 999 and the like, or their
    negatives, if there are two or more.

    >>> [codes_among(np.array([21.5, 19, value])) for value in (1e20, -999, 99999.9, 300)]
    [[1e+20], [-999.0], [99999.9], []]
    >>> codes_among(np.array([2.0, 3, 98, 99, 99]), (0, 15))
    [98.0, 99.0]
    >>> [codes_among(np.array([2.0, 3, *some]), (0, 15)) for some in ([40, 99, 99], [99], [999])]
    [[], [], [999.0]]
    """
    codes: list[float] = []
    for sign in (-1, 1):  # each end of the values, seen as the upper one
        ordered, counts = np.unique(sign * values, return_counts=True)
        low, high = ordered[0], ordered[-2:][0]
        if limits is not None:
            least, high = sorted(sign * limit for limit in limits)
            low = min(low, least)
        outside = ordered > high
        if low == high or not outside.any():
            continue
        first = ordered[outside][0]
        family = next((some for some in FAMILIES if limits and first in some), [math.nan])
        group = outside & np.isin(ordered, family)
        if family[-1] in ordered and counts[group].sum() > 1:
            codes += (sign * ordered[group]).tolist()
        elif outside.sum() == 1:
            ratio = abs(first) / max(-low, abs(high))
            nines = NINES.fullmatch(f"{first:.10f}".rstrip("0"))
            alone = sign < 0 and high <= 0  # no other is below 0
            if ratio >= ANY_RATIO or (nines and (ratio >= CODE_RATIO or alone)):
                codes.append(float(sign * first))
    return sorted(codes)
