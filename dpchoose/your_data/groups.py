"""The groups of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose.queries import among
from dpchoose.your_data.later import pd


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
    if isinstance(by, (list, tuple)) and len(by) > 1 and len(by) != records:
        if any(not isinstance(name, str) or name not in columns for name in by):
            rule = f"by must hold a label for each of {records} records"
            raise ValueError(f"{rule}, got {len(by)}")
        by = joined([data[name] for name in by])
    if isinstance(by, str):
        if by not in columns:
            raise ValueError(f"by must be {among(by, columns)}")
        by = data[by]
    checks.unmasked("by", by)
    labels = list(by) if np.iterable(by) else [by]
    if len(labels) != records:
        raise ValueError(f"by must hold a label for each of {records} records, got {len(labels)}")
    try:
        codes, present = pd.factorize(np.fromiter(labels, dtype=object))
        if missing := np.flatnonzero(codes < 0).tolist():
            raise ValueError(f"by must label each record, got none at position {missing[0]}")
        names = sorted(present) if groups is None else _listed(groups)
    except TypeError:
        raise TypeError("by must hold labels of one kind, which can be sorted") from None
    if other := [label for label in present if label not in names]:
        raise ValueError(f"by must be {among(other[0], names)}, as groups lists them")
    order = {label: position for position, label in enumerate(names)}
    return np.array([order[label] for label in present], dtype=np.intp)[codes], names


def joined(columns: Sequence[Any]) -> np.ndarray:
    """The labels of several columns as one, (N,).

    >>> joined([["north", "south"], ["f", "m"]]).tolist()
    ['north, f', 'south, m']
    """
    return np.array([", ".join(map(str, labels)) for labels in zip(*columns)], dtype=object)


def _listed(groups: Any) -> list[Any]:
    """A public list of groups, each named once."""
    names = list(groups) if isinstance(groups, (list, tuple)) else []
    if not names or len({*names}) < len(names):
        raise ValueError(f"groups must list each group once, got {checks.short(groups)}")
    return names
