"""What a choice among outcomes tells about the world that it was made in."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpchoose.risk.curves import Look
from dpchoose.risk.decay import UNIT, exponents


class ChoiceRisk:
    r"""The disclosure risk of the exponential mechanism, as a curve of epsilon.

    :math:`\max_{i,o} p_i P_i(o) / \sum_j p_j P_j(o)`, where world i gives
    outcome o the probability :math:`P_i(o) = e^{t u_{io}} / \sum_k e^{t u_{ik}}`
    and :math:`t = \varepsilon/(2\Delta u)`. Worlds whose scores differ by a
    constant are of one *kind*: no outcome tells them apart. Differences of scores
    are those of the floats given, exactly, and rounded once. It is a
    :class:`dpchoose.risk.curves.Curve`, though it may fall.

    Args:
        worlds: scores of each outcome in each possible world, shape (m, k).
        masses: prior of each world up to a common factor, at least 0, shape (m,).
        sensitivity: of the scores, in (0, inf).

    Attributes:
        prior: of the likeliest world, exact.
        limit: the largest posterior of a world whose kind is known, exact.
        settled: the epsilon from which on each :math:`e^{tx}`, x a difference
            of scores, is 1 or, beside the ratio of any two priors, 0.
    """

    def __init__(self, worlds: np.ndarray, masses: np.ndarray, sensitivity: float) -> None:
        worlds, masses = worlds[masses > 0], masses[masses > 0]
        numbers, unit = _whole_numbers(worlds)
        gaps = numbers - numbers.max(axis=1, keepdims=True)
        known: dict[tuple[int, ...], int] = {}
        kinds = [known.setdefault(tuple(row), len(known)) for row in gaps.tolist()]
        distinct = np.array(list(known), dtype=object)
        self._gaps = (distinct / unit).astype(float)
        self._steps = ((distinct - distinct.max(axis=0)) / unit).astype(float)
        mass, peak = ([Fraction(0)] * len(known) for _ in range(2))
        for kind, one in zip(kinds, map(Fraction, masses.tolist())):
            mass[kind] += one
            peak[kind] = max(peak[kind], one)
        total, shares = sum(mass), [one / whole for one, whole in zip(peak, mass)]
        self.prior, self.limit = max(peak) / total, max(shares)
        self._log_masses = np.log([float(whole / total) for whole in mass])
        self._shares = np.array(shares, dtype=float)
        self._twice = 2 * sensitivity
        lengths = -np.concatenate([self._gaps, self._steps])
        self.settled = self._twice * (1600 / float(lengths[lengths > 0].min(initial=math.inf)))

    def start(self, goal: float) -> float:
        """The epsilon that the guarantee allows: an odds ratio grows at most by e^epsilon."""
        gain = _log_odds(goal) - _log_odds(math.log(self.prior))
        return self._twice / 2 * max(gain, 2.0**-40) / -float(self._steps.min())

    def look(self, epsilon: float, goal: float) -> Look:
        r"""The logarithm of the risk, its error, and where to look next.

        Let u be the unit roundoff, g and k the numbers of kinds and outcomes,
        and Q the largest :math:`|\ln p|` of a kind. A term :math:`e^{-x}`, as
        a fraction of the largest of its outcome, comes from exponents of at
        most 2Q + ln k + x, rounded six times. As :math:`x e^{-x} < 0.4`, the
        sums are within (16(Q + ln k) + 3k + 4g + 8)u, and a quotient within
        twice that and 6(Q + ln g)u for its own term.
        """
        kinds, outcomes = self._gaps.shape
        size = math.log(outcomes * kinds) - float(self._log_masses.min())
        error = 40 * size + 8 * (kinds + outcomes) + 32
        risk, slope = self.risk_and_slope(epsilon)
        root = math.nan
        if slope > 0 and risk < 1:  # the log-odds drawn on in a straight line
            missing = _log_odds(goal) - _log_odds(math.log(risk))
            root = epsilon + missing * (1 - risk) / slope
        if epsilon >= self.settled:
            root = epsilon
        elif math.log(risk) <= goal and not root <= 2 * epsilon:
            root = 2 * epsilon
        return Look(math.log(risk), UNIT * error, root)

    def risk_and_slope(self, epsilon: float) -> tuple[float, float]:
        """The risk at an epsilon in (0, inf], and the derivative of its logarithm.

        >>> curve = ChoiceRisk(np.array([[0.0, 1], [1, 0]]), np.ones(2), 1.0)
        >>> round(curve.risk_and_slope(2 * math.log(3))[0], 12)
        0.75
        """
        rate = epsilon / self._twice
        chances = np.exp(exponents(rate, self._gaps))
        totals = chances.sum(axis=1)
        logs = exponents(rate, self._steps) + (self._log_masses - np.log(totals))[:, None]
        beliefs = np.exp(logs - logs.max(axis=0))
        beliefs /= beliefs.sum(axis=0)
        risks = self._shares[:, None] * beliefs
        if rate == math.inf:  # then only the best outcomes occur
            risks[:, self._gaps.max(axis=0) < 0] = 0
        kind, outcome = np.unravel_index(risks.argmax(), risks.shape)
        drift = self._steps[:, outcome] - (self._gaps * chances).sum(axis=1) / totals
        slope = drift[kind] - beliefs[:, outcome] @ drift
        return float(risks[kind, outcome]), float(slope) / self._twice


def _whole_numbers(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Floats as Python's whole numbers, and how many of these make one.

    >>> numbers, unit = _whole_numbers(np.array([0.5, 3.0]))
    >>> (numbers / unit).tolist()
    [0.5, 3.0]
    """
    shares, powers = np.frexp(values)
    lowest = min(int(powers.min()) - 53, 0)
    odd = (shares * 2.0**53).astype(np.int64).astype(object)
    return odd << (powers - 53 - lowest).astype(object), 1 << -lowest


def _log_odds(log_risk: float) -> float:
    return log_risk - math.log(-math.expm1(log_risk))
