"""``dpchoose epsilon``: the noise that keeps a risk that is accepted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import click
import numpy as np

from dpchoose import checks
from dpchoose.commands import files, forms, options
from dpchoose.commands.answer import Answer
from dpchoose.commands.options import Question
from dpchoose.epsilon.text import parse_risk

SECRETS = ("world", "present", "absent")
SPLITS = ("equal", "best")
UNPUBLISHED = ("nothing left", "cannot be met")  # no noise that is finite keeps the risk

EXAMPLES = """
\b
Examples:
  dpchoose epsilon pupils.csv --column absence_days --risk 1/3
  dpchoose epsilon pupils.csv --column absence_days --query mean --query var --risk 0.4
  dpchoose epsilon visits.csv --ask mean:visits --ask count --by ward --risk 0.01
"""


@click.command(epilog=EXAMPLES)
@options.add(
    *options.ASKED,
    click.option(
        "--risk",
        "risks",
        multiple=True,
        required=True,
        help="The risk that you accept, as 1/3 or 0.33; may be given several times.",
    ),
    click.option(
        "--secret",
        default="world",
        show_default=True,
        help="world (which records are released), present or absent (that one is in, or out).",
    ),
    click.option(
        "--split",
        default="equal",
        show_default=True,
        help="How answers share the risk: equal, best, or weights 1,2,1.",
    ),
    click.option("--each", is_flag=True, help="A promise for each answer alone, not together."),
    *options.TOGETHER,
    *options.FILE,
    click.option("--plot", help="Draw risk against epsilon, to a .svg or .png file."),
    click.option("--report", help="Write a page for whoever signs, to a .html file."),
    click.option("--opendp", help="Write a script that publishes once, to a .py file."),
)
@click.pass_context
def epsilon(
    context: click.Context,
    risks: tuple[str, ...],
    secret: str,
    split: str,
    each: bool,
    verbose: bool,
    plot: str | None,
    report: str | None,
    opendp: str | None,
    **asked: Any,
) -> None:
    """The noise and the epsilon that keep each risk for DATA, a CSV file.

    All answers that are asked for are published together, and the risk holds
    for them together. DATA is all that the adversary knows: the released rows
    are some of it.
    """
    for risk in risks:
        parse_risk(risk)
    checks.choice("--secret", secret, SECRETS)
    shares = parse_split(split)
    _check_files(plot, report, opendp, risks=risks, each=each, **asked)
    question = options.question(**asked)
    found = (_apart if each else _recommend)(question, risks, secret=secret, split=shares)
    if all(one.found.status == "cannot be met" for one in found):
        raise ValueError(found[0].found.reason)
    command = words(context)
    if report is not None or plot is not None:
        from dpchoose.commands import plot as drawing
        from dpchoose.commands import report as pages

        figure = drawing.Drawing.of(found[0])
        if plot is not None:
            files.write(plot, figure.draw(plot.rpartition(".")[2]))
        if report is not None:
            files.write(report, pages.page(found[0], figure.draw("svg").decode(), command))
    if opendp is not None:
        from dpchoose.commands import opendp as scripts

        files.write(opendp, scripts.script(found[0], command))
    click.echo(forms.printed(found, asked["form"], verbose=verbose), nl=False)


def words(context: click.Context) -> list[str]:
    """The command as it was typed."""
    return ["dpchoose", *(context.find_root().obj or ())]


def parse_split(text: str) -> str | list[float]:
    """How the risk is split: a word, or a weight for each answer.

    Raises:
        ValueError: another word, a negative weight, or none above 0.

    >>> parse_split("1,2,1")
    [1.0, 2.0, 1.0]
    """
    if text in SPLITS:
        return text
    try:
        weights = [float(weight) for weight in text.split(",")]
    except ValueError:
        weights = []
    if not weights or not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise ValueError(
            f"--split must be equal, best, or weights such as 1,2,1 of which none is negative "
            f"and one above 0, got {text!r}"
        )
    return weights


def _recommend(question: Question, risks: tuple[str, ...], **how: Any) -> list[Answer]:
    """An answer for each risk."""
    made = question.recommend(risk=list(risks), **how)
    return [Answer(f"risk {risk}", question, one) for risk, one in zip(risks, made, strict=True)]


def _apart(question: Question, risks: tuple[str, ...], **how: Any) -> list[Answer]:
    """An answer for each statistic and risk, with the risk of all statistics together."""
    parts = [replace(question, asked=(one,)) for one in question.asked]
    columns = [_recommend(part, risks, **how) for part in parts]
    found = []
    for answers_of_a_risk in zip(*columns, strict=True):
        published = [one for one in answers_of_a_risk if one.found.status not in UNPUBLISHED]
        scales = [one.found.table["noise scale"].to_numpy() for one in published]
        together = replace(question, asked=tuple(one.question.asked[0] for one in published))
        risk = math.nan
        if len(published) > 1:
            joint = together.recommend(scale=np.stack(scales, axis=1).ravel())  # by group
            risk = float(joint.risks[how["secret"]])
        found += [one._replace(together=risk) for one in answers_of_a_risk]
    return found


def _check_files(
    plot: str | None,
    report: str | None,
    opendp: str | None,
    *,
    risks: tuple[str, ...],
    each: bool,
    data: str,
    released: str | None,
    **_: Any,
) -> None:
    """Refuse what could not be written, before any work."""
    wanted = [path for path in (plot, report, opendp) if path is not None]
    if wanted and (each or len(risks) > 1):
        raise ValueError("--plot, --report and --opendp need one --risk, and no --each")
    files.check("--plot", plot, data, ".svg", ".png")
    files.check("--report", report, data, ".html")
    files.check("--opendp", opendp, data, ".py")
    if opendp is not None and released is None:
        raise ValueError("--opendp needs --released, the column that says who is released")
    if opendp is not None and data == "-":
        raise ValueError("--opendp needs a file that it can read again, got standard input")
    if plot is not None or report is not None:
        from dpchoose.commands import plot as drawing

        drawing.check()
