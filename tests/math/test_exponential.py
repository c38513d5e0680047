"""The exponential mechanism: what it chooses, guarantees and discloses."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from goodness import chi_square
from hypothesis import given, settings
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.mechanisms.exponential import neighbouring_counts

PEOPLE = dp.datasets.adult_marital_status()
THOUSANDS = dp.Exponential(PEOPLE / 1000, epsilon=1, sensitivity=1)

epsilons = st.floats(1e-3, 10)


def score_tables(rows, *, most=20, unit=8):
    """Rows of 2 to 5 scores each, in eighths, or in another unit."""
    scores = st.integers(-most * 8, most * 8).map(lambda n: n / unit)
    return st.integers(2, 5).flatmap(
        lambda k: st.lists(
            st.lists(scores, min_size=k, max_size=k), min_size=rows[0], max_size=rows[1]
        )
    )


def exact_chances(scores, epsilon, sensitivity):
    """Probabilities by the definition, in the digits of mpmath in force."""
    rate = mpmath.mpf(epsilon) / (2 * mpmath.mpf(sensitivity))
    weights = [mpmath.exp(rate * mpmath.mpf(float(score))) for score in scores]
    return [weight / mpmath.fsum(weights) for weight in weights]


def exact_risk(worlds, epsilon, sensitivity, prior):
    """The largest posterior by Bayes' rule, world by world and outcome by outcome."""
    columns = zip(*(exact_chances(row, epsilon, sensitivity) for row in worlds))
    joints = [[mpmath.mpf(p) * c for p, c in zip(prior, column)] for column in columns]
    return max(max(joint) / mpmath.fsum(joint) for joint in joints)


# -- what it chooses


@given(score_tables((1, 1)), epsilons, st.integers(-(10**6), 10**6))
def test_probabilities_are_those_of_the_definition_and_only_differences_count(rows, epsilon, shift):
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=0.5).probabilities
    with mpmath.workdps(60):
        exact = [float(chance) for chance in exact_chances(rows[0], epsilon, 0.5)]
    assert ours == pytest.approx(exact, rel=1e-12)
    moved = np.array(rows[0]) + shift
    assert (dp.Exponential(moved, epsilon=epsilon, sensitivity=0.5).probabilities == ours).all()


def test_large_scores_do_not_overflow():
    large = dp.Exponential([1e300, -1e300], epsilon=1, sensitivity=1e-100)
    assert large.probabilities.tolist() == [1, 0]


def test_an_infinite_epsilon_chooses_among_the_best():
    best = dp.Exponential([3, 7, 7], epsilon=math.inf, sensitivity=1)
    assert best.probabilities.tolist() == [0, 0.5, 0.5]


def test_mappings_series_and_arrays_keep_their_order():
    kinds = (PEOPLE, PEOPLE.to_dict(), PEOPLE.to_numpy())
    series, mapping, array = (dp.Exponential(k, epsilon=0.001, sensitivity=1) for k in kinds)
    assert (series.probabilities == array.probabilities).all()
    assert (mapping.probabilities == array.probabilities).all()
    assert series.outcomes.tolist() == mapping.outcomes.tolist() == list(PEOPLE.index)
    assert array.outcomes.tolist() == list(range(7))


def test_samples_follow_the_probabilities_whatever_the_outcomes_are():
    choice = dp.Exponential({"a": 0, (0, 1): 1, 3: 2.5, None: -30}, epsilon=1, sensitivity=1)
    draws = choice.sample(20_000, rng=np.random.default_rng(1)).tolist()
    assert chi_square([draws.count(o) for o in choice.outcomes], choice.probabilities) > 0.01


@settings(max_examples=10)
@given(score_tables((1, 1), most=3), st.floats(0.2, 4))
def test_it_reports_the_largest_of_scores_with_gumbel_noise(rows, epsilon):
    """The chance that one noisy score exceeds all others, integrated over its value."""
    scale = 2 / epsilon
    x = np.linspace(min(rows[0]) - 8 * scale, max(rows[0]) + 45 * scale, 60_001)
    noisy = (x - np.array(rows[0])[:, None]) / scale
    below = np.exp(-np.exp(-noisy)).prod(axis=0)
    chances = [np.trapezoid(np.exp(-z) / scale * below, x) for z in noisy]
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=1).probabilities
    assert chances == pytest.approx(ours.tolist(), abs=1e-6)


# -- what it guarantees


@given(score_tables((2, 4), most=5), epsilons, st.floats(0.1, 3))
def test_no_outcome_of_a_neighbour_exceeds_the_guarantee(rows, epsilon, sensitivity):
    """The inequality of differential privacy, over all outcomes and neighbours."""
    own, neighbours = rows[0], np.array(rows[1:])
    choice = dp.Exponential(own, epsilon=epsilon, sensitivity=sensitivity)
    loss = choice.privacy_loss(neighbours)
    moved = float(np.abs(neighbours - own).max())
    assert loss <= choice.guarantee(moved) * (1 + 1e-12) + 1e-12
    ratios = choice.likelihoods(neighbours) / choice.probabilities
    assert np.abs(np.log(ratios)).max() == pytest.approx(loss, abs=1e-9)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=5).filter(any), epsilons)
def test_adding_or_removing_moves_every_score_one_way_and_halves_the_guarantee(counts, epsilon):
    choice = dp.Exponential(counts, epsilon=epsilon, sensitivity=1)
    moved = neighbouring_counts(counts, adjacency="bounded")
    assert choice.privacy_loss(neighbouring_counts(counts)) <= epsilon / 2 * (1 + 1e-9)
    assert choice.privacy_loss(moved) <= epsilon * (1 + 1e-9)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=4).filter(any))
def test_neighbouring_counts_are_all_tables_one_record_away(counts):
    tables = list(itertools.product(range(max(counts) + 2), repeat=len(counts)))
    away = np.subtract(tables, counts)
    one, two = np.abs(away).sum(axis=1) == 1, np.abs(away).sum(axis=1) == 2
    wanted = {"unbounded": one, "bounded": two & (away.sum(axis=1) == 0)}
    for adjacency, mask in wanted.items():
        ours = neighbouring_counts(counts, adjacency=adjacency).tolist()
        assert sorted(map(tuple, ours)) == list(itertools.compress(tables, mask))


def test_an_outcome_impossible_in_one_dataset_only_is_an_infinite_loss():
    best = dp.Exponential([1, 1, 0], epsilon=math.inf, sensitivity=1)
    assert best.privacy_loss([[1, 2, 0]]) == math.inf
    assert best.privacy_loss([[2, 2, 1]]) == 0


# -- what it discloses


@given(score_tables((1, 4), most=5), st.one_of(epsilons, st.just(math.inf)), st.booleans())
def test_the_risk_is_the_largest_posterior_of_the_likelihoods(worlds, epsilon, uniform):
    choice = dp.Exponential(worlds[0], epsilon=epsilon, sensitivity=1)
    weights = np.arange(1, len(worlds) + 1) % 4  # a world may be impossible
    prior = None if uniform else weights / weights.sum()
    expected = dp.largest_posterior(choice.likelihoods(worlds), prior=prior)
    assert choice.disclosure_risk(worlds, prior=prior) == pytest.approx(expected, rel=1e-12)


def test_the_risk_counts_outcomes_too_unlikely_for_a_float():
    """Two worlds, one record apart: the outcome that nobody will see tells most."""
    worlds = [[20_000, 0], [20_000, 1]]
    choice = dp.Exponential([20_000, 0], epsilon=1, sensitivity=1)
    assert choice.likelihoods(worlds)[:, 1].tolist() == [0, 0]
    assert choice.disclosure_risk(worlds) == pytest.approx(1 / (1 + math.exp(-0.5)), rel=1e-14)


@given(score_tables((2, 4), most=5), st.floats(1e-9, 1e-3))
def test_the_risk_tends_to_the_prior_as_epsilon_tends_to_zero(worlds, epsilon):
    """The odds change by at most e^(epsilon times the largest change of a score)."""
    choice = dp.Exponential(worlds[0], epsilon=epsilon, sensitivity=1)
    most = 1 / (1 + (len(worlds) - 1) * math.exp(-epsilon * np.ptp(worlds, axis=0).max()))
    assert (1 - 1e-12) / len(worlds) <= choice.disclosure_risk(worlds) <= most * (1 + 1e-12)


# -- epsilon from risk


@given(
    score_tables((2, 4), most=5) | score_tables((2, 4), most=5, unit=7),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=1000),
    st.floats(0.1, 10),
    st.sampled_from([(1, 1, 1, 1), (1, 2, 4, 0), (5, 1, 1, 1)]),
)
def test_the_epsilon_of_a_risk_is_safe_and_a_little_more_is_not(worlds, share, sensitivity, parts):
    """At 60 digits, with the risk anywhere between the prior and 1."""
    weights = np.array(parts[: len(worlds)], dtype=float)
    prior = (weights / weights.sum()).tolist()
    risk = Fraction(max(prior)) + share * (1 - Fraction(max(prior)))
    found = dp.Exponential.from_risk(
        worlds[0], worlds=worlds, risk=risk, sensitivity=sensitivity, prior=prior
    )
    with mpmath.workdps(60):
        target = mpmath.mpf(risk.numerator) / risk.denominator
        if found.epsilon == math.inf:
            for epsilon in (1e-3, 0.1, 1, 10, 100, 1e4):
                assert exact_risk(worlds, epsilon, sensitivity, prior) <= target
        else:
            assert exact_risk(worlds, found.epsilon, sensitivity, prior) <= target
            assert exact_risk(worlds, found.epsilon * (1 + 1e-8), sensitivity, prior) > target


@given(st.integers(2, 50))
def test_a_risk_next_to_1_is_not_taken_for_certainty(digits):
    """However near to 1, exchanged records keep their noise; only a risk of 1 needs none."""
    risk = 1 - Fraction(1, 2**digits)
    found = dp.Exponential.from_risk([0, 1], worlds=[[0, 1], [1, 0]], risk=risk, sensitivity=1)
    assert 0 < found.epsilon <= 2 * math.log(2**digits - 1) * (1 + 1e-15)


far_apart = st.tuples(*[st.integers(-9, 9)] * 3).map(
    lambda steps: [start + step / 10 for start, step in zip((0.1, 1000.1, 54321.3), steps)]
)


@given(
    st.lists(far_apart, min_size=2, max_size=3),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=1000),
)
def test_differences_of_scores_that_are_rounded_keep_the_risk(worlds, share):
    """Beside a score of 54321.3 a tenth is known to eleven digits, and the unlikely tell most."""
    risk = Fraction(1, len(worlds)) + share * Fraction(len(worlds) - 1, len(worlds))
    assert_risk_is_kept(worlds, risk, None, 1e-8)


@given(
    st.integers(1, 280),
    st.integers(2, 20).map(lambda halvings: 1 - Fraction(1, 2**halvings)),
    st.tuples(st.integers(1, 60), st.integers(1, 60)).filter(lambda two: two[0] != two[1]),
)
def test_a_world_that_hardly_anybody_expects_keeps_the_risk(power, risk, scores):
    """Only an outcome that favours it by a factor of 10**power makes it likely."""
    worlds = [[0, scores[0]], [0, scores[0]], [scores[1], 0]]
    masses = np.array([1.0, 1.0, 10.0**-power])
    assert_risk_is_kept(worlds, risk, (masses / masses.sum()).tolist(), 1e-8)


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=2, max_size=3))
def test_whole_scores_whose_differences_no_float_holds_keep_the_risk(steps):
    """Beside 2**55 floats tie what is not: a difference of scores would be off by up to 2."""
    worlds = [[one, 2.0**55 + 8 * other] for one, other in steps]
    assert_risk_is_kept(worlds, Fraction(2, 3), None, 1e-5)


def test_scores_of_every_size_have_a_risk():
    worlds = [[1e300, 1e-300, 0], [-1e300, 5e-324, 1]]
    choice = dp.Exponential(worlds[0], epsilon=1, sensitivity=1)
    assert choice.disclosure_risk(worlds) == 1


def assert_risk_is_kept(worlds, risk, prior, within):
    """At 60 digits the epsilon is safe, and a little more is not."""
    found = dp.Exponential.from_risk(
        worlds[0], worlds=worlds, risk=risk, sensitivity=1, prior=prior
    )
    shares = [1] * len(worlds) if prior is None else prior
    with mpmath.workdps(60):
        target = mpmath.mpf(risk.numerator) / risk.denominator
        if found.epsilon == math.inf:
            assert exact_risk(worlds, 1e5, 1, shares) <= target
        else:
            assert exact_risk(worlds, found.epsilon, 1, shares) <= target
            assert exact_risk(worlds, found.epsilon * (1 + within), 1, shares) > target


@given(st.integers(10, 10**6), st.floats(1e-4, 0.9999))
def test_two_worlds_that_exchange_a_record_have_a_closed_form(records, share):
    """Scores (a, a - 1) and (a - 1, a): the risk is 1/(1 + e^(-epsilon/2)), at any a."""
    worlds = [[records, records - 1], [records - 1, records]]
    risk = Fraction(1, 2) + Fraction(share) / 2
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=risk, sensitivity=1).epsilon
    with mpmath.workdps(60):
        exact = 2 * mpmath.log(mpmath.mpf(risk.numerator) / (risk.denominator - risk.numerator))
        assert exact * (1 - mpmath.mpf(10) ** -9) <= found <= exact


def test_worlds_with_equal_scores_share_what_an_outcome_tells():
    """Leave one of five records out: five worlds, but only two kinds of them."""
    kinds, records = [[1, 3], [2, 2]], np.array([2, 3])
    five = np.repeat(kinds, records, axis=0)
    found = dp.Exponential.from_risk([2, 3], worlds=five, risk="0.22", sensitivity=1)
    assert found.disclosure_risk(five) == pytest.approx(0.22, rel=1e-9)
    of_kinds = found.disclosure_risk(kinds, prior=records / 5)
    again = dp.Exponential.from_risk(
        [2, 3], worlds=kinds, prior=records / 5, risk=of_kinds, sensitivity=1
    )
    assert again.epsilon == pytest.approx(found.epsilon, rel=1e-8)


@pytest.mark.parametrize("sensitivity", [0.3, 1, 4])
def test_the_risk_may_fall_while_epsilon_grows_and_the_search_stops_at_the_first_rise(sensitivity):
    """Sixty outcomes of which one leads: beyond some epsilon it is chosen anyway."""
    worlds = np.zeros((2, 60))
    worlds[:, 0] = 5, 5.2
    risks = [
        dp.Exponential(worlds[0], epsilon=e * sensitivity, sensitivity=sensitivity).disclosure_risk(
            worlds
        )
        for e in (0.8, 1.2, 1.4, 2.0)
    ]
    assert risks[0] < risks[1] > risks[2] < risks[3]
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=0.52, sensitivity=sensitivity)
    assert found.epsilon < 1.2 * sensitivity
    assert found.disclosure_risk(worlds) == pytest.approx(0.52)


@pytest.mark.parametrize(
    ("worlds", "risk", "prior"),
    [
        ([[0, 1], [5, 6]], 0.5, None),  # scores that differ by a constant
        ([[1, 1, 0, 9], [0, 1, 1, 9], [1, 0, 1, 9]], 0.51, None),  # two worlds to each outcome
        ([[0, 1], [0, 1], [5, 0], [5, 0]], "1/2", None),  # each kind of two worlds
        ([[0, 1], [1, 0], [0, 1]], "1/2", [0.5, 0, 0.5]),  # the other one has no prior
    ],
)
def test_a_risk_that_no_epsilon_can_exceed_allows_any(worlds, risk, prior):
    found = dp.Exponential.from_risk(
        worlds[0], worlds=worlds, risk=risk, sensitivity=1, prior=prior
    )
    assert found.epsilon == math.inf


@pytest.mark.parametrize("risk", ["1/3", "1/2"])
def test_a_risk_not_above_the_largest_prior_is_unattainable(risk):
    with pytest.raises(dp.UnattainableRisk, match=r"risk must exceed 1/2 = 0.5.* got 1/"):
        dp.Exponential.from_risk([0, 1], worlds=[[0, 1], [1, 0]], risk=risk, sensitivity=1)


# -- what is printed


def test_the_scores_and_probabilities_are_the_printed_ones():
    printed = {"Never-married": 10.683, "Married-civ-spouse": 14.976, "Divorced": 4.443}
    printed |= {"Married-spouse-absent": 0.418, "Separated": 1.025}
    printed |= {"Married-AF-spouse": 0.023, "Widowed": 0.993}
    assert (PEOPLE / 1000).to_dict() == printed
    assert PEOPLE.sum() == 32_561
    chances = dict(zip(THOUSANDS.outcomes, THOUSANDS.probabilities.round(4).tolist()))
    expected = {"Married-civ-spouse": 0.8888, "Never-married": 0.1039, "Divorced": 0.0046}
    assert expected.items() <= chances.items()


@pytest.mark.parametrize(("epsilon", "plausible"), [(0.5, False), (1, True), (2, False)])
def test_the_printed_draws_are_plausible_at_their_epsilon_and_at_no_other(epsilon, plausible):
    choice = dp.Exponential(PEOPLE / 1000, epsilon=epsilon, sensitivity=1)
    drawn = {"Married-civ-spouse": 176, "Never-married": 23, "Divorced": 1}
    p_value = chi_square([drawn.get(o, 0) for o in choice.outcomes], choice.probabilities)
    assert p_value > 0.5 if plausible else p_value < 1e-4


def test_the_guarantee_of_the_printed_draws_and_the_loss_attained():
    assert THOUSANDS.guarantee(1 / 1000) == pytest.approx(0.001, rel=1e-15)
    added, moved = (
        THOUSANDS.privacy_loss(neighbouring_counts(PEOPLE, adjacency=adjacency) / 1000)
        for adjacency in ("unbounded", "bounded")
    )
    assert added == pytest.approx(0.0005, abs=1e-6)
    assert moved == pytest.approx(0.00094, abs=5e-6)


# -- what it refuses


def choose(scores=(0, 1), epsilon=1, sensitivity=1):
    return dp.Exponential(scores, epsilon=epsilon, sensitivity=sensitivity)


def ask(**others):
    arguments = {"worlds": [[0, 1], [1, 0]], "risk": 0.7, "sensitivity": 1} | others
    return dp.Exponential.from_risk([0, 1], **arguments)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: choose(epsilon=0), ValueError, r"epsilon must lie in \(0, inf\], got 0"),
        (lambda: choose(sensitivity=0), ValueError, r"sensitivity must lie in \(0, inf\), got 0"),
        (lambda: choose([0, math.inf]), ValueError, "scores must be finite, got inf"),
        (lambda: choose({}), ValueError, "scores must not be empty"),
        (lambda: choose(["a"]), TypeError, "scores must hold real numbers"),
        (lambda: choose().privacy_loss([[1]]), ValueError, "neighbours .* of 2 outcomes, got 1"),
        (lambda: choose().disclosure_risk([1, 2]), ValueError, r"worlds .*, got shape \(2,\)"),
        (lambda: choose().guarantee(-1), ValueError, r"sensitivity .* \[0, inf\), got -1"),
        (lambda: ask(risk=1.2), ValueError, r"risk must lie in \(0, 1\), got 1.2"),
        (lambda: ask(prior=[1]), ValueError, "prior must hold one probability per world, 2"),
        (lambda: neighbouring_counts([1, -1]), ValueError, "counts must be at least 0, got -1"),
        (lambda: neighbouring_counts([1]), ValueError, "at least 2 classes, got 1"),
        (lambda: neighbouring_counts([0.5, 1]), TypeError, "counts must be a sequence of int"),
        (
            lambda: neighbouring_counts([0, 0], adjacency="bounded"),
            ValueError,
            r"counts must hold a record that can change, got \[0, 0\]",
        ),
        (
            lambda: neighbouring_counts([1, 2], adjacency="local"),
            ValueError,
            "adjacency must be one of 'unbounded', 'bounded', got 'local'",
        ),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
