"""A yes or no that its owner randomizes before anybody sees it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.epsilon.choose import unattainable
from dpchoose.epsilon.inverse import UnattainableRisk
from dpchoose.epsilon.text import parse_risk


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse:
    r"""Each respondent gives the true answer with probability f, else the other.

    :math:`f = e^\varepsilon/(1 + e^\varepsilon)`; Dwork and Roth (2014),
    section 3.2. With coins: tails on the first, tell the truth; heads, say
    what the second one, a fair one, says. Then the first shows heads with
    probability 2(1 - f). In each method, p is the share of respondents whose
    truth is yes, r the share whose answer is, N their number.

    Args:
        epsilon: of one respondent's answer, in (0, inf].

    Raises:
        ValueError: an argument outside its domain, here and in each method.
        TypeError: an argument of the wrong kind.

    >>> RandomizedResponse(epsilon=np.log(3)).truth_probability
    0.75
    """

    epsilon: float

    def __post_init__(self) -> None:
        checks.number("epsilon", self.epsilon, 0, math.inf, closed="(]")

    @classmethod
    def from_first_head_probability(cls, probability: float) -> RandomizedResponse:
        """The mechanism by its coins.

        Args:
            probability: that the first coin shows heads, in [0, 1).

        >>> round(RandomizedResponse.from_first_head_probability(0.5).epsilon, 9)
        1.098612289
        """
        heads = checks.number("probability", probability, 0, 1, closed="[)")
        return cls(epsilon=math.log1p(1 - heads) - math.log(heads) if heads else math.inf)

    @classmethod
    def from_risk(cls, *, risk: Any, base_rate: float) -> RandomizedResponse:
        r"""The weakest protection whose :meth:`disclosure_risk` is at most the risk.

        :math:`\varepsilon = \ln\frac{\rho(1 - p)}{(1 - \rho)p}`
        (``eq-rr-epsilon``), rounded down: the ratio less 1 is exact before it
        becomes a float, so that its logarithm is within 2^-51, relative. To
        keep the posterior of both answers at most the risk, ask with the
        larger of p and 1 - p.

        Args:
            risk: accepted, in (0, 1); a number, or a text such as "1/3".
            base_rate: p, in (0, 1).

        Raises:
            UnattainableRisk: the risk is not above the base rate.

        >>> round(RandomizedResponse.from_risk(risk="3/4", base_rate=0.5).epsilon, 9)  # ln 3
        1.098612289
        """
        target = parse_risk(risk)
        base = Fraction(checks.number("base_rate", base_rate, 0, 1, closed="()"))
        gain = target * (1 - base) / ((1 - target) * base) - 1
        if gain <= 0:
            raise UnattainableRisk(unattainable(target, base, "the base rate"))
        return cls(epsilon=math.log1p(min(gain, 10**300)) * (1 - 2.0**-50))

    @property
    def truth_probability(self) -> float:
        """The probability f that the answer is the true one, in (1/2, 1] (``eq-rr-truth``)."""
        return 1 / (1 + math.exp(-self.epsilon))

    @property
    def lie_probability(self) -> float:
        """1 - f, to all its digits, in [0, 1/2)."""
        odds = math.exp(-self.epsilon)
        return odds / (1 + odds)

    @property
    def first_head_probability(self) -> float:
        """The probability 2(1 - f) that the first coin shows heads, in [0, 1).

        >>> RandomizedResponse(epsilon=np.log(3)).first_head_probability
        0.5
        """
        return 2 * self.lie_probability

    @property
    def likelihoods(self) -> np.ndarray:
        """Probability of the answers yes and no (columns) when the truth is yes, no (rows).

        For :func:`dpchoose.largest_posterior` with the prior [p, 1 - p].
        """
        truth, lie = self.truth_probability, self.lie_probability
        return np.array([[truth, lie], [lie, truth]])

    def expected_yes(self, p: Any) -> Any:
        """The expected share of yes, 1 - f + (2f - 1)p (``eq-rr-expected``), for p in [0, 1].

        >>> round(RandomizedResponse(epsilon=np.log(3)).expected_yes(0.2061), 5)
        0.35305
        """
        p = checks.shares("p", p)
        return _as_given(p * self.truth_probability + (1 - p) * self.lie_probability)

    def estimate(self, yes_share: Any) -> Any:
        """The unbiased estimate of p, (r + f - 1)/(2f - 1) (``eq-rr-estimate``), for r in [0, 1].

        It may lie outside [0, 1].

        >>> round(RandomizedResponse(epsilon=np.log(3)).estimate(0.3492), 4)
        0.1984
        """
        share = checks.shares("yes_share", yes_share)
        return _as_given((share - self.lie_probability) / self._slope)

    def uncertainty(self, yes_share: Any, respondents: int) -> Any:
        r"""Two standard errors of the estimate, :math:`\frac{2}{2f-1}\sqrt{r(1-r)/N}`.

        The Sherpa.ai tutorial's Δp (``eq-rr-uncertainty``). The normal
        approximation behind it fails when r is near 0 or 1 (at 0 it claims no
        error at all) and when respondents are few; :meth:`coverage` says by
        how much.

        Args:
            yes_share: r, in [0, 1]; a number or an array.
            respondents: N, at least 1.

        >>> round(RandomizedResponse(epsilon=np.log(3)).uncertainty(0.35, 1456), 6)
        0.05
        """
        share = checks.shares("yes_share", yes_share)
        people = checks.integer("respondents", respondents, 1)
        return _as_given(2 / self._slope * np.sqrt(share * (1 - share) / people))

    def respondents_needed(self, *, error: float, p: float) -> int:
        """The smallest N whose :meth:`uncertainty`, at the expected share, is the error.

        A number of respondents within 1e-12 (relative) above an integer is
        that integer.

        Args:
            error: accepted, in (0, 1).
            p: in [0, 1].

        >>> RandomizedResponse(epsilon=np.log(3)).respondents_needed(error=0.05, p=0.2)
        1456
        """
        error = checks.number("error", error, 0, 1, closed="()")
        ratio = Fraction(self.uncertainty(self.expected_yes(p), 1)) / Fraction(error)
        return max(1, math.ceil(ratio**2 * (1 - Fraction(1, 10**12))))

    def coverage(self, p: float, respondents: int) -> float:
        """How often the truth p lies within :meth:`uncertainty` of the estimate.

        The binomial probability of all numbers of yes answers for which it
        does, for truths drawn at rate p; no simulation.

        Args:
            p: in (0, 1).
            respondents: N, at least 1; time and memory grow like N.

        >>> round(RandomizedResponse(epsilon=np.log(3)).coverage(0.2, 100), 4)
        0.9403
        """
        p = checks.number("p", p, 0, 1, closed="()")
        people = checks.integer("respondents", respondents, 1)
        yes = np.arange(people + 1)
        factorials = np.array([math.lgamma(n + 1) for n in range(people + 1)])
        mean = self.expected_yes(p)
        logs = yes * math.log(mean) + (people - yes) * math.log1p(-mean)
        chances = np.exp(factorials[-1] - factorials - factorials[::-1] + logs)
        near = np.abs(self.estimate(yes / people) - p) <= self.uncertainty(yes / people, people)
        return float(chances[near].sum() / chances.sum())

    def answers(self, truths: Any, *, rng: np.random.Generator) -> np.ndarray:
        """The answers to these truths, booleans of any shape: each turned round with 1 - f.

        >>> rng = np.random.default_rng(0)
        >>> RandomizedResponse(epsilon=np.inf).answers([True, False], rng=rng).tolist()
        [True, False]
        """
        truths = np.asarray(truths)
        if truths.dtype != bool:
            raise TypeError(f"truths must be booleans, got an array of {truths.dtype}")
        return truths ^ (rng.random(truths.shape) < self.lie_probability)

    def sample_yes(
        self, p: float, respondents: int, size: Any = None, *, rng: np.random.Generator
    ) -> Any:
        """Numbers of yes answers when the truths themselves are drawn at rate p.

        One binomial, whatever N: this is the survey of people picked at
        random that :meth:`uncertainty` describes.

        Args:
            p: in [0, 1].
            respondents: N, at least 1.
            size: shape of the result; None for one number.
            rng: the source of randomness.
        """
        p = checks.number("p", p, 0, 1)
        people = checks.integer("respondents", respondents, 1)
        return rng.binomial(people, self.expected_yes(p), size)

    def sample_yes_of(
        self, true_yes: int, respondents: int, size: Any = None, *, rng: np.random.Generator
    ) -> Any:
        """Numbers of yes answers when exactly ``true_yes`` respondents' truth is yes.

        Two binomials added: the same people are asked again and again, so
        only the coins vary, and the results vary less than those of
        :meth:`sample_yes`, whose other arguments it takes.

        Args:
            true_yes: in [0, respondents].
        """
        people = checks.integer("respondents", respondents, 1)
        honest = checks.integer("true_yes", true_yes, 0, people)
        from_yes = rng.binomial(honest, self.truth_probability, size)
        return from_yes + rng.binomial(people - honest, self.lie_probability, size)

    def disclosure_risk(self, p: float) -> float:
        """The posterior of a true yes after the answer yes, fp/(fp + (1-f)(1-p)).

        See ``eq-rr-risk``. The posterior of a true no after no is
        ``disclosure_risk(1 - p)``; the larger of the two is the largest.

        Args:
            p: in (0, 1).

        >>> coins = RandomizedResponse(epsilon=np.log(3))
        >>> round(coins.disclosure_risk(0.2), 4), round(coins.disclosure_risk(0.8), 3)
        (0.4286, 0.923)
        """
        p = checks.number("p", p, 0, 1, closed="()")
        return 1 / (1 + math.exp(-self.epsilon) * (1 - p) / p)

    @property
    def _slope(self) -> float:
        """2f - 1, to all its digits."""
        return math.tanh(self.epsilon / 2)


def _as_given(values: np.ndarray) -> Any:
    """A number for a number, an array for an array."""
    return float(values) if np.ndim(values) == 0 else values
