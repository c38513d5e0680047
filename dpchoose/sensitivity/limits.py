"""How far one record can move an answer of which only public limits of the values are known.

Of a column with limits l and h let r = h - l. Where n is public one record is changed: a sum
moves by r at most, a mean by r/n. Where n is hidden it also comes or goes: a count moves by 1,
a sum by max(\\|l\\|, \\|h\\|), and the *centred sum*, of the values less (l + h)/2, by r/2.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from dpchoose import checks
from dpchoose.data.queries import NAMED, Query, rank_of

HIDDEN = ("count", "sum", "centred sum")
NOT_FROM_LIMITS = (
    "it can move far even where hardly a record changes; where the file is known it can be "
    "asked, and the book has a median by the exponential mechanism"
)


def parse_limits(limits: Any, name: str = "limits") -> tuple[float, float]:
    """The limits l < h of a column, of a pair or of a text such as ``"0:60"``.

    >>> parse_limits((0, 60)), parse_limits("-0.5:1")
    ((0.0, 60.0), (-0.5, 1.0))
    """
    pair = limits
    if isinstance(limits, str):
        if re.fullmatch(r"\s*(min\w*|max\w*)?\s*:\s*(min\w*|max\w*)?\s*", limits, re.I):
            why = "what is looked up in the file gives its extremes away, and the promise with them"
            raise ValueError(f"{name} must be numbers such as 0:60, got {limits!r}: {why}")
        pair = re.split(r"(?<=\d)\s*:", limits)
        try:
            pair = tuple(map(float, pair))
        except ValueError:
            pair = ()
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"{name} must be two numbers, such as 0:60, got {checks.short(limits)}")
    low, high = (checks.real(name, one, -checks.LARGEST, checks.LARGEST) for one in pair)
    if high - low < checks.SMALLEST:
        raise ValueError(f"{name} must be a low number and a higher one, got {low:g} and {high:g}")
    return low, high


def limits_sensitivity(query: Query, limits: Any, n: int | None = None) -> tuple[float, float]:
    """How far one record can move an answer: when it is changed, and when it comes or goes.

    A change is ``eq-limits``.

    Args:
        query: with n "sum", "mean" or "share"; without "count", "sum" or "centred sum". Others
            are refused with the reason and the way.
        limits: (l, h) of the values; of a share and of a count they are not used.
        n: the public number of records, at least 1; None where it is hidden.

    Returns:
        (change, add), rounded up; add is nan where n is public.

    >>> limits_sensitivity("mean", (0, 30), 4)
    (7.5, nan)
    >>> limits_sensitivity("centred sum", (0, 30)), limits_sensitivity("count", None)
    ((30.0, 15.0), (0.0, 1.0))
    """
    refuse_query(query, hidden=n is None, inside=True)
    if query == "count":
        return 0.0, 1.0
    pair = (0.0, 1.0) if query == "share" else parse_limits(limits)
    low, high, middle = map(Fraction, (*pair, sum(pair) / 2))  # the middle as it is taken off
    if n is not None:
        size = checks.integer("n", n, 1)
        return _up((high - low) / (1 if query == "sum" else size)), math.nan
    farthest = max(abs(low), abs(high)) if query == "sum" else max(high - middle, middle - low)
    return _up(high - low), _up(farthest)


def refuse_query(query: Query, *, hidden: bool, inside: bool = False) -> None:
    """Refuse what cannot be published of everybody, with the reason and the way.

    ``inside`` asks for what itself gets noise, which a mean does not where n is hidden.
    """
    known = (
        (*HIDDEN, *(() if inside else ("mean", "share"))) if hidden else ("sum", "mean", "share")
    )
    if isinstance(query, str) and query in known:
        return
    got = checks.short(query)
    if query == "count":
        raise ValueError(
            "query count must come with hide_n (--hide-n), got n public: it is n, and is known"
        )
    if query in ("mean", "share"):
        raise ValueError(f"query {query} has two answers where n is hidden: centred sum and count")
    if callable(query) or query in NAMED or rank_of(query) is not None:
        rule = f"query must be one of {', '.join(known)} where only limits are known"
        raise ValueError(f"{rule}, got {got}: {NOT_FROM_LIMITS}")
    raise ValueError(f"query must be one of {', '.join(known)}, got {got}")


def _up(exact: Fraction) -> float:
    """The least float that is no less."""
    found = float(exact)
    return found if found >= exact else math.nextafter(found, math.inf)
