"""A number is the fraction that is written; an epsilon is shown rounded down, a scale up."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from definition import mp
from hypothesis import example, given
from hypothesis import strategies as st

from dpchoose import numbers
from dpchoose.numbers import format_probability, parse_number, parse_risk, round_down, round_up


@given(
    whole=st.integers(0, 10**9),
    digits=st.integers(0, 6),
    comma=st.booleans(),
    sign=st.sampled_from(["", "+", "-"]),
    unit=st.sampled_from([("", 1), ("%", 100)]),
)
def test_a_number_is_what_is_written_or_refused_as_ambiguous(whole, digits, comma, sign, unit):
    """A comma is a point, but before three digits."""
    number = Decimal(whole).scaleb(-digits)
    written = f"{sign}{number:f}{unit[0]}".replace(".", "," if comma else ".")
    head, _, tail = written.strip("+-%").partition(",")
    if comma and len(tail) == 3 and head[0] != "0" and len(head) <= 3:
        with pytest.raises(ValueError, match=r"^odds must be written without a sign between"):
            parse_number(written, "odds")
    else:
        exact = Fraction(number) / unit[1] * (-1 if sign == "-" else 1)
        assert parse_number(written, "odds") == exact


def test_a_risk_is_the_exact_fraction_meant():
    """A text is what is written; a float is the binary fraction that it is."""
    for risk in ("1/4", " 2/8 ", "0.25", "0,25", "25%", "25e-2", Fraction(1, 4), 0.25):
        assert parse_risk(risk) == Fraction(1, 4)
    assert parse_risk(np.float32(0.5)) == parse_risk(Decimal("0.5")) == Fraction(1, 2)
    assert parse_risk(1 / 3) == Fraction(6004799503160661, 2**54)


@pytest.mark.parametrize("certain", ["1", "3/3", "100%", Fraction(1), Fraction(0), "0", 1.2, -0.1])
def test_certainty_is_no_risk_to_accept(certain):
    """Neither that of a disclosure nor that of none, and the value is named as given."""
    with pytest.raises(ValueError, match=r"^risk must lie in \(0, 1\), got") as refused:
        parse_risk(certain)
    assert str(refused.value).endswith(f"got {certain}")


@pytest.mark.parametrize(
    "written",
    ["abc", "", "1/0", "1/2/3", "1 000", "0x1", "1e", "1_000", "٣", "0.٣", "%", "5%%", "nan", "inf",
     "1e-999999999", "1e-99999999999999999999", "1/1" + "0" * 999],
)  # fmt: skip
def test_what_is_no_number_is_refused_at_once(written):
    """However long it would be written out."""
    with pytest.raises(ValueError, match=r"^risk must .*, got '"):
        parse_risk(written)


@given(value=st.floats(0, 1e308))
def test_what_is_shown_is_on_the_safe_side_or_the_float_itself(value):
    """Read back as a float, never more when rounded down, never less when rounded up."""
    down, up = round_down(value), round_up(value)
    assert float(down) <= value <= float(up)
    for shown in (down, up):
        assert "e" in shown or len(shown.partition(".")[2]) >= 4
        assert abs(Fraction(shown) - Fraction(value)) < Fraction(1, 10**4) or float(shown) == value
        if float(shown) != value:
            assert (Fraction(shown) < Fraction(value)) == (shown == down)
    for shown in (round_down(value), round_up(value)) if value else ():  # four digits that count
        assert abs(Fraction(shown) / Fraction(value) - 1) <= Fraction(1, 1000)
        assert len(shown) < 30


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (2.772588722239781, "2.7725", "2.7726"),
        (0.0000123456, "0.00001234", "0.00001235"),
        (math.nextafter(0.3, 0), "0.2999", "0.3000"),
        (math.nextafter(0.3, 1), "0.3000", "0.3001"),
        (7, "7.0000", "7.0000"),
        (9.99999e-8, "9.999e-8", "1.000e-7"),
        (5e-324, "4.941e-324", "4.941e-324"),
        (1.23456e16, "1.23456e+16", "1.23456e+16"),
        (-0.0, "0.0000", "0.0000"),
        (math.inf, "without limit", "without limit"),
    ],
)
def test_a_number_as_it_is_shown(value, down, up):
    """At least four decimals; a decimal that is the float itself stands as it is."""
    assert (round_down(value), round_up(value)) == (down, up)


def test_only_a_number_is_rounded():
    """That is not negative."""
    for value, rule in (
        (-1, r"lie in \[0, inf\], got -1"),
        (math.nan, "lie in"),
        ("1", "be a number"),
    ):
        with pytest.raises((TypeError, ValueError), match=rf"^value must {rule}"):
            round_down(value)


@given(value=st.one_of(st.floats(0, 1), st.integers(1, 10**6).map(lambda n: 1 - 1 / (n * n))))
@example(1 - 1e-13)
@example(math.nextafter(0.75, 1))
def test_a_chance_is_said_rounded_up_in_few_digits_and_100_only_of_certainty(value):
    """Never less, within a tenth of what is said, and beyond six digits practically 0 or 1."""
    said, exact, least = format_probability(value), Fraction(value), Fraction(1, 10**6)
    assert (said == "100%") == (value == 1)
    assert len(said.removeprefix("practically ")) <= 12
    assert (0 < exact < least) == (said == "practically 0%")
    assert (1 - least < exact < 1) == (said == "practically 100%")
    if not said.startswith("practically"):
        shown = Fraction(said) if "/" in said else Fraction(said.removesuffix("%")) / 100
        assert value * (1 - 1e-11) <= float(shown) <= value + max(0.001, value / 10)
    for third in (1, 2):  # and a third is a third
        assert {format_probability(third * near) for near in (0.33301, 1 / 3)} == {f"{third}/3"}
        assert format_probability(third * 0.33334).endswith("%")
        assert 0 <= float(format_probability(third / 3, ())[:-1]) - 100 * third / 3 < 0.1


@given(value=st.floats(1, 1e9), share=st.fractions(0, 1, max_denominator=10**9))
def test_a_factor_is_said_in_three_digits_rounded_up(value, share):
    """Textbook factors are themselves; so many of a hundred are rounded up."""
    said = numbers.format_odds_factor(value)
    assert (said == "over a million") == (value > 1e6 * (1 + 1e-12))
    assert value > 1e6 or value * (1 - 1e-11) <= float(said) <= value * 1.01 + 1e-11
    for whole in (1.5, 2, 3, 10, 30, 100):
        assert (
            numbers.format_odds_factor(whole)
            == numbers.format_odds_factor(whole * (1 - 1e-14))
            == f"{whole:g}"
        )
    shown = numbers.per_hundred(float(share))
    assert 100 * share - Fraction(1, 10**8) <= shown < 100 * share + 1 + Fraction(1, 10**8)
    assert (shown == 100) == (share > 1 - Fraction(1, 10**6))  # it is said of certainty
    assert shown == int(shown) or shown > 99


@given(top=st.integers(1, 10**30), more=st.integers(1, 10**330), tiny=st.integers(0, 1200))
def test_the_logarithm_of_a_fraction(top, more, tiny):
    """However small it is, and next to 1."""
    for value in (Fraction(top, (top + more) * 10**tiny), 1 + Fraction(top, more)):
        with mp.workdps(800):
            exact = mp.log(mp.mpf(value.numerator) / value.denominator)
        assert numbers.log(value) == pytest.approx(float(exact), rel=2e-15, abs=1e-300)
    assert numbers.format_fraction(Fraction(1, 10**400)) == "1e-400"
