"""The groups of a file."""

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpchoose import checks
from dpchoose import later as pd
from dpchoose.your_data.cells import Cells, Value


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
    if isinstance(by, str) or (isinstance(by, int) and by in columns):
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


def labels_of(
    columns: Sequence["pd.Series"], cells: Cells, listed: Sequence[str] = ()
) -> np.ndarray:
    """The label of each row, of the values of its cells in one column or several, (N,).

    Two rows are of one group where their cells have the same values. It is called as it is
    ``listed``, or else by the shortest texts that say it.

    >>> import pandas as pd
    >>> labels_of([pd.Series(["1,0", "1", "a"])], Cells(","), ["1,00", "b"]).tolist()
    ['1,00', '1,00', 'a']
    """
    called: dict[tuple[Value, ...], str] = {}
    for label in listed:
        key = _values(label, len(columns), cells)
        checks.require(key not in called, "groups must list each group once", label)
        called[key] = label
    codes, labels = pd.factorize(joined([_shortest(column, cells) for column in columns]))
    names = [called.get(_values(label, len(columns), cells), label) for label in labels]
    return np.array(names, object)[codes]


def _shortest(column: "pd.Series", cells: Cells) -> np.ndarray:
    """For each cell the shortest text of the column that has its value."""
    codes, texts = pd.factorize(column)
    known: dict[Value, str] = {}
    for text in sorted(texts, key=lambda text: (len(text), text)):
        known.setdefault(cells.value(text), text)
    return np.array([known[cells.value(text)] for text in texts], object)[codes]


def _values(label: str, columns: int, cells: Cells) -> tuple[Value, ...]:
    """The values of the cells of which a label is joined."""
    parts = [label]
    if columns > 1:
        text = io.StringIO(label, newline="")
        parts = next(csv.reader(text, skipinitialspace=True), [])
    return tuple(map(cells.value, parts))


def joined(columns: Sequence[Any]) -> np.ndarray:
    """The labels of several columns as one, (N,), different ones of different groups.

    A label with a comma in it stands between quotes, as in a CSV file.

    >>> joined([["north", "p, q", "p"], ["f", "r", "q, r"]]).tolist()
    ['north, f', '"p, q", r', 'p, "q, r"']
    """
    if len(columns) == 1:
        return np.asarray(columns[0], dtype=object)
    return np.array([", ".join(map(_quoted, labels)) for labels in zip(*columns)], dtype=object)


def _quoted(label: Any) -> str:
    """A label, between quotes where a comma, a quote or a line's end is in it."""
    text = str(label)
    return '"' + text.replace('"', '""') + '"' if re.search('[,"\r\n]', text) else text
