r"""A question says who is in the file and what is asked; a verb says what is accepted.

Every verb ends in rates t of noise along one ray, on which the privacy loss grows in proportion.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks, numbers
from dpchoose import later as pd
from dpchoose.checks import require
from dpchoose.queries import Statistic, statistic
from dpchoose.risk.inverse import UnattainableRisk, on_ray
from dpchoose.risk.odds import after
from dpchoose.your_data import report, wording, words
from dpchoose.your_data.asked import (
    BESIDE_OTHERS,
    SUSPICIONS,
    Asked,
    Found,
    Goal,
    Reader,
    loss_of,
    scales_of,
)
from dpchoose.your_data.noise import Drawn
from dpchoose.your_data.shares import parse_condition, values_of_share

LEAST_LEFT = 1e-12  # a privacy loss that is nothing
NEEDS_BEFORE = "risk must come with before"
SAY_BEFORE = ": say how sure she is of one person, or what factor you accept (odds)"
TABLE = ("statistic", "sensitivity", "noise scale", "95% error", "epsilon")


class Question(Asked):
    """What is asked of a file, with the five verbs.

    Attributes:
        weights: in which the statistics share the loss.
        scales_from: the bracket before 0 in the scales that may be given.
    """

    weights: np.ndarray
    scales_from = "("

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
            return Noise(self, goal, rates, scales_of(rates))
        ray = self.ray(self.weights)
        total = self.total(ray * self.sensitivities) or 1.0
        return self._along(ray, given[0] / total, goal)

    def at_scale(self, scale: Any) -> "Noise":
        """What noise of a scale gives: one for all answers that get noise, or one for each."""
        return self._with_scales(self._each("scale", scale), Goal("scale", _written(scale)))

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
        return Noise(self, goal, rates, np.where(self.informative, scales_of(rates), 0.0))

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


class Noise(Found):
    """Which noise each answer gets, and how sure it leaves every reader: in tables and words.

    Attributes:
        question: what is asked of which file.
        goal: what was accepted, or given.
        rates: 1/scale of the noise of each answer, (K,).
        scales: of the noise of each answer, in its unit, (K,); 0 of an answer without noise.
    """

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
    def table(self) -> "pd.DataFrame":
        """Statistic, sensitivity, noise scale, 95% error and epsilon of each answer.

        A mean with n hidden is computed of a centred sum and a count: it stands last, without a
        scale. Its error is that with n rows or more, where n is guessed; else it is planned from
        the records, to one digit, and for you alone.
        """
        rows = [(*row[:4], row.epsilon) for row in self.answers]
        return pd.DataFrame(rows, columns=TABLE)

    @property
    def readers(self) -> "pd.DataFrame":
        """Reader, before, after, factor, whether exact, and whether promised, a row for each."""
        rows = [row._replace(reader=wording.reader(row)) for row in self.reader_rows]
        table = pd.DataFrame(rows, columns=list(Reader._fields))
        return table.assign(before=table["before"].astype(float))

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


def _written(value: Any) -> str:
    """A value, or the values of a list, as they were written."""
    return ", ".join(map(str, value if isinstance(value, (list, tuple)) else [value]))
