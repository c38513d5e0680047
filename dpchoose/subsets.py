"""Every subset of a given size, in order, a block at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

MAX_WORLDS = 10_000_000
BLOCK = 1 << 20  # numbers held at once, about eight megabytes


def refuse_above(limit: int, count: int, what: str) -> None:
    """Stop before an enumeration that would not end.

    Raises:
        ValueError: there are more than ``limit`` datasets to look at.
    """
    if count > limit:
        amount = f"{count:,}" if count < 10**15 else f"about 1e{len(str(count)) - 1}"
        raise ValueError(
            f"max_worlds is {limit:,} but {what} looks at {amount} datasets: "
            "ask a smaller universe, choose a release size nearer to 1 or to "
            "N - 1, or raise max_worlds"
        )


def blocks(size: int, choose: int, *, width: int = 1) -> Iterator[np.ndarray]:
    """Subsets of ``range(size)`` in lexicographic order, as blocks of rows.

    Args:
        size: number of positions, at least 0.
        choose: positions in a subset, in [0, size].
        width: numbers that the caller holds per chosen position; a block is
            cut so that about ``BLOCK`` of them are held at once.

    Yields:
        integer arrays of shape (rows, choose), comb(size, choose) rows in all.

    >>> np.concatenate(list(blocks(4, 3))).tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    rows = max(1, BLOCK // (max(choose, 1) * width))
    subsets = itertools.combinations(range(size), choose)
    for start in range(0, math.comb(size, choose), rows):
        some = itertools.chain.from_iterable(itertools.islice(subsets, rows))
        flat = np.fromiter(some, dtype=np.intp)
        yield flat.reshape(min(rows, math.comb(size, choose) - start), choose)


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
