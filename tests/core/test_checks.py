"""A bad argument is refused before any work is done, in one line: argument, rule and value.

The universe has so many worlds that listing them would be refused, and the query refuses to be
asked: neither must be reached.
"""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose import checks
from dpchoose.risk.posterior import posteriors

FOUR = [1.0, 2.0, 3.0, 10.0]
MASKED = np.ma.array(FOUR, mask=[False, False, False, True])
WORLDS = dp.possible_worlds("mean", FOUR, 3)
PAIRS = dp.possible_worlds(["mean", "sum"], FOUR, 3)
ONE = {"epsilon": 1, "sensitivity": 1}
TWO = {"epsilon": [1, 1], "sensitivity": [1, 1]}


def untouched(values):
    """A query that must not be asked."""
    raise AssertionError("the query was asked before the arguments were checked")


def asking(door, records=60, size=30, **needed):
    """A door whose first three arguments may be given by name, and what else it needs."""
    name, third = "release_size", size
    if door is dp.local_sensitivity:
        name, third = "released", range(size)

    def call(query=untouched, universe=range(records), **more):
        asked = {name: third, **needed, **more}
        return door(query, universe, asked.pop(name), **asked)

    return call


def of_worlds(door, **needed):
    def call(**more):
        asked = {"worlds": WORLDS} | needed | more
        return door(asked.pop("worlds"), **asked)

    return call


def of_outputs(**needed):
    """The door of posteriors, with other arguments than those that are needed."""

    def call(**more):
        asked = needed | more
        return dp.posterior(asked.pop("answers"), asked.pop("output"), **asked)

    return call


TABLE = pd.DataFrame({"age": range(60), "name": ["a"] * 60})
DOORS = {
    "table_worlds": lambda **more: asking(dp.possible_worlds)(universe=TABLE, **more),
    "table_answers": lambda **more: asking(dp.world_answers)(universe=TABLE, **more),
    "table_known": lambda **more: asking(dp.KnownFile)(universe=TABLE, **more),
    "global": asking(dp.global_sensitivity),
    "local": asking(dp.local_sensitivity),
    "worlds": asking(dp.possible_worlds),
    "few_worlds": asking(dp.possible_worlds, 6, 3),
    "answers": asking(dp.world_answers),
    "record": asking(dp.record_risk, **ONE),
    "known_record": lambda **more: dp.record_risk("mean", FOUR, 3, **ONE | more),
    "known": asking(dp.KnownFile),
    "tight": of_worlds(dp.tight_bound, **ONE),
    "upper": of_worlds(dp.upper_bound, **ONE),
    "average": of_worlds(dp.average_risk, **ONE),
    "inverse": of_worlds(dp.epsilon_from_risk, risk=0.5, sensitivity=1),
    "two_tight": of_worlds(dp.tight_bound, worlds=PAIRS, **TWO),
    "two_upper": of_worlds(dp.upper_bound, worlds=PAIRS, **TWO),
    "two_inverse": of_worlds(dp.epsilon_from_risk, worlds=PAIRS, risk=0.5, sensitivity=[1, 1]),
    "two_record": lambda **more: dp.record_risk(["mean", "sum"], FOUR, 3, **TWO | more),
    "posterior": of_outputs(answers=(2, 3), output=2, **ONE),
    "scaled": of_outputs(answers=(2, 3), output=2),
    "two_scaled": of_outputs(answers=[[0, 1], [2, 3], [4, 5]], output=[1, 2]),
    "two_posterior": of_outputs(answers=[[0, 1], [2, 3], [4, 5]], output=[1, 2], **TWO),
    "laplace": lambda **more: dp.Laplace(**ONE | more),
    "error": lambda probability: dp.Laplace(**ONE).error(probability),
    "listed": lambda **more: posteriors(**{"likelihoods": [[1, 0], [0, 1]]} | more),
}
LISTING, RISKS = "global local worlds answers known", "tight upper average"
ENUMERATED = "global local worlds answers"
TABLED = "table_worlds table_answers table_known"
ASKING, NOISE = f"{LISTING} record", f"{RISKS} inverse posterior laplace known_record"
FINITE = r"must lie in \(-inf, inf\)"
OUT, NUMBER = r"must lie in [\[(]0, inf[\])]", r"must (be a number|have shape \(\))"
TWO_RISKS = "two_tight two_upper"
EACH, LAST = (
    r"must have shape \(2,\), got \(\d*,?\)",
    r"must have shape \(\.\.\., 2\), got \(3?,?\)",
)

REFUSED = [  # doors, the argument, bad values, what the message says of it
    (ASKING, "universe", [[]], "must not be empty"),
    ("global local", "universe", [TABLE], r"must be one column, as in table\[NAME\], got a table"),
    (ASKING, "universe", [[5]], "must hold at least 2 records"),
    (ASKING, "universe", [[1, 2, math.nan], [1, math.inf, 3]], FINITE),
    (ASKING, "universe", [np.ones((2, 3)), 7], "must hold real numbers in one row"),
    (ASKING, "universe", [[[1, 2], [3]]], "must have rows of one length"),
    (ASKING, "universe", [["1", "2"], [1, None], [1, 2j], None, "12"], "must hold real numbers"),
    (ASKING, "universe", [[1.0, far] * 30 for far in (1e101, -1e101, 1e-101)], "must hold 0 or"),
    (ASKING, "universe", [MASKED, [1.0, np.ma.masked]], "must not be masked"),
    (ASKING, "query", ["mode", "Mean", ""], "must be one of count, sum, .*percentile_p"),
    (ASKING, "query", ["percentile_101", "percentile_x", "percentile_nan"], "percentile_p .*"),
    (ASKING, "query", [None, 50, ["mean", 3], [["mean"]]], "must be a name or a callable"),
    ("worlds answers record known", "query", [[]], "must name at least one statistic"),
    ("worlds answers record known", "query", [["sum", "sum"]], "must name each statistic once"),
    ("global worlds answers record known", "release_size", [0, 60], r"must be in \[1, 59\]"),
    ("global worlds answers record known", "release_size", [1.5, True, "3"],
     "must be an integer"),
    (TABLED, "query", ["mean"], r"must be a pair \(query, column\) .*"),
    (TABLED, "query", [("count", "age")], "count must be asked without a column"),
    (ENUMERATED, "max_worlds", [0], "must be at least 1"),
    (ENUMERATED, "max_worlds", [math.nan, math.inf], "must be an integer"),
    ("global local", "adjacency", ["replace", "", None, 1, ["bounded"]],
     "must be one of 'unbounded', 'bounded', 'added', 'removed', "),
    ("known", "adjacency", ["near"], "must be one of 'unbounded', 'bounded'"),
    ("global local", "distance", [0, 31], r"must be in \[1, 30\]"),
    ("global local", "distance", [1.0, True, None], "must be an integer"),
    ("local", "released", [[0, 1, 1]], "must not repeat a position"),
    ("local", "released", [[0, 60], [-1, 3]], r"must lie in \[0, 60\)"),
    ("local", "released", [[[0], [1, 2]]], "must have rows of one length"),
    ("local", "released", [[], [0.0, 1.0], [True], [[0, 1]], ["0"], 3, {0, 1}, None],
     "must be a sequence of integer positions in the universe"),
    ("few_worlds", "prior", [[0.5, 0.5]], "must hold one probability per world, 20,"),
    ("posterior", "prior", [[0.5, 0.6], [0.5, 0.4], [0, 0]], "must sum to 1"),
    ("posterior", "prior", [[1.5, -0.5], [1, -1e-10]], r"must lie in \[0, 1\]"),
    ("posterior", "answers", [[1, math.inf]], FINITE),
    ("posterior", "output", [math.inf, math.nan], r"must lie in \(-inf, inf\)"),
    ("posterior", "output", [None, "2.2"], "must be a number or an array"),
    ("posterior", "output", [np.ma.masked], "must not be masked"),
    ("inverse", "risk", [1.2, 0, 1, -0.1, math.inf, math.nan, Fraction(4, 3), "4/3", "0", "1.0"],
     r"must lie in \(0, 1\)"),
    ("inverse", "risk", [True, [None], 0.3j, [[0.3]]], NUMBER),
    ("inverse", "bound", ["worst", "", None, 1], "must be one of 'tight', 'upper', 'average'"),
    (NOISE, "sensitivity", [-1, math.inf, math.nan], OUT),
    (NOISE, "sensitivity", [10**400], "must fit in a float"),
    (NOISE, "sensitivity", ["1", True, [1, 2]], NUMBER),  # without one the worlds have it
    ("laplace", "sensitivity", [None], NUMBER),
    ("posterior laplace", "epsilon", [-1, math.nan], OUT),
    ("posterior laplace", "epsilon", ["1", True], NUMBER),
    ("laplace", "epsilon", [None], NUMBER),
    ("scaled", "scale", [0, -1, math.nan], OUT),
    ("scaled", "scale", ["1", True, [1, 2]], NUMBER),
    ("two_scaled", "scale", [1, [1, 2, 3]], EACH),
    ("posterior", "sensitivity", [0], OUT),
    ("posterior", "epsilon", [math.inf], OUT),
    ("laplace", "epsilon", [0], OUT),
    (RISKS, "epsilon", [-1, [0.5, -1e-300], [[0.5, math.nan]]], OUT),
    (RISKS, "epsilon", [[[0.5], [1, 2]]], "must have rows of one length"),
    (RISKS, "epsilon", ["1", None, True, [0.5, None]], "must be a number or an array"),
    (RISKS, "epsilon", [MASKED], "must not be masked"),
    (f"{RISKS} inverse", "worlds", [FOUR, None, pd.Series(FOUR)], "must come from possible_worlds"),
    ("average", "worlds", [PAIRS], "must have one answer each, got 2$"),
    (TWO_RISKS, "epsilon", [1, [1, 2, 3]], LAST),
    (TWO_RISKS, "epsilon", [[1, -1]], r"must lie in \[0, inf\], got -1"),
    (f"{TWO_RISKS} two_inverse two_posterior", "sensitivity", [1, [1]], EACH),
    (TWO_RISKS, "sensitivity", [[1, math.inf]], r"must lie in \[0, inf\), got inf$"),
    ("two_inverse", "bound", ["average"], "must be tight or upper for several answers"),
    ("two_inverse", "split", ["best"], "must be one of 'equal', got 'best'"),
    ("two_inverse", "split", [[1, 2, 3]], EACH),
    ("two_inverse", "split", [[0, 1]], r"must lie in \(0, inf\), got 0"),
    ("two_inverse", "risk", ["1/4"], "must exceed 1/4 = 0.25, the largest prior, .* got 1/4 = "),
    ("two_record two_posterior", "epsilon", [1, [1, 1, 1]], EACH),
    ("two_posterior", "output", [1, [1, 2, 3]], LAST),
    ("two_posterior", "answers", [[[0, 1], [2]]], "must have rows of one length"),
    ("two_posterior", "prior", [[1]], "must hold one probability per world, 3, got 1$"),
    ("error", "probability", [0, 1, -0.5, math.nan], r"must lie in \(0, 1\)"),
    ("listed", "likelihoods", [[[0.5, 0.4]]], "must sum to 1 .* got 0.9"),
    ("listed", "likelihoods", [[[1.5, -0.5]]], r"must lie in \[0, 1\], got 1.5$"),
    ("listed", "likelihoods", [[0.5, 0.5]], r"must .* got shape \(2,\)$"),
    ("listed", "likelihoods", [[["a", "b"]]], "must hold real numbers"),
    ("listed", "likelihoods", [[[math.nan, 1]]], rf"{FINITE}, got nan"),
    ("listed", "prior", [[1]], "must hold one probability per world, 2"),
    ("listed", "prior", [[0.5, 0.6]], "must sum to 1, got 1.1$"),
]  # fmt: skip


@pytest.mark.parametrize(("doors", "name", "values", "rule"), REFUSED)
def test_a_bad_argument_is_refused_with_its_name_the_rule_and_the_value(doors, name, values, rule):
    """In one short line, as a TypeError or a ValueError."""
    for door in doors.split():
        for value in values:
            with pytest.raises((TypeError, ValueError), match=rf"^{name} {rule}") as caught:
                DOORS[door](**{name: value})
            assert "got " in str(caught.value), (door, value)
            assert "\n" not in str(caught.value)
            assert len(str(caught.value)) < 200


def test_a_number_lies_in_its_interval_and_has_its_shape():
    """The one rule for numbers: closed or open at either end, of a shape; a NaN lies in none."""
    assert checks.real("x", Decimal("0.5"), 0, 1) == checks.real("x", Fraction(1, 2), 0, 1) == 0.5
    assert type(checks.real("x", np.float32(1))) is float
    for closed, inside in (("[]", [0, 1]), ("(]", [1]), ("[)", [0]), ("()", [])):
        for value in inside:
            assert checks.real("x", value, 0, 1, closed=closed) == value
        for value in {0, 1} - {*inside}:
            rule = rf"^x must lie in \{closed[0]}0, 1\{closed[1]}, got"
            with pytest.raises(ValueError, match=rule):
                checks.real("x", value, 0, 1, closed=closed)
    with pytest.raises(ValueError, match=r"^x must have shape \(3,\), got \(2,\)$"):
        checks.reals("x", [1, 2], shape=(3,))
    with pytest.raises(ValueError, match=r"^x must lie in \[-inf, inf\], got nan$"):
        checks.reals("x", [1, math.nan])


def test_any_row_of_numbers_is_a_universe_but_integers_that_no_float_tells_apart():
    """Lists, tuples, ranges, series and arrays become floats; releases may come in any order."""
    kinds = [(1, 2, 3), range(1, 4), np.array([1, 2, 3], dtype=np.uint8), pd.Series([1, 2, 3])]
    for universe in [*kinds, [True, 2, 3], np.ma.array([1, 2, 3], mask=[False] * 3)]:
        values = checks.universe(universe)
        assert (values.dtype, values.tolist()) == (float, [1, 2, 3])
    message = r"must hold integers .* got 9007199254740993 at position 1"
    with pytest.raises(ValueError, match=message):
        checks.universe([1, 2**53 + 1])
    assert checks.universe([1, 2**60]).tolist() == [1, 2**60]
    assert checks.released([3, 0, 2], 5).tolist() == [0, 2, 3]
    assert checks.release_size(np.int64(2), 5) == 2
    assert issubclass(dp.UnattainableRisk, ValueError)
    with pytest.raises(
        TypeError, match=r"^universe must hold real numbers in one row, got .{,60}$"
    ):
        checks.universe(["x"] * 1000)
