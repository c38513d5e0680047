r"""Several answers published together: their tight bound, and the two farthest worlds.

With noise of rate :math:`t_q` on the answer to query q, the tight bound is
:math:`\max_i p_i / S_i`, where :math:`S_i = \sum_j w_j e^{-\sum_q t_q |f_{q,i} - f_{q,j}|}`
adds over the distinct rows of answers, w being the mass of the worlds behind a
row and p the largest prior among them.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpchoose.risk import decay, decay_rows
from dpchoose.risk.decay import UNIT
from dpchoose.worlds.places import Places


class JointRisk:
    r"""The tight bound of d answers published together, at any rates.

    All M sums are formed anew at each rates; nothing is kept between two.

    Args:
        places: of the answers f, M distinct rows; or these as floats, shape (M, d).
        weights: w, shape (M,), each 0 or at least 1e-290, the largest at most
            1e290 times the smallest above 0; they add up to at most 1e300.
        peaks: p, shape (M,), each in [0, w], not all 0.

    Attributes:
        log_error: a bound on the error of the logarithm that :meth:`largest`
            gives. The sum has the relative error of
            :func:`dpchoose.risk.decay_rows.relative_error`; dividing rounds
            once; and the logarithm, at most 1400 in magnitude, is off by at
            most two units in its last place.

    >>> rows = JointRisk(np.array([[0.0, 0], [1, 1]]), np.full(2, 0.5), np.full(2, 0.5))
    >>> log_risk, row = rows.largest(np.full(2, np.log(2) / 2))
    >>> round(float(np.exp(log_risk)), 6)
    0.666667
    """

    def __init__(self, places: Places | np.ndarray, weights: np.ndarray, peaks: np.ndarray) -> None:
        self.places = Places.of(places) if isinstance(places, np.ndarray) else places
        self.weights = weights
        self.peaks = peaks
        sums = decay_rows.relative_error(*self.places.heads.shape)
        self.log_error = 1.01 * sums + UNIT * (4 + 4 * 1400)

    def largest(self, rates: np.ndarray) -> tuple[float, int]:
        r"""The logarithm of :math:`\max_i p_i / S_i`, and the row that has it.

        Each risk is raised by what its places may have lost.

        Args:
            rates: t, shape (d,), in [0, inf].

        Returns:
            the logarithm, within :attr:`log_error`, and a row: the largest, or
            one whose risk is as large up to twice that error.
        """
        places = self.places
        total = decay_rows.sums(places.heads, self.weights, places.rates(rates), places.tails)
        risks = np.divide(self.peaks, total, out=np.zeros(len(total)), where=self.peaks > 0)
        risks *= np.exp(places.lost(rates))
        row = int(risks.argmax())
        return math.log(risks[row]) if risks[row] else -math.inf, row

    def distances(self, row: int, rates: np.ndarray) -> np.ndarray:
        r"""The distances :math:`\sum_q t_q |f_{q,i} - f_{q,j}|` of one row i from all rows j.

        Along a ray :math:`\tau t` the sum of row i is
        :math:`\sum_j w_j e^{-\tau \cdot \text{distance}_j}`: a function of one number.

        Args:
            row: i, in [0, M - 1].
            rates: t, shape (d,), in [0, inf]; an infinite rate counts 0 where
                the answers are equal.

        Returns:
            shape (M,), in [0, inf].

        >>> both = JointRisk(np.array([[0.0, 0], [1, 2]]), np.ones(2), np.ones(2))
        >>> both.distances(0, np.array([3.0, 0.5])).tolist()
        [0.0, 4.0]
        """
        gaps = np.abs(self.places.from_row(row))
        return decay.exponents(self.places.rates(rates), gaps).sum(axis=1)


def diameter(places: Places | np.ndarray, rates: np.ndarray) -> tuple[float, int, int]:
    r"""The largest :math:`\sum_q t_q |f_{q,i} - f_{q,j}|` over all pairs of rows.

    For the right signs the sum of a pair is the difference of the scores
    :math:`\sum_q \pm t_q f_q`, and for no signs is it less: so it is the
    largest range of the scores over the :math:`2^{d-1}` patterns of signs.

    Each coordinate is taken from its lowest value, so that a score is off by
    at most d + 4 roundings of parts that are each at most the diameter, and
    the range by twice that and one more; the result is raised by as much, and by
    what the places may have lost.

    Args:
        places: of the answers f; or these as floats, shape (M, d).
        rates: t, shape (d,), in [0, inf].

    Returns:
        the diameter, never below the true one and above it by at most
        8 (d + 4)**2 u times itself, u = 2**-53; and two rows at this distance,
        up to the same error. Infinite where an infinite rate meets different answers.

    >>> distance, one, other = diameter(np.array([[0.0, 5], [3, 1], [2, 0]]), np.array([1.0, 2]))
    >>> round(distance, 9), one, other
    (12.0, 0, 2)
    """
    places = Places.of(places) if isinstance(places, np.ndarray) else places
    from_low = places.from_row(places.ends()[0])
    scaled = decay.exponents(places.rates(rates), from_low)
    far = np.flatnonzero(np.isinf(scaled).any(axis=0))
    if len(far):
        column = from_low[:, far[0]]
        return np.inf, int(column.argmin()), int(column.argmax())
    several = len(rates)
    largest, pair = -1.0, (0, 0)
    for signs in itertools.product((1.0, -1.0), repeat=several - 1):
        scores = scaled[:, 0] + (scaled[:, 1:] * signs).sum(axis=1)
        low, high = int(scores.argmin()), int(scores.argmax())
        if scores[high] - scores[low] > largest:
            largest, pair = float(scores[high] - scores[low]), (min(low, high), max(low, high))
    finite = np.where(np.isinf(rates), 0.0, rates)
    off = float((finite * (places.off + places.widest_loss)).sum())
    return largest * (1 + 4 * (several + 4) ** 2 * UNIT) + off, *pair
