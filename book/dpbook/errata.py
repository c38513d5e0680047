"""The search of Munilla Garrido (2021), with its error, to be run again."""

import math
from collections.abc import Callable
from typing import Any

from dpchoose.numbers import parse_risk
from dpchoose.worlds.worlds import Worlds


def halving(
    bound: Callable[..., float],
    worlds: Worlds,
    *,
    risk: Any,
    sensitivity: float,
    halvings: int = 25,
) -> float:
    """The published search for epsilon: its last middle, on whichever side of the risk it lies.

    Args:
        bound: :func:`dpchoose.tight_bound` or another bound on the risk.
        worlds, risk, sensitivity: as for :func:`dpchoose.epsilon_from_risk`.
        halvings: of the interval from 0 to the upper bound's epsilon for 0.9999.

    >>> from dpchoose import possible_worlds, tight_bound
    >>> worlds = possible_worlds("median", [1, 2, 3, 4], 3)
    >>> halving(tight_bound, worlds, risk=1 / 3, sensitivity=1)
    0.693147280402229
    """
    odds = (worlds.total - 1) * 0.9999 / (1 - 0.9999)
    low, high = 0.0, sensitivity / worlds.spread * math.log(odds)
    for _ in range(halvings):
        middle = (low + high) / 2
        if bound(worlds, epsilon=middle, sensitivity=sensitivity) < float(parse_risk(risk)):
            low = middle
        else:
            high = middle
    return middle
