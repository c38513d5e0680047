"""What wording and report are told: a question's interface, and the numbers of its noise.

Laplace noise of scale 1/t on an answer that moves by m between two datasets costs a privacy loss
t m; losses of answers published together add up, and odds grow at most :math:`e^{loss}`-fold.
Rates t, scales and sensitivities are those of all answers that get noise, of group after group,
shape (K,).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from dpchoose import checks, numbers
from dpchoose.queries import Statistic
from dpchoose.risk.inverse import SHAVED, on_ray
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after
from dpchoose.your_data.noise import Drawn, Law
from dpchoose.your_data.row import Mean, Row

FACTORS = (1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
SUSPICIONS = (1, 10, 50)  # beliefs before, of 100
HALF = Fraction(1, 2)
LARGEST_LOSS = 700.0  # a privacy loss whose factor is still a float
ROUNDED_UP = 1 + 64 * UNIT
BESIDE_OTHERS = 1 - 2.0**-40  # what rounding takes of a loss that is left


class Context(NamedTuple):
    """What is known of the rows that are asked, beside the records themselves."""

    where: str = ""  # the condition that they meet
    left_out: tuple[str, ...] = ()  # the columns of which rows that miss a value are left out
    person: bool = False  # whether it was checked that nobody has more rows than is said
    by: str = ""  # the columns of the groups
    keep_rows: bool = False  # whether only the first rows of each person are used


class Reader(NamedTuple):
    """A row of the table of readers."""

    reader: str  # who she is and what she asks: a key of words.READERS
    before: Fraction  # her belief before any answer
    after: float  # the most that it can become
    factor: float  # the most by which its odds grow
    exact: bool = False  # whether some output attains it; else it is a bound
    promised: bool = True  # whether the accepted factor or risk covers this reader


class Answer(NamedTuple):
    """A row of the table: of an answer that gets noise, or of one that is computed of such."""

    statistic: str  # its label
    sensitivity: float = math.nan  # this, scale and epsilon are nan of what is computed
    scale: float = math.nan
    error: float = math.nan  # that 5 draws in 100 exceed; of what is computed as it is planned
    answer: float = math.nan  # the exact one
    epsilon: float = math.nan
    places: bool = False  # whether the error is in places

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


class Asked(ABC):
    """What is asked of a file: answers that are published together, and get noise."""

    situation: str  # "known file", or "everybody" is in it
    rows: Sequence[Statistic | Row]  # the answers that get noise in each group
    groups: Sequence[Any] = ()  # their names
    records: int  # N, in the file
    one_is_missing = False  # whether a reader asks which single record is missing
    already: Fraction  # the factor of all earlier answers
    context = Context()
    # Where everybody is in the file, and of a known file as they stand here:
    hidden = False  # whether n is
    expected: int | None = None  # a public guess of it
    person_rows = 1  # how many rows a person may have
    asked: Sequence[Row] = ()  # a row for each question
    of_values: Sequence[Row] = ()  # and for each that gets noise but the count
    means: Sequence[Mean] = ()  # that are computed of two rows
    codes: np.ndarray | None = None  # the group of each record; None where there is no file
    sizes: np.ndarray  # of the groups

    @property
    @abstractmethod
    def questions(self) -> list[str]:
        """The label of each statistic that was asked for, without the groups."""

    @property
    @abstractmethod
    def sensitivities(self) -> np.ndarray:
        """Of each answer, for which epsilon is stated, (K,)."""

    @property
    @abstractmethod
    def informative(self) -> np.ndarray:
        """Which answers are not the same in every dataset that a reader compares, (K,)."""

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

    @property
    def cut_rows(self) -> list[Row]:
        """The rows whose values are cut to limits."""
        return [row for row in self.asked if row.is_cut]

    @property
    def column_names(self) -> list[Any]:
        """The column of each question, without a share's condition."""
        return list(dict.fromkeys(row.source for row in self.of_values))

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


@dataclass(frozen=True, eq=False)
class Found:
    """The numbers of a noise: which one each answer gets, and how sure it leaves every reader."""

    question: Asked
    goal: Goal
    rates: np.ndarray  # 1/scale, (K,)
    scales: np.ndarray  # (K,); 0 of an answer without noise

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

    @cached_property
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

    @cached_property
    def reader_rows(self) -> list[Reader]:
        """The rows of the table of readers."""
        return self.question.readers(self.rates, self.goal.before)

    @cached_property
    def offers(self) -> dict[float, Self]:
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
                scales = np.where(question.informative, scales_of(rates), self.scales)
                offers[factor] = replace(self, rates=rates, scales=scales)
        return offers

    def suspects_nobody(self, factor: float) -> float | None:
        """How sure a reader gets who is missing, and suspects nobody; None where others ask."""
        if not self.question.one_is_missing:
            return None
        known = self.question.already == 1  # else an earlier answer is known by its factor alone
        return self.reader_rows[0].after if known else after(1 / self.question.records, factor)

    def of_100(self) -> dict[str, float]:
        """What a belief of so many of 100 may become."""
        return {str(of): numbers.per_hundred(after(of / 100, self.odds)) for of in SUSPICIONS}


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


def scales_of(rates: np.ndarray) -> np.ndarray:
    """The scales of some rates, rounded up."""
    with np.errstate(divide="ignore"):
        scales = 1 / rates
    return np.where((scales == 0) | np.isinf(scales), scales, np.nextafter(scales, math.inf))
