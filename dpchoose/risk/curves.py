r"""Risks along a ray of rates, each with a proved error, ready to be inverted.

A curve is a risk as a function of one number, the rate, which grows along a
ray and never lowers the risk: Laplace noise of scale b is Laplace noise of a
smaller scale a plus independent noise, which is 0 with probability
:math:`a^2/b^2` and Laplace of scale b otherwise (compare the characteristic
functions :math:`1/(1 + b^2 s^2)`). More noise can be added by anybody, and
tells nobody more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.decay import UNIT

HIGHEST = 1e280
COARSE = 4096  # terms of a sum that is looked at first


@dataclass(frozen=True)
class Look:
    """A curve at one rate.

    Attributes:
        log_risk: logarithm of the risk.
        log_error: how far it may be off, at least 0.
        root: about where the risk, with its error, reaches the goal, as seen
            from here; nan where the curve cannot tell.
        lost: the part of the logarithm that stands for answers which are not known
            well enough.
    """

    log_risk: float
    log_error: float
    root: float = math.nan
    lost: float = 0.0


class Curve(Protocol):
    """A risk along a ray of rates.

    ``prior`` is the risk at rate 0, exact or no more, and ``limit`` that
    without noise, exact or no less.
    """

    @property
    def prior(self) -> Fraction: ...

    @property
    def limit(self) -> Fraction: ...

    def start(self, goal: float) -> float:
        """A rate to begin with, the nearer to the answer the better."""

    def look(self, rate: float, goal: float) -> Look:
        """The risk at a rate; ``goal`` is the logarithm of the accepted one."""


@dataclass(frozen=True, eq=False)
class Exponentials:
    r"""One world with others around it: :math:`1/\sum_k e^{l_k - t d_k}`.

    The upper bound and the shell bound are of this form.

    Attributes:
        distances: d, at least 0, shape (K,).
        logs: l, shape (K,); 0 for the world itself.
        prior, limit: as for :class:`Curve`.
        log_error: how far each of the logarithms may be off.
    """

    distances: np.ndarray
    logs: np.ndarray
    prior: Fraction
    limit: Fraction
    log_error: float = 0.0

    def start(self, goal: float) -> float:
        return root_of(self.distances, self.logs, -goal, 0.0)

    def log_risk(self, rate: float) -> float:
        """The logarithm of the risk at a rate; distances may be infinite."""
        return -log_sum(self.distances, self.logs, rate)

    def look(self, rate: float, goal: float) -> Look:
        exponents, risk = decay.exponents(rate, self.distances), self.log_risk(rate)
        shares = np.exp(self.logs - exponents + risk)
        counted = shares > 0  # what a term is off weighs as much as the term
        sizes = (np.abs(self.logs) + exponents)[counted]
        off = float(shares[counted] @ (64 * UNIT * sizes + self.log_error * (sizes > 0)))
        error = off + UNIT * (8 + min(len(shares), 40) + 4 * abs(risk))
        return Look(risk, error, root_of(self.distances, self.logs, error - goal, rate))


@dataclass(frozen=True, eq=False)
class Around:
    """One world with others around it, along the ray base + rate * direction.

    The upper bound and the shell bound where their distances do not grow in
    proportion to the rate.

    Attributes:
        distances: of the others at given rates, shape (K,).
        logs: of their weights, shape (K,); 0 for the world itself.
        prior, limit: as for :class:`Curve`.
        base, direction: rates.
        log_error: how far each of the logarithms may be off.
    """

    distances: Callable[[np.ndarray], np.ndarray]
    logs: np.ndarray
    prior: Fraction
    limit: Fraction
    base: np.ndarray
    direction: np.ndarray
    log_error: float = 0.0

    def start(self, goal: float) -> float:
        return self._at(self.direction).start(goal)

    def look(self, rate: float, goal: float) -> Look:
        moved = decay.exponents(rate, self.direction)
        return replace(self._at(self.base + moved).look(1.0, goal), root=math.nan)

    def _at(self, rates: np.ndarray) -> Exponentials:
        return Exponentials(
            self.distances(rates), self.logs, self.prior, self.limit, self.log_error
        )


def upper(prior: Fraction, distance: float, log_odds: float | None = None) -> Exponentials:
    """The upper bound, :func:`dpchoose.upper_bound`, at distances in units of the rate.

    Args:
        prior: the largest of a world, in (0, 1], or 0 for one below every float.
        distance: the largest between two worlds, at least 0.
        log_odds: against that world; None to take them from the prior.

    >>> round(math.exp(upper(Fraction(1, 4), 3.0).look(0.0, -1.0).log_risk), 12)
    0.25
    """
    if prior == 1:
        return Exponentials(np.zeros(1), np.zeros(1), prior, prior)
    if log_odds is None:
        log_odds = log(1 / prior - 1)
    limit = Fraction(1) if distance > 0 else prior
    return Exponentials(np.array([0.0, distance]), np.array([0.0, log_odds]), prior, limit)


def log(value: Fraction) -> float:
    """The natural logarithm of a positive fraction, however small or large.

    >>> round(log(Fraction(1, 10**400)) / math.log(10), 9)
    -400.0
    """
    if abs(value.numerator.bit_length() - value.denominator.bit_length()) < 1000:
        return math.log(float(value))
    return math.log(value.numerator) - math.log(value.denominator)


def log_sum(distances: np.ndarray, logs: np.ndarray, rate: float) -> float:
    r""":math:`\ln\sum_k e^{l_k - t d_k}`, where a rate may be infinite.

    >>> log_sum(np.array([0.0, 1.0]), np.array([0.0, 0.0]), math.inf)
    0.0
    """
    terms = logs - decay.exponents(rate, distances)
    top = float(terms.max())
    return top + math.log(float(np.exp(terms - top).sum()))


def root_of(distances: np.ndarray, logs: np.ndarray, goal: float, rate: float) -> float:
    r"""The rate t at which :math:`\ln\sum_j e^{l_j - t d_j}` falls to the goal.

    The logarithm of such a sum is convex in t: from the left Newton's method
    stays on the left, from the right it jumps there.

    Args:
        distances: d, at least 0, shape (M,).
        logs: l, logarithms of the weights, shape (M,).
        goal: logarithm of the sum that is wanted.
        rate: to begin with, in [0, inf).

    Returns:
        the rate; math.inf where the sum never falls that far.

    >>> round(root_of(np.array([0.0, 1]), np.log([1, 3]), math.log(2), 0.0), 9)  # ln 3
    1.098612289
    """
    stride = len(distances) // COARSE
    if stride > 1:  # every so many stand for all, to begin with
        begin = root_of(distances[::stride], logs[::stride] + math.log(stride), goal, rate)
        rate = begin if begin < HIGHEST else rate
    for _ in range(200):
        terms = logs - rate * distances
        top = float(terms.max())
        terms -= top
        np.exp(terms, out=terms)
        whole = float(terms.sum())
        terms *= distances
        value, slope = top + math.log(whole), float(terms.sum()) / whole
        if slope == 0:
            return math.inf if value > goal else rate
        step = (value - goal) / slope
        rate = rate + step if rate + step > 0 else rate / 4
        if abs(step) <= 1e-9 * rate:  # the next would be its square
            break
        if rate > HIGHEST:
            return math.inf
    return rate
