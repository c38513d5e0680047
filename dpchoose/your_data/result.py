r"""The answer to which noise: numbers in a table, readers beside it, words, and a dictionary.

Text, CSV, JSON, pages and pictures print what :meth:`Recommendation.to_dict` holds.
"""

import html
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from dpchoose import __version__, checks, numbers
from dpchoose.risk.inverse import SHAVED, on_ray
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after
from dpchoose.your_data import later as pd
from dpchoose.your_data import wording
from dpchoose.your_data.formats import rounded_prior, rounded_probability
from dpchoose.your_data.noise import Drawn
from dpchoose.your_data.question import Answer, Question, Reader, reader_at
from dpchoose.your_data.wording import SUSPICIONS, Context

FACTORS = (1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
REFUSED = ("cannot be met", "nothing left")
TABLE = ("statistic", "sensitivity", "noise scale", "95% error", "relative error", "epsilon")
ROUNDED = {  # how a number is printed, by its name; all others as they are
    "sensitivity": numbers.round_up,
    "scale": numbers.round_up,
    "epsilon": numbers.round_down,
    "errors": partial(numbers.rounded_up_to, digits=2),
    "relative errors": numbers.round_up,
    "factor": numbers.rounded_up_to,
    "before": rounded_prior,
    "after": rounded_probability,
    "suspects nobody": rounded_probability,
}
AS_GIVEN = {"scale": float, "epsilon": numbers.round_up}  # where scales are given


class Goal(NamedTuple):
    """What is accepted.

    Attributes:
        name: which goal.
        value: a number, of a risk and of odds exact; or one for each answer.
        text: the value as it was given.
        before: the belief before that goes with a risk; or None.
        factor: the odds factor that is accepted, exact; None where none is.
    """

    name: str
    value: Any
    text: str
    before: Fraction | None
    factor: Fraction | None

    @property
    def is_plain_risk(self) -> bool:
        """Whether it is a risk of who suspects nobody."""
        return self.name == "risk" and self.before is None

    def __str__(self) -> str:
        started = "" if self.before is None else f" from {numbers.format_fraction(self.before)}"
        return f"{self.name} {self.text}{started}"


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which noise to add, and how sure it leaves every reader.

    Attributes:
        asked: what is asked of which file.
        goal: what is accepted.
        already: the factor of what was published earlier.
        rates: 1/scale of the noise of each answer, (K,).
        scales: of the noise of each answer, in its unit, (K,); nan where nothing can be published.
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
    status: str
    reason: str
    context: Context = field(default_factory=Context)

    @property
    def refused(self) -> bool:
        """Whether nothing can be published."""
        return self.status in REFUSED

    @property
    def noisy(self) -> int:
        """How many answers get noise."""
        return int(np.count_nonzero(np.isfinite(self.scales) & (self.scales > 0)))

    @property
    def epsilons(self) -> np.ndarray:
        """The epsilon of each answer; nan also of one that is the same in every world."""
        with np.errstate(invalid="ignore"):
            epsilons = self.rates * self.asked.sensitivities * SHAVED
        if self.goal.name == "epsilon":  # as they were given
            epsilons = np.array([float(f"{epsilon:.14g}") for epsilon in epsilons])
        return np.where(self.asked.informative, epsilons, math.nan)

    @property
    def epsilon(self) -> float:
        """That of all answers together; inf where exact ones are accepted, nan where none can be.

        An answer that is the same in every world counts 0.
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

    @cached_property
    def derived(self) -> list[Answer]:
        """What is computed of noisy answers; nothing where nothing can be published."""
        return [] if self.refused else self.asked.derived(self.rates)

    @cached_property
    def answers(self) -> list[Answer]:
        """The rows of the table, with what is computed of noisy answers last."""
        asked, errors = self.asked, errors_of(self.asked, self.scales)
        columns = asked.sensitivities, self.scales, errors, asked.answers(), self.epsilons
        places = [isinstance(asked.noise_of(i, 1.0), Drawn) for i in range(len(errors))]
        return [*map(Answer, asked.labels, *columns, places), *self.derived]

    @property
    def table(self) -> "pd.DataFrame":
        """Statistic, sensitivity, noise scale, 95% error, relative error, epsilon of each answer.

        The relative error, nan where the answer is 0, drawn or not known, is for you alone: 95%
        error / relative error is the exact answer. For you alone, too, is the error of what is
        computed of noisy answers, which stands last, without a scale: it is planned from the
        records, to one digit.
        """
        rows = [(*row[:4], row.relative, row.epsilon) for row in self.answers]
        return pd.DataFrame(rows, columns=TABLE)

    @cached_property
    def reader_rows(self) -> list[Reader]:
        """The rows of the table of readers; none where nothing can be published."""
        return [] if self.refused else self._readers_at(self.rates)

    def _readers_at(self, rates: np.ndarray) -> list[Reader]:
        """The rows of the table of readers at some rates."""
        rows = self.asked.readers(rates, self.goal.before, float(self.already))
        return [row._replace(reader=wording.reader(row)) for row in rows]

    @property
    def readers(self) -> "pd.DataFrame":
        """Reader, before, after, factor, whether exact, and whether promised, a row for each."""
        table = pd.DataFrame(self.reader_rows, columns=list(Reader._fields))
        return table.assign(before=table["before"].astype(float))

    @cached_property
    def offers(self) -> dict[float, "Recommendation"]:
        """The noise of each factor from which to choose; none where no answer takes noise."""
        informative, chosen, offers = self.asked.informative, self.odds, {}
        if self.refused or not informative.any():
            return {}
        for factor in sorted({*FACTORS} | {chosen} - {math.inf}):
            rates = self._rates_at(factor)
            if factor == chosen:
                offers[factor] = self
            elif rates is not None and abs(factor / chosen - 1) >= 1e-6:
                scales = np.where(informative, scales_of(rates), self.scales)
                offers[factor] = replace(self, rates=rates, scales=scales)
        return offers

    def _rates_at(self, factor: float) -> np.ndarray | None:
        """The rates that keep a factor, in this one's proportions; None where there are none."""
        direction = self.asked.ray(np.ones(1))
        if np.isfinite(self.rates[direction > 0]).all():
            direction = np.where(direction > 0, self.rates, 0)
        left = loss_of(Fraction(factor) / self.already) if factor > self.already else 0.0
        along = largest_along(self.asked, direction, left)
        return on_ray(direction, along) if 0 < along < math.inf else None

    def _suspects_nobody(self, factor: float) -> float | None:
        """How sure a reader gets who is missing, and suspects nobody; None where others ask."""
        if not self.asked.one_is_missing:
            return None
        known = self.already == 1  # else what an earlier answer gave is known by its factor alone
        return self.reader_rows[0].after if known else after(1 / self.asked.records, factor)

    def choices(self) -> "pd.DataFrame":
        """What to choose from: for each factor the 95% error of every answer, and after.

        A row for each of the factors 1.5, 2, 3, 5, 10, 30, 100 and for that of this
        recommendation: factor, chosen, "error of" each answer (of a percentile in places),
        "after 1", "after 10" and "after 50" of 100, and for n = N - 1 what a reader
        who "suspects nobody" gets.
        """
        rows = []
        for factor, offer in self.offers.items():
            row = {"factor": factor, "chosen": offer is self}
            row |= {f"error of {answer.statistic}": answer.error for answer in offer.answers}
            row |= {f"after {of}": after(of / 100, factor) for of in SUSPICIONS}
            if self.asked.one_is_missing:
                row["suspects nobody"] = offer._suspects_nobody(factor)
            rows.append(row)
        return pd.DataFrame(rows)

    def curve(self, points: int = 201) -> "pd.DataFrame":
        """The risk of each reader against the epsilon of all answers, from 0 to twice this one.

        It has so many points, at least 2 (none where no noise is needed), and beside the column
        epsilon one for each reader who is promised something.
        """
        rows = []
        shares = np.linspace(0, 2, checks.integer("points", points, 2))
        rates = self._rates_at(self.odds if self.odds < math.inf else FACTORS[-1])
        for share in shares if rates is not None else ():
            readers = self._readers_at(share * rates)
            beliefs = {row.reader: row.after for row in readers if row.promised}
            epsilon = self.asked.total(share * rates * self.asked.sensitivities)
            rows.append({"epsilon": epsilon} | beliefs)
        return pd.DataFrame(rows)

    def sentences(self) -> list[str]:
        """The promise, on what it rests, and what it leaves open: five paragraphs at most."""
        return wording.sentences(self)

    def of_100(self) -> dict[str, int]:
        """What a belief of so many of 100 may become."""
        suspicions = () if self.refused else SUSPICIONS
        return {str(of): numbers.per_hundred(after(of / 100, self.odds)) for of in suspicions}

    def printed_errors(self, inside: float = 0.95) -> list[float | None]:
        """The errors of all answers, of noise that is drawn with scales as they are printed.

        That of an answer that is computed of noisy ones is the public one; None where n is not
        guessed.
        """
        scales = self.scales
        if self.goal.name != "scale":
            scales = np.array([float(numbers.round_up(b)) if b < math.inf else b for b in scales])
        errors = [*errors_of(self.asked, scales, inside)]
        if not self.refused:
            errors += self.asked.expected_errors(scales, inside)
        return printed(errors, ROUNDED, "errors")

    def to_dict(self) -> dict[str, Any]:
        """The result with its question, numbers rounded as they are printed.

        Scales, errors, risks and factors are rounded up, epsilons down, and what is infinite
        or not known is None. "private" is for the screen of whoever holds the file.
        """
        goal, facts = self.goal, self.asked.facts()
        errors, k = self.printed_errors(), self.noisy
        together = self.printed_errors(0.95 ** (1 / k)) if k > 1 else [None] * len(errors)
        report = {
            "question": facts
            | {"situation": wording.SITUATIONS[facts["situation"]]}
            | {"already": None if self.already == 1 else f"{float(self.already):.12g}"}
            | {"version": f"dpchoose {__version__}"},
            "accepted": {
                "goal": goal.name,
                "value": goal.text,
                "before": None if goal.before is None else numbers.format_prior(goal.before),
            },
            "status": self.status,
            "reason": self.reason,
            "factor": self.odds,
            "of 100": self.of_100(),
            "odds": wording.odds_in_a_line(self),
            "answers": [
                {name: value for name, value in row._asdict().items() if name != "answer"}
                | {"error": error, "together": within}
                | {"exact": None if row.scale else self.asked.exact(index)}
                for index, (row, error, within) in enumerate(zip(self.answers, errors, together))
            ],
            "epsilon": self.epsilon,
            "readers": [row._asdict() for row in self.reader_rows],
            "choices": [
                {
                    "factor": factor,
                    "chosen": offer is self,
                    "errors": offer.printed_errors(),
                    "after": {str(of): after(of / 100, factor) for of in SUSPICIONS},
                    "suspects nobody": offer._suspects_nobody(factor),
                }
                for factor, offer in self.offers.items()
            ],
            "sentences": self.sentences(),
            "private": {
                "answers": [row.answer for row in self.answers[: len(self.scales)]],
                "planned": [row._asdict() for row in self.derived],
                "choices": [[row.error for row in offer.derived] for offer in self.offers.values()],
                "relative errors": [row.relative for row in self.answers],
                "errors in the unit": self.asked.unit_errors(self.scales),
                "advice": wording.advice(self),
            },
        }
        return printed(report, ROUNDED | AS_GIVEN if goal.name == "scale" else ROUNDED)

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


def scales_of(rates: np.ndarray, informative: Any = True) -> np.ndarray:
    """The scales of some rates, rounded up; an answer that is not informative needs no noise."""
    with np.errstate(divide="ignore"):
        scales = np.where(informative, 1 / rates, 0.0)
    return np.where((scales == 0) | np.isinf(scales), scales, np.nextafter(scales, math.inf))


def errors_of(question: Question, scales: np.ndarray, inside: float = 0.95) -> np.ndarray:
    """The errors of noise of some scales, each by its own law, rounded up."""
    errors = [
        question.noise_of(index, scale).error(inside) if scale == scale else math.nan
        for index, scale in enumerate(scales.tolist())
    ]
    exact = (scales == 0) | (np.array(errors) == 0)  # whole noise that is 0 nearly always
    return np.where(exact, 0, np.nextafter(errors, math.inf))


def printed(value: Any, rounded: dict[str, Callable[[Any], Any]], name: str = "") -> Any:
    """A report as it is printed: numbers rounded by their names, None for what is not finite."""
    if isinstance(value, dict):
        return {
            key: printed(entry, rounded, key if key in rounded else name)
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [printed(entry, rounded, name) for entry in value]
    if not isinstance(value, (float, Fraction)):
        return value
    return float(rounded.get(name, float)(value)) if math.isfinite(value) else None
