"""Every option of the command line, once, in a table: how it is typed, read, and what it means."""

import warnings
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby
from typing import Any

import click

from dpchoose import checks, queries
from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import parse_number
from dpchoose.your_data import words

NAMES = f"{', '.join(queries.NAMED)}, percentile_p, share:COLUMN=VALUE, share:COLUMN>=NUMBER"
E, R, _ = COMMANDS = ("epsilon", "risk", "sensitivity")
Query = str | tuple[str, Any]  # as the package takes it: a share's is a text, or its condition
Typed = dict[str, Any]  # the value of each option, by its name; None where it is not typed


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


def statistic(flag: str, given: str) -> Query:
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


class Option(click.Option):
    """An option below a heading of the table, with all values that are typed of it.

    click lets any be given twice, so that it can be refused by name.
    """

    def __init__(self, heading: str, form: str, parse: Any, _: Any, meaning: str) -> None:
        self.heading = heading
        flag, _, shown = form.partition(" ")

        def read(_: click.Context, __: click.Parameter, given: Any) -> Any:
            words = given if shown else [True] * given
            if len(words) > 1 and not shown.endswith("..."):
                raise ValueError(f"{flag} was given twice")
            values = [parse(flag, word) if parse else word for word in words]
            return values if shown.endswith("...") else next(iter(values), None)

        style = {"multiple": True, "metavar": shown} if shown else {"count": True}
        required = flag == "--ask"
        super().__init__([flag], help=meaning, callback=read, required=required, **style)


class Command(click.Command):
    """A command whose help stands below the headings of the table."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        options = [one for one in self.params if isinstance(one, Option)]
        for heading, below in groupby(options, lambda option: option.heading):
            records = (option.get_help_record(context) for option in below)
            with formatter.section(heading):
                formatter.write_dl([record for record in records if record])


def command(function: Callable[[Typed], None]) -> Command:
    """The command of a function: its name and words, a file, and its options of the table."""
    params: list[click.Parameter] = [click.Argument(["file"], required=False)]
    for row in OPTIONS:
        if isinstance(row, str):
            heading = row
        elif function.__name__ in row[2]:
            params.append(Option(heading, *row))

    def run(**typed: Any) -> None:
        if "none" in typed["missing"]:  # all are values: nothing is asked about
            warnings.filterwarnings("ignore", ".*: (is it a|are they) code", MissingCodeWarning)
        function(defaultdict(lambda: None, typed))

    return Command(function.__name__, callback=run, params=params, help=function.__doc__)


def commands_of(flag: str) -> tuple[str, ...]:
    """The commands that have an option.

    >>> commands_of("--scale"), commands_of("--riks")
    (('risk',), ())
    """
    rows = (row for row in OPTIONS if not isinstance(row, str))
    return next((commands for form, _, commands, _ in rows if form.split()[0] == flag), ())


def flag_of(name: str) -> str:
    """How an option is typed."""
    return f"--{name.replace('_', '-')}"
