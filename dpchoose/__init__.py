"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The modules stand in the order of the argument, and each imports only from
those before it: checks, datasets, queries, subsets, sensitivity, counting,
leave_one_out, worlds, beliefs, decay, roots, risk, certify, solve, choose, shells,
records, recommendation, mechanisms, exponential, randomized_response, published,
slips, figures, mechanism_figures, sensitivity_figures, tables, chapters, handwork,
scorecard, explorer.
"""

from dpchoose import datasets
from dpchoose.beliefs import (
    confidence,
    disclosure_risk,
    largest_posterior,
    posterior,
    posteriors,
)
from dpchoose.checks import parse_risk
from dpchoose.choose import UnattainableRisk, epsilon_from_risk, round_down
from dpchoose.exponential import Exponential, neighbouring_counts
from dpchoose.mechanisms import Laplace
from dpchoose.randomized_response import RandomizedResponse
from dpchoose.recommendation import recommend
from dpchoose.records import record_risk
from dpchoose.risk import average_risk, risk_upper_bound, worst_case_risk
from dpchoose.sensitivity import (
    Sensitivity,
    global_sensitivity,
    local_sensitivity,
    neighbourhood_diameter,
)
from dpchoose.shells import epsilon_from_shell_bound, shell_bound
from dpchoose.worlds import Worlds, possible_worlds, world_answers

__version__ = "0.1.0"

__all__ = [
    "Exponential",
    "Laplace",
    "RandomizedResponse",
    "Sensitivity",
    "UnattainableRisk",
    "Worlds",
    "average_risk",
    "confidence",
    "datasets",
    "disclosure_risk",
    "epsilon_from_risk",
    "epsilon_from_shell_bound",
    "global_sensitivity",
    "largest_posterior",
    "local_sensitivity",
    "neighbourhood_diameter",
    "neighbouring_counts",
    "parse_risk",
    "possible_worlds",
    "posterior",
    "posteriors",
    "recommend",
    "record_risk",
    "risk_upper_bound",
    "round_down",
    "shell_bound",
    "world_answers",
    "worst_case_risk",
]
