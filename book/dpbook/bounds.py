"""Both bounds on the risk together, by the names that tables and figures give them."""

import math
from typing import Any

import dpchoose as dp
from dpchoose.worlds.worlds import Worlds


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
