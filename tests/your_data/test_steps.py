"""Limits with a step: values are cut and rounded, and the promise holds for what is then answered.

Over all small files of cells beyond, at and between the steps; nothing of the package is used there
but the noise scales that it returns.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.your_data.noise import Continuous, Discrete, Drawn, grid_of

LIMITS = [(0, 3, 1), (-1, 2, 1), (0, 1, "0.5"), (0.5, 3.5, 3), (-0.3, 0.3, "0,2"), (0, 10, 5),
          (0.1, 0.7, "0.1")]  # fmt: skip


def cells(low, high, step):
    """Beyond the limits, at the steps, between, and at a middle."""
    low, high, step = (Fraction(str(number).replace(",", ".")) for number in (low, high, step))
    grid = [low + place * step for place in range(int((high - low) / step) + 1)]
    middles = [(a + b) / 2 for a, b in itertools.pairwise(grid)]
    values = {low - 1, high + 4, *grid[:2], *grid[-1:], low + step / 3}
    values |= {middles[0], middles[-1]}
    return sorted(map(float, values))


def rounded(value, low, high, step):
    """A value that is cut and then rounded to a step, a half going up, by its decimals."""
    low, high, step = (Fraction(str(number).replace(",", ".")) for number in (low, high, step))
    cut = min(max(Fraction(repr(value)), low), high)
    steps = (cut - low) / step
    return low + step * math.floor(steps + Fraction(1, 2))


def answer(query, values, limits):
    """The exact answer to a query."""
    exact = [rounded(value, *limits) for value in values]
    if query == "count":
        return Fraction(len(exact))
    if query == "centred sum":
        return (
            sum(exact, Fraction(0)) - len(exact) * (Fraction(limits[0]) + Fraction(limits[1])) / 2
        )
    return sum(exact, Fraction(0)) / (len(exact) if query == "mean" else 1)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("asked", [["sum"], ["mean"], ["sum", "mean"]])
def test_no_pair_of_files_tells_more_than_was_accepted_with_n_public(limits, asked):
    found = dp.PublicLimits(asked, 3, limits).for_odds(3)
    rates = [1 / Fraction(scale) for scale in found.scales.tolist()]
    kinds, far = cells(*limits), Fraction(0)
    for others in itertools.combinations_with_replacement(kinds, 2):
        rows = [[answer(query, [one, *others], limits) for query in asked] for one in kinds]
        for a, b in itertools.combinations(rows, 2):
            far = max(far, sum(t * abs(x - y) for t, x, y in zip(rates, a, b)))
    assert math.log(3) * (1 - 1e-9) < far <= math.log(3)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("asked", [["sum"], ["mean"], ["sum", "count"]])
def test_no_pair_of_files_tells_more_than_was_accepted_with_n_hidden(limits, asked):
    found = dp.PublicLimits(asked, 3, limits, hide_n=True).for_odds(3)
    queries = [label.partition(":")[0] for label in found.question.labels]
    rates, kinds = [1 / Fraction(scale) for scale in found.scales.tolist()], cells(*limits)
    for others in itertools.combinations_with_replacement(kinds, 2):
        files = [*([one, *others] for one in kinds), [*others]]
        rows = [[answer(query, file, limits) for query in queries] for file in files]
        for a, b in itertools.combinations(rows, 2):
            far = sum(t * abs(x - y) for t, x, y in zip(rates, a, b))
            assert far <= Fraction(math.log(3)) * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize(
    ("low", "high", "step"), [(0, 30, "0.1"), (0, 3, "0.01"), (-1, 1, "0.2"), (0.3, 0.9, "0.3")]
)
def test_a_value_in_the_middle_of_two_steps_goes_up_as_its_decimals_say(low, high, step):
    """Many such floats lie below their decimals, and some quotients on the other side."""
    exact = [Fraction(str(number)) for number in (low, high, step)]
    halves = [exact[0] + (k + Fraction(1, 2)) * exact[2] for k in range(300)]
    halves = [float(half) for half in halves if half < exact[1]]
    grid = grid_of((float(low), float(high)), step)
    assert grid.places(np.array(halves)).tolist() == [*range(1, len(halves) + 1)]
    under = np.nextafter(halves, -math.inf)
    assert grid.places(under).tolist() == [*range(len(halves))]


@pytest.mark.parametrize("limits", LIMITS)
def test_an_answer_is_that_of_the_values_that_are_cut_and_then_rounded(limits):
    """Added as whole numbers of steps: thirty times 0.1 is 3."""
    values = cells(*limits) * 5
    asked = dp.PublicLimits(["sum", "mean"], values, limits)
    expected = [float(answer(query, values, limits)) for query in ("sum", "mean")]
    assert asked.answers().tolist() == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("limits", "units"),
    [((0, 30, 1), (1, 1)), ((-8, 3, 1), (1, 2)), ((0, 31, 1), (1, 2)), ((0, 30), (0, 0)),
     ((0, 30, 5), (0, 0)), ((0.5, 3.5, 1), (0, 0)), ((0.5, 3.5, 3), (0, 0)),
     ((0, 1, "0.5"), (0, 0))],
)  # fmt: skip
def test_noise_is_whole_for_a_step_of_one_between_whole_limits_alone(limits, units):
    """In units of the answers and of their moves, whatever the values; of a mean never."""
    asked = dp.PublicLimits(["sum", "mean"], 9, limits)
    whole, continuous = (asked.law(place, 2.0) for place in (0, 1))
    assert whole == (Discrete(2.0, units[0]) if units[0] else Continuous(2.0))
    assert continuous == Continuous(2.0)
    hidden = dp.PublicLimits(["mean", "sum"], 9, limits, hide_n=True)
    centred, added, count = (hidden.law(place, 2.0) for place in range(3))
    assert centred == (Discrete(2.0, units[1]) if units[1] else Continuous(2.0))
    assert (added, count) == (whole, Discrete(2.0, 1))
    for kind, unit in (("centred sum", units[1]), ("sum", units[0])):
        if unit:
            moves = [Fraction(move) * unit for move in dp.limits_sensitivity(kind, limits[:2])]
            exact = [answer(kind, [value], limits) * unit for value in cells(*limits)]
            assert {number.denominator for number in (*moves, *exact)} == {1}


def test_a_step_rounds_all_answers_of_the_column_and_the_default_of_a_percentile_none():
    values = [0.4, 2.6, 2.6, 9.9, 30]
    asked = ["mean", "sum", "median"]
    plain = dp.PublicLimits(asked, values, (0, 30))
    assert plain.answers().tolist() == [pytest.approx(9.1), pytest.approx(45.5), 3]
    stated = dp.PublicLimits(asked, values, (0, 30, 1))
    assert stated.answers().tolist() == [9.2, 46, 3]
    assert isinstance(plain.law(2, 1.0), Drawn)
    assert "each value counted as 0 to 30, in steps of 1, of" in stated.for_odds(3).sentences()[0]
    assert "steps" not in plain.for_odds(3).sentences()[0]
    assert stated.for_odds(3).to_dict()["question"]["limits"] == {"": [0, 30, 1]}


def test_ten_thousand_steps_bind_percentiles_alone():
    wide = (0, 500_000, 10)
    assert dp.PublicLimits("mean", 9, wide).for_odds(3).scale > 0
    assert dp.PublicLimits("median", 9, (0, 500_000, 50)).for_odds(3).scale > 0
    with pytest.raises(ValueError, match="must have at most 10,000 steps for a percentile, got 50"):
        dp.PublicLimits("median", 9, wide)


def test_a_share_asks_the_cell_and_not_the_step():
    table = pd.DataFrame({"x": [0.4, 0.6, 7.0]})
    asked = dp.PublicLimits([("mean", "x"), ("share", "x>=0.6")], table, {"x": (0, 5, 1)})
    assert np.round(asked.answers(), 12).tolist() == [2, round(2 / 3, 12)]


def test_what_rounding_takes_away_is_said_to_be_in_no_error():
    said = dp.PublicLimits("mean", 40, (0, 60, 5)).for_odds(3).sentences()[1]
    assert (
        "What cutting to the limits and rounding to their steps takes away is in neither." in said
    )
