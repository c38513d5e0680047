"""An answer is published with Laplace noise added to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks


@dataclass(frozen=True, kw_only=True)
class Laplace:
    r"""An answer plus Laplace noise of scale :math:`b = \Delta f/\varepsilon`.

    Dwork and Roth (2014), definitions 3.2 and 3.3. A scale of 0, from a
    sensitivity of 0 or an infinite epsilon, publishes the answer itself.
    For study only: floats drawn this way are not safe for a real release
    (Mironov 2012).

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
        """The scale b of the noise, in [0, inf), in the unit of the answer."""
        return float(self.sensitivity) / float(self.epsilon)

    def density(self, x: Any, centre: Any) -> np.ndarray:
        r"""Density :math:`e^{-|x - c|/b}/(2b)` of the output x around an answer c (``eq-laplace``).

        At a scale of 0 all probability lies on one point: the density is inf at
        the centre and 0 elsewhere.

        Args:
            x: outputs, finite, in the unit of the answer.
            centre: answers c, finite; broadcast with x.

        >>> float(Laplace(epsilon=1, sensitivity=1).density(0, 0))
        0.5
        >>> Laplace(epsilon=1, sensitivity=0).density([2, 3], 3).tolist()
        [0.0, inf]
        """
        distance = np.abs(np.subtract(x, centre))
        if self.scale == 0:
            return np.where(distance == 0, math.inf, 0.0)
        return np.exp(-distance / self.scale) / (2 * self.scale)

    def exceeds(self, x: Any, centre: Any) -> np.ndarray:
        """Probability that the output is above x when the answer is centre.

        It is the integral of :meth:`density` from x upwards.

        Args:
            x: outputs, finite, in the unit of the answer.
            centre: answers, finite; broadcast with x.

        >>> float(Laplace(epsilon=1, sensitivity=1).exceeds(3, 3))
        0.5
        """
        above = np.subtract(x, centre)
        if self.scale == 0:
            return np.where(above < 0, 1.0, 0.0)
        tail = np.exp(-np.abs(above) / self.scale) / 2
        return np.where(above > 0, tail, 1 - tail)

    def sample(self, centre: Any, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Noisy answers, each the answer plus a draw of the noise.

        Args:
            centre: answers, finite.
            size: shape of the result; None for that of centre.
            rng: the source of randomness.

        >>> Laplace(epsilon=1, sensitivity=0).sample(3, 2, rng=np.random.default_rng(1)).tolist()
        [3.0, 3.0]
        """
        return rng.laplace(centre, self.scale, size)
