"""Values that look as if they stood for a missing one."""

import re
import warnings

import numpy as np

# The ratio of the largest to the second largest value, in size, of a code; a million draws from a
# Cauchy distribution reach the first in one set of a thousand, and the other in one of five.
ANY_RATIO = 1000
CODE_RATIO = 5  # of nines, which are in use as codes
NINES = re.compile(r"-?9{3,}(\.0*|\.9+)?")
FAMILIES = [range(8, 10), *(range(10**digits - 3, 10**digits) for digits in range(2, 16))]
CODE = "{name} holds {value}, far from all other values: is it a code for a missing one?"


class MissingCodeWarning(UserWarning):
    """A value looks like a code for a missing one."""


def warn_of_codes(values: np.ndarray, name: str = "universe") -> None:
    """Warn where a value of the records, (N,), looks like a code for a missing one.

    It is single, and a thousand times as far from 0 as all others; or, of nines (999, -99999),
    five times as far, or below 0 where nothing else is.
    """
    if (code := code_among(values)) is not None:
        count = f"{np.count_nonzero(values == code):,} of {len(values):,} records"
        text = CODE.format(name=name, value=f"{code:g} in {count}")
        warnings.warn(text, MissingCodeWarning, stacklevel=4)


def code_among(values: np.ndarray) -> float | None:
    """The value that looks like a code, or None.

    >>> [code_among(np.array([21.5, 19, value])) for value in (1e20, -999, 99999.9, 300)]
    [1e+20, -999.0, 99999.9, None]
    """
    lowest, highest = float(values.min()), float(values.max())
    for value in {max(lowest, highest, key=abs), lowest}:
        others = values[values != value]
        if not others.size or others.min() == others.max():
            continue
        nines = NINES.fullmatch(f"{value:.10f}".rstrip("0"))
        ratio = abs(value) / max(others.max(), -others.min())
        negative = value < 0 <= others.min()
        if ratio >= ANY_RATIO or (nines and (ratio >= CODE_RATIO or negative)):
            return value
    return None


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
