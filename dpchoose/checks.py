"""The rules that arguments must follow, each said once.

Every check returns the value in the form that the package computes with, or
raises before any work is done: a TypeError when the value is of the wrong
kind, a ValueError when it is out of its domain. The message names the
argument, the rule and the value.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

ADJACENCIES = ("unbounded", "bounded")
SMALLEST, LARGEST = 1e-100, 1e100  # of a record that is not 0: between these no square is lost


def universe(values: Any, *, name: str = "universe") -> np.ndarray:
    """The N known records as a 1-D float array, N at least 2, each 0 or in [1e-100, 1e100]."""
    array = numbers(name, values)
    if array.size < 2:
        raise ValueError(f"{name} must hold at least 2 records, got {array.size}")
    sizes = np.abs(array)
    bad = np.flatnonzero((sizes > LARGEST) | ((sizes < SMALLEST) & (sizes > 0)))
    if bad.size:
        raise ValueError(
            f"{name} must hold 0 or numbers from 1e-100 to 1e100 in size, "
            f"got {array[bad[0]]} at position {bad[0]}"
        )
    return array


def prior(values: Any, worlds: int, *, name: str = "prior") -> np.ndarray:
    """One probability per world, each in [0, 1], summing to 1 within 1e-9."""
    array = numbers(name, values)
    if array.size != worlds:
        raise ValueError(
            f"{name} must hold one probability per world, {worlds} of them, got {array.size}"
        )
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"{name} must lie in [0, 1], got {short(values)}")
    if abs(array.sum() - 1) > 1e-9:
        raise ValueError(f"{name} must sum to 1, got {array.sum()}")
    return array


def numbers(name: str, values: Any) -> np.ndarray:
    """A non-empty 1-D float array, all finite."""
    array = _reals(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got {short(values)}")
    _refuse_rounded(name, array if array.dtype.kind in "iu" else values)
    array = array.astype(float)
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, got {array[row]} at position {row}")
    return array


def _refuse_rounded(name: str, values: Any) -> None:
    """Refuse integers that become another number when they are turned into floats."""
    if isinstance(values, np.ndarray):
        some = np.flatnonzero((values > 2**53) | (values < -(2**53))).tolist()
    else:
        some = range(len(values)) if isinstance(values, (list, tuple)) else ()
    for row in some:
        value = values[row]
        if isinstance(value, (int, np.integer)) and int(float(value)) != int(value):
            raise ValueError(
                f"{name} must hold integers that a float can tell apart, got {value} at position "
                f"{row}: count from another origin"
            )


def table(name: str, values: Any, columns: int | None = None) -> np.ndarray:
    """A 2-D float array with a row per world, all finite, none missing."""
    array = _reals(name, values)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} must have a row for each world, got shape {array.shape}")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(
            f"{name} must have a column for each of {columns} outcomes, got {array.shape[1]}"
        )
    array = array.astype(float)
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(f"{name} must be finite, got {array[row, column]} at ({row}, {column})")
    return array


def likelihoods(values: Any) -> np.ndarray:
    """A row per world, a column per output; each row sums to 1 within 1e-9."""
    array = shares("likelihoods", table("likelihoods", values))
    sums = array.sum(axis=1)
    row = int(np.abs(sums - 1).argmax())
    if abs(sums[row] - 1) > 1e-9:
        raise ValueError(f"likelihoods must sum to 1 in each row, got {sums[row]} in row {row}")
    return array


def shares(name: str, values: Any) -> np.ndarray:
    """One number or an array of them, each in [0, 1]."""
    array = _numbers(name, values)
    bad = array[~((array >= 0) & (array <= 1))]
    if bad.size:
        raise ValueError(f"{name} must lie in [0, 1], got {bad.flat[0]}")
    return array


def counts(values: Any) -> np.ndarray:
    """Records in each class: integers, at least 0, of at least 2 classes."""
    array = _array("counts", values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"counts must be a sequence of integers, got {short(values)}")
    if array.size < 2:
        raise ValueError(f"counts must hold at least 2 classes, got {array.size}")
    if array.min() < 0:
        raise ValueError(f"counts must be at least 0, got {array.min()}")
    return array.astype(np.int64)


def release_size(size: Any, records: int) -> int:
    """The number n of released records, in [1, N - 1]."""
    return integer("release_size", size, 1, records - 1)


def release(positions: Any, records: int) -> np.ndarray:
    """The positions of the released records: distinct integers in [0, N)."""
    array = _array("release", positions)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            "release must be a sequence of integer positions in the universe, "
            f"got {short(positions)}"
        )
    integer("the length of release", array.size, 1, records - 1)
    if array.min() < 0 or array.max() >= records:
        raise ValueError(f"release must lie in [0, {records}), got {short(positions)}")
    if np.unique(array).size < array.size:
        raise ValueError(f"release must not repeat a position, got {short(positions)}")
    return np.sort(array)


def adjacency(name: Any) -> str:
    """Which datasets are neighbours: "unbounded" or "bounded"."""
    return choice("adjacency", name, ADJACENCIES)


def distance(steps: Any, adjacency: str, *, release_size: int, records: int) -> int:
    """The Hamming distance k, at least 1 and possible for that adjacency.

    Unbounded neighbours need k < n (to remove) or k <= N - n (to add). The
    bounded distance saturates at min(n, N - n), which is what is returned.
    """
    outside = records - release_size
    if adjacency == "bounded":
        return min(integer("distance", steps, 1), release_size, outside)
    return integer("distance", steps, 1, max(release_size - 1, outside))


def choice(name: str, value: Any, known: tuple[str, ...]) -> str:
    """One of the known words."""
    if not isinstance(value, str) or value not in known:
        words = ", ".join(repr(word) for word in known)
        raise ValueError(f"{name} must be one of {words}, got {short(value)}")
    return value


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """An integer in [low, high]; a boolean or a float is not one."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {short(value)}") from None
    if value < low or (high is not None and value > high):
        rule = f"at least {low}" if high is None else f"in [{low}, {high}]"
        raise ValueError(f"{name} must be {rule}, got {value}")
    return value


def number(name: str, value: Any, low: float, high: float, *, closed: str = "[]") -> float:
    """A real number in the interval from low to high, ``closed`` as written."""
    unmasked(name, value)
    try:
        if isinstance(value, (str, bytes, bool, np.bool_)) or np.ndim(value):
            raise TypeError
        value = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {short(value)}") from None
    except OverflowError:
        raise ValueError(f"{name} must fit in a float, got {short(value)}") from None
    above = value >= low if closed[0] == "[" else value > low
    below = value <= high if closed[1] == "]" else value < high
    if not (above and below):
        interval = f"{closed[0]}{low:g}, {high:g}{closed[1]}"
        raise ValueError(f"{name} must lie in {interval}, got {value}")
    return value


def sensitivity(value: Any) -> float:
    """The sensitivity of the query, in [0, inf)."""
    return number("sensitivity", value, 0, math.inf, closed="[)")


def sensitivities(values: Any, several: int) -> np.ndarray:
    """The sensitivity of each of ``several`` statistics, in [0, inf), shape (several,)."""
    array = np.atleast_1d(_numbers("sensitivity", values))
    if array.shape != (several,):
        raise ValueError(f"sensitivity must have shape ({several},), got {np.shape(values)}")
    bad = array[~((array >= 0) & (array < math.inf))]
    if bad.size:
        raise ValueError(f"sensitivity must lie in [0, inf), got {bad[0]}")
    return array


def published_scale(label: str, scale: Any) -> float:
    """The noise scale of an answer that is out, in (0, inf)."""
    if scale == 0:
        raise ValueError(
            f"already must give {label} a scale in (0, inf), got 0: it was published exactly, "
            "and what it gives away no noise on another answer takes back"
        )
    return number(f"already: the scale of {label}", scale, 0, math.inf, closed="()")


def scales(values: Any, several: int) -> np.ndarray:
    """Noise scales of published answers in (0, inf), nan for the new ones, shape (several,)."""
    array = _numbers("already", values)
    if array.shape != (several,):
        raise ValueError(f"already must have shape ({several},), got {array.shape}")
    bad = array[~(np.isnan(array) | ((array > 0) & (array < math.inf)))]
    if bad.size:
        raise ValueError(
            f"already must lie in (0, inf), got {bad[0]}: an answer without noise is no longer "
            "protected by any that follows"
        )
    return array


def stated(name: str, values: Any, several: int, closed: str) -> np.ndarray:
    """One number for all of several answers, or one for each, in 0 to inf, shape (several,)."""
    array = np.atleast_1d(_numbers(name, values))
    if array.shape not in {(1,), (several,)}:
        raise ValueError(f"{name} must have shape ({several},), got {array.shape}")
    for value in array.tolist():
        number(name, value, 0, math.inf, closed=closed)
    return np.broadcast_to(array, several).copy()


def epsilons(value: Any, several: int | None = None) -> np.ndarray:
    """One epsilon or an array of them, each in [0, inf]; for several statistics (..., several)."""
    array = _numbers("epsilon", value)
    if several is not None and array.shape[-1:] != (several,):
        raise ValueError(f"epsilon must have shape (..., {several}), got {array.shape}")
    bad = array[~(array >= 0)]
    if bad.size:
        raise ValueError(f"epsilon must lie in [0, inf], got {bad.flat[0]}")
    return array


def _numbers(name: str, value: Any) -> np.ndarray:
    """Real numbers of any shape."""
    array = _array(name, value)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a number or an array, got {short(value)}")
    return array.astype(float)


def answers(values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """The finite answers of a query to datasets that lie along a last axis."""
    array = _reals("the answers of query", values).astype(float)
    if array.shape != shape:
        raise ValueError(f"query must reduce the last axis: to shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("query must give finite answers, got one that is not")
    return array


def _reals(name: str, values: Any) -> np.ndarray:
    array = _array(name, values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got {short(values)}")
    return array


def unmasked(name: str, values: Any) -> None:
    """Refuse a value that is masked: it is missing, whatever stands under its mask."""
    if _is_masked(values):
        raise ValueError(
            f"{name} must not be masked, got {short(values)}: leave out what is missing, "
            "or fill it in"
        )


def _is_masked(values: Any) -> bool:
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.getmaskarray(values).any())
    return isinstance(values, (list, tuple)) and any(map(_is_masked, values))


def worlds(value: Any) -> None:
    """Refuse what did not come from :func:`dpchoose.possible_worlds`."""
    if not hasattr(type(value), "largest_prior"):
        raise TypeError(f"worlds must come from possible_worlds, got {short(value)}")


def _array(name: str, values: Any) -> np.ndarray:
    unmasked(name, values)
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must have rows of one length, got {short(values)}") from None


def short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
