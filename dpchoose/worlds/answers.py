r"""The answer of every named query as a whole number over a divisor.

A record is a whole number of some unit. Where the floats of a column are decimals of up to
fifteen digits in one unit, the records are these decimals, and the unit a power of ten: 0.1
+ 0.2 and 0.3 are then one answer. Elsewhere each float is taken as the binary fraction that
it is. The answer to a query is then a whole number of a unit of its own (of a
standard deviation its square is): two answers are equal where their numbers are.

What a risk is computed from is the *coordinate* of an answer: one float for its difference from
another, which is subtracted in whole numbers first. It is off by at most four units of
rounding: number, unit, product; of a root :math:`(a - a_0)/(\sqrt a + \sqrt{a_0})` as well.
"""

import math
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from dpchoose.queries import Query, evaluate, place_of
from dpchoose.worlds import subsets

FITS = 62  # binary digits of a whole number in an int64
WIDEST = 400  # binary digits of a record: its square must remain a float
SHORT = 15  # digits of a decimal that a float keeps


class TooFarApart(ValueError):
    """Values that cannot be told apart beside each other."""

    def __init__(self, values: np.ndarray, name: str = "universe") -> None:
        sizes = np.abs(values)
        small = values[int(np.where(sizes > 0, sizes, np.inf).argmin())]
        super().__init__(
            f"{name} must hold values that can be told apart beside each other, got "
            f"{small:.6g} and {values[int(sizes.argmax())]:.6g}, which are too far apart: is one "
            "of them a code for a missing value?"
        )


class Whole(NamedTuple):
    """Records as whole numbers of a unit: ``values == numbers * unit``, exactly.

    Attributes:
        numbers: int64 or Python's whole numbers, shape (N,).
        unit: above 0.
        bits: binary digits of the largest.
    """

    numbers: np.ndarray
    unit: Fraction
    bits: int

    def fit(self, bits: int) -> np.ndarray:
        """The numbers, of a kind in which results of so many binary digits are exact."""
        return self.numbers.astype(object if bits > FITS else np.int64)


class Answers(NamedTuple):
    """The answers of some datasets to one query.

    Attributes:
        numbers: whole, equal where the answers are, shape (M,).
        unit: of the numbers; an answer is numbers * unit, or the root of that.
        root: whether it is the root.
    """

    numbers: np.ndarray
    unit: Fraction
    root: bool = False

    def differences(self, origin: int) -> np.ndarray:
        """How far each answer lies above that of the number ``origin``, shape (M,)."""
        gaps, unit = (self.numbers - origin).astype(float), float(self.unit)
        if not self.root:
            return gaps * unit
        roots = np.sqrt(self.numbers.astype(float) * unit) + math.sqrt(origin * unit)
        return np.divide(gaps * unit, roots, out=np.zeros_like(gaps), where=roots > 0)

    def floats(self) -> np.ndarray:
        """The answers, each rounded once or twice, shape (M,)."""
        top, bottom = self.unit.as_integer_ratio()
        if int(abs(self.numbers).max()).bit_length() + top.bit_length() > FITS:
            exact = [number * top / bottom for number in self.numbers.tolist()]
            floats = np.array(exact, dtype=float)
        else:
            floats = (self.numbers * top).astype(float) / float(bottom)
        return np.sqrt(floats) if self.root else floats


def whole(values: np.ndarray) -> Whole:
    """Floats as whole numbers of one unit: of decimals where all are short, else of a power of two.

    Raises TooFarApart where the numbers would have over 400 binary digits.

    >>> whole(np.array([1.5, 0.1])).numbers.tolist(), whole(np.array([1.5, 0.1])).unit
    ([15, 1], Fraction(1, 10))
    """
    largest = float(np.abs(values).max(initial=0))
    for digits in range(SHORT + 1):
        power = 10.0**digits
        if largest * power >= 10.0**SHORT:
            break
        if all((np.rint(x * power) / power == x).all() for x in (values[:100], values)):
            numbers = np.rint(values * power).astype(np.int64)
            return _counted(numbers, Fraction(1, 10**digits))
    shares, exponents = np.frexp(values)
    odd = (shares * 2.0**53).astype(np.int64)
    ends = np.log2((odd & -odd).clip(1)).astype(int)
    lowest = int(np.where(odd == 0, 10**6, exponents - 53 + ends).min())
    if int(np.where(odd == 0, lowest, exponents).max()) - lowest > WIDEST:
        raise TooFarApart(values)
    shifts = np.where(odd == 0, 0, exponents - 53 + ends - lowest)
    exact = (odd >> ends).astype(object) << shifts.astype(object)
    return _counted(exact, Fraction(2) ** lowest)


def exact_answer(query: Query, values: np.ndarray) -> tuple[Fraction, bool]:
    """The exact answer of one dataset to a query by name, and whether its root is meant.

    >>> exact_answer("mean", np.array([0.1, 0.2, 0.3]))
    (Fraction(1, 5), False)
    """
    numbers = _row_numbers(query, values, np.arange(len(values))[None])
    answers = _answers(query, whole(values), numbers, len(values))
    return int(numbers[0]) * answers.unit, answers.root


def beside_all(query: str, values: np.ndarray, released: np.ndarray) -> tuple[Fraction, Fraction]:
    """The answer of the released records less a number that all records fix, and that number.

    That number lies between the least answer of so many records and the greatest: the answer of
    all, of a sum the part of it that so many have, of a variance the mean over all releases. So
    the difference is no larger than the spread of the answers, and its float as exact.

    >>> beside_all("sum", np.array([1e15, 1e15 + 1]), np.array([True, False]))
    (Fraction(-1, 2), Fraction(2000000000000001, 2))
    """
    rows = np.flatnonzero(released)[None]
    answers = _answers(query, whole(values), _row_numbers(query, values, rows), rows.size)
    exact, (base, root) = int(answers.numbers[0]) * answers.unit, exact_answer(query, values)
    if query == "sum":
        base *= Fraction(rows.size, len(values))
    if query in ("var", "std"):
        base *= Fraction((rows.size - 1) * len(values), rows.size * (len(values) - 1))
    if not root:
        return exact - base, base
    roots = math.sqrt(exact) + math.sqrt(base)
    return (exact - base) / Fraction(roots or 1), Fraction(math.sqrt(base))


def of_subsets(query: Query, values: np.ndarray, size: int) -> Answers:
    """The answers of all subsets of a size, in lexicographic order of positions."""
    task = partial(_row_numbers, query, values)
    blocks = subsets.over_blocks(task, [((len(values), size),)], held=size)
    numbers = np.concatenate(list(blocks))
    if callable(query):
        exact = whole(numbers)
        return Answers(exact.numbers, exact.unit)
    return _answers(query, whole(values), numbers, size)


def without_each(query: str, values: np.ndarray) -> Answers:
    """The answer without each record in turn, by the position left out, in O(N log N).

    The query is a name; where it needs a record, N is at least 2.

    >>> without_each("mean", np.array([1.0, 2, 3, 10])).floats().tolist()
    [5.0, 4.666666666666667, 4.333333333333333, 2.0]
    """
    size = len(values) - 1
    x = whole(values)
    if query == "count":
        return _answers(query, x, np.full(size + 1, size), size)
    numbers = _fitting(query, x, size)
    if query in ("sum", "mean"):
        left = numbers.sum() - numbers
    elif query in ("var", "std"):
        squares = numbers * numbers
        first, second = numbers.sum() - numbers, squares.sum() - squares
        left = size * second - first * first
    else:
        order = np.argsort(values, kind="stable")
        place = np.empty(size + 1, dtype=np.intp)
        place[order] = np.arange(size + 1)
        low, u = place_of(query, size)[0], numbers[order]
        at, after = u[low + (place <= low)], u[min(low + 1, size - 1) + (place <= low + 1)]
        left = _between(query, size, at, after)
    return _answers(query, x, left, size)


def _fitting(query: Query, x: Whole, size: int) -> np.ndarray:
    """The records, of a kind in which answers are exact; of a variance, from the middle one."""
    room = (size + 1).bit_length()
    if query in ("var", "std"):
        x = _counted(x.numbers - x.numbers[len(x.numbers) // 2], x.unit)
        return x.fit(2 * (x.bits + room) + 1)
    if query not in ("sum", "mean"):
        room = place_of(query, size)[1].denominator.bit_length() + 1
    return x.fit(x.bits + room)


def _between(query: str, size: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The whole numbers of a percentile between two records."""
    share, of = place_of(query, size)[1].as_integer_ratio()
    return (of - share) * low + share * high


def _answers(query: Query, x: Whole, numbers: np.ndarray, size: int) -> Answers:
    """The numbers with their unit."""
    if query == "count":
        return Answers(numbers, Fraction(1))
    if query == "sum":
        return Answers(numbers, x.unit)
    if query == "mean":
        return Answers(numbers, x.unit / size)
    if query in ("var", "std"):
        return Answers(numbers, (x.unit / size) ** 2, query == "std")
    return Answers(numbers, x.unit / place_of(query, size)[1].denominator)


def _row_numbers(query: Query, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The whole numbers of the answers of rows of positions; of a callable its floats."""
    if callable(query):
        return evaluate(query, values[rows])
    size, x = rows.shape[1], whole(values)
    if query == "count":
        return np.full(len(rows), size)
    numbers = _fitting(query, x, size)[rows]
    if query in ("sum", "mean"):
        return numbers.sum(axis=1)
    if query in ("var", "std"):
        return size * (numbers * numbers).sum(axis=1) - numbers.sum(axis=1) ** 2
    u, low = np.sort(numbers, axis=1), place_of(query, size)[0]
    return _between(query, size, u[:, low], u[:, min(low + 1, size - 1)])


def _counted(numbers: np.ndarray, unit: Fraction) -> Whole:
    """Whole numbers with the digits of the largest, in 64 bits where they fit."""
    bits = int(max(numbers.max(), -numbers.min())).bit_length() if len(numbers) else 0
    return Whole(numbers.astype(object if bits > FITS else np.int64), unit, bits)
