"""The risk of a record, which the risk of a world is not."""

from __future__ import annotations

import math
import typing
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Query, resolve
from dpchoose.risk.record_bound import UNIT, BoundedRecords
from dpchoose.risk.record_tables import ListedWorlds, LoneWorlds
from dpchoose.sensitivity import global_sensitivity
from dpchoose.worlds import subsets
from dpchoose.worlds.possible import tie_starts, world_answers
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
    r"""How sure an output can make the adversary that a record is in, or is not.

    The largest posterior, over all outputs :math:`\gamma` of the answers
    published together, that record r is in the release, and that it is not,
    for an adversary to whom all worlds are equally likely:

    .. math:: \max_\gamma \frac{\sum_{i \ni r} e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}
                               {\sum_i e^{-\sum_q t_q|\gamma_q - f_{q,i}|}}

    It is exact when all records but one are released, or one alone
    (:class:`~dpchoose.risk.record_tables.LoneWorlds`), and where the worlds can be listed
    (:class:`~dpchoose.risk.record_tables.ListedWorlds`): up to ``max_worlds``,
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

    values, asked, index = _asked(query, universe)
    records = len(asked[0][1])
    size = checks.release_size(release_size, records)
    several = isinstance(query, list)
    rates = _rates(epsilon, sensitivity, len(asked), several)
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    table = record_table(asked, size, max_worlds=max_worlds)
    present, absent = table.posteriors(rates)
    columns = {"prior": size / records, "present": present, "absent": absent, "exact": table.exact}
    return pd.DataFrame(values | columns, index=index)


def largest_record(table: RecordTable, rates: np.ndarray) -> tuple[float, float, bool]:
    """The largest posteriors, over all records and outputs, that one is in, and out.

    Args:
        table: from :func:`record_table`.
        rates: t, in [0, inf], shape (d,).

    Returns:
        present and absent, in (0, 1], never below those on paper; and whether
        they are exact, up to rounding, or the record bound.

    >>> table = record_table([("mean", np.array([1.0, 2, 3, 10]))], 3)
    >>> present, absent, exact = largest_record(table, np.array([0.4]))
    >>> round(present, 4), round(absent, 4), exact
    (0.8976, 0.4905, True)
    """
    fades = [math.exp(-log_odds) for log_odds in table.largest_log_odds(rates)]
    present, absent = (min((1 + 8 * UNIT) / (1 + fade), 1.0) for fade in fades)
    return present, absent, not isinstance(table, BoundedRecords)


def record_table(
    asked: Sequence[tuple[Query, np.ndarray]], size: int, *, max_worlds: int = MAX_WORLDS
) -> RecordTable:
    """What the risks of all records are looked up in, at any rates.

    Args:
        asked: pairs of a query and the values that it is asked of, shape (N,).
        size: n, in [1, N - 1].
        max_worlds: the most worlds that may be listed.

    Returns:
        a table of the records' own worlds when n is N - 1 or 1, of all worlds
        where they can be listed, and of bounds everywhere else.

    >>> record_table([("mean", np.arange(40.0))], 20).exact
    False
    """
    records = len(asked[0][1])
    total = math.comb(records, size)
    lone = size in (1, records - 1)
    if (lone or total * records <= MEMBERSHIPS) and total <= max_worlds:
        columns = [world_answers(query, u, size, max_worlds=max_worlds) for query, u in asked]
        answers, group = distinct_rows(np.stack(columns, axis=1))
        if lone:
            secret = "absent" if size == records - 1 else "present"
            own = group[::-1] if secret == "absent" else group
            return LoneWorlds(answers, np.bincount(group), own, secret)
        outputs = math.prod(len(np.unique(column)) for column in answers.T)
        if len(asked) == 1 or outputs * len(answers) * records <= GRID_WORK:
            held = _memberships(group, len(answers), records, size)
            return ListedWorlds(answers, held, np.bincount(group) - held)
    at = {"adjacency": "bounded", "max_worlds": max_worlds}
    steps = [global_sensitivity(query, u, size, **at).value for query, u in asked]
    return BoundedRecords(np.array(steps), size, records)


def distinct_rows(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows of answers, lexicographically sorted, and which of them each row is.

    In each coordinate, answers are equal that differ by no more than rounding.

    Args:
        answers: of every world, shape (m, d).

    >>> distinct_rows(np.array([[2.0, 1], [1, 1], [2, 1]]))[1].tolist()
    [1, 0, 1]
    """
    group = np.zeros(len(answers), dtype=np.intp)
    equal = np.empty_like(answers)
    for column, like in zip(answers.T, equal.T):
        order = np.argsort(column, kind="stable")
        starts = tie_starts(column[order], False)
        places = np.empty(len(column), dtype=np.intp)
        places[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(column)))
        like[:] = column[order][starts][places]
        _, first, group = np.unique(
            group * len(starts) + places, return_index=True, return_inverse=True
        )
    return equal[first], group


def _memberships(group: np.ndarray, answers: int, records: int, size: int) -> np.ndarray:
    """How many worlds with each answer hold each record, shape (N, M)."""
    held, start = np.zeros(records * answers, dtype=np.int64), 0
    for worlds in subsets.over_blocks(np.asarray, (records, size), held=size):
        cells = worlds * answers + group[start : start + len(worlds), None]
        held += np.bincount(cells.ravel(), minlength=len(held))
        start += len(worlds)
    return held.reshape(records, answers)


def _rates(epsilon: Any, sensitivity: Any, answers: int, several: bool) -> np.ndarray:
    """One over the scale of each answer, shape (d,); infinite where there is no noise."""
    given = {"epsilon": epsilon, "sensitivity": sensitivity}
    for name, value in given.items():
        shape = np.shape(value)
        if shape != (answers,) and (several or shape) and (answers > 1 or shape):
            raise ValueError(f"{name} must have shape ({answers},), got shape {shape}")
    epsilons = [checks.number("epsilon", x, 0, math.inf) for x in np.ravel(epsilon).tolist()]
    scales = [checks.sensitivity(x) for x in np.ravel(sensitivity).tolist()]
    return np.array([x / y if y else math.inf for x, y in zip(epsilons, scales)])


def _asked(
    query: Any, universe: Any
) -> tuple[dict[str, np.ndarray], list[tuple[Query, np.ndarray]], Any]:
    """The columns of values to show, each query with its values, and the index of the rows."""
    queries = query if isinstance(query, list) else [query]
    if getattr(universe, "ndim", 1) == 2:
        pairs = [(name, column) for name, column in queries]
        columns = {column: checks.universe(universe[column]) for _, column in pairs}
        asked = [(name, columns[column]) for name, column in pairs]
        names = ["value"] if len(columns) == 1 else [f"value of {column}" for column in columns]
        shown = dict(zip(names, columns.values()))
    else:
        values = checks.universe(universe)
        asked, shown = [(name, values) for name in queries], {"value": values}
    for name, _ in asked:
        resolve(name)
    return shown, asked, getattr(universe, "index", None) if hasattr(universe, "iloc") else None
