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

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks, numbers
from dpchoose.checks import require
from dpchoose.risk.bounds import times
from dpchoose.sensitivity.limits import margin_of_floats
from dpchoose.your_data import noise, shares
from dpchoose.your_data.groups import groups_of
from dpchoose.your_data.noise import Noise
from dpchoose.your_data.question import ROUNDED_UP, Answer, Question, Reader, in_groups, reader_at
from dpchoose.your_data.row import COUNT, Limits, Row, parse_row

NARROW = 2.0**-50  # the range of limits beside their size below which floats cannot add exactly
OF_COUNT = {"count": 1, "mean": 1 / 2, "share": 1 / 2}  # its part of a loss where n is hidden
TOO_NARROW = "must not be so narrow beside their size that floats cannot add them up"
LIST_GROUPS = ": where n is hidden a public list, on the command line --group A --group B"
SIZES_IN_IT = " records: the sizes of groups are in it"


class Beside(NamedTuple):
    """What may be said beside limits: the arguments of ``recommend``, with their defaults."""

    hide_n: bool = False
    groups: Any = None
    by: Any = None
    rows: int = 1
    unit: Any = None
    whole: Any = ()
    expect_n: int | None = None


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last
    asked: Row


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

    def __post_init__(self) -> None:
        """Refuse what cannot be asked together."""
        _once(self.questions, "query must name each statistic once")
        if self.hidden:
            sources = [row.source for row in self.asked if row.query == "share"]
            rule = "query must ask one share of a column where n is hidden"
            _once(sources, rule, ": ask counts by it (count, by COLUMN)")
        most = 2**20 if self.hidden else int(self.sizes.max())
        for row in self.of_values:
            low, high = row.limits
            fits = row.grid is not None or high - low >= most * NARROW * max(abs(low), abs(high))
            rule = f"limits of {row.column or 'data'} {TOO_NARROW}"
            require(fits, rule, row.limits, hint=": count from another origin")
        means = in_groups(self.groups, [mean.label for mean in self.means])
        rule = "each answer must have a label of its own"
        _once(self.labels + means, rule, ": rename a column or a group")

    @property
    def questions(self) -> list[str]:
        return [row.label for row in self.asked]

    @cached_property
    def means(self) -> list[Mean]:
        """The means that are computed of two rows."""
        rows = enumerate(row for row in self.asked if row.query != "count")
        of_two = [(row, place) for place, row in rows if self.hidden and row.query in OF_COUNT]
        return [Mean(row.label, row.limits, place, row) for row, place in of_two]

    @cached_property
    def of_values(self) -> list[Row]:
        """The answers that get noise but the count: of a mean with n hidden a centred sum."""
        rows = [row for row in self.asked if row.query != "count"]
        for mean in self.means:
            rows[mean.row] = mean.asked.centred()
        return rows

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The answers that get noise; the count is last."""
        counted = self.means or len(self.of_values) < len(self.asked)
        return (*self.of_values, *[COUNT] * bool(counted))

    @cached_property
    def moves(self) -> np.ndarray:
        """How far a person moves each row in each group, (2, G, d): *change* and *add*.

        They are of records that are changed and of those that come or go; nan where n is public.
        """
        sizes = [None if self.hidden else size for size in self.sizes.tolist()]
        moves = np.array([[row.moves(size) for row in self.rows] for size in sizes])
        return self.person_rows * np.moveaxis(moves, -1, 0)

    @property
    def records(self) -> int:
        return int(self.sizes.sum())

    @property
    def columns(self) -> dict[str, Limits]:
        """The columns whose values are cut, with their limits; a share is of what is not cut."""
        asked = [row for row in self.asked if row.query not in ("count", "share")]
        return {row.column: row.limits for row in asked}

    @property
    def column_names(self) -> list[str]:
        """The column of each question, without a share's condition."""
        return list(dict.fromkeys(row.source for row in self.of_values))

    @property
    def sensitivities(self) -> np.ndarray:
        """Of a change where n is public, else of records that come or go."""
        change, add = self.moves
        return (add if self.hidden else change).ravel()

    @property
    def informative(self) -> np.ndarray:
        """All: every answer may tell something."""
        return np.ones(len(self.labels), dtype=bool)

    def noise_of(self, index: int, scale: float) -> Noise:
        group, row = divmod(index, len(self.rows))
        return self.rows[row].noise(scale, None if self.hidden else int(self.sizes[group]))

    def ray(self, weights: np.ndarray) -> np.ndarray:
        weights = np.resize(weights, len(self.asked))
        losses = [weight for row, weight in zip(self.asked, weights) if row.query != "count"]
        if len(losses) < len(self.rows):
            losses.append(weights @ [OF_COUNT.get(row.query, 0) for row in self.asked])
        return (losses / np.fmax(*self.moves)).ravel()

    @cached_property
    def histograms(self) -> list[tuple[list[int], np.ndarray]]:
        """For each column the rows that are shares of it, and the classes of its values."""
        places: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            if row.query == "share":
                places.setdefault(row.source, []).append(place)
        columns = [[self.rows[index].column for index in indices] for indices in places.values()]
        return [*zip(places.values(), map(shares.patterns, columns))]

    def losses(self, rates: np.ndarray) -> dict[str, float]:
        """The largest privacy loss between what each reader compares."""
        (change, add), losses = self.moves, {}
        rates = rates.reshape(change.shape)
        if self.of_values:
            of_change = times(rates, change)
            for indices, classes in self.histograms:
                joint = [shares.histogram_loss(row, classes) for row in of_change[:, indices]]
                of_change[:, indices] = 0
                of_change[:, indices[0]] = joint
            key = "value in group" if self.hidden and self.groups else "value"
            losses[key] = of_change.sum(axis=1).max()
        if self.hidden:
            of_add = np.sort(times(rates, add).sum(axis=1))
            losses["member"] = of_add[-1]
            if len(self.groups) > 1:
                losses["group"] = of_add[-2:].sum()
        return {reader: float(loss) for reader, loss in losses.items()}

    @cached_property
    def rounded_up(self) -> float:
        """What a loss is multiplied by, for rounding: of losses, and of answers that are floats."""
        return ROUNDED_UP + (0.0 if self.hidden else margin_of_floats(int(self.sizes.max())))

    def distance(self, rates: np.ndarray) -> float:
        return max(self.losses(rates).values()) * self.rounded_up

    def total(self, epsilons: np.ndarray) -> float:
        """That of a person who is changed where n is public, else who comes or goes."""
        losses = self.losses(epsilons / self.sensitivities)
        return losses["member" if self.hidden else "value"]

    def readers(
        self, rates: np.ndarray, before: Fraction | None = None, already: float = 1.0
    ) -> list[Reader]:
        plain = len(self.column_names) == len(self.of_values) and not any(
            row.grid for row in self.rows
        )
        attained = already == 1 and self.person_rows == 1 and plain
        beliefs = [belief for belief in (Fraction(1, 2), before) if belief is not None]
        rows = [
            reader_at(reader, belief, loss * self.rounded_up, already=already)
            for (reader, loss), belief in itertools.product(self.losses(rates).items(), beliefs)
        ]
        return [row._replace(exact=attained) for row in rows]

    @cached_property
    def members(self) -> list[np.ndarray | None]:
        """The places of the records of each group; None where there is no file."""
        if self.codes is None:
            return [None] * len(self.sizes)
        return np.split(np.argsort(self.codes, kind="stable"), np.cumsum(self.sizes)[:-1])

    def answers(self) -> np.ndarray:
        return np.array([row.answer(group) for group in self.members for row in self.rows])

    def unit_errors(self, scales: np.ndarray) -> list[float | None]:
        cells = itertools.product(self.members, self.rows)
        return [row.unit_error(group, scale) for (group, row), scale in zip(cells, scales)]

    def expected_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The errors of the means that two rows make, if there are ``expected`` rows or more."""
        if self.expected is None:
            return [None] * (len(self.means) * len(self.sizes))
        each = 1 - (1 - inside) / 2  # of the two rows
        laws = [self.noise_of(index, scale) for index, scale in enumerate(scales.tolist())]
        errors = np.reshape([law.error(each) for law in laws], (len(self.sizes), -1))
        wide = np.array([mean.limits[1] - mean.limits[0] for mean in self.means])
        of_two = errors[:, [mean.row for mean in self.means]] + wide / 2 * errors[:, -1:]
        return np.minimum(of_two / self.expected, wide).ravel().tolist()

    def derived(self, rates: np.ndarray) -> list[Answer]:
        """The means that two rows make, with the error against the mean of the cut values.

        It is planned of n and of the exact mean; nan for a group of nobody and without a file.
        """
        means, sizes = self.means, self.sizes[:, None]
        answers = np.array([[mean.asked.answer(group) for mean in means] for group in self.members])
        scales = 1 / np.maximum(rates, 1e-100).reshape(len(sizes), -1)
        of_two = scales[:, [mean.row for mean in means]], scales[:, -1:]
        low, high = np.reshape([mean.limits for mean in means], (-1, 2)).T
        errors = noise.planned_error(sizes, answers - (low + high) / 2, (low, high), *of_two)
        labels = in_groups(self.groups, [mean.label for mean in means])
        planned = zip(labels, answers.ravel().tolist(), errors.ravel().tolist())
        return [
            Answer(label, answer=answer, error=numbers.rounded_up_to(error, 1))
            for label, answer, error in planned
        ]

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


def public_limits(query: Any, data: Any, limits: Any, beside: Beside) -> PublicLimits:
    """The question that is asked of everybody in a file; the arguments are of ``recommend``."""
    hide_n, groups, by, rows, unit, whole, expect_n = beside
    require(isinstance(hide_n, bool), "hide_n must be True or False", hide_n, TypeError)
    if by is None or not hide_n:
        require(groups is None, "groups must come with by and hide_n", groups)
    else:
        listed = list(groups) if isinstance(groups, (list, tuple)) else []
        each_once = 0 < len(listed) == len({*listed})
        require(each_once, "groups must list the groups, each once", groups, hint=LIST_GROUPS)
    person_rows = checks.integer("rows", rows, 1)
    expected = None if expect_n is None else checks.integer("expect_n", expect_n, 1)
    require(expected is None or hide_n, "expect_n must come with hide_n", expect_n)
    if isinstance(data, (int, np.integer)) and not isinstance(data, bool):
        require(by is None or hide_n, "by needs the file where n is public", data, hint=SIZES_IN_IT)
        codes, names = None, list(groups or ())
        sizes = np.full(max(len(names), 1), checks.integer("records", data, 1))
        data = None
    else:
        records = len(data if hasattr(data, "columns") else checks.universe(data))
        codes, names = groups_of(by, data, records, groups)
        sizes = np.bincount(codes, minlength=max(len(names), 1))
    if whole is not True:
        whole = dict.fromkeys(map(str, [whole] if isinstance(whole, str) else whole or ()))
    queries = query if isinstance(query, list) else [query]
    require(queries, "query must name at least one statistic", query)
    asked = [parse_row(entry, data, limits, unit, whole, hide_n) for entry in queries]
    columns = [row.column for row in asked if row.query not in ("count", "share")]
    for name, given in {"limits": limits, "whole": whole, "unit": unit}.items():
        for column in given if isinstance(given, dict) else ():
            rule = f"{name} must be of columns whose values are asked for"
            require(column in columns, rule, column)
    return PublicLimits(asked, sizes, codes, tuple(names), hide_n, person_rows, expected)


def _once(names: list[str], rule: str, hint: str = "") -> None:
    """Refuse names of which one stands more than once."""
    for name, count in Counter(names).items():
        require(count == 1, rule, name, hint=hint)
