"""What the adversary believes after seeing one output."""

import math
from typing import Any

import numpy as np

from dpchoose import checks


def posterior(
    answers: Any,
    output: Any,
    *,
    scale: Any = None,
    epsilon: Any = None,
    sensitivity: Any = None,
    prior: Any = None,
) -> np.ndarray:
    r"""The probability of each world once the noisy answers are known (``eq-posterior``).

    Lee and Clifton (2011), section 4.4, for Laplace noise, any prior and d answers together:
    :math:`p_i e^{-\sum_q \varepsilon_q|\gamma_q - f_{q,i}|/\Delta f_q}`, normalised. It is
    evaluated in log space so that the sum never underflows. The noise is said by its scale,
    or by epsilon and sensitivity, of which the scale is :math:`\Delta f/\varepsilon`.

    Args:
        answers: f of each world, finite, shape (m,), or (m, d) for d answers.
        output: what was published, finite, of any shape; for d answers (d,) or (..., d).
        scale: in (0, inf], in the unit of the answers; for d answers of shape (d,).
        epsilon: in place of the scale, in [0, inf); for d answers of shape (d,).
        sensitivity: with epsilon, in (0, inf), in the unit of the answers; as many.
        prior: one probability per world, shape (m,); None for the uniform.

    Returns:
        shape (m,), summing to 1; for an array of outputs, one such row each.

    >>> dp.posterior([2, 3], 2, scale=1).round(4).tolist()
    [0.7311, 0.2689]
    >>> two = dp.posterior([[2, 0], [3, 5]], [2, 5], epsilon=[1, 1], sensitivity=[1, 5])
    >>> two.tolist()  # one speaks for the first world, one against it
    [0.5, 0.5]
    """
    outputs = checks.reals("output", output, closed="()")
    shape = ()
    if np.asarray(answers, dtype=object).ndim > 1:
        answers = checks.table("answers", answers)
        shape = answers.shape[1:]
        if outputs.shape[-1:] != shape:
            raise ValueError(f"output must have shape (..., {shape[0]}), got {outputs.shape}")
    else:
        answers, outputs = checks.numbers("answers", answers)[:, None], outputs[..., None]
    rates = _rates(shape, scale=scale, epsilon=epsilon, sensitivity=sensitivity)
    prior = np.ones(len(answers)) if prior is None else checks.prior(prior, len(answers))
    possible = prior > 0
    # Beyond the answers every output says the same, and a distance that all worlds share
    # cancels: neither may swallow the digits of the others.
    near = answers[possible]
    outputs = np.clip(outputs, near.min(axis=0), near.max(axis=0))
    distances = np.abs(outputs[..., None, :] - answers)
    distances -= distances[..., possible, :].min(axis=-2, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        decay = np.where(distances == 0, 0, rates * distances).sum(axis=-1)
        logs = np.where(possible, np.log(prior) - decay, -np.inf)
    belief = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return belief / belief.sum(axis=-1, keepdims=True)


def _rates(shape: tuple[int, ...], **noise: Any) -> np.ndarray:
    """The inverse scales of the noise, of which the scale is given, or both of the others."""
    given = [name for name, value in noise.items() if value is not None]
    if given not in (["scale"], ["epsilon", "sensitivity"]):
        got = " and ".join(given) or "none"
        raise ValueError(f"scale, or epsilon and sensitivity, must be given, got {got}")
    intervals = {"scale": "(]", "epsilon": "[)", "sensitivity": "()"}
    over = [
        checks.reals(name, noise[name], 0, math.inf, closed=intervals[name], shape=shape)
        for name in given
    ]
    with np.errstate(over="ignore"):
        return 1 / over[0] if len(over) == 1 else over[0] / over[1]


def confidence(*, prior: Any, posterior: Any) -> float:
    """How much belief the adversary gains at most: max(posterior - prior).

    Lee and Clifton (2011), p. 333. Both are named, one probability per world, shape (m,), as
    the order matters: exchanged, they give the largest *loss* of belief. Raises ValueError or
    TypeError where they are no probabilities that sum to 1, or are of two lengths.

    >>> dp.confidence(prior=[0.25] * 4, posterior=[0.5, 0.3, 0.1, 0.1])
    0.25
    """
    after = checks.prior(posterior, name="posterior")
    return float((after - checks.prior(prior, len(after))).max())


def disclosure_risk(posterior: Any) -> float:
    """The probability of the adversary's best guess: the largest posterior, of shape (m,).

    Lee and Clifton (2011), section 4.4. Raises as :func:`confidence` does.

    >>> dp.disclosure_risk([0.4, 0.3, 0.2, 0.1])
    0.4
    """
    return float(checks.prior(posterior, name="posterior").max())


def posteriors(likelihoods: Any, *, prior: Any = None) -> np.ndarray:
    """The probability of each world after each output, when outputs are few.

    Bayes' rule, p_i P(o | i) normalised over the worlds i; :func:`posterior` is for Laplace
    noise.

    Args:
        likelihoods: of each output in each world, shape (worlds, outputs); each row sums to 1.
        prior: one probability per world, shape (worlds,); None for the uniform.

    Returns:
        shape (worlds, outputs), each column summing to 1; nan for an impossible output.

    >>> posteriors([[0.75, 0.25], [0.25, 0.75]], prior=[0.2, 0.8]).round(3).tolist()
    [[0.429, 0.077], [0.571, 0.923]]
    """
    joint = checks.chances("likelihoods", checks.table("likelihoods", likelihoods))
    if prior is not None:
        joint *= checks.prior(prior, len(joint))[:, None]
    sums = joint.sum(axis=0)
    return joint / np.where(sums == 0, np.nan, sums)
