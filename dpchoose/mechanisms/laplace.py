"""An answer is published with Laplace noise added to it."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks


@dataclass(frozen=True, kw_only=True)
class Laplace:
    r"""An answer plus Laplace noise of scale :math:`b = \Delta f/\varepsilon`.

    Dwork and Roth (2014), definitions 3.2 and 3.3; it keeps ``eq-dp``. A scale of 0 publishes the
    answer itself.
    For study only: floats drawn this way are not safe for a real release (Mironov 2012).

    Args:
        epsilon: in (0, inf].
        sensitivity: of the query, in [0, inf), in the unit of the answer.

    >>> dp.Laplace(epsilon=2, sensitivity=17 / 6).scale
    1.4166666666666667
    """

    epsilon: float
    sensitivity: float

    def __post_init__(self) -> None:
        checks.real("epsilon", self.epsilon, 0, math.inf, closed="(]")
        checks.real("sensitivity", self.sensitivity, 0, math.inf, closed="[)")

    @property
    def scale(self) -> float:
        """The scale b of the noise, in [0, inf], in the unit of the answer."""
        return float(self.sensitivity) / float(self.epsilon)

    def density(self, x: Any, centre: Any) -> np.ndarray:
        r"""Density :math:`e^{-|x - c|/b}/(2b)` of the output x around an answer c (``eq-laplace``).

        x is in [-inf, inf], c finite, and they broadcast. At a scale of 0 it is inf at c, else 0.

        >>> float(dp.Laplace(epsilon=1, sensitivity=1).density(0, 0))
        0.5
        """
        distance = np.abs(checks.reals("x", x) - checks.reals("centre", centre, closed="()"))
        if self.scale == 0:
            return np.where(distance == 0, math.inf, 0.0)
        return np.exp(-distance / self.scale) / (2 * self.scale)

    def exceeds(self, x: Any, centre: Any) -> np.ndarray:
        """Probability of an output above x: the integral of :meth:`density` from x upwards.

        >>> float(dp.Laplace(epsilon=1, sensitivity=1).exceeds(3, 3))
        0.5
        """
        above = checks.reals("x", x) - checks.reals("centre", centre, closed="()")
        if self.scale == 0:
            return np.where(above < 0, 1.0, 0.0)
        tail = np.exp(-np.abs(above) / self.scale) / 2
        return np.where(above > 0, tail, 1 - tail)

    def error(self, probability: float) -> float:
        r"""The distance within which the noise stays with a probability: :math:`b \ln(1/(1 - p))`.

        Args:
            probability: p in (0, 1), of both sides together.

        >>> round(dp.Laplace(epsilon=2, sensitivity=17 / 6).error(0.95), 3)
        4.244
        """
        checks.real("probability", probability, 0, 1, closed="()")
        return -self.scale * math.log1p(-float(probability))

    def sample(self, centre: Any, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Noisy answers, draws around each centre, of shape ``size`` or that of centre.

        >>> dp.Laplace(epsilon=1, sensitivity=0).sample(3, 2, rng=np.random.default_rng(1))
        array([3., 3.])
        """
        return rng.laplace(centre, self.scale, size)
