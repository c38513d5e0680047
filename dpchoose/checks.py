"""The rules that arguments must follow: each check returns the value as it is computed with.

Or it raises, a TypeError for the wrong kind, a ValueError for what is out of its domain, and
names the argument, the rule and the value.
"""

import difflib
import math
import operator
from collections.abc import Hashable, Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

SMALLEST, LARGEST = 1e-100, 1e100  # of a record that is not 0: between these no square is lost


def real(name: str, value: Any, *interval: float, closed: str = "[]") -> float:
    """A real number, in the interval from a low to a high one, ``closed`` as written.

    >>> real("risk", 0.5, 0, 1, closed="()")
    0.5
    """
    return float(reals(name, value, *interval, closed=closed, shape=()))


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
    require(shape in (None, array.shape), f"{name} must have shape {shape}", array.shape)
    above = array >= low if closed[0] == "[" else array > low
    below = array <= high if closed[1] == "]" else array < high
    interval = f"{closed[0]}{low:g}, {high:g}{closed[1]}"
    return all_of(array, above & below, f"{name} must lie in {interval}")


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """An integer in [low, high]; a boolean or a float is not one."""
    is_integer = hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_))
    require(is_integer and not np.ndim(value), f"{name} must be an integer", value, TypeError)
    number = operator.index(value)
    rule = f"at least {low}" if high is None else f"in [{low}, {high}]"
    require(low <= number and (high is None or number <= high), f"{name} must be {rule}", number)
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
    require(array.size, f"{name} must not be empty", values)
    floats = reals(name, array.astype(float), closed="()")
    exact = values if isinstance(values, (list, tuple)) else array
    for place in np.flatnonzero(np.abs(floats) >= 2.0**53).tolist():
        number, hint = int(exact[place]), f" at position {place}: count from another origin"
        rule = f"{name} must hold integers that a float can tell apart"
        require(int(floats[place]) == number, rule, number, hint=hint)
    return floats


def universe(values: Any, *, name: str = "universe") -> np.ndarray:
    """The N known records as a 1-D float array, N at least 2, each 0 or in [1e-100, 1e100]."""
    if hasattr(values, "columns"):
        got = short(list(values.columns))
        raise TypeError(f"{name} must be one column, as in table[NAME], got a table of {got}")
    array = numbers(name, values)
    require(array.size > 1, f"{name} must hold at least 2 records", array.size)
    sizes = np.abs(array)
    fits = (sizes == 0) | ((sizes >= SMALLEST) & (sizes <= LARGEST))
    return all_of(array, fits, f"{name} must hold 0 or numbers from 1e-100 to 1e100 in size")


def prior(values: Any, worlds: int | None = None, *, name: str = "prior") -> np.ndarray:
    """One probability per world, each in [0, 1], summing to 1 within 1e-9."""
    array = numbers(name, values)
    rule = f"{name} must hold one probability per world, {worlds}"
    require(worlds in (None, array.size), rule, array.size)
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
    require(np.isin(array, (0, 1)).all(), f"{name} must hold 0/1 or booleans", values)
    return array.astype(bool)


def release_size(size: Any, records: int) -> int:
    """The number n of released records, in [1, N - 1]."""
    return integer("release_size", size, 1, records - 1)


def released(positions: Any, records: int) -> np.ndarray:
    """The positions of the released records: distinct integers in [0, N)."""
    rule = "be a sequence of integer positions in the universe"
    array = reals("released", held("released", positions, "iu", rule, 1), 0, records, closed="[)")
    integer("the length of released", array.size, 1, records - 1)
    require(np.unique(array).size == array.size, "released must not repeat a position", positions)
    return np.sort(array).astype(np.intp)


def unmasked(name: str, values: Any) -> None:
    """Refuse a value that is masked: it is missing, whatever stands under its mask."""
    if isinstance(values, (list, tuple)):
        for value in values:
            unmasked(name, value)
    masked = isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any()
    require(not masked, f"{name} must not be masked", values, hint=": fill in what is missing")


def require(
    fits: Any, rule: str, got: Any, error: type[Exception] = ValueError, hint: str = ""
) -> None:
    """Refuse a value that does not fit, with its rule."""
    if not fits:
        raise error(f"{rule}, got {short(got)}{hint}")


def exactly_one(given: dict[str, Any], names: str = "", hint: str = "") -> str:
    """The name of the one value that is given, of several."""
    found = [name for name, value in given.items() if value is not None]
    rule = f"exactly one of {names or ', '.join(given)} must be given"
    if len(found) != 1:
        raise ValueError(f"{rule}, got {' and '.join(found) or 'none'}{hint}")
    return found[0]


def all_of(array: np.ndarray, fits: np.ndarray, rule: str) -> np.ndarray:
    """An array, or a refusal of the first number in it that does not fit."""
    if not np.all(fits):
        raise ValueError(f"{rule}, got {array[~fits].flat[0]}")
    return array


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
    fits = array.dtype.kind in kinds and ndim in (None, array.ndim)
    require(fits, f"{name} must {rule}", values, TypeError)
    return array


def chances(name: str, array: np.ndarray) -> np.ndarray:
    """Numbers in [0, 1] that sum to 1 within 1e-9 along the last axis."""
    sums = reals(name, array, 0, 1).sum(axis=-1)
    all_of(sums, np.abs(sums - 1) <= 1e-9, f"{name} must sum to 1{' in each row' * sums.ndim}")
    return array
