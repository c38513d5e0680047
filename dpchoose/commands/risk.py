"""``dpchoose risk``: what adversaries get at an epsilon that somebody already has."""

from __future__ import annotations

from typing import Any

import click

from dpchoose import checks
from dpchoose.commands import forms, options
from dpchoose.commands.answer import Answer

EXAMPLES = """
\b
Examples:
  dpchoose risk pupils.csv --column absence_days --epsilon 1
  dpchoose risk pupils.csv --ask mean:absence_days --ask count --scale 0.5 --scale 2
"""


@click.command(epilog=EXAMPLES)
@options.add(
    *options.ASKED,
    click.option(
        "--epsilon",
        "epsilons",
        type=float,
        multiple=True,
        help="The epsilon of all answers, or one for each.",
    ),
    click.option(
        "--scale", "scales", type=float, multiple=True, help="The noise scale, one for each answer."
    ),
    *options.TOGETHER,
    *options.FILE,
)
def risk(
    epsilons: tuple[float, ...], scales: tuple[float, ...], verbose: bool, **asked: Any
) -> None:
    """What every adversary gets at an epsilon, or a noise scale, for DATA.

    One epsilon is that of all answers together, in equal shares; several, and
    scales, are those of each answer in the order in which they are asked for.
    """
    if bool(epsilons) == bool(scales):
        raise ValueError("risk needs either --epsilon or --scale")
    name, values = ("epsilon", epsilons) if epsilons else ("scale", scales)
    for value in values:
        checks.number(f"--{name}", value, 0, float("inf"))
    question = options.question(**asked)
    given = values[0] if len(values) == 1 else list(values)
    found = question.recommend(**{name: given})
    told = [Answer(f"{name} {', '.join(f'{value:g}' for value in values)}", question, found)]
    click.echo(forms.printed(told, asked["form"], verbose=verbose), nl=False)
