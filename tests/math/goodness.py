"""Does a sample look like the distribution that it should come from?"""

import mpmath
import numpy as np


def chi_square(observed, chances):
    """The p-value of Pearson's statistic; cells that expect fewer than 5 are pooled."""
    observed, chances = np.asarray(observed, dtype=float), np.asarray(chances, dtype=float)
    expected = observed.sum() * chances / chances.sum()
    rare = expected < 5
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = (len(expected) - 1) / 2
    return float(mpmath.gammainc(freedom, statistic / 2, mpmath.inf, regularized=True))


def binomial(n, chance):
    """The probabilities of 0 to n successes, by multiplying out the generating function."""
    chances = np.ones(1)
    for _ in range(n):
        chances = np.convolve(chances, [1 - chance, chance])
    return chances
