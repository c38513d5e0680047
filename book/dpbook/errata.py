r"""The sources' own calculations, each with its error, to be run again.

Written from what the published code does, not copied from it. Nothing here
chooses an epsilon for a reader: the function that does is named each time.
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
from dpchoose.sensitivity import global_sensitivity
from dpchoose.worlds.possible import Worlds, world_answers
from dpchoose.worlds.subsets import ranked

FEW = 2000  # worlds of which all pairs are compared


def confidence(*, prior: Any, posterior: Any) -> float:
    """The largest LOSS of belief: the two arguments are exchanged in the call.

    Munilla Garrido (2021), section 4.4; :func:`dpchoose.confidence` is the
    largest gain.

    Args:
        prior, posterior: as for :func:`dpchoose.confidence`.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.confidence`.

    >>> confidence(prior=[0.25] * 4, posterior=[0.4, 0.3, 0.2, 0.1])
    0.15
    >>> beliefs.confidence(prior=[0.25] * 4, posterior=[0.7, 0.1, 0.1, 0.1])
    0.44999999999999996
    """
    return beliefs.confidence(prior=posterior, posterior=prior)


def posterior(
    query: Query,
    universe: Any,
    release_size: int,
    output: float,
    *,
    epsilon: float,
    sensitivity: float,
) -> np.ndarray:
    """The posterior of the mean's answers, whatever the query.

    Munilla Garrido (2021), section 4.4: the query is taken and not used;
    :func:`dpchoose.posterior` is given the answers.

    Args:
        query: a name or a callable on the last axis; it makes no difference.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        output, epsilon, sensitivity: as for :func:`dpchoose.posterior`.

    Returns:
        shape (C(N, n),), summing to 1, in lexicographic order of positions.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.posterior`.

    >>> posterior("median", [1, 2, 3, 10], 3, 2, epsilon=2, sensitivity=4).round(3).tolist()
    [0.556, 0.173, 0.147, 0.124]
    """
    del query
    answers = world_answers("mean", universe, release_size)
    return beliefs.posterior(answers, output, epsilon=epsilon, sensitivity=sensitivity)


def tight_bound(
    query: Query, universe: Any, release_size: int, *, epsilon: float, sensitivity: float
) -> float:
    r"""The tight bound as coded: two sets of worlds are left out.

    .. math:: \max_{i < m} \frac{1}{1 + \sum_{j:\,w_j \ne w_i} e^{-t|f_i - f_j|}}

    Munilla Garrido (2021), section 5.2: the last of the m worlds is no
    candidate, and worlds whose records have the same values, in the same
    order, do not hide each other. :func:`dpchoose.tight_bound` counts all.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
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
    epsilon = checks.number("epsilon", epsilon, 0, math.inf, closed="[)")
    sensitivity = checks.number("sensitivity", sensitivity, 0, math.inf, closed="()")
    answers = world_answers(query, values, size, max_worlds=FEW)
    worlds = values[ranked(len(values), size, 0, len(answers))]
    unequal = (worlds[:, None] != worlds).any(axis=2)
    distances = np.abs(answers[:, None] - answers)
    others = (np.exp(-epsilon / sensitivity * distances) * unequal).sum(axis=1)
    return float((1 / (1 + others[:-1])).max())


def upper_bound(
    query: Query, universe: Any, release_size: int, *, epsilon: float, sensitivity: float
) -> float:
    r"""The upper bound as coded: records counted for worlds, one change for the spread.

    .. math:: \frac{1}{1 + (N - 1) e^{-t\Delta_1}}

    with :math:`\Delta_1` the bounded global sensitivity at distance 1; Munilla
    Garrido (2021), section 5.2. Lee and Clifton (2011), equation 9, have the
    number of worlds less one and the spread: :func:`dpchoose.upper_bound`.
    Both are the same when n is 1 or N - 1, and this too is a bound: a world
    has n(N - n) others one change away, (n - 1)(N - n - 1) more than N - 1.

    Args:
        query, universe, release_size: as for :func:`tight_bound`.
        epsilon: in [0, inf).
        sensitivity: of the query, in (0, inf), in the unit of the answers.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> round(upper_bound("mean", [1, 2, 3, 4], 3, epsilon=0.3379, sensitivity=5 / 6), 4)
    0.3333
    """
    epsilon = checks.number("epsilon", epsilon, 0, math.inf, closed="[)")
    sensitivity = checks.number("sensitivity", sensitivity, 0, math.inf, closed="()")
    step = float(global_sensitivity(query, universe, release_size, adjacency="bounded"))
    return 1 / (1 + (len(universe) - 1) * math.exp(-epsilon / sensitivity * step))


def upper_bound_epsilon(
    query: Query, universe: Any, release_size: int, *, risk: Any, sensitivity: float
) -> float:
    r"""The epsilon of :func:`upper_bound`, solved by hand and not certified.

    .. math:: \frac{\Delta f}{\Delta_1} \ln\frac{(N - 1)\rho}{1 - \rho}

    Args:
        query, universe, release_size: as for :func:`tight_bound`.
        risk: accepted, in (0, 1); a number, or a text such as "1/3".
        sensitivity: of the query, in (0, inf), in the unit of the answers.

    Returns:
        the epsilon; not above 0 for a risk of at most 1/N, and inf when no
        change moves the answer.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> round(upper_bound_epsilon("mean", [1, 2, 3, 10], 3, risk="1/3", sensitivity=17 / 6), 9)
    0.382939269
    """
    accepted = float(parse_risk(risk))
    sensitivity = checks.number("sensitivity", sensitivity, 0, math.inf, closed="()")
    step = float(global_sensitivity(query, universe, release_size, adjacency="bounded"))
    if step == 0:
        return math.inf
    return sensitivity / step * math.log((len(universe) - 1) * accepted / (1 - accepted))


def halving(
    bound: Callable[..., float],
    worlds: Worlds,
    *,
    risk: Any,
    sensitivity: float,
    halvings: int = 25,
) -> float:
    """The published search for epsilon, which may end on the wrong side.

    Munilla Garrido (2021): it starts from 0 and from the upper bound's epsilon
    for a risk of 0.9999, halves, and returns the last middle, whichever side
    of the risk it lies on. :func:`dpchoose.epsilon_from_risk` stays below.

    Args:
        bound: :func:`dpchoose.tight_bound` or another bound on the risk.
        worlds, risk, sensitivity: as for :func:`dpchoose.epsilon_from_risk`.
        halvings: how many, at least 1.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

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


def effect(wrong: Any, right: Any, *, of: str) -> str:
    """What an error does to a reader who relies on it, at worst.

    Args:
        wrong, right: what the error gives, and what is right; a number each, or
            a sequence of as many.
        of: "epsilon", which gives the more away the larger it is, or "risk",
            for a risk, a gain of belief, a sensitivity or a guarantee, which
            hides what is given away the smaller it is.

    Returns:
        "unsafe" when more is given away somewhere than the reader believes,
        "wasteful" when only less is, "harmless" when all agree to 1e-12.

    Raises:
        ValueError: another word, or sequences of two lengths.

    >>> effect(1.0404, 0.4317, of="epsilon"), effect([4, 8], [4, 7], of="risk")
    ('unsafe', 'wasteful')
    """
    checks.choice("of", of, ("epsilon", "risk"))
    effects = {"harmless"}
    for one, other in zip(np.ravel(wrong), np.ravel(right), strict=True):
        if not math.isclose(one, other, rel_tol=1e-12):
            effects.add("unsafe" if (one > other) == (of == "epsilon") else "wasteful")
    return next(word for word in ("unsafe", "wasteful", "harmless") if word in effects)
