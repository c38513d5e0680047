"""The risk of several answers published together, held against Bayes' rule over outputs."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import priors, universes_and_sizes

import dpchoose as dp

BOUNDS = [dp.tight_bound, dp.upper_bound]
POPULAR = ["mean", "median", "var", "percentile_100"]

TABLE = np.array([[1.0, 0], [2, 4], [3, 4], [10, 5]])


def worlds_of(rows, prior=None):
    """Worlds with given rows of answers: the place of one record is released and looked up."""
    rows = np.asarray(rows, dtype=float)

    def column(answers):
        return lambda places: answers[places[..., 0].astype(int)]

    return dp.possible_worlds(
        [column(answers) for answers in rows.T], np.arange(float(len(rows))), 1, prior=prior
    )


def some_cases(count, seed):
    """Rows of 1 to 3 answers with ties, a prior or None, rates, and as many sensitivities."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size, several = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        rows = rng.integers(-4, 5, (size, several)) * rng.choice([0.25, 1.0, 1.7], several)
        if rng.random() < 0.3:
            rows = rows + rng.normal(size=rows.shape)
        prior = None
        if rng.random() < 0.6:
            shares = rng.choice([0, 1, 2, 5, 1e-3, 1e-9], size) + (np.arange(size) == 0)
            prior = shares / shares.sum()
        yield rng, rows, prior, 10 ** rng.uniform(-2, 1, several), 10 ** rng.uniform(-1, 1, several)


def some_outputs(rng, rows):
    """All points of the product grid of the coordinates, points between, near and far."""
    grid = np.array(list(itertools.product(*map(np.unique, rows.T))))
    low, high = rows.min(axis=0) - 1, rows.max(axis=0) + 1
    around = rng.uniform(low, high, (40, rows.shape[1]))
    far = rng.choice([-1e6, 0.0, 1e6], (9, rows.shape[1])) + around[:9]
    return np.concatenate([rows, grid, around, far])


def test_no_output_gives_a_world_more_than_the_tight_bound_and_an_answer_gives_as_much():
    """Lee and Clifton's equation 11 for d answers, any prior and ties, in 600 random cases."""
    for rng, rows, prior, epsilon, sensitivity in some_cases(600, seed=1):
        at = {"epsilon": epsilon, "sensitivity": sensitivity}
        bound = dp.tight_bound(worlds_of(rows, prior), **at)
        beliefs = dp.posterior(rows, some_outputs(rng, rows), prior=prior, **at)
        assert beliefs.max() <= bound * (1 + 1e-12)
        assert beliefs[: len(rows)].max() == pytest.approx(bound, rel=1e-12)


def test_the_upper_bound_is_the_risk_with_all_others_at_the_largest_distance():
    """Over all pairs of worlds that are possible; and it is never below the tight bound."""
    for _, rows, prior, epsilon, sensitivity in some_cases(300, seed=2):
        at = {"epsilon": epsilon, "sensitivity": sensitivity}
        worlds = worlds_of(rows, prior)
        near = rows if prior is None else rows[prior > 0]
        gaps = np.abs(near[:, None] - near) @ (epsilon / sensitivity)
        largest = 1 / len(rows) if prior is None else prior.max()
        expected = largest / (largest + (1 - largest) * math.exp(-gaps.max()))
        upper = dp.upper_bound(worlds, **at)
        assert upper == pytest.approx(expected, rel=1e-12)
        assert dp.tight_bound(worlds, **at) <= upper * (1 + 1e-12)


def test_who_is_torn_between_the_two_farthest_worlds_attains_the_upper_bound():
    """With p = 1/2 for each of the two the bounds are one."""
    for _, rows, _, epsilon, sensitivity in some_cases(100, seed=3):
        gaps = np.abs(rows[:, None] - rows) @ (epsilon / sensitivity)
        prior = np.zeros(len(rows))
        prior[list(np.unravel_index(gaps.argmax(), gaps.shape))] = 0.5
        if gaps.any():
            at = {"epsilon": epsilon, "sensitivity": sensitivity}
            tight, upper = (bound(worlds_of(rows, prior), **at) for bound in BOUNDS)
            assert tight == pytest.approx(upper, rel=1e-12)
            assert upper == pytest.approx(1 / (1 + math.exp(-gaps.max())), rel=1e-12)


def test_more_noise_on_any_answer_never_tells_more():
    """No risk falls with any of the rates, of both bounds, in 200 random cases."""
    for rng, rows, prior, epsilon, sensitivity in some_cases(200, seed=4):
        louder = epsilon * np.where(rng.random(len(epsilon)) < 0.5, 1, rng.uniform(1, 5))
        ladder = np.stack([np.zeros_like(epsilon), epsilon, louder, louder * 10, louder * np.inf])
        for bound in BOUNDS:
            risks = bound(worlds_of(rows, prior), epsilon=ladder, sensitivity=sensitivity)
            assert (np.diff(risks) >= -1e-13).all()


@pytest.mark.parametrize("bound", BOUNDS)
def test_an_answer_that_drowns_in_noise_might_as_well_be_kept_back(bound):
    """Epsilon 0 leaves the risk of the others."""
    for _, rows, prior, epsilon, sensitivity in some_cases(100, seed=5):
        silent = np.append(epsilon, 0.0), np.append(sensitivity, 1.0)
        more = np.column_stack([rows, np.arange(len(rows))])
        alone = bound(worlds_of(rows, prior), epsilon=epsilon, sensitivity=sensitivity)
        beside = bound(worlds_of(more, prior), epsilon=silent[0], sensitivity=silent[1])
        assert beside == pytest.approx(alone, rel=1e-12)


@given(drawn=universes_and_sizes(max_size=5), data=st.data())
def test_at_epsilon_0_the_joint_risk_is_the_prior_and_without_noise_only_ties_protect(drawn, data):
    """The ends of every curve; a sensitivity of 0 asks for no noise, like an infinite epsilon."""
    universe, size = drawn
    prior = data.draw(priors(math.comb(len(universe), size)))
    worlds = dp.possible_worlds(["mean", "median"], universe, size, prior=prior)
    share, largest = float(worlds.largest_share), float(worlds.largest_prior)
    apart = 1.0 if len(worlds.answers) > 1 else largest
    for bound, without_noise in [(dp.tight_bound, share), (dp.upper_bound, apart)]:
        nothing = bound(worlds, epsilon=[0, 0], sensitivity=[3, 0.1])
        assert nothing == pytest.approx(largest, rel=1e-12)
        for at in (
            {"epsilon": [math.inf, math.inf], "sensitivity": [3, 1e-9]},
            {"epsilon": [0, 5], "sensitivity": [0, 0]},
        ):
            assert bound(worlds, **at) == pytest.approx(without_noise, rel=1e-12)


@given(drawn=universes_and_sizes(max_size=5), query=st.sampled_from(POPULAR))
def test_one_answer_in_a_list_has_the_risk_of_one_answer(drawn, query):
    """A column of answers, an epsilon and a sensitivity of one entry each."""
    universe, size = drawn
    one, column = (dp.possible_worlds(ask, universe, size) for ask in (query, [query]))
    sensitivity = max(one.spread, 1e-3)
    for bound in BOUNDS:
        for epsilon in (0.0, 0.7, 20.0, math.inf):
            alone = bound(one, epsilon=epsilon, sensitivity=sensitivity)
            listed = bound(column, epsilon=[epsilon], sensitivity=[sensitivity])
            assert listed == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("bound", BOUNDS)
def test_an_answer_that_is_published_twice_has_twice_the_rate(bound):
    """Rates of the same answer add up."""
    for _, rows, prior, epsilon, sensitivity in some_cases(100, seed=6):
        once, twice = (worlds_of(np.tile(rows, times), prior) for times in (1, 2))
        parts = np.concatenate([epsilon / 4, epsilon * 3 / 4])
        apart = bound(twice, epsilon=parts, sensitivity=np.tile(sensitivity, 2))
        whole = bound(once, epsilon=epsilon, sensitivity=sensitivity)
        assert apart == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_last_axis_of_epsilon_is_that_of_the_answers(bound):
    """Shapes (d,) and (..., d) give a float and an array without the last axis."""
    worlds = worlds_of(TABLE)
    epsilon = np.linspace(0, 3, 24).reshape(3, 4, 2)
    got = bound(worlds, epsilon=epsilon, sensitivity=[2, 3])
    assert got.shape == (3, 4)
    for place in np.ndindex(3, 4):
        alone = bound(worlds, epsilon=epsilon[place], sensitivity=[2, 3])
        assert type(alone) is float
        assert alone == got[place]
    assert bound(worlds, epsilon=np.zeros((0, 2)), sensitivity=[2, 3]).shape == (0,)


@pytest.mark.parametrize(
    "bound",
    [partial(bound, worlds_of(TABLE)) for bound in BOUNDS]
    + [partial(dp.shell_bound, ["mean", "median"], [1, 2, 3, 10], 2)],
    ids=["tight", "upper", "shell"],
)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"epsilon": 1}, r"^epsilon must have shape \(\.\.\., 2\), got \(\)$"),
        ({"epsilon": [1, 2, 3]}, r"^epsilon must have shape \(\.\.\., 2\), got \(3,\)$"),
        ({"epsilon": [1, -1]}, r"^epsilon must lie in \[0, inf\], got -1"),
        ({"sensitivity": 1}, r"^sensitivity must have shape \(2,\), got \(\)$"),
        ({"sensitivity": [[1, 2]]}, r"^sensitivity must have shape \(2,\), got \(1, 2\)$"),
        ({"sensitivity": [1, math.inf]}, r"^sensitivity must lie in \[0, inf\), got inf$"),
    ],
)
def test_what_does_not_fit_the_answers_is_refused_with_both_shapes(bound, wrong, message):
    """Of the tight, the upper and the shell bound."""
    at = {"epsilon": [1, 1], "sensitivity": [1, 1], **wrong}
    with pytest.raises(ValueError, match=message):
        bound(**at)


def test_the_average_case_is_of_one_answer():
    """Several are refused with their number."""
    with pytest.raises(ValueError, match=r"^worlds must have one answer each, got 2$"):
        dp.average_risk(worlds_of(TABLE), epsilon=1, sensitivity=1)


def test_two_of_four_records_together():
    """Each world of a cross is as far from two others as the rates say: e^-1, e^-2, e^-3."""
    cross = worlds_of([[0, 0], [0, 1], [1, 0], [1, 1]])
    got = dp.tight_bound(cross, epsilon=[1, 2], sensitivity=[1, 1])
    assert got == pytest.approx(1 / ((1 + math.exp(-1)) * (1 + math.exp(-2))), rel=1e-14)
