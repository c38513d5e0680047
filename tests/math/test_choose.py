"""The epsilon that is returned never discloses more than was accepted, and no larger one would do.

Every claim is checked with 200 digits, and more where a prior is tiny, on the exact values of the
arguments, against equations written down independently in test_risk.
"""

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mpf
from strategies import universes_and_sizes, weighted_answers, worlds_of
from test_risk import average, exact, upper, worst_case

import dpchoose as dp

BOUNDS = {"worst-case": worst_case, "upper": upper, "average": average}

SCHOOL_YEAR, ABSENCE_DAYS = [1, 2, 3, 4], [1, 2, 3, 10]

ratios = st.sampled_from([1e-6, 0.3, 1.0, 17 / 6, 1e6])


def texts():
    """Risks as people write them."""
    fractions = st.builds(
        lambda numerator, more: f"{numerator}/{numerator + more}",
        st.integers(1, 50),
        st.integers(1, 50),
    )
    decimals = st.integers(1, 9999).map(lambda digits: f"0.{digits:04}")
    return st.one_of(fractions, decimals)


risks = st.one_of(
    texts(),
    texts().map(Fraction),
    texts().map(lambda text: float(Fraction(text))),
    st.floats(1e-6, 1 - 1e-6),
)


def prior_of(worlds):
    """The largest prior of a world, exact."""
    return max(map(Fraction, worlds.peak_masses)) / sum(map(Fraction, worlds.masses))


def limit_of(worlds, bound):
    """What the risk tends to without noise, exact."""
    masses, peaks = list(map(Fraction, worlds.masses)), list(map(Fraction, worlds.peak_masses))
    if bound == "average":
        return sum(peaks) / sum(masses)
    if bound == "upper" and len(masses) > 1:
        return Fraction(1)
    return max(peak / mass for peak, mass in zip(peaks, masses))


def grows_at_once(worlds, bound):
    """Whether any noise at all adds to the prior: on average a clear favourite stays the guess."""
    peaks = list(worlds.peak_masses)
    return bound != "average" or peaks.count(max(peaks)) > 1


def assert_largest_safe(epsilon, worlds, bound, risk, sensitivity):
    """The risk at epsilon is at most the request, and a billionth further on it is not."""
    digits = 200 + 2 * math.ceil(-math.log10(worlds.peaks.min()))
    with mpmath.workdps(digits + 20):
        request = exact(dp.parse_risk(risk))
        rate = mpf(epsilon) / mpf(sensitivity)
        assert BOUNDS[bound](worlds, rate) <= request + mpf(10) ** -digits
        assert BOUNDS[bound](worlds, rate * (1 + mpf("1e-9"))) > request


def assert_right(worlds, bound, risk, sensitivity):
    """Whatever is requested, the answer is an error, infinity or the largest safe epsilon."""
    request = dp.parse_risk(risk)
    prior, limit = prior_of(worlds), limit_of(worlds, bound)
    at = {"risk": risk, "sensitivity": sensitivity, "bound": bound}
    if limit <= request:
        assert dp.epsilon_from_risk(worlds, **at) == math.inf
    elif request < prior or (request == prior and grows_at_once(worlds, bound)):
        with pytest.raises(dp.UnattainableRisk, match=r"^risk must exceed .*, got "):
            dp.epsilon_from_risk(worlds, **at)
    else:
        epsilon = dp.epsilon_from_risk(worlds, **at)
        assert 0 < epsilon < math.inf
        assert_largest_safe(epsilon, worlds, bound, risk, sensitivity)


@pytest.mark.parametrize("bound", BOUNDS)
@given(drawn=weighted_answers(scales=(1e-90, 1.0, 1e90)), ratio=ratios, risk=risks)
def test_the_epsilon_is_the_largest_safe_one(bound, drawn, ratio, risk):
    """For any answers, prior, risk and sensitivity, unless none or every epsilon is safe."""
    answers, prior, scale = drawn
    assert_right(worlds_of(answers, prior), bound, risk, ratio * scale)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("query", ["mean", "median", "var", "count", "percentile_90"])
@given(drawn=universes_and_sizes(max_size=5), risk=risks)
def test_the_epsilon_of_a_release_is_the_largest_safe_one(query, bound, drawn, risk):
    """With the worlds and the sensitivity of one universe, for every bound."""
    universe, size = drawn
    sensitivity = dp.global_sensitivity(query, universe, size).value
    assume(sensitivity > 0)
    assert_right(dp.possible_worlds(query, universe, size), bound, risk, sensitivity)


@pytest.mark.parametrize("bound", BOUNDS)
@given(
    drawn=weighted_answers(scales=(1.0,)),
    near=st.sampled_from([0, 1e-80, -1e-80, 1e-14, -1e-14, 1e-6]),
    towards=st.sampled_from(["prior", "limit"]),
)
def test_the_ends_are_told_from_what_lies_next_to_them(bound, drawn, near, towards):
    """A risk equal to the prior or the limit, or the least bit off, has its own answer."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    end = prior_of(worlds) if towards == "prior" else limit_of(worlds, bound)
    risk = end * (1 + Fraction(near))
    assume(0 < risk < 1)
    assert_right(worlds, bound, risk, 2.0)


@pytest.mark.parametrize("bound", BOUNDS)
@given(drawn=weighted_answers(scales=(1.0,)), risk=risks)
def test_without_sensitivity_any_epsilon_does_or_none(bound, drawn, risk):
    """No noise is added at sensitivity 0, so the risk is that of the exact answer."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    if limit_of(worlds, bound) <= dp.parse_risk(risk):
        assert dp.epsilon_from_risk(worlds, risk=risk, sensitivity=0, bound=bound) == math.inf
    else:
        with pytest.raises(dp.UnattainableRisk, match=r"^risk must .*, got "):
            dp.epsilon_from_risk(worlds, risk=risk, sensitivity=0, bound=bound)


@given(drawn=weighted_answers(scales=(1.0,)), risk=risks)
def test_a_safer_bound_gives_a_smaller_epsilon(drawn, risk):
    """Upper, worst case and average allow more and more."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    assume(prior_of(worlds) < dp.parse_risk(risk))
    epsilons = [
        dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1, bound=bound)
        for bound in ("upper", "worst-case", "average")
    ]
    assert epsilons == sorted(epsilons)


@pytest.mark.parametrize("bound", BOUNDS)
def test_who_accepts_more_may_use_a_larger_epsilon(bound):
    """Epsilon grows with the risk."""
    days = dp.possible_worlds("mean", ABSENCE_DAYS, 3)
    epsilons = [
        dp.epsilon_from_risk(days, risk=percent / 100, sensitivity=17 / 6, bound=bound)
        for percent in range(26, 100)
    ]
    assert all(less < more for less, more in itertools.pairwise(epsilons))


@pytest.mark.parametrize(
    ("universe", "sensitivity", "expected"),
    [(ABSENCE_DAYS, 17 / 6, 0.4317201195672), (SCHOOL_YEAR, 5 / 6, 0.5251496872695)],
)
def test_the_epsilons_of_the_school(universe, sensitivity, expected):
    """For a risk of 1/3 the mean absence days and the mean school year, within 1e-9."""
    worlds = dp.possible_worlds("mean", universe, 3)
    assert dp.global_sensitivity("mean", universe, 3).value == pytest.approx(sensitivity)
    for risk in (1 / 3, "1/3", Fraction(1, 3)):
        epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=sensitivity)
        assert epsilon == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("universe", [[1, 8, 9, 10], [10, 9, 8, 1]])
def test_the_mirrored_absence_days_need_the_same_epsilon(universe):
    """The days mirrored, in either order, have the gaps and the sensitivity of the days."""
    worlds = dp.possible_worlds("mean", universe, 3)
    sensitivity = dp.global_sensitivity("mean", universe, 3).value
    assert sensitivity == pytest.approx(17 / 6, rel=1e-15)
    epsilon = dp.epsilon_from_risk(worlds, risk=1 / 3, sensitivity=sensitivity)
    assert epsilon == pytest.approx(0.4317201195672, abs=1e-9)


@pytest.mark.parametrize(
    ("query", "universe", "sensitivity", "expected"),
    [
        ("mean", ABSENCE_DAYS, 17 / 6, 17 / 18 * math.log(1.5)),  # 0.3829, equation 9
        ("mean", SCHOOL_YEAR, 5 / 6, 5 / 6 * math.log(1.5)),  # 0.3379, section 5.2
        ("median", ABSENCE_DAYS, 4, 4 * math.log(1.5)),  # 1.6219, equation 18
    ],
)
def test_the_epsilons_of_the_closed_form(query, universe, sensitivity, expected):
    """Lee and Clifton's equation 9, inverted by hand."""
    worlds = dp.possible_worlds(query, universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=sensitivity, bound="upper")
    assert epsilon == pytest.approx(expected, rel=1e-14)


@given(drawn=weighted_answers(scales=(1.0,)), risk=risks)
def test_the_closed_form_is_solved_by_a_logarithm(drawn, risk):
    """It is sensitivity / spread times the logarithm of the ratio of the odds."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    request, largest = dp.parse_risk(risk), prior_of(worlds)
    assume(largest < request and worlds.spread > 0)
    odds = request * (1 - largest) / ((1 - request) * largest)
    with mpmath.workdps(60):
        expected = float(mpmath.log(exact(odds)) * 3 / mpf(worlds.spread))
    got = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=3, bound="upper")
    assert got == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("universe", "sensitivity"), [(ABSENCE_DAYS, 4), (SCHOOL_YEAR, 1)])
def test_the_median_of_the_school_is_met_from_below(universe, sensitivity):
    """For a risk of 1/3 it is 4 ln 2 and ln 2: the float just below, and not the one above."""
    worlds = dp.possible_worlds("median", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=sensitivity)
    with mpmath.workdps(60):
        solution = sensitivity * mpmath.log(2)
        assert mpf(epsilon) <= solution < mpf(math.nextafter(epsilon, math.inf))


@pytest.mark.parametrize("risk", [0.5, "1/2", 0.500001, 0.99])
def test_any_epsilon_keeps_the_median_of_the_school_at_one_half(risk):
    """Two worlds share each median, so even the exact answer leaves two candidates."""
    worlds = dp.possible_worlds("median", ABSENCE_DAYS, 3)
    assert dp.epsilon_from_risk(worlds, risk=risk, sensitivity=4) == math.inf
    closed = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=4, bound="upper")
    assert closed < math.inf


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_count_leaves_the_prior_as_it_is(bound):
    """Any epsilon meets a risk of 1/4 or more, and none meets less."""
    worlds = dp.possible_worlds("count", ABSENCE_DAYS, 3)
    for risk in ("1/4", 0.25, 0.9):
        assert dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1, bound=bound) == math.inf
    for risk in ("0.24999", math.nextafter(0.25, 0)):
        with pytest.raises(dp.UnattainableRisk):
            dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1, bound=bound)


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_risk_equal_to_a_uniform_prior_is_unattainable(bound):
    """Four equally likely worlds are told apart a little at any positive epsilon."""
    worlds = dp.possible_worlds("mean", SCHOOL_YEAR, 3)
    message = r"^risk must exceed 1/4 = 0.25, the largest prior, .* got 1/4 = 0.25$"
    with pytest.raises(dp.UnattainableRisk, match=message):
        dp.epsilon_from_risk(worlds, risk="1/4", sensitivity=5 / 6, bound=bound)


def test_on_average_a_favourite_stays_the_guess_for_a_while():
    """Odds of 2 to 1 are overturned only beyond ln 2: the risk stays at the prior till there."""
    worlds = worlds_of([0, 1], [2 / 3, 1 / 3])
    prior = worlds.largest_prior
    epsilon = dp.epsilon_from_risk(worlds, risk=prior, sensitivity=1, bound="average")
    assert epsilon == pytest.approx(math.log(2), rel=1e-15)
    with pytest.raises(dp.UnattainableRisk):
        dp.epsilon_from_risk(worlds, risk=prior, sensitivity=1)


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_risk_however_little_above_the_prior_has_an_epsilon(bound):
    """Two equal worlds and a risk 1e-80 above 1/2: epsilon is about as small, and positive."""
    worlds = worlds_of([0, 1])
    assert_right(worlds, bound, Fraction(1, 2) + Fraction(1, 10**80), 1)


def test_a_world_that_is_all_but_impossible_still_counts():
    """It leaves each of two equal favourites just under one half, and so a positive epsilon."""
    worlds = worlds_of([0, 1, 2], [0.5, 0.5, 1e-300])
    epsilon = dp.epsilon_from_risk(worlds, risk=0.5, sensitivity=1)
    assert epsilon == pytest.approx(2e-300, rel=1e-9)


def test_a_tie_that_meets_the_risk_without_noise_does_not_hold_epsilon_back():
    """Three tied worlds approach 1/3 from below, but only the untied variance 0 ever exceeds it."""
    universe = [-1e5, 0, 0, 0, 1]
    worlds = dp.possible_worlds("var", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=1)
    # 1 / (1 + 3 exp(-x)) is 1/3 at x = ln 1.5, where x is epsilon times the gap 2/9
    assert epsilon == pytest.approx(math.log(1.5) / worlds.answers[1], rel=1e-9)
    assert_largest_safe(epsilon, worlds, "worst-case", "1/3", 1)


def test_an_unattainable_risk_is_a_bad_value():
    """Who catches ValueError catches it too."""
    assert issubclass(dp.UnattainableRisk, ValueError)


def test_a_text_means_the_exact_fraction():
    """One third as a text is larger than one third as a float, and so is its epsilon."""
    worlds = dp.possible_worlds("median", ABSENCE_DAYS, 3)
    text = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=4)
    assert text == dp.epsilon_from_risk(worlds, risk=Fraction(1, 3), sensitivity=4)
    assert text > dp.epsilon_from_risk(worlds, risk=1 / 3, sensitivity=4)


@given(epsilon=st.floats(0, 1e308), digits=st.integers(0, 30))
def test_rounding_down_never_rounds_up(epsilon, digits):
    """What is shown is at most epsilon, and less than one unit of its last place below."""
    shown = dp.round_down(epsilon, digits)
    places = len(shown.partition(".")[2])
    assert places >= digits
    assert Fraction(shown) <= Fraction(epsilon) < Fraction(shown) + Fraction(1, 10**places)


@given(epsilon=st.floats(5e-324, 1e308))
def test_four_significant_digits_are_shown(epsilon):
    """However small an epsilon is, it is not shown as 0."""
    shown = dp.round_down(epsilon)
    assert Fraction(shown) > Fraction(epsilon) * Fraction(999, 1000)
    assert Decimal(shown) == Decimal(dp.round_down(float(epsilon), 4))
    assert not set(shown) - set("0123456789.")


@pytest.mark.parametrize(
    ("epsilon", "shown"),
    [
        (2.772588722239781, "2.7725"),
        (2.772589121608916, "2.7725"),
        (0.4317201195672, "0.4317"),
        (0.38293926876882173, "0.3829"),
        (0.0000123456, "0.00001234"),
        (0.1, "0.1000"),
        (0.3, "0.2999"),  # the float lies below 3/10
        (7, "7.0000"),
        (1e60, "999999999999999949387135297074018866963645011013410073083904.0000"),
        (0, "0.0000"),
        (-0.0, "0.0000"),
        (math.inf, "any"),
    ],
)
def test_an_epsilon_as_it_is_shown(epsilon, shown):
    """At least four decimals, cut and not rounded."""
    assert dp.round_down(epsilon) == shown


def test_more_digits_may_be_asked():
    """What follows is cut, and with no decimals the integer part is left."""
    assert dp.round_down(2.772588722239781, 6) == "2.772588"
    assert dp.round_down(27725.88722239781, 0) == "27725"
