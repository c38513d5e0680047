"""The risk of a record, which the risk of a world is not."""

from __future__ import annotations

import math
import typing
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.data.queries import Query, resolve
from dpchoose.risk import decay
from dpchoose.worlds import subsets
from dpchoose.worlds.possible import tie_starts, world_answers
from dpchoose.worlds.subsets import MAX_WORLDS

if typing.TYPE_CHECKING:
    import pandas as pd


def record_risk(
    query: Query,
    universe: Any,
    release_size: int,
    *,
    epsilon: float,
    sensitivity: float,
    max_worlds: int = MAX_WORLDS,
) -> pd.DataFrame:
    r"""How sure an output can make the adversary that a record is in, or is not.

    The largest posterior, over all outputs :math:`\gamma`, of the worlds that
    hold record r, and of those that do not:

    .. math:: \max_\gamma \frac{\sum_{i \ni r} e^{-t|\gamma - f_i|}}{\sum_i e^{-t|\gamma - f_i|}}

    for the uniform prior. Between two neighbouring answers the exponents are
    linear in :math:`\gamma` with two slopes, so the ratio is monotone, and
    beyond the answers it is constant: the largest is attained at an answer.

    When all but one are released, "r is absent" is one world, and its risk is
    found without listing the others.

    Args:
        query: a name or a callable on the last axis.
        universe: the N known records, shape (N,).
        release_size: n, in [1, N - 1].
        epsilon: in [0, inf].
        sensitivity: of the query, in [0, inf), in the unit of the answers.
        max_worlds: the most worlds that may be listed.

    Returns:
        DataFrame with a row per record (and the index of the universe, if it
        is a Series): its value, its prior n/N of being in the release, and
        the largest posterior that it is present, and that it is absent.

    Raises:
        ValueError: an argument outside its domain, or too many worlds.
        TypeError: an argument of the wrong kind.

    >>> risks = record_risk("mean", [1, 2, 3, 4, 5, 1000], 3, epsilon=200, sensitivity=250)
    >>> risks.present.round(3).tolist()
    [0.748, 0.683, 0.621, 0.683, 0.748, 1.0]
    """
    import pandas as pd

    values = checks.universe(universe)
    size = checks.release_size(release_size, len(values))
    epsilon = checks.number("epsilon", epsilon, 0, math.inf)
    sensitivity = checks.sensitivity(sensitivity)
    resolve(query)
    max_worlds = checks.integer("max_worlds", max_worlds, 1)
    rate = epsilon / sensitivity if sensitivity else math.inf
    measure = _left_out if size == len(values) - 1 else _listed
    present, absent = measure(query, values, size, rate, max_worlds)
    return pd.DataFrame(
        {
            "value": values,
            "prior": size / len(values),
            "present": np.minimum(present, 1),
            "absent": np.minimum(absent, 1),
        },
        index=getattr(universe, "index", None) if isinstance(universe, pd.Series) else None,
    )


def _left_out(
    query: Query, values: np.ndarray, size: int, rate: float, max_worlds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each world by itself: its posterior falls with the distance of the output.

    It is largest at its own answer, and least at one of the outermost.
    """
    answers = world_answers(query, values, size, max_worlds=max_worlds)[::-1]
    order = np.argsort(answers, kind="stable")
    starts = tie_starts(answers[order], False)
    counts = np.diff(starts, append=len(answers))
    distinct = answers[order][starts]
    own = np.empty(len(answers), dtype=np.intp)
    own[order] = np.repeat(np.arange(len(starts)), counts)
    reach = decay.sums(distinct, counts.astype(float), np.array([rate]))[0]
    nearest = [
        np.exp(-decay.exponents(rate, np.abs(distinct - distinct[end]))) / reach[end]
        for end in (0, -1)
    ]
    return 1 - np.minimum(*nearest)[own], 1 / reach[own]


def _listed(
    query: Query, values: np.ndarray, size: int, rate: float, max_worlds: int
) -> tuple[np.ndarray, np.ndarray]:
    """The worlds with and without each record, added up at every answer."""
    records, total = len(values), math.comb(len(values), size)
    subsets.refuse_above(max_worlds, total, "this record risk")
    kind = np.min_scalar_type(records)
    listed = subsets.over_blocks(lambda worlds: worlds.astype(kind), (records, size), held=size)
    members = np.concatenate(list(listed))
    answers = world_answers(query, values, size, max_worlds=max_worlds)
    order = np.argsort(answers, kind="stable")
    starts = tie_starts(answers[order], False)
    counts = np.diff(starts, append=total)
    group = np.empty(total, dtype=np.intp)
    group[order] = np.repeat(np.arange(len(starts)), counts)
    distinct = answers[order][starts]

    def reach(weights: np.ndarray) -> np.ndarray:
        return decay.sums(distinct, weights.astype(float), np.array([rate]))[0]

    whole = reach(counts)
    present, absent = np.empty(records), np.empty(records)
    for record in range(records):
        held = np.bincount(group[(members == record).any(axis=1)], minlength=len(starts))
        share = reach(held) / whole
        present[record], absent[record] = share.max(), (reach(counts - held) / whole).max()
    return present, absent
