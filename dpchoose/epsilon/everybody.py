r"""Everybody is in the file: who reads what is published of it, and how sure she gets.

All rows are released, and of each answered value only public limits l and h are known, to
which it is cut. She may know every other record. Let t be the rates of the noise, r = h - l
and c = (l + h)/2, and by :func:`~dpchoose.sensitivity.limits.limits_sensitivity` let one
record move the answers by *change* when it is changed and by *add* when it comes or goes:

- d_v, the sum of t x change in a group: which of two records a person has.
- d_m, the sum of t x add in a group, where n is hidden: whether she is in; and the two
  largest of groups together: in which of the two she is.

A mean with n hidden is published as a centred sum S and a count C over the same rows. At the
rates t_S = L/r and t_C = L/2 both d_v and d_m are L, and neither can grow. What is published is
c + S/C, cut to the limits, if C > 0, and else c; it is off by at most
:math:`(e_S + e_C r/2)/C` where S and C are off by at most e.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Statistic, ask_beside, groups_of, pairs_of
from dpchoose.epsilon import text
from dpchoose.epsilon.inverse import Ray
from dpchoose.epsilon.readers import ROUNDED, Reader, Setting, grown
from dpchoose.risk.bounds import times
from dpchoose.sensitivity.limits import limits_sensitivity, parse_limits, refuse_query

VALUE = "asks which of two records a person has"
IN_GROUP = "asks which of two records a person has, in a known group"
MEMBER = "asks whether a person is in"
GROUP = "asks in which of two groups a person is"
SMALL = 100  # a group of fewer is called small
Limits = tuple[float, float]


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last


@dataclass(frozen=True, eq=False)
class Everybody(Setting):
    """All records of a file, and what is asked of them.

    The query of a row is "sum", "mean", "centred sum" or "count", and its values are cut to the
    limits; those of a centred sum are less the middle.

    Attributes:
        questions: what they are called.
        means: those that are computed of two rows.
        columns: the columns that are answered, with their limits.
        parts: how much of the distance of each question a row may have, (d, questions).
        moved: how far one record moves each row: when it is changed, and when it comes or
            goes, which is nan where n is public, (2, G, d).
        hidden: whether n is hidden.
    """

    questions: list[str]
    means: list[Mean]
    columns: dict[str, Limits]
    parts: np.ndarray
    moved: np.ndarray
    hidden: bool
    all_but_one = False

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of records of each group, (G,)."""
        return np.bincount(self.codes, minlength=self.shape[0])

    @property
    def telling(self) -> np.ndarray:
        """Every answer may tell something, (K,)."""
        return np.ones(len(self.scales), dtype=bool)

    @property
    def sensitivities(self) -> np.ndarray:
        """Those of which epsilon is stated: of a change where n is public, else of add, (K,)."""
        return self.moved[int(self.hidden)].ravel()

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together: a person is in one group."""
        return float(epsilons.reshape(self.shape[0], -1).sum(axis=1).max())

    def ray(self, weights: np.ndarray) -> Ray:
        """The ray on which the questions share the distance as the weights, (questions,)."""
        parts = self.parts @ np.resize(weights, len(self.questions))
        direction = np.where(self.new, (parts / np.fmax(*self.moved)).ravel(), 0)
        return Ray(np.where(self.new, 0, 1 / self.scales), direction)

    def distances(self, rates: np.ndarray) -> dict[str, float]:
        """What each reader cannot tell apart lies so far apart at most, rounded up."""
        changed, added = times(rates.reshape(self.shape), self.moved).sum(axis=2)
        found = {}
        if self.columns:
            found[IN_GROUP if self.hidden and self.names else VALUE] = float(changed.max())
        if self.hidden:
            found[MEMBER] = float(added.max())
            if len(self.names) > 1:
                found[GROUP] = float(np.partition(added, -2)[-2:].sum())
        return {reader: far * ROUNDED for reader, far in found.items()}

    def distance(self, rates: np.ndarray) -> float:
        """The largest of them."""
        return max(self.distances(rates).values())

    def readers(self, rates: np.ndarray, before: Fraction | None = None) -> list[Reader]:
        """The table at rates of shape (K,), with ``before`` for that belief as well."""
        names = self._names
        attained = len({*names}) == len(names)  # by one pair: not of two conditions on a column
        return [
            grown(reader, belief, far)._replace(exact=attained)
            for reader, far in self.distances(rates).items()
            for belief in (Fraction(1, 2), before)
            if belief is not None
        ]

    @property
    def _names(self) -> list[str]:
        """Of which column each question is, without a share's value."""
        return [name.partition("=")[0] for name in self.columns]

    @cached_property
    def sums(self) -> np.ndarray:
        """The sums of the values of each group, (d, G)."""
        return np.array([np.bincount(self.codes, one.values, self.shape[0]) for one in self.rows])

    def answers(self) -> np.ndarray:
        """The exact answers, (K,); nan of a centred sum."""
        over = {"mean": self.sizes, "centred sum": math.nan}
        pairs = zip(self.sums, self.rows)
        return np.array([sums / over.get(row.query, 1) for sums, row in pairs]).T.ravel()

    def derived(self, rates: np.ndarray) -> list[tuple[str, float, float]]:
        """Each mean that two rows make: its label, the exact one, and its 95 % error as planned.

        The error is that against the mean of the cut values. It tells of n and of the mean, so it
        is for the private screen, to one digit; nan for a group of nobody.
        """
        scales, found = 1 / np.maximum(rates, 1e-100).reshape(self.shape), []
        for mean in self.means:
            with np.errstate(invalid="ignore"):
                off = self.sums[mean.row] / self.sizes
            of_two = scales[:, mean.row], scales[:, -1]
            errors = planned_error(self.sizes, off, mean.limits, *of_two)
            found.append(zip(off + sum(mean.limits) / 2, map(text.one_digit, errors)))
        labels = self.in_groups([mean.label for mean in self.means])
        pairs = (one for group in zip(*found) for one in group)
        return [(label, *one) for label, one in zip(labels, pairs)]

    def question(self) -> dict[str, Any]:
        """What is asked, for whoever finds the answer."""
        return self.told(
            self.questions,
            situation="everybody is in the file",
            records=None if self.hidden else self.records,
            hide_n=self.hidden,
            limits={name: list(pair) for name, pair in self.columns.items()},
        )

    @property
    def about(self) -> str:
        """Of what a reader may get how sure."""
        names = list(dict.fromkeys(self._names))
        values = f"one person's {' and '.join(names) or 'value'}" * bool(names)
        being = "whether one person is in" + " and in which group" * bool(self.names)
        return ", or ".join(filter(None, [values, being * self.hidden]))

    def sentences(self, _: list[Reader], asked: str, how: str) -> list[str]:
        """What may be published, for whom that promises something, and what it does not."""
        whole = "all records" if self.hidden else f"all {self.records:,} records"
        rest, of, never = "the rest", "her record", "the exact answer"
        being = (
            "That she is in the file is not protected (for that: hide n), nor is "
            f"{'her group, ' if self.names else ''}whether she meets a condition, or which of her "
            "values are missing."
        )
        if self.hidden:
            rest, of = "the rest, their number included,", "whether she is in and of her record"
            never = "n, the size of a group, the exact answer"
            being = (
                "To be in is to be in the rows that are counted: what a condition or a missing "
                "value tells of her is protected with it."
            )
        if self.means:
            being += (
                " A mean is the noisy centred sum over the noisy count, plus the middle of the "
                "limits."
            )
        cut = text.cuts(self.columns)
        void = " Limits that were chosen by looking at this file make the promise void."
        return [
            f"{asked} of {whole}{f', {cut},' * bool(cut)} {how}.",
            f"This holds for whoever knows the others, all or some, and holds {rest} independent "
            f"of {of}; for k people who stand or fall together the factor is its k-th power at "
            "most.",
            being,
            f"Scale, epsilon and factor may be published with the answers; never {never}, how "
            f"many values the limits cut, or an error in per cent.{void * bool(cut)}",
        ]

    def advice(self, factor: float, _: bool) -> list[str]:
        """What makes errors smaller, from limits and factor alone, and what that costs."""
        said = ["Half the limits, half the error; k answers together, k times the error of one."]
        if 1 < factor < 1e3:
            square = text.factor(factor * factor)
            said.append(f"Half of every error also comes with a weaker promise: factor {square}.")
        if self.names:
            said.append(
                "Two groups of a size merged, half the error. What holds of all groups together is "
                "no further answer: add their noisy sums, weight their noisy means by size."
            )
        if self.hidden:
            said.append("A public n makes errors smaller, and no longer protects being in.")
        elif self.names and self.sizes.min() < SMALL:
            said.append(
                "To be in a small group may itself tell: hide n, with at least twice the error."
            )
        return said


def everybody(
    query: Any,
    data: Any,
    limits: Any,
    *,
    hide_n: bool = False,
    groups: Any = None,
    by: Any = None,
    already: Any = None,
) -> Everybody:
    """The question that is asked of everybody in a file; the arguments are of ``recommend``."""
    asked, pairs = refuse_question(query, hide_n=hide_n, groups=groups, by=by, already=already)
    out = [(_plain(one, data), scale) for one, scale in pairs]
    every, scales = ask_beside(asked, data, out)
    codes, names = groups_of(by, data, every.records, groups)
    sizes = np.bincount(codes, minlength=max(len(names), 1)).tolist()
    columns = _limits_of(every.statistics, limits)
    found: list[tuple] = []  # rows, with their part, move and scale
    means: list[Mean] = []

    def add(kind: str, one: Statistic, part: np.ndarray, scale: float) -> None:
        pair = columns.get(one.column)
        values = np.ones(every.records) if kind == "count" else np.clip(one.values, *pair)
        if kind == "centred sum":
            one, values = one._replace(label=f"{kind}:{one.column}"), values - sum(pair) / 2
        moved = np.array([limits_sensitivity(kind, pair, None if hide_n else n) for n in sizes])
        found.append((one._replace(query=kind, values=values), part, moved.T, scale))

    of_count = np.zeros(len(asked))
    kinds = map(_kind, [*asked, *(one for one, _ in pairs)])
    parts = np.eye(len(scales), len(asked))  # what is out takes no part
    for one, kind, part, scale in zip(every.statistics, kinds, parts, scales.tolist()):
        kind = "mean" if kind == "share" else kind
        if math.isnan(scale) and kind == "count":
            of_count += part
            continue
        if math.isnan(scale) and hide_n and kind == "mean":
            of_count += part / 2
            means.append(Mean(one.label, columns[one.column], len(found)))
            kind = "centred sum"
        add(kind, one, part, scale)
    if of_count.any():
        add("count", Statistic("count", "count", np.zeros(0)), of_count, math.nan)
    rows, parts, moved, scales = zip(*found)
    known = rows, np.tile(scales, len(sizes)), codes, tuple(names)
    questions = [one.label for one in every.statistics[: len(asked)]]
    moved = np.stack(moved, axis=2)
    return Everybody(*known, questions, means, columns, np.array(parts), moved, hide_n)


def refuse_question(
    query: Any, *, hide_n: Any, groups: Any, by: Any, already: Any
) -> tuple[list[Any], list[Any]]:
    """What is asked and what is out, as lists; refused where no file could make it right."""
    if not isinstance(hide_n, bool):
        raise TypeError(f"hide_n must be True or False, got {checks.short(hide_n)}")
    if hide_n and by is not None and groups is None:
        raise ValueError("groups must list the groups where n is hidden, got none: a public list")
    if groups is not None and (by is None or not hide_n):
        raise ValueError(f"groups must come with by and hide_n, got {checks.short(groups)}")
    pairs = pairs_of(already)
    asked = query if isinstance(query, list) else [query]
    for one in asked:
        refuse_query(_kind(one), hidden=hide_n)
    for one, _ in pairs:
        refuse_query(_kind(one), hidden=hide_n, inside=hide_n)
    return asked, pairs


def _kind(one: Any) -> Any:
    """The query of what is asked of a column, or of an array."""
    return one[0] if isinstance(one, tuple) and one else one


def _plain(one: Any, data: Any) -> Any:
    """What is out, in words that every dataset knows."""
    if _kind(one) != "centred sum":
        return one
    if not isinstance(one, tuple):
        return "sum"
    whether = "=" in str(one[1]) and one[1] not in data.columns  # "COLUMN=VALUE" of a share
    return ("share" if whether else "sum", *one[1:])


def _limits_of(statistics: Sequence[Statistic], limits: Any) -> dict[str, Limits]:
    """The limits of each column that is answered: as given, or 0 to 1 where it holds no other."""
    columns = {one.column: one for one in statistics if one.label != "count"}
    given = limits if isinstance(limits, dict) else dict.fromkeys(columns, limits)
    if other := [name for name in given if name not in columns]:
        raise ValueError(f"limits must be of columns that are asked for, got {other[0]!r}")
    found = {}
    for name, one in columns.items():
        share = one.label.startswith("share:")
        called = f"limits of {name}" if name else "limits"
        if name in given and not (share and not isinstance(limits, dict)):
            found[name] = parse_limits(given[name], called)
            if share and found[name] != (0, 1):
                raise ValueError(f"{called} must be (0, 1), as of every share, got {given[name]}")
        elif share or np.isin(one.values, (0, 1)).all():
            found[name] = (0.0, 1.0)
        else:
            raise ValueError(
                f"{called} must be given, as {name or 'value'}=0:60: public numbers, fixed "
                "without looking at the file"
            )
    return found


def planned_error(size: Any, off: Any, limits: Limits, of_sum: Any, of_count: Any) -> np.ndarray:
    r"""The error that c + S/C exceeds 5 times in 100, S and C with Laplace noise, at most.

    .. math:: P(|e| > x) \le T(xn; b_S, |m-c+x| b_C) + T(xn; b_S, |m-c-x| b_C),

    T the chance that one Laplace noise exceeds another of the second scale by z. Where C < 0
    one of the two is so whatever S is. n is ``size``, m - c is ``off``, the exact mean of the cut
    values less the middle of the limits, and of_sum and of_count are the scales b_S and b_C.

    >>> scales = 30 / math.log(3), 2 / math.log(3)
    >>> round(float(planned_error(5000, -12.2, (0, 30), *scales)), 3)
    0.02
    """
    size, off, of_sum, of_count = np.broadcast_arrays(size, off, of_sum, of_count)
    low, high = np.zeros(size.shape), np.full(size.shape, limits[1] - limits[0])
    for _ in range(50):
        x = (low + high) / 2
        over = _exceeds(x * size, of_sum, abs(off + x) * of_count)
        over = over + _exceeds(x * size, of_sum, abs(off - x) * of_count) > 0.05
        low, high = np.where(over, x, low), np.where(over, high, x)
    return np.where(size > 0, high, math.nan)


def _exceeds(z: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """T(z; a, b): how often Laplace noise of scale a exceeds another of scale b by z."""
    near = abs(a - b) < 1e-6 * a
    b = np.where(near, 2 * a, np.maximum(b, 1e-9 * a))
    apart = (a * a * np.exp(-z / a) - b * b * np.exp(-z / b)) / (2 * (a * a - b * b))
    return np.where(near, (2 + z / a) * np.exp(-z / a) / 4, apart)
