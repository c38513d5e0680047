"""The command line, assembled: an epsilon, a risk or a sensitivity for a file of records."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import click

from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import round_up
from dpchoose.queries import ask
from dpchoose.sensitivity.global_local import global_sensitivity
from dpchoose.your_data import wording
from dpchoose.your_data.command import options, output
from dpchoose.your_data.public_limits import public_limits
from dpchoose.your_data.question import statistic_of_file
from dpchoose.your_data.recommend import recommend, refuse
from dpchoose.your_data.wording import SITUATIONS

SUFFIXES = {"report": (".html",), "plot": (".svg", ".png"), "opendp": (".py",)}
NEIGHBOURS = {"adjacency": "unbounded", "distance": 1}
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
    options.check(typed)
    arguments = options.question(typed)
    neighbours = {name: typed[name] for name in NEIGHBOURS if typed[name] is not None}
    limited = arguments["limits"] is not None
    if limited and neighbours:
        raise ValueError("--distance and --adjacency must not be given beside limits")
    _, rows, facts, _ = options.read(typed)
    if limited:
        given = {name: arguments[name] for name in ("query", "limits", "hide_n", "groups")}
        question = public_limits(data=rows["data"], **given)
        report = question.facts() | {"situation": SITUATIONS["everybody"]}
        moves = dict(zip(question.labels, question.sensitivities.tolist()))
    else:
        neighbours = NEIGHBOURS | neighbours
        size = rows["release_size"] if rows["released"] is None else int(rows["released"].sum())
        moves = {
            row.label: global_sensitivity(row.query, row.values, size, **neighbours).value
            for row in ask(arguments["query"], rows["data"], parse=statistic_of_file).statistics
        }
        report = {"statistics": [*moves], **neighbours}
        report |= {"records": len(rows["data"]), "released": size}
    answers = [
        {"statistic": label, "sensitivity": float(round_up(move))} for label, move in moves.items()
    ]
    output.show({"question": report | facts, "answers": answers}, typed["format"])


def _recommend(typed: dict[str, Any], *goals: str) -> None:
    """Answer, write what is to be written, and print; refuse where nothing is recommended."""
    options.check(typed)
    goal = options.one_of({goal: typed[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = typed[goal][0] if len(typed[goal]) == 1 else typed[goal]
    accepted = {goal: value, "before": typed["before"]}
    paths = {name: typed[name] for name in SUFFIXES if typed[name] is not None}
    if "opendp" in paths:
        _refuse_script(typed)
    for name, path in paths.items():
        output.check(f"--{name}", path, typed["file"] or "", *SUFFIXES[name])
    renders = {
        path: import_module(f"dpchoose.your_data.command.{name}").render
        for name, path in paths.items()
    }
    arguments = options.question(typed)
    refuse(**arguments, **accepted)
    source, rows, facts, context = options.read(typed)
    with warnings.catch_warnings():
        if "none" in typed["missing"]:  # all are values: nothing is asked about
            warnings.simplefilter("ignore", MissingCodeWarning)
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
    contents = {path: render(path, result, public, source) for path, render in renders.items()}
    for path, content in contents.items():
        output.write(path, content)
    output.show(report, typed["format"])


def _refuse_script(typed: dict[str, Any]) -> None:
    """Refuse a script that could not be written, or run."""
    if typed["file"] is None:
        raise ValueError("--opendp needs the file, got --records: there is nothing to draw for")
    if typed["all_but_one"] or typed["release_size"] is not None or typed["file"] == "-":
        raise ValueError("--opendp needs --limits or --released, and a file to read again")


COMMANDS = [options.command(function) for function in (epsilon, risk, sensitivity)]


@click.group(commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dpchoose")
def cli() -> None:
    """From a disclosure risk that you accept to an epsilon that keeps it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: its exit code, as of :func:`answer`."""
    return answer(cli, "dpchoose", arguments)


def answer(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command, called by a name: its exit code, or 2 with one line on a mistake, or 130."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings(action="once", category=MissingCodeWarning):
            warnings.showwarning = lambda message, *_: _say(name, f"warning: {message}")
            code = command.main(list(words), prog_name=name, standalone_mode=False, obj=words)
        sys.stdout.flush()
        return code or 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.message)
        return 0
    except (click.ClickException, ValueError, TypeError, ImportError, OSError, MemoryError) as no:
        _say(name, _reason(no))
        return 2
    except (KeyboardInterrupt, click.Abort):
        _say(name, "interrupted")
        return 130


def _reason(error: Exception) -> str:
    """Why what was asked cannot be answered."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ImportError):
        return f"{error.name} must be there: pip install '.[plot]' brings it"
    if isinstance(error, OSError):
        return f"cannot write: {error.strerror or error}"
    return str(error) or "this needs more memory than there is"


def _say(name: str, text: str) -> None:
    """One line on standard error."""
    words = [word if len(word) <= LONGEST else f"{word[:LONGEST]}..." for word in text.split()]
    click.echo(f"{name}: {output.printable(' '.join(words))}", err=True)
