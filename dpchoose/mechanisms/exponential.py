"""A choice among outcomes, the likelier the better it scores."""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.epsilon.certify import certified_epsilon, to_decimal
from dpchoose.epsilon.choose import UnattainableRisk, below_prior
from dpchoose.risk.posterior import bayes


@dataclass(frozen=True, eq=False)
class Exponential:
    r"""An outcome o drawn with probability proportional to :math:`e^{\varepsilon u_o/(2\Delta u)}`.

    Dwork and Roth (2014), definition 3.4. Everything is computed from
    differences of scores in log space, so that nothing overflows.

    Args:
        scores: u of each outcome: a mapping from outcome to score (a dict, a
            Series), or an array, whose outcomes are its positions; k of them.
        epsilon: in (0, inf].
        sensitivity: the most by which one record moves a score, in (0, inf),
            in the unit of the scores.

    Attributes:
        scores: the scores alone, shape (k,).
        outcomes: what they belong to, shape (k,), in the same order.

    Raises:
        ValueError: an argument outside its domain.
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
        grows. The search climbs from the epsilon that the guarantee alone
        allows, up to which every epsilon meets the risk, to where one is first
        seen to fail.

        Args:
            scores: of the released data, as for the class.
            worlds: scores of each outcome in each possible world, shape (m, k).
            risk: accepted, in (0, 1); a number, or a text such as "1/3".
            sensitivity: as for the class.
            prior: one probability per world, shape (m,); None for the uniform.

        Returns:
            one whose risk does not exceed the request in exact arithmetic,
            with an epsilon one float below another where it does; math.inf
            when no epsilon is too large.

        Raises:
            UnattainableRisk: no positive epsilon meets it.
            ValueError: an argument outside its domain.
            TypeError: an argument of the wrong kind.

        >>> worlds = [[0, 1], [1, 0]]
        >>> fair = Exponential.from_risk([0, 1], worlds=worlds, risk="3/4", sensitivity=1)
        >>> round(fair.epsilon, 9)
        2.197224577
        """
        mechanism = cls(scores, epsilon=math.inf, sensitivity=sensitivity)
        worlds = checks.table("worlds", worlds, len(mechanism.scores))
        target = checks.parse_risk(risk)
        masses = np.ones(len(worlds)) if prior is None else checks.prior(prior, len(worlds))
        groups = _groups(worlds, masses)
        if max(group.peak / group.mass for group in groups) <= target:
            return mechanism

        def meets(epsilon: Decimal, margin: Decimal) -> bool:
            return _meets(groups, epsilon / (2 * Decimal(sensitivity)), target, margin)

        def seems_to_meet(epsilon: float) -> bool:
            one = cls(scores, epsilon=epsilon, sensitivity=sensitivity)
            return one.disclosure_risk(worlds, prior=prior) <= target

        largest, epsilon = max(g.peak for g in groups) / sum(g.mass for g in groups), 0.0
        if target > largest:
            odds = target * (1 - largest) / ((1 - target) * largest)
            log_odds = math.log(odds.numerator) - math.log(odds.denominator)
            start = log_odds * sensitivity / float(np.ptp(worlds, axis=0).max())
            epsilon = certified_epsilon(meets, seems_to_meet, start=start)
        if epsilon == 0:
            raise UnattainableRisk(below_prior(target, largest))
        if epsilon == sys.float_info.max:
            return mechanism
        return cls(scores, epsilon=epsilon, sensitivity=sensitivity)

    @property
    def probabilities(self) -> np.ndarray:
        """The probability of each outcome, in the order of the scores, shape (k,).

        >>> Exponential([3e5, 3e5], epsilon=1, sensitivity=1).probabilities.tolist()
        [0.5, 0.5]
        """
        return np.exp(self._logs(self.scores))

    def sample(self, size: Any = None, *, rng: np.random.Generator) -> Any:
        """Outcomes drawn at random, of the given shape."""
        return rng.choice(self.outcomes, size, p=self.probabilities)

    def guarantee(self, sensitivity: float) -> float:
        """The epsilon that holds when one record moves a score by this much.

        It is the nominal one when ``sensitivity`` is the mechanism's own.

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
                shape (rows, k); for a table of counts,
                :func:`neighbouring_counts` gives them in records.

        Raises:
            ValueError: an argument outside its domain.
            TypeError: an argument of the wrong kind.

        >>> round(Exponential([0, 0], epsilon=1, sensitivity=1).privacy_loss([[1, 0]]), 4)
        0.2809
        """
        others = self._logs(checks.table("neighbours", neighbours, len(self.scores)))
        own = np.broadcast_to(self._logs(self.scores), others.shape)
        differ = own != others
        return float(np.abs(own[differ] - others[differ]).max(initial=0))

    def likelihoods(self, worlds: Any) -> np.ndarray:
        """The probability of each outcome in each world, for the same epsilon.

        For :func:`dpchoose.posteriors`. Outcomes less likely than 1e-300 are
        lost in it, though not in :meth:`disclosure_risk`.

        Args:
            worlds: scores of each outcome in each possible world, shape (m, k).

        Returns:
            shape (m, k), rows summing to 1.
        """
        return np.exp(self._logs(checks.table("worlds", worlds, len(self.scores))))

    def disclosure_risk(self, worlds: Any, *, prior: Any = None) -> float:
        """The largest posterior of any world after any outcome.

        :func:`dpchoose.largest_posterior` of :meth:`likelihoods`, in log
        space: every outcome counts, however unlikely.

        Args:
            worlds: scores of each outcome in each possible world, shape (m, k).
            prior: one probability per world, shape (m,); None for the uniform.

        Raises:
            ValueError: an argument outside its domain.
            TypeError: an argument of the wrong kind.

        >>> choice = Exponential([0, 1], epsilon=2 * np.log(3), sensitivity=1)
        >>> round(choice.disclosure_risk([[0, 1], [1, 0]]), 12)
        0.75
        """
        logs = self._logs(checks.table("worlds", worlds, len(self.scores)))
        if prior is not None:
            prior = checks.prior(prior, len(logs))
            logs, prior = logs[prior > 0], prior[prior > 0]
        logs = logs[:, logs.max(axis=0) > -math.inf]
        return float(bayes(np.exp(logs - logs.max(axis=0)), prior).max())

    def _logs(self, scores: np.ndarray) -> np.ndarray:
        """Log-probabilities of the outcomes for scores of shape (..., k)."""
        with np.errstate(over="ignore", invalid="ignore"):
            gaps = scores - scores.max(axis=-1, keepdims=True)
            logs = np.where(gaps == 0, 0.0, self.epsilon / (2 * self.sensitivity) * gaps)
        return logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True))


def neighbouring_counts(counts: Any, *, adjacency: str = "unbounded") -> np.ndarray:
    """Every table of counts that differs from this one by one record.

    Args:
        counts: records in each class, integers, at least 0, shape (k,), k >= 2.
        adjacency: "unbounded", one record added or removed, at most 2k rows;
            "bounded", one record moved to another class, at most k(k - 1).

    Returns:
        integer array of shape (rows, k).

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


@dataclass(frozen=True)
class _Group:
    """Worlds that no outcome tells apart, all exact."""

    gaps: list[Fraction]  # of each outcome's score below the best one
    mass: Fraction  # prior of all of them
    peak: Fraction  # prior of the likeliest of them


def _groups(worlds: np.ndarray, masses: np.ndarray) -> list[_Group]:
    alike: dict[tuple[Fraction, ...], list[Fraction]] = {}
    for row, mass in zip(worlds[masses > 0].tolist(), masses[masses > 0].tolist(), strict=True):
        best = Fraction(max(row))
        gaps = tuple(Fraction(score) - best for score in row)
        alike.setdefault(gaps, []).append(Fraction(mass))
    return [_Group(list(gaps), sum(some), max(some)) for gaps, some in alike.items()]


def _meets(groups: list[_Group], rate: Decimal, risk: Fraction, margin: Decimal) -> bool:
    """Whether no posterior exceeds the risk, in the digits of the context in force.

    The gaps of one outcome are counted from the smallest of them before they
    are rounded, so that no digit is lost to their size.
    """
    sums = [sum((rate * to_decimal(gap)).exp() for gap in group.gaps) for group in groups]
    for column in zip(*(group.gaps for group in groups), strict=True):
        top = max(column)
        relative = [(rate * to_decimal(gap - top)).exp() / z for gap, z in zip(column, sums)]
        total = sum(to_decimal(g.mass) * chance for g, chance in zip(groups, relative))
        largest = max(to_decimal(g.peak) * chance for g, chance in zip(groups, relative))
        if largest * (1 + margin) * risk.denominator > total * risk.numerator:
            return False
    return True
