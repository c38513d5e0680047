"""The risk of a record, which the risk of a world is not."""

from __future__ import annotations

import math
import typing
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.asking import Asked, ask
from dpchoose.risk.bounds import rates_of
from dpchoose.risk.decay import UNIT
from dpchoose.risk.record_bound import BoundedRecords
from dpchoose.risk.record_listed import ListedWorlds
from dpchoose.risk.record_lone import LoneWorlds
from dpchoose.sensitivity import find
from dpchoose.worlds import subsets
from dpchoose.worlds.places import Places, distinct_rows
from dpchoose.worlds.possible import every_world
from dpchoose.worlds.subsets import MAX_WORLDS

if typing.TYPE_CHECKING:
    import pandas as pd

MEMBERSHIPS = 20_000_000  # records times worlds, of which a table is made
GRID_WORK = 1_000_000_000  # outputs times distinct answers times records, at each look

RecordTable = LoneWorlds | ListedWorlds | BoundedRecords


def record_risk(
    query: Any,
    universe: Any,
    release_size: int,
    *,
    epsilon: Any,
    sensitivity: Any,
    max_worlds: int = MAX_WORLDS,
) -> pd.DataFrame:
    r"""How sure an output can make the adversary that a record is in, or is not (``eq-record``).

    The largest posterior, over all outputs :math:`\gamma` of the answers
    published together, that record r is in the release, and that it is not,
    for an adversary to whom all worlds are equally likely:

    .. math:: \max_\gamma \frac{\sum_{i \ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}
                               {\sum_i e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}

    It is exact when all records but one are released, or one alone
    (:class:`~dpchoose.risk.record_lone.LoneWorlds`), and where the worlds can be listed
    (:class:`~dpchoose.risk.record_listed.ListedWorlds`): up to ``max_worlds``,
    20 million records times worlds and, for several answers, a thousand
    million outputs on the grid times distinct rows times records. Everywhere
    else it is the record bound (:mod:`dpchoose.risk.record_bound`).

    Args:
        query: a name or a callable on the last axis, or a list of them; with a
            DataFrame, (query, column) pairs.
        universe: the N known records, shape (N,), or a DataFrame of N rows.
        release_size: n, in [1, N - 1].
        epsilon: in [0, inf], a float, or for a list of d queries shape (d,).
        sensitivity: of each answer, in [0, inf), of the shape of epsilon, in
            the unit of the answers; 0 means no noise.
        max_worlds: the most worlds that may be listed, at least 1.

    Returns:
        DataFrame with a row per record, in the order of the universe and with
        its index: its value (with several columns, "value of" each), its prior
        n/N of being in the release, the largest posterior that it is present
        and that it is absent, and whether these are exact or bounds.

    Raises:
        ValueError: an argument outside its domain, or a callable with more
            worlds than even its bound may look at.
        TypeError: an argument of the wrong kind.

    >>> risks = record_risk("mean", [1, 2, 3, 4, 5, 1000], 3, epsilon=200, sensitivity=250)
    >>> risks.present.round(3).tolist()
    [0.748, 0.683, 0.621, 0.683, 0.748, 1.0]
    """
    import pandas as pd

    asked = ask(query, universe)
    size = checks.release_size(release_size, asked.records)
    several = len(asked.statistics)
    epsilons = checks.epsilons(epsilon, several if asked.several else None)
    if epsilons.ndim != asked.several:
        raise ValueError(f"epsilon must have shape ({several},), got {epsilons.shape}")
    rates = np.atleast_1d(rates_of(epsilons, checks.sensitivities(sensitivity, several)))
    table = record_table(asked, size, checks.integer("max_worlds", max_worlds, 1))
    present, absent = table.posteriors(rates)
    columns = {"prior": size / asked.records, "present": present, "absent": absent}
    columns = asked.columns() | columns | {"exact": table.exact}
    return pd.DataFrame(columns, index=universe.index if hasattr(universe, "iloc") else None)


def largest_record(table: RecordTable, rates: np.ndarray) -> tuple[float, float, bool]:
    """The largest posteriors, over all records and outputs, that one is in, and out.

    Args:
        table: from :func:`record_table`.
        rates: t, in [0, inf], shape (d,).

    Returns:
        present and absent, in (0, 1], never below those on paper; and whether
        they are exact, up to rounding, or the record bound.

    >>> table = record_table(ask("mean", [1, 2, 3, 10]), 3)
    >>> present, absent, exact = largest_record(table, np.array([0.4]))
    >>> round(present, 4), round(absent, 4), exact
    (0.8976, 0.4905, True)
    """
    fades = [math.exp(-log_odds) for log_odds in table.largest_log_odds(rates)]
    present, absent = (min((1 + 8 * UNIT) / (1 + fade), 1.0) for fade in fades)
    return present, absent, table.exact


def record_table(asked: Asked, size: int, max_worlds: int = MAX_WORLDS) -> RecordTable:
    """What the risks of all records are looked up in, at any rates.

    Args:
        asked: the statistics.
        size: n, in [1, N - 1].
        max_worlds: the most worlds that may be listed.

    Returns:
        a table of the records' own worlds when n is N - 1 or 1, of all worlds
        where they can be listed, and of bounds everywhere else.

    >>> record_table(ask("mean", np.arange(40.0)), 20).exact
    False
    """
    records = asked.records
    lone = size in (1, records - 1)
    few = subsets.log10_count(records, size) <= math.log10(MEMBERSHIPS)
    total = math.comb(records, size) if few else MEMBERSHIPS
    if (lone or total * records <= MEMBERSHIPS) and total <= max_worlds:
        columns = every_world(asked, size, max_worlds)
        order, begins = distinct_rows(columns)
        answers = Places.of_columns([column.take(order[begins]) for column in columns])
        counts = np.diff(begins, append=len(order))
        group = np.empty(len(order), dtype=np.intp)
        group[order] = np.repeat(np.arange(len(begins)), counts)
        if lone:
            secret = "absent" if size == records - 1 else "present"
            return LoneWorlds(answers, counts, group[::-1] if secret == "absent" else group, secret)
        outputs = math.prod(len(column.distinct()[1]) for column in columns)
        if len(asked.statistics) == 1 or outputs * len(answers) * records <= GRID_WORK:
            held = _memberships(group, len(answers), records, size)
            return ListedWorlds(answers, held, counts - held)
    at = {"adjacency": "bounded", "distance": 1, "max_worlds": max_worlds}
    steps = [find(one.query, one.values, size, **at).value for one in asked.statistics]
    return BoundedRecords(np.array(steps), size, records)


def _memberships(group: np.ndarray, answers: int, records: int, size: int) -> np.ndarray:
    """How many worlds with each answer hold each record, shape (N, M)."""
    held, start = np.zeros(records * answers, dtype=np.int64), 0
    for worlds in subsets.over_blocks(np.asarray, (records, size), held=size):
        cells = worlds * answers + group[start : start + len(worlds), None]
        held += np.bincount(cells.ravel(), minlength=len(held))
        start += len(worlds)
    return held.reshape(records, answers)
