r"""A bound on the risk of any record, for any number of records and answers.

Let :math:`\Delta_q` be the bounded global sensitivity of answer q at distance
1, :math:`t_q` its rate, and :math:`s = \sum_q t_q\Delta_q` the *step*: the most
by which exchanging one record can change the logarithm of the likelihood of an
output :math:`\gamma`. Pair every world that holds record r with each of the
N - n worlds in which r is exchanged for an outsider. Within a pair,
:math:`L(\gamma\mid\text{with}) \le e^s L(\gamma\mid\text{without})`. Add up all
pairs: each world with r occurs N - n times, once for every outsider, and each
world without r occurs n times, once for every member that may have stood in
for r. So :math:`(N - n)\sum_{\text{with}} L \le e^s\, n\sum_{\text{without}} L`:
the odds that r is in are at most :math:`e^s` times :math:`n/(N - n)`, which they
were before. The same pairs, read the other way round, bound the odds that r is
out. The worlds are equally likely; nothing else is assumed.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from dpchoose.risk import decay
from dpchoose.risk.decay import UNIT


def record_bound(step: float, *, release_size: int, records: int) -> tuple[float, float]:
    r"""How sure any output can make one that a record is in, and out (``eq-record-bound``).

    .. math:: P(\text{in}\mid\gamma) \le \frac{n e^s}{n e^s + N - n}, \qquad
              P(\text{out}\mid\gamma) \le \frac{(N - n) e^s}{(N - n) e^s + n}

    Args:
        step: s, the sum over the answers of rate times bounded global
            sensitivity at distance 1, in [0, inf].
        release_size: n, in [1, N - 1].
        records: N, at least 2.

    Returns:
        two bounds in (0, 1], that it is present and that it is absent. They
        are rounded up, never below those on paper, and above them by less than
        1e-15 of themselves.

    >>> [round(bound, 4) for bound in record_bound(math.log(3), release_size=1, records=4)]
    [0.5, 0.9]
    """
    fade, outside = math.exp(-step), records - release_size
    present = 1 / (1 + outside / release_size * fade)
    absent = 1 / (1 + release_size / outside * fade)
    # exp, quotient, product, sum and quotient are off by at most 6 units together
    return min(present * (1 + 8 * UNIT), 1.0), min(absent * (1 + 8 * UNIT), 1.0)


@dataclass(frozen=True, eq=False)
class BoundedRecords:
    """The records of a release whose worlds are not listed: all have one bound.

    It answers the questions that the tables of :mod:`dpchoose.risk.record_tables`
    answer.

    Attributes:
        steps: bounded global sensitivity of each answer at distance 1, shape (d,).
        release_size: n, in [1, N - 1].
        records: N.
        exact: False.
    """

    steps: np.ndarray
    release_size: int
    records: int
    exact: bool = False

    def step(self, rates: np.ndarray) -> float:
        """The step s at rates of shape (d,), in [0, inf], rounded up.

        >>> round(BoundedRecords(np.array([2.0, 1.0]), 3, 6).step(np.array([0.5, 1.0])), 9)
        2.0
        """
        s = math.fsum(decay.exponents(rates, self.steps).tolist())
        return s * (1 + 64 * UNIT)  # a sensitivity is off by a few units

    def posteriors(self, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The bounds on present and on absent, shape (N,) each."""
        present, absent = record_bound(
            self.step(rates), release_size=self.release_size, records=self.records
        )
        return np.full(self.records, present), np.full(self.records, absent)

    def largest_log_odds(self, rates: np.ndarray) -> tuple[float, float]:
        """Logarithms of the largest odds that a record is in, and out, rounded up.

        >>> table = BoundedRecords(np.array([2.0]), 3, 6)
        >>> [round(x, 9) for x in table.largest_log_odds(np.array([0.5]))]
        [1.0, 1.0]
        """
        step, outside = self.step(rates), self.records - self.release_size
        prior = math.log(self.release_size / outside)
        if step == math.inf:
            return step, step
        more = 4 * UNIT * (1 + abs(prior) + step) + sys.float_info.min
        return step + prior + more, step - prior + more

    def look(self, rates: np.ndarray, secret: str) -> tuple[float, np.ndarray, float]:
        """One of :meth:`largest_log_odds`, its derivatives by each rate, (d,), and 0 lost."""
        return self.largest_log_odds(rates)[0 if secret == "present" else 1], self.steps, 0.0
