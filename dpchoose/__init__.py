"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The folders stand in the order of the argument, and each imports only from those before
it: data, worlds, sensitivity, risk, epsilon, mechanisms. Every function refuses an argument
outside its domain by a ValueError, and one of the wrong kind by a TypeError, with its name, the
rule and the value; a docstring names only errors of other kinds.
"""

from dpchoose.data import datasets
from dpchoose.data import queries as queries
from dpchoose.epsilon.inverse import UnattainableRisk, epsilon_from_risk
from dpchoose.epsilon.recommend import recommend
from dpchoose.epsilon.result import Recommendation
from dpchoose.mechanisms.exponential import Exponential
from dpchoose.mechanisms.gaussian import Gaussian
from dpchoose.mechanisms.laplace import Laplace
from dpchoose.mechanisms.randomized_response import RandomizedResponse
from dpchoose.risk.bounds import average_risk, tight_bound, upper_bound
from dpchoose.risk.odds import after, odds_factor, relative_risk
from dpchoose.risk.posterior import confidence, disclosure_risk, largest_posterior, posterior
from dpchoose.risk.record import record_risk
from dpchoose.sensitivity import Sensitivity, global_sensitivity, local_sensitivity
from dpchoose.sensitivity.limits import limits_sensitivity
from dpchoose.worlds.worlds import Worlds, possible_worlds, world_answers

__version__ = "0.3.0"

__all__ = [
    "Exponential",
    "Gaussian",
    "Laplace",
    "RandomizedResponse",
    "Recommendation",
    "Sensitivity",
    "UnattainableRisk",
    "Worlds",
    "after",
    "average_risk",
    "confidence",
    "datasets",
    "disclosure_risk",
    "epsilon_from_risk",
    "global_sensitivity",
    "largest_posterior",
    "limits_sensitivity",
    "local_sensitivity",
    "odds_factor",
    "possible_worlds",
    "posterior",
    "recommend",
    "record_risk",
    "relative_risk",
    "tight_bound",
    "upper_bound",
    "world_answers",
]

# Each numbered equation of the book that is computed here, and its one function.
EQUATIONS = {
    "eq-laplace": "Laplace.density",
    "eq-posterior": "posterior",
    "eq-tight": "tight_bound",
    "eq-upper": "upper_bound",
    "eq-limit": "Worlds.largest_share",
    "eq-choose": "epsilon_from_risk",
    "eq-closed-form": "epsilon_from_risk",
    "eq-torn": "after",
    "eq-record": "record_risk",
    "eq-record-bound": "risk.record.record_bound",
    "eq-joint": "tight_bound",
    "eq-global": "global_sensitivity",
    "eq-local": "local_sensitivity",
    "eq-limits": "limits_sensitivity",
    "eq-relative": "relative_risk",
    "eq-rr-truth": "RandomizedResponse.truth_probability",
    "eq-rr-expected": "RandomizedResponse.expected_yes",
    "eq-rr-estimate": "RandomizedResponse.estimate",
    "eq-rr-uncertainty": "RandomizedResponse.uncertainty",
    "eq-rr-risk": "RandomizedResponse.disclosure_risk",
    "eq-rr-epsilon": "RandomizedResponse.from_risk",
    "eq-exponential": "Exponential.probabilities",
    "eq-guarantee": "Exponential.guarantee",
    "eq-exp-bound": "Exponential.from_risk",
}
