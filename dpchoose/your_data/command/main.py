"""The command line, assembled: an epsilon, a risk or a sensitivity for a file of records."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import click

from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import round_up
from dpchoose.your_data import wording
from dpchoose.your_data.command import options, output
from dpchoose.your_data.recommend import recommend, refuse

SUFFIXES = {"report": (".html",), "plot": (".svg", ".png"), "opendp": (".py",)}
GOAL = ": with --odds 3 a suspicion of 1% may become 3%, and of 50% 75%"
LONGEST = 300  # letters of a word in a message: a path fits, 5,000 digits do not


def epsilon(typed: dict[str, Any]) -> None:
    """The noise that keeps what you accept, for the records of FILE.

    All answers that are asked for are published together, and what you accept
    holds for them together.

    \b
    Examples:
      dpchoose epsilon visits.csv --ask mean:stay --limits stay=0:60 --odds 3
      dpchoose epsilon visits.csv --ask mean:stay --all-but-one --odds 3
      dpchoose epsilon visits.csv --ask mean:stay --released consent \\
        --risk 1% --before 0.1%
    """
    _recommend(typed, "odds", "risk", "error")


def risk(typed: dict[str, Any]) -> None:
    """What every reader gets at an epsilon, or a noise scale, for the records of FILE.

    One epsilon is that of all answers together; several, and scales, are those
    of each answer in the order in which they are asked for.

    \b
    Example:
      dpchoose risk visits.csv --ask mean:stay --limits stay=0:60 --epsilon 1
    """
    _recommend(typed, "epsilon", "scale")


def sensitivity(typed: dict[str, Any]) -> None:
    """How far each statistic can move between neighbouring datasets of FILE.

    Rounded up, so that noise made with it is never too small.

    \b
    Example:
      dpchoose sensitivity visits.csv --ask mean:stay --ask var:stay --all-but-one
    """
    arguments = options.question(typed)
    _, rows, facts, _ = options.read(typed)
    result = recommend(**arguments | rows, epsilon=1)  # of any noise they are the same
    asked = result.asked.facts()
    answers = [
        {"statistic": row.statistic, "sensitivity": float(round_up(row.sensitivity))}
        for row in result.answers[: len(result.labels)]
    ]
    question = asked | facts | {"situation": wording.SITUATIONS[asked["situation"]]}
    output.show({"question": question, "answers": answers}, typed["format"])


def _recommend(typed: dict[str, Any], *goals: str) -> None:
    """Answer, write what is to be written, and print; refuse where nothing is recommended."""
    arguments = options.question(typed)
    goal = options.one_of({goal: typed[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = typed[goal][0] if len(typed[goal]) == 1 else typed[goal]
    accepted = {goal: value, "before": typed["before"]}
    renders = _renders(typed)
    refuse(**arguments, **accepted)
    source, rows, facts, context = options.read(typed)
    result = recommend(**arguments | rows, **accepted, split=typed["split"] or "equal")
    result = replace(result, context=context)
    report = result.to_dict()
    if result.refused:
        raise ValueError(f"{result.status}: {result.reason}")
    if typed["show_cut"]:
        report["private"]["cut"] = wording.cut_effects(result, rows["data"])
    words = click.get_current_context().find_root().obj
    report["question"] |= facts | {"command": shlex.join(["dpchoose", *words])}
    public = output.public(report)
    contents = [(path, render(path, result, public, source)) for path, render in renders]
    for path, content in contents:
        output.write(path, content)
    output.show(report, typed["format"])


def _renders(typed: dict[str, Any]) -> list[tuple[str, Callable[..., str | bytes]]]:
    """The files that are to be written, each with what renders it; refused before any work."""
    in_it = typed["limits"] or typed["everybody"] or typed["hide_n"] or typed["released"]
    if typed["opendp"] and (not in_it or typed["file"] in (None, "-")):
        raise ValueError("--opendp needs --limits or --released, and a file to read again")
    renders = []
    for name, suffixes in SUFFIXES.items():
        if typed[name] is not None:
            output.check(f"--{name}", typed[name], typed["file"] or "", *suffixes)
            module = import_module(f"dpchoose.your_data.command.{name}")
            renders.append((typed[name], module.render))
    return renders


COMMANDS = [options.command(function) for function in (epsilon, risk, sensitivity)]


@click.group(commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dpchoose")
def cli() -> None:
    """From a disclosure risk that you accept to an epsilon that keeps it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: its exit code, or 2 with one line on a mistake, or 130."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings(action="once", category=MissingCodeWarning):
            warnings.showwarning = lambda message, *_: _say(f"warning: {message}")
            code = cli.main(words or ["--help"], "dpchoose", standalone_mode=False, obj=words)
        sys.stdout.flush()
        return code or 0
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return 130
    except (click.ClickException, ValueError, TypeError, ImportError, OSError, MemoryError) as no:
        _say(_reason(no))
        return 2
    except MissingCodeWarning as question:
        _say(f"{question} Name them with --missing, or say --missing none if all are values")
        return 2


def _reason(error: Exception) -> str:
    """Why what was asked cannot be answered."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ImportError):
        return f"{error.name} must be there: pip install '.[plot]' brings it"
    return str(error) or "this needs more memory than there is"


def _say(text: str) -> None:
    """One line on standard error."""
    words = [word if len(word) <= LONGEST else f"{word[:LONGEST]}..." for word in text.split()]
    click.echo(f"dpchoose: {output.printable(' '.join(words))}", err=True)
