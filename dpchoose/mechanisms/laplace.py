"""How an answer is released: the noise, or the choice, that protects it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks


@dataclass(frozen=True, kw_only=True)
class Laplace:
    r"""An answer plus Laplace noise of scale sensitivity / epsilon.

    Dwork and Roth (2014), definitions 3.2 and 3.3. For study only: floats
    drawn this way are not safe for a real release (Mironov 2012).

    Args:
        epsilon: in (0, inf].
        sensitivity: of the query, in [0, inf), in the unit of the answer.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> Laplace(epsilon=2, sensitivity=17 / 6).scale
    1.4166666666666667
    """

    epsilon: float
    sensitivity: float

    def __post_init__(self) -> None:
        checks.number("epsilon", self.epsilon, 0, math.inf, closed="(]")
        checks.sensitivity(self.sensitivity)

    @property
    def scale(self) -> float:
        """The scale b of the noise, in the unit of the answer."""
        return float(self.sensitivity) / float(self.epsilon)

    def density(self, x: Any, centre: Any) -> np.ndarray:
        """Density at output x when the answer is centre; the two broadcast.

        The scale must be positive.

        >>> float(Laplace(epsilon=1, sensitivity=1).density(0, 0))
        0.5
        """
        return np.exp(-np.abs(np.subtract(x, centre)) / self.scale) / (2 * self.scale)

    def exceeds(self, x: Any, centre: Any) -> np.ndarray:
        """Probability that the output is above x when the answer is centre.

        >>> float(Laplace(epsilon=1, sensitivity=1).exceeds(3, 3))
        0.5
        """
        steps = np.subtract(x, centre) / self.scale
        tail = np.exp(-np.abs(steps)) / 2
        return np.where(steps > 0, tail, 1 - tail)

    def sample(self, centre: Any, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Noisy answers around centre, of the given shape."""
        return rng.laplace(centre, self.scale, size)
