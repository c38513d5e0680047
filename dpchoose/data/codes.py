"""Values that look as if they stood for a missing one."""

from __future__ import annotations

import re
import warnings

import numpy as np

FAR = 1000  # times all others: so are a million Cauchy numbers in one set of a thousand
APART = 5  # times all others, for a number that is used as a code: one set of five
NINES = re.compile(r"-?9{3,}(\.0*|\.9+)?")
FILLS = (1e20, 1e30, 1e35, 9.96921e36, -9.96921e36, 32767, -32768, 2147483647, -2147483648)


class MissingCodeWarning(UserWarning):
    """A value looks like a code for a missing one."""


def warn_of_codes(values: np.ndarray, name: str = "universe") -> None:
    """Warn where a value of the records, (N,), looks like a code for a missing one.

    It is single, and a thousand times as far from 0 as all others; or, of nines (999, -99999) or
    a fill value of a file format (1e20), five times as far, or below 0 where nothing else is.
    """
    if (code := code_among(values)) is not None:
        found = f"{code:g} in {np.count_nonzero(values == code):,} of {len(values):,} records"
        text = f"{name} holds {found}, far from all other values: is it a code for a missing one?"
        warnings.warn(text, MissingCodeWarning, stacklevel=4)


def code_among(values: np.ndarray) -> float | None:
    """The value that looks like a code, or None.

    >>> [code_among(np.array([21.5, 19, far])) for far in (1e20, -999, 99999.9, 300)]
    [1e+20, -999.0, 99999.9, None]
    """
    for far in {float(values[np.abs(values).argmax()]), float(values.min())}:
        others = values[values != far]
        if not others.size or others.min() == others.max():
            continue
        named = NINES.fullmatch(f"{far:.10f}".rstrip("0")) or np.isclose(far, FILLS, 1e-6, 0).any()
        times = abs(far) / np.abs(others).max()
        if times >= FAR or (named and (times >= APART or far < 0 <= others.min())):
            return far
    return None
