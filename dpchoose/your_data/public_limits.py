r"""Everybody is in the file, and of each answered value only public limits are known.

All rows are released, and values are cut to their limits l and h; where these have a step, to
the nearest of l, l + step, ..., h. The reader may know every other record. Let t be the rates of
the noise, r = h - l and c = (l + h)/2, and by
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
(:mod:`dpchoose.your_data.noise`), and its rate is one over its scale in records. A variance is
divided by n, which is public. Of K rows it is K times that of one: r^2 K (n - K)/n^2, which holds
in one group, fails where one person's rows lie in several.
"""

import itertools
import warnings
from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpchoose import checks, numbers
from dpchoose.checks import require
from dpchoose.codes import CODE, MissingCodeWarning, codes_among
from dpchoose.queries import rank_of, statistic
from dpchoose.risk.bounds import times
from dpchoose.risk.inverse import weights_of
from dpchoose.sensitivity.limits import low_and_high, margin_of_floats
from dpchoose.your_data import noise, shares, words
from dpchoose.your_data.asked import (
    HALF,
    ROUNDED_UP,
    Answer,
    Context,
    Reader,
    in_groups,
    reader_at,
)
from dpchoose.your_data.formats import format_number
from dpchoose.your_data.groups import groups_of
from dpchoose.your_data.noise import Law
from dpchoose.your_data.question import Question, factor_of
from dpchoose.your_data.row import COUNT, Limits, Mean, Row

NARROW = 2.0**-50  # the range of limits beside their size below which floats cannot add exactly
OF_COUNT = {"count": 1, "mean": 1 / 2, "share": 1 / 2}  # its part of a loss where n is hidden
LIST_GROUPS = ": where n is hidden a public list, on the command line --group A --group B"
SIZES_IN_IT = " records: the sizes of groups are in it"
QUERIES = ("sum", "mean", "var", "share", "median", "percentile_p")  # count is by itself
COUNT_IS_N = ": it is n, and is known; how many of the rows are so is a share (share:COLUMN=VALUE)"
N_HIDDEN_NO_ERROR = "error must not be given where n is hidden, since n and the answer fix it"
NO_SHARE = "error must be in the unit of the answer beside limits, as a share tells the answer"
NO_STD = ": one record moves a root too far; ask var, with n public, whose root may be read off"
NO_HIDDEN_VAR = ": how far one record moves it depends on n; leave hide_n (--hide-n) away"
OTHERS_KNOWN = ": others can be asked where the file is known"


class PublicLimits(Question):
    """All records of a file, of whose values only public limits are known, fixed without it.

    Args:
        query: a name, or a list of them, published together: sum, mean, share, median,
            percentile_p, where n is public var (divided by n) and, where it is hidden, count.
            Of a DataFrame: pairs (query, column), ("share", "COLUMN=VALUE") or ("share",
            "COLUMN>=NUMBER").
        data: the N records, shape (N,), or a DataFrame. Where there is no file N itself: what is
            public of n, or a public guess of it where n is hidden.
        limits: (low, high), to which values are cut, or (low, high, step), by which they are then
            rounded too; or {column: limits}; {} where no column needs any, as for a share. A step
            of 1 between whole limits says that values are whole, and so is the noise of their
            sum. A percentile without a step has one of 1, if limits are whole and at least ten
            apart.
        by: for an answer for each group, published together: labels by position, shape (N,), the
            name of a column, or a list of two columns or more.
        hide_n: True to hide n, and with it who is in.
        groups: with ``by`` and hide_n, the public list of the groups.
        rows_per_person: how many rows K a person may have: public, never read off the file.
        expect_n: where n is hidden, a public guess of n, for the errors of means.
        split: how the statistics share the loss: "equal", or for each a weight, above 0.
        already: the product of the factors of all earlier answers about the same secret, at
            least 1. What is accepted covers old and new answers.

    >>> noise = dp.PublicLimits("mean", 5912, (0, 30)).for_odds(3)
    >>> round(noise.epsilon, 4), round(noise.error, 4)
    (1.0986, 0.0138)
    >>> round(dp.PublicLimits("var", 5912, (0, 30)).for_odds(3).error, 4)  # 30^2 x 5911/5912^2
    0.415
    """

    situation = "everybody"
    rows: tuple[Row, ...]

    def __init__(
        self,
        query: Any,
        data: Any,
        limits: Any,
        *,
        by: Any = None,
        hide_n: bool = False,
        groups: Any = None,
        rows_per_person: int = 1,
        expect_n: int | None = None,
        split: Any = "equal",
        already: Any = 1,
    ) -> None:
        require(isinstance(hide_n, bool), "hide_n must be True or False", hide_n, TypeError)
        self.hidden = hide_n
        self.person_rows = checks.integer("rows_per_person", rows_per_person, 1)
        require(expect_n is None or hide_n, "expect_n must come with hide_n", expect_n)
        self.expected = None if expect_n is None else checks.integer("expect_n", expect_n, 1)
        _listed(groups, by is not None and hide_n)
        data = self._grouped(data, by, groups)
        queries = query if isinstance(query, list) else [query]
        require(queries, "query must name at least one statistic", query)
        self.asked = [_row(entry, data, limits, hide_n) for entry in queries]
        columns = [row.column for row in self.cut_rows]
        for column in limits if isinstance(limits, dict) else ():
            require(
                column in columns, "limits must be of columns whose values are asked for", column
            )
        of_values = [row for row in self.asked if row.query != "count"]
        self.means = [
            Mean(row.label, row.limits, place, row)
            for place, row in enumerate(of_values)
            if hide_n and row.query in OF_COUNT and row.limits
        ]
        for mean in self.means:  # which is published by its centred sum
            of_values[mean.row] = mean.asked.centred()
        counts = bool(self.means) or len(of_values) < len(self.asked)
        self.of_values, self.rows = of_values, (*of_values, *[COUNT] * counts)
        self.records = int(self.sizes.sum())
        self._refuse_together()
        self.weights, self.already = weights_of(split, len(self.asked)), factor_of(already)
        self.context = Context(by=by if isinstance(by, str) else "")

    def _grouped(self, data: Any, by: Any, groups: Any) -> Any:
        """Set the groups and their sizes; the data again, or None where there is no file."""
        if isinstance(data, (int, np.integer)) and not isinstance(data, bool):
            rule = "by needs the file where n is public"
            require(by is None or self.hidden, rule, data, hint=SIZES_IN_IT)
            records = checks.integer("records", data, 1)
            self.expected = self.expected or (records if self.hidden else None)
            self.groups = tuple(groups or ())
            self.sizes = np.full(max(len(self.groups), 1), records)
            return None
        records = len(data if hasattr(data, "columns") else checks.universe(data))
        self.codes, names = groups_of(by, data, records, groups)
        self.groups = tuple(names)
        self.sizes = np.bincount(self.codes, minlength=max(len(names), 1))
        return data

    def _refuse_together(self) -> None:
        """Refuse what cannot be asked together."""
        _once(self.questions, "query must name each statistic once")
        if self.hidden:
            sources = [row.source for row in self.asked if row.query == "share"]
            rule = "query must ask one share of a column where n is hidden"
            _once(sources, rule, ": ask counts by it (count, by COLUMN)")
        if any(row.query == "var" for row in self.asked):
            fewest = int(self.sizes.min())
            each = " in each group" * bool(self.groups)
            rule = f"query var must be asked of at least two records{each}"
            require(fewest > 1, rule, fewest)
        most = 2**20 if self.hidden else int(self.sizes.max())
        for row in self.of_values:
            low, high, *_ = row.low_high_step
            fits = row.rank is not None or high - low >= most * NARROW * max(abs(low), abs(high))
            rule = f"limits of {_named(row.column)} {words.TOO_NARROW}"
            require(fits, rule, row.limits, hint=words.COUNT_FROM)
        means = in_groups(self.groups, [mean.label for mean in self.means])
        rule = "each answer must have a label of its own"
        _once(self.labels + means, rule, ": rename a column or a group")

    @property
    def questions(self) -> list[str]:
        return [row.label for row in self.asked]

    @property
    def informative(self) -> np.ndarray:
        return np.ones(len(self.labels), dtype=bool)

    @cached_property
    def moves(self) -> np.ndarray:
        """How far a person moves each row in each group, (2, G, d): *change* and *add*.

        They are of records that are changed and of those that come or go; nan where n is public.
        """
        sizes = [None if self.hidden else size for size in self.sizes.tolist()]
        moves = np.array([[row.moves(size) for row in self.rows] for size in sizes])
        return self.person_rows * np.moveaxis(moves, -1, 0)

    @property
    def sensitivities(self) -> np.ndarray:
        """Of a change where n is public, else of records that come or go."""
        change, add = self.moves
        return (add if self.hidden else change).ravel()

    def law(self, index: int, scale: float) -> Law:
        group, row = divmod(index, len(self.rows))
        return self.rows[row].law(scale, None if self.hidden else int(self.sizes[group]))

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
        """Total epsilon: of bounded neighbours if n is public, else of who comes or goes."""
        losses = self.losses(epsilons / self.sensitivities)
        return losses["member" if self.hidden else "value"]

    def readers(self, rates: np.ndarray, before: Fraction | None = None) -> list[Reader]:
        plain = len(self.column_names) == len(self.of_values)
        plain = plain and all(row.rank is None for row in self.rows)
        attained = self.already == 1 and self.person_rows == 1 and plain
        beliefs = [belief for belief in (HALF, before) if belief is not None]
        rows = [
            reader_at(reader, belief, loss * self.rounded_up, float(self.already))
            for (reader, loss), belief in itertools.product(self.losses(rates).items(), beliefs)
        ]
        return [row._replace(exact=attained) for row in rows]

    @cached_property
    def members(self) -> list[np.ndarray | None]:
        """The places of the records of each group; None where there is no file."""
        if self.codes is None:
            return [None] * len(self.sizes)
        places = np.argsort(self.codes, kind="stable")
        return [*np.split(places, np.cumsum(self.sizes)[:-1])]

    def answers(self) -> np.ndarray:
        cells = itertools.product(self.members, self.rows)
        return np.array([row.answer(row.of(members)) for members, row in cells])

    def unit_errors(self, scales: np.ndarray) -> list[float | None]:
        cells = itertools.product(self.members, self.rows)
        return [row.unit_error(row.of(some), scale) for (some, row), scale in zip(cells, scales)]

    def expected_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The errors of the means that two rows make, if there are ``expected`` rows or more."""
        if self.expected is None:
            return [None] * (len(self.means) * len(self.sizes))
        each = 1 - (1 - inside) / 2  # of the two rows
        laws = [self.law(index, scale) for index, scale in enumerate(scales.tolist())]
        errors = np.reshape([law.error(each) for law in laws], (len(self.sizes), -1))
        wide = np.array([mean.limits[1] - mean.limits[0] for mean in self.means])
        of_two = errors[:, [mean.row for mean in self.means]] + wide / 2 * errors[:, -1:]
        return np.minimum(of_two / self.expected, wide).ravel().tolist()

    def derived(self, rates: np.ndarray) -> list[Answer]:
        """The means that two rows make, with the error against the mean of the cut values.

        It is planned of n and of the exact mean; nan for a group of nobody and without a file.
        """
        means, sizes = self.means, self.sizes[:, None]
        if not means:
            return []
        rows = [mean.asked for mean in means]
        answers = np.array([[row.answer(row.of(some)) for row in rows] for some in self.members])
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
            "situation": self.situation,
            "records": None if self.hidden else self.records,
            "hide_n": self.hidden,
            "limits": {str(row.column): row.low_high_step for row in self.cut_rows},
            "rows_per_person": self.person_rows,
            "expect_n": self.expected,
        }

    def _errors(self, error: Any) -> np.ndarray:
        """In the unit of the answers: a share of one would tell it."""
        require(not self.hidden, N_HIDDEN_NO_ERROR, error)
        require("%" not in str(error), NO_SHARE, error)
        return self._each("error", error)


def _row(query: Any, data: Any, limits: Any, hide_n: bool) -> Row:
    """The row of a question, its values cut to the limits that are stated: never inferred.

    What cannot be asked where only limits are known is refused.
    """
    kind, column = query if isinstance(query, tuple) and len(query) == 2 else (query, "")
    if kind == "share":
        condition = shares.parse_condition(column, getattr(data, "columns", None))
        values = None if data is None else shares.values_of_share(condition, data)
        label = f"share:{condition}"
        return Row(label, kind, condition, condition.column, (0.0, 1.0), values=values)
    label = f"{kind}:{column}" if column != "" else str(kind)
    if kind == "count":
        require(hide_n, "query count must come with hide_n (--hide-n)", label, hint=COUNT_IS_N)
        require(column == "", "query count must be asked without a column", column)
        return COUNT
    if kind in ("std", "var"):
        rule = "query must not be std beside limits"
        require(kind == "var", rule, label, hint=NO_STD)
        require(not hide_n, "query must not be var where n is hidden", label, hint=NO_HIDDEN_VAR)
    rule = f"query must be one of {', '.join(QUERIES)} or, with hide_n, count beside limits"
    rank = rank_of(kind)
    require(kind in QUERIES or rank is not None, rule, kind, hint=OTHERS_KNOWN)
    values = None if data is None else np.asarray(statistic(query, data).values, float)
    pair, grid = _limits_of(column, limits)
    step = None if grid is None else grid.unit
    if rank is not None:
        rank, kind = noise.plain_rank(rank, label), "percentile"
        grid = noise.candidates_of(pair, step, f"limits of {_named(column)}")
    if values is not None:
        _warn_of_codes(values, pair, "data" if column == "" else f"column {column}")
        values = np.clip(values, *pair)
    return Row(label, kind, column, column, pair, step, values, rank, grid)


def _warn_of_codes(values: np.ndarray, limits: Limits, name: str) -> None:
    """Ask of values beyond the limits whether they are codes; of one record's, warn."""
    codes = codes_among(values, limits)
    texts = " and ".join(map(format_number, codes))
    text = words.CODES.format(name=name, codes=texts)
    if np.isin(values, codes).sum() == 1:
        text = CODE.format(name=name, value=f"{texts} in 1 of {len(values):,} records")
    if codes:
        warnings.warn(text, MissingCodeWarning, stacklevel=4)


def _limits_of(column: Any, limits: Any) -> tuple[Limits, noise.Grid | None]:
    """The limits of a column, and the numbers between them where they have a step."""
    stated = limits[column] if isinstance(limits, dict) and column in limits else limits
    name = f"limits of {column}" if column != "" else "limits"
    rule = f"{name} must be given, as {column if column != '' else 'value'}=0:60"
    require(not isinstance(stated, dict), rule, limits, hint=words.FIXED)
    has_step = isinstance(stated, (tuple, list)) and len(stated) == 3
    pair = low_and_high(tuple(stated[:2]) if has_step else stated, name)
    return pair, noise.grid_of(pair, stated[2], name) if has_step else None


def _named(column: Any) -> str:
    """What a column is called, or the records where there is one only."""
    return "data" if column == "" else str(column)


def _listed(groups: Any, are_needed: bool) -> None:
    """Refuse groups where they are not public, and none where they are."""
    if not are_needed:
        require(groups is None, "groups must come with by and hide_n", groups)
        return
    listed = list(groups) if isinstance(groups, (list, tuple)) else []
    each_once = 0 < len(listed) == len({*listed})
    require(each_once, "groups must list the groups, each once", groups, hint=LIST_GROUPS)


def _once(names: list[Any], rule: str, hint: str = "") -> None:
    """Refuse names of which one stands more than once."""
    for name, count in Counter(names).items():
        require(count == 1, rule, name, hint=hint)
