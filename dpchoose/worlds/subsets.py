"""Every subset of a given size, in order, a block at a time."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

import numpy as np

from dpchoose import progress

Result = TypeVar("Result")

MAX_WORLDS = 10_000_000
MOST_DIGITS = 300  # of a number of worlds that is counted
BLOCK = 1 << 20  # numbers held at once, about eight megabytes
LONG = 1 << 25  # numbers to look at from which starting processes pays


class TooManyWorlds(ValueError):
    """More datasets would have to be looked at than ``max_worlds`` allows."""


def count(records: int, size: int) -> int:
    """The number of worlds C(N, n), exact, where it is at most 1e300.

    Raises:
        TooManyWorlds: there are more.

    >>> count(4, 3)
    4
    """
    if log10_count(records, size) > MOST_DIGITS:
        raise TooManyWorlds(
            f"worlds must be at most 1e{MOST_DIGITS} to be counted, got "
            f"{amount_of_worlds(records, size)}: use recommend or shell_bound, which count none"
        )
    return math.comb(records, size)


def prior(records: int, size: int) -> Fraction:
    """That of every world when they are equally likely; 0 where there are more than 1e300.

    >>> prior(4, 3)
    Fraction(1, 4)
    """
    if log10_count(records, size) > MOST_DIGITS:
        return Fraction(0)
    return Fraction(1, math.comb(records, size))


def log10_count(records: int, size: int) -> float:
    """The decimal logarithm of the number of worlds.

    >>> round(log10_count(1_000_000, 500_000))
    301027
    """
    rest = math.lgamma(size + 1) + math.lgamma(records - size + 1)
    return (math.lgamma(records + 1) - rest) / math.log(10)


def refuse_above(limit: int, count: int, what: str) -> None:
    """Stop before an enumeration that would not end.

    Args:
        limit: the most datasets that may be looked at.
        count: how many there are.
        what: looks at them.

    Raises:
        TooManyWorlds: there are more than ``limit``.
    """
    if count > limit:
        raise TooManyWorlds(
            f"max_worlds is {limit:,} but {what} looks at {amount(count)} datasets: "
            "ask a smaller universe, choose a release size nearer to 1 or to "
            "N - 1, or raise max_worlds"
        )


def amount(count: int) -> str:
    """A number as it is read: exact while it is short.

    >>> amount(184756), amount(math.comb(1000, 500))
    ('184,756', 'about 1e299')
    """
    return f"{count:,}" if count < 10**15 else f"about 1e{math.floor(math.log10(count))}"


def amount_of_worlds(records: int, size: int) -> str:
    """The number of worlds as it is read, however large.

    >>> amount_of_worlds(20, 10), amount_of_worlds(1_000_000, 500_000)
    ('184,756', 'about 1e301026')
    """
    digits = log10_count(records, size)
    if digits < MOST_DIGITS:
        return amount(math.comb(records, size))
    return f"about 1e{math.floor(digits)}"


def over_blocks(
    task: Callable[..., Result], *levels: tuple[int, int], held: int = 1
) -> Iterator[Result]:
    """``task(rows)`` for the subsets of ``range(size)``, a block at a time, in order.

    With several levels it is ``task(rows, others, ...)``: every block of the
    first with every block of the next. Long work is handed to joblib: to all
    cores, or where the caller's ``joblib.parallel_config`` sends it, such as a
    Dask cluster, and :mod:`dpchoose.progress` says how far it is.

    Args:
        task: a function of integer arrays of shape (rows, choose).
        levels: pairs (size, choose), choose in [0, size].
        held: numbers that the task holds for one row of each level; blocks
            are cut so that about ``BLOCK`` of them are held at once.

    >>> list(over_blocks(np.ndarray.tolist, (4, 3)))
    [[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]]
    """
    totals = [math.comb(size, choose) for size, choose in levels]
    cuts, room = [], BLOCK // max(held, 1)
    for total in reversed(totals):
        rows = max(1, min(total, room))
        cuts.insert(0, [(low, min(low + rows, total)) for low in range(0, total, rows)])
        room //= rows
    blocks = itertools.product(*cuts)
    if math.prod(totals) * held < LONG:
        yield from (_on_rows(task, levels, block) for block in blocks)
        return
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    jobs = get_active_backend()[1]  # None: the caller has not said
    parallel = Parallel(n_jobs=-1 if jobs is None else jobs, return_as="generator")
    results = parallel(delayed(_on_rows)(task, levels, block) for block in blocks)
    yield from progress.shown(results, math.prod(map(len, cuts)), "enumerating")


def ranked(size: int, choose: int, start: int, stop: int) -> np.ndarray:
    """The subsets from rank ``start`` up to ``stop``, in lexicographic order.

    Counted from the last, the r-th subset has the first position size - 1 - a
    for the largest a with comb(a, choose) <= r; what is left of r ranks the
    others. Complements stand in the reverse order, so the smaller of a subset
    and its complement is looked up.

    >>> ranked(4, 3, 1, 3).tolist()
    [[0, 1, 3], [0, 2, 3]]
    """
    few = min(choose, size - choose)
    rank = np.arange(start, stop)
    if few == choose:
        rank = math.comb(size, choose) - 1 - rank
    rows = np.empty((stop - start, few), dtype=np.intp)
    for column, counts in enumerate(_binomials(size, few)):
        most = np.searchsorted(counts, rank, "right") - 1
        rows[:, column] = size - 1 - most
        rank = rank - counts[most]
    return rows if few == choose else complement(size, rows)


def complement(size: int, chosen: np.ndarray) -> np.ndarray:
    """The positions that each row leaves out, in order.

    Args:
        size: number of positions N.
        chosen: distinct positions, shape (rows, n).

    Returns:
        integer array of shape (rows, N - n).

    >>> complement(4, np.array([[0, 2]])).tolist()
    [[1, 3]]
    """
    outside = np.ones((len(chosen), size), dtype=bool)
    np.put_along_axis(outside, chosen, False, axis=1)
    return np.nonzero(outside)[1].reshape(len(chosen), size - chosen.shape[1])


def _on_rows(
    task: Callable[..., Result],
    levels: tuple[tuple[int, int], ...],
    block: tuple[tuple[int, int], ...],
) -> Result:
    return task(*(ranked(*level, *cut) for level, cut in zip(levels, block)))


@functools.lru_cache(maxsize=8)
def _binomials(size: int, few: int) -> tuple[np.ndarray, ...]:
    """comb(a, few), ..., comb(a, 1) for a = 0, ..., size - 1, each as an array."""
    columns = [np.ones(size, dtype=np.int64)]
    for _ in range(few):
        columns.append(np.concatenate([[0], np.cumsum(columns[-1])[:-1]]))
    return tuple(columns[:0:-1])
