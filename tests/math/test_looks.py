"""What a curve sees at a rate is within its proved error of the risk on paper.

An epsilon is found safe by adding that error. So it is held here on its own: where it is too
small by a few units in the last place, hardly any epsilon would tell.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from strategies import weighted_answers, worlds_of
from test_exponential import exact_risk
from test_risk import average, exact_rows, worst_case
from test_shells import releases

import dpchoose as dp
from dpchoose.data.asking import ask
from dpchoose.epsilon.inverse import largest_rate
from dpchoose.epsilon.ray import ray_of
from dpchoose.mechanisms.choice_risk import ChoiceRisk
from dpchoose.risk import shell, world_curves
from dpchoose.risk.curves import Look
from dpchoose.risk.groups import GroupedSums, GroupedTight
from dpchoose.risk.joint import diameter

rates = st.floats(-3, 3).map(lambda power: 10.0**power)


def assert_within(seen, exact, most=1e-9):
    """The logarithm of the risk is as near as it says, and it says something useful.

    It is raised by what is lost of the answers.
    """
    above = mpf(seen.log_risk) - mpmath.log(exact)
    assert -mpf(seen.log_error) <= above <= mpf(seen.log_error) + 2 * mpf(seen.lost)
    assert seen.log_error <= most


def exact_tight(answers, masses, peaks, at):
    """The largest posterior of a world, of rows of answers with their masses and peaks."""
    sums = [
        mpmath.fsum(
            mass * mpmath.exp(-mpmath.fsum(t * abs(x - y) for t, x, y in zip(at, one, other)))
            for other, mass in zip(answers, masses)
        )
        for one in answers
    ]
    return max(peak / whole for peak, whole in zip(peaks, sums))


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=2, max_size=4), rates, st.booleans())
def test_the_risk_of_a_choice(scores, epsilon, rare):
    worlds, prior = np.array(scores, dtype=float), np.full(len(scores), 1.0)
    prior[0] = 1e-200 if rare else 1.0
    with mpmath.workdps(400):
        exact = exact_risk(scores, epsilon, 1, prior.tolist())
        assert_within(ChoiceRisk(worlds, prior, 1.0).look(epsilon, -0.1), exact)


@given(weighted_answers(scales=(1.0,)), rates)
def test_the_tight_bound_and_the_average_case_of_one_answer(drawn, rate):
    answers, prior, _ = drawn
    worlds = worlds_of(answers, prior)
    among = np.ones(len(worlds.answers), dtype=bool)
    with mpmath.workdps(400):
        tight, mean = (risk(worlds, mpf(rate)) for risk in (worst_case, average))
        assert_within(world_curves.Tight(worlds, among).look(rate, -0.1), tight)
        assert_within(world_curves.Average(worlds).look(rate, -0.1), mean)


@pytest.mark.filterwarnings("ignore::dpchoose.data.codes.MissingCodeWarning")
@settings(max_examples=15)
@given(st.lists(st.integers(-9, 9), min_size=3, max_size=4), rates, rates)
def test_sums_beside_a_record_far_from_all_others(values, one, other):
    """Floats hold the sums with it, and not their differences: what they lack is not lost."""
    far = [*values, 10**9]
    table = pd.DataFrame({"a": far, "b": far[::-1]}) / 7
    for asked, at in (([("sum", "a")], [one]), ([("sum", "a"), ("sum", "b")], [one, other])):
        worlds = dp.possible_worlds(asked, table, 2)
        curve = world_curves.Joint(
            worlds, np.ones(len(worlds.answers), dtype=bool), np.zeros(len(at)), np.array(at)
        )
        alone = dp.possible_worlds("sum", table.a, 2)
        among = np.ones(len(alone.answers), dtype=bool)
        with mpmath.workdps(100):
            masses = [mpf(mass) / worlds.mass for mass in worlds.masses]
            peaks = [mpf(1) / worlds.mass] * len(masses)
            exact = exact_tight(exact_rows(worlds), masses, peaks, [mpf(rate) for rate in at])
            assert_within(curve.look(1.0, -0.1), exact)
            tight, mean = (risk(alone, mpf(one)) for risk in (worst_case, average))
            assert_within(world_curves.Tight(alone, among).look(one, -0.1), tight)
            assert_within(world_curves.Average(alone).look(one, -0.1), mean)


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=2, max_size=8), rates, rates)
def test_the_tight_bound_of_two_answers_and_the_farthest_worlds(values, one, other):
    table = pd.DataFrame(values, columns=["a", "b"]) / 7
    worlds = dp.possible_worlds([("mean", "a"), ("mean", "b")], table, 1)
    among, direction = np.ones(len(worlds.answers), dtype=bool), np.array([one, other])
    curve = world_curves.Joint(worlds, among, np.zeros(2), direction)
    with mpmath.workdps(400):
        masses = [mpf(mass) / worlds.mass for mass in worlds.masses]
        peaks = [mpf(peak) / worlds.mass for peak in worlds.peak_masses]
        places = exact_rows(worlds)
        exact = exact_tight(places, masses, peaks, [mpf(one), mpf(other)])
        assert_within(curve.look(1.0, -0.1), exact)
        widest = max(
            mpf(one) * abs(x[0] - y[0]) + mpf(other) * abs(x[1] - y[1])
            for x in places
            for y in places
        )
        assert widest <= diameter(worlds.places, direction)[0] <= widest * (1 + 1e-12)


@example(([0.0, 0, 0, 0, 5], 3), 1.0, 1.0, "median")  # what is out tells, and no median does
@given(releases(), rates, rates, st.sampled_from(["median", "mean"]))
def test_the_shell_bound_beside_what_is_out(drawn, rate, base, query):
    """Its limit is the prior where no answer tells worlds apart, and 1 elsewhere."""
    universe, size = drawn
    around = shell.surroundings(ask(query, universe), size, 10**6)
    out = shell.surroundings(ask("percentile_90", universe), size, 10**6)
    beside = out.along(np.array([base]))
    distances, ways = around.distances[0], range(around.distances.shape[1])
    sizes = [math.comb(size, k) * math.comb(len(universe) - size, k) for k in ways]
    curve = around.curve(np.ones(1), beside)
    tied = [s for s, here, there in zip(sizes, distances, beside) if here + there == 0]
    assert curve.limit == Fraction(1, sum(tied))
    with mpmath.workdps(400):
        whole = mpmath.fsum(
            s * mpmath.exp(-mpf(rate) * mpf(float(here)) - mpf(float(there)))
            for s, here, there in zip(sizes, distances, beside)
        )
        assert_within(curve.look(rate, -0.1), 1 / whole)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=9), rates, rates, st.data())
def test_the_tight_bound_of_groups(values, one, other, data):
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(values), max_size=len(values)))
    labels[:2] = 0, 1
    worlds = dp.possible_worlds("sum", np.array(values) / 7, len(values) - 1, by=labels)
    sums = GroupedSums(worlds)
    curve = GroupedTight(sums, Fraction(1, 10**9), np.zeros(2), np.array([one, other]))
    moved = [[0.0, 0.0] for _ in values]
    for row, value, label in zip(moved, values, labels):
        row[label] = value / 7
    with mpmath.workdps(400):
        share = mpf(1) / len(values)
        alike = [share] * len(values)
        places = [[mpf(move) for move in row] for row in moved]
        exact = exact_tight(places, alike, alike, [mpf(one), mpf(other)])
        ties = [moved.count(row) for row in moved]
        assert curve.limit == Fraction(1, min(ties))
        risks = sums.tight(np.array([[one], [other]]))
        assert abs(mpf(risks.log_risk) - mpmath.log(exact)) <= mpf(risks.log_error)


class Proportional:
    """A risk that is the rate itself, and by how much its logarithm is off is known."""

    prior, limit = Fraction(0), Fraction(1)

    def start(self, goal):
        return math.exp(goal) / 2

    def look(self, rate, goal):
        with mpmath.workdps(40):
            seen = float(mpmath.log(rate))
            return Look(seen, float(mpmath.log(rate) - seen), math.exp(goal))

    def too_far(self):
        return None


@given(st.floats(-270, -0.1).map(lambda power: Fraction(10**power)))
def test_the_logarithm_of_an_accepted_risk_is_not_rounded_up(risk):
    """Of a risk of 1e-200 it is known to 6e-14, and so is the rate."""
    found = largest_rate(Proportional(), risk)
    assert risk * (1 - Fraction(1, 10**9)) <= Fraction(found) <= risk


@given(st.lists(st.tuples(rates, rates), min_size=1, max_size=3), rates)
def test_epsilons_are_no_more_than_rates_times_sensitivities(pairs, along):
    """On paper, and when somebody divides them in floats."""
    ray = ray_of(np.array([sensitivity for sensitivity, _ in pairs]))
    ray = ray.towards(np.array([weight for _, weight in pairs]))
    for epsilon, rate, delta in zip(ray.epsilons(along), ray.rates(along), ray.sensitivities):
        assert Fraction(epsilon) <= Fraction(rate) * Fraction(delta)
        assert epsilon / delta <= rate
        assert epsilon >= rate * delta * (1 - 1e-15)
