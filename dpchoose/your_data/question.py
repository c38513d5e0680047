r"""What is asked of a file, whichever of the two situations it is asked in.

A :class:`Question` knows distances and facts, and no English: all words of a result stand in
:mod:`dpchoose.your_data.wording`. Rates, scales and sensitivities are those of all answers that
get noise, of group after group, shape (K,).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpchoose.queries import Statistic, statistic
from dpchoose.risk.kernel import UNIT
from dpchoose.risk.odds import after
from dpchoose.your_data.noise import Continuous, Noise
from dpchoose.your_data.shares import parse_condition, values_of_share

LARGEST_LOSS = 700.0  # a privacy loss whose factor is still a float
ROUNDED_UP = 1 + 64 * UNIT


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
    exact: bool
    promised: bool


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


class Question(ABC):
    """What is asked of a file, and how far apart the lists lie that a reader compares.

    Attributes:
        questions: the label of each statistic that was asked for, without the groups.
        rows: the answers that get noise in each group, d of them; each has a label and a query.
        groups: the names of the groups; empty without groups.
        records: the number N of records in the file.
        one_is_missing: whether a reader asks which single record is missing: n = N - 1 of a
            known file.
        sensitivities: the sensitivity of each answer for which epsilon is stated, (K,).
        informative: which answers are not the same in every list that a reader compares, (K,).
    """

    questions: list[str]
    rows: tuple[Any, ...]
    groups: tuple[Any, ...]
    records: int
    one_is_missing: bool
    sensitivities: np.ndarray
    informative: np.ndarray

    @property
    def labels(self) -> list[str]:
        """The label of each answer that gets noise, K of them."""
        return in_groups(self.groups, [row.label for row in self.rows])

    @abstractmethod
    def ray(self, weights: np.ndarray) -> np.ndarray:
        """The direction of the rates, (K,), in which the questions share the loss as weights."""

    @abstractmethod
    def distance(self, rates: np.ndarray) -> float:
        """The largest privacy loss between two lists that the promise covers, rounded up."""

    @abstractmethod
    def readers(
        self, rates: np.ndarray, before: Fraction | None = None, already: float = 1.0
    ) -> list[Reader]:
        """The table of readers, with ``before`` for that belief as well.

        ``already`` is the factor of what was published earlier.
        """

    @abstractmethod
    def answers(self) -> np.ndarray:
        """The exact answers, (K,), for the private screen; nan where there is none."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The question as a dictionary, for whoever finds the answer."""

    def total(self, epsilons: np.ndarray) -> float:
        """The epsilon of all answers together, of the epsilon of each, (K,)."""
        return float(epsilons.sum())

    def noise_of(self, index: int, scale: float) -> Noise:
        """The law of the noise of an answer."""
        return Continuous(scale)

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


def in_groups(groups: Sequence[Any], labels: list[str]) -> list[str]:
    """The labels of some answers, of group after group.

    >>> in_groups(("north", "south"), ["count"])
    ['count, north', 'count, south']
    """
    return [f"{label}, {group}" for group in groups for label in labels] or labels


def reader_at(
    reader: str, before: Fraction, loss: float, *, already: float = 1.0, promised: bool = True
) -> Reader:
    """The row of a reader for whom two lists lie at most a privacy loss apart."""
    factor = math.exp(loss) * ROUNDED_UP * already if loss < LARGEST_LOSS else math.inf
    belief = min(after(float(before), factor) * ROUNDED_UP, 1.0)
    return Reader(reader, before, belief, factor, exact=False, promised=promised)


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
