"""Every subset of a given size, in order, a block at a time."""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dpchoose import progress

Level = tuple[int, int]

MAX_WORLDS = 10_000_000
BLOCK = 1 << 20  # numbers held at once, about eight megabytes
LONG = 1 << 25  # numbers to look at from which starting processes pays


class TooManyDatasets(ValueError):
    """More datasets would have to be looked at than ``max_worlds`` allows; a ValueError."""


def count(records: int, size: int) -> int:
    """The number of worlds C(N, n): exact up to 1e300, beyond it a power of ten.

    >>> count(4, 3)
    4
    """
    rest = math.lgamma(size + 1) + math.lgamma(records - size + 1)
    digits = (math.lgamma(records + 1) - rest) / math.log(10)
    return math.comb(records, size) if digits < 300 else 10 ** int(digits)


def refuse_above(limit: int, count: int, what: str) -> None:
    """Stop with TooManyDatasets before ``what`` looks at more datasets than the limit."""
    if count > limit:
        many = f"{count:,}" if count < 10**15 else f"about 1e{math.floor(math.log10(count))}"
        raise TooManyDatasets(
            f"max_worlds is {limit:,} but {what} looks at {many} datasets: ask a smaller "
            "universe, choose a release size nearer to 1 or to N - 1, or raise max_worlds"
        )


def over_blocks(
    task: Callable, kinds: Sequence[tuple[Level, ...]], *, held: int = 1, faster: str = ""
) -> Iterator[Any]:
    """``task(rows, others, ...)`` for the subsets of each level of some kinds, a block at a time.

    A kind is some levels, and that with most subsets is first. A level is a pair (size, choose),
    rows are integers (rows, choose), in order, and one of each level takes ``held`` numbers. Long
    work goes to all cores, or where the caller's ``joblib.parallel_config`` sends it; ``faster``
    is what its progress says would be faster.

    >>> list(over_blocks(np.ndarray.tolist, [((4, 3),)]))
    [[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]]
    """
    kinds = sorted(kinds, key=_subsets_of, reverse=True)
    blocks = ((kind, block) for kind in kinds for block in itertools.product(*_cuts(kind, held)))
    if sum(map(_subsets_of, kinds)) * held < LONG:
        results = (_on_rows(task, *block) for block in blocks)
    else:
        import joblib

        jobs = joblib.parallel.get_active_backend()[1]  # None: the caller has not said
        parallel = joblib.Parallel(n_jobs=-1 if jobs is None else jobs, return_as="generator")
        results = parallel(joblib.delayed(_on_rows)(task, *block) for block in blocks)
    total = sum(math.prod(map(len, _cuts(kind, held))) for kind in kinds)
    yield from progress.bar(total, "enumerating", steps=results, faster=faster)


def ranked(size: int, choose: int, start: int, stop: int) -> np.ndarray:
    """The subsets from rank ``start`` up to ``stop``, in lexicographic order.

    Counted from the last, the r-th subset has the first position size - 1 - a for the largest a
    with comb(a, choose) <= r; what is left of r ranks the others. Complements stand in the
    reverse order, so the smaller of the two is looked up.

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
    """The positions of N that each row of n distinct ones leaves out: (rows, N - n)."""
    outside = np.ones((len(chosen), size), dtype=bool)
    np.put_along_axis(outside, chosen, False, axis=1)
    return np.nonzero(outside)[1].reshape(len(chosen), size - chosen.shape[1])


def _subsets_of(levels: tuple[Level, ...]) -> int:
    """How many there are: one of each level."""
    return math.prod(math.comb(*level) for level in levels)


def _cuts(levels: tuple[Level, ...], held: int) -> list[list[Level]]:
    """Of each level the ranges of ranks (start, stop) whose products are the blocks."""
    cuts: list[list[Level]] = []
    room = BLOCK // max(held, 1)
    for level in reversed(levels):
        total = math.comb(*level)
        rows = max(1, min(total, room))
        cuts.insert(0, [(low, min(low + rows, total)) for low in range(0, total, rows)])
        room //= rows
    return cuts


def _on_rows(task: Callable, levels: tuple[Level, ...], block: tuple[Level, ...]) -> Any:
    """What the task makes of one block."""
    return task(*(ranked(*level, *cut) for level, cut in zip(levels, block)))


@functools.lru_cache(maxsize=8)
def _binomials(size: int, few: int) -> tuple[np.ndarray, ...]:
    """comb(a, few), ..., comb(a, 1) for a = 0, ..., size - 1, each as an array."""
    columns = [np.ones(size, dtype=np.int64)]
    for _ in range(few):
        columns.append(np.concatenate([[0], np.cumsum(columns[-1])[:-1]]))
    return tuple(columns[:0:-1])
