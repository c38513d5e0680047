"""What every adversary gets from answers that are published together with given noise.

The accepted risk holds for one of them. The others may be surer at the same
scales, and a recommendation never stands without them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpchoose.epsilon.setting import Setting
from dpchoose.risk.record import largest_record

EXPOSED = 0.99  # a posterior of a record beyond which it is given away ...
UNEXPOSED = 0.9  # ... by these answers, if it was less likely than this before


@dataclass(frozen=True, eq=False)
class Adversaries:
    """Their risks at some rates.

    Attributes:
        risks: the largest posterior of each by name, nan where it is unknown.
        record_exact: whether those of a record are exact, and not its bound.
        exposed: positions of the records that are given away, (E,).
        present, absent: of these records, shape (E,).
    """

    risks: dict[str, float]
    record_exact: bool
    exposed: np.ndarray
    present: np.ndarray
    absent: np.ndarray


def torn(distance: float) -> float:
    r"""The posterior of the likelier of two worlds, at prior 1/2 each (``eq-torn``).

    .. math:: \frac{1}{1 + e^{-d}}

    Args:
        distance: :math:`d = \sum_q t_q |f_{q,i} - f_{q,j}|`, at least 0. With the
            epsilon of all answers, it bounds the belief of who knows everybody
            else but not n that one person is in; with :math:`s = \sum_q t_q
            \Delta_q`, of who knows n too which of two people is.

    >>> round(torn(1.0), 4), torn(0.0), torn(math.inf)
    (0.7311, 0.5, 1.0)
    """
    return 1 / (1 + math.exp(-distance))


def adversaries_at(setting: Setting, rates: np.ndarray) -> Adversaries:
    """The risks of all adversaries at rates of shape (d,), in [0, inf]."""
    present, absent, exact = largest_record(setting.table, rates)
    share = setting.release_size / setting.records
    told_in = present > EXPOSED and share < UNEXPOSED
    told_out = absent > EXPOSED and 1 - share < UNEXPOSED
    exposed, known = np.array([], dtype=int), (np.array([]), np.array([]))
    if exact and (told_in or told_out):
        posteriors = setting.table.posteriors(rates)
        beyond = np.zeros(setting.records, dtype=bool)
        for asked, found in zip((told_in, told_out), posteriors):
            beyond |= asked & (found > EXPOSED)
        exposed = np.flatnonzero(beyond)
        known = tuple(found[exposed] for found in posteriors)
    world = setting.world_risk(rates)
    if exact and setting.release_size == setting.records - 1:
        absent = world  # each record is missing from one world
    if exact and setting.release_size == 1:
        present = world  # or is there in one
    risks = {
        "world": world,
        "torn": torn(setting.farthest(rates)),
        "not knowing n": torn(setting.unbounded_total(rates)),
        "knowing n": torn(setting.step(rates)),
        "present": present,
        "absent": absent,
        "average": setting.average(rates),
    }
    return Adversaries(risks, exact, exposed, *known)
