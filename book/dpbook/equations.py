"""The equations of the book and the functions that compute them."""

# Each numbered equation of the book that is computed here, and its one function.
EQUATIONS = {
    "eq-laplace": "Laplace.density",
    "eq-posterior": "posterior",
    "eq-tight": "tight_bound",
    "eq-upper": "upper_bound",
    "eq-choose": "epsilon_from_risk",
    "eq-closed-form": "epsilon_from_risk",
    "eq-limit": "Worlds.largest_share",
    "eq-torn": "after",
    "eq-limits": "limits_sensitivity",
    "eq-joint": "tight_bound",
    "eq-global": "global_sensitivity",
    "eq-local": "local_sensitivity",
    "eq-rr-truth": "RandomizedResponse.truth_probability",
    "eq-rr-expected": "RandomizedResponse.expected_yes",
    "eq-rr-estimate": "RandomizedResponse.estimate",
    "eq-rr-uncertainty": "RandomizedResponse.uncertainty",
    "eq-rr-risk": "RandomizedResponse.disclosure_risk",
    "eq-rr-epsilon": "RandomizedResponse.from_risk",
    "eq-exponential": "Exponential.probabilities",
    "eq-guarantee": "Exponential.guarantee",
    "eq-exp-bound": "Exponential.from_risk",
    "eq-record": "record_risk",
    "eq-record-bound": "your_data.record.record_bound",
    "eq-relative": "relative_risk",
}
