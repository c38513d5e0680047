r"""The sources' own calculations, each with its error, to be run again.

Written from what the published code does (Munilla Garrido, 2021), not copied
from it. Nothing here chooses an epsilon for a reader.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Query
from dpchoose.epsilon.text import parse_risk
from dpchoose.risk import posterior as beliefs
from dpchoose.worlds.subsets import ranked
from dpchoose.worlds.worlds import Worlds, world_answers

FEW = 2000  # worlds of which all pairs are compared
HARMS = ["unsafe", "by a hair", "wasteful", "harmless"]
WITHIN = 0.001  # what differs by less is a hair


def confidence(*, prior: Any, posterior: Any) -> float:
    """The largest LOSS of belief: the arguments of :func:`dpchoose.confidence` exchanged.

    >>> confidence(prior=[0.25] * 4, posterior=[0.4, 0.3, 0.2, 0.1])
    0.15
    """
    return beliefs.confidence(prior=posterior, posterior=prior)


def tight_bound(
    query: Query, universe: Any, release_size: int, *, epsilon: float, sensitivity: float
) -> float:
    r"""The tight bound as coded: the last world is no candidate, equal worlds hide nothing.

    .. math:: \max_{i < m} \frac{1}{1 + \sum_{j:\,w_j \ne w_i} e^{-t|f_i - f_j|}}

    Args:
        query, universe, release_size: as for :func:`dpchoose.possible_worlds`.
        epsilon: in [0, inf).
        sensitivity: of the query, in (0, inf), in the unit of the answers.

    Raises:
        ValueError: an argument outside its domain, or more than 2000 worlds.
        TypeError: an argument of the wrong kind.

    >>> round(tight_bound("mean", [1, 2, 3, 4], 3, epsilon=0.5, sensitivity=5 / 6), 4)
    0.3292
    """
    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    epsilon = checks.real("epsilon", epsilon, 0, math.inf, closed="[)")
    sensitivity = checks.real("sensitivity", sensitivity, 0, math.inf, closed="()")
    answers = world_answers(query, values, size, max_worlds=FEW)
    worlds = values[ranked(len(values), size, 0, len(answers))]
    unequal = (worlds[:, None] != worlds).any(axis=2)
    distances = np.abs(answers[:, None] - answers)
    others = (np.exp(-epsilon / sensitivity * distances) * unequal).sum(axis=1)
    return float((1 / (1 + others[:-1])).max())


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
        halvings: of the interval from 0 to the upper bound's epsilon for 0.9999, at least 1.

    Raises:
        ValueError, TypeError: an argument outside its domain, or of the wrong kind.

    >>> from dpchoose import possible_worlds, tight_bound
    >>> worlds = possible_worlds("median", [1, 2, 3, 4], 3)
    >>> halving(tight_bound, worlds, risk=1 / 3, sensitivity=1)
    0.693147280402229
    """
    accepted = float(parse_risk(risk))
    halvings = checks.integer("halvings", halvings, 1)
    odds = (worlds.total - 1) * 0.9999 / (1 - 0.9999)
    low, high = 0.0, sensitivity / worlds.spread * math.log(odds)
    for _ in range(halvings):
        middle = (low + high) / 2
        if bound(worlds, epsilon=middle, sensitivity=sensitivity) < accepted:
            low = middle
        else:
            high = middle
    return middle


def harm(believed: float, true: float) -> str:
    """What an error does to a reader who relies on it: a word of :data:`HARMS`.

    Args:
        believed, true: how much is given away, as the reader believes and as
            it is: a risk, a gain of belief, a sensitivity, an epsilon.

    >>> harm(0.3333, 0.469), harm(1, 0.001), harm(1 / 3, 1 / 3 + 1e-7), harm(2, 2)
    ('unsafe', 'wasteful', 'by a hair', 'harmless')
    """
    if true > believed:
        return "unsafe" if true - believed >= WITHIN else "by a hair"
    return "wasteful" if believed - true >= WITHIN else "harmless"
