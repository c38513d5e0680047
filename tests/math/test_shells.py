"""The shell bound is a bound, and for one answer no worse than the closed form."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf
from strategies import NAMED_QUERIES, midrange, of_each_family

import dpchoose as dp
from dpchoose.data.asking import ask
from dpchoose.risk import shell


@st.composite
def releases(draw, max_size=7):
    """Records with ties, clusters or an outlier, and how many are released."""
    kind = draw(
        st.sampled_from([st.integers(0, 2), st.integers(-9, 9), st.floats(-5, 5, width=16)])
    )
    universe = draw(st.lists(kind.map(float), min_size=2, max_size=max_size))
    if draw(st.booleans()):
        universe[0] = draw(st.sampled_from([100.0, -1e4]))
    return universe, draw(st.integers(1, len(universe) - 1))


@of_each_family
@given(drawn=releases(), power=st.floats(-2, 2), data=st.data())
def test_the_bounds_stand_in_order(family, drawn, power, data):
    """Tight bound, shell bound, upper bound, at every epsilon."""
    universe, size = drawn
    query = data.draw(st.sampled_from(family))
    worlds = dp.possible_worlds(query, universe, size)
    at = {"epsilon": 10**power, "sensitivity": max(worlds.spread, 1e-3)}
    worst = dp.tight_bound(worlds, **at)
    bound = dp.shell_bound(query, universe, size, **at)
    assert worst <= bound * (1 + 1e-9)
    assert bound <= dp.upper_bound(worlds, **at) * (1 + 1e-9)


@of_each_family
@given(drawn=releases(), data=st.data())
def test_shells_are_all_the_worlds_by_how_many_records_they_change(family, drawn, data):
    """Their sizes add up, and no world of a shell is farther than the shell."""
    universe, size = drawn
    query = data.draw(st.sampled_from(family))
    around = shell.surroundings(ask(query, universe), size, 10**6)
    distances = around.distances[0]
    sizes = [math.comb(size, k) * math.comb(len(universe) - size, k) for k in range(len(distances))]
    assert np.exp(around.logs) == pytest.approx(sizes, rel=1e-12)
    assert around.prior == Fraction(1, sum(sizes))
    assert distances[0] == 0
    assert np.all(np.diff(distances) >= 0)
    answers = dp.world_answers(query, universe, size)
    inside = np.zeros((len(answers), len(universe)))
    worlds = list(itertools.combinations(range(len(universe)), size))
    np.put_along_axis(inside, np.array(worlds), 1, axis=1)
    changed = size - (inside @ inside.T).astype(int)
    slack = 1e-9 * (1 + np.abs(answers).max())
    assert (np.abs(answers[:, None] - answers) <= distances[changed] + slack).all()


@given(
    drawn=releases(max_size=6),
    several=st.lists(st.sampled_from(NAMED_QUERIES), min_size=1, max_size=3, unique=True),
    data=st.data(),
)
def test_the_shell_bound_of_several_answers_is_never_below_the_tight_bound(drawn, several, data):
    """For the uniform prior, at every epsilon; with infinite ones too."""
    universe, size = drawn
    worlds = dp.possible_worlds(several, universe, size)
    powers = st.one_of(st.floats(-2, 2), st.sampled_from([-math.inf, math.inf]))
    grid = data.draw(st.lists(st.tuples(*[powers] * len(several)), min_size=1, max_size=4))
    at = {"epsilon": 10.0 ** np.array(grid), "sensitivity": np.maximum(worlds.spread, 1e-3)}
    worst = dp.tight_bound(worlds, **at)
    bound = dp.shell_bound(several, universe, size, **at)
    assert bound.shape == (len(grid),)
    assert (worst <= bound * (1 + 1e-9)).all()
    assert (bound >= 1 / worlds.total * (1 - 1e-12)).all()


def test_a_table_has_the_shell_bound_of_its_columns():
    """Pairs of a query and a column; their distances are weighed by the rates and added."""
    table = pd.DataFrame({"age": [1, 2, 3, 10], "visits": [0, 4, 4, 5]})
    at = {"epsilon": [[0.0, 0.0], [1.0, 2.0]], "sensitivity": [3.0, 5.0]}
    got = dp.shell_bound([("mean", "age"), ("sum", "visits")], table, 3, **at)
    distance = 1 / 3 * 3 + 2 / 5 * 5
    assert got.tolist() == pytest.approx([1 / 4, 1 / (1 + 3 * math.exp(-distance))], rel=1e-14)


@given(size=st.integers(1, 400), data=st.data())
def test_logarithms_of_binomials_are_within_their_error(size, data):
    """ln C(n, k) for k = 0, ..., most."""
    most = data.draw(st.integers(0, size))
    logs, error = shell.log_choose(size, most)
    expected = [math.log(math.comb(size, k)) for k in range(most + 1)]
    assert np.abs(logs - expected).max() <= error + 1e-15
    assert error < 1e-11


@pytest.mark.parametrize(("size", "records"), [(7, 20), (450, 900), (50_000, 150_000)])
def test_logarithms_of_the_sizes_of_shells_are_within_their_error(size, records):
    """Also where fifty thousand are added up, whose roundings are kept."""
    logs, error = shell.log_sizes(size, records)
    with mpmath.workdps(40):
        for k in range(0, size + 1, max(1, size // 40)):
            few, many = (mpmath.binomial(of, k) for of in (size, records - size))
            assert abs(mpf(float(logs[k])) - mpmath.log(few * many)) <= mpf(error)
    assert error < 1e-9


@pytest.mark.parametrize(
    ("query", "epsilon"), [("mean", 40), ("median", 40), ("var", 9), (["mean", "var"], [30, 30])]
)
def test_the_shell_bound_of_two_thousand_records_is_its_equation(query, epsilon):
    """With 40 digits, although there are more worlds than a float can count."""
    universe = np.random.default_rng(0).lognormal(size=2000)
    asked = ask(query, universe)
    around = shell.surroundings(asked, 1000, 10**6)
    sensitivity = [0.05, 2.0] if asked.several else 0.05
    got = dp.shell_bound(query, universe, 1000, epsilon=epsilon, sensitivity=sensitivity)
    rates = np.ravel(np.divide(epsilon, sensitivity)).tolist()
    with mpmath.workdps(40):
        total = mpmath.fsum(
            mpf(math.comb(1000, k)) ** 2
            * mpmath.exp(-mpmath.fsum(t * mpf(d) for t, d in zip(rates, column)))
            for k, column in enumerate(around.distances.T.tolist())
        )
        assert 1e-200 < got == pytest.approx(float(1 / total), rel=1e-10, abs=0)
    none = np.zeros_like(epsilon)
    smallest = dp.shell_bound(query, universe, 1000, epsilon=none, sensitivity=sensitivity)
    assert smallest == math.ulp(0.0)  # the prior, 1e-600, is below every float


def test_the_prior_of_countable_worlds_is_exact():
    """One over their number, while that fits in a float."""
    around = shell.surroundings(ask("median", range(900)), 450, 10**6)
    assert around.prior == Fraction(1, math.comb(900, 450))
    assert around.spread.tolist() == [450.0]


def test_distances_that_are_dear_are_rounded_up():
    """Every distance in between has the value of the next larger one that was looked at."""
    universe = np.random.default_rng(1).normal(size=150)
    around = shell.surroundings(ask("var", universe), 75, 10**6).distances[0]
    for k in (1, 2, 40, 61, 70, 75):
        exact = dp.global_sensitivity("var", universe, 75, adjacency="bounded", distance=k).value
        assert around[k] >= exact * (1 - 1e-12)
        if k in (1, 75):
            assert around[k] == pytest.approx(exact, rel=1e-12)


def test_all_but_one_is_the_closed_form():
    """Every other world is one change away."""
    worlds = dp.possible_worlds("mean", [1, 2, 3, 10], 3)
    for epsilon in ([0.0, 0.1, 1.0, math.inf], 0.3):
        at = {"epsilon": epsilon, "sensitivity": 17 / 6}
        bound = dp.shell_bound("mean", [1, 2, 3, 10], 3, **at)
        assert bound == pytest.approx(dp.upper_bound(worlds, **at), rel=1e-14)
        assert np.shape(bound) == np.shape(epsilon)


def test_without_noise_only_tied_shells_protect():
    """A sensitivity of 0, like an infinite epsilon, asks for no noise."""
    zeros = [0, 0, 0, 0, 5]
    for at in ({"epsilon": 1, "sensitivity": 0}, {"epsilon": math.inf, "sensitivity": 2}):
        assert dp.shell_bound("median", zeros, 3, **at) == pytest.approx(0.1)
        assert dp.shell_bound("mean", zeros, 3, **at) == 1
    both = {"epsilon": [[math.inf, 0], [0, math.inf]], "sensitivity": [1, 1]}
    got = dp.shell_bound(["median", "mean"], zeros, 3, **both)
    assert got.tolist() == pytest.approx([0.1, 1])


def test_a_callable_is_refused_when_there_are_too_many_pairs():
    """It is enumerated where it can be."""
    assert dp.shell_bound(midrange, [0, 1, 2], 1, epsilon=0, sensitivity=1) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"^max_worlds is 10 but this sensitivity looks at "):
        dp.shell_bound(midrange, range(9), 4, epsilon=1, sensitivity=1, max_worlds=10)
