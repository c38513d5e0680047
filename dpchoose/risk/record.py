r"""The risk of one record, which the risk of a world is not.

*Bound.* Let :math:`s = \sum_q t_q\Delta_q`, with :math:`\Delta_q` the bounded global
sensitivity at distance 1: the most by which exchanging one record can change the logarithm
of the likelihood of an output. Pair every world that holds record r with each of the N - n
worlds in which r is exchanged for an outsider. Within a pair the likelihoods differ by at
most :math:`e^s`. Each world with r occurs N - n times, each without it n times. So the odds
that r is in are at most :math:`e^s` times n/(N - n), which they were before, and likewise the
odds that it is out.

*All but one* (and one alone, its mirror). That r is missing is one world: its largest
posterior is that of the tight bound. The odds that it is not missing are a sum over the
other worlds i of :math:`e^{t(|\gamma - f_r| - |\gamma - f_i|)}`. In each coordinate such a
term never falls, or never rises, away from :math:`f_r`: the largest sum lies at an output
beyond all answers, on one side in each coordinate.

*Listed.* Between two neighbouring answers both sums over worlds are of the form
:math:`a e^{t\gamma} + b e^{-t\gamma}`, and their ratio is monotone: it is largest at an answer.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.later import pd
from dpchoose.data.queries import Asked, ask
from dpchoose.risk import bounds, kernel
from dpchoose.risk.odds import odds_factor
from dpchoose.sensitivity import find
from dpchoose.worlds import subsets
from dpchoose.worlds.subsets import MAX_WORLDS
from dpchoose.worlds.worlds import every_world, laid_out, listed

MEMBERSHIPS = 20_000_000  # records times worlds, of which a table is made


def record_risk(
    query: Any, universe: Any, release_size: int, *, epsilon: Any, sensitivity: Any
) -> pd.DataFrame:
    r"""How sure an output can make the adversary that a record is in, or is not (``eq-record``).

    The largest posterior, over all outputs :math:`\gamma` of the answers published together,
    that record r is in the release, and that it is not, for an adversary to whom all worlds
    are equally likely:

    .. math:: \max_\gamma \frac{\sum_{i \ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}
                               {\sum_i e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}

    It is exact when all records but one are released, or one alone, and for one answer
    whose worlds can be listed; everywhere else it is the bound
    :func:`dpchoose.risk.record.record_bound`.

    Args:
        query: a name or a callable on the last axis, or a list of them; with a DataFrame,
            (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame of N rows.
        release_size: n, in [1, N - 1].
        epsilon: in [0, inf], a float, or for a list of d queries shape (d,).
        sensitivity: of each answer, in [0, inf), of the shape of epsilon, in the unit of the
            answers; 0 means no noise.

    Returns:
        DataFrame with a row per record, in the order of the universe and with its index, of
        its value (with several columns, "value of" each), its probability n/N of being in
        *before*, the largest posteriors that it is *present* and *absent*, the larger
        *factor* of the two by which odds grow, and whether these are *exact* or bounds.

    >>> risks = record_risk("mean", [1, 2, 3, 4, 5, 1000], 3, epsilon=200, sensitivity=250)
    >>> risks.present.round(3).tolist()
    [0.748, 0.683, 0.621, 0.683, 0.748, 1.0]
    """
    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    shape = (len(asked.statistics),) if asked.several else ()
    epsilons = checks.reals("epsilon", epsilon, 0, math.inf, shape=shape)
    deltas = checks.reals("sensitivity", sensitivity, 0, math.inf, closed="[)", shape=shape)
    rates = np.atleast_1d(bounds.rates_of(epsilons, deltas))
    before, exact = size / asked.records, True
    total = subsets.count(asked.records, size)
    if size in (1, asked.records - 1):
        known, others = _lone(asked, size, rates)
        present, absent = (known, others) if size == 1 else (others, known)
        if size == asked.records - 1:
            present, absent = present[::-1], absent[::-1]  # the first world lacks the last record
    elif len(shape) == 0 and total * asked.records <= MEMBERSHIPS:
        present, absent = _listed(asked, size, rates)
    else:
        exact = False
        find_one = {"adjacency": "bounded", "distance": 1, "max_worlds": MAX_WORLDS}
        steps = [find(one.query, one.values, size, **find_one).value for one in asked.statistics]
        s = float(bounds.times(rates, np.array(steps)).sum()) * (1 + 64 * kernel.UNIT)
        both = record_bound(s, release_size=size, records=asked.records)
        present, absent = (np.full(asked.records, risk) for risk in both)
    factor = np.maximum(odds_factor(before, present), odds_factor(1 - before, absent))
    columns = {"before": before, "present": present, "absent": absent, "factor": factor}
    index = universe.index if hasattr(universe, "iloc") else None
    return pd.DataFrame(asked.columns() | columns | {"exact": exact}, index=index)


def record_bound(step: float, *, release_size: int, records: int) -> tuple[float, float]:
    r"""How sure any output can make one that a record is in, and out (``eq-record-bound``).

    .. math:: P(\text{in}\mid\gamma) \le \frac{n e^s}{n e^s + N - n}, \qquad
              P(\text{out}\mid\gamma) \le \frac{(N - n) e^s}{(N - n) e^s + n}

    The step s, in [0, inf], is the sum over the answers of rate times bounded global
    sensitivity at distance 1; n of N records are released. Both bounds are rounded up.

    >>> [round(bound, 4) for bound in record_bound(math.log(3), release_size=1, records=4)]
    [0.5, 0.9]
    """
    fade, outside = math.exp(-step), records - release_size
    odds = (outside / release_size, release_size / outside)
    found = [min((1 + 8 * kernel.UNIT) / (1 + against * fade), 1.0) for against in odds]
    return found[0], found[1]


def _lone(asked: Asked, size: int, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How sure one gets of each world, and that it is another, in lexicographic order."""
    places, codes = laid_out(every_world(asked, size, MAX_WORLDS))
    rows = bounds.scaled(places, codes, np.broadcast_to(rates, places.shape))
    known = 1 / kernel.sums(rows, np.ones(len(rows)))
    others = np.zeros(len(rows))
    for signs in itertools.product((1, -1), repeat=rows.shape[1]):
        line = rows @ np.array(signs)
        weights = np.exp(line - line.max())
        others = np.maximum(others, 1 - weights / weights.sum())
    return np.minimum(known, 1), others


def _listed(asked: Asked, size: int, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The risks of each record from a table of which worlds hold it."""
    worlds = listed(asked, size)
    found = every_world(asked, size, MAX_WORLDS)
    row = laid_out(found)[1][:, 0]
    held, start = np.zeros(asked.records * len(worlds.peaks)), 0
    for some in subsets.over_blocks(np.asarray, (asked.records, size), held=size):
        cells = some * len(worlds.peaks) + row[start : start + len(some), None]
        held += np.bincount(cells.ravel(), minlength=len(held))
        start += len(some)
    held = held.reshape(asked.records, -1).T
    counts = np.array(worlds.masses, dtype=float)[:, None]
    x = bounds.scaled(worlds.places, worlds.codes, np.broadcast_to(rates, worlds.places.shape))
    around = kernel.sums(x, np.concatenate([held, counts - held, counts], axis=1))
    inside, outside = around[:, : asked.records], around[:, asked.records : -1]
    return tuple(np.minimum((part / around[:, -1:]).max(axis=0), 1) for part in (inside, outside))
