"""The epsilon that is returned never discloses more than was accepted, and no larger one would do.

Every claim is checked with 60 digits, and more where a prior is tiny, on the exact values of the
arguments, against equations written down independently in test_risk.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mpf
from strategies import universes_and_sizes, weighted_answers, worlds_of
from test_risk import average, exact_rows, upper, worst_case

import dpchoose as dp
from dpchoose.epsilon.text import parse_risk

BOUNDS = {"tight": worst_case, "upper": upper, "average": average}

SCHOOL_YEAR, ABSENCE_DAYS = [1, 2, 3, 4], [1, 2, 3, 10]


def exact(value):
    """A float or a fraction as an mpmath number."""
    value = Fraction(value)
    return mpf(value.numerator) / mpf(value.denominator)


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


def is_near(risk, end):
    """Whether a risk is nearer to the prior or the limit than a millionth of it."""
    return abs(risk - end) <= Fraction(1, 10**6) * max(risk, end)


def assert_largest_safe(epsilon, worlds, bound, risk, sensitivity):
    """The risk at epsilon is at most the request; a billionth further on it is not."""
    request = parse_risk(risk)
    ends = prior_of(worlds), limit_of(worlds, bound)
    digits = 60 + 2 * math.ceil(-math.log10(worlds.peaks.min()))
    with mpmath.workdps(digits + 20):
        rate, most = mpf(epsilon) / mpf(sensitivity), exact(request)
        assert BOUNDS[bound](worlds, rate) <= most + mpf(10) ** -digits
        if not any(is_near(request, end) for end in ends):
            assert BOUNDS[bound](worlds, rate * (1 + mpf("1e-9"))) > most


def assert_right(worlds, bound, risk, sensitivity):
    """Whatever is requested, the answer is an error, infinity or the largest safe epsilon.

    Next to the prior no positive epsilon may be found, though there be one.
    """
    request = parse_risk(risk)
    prior, limit = prior_of(worlds), limit_of(worlds, bound)
    at = {"risk": risk, "sensitivity": sensitivity, "bound": bound}
    if limit <= request:
        assert dp.epsilon_from_risk(worlds, **at) == math.inf
    elif request < prior or (request == prior and grows_at_once(worlds, bound)):
        with pytest.raises(dp.UnattainableRisk, match=r"^risk must exceed .*, got "):
            dp.epsilon_from_risk(worlds, **at)
    else:
        try:
            epsilon = dp.epsilon_from_risk(worlds, **at)
        except dp.UnattainableRisk:
            assert is_near(request, prior)
        else:
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
    if limit_of(worlds, bound) <= parse_risk(risk):
        assert dp.epsilon_from_risk(worlds, risk=risk, sensitivity=0, bound=bound) == math.inf
    else:
        with pytest.raises(dp.UnattainableRisk, match=r"^risk must .*, got "):
            dp.epsilon_from_risk(worlds, risk=risk, sensitivity=0, bound=bound)


@given(drawn=weighted_answers(scales=(1.0,)), risk=risks)
def test_a_safer_bound_gives_a_smaller_epsilon(drawn, risk):
    """Upper, worst case and average allow more and more."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    assume(prior_of(worlds) < parse_risk(risk))
    epsilons = [
        dp.epsilon_from_risk(worlds, risk=risk, sensitivity=1, bound=bound)
        for bound in ("upper", "tight", "average")
    ]
    assert epsilons[0] <= epsilons[1] * (1 + 1e-9)
    assert epsilons[1] <= epsilons[2] * (1 + 1e-9)


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
    assert expected * (1 - 1e-9) < epsilon < expected


@given(drawn=weighted_answers(scales=(1.0,)), risk=risks)
def test_the_closed_form_is_solved_by_a_logarithm(drawn, risk):
    """It is sensitivity / spread times the logarithm of the ratio of the odds."""
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    request, largest = parse_risk(risk), prior_of(worlds)
    assume(largest < request and worlds.spread > 0)
    odds = request * (1 - largest) / ((1 - request) * largest)
    with mpmath.workdps(60):
        expected = float(mpmath.log(exact(odds)) * 3 / mpf(worlds.spread))
    got = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=3, bound="upper")
    near = is_near(request, largest) or is_near(request, Fraction(1))
    assert expected * (0 if near else 1 - 1e-9) < got < expected * (1 + 1e-15)


@pytest.mark.parametrize(("universe", "sensitivity"), [(ABSENCE_DAYS, 4), (SCHOOL_YEAR, 1)])
def test_the_median_of_the_school_is_met_from_below(universe, sensitivity):
    """For a risk of 1/3 it is 4 ln 2 and ln 2, within 1e-9, and never more."""
    worlds = dp.possible_worlds("median", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=sensitivity)
    with mpmath.workdps(60):
        solution = sensitivity * mpmath.log(2)
        assert solution * (1 - mpf("1e-9")) < mpf(epsilon) <= solution


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
    just_above = worlds.largest_prior * (1 + Fraction(1, 10**5))
    at = {"risk": just_above, "sensitivity": 1}
    epsilon = dp.epsilon_from_risk(worlds, bound="average", **at)
    assert math.log(2) < epsilon < math.log(2) + 0.01
    assert dp.epsilon_from_risk(worlds, **at) < 1e-4


def test_a_tie_that_meets_the_risk_without_noise_does_not_hold_epsilon_back():
    """Three tied worlds approach 1/3 from below, but only the untied variance 0 ever exceeds it."""
    universe = [-1e5, 0, 0, 0, 1]
    worlds = dp.possible_worlds("var", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=1)
    # 1 / (1 + 3 exp(-x)) is 1/3 at x = ln 1.5, where x is epsilon times the gap 2/9
    assert epsilon == pytest.approx(math.log(1.5) / worlds.answers[1], rel=1e-9)
    assert_largest_safe(epsilon, worlds, "tight", "1/3", 1)


def test_an_unattainable_risk_is_a_bad_value():
    """Who catches ValueError catches it too."""
    assert issubclass(dp.UnattainableRisk, ValueError)


@pytest.mark.parametrize("bound", BOUNDS)
@given(drawn=weighted_answers(scales=(1.0,)), risk=risks, power=st.integers(-200, 200))
def test_another_unit_of_the_data_leaves_epsilon_as_it_is(bound, drawn, risk, power):
    """Answers and sensitivity times a power of 2: the same float, whatever order the rows have."""
    answers, prior, _ = drawn
    assume(not np.any((answers != 0) & (np.abs(answers) < 1e-3)))

    def found(answers, prior, sensitivity):
        try:
            at = {"risk": risk, "sensitivity": sensitivity, "bound": bound}
            return dp.epsilon_from_risk(worlds_of(answers, prior), **at)
        except dp.UnattainableRisk:
            return 0.0

    expected = found(answers, prior, 3.0)
    assert found(answers * 2.0**power, prior, 3.0 * 2.0**power) == expected
    mirrored = None if prior is None else prior[::-1]
    assert found(answers[::-1], mirrored, 3.0) == expected


def joint(worlds, rates):
    """The largest p_i / sum_j p_j exp(-sum_q t_q |f_qi - f_qj|), on the exact rows."""
    whole = mpf(worlds.mass)
    rows = exact_rows(worlds)
    return max(
        mpf(peak)
        / whole
        / mpmath.fsum(
            mpf(mass)
            / whole
            * mpmath.exp(-mpmath.fsum(t * abs(x - y) for t, x, y in zip(rates, here, there)))
            for there, mass in zip(rows, worlds.masses)
        )
        for here, peak in zip(rows, worlds.peak_masses)
    )


def joint_upper(worlds, rates):
    """1 / (1 + (1 - p) / p exp(-d)), d the largest distance of two rows."""
    rows = exact_rows(worlds)
    farthest = max(
        mpmath.fsum(t * abs(x - y) for t, x, y in zip(rates, here, there))
        for here, there in itertools.product(rows, rows)
    )
    prior = exact(worlds.largest_prior)
    return prior / (prior + (1 - prior) * mpmath.exp(-farthest))


@pytest.mark.parametrize(("bound", "equation"), [("tight", joint), ("upper", joint_upper)])
def test_several_answers_together_keep_the_risk_and_no_more_would(bound, equation):
    """Two and three answers, any split, some of them out: at 60 digits, on the exact floats."""
    rng = np.random.default_rng(5)
    names = ["mean", "median", "var", "percentile_75"]
    kept = 0
    for case in range(60):
        several = int(rng.integers(2, 4))
        universe = np.round(rng.lognormal(1, 1, int(rng.integers(4, 7))), 2)
        size = int(rng.integers(1, len(universe)))
        queries = list(rng.choice(names, several, replace=False))
        worlds = dp.possible_worlds(queries, universe, size)
        deltas = [dp.global_sensitivity(query, universe, size).value for query in queries]
        weights = rng.choice([1.0, 2.0, 0.25], several)
        out = np.full(several, np.nan)
        if case % 3 == 0:
            out[0] = 5 * np.ptp(universe)
        split = [weights, "equal", "best" if case % 12 == 2 else "equal"][case % 3]
        least = Fraction(1, worlds.total)
        risk = least + (worlds.largest_share - least) * Fraction(int(rng.integers(20, 98)), 100)
        if min(deltas) == 0 or risk == least:
            continue
        at = {"risk": risk, "sensitivity": deltas, "bound": bound, "already": out, "split": split}
        try:
            epsilons = dp.epsilon_from_risk(worlds, **at)
        except dp.UnattainableRisk:
            continue
        assert epsilons.shape == (several,)
        if case % 3 == 0:
            assert epsilons[0] == pytest.approx(deltas[0] / out[0], rel=1e-14)
        new = np.isnan(out)
        if np.isinf(epsilons).any():
            assert np.isinf(epsilons[new]).all()
            rates = np.where(new, 1e9, epsilons / deltas)
            assert equation(worlds, list(map(mpf, rates.tolist()))) <= exact(risk)
            continue
        shares = epsilons[new] / (weights if case % 3 == 0 else np.ones(several))[new]
        if (isinstance(split, str) and split == "equal") or case % 3 == 0:
            assert np.ptp(shares) <= 1e-14 * shares.max()
        with mpmath.workdps(60):
            rates = [mpf(float(e)) / mpf(float(d)) for e, d in zip(epsilons, deltas)]
            assert equation(worlds, rates) <= exact(risk)
            more = [t * (1 + mpf("1e-9") * int(q)) for t, q in zip(rates, new)]
            assert equation(worlds, more) > exact(risk)
        kept += 1
    assert kept > 30


def test_the_best_split_costs_no_more_noise_than_equal_epsilons():
    """In the sum of the half-widths, each relative to its mean answer."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        universe = rng.lognormal(1, 1, 7).round(2)
        worlds = dp.possible_worlds(["mean", "var"], universe, 6)
        deltas = [dp.global_sensitivity(query, universe, 6).value for query in ("mean", "var")]
        sizes = worlds.weights @ worlds.answers
        costs = [
            np.sum(
                deltas
                / dp.epsilon_from_risk(worlds, risk=0.4, sensitivity=deltas, split=split)
                / sizes
            )
            for split in ("best", "equal")
        ]
        assert costs[0] <= costs[1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sensitivity": 1}, r"^sensitivity must have shape \(2,\), got \(1?,?\)"),
        ({"sensitivity": [1, -1]}, r"^sensitivity must lie in \[0, inf\), got -1"),
        ({"split": [1, 2, 3]}, r"^split must have shape \(2,\), got \(3,\)"),
        ({"split": [1, -1]}, r"^split must be at least 0, and not all 0, got "),
        ({"split": [0, 0]}, r"^split must be at least 0, and not all 0, got "),
        ({"split": "fair"}, r"^split must be one of 'equal', 'best', got 'fair'"),
        ({"already": [1]}, r"^already must have shape \(2,\), got \(1,\)"),
        ({"already": [0, np.nan]}, r"^already must lie in \(0, inf\), got 0"),
        ({"already": [1, 1]}, r"^already must leave an answer that is new"),
        ({"bound": "average"}, r"^bound must be tight or upper for several answers, got 'average'"),
    ],
)
def test_what_cannot_be_asked_of_several_answers_is_refused(wrong, message):
    """With the argument, the rule and the value."""
    both = dp.possible_worlds(["mean", "median"], ABSENCE_DAYS, 3)
    with pytest.raises(ValueError, match=message):
        dp.epsilon_from_risk(both, **{"risk": 0.4, "sensitivity": [1, 1]} | wrong)


def test_the_best_split_is_searched_for_at_most_four_answers():
    """Five are refused."""
    queries = ["mean", "median", "var", "std", "sum"]
    worlds = dp.possible_worlds(queries, ABSENCE_DAYS, 3)
    with pytest.raises(ValueError, match=r"^split best must have at most 4 answers, got 5"):
        dp.epsilon_from_risk(worlds, risk=0.4, sensitivity=np.ones(5), split="best")


def test_a_text_means_the_exact_fraction():
    """It is what the fraction is."""
    worlds = dp.possible_worlds("median", ABSENCE_DAYS, 3)
    text = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=4)
    assert text == dp.epsilon_from_risk(worlds, risk=Fraction(1, 3), sensitivity=4)


def test_what_is_out_already_is_named_when_it_takes_up_the_risk():
    """The prior is not to blame."""
    worlds = dp.possible_worlds(["mean", "sum"], [1, 2, 3, 10], 3)
    with pytest.raises(dp.UnattainableRisk, match="already must leave some of the risk"):
        dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=[1, 10], already=[np.nan, 0.1])


def test_answers_that_no_record_can_move_need_no_noise_together():
    """Their sensitivities are 0, and their worlds are one."""
    worlds = dp.possible_worlds(["count", "median"], [5, 5, 5, 5], 3)
    found = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=[0, 0])
    assert found.tolist() == [math.inf, math.inf]
