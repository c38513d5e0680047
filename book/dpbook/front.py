"""The numbers of the front pages, which are no notebooks: none is typed there."""

from __future__ import annotations

import re

import pandas as pd

import dpchoose as dp
from dpbook.chapter import published_parameters
from dpbook.tables import two_digits
from dpchoose.epsilon.text import factor, of_100

FACTORS = (1.5, 2, 3, 5, 10, 30)  # to choose from
SUSPICIONS = {"one": 0.01, "ten": 0.1, "half": 0.5}


def numbers() -> dict[str, str]:
    r"""Name to text, at the factor and the limits of the chapter on adversaries.

    >>> found = numbers()
    >>> [found[name] for name in ("one", "ten", "half", "mean_days", "mean_all")]
    ['3', '25', '75', '±\xa08.2', '±\xa00.014']
    """
    accepted, limits = (
        published_parameters()["adversaries"][name] for name in ("factor", "limits")
    )
    days = dp.datasets.school()[0]["absence_days"]
    health = pd.read_csv(dp.datasets.health())
    visits = {"query": ("mean", "visits"), "limits": {"visits": limits}, "odds": accepted}
    everybody = dp.recommend(data=health, **visits)
    poor = health[health["health"] == "poor"]
    found = {
        "mean_days": dp.recommend("mean", days, 3, odds=accepted),
        "median_days": dp.recommend("median", days, 3, odds=accepted),
        "mean_poor": dp.recommend(data=poor, **visits),
        "mean_all": everybody,
    }
    return (
        {name: two_digits(one.table["95% error"][0]) for name, one in found.items()}
        | {"factor": factor(accepted), "squared": factor(accepted**2)}
        | {"thrice": factor(accepted**3), "rows": "\n".join(map(_row, FACTORS))}
        | {name: _after(share, accepted) for name, share in SUSPICIONS.items()}
        | {"third": _after(0.3, accepted), "thirty": "30"}
        | {"hundred": "100", "single": "1", "tenth": "10", "fifty": "50"}
        | {"patients": f"{len(health):,}", "poor": str(len(poor))}
        | {"low": f"{limits[0]:g}", "high": f"{limits[1]:g}"}
        | {"about_all": f"{health['visits'].clip(*limits).mean():.2f}"}
        | {"about_poor": f"{poor['visits'].clip(*limits).mean():.1f}"}
        | {"about_days": f"{days[:3].mean():g}"}
        | {"sentence": everybody.sentences()[0], "reader": everybody.sentences()[1]}
    )


def _after(share: float, accepted: float) -> str:
    """So many of 100, at most."""
    return str(of_100(dp.after(share, accepted)))


def _row(accepted: float) -> str:
    """A factor, and what each suspicion may become, as a row of a table."""
    cells = [factor(accepted), *(_after(share, accepted) for share in SUSPICIONS.values())]
    return f"| {' | '.join(cells)} |"


def filled(text: str) -> str:
    """A page with each ``{{name}}`` replaced.

    >>> filled("{{one}} of {{factor}}")
    '3 of 3'
    """
    found = numbers()
    return re.sub(r"\{\{(\w+)\}\}", lambda name: found[name[1]], text)
