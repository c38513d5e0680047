"""A bad argument is refused before any work is done, in one sentence.

Every message names the argument, the rule and the value that was given. The
universe has so many worlds that an enumeration would be refused, and the query
refuses to be asked: neither must be reached.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

import dpchoose as dp
from dpchoose import checks
from dpchoose.mechanisms.laplace import Laplace

UNIVERSE = range(60)
WORLDS = dp.possible_worlds("mean", [1, 2, 3, 10], 3)


def untouched(values):
    """A query that must not be asked."""
    raise AssertionError("the query was asked before the arguments were checked")


def global_sensitivity(*, query=untouched, universe=UNIVERSE, release_size=30, **more):
    return dp.global_sensitivity(query, universe, release_size, **more)


def local_sensitivity(*, query=untouched, universe=UNIVERSE, release=range(30), **more):
    return dp.local_sensitivity(query, universe, release, **more)


def possible_worlds(*, query=untouched, universe=UNIVERSE, release_size=30, **more):
    return dp.possible_worlds(query, universe, release_size, **more)


def world_answers(*, query=untouched, universe=UNIVERSE, release_size=30):
    return dp.world_answers(query, universe, release_size)


def posterior(*, answers=(2, 3), output=2, epsilon=1, sensitivity=1, **more):
    return dp.posterior(answers, output, epsilon=epsilon, sensitivity=sensitivity, **more)


def tight_bound(*, epsilon=1, sensitivity=1):
    return dp.tight_bound(WORLDS, epsilon=epsilon, sensitivity=sensitivity)


def upper_bound(*, epsilon=1, sensitivity=1):
    return dp.upper_bound(WORLDS, epsilon=epsilon, sensitivity=sensitivity)


def average_risk(*, epsilon=1, sensitivity=1):
    return dp.average_risk(WORLDS, epsilon=epsilon, sensitivity=sensitivity)


def epsilon_from_risk(*, risk=0.5, sensitivity=1, **more):
    return dp.epsilon_from_risk(WORLDS, risk=risk, sensitivity=sensitivity, **more)


def recommend(*, query=untouched, universe=UNIVERSE, release_size=30, **more):
    return dp.recommend(query, universe, release_size, **more)


def recommended(*, risk=0.5, **more):
    return recommend(risk=risk, **more)


def laplace(*, epsilon=1, sensitivity=1):
    return Laplace(epsilon=epsilon, sensitivity=sensitivity)


def refuses(call, error, message, **arguments):
    """The call raises exactly this error, with a message that ends in the value."""
    with pytest.raises((TypeError, ValueError), match=rf"^{message}, got ") as caught:
        call(**arguments)
    assert caught.type is error
    assert "\n" not in str(caught.value)


ENUMERATE = [global_sensitivity, local_sensitivity, possible_worlds, world_answers, recommended]
BY_SIZE = [global_sensitivity, possible_worlds, world_answers]
RISKS = [tight_bound, upper_bound, average_risk]


@pytest.mark.parametrize("call", ENUMERATE)
@pytest.mark.parametrize(
    ("universe", "error", "rule"),
    [
        ([], ValueError, "must not be empty"),
        ([5], ValueError, "must hold at least 2 records"),
        ([1, 2, math.nan], ValueError, "must be finite"),
        ([1, math.inf, 3], ValueError, "must be finite"),
        (np.ones((2, 3)), ValueError, "must be one-dimensional"),
        (7, ValueError, "must be one-dimensional"),
        ([[1, 2], [3]], ValueError, "must have rows of one length"),
        (["1", "2"], TypeError, "must hold real numbers"),
        ([1, None], TypeError, "must hold real numbers"),
        ([1, 2j], TypeError, "must hold real numbers"),
        (None, TypeError, "must hold real numbers"),
        ("12", TypeError, "must hold real numbers"),
    ],
)
def test_a_universe_is_a_row_of_two_finite_numbers_or_more(call, universe, error, rule):
    """Anything else is refused, whatever is asked of it."""
    refuses(call, error, f"universe {rule}", universe=universe)


@pytest.mark.parametrize("call", ENUMERATE)
@pytest.mark.parametrize("record", [1e101, -1e101, 1e-101, -5e-324])
def test_a_record_is_0_or_of_a_size_whose_square_is_not_lost(call, record):
    """From 1e-100 to 1e100, and the first one that is not is named."""
    universe = [0.0, 1e100, -1e-100, record] * 15
    rule = "universe must hold 0 or numbers from 1e-100 to 1e100 in size"
    refuses(call, ValueError, rule, universe=universe)


def test_the_message_says_which_record_is_not_finite():
    """In a long universe the position helps."""
    with pytest.raises(ValueError, match=r"^universe must be finite, got nan at position 2$"):
        possible_worlds(universe=[1, 2, math.nan])


@pytest.mark.parametrize("call", BY_SIZE)
@pytest.mark.parametrize(
    ("size", "error", "rule"),
    [
        (0, ValueError, r"must be in \[1, 59\]"),
        (60, ValueError, r"must be in \[1, 59\]"),
        (-1, ValueError, r"must be in \[1, 59\]"),
        (1.5, TypeError, "must be an integer"),
        (3.0, TypeError, "must be an integer"),
        (True, TypeError, "must be an integer"),
        ("3", TypeError, "must be an integer"),
        (None, TypeError, "must be an integer"),
    ],
)
def test_some_but_not_all_records_are_released(call, size, error, rule):
    """A release size is an integer from 1 to N - 1."""
    refuses(call, error, f"release_size {rule}", release_size=size)


@pytest.mark.parametrize(
    ("release", "error", "message"),
    [
        ([0, 1, 1], ValueError, "release must not repeat a position"),
        ([0, 60], ValueError, r"release must lie in \[0, 60\)"),
        ([-1, 3], ValueError, r"release must lie in \[0, 60\)"),
        (range(60), ValueError, r"the length of release must be in \[1, 59\]"),
        (np.array([], dtype=int), ValueError, r"the length of release must be in \[1, 59\]"),
        ([[0], [1, 2]], ValueError, "release must have rows of one length"),
        ([], TypeError, "release must be a sequence of integer positions in the universe"),
        ([0.0, 1.0], TypeError, "release must be a sequence of integer positions in the universe"),
        ([True, False], TypeError, "release must be a sequence of integer positions"),
        ([[0, 1]], TypeError, "release must be a sequence of integer positions in the universe"),
        (["0"], TypeError, "release must be a sequence of integer positions in the universe"),
        (3, TypeError, "release must be a sequence of integer positions in the universe"),
        ({0, 1}, TypeError, "release must be a sequence of integer positions in the universe"),
        (None, TypeError, "release must be a sequence of integer positions in the universe"),
    ],
)
def test_a_release_is_distinct_positions(release, error, message):
    """Positions are integers in the universe, none of them twice, and not all of them."""
    if message.endswith("positions"):
        message += " in the universe"
    refuses(local_sensitivity, error, message, release=release)


@pytest.mark.parametrize("call", ENUMERATE)
@pytest.mark.parametrize(
    ("query", "error", "message"),
    [
        (
            "mode",
            ValueError,
            "query must be one of count, sum, mean, median, std, var, percentile_p",
        ),
        ("Mean", ValueError, "query must be one of count, sum, mean, .*"),
        ("", ValueError, "query must be one of count, sum, mean, .*"),
        ("percentile_101", ValueError, r"query percentile_p needs a p in \[0, 100\]"),
        ("percentile_-1", ValueError, r"query percentile_p needs a p in \[0, 100\]"),
        ("percentile_x", ValueError, r"query percentile_p needs a p in \[0, 100\]"),
        ("percentile_", ValueError, r"query percentile_p needs a p in \[0, 100\]"),
        ("percentile_nan", ValueError, r"query percentile_p needs a p in \[0, 100\]"),
        (None, TypeError, "query must be a name or a callable"),
        (50, TypeError, "query must be a name or a callable"),
        ([["mean"]], TypeError, "query must be a name or a callable"),
    ],
)
def test_a_query_is_a_known_name_or_a_callable(call, query, error, message):
    """Who mistypes a name is told the known ones."""
    refuses(call, error, message, query=query)


@pytest.mark.parametrize("call", [global_sensitivity, local_sensitivity])
@pytest.mark.parametrize("adjacency", ["replace", "", None, 1, ["bounded"], np.array(["a", "b"])])
def test_neighbours_are_unbounded_or_bounded(call, adjacency):
    """There are two ways to be neighbours."""
    rule = "must be one of 'unbounded', 'bounded'"
    refuses(call, ValueError, f"adjacency {rule}", adjacency=adjacency)


@pytest.mark.parametrize("call", [global_sensitivity, local_sensitivity])
@pytest.mark.parametrize(
    ("distance", "error", "rule"),
    [
        (0, ValueError, r"must be in \[1, 30\]"),
        (31, ValueError, r"must be in \[1, 30\]"),
        (1.0, TypeError, "must be an integer"),
        (True, TypeError, "must be an integer"),
        (None, TypeError, "must be an integer"),
    ],
)
def test_an_unbounded_distance_leaves_a_record_to_remove_or_to_add(call, distance, error, rule):
    """It is an integer from 1 to the larger of n - 1 and N - n."""
    refuses(call, error, f"distance {rule}", distance=distance)


@pytest.mark.parametrize("call", [global_sensitivity, local_sensitivity])
@pytest.mark.parametrize(
    ("distance", "error", "rule"),
    [
        (0, ValueError, "must be at least 1"),
        (-2, ValueError, "must be at least 1"),
        (1.5, TypeError, "must be an integer"),
    ],
)
def test_a_bounded_distance_is_at_least_1(call, distance, error, rule):
    """It has no upper end: it saturates."""
    refuses(call, error, f"distance {rule}", adjacency="bounded", distance=distance)


BAD_PRIORS = [
    ([0.5, 0.6], ValueError, "must sum to 1"),
    ([0.5, 0.4], ValueError, "must sum to 1"),
    ([0, 0], ValueError, "must sum to 1"),
    ([1.5, -0.5], ValueError, r"must lie in \[0, 1\]"),
    ([1, -1e-10], ValueError, r"must lie in \[0, 1\]"),
    ([math.nan, 1], ValueError, "must be finite"),
    ([[0.5, 0.5]], ValueError, "must be one-dimensional"),
    ([], ValueError, "must not be empty"),
    (["0.5", "0.5"], TypeError, "must hold real numbers"),
]


@pytest.mark.parametrize(
    ("prior", "error", "rule"),
    [*BAD_PRIORS, ([1], ValueError, "must hold one probability per world, 2 of them")],
)
def test_a_prior_is_one_probability_per_world(prior, error, rule):
    """They are nonnegative and sum to 1."""
    refuses(posterior, error, f"prior {rule}", prior=prior)
    refuses(possible_worlds, error, f"prior {rule}", universe=[1, 2], release_size=1, prior=prior)
    refuses(dp.confidence, error, f"prior {rule}", prior=prior, posterior=[0.5, 0.5])


def test_a_prior_must_cover_all_worlds():
    """Its length is compared with C(N, n) before any world is enumerated."""
    rule = "prior must hold one probability per world, 118264581564861424 of them"
    refuses(possible_worlds, ValueError, rule, prior=[0.5, 0.5])


@pytest.mark.parametrize(("values", "error", "rule"), BAD_PRIORS)
def test_a_posterior_is_a_distribution_too(values, error, rule):
    """The message names the posterior."""
    refuses(dp.disclosure_risk, error, f"posterior {rule}", posterior=values)
    refuses(dp.confidence, error, f"posterior {rule}", prior=[0.5, 0.5], posterior=values)


BAD_RISKS = [
    (1.2, ValueError, r"must lie in \(0, 1\)"),
    (0, ValueError, r"must lie in \(0, 1\)"),
    (1, ValueError, r"must lie in \(0, 1\)"),
    (-0.1, ValueError, r"must lie in \(0, 1\)"),
    (math.nan, ValueError, r"must lie in \(0, 1\)"),
    (math.inf, ValueError, r"must lie in \(0, 1\)"),
    (Fraction(4, 3), ValueError, r"must lie in \(0, 1\)"),
    ("4/3", ValueError, r"must lie in \(0, 1\)"),
    ("0", ValueError, r"must lie in \(0, 1\)"),
    ("1.0", ValueError, r"must lie in \(0, 1\)"),
    (10**400, ValueError, "must fit in a float"),
    ("abc", ValueError, "must be written like 1/3 or 0.33"),
    ("", ValueError, "must be written like 1/3 or 0.33"),
    ("1/0", ValueError, "must be written like 1/3 or 0.33"),
    ("nan", ValueError, r"must lie in \(0, 1\)"),
    ("30%", ValueError, "must be written like 1/3 or 0.33"),
    (True, TypeError, "must be a number"),
    ([None], TypeError, "must be a number"),
    (0.3j, TypeError, "must be a number"),
    ([[0.3]], TypeError, "must be a number"),
    ([np.array([0.3, 0.4])], TypeError, "must be a number"),
]


@pytest.mark.parametrize(("risk", "error", "rule"), BAD_RISKS)
def test_a_risk_is_a_number_between_0_and_1(risk, error, rule):
    """Both ends are excluded, and a text must be a number."""
    refuses(epsilon_from_risk, error, f"risk {rule}", risk=risk)
    refuses(recommend, error, f"risk {rule}", risk=risk)


@pytest.mark.parametrize("call", [*RISKS, posterior, epsilon_from_risk, laplace])
@pytest.mark.parametrize(
    ("sensitivity", "error", "rule"),
    [
        (-1, ValueError, r"must lie in [\[(]0, inf\)"),
        (math.inf, ValueError, r"must lie in [\[(]0, inf\)"),
        (math.nan, ValueError, r"must lie in [\[(]0, inf\)"),
        (10**400, ValueError, "must fit in a float"),
        ("1", TypeError, "must be a number"),
        (None, TypeError, "must be a number"),
        (True, TypeError, "must be a number"),
        ([1, 2], TypeError, "must be a number"),
    ],
)
def test_a_sensitivity_is_a_finite_number(call, sensitivity, error, rule):
    """It is not negative either."""
    refuses(call, error, f"sensitivity {rule}", sensitivity=sensitivity)


def test_a_posterior_needs_noise():
    """A density needs a positive scale, and beliefs a finite epsilon."""
    refuses(posterior, ValueError, r"sensitivity must lie in \(0, inf\)", sensitivity=0)
    refuses(posterior, ValueError, r"epsilon must lie in \[0, inf\)", epsilon=math.inf)
    refuses(laplace, ValueError, r"epsilon must lie in \(0, inf\]", epsilon=0)


@pytest.mark.parametrize("call", [posterior, laplace])
@pytest.mark.parametrize(
    ("epsilon", "error", "rule"),
    [
        (-1, ValueError, r"must lie in .*"),
        (math.nan, ValueError, r"must lie in .*"),
        (10**400, ValueError, "must fit in a float"),
        ("1", TypeError, "must be a number"),
        (None, TypeError, "must be a number"),
        (True, TypeError, "must be a number"),
    ],
)
def test_one_epsilon_is_a_number_of_at_least_0(call, epsilon, error, rule):
    """Noise has one epsilon."""
    refuses(call, error, f"epsilon {rule}", epsilon=epsilon)


@pytest.mark.parametrize("call", RISKS)
@pytest.mark.parametrize(
    ("epsilon", "error", "rule"),
    [
        (-1, ValueError, r"must lie in \[0, inf\]"),
        ([0.5, -1e-300], ValueError, r"must lie in \[0, inf\]"),
        ([[0.5, math.nan]], ValueError, r"must lie in \[0, inf\]"),
        ([[0.5], [1, 2]], ValueError, "must have rows of one length"),
        ("1", TypeError, "must be a number or an array"),
        (None, TypeError, "must be a number or an array"),
        (True, TypeError, "must be a number or an array"),
        ([0.5, None], TypeError, "must be a number or an array"),
    ],
)
def test_every_epsilon_of_an_array_is_at_least_0(call, epsilon, error, rule):
    """One bad entry is enough."""
    refuses(call, error, f"epsilon {rule}", epsilon=epsilon)


@pytest.mark.parametrize("bound", ["worst-case", "worst_case", "", None, 1, ["upper"]])
def test_there_are_three_bounds(bound):
    """Who mistypes one is told all three."""
    rule = "bound must be one of 'tight', 'upper', 'average'"
    refuses(epsilon_from_risk, ValueError, rule, bound=bound)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"answers": []}, ValueError, "answers must not be empty"),
        ({"answers": [1, math.inf]}, ValueError, "answers must be finite"),
        ({"answers": ["1"]}, TypeError, "answers must hold real numbers"),
        ({"output": math.inf}, ValueError, "output must be finite"),
        ({"output": math.nan}, ValueError, "output must be finite"),
        ({"output": None}, TypeError, "output must hold real numbers"),
        ({"output": "2.2"}, TypeError, "output must hold real numbers"),
    ],
)
def test_answers_and_output_are_finite_numbers(arguments, error, message):
    """A posterior is about one output."""
    refuses(posterior, error, message, **arguments)


@pytest.mark.parametrize(
    "universe",
    [[1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3], dtype=np.uint8), [True, 2, 3]],
)
def test_any_row_of_numbers_is_a_universe(universe):
    """Lists, tuples, ranges and arrays of integers all become floats."""
    values = checks.universe(universe)
    assert values.dtype == float
    assert values.tolist() == [1, 2, 3]


def test_a_release_may_come_in_any_order():
    """Its positions are sorted."""
    assert checks.release([3, 0, 2], 5).tolist() == [0, 2, 3]


def test_a_numpy_integer_is_an_integer():
    """Its value is what counts."""
    assert checks.release_size(np.int64(2), 5) == 2


def test_a_long_value_is_cut_in_the_message():
    """The message stays one short line, however large the universe is."""
    with pytest.raises(TypeError) as caught:
        checks.universe(["x"] * 1000)
    assert len(str(caught.value)) < 120
    with pytest.raises(TypeError) as caught:
        checks.universe(np.array([["a", "b"], ["c", "d"]]))
    assert str(caught.value).endswith("got array([['a', 'b'], ['c', 'd']], dtype='<U1')")
