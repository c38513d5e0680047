"""The command line: an epsilon, a risk or a sensitivity for a file of records.

Every option is said once, in a table; below it stands the question that the options ask, then the
commands that answer it, and last how a run begins and ends.
"""

import contextlib
import csv
import shlex
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click

from dpchoose import __version__, checks, queries
from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import parse_number, round_up
from dpchoose.risk.inverse import UnattainableRisk
from dpchoose.sensitivity.limits import low_and_high
from dpchoose.your_data import wording, words
from dpchoose.your_data.asked import Context
from dpchoose.your_data.cells import Cells
from dpchoose.your_data.command import output
from dpchoose.your_data.known_file import KnownFile
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.question import Noise, Question
from dpchoose.your_data.read import Source
from dpchoose.your_data.shares import Condition, parse_condition
from dpchoose.your_data.wording import SITUATIONS

NAMES = f"{', '.join(queries.NAMED)}, percentile_p, share:COLUMN=VALUE, share:COLUMN>=NUMBER"
E, R, _ = COMMANDS = ("epsilon", "risk", "sensitivity")
SUFFIXES = {"report": (".html",), "plot": (".svg", ".png"), "opendp": (".py",)}
GOAL = ": with --odds 3 a suspicion of 1% may become 3%, and of 50% 75%"
OF_EVERYBODY = ("by", "group", "expect_n", "rows_per_person", "keep_rows", "show_cut")
NO_GROUPS = ": of a known file ask each group's file by itself; one record is missing from one"
EXTRAS = {"matplotlib": "'.[plot]'", "openpyxl": "'.[excel]'"}
SHOWS_ROW = ": a terminal shows the row"
LONGEST = 300  # letters of a word in a message: a path fits, 5,000 digits do not


def form(flag: str, given: str) -> str:
    """How an answer is printed."""
    return checks.choice(flag, given, ("text", "json"))


def number(flag: str, given: str) -> str:
    """What is typed as 0.05, 0,05, 5% or 1/3, and stays as it was typed."""
    parse_number(given, flag)
    return given


def whole(flag: str, given: str) -> int:
    """A whole number."""
    if not (given.isdecimal() and len(given) < 19):
        raise ValueError(f"{flag} must be a whole number, got {given}")
    return int(given)


def weights(flag: str, given: str) -> list[float]:
    """Numbers with a colon between them, as 1:2."""
    return [float(parse_number(weight, flag)) for weight in given.split(":")]


def statistic(flag: str, given: str) -> Any:
    """As the package takes it: ("mean", "visits") of mean:visits, or "count"."""
    name, _, column = given.partition(":")
    if bool(column) == (name == "count"):
        raise ValueError(f"{flag} must be written like mean:visits, or count alone, got {given}")
    return (name, column) if column else name


# Below each heading of the help: how an option is typed (with dots, as often as one likes), how it
# is read, the commands that have it, and its meaning.
OPTIONS = (
    "What is asked (with dots, as often as you like)",
    ("--ask mean:COLUMN...", statistic, COMMANDS, f"{NAMES}; or count alone."),
    ("--by COLUMN...", None, (E, R), "An answer for each group, or for both (with --limits)."),
    ("--where CONDITION", None, COMMANDS, "The rows that count, as 'age >= 65'."),
    ("--already 2", number, (E, R), words.ALREADY),
    ("--split 1:2", weights, (E, R), "How several answers share.  [default: equal]"),
    "Everybody is in the file: of each value only public limits are known",
    (
        "--limits COLUMN=0:60...",
        None,
        COMMANDS,
        "Values are cut to them; fixed without the file."
        " COLUMN=0:60:1 rounds them too, to a public step of 1.",
    ),
    ("--everybody", None, COMMANDS, "Where nothing but shares and counts is asked."),
    ("--hide-n", None, COMMANDS, "Hide n too, and with it that somebody is in."),
    ("--group A...", None, (E, R), "With --hide-n and --by: the public list of groups."),
    ("--expect-n 4000", whole, (E, R), "With --hide-n: a public guess of n, for the errors."),
    (
        "--person COLUMN",
        None,
        COMMANDS,
        "Whose row it is: checked to be one, or as many as said.",
    ),
    ("--rows-per-person 3", whole, (E, R), "A public limit of a person's rows.  [default: 1]"),
    (
        "--keep-rows",
        None,
        COMMANDS,
        "With --person: use the first rows of each alone, so many as --rows-per-person."
        " A file sorted by the answered value gives a biased answer.",
    ),
    ("--records N", whole, (E, R), "Where there is no file: n; with --hide-n a guess of it."),
    ("--show-cut", None, (E,), "For you: what the limits cut, once they are fixed."),
    "Or: the file is known, and it is secret who of it is released (one of)",
    ("--all-but-one", None, COMMANDS, "All but one are released."),
    ("--released COLUMN", None, COMMANDS, "Who is released, by a column: 1 or 0, yes or no."),
    ("--release-size N", whole, COMMANDS, "N of the records are released."),
    "What you accept (one of --odds, --risk, --error)",
    ("--odds 3", number, (E,), "How many times a reader's odds may grow."),
    ("--risk 1%", number, (E,), "How sure a reader may get: who suspected nobody, or --before."),
    ("--before 0.1%", number, (E,), "With --risk: how sure she was, about any one person."),
    ("--error 0.05...", number, (E,), "The 95% error that you need; of a known file also 5%."),
    "The noise that there is (one of)",
    ("--epsilon 1...", number, (R,), "Of all answers together, or as --scale."),
    ("--scale 0.1...", number, (R,), "One for each answer that gets noise."),
    "The file",
    ("--drop-missing", None, COMMANDS, "Leave out rows without a value."),
    ("--missing 98,99...", None, COMMANDS, "Codes for a missing value; none: all are values."),
    ("--delimiter ';'", None, COMMANDS, "Between two fields.  [default: found out]"),
    ("--decimal ,", None, COMMANDS, "The decimal sign.  [default: .]"),
    ("--thousands .", None, COMMANDS, "The sign between thousands.  [default: none]"),
    ("--encoding utf-16", None, COMMANDS, "Encoding of the file.  [default: utf-8]"),
    ("--sheet NAME", None, COMMANDS, "Of an Excel file with several."),
    "What is printed and written",
    ("--format json", form, COMMANDS, "text or json.  [default: text]"),
    ("--adjacency bounded", None, COMMANDS, "Neighbours of epsilon.  [default: unbounded]"),
    ("--report x.html", None, (E,), "A sheet for whoever signs."),
    ("--plot x.svg", None, (E,), "A picture, .svg or .png."),
    ("--opendp x.py", None, (E,), "A script that publishes once; not with --all-but-one."),
)


class Command(click.Command):
    """A command whose help stands below the headings of the table."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        for heading, options in groupby(self.params[1:], lambda option: option.heading):
            with formatter.section(heading):
                formatter.write_dl([option.get_help_record(context) for option in options])


def command(function: Callable[..., Any]) -> Command:
    """The command of a function: its name and words, a file, and its options of the table."""
    params: list[click.Parameter] = [click.Argument(["file"], required=False)]
    for row in OPTIONS:
        if isinstance(row, str):
            heading = row
        elif function.__name__ in row[2]:
            params.append(_option(heading, *row))

    def run(**typed: Any) -> None:
        if "none" in typed["missing"]:  # all are values: nothing is asked about
            warnings.filterwarnings("ignore", ".*: (is it a|are they) code", MissingCodeWarning)
        function(defaultdict(lambda: None, typed))

    return Command(function.__name__, callback=run, params=params, help=function.__doc__)


def _option(heading: str, form: str, parse: Any, _: Any, meaning: str) -> click.Option:
    """An option; click lets any be given twice, so that it can be refused by name."""
    flag, _, shown = form.partition(" ")

    def read(_: click.Context, __: click.Parameter, given: Any) -> Any:
        words = given if shown else [True] * given
        if len(words) > 1 and not shown.endswith("..."):
            raise ValueError(f"{flag} was given twice")
        values = [parse(flag, word) if parse else word for word in words]
        return values if shown.endswith("...") else next(iter(values), None)

    style = {"multiple": True, "metavar": shown} if shown else {"count": True}
    option = click.Option([flag], help=meaning, callback=read, required=flag == "--ask", **style)
    option.heading = heading
    return option


class Asked(NamedTuple):
    """A question before its file is read: which of the two, and its arguments so far."""

    kind: type[Question]
    arguments: dict[str, Any]

    def of(self, **more: Any) -> Question:
        """The question, with what the file gives."""
        return self.kind(**self.arguments | more)


def asked_of(typed: dict[str, Any]) -> Asked:
    """What is asked, and of whom.

    A question that does not say who is in the file, or which, is refused, and so is what can
    only be said of the other one.
    """
    everybody = typed["limits"] or typed["everybody"] or typed["hide_n"]
    who = {name: typed[name] for name in ("all_but_one", "released", "release_size")}
    if all(value is None for value in who.values()) and not everybody:
        click.echo(words.WHO, err=True)
        click.get_current_context().exit(2)
    one_of(who | {"limits": everybody})
    one_of({"FILE": typed["file"], "records": typed["records"]})
    for name in ("adjacency",) if everybody else OF_EVERYBODY:
        if typed[name] not in (None, []):
            other = "--all-but-one or --released" if everybody else "--limits"
            hint = NO_GROUPS * (name == "by")
            raise ValueError(f"{flag_of(name)} must come with {other}, got {typed[name]}{hint}")
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
        raise ValueError(f"{flag} must be {rule}, got {text!r}")
    pair = low_and_high(pair, flag)
    return (*pair, *parts[2:])


def unread(query: Any) -> Any:
    """A query before the file is read, whose names say where the column of a share ends."""
    return meant(query, lambda text: Condition(text, "", "", ""))


def meant(query: Any, condition: Callable[[str], Any]) -> Any:
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


def read(typed: dict[str, Any]) -> Read:
    """Read the file, if there is one."""
    by, where = tuple(typed["by"] or ()), typed["where"] or ""
    everybody = not (typed["all_but_one"] or typed["released"] or typed["release_size"])
    facts = {"by": ", ".join(by) or None, "where": where or None, "person": typed["person"]}
    facts["keep_rows"] = typed["keep_rows"]
    if typed["records"] is not None:
        facts |= {"file": f"{typed['records']:,} rows", "filtered": None, "dropped": None}
        cells = Cells(typed["decimal"] or ".", typed["thousands"] or "")
        asked = [meant(query, partial(parse_condition, cells=cells)) for query in typed["ask"]]
        arguments = {"query": asked, "data": typed["records"], "by": by or None}
        return Read(None, "", arguments, facts, Context(where, by=wording.listing(by)))
    pairs = [query for query in typed["ask"] if isinstance(query, tuple)]
    codes = [word.strip() for text in typed["missing"] for word in text.split(",")]
    given = {name: typed[name] for name in Source.__dataclass_fields__ if typed[name]}
    given |= {
        "path": typed["file"],
        "columns": tuple(dict.fromkeys(column for kind, column in pairs if kind != "share")),
        "shares": tuple(dict.fromkeys(column for kind, column in pairs if kind == "share")),
        "by": by,
        "rows": typed["rows_per_person"] or 1,
        "groups": tuple(typed["group"] or ()),
        "missing": tuple(code for code in codes if code != "none"),
    }
    source = Source(**given)
    with of_file():
        rows = source.read()
    if rows.persons:
        _say(f"warning: {words.WHOSE_ROW.format(columns=wording.listing(rows.persons))}")
    data = rows.values if pairs else rows.values.assign(record=0.0)
    size = len(data) - 1 if typed["all_but_one"] else typed["release_size"]
    asked = [meant(query, rows.shares.get) for query in typed["ask"]]
    arguments = {"query": asked, "data": data}
    arguments |= {"by": rows.labels} if everybody else {}
    arguments |= {} if everybody else {"release_size": size, "released": rows.released}
    facts["file"] = "standard input" if source.path == "-" else Path(source.path).name
    for name in ("filtered", "dropped"):  # with the rows left out goes n
        facts[name] = None if typed["hide_n"] else getattr(rows, name)
    named = source.person is not None
    context = Context(where, rows.left_out, named, wording.listing(by), source.keep_rows)
    beyond = rows.beyond if source.keep_rows else None
    return Read(source, rows.digest, arguments, facts, context, beyond)


@contextlib.contextmanager
def of_file() -> Iterator[None]:
    """What is refused for what stands in the file is shown whole on a terminal alone.

    Elsewhere, as in a log, it is the argument, its rule and the column.
    """
    try:
        yield
    except UnattainableRisk:  # of what is accepted
        raise
    except (ValueError, TypeError) as no:
        inner = no.__context__
        of_options = getattr(inner, "strerror", None) or str(no).startswith("column must be one of")
        if of_options or output.is_terminal(sys.stderr):
            raise
        rules = [no, inner] if isinstance(inner, csv.Error) else [no]
        text = ": ".join(str(rule).partition(", got ")[0] for rule in rules)
        raise ValueError(text + SHOWS_ROW) from None


def one_of(given: dict[str, Any], hint: str = "") -> str:
    """The option that was given, of several."""
    options = {
        name if name == "FILE" else flag_of(name): None if value == [] else value
        for name, value in given.items()
    }
    return checks.exactly_one(options, hint=hint).removeprefix("--")


def flag_of(name: str) -> str:
    """How an option is typed."""
    return f"--{name.replace('_', '-')}"


def epsilon(typed: dict[str, Any]) -> None:
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


def risk(typed: dict[str, Any]) -> None:
    """What every reader gets at an epsilon, or a noise scale, for the records of FILE.

    One epsilon is that of all answers together; several, and scales, are those
    of each answer in the order in which they are asked for.

    \b
    Example:
      dpchoose risk stays.csv --ask mean:stay --limits stay=0:60 --epsilon 1
    """
    answer(typed, "epsilon", "scale")


def sensitivity(typed: dict[str, Any]) -> None:
    """How far each statistic can move between neighbouring datasets of FILE.

    Rounded up, so that rounding makes no noise too small; for a factor see epsilon.

    \b
    Example:
      dpchoose sensitivity stays.csv --ask mean:stay --ask var:stay --all-but-one
    """
    asked = asked_of(typed)
    found = read(typed)
    with of_file():
        answered = asked.of(**found.arguments)
    answers = [
        {"statistic": label, "sensitivity": float(round_up(sensitivity))}
        for label, sensitivity in zip(answered.labels, answered.sensitivities)
    ]
    facts = answered.facts() | found.facts | {"situation": SITUATIONS[answered.situation]}
    output.show({"question": facts, "answers": answers}, typed["format"])


def answer(typed: dict[str, Any], *goals: str) -> None:
    """Answer, write what is to be written, and print; what no file could make right comes first."""
    asked, verb = asked_of(typed), verb_of(typed, *goals)
    renders = _renders(typed)
    if asked.kind is PublicLimits:  # of two rows, whose groups are those that are listed
        row = asked.of(data=2, by=(typed["by"] or None) if typed["hide_n"] else None)
        if all(one.query != "share" for one in row.asked):  # of which nothing is known yet
            verb(row)
    found = read(typed)
    with of_file():
        question = asked.of(**found.arguments)
        question.context = found.context
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


def verb_of(typed: dict[str, Any], *goals: str) -> Callable[[Question], Noise]:
    """What is asked of a question: the one goal that is given."""
    goal = one_of({goal: typed[goal] for goal in goals}, GOAL * ("odds" in goals))
    value = typed[goal][0] if len(typed[goal]) == 1 else typed[goal]
    before = {"before": typed["before"]} if goal == "risk" else {}
    if typed["before"] and not before:
        raise ValueError(f"--before must come with --risk, got --{goal}")
    name = f"{'at' if goal in ('epsilon', 'scale') else 'for'}_{goal}"
    return lambda question: getattr(question, name)(value, **before)


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
        with warnings.catch_warnings(action="once", category=MissingCodeWarning):
            warnings.filterwarnings("error", ".*: are they codes for", MissingCodeWarning)
            warnings.showwarning = _warn
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
        if not output.is_terminal(sys.stderr):
            column = str(doubt).partition(" holds ")[0]
            doubt = f"{column} may hold codes for missing values{SHOWS_ROW}."
        _say(f"{doubt} Name them with --missing, or say --missing none if all are values")
        return 2


def _reason(error: Exception) -> str:
    """Why what was asked cannot be answered."""
    if isinstance(error, click.NoSuchOption):
        options = (row for row in OPTIONS if not isinstance(row, str))
        for form, _, commands, _ in options:
            if form.split()[0] == error.option_name:
                return f"{error.option_name} is an option of dpchoose {commands[0]}"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ImportError):
        if error.name is None:  # of a module that is there, and broken or too old
            return f"an import failed: {error}"
        what = EXTRAS.get(error.name.partition(".")[0], error.name)
        return f"{error.name} must be there: pip install {what} brings it"
    return str(error) or "this needs more memory than there is"


def _warn(message: Any, *_: Any) -> None:
    """Say on a terminal what a column holds, and nowhere else."""
    if output.is_terminal(sys.stderr):
        _say(f"warning: {message}")


def _say(text: str) -> None:
    """One line on standard error."""
    line = " ".join(word[:LONGEST] for word in text.split())
    click.echo(f"dpchoose: {output.printable(line)}", err=True)
