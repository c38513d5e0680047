"""Risks held against exact answers: those of the floats given, in fractions."""

import itertools
import math
import warnings
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from exact_strategies import ASKED, AWKWARD
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mpf
from test_exact import exactly

import dpchoose as dp
from dpchoose.data.asking import ask
from dpchoose.data.codes import MissingCodeWarning
from dpchoose.epsilon.inverse import largest_rate
from dpchoose.epsilon.ray import ray_of
from dpchoose.epsilon.setting import Setting
from dpchoose.worlds.whole import TooFarApart

DIGITS = 150  # of the risks: records differ by up to 37 orders of magnitude, in squares
CERTIFIED = Fraction(1, 10**12)

every_kind = pytest.mark.parametrize("kind", AWKWARD)
shares = st.one_of(st.floats(0.001, 0.999), st.sampled_from([1e-6, 1 - 1e-6]))


def gap(query, one, other):
    """The distance of two exact answers; those of std are squares."""
    if query != "std":
        return abs(mpf(one.numerator) / one.denominator - mpf(other.numerator) / other.denominator)
    roots = [mpmath.sqrt(mpf(v.numerator) / v.denominator) for v in (one, other)]
    return abs(roots[0] - roots[1])


def away(queries, one, other, rates):
    """The sum of rate times distance; without noise infinite, unless the answers tie."""
    parts = [
        mpmath.inf if rate is None else rate * gap(query, x, y)
        for query, x, y, rate in zip(queries, one, other, rates)
        if x != y
    ]
    return mpmath.fsum(parts) if mpmath.inf not in parts else mpmath.inf


def world_risk(answers, queries, rates):
    """The largest posterior of a world, all equally likely."""
    counts = Counter(answers)
    return max(
        1
        / mpmath.fsum(n * mpmath.exp(-away(queries, one, two, rates)) for two, n in counts.items())
        for one in counts
    )


def record_risk(answers, worlds, queries, rates, secret):
    """The largest posterior that one record is in, or out, on the grid of the answers."""
    worst, records = mpf(0), {record for world in worlds for record in world}
    for output in itertools.product(*map(set, zip(*answers))):
        apart = [away(queries, output, one, rates) for one in answers]
        if min(apart) == mpmath.inf:
            continue
        likely = [mpmath.exp(min(apart) - one) for one in apart]
        for record in records:
            held = [like for like, world in zip(likely, worlds) if record in world]
            inside = mpmath.fsum(held) / mpmath.fsum(likely)
            worst = max(worst, inside if secret == "present" else 1 - inside)
    return worst


def rates_of(found):
    return [1 / mpf(scale) if scale else None for scale in found.table["noise scale"].tolist()]


def recommended(*asked, **at):
    """A recommendation that gives noise; others promise nothing."""
    try:
        found = dp.recommend(*asked, **at)
    except TooFarApart:
        assume(False)
    assume(found.status not in ("cannot be met", "nothing left"))
    return found


@st.composite
def releases(draw, kind, most, several):
    universe = draw(st.lists(AWKWARD[kind], min_size=3, max_size=most))
    size = draw(st.sampled_from([len(universe) - 1, *range(1, len(universe))]))
    queries = draw(st.lists(st.sampled_from(ASKED), min_size=1, max_size=several, unique=True))
    return universe, size, queries


@every_kind
@given(data=st.data())
def test_no_world_exceeds_its_risk(kind, data):
    universe, size, queries = data.draw(releases(kind, 6, 3))
    prior = 1 / math.comb(len(universe), size)
    risk = prior + (1 - prior) * data.draw(shares)
    found = recommended(queries, universe, size, risk=risk)
    worlds = itertools.combinations(universe, size)
    answers = [tuple(exactly(query, world) for query in queries) for world in worlds]
    with mpmath.workdps(DIGITS):
        assert world_risk(answers, queries, rates_of(found)) <= mpf(risk) * (1 + CERTIFIED)


@every_kind
@pytest.mark.parametrize("secret", ["present", "absent"])
@given(data=st.data())
def test_no_record_exceeds_its_risk(kind, secret, data):
    universe, size, queries = data.draw(releases(kind, 4, 2))
    prior = size / len(universe)
    prior = prior if secret == "present" else 1 - prior
    risk = prior + (1 - prior) * data.draw(shares)
    found = recommended(queries, universe, size, risk=risk, secret=secret)
    worlds = list(itertools.combinations(range(len(universe)), size))
    answers = [tuple(exactly(q, [universe[i] for i in world]) for q in queries) for world in worlds]
    with mpmath.workdps(DIGITS):
        worst = record_risk(answers, worlds, queries, rates_of(found), secret)
        assert worst <= mpf(risk) * (1 + CERTIFIED)


@every_kind
@given(data=st.data())
def test_no_world_of_groups_exceeds_its_risk(kind, data):
    universe = data.draw(st.lists(AWKWARD[kind], min_size=6, max_size=7))
    query = data.draw(st.sampled_from(ASKED))
    labels = data.draw(st.permutations([0, 0, 0] + [1] * (len(universe) - 3)))
    risk = data.draw(st.floats(1.001 / len(universe), 0.999))
    assert_groups_keep(query, universe, labels, risk)


def test_deviations_that_nearly_tie_beside_a_fill_value_are_told_apart():
    universe = [28.0, 14.0, 10.0, 1e30, 13.0, 21.0]
    assert_groups_keep("std", universe, [0, 1, 1, 0, 1, 0], 0.37742338408877796)


def assert_groups_keep(query, universe, labels, risk):
    """No world of all records but one exceeds the risk."""
    found = dp.recommend(query, universe, risk=risk, by=labels)
    if found.status in ("cannot be met", "nothing left"):
        return
    answers = []
    for out in range(len(universe)):
        parts = [[], []]
        for place, value in enumerate(universe):
            if place != out:
                parts[labels[place]].append(value)
        answers.append(tuple(exactly(query, part) for part in parts))
    with mpmath.workdps(DIGITS):
        assert world_risk(answers, [query] * 2, rates_of(found)) <= mpf(risk) * (1 + CERTIFIED)


@every_kind
@given(data=st.data())
def test_the_other_bounds_are_above_the_exact_risk(kind, data):
    """The upper bound and the shell bound, whose distances are found without the worlds."""
    universe, size, queries = data.draw(releases(kind, 6, 2))
    prior = 1 / math.comb(len(universe), size)
    risk = Fraction(prior + (1 - prior) * data.draw(shares))
    scales = np.full(len(queries), math.nan)
    setting = Setting(ask(queries, universe), size, "unbounded", 10**6, scales)
    ray = ray_of(setting.sensitivities)
    answers = [
        tuple(exactly(query, world) for query in queries)
        for world in itertools.combinations(universe, size)
    ]
    bounds = setting.bounds(ray, risk)
    for name in ("shell bound", "upper bound"):
        along = largest_rate(bounds[name], risk)
        rates = [mpf(rate) if rate < math.inf else None for rate in ray.rates(along).tolist()]
        with mpmath.workdps(DIGITS):
            exact = world_risk(answers, queries, rates)
            assert not along or exact <= mpf(risk) * (1 + CERTIFIED)


def test_neighbouring_floats_far_from_zero_are_told_apart():
    universe = [1e15 + step for step in (8, 4, 1, 6)]
    shifted = [8.0, 4, 1, 6]
    at = {"release_size": 3, "risk": 0.3333}
    far = dp.recommend("percentile_33.3", universe, **at).epsilon
    assert far == pytest.approx(dp.recommend("percentile_33.3", shifted, **at).epsilon, rel=1e-12)


def test_answers_whose_floats_are_equal_have_a_spread():
    universe = [1.0, 1 + math.ulp(1.0), 1.0, 1 + math.ulp(1.0)]
    worlds = dp.possible_worlds("mean", universe, 3)
    assert len(worlds.answers) == 2
    assert worlds.spread == math.ulp(1.0) / 3
    assert dp.recommend("mean", universe, risk=0.4).table["noise scale"][0] > 0


@pytest.mark.parametrize("query", ASKED)
@pytest.mark.parametrize("offset", [1e9, 2.0**40])
def test_the_same_records_counted_from_elsewhere_have_the_same_scale(query, offset):
    """Data plus c: what the noise must hide does not move."""
    universe = np.array([0.0, 1, 3, 0.5, 7, 7.25])
    one, other = (
        dp.recommend(query, values, 4, risk=0.3) for values in (universe, universe + offset)
    )
    scales = [found.table["noise scale"][0] for found in (one, other)]
    assert scales[1] == pytest.approx(scales[0], rel=1e-12)


@pytest.mark.parametrize("fill", [1e20, 9.96921e36])
@pytest.mark.parametrize("query", ["sum", "mean", "var", "std"])
def test_a_fill_value_does_not_hide_the_others(query, fill):
    """Sums of floats tie beside 1e20, exact ones do not: there is a need for noise."""
    universe = [21.5, 19.25, 22.0, 20.5, 18.75, fill, fill, fill]
    found = dp.recommend(query, universe, 4, risk=0.5)
    assert found.status != "any epsilon"


def test_records_that_no_two_floats_hold_beside_each_other_are_refused_by_name():
    universe = [1.0, 2.5, 4.75, 7.0, 11.0, 9.96921e36, 9.96921e36, 9.96921e36]
    with pytest.raises(ValueError, match=r"universe must hold .* got 9.96921e\+36 and"):
        dp.recommend("sum", universe, 6, risk=0.4)


@pytest.mark.parametrize(
    "universe", [[2**53 + 1, 1, 2], np.array([2**60 + 1, 5]), [0.5, 2**53 + 1]]
)
def test_integers_that_a_float_cannot_hold_are_refused(universe):
    with pytest.raises(ValueError, match="integers that a float can tell apart, got"):
        dp.possible_worlds("sum", universe, 1)
    assert dp.possible_worlds("sum", [2**53 + 2, 2**60, 1], 1).total == 3


def test_a_prior_below_every_sum_is_refused():
    with pytest.raises(ValueError, match="prior must be 0 or at least 1e-290"):
        dp.possible_worlds("sum", [1, 2, 3], 1, prior=[1e-300, 0.5, 0.5])


@pytest.mark.parametrize("code", [-99999, 999999, 1e20, 9.969209968386869e36, -999, 5000])
def test_a_value_that_looks_like_a_code_gets_one_line_of_warning(code):
    with pytest.warns(MissingCodeWarning, match="far from all other values") as said:
        dp.possible_worlds("mean", [1, 2, 3, 4.5, code, code], 5)
    assert len(said) == 1
    assert "\n" not in str(said[0].message)


@pytest.mark.parametrize("seed", range(20))
def test_heavy_tails_and_flags_get_no_warning(seed):
    rng = np.random.default_rng(seed)
    honest = [
        rng.lognormal(0, 2, 500),
        rng.pareto(1.5, 500),
        rng.standard_t(2, 500),
        rng.integers(0, 2, 500),
        rng.normal(1e9, 1, 500),
        np.append(rng.integers(0, 1000, 500), 999),
        np.full(9, 7.0),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error", MissingCodeWarning)
        for values in honest:
            dp.possible_worlds("mean", values, len(values) - 1)
