"""The command line, assembled: an epsilon, a risk or a sensitivity for a file of records."""

from __future__ import annotations

import importlib
import shlex
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

from dpchoose.command import options, output
from dpchoose.data import queries
from dpchoose.data.codes import MissingCodeWarning
from dpchoose.epsilon.everybody import everybody
from dpchoose.epsilon.recommend import recommend, refuse
from dpchoose.epsilon.text import round_up
from dpchoose.sensitivity import global_sensitivity

WRITTEN = {"report": (".html",), "plot": (".svg", ".png"), "opendp": (".py",)}
DEFAULT = {"adjacency": "unbounded", "distance": 1}
GOAL = ": with --odds 3 a suspicion of 1% may become 3%, and of 50% 75%"
LONGEST = 300  # word of a line that refuses: a path fits, 5,000 digits do not


def epsilon(**asked: Any) -> None:
    """The noise that keeps what you accept, for the records of FILE.

    All answers that are asked for are published together, and what you accept
    holds for them together.

    \b
    Examples:
      dpchoose epsilon visits.csv --ask mean:stay --limits stay=0:60 --odds 3
      dpchoose epsilon visits.csv --ask mean:stay --all-but-one --odds 3
      dpchoose epsilon visits.csv --ask mean:stay --ask count --by ward \\
        --released consent --risk 1% --before 0.1%
    """
    _recommend(asked, "odds", "risk", "error")


def risk(**asked: Any) -> None:
    """What every reader gets at an epsilon, or a noise scale, for the records of FILE.

    One epsilon is that of all answers together; several, and scales, are those
    of each answer in the order in which they are asked for.

    \b
    Example:
      dpchoose risk visits.csv --ask mean:stay --limits stay=0:60 --epsilon 1
    """
    _recommend(asked, "epsilon", "scale")


def sensitivity(**asked: Any) -> None:
    """How far each statistic can move between neighbouring datasets of FILE.

    Rounded up, so that noise made with it is never too small.

    \b
    Example:
      dpchoose sensitivity visits.csv --ask mean:stay --ask var:stay --all-but-one
    """
    options.check(asked)
    known = options.question(asked)
    how = {name: asked[name] for name in ("adjacency", "distance")}
    if known["limits"] is not None and any(value is not None for value in how.values()):
        raise ValueError("--distance and --adjacency must not be given beside limits")
    _, found, said = options.read(asked)
    if known["limits"] is not None:
        given = {name: known[name] for name in ("query", "limits", "hide_n", "groups")}
        setting = everybody(data=found["data"], **given)
        question, moves = setting.question(), zip(setting.labels, setting.sensitivities)
    else:
        size, mask = found["release_size"], found["released"]
        size = int(mask.sum()) if mask is not None else size
        how = {name: how[name] if how[name] is not None else DEFAULT[name] for name in how}
        every = queries.ask(known["query"], found["data"]).statistics
        question = {"statistics": [one.label for one in every], **how}
        question |= {"records": len(found["data"]), "released": size}
        pairs = ((one.label, (one.query, one.values, size)) for one in every)
        moves = ((label, float(global_sensitivity(*one, **how))) for label, one in pairs)
    answers = [{"statistic": one, "sensitivity": float(round_up(move))} for one, move in moves]
    output.show({"question": question | said, "answers": answers}, asked["format"])


def _recommend(asked: dict[str, Any], *goals: str) -> None:
    """Answer, write what is to be written, and print; refuse where nothing is recommended."""
    options.check(asked)
    goal = options.one_of({goal: asked[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = asked[goal][0] if len(asked[goal]) == 1 else asked[goal]
    noise = {goal: value, "before": asked.get("before"), "split": asked["split"] or "equal"}
    paths = {name: asked[name] for name in WRITTEN if asked.get(name) is not None}
    known_size = asked["all_but_one"] or asked["release_size"] is not None
    if "opendp" in paths and (known_size or asked["file"] == "-"):
        raise ValueError("--opendp needs --limits or --released, and a file to read again")
    for name, path in paths.items():
        output.check(f"--{name}", path, asked["file"], *WRITTEN[name])
    makers = [importlib.import_module(f"dpchoose.command.{name}") for name in paths]
    refuse(**(known := options.question(asked)), **{name: noise[name] for name in (goal, "before")})
    source, rows, said = options.read(asked)
    told = (found := recommend(**known | rows, **noise)).to_dict()
    if told["status"] not in ("ok", "exact", "computed"):
        raise ValueError(f"{told['status']}: {told['reason']}")
    typed = shlex.join(["dpchoose", *(click.get_current_context().find_root().obj or ())])
    told["question"] |= said | {"command": typed}
    public = output.public(told)
    made = [one.made(path, found, public, source) for one, path in zip(makers, paths.values())]
    for path, content in zip(paths.values(), made):
        output.write(path, content)
    output.show(told, asked["format"])


COMMANDS = [options.command(one) for one in (epsilon, risk, sensitivity)]


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
        return f"{error.name} must be there: pip install 'dpchoose[plot]' brings it"
    if isinstance(error, OSError):
        return f"cannot write: {error.strerror or error}"
    return str(error) or "this needs more memory than there is"


def _say(name: str, text: str) -> None:
    """One line on standard error."""
    words = [word if len(word) <= LONGEST else f"{word[:LONGEST]}..." for word in text.split()]
    click.echo(f"{name}: {output.printable(' '.join(words))}", err=True)


if __name__ == "__main__":
    sys.exit(main())
