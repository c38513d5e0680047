r"""Everybody is in the file, and of each answered value only public limits are known.

All rows are released, and values are cut to their limits l and h. The reader may know every
other record. Let t be the rates of the noise, r = h - l and c = (l + h)/2, and by
:func:`~dpchoose.sensitivity.limits.limits_sensitivity` let one record move the answers by
*change* when it is changed and by *add* when it comes or goes. The privacy losses are

- d_v, the sum of t x change in a group: which of two records a person has. Shares of one column
  enter as one histogram (:mod:`dpchoose.your_data.shares`).
- d_m, the sum of t x add in a group, where n is hidden: whether a person is in; and the two
  largest of groups together: in which of the two.

For a person with up to K rows every loss is K times as large: *change* and *add* are those of K
rows. A mean with n hidden is published as a centred sum S and a count C over the same rows. At
the rates t_S = L/r and t_C = L/2 both d_v and d_m are L, and neither can grow. What is published
is c + S/C, cut to the limits, if C > 0, and else c; it is off by at most
:math:`(e_S + e_C r/2)/C` where S and C are off by at most e. A percentile is drawn
(:mod:`dpchoose.your_data.noise`), and its rate is one over its scale in records.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks, numbers
from dpchoose.risk.bounds import times
from dpchoose.your_data import noise, shares
from dpchoose.your_data.groups import groups_of
from dpchoose.your_data.noise import Noise
from dpchoose.your_data.question import (
    ROUNDED_UP,
    Answer,
    Question,
    Reader,
    in_groups,
    reader_at,
)
from dpchoose.your_data.row import COUNT, Limits, Row, check_query, parse_row

NARROW = 2.0**-50  # the range of limits beside their size below which floats cannot add exactly
OF_COUNT = {"count": 1, "mean": 1 / 2, "share": 1 / 2}  # its part of a loss where n is hidden


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last


@dataclass(frozen=True, eq=False)
class PublicLimits(Question):
    """All records of a file, and what is asked of them.

    Attributes:
        asked: a row for each question.
        sizes: the number of records of each group, (G,); public only where n is.
        codes: the group of each record, (N,); None where there is no file.
        groups: their names; empty without groups.
        hidden: whether n is hidden.
        person_rows: K, how many rows a person has at most.
        expected: a public guess of n, for the errors of means with n hidden; or None.
    """

    asked: list[Row]
    sizes: np.ndarray
    codes: np.ndarray | None
    groups: tuple[Any, ...]
    hidden: bool
    person_rows: int
    expected: int | None
    one_is_missing = False

    @property
    def questions(self) -> list[str]:
        return [row.label for row in self.asked]

    @cached_property
    def means(self) -> list[Mean]:
        """The means that are computed of two rows."""
        rows = enumerate(row for row in self.asked if row.query != "count")
        of_two = [(row, place) for place, row in rows if self.hidden and row.query in OF_COUNT]
        return [Mean(row.label, row.limits, place) for row, place in of_two]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The answers that get noise: of a mean with n hidden a centred sum; the count is last."""
        centred = [mean.label for mean in self.means]
        rows = [row.centred() if row.label in centred else row for row in self.asked]
        of_values = [row for row in rows if row.query != "count"]
        counted = centred or len(of_values) < len(rows)
        return (*of_values, *[COUNT] * bool(counted))

    @cached_property
    def moves(self) -> np.ndarray:
        """How far a person moves each row in each group, (2, G, d): see change and add."""
        sizes = [None if self.hidden else size for size in self.sizes.tolist()]
        moves = np.array([[row.moves(size) for row in self.rows] for size in sizes])
        return self.person_rows * np.moveaxis(moves, -1, 0)

    @property
    def change(self) -> np.ndarray:
        """How far a person moves each row whose records are changed, (G, d)."""
        return self.moves[0]

    @property
    def add(self) -> np.ndarray:
        """How far when they come or go, (G, d); nan where n is public."""
        return self.moves[1]

    @property
    def records(self) -> int:
        return int(self.sizes.sum())

    @property
    def of_values(self) -> list[Row]:
        """The rows but the count."""
        return [row for row in self.rows if row.query != "count"]

    @property
    def columns(self) -> dict[str, Limits]:
        """The columns that are answered, with their limits."""
        return {row.column: row.limits for row in self.of_values}

    @property
    def column_names(self) -> list[str]:
        """The column of each question, without a share's condition."""
        return list(dict.fromkeys(row.source for row in self.of_values))

    @property
    def sensitivities(self) -> np.ndarray:
        """Of a change where n is public, else of records that come or go."""
        return (self.add if self.hidden else self.change).ravel()

    @property
    def informative(self) -> np.ndarray:
        """All: every answer may tell something."""
        return np.ones(self.change.size, dtype=bool)

    def noise_of(self, index: int, scale: float) -> Noise:
        return self.rows[index % len(self.rows)].noise(scale)

    def ray(self, weights: np.ndarray) -> np.ndarray:
        weights = np.resize(weights, len(self.asked))
        losses = [weight for row, weight in zip(self.asked, weights) if row.query != "count"]
        if len(losses) < len(self.rows):
            losses.append(weights @ [OF_COUNT.get(row.query, 0) for row in self.asked])
        return (losses / np.fmax(self.change, self.add)).ravel()

    @cached_property
    def histograms(self) -> list[tuple[list[int], np.ndarray]]:
        """For each column the rows that are shares of it, and the classes of its values."""
        places: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            if row.query == "share":
                places.setdefault(row.source, []).append(place)
        return [
            (indices, shares.patterns([self.rows[index].column for index in indices]))
            for indices in places.values()
        ]

    def _losses_of_change(self, rates: np.ndarray) -> np.ndarray:
        """The privacy loss of a person who is changed, in each group, of rates (G, d)."""
        losses = times(rates, self.change)
        for indices, classes in self.histograms:
            joint = [shares.histogram_loss(row, classes) for row in losses[:, indices]]
            losses[:, indices] = 0
            losses[:, indices[0]] = joint
        return losses.sum(axis=1)

    def losses(self, rates: np.ndarray) -> dict[str, float]:
        """The largest privacy loss between what each reader compares."""
        rates, losses = rates.reshape(self.change.shape), {}
        if self.columns:
            key = "value in group" if self.hidden and self.groups else "value"
            losses[key] = self._losses_of_change(rates).max()
        if self.hidden:
            of_add = np.sort(times(rates, self.add).sum(axis=1))
            losses["member"] = of_add[-1]
            if len(self.groups) > 1:
                losses["group"] = of_add[-2:].sum()
        return {reader: float(loss) for reader, loss in losses.items()}

    def distance(self, rates: np.ndarray) -> float:
        return max(self.losses(rates).values()) * ROUNDED_UP

    def total(self, epsilons: np.ndarray) -> float:
        """That of a person who is changed where n is public, else who comes or goes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = np.where(epsilons == 0, 0, epsilons / self.sensitivities)
        return self.losses(rates)["member" if self.hidden else "value"]

    def readers(
        self, rates: np.ndarray, before: Fraction | None = None, already: float = 1.0
    ) -> list[Reader]:
        attained = already == 1 and self.person_rows == 1
        attained = attained and len(self.column_names) == len(self.of_values)
        attained = attained and all(row.grid is None for row in self.rows)
        return [
            reader_at(reader, belief, loss * ROUNDED_UP, already=already)._replace(exact=attained)
            for reader, loss in self.losses(rates).items()
            for belief in (Fraction(1, 2), before)
            if belief is not None
        ]

    @cached_property
    def members(self) -> list[np.ndarray]:
        """The places of the records of each group, of a file."""
        return np.split(np.argsort(self.codes, kind="stable"), np.cumsum(self.sizes)[:-1])

    def _answers(self, row: Row) -> np.ndarray:
        """The exact answers of each group, (G,); nan where there is no file."""
        if self.codes is None:
            return np.full(len(self.sizes), math.nan)
        return np.array([row.answer(members) for members in self.members])

    def answers(self) -> np.ndarray:
        return np.transpose([self._answers(row) for row in self.rows]).ravel()

    def unit_errors(self, scales: np.ndarray) -> list[float | None]:
        if self.codes is None:
            return [None] * len(scales)
        cells = ((row, members) for members in self.members for row in self.rows)
        return [row.unit_error(members, scale) for (row, members), scale in zip(cells, scales)]

    def expected_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The errors of the means that two rows make, if there are ``expected`` rows or more."""
        if self.expected is None:
            return [None] * (len(self.means) * len(self.sizes))
        beyond, columns = (1 - inside) / 2, []
        laws = [self.noise_of(index, scale) for index, scale in enumerate(scales.tolist())]
        errors = np.reshape([law.error(1 - beyond) for law in laws], self.change.shape)
        for _, (low, high), row in self.means:
            of_two = errors[:, row] + (high - low) / 2 * errors[:, -1]
            columns.append(np.minimum(of_two / self.expected, high - low))
        return np.transpose(columns).ravel().tolist()

    def derived(self, rates: np.ndarray) -> list[Answer]:
        """The means that two rows make, with the error against the mean of the cut values.

        It is planned of n and of the exact mean; nan for a group of nobody and without a file.
        """
        scales = 1 / np.maximum(rates, 1e-100).reshape(self.change.shape)
        asked, columns = {row.label: row for row in self.asked}, []
        for mean in self.means:
            answers = self._answers(asked[mean.label])
            offsets, of_two = answers - sum(mean.limits) / 2, (scales[:, mean.row], scales[:, -1])
            errors = noise.planned_error(self.sizes, offsets, mean.limits, *of_two)
            errors = [numbers.rounded_up_to(error, 1) for error in errors.tolist()]
            columns.append([*zip(errors, answers.tolist())])
        labels = in_groups(self.groups, [mean.label for mean in self.means])
        cells = (cell for group in zip(*columns) for cell in group)
        return [Answer(label, error=cell[0], answer=cell[1]) for label, cell in zip(labels, cells)]

    def facts(self) -> dict[str, Any]:
        return {
            "statistics": self.questions,
            "by": [str(group) for group in self.groups] or None,
            "situation": "everybody",
            "records": None if self.hidden else self.records,
            "hide_n": self.hidden,
            "limits": {name: list(pair) for name, pair in self.columns.items()},
            "rows": self.person_rows,
            "whole": sorted({row.column for row in self.asked if row.whole}) or None,
            "expect_n": self.expected,
        }


def public_limits(
    query: Any,
    data: Any,
    limits: Any,
    *,
    hide_n: bool = False,
    groups: Any = None,
    by: Any = None,
    rows: Any = 1,
    unit: Any = None,
    whole: Any = (),
    expect_n: Any = None,
) -> PublicLimits:
    """The question that is asked of everybody in a file; the arguments are of ``recommend``."""
    if not isinstance(hide_n, bool):
        raise TypeError(f"hide_n must be True or False, got {checks.short(hide_n)}")
    _check_groups(groups, by, hide_n)
    person_rows = checks.integer("rows", rows, 1)
    expected = None if expect_n is None else checks.integer("expect_n", expect_n, 1)
    if expected is not None and not hide_n:
        raise ValueError(f"expect_n must come with hide_n, got n public and expect_n {expect_n}")
    queries = query if isinstance(query, list) else [query]
    if not queries:
        raise ValueError(f"query must name at least one statistic, got {checks.short(query)}")
    for entry in queries:
        check_query(entry, hide_n)
    if isinstance(data, (int, np.integer)) and not isinstance(data, bool):
        if by is not None and not hide_n:
            raise ValueError("by needs the file where n is public: the sizes of groups are in it")
        codes, names = None, list(groups or ())
        sizes = np.full(max(len(names), 1), checks.integer("records", data, 1))
        data = None
    else:
        records = len(data if hasattr(data, "columns") else checks.universe(data))
        codes, names = groups_of(by, data, records, groups)
        sizes = np.bincount(codes, minlength=max(len(names), 1))
    whole = [whole] if isinstance(whole, str) else whole if whole is True else list(whole or ())
    asked = [parse_row(entry, data, limits, unit, whole) for entry in queries]
    question = PublicLimits(asked, sizes, codes, tuple(names), hide_n, person_rows, expected)
    _check(
        question,
        {"limits": limits if isinstance(limits, dict) else {}, "whole": whole, "unit": unit},
    )
    return question


def _check_groups(groups: Any, by: Any, hide_n: bool) -> None:
    """Refuse groups that are not listed though n is hidden, or not each once, or for nothing."""
    if groups is None:
        if hide_n and by is not None:
            raise ValueError(
                "groups must list the groups where n is hidden, got none: a public list, on the "
                "command line --group A --group B"
            )
        return
    if by is None or not hide_n:
        raise ValueError(f"groups must come with by and hide_n, got {checks.short(groups)}")
    listed = list(groups) if isinstance(groups, (list, tuple)) else []
    if not 0 < len(listed) == len({*listed}):
        raise ValueError(f"groups must list each group once, got {checks.short(groups)}")


def _check(question: PublicLimits, named: dict[str, Any]) -> None:
    """Refuse what cannot be asked together; ``named`` holds arguments that may name columns."""
    asked, hidden = question.asked, question.hidden
    if label := repeated(question.questions):
        raise ValueError(f"query must name each statistic once, got {label!r} twice")
    columns = [row.column for row in asked if row.query not in ("count", "share")]
    for name, value in named.items():
        for column in value if isinstance(value, (dict, list)) else ():
            if column not in columns:
                raise ValueError(
                    f"{name} must be of columns whose values are asked for, got {column!r}"
                )
    of_shares = [row.source for row in asked if row.query == "share"]
    if hidden and (column := repeated(of_shares)):
        count = f"{of_shares.count(column)}: ask counts by it (count, by {column})"
        raise ValueError(f"query must ask one share of {column} where n is hidden, got {count}")
    most = 2**20 if hidden else int(question.sizes.max())
    for row in question.of_values:
        low, high = row.limits
        if row.grid is None and high - low < most * NARROW * max(abs(low), abs(high)):
            raise ValueError(
                f"limits of {row.column or 'data'} must not be so narrow beside their size that "
                f"floats cannot add them up, got {low:.17g} to {high:.17g}: count from another "
                "origin"
            )
    means = in_groups(question.groups, [mean.label for mean in question.means])
    if label := repeated(question.labels + means):
        rule = "each answer must have a label of its own"
        raise ValueError(f"{rule}, got {label!r} twice: rename a column or a group")


def repeated(names: Iterable[str]) -> str | None:
    """The first name that stands more than once; None where there is none."""
    return next((name for name, count in Counter(names).items() if count > 1), None)
