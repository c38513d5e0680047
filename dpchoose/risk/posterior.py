"""What the adversary believes after seeing one output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpchoose import checks


def posterior(
    answers: Any, output: Any, *, epsilon: float, sensitivity: float, prior: Any = None
) -> np.ndarray:
    r"""The probability of each world once the noisy answer is known.

    Lee and Clifton (2011), section 4.4, for Laplace noise and any prior:
    :math:`p_i e^{-\varepsilon|\gamma - f_i|/\Delta f}`, normalised. It is a
    ratio of densities, evaluated in log space so that nothing underflows.

    Args:
        answers: f of each world, shape (m,), finite.
        output: the noisy answer that was published, finite; or an array.
        epsilon: in [0, inf).
        sensitivity: of the query, in (0, inf), in the unit of the answers.
        prior: one probability per world, shape (m,); None for the uniform.

    Returns:
        shape (m,), summing to 1; for an array of outputs, one such row each.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> posterior([2, 3], 2, epsilon=1, sensitivity=1).round(4).tolist()
    [0.7311, 0.2689]
    """
    answers = checks.numbers("answers", answers)
    outputs = checks.numbers("output", np.ravel(output)).reshape(np.shape(output))
    epsilon = checks.number("epsilon", epsilon, 0, math.inf, closed="[)")
    sensitivity = checks.number("sensitivity", sensitivity, 0, math.inf, closed="()")
    prior = np.ones(len(answers)) if prior is None else checks.prior(prior, len(answers))
    possible = prior > 0
    # Beyond the answers every output says the same, and a distance that all
    # worlds share cancels: neither may swallow the digits of the others.
    outputs = np.clip(outputs, answers[possible].min(), answers[possible].max())
    distances = np.abs(outputs[..., None] - answers)
    distances = distances - distances[..., possible].min(axis=-1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        decay = np.where(distances == 0, 0, epsilon / sensitivity * distances)
        log_belief = np.where(possible, np.log(prior) - decay, -np.inf)
    belief = np.exp(log_belief - log_belief.max(axis=-1, keepdims=True))
    return belief / belief.sum(axis=-1, keepdims=True)


def confidence(*, prior: Any, posterior: Any) -> float:
    """How much belief the adversary gains at most: max(posterior - prior).

    Lee and Clifton (2011), p. 333. The order matters, so both are
    named: exchanged, the result is the largest *loss* of belief.

    Args:
        prior: one probability per world, shape (m,).
        posterior: the same after the output, shape (m,).

    Raises:
        ValueError: not probabilities that sum to 1, or of two lengths.
        TypeError: an argument of the wrong kind.

    >>> confidence(prior=[0.25] * 4, posterior=[0.4, 0.3, 0.2, 0.1])
    0.15000000000000002
    """
    after = checks.numbers("posterior", posterior)
    after = checks.prior(after, len(after), name="posterior")
    return float((after - checks.prior(prior, len(after))).max())


def disclosure_risk(posterior: Any) -> float:
    """The probability of the adversary's best guess: the largest posterior.

    Lee and Clifton (2011), section 4.4.

    Args:
        posterior: one probability per world, shape (m,).

    Raises:
        ValueError: not probabilities that sum to 1.
        TypeError: an argument of the wrong kind.

    >>> disclosure_risk([0.4, 0.3, 0.2, 0.1])
    0.4
    """
    after = checks.numbers("posterior", posterior)
    return float(checks.prior(after, len(after), name="posterior").max())


def posteriors(likelihoods: Any, *, prior: Any = None) -> np.ndarray:
    """The probability of each world after each output, when outputs are few.

    Bayes' rule, p_i P(o | i) normalised over the worlds i, for mechanisms
    whose outputs can be listed; :func:`posterior` is for Laplace noise.

    Args:
        likelihoods: probability of each output in each world, shape (worlds,
            outputs); each row sums to 1.
        prior: one probability per world, shape (worlds,); None for the
            uniform.

    Returns:
        shape (worlds, outputs), each column summing to 1; nan for an output
        that is impossible in every world.

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> posteriors([[0.75, 0.25], [0.25, 0.75]], prior=[0.2, 0.8]).round(3).tolist()
    [[0.429, 0.077], [0.571, 0.923]]
    """
    return bayes(checks.likelihoods(likelihoods), prior)


def bayes(likelihoods: np.ndarray, prior: Any) -> np.ndarray:
    """The same for likelihoods that are known up to one factor per output."""
    joint = likelihoods
    if prior is not None:
        joint = joint * checks.prior(prior, len(joint))[:, None]
    sums = joint.sum(axis=0)
    return joint / np.where(sums == 0, np.nan, sums)


def largest_posterior(likelihoods: Any, *, prior: Any = None) -> float:
    """The disclosure risk of a mechanism whose outputs can be listed.

    The largest probability of any world after any output: what
    :func:`dpchoose.worst_case_risk` is for Laplace noise.

    Args:
        likelihoods: probability of each output in each world, shape (worlds,
            outputs); each row sums to 1.
        prior: one probability per world, shape (worlds,); None for the
            uniform.

    Returns:
        a risk in (0, 1].

    Raises:
        ValueError: an argument outside its domain.
        TypeError: an argument of the wrong kind.

    >>> largest_posterior([[0.75, 0.25], [0.25, 0.75]], prior=[0.5, 0.5])
    0.75
    """
    return float(np.nanmax(posteriors(likelihoods, prior=prior)))
