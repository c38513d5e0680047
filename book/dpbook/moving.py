"""What each picture that moves begins with: numbers of the package and of its chapter.

A function for each picture, with no arguments, gives what the script of the
same name reads; nothing of it is typed a second time there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dpchoose as dp
from dpbook.chapter import published_parameters
from dpchoose.epsilon.text import parse_risk


def _school() -> dict[str, Any]:
    """The four worlds of the school, named by who is missing, and the mean in each."""
    pupils, release = dp.datasets.school()
    days = pupils["absence_days"]
    return {
        "missing": pupils["name"].tolist()[::-1],
        "answers": dp.world_answers("mean", days, len(release)).tolist(),
        "sensitivity": float(dp.global_sensitivity("mean", days, len(release)).value),
    }


def _accepted(risk: str | float) -> dict[str, Any]:
    """A risk as a number, and in words: a fraction as it was given, else in per cent.

    >>> _accepted("1/3")["accepted"], _accepted(0.01)["accepted"]
    ('1/3', '1%')
    """
    number = float(parse_risk(risk))
    return {"risk": number, "accepted": risk if "/" in str(risk) else f"{100 * number:g}%"}


def beliefs() -> dict[str, Any]:
    """Densities and beliefs, at the epsilon and the output of the first chapter.

    >>> start = beliefs()
    >>> start["missing"][0], start["answers"][0]
    ('Terry', 2.0)
    """
    start = published_parameters()["posterior"]
    return _school() | {name: start[name] for name in ("epsilon", "output")}


def worst_output() -> dict[str, Any]:
    """The risk of each output, and the risk that is accepted, as in the chapter with Figure 2.

    >>> worst_output()["accepted"]
    '1/3'
    """
    start = published_parameters()["fig-2"]
    return _school() | {"epsilon": start["epsilon"]} | _accepted(start["risk"])


def priors() -> dict[str, Any]:
    """The noise that keeps the risk for even priors, and the secretary's suspicion.

    >>> [round(share, 3) for share in priors()["prior"]]
    [0.4, 0.2, 0.2, 0.2]
    """
    start, school = published_parameters()["adversaries"], _school()
    pupils, release = dp.datasets.school()
    even = dp.possible_worlds("mean", pupils["absence_days"], len(release))
    epsilon = dp.epsilon_from_risk(even, risk=start["risk"], sensitivity=school["sensitivity"])
    rest = (1 - start["suspicion"]) / (len(school["missing"]) - 1)
    return (
        school
        | _accepted(start["risk"])
        | {
            "epsilon": float(epsilon),
            "prior": [start["suspicion"], *(len(school["missing"]) - 1) * [rest]],
        }
    )


def again() -> dict[str, Any]:
    """Three suspicions, and the factor of an answer that is published so many times.

    >>> again()
    {'suspicions': [0.01, 0.1, 0.5], 'factor': 1.5, 'times': 12}
    """
    start = published_parameters()["several-answers"]
    return {
        "suspicions": [0.01, 0.1, 0.5],
        "factor": start["monthly"],
        "times": start["times"],
    }


def one_record() -> dict[str, Any]:
    """A list of three with Terry on it, who moves.

    >>> one_record()
    {'names': ['Chris', 'Kelly', 'Terry'], 'days': [1, 2, 10]}
    """
    pupils, _ = dp.datasets.school()
    listed = pupils[pupils["name"] != "Pat"]
    return {"names": listed["name"].tolist(), "days": listed["absence_days"].tolist()}


def coins() -> dict[str, Any]:
    """The survey that the chapter watches, of whose respondents a share has yes as the truth.

    >>> coins()["truths"], round(coins()["epsilon"], 4)
    (40, 1.0986)
    """
    start = published_parameters()["randomized-response"]
    fair = dp.RandomizedResponse.from_first_head_probability(start["first_head"])
    return {
        "respondents": start["few"],
        "truths": round(start["p"] * start["few"]),
        "epsilon": fair.epsilon,
        "seed": start["seed"],
    }


def choice() -> dict[str, Any]:
    """The counts of each marital status, scored in the chapter's unit.

    >>> choice()["unit"], choice()["outcomes"][0]
    (1000, 'Married-civ-spouse')
    """
    people = dp.datasets.adult_marital_status()
    start = published_parameters()["exponential-mechanism"]
    return {
        "outcomes": people.index.tolist(),
        "scores": (people / start["unit"]).tolist(),
        "unit": start["unit"],
    } | {name: start[name] for name in ("epsilon", "sensitivity")}


FIGURES = {  # the figure that each stands in the place of
    "fig-index": "beliefs",
    "fig-posterior-beliefs": "beliefs",
    "fig-fig-2-outputs": "worst-output",
    "fig-adversaries-priors": "priors",
    "fig-several-answers-again": "again",
    "fig-median-record": "one-record",
    "fig-randomized-response-coins": "coins",
    "fig-exponential-mechanism": "choice",
}
PICTURES: dict[str, Callable[[], dict[str, Any]]] = {
    "beliefs": beliefs,
    "worst-output": worst_output,
    "priors": priors,
    "again": again,
    "one-record": one_record,
    "coins": coins,
    "choice": choice,
}
