"""``dpchoose sensitivity``: how far a statistic can move between neighbouring datasets."""

from __future__ import annotations

from typing import Any

import click

from dpchoose.commands import options
from dpchoose.commands.answer import aligned
from dpchoose.commands.forms import as_json_text, comma_separated
from dpchoose.commands.options import called
from dpchoose.epsilon.text import round_up

EXAMPLES = """
\b
Examples:
  dpchoose sensitivity pupils.csv --column absence_days --release-size 2 --distance 2
"""


@click.command(epilog=EXAMPLES)
@options.add(
    *options.ASKED,
    click.option(
        "--distance",
        type=int,
        default=1,
        show_default=True,
        help="How many records are added, removed or changed.",
    ),
    *options.FILE,
)
def sensitivity(distance: int, **asked: Any) -> None:
    """How far each query can move between neighbouring datasets of DATA.

    The table rounds up, so that noise made with one of its sensitivities is
    never too small; csv and json give each as it is.
    """
    from dpchoose.sensitivity import global_sensitivity

    question = options.question(**asked)
    rows = []
    for query, column in question.asked:
        values = question.universe.iloc[:, 0] if column is None else question.universe[column]
        found = global_sensitivity(
            query,
            values,
            question.release_size,
            adjacency=question.adjacency,
            distance=distance,
        )
        rows.append(
            {
                "statistic": called((query, column)),
                "records": len(values),
                "release size": question.release_size,
                "adjacency": question.adjacency,
                "distance": distance,
                "sensitivity": found.value,
            }
        )
    if asked["form"] == "json":
        text = as_json_text(rows)
    elif asked["form"] == "csv":
        text = comma_separated(rows)
    else:
        shown = [{**row, "sensitivity": round_up(row["sensitivity"])} for row in rows]
        text = aligned(zip(shown[0], *(map(str, row.values()) for row in shown))) + "\n"
    click.echo(text, nl=False)
