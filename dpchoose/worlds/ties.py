"""When two answers are one: ties, decided in floats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ULPS = 8


def starts(answers: np.ndarray, exact: bool) -> np.ndarray:
    """Where each group of equal answers begins, in sorted answers.

    Where floats are equal exactly when the answers are, nothing else is a tie.
    Elsewhere (interpolated percentiles, var and std, and whatever is evaluated
    world by world) answers that differ by no more than the rounding of their
    own evaluation, 8 ulps of the largest magnitude, are taken as equal: the
    variances of {0, 1, 7} and {0, 6, 7} are, although their floats are not. A
    longer run of such answers is left apart, which is the safe side.

    Args:
        answers: sorted, shape (M,).
        exact: whether answers that are equal on paper are equal floats.

    >>> starts(np.array([1.0, 1.0, 2.0]), True).tolist()
    [0, 2]
    """
    steps = np.diff(answers, prepend=-np.inf)
    if exact:
        return np.flatnonzero(steps > 0)
    slack = ULPS * np.spacing(np.abs(answers).max())
    found = np.flatnonzero(steps > slack)
    ends = np.append(found[1:], len(answers))
    drawn_out = answers[ends - 1] - answers[found] > 2 * slack
    if not drawn_out.any():
        return found
    apart = steps > slack
    for start, end in zip(found[drawn_out], ends[drawn_out]):
        apart[start:end] |= steps[start:end] > 0
    return np.flatnonzero(apart)


def distinct_rows(
    columns: Sequence[tuple[np.ndarray, bool]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of answers in order, equal ones together.

    Args:
        columns: the answers of each statistic, shape (M,), and whether equal
            ones are equal floats.

    Returns:
        the order of the rows, where each group of equal rows begins in it, and
        one row for each group, shape (groups, d), sorted from the first column on.

    >>> order, begins, rows = distinct_rows([(np.array([2.0, 1, 2]), True)])
    >>> begins.tolist(), rows.tolist()
    ([0, 1], [[1.0], [2.0]])
    """
    answers, codes = [], []
    for column, exact in columns:
        order = np.argsort(column, kind="stable")
        begins = starts(column[order], exact)
        place = np.cumsum(np.bincount(begins, minlength=len(column))) - 1
        code = np.empty(len(column), dtype=np.intp)
        code[order] = place
        answers.append(column[order][begins])
        codes.append(code)
    order = np.lexsort(codes[::-1])
    changes = [np.diff(code[order], prepend=-1) != 0 for code in codes]
    begins = np.flatnonzero(np.logical_or.reduce(changes))
    first = order[begins]
    rows = [distinct[code[first]] for distinct, code in zip(answers, codes)]
    return order, begins, np.stack(rows, axis=1)


def whole_numbers(shares: np.ndarray) -> list[int]:
    """Positive floats as whole numbers in one unit, exactly.

    >>> whole_numbers(np.array([0.5, 0.25]))
    [2, 1]
    """
    ratios = [share.as_integer_ratio() for share in shares.tolist()]
    unit = max(below for _, below in ratios)  # a power of two, as all of them are
    return [above * (unit // below) for above, below in ratios]
