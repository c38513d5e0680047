r"""Interface of KnownFile and PublicLimits: from noise rates to privacy loss, readers and facts.

A question says who is in the file and what is asked; a verb says what is accepted. Laplace noise
of scale 1/t on an answer that moves by m between two datasets costs a privacy loss t m; losses of
answers published together add up, and odds grow at most :math:`e^{loss}`-fold. So every verb ends
in rates t along one ray, on which the loss grows in proportion. Rates, scales and sensitivities
are those of all answers that get noise, of group after group, shape (K,).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks, numbers
from dpchoose import later as pd
from dpchoose.checks import require
from dpchoose.queries import Statistic, statistic
from dpchoose.risk.inverse import SHAVED, UnattainableRisk, on_ray
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after
from dpchoose.your_data import report, wording, words
from dpchoose.your_data.noise import Drawn, Law
from dpchoose.your_data.shares import parse_condition, values_of_share
from dpchoose.your_data.wording import Context

FACTORS = (1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
SUSPICIONS = (1, 10, 50)  # beliefs before, of 100
HALF = Fraction(1, 2)
LARGEST_LOSS = 700.0  # a privacy loss whose factor is still a float
ROUNDED_UP = 1 + 64 * UNIT
LEAST_LEFT = 1e-12  # a privacy loss that is nothing
BESIDE_OTHERS = 1 - 2.0**-40  # what rounding takes of a loss that is left
NEEDS_BEFORE = "risk must come with before"
SAY_BEFORE = ": say how sure she is of one person, or what factor you accept (odds)"
TABLE = ("statistic", "sensitivity", "noise scale", "95% error", "epsilon")


class Reader(NamedTuple):
    """A row of the table of readers.

    Attributes:
        reader: who she is and what she asks: a key of ``wording.READERS``.
        before: her belief before any answer, exact.
        after: the most that it can become.
        factor: the most by which its odds grow.
        exact: whether some output attains it; else it is a bound.
        promised: whether the accepted factor or risk covers this reader.
    """

    reader: str
    before: Fraction
    after: float
    factor: float
    exact: bool = False
    promised: bool = True


class Answer(NamedTuple):
    """A row of the table: of an answer that gets noise, or of one that is computed of such.

    Attributes:
        statistic: its label.
        sensitivity, scale, epsilon: of its noise; nan of what is computed.
        error: that the noise exceeds 5 times in 100; of what is computed as it is planned.
        answer: the exact one.
        places: whether the error is in places.
    """

    statistic: str
    sensitivity: float = math.nan
    scale: float = math.nan
    error: float = math.nan
    answer: float = math.nan
    epsilon: float = math.nan
    places: bool = False

    @property
    def relative(self) -> float:
        """The error beside the answer; nan where this is 0, or the error in places."""
        return self.error / abs(self.answer) if self.answer and not self.places else math.nan


class Goal(NamedTuple):
    """What a verb was given: its name, the value as it was written, and the belief before."""

    name: str
    value: str
    before: Fraction | None = None

    @property
    def is_plain_risk(self) -> bool:
        """Whether it is a risk of who suspects nobody."""
        return self.name == "risk" and self.before is None

    def __str__(self) -> str:
        started = "" if self.before is None else f" from {numbers.format_fraction(self.before)}"
        return f"{self.name} {self.value}{started}"


class Question(ABC):
    """What is asked of a file: answers that are published together, and get noise.

    Attributes:
        situation: "known file" or "everybody" is in it.
        questions: the label of each statistic that was asked for, without the groups.
        rows: the answers that get noise in each group; each has a label and a query.
        groups: the names of the groups; empty without groups.
        records: the number N of records in the file.
        one_is_missing: whether a reader asks which single record is missing.
        weights: in which the statistics share the loss.
        already: the factor of all earlier answers.
        sensitivities: of each answer, for which epsilon is stated, (K,).
        informative: which answers are not the same in every dataset that a reader compares, (K,).
        context: what is known of the rows beside the records.
        scales_from: the bracket before 0 in the scales that may be given.
    """

    situation: str
    questions: list[str]
    rows: Sequence[Any]
    groups: Sequence[Any] = ()
    records: int
    one_is_missing = False
    weights: np.ndarray
    already: Fraction
    sensitivities: np.ndarray
    informative: np.ndarray
    context = Context()
    scales_from = "("

    @abstractmethod
    def ray(self, weights: np.ndarray) -> np.ndarray:
        """The direction of the rates, (K,), in which the statistics share the loss as weights."""

    @abstractmethod
    def distance(self, rates: np.ndarray) -> float:
        """The largest privacy loss between two lists that the promise covers, rounded up."""

    @abstractmethod
    def readers(self, rates: np.ndarray, before: Fraction | None = None) -> list[Reader]:
        """The table of readers, with ``before`` for that belief as well."""

    @abstractmethod
    def answers(self) -> np.ndarray:
        """The exact answers, (K,), for the private screen; nan where there is none."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The question as a dictionary, for whoever finds the answer."""

    @abstractmethod
    def law(self, index: int, scale: float) -> Law:
        """The law of the noise of an answer."""

    @property
    def labels(self) -> list[str]:
        """The label of each answer that gets noise, K of them."""
        return in_groups(self.groups, [row.label for row in self.rows])

    def for_odds(self, odds: Any) -> "Noise":
        """The least noise with which no reader's odds grow more than a factor, above 1.

        3 lets odds of 1 to 9 (10%) become 3 to 9 (25%). It holds for the readers who are marked
        promised in the table ``readers``; what is out already is in it.
        """
        factor = numbers.parse_number(odds, "odds")
        require(factor > 1, "odds must exceed 1", odds)
        return self._at_factor(factor, Goal("odds", _written(odds)))

    def for_risk(self, risk: Any, before: Any = None) -> "Noise":
        """The least noise that leaves a reader at most so sure, who was ``before`` so sure.

        In (0, 1), as 0.01, "1%" or "1/3". With ``before`` the accepted factor is
        odds(risk)/odds(before). Without, it is for a reader who suspects nobody: of a file that
        is known, where one record is missing.
        """
        accepted, goal = numbers.parse_risk(risk), Goal("risk", _written(risk))
        if before is None:
            return self._at_plain_risk(accepted, goal)
        belief = numbers.parse_risk(before, "before")
        if accepted <= belief:
            raise ValueError(words.BEFORE_BELOW_RISK.format(risk=goal.value, before=before))
        factor = accepted * (1 - belief) / ((1 - accepted) * belief)
        return self._at_factor(factor, goal._replace(before=belief))

    def for_error(self, error: Any) -> "Noise":
        """What noise costs whose 95% error is at most this one: for all answers, or for each."""
        scales = [
            _scale_of(self, index, error)
            for index, error in enumerate(self._errors(error).tolist())
        ]
        return self._with_scales(np.array(scales), Goal("error", _written(error)))

    def at_epsilon(self, epsilon: Any) -> "Noise":
        """What an epsilon of all answers together gives, or a list with one for each."""
        given, goal = self._each("epsilon", epsilon), Goal("epsilon", _written(epsilon))
        if np.ndim(epsilon):
            with np.errstate(divide="ignore"):
                rates = given / self.sensitivities
            return Noise(self, goal, rates, _scales_of(rates))
        ray = self.ray(self.weights)
        total = self.total(ray * self.sensitivities) or 1.0
        return self._along(ray, given[0] / total, goal)

    def at_scale(self, scale: Any) -> "Noise":
        """What noise of a scale gives: one for all answers that get noise, or one for each."""
        return self._with_scales(self._each("scale", scale), Goal("scale", _written(scale)))

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together, of the epsilon of each, (K,)."""
        return float(epsilons.sum())

    def exact(self, index: int) -> str | None:
        """The exact answer to print where no noise is needed; None where it is not known."""
        return None

    def unit_errors(self, scales: np.ndarray) -> list[float | None]:
        """The 95 % errors, for the private screen, of answers whose noise is in places."""
        return [None] * len(scales)

    def expected_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The public errors of the answers that are computed of noisy ones; None if not known."""
        return []

    def derived(self, rates: np.ndarray) -> list[Answer]:
        """The answers that are computed of noisy ones."""
        return []

    def largest_along(self, direction: np.ndarray, loss: float) -> float:
        """How far along a ray the promised loss is kept; inf for everywhere."""
        distance = self.distance(direction)  # it grows in proportion
        return loss / distance * BESIDE_OTHERS if distance else math.inf

    def _at_plain_risk(self, risk: Fraction, goal: Goal) -> "Noise":
        """The noise that a risk without a belief before asks for, where one record is missing."""
        everybody = f"{NEEDS_BEFORE} where everybody is in the file"
        raise ValueError(f"{everybody}, got {goal.value}{SAY_BEFORE}")

    def _at_factor(self, factor: Fraction, goal: Goal) -> "Noise":
        """The largest rates at which the odds of all answers, old and new, keep a factor."""
        left = loss_of(factor) - numbers.log(self.already)
        if left <= LEAST_LEFT:
            why = words.EXCEEDED if left < -LEAST_LEFT else words.NOTHING_LEFT
            raise UnattainableRisk(why.format(accepted=goal))
        ray = self.ray(self.weights)
        left *= 1 if self.already == 1 else BESIDE_OTHERS
        return self._along(ray, self.largest_along(ray, left), goal)

    def _along(self, direction: np.ndarray, along: float, goal: Goal) -> "Noise":
        """The noise so far along a ray; none on an answer that is the same everywhere."""
        rates = on_ray(direction, along)
        return Noise(self, goal, rates, np.where(self.informative, _scales_of(rates), 0.0))

    def _with_scales(self, scales: np.ndarray, goal: Goal) -> "Noise":
        """The noise of scales that are printed as they are."""
        with np.errstate(divide="ignore"):
            return Noise(self, goal, 1 / scales, scales)

    def _errors(self, error: Any) -> np.ndarray:
        """The errors that are wanted, (K,), each in the unit of its answer."""
        return self._each("error", error)

    def _each(self, name: str, value: Any) -> np.ndarray:
        """A number for each answer: all alike, or one for each of a group, or for each answer."""
        values, rows = np.atleast_1d(np.array(value, dtype=object)), self.rows
        each = ", ".join(row.label for row in rows[: words.MOST_NAMED])
        each += f", ... ({len(rows)} in all)" * (len(rows) > words.MOST_NAMED)
        rule = f"{name} must give one number" + f", or one for each of {each}" * (len(rows) > 1)
        count = len(self.labels)
        require(values.ndim == 1 and len(values) in (1, len(rows), count), rule, len(values))
        parsed = [float(numbers.parse_number(entry, name)) for entry in np.resize(values, count)]
        closed = f"{self.scales_from if name == 'scale' else '('})"
        return checks.reals(name, parsed, 0, math.inf, closed=closed)


@dataclass(frozen=True, eq=False)
class Noise:
    """Which noise each answer gets, and how sure it leaves every reader.

    Attributes:
        question: what is asked of which file.
        goal: what was accepted, or given.
        rates: 1/scale of the noise of each answer, (K,).
        scales: of the noise of each answer, in its unit, (K,); 0 of an answer without noise.
    """

    question: Question
    goal: Goal
    rates: np.ndarray
    scales: np.ndarray

    @property
    def scale(self) -> float:
        """That of the one answer that gets noise."""
        return self._alone(self.scales, "scale", "scales")

    @property
    def error(self) -> float:
        """The 95% error of the one answer, which of a mean with n hidden is that of the mean."""
        alone = [row.error for row in self.answers if row.scale != row.scale] or self.errors()
        return self._alone(alone, "error", "table")

    def _alone(self, values: Sequence[float] | np.ndarray, name: str, others: str) -> float:
        """The value of a single answer."""
        require(len(values) == 1, f"{name} is that of one answer: see {others}", len(values))
        return float(values[0])

    @property
    def noisy(self) -> int:
        """How many answers get noise."""
        return int(np.count_nonzero(np.isfinite(self.scales) & (self.scales > 0)))

    @property
    def epsilons(self) -> np.ndarray:
        """The epsilon of each answer, rounded down; nan of one that is the same everywhere."""
        with np.errstate(invalid="ignore"):
            epsilons = self.rates * self.question.sensitivities * SHAVED
        if self.goal.name == "epsilon":  # as they were given
            epsilons = np.array([float(f"{epsilon:.14g}") for epsilon in epsilons])
        return np.where(self.question.informative, epsilons, math.nan)

    @property
    def epsilon(self) -> float:
        """That of all answers together; an answer that is the same everywhere counts 0."""
        return self.question.total(np.nan_to_num(self.epsilons, posinf=math.inf))

    @property
    def odds(self) -> float:
        """The largest factor by which a promised reader's odds grow."""
        loss = self.question.distance(self.rates)
        return reader_at("", HALF, loss, float(self.question.already)).factor

    def errors(self, inside: float = 0.95) -> np.ndarray:
        """What the noise of each answer exceeds 5 times in 100, (K,), by its own law, rounded up.

        ``inside`` is the share of draws that stay within, in (0, 1).
        """
        inside = checks.real("inside", inside, 0, 1, closed="()")
        return self._errors_of(self.scales, inside)

    def _errors_of(self, scales: np.ndarray, inside: float) -> np.ndarray:
        """The errors of noise of some scales."""
        laws = map(self.question.law, range(len(scales)), scales.tolist())
        errors = np.array([law.error(inside) for law in laws])
        exact = (scales == 0) | (errors == 0)  # whole noise that is 0 nearly always
        return np.where(exact, 0, np.nextafter(errors, math.inf))

    def printed_errors(self, inside: float = 0.95) -> list[float | None]:
        """The errors of all answers, in two digits, of noise of the scales that are printed.

        That of an answer that is computed of noisy ones is the public one; None where n is not
        guessed.
        """
        scales = self.scales
        if self.goal.name != "scale":
            scales = np.array([float(numbers.round_up(b)) if b < math.inf else b for b in scales])
        errors = self._errors_of(scales, inside).tolist()
        errors += self.question.expected_errors(scales, inside)
        known = (error is not None and math.isfinite(error) for error in errors)
        return [numbers.rounded_up_to(e, 2) if is_known else None
                for e, is_known in zip(errors, known)]  # fmt: skip

    @cached_property
    def derived(self) -> list[Answer]:
        """What is computed of noisy answers."""
        return self.question.derived(self.rates)

    @cached_property
    def noisy_answers(self) -> list[Answer]:
        """The rows of the table of the answers that get noise, with the exact answers."""
        question, exact = self.question, self.question.answers()
        places = [isinstance(question.law(i, 1.0), Drawn) for i in range(len(self.scales))]
        columns = question.sensitivities, self.scales, self.errors(), exact, self.epsilons, places
        return [*map(Answer, question.labels, *columns)]

    @property
    def answers(self) -> list[Answer]:
        """The rows of the table: what is computed of noisy answers last.

        Its error is the public one, where n is guessed; else it is as planned.
        """
        known = zip(self.derived, self.question.expected_errors(self.scales))
        computed = [row if of_guess is None else row._replace(error=of_guess)
                    for row, of_guess in known]  # fmt: skip
        return [*self.noisy_answers, *computed]

    @property
    def table(self) -> "pd.DataFrame":
        """Statistic, sensitivity, noise scale, 95% error and epsilon of each answer.

        A mean with n hidden is computed of a centred sum and a count: it stands last, without a
        scale. Its error is that with n rows or more, where n is guessed; else it is planned from
        the records, to one digit, and for you alone.
        """
        rows = [(*row[:4], row.epsilon) for row in self.answers]
        return pd.DataFrame(rows, columns=TABLE)

    @cached_property
    def reader_rows(self) -> list[Reader]:
        """The rows of the table of readers."""
        rows = self.question.readers(self.rates, self.goal.before)
        return [row._replace(reader=wording.reader(row)) for row in rows]

    @property
    def readers(self) -> "pd.DataFrame":
        """Reader, before, after, factor, whether exact, and whether promised, a row for each."""
        table = pd.DataFrame(self.reader_rows, columns=list(Reader._fields))
        return table.assign(before=table["before"].astype(float))

    @cached_property
    def offers(self) -> "dict[float, Noise]":
        """The noise of each factor from which to choose, this one's among them."""
        question, chosen, offers = self.question, self.odds, {}
        direction = question.ray(np.ones(1))
        if np.isfinite(self.rates[direction > 0]).all():  # in its proportions
            direction = np.where(direction > 0, self.rates, 0)
        for factor in sorted({*FACTORS} | {chosen} - {math.inf}):
            if factor == chosen:
                offers[factor] = self
            elif factor > question.already and abs(factor / chosen - 1) >= 1e-6:
                loss = loss_of(Fraction(factor) / question.already)
                rates = on_ray(direction, question.largest_along(direction, loss))
                scales = np.where(question.informative, _scales_of(rates), self.scales)
                offers[factor] = replace(self, rates=rates, scales=scales)
        return offers

    def suspects_nobody(self, factor: float) -> float | None:
        """How sure a reader gets who is missing, and suspects nobody; None where others ask."""
        if not self.question.one_is_missing:
            return None
        known = self.question.already == 1  # else an earlier answer is known by its factor alone
        return self.reader_rows[0].after if known else after(1 / self.question.records, factor)

    def choices(self) -> "pd.DataFrame":
        """What to choose from: for each factor the 95% error of every answer, and after.

        A row for each of the factors 1.5, 2, 3, 5, 10, 30, 100 and for that of this noise:
        factor, chosen, "error of" each answer (of a percentile in places), "after 1", "after 10"
        and "after 50" of 100, and for n = N - 1 what a reader who "suspects nobody" gets.
        """
        rows = []
        for factor, offer in self.offers.items():
            row: dict[str, Any] = {"factor": factor, "chosen": offer is self}
            row |= {f"error of {answer.statistic}": answer.error for answer in offer.answers}
            row |= {f"after {of}": after(of / 100, factor) for of in SUSPICIONS}
            if self.question.one_is_missing:
                row["suspects nobody"] = offer.suspects_nobody(factor)
            rows.append(row)
        return pd.DataFrame(rows)

    def of_100(self) -> dict[str, float]:
        """What a belief of so many of 100 may become."""
        return {str(of): numbers.per_hundred(after(of / 100, self.odds)) for of in SUSPICIONS}

    def sentences(self) -> list[str]:
        """The promise, on what it rests, and what it leaves open: five paragraphs at most."""
        return wording.sentences(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it with its question, numbers rounded as they are printed.

        Scales, errors, risks and factors are rounded up, epsilons down, and what is infinite
        or not known is None. "private" is for the screen of whoever holds the file.
        """
        return report.to_dict(self)

    def _repr_html_(self) -> str:
        return report.to_html(self)


def in_groups(groups: Sequence[Any], labels: list[str]) -> list[str]:
    """The labels of some answers, of group after group.

    >>> in_groups(("north", "south"), ["count"])
    ['count, north', 'count, south']
    """
    return [f"{label}, {group}" for group in groups for label in labels] or labels


def reader_at(
    reader: str, before: Fraction, loss: float, already: float, *, promised: bool = True
) -> Reader:
    """The row of a reader for whom two lists lie at most a privacy loss apart."""
    factor = math.exp(loss) * ROUNDED_UP * already if loss < LARGEST_LOSS else math.inf
    belief = min(after(float(before), factor) * ROUNDED_UP, 1.0)
    return Reader(reader, before, belief, factor, promised=promised)


def loss_of(factor: Any) -> float:
    """The privacy loss of an odds factor, its logarithm, rounded down."""
    return numbers.log(Fraction(factor)) * (1 - 8 * UNIT)


def factor_of(already: Any) -> Fraction:
    """The factor of what is out already, at least 1."""
    factor = numbers.parse_number(already, "already")
    require(factor >= 1, "already must be a factor of at least 1", already)
    return factor


def statistic_of_file(query: Any, data: Any) -> Statistic:
    """The statistic of a query; a share, ("share", "COLUMN=VALUE"), is the mean of "is it".

    >>> import pandas as pd
    >>> wards = pd.DataFrame({"ward": ["a", "b", "a"]})
    >>> statistic_of_file(("share", "ward=a"), wards).values.tolist()
    [1.0, 0.0, 1.0]
    """
    if not isinstance(query, tuple) or len(query) != 2 or query[0] != "share":
        return statistic(query, data)
    condition = parse_condition(query[1], getattr(data, "columns", None))
    values = values_of_share(condition, data)
    return Statistic(f"share:{condition}", "mean", values, condition)


def _scale_of(question: Question, index: int, error: float) -> float:
    """The largest scale of an answer's noise whose 95% error is no more than the one given."""
    low, high = error * 1e-3, error * 1e3
    for _ in range(80):
        middle = math.sqrt(low * high)
        law = question.law(index, middle)
        kept = (law.uncapped(0.95) if isinstance(law, Drawn) else law.error(0.95)) <= error
        low, high = (middle, high) if kept else (low, middle)
    return float(numbers.round_down(low))


def _scales_of(rates: np.ndarray) -> np.ndarray:
    """The scales of some rates, rounded up."""
    with np.errstate(divide="ignore"):
        scales = 1 / rates
    return np.where((scales == 0) | np.isinf(scales), scales, np.nextafter(scales, math.inf))


def _written(value: Any) -> str:
    """A value, or the values of a list, as they were written."""
    return ", ".join(map(str, value if isinstance(value, (list, tuple)) else [value]))
