"""How a risk is split among answers that are published together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk import decay

SHAVED = 1 - 2.0**-50  # so that epsilon / sensitivity, rounded, is no more than the rate


@dataclass(frozen=True, eq=False)
class Ray:
    """Rates that grow together, beside those of answers that are out already.

    Attributes:
        base: the rate of each answer that is published, 0 of a new one, (d,).
        direction: what each rate gains, 0 of a published one, shape (d,).
        sensitivities: of each answer, shape (d,).
    """

    base: np.ndarray
    direction: np.ndarray
    sensitivities: np.ndarray

    def rates(self, along: float) -> np.ndarray:
        """The rates so far along the ray, shape (d,)."""
        return self.base + decay.exponents(along, self.direction)

    def epsilons(self, along: float) -> np.ndarray:
        """The epsilons of these rates, never more than they are, shape (d,)."""
        with np.errstate(invalid="ignore"):
            found = self.rates(along) * self.sensitivities * SHAVED
        found[np.isnan(found)] = 0.0  # no noise on what no record can move
        if along == math.inf:
            found[(self.direction > 0) | np.isinf(self.base)] = math.inf
        return found

    def towards(self, weights: np.ndarray) -> Ray:
        """The ray on which the epsilons of the new answers are as the weights."""
        new = self.base == 0
        direction = np.divide(weights, self.sensitivities, out=np.zeros(len(weights)), where=new)
        return Ray(self.base, direction, self.sensitivities)


def ray_of(sensitivities: np.ndarray, already: Any = None) -> Ray:
    """The ray of equal epsilons.

    A sensitivity of 0 asks for no noise: its rate is infinite from the start.

    Args:
        sensitivities: shape (d,), at least 0.
        already: noise scales of published answers, in (0, inf), nan for new
            ones, shape (d,); None for none.

    Raises:
        ValueError: scales of another shape, or outside (0, inf).

    >>> ray_of(np.array([1.0, 2.0]), [np.nan, 4.0]).rates(1.0).tolist()
    [1.0, 0.25]
    """
    several = len(sensitivities)
    scales = np.full(several, math.nan)
    if already is not None:
        scales = checks.scales(already, several)
    base = np.where(np.isnan(scales), np.where(sensitivities == 0, math.inf, 0.0), 1 / scales)
    return Ray(base, np.zeros(several), sensitivities).towards(np.ones(several))


def weights_of(split: Any, several: int) -> np.ndarray | None:
    """The epsilons' shares that a split gives, or None for the best found.

    Raises:
        ValueError: an unknown word, weights of another shape, negative ones,
            or none that is positive; "best" of more than four answers.
        TypeError: neither a word nor numbers.

    >>> weights_of("equal", 2).tolist()
    [1.0, 1.0]
    """
    if isinstance(split, str):
        checks.choice("split", split, ("equal", "best"))
        if split == "best" and several > 4:
            raise ValueError(f"split best must have at most 4 answers, got {several}")
        return np.ones(several) if split == "equal" else None
    weights = checks.numbers("split", split)
    if weights.shape != (several,):
        raise ValueError(f"split must have shape ({several},), got {weights.shape}")
    if weights.min() < 0 or not weights.any():
        raise ValueError(f"split must be at least 0, and not all 0, got {weights.tolist()}")
    return weights
