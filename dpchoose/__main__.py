"""The command line: an epsilon, or a sensitivity, for a column of your CSV file."""

from __future__ import annotations

import math
import sys
import textwrap
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dpchoose import checks, datasets
from dpchoose.data import queries
from dpchoose.epsilon.choose import round_down
from dpchoose.epsilon.recommendation import recommend
from dpchoose.sensitivity import global_sensitivity

if typing.TYPE_CHECKING:
    import pandas as pd

EXAMPLES = """
\b
Examples:
  dpchoose epsilon pupils.csv --column absence_days --risk 1/3
  dpchoose epsilon pupils.csv --column absence_days --query var --risk 0.4 --format csv
  dpchoose sensitivity pupils.csv --column absence_days --release-size 2 --distance 2
"""

Command = Callable[..., Any]


@click.group(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dpchoose")
def cli() -> None:
    """From a disclosure risk that you accept to an epsilon that keeps it."""


def _common(command: Command) -> Command:
    """The options that say which data and which queries."""
    for option in reversed(
        [
            click.argument("data", type=click.Path(path_type=Path)),
            click.option("--column", required=True, help="The numeric column."),
            click.option(
                "--release-size",
                type=int,
                help="Records released, fewer than there are.  [default: all but one]",
            ),
            click.option(
                "--query",
                "query_names",
                multiple=True,
                default=("mean",),
                show_default=True,
                help=f"{', '.join(queries.NAMED)} or percentile_p; may be given several times.",
            ),
            click.option(
                "--adjacency",
                default="unbounded",
                show_default=True,
                help="unbounded (add or remove a record) or bounded (change one).",
            ),
            click.option("--drop-missing", is_flag=True, help="Leave out records without a value."),
            click.option(
                "--format",
                "form",
                default="table",
                show_default=True,
                help="table, csv or json.",
            ),
        ]
    ):
        command = option(command)
    return command


@cli.command(epilog=EXAMPLES)
@_common
@click.option(
    "--risk",
    "risks",
    multiple=True,
    required=True,
    help="Accepted, as 1/3 or 0.33; may be given several times.",
)
def epsilon(
    query_names: tuple[str, ...], adjacency: str, form: str, risks: tuple[str, ...], **records: Any
) -> None:
    """The epsilon that keeps each risk for DATA, and what it costs.

    The recommendation table: epsilon by every bound, the scale of the Laplace
    noise, and the half-width that holds it with 95 % probability.
    """
    for risk in risks:
        checks.parse_risk(risk)
    universe, size = _universe(query_names, form, **records)
    found = recommend(list(query_names), universe, size, risk=list(risks), adjacency=adjacency)
    refused = found["epsilon"].map(lambda cell: cell != cell or "cannot" in str(cell))
    if refused.all():
        raise ValueError(found["reason"].iloc[0])
    _print(found, form)


@cli.command(epilog=EXAMPLES)
@_common
@click.option("--distance", type=int, default=1, show_default=True, help="Hamming distance.")
def sensitivity(
    query_names: tuple[str, ...], adjacency: str, form: str, distance: int, **records: Any
) -> None:
    """How far each query can move between neighbouring datasets of DATA."""
    import pandas as pd

    universe, size = _universe(query_names, form, **records)
    rows = []
    for query in query_names:
        found = global_sensitivity(query, universe, size, adjacency=adjacency, distance=distance)
        rows.append(
            {
                "query": query,
                "records": len(universe),
                "release size": size,
                "adjacency": adjacency,
                "distance": distance,
                "sensitivity": found.value,
            }
        )
    _print(pd.DataFrame(rows), form)


def _universe(
    query_names: tuple[str, ...],
    form: str,
    *,
    data: Path,
    column: str,
    release_size: int | None,
    drop_missing: bool,
) -> tuple[pd.Series, int]:
    """The records, and how many are released; all refusals come from here or earlier."""
    checks.choice("--format", form, ("table", "csv", "json"))
    for query in query_names:
        queries.resolve(query)
    universe = datasets.read_column(data, column, drop_missing=drop_missing)
    checks.universe(universe)
    size = len(universe) - 1 if release_size is None else release_size
    return universe, checks.release_size(size, len(universe))


def _print(frame: pd.DataFrame, form: str) -> None:
    """Every digit for programs; for people a column per answer, epsilons rounded down."""
    if form == "csv":
        text = frame.to_csv(index=False)
    elif form == "json":
        text = frame.to_json(orient="records", indent=2, double_precision=15) + "\n"
    else:
        reasons = frame.pop("reason") if "reason" in frame else []
        shown = frame.apply(lambda column: [_cell(column.name, value) for value in column])
        text = shown.T.to_string(header=False) + "\n"
        for reason in dict.fromkeys(filter(None, reasons)):
            text += "\n" + textwrap.fill(reason, 79) + "\n"
    click.echo(text, nl=False)


def _cell(name: Any, value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return ""
    return round_down(value) if name.startswith("epsilon") else f"{value:.6g}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: words after the program's name; None for those it was given.

    Returns:
        0; 2 when what was asked cannot be answered, with one line that says
        why; 130 when it was interrupted.
    """
    return answer(cli, "dpchoose", arguments)


def answer(command: click.Command, name: str, arguments: list[str] | None = None) -> int:
    """Run a command so that all it says of a mistake is one line.

    Args:
        command: what to run; it returns its exit code, or None for 0.
        name: how it is called.
        arguments: as for :func:`main`.

    Returns:
        the exit code, as of :func:`main`.

    >>> answer(cli, "dpchoose", ["sensitivity", "--column"])
    2
    """
    try:
        return command.main(arguments, prog_name=name, standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        return _refuse(name, error.format_message())
    except (ValueError, TypeError) as error:
        return _refuse(name, str(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"{name}: interrupted", err=True)
        return 130


def _refuse(name: str, reason: str) -> int:
    click.echo(f"{name}: {' '.join(reason.split())}", err=True)
    return 2


if __name__ == "__main__":
    sys.exit(main())
