"""How far one record moves an answer within public limits: exact, attained, and rounded up."""

import itertools
import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import AWKWARD

import dpchoose as dp
from dpchoose.sensitivity.limits import margin_of_floats

ends = st.sampled_from([AWKWARD[kind] for kind in ("whole", "tenths", "money", "timestamps")])
pairs = ends.flatmap(lambda end: st.tuples(end | end.map(operator.neg), end))
pairs = pairs.map(sorted).filter(lambda pair: pair[0] < pair[1])


def least_above(exact):
    """The least float that is no less."""
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def moves(query, pair, n):
    """The largest exact move when one of n records is changed, and when one comes, by listing."""
    low, high = map(Fraction, pair)
    centre = Fraction(sum(pair) / 2)

    def answer(values):
        size, total = len(values), sum(values)
        if query == "var":
            return sum(x * x for x in values) / size - (total / size) ** 2
        return {
            "count": Fraction(size),
            "sum": total,
            "centred sum": total - size * centre,
            "mean": total / max(size, 1),
            "share": total / max(size, 1),
        }[query]

    lists = list(itertools.product((low, (low + high) / 2, high), repeat=n))
    changed = max(abs(answer((new, *a[1:])) - answer(a)) for a in lists for new in (low, high))
    return changed, max(abs(answer((*a, new)) - answer(a)) for a in lists for new in (low, high))


@given(pair=pairs, n=st.integers(1, 4))
@pytest.mark.parametrize("query", ["sum", "mean", "share", "var", "count", "centred sum"])
def test_no_neighbours_within_limits_are_farther_apart_and_some_are_as_far(query, pair, n):
    """Of a variance the floats are, each of which is half a unit off in the last place of r^2/4."""
    pair, size = tuple(pair), max(n, 2) if query == "var" else n
    change, add = moves(query, (0.0, 1.0) if query == "share" else pair, size)
    if query in ("sum", "mean", "share", "var"):
        largest = least_above((Fraction(pair[1]) - Fraction(pair[0])) ** 2 / 4)
        off = Fraction(math.ulp(largest)) if query == "var" else 0
        told, nothing = dp.limits_sensitivity(query, pair, size)
        assert (told, math.isnan(nothing)) == (least_above(change + off), True)
    if query in ("sum", "count", "centred sum"):
        hidden = dp.limits_sensitivity(query, pair)
        assert hidden == (least_above(change), least_above(add))


@given(st.lists(st.floats(0, 60), max_size=30))
def test_the_floats_of_two_sums_lie_hardly_farther_apart(others):
    """By the share of the margin at most, though one record moves from end to end."""
    low, high = (Fraction(sum(others, end)) for end in (0.0, 60.0))
    assert high - low <= 60 * (1 + Fraction(margin_of_floats(len(others) + 1)))


@pytest.mark.parametrize("pair", [(1, 1), (2, 1), (0, 1e-101)])
def test_limits_stand_in_order_and_minus_zero_is_zero(pair):
    with pytest.raises(ValueError, match=r"^limits must be a low number and a higher one, got "):
        dp.limits_sensitivity("sum", pair)
    assert math.copysign(1, dp.sensitivity.limits.low_and_high((-0.0, 1))[0]) == 1
