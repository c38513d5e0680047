"""Pictures that move, each in the place of a still one.

:data:`FIGURES` says which figures move, by their names, and the function of the same name gives
what a picture begins with: numbers of the package and of its chapter, none typed a second time.
Where scripts run, the picture that ``NAME.js`` draws stands in the place of such a figure, above
its caption; without them, and in print, the figure is all there is. The scripts stand where the
picture is, so that it is there before it is seen, and on no other page.
"""

from __future__ import annotations

import functools
import json
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from dpbook.places import NOTEBOOKS
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.fileutil import copy_asset
from sphinx.util.osutil import relative_uri

import dpchoose as dp
from dpchoose.numbers import parse_risk

HERE = Path(__file__).parent
LOGGER = logging.getLogger(__name__)
SHARED = ["nodes", "moving", "sums"]  # scripts of every picture


@functools.cache
def parameters(slug: str) -> dict[str, Any]:
    """What the parameters cell of a chapter sets.

    >>> parameters("fig-2")["risk"]
    '1/3'
    """
    cells = json.loads((NOTEBOOKS / f"{slug}.ipynb").read_text("utf-8"))["cells"]
    (cell,) = (cell for cell in cells if "parameters" in cell["metadata"].get("tags", []))
    values: dict[str, Any] = {}
    exec("".join(cell["source"]), {}, values)
    return values


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
    """Densities and beliefs, at the epsilon of the first chapter and the output of Figure 1.

    >>> start = beliefs()
    >>> start["missing"][0], start["answers"][0]
    ('Terry', 2.0)
    """
    start = parameters("posterior")
    return _school() | {name: start[name] for name in ("epsilon", "output")}


def worst_output() -> dict[str, Any]:
    """The records, the risk that is accepted and the query, as in the chapter with Figure 2.

    >>> start = worst_output()
    >>> start["accepted"], start["missing"][0], start["values"]
    ('1/3', 'Terry', [10, 3, 2, 1])
    """
    start = parameters("fig-2")
    return {
        "missing": start["universe"]["name"][::-1],
        "values": start["universe"]["absence_days"][::-1],
        "query": start["query"],
        "epsilon": start["epsilon"],
    } | _accepted(start["risk"])


def priors() -> dict[str, Any]:
    """The noise that keeps the risk for even priors, and the secretary's suspicion.

    >>> [round(share, 3) for share in priors()["prior"]]
    [0.4, 0.2, 0.2, 0.2]
    """
    start, school = parameters("adversaries"), _school()
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
    start = parameters("several-answers")
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
    start = parameters("randomized-response")
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
    start = parameters("exponential-mechanism")
    return {
        "outcomes": list(start["counts"]),
        "scores": [people / start["unit"] for people in start["counts"].values()],
    } | {name: start[name] for name in ("unit", "epsilon", "sensitivity")}


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
PICTURES = {
    begin.__name__.replace("_", "-"): begin
    for begin in (beliefs, worst_output, priors, again, one_record, coins, choice)
}


class Picture(nodes.General, nodes.Element):
    """The picture: ``name``, ``data``, and the figure inside."""


def _move(app: Sphinx, document: nodes.document) -> None:
    for figure in [*document.findall(nodes.figure)]:
        for name in (FIGURES[id] for id in figure["ids"] if id in FIGURES):
            picture = Picture(name=name, data=PICTURES[name]())
            figure.replace_self(picture)
            picture += figure


def _all_there(app: Sphinx, env: BuildEnvironment) -> None:
    """A picture whose figure is on no page would be gone in silence."""
    for figure in FIGURES.keys() - env.get_domain("std").anonlabels.keys():
        LOGGER.warning("%s is on no page, and %s moves nowhere", figure, FIGURES[figure])


def _open(writer: Any, node: Picture) -> None:
    """The shared scripts once a page, then the data, an empty stage and the figure."""
    first = next(node.document.findall(Picture)) is node
    data = json.dumps(node["data"]).replace("<", "\\u003c")
    writer.body += [_script(writer, name) for name in SHARED if first]
    writer.body.append(
        f'<div class="moving" data-moving="{escape(node["name"])}">'
        f'<script type="application/json">{data}</script>'
        '<div class="moving-stage" hidden></div>'
        f"{_script(writer, node['name'])}"
        '<div class="moving-still">'
    )


def _close(writer: Any, node: Picture) -> None:
    writer.body.append("</div></div>")


def _script(writer: Any, name: str) -> str:
    page = writer.builder.get_target_uri(writer.builder.current_docname)
    return f'<script src="{relative_uri(page, f"_static/moving/{name}.js")}"></script>'


def _copy(app: Sphinx) -> None:
    """The scripts and the style, among what the pages load."""
    copy_asset(HERE, Path(app.outdir) / "_static" / "moving", excluded=lambda path: ".py" in path)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", _copy)
    app.add_node(Picture, html=(_open, _close))
    app.connect("doctree-read", _move)
    app.connect("env-check-consistency", _all_there)
    app.add_css_file("moving/moving.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
