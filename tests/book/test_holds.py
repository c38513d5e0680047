"""How the numbers that a page types are compared with what its code computes."""

import holds
import pytest

TEXT = holds.prose("It is 25%, at most 68.3% and over 1.46, of 7/3 in 12 cases: $b = a/30 = 0.67$.")


@pytest.mark.parametrize(
    ("phrase", "values"),
    [
        ("25%", 0.254),
        ("at most 68.3%", 0.6822),
        ("over 1.46", 1.4699),
        ("25%, at most 68.3% and over 1.46", [0.25, 0.683, 1.46]),
        ("of 7/3 in 12", [7 / 3, 12]),
        ("$b = a/30 = 0.67$", 2 / 3),
    ],
)
def test_a_number_that_is_held_is_what_its_value_rounds_to(phrase, values):
    assert holds.differences(phrase, values, TEXT) == []


@pytest.mark.parametrize(
    ("phrase", "values"),
    [
        ("25%", 0.256),
        ("at most 68.3%", 0.6831),
        ("over 1.46", 1.459),
        ("of 7/3", 2.33),
        ("in 12 cases", [12, 1]),
        ("in 1", 1),
        ("in 13 cases", 13),
        ("cases", []),
    ],
)
def test_a_number_that_differs_and_a_phrase_that_is_not_there_are_found(phrase, values):
    assert len(holds.differences(phrase, values, TEXT)) == 1


def test_all_that_does_not_hold_is_named():
    with pytest.raises(AssertionError, match=r"^'up to 25%'.*\n'at most 68.3%': 68.3% is 0.7$"):
        holds.check({"up to 25%": 0.25, "at most 68.3%": 0.7}, TEXT)
