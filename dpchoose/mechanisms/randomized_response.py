"""A yes or no that its owner randomizes before anybody sees it."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from dpchoose import checks
from dpchoose.numbers import format_fraction, parse_risk
from dpchoose.risk.inverse import UnattainableRisk, log_odds_ratio


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse:
    r"""Each respondent gives the true answer with probability t, else the other.

    :math:`t = e^\varepsilon/(1 + e^\varepsilon)` (``eq-rr-truth``); Dwork and Roth (2014), section
    3.2. With coins: tails on the first, tell the truth; heads, say what the second one, a fair
    one, says. Then the first shows heads with probability 2(1 - t). In each method, p is the
    share of respondents whose truth is yes, r the share whose answer is, N their number.

    Exactly one is given, a number or an array of any shape, with which the arguments of the
    methods broadcast:

    Args:
        epsilon: of one respondent's answer, in (0, inf].
        truth_probability: t, in (1/2, 1].

    >>> dp.RandomizedResponse(epsilon=np.log(3)).truth_probability
    0.75
    >>> dp.RandomizedResponse(truth_probability=[0.75, 1]).epsilon.round(4).tolist()
    [1.0986, inf]
    """

    epsilon: Any = None
    truth_probability: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        t, given = self.truth_probability, {"epsilon": self.epsilon}
        if checks.exactly_one(given | {"truth_probability": t}) == "epsilon":
            epsilon = checks.reals("epsilon", self.epsilon, 0, math.inf, closed="(]")
            t = 1 / (1 + np.exp(-epsilon))
        else:
            t = checks.reals("truth_probability", t, 0.5, 1, closed="(]")
            with np.errstate(divide="ignore"):
                epsilon = np.log1p((2 * t - 1) / (1 - t))
        object.__setattr__(self, "epsilon", _plain(epsilon))
        object.__setattr__(self, "truth_probability", _plain(t))

    @classmethod
    def from_first_head_probability(cls, probability: float) -> "RandomizedResponse":
        """The mechanism whose first coin shows heads with a probability in [0, 1)."""
        heads = checks.real("probability", probability, 0, 1, closed="[)")
        return cls(epsilon=math.log1p(1 - heads) - math.log(heads) if heads else math.inf)

    @classmethod
    def from_risk(cls, *, risk: Any, base_rate: float) -> "RandomizedResponse":
        r"""The weakest protection whose :meth:`disclosure_risk` is at most the risk.

        :math:`\varepsilon = \ln\frac{\rho(1 - p)}{(1 - \rho)p}` (``eq-rr-epsilon``), rounded
        down. Given the base rate p, it is for a true yes; given the larger of p and 1 - p, for
        both truths. Raises UnattainableRisk where the risk is not above it; all in (0, 1).

        >>> round(dp.RandomizedResponse.from_risk(risk="3/4", base_rate=0.5).epsilon, 9)  # ln 3
        1.098612289
        """
        base = Fraction(checks.real("base_rate", base_rate, 0, 1, closed="()"))
        return cls(epsilon=largest_epsilon_from(base, parse_risk(risk), "the base rate"))

    @property
    def lie_probability(self) -> Any:
        """1 - t, to all its digits, in [0, 1/2]."""
        return _plain(np.exp(-self.epsilon) * self.truth_probability)

    @property
    def likelihoods(self) -> np.ndarray:
        """Probability of the answers yes and no (columns) when the truth is yes, no (rows).

        The rows and columns are the last two axes.
        """
        truth, lie = self.truth_probability, self.lie_probability
        return np.moveaxis(np.array([[truth, lie], [lie, truth]]), (0, 1), (-2, -1))

    def expected_yes(self, p: Any) -> Any:
        """The expected share of yes, 1 - t + (2t - 1)p (``eq-rr-expected``), for p in [0, 1].

        >>> round(float(dp.RandomizedResponse(epsilon=np.log(3)).expected_yes(0.2061)), 5)
        0.35305
        """
        p = checks.reals("p", p, 0, 1)
        return p * self.truth_probability + (1 - p) * self.lie_probability

    def estimate(self, yes_share: Any) -> Any:
        r"""The unbiased estimate of p, (r + t - 1)/(2t - 1) (``eq-rr-estimate``), for r in [0, 1].

        It may lie outside [0, 1]. As :math:`(1 - t)/(2t - 1) = 1/(e^\varepsilon - 1)`, it is
        r and (2r - 1) times that, in which no digit is lost near epsilon 0.

        >>> round(float(dp.RandomizedResponse(epsilon=np.log(3)).estimate(0.3492)), 4)
        0.1984
        """
        share = checks.reals("yes_share", yes_share, 0, 1)
        with np.errstate(over="ignore"):
            return share + (2 * share - 1) / np.expm1(self.epsilon)

    def uncertainty(self, yes_share: Any, respondents: int) -> Any:
        r"""Two standard errors of the estimate, :math:`\frac{2}{2t-1}\sqrt{r(1-r)/N}`.

        The Sherpa.ai tutorial's Δp (``eq-rr-uncertainty``), for r in [0, 1]. It is a normal
        approximation, which fails for few respondents, or r near 0 or 1: at r = 0 it is 0.

        >>> round(float(dp.RandomizedResponse(epsilon=np.log(3)).uncertainty(0.35, 1456)), 6)
        0.05
        """
        share = checks.reals("yes_share", yes_share, 0, 1)
        people = checks.integer("respondents", respondents, 1)
        return 2 / np.tanh(self.epsilon / 2) * np.sqrt(share * (1 - share) / people)

    def respondents_needed(self, *, error: float, p: Any) -> Any:
        """The least N with :meth:`uncertainty` at the expected share of at most error, in (0, 1).

        >>> dp.RandomizedResponse(epsilon=np.log(3)).respondents_needed(error=0.05, p=0.2)
        1456
        """
        error = checks.real("error", error, 0, 1, closed="()")
        least = np.vectorize(partial(_people, error), otypes=[object])
        return least(self.uncertainty(self.expected_yes(p), 1))[()]

    def answers(self, truths: Any, *, rng: Generator) -> np.ndarray:
        """The answers to truths of any shape, booleans or 0 and 1: each turned round with 1 - t."""
        array, lie = checks.truths("truths", truths), np.asarray(self.lie_probability)
        return array ^ (rng.random(np.broadcast_shapes(array.shape, lie.shape)) < lie)

    def sample_yes(self, p: float, respondents: int, size: Any = None, *, rng: Generator) -> Any:
        """Numbers of yes answers, of shape ``size``, when the truths are drawn at rate p."""
        people = checks.integer("respondents", respondents, 1)
        return rng.binomial(people, self.expected_yes(p), size)

    def disclosure_risk(self, p: Any) -> Any:
        """The posterior of a true yes after yes, tp/(tp + (1-t)(1-p)) (``eq-rr-risk``).

        For p in (0, 1); that of a true no after no is ``disclosure_risk(1 - p)``.

        >>> coins = dp.RandomizedResponse(epsilon=np.log(3))
        >>> round(coins.disclosure_risk(0.2), 4), round(coins.disclosure_risk(0.8), 3)
        (0.4286, 0.923)
        """
        p = checks.reals("p", p, 0, 1, closed="()")
        return _plain(1 / (1 + np.exp(-self.epsilon) * (1 - p) / p))


def _plain(values: np.ndarray) -> Any:
    """A float, where a single number was given."""
    return float(values) if np.ndim(values) == 0 else values


def _people(error: float, deviations: float) -> int:
    """The least N for which so many standard errors of one respondent are at most the error."""
    ratio = Fraction(deviations) / Fraction(error)
    return max(1, math.ceil(ratio**2 * (1 - Fraction(1, 10**12))))  # 7.0000000000001 is 7


def largest_epsilon_from(prior: Fraction, risk: Fraction, what: str) -> float:
    """How far log-odds may grow from a prior, which ``what`` names, to a risk; rounded down."""
    if risk - prior < 2.0**-300 * prior:
        got = format_fraction(risk)
        raise UnattainableRisk(f"risk must exceed {format_fraction(prior)}, {what}, got {got}")
    return min(log_odds_ratio(prior, risk), 690.7)  # e to more has not all digits as a float
