r"""The laws of the noise that is published, each with its own error.

An error at a probability p is what the noise exceeds with probability 1 - p, at most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose.your_data.quantiles import places_error


@dataclass(frozen=True)
class Continuous:
    """Laplace noise of a scale."""

    scale: float

    def error(self, inside: float) -> float:
        """The scale times ln(1/(1 - p)).

        >>> round(Continuous(2.0).error(0.95), 4)
        5.9915
        """
        return self.scale * -math.log1p(-inside)


@dataclass(frozen=True)
class Whole:
    """Laplace noise in whole steps, of which a unit has some."""

    scale: float
    steps: int

    def error(self, inside: float) -> float:
        r"""The smallest number k of steps with :math:`P(|noise| > k) = 2q^{k+1}/(1 + q) \le 1-p`.

        >>> Whole(2.0, 1).error(0.95), Whole(0.1, 1).error(0.95)
        (6.0, 0.0)
        """
        if self.scale in (0, math.inf):
            return self.scale
        log_ratio = -1 / (self.scale * self.steps)
        beyond = math.log1p(-inside) + math.log1p(math.exp(log_ratio)) - math.log(2)
        return max(math.ceil(beyond / log_ratio - 1 - 1e-9), 0) / self.steps


@dataclass(frozen=True)
class Drawn:
    """A percentile that is drawn among candidates; scale and error are in places."""

    scale: float
    candidates: int

    def error(self, inside: float) -> float:
        """The scale times ln(m/(1 - p)).

        >>> round(Drawn(2.0, 31).error(0.95), 2)
        12.86
        """
        return places_error(self.scale, self.candidates, 1 - inside)


Noise = Continuous | Whole | Drawn


def planned_error(
    size: Any, offset: Any, limits: tuple[float, float], sum_scale: Any, count_scale: Any
) -> np.ndarray:
    r"""The error that c + S/C exceeds 5 times in 100, S and C with Laplace noise, at most.

    .. math:: P(|e| > x) \le T(xn; b_S, |m-c+x| b_C) + T(xn; b_S, |m-c-x| b_C),

    T the chance that one Laplace noise exceeds another of the second scale by z. Where C < 0
    one of the two is so whatever S is. n is ``size``, m - c is ``offset``, the exact mean of the
    cut values less the middle of the limits, and b_S and b_C are the scales of sum and count.

    >>> scales = 30 / math.log(3), 2 / math.log(3)
    >>> round(float(planned_error(5000, -12.2, (0, 30), *scales)), 3)
    0.02
    """
    size, offset, *scales = np.broadcast_arrays(size, offset, sum_scale, count_scale)
    low, high = np.zeros(size.shape), np.full(size.shape, limits[1] - limits[0])
    for _ in range(50):
        x = (low + high) / 2
        chances = (
            _exceeds(x * size, scales[0], abs(offset + x) * scales[1]),
            _exceeds(x * size, scales[0], abs(offset - x) * scales[1]),
        )
        too_often = sum(chances) > 0.05
        low, high = np.where(too_often, x, low), np.where(too_often, high, x)
    return np.where(np.isnan(offset), math.nan, high)


def _exceeds(z: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """T(z; a, b): how often Laplace noise of scale a exceeds another of scale b by z."""
    equal = abs(a - b) < 1e-6 * a
    b = np.where(equal, 2 * a, np.maximum(b, 1e-9 * a))
    unequal = (a * a * np.exp(-z / a) - b * b * np.exp(-z / b)) / (2 * (a * a - b * b))
    return np.where(equal, (2 + z / a) * np.exp(-z / a) / 4, unequal)
