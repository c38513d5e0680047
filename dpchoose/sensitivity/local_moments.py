"""Exact local sensitivities of the variance and the standard deviation.

The facts behind the proofs are those of :mod:`dpchoose.sensitivity.moments`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpchoose.sensitivity.exact import Answer
from dpchoose.sensitivity.sums import Exact, Moments, Records, common_scale
from dpchoose.sensitivity.windows import how_many_hold, most_shared, rise, row_minima, unscaled


def local_unbounded(query: str, universe: np.ndarray, release: np.ndarray, k: int) -> Answer:
    """Largest |f(R) - f(D')|, D' the release R less k records, or with k more.

    What stays of R, or comes from the others, is outer for the largest answer
    and a window for the smallest.

    Args:
        query, universe, k: as for :func:`global_unbounded`.
        release: positions of the release, distinct, shape (n,).

    >>> round(local_unbounded("var", np.array([0.0, 1, 9, 10]), np.array([0, 1]), 1)[0], 9)
    19.972222222
    """
    r, others, _, exponent = _parted(universe, release, k)
    here = r.between(0, len(r)).variance(len(r))
    options = []
    if k < len(r):
        options.append((r, Moments((0.0, 0.0), (0.0, 0.0)), len(r) - k, []))
    if k <= len(others):
        options.append((others, r.between(0, len(r)), len(r) + k, [r.values]))
    best = (-1.0, r.values)
    for pool, base, total, kept in options:
        taken = total - len(r) if kept else total
        starts = np.arange(len(pool) - taken + 1)
        windows = base.plus(pool.between(starts, starts + taken)).variance(total)
        splits = np.arange(taken + 1)
        left_out = pool.between(splits, splits + len(pool) - taken)
        outer = base.plus(pool.between(0, len(pool)).minus(left_out)).variance(total)
        low, high = rise(query, windows, here), rise(query, here, outer)
        start, split = int(low.argmax()), int(high.argmax())
        window = pool.values[start : start + taken]
        ends = [pool.values[:split], pool.values[len(pool) - taken + split :]]
        for change, parts in ((low[start], [window]), (high[split], ends)):
            best = max(best, (change, np.concatenate([*parts, *kept])), key=lambda one: one[0])
    return unscaled(query, best[0], exponent), r.values, np.sort(best[1])


def local_bounded(query: str, universe: np.ndarray, release: np.ndarray, k: int) -> Answer:
    """Largest |f(R) - f(D')|, D' of n records with at least n - k of the release R.

    A best D' that changes fewer than k records cannot be bettered by changing
    one more: it is a window of the universe (smallest answer) or a world of
    largest variance. One that changes k keeps a window of R and brings a
    window of the others (smallest), or drops a window of R and brings an
    outer choice of the others (largest).

    >>> local_bounded("var", np.array([0.0, 1, 9, 10]), np.array([0, 1]), 1)[0]
    24.75
    """
    r, others, u, exponent = _parted(universe, release, k)
    n, core, outside = len(r), len(r) - k, len(others)
    here = r.between(0, n).variance(n)
    best = (0.0, r.values)

    def offer(change: np.ndarray, parts: Callable[[int], list[np.ndarray]]) -> None:
        nonlocal best
        if len(change) and change.max() > best[0]:
            best = (float(change.max()), np.concatenate(parts(int(change.argmax()))))

    starts = np.flatnonzero(most_shared(u.values, n, r.values) >= core)
    windows = u.between(starts, starts + n).variance(n)
    offer(rise(query, windows, here), lambda i: [u.values[starts[i] : starts[i] + n]])

    splits = np.flatnonzero(most_shared(u.values, outside, others.values) >= outside - k)
    outer = u.between(0, len(u)).minus(u.between(splits, splits + outside)).variance(n)
    offer(
        rise(query, here, outer),
        lambda i: [u.values[: splits[i]], u.values[splits[i] + outside :]],
    )

    def filled(row: np.ndarray, column: np.ndarray) -> Exact:
        kept, come = r.between(row, row + core), others.between(column, column + k)
        return kept.plus(come).variance(n)

    rows = np.arange(k + 1 if core else 1)
    columns = row_minima(
        lambda row, column: filled(row, column)[0], np.zeros_like(rows), outside - k
    )
    offer(
        rise(query, filled(rows, columns), here),
        lambda i: [r.values[i : i + core], others.values[columns[i] : columns[i] + k]],
    )

    gaps = np.arange(core + 1)
    kept = r.between(0, n).minus(r.between(gaps, gaps + k))

    def worth(i: np.ndarray) -> np.ndarray:
        low, high = others.x[i], others.x[outside - k + i]
        ends = others.between(0, outside).minus(others.between(i, outside - k + i))
        return low + high < 2 * (kept.first[0] + ends.first[0] - high) / max(n - 1, 1)

    i = how_many_hold(worth, k, len(gaps))
    ends = others.between(0, outside).minus(others.between(i, outside - k + i))
    offer(
        rise(query, here, kept.plus(ends).variance(n)),
        lambda gap: [
            r.values[:gap],
            r.values[gap + k :],
            others.values[: i[gap]],
            others.values[outside - k + i[gap] :],
        ],
    )
    return unscaled(query, best[0], exponent), r.values, np.sort(best[1])


def _parted(
    universe: np.ndarray, release: np.ndarray, k: int
) -> tuple[Records, Records, Records, int]:
    """The release, the others and both, on one scale; no others if k is too many."""
    inside = np.zeros(len(universe), dtype=bool)
    inside[release] = True
    r, others = universe[inside], universe[~inside]
    if k > len(others):
        universe, others = r, others[:0]
    origin, exponent = common_scale(universe)
    origin = float(np.sort(r)[len(r) // 2])
    r, others, u = (Records.of(values, origin, exponent) for values in (r, others, universe))
    return r, others, u, exponent
