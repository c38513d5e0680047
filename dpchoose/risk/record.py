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

import itertools
import math
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose import later as pd
from dpchoose.queries import ask
from dpchoose.risk import bounds, kernel
from dpchoose.risk.odds import odds_factor
from dpchoose.sensitivity.global_local import find
from dpchoose.worlds import subsets
from dpchoose.worlds.subsets import MAX_WORLDS
from dpchoose.worlds.worlds import all_answers, laid_out

MEMBERSHIPS = 20_000_000  # records times worlds, of which a table is made


def record_risk(
    query: Any, universe: Any, release_size: int, *, epsilon: Any, sensitivity: Any
) -> "pd.DataFrame":
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

    >>> risks = dp.record_risk("mean", [1, 2, 3, 4, 5, 1000], 3, epsilon=200, sensitivity=250)
    >>> risks.present.round(3).tolist()
    [0.748, 0.683, 0.621, 0.683, 0.748, 1.0]
    """
    batch = ask(query, universe)
    size = checks.release_size(release_size, batch.records)
    shape = (len(batch.statistics),) if batch.several else ()
    epsilons = checks.reals("epsilon", epsilon, 0, math.inf, shape=shape)
    deltas = checks.reals("sensitivity", sensitivity, 0, math.inf, closed="[)", shape=shape)
    rates = np.atleast_1d(bounds.rates_of(epsilons, deltas))
    before, all_but_one = size / batch.records, size == batch.records - 1
    single = all_but_one or size == 1
    memberships = subsets.count(batch.records, size) * batch.records
    exact = single or (not batch.several and memberships <= MEMBERSHIPS)
    if exact:
        coordinates, codes = laid_out(all_answers(batch, size, MAX_WORLDS))
        rows = bounds.scaled(coordinates, codes, rates)
        present, absent = _single(rows) if single else _listed(rows, codes, batch.records, size)
        if all_but_one:  # the first world lacks the last record
            present, absent = absent[::-1], present[::-1]
    else:
        steps = [find(row.query, row.values, size, adjacency="bounded") for row in batch.statistics]
        s = float(bounds.times(rates, np.array(steps, dtype=float)).sum()) * (1 + 64 * kernel.UNIT)
        both = record_bound(s, release_size=size, records=batch.records)
        present, absent = (np.full(batch.records, risk) for risk in both)
    factor = np.maximum(odds_factor(before, present), odds_factor(1 - before, absent))
    values = {f"value of {row.column}": row.values for row in batch.statistics if row.column}
    if len({row.column for row in batch.statistics}) == 1:
        values = {"value": batch.statistics[0].values}
    columns = {"before": before, "present": present, "absent": absent, "factor": factor}
    index = universe.index if hasattr(universe, "iloc") else range(batch.records)
    return pd.DataFrame(values | columns | {"exact": exact}, index=index)


def record_bound(step: float, *, release_size: int, records: int) -> tuple[float, float]:
    r"""How sure any output can make one that a record is in, and out (``eq-record-bound``).

    .. math:: P(\text{in}\mid\gamma) \le \frac{n e^s}{n e^s + N - n}, \qquad
              P(\text{out}\mid\gamma) \le \frac{(N - n) e^s}{(N - n) e^s + n}

    It holds where all worlds are equally likely. That odds grow at most :math:`e^s`-fold also
    holds where a world weighs the product of odds :math:`o_i`, one for each record in it.
    For take all pairs of a world A with record r and a world B without. Let S be the records
    in both, and T those in exactly one: half of T is in each, so T has 2k records, and r is one
    of them (of four pupils, two of them in: with S empty and T all four, three A and three B).
    All pairs with the same S and T weigh
    :math:`\prod_{i \in S} o_i^2 \prod_{i \in T} o_i`; so among them leave the weights out.
    Join A to each B that it becomes when r is exchanged for one of the k records of T outside
    A (such a B is S and another half of T, so a world); k lines end at each B, too. So there
    are as many A as B, and as the likelihoods at the ends of a line differ at most
    :math:`e^s`-fold, so do their sums. Summed over all S and T this is

    .. math:: \sum_{A, B} w_A w_B\, q_A \le e^s \sum_{A, B} w_A w_B\, q_B :

    the odds that r is in grow at most :math:`e^s`-fold. For "out" exchange A and B. A record
    that is known to be in, or out, is left aside.

    The step s, in [0, inf], is the sum over the answers of rate times bounded global
    sensitivity at distance 1; n of N records are released, in [1, N - 1]. Both are rounded up.

    >>> from dpchoose.risk.record import record_bound
    >>> [round(bound, 4) for bound in record_bound(math.log(3), release_size=1, records=4)]
    [0.5, 0.9]
    """
    fade = math.exp(-checks.real("step", step, 0, math.inf))
    outside = records - checks.release_size(release_size, records)
    odds = (outside / release_size, release_size / outside)
    present, absent = (min((1 + 8 * kernel.UNIT) / (1 + ratio * fade), 1.0) for ratio in odds)
    return present, absent


def _single(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How sure a reader gets of each world, and that it is another; rows are scaled answers."""
    others = np.zeros(len(rows))
    for signs in itertools.product((1, -1), repeat=rows.shape[1]):
        line = rows @ np.array(signs)
        weights = np.exp(line - line.max())
        others = np.maximum(others, 1 - weights / weights.sum())
    return np.minimum(1 / kernel.sums(rows, np.ones(len(rows))), 1), others


def _listed(
    rows: np.ndarray, codes: np.ndarray, records: int, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """The risks of each record, of how many worlds with each answer hold it."""
    held = np.zeros((codes.max() + 1, records))
    np.add.at(held, (codes, subsets.ranked(records, size, 0, len(codes))), 1)
    rows = rows[np.unique(codes, return_index=True)[1]]
    worlds = np.bincount(codes[:, 0])[:, None]
    inside, outside = np.split(kernel.sums(rows, np.hstack([held, worlds - held])), 2, axis=1)
    around = inside + outside
    return (inside / around).max(axis=0), (outside / around).max(axis=0)
