"""What a chapter needs around its mathematics: its figures and its check table.

A chapter opens with its own slug and its parameters. If these are the ones
that stand in the repository, its figures go to the repository and its numbers
are compared with the published ones; a run with other parameters writes its
figures where it is told, or to the current folder, and compares nothing.
"""

from __future__ import annotations

import ast
import json
import math
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbook import figures, published, tables
from dpchoose.data import queries
from dpchoose.epsilon.text import parse_risk

if typing.TYPE_CHECKING:
    from IPython.display import HTML, Image
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
EXECUTED = ROOT / "book" / "chapters"
FIGURES = ROOT / "figures"
BENCHMARKS = ROOT / "benchmarks"
FOLDER = "figures_folder"  # the parameter of every chapter that says where figures go
WORDS = {str: "text", bool: "boolean", int: "number", float: "number", list: "list"}
SCHOOL = ["school_year", "absence_days"]  # the columns of the pupils


@dataclass(frozen=True)
class Chapter:
    """A run of one chapter.

    Attributes:
        slug: the name of its notebook.
        as_published: whether its parameters are those of the repository.
        folder: where its figures go.
    """

    slug: str
    as_published: bool
    folder: Path

    @classmethod
    def open(cls, slug: str, namespace: Mapping[str, Any]) -> Chapter:
        """The run that the parameters in a notebook's namespace make.

        From here on a DataFrame shows itself as :func:`dpbook.tables.table`.

        Raises:
            ValueError, TypeError: as :func:`refuse`.
        """
        tables.show_frames()
        defaults = parameters(slug)
        for name, default in defaults.items():
            refuse(name, namespace[name], default)
        as_published = bool(defaults) and all(
            namespace[name] == value for name, value in defaults.items() if name != FOLDER
        )
        folder = namespace[FOLDER] or (FIGURES if as_published else Path.cwd())
        return cls(slug, as_published, Path(folder))

    def save(self, figure: Figure, part: str = "") -> Image:
        """Write a figure as <slug>.png and .svg, or <slug>-<part>, and show it."""
        from IPython.display import Image

        name = f"{self.slug}-{part}" if part else self.slug
        return Image(figures.save_figure(figure, name, self.folder), width=500)

    def check(
        self,
        ours: Callable[[], Mapping[str, Any]],
        rerun: Callable[[], Mapping[str, Any]] | None = None,
        within: Callable[[], Mapping[str, Any]] | None = None,
    ) -> HTML:
        """Show published beside reproduced; fail when a verdict is differs.

        Glues how many rows agree and how many are explained, for the prose,
        and leaves the table for the scorecard: <slug>.csv beside the chapters
        of the book, or beside the figures that went elsewhere.

        Args:
            ours, rerun, within: give what :func:`dpbook.published.compare`
                takes; called only when the parameters are the published ones.

        Raises:
            AssertionError: a number differs.
        """
        from IPython.display import HTML
        from myst_nb import glue

        if not self.as_published:
            return HTML("These are not the published parameters: nothing is compared.")
        comparison = published.compare(
            ours(), rerun=rerun() if rerun else None, within=within() if within else None
        )
        published.require_agreement(comparison)
        folder = EXECUTED if self.folder == FIGURES else self.folder
        folder.mkdir(parents=True, exist_ok=True)
        comparison.to_csv(folder / f"{self.slug}.csv", index_label="fact")
        for verdict in ("agrees", "explained"):
            glue(verdict, int((comparison.verdict == verdict).sum()), display=False)
        return tables.check_table(comparison)


def parameters(slug: str) -> dict[str, Any]:
    """The parameters of a chapter as they stand in the repository.

    Returns:
        name to value, in order; empty when the notebook is not there, as in
        an installation without the book.

    >>> parameters("no-such-chapter")
    {}
    """
    path = NOTEBOOKS / f"{slug}.ipynb"
    if not path.exists():
        return {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            statements = ast.parse("".join(cell["source"])).body
            return {node.targets[0].id: ast.literal_eval(node.value) for node in statements}
    return {}


def refuse(name: str, value: Any, default: Any) -> None:
    """What is certainly wrong for a parameter with that default, in one line.

    Raises:
        TypeError: a value, or an entry of a list, of another kind than the
            default's; a risk may be "1/3" or 0.3.
        ValueError: no risk, no query, no column of the pupils, or a range
            that does not rise or has no end.

    >>> refuse("epsilon_range", [5, 0], [0, 5])
    Traceback (most recent call last):
        ...
    ValueError: epsilon_range must be two numbers that rise, got [5, 0]
    """
    kinds = {"risk": ("text", "number")}
    of = name.removesuffix("s").replace("querie", "query").rpartition("_")[2]
    _same_kind(name, value, default, kinds.get(of, ()))
    if not isinstance(default, list):
        return _refuse_one(name, of, value, [default])
    for one in value:
        if {type(entry) for entry in default} & WORDS.keys() and default:
            _same_kind(f"an entry of {name}", one, default[0], kinds.get(of, ()))
        _refuse_one(name, of, one, default)
    if of == "range" and not (len(value) == 2 and -math.inf < value[0] < value[1] < math.inf):
        raise ValueError(f"{name} must be two numbers that rise, got {value!r}")


def _same_kind(name: str, value: Any, default: Any, others: Collection[str]) -> None:
    word, expected = (WORDS.get(type(one), type(one).__name__) for one in (value, default))
    if word != expected and word not in others:
        raise TypeError(f"{name} must be a {expected}, as {default!r} is, got {value!r}")


def _refuse_one(name: str, of: str, value: Any, defaults: Sequence[Any]) -> None:
    if of == "risk":
        parse_risk(value)
    elif of == "query":
        queries.resolve(value)
    elif of == "column" and defaults[0] in SCHOOL and value not in SCHOOL:
        raise ValueError(f"{name} must be of {', '.join(SCHOOL)}, got {value!r}")
