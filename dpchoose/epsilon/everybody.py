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
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Asked, Statistic, ask, groups_of
from dpchoose.epsilon import text
from dpchoose.epsilon.inverse import Ray
from dpchoose.epsilon.readers import ROUNDED, Reader, grown
from dpchoose.sensitivity.limits import limits_sensitivity, parse_limits, refuse_query

VALUE = "asks which of two records a person has"
IN_GROUP = "asks which of two records a person has, in a known group"
MEMBER = "asks whether a person is in"
GROUP = "asks in which of two groups a person is"
SMALL = 100  # a group of fewer is called small
Limits = tuple[float, float]


class Noisy(NamedTuple):
    """What gets noise, in each group.

    Attributes:
        label: what it is called.
        kind: "sum", "mean", "centred sum" or "count".
        values: of the records, cut to the limits, (N,); of a centred sum less the middle.
        part: how much of the distance of each question it may have, (questions,).
        change, add: how far one record moves it in each group, (G,).
        scale: of the noise of what is out already, nan of what is new.
    """

    label: str
    kind: str
    values: np.ndarray
    part: np.ndarray
    change: np.ndarray
    add: np.ndarray
    scale: float

    @property
    def column(self) -> str:
        """Of which it is computed; "" of a count, and where there is one only."""
        return self.label.partition(":")[2]


class Mean(NamedTuple):
    """A mean with n hidden, of which a centred sum and the count get noise."""

    label: str
    limits: Limits
    row: int  # of the centred sum; that of the count is the last new one


@dataclass(frozen=True, eq=False)
class Everybody:
    """All records of a file, and what is asked of them.

    Rates, scales and sensitivities are those of group after group, in each row after row, shape
    (K,) with K = G d; without groups G is 1.

    Attributes:
        asked: the questions, as they are called.
        rows: what gets noise, what is out already last.
        means: those that are computed of two rows.
        columns: the columns that are answered, with their limits.
        codes: the group of each record, (N,).
        names: of the groups; empty without groups.
        hidden: whether n is hidden.
    """

    asked: tuple[str, ...]
    rows: tuple[Noisy, ...]
    means: tuple[Mean, ...]
    columns: dict[str, Limits]
    codes: np.ndarray
    names: tuple[Any, ...]
    hidden: bool
    all_but_one = False

    @property
    def shape(self) -> tuple[int, int]:
        """G and d."""
        return max(len(self.names), 1), len(self.rows)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of records of each group, (G,)."""
        return np.bincount(self.codes, minlength=self.shape[0])

    @cached_property
    def new(self) -> np.ndarray:
        """Which rows are to be published now, (K,)."""
        return np.tile([math.isnan(row.scale) for row in self.rows], self.shape[0])

    @property
    def telling(self) -> np.ndarray:
        """Every answer may tell something, (K,)."""
        return np.ones(len(self.new), dtype=bool)

    @property
    def labels(self) -> list[str]:
        """What each row is called."""
        return self._in_groups([row.label for row in self.rows])

    @property
    def asked_for(self) -> list[str]:
        """What the answers that are asked for are called."""
        return self._in_groups(list(self.asked))

    def _in_groups(self, called: list[str]) -> list[str]:
        """The names of some answers, of group after group."""
        return [f"{label}, {name}" for name in self.names for label in called] or called

    @cached_property
    def moved(self) -> np.ndarray:
        """How far one record moves each row: when it is changed, and when it comes, (2, G, d)."""
        pairs = [
            (row.change, row.change if np.isnan(row.add).all() else row.add) for row in self.rows
        ]
        return np.array(pairs).transpose(1, 2, 0)

    @property
    def sensitivities(self) -> np.ndarray:
        """Those of which epsilon is stated: of a change where n is public, else of add, (K,)."""
        return self.moved[int(self.hidden)].ravel()

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together: a person is in one group."""
        return float(epsilons.reshape(self.shape[0], -1).sum(axis=1).max())

    def ray(self, weights: np.ndarray) -> Ray:
        """The ray on which the questions share the distance as the weights, (questions,)."""
        scales = np.tile([row.scale for row in self.rows], self.shape[0])
        parts = np.array([np.resize(weights, len(row.part)) @ row.part for row in self.rows])
        direction = np.where(self.new, (parts / self.moved.max(axis=0)).ravel(), 0)
        return Ray(np.where(self.new, 0, 1 / scales), direction)

    def distances(self, rates: np.ndarray) -> dict[str, float]:
        """What each reader cannot tell apart lies so far apart at most, rounded up."""
        with np.errstate(invalid="ignore"):
            moves = np.where(self.moved > 0, rates.reshape(self.shape) * self.moved, 0)
        changed, added = moves.sum(axis=2)
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
        rows = []
        for reader, far in self.distances(rates).items():
            for belief in (Fraction(1, 2), before):
                if belief is not None:
                    row = grown(reader, belief, far)
                    rows.append(row._replace(exact=self._attained))
        return rows

    @property
    def _attained(self) -> bool:
        """Whether one pair of lists attains all answers: not for two conditions on a column."""
        columns = [name.partition("=")[0] for name in self.columns]
        return len({*columns}) == len(columns)

    def answers(self) -> np.ndarray:
        """The exact answers, (K,); nan of a centred sum, and of a mean of no record."""
        columns = []
        for row in self.rows:
            sums = np.bincount(self.codes, weights=row.values, minlength=self.shape[0])
            if row.kind == "centred sum":
                sums = np.full(self.shape[0], math.nan)
            columns.append(sums / self.sizes if row.kind == "mean" else sums)
        return np.stack(columns, axis=1).ravel()

    def exact(self, _: int) -> None:
        """No answer is published without noise."""

    def derived(self, rates: np.ndarray) -> list[tuple[str, float, float]]:
        """Each mean that two rows make: its label, the exact one, and its 95 % error as planned.

        The error is that against the mean of the cut values. It tells of n and of the mean, so it
        is for the private screen, to one digit; nan for a group of nobody.
        """
        if not self.means:
            return []
        scales, found = 1 / np.maximum(rates, 1e-100).reshape(self.shape), []
        count = [row.kind == "count" and math.isnan(row.scale) for row in self.rows].index(True)
        for mean in self.means:
            sums = np.bincount(self.codes, self.rows[mean.row].values, self.shape[0])
            with np.errstate(invalid="ignore"):
                off = sums / self.sizes
            of_two = scales[:, mean.row], scales[:, count]
            errors = planned_error(self.sizes, off, mean.limits, *of_two)
            found.append(zip((off + sum(mean.limits) / 2).tolist(), errors.tolist()))
        answers = [one for group in zip(*found) for one in group]
        labels = self._in_groups([mean.label for mean in self.means])
        return [(label, answer, text.one_digit(e)) for label, (answer, e) in zip(labels, answers)]

    def question(self) -> dict[str, Any]:
        """What is asked, for whoever finds the answer."""
        out = [[row.label, row.scale] for row in self.rows if not math.isnan(row.scale)]
        return {
            "statistics": list(self.asked),
            "by": [str(name) for name in self.names] or None,
            "situation": "everybody is in the file",
            "records": None if self.hidden else len(self.codes),
            "hide_n": self.hidden,
            "limits": {name: list(pair) for name, pair in self.columns.items()},
            "already": out,
            "version": f"dpchoose {metadata.version('dpchoose')}",
        }

    @property
    def about(self) -> str:
        """Of what a reader may get how sure."""
        names = list(dict.fromkeys(name.partition("=")[0] for name in self.columns))
        values = f"one person's {' and '.join(names) or 'value'}"
        being = "whether one person is in" if self.hidden else ""
        if self.hidden and self.names:
            being += " and in which group"
        return ", or ".join(filter(None, [values if names else "", being]))

    def sentences(self, _: list[Reader], asked: str, how: str) -> list[str]:
        """What may be published, for whom that promises something, and what it does not."""
        whole = "all records" if self.hidden else f"all {len(self.codes):,} records"
        cuts = [
            f"{name or 'each value'} cut to {text.written(low)} to {text.written(high)}"
            for name, (low, high) in self.columns.items()
            if "=" not in name
        ]
        cut = f", {', '.join(cuts)}," if cuts else ""
        said = [
            f"{asked} of {whole}{cut} {how}.",
            "This holds for whoever knows the others, all or some, and holds the rest "
            "independent of her record; for k people who stand or fall together the factor is "
            "its k-th power at most.",
            "That she is in the file is not protected (for that: hide n), nor is "
            f"{'her group, ' if self.names else ''}whether she meets a condition, or which of her "
            "values are missing.",
            "Scale, epsilon and factor may be published with the answers; never the exact answer, "
            "how many values the limits cut, or an error in per cent.",
        ]
        if self.hidden:
            said[1] = said[1].replace("the rest", "the rest, their number included,")
            said[1] = said[1].replace("her record", "whether she is in and of her record")
            said[2] = (
                "To be in is to be in the rows that are counted: what a condition or a missing "
                "value tells of her is protected with it."
            )
            if self.means:
                said[2] += (
                    " A mean is the noisy centred sum over the noisy count, plus the middle of "
                    "the limits."
                )
            said[3] = said[3].replace("never the", "never n, the size of a group, the")
        if cuts:
            said[3] += " Limits that were chosen by looking at this file make the promise void."
        return said

    def advice(self, factor: float, _: bool) -> list[str]:
        """What makes errors smaller, from limits and factor alone, and what that costs."""
        said = ["Half the limits, half the error; k answers together, k times the error of one."]
        if 1 < factor < 1e3:
            square = text.factor(factor * factor)
            said.append(f"Half of every error also comes with a weaker promise: factor {square}.")
        if self.names:
            said.append("Two groups of a size merged, half the error.")
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
    known = ask(asked, data)
    out = (
        ask([_plain(one, data) for one, _ in pairs], data, repeats=True)
        if pairs
        else Asked((), True, 0)
    )
    codes, names = np.zeros(known.records, dtype=np.intp), []
    if by is not None:
        codes, names = groups_of(by, data, known.records, groups)
    sizes = np.bincount(codes, minlength=max(len(names), 1)).tolist()
    ns = [None] * len(sizes) if hide_n else sizes
    columns = _limits_of([*known.statistics, *out.statistics], limits)

    def noisy(kind: str, one: Statistic, part: np.ndarray, scale: float = math.nan) -> Noisy:
        pair = columns.get(one.label.partition(":")[2])
        values = np.ones(known.records) if kind == "count" else np.clip(one.values, *pair)
        if kind == "centred sum":
            values -= sum(pair) / 2
        label = f"centred sum:{one.label.partition(':')[2]}" if kind == "centred sum" else one.label
        moved = [limits_sensitivity(kind, pair, n) for n in ns]
        return Noisy(label, kind, values, part, *np.array(moved).T, scale)

    rows: list[Noisy] = []
    means: list[Mean] = []
    every = np.eye(len(asked))
    of_count = np.zeros(len(asked))
    for one, kind, part in zip(known.statistics, map(_kind, asked), every):
        if kind == "count":
            of_count += part
        elif kind != "sum" and hide_n:
            of_count += part / 2
            means.append(Mean(one.label, columns[one.label.partition(":")[2]], len(rows)))
            rows.append(noisy("centred sum", one, part))
        else:
            rows.append(noisy("mean" if kind == "share" else kind, one, part))
    if of_count.any():
        rows.append(noisy("count", Statistic("count", "count", np.zeros(0)), of_count))
    for (one, scale), statistic in zip(pairs, out.statistics):
        kind = "mean" if _kind(one) == "share" else _kind(one)
        held = checks.real(f"already: the scale of {statistic.label}", scale, 0, closed="()")
        rows.append(noisy(kind, statistic, 0 * of_count, held))
    called = tuple(one.label for one in known.statistics)
    return Everybody(called, tuple(rows), tuple(means), columns, codes, tuple(names), hide_n)


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
    pairs = [] if already is None else already if isinstance(already, list) else [already]
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise TypeError(
            f"already must be a list of pairs (query, scale), got {checks.short(already)}"
        )
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


def _limits_of(statistics: list[Any], limits: Any) -> dict[str, Limits]:
    """The limits of each column that is answered: as given, or 0 to 1 where it holds no other."""
    columns = {one.label.partition(":")[2]: one for one in statistics if one.label != "count"}
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
    one of the two is so whatever S is. All arguments but the limits have one shape.

    Args:
        size: n, at least 0.
        off: m - c, the exact mean of the cut values less the middle of the limits.
        limits: (l, h).
        of_sum, of_count: the scales b_S and b_C, above 0.

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
