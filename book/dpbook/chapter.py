"""What a chapter needs around its mathematics: its figures and its check table.

A chapter opens with its own slug and its parameters. If these are the ones
that stand in the repository, its figures go to the repository and its numbers
are compared with the published ones; a run with other parameters writes its
figures where it is told, or to the current folder, and compares nothing.
"""

from __future__ import annotations

import ast
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbook import figures, published, tables

if typing.TYPE_CHECKING:
    from IPython.display import HTML, Image
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
EXECUTED = ROOT / "book" / "chapters"
FIGURES = ROOT / "figures"
BENCHMARKS = ROOT / "benchmarks"
FOLDER = "figures_folder"  # the parameter of every chapter that says where figures go


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
        """
        tables.show_frames()
        defaults = parameters(slug)
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
