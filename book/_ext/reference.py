"""The page of the functions: an option of the command is described once, and a dash is a dash."""

from __future__ import annotations

import re

import click
from docutils import nodes
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
    for text in list(doctree.findall(nodes.Text)):
        if text == " -- ":  # between an argument and what it is
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("sphinx-click-process-options", _once)
    app.connect("sphinx-click-process-arguments", _no_arguments)
    app.connect("doctree-read", _dashes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
