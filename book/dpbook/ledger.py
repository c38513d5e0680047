"""The page of errata: what is wrong in the sources, each with a run that shows it.

What an error is, and why, stands in errata.yaml; the runs are the cells of the
notebook, which hand their numbers in here.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import textwrap
import typing
from collections.abc import Callable
from html import escape
from importlib import resources
from typing import Any

from dpbook import errata, published

if typing.TYPE_CHECKING:
    from IPython.display import HTML

NUMBER = '<span class="number"><small>{}</small> {}</span>'
HEAD = "".join(f"<span>{name}</span>" for name in ("error", "harm", "believed", "true"))


@functools.cache
def entries() -> dict[str, dict[str, Any]]:
    """Every erratum by its title: source, in, what, text, and checked, chapter to facts.

    >>> entries()["A digit is lost"]["checked"]
    {'median': ['lc-median-tight']}
    """
    import yaml

    text = resources.files("dpbook").joinpath("errata.yaml").read_text("utf-8")
    sources = published.sources()
    return {
        one["title"]: {"checked": {}} | one | {"source": sources[one["source"]]}
        for one in yaml.safe_load(text)
    }


def titles() -> dict[str, str]:
    """Of each fact that is in error, the title of its erratum."""
    return {
        fact: title
        for title, one in entries().items()
        for facts in one["checked"].values()
        for fact in facts
    }


def apart(*numbers: float) -> list[str]:
    """Numbers with four digits after the point, or as many more as tell them apart.

    >>> apart(1 / 3, 0.469), apart(1 / 3, 1 / 3 + 3e-8), apart(1, 1)
    (['0.3333', '0.4690'], ['0.3333333', '0.3333334'], ['1.0000', '1.0000'])
    """
    many = len(set(numbers))
    texts = ([f"{number:.{digits}f}" for number in numbers] for digits in range(4, 17))
    return next((found for found in texts if len(set(found)) == many), [repr(n) for n in numbers])


class Ledger:
    """The runs of the errata, as they are made."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[str, float, float, str]] = {}

    def run(self, title: str) -> Callable[[Callable[[], tuple[float, float]]], None]:
        """Run a function that returns what a reader believes and what is true, and prints a line.

        Raises:
            ValueError: no erratum has this title.
        """
        if title not in entries():
            raise ValueError(f"title must be one of {', '.join(entries())}, got {title!r}")

        def enter(show: Callable[[], tuple[float, float]]) -> None:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                believed, true = map(float, show())
            inside = f"{_code(inspect.getsource(show))}<pre>{escape(printed.getvalue())}</pre>"
            self._rows[title] = errata.harm(believed, true), believed, true, inside

        return enter

    def table(self) -> HTML:
        """All errata, the worst first, each unfolding to its reason and its run.

        Raises:
            ValueError: an erratum without a run.
        """
        from IPython.display import HTML

        missing = [title for title in entries() if title not in self._rows]
        if missing:
            raise ValueError(f"every erratum must have a run, none for {', '.join(missing)}")
        rows = sorted(
            self._rows.items(), key=lambda row: (errata.HARMS.index(row[1][0]), _place(row[0]))
        )
        shown = "".join(_row(title, *row) for title, row in rows)
        head = f'<div class="head" aria-hidden="true">{HEAD}</div>'
        return HTML(f'<div class="errata">{head}{shown}</div>')

    @property
    def errors(self) -> int:
        """How many there are."""
        return len(self._rows)

    def count(self, harm: str) -> int:
        """How many errors do that harm."""
        return sum(row[0] == harm for row in self._rows.values())


def _place(title: str) -> int:
    return list(entries()).index(title)


def _row(title: str, harm: str, believed: float, true: float, inside: str) -> str:
    one, told = entries()[title], apart(believed, true)
    where = one["source"] + (", in its code only" if one["in"] == "code" else "")
    links = ", ".join(
        f'<a href="{slug}.html#{published.row(fact)}">{slug}</a>'
        for slug, facts in one["checked"].items()
        for fact in facts
    )
    checked = f" Published beside right: {links}." if links else ""
    return (
        f"<details><summary><span>{title}<br><small>{escape(where)}; {escape(one['what'])}</small>"
        f'</span><span class="harm">{harm}</span>'
        f"{NUMBER.format('believed', told[0])}{NUMBER.format('true', told[1])}</summary>"
        f'<p id="{published.address(title)}">{escape(one["text"])}{checked}</p>{inside}</details>'
    )


def _code(source: str) -> str:
    """The lines inside a function, without what it returns, in colour."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    lines = textwrap.dedent(source).splitlines()
    body = ast.parse("\n".join(lines)).body[0].body
    inside = textwrap.dedent("\n".join(lines[body[0].lineno - 1 : body[-1].lineno - 1]))
    return highlight(inside, PythonLexer(), HtmlFormatter(cssclass="highlight"))
