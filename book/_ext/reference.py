"""The pages of the functions and of the references.

An option of the command is described once, and a dash is a dash. Each reference stands under the
names and the year with which the text cites it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click
from docutils import nodes
from pybtex.database import Entry, Person
from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from sphinx.application import Sphinx

EACH = re.compile(r"^(?=\.\. option:: )", re.MULTILINE)


def _once(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Of a command the options that no command before it has, and the names of the others."""
    commands = context.parent.command.commands if context.parent else {}
    earlier = [command for name, command in commands.items() if name < context.command.name]
    known = {flag for command in earlier for option in command.params for flag in option.opts}
    options = {option.split()[2]: option for option in EACH.split("\n".join(lines))[1:]}
    again = ", ".join(f"``{name}``" for name in options if name in known)
    new = "\n".join(option for name, option in options.items() if name not in known)
    lines[:] = [f"Of those above: {again}." if again else "", "", *new.splitlines(), ""]


def _no_arguments(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """FILE alone, which stands in the usage."""
    lines.clear()


def _dashes(app: Sphinx, doctree: nodes.document) -> None:
    """A dash for two hyphens."""
    for text in list(doctree.findall(nodes.Text)):
        if text == " -- ":  # between an argument and what it is
            text.parent.replace(text, nodes.Text(" – "))


class _Labels(BaseLabelStyle):
    """A reference under its names and its year."""

    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterator[str]:
        for entry in sorted_entries:
            yield f"{_names(entry.persons['author'])} {entry.fields['year']}"


def _names(people: list[Person]) -> str:
    """As they are cited: one, two, or the first of more."""
    last = [str(Text(" ").join(person.rich_last_names)) for person in people]
    return " and ".join(last) if len(last) < 3 else f"{last[0]} et al."


class _Alphabet(SortingStyle):
    """In the order of the names, whatever braces they have."""

    def person_key(self, person: Person) -> str:
        return super().person_key(person).replace("{", "").replace("}", "")


class _Cited(Style):
    """The style of the list."""

    default_label_style = _Labels
    default_sorting_style = _Alphabet


def setup(app: Sphinx) -> dict[str, bool]:
    register_plugin("pybtex.style.formatting", "cited", _Cited)
    app.connect("sphinx-click-process-options", _once)
    app.connect("sphinx-click-process-arguments", _no_arguments)
    app.connect("doctree-read", _dashes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
