r"""By how much odds can grow: the law behind every promise of this package.

Given the others, let d be the most by which the answers of two lists can lie apart, in
scales of the noise. Then for any two beliefs between such lists the odds after are at most
:math:`F = e^d` times the odds before, whatever the odds were. The *odds factor* is
:math:`e^d` and nothing else.
"""

import math
from typing import Any

import numpy as np

from dpchoose import checks


def odds_factor(before: Any, after: Any) -> Any:
    r"""The factor between the odds of two probabilities (``eq-factor``, its left side).

    .. math:: F = \frac{a}{1 - a} \Big/ \frac{b}{1 - b}

    Before it is b, in (0, 1), and after a, in (0, 1], of shapes that go together; the factors,
    in [0, inf], have the common shape.

    >>> dp.odds_factor(0.25, 0.5)
    3.0
    """
    b = checks.reals("before", before, 0, 1, closed="()")
    a = checks.reals("after", after, 0, 1, closed="(]")
    with np.errstate(divide="ignore"):
        factor = a * (1 - b) / (b * (1 - a))
    return float(factor) if factor.ndim == 0 else factor


def after(before: Any, factor: Any) -> Any:
    r"""The probability after odds have grown by a factor (``eq-torn``, from a belief of 1/2).

    .. math:: \frac{F b}{1 - b + F b}

    Before it was b, in [0, 1], and the factor is F, in [1, inf], of shapes that go together; the
    probabilities, in [0, 1], have the common shape.

    >>> dp.after(0.25, 3), dp.after(0.5, np.inf), dp.after(0, np.inf)
    (0.5, 1.0, 0.0)
    """
    b = checks.reals("before", before, 0, 1)
    f = checks.reals("factor", factor, 1, math.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        belief = np.where(b == 0, 0.0, b / (b + (1 - b) / f))
    return float(belief) if belief.ndim == 0 else belief


def relative_risk(*, included: Any, value: Any, epsilon: Any = None, distances: Any = None) -> Any:
    r"""By how much a belief can be multiplied: that a person is in, with a value in a set.

    Kazan and Reiter (2024, theorem 1), with both distances (``eq-relative``):

    .. math:: \frac{1}{q p + e^{-d_v} (1 - q) p + e^{-d_m} (1 - p)}

    Args:
        included: p, the belief before that the person is in, in (0, 1]; of any shape.
        value: q, the belief before that the value lies in the set if the person is in, in (0, 1];
            of a shape that goes with it.
        epsilon: of any mechanism, in [0, inf): their bound, d_v = 2 epsilon and d_m = epsilon.
        distances: (d_v, d_m), how far the answers lie apart at most when the value changes, and
            when the person comes or goes, in [0, inf), with d_v at most 2 d_m. Where n is public
            somebody else is in instead: (d_v, d_v). One of epsilon and distances is given.

    Returns:
        belief after over belief before, at most, in [1, inf], of the common shape.

    >>> step = math.log(3)
    >>> round(dp.relative_risk(included=1, value=0.25, distances=(step, step)), 6)
    2.0
    """
    p = checks.reals("included", included, 0, 1, closed="(]")
    q = checks.reals("value", value, 0, 1, closed="(]")
    checks.exactly_one({"epsilon": epsilon, "distances": distances})
    if distances is None:
        member = checks.real("epsilon", epsilon, 0, math.inf, closed="[)")
        changed = 2 * member
    else:
        pair = checks.reals("distances", distances, 0, math.inf, closed="[)", shape=(2,))
        changed, member = pair.tolist()
        if changed > 2 * member * (1 + 1e-12):
            rule = "distances (d_v, d_m) must have d_v at most 2 d_m"
            raise ValueError(f"{rule}, got {changed:g} and {member:g}")
    ratio = 1 / (q * p + math.exp(-changed) * (1 - q) * p + math.exp(-member) * (1 - p))
    return float(ratio) if ratio.ndim == 0 else ratio
