"""Numbers as they are printed in tables and sheets."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpchoose import numbers
from dpchoose.your_data import formats


@given(top=st.integers(-(10**12), 10**12), below=st.integers(1, 10**6), digits=st.integers(0, 8))
def test_an_exact_answer_is_rounded_from_its_fraction(top, below, digits):
    """To the nearest, of a root to the nearest of its square."""
    value, half = Fraction(top, below), Fraction(1, 2 * 10**digits)
    shown = formats.format_exact(value, False, digits)
    assert abs(Fraction(shown) - value) <= half
    assert len(shown.partition(".")[2]) == digits
    root = Fraction(formats.format_exact(abs(value), True, digits))
    assert max(root - half, Fraction(0)) ** 2 <= abs(value) <= (root + half) ** 2


@given(value=st.floats(0, 1))
def test_a_probability_as_it_is_printed_is_no_less(value):
    assert formats.rounded_probability(value) >= value * (1 - 1e-11)


@given(value=st.floats(1e-9, 1e15))
def test_an_error_has_two_digits_and_is_no_less(value):
    shown = numbers.rounded_up_to(value, 2)
    assert value * (1 - 1e-11) <= shown <= value * 1.1
    assert float(f"{shown:.1e}") == shown


@given(value=st.floats(1e15, 1e300))
def test_a_large_number_is_written_as_it_is(value):
    """Where :g would round it to nearest."""
    assert float(formats.format_number(value)) == value
