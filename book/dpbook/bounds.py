"""Both bounds on the risk together, by the names that tables and figures give them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import dpchoose as dp
from dpchoose.data.queries import Query
from dpchoose.worlds.worlds import Worlds


def risks_by_bound(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> dict[str, np.ndarray]:
    """The upper and the tight bound on the risk.

    Args:
        worlds, epsilon, sensitivity: as for :func:`dpchoose.tight_bound`.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.tight_bound`.
    """
    at = {"epsilon": epsilon, "sensitivity": sensitivity}
    return {
        "upper bound": dp.upper_bound(worlds, **at),
        "tight bound": dp.tight_bound(worlds, **at),
    }


def epsilons_by_bound(worlds: Worlds, *, risk: Any, sensitivity: float) -> dict[str, float]:
    """Epsilon by the upper and by the tight bound; nan where none meets the risk.

    Args:
        worlds, risk, sensitivity: as for :func:`dpchoose.epsilon_from_risk`.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.epsilon_from_risk`.
    """
    chosen = {}
    for name, bound in {"upper bound": "upper", "tight bound": "tight"}.items():
        try:
            chosen[name] = dp.epsilon_from_risk(
                worlds, risk=risk, sensitivity=sensitivity, bound=bound
            )
        except dp.UnattainableRisk:
            chosen[name] = math.nan
    return chosen


def curves_of(
    query: Query, universe: Any, release_size: int, *, epsilon: Any, sensitivity: float
) -> dict[str, np.ndarray]:
    """Both bounds on the risk of a query.

    Args:
        query, universe, release_size: as for :func:`dpchoose.possible_worlds`.
        epsilon, sensitivity: as for :func:`dpchoose.tight_bound`.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.possible_worlds` and :func:`dpchoose.tight_bound`.
    """
    worlds = dp.possible_worlds(query, universe, release_size)
    return risks_by_bound(worlds, epsilon=epsilon, sensitivity=sensitivity)
