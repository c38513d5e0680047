"""The answer to which epsilon: numbers in a table, words beside it."""

from __future__ import annotations

import html
import math
import typing
from dataclasses import dataclass, replace
from fractions import Fraction

from dpchoose.epsilon.text import round_down, round_up

if typing.TYPE_CHECKING:
    import pandas as pd

STATUSES = ("ok", "any epsilon", "exposed", "not shown safe", "nothing left", "cannot be met")


@dataclass(frozen=True)
class Facts:
    """What a recommendation is about.

    Attributes:
        records, release_size: N and n.
        worlds: their number, as it is read.
        adjacency: of the neighbours for which epsilon is stated.
        secret: the risk that is accepted: "world", "present" or "absent".
        risk: accepted; None where an epsilon or a scale was given.
        published: the statistics that are out already, each with its scale.
        total: the epsilon of all answers together, those that are out included.
        world_exact: whether the risk of a world is exact, not the shell bound.
        record_exact: whether the risks of one record are exact, not a bound.
    """

    records: int
    release_size: int
    worlds: str
    adjacency: str
    secret: str
    risk: Fraction | None
    published: tuple[tuple[str, float], ...]
    total: float
    world_exact: bool
    record_exact: bool


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which noise to add, and what every adversary gets.

    Attributes:
        table: a row per statistic that is to be published: "statistic",
            "sensitivity", "epsilon", "noise scale", the "half-width" that holds
            the noise with 95% probability, and the "relative half-width", to
            the mean answer over the worlds; numbers or nan.
        epsilon: of the answers in the table together; math.inf when no noise is
            needed, 0 when nothing is left, nan when the risk cannot be met.
        risks: the largest posterior of each adversary: "world" (all worlds
            equally likely), "torn" (between two worlds), "not knowing n" and
            "knowing n" (who know everybody else, torn about the last place),
            "present" and "absent" (one record), and how often the best guess
            is right on "average"; nan where unknown.
        bounds: the epsilon of all answers by each bound on the risk; nan where
            it is unknown or cannot be met.
        status: "ok", "any epsilon", "exposed", "not shown safe", "nothing
            left" or "cannot be met": the last of these that applies.
        reason: the status in words; "" when there is nothing to say.
        facts: what it is about.

    >>> from dpchoose import recommend
    >>> found = recommend("mean", [1, 2, 3, 10], risk="1/3")
    >>> found.table["noise scale"].round(4).tolist(), round(float(found.risks["torn"]), 4)
    ([6.5629], 0.6123)
    """

    table: pd.DataFrame
    epsilon: float
    risks: pd.Series
    bounds: pd.Series
    status: str
    reason: str
    facts: Facts

    def without_numbers(self) -> Recommendation:
        """The same where nothing can be recommended: nan for every number of the noise."""
        table = self.table.copy()
        table[["epsilon", "noise scale", "half-width", "relative half-width"]] = math.nan
        return replace(self, table=table, epsilon=math.nan)

    def sentences(self) -> list[str]:
        """What may be said to whoever signs; each sentence names its adversary."""
        from dpchoose.epsilon.sentences import sentences

        return sentences(self)

    def _repr_html_(self) -> str:
        shown = self.table.copy()
        for column in shown.columns.drop(["statistic"]):
            rounded = round_down if column == "epsilon" else round_up
            shown[column] = [rounded(x) if x == x else "" for x in shown[column]]
        lines = [f"<li>{html.escape(sentence)}</li>" for sentence in self.sentences()]
        head = f"<p><strong>{html.escape(self.status)}</strong> {html.escape(self.reason)}</p>"
        return head + shown.to_html(index=False, border=0) + f"<ul>{''.join(lines)}</ul>"
