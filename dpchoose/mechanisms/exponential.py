"""One of several outcomes is drawn, the likelier the better it scores."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.epsilon.choose import unattainable
from dpchoose.epsilon.inverse import UnattainableRisk, largest_rate
from dpchoose.epsilon.text import parse_risk
from dpchoose.mechanisms.choice_risk import ChoiceRisk
from dpchoose.risk.decay import exponents


@dataclass(frozen=True, eq=False)
class Exponential:
    r"""An outcome o drawn with probability proportional to :math:`e^{\varepsilon u_o/(2\Delta u)}`.

    Dwork and Roth (2014), definition 3.4. An infinite
    epsilon draws one of the best. Everything is computed from differences of
    scores, in logarithms, so that nothing overflows.

    Args:
        scores: u of each outcome, finite: a mapping from outcome to score (a
            dict, a Series), or an array, whose outcomes are its positions; k
            of them.
        epsilon: in (0, inf].
        sensitivity: the most by which one record moves a score, in (0, inf),
            in the unit of the scores.

    Attributes:
        scores: the scores alone, shape (k,).
        outcomes: what they belong to, shape (k,), in the same order.

    Raises:
        ValueError: an argument outside its domain, here and in each method.
        TypeError: an argument of the wrong kind.

    >>> Exponential({"no": 0, "yes": 1}, epsilon=2, sensitivity=1).probabilities.round(4).tolist()
    [0.2689, 0.7311]
    """

    scores: Any
    epsilon: float = field(kw_only=True)
    sensitivity: float = field(kw_only=True)
    outcomes: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        checks.number("epsilon", self.epsilon, 0, math.inf, closed="(]")
        checks.number("sensitivity", self.sensitivity, 0, math.inf, closed="()")
        scores, outcomes = self.scores, None
        if hasattr(scores, "items"):
            names, scores = zip(*scores.items()) if len(scores) else ((), ())
            outcomes = np.fromiter(names, dtype=object, count=len(names))
        scores = checks.numbers("scores", scores)
        outcomes = np.arange(len(scores)) if outcomes is None else outcomes
        for name, array in (("scores", scores), ("outcomes", outcomes)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_risk(
        cls, scores: Any, *, worlds: Any, risk: Any, sensitivity: float, prior: Any = None
    ) -> Exponential:
        """The mechanism whose :meth:`disclosure_risk` over worlds is at most the risk.

        With many outcomes the risk may rise, fall and rise again as epsilon
        grows. The search begins where the guarantee alone keeps the risk
        (``eq-exp-bound``), at most doubles epsilon at a step, and stops where
        the risk is first seen to exceed the request.

        Args:
            scores: of the released data, as for the class.
            worlds: scores of each outcome in each possible world, shape (m, k).
            risk: accepted, in (0, 1); a number, or a text such as "1/3".
            sensitivity: as for the class.
            prior: one probability per world, shape (m,); None for the uniform.

        Returns:
            one whose risk, in exact arithmetic, does not exceed the request;
            its epsilon is math.inf when the search met none that is too large.

        Raises:
            UnattainableRisk: no positive epsilon meets it.

        >>> worlds = [[0, 1], [1, 0]]
        >>> fair = Exponential.from_risk([0, 1], worlds=worlds, risk="3/4", sensitivity=1)
        >>> round(fair.epsilon, 8)  # 2 ln 3
        2.19722458
        """
        mechanism = cls(scores, epsilon=math.inf, sensitivity=sensitivity)
        curve, target = mechanism._curve(worlds, prior), parse_risk(risk)
        epsilon = largest_rate(curve, target)
        if epsilon == 0:
            raise UnattainableRisk(unattainable(target, curve.prior))
        if epsilon >= curve.settled:
            return mechanism
        return cls(scores, epsilon=epsilon, sensitivity=sensitivity)

    @property
    def probabilities(self) -> np.ndarray:
        """The probability of each outcome, in the order of the scores (``eq-exponential``).

        Shape (k,).

        >>> Exponential([3e5, 3e5], epsilon=1, sensitivity=1).probabilities.tolist()
        [0.5, 0.5]
        """
        return np.exp(self._logs(self.scores))

    def sample(self, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Outcomes drawn at random, each with its probability.

        Args:
            size: shape of the result; None for one outcome.
            rng: the source of randomness.

        >>> choice = Exponential({"no": 0, "yes": 1}, epsilon=np.inf, sensitivity=1)
        >>> choice.sample(2, rng=np.random.default_rng(1)).tolist()
        ['yes', 'yes']
        """
        return rng.choice(self.outcomes, size, p=self.probabilities)

    def guarantee(self, sensitivity: float) -> float:
        r"""The epsilon that holds for a true sensitivity, :math:`\varepsilon\Delta u'/\Delta u`.

        See ``eq-guarantee``. For the mechanism's own sensitivity it is the nominal epsilon.

        Args:
            sensitivity: the true one, in [0, inf), in the unit of the scores.

        >>> Exponential([10.683, 14.976], epsilon=1, sensitivity=1).guarantee(1 / 1000)
        0.001
        """
        return self.epsilon * (checks.sensitivity(sensitivity) / self.sensitivity)

    def privacy_loss(self, neighbours: Any) -> float:
        r"""The largest :math:`|\ln(P(o)/P'(o))|` over outcomes o and neighbouring datasets.

        Dwork and Roth (2014), section 2.3.1. It is at most :meth:`guarantee`.

        Args:
            neighbours: scores of each outcome in each neighbouring dataset,
                shape (rows, k);
                :func:`~dpchoose.mechanisms.exponential.neighbouring_counts` lists
                those of counts.

        >>> round(Exponential([0, 0], epsilon=1, sensitivity=1).privacy_loss([[1, 0]]), 4)
        0.2809
        """
        others = self._logs(checks.table("neighbours", neighbours, len(self.scores)))
        own = np.broadcast_to(self._logs(self.scores), others.shape)
        differ = own != others
        return float(np.abs(own[differ] - others[differ]).max(initial=0))

    def likelihoods(self, worlds: Any) -> np.ndarray:
        """The probability of each outcome in each world, rows that sum to 1, shape (m, k).

        Outcomes less likely than 1e-300 are lost in it, though not in
        :meth:`disclosure_risk`.

        Args:
            worlds: scores of each outcome in each possible world, shape (m, k).

        >>> Exponential([0, 1], epsilon=2, sensitivity=1).likelihoods([[5, 5]]).tolist()
        [[0.5, 0.5]]
        """
        return np.exp(self._logs(checks.table("worlds", worlds, len(self.scores))))

    def disclosure_risk(self, worlds: Any, *, prior: Any = None) -> float:
        """The largest posterior of any world after any outcome, however unlikely.

        :func:`dpchoose.largest_posterior` of :meth:`likelihoods`, in logarithms.

        Args:
            worlds: scores of each outcome in each possible world, shape (m, k).
            prior: one probability per world, shape (m,); None for the uniform.

        >>> choice = Exponential([0, 1], epsilon=2 * np.log(3), sensitivity=1)
        >>> round(choice.disclosure_risk([[0, 1], [1, 0]]), 12)
        0.75
        """
        return self._curve(worlds, prior).risk_and_slope(self.epsilon)[0]

    def _curve(self, worlds: Any, prior: Any) -> ChoiceRisk:
        worlds = checks.table("worlds", worlds, len(self.scores))
        masses = np.ones(len(worlds)) if prior is None else checks.prior(prior, len(worlds))
        return ChoiceRisk(worlds, masses, float(self.sensitivity))

    def _logs(self, scores: np.ndarray) -> np.ndarray:
        """Log-probabilities of the outcomes for scores of shape (..., k)."""
        gaps = scores - scores.max(axis=-1, keepdims=True)
        logs = exponents(self.epsilon / (2 * self.sensitivity), gaps)
        return logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True))


def neighbouring_counts(counts: Any, *, adjacency: str = "unbounded") -> np.ndarray:
    """Every table of counts that differs from this one by one record, shape (rows, k).

    Args:
        counts: records in each class, integers, at least 0, shape (k,), k >= 2.
        adjacency: "unbounded", one record added or removed, at most 2k rows;
            "bounded", one record moved to another class, at most k(k - 1).

    Raises:
        ValueError: an argument outside its domain, or no neighbours.
        TypeError: an argument of the wrong kind.

    >>> neighbouring_counts([2, 0]).tolist()
    [[3, 0], [2, 1], [1, 0]]
    >>> neighbouring_counts([2, 0], adjacency="bounded").tolist()
    [[1, 1]]
    """
    counts = checks.counts(counts)
    steps = np.eye(len(counts), dtype=np.int64)
    if checks.adjacency(adjacency) == "unbounded":
        rows = counts + np.concatenate([steps, -steps])
    else:
        pairs = np.array(list(itertools.permutations(range(len(counts)), 2)))
        rows = counts - steps[pairs[:, 0]] + steps[pairs[:, 1]]
    rows = rows[(rows >= 0).all(axis=1)]
    if not len(rows):
        raise ValueError(f"counts must hold a record that can change, got {counts.tolist()}")
    return rows
