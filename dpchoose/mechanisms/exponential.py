r"""One of several outcomes is drawn, the likelier the better it scores.

A world gives an outcome the chance :math:`e^{tg}/Z`: t is epsilon over twice the sensitivity,
g the score less the best of the world, and Z the sum over outcomes. Worlds that no outcome
tells apart are one *kind* of prior p, in whose posterior one of them has a fixed share c.

*What rounding costs the logarithm of a posterior.* Let u = 2^-53, an exp or log be within
8u, Q and C the largest \|ln p\| and \|ln c\|, m and k the numbers of kinds and outcomes. As
:math:`xe^{-x}` is below 0.4, a Z is within (2.2k + 8)u, relative. Where a kind scores s less
than another, L = ln p - ln Z - ts is within (4ts + 10(Q + ln k) + 2.2k + 8)u, and ts exceeds
the distance of L from the largest, M, by at most Q + ln k. So the sum of all e^(L - M) is
within (14(Q + ln k) + 2.2k + 3m + 16)u. The likeliest world is at most C from M; what is
believed of it is within (29(Q + ln k) + 16C + 10 ln m + 4.4k + 3m + 24)u. More is charged.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.mechanisms.randomized_response import largest_epsilon_from
from dpchoose.numbers import log, parse_risk
from dpchoose.risk.bounds import times

TOO_NEAR = "scores must be equal, or differ by 2e-300 sensitivities at least"


@dataclass(frozen=True, eq=False)
class Exponential:
    r"""An outcome o drawn with probability proportional to :math:`e^{\varepsilon u_o/(2\Delta u)}`.

    Dwork and Roth (2014), definition 3.4. An infinite epsilon draws one of the best.

    Args:
        scores: u of k outcomes, in [-1e100, 1e100]: a mapping from outcome to score (a dict,
            a Series), or an array, whose outcomes are its positions.
        epsilon: in (0, inf].
        sensitivity: the most by which one record moves a score, in [1e-100, 1e100].

    Attributes:
        scores: the scores alone, shape (k,).
        outcomes: what they belong to, shape (k,).

    >>> dp.Exponential({"a": 0, "b": 1}, epsilon=2, sensitivity=1).probabilities.round(4)
    array([0.2689, 0.7311])
    """

    scores: Any
    epsilon: float = field(kw_only=True)
    sensitivity: float = field(kw_only=True)
    outcomes: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        vars(self)["epsilon"] = checks.real("epsilon", self.epsilon, 0, math.inf, closed="(]")
        vars(self)["sensitivity"] = checks.real("sensitivity", self.sensitivity, 1e-100, 1e100)
        scores, outcomes = self.scores, None
        if hasattr(scores, "items"):
            outcomes = np.fromiter((name for name, _ in scores.items()), dtype=object)
            scores = [score for _, score in scores.items()]
        scores = checks.reals("scores", checks.numbers("scores", scores), -1e100, 1e100)
        outcomes = np.arange(len(scores)) if outcomes is None else outcomes
        scores.flags.writeable = outcomes.flags.writeable = False
        vars(self).update(scores=scores, outcomes=outcomes)

    @classmethod
    def from_risk(
        cls, scores: Any, *, worlds: Any, risk: Any, sensitivity: float, prior: Any = None
    ) -> "Exponential":
        """The mechanism whose :meth:`disclosure_risk` over worlds is at most the risk.

        The search begins where the guarantee alone keeps the risk, in (0, 1) (``eq-exp-bound``),
        doubles epsilon until one is seen to exceed it, beyond 1e60 math.inf, and bisects. As
        the risk may fall while epsilon grows, what is returned was found safe.
        Raises UnattainableRisk where no positive epsilon meets it, and refuses scores that
        differ by less than 2e-300 sensitivities.

        >>> worlds = [[0, 1], [1, 0]]
        >>> fair = dp.Exponential.from_risk([0, 1], worlds=worlds, risk="3/4", sensitivity=1)
        >>> round(fair.epsilon, 8)  # 2 ln 3
        2.19722458
        """
        choice = cls(scores, epsilon=math.inf, sensitivity=sensitivity)
        epsilon = _Reader(choice, worlds, prior).largest_epsilon(parse_risk(risk))
        return cls(scores, epsilon=epsilon, sensitivity=sensitivity)

    @property
    def probabilities(self) -> np.ndarray:
        """The probability of each outcome, in the order of the scores (``eq-exponential``)."""
        return np.exp(self._logs(self.scores))

    def sample(self, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Outcomes drawn at random, of shape ``size``; one where it is None."""
        return rng.choice(self.outcomes, size, p=self.probabilities)

    def guarantee(self, sensitivity: float) -> float:
        r"""The epsilon that holds for a true sensitivity, :math:`\varepsilon\Delta u'/\Delta u`.

        The true one is in [0, 1e100], in the unit of the scores (``eq-guarantee``).

        >>> dp.Exponential([10.683, 14.976], epsilon=1, sensitivity=1).guarantee(1 / 1000)
        0.001
        """
        return self.epsilon * checks.real("sensitivity", sensitivity, 0, 1e100) / self.sensitivity

    def likelihoods(self, worlds: Any) -> np.ndarray:
        """The probability of each outcome in each world, (m, k); those below 1e-300 are lost."""
        return np.exp(self._logs(self._table("worlds", worlds)))

    def disclosure_risk(self, worlds: Any, *, prior: Any = None) -> float:
        """The largest posterior of any world after any outcome, however unlikely.

        Worlds are scores, shape (m, k), the prior has shape (m,), or is None for the uniform.

        >>> choice = dp.Exponential([0, 1], epsilon=2 * np.log(3), sensitivity=1)
        >>> round(choice.disclosure_risk([[0, 1], [1, 0]]), 12)
        0.75
        """
        return math.exp(_Reader(self, worlds, prior).log_risk(self.epsilon))

    def _table(self, name: str, values: Any) -> np.ndarray:
        """Scores of these outcomes in several datasets."""
        return checks.reals(name, checks.table(name, values, len(self.scores)), -1e100, 1e100)

    def _logs(self, scores: np.ndarray) -> np.ndarray:
        """Log-probabilities of the outcomes for scores of shape (..., k)."""
        gaps = scores - scores.max(axis=-1, keepdims=True)
        logs = times(self.epsilon / (2 * self.sensitivity), gaps)
        return logs - _log_sum(logs, -1)


class _Reader:
    """Whoever weighs the worlds, and how sure she becomes as epsilon grows."""

    def __init__(self, choice: Exponential, worlds: Any, prior: Any) -> None:
        worlds = choice._table("worlds", worlds)
        masses = np.ones(len(worlds)) if prior is None else checks.prior(prior, len(worlds))
        exact = np.frompyfunc(Fraction, 1, 1)(worlds[masses > 0]) / 2 / Fraction(choice.sensitivity)
        exact -= exact.max(axis=1, keepdims=True)
        alike: dict[tuple[Fraction, ...], list[Fraction]] = {}
        for row, mass in zip(exact.tolist(), masses[masses > 0].tolist()):
            alike.setdefault(tuple(row), []).append(Fraction(mass))
        exact = np.array(list(alike))  # differences are exact, and rounded once
        self.gaps, self.steps = exact.astype(float), (exact - exact.max(axis=0)).astype(float)
        near = exact[(self.gaps > -1e-300) & (exact != 0)]  # some would be taken for equal
        apart = [float(-2 * gap * Fraction(choice.sensitivity)) for gap in near]
        checks.require(not apart, TOO_NEAR, min(apart, default=0))
        mass, peak = (np.array([*map(take, alike.values())]) for take in (sum, max))
        self.limit, self.prior = (peak / mass).max(), peak.max() / mass.sum()
        self.logs = np.array([*map(log, mass / mass.sum())])[:, None]
        self.shares = np.array([*map(log, peak / mass)])[:, None]

    def log_risk(self, epsilon: float) -> float:
        """Logarithm of the largest posterior of a world after an outcome."""
        logs = self.logs - _log_sum(times(epsilon, self.gaps), 1) + times(epsilon, self.steps)
        logs -= _log_sum(logs, 0)
        if epsilon == math.inf:  # then only the best outcomes occur
            logs = logs[:, self.gaps.max(axis=0) == 0]
        return float((logs + self.shares).max())

    def largest_epsilon(self, risk: Fraction) -> float:
        """The largest found safe, with 32 binary digits, beginning where no log-odds grow more."""
        if self.limit <= risk:
            return math.inf
        ratio = largest_epsilon_from(self.prior, risk, "the largest prior")
        size = math.log(self.gaps.size) - float(self.logs.min() + self.shares.min())
        goal = log(risk) - 2.0**-53 * (40 * size + 10 * sum(self.gaps.shape) + 64)
        low = 2.0 ** math.floor(math.log2(min(ratio / (-2.1 * float(self.steps.min())), 1e60)))
        while low < math.inf and self.log_risk(more := 2 * low if low < 1e60 else math.inf) <= goal:
            low = more
        for step in [low / 2**place for place in range(1, 32)]:
            low += step if self.log_risk(low + step) <= goal else 0
        return low


def _log_sum(logs: np.ndarray, axis: int) -> np.ndarray:
    """Logarithms of the sums of e^log along an axis, which is kept."""
    top = logs.max(axis=axis, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=axis, keepdims=True))
