r"""The one sum of this package: how much weight lies around each row, fading with distance.

.. math:: S_i = \sum_j w_j e^{-|x_i - x_j|_1}

over the rows j of i's segment. All terms are positive, so nothing cancels.

*One coordinate.* Sorted, each term that lies to the left fades by the same factor from one
row to the next: a running sum, and its mirror from the right. It runs through the rows
of a square table side by side, and then from each row of the table to the next.

*More.* Sorted by segment and first coordinate, the rows of a segment are halved: for every
pair of neighbouring halves of 1, 2, 4, ... rows, weights are moved in the first coordinate
to a pivot between the two, where they have faded by at most 1; what is left to be added
is a sum in the other coordinates, with the pairs of halves as segments.

*Error*, relative, in units u of rounding, for M rows of q coordinates, :func:`rounding`. An
exponential is off by 4u, a product or sum by u. A term passes at most 2 sqrt(M) + 1 steps of
an exponential, a product and a sum in the last coordinate; in each other one an
exponential and a product on each side, and a sum at each of log2(M) + 1 levels. What the
coordinates themselves are off is the caller's: a gap between two of them is rounded once.
"""

import math

import numpy as np

UNIT = 2.0**-53


def sums(rows: np.ndarray, weights: np.ndarray, segment: np.ndarray | None = None) -> np.ndarray:
    """The sum of weights around each row, fading with distance, in its segment.

    The M rows are finite, (M, q); the weights, at least 0, (M,), or (M, k) for k sums at once;
    the codes of the segments whole, (M,), or None for a single segment. The relative error of
    the sums, of the shape of the weights, is at most :func:`rounding`.

    >>> sums(np.array([[0.0], [np.log(2)]]), np.array([1.0, 4.0])).round(12).tolist()
    [3.0, 4.5]
    """
    segment = np.zeros(len(rows), dtype=np.intp) if segment is None else segment
    order = np.lexsort((rows[:, 0], segment))
    x, own, codes = rows[order], weights.reshape(len(rows), -1)[order], segment[order]
    with np.errstate(under="ignore"):
        totals = _line(x[:, 0], own, codes) if x.shape[1] == 1 else _halves(x, own, codes)
    back = np.empty_like(totals)
    back[order] = totals
    return back.reshape(weights.shape)


def rounding(rows: int, coordinates: int) -> float:
    """A bound on the relative error of :func:`sums`.

    >>> rounding(10_000, 1) < 2e-13
    True
    """
    chain = 14 * (math.sqrt(rows) + 2)
    levels = 14 + 2 * math.log2(rows + 1)
    return UNIT * (chain + (coordinates - 1) * levels)


def _line(x: np.ndarray, weights: np.ndarray, segment: np.ndarray) -> np.ndarray:
    """The sums on a line, sorted by segment and coordinate."""
    totals = _running(x, weights, segment)
    if len(x) > 1:
        behind = _running(-x[::-1], weights[::-1], segment[::-1])[::-1][1:]
        fade = np.exp(-np.abs(x[1:] - x[:-1])) * (segment[1:] == segment[:-1])
        totals[:-1] += behind * fade[:, None]
    return totals


def _running(x: np.ndarray, weights: np.ndarray, segment: np.ndarray) -> np.ndarray:
    """The sums from the left, each with its own weight."""
    total, sets = weights.shape
    width = math.isqrt(total - 1) + 1
    height = -(-total // width)
    last = np.minimum(np.arange(height * width), total - 1).reshape(height, width)
    table, code = x[last], segment[last]
    held = weights[last.T]  # a step takes one row of it
    fade = np.exp(-np.abs(table[:, 1:] - table[:, :-1])) * (code[:, 1:] == code[:, :-1])
    for step, factor in enumerate(fade.T, start=1):
        held[step] += held[step - 1] * factor[:, None]
    held = np.ascontiguousarray(held.transpose(1, 0, 2))
    start, stop = slice(1, None), slice(None, -1)
    reach = np.exp(-np.abs(table[start] - table[stop, -1:])) * (code[start] == code[stop, -1:])
    for row, factor in enumerate(reach, start=1):
        held[row] += held[row - 1, -1] * factor[:, None]
    return held.reshape(-1, sets)[:total]


def _halves(x: np.ndarray, weights: np.ndarray, segment: np.ndarray) -> np.ndarray:
    """:func:`sums` for d > 1 coordinates, by divide and conquer on the first of them."""
    totals, sets = weights.copy(), weights.shape[1]
    new = np.append(True, segment[1:] != segment[:-1])
    starts = np.flatnonzero(new)
    place = np.arange(len(x)) - np.repeat(starts, np.diff(starts, append=len(x)))
    size, longest = 1, int(place.max()) + 1
    while size < longest:
        code = np.cumsum(place % (2 * size) == 0) - 1
        right = place // size % 2 == 1
        pivot = np.full(code[-1] + 1, -1)
        firsts = np.flatnonzero(right & (place % size == 0))
        pivot[code[firsts]] = firsts
        live = np.flatnonzero(pivot[code] >= 0)  # a left half alone has nothing to add
        code, right = code[live], right[live]
        fade = np.exp(-np.abs(x[live, 0] - x[pivot[code], 0]))[:, None]
        faded = weights[live] * fade
        sides = np.concatenate([faded * ~right[:, None], faded * right[:, None]], axis=1)
        around = sums(x[live, 1:], sides, code)
        totals[live] += fade * np.where(right[:, None], around[:, :sets], around[:, sets:])
        size *= 2
    return totals
