"""The exponential mechanism: what it chooses, guarantees and discloses."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from definition import mp, real
from hypothesis import given
from hypothesis import strategies as st
from strategies import chi_square

import dpchoose as dp

PEOPLE = dp.datasets.adult_marital_status()
THOUSANDS = dp.Exponential(PEOPLE / 1000, epsilon=1, sensitivity=1)

epsilons = st.floats(1e-3, 10)
between = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=1000)
eighths, sevenths = (st.integers(-160, 160).map(lambda n, d=d: n / d) for d in (8, 7))


def score_tables(least, most, score=eighths):
    """Rows of 2 to 5 scores each."""
    rows = st.integers(2, 5).map(lambda k: st.lists(score, min_size=k, max_size=k))
    return rows.flatmap(lambda row: st.lists(row, min_size=least, max_size=most))


def beside(*starts, step):
    """Rows of scores near numbers so large that differences are rounded."""
    steps = st.lists(st.tuples(*[st.integers(-9, 9)] * len(starts)), min_size=2, max_size=3)
    return steps.map(lambda rows: [[x + n * step for x, n in zip(starts, row)] for row in rows])


def exact_chances(scores, epsilon, sensitivity):
    """By the definition, at 60 digits; an infinite epsilon shares one among the best."""
    best = max(map(float, scores))
    if epsilon == math.inf:
        return [real(float(score == best) / list(scores).count(best)) for score in scores]
    rate = real(epsilon) / (2 * real(sensitivity))
    weights = [mp.exp(rate * (real(float(score)) - best)) for score in scores]
    return [weight / mp.fsum(weights) for weight in weights]


def exact_risk(worlds, epsilon, sensitivity, prior):
    """The largest posterior by the rule of Bayes, world by world and outcome by outcome."""
    columns = zip(*(exact_chances(row, epsilon, sensitivity) for row in worlds))
    joints = [[real(p) * c for p, c in zip(prior, column)] for column in columns]
    return max(max(joint) / mp.fsum(joint) for joint in joints if any(joint))


def found(worlds, risk, prior=None, sensitivity=1):
    return dp.Exponential.from_risk(
        worlds[0], worlds=worlds, risk=risk, sensitivity=sensitivity, prior=prior
    )


def assert_kept(worlds, risk, prior=None, sensitivity=1, within=1e-8):
    """At 60 digits the epsilon is safe, and a little more is not."""
    epsilon = found(worlds, risk, prior, sensitivity).epsilon
    shares = [1] * len(worlds) if prior is None else prior
    assert exact_risk(worlds, epsilon, sensitivity, shares) <= real(risk)
    if epsilon == math.inf:
        assert exact_risk(worlds, 1e5, sensitivity, shares) <= real(risk)
    else:
        assert exact_risk(worlds, epsilon * (1 + within), sensitivity, shares) > real(risk)


# -- what it chooses


@given(score_tables(1, 1), epsilons | st.just(math.inf), st.integers(-(10**6), 10**6))
def test_probabilities_are_those_of_the_definition_and_only_differences_count(rows, epsilon, shift):
    ours = dp.Exponential(rows[0], epsilon=epsilon, sensitivity=0.5).probabilities
    exact = [float(chance) for chance in exact_chances(rows[0], epsilon, 0.5)]
    assert ours == pytest.approx(exact, rel=1e-12)
    moved = dp.Exponential(np.array(rows[0]) + shift, epsilon=epsilon, sensitivity=0.5)
    assert (moved.probabilities == ours).all()
    large = dp.Exponential([1e100, -1e100], epsilon=epsilon, sensitivity=1e-100)
    assert large.probabilities.tolist() == [1, 0]


def test_mappings_series_and_arrays_keep_their_order_and_draw_alike():
    kinds = (PEOPLE, PEOPLE.to_dict(), PEOPLE.to_numpy())
    series, mapping, array = (dp.Exponential(k, epsilon=0.001, sensitivity=1) for k in kinds)
    assert (series.probabilities == array.probabilities).all()
    assert (mapping.probabilities == array.probabilities).all()
    assert series.outcomes.tolist() == mapping.outcomes.tolist() == list(PEOPLE.index)
    assert array.outcomes.tolist() == list(range(7))
    choice = dp.Exponential({"a": 0, (0, 1): 1, 3: 2.5, None: -30}, epsilon=1, sensitivity=1)
    draws = choice.sample(20_000, rng=np.random.default_rng(1)).tolist()
    assert chi_square([draws.count(o) for o in choice.outcomes], choice.probabilities) > 0.01


# -- what it guarantees


def privacy_loss(choice, neighbours):
    """The largest |ln(P(o)/P'(o))| over outcomes and neighbouring datasets."""
    own, others = choice.probabilities, choice.likelihoods(neighbours)
    with np.errstate(divide="ignore"):
        apart = np.subtract(np.log(others), np.log(own), where=others != own, out=0 * others)
    return np.abs(apart).max()


@given(score_tables(2, 4), epsilons, st.floats(1, 3))  # no chance is below 1e-300
def test_no_outcome_of_a_neighbour_exceeds_the_guarantee(rows, epsilon, sensitivity):
    """The inequality of differential privacy, over all outcomes and neighbours."""
    own, neighbours = rows[0], np.array(rows[1:])
    choice = dp.Exponential(own, epsilon=epsilon, sensitivity=sensitivity)
    loss = privacy_loss(choice, neighbours)
    chances = [exact_chances(row, epsilon, sensitivity) for row in rows]
    exact = max(abs(mp.log(p / q)) for row in chances[1:] for p, q in zip(chances[0], row))
    assert loss == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    assert loss <= choice.guarantee(float(np.abs(neighbours - own).max())) * (1 + 1e-12) + 1e-12
    best = dp.Exponential([1, 1, 0], epsilon=math.inf, sensitivity=1)
    assert privacy_loss(best, [[1, 2, 0]]) == math.inf  # one outcome is impossible in it
    assert privacy_loss(best, [[2, 2, 1]]) == 0


@given(st.lists(st.integers(0, 5), min_size=2, max_size=4).filter(any), epsilons)
def test_scores_that_all_move_one_way_halve_the_guarantee(counts, epsilon):
    """Of counts by class: a record that comes or goes, and one that changes its class."""
    tables = list(itertools.product(range(max(counts) + 2), repeat=len(counts)))
    away = np.subtract(tables, counts)
    one, two = np.abs(away).sum(axis=1) == 1, np.abs(away).sum(axis=1) == 2
    for mask, part in ((one, 2), (two & (away.sum(axis=1) == 0), 1)):
        near = list(itertools.compress(tables, mask))
        loss = privacy_loss(dp.Exponential(counts, epsilon=epsilon, sensitivity=1), near)
        assert loss <= epsilon / part * (1 + 1e-9)


# -- what it discloses


@given(score_tables(1, 4), epsilons | st.sampled_from([1e3, math.inf]), st.booleans())
def test_the_risk_is_the_largest_posterior(worlds, epsilon, uniform):
    choice = dp.Exponential(worlds[0], epsilon=epsilon, sensitivity=1)
    weights = np.arange(1, len(worlds) + 1) % 4  # a world may be impossible
    prior = None if uniform else weights / weights.sum()
    exact = exact_risk(worlds, epsilon, 1, [1] * len(worlds) if uniform else prior)
    assert choice.disclosure_risk(worlds, prior=prior) == pytest.approx(float(exact), rel=1e-12)


# -- epsilon from risk

tables = score_tables(2, 4) | score_tables(2, 4, sevenths) | beside(0.1, 1e3, 54321.3, step=0.1)
priors = st.sampled_from([(1, 1, 1, 1), (1, 2, 4, 0), (5, 1, 1, 1)])


@given(tables, between, st.floats(0.1, 10), priors)
def test_the_epsilon_of_a_risk_is_safe_and_a_little_more_is_not(worlds, share, sensitivity, parts):
    """With the risk anywhere between the prior and 1."""
    weights = np.array(parts[: len(worlds)], dtype=float)
    prior = (weights / weights.sum()).tolist()
    risk = Fraction(max(prior)) + share * (1 - Fraction(max(prior)))
    assert_kept(worlds, risk, prior, sensitivity)


@given(beside(0.0, 2.0**55, step=8))
def test_scores_whose_differences_no_float_holds_keep_the_risk(worlds):
    """Beside 2**55 floats tie what is not: a difference of scores would be off by up to 2."""
    assert_kept([[a / 8, b] for a, b in worlds], Fraction(2, 3), within=1e-5)


@given(st.integers(1, 280), st.integers(2, 20), st.permutations(range(1, 60)))
def test_a_world_that_hardly_anybody_expects_keeps_the_risk(power, halvings, scores):
    """Only an outcome that favours it by a factor of 10**power makes it likely."""
    masses = np.array([1.0, 1.0, 10.0**-power])
    worlds = [[0, scores[0]], [0, scores[0]], [scores[1], 0]]
    assert_kept(worlds, 1 - Fraction(1, 2**halvings), (masses / masses.sum()).tolist())


@given(st.integers(10, 10**6), st.integers(1, 10**4 - 1), st.integers(0, 40))
def test_two_worlds_that_exchange_a_record_have_a_closed_form(records, share, halvings):
    """Scores (a, a - 1) and (a - 1, a): the risk is 1/(1 + e^(-epsilon/2)), at any a."""
    worlds = [[records, records - 1], [records - 1, records]]
    risk = 1 - Fraction(10**4 - share, 10**4 * 2 ** (1 + halvings))
    exact, lost = 2 * mp.log(real(risk / (1 - risk))), 1e-9 + 1e-13 / float(1 - risk)
    assert exact * (1 - lost) <= found(worlds, risk).epsilon <= exact


@given(tables, st.lists(between, min_size=2, max_size=2))
def test_a_larger_risk_never_has_a_smaller_epsilon(worlds, shares):
    least = Fraction(1, len(worlds))
    smaller, larger = (found(worlds, least + (1 - least) * share) for share in sorted(shares))
    assert smaller.epsilon <= larger.epsilon


def test_the_risk_may_fall_while_epsilon_grows_and_what_is_returned_is_safe():
    """Sixty outcomes of which one leads: beyond some epsilon it is chosen anyway."""
    worlds = np.zeros((2, 60))
    worlds[:, 0] = 5, 5.2
    risks = [float(exact_risk(worlds, e, 1, [1, 1])) for e in (0.8, 1.2, 1.4, 2.0)]
    assert risks[0] < risks[1] > risks[2] < risks[3]
    for risk in (0.51, 0.515, 0.52, 0.53):
        assert_kept(worlds, Fraction(risk))


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
    assert found(worlds, risk, prior).epsilon == math.inf


def test_the_printed_probabilities_and_losses():
    chances = dict(zip(THOUSANDS.outcomes, THOUSANDS.probabilities.round(4).tolist()))
    expected = {"Married-civ-spouse": 0.8888, "Never-married": 0.1039, "Divorced": 0.0046}
    assert expected.items() <= chances.items()
    assert THOUSANDS.guarantee(1 / 1000) == pytest.approx(0.001, rel=1e-15)
    steps = np.eye(len(PEOPLE))
    near = {0.0005: [*steps, *-steps], 0.00094: [a - b for a in steps for b in steps if a is not b]}
    for loss, moves in near.items():
        neighbours = (np.asarray(PEOPLE) + np.array(moves)) / 1000
        assert privacy_loss(THOUSANDS, neighbours) == pytest.approx(loss, abs=5e-6)


TWO = [[0, 1], [1, 0]]


def choose(scores=(0, 1), epsilon=1, sensitivity=1):
    return dp.Exponential(scores, epsilon=epsilon, sensitivity=sensitivity)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: choose(epsilon=0), r"epsilon must lie in \(0, inf\], got 0.0"),
        (lambda: choose(sensitivity=0), r"sensitivity must lie in \[1e-100, 1e\+100\], got 0.0"),
        (lambda: choose([0, math.inf]), r"scores must lie in \(-inf, inf\), got inf"),
        (lambda: choose([0, 2e100]), r"scores must lie in \[-1e\+100, 1e\+100\], got 2e\+100"),
        (lambda: choose({}), r"scores must not be empty, got \[\]"),
        (lambda: choose(["a"]), r"scores must hold real numbers in one row, got \['a'\]"),
        (lambda: choose().likelihoods([[1]]), "worlds must .* of 2 outcomes, got shape .*"),
        (lambda: choose().disclosure_risk([1, 2]), r"worlds must .*, got shape \(2,\)"),
        (lambda: choose().guarantee(-1), r"sensitivity must lie in .*, got -1.0"),
        (lambda: found(TWO, 1.2), r"risk must lie in \(0, 1\), got 1.2"),
        (lambda: found(TWO, 0.7, [1]), "prior must hold one .*, 2, got 1"),
        (lambda: found(TWO, "1/2"), "risk must exceed 1/2 = 0.5, the largest prior, got 1/2 = 0.5"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises((ValueError, TypeError), match=f"^{message}$") as caught:
        call()
    assert isinstance(caught.value, dp.UnattainableRisk) == ("prior," in str(caught.value))


def test_scores_that_would_be_taken_for_equal_are_refused():
    """At an epsilon without limit the better one is drawn always, however little it is better."""
    worlds = [[0, 1e-250], [1e-250, 0]]
    with pytest.raises(
        ValueError, match=r"^scores must be equal, or differ by 2e-300 [^\n]* got 1e-250$"
    ):
        dp.Exponential.from_risk([0, 1e-250], worlds=worlds, risk="3/4", sensitivity=1e100)
