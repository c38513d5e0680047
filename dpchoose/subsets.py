"""Every subset of a given size, in order, a block at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

MAX_WORLDS = 10_000_000
BLOCK = 1 << 20  # numbers held at once, about eight megabytes


class TooManyWorlds(ValueError):
    """More datasets would have to be looked at than ``max_worlds`` allows."""


def refuse_above(limit: int, count: int, what: str, advice: str = "") -> None:
    """Stop before an enumeration that would not end.

    Args:
        limit: the most datasets that may be looked at.
        count: how many there are.
        what: looks at them.
        advice: what else can be done, ending in a comma and a space.

    Raises:
        TooManyWorlds: there are more than ``limit``.
    """
    if count > limit:
        raise TooManyWorlds(
            f"max_worlds is {limit:,} but {what} looks at {amount(count)} datasets: "
            "ask a smaller universe, choose a release size nearer to 1 or to "
            f"N - 1, {advice}or raise max_worlds"
        )


def amount(count: int) -> str:
    """A number as it is read: exact while it is short.

    >>> amount(184756), amount(math.comb(1000, 500))
    ('184,756', 'about 1e299')
    """
    if count < 10**15:
        return f"{count:,}"
    return f"about 1e{math.floor(math.log10(count))}"


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
