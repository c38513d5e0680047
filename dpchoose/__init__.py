"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The folders stand in the order of the argument, and each imports only from
those before it: data, worlds, sensitivity, risk, epsilon, mechanisms.
"""

from dpchoose.checks import parse_risk
from dpchoose.data import datasets
from dpchoose.data import queries as queries
from dpchoose.epsilon.choose import UnattainableRisk, epsilon_from_risk, round_down
from dpchoose.epsilon.recommendation import recommend
from dpchoose.epsilon.shells import epsilon_from_shell_bound, shell_bound
from dpchoose.mechanisms.exponential import Exponential, neighbouring_counts
from dpchoose.mechanisms.laplace import Laplace
from dpchoose.mechanisms.randomized_response import RandomizedResponse
from dpchoose.risk.bounds import average_risk, risk_upper_bound, worst_case_risk
from dpchoose.risk.posterior import (
    confidence,
    disclosure_risk,
    largest_posterior,
    posterior,
    posteriors,
)
from dpchoose.risk.record import record_risk
from dpchoose.sensitivity import (
    Sensitivity,
    global_sensitivity,
    local_sensitivity,
)
from dpchoose.worlds.possible import Worlds, possible_worlds, world_answers

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

# Each numbered equation of the book that is computed here, and its one function.
EQUATIONS = {
    "eq-laplace": "Laplace.density",
    "eq-posterior": "posterior",
    "eq-tight": "worst_case_risk",
    "eq-upper": "risk_upper_bound",
    "eq-limit": "worst_case_risk",
    "eq-choose": "epsilon_from_risk",
    "eq-closed-form": "epsilon_from_risk",
    "eq-shell": "shell_bound",
    "eq-global": "global_sensitivity",
    "eq-local": "local_sensitivity",
    "eq-rr-truth": "RandomizedResponse.truth_probability",
    "eq-rr-expected": "RandomizedResponse.expected_yes",
    "eq-rr-estimate": "RandomizedResponse.estimate",
    "eq-rr-uncertainty": "RandomizedResponse.uncertainty",
    "eq-rr-risk": "RandomizedResponse.from_risk",
    "eq-rr-epsilon": "RandomizedResponse.from_risk",
    "eq-exponential": "Exponential.probabilities",
    "eq-guarantee": "Exponential.guarantee",
    "eq-exp-bound": "Exponential.from_risk",
}
