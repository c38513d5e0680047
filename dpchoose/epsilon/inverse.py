"""From a risk to the rate that keeps it: the one inversion of every bound.

Along a ray of rates the safe ones form an interval from 0, as no risk ever
falls with any rate, and its end is the answer. A rate is *safe* when the
risk in floats, together with the proved bound on its error, does not exceed
the accepted one; what is returned has been found safe.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpchoose.epsilon import text
from dpchoose.risk.curves import Curve
from dpchoose.risk.decay import UNIT

LEAST_GAP, MOST_GAP = 2.0**-50, 2.0**-32  # relative, from what is returned to the solution
NEAR = 2.0**-20
MOST_LOST = 2.0**-20  # of the logarithm of a risk, to answers that floats cannot tell apart
ROOT = 2.0**-43  # how well a proposal is known, relative
LOOKS = 400
LOWEST, HIGHEST = 1e-280, 1e280


class UnattainableRisk(ValueError):
    """No positive epsilon meets the risk, because so much was believed before any answer.

    It is a ValueError. :func:`dpchoose.recommend` never raises it: the status
    says "cannot be met", and the reason names the prior to exceed.
    """


def largest_rate(curve: Curve, risk: Fraction) -> float:
    """The largest rate at which a curve is at most the accepted risk (``eq-choose``).

    The curve names the rate at which the world that is worst now reaches the
    risk. The solution is no larger, so a little below is tried next, until
    that is safe.

    Args:
        curve: of the risk; it never falls.
        risk: accepted, in (0, 1).

    Returns:
        a rate that was found safe, within 1e-9 (relative) of the solution
        where the risk is farther than 1e-6 (relative) from the prior and the
        limit, and as near as the proved error allows elsewhere; 0 when no
        positive rate is found safe, math.inf when every rate is.

    Raises:
        TooFarApart: the records lie so far apart that the answers are not known well
            enough for a rate within 1e-6 of the solution.

    >>> from dpchoose.risk.curves import upper
    >>> round(largest_rate(upper(Fraction(1, 4), 1.0), Fraction(1, 2)), 8)  # ln 3
    1.09861229
    """
    if curve.limit <= risk:
        return math.inf
    if curve.prior > risk:
        return 0.0
    goal = text.log(risk)
    goal -= 4 * UNIT * (1 + abs(goal))  # for the rounding of the logarithm
    low, high, step, rate, lost = 0.0, math.inf, LEAST_GAP, curve.start(goal), 0.0
    if not rate < HIGHEST:  # too near the limit to tell in floats
        rate = curve.start(goal - NEAR)
    for _ in range(LOOKS):
        if not LOWEST < rate < HIGHEST:
            break
        seen = curve.look(rate, goal)
        gap = min(max(LEAST_GAP, seen.log_error / 8), MOST_GAP)
        step = max(step, gap)
        safe = seen.log_risk + seen.log_error <= goal
        if safe:
            low, lost = rate, seen.lost
            if rate >= seen.root * (1 - 2 * gap):
                break
        else:
            high = rate
        if high < math.inf and high - low <= 4 * step * high:
            break
        aim = seen.root * (1 - gap)
        if not safe and seen.root >= high * (1 - 16 * step - ROOT):  # here, within the error
            step *= 4
            rate = max(high * (1 - step), low / 2 + high / 2)
        elif low < aim < high:
            rate = aim
        else:
            rate = _between(low, high)
    if lost > MOST_LOST and (too_far := curve.too_far()):
        raise too_far
    return low


def _between(low: float, high: float) -> float:
    if high == math.inf:
        return 4 * low
    return max(math.sqrt(low) * math.sqrt(high), high / 16)
