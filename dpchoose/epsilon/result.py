r"""The answer to which noise: numbers in a table, readers beside it, words, and one dictionary.

Text, CSV, JSON, pages and pictures print what :meth:`Recommendation.to_dict` holds.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpchoose import checks
from dpchoose.data.later import pd
from dpchoose.epsilon import text
from dpchoose.epsilon.everybody import Everybody
from dpchoose.epsilon.inverse import Ray
from dpchoose.epsilon.readers import KnownFile, Reader, furthest, grown
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after

CONFIDENT = math.log(20)  # times the scale: Laplace noise is smaller with 95% probability
FACTORS = (1.5, 2, 3, 5, 10, 30, 100)
OF_100 = (1, 10, 50)
LARGE = 0.1  # an error beside the answer
PUBLISHED = (
    "It holds for these answers, published once, where a person has one row: the same question "
    "again is a further answer."
)


class Goal(NamedTuple):
    """What is accepted: which goal, its value as given and as a number, and the belief before."""

    name: str
    given: Any
    value: Any
    before: Fraction | None

    def __str__(self) -> str:
        parts = self.given if isinstance(self.given, (list, tuple)) else [self.given]
        return f"{self.name} {', '.join(map(str, parts))}"


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which noise to add, and how sure it leaves every reader.

    Attributes:
        setting: what is asked of which file.
        goal: what is accepted.
        rates: of the noise of all answers, those that are out included, (K,).
        scales: of the noise of each new answer; nan where nothing can be published.
        errors: that the noise exceeds 5 times in 100, likewise.
        epsilons: likewise; nan also of an answer that is the same in every world.
        status: "ok" (what was accepted is kept), "exact" (without noise), "computed" (nothing
            was accepted), "nothing left" (what is out uses it up), or "cannot be met".
        reason: why, or for whom.
    """

    setting: KnownFile | Everybody
    goal: Goal
    rates: np.ndarray
    scales: np.ndarray
    errors: np.ndarray
    epsilons: np.ndarray
    status: str
    reason: str

    @property
    def epsilon(self) -> float:
        """Of the new answers together: inf where none needs noise, nan where none can be had.

        Answers that are the same in every world are set aside: they have none.
        """
        if not self._rows:
            return math.nan
        return self.setting.total(np.nan_to_num(self.epsilons, posinf=math.inf))

    @property
    def odds(self) -> float:
        """The largest factor that is promised; nan where nothing can be published."""
        if not self._rows:
            return math.nan
        return grown("", Fraction(1, 2), self.setting.distance(self.rates)).factor

    @property
    def labels(self) -> list[str]:
        """What each new answer is called."""
        return self.setting.labels

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
        new, setting = self.setting.new, self.setting
        known = setting.sensitivities[new], self.scales, self.errors, setting.answers()[new]
        made = ((one, math.nan, math.nan, e, value, math.nan) for one, value, e in self._derived)
        every = *zip(self.labels, *known, self.epsilons), *made
        return [
            {
                "statistic": label,
                "sensitivity": sensitivity,
                "noise scale": scale,
                "95% error": error,
                "relative error": error / abs(answer) if answer else math.nan,
                "epsilon": epsilon,
            }
            for label, sensitivity, scale, error, answer, epsilon in every
        ]

    @cached_property
    def _rows(self) -> list[Reader]:
        """The rows of the table of readers; none where nothing can be published."""
        refused = self.status in ("cannot be met", "nothing left")
        return [] if refused else self.setting.readers(self.rates, self.goal.before)

    @cached_property
    def _derived(self) -> list[tuple[str, float, float]]:
        """What is computed of noisy answers; nothing where nothing can be published."""
        return self.setting.derived(self.rates) if self._rows else []

    @property
    def readers(self) -> pd.DataFrame:
        """Reader, before, after, factor, whether exact, and whether promised, a row for each."""
        found = pd.DataFrame(self._rows, columns=list(Reader._fields))
        return found.assign(before=found["before"].astype(float))

    def choices(self) -> pd.DataFrame:
        """What to choose from: for each factor the 95 % error of every new answer, and after.

        A row for each of the factors 1.5, 2, 3, 5, 10, 30, 100 and for that of this
        recommendation: factor, chosen, "error of" each answer, "after 1", "after 10" and
        "after 50" of 100, and for n = N - 1 what who "suspects nobody" gets.
        """
        return pd.DataFrame(self._choices).drop(columns="scales", errors="ignore")

    @cached_property
    def _choices(self) -> list[dict[str, Any]]:
        """The rows of the choices; none where no answer takes noise."""
        if not self._rows or not self.setting.telling[self.setting.new].any():
            return []
        mine, rows = self.odds, []
        for factor in sorted({*FACTORS, *([mine] if mine < math.inf else ())}):
            chosen = factor == mine
            rates = self.rates if chosen else self._at(factor)
            if rates is None or (not chosen and abs(factor / mine - 1) < 1e-6):
                continue
            noise = scales_of(np.where(self.setting.telling, rates, math.inf)[self.setting.new])
            row = {"factor": factor, "chosen": chosen, "scales": self.scales if chosen else noise}
            pairs = zip(self.labels, errors_of(row["scales"]))
            row |= {f"error of {label}": error for label, error in pairs}
            row |= {f"error of {one}": e for one, _, e in self.setting.derived(rates)}
            row |= {f"after {of}": after(of / 100, factor) for of in OF_100}
            if self.setting.all_but_one:
                row["suspects nobody"] = self.setting.tight(rates)
            rows.append(row)
        return rows

    def _at(self, factor: float) -> np.ndarray | None:
        """The rates that keep a factor, in this one's proportions; None where there are none."""
        ray = self.setting.ray(np.ones(1))
        if np.isfinite(self.rates).all():
            ray = Ray(ray.base, np.where(ray.direction > 0, self.rates, 0))
        far = furthest(self.setting, ray, math.log(factor) * (1 - 8 * UNIT))
        return ray.at(far) if 0 < far < math.inf else None

    def curve(self, points: int = 201) -> pd.DataFrame:
        """The risk of each reader against the epsilon of all answers, from 0 to twice this one.

        It has so many points, at least 2, and beside the column epsilon one for each reader who
        is promised something.
        """
        setting, rows = self.setting, []
        shares = np.linspace(0, 2, checks.integer("points", points, 2))
        at = self._at(self.odds if self.odds < math.inf else FACTORS[-1])
        for share in shares if at is not None else ():
            rates = np.where(setting.new & setting.telling, share * at, at)
            known = np.where(setting.telling, rates * setting.sensitivities, 0)
            found = setting.readers(rates, self.goal.before)
            afters = {row.reader: row.after for row in found if row.promised}
            rows.append({"epsilon": setting.total(known[setting.new])} | afters)
        return pd.DataFrame(rows)

    def sentences(self) -> list[str]:
        """What may be said to whoever signs, at most five; the first is the one to sign."""
        if not self._rows:
            return [f"Nothing can be published so: {self.reason}."]
        asked, names = self.setting.questions, self.setting.names
        said = [text.spoken(one) for one in asked] if len(asked) <= 4 else [f"{len(asked)} answers"]
        what = " and ".join(filter(None, [", ".join(said[:-1]), said[-1]]))
        what = what[:1].upper() + what[1:] + text.in_each(names)
        may = "is published" if len(asked) == 1 else "are published"
        may = may if self.status == "computed" else "may be published"
        how = f"without noise: {self.reason}"
        if self.status != "exact":
            noise = "Laplace noise of the scales in the table"
            if len(asked) == len(self.labels) == 1:
                error = text.round_up(self._errors_of(self.scales)[0])
                noise = f"Laplace noise (below {error} in 95 of 100 draws)"
            how = f"with {noise}: {self.suspicions()}"
        return [*self.setting.sentences(self._rows, what, f"{may} {how}"), PUBLISHED]

    def suspicions(self) -> str:
        """Three suspicions in whole numbers, and the factor."""
        about = f"how sure a reader may get about {self.setting.about}"
        if not self._rows:
            return ""
        if self.odds == math.inf:
            return f"{about}: certain"
        one, ten, half = self._of_100().values()
        return (
            f"{about}, of 100: 1 may become {one}, 10 become {ten}, 50 become {half}, at most "
            f"(factor {text.factor(self.odds)})"
        )

    def _of_100(self) -> dict[str, int]:
        """What a belief of so many of 100 may become."""
        return {str(of): text.of_100(after(of / 100, self.odds)) for of in OF_100 if self._rows}

    def to_dict(self) -> dict[str, Any]:
        """The result with its question, numbers rounded as they are printed.

        Scales, errors, risks and factors are rounded up, epsilons down, and what is infinite
        or not known is None. "private" is for the screen of whoever holds the file.
        """
        goal = self.goal
        return {
            "question": self.setting.question(),
            "accepted": {
                "goal": goal.name,
                "value": str(goal).removeprefix(goal.name).strip(),
                "before": None if goal.before is None else text.before(goal.before),
            },
            "status": self.status,
            "reason": self.reason,
            "factor": _plain(self.odds, text.as_factor),
            "of 100": self._of_100(),
            "answers": self._answers(),
            "epsilon": _plain(self.epsilon, text.round_down),
            "readers": [
                row._asdict()
                | {"before": float(text.parse_number(text.before(row.before), "before"))}
                | {"after": text.as_shown(row.after), "factor": _plain(row.factor, text.as_factor)}
                for row in self._rows
            ],
            "choices": [
                {
                    "factor": _plain(row["factor"], text.as_factor),
                    "chosen": row["chosen"],
                    "errors": self._errors_of(row["scales"]),
                    "after": {str(of): text.as_shown(row[f"after {of}"]) for of in OF_100},
                    "suspects nobody": _plain(row.get("suspects nobody", math.nan), text.as_shown),
                }
                for row in self._choices
            ],
            "sentences": self.sentences(),
            "private": self._private(),
        }

    def _answers(self) -> list[dict[str, Any]]:
        """The rows of the table as they may be published: the error of a mean of two may not."""
        scale = _plain if self.goal.name == "scale" else _up
        of_two = [None] * len(self._derived)
        places = [*np.flatnonzero(self.setting.new).tolist(), *of_two]
        errors = [*self._errors_of(self.scales), *of_two]
        return [
            {
                "statistic": row["statistic"],
                "sensitivity": _up(row["sensitivity"]),
                "scale": scale(row["noise scale"]),
                "error": error,
                "epsilon": _plain(row["epsilon"], text.round_down),
                "exact": None if row["noise scale"] else self.setting.exact(place),
            }
            for place, error, row in zip(places, errors, self._table)
        ]

    def _errors_of(self, scales: np.ndarray) -> list[float | None]:
        """The errors of noise that is drawn with scales as they are printed."""
        if self.goal.name != "scale":
            scales = np.array([_up(one) if one < math.inf else one for one in scales])
        return [_up(one) for one in errors_of(scales)]

    def _private(self) -> dict[str, Any]:
        """What is for the screen of whoever holds the file."""
        shares, derived = [row["relative error"] for row in self._table], self._derived
        return {
            "answers": [_plain(one) for one in self.setting.answers()[self.setting.new]],
            "planned": [
                {"statistic": label, "answer": _plain(answer), "error": _plain(error)}
                for label, answer, error in derived
            ],
            "choices": [
                [_plain(row[f"error of {one}"]) for one, *_ in derived] for row in self._choices
            ],
            "relative errors": [_up(share) for share in shares],
            "advice": self.setting.advice(self.odds, any(share > LARGE for share in shares)),
        }

    def _repr_html_(self) -> str:
        shown = self.to_dict()
        tables = (
            pd.DataFrame(shown[part]).dropna(axis=1, how="all") for part in ("answers", "readers")
        )
        listed = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in shown["sentences"])
        head = f"<p><strong>{html.escape(self.status)}</strong> {html.escape(self.reason)}</p>"
        parts = (one.to_html(index=False, border=0) for one in tables if len(one))
        return f"{head}{''.join(parts)}<ul>{listed}</ul>"


def scales_of(rates: np.ndarray) -> np.ndarray:
    """The scales of some rates, rounded up; 0 without noise."""
    with np.errstate(divide="ignore"):
        scales = 1 / rates
    return np.where(np.isinf(rates) | (rates == 0), scales, np.nextafter(scales, math.inf))


def errors_of(scales: np.ndarray) -> np.ndarray:
    """The 95 % errors of noise of some scales, rounded up."""
    return np.where(scales == 0, 0, np.nextafter(scales * CONFIDENT, math.inf))


def _plain(value: float, rounded: Callable[[float], Any] = float) -> float | None:
    """A number as it is printed; None where there is none."""
    return float(rounded(value)) if math.isfinite(value) else None


def _up(value: float) -> float | None:
    """A number rounded up, as it is printed."""
    return _plain(value, text.round_up)
