r"""Sums of weights that decay with distance, :math:`\sum_j w_j e^{-t|v_i - v_j|}`.

For every i at once, and for sorted v. All terms are positive, so nothing
cancels, and each way of adding has a bound on its relative error.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

UNIT = 2.0**-53  # the most that a float is off, relative to itself
FARTHEST = 745.0  # exponents beyond vanish in floats
REACH = 600.0  # widest exponent within a block: exp(300) and its inverse are far from the ends
BLOCK = 512  # fewer numbers to a block would not pay
ROW = 1024  # the most numbers that are added one after the other
SMALLEST = 1e-150  # weights below are added in a way that cannot underflow


def sums(
    values: np.ndarray,
    weights: np.ndarray,
    rates: np.ndarray,
    tails: np.ndarray | None = None,
) -> np.ndarray:
    r"""The sums for each rate t.

    Where the exponents span no more than 600, :math:`e^{tv}` is taken out of
    the sums, and running sums from the left and from the right are all that
    is left. A wider span is cut into blocks like that, each handing its sum
    on to the next. Where there would be too many blocks, window sums of 1, 2,
    4, ... terms are formed instead.

    Args:
        values: v, sorted, distinct, shape (M,).
        weights: w, at least 0, shape (M,).
        rates: t, in [0, inf], shape (E,).
        tails: what the values lack, shape (M,); None where that is nothing.

    Returns:
        shape (E, M), each within a factor 1 + :func:`relative_error` of the
        sum, for weights of 0 or of at least 1e-290.

    >>> sums(np.array([0.0, 1]), np.array([0.5, 0.5]), np.array([np.log(2)])).tolist()
    [[0.75, 0.75]]
    """
    result = np.empty((len(rates), len(values)))
    with np.errstate(over="ignore", invalid="ignore"):
        spans = np.where(rates == 0, 0.0, rates * (values[-1] - values[0]))
    smallest = weights.min()
    if smallest == 0:
        smallest = weights.min(where=weights > 0, initial=1)
    ordinary = smallest >= SMALLEST
    line = _Line(values, tails)
    narrow = (spans <= REACH) & ordinary
    if narrow.any():
        result[narrow] = _in_one_block(line, weights, rates[narrow])
    for row in np.flatnonzero(~narrow):
        if ordinary and spans[row] <= REACH * len(values) / BLOCK:
            result[row] = _in_blocks(line, weights, rates[row])
        else:
            result[row] = _in_windows(line, weights, rates[row])
    return result


def relative_error(size: int, span: float = math.inf) -> float:
    r"""A bound on the relative error of :func:`sums` of that many weights.

    With u = 2**-53: an exponent is off by 5 u times itself (rate and its unit,
    difference and its tail, product), a sum by u per addition in sequence, of which there are about
    twice the square root of M. The farther terms, one block away, double
    that, and taking the middle weight once instead of twice can double it
    again. Where the span of the exponents exceeds 600, window sums may be
    formed: they are off by 5 u times 745, beyond which a term vanishes, and
    11 u for each of the log2(M) doublings.

    Args:
        size: M, the number of weights.
        span: the largest exponent, rate times the range of the values.

    >>> relative_error(10**6) < 3e-12, relative_error(4, 0.0) < 2e-14
    (True, True)
    """
    rows, width = _shape(size)
    wide = 200 if span > REACH else 8
    return 4 * (5 * min(span, FARTHEST) + rows + width + wide) * UNIT


def exponents(rate: float | np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """rate * gap, where no gap means 0 even at an infinite rate."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(gaps == 0, 0.0, rate * gaps)


class _Line(NamedTuple):
    """Sorted values with what they lack."""

    values: np.ndarray
    tails: np.ndarray | None

    def centred(self, start: int, stop: int) -> np.ndarray:
        """Some of the values, counted from about the middle of them."""
        middle = self.values[start] / 2 + self.values[stop - 1] / 2
        moved = self.values[start:stop] - middle
        if self.tails is not None:
            moved += self.tails[start:stop]
        return moved

    def gaps(self, step: int) -> np.ndarray:
        """How far each value is above the one so many places before."""
        found = self.values[step:] - self.values[:-step]
        if self.tails is not None:
            found += self.tails[step:] - self.tails[:-step]
            np.maximum(found, 0, out=found)
        return found

    def gap(self, place: int) -> float:
        """How far a value is above the one before."""
        return float(self._part(place - 1, place + 1).gaps(1)[0])

    def _part(self, start: int, stop: int) -> _Line:
        tails = None if self.tails is None else self.tails[start:stop]
        return _Line(self.values[start:stop], tails)


def _in_one_block(line: _Line, weights: np.ndarray, rates: np.ndarray) -> np.ndarray:
    growth = rates[:, None] * line.centred(0, len(weights))
    np.exp(growth, out=growth)
    left = _running(weights * growth)
    left /= growth
    right = _running((weights / growth)[:, ::-1])[:, ::-1]
    left += np.multiply(right, growth, out=growth)
    left -= weights
    return left


def _in_blocks(line: _Line, weights: np.ndarray, rate: float) -> np.ndarray:
    values, bounds = line.values, [0]
    while bounds[-1] < len(values):
        end = values[bounds[-1]] + REACH / rate
        bounds.append(int(np.searchsorted(values, end, "right")))
    growth = np.empty(len(values))
    total = np.empty(len(values))
    carried = 0.0
    for start, stop in itertools.pairwise(bounds):
        block = growth[start:stop]
        np.multiply(line.centred(start, stop), rate, out=block)
        np.exp(block, out=block)
        left = _running((weights[start:stop] * block)[None])[0]
        if start:
            carried = total[start - 1] * math.exp(-rate * line.gap(start))
            left += carried * block[0]
        np.divide(left, block, out=total[start:stop])
    total -= weights
    carried = 0.0
    for start, stop in zip(bounds[-2::-1], bounds[:0:-1]):
        block = growth[start:stop]
        right = _running((weights[start:stop] / block)[None, ::-1])[0]
        if stop < len(values):
            carried *= math.exp(-rate * line.gap(stop))
            right += carried / block[-1]
        right = right[::-1]
        right *= block
        carried = float(right[0])
        total[start:stop] += right
    return total


def _in_windows(line: _Line, weights: np.ndarray, rate: float) -> np.ndarray:
    left, right = weights.copy(), weights.copy()
    step = 1
    while step < len(weights):
        decay = np.exp(-exponents(rate, line.gaps(step)))
        if not decay.any():
            break
        more_left = decay * left[:-step]
        decay *= right[step:]
        left[step:] += more_left
        right[:-step] += decay
        step *= 2
    left += right
    left -= weights
    return left


def _running(terms: np.ndarray) -> np.ndarray:
    """Running sums along the last axis: of rows, then of the sums of the rows."""
    count, size = terms.shape
    rows, width = _shape(size)
    if rows == 1:
        return np.cumsum(terms, axis=1)
    padded = np.zeros((count, rows * width))
    padded[:, :size] = terms
    table = padded.reshape(count, rows, width)
    np.cumsum(table, axis=2, out=table)
    table[:, 1:] += np.cumsum(table[:, :-1, -1], axis=1)[..., None]
    return padded[:, :size]


def _shape(size: int) -> tuple[int, int]:
    """Rows and their width, both about the square root of the size when that is large."""
    if size <= ROW:
        return 1, size
    width = math.isqrt(size - 1) + 1
    return -(-size // width), width
