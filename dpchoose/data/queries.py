"""What may be asked of a dataset: a function of the last axis of an array.

A query is a name (``count``, ``sum``, ``mean``, ``median``, ``std``, ``var``,
or ``percentile_p`` with p in [0, 100]) or any callable that maps an array of
shape (..., n) to one of shape (...). Standard deviation and variance are
those of a population (they divide by n); percentiles interpolate linearly.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpchoose import checks

Query = str | Callable[[np.ndarray], np.ndarray]

PERCENTILE = "percentile_"


def _count(values: np.ndarray) -> np.ndarray:
    return np.full(values.shape[:-1], float(values.shape[-1]))


def _var(values: np.ndarray) -> np.ndarray:
    # A variance does not move with its data. Counted from the first record,
    # data far from zero keep the digits that their squares would lose.
    return np.var(values - values[..., :1], axis=-1)


def _std(values: np.ndarray) -> np.ndarray:
    return np.sqrt(_var(values))


def _sum(values: np.ndarray) -> np.ndarray:
    return np.sum(values, axis=-1)


def _mean(values: np.ndarray) -> np.ndarray:
    return np.mean(values, axis=-1)


def _median(values: np.ndarray) -> np.ndarray:
    return np.median(values, axis=-1)


NAMED = {
    "count": _count,
    "sum": _sum,
    "mean": _mean,
    "median": _median,
    "std": _std,
    "var": _var,
}


def percentile_rank(query: Query) -> float | None:
    """The p of ``percentile_p``, in [0, 100], 50 for the median; None for any other query.

    Raises:
        ValueError: p is no number, or not in [0, 100].

    >>> percentile_rank("percentile_25")
    25.0
    """
    if query == "median":
        return 50.0
    if not isinstance(query, str) or not query.startswith(PERCENTILE):
        return None
    try:
        rank = float(query.removeprefix(PERCENTILE))
    except ValueError:
        rank = np.nan
    if not 0 <= rank <= 100:
        raise ValueError(f"query percentile_p needs a p in [0, 100], got {checks.short(query)}")
    return rank


def resolve(query: Query) -> Callable[[np.ndarray], np.ndarray]:
    """The function behind a query.

    Args:
        query: a name, or a callable on the last axis, which is returned.

    Raises:
        ValueError: an unknown name.
        TypeError: neither a name nor a callable.

    >>> float(resolve("median")(np.array([1.0, 2.0, 10.0])))
    2.0
    """
    if callable(query):
        return query
    if not isinstance(query, str):
        raise TypeError(f"query must be a name or a callable, got {checks.short(query)}")
    if query in NAMED:
        return NAMED[query]
    rank = percentile_rank(query)
    if rank is None:
        known = ", ".join(NAMED)
        raise ValueError(f"query must be one of {known}, percentile_p, got {checks.short(query)}")
    return lambda values: np.percentile(values, rank, axis=-1)


def evaluate(query: Query, values: np.ndarray) -> np.ndarray:
    """The query's answers to datasets laid along the last axis.

    Args:
        query: a name or a callable.
        values: finite, of shape (..., n).

    Returns:
        float array of shape (...).

    Raises:
        ValueError: a callable whose answers have another shape, are masked, or
            are not finite.
        TypeError: a callable whose answers are no real numbers.

    >>> evaluate("mean", np.array([[1.0, 2.0], [3.0, 5.0]])).tolist()
    [1.5, 4.0]
    """
    if callable(query):
        values = values.copy()  # which it may sort, or change
    with np.errstate(over="ignore", invalid="ignore"):
        found = resolve(query)(values)
    return checks.answers(found, values.shape[:-1])
