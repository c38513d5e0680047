"""The rules that arguments must follow: each check returns the value as it is computed with.

Or it raises, a TypeError for the wrong kind, a ValueError for what is out of its domain, and
names the argument, the rule and the value.
"""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Hashable, Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

SMALLEST, LARGEST = 1e-100, 1e100  # of a record that is not 0: between these no square is lost


def real(
    name: str, value: Any, low: float = -math.inf, high: float = math.inf, *, closed: str = "[]"
) -> float:
    """A real number in the interval from low to high, ``closed`` as written.

    >>> real("risk", 0.5, 0, 1, closed="()")
    0.5
    """
    return float(reals(name, value, low, high, closed=closed, shape=()))


def reals(
    name: str,
    values: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    closed: str = "[]",
    shape: tuple[int, ...] | None = None,
) -> np.ndarray:
    """Real numbers in an interval, of any shape or of the one that is asked for."""
    rule, ndim = ("be a number", 0) if shape == () else ("be a number or an array", None)
    if isinstance(values, (Real, Decimal)) and not isinstance(values, bool):
        try:
            values = float(values)
        except OverflowError:
            raise ValueError(f"{name} must fit in a float, got {short(values)}") from None
    array = held(name, values, "iuf", rule, ndim).astype(float)
    if array.shape != (array.shape if shape is None else shape):
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    above = array >= low if closed[0] == "[" else array > low
    below = array <= high if closed[1] == "]" else array < high
    bad = array[~(above & below)]
    if bad.size:
        interval = f"{closed[0]}{low:g}, {high:g}{closed[1]}"
        raise ValueError(f"{name} must lie in {interval}, got {bad.flat[0]}")
    return array


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """An integer in [low, high]; a boolean or a float is not one."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__") or np.ndim(value):
        raise TypeError(f"{name} must be an integer, got {short(value)}")
    number = operator.index(value)
    if number < low or (high is not None and number > high):
        rule = f"at least {low}" if high is None else f"in [{low}, {high}]"
        raise ValueError(f"{name} must be {rule}, got {number}")
    return number


def choice(name: str, value: Any, known: Iterable[Any]) -> Any:
    """One of the known values, of which a message names at most ten.

    >>> choice("adjacency", "bounded", ("unbounded", "bounded"))
    'bounded'
    """
    known = list(known)
    if not isinstance(value, Hashable) or value not in {*known}:
        names = list(map(repr, known))
        if len(names) > 10:
            names = [*(difflib.get_close_matches(short(value), names, 9) or names[:9]), "..."]
        raise ValueError(f"{name} must be one of {', '.join(names)}, got {short(value)}")
    return value


def numbers(name: str, values: Any) -> np.ndarray:
    """A non-empty 1-D float array, all finite; integers are those that a float tells apart."""
    array = held(name, values, rule="hold real numbers in one row", ndim=1)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got {short(values)}")
    floats = reals(name, array.astype(float), closed="()")
    exact = values if isinstance(values, (list, tuple)) else array
    for place in np.flatnonzero(np.abs(floats) >= 2.0**53).tolist():
        if int(floats[place]) != exact[place]:
            got = f"{exact[place]} at position {place}: count from another origin"
            raise ValueError(f"{name} must hold integers that a float can tell apart, got {got}")
    return floats


def universe(values: Any, *, name: str = "universe") -> np.ndarray:
    """The N known records as a 1-D float array, N at least 2, each 0 or in [1e-100, 1e100]."""
    array = numbers(name, values)
    if array.size < 2:
        raise ValueError(f"{name} must hold at least 2 records, got {array.size}")
    sizes = np.abs(array)
    bad = array[(sizes > LARGEST) | ((sizes < SMALLEST) & (sizes > 0))]
    if bad.size:
        rule = f"{name} must hold 0 or numbers from 1e-100 to 1e100 in size"
        raise ValueError(f"{rule}, got {bad[0]}")
    return array


def prior(values: Any, worlds: int | None = None, *, name: str = "prior") -> np.ndarray:
    """One probability per world, each in [0, 1], summing to 1 within 1e-9."""
    array = numbers(name, values)
    if worlds not in (None, array.size):
        raise ValueError(f"{name} must hold one probability per world, {worlds}, got {array.size}")
    return chances(name, array)


def table(name: str, values: Any, columns: int | None = None) -> np.ndarray:
    """A 2-D float array with a row per world, all finite, none missing."""
    array = held(name, values)
    if array.ndim != 2 or array.size == 0 or array.shape[1] != (columns or array.shape[1]):
        each = f" and a column for each of {columns} outcomes" if columns else ""
        raise ValueError(f"{name} must have a row for each world{each}, got shape {array.shape}")
    return reals(name, array.astype(float), closed="()")


def truths(name: str, values: Any) -> np.ndarray:
    """Booleans, of any shape; 0 and 1 are."""
    array = held(name, values, rule="hold 0/1 or booleans")
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"{name} must hold 0/1 or booleans, got {short(values)}")
    return array.astype(bool)


def release_size(size: Any, records: int) -> int:
    """The number n of released records, in [1, N - 1]."""
    return integer("release_size", size, 1, records - 1)


def release(positions: Any, records: int) -> np.ndarray:
    """The positions of the released records: distinct integers in [0, N)."""
    rule = "be a sequence of integer positions in the universe"
    array = reals("release", held("release", positions, "iu", rule, 1), 0, records, closed="[)")
    integer("the length of release", array.size, 1, records - 1)
    if np.unique(array).size < array.size:
        raise ValueError(f"release must not repeat a position, got {short(positions)}")
    return np.sort(array).astype(np.intp)


def unmasked(name: str, values: Any) -> None:
    """Refuse a value that is masked: it is missing, whatever stands under its mask."""
    if isinstance(values, (list, tuple)):
        for value in values:
            unmasked(name, value)
    elif isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise ValueError(f"{name} must not be masked, got {short(values)}: fill in what is missing")


def short(value: Any) -> str:
    """A value as a message shows it."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def held(
    name: str, values: Any, kinds: str = "biuf", rule: str = "hold real numbers", ndim: Any = None
) -> np.ndarray:
    """An array of some kinds of numbers, none of it masked, and of so many axes or of any."""
    unmasked(name, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must have rows of one length, got {short(values)}") from None
    if array.dtype.kind not in kinds or ndim not in (None, array.ndim):
        raise TypeError(f"{name} must {rule}, got {short(values)}")
    return array


def chances(name: str, array: np.ndarray) -> np.ndarray:
    """Numbers in [0, 1] that sum to 1 within 1e-9 along the last axis."""
    sums = reals(name, array, 0, 1).sum(axis=-1, keepdims=True)
    wrong = sums[np.abs(sums - 1) > 1e-9]
    if wrong.size:
        raise ValueError(f"{name} must sum to 1{' in each row' * (array.ndim - 1)}, got {wrong[0]}")
    return array
