"""The commands of the page on reproducing, read from the tools themselves."""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterable, Sequence

import click
from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import Directive
from dpbook import sweep
from dpbook.chapter import NOTEBOOKS, ROOT
from dpbook.tables import SCROLLING
from sphinx import addnodes
from sphinx.application import Sphinx

from dpchoose.__main__ import cli

COMMANDS: dict[str, click.Command] = {"dpchoose": cli, sweep.NAME: sweep.command}
OPEN, CLOSE = SCROLLING.split("{}")

Cell = list[nodes.Node]


def make_targets() -> list[tuple[str, str]]:
    """Each target with what the Makefile says of it, as ``make help`` does."""
    text = (ROOT / "Makefile").read_text("utf-8")
    return re.findall(r"^([a-z-]+):.*?## (.+)$", text, flags=re.M)


def help_of(command: str) -> str:
    """What ``command --help`` prints, 79 characters wide."""
    name = next(name for name in COMMANDS if f"{command} ".startswith(f"{name} "))
    words = [*command.removeprefix(name).split(), "--help"]
    made = CliRunner().invoke(COMMANDS[name], words, prog_name=name, terminal_width=79)
    if made.exit_code:
        raise ValueError(f"command must be one that runs, got {command!r}")
    return made.output.strip()


def chapters_in_order() -> list[str]:
    """The slugs, as the table of contents has them."""
    return re.findall(r"file: book/chapters/(\S+)", (ROOT / "_toc.yml").read_text("utf-8"))


def parameters(slug: str) -> list[tuple[str, str, str, str]]:
    """Name, type, default and meaning, as ``papermill --help-notebook`` has them."""
    import papermill

    logging.getLogger("papermill").setLevel(logging.ERROR)
    found = papermill.inspect_notebook(NOTEBOOKS / f"{slug}.ipynb").values()
    return [(one["name"], *_type_and_value(one["default"]), one["help"]) for one in found]


def figures(slug: str) -> list[tuple[str, str]]:
    """The name and the caption of each figure that a chapter draws."""
    text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    return re.findall(r"```\{figure\} /figures/(\S+)\.svg\n(?::.*\n)+\n(.+)\n```", text)


def _type_and_value(source: str) -> tuple[str, str]:
    value = ast.literal_eval(source)
    return sweep.kind(value), source if "\n" not in source and len(source) < 60 else repr(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[nodes.Node]:
    """A table that scrolls by itself where the page is narrow."""
    group = nodes.tgroup(cols=len(head))
    group += [nodes.colspec(colwidth=1) for _ in head]
    group += nodes.thead("", _row([[nodes.Text(word)] for word in head]))
    group += nodes.tbody("", *map(_row, rows))
    table = nodes.table("", group, classes=["numbers", "commands"])
    return [nodes.raw("", OPEN, format="html"), table, nodes.raw("", CLOSE, format="html")]


def _row(cells: Iterable[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def _code(text: str) -> Cell:
    return [nodes.literal(text, text)]


def _words(text: str) -> Cell:
    """Text in which an empty string keeps its straight quotes."""
    parts = re.split('("")', text)
    return [nodes.literal(part, part) if part == '""' else nodes.Text(part) for part in parts]


class _OnPage(Directive):
    """A directive whose links start at the page that it stands on."""

    def link(self, slug: str, text: str = "") -> addnodes.pending_xref:
        """To a chapter, under its title or another text."""
        document = self.state.document.settings.env.docname
        return addnodes.pending_xref(
            "",
            nodes.inline(text, text),
            refdoc=document,
            refdomain="std",
            reftype="doc",
            reftarget=f"/book/chapters/{slug}",
            refexplicit=bool(text),
            refwarn=True,
        )


class MakeTargets(_OnPage):
    """A table of what can be made."""

    def run(self) -> list[nodes.Node]:
        rows = [[_code(f"make {target}"), [nodes.Text(text)]] for target, text in make_targets()]
        return _table(["command", "what it does"], rows)


class HelpOf(_OnPage):
    """The help of a command."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        text = help_of(self.arguments[0])
        return [nodes.literal_block(text, text, language="text")]


class ParameterTables(_OnPage):
    """For each chapter a table of its parameters."""

    def run(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for slug in chapters_in_order():
            rows = [
                [_code(name), [nodes.Text(kind)], _code(default), _words(meaning)]
                for name, kind, default, meaning in parameters(slug)
            ]
            notebook = _code(f"notebooks/{slug}.ipynb")
            found.append(nodes.paragraph("", "", self.link(slug), nodes.Text(" "), *notebook))
            found += _table(["parameter", "type", "default", "meaning"], rows)
        return found


class FigureTable(_OnPage):
    """Each figure and the chapter that draws it."""

    def run(self) -> list[nodes.Node]:
        rows = [
            [_code(name), [nodes.Text(caption)], [self.link(slug, slug)]]
            for slug in chapters_in_order()
            for name, caption in figures(slug)
        ]
        return _table(["figure", "what it shows", "notebook"], rows)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("make-targets", MakeTargets)
    app.add_directive("help-of", HelpOf)
    app.add_directive("parameter-tables", ParameterTables)
    app.add_directive("figure-table", FigureTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
