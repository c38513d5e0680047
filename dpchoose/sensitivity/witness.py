"""What a sensitivity is: a number, and two datasets that show it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Pair = tuple[float, np.ndarray, np.ndarray]  # change, and the positions of D and of D'


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """The largest change of an answer, and two datasets between which it occurs.

    Attributes:
        value: the sensitivity, in the unit of the answer, at least 0.
        dataset: the values of D, sorted; the release for a local sensitivity.
        neighbour: the values of D', sorted.

    ``float(sensitivity)`` is its value.
    """

    value: float
    dataset: np.ndarray
    neighbour: np.ndarray

    @classmethod
    def between(cls, values: np.ndarray, pair: Pair) -> Sensitivity:
        """The sensitivity that a pair of positions among the values attains.

        A change below 0 is none, rounded.
        """
        change, *positions = pair
        return cls(max(change, 0.0), *(np.sort(values[some]) for some in positions))

    def __float__(self) -> float:
        return self.value
