"""Values that look as if they stood for a missing one."""

from __future__ import annotations

import math
import re
import warnings

import numpy as np

FAR = 1000  # times all others: hardly any honest record
APART = 5  # times all others, for a number that is used as a code
FILLS = (1e20, 1e30, 1e35, 9.96921e36, -9.96921e36, 32767, -32768, 2147483647, -2147483648)
NINES = re.compile(r"-?9{3,}(\.0*|\.9+)?$")


class MissingCodeWarning(UserWarning):
    """A value looks like a code for a missing one."""


def warn_of_codes(values: np.ndarray, name: str = "universe") -> None:
    """One line of warning where a value looks like a code for a missing one.

    Such a value is a single one, however often it occurs, that lies far from all
    others: a thousand times as far from 0; or, where it is written in nines
    (999, -99999) or is a fill value of a file format (1e20, 9.96921e36), five
    times as far, or below 0 where nothing else is. Heavy tails have their largest
    value near the next: among a million Cauchy numbers it is a thousand times the
    next in one set of a thousand, and five times in one of five, but then it is
    not written in nines.

    Args:
        values: the records, shape (N,).
        name: of them, for the message.

    >>> code_among(np.array([21.5, 19, 1e20, 22]))
    1e+20
    >>> code_among(np.array([1.0, 2, 10, 300]))
    """
    code = code_among(values)
    if code is not None:
        count = int(np.count_nonzero(values == code))
        records = f"{count:,} record{'s' * (count > 1)}"
        warnings.warn(
            f"{name} holds {code:g} in {records}, far from all other values: is it "
            "a code for a missing one? The noise that keeps such a value secret is large",
            MissingCodeWarning,
            stacklevel=4,
        )


def code_among(values: np.ndarray) -> float | None:
    """The value that looks like a code, or None."""
    for far in {float(values[np.abs(values).argmax()]), float(values.min())}:
        others = values[values != far]
        most = float(np.abs(others).max()) if len(others) else 0.0
        if not most or others.min() == others.max():
            continue
        if abs(far) >= FAR * most or (
            _is_written_as_code(far)
            and (abs(far) >= APART * most or (far < 0 and others.min() >= 0))
        ):
            return far
    return None


def _is_written_as_code(value: float) -> bool:
    """Nines, or a fill value.

    >>> [_is_written_as_code(one) for one in (-999.0, 99999.9, 9.969209968386869e36, 42.0)]
    [True, True, True, False]
    """
    nines = abs(value) < 1e15 and NINES.match(f"{value:.10f}".rstrip("0"))
    return bool(nines) or any(math.isclose(value, fill, rel_tol=1e-6) for fill in FILLS)
