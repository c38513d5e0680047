r"""Gaussian noise, of which odds can grow without limit, though seldom far.

Two lists whose answers lie mu standard deviations apart, and a reader who knows every other
record, so that only these two are left. The log of her odds moves by
:math:`\mu^2/2 + \mu Z` towards the true list, Z standard normal.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.risk.kernel import UNIT


@dataclass(frozen=True)
class Gaussian:
    r"""Gaussian noise between two lists of answers.

    Several answers are as one: each divided by the standard deviation of its noise, the two
    lists are two points, and normal noise stays normal when the axes are turned so that the
    first runs through both; the others then tell nothing. So mu is the root of the sum of the
    squared differences.

    Noise is rho-zCDP (zero-concentrated) if the densities P and Q of the outputs of two
    neighbours keep, for every alpha > 1,

    .. math:: \frac{1}{\alpha - 1} \ln \int P^\alpha\, Q^{1 - \alpha} \le \rho\,\alpha .

    For two normal densities of width 1, around 0 and mu, completing the square gives

    .. math:: P^\alpha\, Q^{1 - \alpha}
              = e^{\alpha(\alpha - 1)\mu^2/2}\, \varphi(x - (1 - \alpha)\mu) ,

    with the normal density :math:`\varphi`, which integrates to 1. So the left side is
    :math:`\alpha\mu^2/2`, and :math:`\mu \le \sqrt{2\rho}`.

    Attributes:
        distance: mu, how many standard deviations they lie apart, in (0, inf).

    >>> round(dp.Gaussian(1).right(), 4)
    0.6915
    """

    distance: float

    def __post_init__(self) -> None:
        checks.real("distance", self.distance, 0, math.inf, closed="()")

    def odds_exceed(self, factor: Any) -> tuple[Any, Any]:
        r"""How often odds grow more than a factor F: two chances, of the true list and the other.

        .. math:: \Phi(\mu/2 - \ln F/\mu), \quad \Phi(-\mu/2 - \ln F/\mu)

        F, in [1, inf), has any shape, which both probabilities take; they are rounded up. The
        reader knows every other record. With Laplace noise at distance d both are 0 for F >= e^d.

        >>> [round(chance, 4) for chance in dp.Gaussian(1).odds_exceed(1.5)]
        [0.5377, 0.1826]
        """
        factors = checks.reals("factor", factor, 1, math.inf, closed="[)")
        with np.errstate(over="ignore"):
            truth, other = _CHANCES(factors, self.distance)
        return (float(truth), float(other)) if factors.ndim == 0 else (truth, other)

    def right(self) -> float:
        r"""How often her best guess between the two is right, if both were even.

        .. math:: \Phi(\mu/2)

        An undecided reader to whom the unknown records tell nothing is right at most so often.
        It is rounded up.
        """
        return _above(-self.distance / 2, size=self.distance / 2)


def _chances(factor: float, distance: float) -> tuple[float, float]:
    """How often odds grow more than a factor: of the true list, and of the other."""
    logs, half = min(math.log(factor) / distance, 1e300), distance / 2
    return _above(logs - half, size=logs + half), _above(logs + half, size=logs + half)


_CHANCES = np.vectorize(_chances, otypes=[float, float])


def _above(x: float, *, size: float) -> float:
    """The chance that Z exceeds x, rounded up; x is a sum of numbers of a size, 6 roundings off."""
    x = x / math.sqrt(2) - 8 * UNIT * size
    return min(math.nextafter(math.erfc(x) / 2 * (1 + 64 * UNIT), 1), 1.0)
