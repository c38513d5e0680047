"""The groups of a file."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.your_data import later as pd


def groups_of(by: Any, data: Any, records: int, groups: Any = None) -> tuple[np.ndarray, list[Any]]:
    """The group of each of the records as a code, and the labels in order: none without ``by``.

    ``by`` holds labels by position, (N,), none missing, or names a column of a DataFrame, or two
    columns and more, whose labels are joined; else a ValueError, or a TypeError where they cannot
    be sorted. Where a list of ``groups`` is given it is theirs, and a ValueError names a label
    that is not in it.

    >>> groups_of(["b", "a", "b"], None, 3)
    (array([1, 0, 1]), ['a', 'b'])
    """
    if by is None:
        return np.zeros(records, dtype=np.intp), []
    columns = getattr(data, "columns", ())
    if isinstance(by, str):
        by = data[checks.choice("by", by, columns)]
    elif isinstance(by, (list, tuple)) and 1 < len(by) != records and {*by} <= {*columns}:
        by = joined([data[name] for name in by])
    checks.unmasked("by", by)
    labels = np.fromiter(by if np.iterable(by) else [by], dtype=object)
    rule = f"by must hold a label for each of {records} records"
    checks.require(len(labels) == records, rule, len(labels))
    checks.all_of(labels, ~pd.isna(labels), "by must label each record")
    try:
        names = sorted({*labels}) if groups is None else list(groups)
        order = {name: place for place, name in enumerate(names)}
        codes = np.array([order.get(label, -1) for label in labels], dtype=np.intp)
    except TypeError:
        raise TypeError("by must hold labels of one kind, which can be sorted") from None
    if -1 in codes:
        checks.choice("by", labels[codes.argmin()], names)
    return codes, names


def joined(columns: Sequence[Any]) -> np.ndarray:
    """The labels of several columns as one, (N,).

    >>> joined([["north", "south"], ["f", "m"]]).tolist()
    ['north, f', 'south, m']
    """
    return np.array([", ".join(map(str, labels)) for labels in zip(*columns)], dtype=object)
