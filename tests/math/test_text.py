"""A risk is the fraction that is written; an epsilon is shown rounded down, a scale up."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpchoose.epsilon import text
from dpchoose.epsilon.sentences import chance
from dpchoose.epsilon.text import parse_risk, round_down, round_up


@pytest.mark.parametrize(
    ("risk", "meant"),
    [
        ("1/3", Fraction(1, 3)),
        (" 2/6 ", Fraction(1, 3)),
        ("0.33", Fraction(33, 100)),
        ("25e-2", Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
        (0.25, Fraction(1, 4)),
        (1 / 3, Fraction(6004799503160661, 2**54)),
        (np.float32(0.5), Fraction(1, 2)),
        (Decimal("0.25"), Fraction(1, 4)),
    ],
)
def test_a_risk_is_the_exact_fraction_meant(risk, meant):
    """A text is what is written; a float is the binary fraction that it is."""
    assert parse_risk(risk) == meant


@pytest.mark.parametrize("certain", ["1", "3/3", Fraction(1), Fraction(0), "0"])
def test_certainty_is_no_risk_to_accept(certain):
    """Neither that of a disclosure nor that of none."""
    with pytest.raises(ValueError, match=r"^risk must lie in \(0, 1\), got"):
        parse_risk(certain)


def test_a_probability_below_every_float_is_shown_by_its_power():
    assert text.show(Fraction(1, 10**400)) == "1e-400"


@pytest.mark.parametrize("written", ["1e-999999999", "1e-99999999999999999999", "1e999999999"])
def test_a_risk_with_an_exponent_beyond_floats_is_refused_at_once(written):
    """It is never written out."""
    with pytest.raises(ValueError, match=r"^risk must lie in \(0, 1\), got '1e"):
        parse_risk(written)


@given(value=st.floats(0, 1e308), digits=st.integers(0, 30))
def test_what_is_shown_is_on_the_safe_side_or_the_float_itself(value, digits):
    """Read back as a float, never more when rounded down, never less when rounded up."""
    unit = Fraction(1, 10**digits)
    down, up = round_down(value, digits), round_up(value, digits)
    assert float(down) <= value <= float(up)
    for shown in (down, up):
        assert "e" in shown or len(shown.partition(".")[2]) >= digits
        assert abs(Fraction(shown) - Fraction(value)) < unit or float(shown) == value
        if float(shown) != value:
            assert (Fraction(shown) < Fraction(value)) == (shown == down)


@given(value=st.floats(5e-324, 1e308))
def test_four_significant_digits_are_shown(value):
    """However small a number is, it is not shown as 0."""
    for shown in (round_down(value), round_up(value)):
        assert abs(Fraction(shown) / Fraction(value) - 1) <= Fraction(1, 1000)
        plain = Fraction(1, 10**6) <= Fraction(value) < 10**16  # the float 1e-6 is below it
        assert not set(shown) - set("0123456789." if plain else "0123456789.e+-")
        assert len(shown) < 30


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (2.772588722239781, "2.7725", "2.7726"),
        (0.4317201195672, "0.4317", "0.4318"),
        (0.0000123456, "0.00001234", "0.00001235"),
        (0.1, "0.1000", "0.1000"),
        (0.3, "0.3000", "0.3000"),
        (math.nextafter(0.3, 0), "0.2999", "0.3000"),
        (math.nextafter(0.3, 1), "0.3000", "0.3001"),
        (7, "7.0000", "7.0000"),
        (1.3105e-15, "1.310e-15", "1.311e-15"),
        (9.99999e-8, "9.999e-8", "1.000e-7"),
        (5e-324, "4.941e-324", "4.941e-324"),
        (1.23456e16, "1.23456e+16", "1.23456e+16"),
        (0, "0.0000", "0.0000"),
        (-0.0, "0.0000", "0.0000"),
        (math.inf, "any", "infinite"),
    ],
)
def test_a_number_as_it_is_shown(value, down, up):
    """At least four decimals; a decimal that is the float itself stands as it is."""
    assert (round_down(value), round_up(value)) == (down, up)


def test_more_digits_may_be_asked():
    """What follows is cut, and with no decimals the integer part is left."""
    assert round_down(2.772588722239781, 6) == "2.772588"
    assert round_up(2.772588722239781, np.int64(6)) == "2.772589"
    assert round_down(27725.88722239781, 0) == "27725"


@pytest.mark.parametrize("rounded", [round_down, round_up])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"value": -1}, ValueError, r"^value must lie in \[0, inf\], got -1"),
        ({"value": math.nan}, ValueError, r"^value must lie in \[0, inf\], got nan"),
        ({"value": "1"}, TypeError, "^value must be a number, got '1'"),
        ({"value": 1, "digits": -1}, ValueError, "^digits must be at least 0, got -1"),
        ({"value": 1, "digits": 2.0}, TypeError, "^digits must be an integer, got 2.0"),
    ],
)
def test_only_a_number_is_rounded(rounded, arguments, error, message):
    """To a number of digits that is not negative."""
    with pytest.raises(error, match=message):
        rounded(**arguments)


@given(value=st.one_of(st.floats(0, 1), st.integers(1, 10**6).map(lambda n: 1 - 1 / (n * n))))
def test_a_chance_is_said_rounded_up_and_100_only_of_certainty(value):
    """Read back as a float it is never less, and within a tenth of what is said."""
    number = chance(value)
    said = Fraction(number) if "/" in number else Fraction(number.removesuffix("%")) / 100
    assert float(said) >= value * (1 - 1e-12)
    assert (said == 1) == (value == 1)
    assert float(said - Fraction(value)) <= max(0.001, value / 10)


def test_a_chance_that_rounding_alone_lifts_is_said_as_it_is():
    assert chance(math.nextafter(0.75, 1)) == "75%"
    assert chance(0.75 * (1 + 1e-11)) == "75.1%"
    assert chance(1 - 1e-13) != "100%"


def test_what_would_be_rounded_up_past_a_third_is_a_third():
    assert [chance(value) for value in (0.333, 0.33301, 1 / 3, 0.33334)] == [
        "33.3%",
        "1/3",
        "1/3",
        "33.4%",
    ]
    assert [chance(value) for value in (0.666, 0.6661, 2 / 3, 0.66667)] == [
        "66.6%",
        "2/3",
        "2/3",
        "66.7%",
    ]


@given(numerator=st.integers(1, 10**30), more=st.integers(1, 10**330), tiny=st.integers(0, 1200))
def test_the_logarithm_of_a_fraction(numerator, more, tiny):
    """However small it is."""
    value = Fraction(numerator, (numerator + more) * 10**tiny)
    with mpmath.workdps(40):
        expected = float(mpmath.log(numerator) - mpmath.log((numerator + more) * 10**tiny))
    assert text.log(value) == pytest.approx(expected, rel=1e-15, abs=2e-16)
