"""The exponential mechanism: what it chooses, guarantees and discloses."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from goodness import chi_square
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dpchoose as dp

quick = settings(derandomize=True, deadline=None, max_examples=60)
epsilons = st.floats(1e-3, 10)

PEOPLE = dp.datasets.adult_marital_status()
THOUSANDS = dp.Exponential(PEOPLE / 1000, epsilon=1, sensitivity=1)


def score_tables(rows, *, low=-20, high=20, columns=(2, 5)):
    """Rows of equally many scores, in eighths."""
    return st.integers(*columns).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(8 * low, 8 * high).map(lambda n: n / 8), min_size=k, max_size=k),
            min_size=rows[0],
            max_size=rows[1],
        )
    )


def exact_chances(scores, epsilon, sensitivity):
    """Probabilities by the definition, in the digits of mpmath in force."""
    rate = mpmath.mpf(epsilon) / (2 * mpmath.mpf(sensitivity))
    weights = [mpmath.exp(rate * mpmath.mpf(float(score))) for score in scores]
    return [weight / mpmath.fsum(weights) for weight in weights]


def exact_risk(worlds, epsilon, sensitivity, prior):
    columns = zip(*(exact_chances(row, epsilon, sensitivity) for row in worlds))
    joints = [[mpmath.mpf(p) * c for p, c in zip(prior, column)] for column in columns]
    return max(max(joint) / mpmath.fsum(joint) for joint in joints)


# -- what it chooses


@quick
@given(score_tables((1, 1)), epsilons)
def test_probabilities_are_those_of_the_definition(rows, epsilon):
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=0.5).probabilities
    with mpmath.workdps(60):
        exact = [float(chance) for chance in exact_chances(rows[0], epsilon, 0.5)]
    assert ours == pytest.approx(exact, rel=1e-12)


@quick
@given(score_tables((1, 1)), epsilons, st.integers(-(10**6), 10**6))
def test_only_differences_of_scores_count(rows, epsilon, shift):
    here = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=1).probabilities
    moved = np.array(rows[0]) + shift
    assert (dp.Exponential(moved, epsilon=epsilon, sensitivity=1).probabilities == here).all()


def test_large_scores_do_not_overflow():
    probabilities = dp.Exponential([1e5, 1e5 - 2, 0], epsilon=1, sensitivity=1).probabilities
    chance = 1 / (1 + math.exp(-1))
    assert probabilities == pytest.approx([chance, 1 - chance, 0])
    assert dp.Exponential([1e308, -1e308], epsilon=1, sensitivity=1).probabilities.tolist() == [
        1,
        0,
    ]


def test_an_infinite_epsilon_chooses_among_the_best():
    best = dp.Exponential([3, 7, 7], epsilon=math.inf, sensitivity=1)
    assert best.probabilities.tolist() == [0, 0.5, 0.5]


def test_mappings_series_and_arrays_keep_their_order():
    series = dp.Exponential(PEOPLE, epsilon=0.001, sensitivity=1)
    mapping = dp.Exponential(PEOPLE.to_dict(), epsilon=0.001, sensitivity=1)
    array = dp.Exponential(PEOPLE.to_numpy(), epsilon=0.001, sensitivity=1)
    assert (series.probabilities == array.probabilities).all()
    assert (mapping.probabilities == array.probabilities).all()
    assert series.outcomes.tolist() == mapping.outcomes.tolist() == list(PEOPLE.index)
    assert array.outcomes.tolist() == list(range(7))


def test_outcomes_may_be_pairs():
    pairs = dp.Exponential({(0, 1): 0, (1, 2): 1}, epsilon=1, sensitivity=1)
    assert pairs.sample(rng=np.random.default_rng(0)) in {(0, 1), (1, 2)}


def test_samples_follow_the_probabilities():
    choice = dp.Exponential({"a": 0, "b": 1, "c": 2.5, "d": -30}, epsilon=1, sensitivity=1)
    draws = choice.sample(20_000, rng=np.random.default_rng(1))
    assert chi_square([(draws == o).sum() for o in choice.outcomes], choice.probabilities) > 0.01


def winning_chances(scores, scale, density, below):
    """Report noisy max: the chance of each outcome to have the largest noisy score."""
    x = np.linspace(min(scores) - 45 * scale, max(scores) + 45 * scale, 60_001)
    noisy = (x - np.array(scores)[:, None]) / scale
    chances = []
    for winner in range(len(scores)):
        others = np.delete(below(noisy), winner, axis=0).prod(axis=0)
        chances.append(np.trapezoid(density(noisy[winner]) / scale * others, x))
    return np.array(chances)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(score_tables((1, 1), low=-3, high=3), st.floats(0.2, 4))
def test_report_noisy_max_with_gumbel_noise_is_the_mechanism(rows, epsilon):
    with np.errstate(over="ignore", under="ignore"):
        chances = winning_chances(
            rows[0],
            2 / epsilon,
            lambda z: np.exp(-z - np.exp(-z)),
            lambda z: np.exp(-np.exp(-z)),
        )
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=1).probabilities
    assert chances == pytest.approx(ours, abs=1e-6)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(score_tables((1, 1), low=-3, high=3), st.floats(0.2, 4))
def test_report_noisy_max_with_laplace_noise_agrees_on_the_mode(rows, epsilon):
    assume(sorted(rows[0])[-1] > sorted(rows[0])[-2])
    chances = winning_chances(
        rows[0],
        2 / epsilon,
        lambda z: np.exp(-np.abs(z)) / 2,
        lambda z: np.where(z < 0, np.exp(-np.abs(z)) / 2, 1 - np.exp(-np.abs(z)) / 2),
    )
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=1).probabilities
    assert chances.sum() == pytest.approx(1, abs=1e-3)
    assert chances.argmax() == ours.argmax()


# -- what it guarantees


@quick
@given(score_tables((2, 4), low=-5, high=5), epsilons, st.floats(0.1, 3))
def test_no_outcome_of_a_neighbour_exceeds_the_guarantee(rows, epsilon, sensitivity):
    """The inequality of differential privacy, over all outcomes and neighbours."""
    own, neighbours = rows[0], np.array(rows[1:])
    moved = float(np.abs(neighbours - own).max())
    choice = dp.Exponential(own, epsilon=epsilon, sensitivity=sensitivity)
    loss = choice.privacy_loss(neighbours)
    assert loss <= choice.guarantee(moved) * (1 + 1e-12) + 1e-12
    ratios = choice.likelihoods(neighbours) / choice.probabilities
    assert np.abs(np.log(ratios)).max() == pytest.approx(loss, abs=1e-9)


@quick
@given(st.lists(st.integers(0, 40), min_size=2, max_size=5), epsilons)
def test_adding_or_removing_moves_every_score_one_way_and_halves_the_guarantee(counts, epsilon):
    choice = dp.Exponential(counts, epsilon=epsilon, sensitivity=1)
    loss = choice.privacy_loss(dp.neighbouring_counts(counts))
    assert loss <= choice.guarantee(1) / 2 * (1 + 1e-9)
    if any(counts):
        moved = dp.neighbouring_counts(counts, adjacency="bounded")
        assert choice.privacy_loss(moved) <= choice.guarantee(1) * (1 + 1e-9)


@quick
@given(st.lists(st.integers(0, 6), min_size=2, max_size=4))
def test_neighbouring_counts_are_all_tables_one_record_away(counts):
    tables = itertools.product(range(max(counts) + 2), repeat=len(counts))
    steps = {"unbounded": [], "bounded": []}
    for table in tables:
        away = np.subtract(table, counts)
        if np.abs(away).sum() == 1:
            steps["unbounded"].append(table)
        elif np.abs(away).sum() == 2 and away.sum() == 0:
            steps["bounded"].append(table)
    for adjacency, expected in steps.items():
        if expected:
            ours = dp.neighbouring_counts(counts, adjacency=adjacency)
            assert sorted(map(tuple, ours.tolist())) == expected


def test_an_outcome_impossible_in_one_dataset_only_is_an_infinite_loss():
    best = dp.Exponential([1, 1, 0], epsilon=math.inf, sensitivity=1)
    assert best.privacy_loss([[1, 2, 0]]) == math.inf
    assert best.privacy_loss([[2, 2, 1]]) == 0


# -- what it discloses


@quick
@given(score_tables((1, 4), low=-5, high=5), epsilons)
def test_the_risk_is_the_largest_posterior_of_the_likelihoods(worlds, epsilon):
    choice = dp.Exponential(worlds[0], epsilon=epsilon, sensitivity=1)
    prior = np.arange(len(worlds)) / max(1, sum(range(len(worlds)))) if len(worlds) > 1 else [1.0]
    for weights in (None, prior):
        expected = dp.largest_posterior(choice.likelihoods(worlds), prior=weights)
        assert choice.disclosure_risk(worlds, prior=weights) == pytest.approx(expected, rel=1e-12)


def test_the_risk_counts_outcomes_too_unlikely_for_a_float():
    """Two worlds, one record apart: the outcome that nobody will see tells most."""
    worlds = [[20_000, 0], [20_000, 1]]
    choice = dp.Exponential([20_000, 0], epsilon=1, sensitivity=1)
    assert choice.likelihoods(worlds)[:, 1].tolist() == [0, 0]
    assert choice.disclosure_risk(worlds) == pytest.approx(1 / (1 + math.exp(-0.5)), rel=1e-9)


@quick
@given(score_tables((2, 4), low=-5, high=5), st.floats(1e-9, 1e-3))
def test_the_posterior_tends_to_the_prior_as_epsilon_tends_to_zero(worlds, epsilon):
    """Its odds change by at most e^(epsilon times the largest change of a score)."""
    choice = dp.Exponential(worlds[0], epsilon=epsilon, sensitivity=1)
    step = float(np.ptp(worlds, axis=0).max())
    assert choice.disclosure_risk(worlds) <= 1 / len(worlds) + epsilon * step / 4 + 1e-4 * epsilon
    assert choice.disclosure_risk(worlds) >= 1 / len(worlds) * (1 - 1e-12)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    score_tables((2, 4), low=-5, high=5),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=1000),
    st.floats(0.1, 10),
)
def test_the_epsilon_of_a_risk_is_safe_and_the_next_float_is_not(worlds, share, sensitivity):
    """At 60 digits, with the risk anywhere between the prior and 1."""
    prior = [1 / len(worlds)] * len(worlds)
    risk = Fraction(1, len(worlds)) + share * (1 - Fraction(1, len(worlds)))
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=risk, sensitivity=sensitivity)
    with mpmath.workdps(60):
        target = mpmath.mpf(risk.numerator) / risk.denominator
        if found.epsilon == math.inf:
            for epsilon in (1e-3, 0.1, 1, 10, 100):
                assert exact_risk(worlds, epsilon, sensitivity, prior) <= target
        else:
            assert exact_risk(worlds, found.epsilon, sensitivity, prior) <= target
            more = math.nextafter(found.epsilon, math.inf)
            assert exact_risk(worlds, more, sensitivity, prior) > target


def test_worlds_with_equal_scores_share_what_an_outcome_tells():
    """Leave one of five records out: five worlds, but only two kinds of them."""
    kinds, records = [[1, 3], [2, 2]], np.array([2, 3])
    five = np.repeat(kinds, records, axis=0)
    found = dp.Exponential.from_risk([2, 3], worlds=five, risk="0.22", sensitivity=1)
    beliefs = dp.posteriors(found.likelihoods(kinds), prior=records / 5)
    assert (beliefs / records[:, None]).max() == pytest.approx(0.22, rel=1e-9)
    again = dp.Exponential.from_risk(
        [2, 3], worlds=kinds, prior=records / 5, risk=beliefs.max(), sensitivity=1
    )
    assert again.epsilon == pytest.approx(found.epsilon, rel=1e-9)


def test_the_risk_may_fall_while_epsilon_grows_and_the_search_stops_at_the_first_rise():
    """Sixty outcomes of which one leads: beyond some epsilon it is chosen anyway."""
    worlds = np.zeros((2, 60))
    worlds[:, 0] = 5, 5.2
    risks = [
        dp.Exponential(worlds[0], epsilon=e, sensitivity=1).disclosure_risk(worlds)
        for e in (0.8, 1.2, 1.4, 2.0)
    ]
    assert risks[0] < risks[1] > risks[2] < risks[3]
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=0.52, sensitivity=1)
    assert found.epsilon < 1.2
    assert found.disclosure_risk(worlds) == pytest.approx(0.52)


@pytest.mark.parametrize("sensitivity", [0.3, 0.49, 0.6, 4])
def test_the_search_scales_with_the_sensitivity_even_where_the_risk_falls(sensitivity):
    worlds = np.zeros((2, 200))
    worlds[:, 0] = 5, 5.2
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=0.5285, sensitivity=sensitivity)
    unit = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=0.5285, sensitivity=1)
    assert found.epsilon / sensitivity == pytest.approx(unit.epsilon, rel=1e-9)


def test_a_world_without_prior_changes_nothing():
    worlds = [[0, 0], [5000, 0], [5001, 0]]
    choice = dp.Exponential([0, 0], epsilon=1, sensitivity=1)
    with_it = choice.disclosure_risk(worlds, prior=[0, 0.5, 0.5])
    assert with_it == choice.disclosure_risk(worlds[1:])


def test_worlds_that_no_outcome_tells_apart_allow_any_epsilon():
    """Scores that differ by a constant are the same mechanism."""
    found = dp.Exponential.from_risk([0, 1], worlds=[[0, 1], [5, 6]], risk=0.5, sensitivity=1)
    assert found.epsilon == math.inf


def test_a_risk_that_no_epsilon_can_reach_allows_any_epsilon():
    """Three worlds, each outcome shared by two of them: the risk stays below 1/2."""
    worlds = [[1, 1, 0, 9], [0, 1, 1, 9], [1, 0, 1, 9]]
    found = dp.Exponential.from_risk(worlds[0], worlds=worlds, risk=0.51, sensitivity=1)
    assert found.epsilon == math.inf


@pytest.mark.parametrize("risk", ["1/3", "1/2"])
def test_a_risk_not_above_the_largest_prior_is_unattainable(risk):
    with pytest.raises(dp.UnattainableRisk, match=r"exceed 1/2 = 0.5, the largest prior.*got 1/"):
        dp.Exponential.from_risk([0, 1], worlds=[[0, 1], [1, 0]], risk=risk, sensitivity=1)


# -- what is printed


def test_the_scores_are_the_printed_ones():
    printed = {
        "Never-married": "10.683",
        "Married-civ-spouse": "14.976",
        "Divorced": "4.443",
        "Married-spouse-absent": "0.418",
        "Separated": "1.025",
        "Married-AF-spouse": "0.023",
        "Widowed": "0.993",
    }
    assert {status: f"{count / 1000:.3f}" for status, count in PEOPLE.items()} == printed
    assert PEOPLE.sum() == 32_561


def test_the_probabilities_behind_the_printed_draws():
    chances = dict(zip(THOUSANDS.outcomes, THOUSANDS.probabilities))
    assert chances["Married-civ-spouse"] == pytest.approx(0.8888, abs=5e-5)
    assert chances["Never-married"] == pytest.approx(0.1039, abs=5e-5)
    assert chances["Divorced"] == pytest.approx(0.0046, abs=5e-5)


def test_the_printed_draws_are_plausible():
    """176, 23 and 1 of 200: Pearson's statistic against its own distribution, seeded.

    Four of the seven outcomes expect less than one draw, too few for the
    chi-square curve, so the statistic is compared with 100,000 simulated ones.
    """
    printed = np.array([176, 23, 1, 0, 0, 0, 0])
    expected = 200 * THOUSANDS.probabilities
    draws = np.random.default_rng(1).multinomial(200, THOUSANDS.probabilities, size=100_000)
    statistics = ((draws - expected) ** 2 / expected).sum(axis=1)
    p_value = (statistics >= ((printed - expected) ** 2 / expected).sum()).mean()
    assert p_value > 0.5
    assert chi_square(printed, THOUSANDS.probabilities) > 0.5


def test_the_printed_draws_are_not_those_of_another_epsilon():
    printed = [176, 23, 1, 0, 0, 0, 0]
    for epsilon in (0.5, 2):
        other = dp.Exponential(PEOPLE / 1000, epsilon=epsilon, sensitivity=1)
        assert chi_square(printed, other.probabilities) < 1e-4


def test_the_guarantee_of_the_printed_draws_and_the_loss_attained():
    assert THOUSANDS.guarantee(1 / 1000) == pytest.approx(0.001, rel=1e-15)
    added, moved = (
        THOUSANDS.privacy_loss(dp.neighbouring_counts(PEOPLE, adjacency=adjacency) / 1000)
        for adjacency in ("unbounded", "bounded")
    )
    assert added == pytest.approx(0.0005, abs=1e-6)
    assert moved == pytest.approx(0.00094, abs=5e-6)


def test_an_honest_epsilon_of_one_answers_with_near_certainty():
    honest = dp.Exponential(PEOPLE, epsilon=1, sensitivity=1)
    assert honest.probabilities[0] == 1
    assert honest.privacy_loss(dp.neighbouring_counts(PEOPLE)) == pytest.approx(0.5)
    moved = dp.neighbouring_counts(PEOPLE, adjacency="bounded")
    assert honest.privacy_loss(moved) == pytest.approx(1)


# -- what it refuses


def ask(scores=(0, 1), **others):
    arguments = {"worlds": [[0, 1], [1, 0]], "risk": 0.7, "sensitivity": 1} | others
    return dp.Exponential.from_risk(scores, **arguments)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: dp.Exponential([0, 1], epsilon=0, sensitivity=1),
            ValueError,
            r"epsilon must lie in \(0, inf\], got 0",
        ),
        (
            lambda: dp.Exponential([0, 1], epsilon=1, sensitivity=0),
            ValueError,
            r"sensitivity must lie in \(0, inf\), got 0",
        ),
        (
            lambda: dp.Exponential([0, math.inf], epsilon=1, sensitivity=1),
            ValueError,
            "scores must be finite, got inf at position 1",
        ),
        (
            lambda: dp.Exponential({}, epsilon=1, sensitivity=1),
            ValueError,
            "scores must not be empty",
        ),
        (
            lambda: dp.Exponential(["a"], epsilon=1, sensitivity=1),
            TypeError,
            "scores must hold real numbers",
        ),
        (
            lambda: THOUSANDS.privacy_loss([[1, 2]]),
            ValueError,
            "neighbours must have a column for each of 7 outcomes, got 2",
        ),
        (
            lambda: THOUSANDS.disclosure_risk([1, 2]),
            ValueError,
            r"worlds must have a row for each world, got shape \(2,\)",
        ),
        (
            lambda: THOUSANDS.guarantee(-1),
            ValueError,
            r"sensitivity must lie in \[0, inf\), got -1",
        ),
        (lambda: ask(risk=1.2), ValueError, r"risk must lie in \(0, 1\), got 1.2"),
        (lambda: ask(prior=[1]), ValueError, "prior must hold one probability per world, 2"),
        (
            lambda: dp.neighbouring_counts([1, -1]),
            ValueError,
            "counts must be at least 0, got -1",
        ),
        (lambda: dp.neighbouring_counts([1]), ValueError, "at least 2 classes, got 1"),
        (lambda: dp.neighbouring_counts([0.5, 1]), TypeError, "counts must be a sequence of int"),
        (
            lambda: dp.neighbouring_counts([0, 0], adjacency="bounded"),
            ValueError,
            r"counts must hold a record that can change, got \[0, 0\]",
        ),
        (
            lambda: dp.neighbouring_counts([1, 2], adjacency="local"),
            ValueError,
            "adjacency must be one of 'unbounded', 'bounded', got 'local'",
        ),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
