"""Windows, outer choices, and searches over them, for the variance.

A window is a run of neighbours among sorted records. An outer choice around
it takes the i smallest and so many of the largest of the records that the
window leaves: all but a run of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dpchoose.sensitivity.sums import Exact, Moments, Records

Slices = list[tuple[int, int]]  # a dataset as runs of sorted records
Candidate = tuple[float, Slices, Slices]  # change, and D and D' as runs of sorted records
SLACK = 1 + 1e-9  # a bound in plain floats, this much larger, is a bound

BLOCK = 1 << 14  # windows looked at together: their arrays stay in the cache


def outer_variance(u: Records, size: int) -> Exact:
    """The variance of each outer choice: the smallest i and the largest size - i."""
    splits = np.arange(size + 1)
    left_out = u.between(splits, splits + len(u) - size)
    return u.between(0, len(u)).minus(left_out).variance(size)


def best_split(
    u: Records, starts: np.ndarray, inner: int, total: int, window: Moments
) -> np.ndarray:
    """The split of the outer choice around each window that makes V largest."""

    def worth(i: np.ndarray) -> np.ndarray:
        low, high, (p, _) = around(u, starts, inner, total, window, i, squares=False)
        return (low + high) * (total - 1) < 2 * (p - high)

    return how_many_hold(worth, total - inner, len(starts))


def around(
    u: Records,
    starts: np.ndarray,
    inner: int,
    total: int,
    window: Moments,
    split: np.ndarray,
    *,
    squares: bool,
) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """A window and an outer choice around it, ``total`` records, in plain floats.

    Returns:
        the record that the next split takes, the one that it gives up, and
        the sum and the sum of squares before it.
    """
    left_out = len(u) - total
    low = split + inner * (split >= starts)
    high = split + left_out
    high += inner * (high >= starts)
    across = high - low > left_out
    moments = [
        sums[-1] - (sums[high] - sums[low]) + across * own
        for (sums, _), (own, _) in list(zip(u.sums, window))[: 1 + squares]
    ]
    return u.x[low], u.x[high], (moments[0], moments[-1])


def outer_moments(
    u: Records, starts: np.ndarray, inner: int, total: int, window: Moments, split: np.ndarray
) -> Moments:
    """The exact moments of the same."""
    left_out = len(u) - total
    low = split + inner * (split >= starts)
    high = split + left_out
    high = high + inner * (high >= starts)
    across = np.where(high - low > left_out, 1.0, 0.0)
    return u.between(0, len(u)).minus(u.between(low, high)).plus(window.times(across))


def outer_slices(records: int, start: int, inner: int, split: int, total: int) -> Slices:
    """The same as runs of records: all but ``records - total`` that it leaves out."""
    low, high = split, split + records - total
    if high <= start:
        return [(0, low), (high, records)]
    if low >= start:
        return [(0, low + inner), (high + inner, records)]
    return [(0, low), (start, start + inner), (high + inner, records)]


def without(slices: Slices, window: tuple[int, int]) -> Slices:
    """The runs without the window, which lies in one of them."""
    start, stop = window
    return [
        part
        for low, high in slices
        for part in (
            [(low, start), (stop, high)] if low <= start and stop <= high else [(low, high)]
        )
    ]


def how_many_hold(holds: Callable[[np.ndarray], np.ndarray], limit: int, rows: int) -> np.ndarray:
    """How many of the tests 0, 1, ..., limit - 1 hold, when the first ones do."""
    count = np.zeros(rows, dtype=np.intp)
    step = 1 << limit.bit_length() >> 1
    while step:
        trial = count + step
        good = trial <= limit
        good &= holds(np.minimum(trial, limit) - 1)
        count += step * good
        step >>= 1
    return count


def row_minima(
    cost: Callable[[np.ndarray, np.ndarray], np.ndarray], low: np.ndarray, high: int
) -> np.ndarray:
    """Where each row of a Monge matrix is least: columns low[row], ..., high.

    The least columns never move left from row to row, so the rows between two
    known ones need only the columns between theirs: about log2(rows) passes.
    """
    best = np.zeros(len(low), dtype=np.intp)
    stride = 1 << len(low).bit_length()
    while stride := stride >> 1:
        rows = np.arange(stride - 1, len(low), 2 * stride)
        if not len(rows):
            continue
        before, after = rows - stride, rows + stride
        start = np.maximum(low[rows], np.where(before >= 0, best[before], 0))
        stop = np.where(after < len(low), best[np.minimum(after, len(low) - 1)], high) + 1
        counts = stop - start
        firsts = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(rows)), counts)
        columns = np.arange(counts.sum()) + (start - firsts)[owner]
        costs = np.concatenate(
            [cost(rows[owner[some]], columns[some]) for some in blocks(len(columns))]
        )
        least = np.flatnonzero(costs == np.minimum.reduceat(costs, firsts)[owner])
        best[rows] = columns[least[np.diff(owner[least], prepend=-1) > 0]]
    return best


def most_shared(values: np.ndarray, size: int, others: np.ndarray) -> np.ndarray:
    """For each window, how many records it can share with ``others``.

    Records of one value stand for each other.

    Args:
        values: sorted, shape (N,).
        size: of the windows.
        others: sorted, some of the values.
    """
    starts = np.arange(len(values) - size + 1)
    low, high = values[: len(starts)], values[size - 1 :]
    before = np.searchsorted(others, low, "right")
    after = np.searchsorted(others, high, "left")
    at_low = before - np.searchsorted(others, low, "left")
    at_high = np.searchsorted(others, high, "right") - after
    low_taken = np.searchsorted(values, low, "right") - starts
    high_taken = starts + size - np.searchsorted(values, high, "left")
    apart = after - before + np.minimum(at_low, low_taken) + np.minimum(at_high, high_taken)
    return np.where(low == high, np.minimum(at_low, size), apart)


def rise(query: str, low: Exact, high: Exact) -> np.ndarray:
    """f(high) - f(low) for variances in two floats."""
    rise = (high[0] - low[0]) + (high[1] - low[1])
    if query == "var":
        return rise
    roots = np.sqrt(np.maximum(high[0], 0)) + np.sqrt(np.maximum(low[0], 0))
    return np.divide(rise, roots, out=np.zeros_like(rise), where=roots > 0)


def blocks(count: int) -> Iterator[np.ndarray]:
    return (np.arange(low, min(low + BLOCK, count)) for low in range(0, count, BLOCK))


def unscaled(query: str, change: float, exponent: int) -> float:
    with np.errstate(over="ignore"):
        return float(np.ldexp(max(change, 0.0), exponent * (2 if query == "var" else 1)))


def by_change(candidate: Candidate) -> float:
    """What candidates are compared by."""
    return candidate[0]


def take(u: Records, slices: Slices) -> np.ndarray:
    """The sorted values of the records in some runs."""
    return np.concatenate([u.values[start:stop] for start, stop in slices])
