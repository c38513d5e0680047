"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The modules stand in the order of the argument, and each imports only from those before it:
queries, worlds, sensitivity, risk, mechanisms are the thin core; ``your_data`` stands on it and
is for a file of your own. Every function refuses an argument outside its domain by a
ValueError, and one of the wrong kind by a TypeError, with its name, the rule and the value; a
docstring names only errors of other kinds.

Names are loaded when they are first used (PEP 562): ``import dpchoose`` itself loads nothing. For
type checkers they stand in ``__init__.pyi``.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.4.0"

# Where each public name is defined: in the thin core, and in the tool for your own file.
NAMES = {
    "worlds.worlds": ("Worlds", "possible_worlds", "world_answers"),
    "sensitivity.global_local": ("Sensitivity", "global_sensitivity", "local_sensitivity"),
    "sensitivity.limits": ("limits_sensitivity",),
    "risk.posterior": ("confidence", "disclosure_risk", "largest_posterior", "posterior"),
    "risk.bounds": ("average_risk", "tight_bound", "upper_bound"),
    "risk.odds": ("after", "odds_factor", "relative_risk"),
    "risk.inverse": ("UnattainableRisk", "epsilon_from_risk"),
    "mechanisms.laplace": ("Laplace",),
    "mechanisms.gaussian": ("Gaussian",),
    "mechanisms.exponential": ("Exponential",),
    "mechanisms.randomized_response": ("RandomizedResponse",),
    "your_data.recommend": ("recommend",),
    "your_data.result": ("Recommendation",),
    "your_data.record": ("record_risk",),
}
HOME = {name: home for home, names in NAMES.items() for name in names}

__all__ = sorted([*HOME, "datasets"])


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name == "datasets":
        value = importlib.import_module(f"{__name__}.{name}")
    elif name in HOME:
        value = getattr(importlib.import_module(f"{__name__}.{HOME[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
