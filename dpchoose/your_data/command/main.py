"""The command line, assembled: an epsilon, a risk or a sensitivity for a file of records."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import click

from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import round_up
from dpchoose.queries import ask
from dpchoose.sensitivity.global_local import global_sensitivity
from dpchoose.your_data import wording
from dpchoose.your_data.command import options, output
from dpchoose.your_data.command.opendp import refuse_name
from dpchoose.your_data.public_limits import public_limits
from dpchoose.your_data.question import statistic_of_file
from dpchoose.your_data.recommend import recommend, refuse
from dpchoose.your_data.wording import SITUATIONS

SUFFIXES = {"report": (".html",), "plot": (".svg", ".png"), "opendp": (".py",)}
DEFAULT = {"adjacency": "unbounded", "distance": 1}
GOAL = ": with --odds 3 a suspicion of 1% may become 3%, and of 50% 75%"
LONGEST = 300  # letters of a word in a message: a path fits, 5,000 digits do not


def epsilon(**typed: Any) -> None:
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


def risk(**typed: Any) -> None:
    """What every reader gets at an epsilon, or a noise scale, for the records of FILE.

    One epsilon is that of all answers together; several, and scales, are those
    of each answer in the order in which they are asked for.

    \b
    Example:
      dpchoose risk visits.csv --ask mean:stay --limits stay=0:60 --epsilon 1
    """
    _recommend(typed, "epsilon", "scale")


def sensitivity(**typed: Any) -> None:
    """How far each statistic can move between neighbouring datasets of FILE.

    Rounded up, so that noise made with it is never too small.

    \b
    Example:
      dpchoose sensitivity visits.csv --ask mean:stay --ask var:stay --all-but-one
    """
    options.check(typed)
    arguments = options.question(typed)
    neighbours = {name: typed[name] for name in DEFAULT}
    given = [value for value in neighbours.values() if value is not None]
    if arguments["limits"] is not None and given:
        raise ValueError("--distance and --adjacency must not be given beside limits")
    _, rows, facts, _ = options.read(typed)
    if arguments["limits"] is not None:
        given = {name: arguments[name] for name in ("query", "limits", "hide_n", "groups")}
        question = public_limits(data=rows["data"], **given)
        report = question.facts() | {"situation": SITUATIONS["everybody"]}
        moves = [*zip(question.labels, question.sensitivities)]
    else:
        size, mask = rows["release_size"], rows["released"]
        size = int(mask.sum()) if mask is not None else size
        neighbours = {
            name: DEFAULT[name] if value is None else value for name, value in neighbours.items()
        }
        statistics = ask(arguments["query"], rows["data"], parse=statistic_of_file).statistics
        report = {"statistics": [row.label for row in statistics], **neighbours}
        report |= {"records": len(rows["data"]), "released": size}
        moves = [
            (row.label, float(global_sensitivity(row.query, row.values, size, **neighbours)))
            for row in statistics
        ]
    answers = [{"statistic": label, "sensitivity": float(round_up(move))} for label, move in moves]
    output.show({"question": report | facts, "answers": answers}, typed["format"])


def _recommend(typed: dict[str, Any], *goals: str) -> None:
    """Answer, write what is to be written, and print; refuse where nothing is recommended."""
    options.check(typed)
    goal = options.one_of({goal: typed[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = typed[goal][0] if len(typed[goal]) == 1 else typed[goal]
    noise = {goal: value, "before": typed.get("before"), "split": typed["split"] or "equal"}
    paths = {name: typed[name] for name in SUFFIXES if typed.get(name) is not None}
    known_size = typed["all_but_one"] or typed["release_size"] is not None
    if "opendp" in paths and typed["file"] is None:
        raise ValueError("--opendp needs the file, got --records: there is nothing to draw for")
    if "opendp" in paths and (known_size or typed["file"] == "-"):
        raise ValueError("--opendp needs --limits or --released, and a file to read again")
    if "opendp" in paths:
        refuse_name(paths["opendp"])
    for name, path in paths.items():
        output.check(f"--{name}", path, typed["file"] or "", *SUFFIXES[name])
    render = {name: _renderer(name) for name in paths}
    arguments = options.question(typed)
    refuse(**arguments, **{name: noise[name] for name in (goal, "before")})
    source, rows, facts, context = options.read(typed)
    with warnings.catch_warnings():
        if "none" in typed["missing"]:  # all are values: nothing is asked about
            warnings.simplefilter("ignore", MissingCodeWarning)
        result = replace(recommend(**arguments | rows, **noise), context=context)
    report = result.to_dict()
    if result.refused:
        raise ValueError(f"{result.status}: {result.reason}")
    if typed.get("show_cut"):
        report["private"]["cut"] = wording.cut_effects(result, rows["data"])
    words = click.get_current_context().find_root().obj or ()
    report["question"] |= facts | {"command": shlex.join(["dpchoose", *words])}
    public = output.public(report)
    contents = {name: render[name](path, result, public, source) for name, path in paths.items()}
    for name, path in paths.items():
        output.write(path, contents[name])
    output.show(report, typed["format"])


def _renderer(name: str) -> Callable[..., str | bytes]:
    """What makes a file of a result, loaded before any work is done."""
    if name == "opendp":
        from dpchoose.your_data.command.opendp import render
    elif name == "plot":
        from dpchoose.your_data.command.plot import render
    else:
        from dpchoose.your_data.command.report import render
    return render


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
