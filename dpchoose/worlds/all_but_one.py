"""The answers of all worlds when all records but one are released."""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpchoose.data.queries import Query, evaluate
from dpchoose.worlds.counting import between, rank


def answers_without_each(query: Query, universe: np.ndarray) -> tuple[np.ndarray, bool] | None:
    """The answer without each record in turn, in O(N log N), for a named query.

    With d the distance of a record from some origin, the others' squared
    deviations are :math:`S_2 - d^2 - (S_1 - d)^2/n`. The middle record is
    within a standard deviation of the mean, so with it as the origin the
    last term is no larger than what remains; and the few records that make
    up most of :math:`S_2` are left out one by one.

    Args:
        query: a name or a callable.
        universe: shape (N,), finite, N at least 2.

    Returns:
        answers by the position left out, shape (N,), and whether they are
        equal floats exactly when they are equal on paper; None for a callable.

    >>> answers_without_each("mean", np.array([1.0, 2, 3, 10]))[0].tolist()
    [5.0, 4.666666666666667, 4.333333333333333, 2.0]
    """
    records = len(universe)
    if not isinstance(query, str):
        return None
    if query == "count":
        return np.full(records, records - 1.0), True
    if query in ("sum", "mean"):
        whole = math.fsum(universe)
        rest = math.fsum(itertools.chain(universe, [-whole]))
        left = whole - universe
        back = left - whole
        left += (whole - (left - back)) + (-universe - back) + rest
        return (left if query == "sum" else left / (records - 1)), True
    if query in ("var", "std"):
        variances = _variances_without_each(universe)
        return (variances if query == "var" else np.sqrt(variances)), False
    order = np.argsort(universe, kind="stable")
    place = np.empty(records, dtype=np.intp)
    place[order] = np.arange(records)
    low, after = rank(query, records - 1)
    u = universe[order]
    one = u[low + (place <= low)]
    if not after:
        return one, True
    return between(query, one, u[low + 1 + (place <= low + 1)], after), False


def _variances_without_each(universe: np.ndarray) -> np.ndarray:
    records = len(universe)
    d = universe - np.partition(universe, records // 2)[records // 2]
    squares = d * d
    whole, sum_squares = math.fsum(d), math.fsum(squares)
    scatter = (sum_squares - squares) - (whole - d) ** 2 / (records - 1)
    for i in np.flatnonzero(scatter < sum_squares / 4):
        scatter[i] = float(evaluate("var", np.delete(d, i))) * (records - 1)
    return np.maximum(scatter, 0) / (records - 1)
