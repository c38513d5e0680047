"""The options of the commands, each said once, and the question that they ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dpchoose import checks
from dpchoose.data import queries
from dpchoose.data.read import Source
from dpchoose.epsilon.text import parse_number
from dpchoose.sensitivity.limits import parse_limits

NAMES = f"{', '.join(queries.NAMED)}, percentile_p, share:COLUMN=VALUE"
E, R, S = COMMANDS = ("epsilon", "risk", "sensitivity")
WHO = """\
dpchoose: is everybody in the file part of the number?
  Yes:  --limits COLUMN=LOW:HIGH  public limits of each value, fixed without the file
        --everybody               where no value needs any, as for a share
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
    return [float(parse_number(part, flag)) for part in given.split(":")]


def statistic(flag: str, given: str) -> Any:
    """As the package takes it: ("mean", "visits") of mean:visits, or "count"."""
    name, _, column = given.partition(":")
    if bool(column) == (name == "count"):
        raise ValueError(f"{flag} must be written like mean:visits, or count alone, got {given}")
    if name != "share" and (name != "centred sum" or flag == "--ask"):
        queries.resolve(name)
    if name == "share" and "=" not in column:
        raise ValueError(f"{flag} must be written like share:COLUMN=VALUE, got {given}")
    return (name, column) if column else name


def limits(flag: str, given: str) -> tuple[str, str]:
    """A column and its limits, as visits=0:30."""
    column, _, pair = given.rpartition("=")
    if not column:
        raise ValueError(f"{flag} must be written like visits=0:30, got {given}")
    parse_limits(pair, f"{flag} {column}")
    return column, pair


def published(flag: str, given: str) -> tuple[Any, float]:
    """A statistic and its noise scale, as mean:visits:0.0033."""
    one, colon, scale = given.rpartition(":")
    if not colon:
        raise ValueError(f"{flag} must be written like mean:visits:0.0033, got {given}")
    return statistic(flag, one), float(parse_number(scale, flag))


# By section of the help: how an option is typed (with dots, as often as one likes), how it is
# read, the commands that have it, and its meaning.
OPTIONS = {
    "What is asked (with dots, as often as you like)": (
        ("--ask mean:COLUMN...", statistic, COMMANDS, f"{NAMES}; or count alone."),
        ("--by COLUMN", None, (E, R), "An answer for each group."),
        ("--where CONDITION", None, COMMANDS, "The rows that count, as 'age >= 65'."),
        (
            "--already mean:COLUMN:SCALE...",
            published,
            (E, R),
            "What is out, with its noise (with --by: in each group).",
        ),
        ("--split 1:2", weights, (E, R), "How several answers share.  [default: equal]"),
        ("--distance K", whole, (S,), "How many records differ.  [default: 1]"),
    ),
    "Everybody is in the file: of each value only public limits are known": (
        ("--limits COLUMN=0:60...", limits, COMMANDS, "Values are cut to them; not from the file."),
        ("--everybody", None, COMMANDS, "Where no value needs limits, as for a share."),
        ("--hide-n", None, COMMANDS, "Hide n too, and with it that somebody is in."),
        ("--group A...", None, COMMANDS, "With --hide-n and --by: the public list of groups."),
    ),
    "Or: the file is known, and it is secret who of it is released (one of)": (
        ("--all-but-one", None, COMMANDS, "All are, but one."),
        ("--released COLUMN", None, COMMANDS, "Those whom a column names: 1 or 0, yes or no."),
        ("--release-size N", whole, COMMANDS, "N of the records are."),
    ),
    "What you accept (one of --odds, --risk, --error)": (
        ("--odds 3", number, (E,), "How many times a reader's odds may grow."),
        ("--risk 1%", number, (E,), "How sure she may get who suspects nobody before."),
        ("--before 0.1%", number, (E,), "With --risk: how sure she was, about any one person."),
        ("--error 0.05...", number, (E,), "The 95% error that you need, also 5%; one an answer."),
    ),
    "The noise that there is (one of)": (
        ("--epsilon 1...", number, (R,), "Of all answers together, or one an answer."),
        ("--scale 0.1...", number, (R,), "One an answer."),
    ),
    "The file": (
        ("--person COLUMN", None, COMMANDS, "Whose row it is: each person may have one only."),
        ("--drop-missing", None, COMMANDS, "Leave out rows without a value."),
        ("--missing 999...", None, COMMANDS, "What stands for a missing value."),
        ("--delimiter ';'", None, COMMANDS, "Between two fields.  [default: found out]"),
        ("--decimal ,", None, COMMANDS, "The decimal sign.  [default: .]"),
        ("--thousands .", None, COMMANDS, "The sign between thousands.  [default: none]"),
        ("--encoding utf-16", None, COMMANDS, "Of its text.  [default: utf-8]"),
    ),
    "What is printed and written": (
        ("--format csv", form, COMMANDS, "text, csv or json.  [default: text]"),
        ("--adjacency bounded", None, COMMANDS, "Of epsilon.  [default: unbounded]"),
        ("--report x.html", None, (E,), "A sheet for whoever signs."),
        ("--plot x.svg", None, (E,), "A picture, .svg or .png."),
        ("--opendp x.py", None, (E,), "A script that publishes once; not with --all-but-one."),
    ),
    "Help": (("--help", None, (), ""),),
}


class Command(click.Command):
    """A command whose help stands in the sections of the table."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        known = {one.opts[-1]: one.get_help_record(context) for one in self.get_params(context)}
        for section, options in OPTIONS.items():
            flags = [typed.split()[0] for typed, *_ in options]
            if shown := [known[flag] for flag in flags if flag in known]:
                with formatter.section(section):
                    formatter.write_dl(shown)


def command(function: Callable[..., Any]) -> Command:
    """The command of a function: its name and words, a file, and its options of the table."""
    name = function.__name__
    params: list[click.Parameter] = [click.Argument(["file"])]
    for options in OPTIONS.values():
        params += [_option(typed, kind, said) for typed, kind, has, said in options if name in has]
    return Command(name, callback=function, params=params, help=function.__doc__)


def _option(typed: str, kind: Callable[[str, str], Any] | None, meaning: str) -> click.Option:
    """An option; click lets any be given twice, so that it can be refused by name."""
    flag, _, shown = typed.partition(" ")

    def read(_: click.Context, option: click.Parameter, given: Any) -> Any:
        words = given if shown else [flag] * given
        values = [kind(flag, one) if kind else one for one in words]
        if shown.endswith("..."):
            return values
        if len(values) > 1:
            raise ValueError(f"{flag} was given twice")
        return values[0] if values else None

    how = {"multiple": True, "metavar": shown} if shown else {"count": True}
    return click.Option([flag], help=meaning, callback=read, **how)


def check(asked: dict[str, Any]) -> None:
    """Refuse a question that does not say what is published, or who is in it."""
    if not asked["ask"]:
        raise ValueError("--ask must say what is published, as --ask mean:visits or --ask count")
    who = {name: asked[name] for name in ("all_but_one", "released", "release_size")}
    who["limits"] = asked["limits"] or asked["everybody"] or asked["hide_n"] or None
    if all(value is None for value in who.values()):
        click.echo(WHO, err=True)
        click.get_current_context().exit(2)
    one_of(who)
    given = [column for column, _ in asked["limits"]]
    if len({*given}) < len(given):
        raise ValueError(f"--limits must be given once for a column, got {' and '.join(given)}")


def question(asked: dict[str, Any]) -> dict[str, Any]:
    """The arguments of :func:`dpchoose.recommend` for which no file is needed."""
    known = {name: asked.get(name) or None for name in ("by", "already", "adjacency")}
    known |= {"query": asked["ask"], "limits": None}
    groups = asked.get("group") or None
    if asked["everybody"] or asked["limits"] or asked["hide_n"]:
        hidden = bool(asked["hide_n"])
        known |= {"limits": dict(asked["limits"]), "hide_n": hidden, "groups": groups}
    elif groups:
        raise ValueError("--group must come with --hide-n: the groups of a known file are known")
    return known


def read(asked: dict[str, Any]) -> tuple[Source, dict[str, Any], dict[str, Any]]:
    """The file, the arguments that it gives, and what it adds to the question."""
    every = [*asked["ask"], *(one for one, _ in asked.get("already", []))]
    pairs = [one for one in every if isinstance(one, tuple)]
    columns, shares = (
        tuple(dict.fromkeys(one[1] for one in pairs if _is_share(*one) is share))
        for share in (False, True)
    )
    given = {name: asked[name] for name in Source.__dataclass_fields__ if asked.get(name)}
    given["released"] = asked["released"]
    source = Source(asked["file"], columns, shares, **given)
    rows = source.read()
    data = rows.values if pairs else rows.values.assign(record=0.0)
    size = len(data) - 1 if asked["all_but_one"] else asked["release_size"]
    found = {"data": data, "release_size": size, "released": rows.released, "by": rows.labels}
    said = {name: getattr(source, name) or None for name in ("by", "where", "person")}
    said["file"] = "standard input" if source.path == "-" else Path(source.path).name
    out = (None, None) if asked["hide_n"] else (rows.filtered, rows.dropped)  # with them goes n
    return source, found, said | dict(zip(("filtered", "dropped"), out))


def _is_share(query: str, column: str) -> bool:
    """Whether "is it that value" is asked, of COLUMN=VALUE, as its centred sum too."""
    return query == "share" or (query == "centred sum" and "=" in column)


def one_of(given: dict[str, Any], example: str = "") -> str:
    """The one option that was given, of several."""
    said = [name for name, value in given.items() if value not in (None, [])]
    if len(said) != 1:
        known, got = (", ".join(f"--{one.replace('_', '-')}" for one in x) for x in (given, said))
        raise ValueError(f"exactly one must be given of {known}, got {got or f'none{example}'}")
    return said[0]
