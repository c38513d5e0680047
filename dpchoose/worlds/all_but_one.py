"""The answers of all worlds when all records but one are released."""

from __future__ import annotations

import math

import numpy as np

from dpchoose.data.queries import Query
from dpchoose.worlds import formulas
from dpchoose.worlds.places import Column
from dpchoose.worlds.whole import place_of, whole


def answers_without_each(query: Query, universe: np.ndarray) -> Column | None:
    """The answer without each record in turn, in O(N log N), for a named query.

    Args:
        query: a name or a callable.
        universe: shape (N,), finite, N at least 2.

    Returns:
        answers by the position left out, shape (N,); None for a callable.

    >>> answers_without_each("mean", np.array([1.0, 2, 3, 10])).answers().tolist()
    [5.0, 4.666666666666667, 4.333333333333333, 2.0]
    """
    size, apart = len(universe) - 1, formulas.extremes(universe)
    if not isinstance(query, str):
        return None
    if query == "count":
        return Column((np.zeros(size + 1),), (float(size), 0.0))
    if query in ("sum", "mean"):
        total = math.fsum(universe)
        rest = math.fsum([*universe.tolist(), -total])
        divisor = size if query == "mean" else 1
        return Column((-universe,), (total, rest), divisor, extremes=apart)
    if query in ("var", "std"):
        x = whole(universe)
        numbers = x.fit(formulas.scatter_bits(x, size + 1))
        squares = numbers * numbers
        first, second = int(numbers.sum()) - numbers, int(squares.sum()) - squares
        without = formulas.scatter(first, second, size)
        middle = int(np.flatnonzero(numbers == 0)[0])  # what all share costs digits
        some = int(without[middle]) if query == "var" else 0
        return formulas.scattered(query, without - some, x.exponent, size, apart, some)
    order = np.argsort(universe, kind="stable")
    place = np.empty(size + 1, dtype=np.intp)
    place[order] = np.arange(size + 1)
    low, after = place_of(query, size)
    if not after:
        return Column((universe[order][low + (place <= low)],))
    near = whole(universe[order[low : low + 3]])
    numbers = near.fit(formulas.mixed_bits(near, after))
    # a record before both ranks moves both up by one, one between them the second alone
    kinds = formulas.mixed(numbers[[0, 0, 1]], numbers[[1, 2, 2]], after)
    which = np.where(place <= low, 2, np.where(place == low + 1, 1, 0))
    return formulas.mixed_column(kinds[which], near, after, apart)
