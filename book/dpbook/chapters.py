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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbook import figures, published, tables
from dpchoose.data.queries import Query
from dpchoose.epsilon.choose import UnattainableRisk, epsilon_from_risk, round_down
from dpchoose.epsilon.shells import shell_bound
from dpchoose.risk.bounds import risk_upper_bound, worst_case_risk
from dpchoose.worlds.possible import Worlds, possible_worlds
from dpchoose.worlds.subsets import TooManyWorlds

if typing.TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from IPython.display import HTML, Image
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
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
        """The run that the parameters in a notebook's namespace make."""
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

        Glues how many rows agree and how many are explained, for the prose.

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
        for verdict in ("agrees", "explained"):
            glue(verdict, int((comparison.verdict == verdict).sum()), display=False)
        return tables.check_table(comparison, scored=True)


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


def table(frame: pd.DataFrame, digits: int | Mapping[str, int] = 4) -> HTML:
    """A DataFrame without its index, as it is shown on a page.

    Args:
        frame: what to show; a missing value is left blank.
        digits: after the decimal point of floats, for all columns or by name.
    """
    from IPython.display import HTML

    def decimals(column: str) -> Callable[[float], str]:
        places = digits if isinstance(digits, int) else digits.get(column, 4)
        return lambda value: f"{value:.{places}f}"

    floats = frame.select_dtypes("float").columns
    text = frame.to_html(
        index=False,
        border=0,
        na_rep="",
        justify="left",
        classes="numbers",
        formatters={column: decimals(column) for column in floats},
    )
    return HTML(scrolling(text))


def members(values: Sequence[float]) -> str:
    """A dataset as a set is written: {1, 2, 10}.

    >>> members([1.0, 2.0, 10.0])
    '{1, 2, 10}'
    """
    return "{" + ", ".join(f"{value:g}" for value in values) + "}"


def risks_by_bound(worlds: Worlds, *, epsilon: Any, sensitivity: float) -> dict[str, np.ndarray]:
    """The upper and the tight bound on the risk, by the names that figures know.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.worst_case_risk`.
    """
    bounds = {"upper bound": risk_upper_bound, "tight bound": worst_case_risk}
    return {
        name: bound(worlds, epsilon=epsilon, sensitivity=sensitivity)
        for name, bound in bounds.items()
    }


def curves_of(
    query: Query, universe: Any, release_size: int, *, epsilon: Any, sensitivity: float
) -> dict[str, np.ndarray]:
    """Both bounds where the worlds can be counted, and the shell bound where not.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.shell_bound`.
    """
    try:
        worlds = possible_worlds(query, universe, release_size)
    except TooManyWorlds:
        risks = shell_bound(query, universe, release_size, epsilon=epsilon, sensitivity=sensitivity)
        return {"shell bound": risks}
    return risks_by_bound(worlds, epsilon=epsilon, sensitivity=sensitivity)


def epsilons_by_bound(worlds: Worlds, *, risk: Any, sensitivity: float) -> dict[str, float]:
    """Epsilon by the upper and by the tight bound; nan where none meets the risk.

    Raises:
        ValueError, TypeError: as :func:`dpchoose.epsilon_from_risk`.
    """
    chosen = {}
    for name, bound in {"upper bound": "upper", "tight bound": "worst-case"}.items():
        try:
            chosen[name] = epsilon_from_risk(
                worlds, risk=risk, sensitivity=sensitivity, bound=bound
            )
        except UnattainableRisk:
            chosen[name] = math.nan
    return chosen


def shown(epsilon: float) -> str:
    """An epsilon in a table: rounded down, or "any", or "none" for nan.

    >>> shown(0.38298), shown(math.nan)
    ('0.3829', 'none')
    """
    return "none" if math.isnan(epsilon) else round_down(epsilon)


def scrolling(table: str) -> str:
    """The HTML of a table that scrolls by itself where the page is narrow."""
    return f'<div class="wide-table" role="group" aria-label="table" tabindex="0">{table}</div>'
