"""The command line: an epsilon, a risk or a sensitivity for a file of records.

First the question that the options ask, then the commands that answer it, and last how a run begins
and ends.
"""

import contextlib
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click

from dpchoose import __version__, checks
from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import round_up
from dpchoose.sensitivity.limits import low_and_high
from dpchoose.worlds.answers import TooFarApart
from dpchoose.your_data import wording, words
from dpchoose.your_data.asked import Context
from dpchoose.your_data.cells import Cells
from dpchoose.your_data.columns import A_DATE, DATE, Refused, without_value
from dpchoose.your_data.command import output
from dpchoose.your_data.command.options import (
    COMMANDS,
    Query,
    Typed,
    command,
    commands_of,
    flag_of,
)
from dpchoose.your_data.known_file import KnownFile
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.question import Noise, Question
from dpchoose.your_data.read import Source
from dpchoose.your_data.shares import Condition, parse_condition
from dpchoose.your_data.wording import SITUATIONS

WRITTEN = {  # by which module, and how their names may end
    "report": ("sheet", ".html"),
    "plot": ("plot", ".svg", ".png"),
    "opendp": ("opendp", ".py"),
}
GOAL = ": with --odds 3 a suspicion of 1% may become 3%, and of 50% 75%"
OF_EVERYBODY = ("by", "group", "expect_n", "rows_per_person", "keep_rows", "records", "show_cut")
NO_GROUPS = ": of a known file ask each group's file by itself; one record is missing from one"
EXTRAS = {"matplotlib": "'.[plot]'", "openpyxl": "'.[excel]'"}
LONGEST = 300  # letters of a word in a message: a path fits, 5,000 digits do not


class Asked(NamedTuple):
    """A question before its file is read: which of the two, and its arguments so far."""

    kind: type[Question]
    arguments: dict[str, Any]

    def of(self, **more: Any) -> Question:
        """The question, with what the file gives."""
        return self.kind(**self.arguments | more)


def asked_of(typed: Typed) -> Asked:
    """What is asked, and of whom.

    A question that does not say who is in the file, or which, is refused, and so is what can
    only be said of the other one.
    """
    everybody = typed["limits"] or typed["everybody"] or typed["hide_n"]
    who = {name: typed[name] for name in ("all_but_one", "released", "release_size")}
    if all(value is None for value in who.values()) and not everybody:
        click.echo(words.WHO, err=True)
        click.get_current_context().exit(2)
    chosen = one_of(who | {"limits": everybody})
    one_of({"FILE": typed["file"], "records": typed["records"]})
    for name in ("adjacency",) if everybody else OF_EVERYBODY:
        if typed[name] not in (None, []):
            other = "--all-but-one or --released" if everybody else "--limits"
            got = f"--{chosen}" if typed[name] is True else typed[name]
            hint = NO_GROUPS * (name == "by")
            raise ValueError(f"{flag_of(name)} must come with {other}, got {got}{hint}")
    if typed["keep_rows"] and (typed["person"] is None or typed["file"] is None):
        raise ValueError("--keep-rows must come with --person, and with a file")
    arguments = {"query": [*map(unread, typed["ask"])], "split": typed["split"] or "equal"}
    names = ("already", "adjacency", "hide_n", "expect_n", "rows_per_person")
    arguments |= {name: typed[name] for name in names if typed[name] not in (None, [])}
    if not everybody:
        return Asked(KnownFile, arguments)
    limits = by_column("--limits", typed["limits"])
    pairs = {column: limits_of(f"--limits {column}", text) for column, text in limits.items()}
    return Asked(PublicLimits, arguments | {"limits": pairs, "groups": typed["group"] or None})


def limits_of(flag: str, text: str) -> tuple[Any, ...]:
    """The limits 0:60, or 0:60:1 with their step, in order.

    >>> limits_of("--limits x", "-0.5:1:0,5")
    (-0.5, 1.0, '0,5')
    """
    parts = [part.strip() for part in text.split(":")]
    try:
        pair = tuple(map(float, parts[:2]))
    except ValueError:
        pair = ()
    if len(pair) != 2 or len(parts) > 3:
        rule = "two numbers, as 0:60, or with a step, as 0:60:1"
        hint = A_DATE * bool(DATE.match(text))
        raise ValueError(f"{flag} must be {rule}, got {text!r}{hint}")
    pair = low_and_high(pair, flag)
    return (*pair, *parts[2:])


def unread(query: Query) -> Query:
    """A query before the file is read, whose names say where the column of a share ends."""
    return meant(query, lambda text: Condition(text, "", "", ""))


def meant(query: Query, condition: Callable[[str], Any]) -> Query:
    """A query, and of a share the condition that its text means."""
    is_share = isinstance(query, tuple) and query[0] == "share"
    return ("share", condition(query[1])) if is_share else query


def by_column(flag: str, given: list[str] | None) -> dict[str, str]:
    """What is said of each column, such as 0:30 in visits=0:30."""
    said: dict[str, str] = {}
    for word in given or ():
        column, _, text = word.rpartition("=")
        if not column or column in said:
            raise ValueError(f"{flag} must name each column once, as visits=, got {word}")
        said[column] = text
    return said


class Read(NamedTuple):
    """What was read: the file and the digest of its bytes, and what it adds.

    Attributes:
        source, digest: None and "" where there is no file.
        arguments: of the question.
        facts: of the question, to be printed.
        context: of the sentence.
        beyond: how many rows fell away as not among the first of their persons: private.
    """

    source: Source | None
    digest: str
    arguments: dict[str, Any]
    facts: dict[str, Any]
    context: Context
    beyond: int | None = None


def read(typed: Typed, kind: type[Question]) -> Read:
    """Read the file, if there is one, for a question of this kind."""
    by, where = tuple(typed["by"] or ()), typed["where"] or ""
    facts = {"by": ", ".join(by) or None, "where": where or None}
    facts |= {name: typed[name] for name in ("person", "keep_rows")}
    if typed["records"] is not None:
        facts |= {"file": f"{typed['records']:,} rows", "filtered": None, "dropped": None}
        cells = Cells(typed["decimal"] or ".", typed["thousands"] or "")
        asked = [meant(query, partial(parse_condition, cells=cells)) for query in typed["ask"]]
        arguments = {"query": asked, "data": typed["records"], "by": by or None}
        return Read(None, "", arguments, facts, Context(where, by=wording.listing(by)))
    pairs = [query for query in typed["ask"] if isinstance(query, tuple)]
    codes = [word.strip() for text in typed["missing"] for word in text.split(",")]
    names = [name for name in Source.__dataclass_fields__ if typed[name] is not None]
    given = {name: typed[name] for name in names} | {
        "path": typed["file"],
        "columns": tuple(dict.fromkeys(column for kind, column in pairs if kind != "share")),
        "shares": tuple(dict.fromkeys(column for kind, column in pairs if kind == "share")),
        "by": by,
        "rows": typed["rows_per_person"] or 1,
        "groups": tuple(typed["group"] or ()),
        "missing": tuple(code for code in codes if code != "none"),
    }
    source = Source(**given)
    rows = source.read()
    if rows.persons:
        _say(f"warning: {words.WHOSE_ROW.format(columns=wording.listing(rows.persons))}")
    data = rows.values if pairs else rows.values.assign(record=0.0)
    arguments = {"query": [meant(query, rows.shares.get) for query in typed["ask"]], "data": data}
    if kind is PublicLimits:
        arguments |= {"by": rows.labels}
    else:
        size = len(data) - 1 if typed["all_but_one"] else typed["release_size"]
        arguments |= {"release_size": size, "released": rows.released}
    facts["file"] = "standard input" if source.path == "-" else Path(source.path).name
    for name in ("filtered", "dropped"):  # with the rows left out goes n
        facts[name] = None if typed["hide_n"] else getattr(rows, name)
    named = source.person is not None
    context = Context(where, rows.left_out, named, wording.listing(by), source.keep_rows)
    beyond = rows.beyond if source.keep_rows else None
    return Read(source, rows.digest, arguments, facts, context, beyond)


@contextlib.contextmanager
def of_records(*errors: type[Exception]) -> Iterator[None]:
    """What is refused for what stands in the file is shown whole on a terminal alone."""
    try:
        yield
    except TooFarApart as no:
        way = ": is one of them a code for a missing value?"
        raise Refused(str(no), without_value(str(no)) + way) from None
    except errors as no:
        raise Refused(str(no), without_value(str(no))) from None


def one_of(given: dict[str, Any], hint: str = "") -> str:
    """The option that was given, of several."""
    options = {
        name if name == "FILE" else flag_of(name): None if value == [] else value
        for name, value in given.items()
    }
    return checks.exactly_one(options, hint=hint).removeprefix("--")


def epsilon(typed: Typed) -> None:
    """The noise that keeps what you accept, for the records of FILE.

    All answers that are asked for are published together, and what you accept
    holds for them together.

    \b
    Examples:
      dpchoose epsilon stays.csv --ask mean:stay --limits stay=0:60 --odds 3
      dpchoose epsilon stays.csv --ask mean:stay --all-but-one --odds 3
      dpchoose epsilon stays.csv --ask mean:stay --released drawn \\
        --risk 1% --before 0.1%
    """
    answer(typed, "odds", "risk", "error")


def risk(typed: Typed) -> None:
    """What every reader gets at an epsilon, or a noise scale, for the records of FILE.

    One epsilon is that of all answers together; several, and scales, are those
    of each answer in the order in which they are asked for.

    \b
    Example:
      dpchoose risk stays.csv --ask mean:stay --limits stay=0:60 --epsilon 1
    """
    answer(typed, "epsilon", "scale")


def sensitivity(typed: Typed) -> None:
    """How far each statistic can move between neighbouring datasets of FILE.

    Rounded up, so that rounding makes no noise too small; for a factor see epsilon.

    \b
    Example:
      dpchoose sensitivity stays.csv --ask mean:stay --ask var:stay --all-but-one
    """
    asked = asked_of(typed)
    found = read(typed, asked.kind)
    with of_records(ValueError, TypeError):
        answered = asked.of(**found.arguments)
    answers = [
        {"statistic": label, "sensitivity": float(round_up(sensitivity))}
        for label, sensitivity in zip(answered.labels, answered.sensitivities)
    ]
    facts = answered.facts() | found.facts | {"situation": SITUATIONS[answered.situation]}
    output.show({"question": facts, "answers": answers}, typed["format"])


def answer(typed: Typed, *goals: str) -> None:
    """Answer, write what is to be written, and print; what no file could make right comes first."""
    asked, verb = asked_of(typed), verb_of(typed, *goals)
    renders = _renders(typed)
    if asked.kind is PublicLimits:  # of two rows, whose groups are those that are listed
        by = (typed["by"] or None) if typed["hide_n"] else None
        row = PublicLimits(**asked.arguments, data=2, by=by)
        if all(one.query != "share" for one in row.asked):  # of which nothing is known yet
            verb(row)
    found = read(typed, asked.kind)
    with of_records(ValueError, TypeError):
        question = asked.of(**found.arguments)
    question.context = found.context
    with of_records():
        noise = verb(question)
    report = noise.to_dict()
    if said := wording.all_noise(noise):
        _say(f"warning: {said}")
    if typed["show_cut"]:
        report["private"]["cut"] = wording.cut_effects(noise, found.arguments["data"])
        if typed["format"] == "json" or not sys.stdout.isatty():
            _say(words.CUT_ON_A_TERMINAL)
    if found.beyond is not None:
        report["private"]["beyond"] = [words.ROWS_BEYOND.format(count=found.beyond)]
    command = click.get_current_context().find_root().obj
    report["question"] |= found.facts | {"command": shlex.join(["dpchoose", *command])}
    public = output.public(report)
    contents = [(path, render(path, noise, public, found)) for path, render in renders]
    for path, content in contents:
        output.write(path, content)
        _say(f"{path} is written")
    output.show(report, typed["format"])


def verb_of(typed: Typed, *goals: str) -> Callable[[Question], Noise]:
    """What is asked of a question: the one goal that is given."""
    goal = one_of({goal: typed[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = typed[goal][0] if len(typed[goal]) == 1 else typed[goal]
    before = {"before": typed["before"]} if goal == "risk" else {}
    if typed["before"] and not before:
        raise ValueError(f"--before must come with --risk, got --{goal}")
    name = f"{'at' if goal in ('epsilon', 'scale') else 'for'}_{goal}"
    return lambda question: getattr(question, name)(value, **before)


def _renders(typed: Typed) -> list[tuple[str, Callable[..., str | bytes]]]:
    """The files that are to be written, each with what renders it; refused before any work."""
    in_it = typed["limits"] or typed["everybody"] or typed["hide_n"] or typed["released"]
    if typed["opendp"] and (not in_it or typed["file"] in (None, "-")):
        raise ValueError("--opendp needs --limits or --released, and a file to read again")
    renders = []
    for name, (module, *suffixes) in WRITTEN.items():
        if typed[name] is not None:
            output.check(f"--{name}", typed[name], typed["file"] or "", *suffixes)
            render = import_module(f"dpchoose.your_data.command.{module}").render
            renders.append((typed[name], render))
    return renders


@click.group(
    commands=[*map(command, (epsilon, risk, sensitivity))],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__)
def cli() -> None:
    """From a disclosure risk that you accept to an epsilon that keeps it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line: its exit code, or 2 with one line on a mistake, or 130."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings(action="once", category=UserWarning):
            warnings.filterwarnings("error", ".*: are they codes for", MissingCodeWarning)
            warnings.showwarning = _warn
            if words and not words[0].startswith("-"):
                checks.choice("command", words[0], COMMANDS)
            code = cli.main(words or ["--help"], "dpchoose", standalone_mode=False, obj=words)
        sys.stdout.flush()
        return code or 0
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return 130
    except (click.ClickException, ValueError, TypeError, ImportError, OSError, MemoryError) as no:
        _say(_reason(no))
        return 2
    except MissingCodeWarning as doubt:
        said = str(doubt)
        if not output.is_terminal(sys.stderr):
            column = said.partition(" holds ")[0]
            said = f"{column} may hold codes for missing values, which a terminal shows."
        _say(f"{said} Name them with --missing, or say --missing none if all are values")
        return 2


def _reason(error: Exception) -> str:
    """Why what was asked cannot be answered."""
    if isinstance(error, Refused) and not output.is_terminal(sys.stderr):
        return error.logged
    if isinstance(error, click.MissingParameter) and error.ctx:
        return f"--ask must be given, as --ask mean:visits: see {error.ctx.command_path} --help"
    if isinstance(error, click.NoSuchOption) and commands_of(error.option_name):
        return f"{error.option_name} is an option of dpchoose {commands_of(error.option_name)[0]}"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ImportError):
        if error.name is None:  # of a module that is there, and broken or too old
            return f"an import failed: {error}"
        what = EXTRAS.get(error.name.partition(".")[0], error.name)
        return f"{error.name} must be there: pip install {what} brings it"
    return str(error) or "this needs more memory than there is"


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Say on a terminal what a column holds, and nowhere else."""
    if output.is_terminal(sys.stderr):
        _say(f"warning: {message}")


def _say(text: str) -> None:
    """One line on standard error."""
    line = " ".join(word[:LONGEST] for word in text.split())
    click.echo(f"dpchoose: {output.printable(line)}", err=True)
