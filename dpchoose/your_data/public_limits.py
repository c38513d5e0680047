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
(:mod:`dpchoose.your_data.quantiles`), and its rate is one over its scale in records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk.bounds import times
from dpchoose.your_data import noise, quantiles, shares
from dpchoose.your_data.formats import rounded_to_one_digit
from dpchoose.your_data.groups import groups_of
from dpchoose.your_data.noise import Noise, planned_error
from dpchoose.your_data.question import ROUNDED_UP, Derived, Question, Reader, in_groups, reader_at
from dpchoose.your_data.rows import (
    Limits,
    Mean,
    Row,
    condition_of,
    length_of,
    moves_of,
    parse_row,
    plain_column,
    refuse_extra,
    refuse_narrow,
    refuse_question,
    refuse_repeats,
    refuse_several_shares,
    refuse_unasked,
)


@dataclass(frozen=True, eq=False)
class PublicLimits(Question):
    """All records of a file, and what is asked of them.

    Attributes:
        answer_rows: the rows.
        sizes: the number of records of each group, (G,); public only where n is.
        codes: the group of each record, (N,); None where there is no file.
        group_names: of the groups; empty without groups.
        asked: the labels of the questions.
        means: those that are computed of two rows.
        columns: the columns that are answered, with their limits.
        loss_shares: the share of each question's loss that a row may have, (d, questions).
        change: how far a person moves each row whose records are changed, (G, d).
        add: how far when they come or go, (G, d); nan where n is public.
        hidden: whether n is hidden.
        person_rows: K, how many rows a person has at most.
        whole: the columns whose values are publicly whole numbers.
        expected: a public guess of n, for the errors of means with n hidden; or None.
    """

    answer_rows: tuple[Row, ...]
    sizes: np.ndarray
    codes: np.ndarray | None
    group_names: tuple[Any, ...]
    asked: list[str]
    means: list[Mean]
    columns: dict[str, Limits]
    loss_shares: np.ndarray
    change: np.ndarray
    add: np.ndarray
    hidden: bool
    person_rows: int
    whole: tuple[str, ...]
    expected: int | None
    one_is_missing = False

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.answer_rows

    @property
    def questions(self) -> list[str]:
        return self.asked

    @property
    def groups(self) -> tuple[Any, ...]:
        return self.group_names

    @property
    def labels(self) -> list[str]:
        return in_groups(self.groups, [row.label for row in self.rows])

    @property
    def records(self) -> int:
        return int(self.sizes.sum())

    @property
    def informative(self) -> np.ndarray:
        """All: every answer may tell something."""
        return np.ones(self.change.size, dtype=bool)

    @property
    def sensitivities(self) -> np.ndarray:
        """Of a change where n is public, else of records that come or go."""
        return (self.add if self.hidden else self.change).ravel()

    def noise_of(self, index: int, scale: float) -> Noise:
        """The law of the noise of an answer."""
        row = self.rows[index % len(self.rows)]
        if row.grid is not None:
            return noise.Drawn(scale, row.grid.size)
        return noise.Whole(scale, self.steps(row)) if self.steps(row) else noise.Continuous(scale)

    def steps(self, row: Row) -> int:
        """How many whole steps a unit of the answer has; 0 where the noise is continuous."""
        if row.query == "count":
            return 1
        if not row.whole or row.query not in ("sum", "centred sum"):
            return 0
        return 1 if row.query == "sum" or sum(row.limits) % 2 == 0 else 2

    def total(self, epsilons: np.ndarray) -> float:
        """That of a person who is changed where n is public, else who comes or goes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = np.where(epsilons == 0, 0, epsilons / self.sensitivities)
        shaped = rates.reshape(self.change.shape)
        if self.hidden:
            return float(times(shaped, self.add).sum(axis=1).max())
        return float(self._losses_of_change(shaped).max())

    def ray(self, weights: np.ndarray) -> np.ndarray:
        losses = self.loss_shares @ np.resize(weights, len(self.questions))
        return (losses / np.fmax(self.change, self.add)).ravel()

    @cached_property
    def histograms(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The rows that are shares of one column, and the classes of its values, for each."""
        by_column: dict[str, list[int]] = {}
        for index, row in enumerate(self.rows):
            if row.query == "share":
                column = shares.parse_condition(row.column).column
                by_column.setdefault(column, []).append(index)
        return [
            (
                np.array(indices),
                shares.patterns([condition_of(self.rows[index].column) for index in indices]),
            )
            for indices in by_column.values()
            if len(indices) > 1
        ]

    def _losses_of_change(self, rates: np.ndarray) -> np.ndarray:
        """The privacy loss of a person who is changed, in each group, of rates (G, d)."""
        losses = times(rates, self.change)
        joint = np.zeros(len(losses))
        for indices, classes in self.histograms:
            joint += [shares.histogram_loss(row, classes) for row in losses[:, indices]]
            losses[:, indices] = 0
        return losses.sum(axis=1) + joint

    def losses(self, rates: np.ndarray) -> dict[str, float]:
        """The largest privacy loss between what each reader compares, rounded up."""
        shaped = rates.reshape(self.change.shape)
        losses = {}
        if self.columns:
            key = "value in group" if self.hidden and self.groups else "value"
            losses[key] = self._losses_of_change(shaped).max()
        if self.hidden:
            of_add = times(shaped, self.add).sum(axis=1)
            losses["member"] = of_add.max()
            if len(self.groups) > 1:
                losses["group"] = np.partition(of_add, -2)[-2:].sum()
        return {reader: float(loss) * ROUNDED_UP for reader, loss in losses.items()}

    def distance(self, rates: np.ndarray) -> float:
        return max(self.losses(rates).values())

    def readers(
        self, rates: np.ndarray, before: Fraction | None = None, already: float = 1.0
    ) -> list[Reader]:
        names = [condition_of(row.column).column if row.query == "share" else row.column
                 for row in self.rows if row.query != "count"]  # fmt: skip
        attained = already == 1 and self.person_rows == 1 and len({*names}) == len(names)
        attained = attained and all(row.grid is None for row in self.rows)
        return [
            reader_at(reader, belief, loss, already=already)._replace(exact=attained)
            for reader, loss in self.losses(rates).items()
            for belief in (Fraction(1, 2), before)
            if belief is not None
        ]

    @property
    def column_names(self) -> list[str]:
        """The column of each question, without a share's condition."""
        return list(dict.fromkeys(plain_column(name) for name in self.columns))

    @cached_property
    def sums(self) -> np.ndarray:
        """The sums of the values of each group, (d, G); nan of percentiles."""
        groups = len(self.change)
        return np.array(
            [
                np.full(groups, math.nan)
                if row.grid is not None
                else np.bincount(self.codes, row.values, groups)
                for row in self.rows
            ]
        )

    def counts(self, row: Row, group: int) -> np.ndarray:
        """How many values of a group lie at each candidate of a percentile."""
        return np.bincount(row.grid.index(row.values[self.codes == group]), minlength=row.grid.size)

    def answers(self) -> np.ndarray:
        """The exact answers; nan of a centred sum, and where there is no file."""
        if self.codes is None:
            return np.full(self.change.size, math.nan)
        divisors = {"mean": self.sizes, "share": self.sizes, "centred sum": math.nan}
        with np.errstate(invalid="ignore", divide="ignore"):
            table = [sums / divisors.get(row.query, 1) for sums, row in zip(self.sums, self.rows)]
        for index, row in enumerate(self.rows):
            if row.grid is not None:
                table[index] = np.array(
                    [
                        quantiles.percentile_of(self.counts(row, group), row.rank, row.grid)
                        for group in range(len(self.change))
                    ]
                )
        return np.array(table).T.ravel()

    def unit_errors(self, scales: np.ndarray) -> list[float | None]:
        """The 95 % errors of drawn percentiles in their unit; None of other answers."""
        errors: list[float | None] = []
        for index, scale in enumerate(scales.tolist()):
            group, column = divmod(index, len(self.rows))
            row = self.rows[column]
            if row.grid is None or self.codes is None or not scale > 0:
                errors.append(None)
            else:
                counts = self.counts(row, group)
                errors.append(quantiles.unit_error(counts, row.rank, row.grid, scale))
        return errors

    def expected_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The errors of the means that two rows make, if there are ``expected`` rows or more."""
        if self.expected is None:
            return [None] * (len(self.means) * len(self.change))
        beyond, errors = (1 - inside) / 2, []
        for group in range(len(self.change)):
            start = group * len(self.rows)
            last = len(self.rows) - 1
            count = self.noise_of(last, scales[start + last]).error(1 - beyond)
            for mean in self.means:
                wide = mean.limits[1] - mean.limits[0]
                total = self.noise_of(mean.row, scales[start + mean.row]).error(1 - beyond)
                errors.append(min((total + wide / 2 * count) / self.expected, wide))
        return errors

    def derived(self, rates: np.ndarray) -> list[Derived]:
        """The means that two rows make, with the error against the mean of the cut values.

        It is planned of n and of the exact mean; nan for a group of nobody and without a file.
        """
        scales = 1 / np.maximum(rates, 1e-100).reshape(self.change.shape)
        columns = []
        for mean in self.means:
            if self.codes is None:
                columns.append([(math.nan, math.nan)] * len(self.sizes))
                continue
            with np.errstate(invalid="ignore"):
                offsets = self.sums[mean.row] / self.sizes
            of_two = scales[:, mean.row], scales[:, -1]
            errors = planned_error(self.sizes, offsets, mean.limits, *of_two)
            answers = offsets + sum(mean.limits) / 2
            columns.append([*zip(answers, map(rounded_to_one_digit, errors))])
        labels = in_groups(self.groups, [mean.label for mean in self.means])
        rows = (row for group in zip(*columns) for row in group)
        return [Derived(label, *row) for label, row in zip(labels, rows)]

    def exact(self, index: int) -> None:
        """None: an answer to which limits apply always gets noise."""

    def facts(self) -> dict[str, Any]:
        return {
            "statistics": self.questions,
            "by": [str(group) for group in self.groups] or None,
            "situation": "everybody",
            "records": None if self.hidden else self.records,
            "hide_n": self.hidden,
            "limits": {name: list(pair) for name, pair in self.columns.items()},
            "rows": self.person_rows,
            "whole": list(self.whole) or None,
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
    queries = refuse_question(query, hide_n=hide_n, groups=groups, by=by)
    person_rows = checks.integer("rows", rows, 1)
    expected = None if expect_n is None else checks.integer("expect_n", expect_n, 1)
    if expected is not None and not hide_n:
        raise ValueError(f"expect_n must come with hide_n, got n public and expect_n {expect_n}")
    if isinstance(data, (int, np.integer)) and not isinstance(data, bool):
        records = checks.integer("records", data, 1)
        if by is not None and not hide_n:
            raise ValueError("by needs the file where n is public: the sizes of groups are in it")
        codes, names = None, list(groups or ())
        sizes = np.full(max(len(names), 1), records)
        data = None
    else:
        records = length_of(data)
        codes, names = groups_of(by, data, records, groups)
        sizes = np.bincount(codes, minlength=max(len(names), 1))
    parsed = [parse_row(entry, data, limits, unit, whole) for entry in queries]
    refuse_repeats(parsed)
    columns = {row.column: row.limits for row in parsed if row.query != "count"}
    refuse_extra(limits, columns)
    for name, value in (("whole", whole), ("unit", unit)):
        refuse_unasked(name, value, columns)
    refuse_several_shares(parsed, hidden=hide_n)
    answer_rows: list[Row] = []
    loss_shares: list[np.ndarray] = []
    means: list[Mean] = []
    count_shares = np.zeros(len(parsed))
    for row, share in zip(parsed, np.eye(len(parsed))):
        if row.query == "count":
            count_shares += share
            continue
        if row.query in ("mean", "share") and hide_n:
            count_shares += share / 2
            means.append(Mean(row.label, row.limits, len(answer_rows)))
            values = None if row.values is None else row.values - sum(row.limits) / 2
            label = f"centred sum:{row.column}"
            row = row._replace(label=label, query="centred sum", values=values)
        answer_rows.append(row)
        loss_shares.append(share)
    if count_shares.any():
        values = None if codes is None else np.ones(records)
        answer_rows.append(Row("count", "count", "", values=values))
        loss_shares.append(count_shares)
    for row in answer_rows:
        refuse_narrow(row, None if hide_n else int(sizes.max()))
        if row.grid is not None and not hide_n and not sizes.all():
            raise ValueError(f"{row.label} needs a value in each group where n is public")
    pairs = np.array(
        [
            [moves_of(row, None if hide_n else size) for row in answer_rows]
            for size in (sizes.tolist() if not hide_n else [1] * len(sizes))
        ]
    )
    question = PublicLimits(
        answer_rows=tuple(answer_rows),
        sizes=sizes,
        codes=codes,
        group_names=tuple(names),
        asked=[row.label for row in parsed],
        means=means,
        columns=columns,
        loss_shares=np.array(loss_shares),
        change=person_rows * pairs[:, :, 0],
        add=person_rows * pairs[:, :, 1],
        hidden=hide_n,
        person_rows=person_rows,
        whole=tuple(sorted({row.column for row in parsed if row.whole})),
        expected=expected,
    )
    _refuse_equal_labels(question)
    return question


def _refuse_equal_labels(question: PublicLimits) -> None:
    """Refuse names of columns and groups that give two answers one label."""
    labels = question.labels + in_groups(question.groups, [mean.label for mean in question.means])
    if len({*labels}) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        rule = "each answer must have a label of its own"
        raise ValueError(f"{rule}, got {twice!r} twice: rename a column or a group")
