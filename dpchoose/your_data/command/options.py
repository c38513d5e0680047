"""The options of the commands, each said once, and the question that they ask."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from dpchoose import checks, queries
from dpchoose.codes import MissingCodeWarning
from dpchoose.numbers import parse_number
from dpchoose.your_data.limits import parse_limits
from dpchoose.your_data.read import Source
from dpchoose.your_data.wording import Context

NAMES = f"{', '.join(queries.NAMED)}, percentile_p, share:COLUMN=VALUE, share:COLUMN>=NUMBER"
E, R, _ = COMMANDS = ("epsilon", "risk", "sensitivity")
ALREADY = """\
The factor of what is out already: whichever two cases of a person today's promise tells apart, all
of it was at most so many times as likely in one. Factors multiply."""
WHO = """\
dpchoose: is everybody in the file part of the number?
  Yes:  --limits COLUMN=LOW:HIGH  public limits of each value, fixed without the file
        --everybody               where nothing but shares and counts is asked
  No, some are left out, and that is the secret:
        --all-but-one, --released COLUMN or --release-size N"""


def form(flag: str, given: str) -> str:
    """How an answer is printed."""
    return checks.choice(flag, given, ("text", "csv", "json"))


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
    ("--already 2", number, (E, R), ALREADY),
    ("--split 1:2", weights, (E, R), "How several answers share.  [default: equal]"),
    "Everybody is in the file: of each value only public limits are known",
    ("--limits COLUMN=0:60...", None, COMMANDS, "Cut to them; never from the file."),
    ("--everybody", None, COMMANDS, "Where nothing but shares and counts is asked."),
    ("--hide-n", None, COMMANDS, "Hide n too, and with it that somebody is in."),
    ("--group A...", None, (E, R), "With --hide-n and --by: the public list of groups."),
    ("--expect-n 4000", whole, (E, R), "With --hide-n: a public guess of n, for the errors."),
    ("--person COLUMN", None, COMMANDS, "Whose row it is: checked to be one, or --rows."),
    ("--rows 3", whole, (E, R), "A public limit of the rows of one person.  [default: 1]"),
    ("--whole COLUMN...", None, (E, R), "Its values are publicly whole numbers."),
    ("--unit COLUMN=1...", None, (E, R), "The public step of a median's values."),
    ("--records N", whole, (E, R), "In the place of FILE: n alone."),
    ("--show-cut", None, (E,), "For you: what the limits cut, once they are fixed."),
    "Or: the file is known, and it is secret who of it is released (one of)",
    ("--all-but-one", None, COMMANDS, "All are, but one."),
    ("--released COLUMN", None, COMMANDS, "Those whom a column names: 1 or 0, yes or no."),
    ("--release-size N", whole, COMMANDS, "N of the records are."),
    "What you accept (one of --odds, --risk, --error)",
    ("--odds 3", number, (E,), "How many times a reader's odds may grow."),
    ("--risk 1%", number, (E,), "How sure she may get who suspects nobody before."),
    ("--before 0.1%", number, (E,), "With --risk: how sure she was, about any one person."),
    ("--error 0.05...", number, (E,), "The 95% error that you need; of a known file also 5%."),
    "The noise that there is (one of)",
    ("--epsilon 1...", number, (R,), "Of all answers together, or one an answer."),
    ("--scale 0.1...", number, (R,), "One an answer."),
    "The file",
    ("--drop-missing", None, COMMANDS, "Leave out rows without a value."),
    ("--missing 98,99...", None, COMMANDS, "Codes for a missing value; none: all are values."),
    ("--delimiter ';'", None, COMMANDS, "Between two fields.  [default: found out]"),
    ("--decimal ,", None, COMMANDS, "The decimal sign.  [default: .]"),
    ("--thousands .", None, COMMANDS, "The sign between thousands.  [default: none]"),
    ("--encoding utf-16", None, COMMANDS, "Of its text.  [default: utf-8]"),
    "What is printed and written",
    ("--format csv", form, COMMANDS, "text, csv or json.  [default: text]"),
    ("--adjacency bounded", None, COMMANDS, "Of epsilon.  [default: unbounded]"),
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
        with warnings.catch_warnings():
            warnings.filterwarnings("error", ".*: are they codes for", MissingCodeWarning)
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


def question(typed: dict[str, Any]) -> dict[str, Any]:
    """The arguments of :func:`dpchoose.recommend` for which no file is needed.

    A question that does not say who is in the file, or which, is refused.
    """
    everybody = typed["limits"] or typed["everybody"] or typed["hide_n"]
    who = {name: typed[name] for name in ("all_but_one", "released", "release_size")}
    if all(value is None for value in who.values()) and not everybody:
        click.echo(WHO, err=True)
        click.get_current_context().exit(2)
    one_of(who | {"limits": everybody})
    one_of({"FILE": typed["file"], "records": typed["records"]})
    arguments = {"query": typed["ask"], "already": 1, "adjacency": None}
    names = ("by", "already", "adjacency", "rows", "expect_n", "whole", "hide_n")
    arguments |= {name: typed[name] for name in names if typed[name] not in (None, [])}
    units, limits = by_column("--unit", typed["unit"]), by_column("--limits", typed["limits"])
    for column, step in units.items():
        checks.real(f"--unit {column}", parse_number(step, f"--unit {column}"), 0, closed="()")
    pairs = {column: parse_limits(pair, f"--limits {column}") for column, pair in limits.items()}
    arguments |= {"groups": typed["group"] or None, "unit": units or None}
    return arguments | {"limits": pairs if everybody else None}


def by_column(flag: str, given: list[str] | None) -> dict[str, str]:
    """What is said of each column, such as 0:30 in visits=0:30."""
    said: dict[str, str] = {}
    for word in given or ():
        column, _, text = word.rpartition("=")
        if not column or column in said:
            raise ValueError(f"{flag} must name each column once, as visits=, got {word}")
        said[column] = text
    return said


def read(typed: dict[str, Any]) -> tuple[Source | None, dict[str, Any], dict[str, Any], Context]:
    """The file, the arguments that it gives, what it adds to the question, and to the sentence."""
    by, where = tuple(typed["by"] or ()), typed["where"] or ""
    facts = {"by": ", ".join(by) or None, "where": where or None, "person": typed["person"]}
    if typed["records"] is not None:
        facts |= {"file": f"{typed['records']:,} rows", "filtered": None, "dropped": None}
        return None, {"data": typed["records"]}, facts, Context(where)
    pairs = [query for query in typed["ask"] if isinstance(query, tuple)]
    codes = [word.strip() for text in typed["missing"] for word in text.split(",")]
    given = {name: typed[name] for name in Source.__dataclass_fields__ if typed[name]}
    given |= {
        "path": typed["file"],
        "columns": tuple(dict.fromkeys(column for kind, column in pairs if kind != "share")),
        "shares": tuple(dict.fromkeys(column for kind, column in pairs if kind == "share")),
        "by": by,
        "missing": tuple(code for code in codes if code != "none"),
    }
    source = Source(**given)
    rows = source.read()
    data = rows.values if pairs else rows.values.assign(record=0.0)
    size = len(data) - 1 if typed["all_but_one"] else typed["release_size"]
    arguments = {"data": data, "release_size": size, "released": rows.released, "by": rows.labels}
    facts["file"] = "standard input" if source.path == "-" else Path(source.path).name
    for name in ("filtered", "dropped"):  # with the rows left out goes n
        facts[name] = None if typed["hide_n"] else getattr(rows, name)
    return source, arguments, facts, Context(where, rows.left_out, source.person is not None)


def one_of(given: dict[str, Any], example: str = "") -> str:
    """The option that was given, of several."""
    flags = {name: name if name == "FILE" else f"--{name.replace('_', '-')}" for name in given}
    names = [name for name, value in given.items() if value not in (None, [])]
    if len(names) != 1:
        got = ", ".join(flags[name] for name in names) or f"none{example}"
        raise ValueError(f"exactly one must be given of {', '.join(flags.values())}, got {got}")
    return names[0]
