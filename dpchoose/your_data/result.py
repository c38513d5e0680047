r"""The answer to which noise: numbers in a table, readers beside it, words, and a dictionary.

Text, CSV, JSON, pages and pictures print what :meth:`Recommendation.to_dict` holds.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks, numbers
from dpchoose.risk.inverse import on_ray
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after
from dpchoose.your_data import formats, wording
from dpchoose.your_data.known_file import KnownFile
from dpchoose.your_data.later import pd
from dpchoose.your_data.noise import Drawn, Noise
from dpchoose.your_data.question import Derived, Question, Reader, reader_at
from dpchoose.your_data.wording import SUSPICIONS, Context

LOG_20 = math.log(20)  # the 95 % error of Laplace noise over its scale
FACTORS = (1.5, 2, 3, 5, 10, 30, 100)
LARGE = 0.1  # the share of an answer from which on its error is called large


class Goal(NamedTuple):
    """What is accepted: which goal, its value as given and as a number, and the belief before."""

    name: str
    given: Any
    value: Any
    before: Fraction | None

    @property
    def text(self) -> str:
        """The value as it was given."""
        values = self.given if isinstance(self.given, (list, tuple)) else [self.given]
        return ", ".join(map(str, values))


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which noise to add, and how sure it leaves every reader.

    Attributes:
        asked: what is asked of which file.
        goal: what is accepted.
        already: the factor of what was published earlier.
        rates: of the noise of each answer, (K,).
        scales: of the noise of each answer; nan where nothing can be published.
        errors: that the noise exceeds 5 times in 100, likewise.
        epsilons: likewise; nan also of an answer that is the same in every world.
        status: "ok" (what was accepted is kept), "exact" (without noise), "computed" (nothing
            was accepted), "nothing left" (what is out uses it up), or "cannot be met".
        reason: why, or for whom.
        context: what is known of the rows beside the records.
    """

    asked: Question
    goal: Goal
    already: Fraction
    rates: np.ndarray
    scales: np.ndarray
    errors: np.ndarray
    epsilons: np.ndarray
    status: str
    reason: str
    context: Context = field(default_factory=Context)

    @property
    def not_published(self) -> list[str]:
        """The questions that a share of 0 in the split leaves out."""
        if self.refused or isinstance(self.asked, KnownFile):
            return []
        endless = [row.label for row, b in zip(self.asked.rows, self.scales) if b == math.inf]
        means = {mean.label: self.asked.rows[mean.row].label for mean in self.asked.means}
        return [name for name in self.asked.questions if means.get(name, name) in endless]

    @property
    def refused(self) -> bool:
        """Whether nothing can be published."""
        return self.status in ("cannot be met", "nothing left")

    @property
    def epsilon(self) -> float:
        """Of all answers together: inf where none needs noise, nan where none can be had.

        Answers that are the same in every world are set aside: they have none.
        """
        if self.refused:
            return math.nan
        return self.asked.total(np.nan_to_num(self.epsilons, posinf=math.inf))

    @property
    def odds(self) -> float:
        """The largest factor that is promised; nan where nothing can be published."""
        if self.refused:
            return math.nan
        loss = self.asked.distance(self.rates)
        return reader_at("", Fraction(1, 2), loss, already=float(self.already)).factor

    @property
    def labels(self) -> list[str]:
        """The label of each answer."""
        return self.asked.labels

    @cached_property
    def table(self) -> pd.DataFrame:
        """Statistic, sensitivity, noise scale, 95% error, relative error, epsilon of each answer.

        The relative error is nan where the answer is 0. What is computed of noisy answers stands
        last, without a scale, and its error is planned from the records, to one digit: it is for
        you alone.
        """
        return pd.DataFrame(self._table)

    @cached_property
    def _table(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        columns = self.asked.sensitivities, self.scales, self.errors, self.asked.answers()
        derived = (
            (row.label, math.nan, math.nan, row.error, row.answer, math.nan)
            for row in self._derived
        )
        return [
            {
                "statistic": label,
                "sensitivity": sensitivity,
                "noise scale": scale,
                "95% error": error,
                "relative error": self._relative(label, error, answer),
                "epsilon": epsilon,
            }
            for label, sensitivity, scale, error, answer, epsilon in (
                *zip(self.labels, *columns, self.epsilons),
                *derived,
            )
        ]

    def _relative(self, label: str, error: float, answer: float) -> float:
        """An error beside its answer; nan where the answer is 0, or the error in places."""
        in_places = any(row.label == label.split(", ")[0] and getattr(row, "grid", None)
                        for row in self.asked.rows)  # fmt: skip
        return error / abs(answer) if answer and not in_places else math.nan

    @cached_property
    def reader_rows(self) -> list[Reader]:
        """The rows of the table of readers; none where nothing can be published."""
        if self.refused:
            return []
        return self.asked.readers(self.rates, self.goal.before, float(self.already))

    @cached_property
    def _derived(self) -> list[Derived]:
        """What is computed of noisy answers; nothing where nothing can be published."""
        return [] if self.refused else self.asked.derived(self.rates)

    @property
    def readers(self) -> pd.DataFrame:
        """Reader, before, after, factor, whether exact, and whether promised, a row for each."""
        rows = [row._replace(reader=wording.reader(row)) for row in self.reader_rows]
        table = pd.DataFrame(rows, columns=list(Reader._fields))
        return table.assign(before=table["before"].astype(float))

    def choices(self) -> pd.DataFrame:
        """What to choose from: for each factor the 95 % error of every answer, and after.

        A row for each of the factors 1.5, 2, 3, 5, 10, 30, 100 and for that of this
        recommendation: factor, chosen, "error of" each answer (of a percentile in places),
        "after 1", "after 10" and "after 50" of 100, and for n = N - 1 what who "suspects
        nobody" gets.
        """
        return pd.DataFrame(self._choices).drop(columns="scales", errors="ignore")

    @cached_property
    def _choices(self) -> list[dict[str, Any]]:
        """The rows of the choices; none where no answer takes noise."""
        if self.refused or not self.asked.informative.any():
            return []
        chosen_factor, rows = self.odds, []
        finite = {chosen_factor} if chosen_factor < math.inf else set()
        for factor in sorted({*FACTORS} | finite):
            chosen = factor == chosen_factor
            rates = self.rates if chosen else self._rates_at(factor)
            if rates is None or (not chosen and abs(factor / chosen_factor - 1) < 1e-6):
                continue
            noise = scales_of(np.where(self.asked.informative, rates, math.inf))
            scales = self.scales if chosen else noise
            row = {"factor": factor, "chosen": chosen, "scales": scales}
            pairs = zip(self.labels, errors_of(self.asked, scales))
            row |= {f"error of {label}": error for label, error in pairs}
            row |= {f"error of {entry.label}": entry.error for entry in self.asked.derived(rates)}
            row |= {f"after {before}": after(before / 100, factor) for before in SUSPICIONS}
            if self.asked.one_is_missing:
                row["suspects nobody"] = self._nobody(rates, factor)
            rows.append(row)
        return rows

    def _nobody(self, rates: np.ndarray, factor: float) -> float:
        """How sure a reader gets who suspects nobody, at rates that keep a factor."""
        if self.already > 1:
            return after(1 / self.asked.records, factor)
        assert isinstance(self.asked, KnownFile)
        return self.asked.tight(rates)

    def _rates_at(self, factor: float) -> np.ndarray | None:
        """The rates that keep a factor, in this one's proportions; None where there are none."""
        direction = self.asked.ray(np.ones(1))
        if np.isfinite(self.rates).all():
            direction = np.where(direction > 0, self.rates, 0)
        left = loss_of(Fraction(factor) / self.already) if factor > self.already else 0.0
        along = largest_along(self.asked, direction, left)
        return on_ray(direction, along) if 0 < along < math.inf else None

    def curve(self, points: int = 201) -> pd.DataFrame:
        """The risk of each reader against the epsilon of all answers, from 0 to twice this one.

        It has so many points, at least 2, and beside the column epsilon one for each reader who
        is promised something.
        """
        rows = []
        shares = np.linspace(0, 2, checks.integer("points", points, 2))
        rates = self._rates_at(self.odds if self.odds < math.inf else FACTORS[-1])
        for share in shares if rates is not None else ():
            point = np.where(self.asked.informative, share * rates, rates)
            losses = np.where(self.asked.informative, point * self.asked.sensitivities, 0)
            readers = self.asked.readers(point, self.goal.before, float(self.already))
            beliefs = {wording.reader(row): row.after for row in readers if row.promised}
            rows.append({"epsilon": self.asked.total(losses)} | beliefs)
        return pd.DataFrame(rows)

    def sentences(self) -> list[str]:
        """What may be said to whoever signs, at most five; the first is the one to sign."""
        return wording.sentences(self)

    def of_100(self) -> dict[str, int]:
        """What a belief of so many of 100 may become."""
        if self.refused:
            return {}
        return {
            str(before): numbers.per_hundred(after(before / 100, self.odds))
            for before in SUSPICIONS
        }

    def to_dict(self) -> dict[str, Any]:
        """The result with its question, numbers rounded as they are printed.

        Scales, errors, risks and factors are rounded up, epsilons down, and what is infinite
        or not known is None. "private" is for the screen of whoever holds the file.
        """
        goal = self.goal
        factor = numbers.rounded_odds_factor
        return {
            "question": self.asked.facts()
            | {
                "situation": wording.SITUATIONS[self.asked.facts()["situation"]],
                "already": None if self.already == 1 else f"{float(self.already):.12g}",
                "version": f"dpchoose {metadata.version('dpchoose')}",
            },
            "accepted": {
                "goal": goal.name,
                "value": goal.text,
                "before": None if goal.before is None else numbers.format_prior(goal.before),
            },
            "status": self.status,
            "reason": self.reason,
            "factor": finite(self.odds, factor),
            "of 100": self.of_100(),
            "odds": wording.odds_in_a_line(self),
            "answers": self._answers(),
            "epsilon": finite(
                self.epsilon,
                numbers.round_up if goal.name == "scale" else numbers.round_down,
            ),
            "readers": [
                row._asdict()
                | {
                    "reader": wording.reader(row),
                    "before": float(
                        numbers.parse_number(numbers.format_prior(row.before), "before")
                    ),
                    "after": formats.rounded_probability(row.after),
                    "factor": finite(row.factor, factor),
                }
                for row in self.reader_rows
            ],
            "choices": [
                {
                    "factor": finite(row["factor"], factor),
                    "chosen": row["chosen"],
                    "errors": [
                        *self.printed_errors(row["scales"]),
                        *self.printed_expected(row["scales"]),
                    ],
                    "after": {
                        str(before): formats.rounded_probability(row[f"after {before}"])
                        for before in SUSPICIONS
                    },
                    "suspects nobody": finite(
                        row.get("suspects nobody", math.nan), formats.rounded_probability
                    ),
                }
                for row in self._choices
            ],
            "sentences": self.sentences(),
            "private": self._private(),
        }

    def _answers(self) -> list[dict[str, Any]]:
        """The rows of the table as they may be published: the error of a mean of two may not."""
        given = self.goal.name == "scale"
        scale = finite if given else finite_up
        errors = [*self.printed_errors(self.scales), *self.printed_expected()]
        k = len(self.scales) - sum(math.isinf(b) or b == 0 for b in self.scales)
        inside = 0.95 ** (1 / k) if k > 1 else 0.0
        together = [None] * len(errors)
        if k > 1 and not self.refused:
            together = [
                *self.printed_errors(self.scales, inside),
                *self.printed_expected(inside=inside),
            ]
        return [
            {
                "statistic": row["statistic"],
                "sensitivity": finite_up(row["sensitivity"]),
                "scale": scale(row["noise scale"]),
                "error": error,
                "together": within,
                "places": isinstance(self._noise(index), Drawn),
                "epsilon": finite(
                    row["epsilon"], numbers.round_up if given else numbers.round_down
                ),
                "exact": None if row["noise scale"] else self.asked.exact(index),
            }
            for index, (error, within, row) in enumerate(zip(errors, together, self._table))
        ]

    def _noise(self, index: int) -> Noise | None:
        """The law of an answer's noise; None of what is computed of two."""
        return self.asked.noise_of(index, 1.0) if index < len(self.scales) else None

    def _printed(self, scales: np.ndarray) -> np.ndarray:
        """Scales as they are printed."""
        if self.goal.name == "scale":
            return scales
        return np.array([finite_up(b) if b < math.inf else b for b in scales], dtype=float)

    def printed_errors(self, scales: np.ndarray, inside: float = 0.95) -> list[float | None]:
        """The errors of noise that is drawn with scales as they are printed."""
        errors = errors_of(self.asked, self._printed(scales), inside)
        return [finite(error, formats.rounded_error) for error in errors]

    def printed_expected(
        self, scales: np.ndarray | None = None, inside: float = 0.95
    ) -> list[float | None]:
        """The public errors of what is computed of noisy answers; None where n is not guessed."""
        if self.refused:
            return []
        scales = self._printed(self.scales if scales is None else scales)
        errors = self.asked.expected_errors(scales, inside)
        return [None if e is None else finite(e, formats.rounded_error) for e in errors]

    def _private(self) -> dict[str, Any]:
        """What is for the screen of whoever holds the file."""
        shares = [row["relative error"] for row in self._table]
        unit_errors = self.asked.unit_errors(self.scales)
        return {
            "answers": [finite(answer) for answer in self.asked.answers()],
            "planned": [
                {
                    "statistic": row.label,
                    "answer": finite(row.answer),
                    "error": finite(row.error),
                }
                for row in self._derived
            ],
            "choices": [
                [finite(row[f"error of {entry.label}"]) for entry in self._derived]
                for row in self._choices
            ],
            "relative errors": [finite_up(share) for share in shares],
            "errors in the unit": [None if self.refused else error for error in unit_errors],
            "advice": wording.advice(self, large=any(share > LARGE for share in shares)),
        }

    def _repr_html_(self) -> str:
        report = self.to_dict()
        tables = (
            pd.DataFrame(report[name]).dropna(axis=1, how="all") for name in ("answers", "readers")
        )
        items = "".join(f"<li>{html.escape(text)}</li>" for text in report["sentences"])
        head = f"<p><strong>{html.escape(self.status)}</strong> {html.escape(self.reason)}</p>"
        shown = "".join(table.to_html(index=False, border=0) for table in tables if len(table))
        return f"{head}{shown}<ul>{items}</ul>"


def loss_of(factor: Any) -> float:
    """The privacy loss of an odds factor, its logarithm, rounded down."""
    return numbers.log(Fraction(factor)) * (1 - 8 * UNIT)


def largest_along(question: Question, direction: np.ndarray, loss: float) -> float:
    """How far along a ray the promised loss is kept; 0 for nowhere, inf for everywhere."""
    distance = question.distance(direction)  # it grows in proportion
    return loss / distance * (1 - 2.0**-40) if distance else math.inf


def scales_of(rates: np.ndarray) -> np.ndarray:
    """The scales of some rates, rounded up; 0 without noise."""
    with np.errstate(divide="ignore"):
        scales = 1 / rates
    return np.where(np.isinf(rates) | (rates == 0), scales, np.nextafter(scales, math.inf))


def errors_of(question: Question, scales: np.ndarray, inside: float = 0.95) -> np.ndarray:
    """The errors of noise of some scales, each by its own law, rounded up."""
    errors = [
        question.noise_of(index, scale).error(inside) if scale == scale else math.nan
        for index, scale in enumerate(scales.tolist())
    ]
    return np.where(scales == 0, 0, np.nextafter(errors, math.inf))


def finite(value: float, rounded: Callable[[float], Any] = float) -> float | None:
    """A number as it is printed; None where there is none."""
    return float(rounded(value)) if math.isfinite(value) else None


def finite_up(value: float) -> float | None:
    """A number rounded up, as it is printed."""
    return finite(value, numbers.round_up)
