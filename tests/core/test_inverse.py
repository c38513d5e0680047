"""The epsilon that is returned never discloses more than was accepted, and no larger one would do.

Held at 60 digits, and more where a prior is tiny, against the definitions.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction

import definition
import numpy as np
import pytest
from definition import mp, real
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import awkward_releases, universes_and_sizes, weighted_answers, worlds_of

import dpchoose as dp
from dpchoose.numbers import parse_risk
from dpchoose.risk import bounds
from dpchoose.risk.inverse import largest_rate, log_odds_ratio
from dpchoose.worlds.answers import TooFarApart

CLOSE = mp.mpf("1e-9")
COLUMNS = 200  # of ordinary one-decimal data; 20,000 were run once
DAYS = [1, 2, 3, 10]

each_bound = pytest.mark.parametrize("bound", ["tight", "upper", "average"])
ratios = st.sampled_from([0.0, 1e-6, 0.3, 1.0, 17 / 6, 1e6])
texts = st.builds(lambda top, more: f"{top}/{top + more}", st.integers(1, 50), st.integers(1, 50))
risks = st.one_of(texts, texts.map(Fraction), st.floats(1e-6, 1 - 1e-6))
near = st.sampled_from([0, 1e-80, -1e-80, 1e-14, -1e-14, 1e-6])


class Asked:
    """Rows of exact answers, their prior, and the risk of a bound at a rate."""

    def __init__(self, rows, bound, prior=None):
        self.rows, self.bound = rows, bound
        self.prior = [Fraction(p) for p in ([1] * len(rows) if prior is None else prior)]
        self.peaks, self.masses = {}, Counter()
        for row, p in zip(rows, self.prior):
            if p:
                self.peaks[row] = max(self.peaks.get(row, 0), p)
                self.masses[row] += p
        self.least = max(self.prior) / sum(self.prior)
        shares = [self.peaks[row] / mass for row, mass in self.masses.items()]
        self.most = {  # what the risk tends to without noise
            "tight": max(shares),
            "upper": Fraction(1) if len(shares) > 1 else max(shares),
            "average": sum(self.peaks.values()) / sum(self.prior),
        }[bound]

    def at(self, rates):
        """The risk."""
        if self.bound == "average":
            return definition.average_risk([row[0] for row in self.rows], rates[0], self.prior)
        equation = {"tight": definition.tight_bound, "upper": definition.upper_bound}[self.bound]
        return equation(self.rows, rates, self.prior)

    def exceeds(self, risk, rates, off):
        """Whether a billionth further on the risk is more than its margin from being kept.

        Worlds whose ties keep it without noise never exceed it, and hold nothing back.
        """
        rates, goal = [t * (1 + CLOSE) for t in rates], real(risk) * mp.exp(-4 * off)
        if self.bound != "tight":
            return self.at(rates) > goal
        return any(
            definition.posterior(self.rows, row, rates, self.prior)[i] > goal
            for i, (row, p) in enumerate(zip(self.rows, self.prior))
            if p and p > Fraction(risk) * self.masses[row]
        )


def is_near(risk, end):
    """Whether a risk is nearer to the prior or the limit than a millionth of it."""
    return abs(risk - end) <= Fraction(1, 10**6) * max(risk, end)


def margin(worlds, rates):
    """What is charged to the logarithm of a risk."""
    return bounds.margin(worlds, np.array(rates, dtype=float)) + 1e-14


def assert_right(worlds, asked, risk, sensitivity):
    """Whatever is requested, the answer is an error, infinity or the largest safe epsilon.

    Next to the prior no positive epsilon may be found, though there be one.
    """
    request, least, most = parse_risk(risk), asked.least, asked.most
    at = {"risk": risk, "sensitivity": sensitivity, "bound": asked.bound}
    try:
        found = np.ravel(dp.epsilon_from_risk(worlds, **at))
    except dp.UnattainableRisk:
        assert most > request
        assert is_near(request, least) or request < least or not np.any(sensitivity)
        return
    if most <= request:
        assert np.isinf(found).all()
        return
    assert (found > 0).all()
    assert (found < math.inf).all()
    with mp.workdps(60 - 2 * math.floor(math.log10(min(asked.peaks.values()) / sum(asked.prior)))):
        rates = [real(e) / real(float(d)) for e, d in zip(found, np.ravel(sensitivity))]
        assert asked.at(rates) <= real(request) * (1 + mp.mpf("1e-50"))
        if not is_near(request, least) and not is_near(request, most):
            assert asked.exceeds(request, rates, margin(worlds, rates))


@each_bound
@given(
    drawn=weighted_answers(scales=(1e-90, 1.0, 1e90)),
    ratio=ratios,
    risk=risks,
    end=st.sampled_from([None, None, "least", "most"]),
    off=near,
)
def test_the_epsilon_is_the_largest_safe_one(bound, drawn, ratio, risk, end, off):
    """For any answers, prior and sensitivity; any risk, or one at the prior or at the limit."""
    answers, prior, scale = drawn
    asked = Asked([(real(one),) for one in definition.meant(answers)], bound, prior)
    if end and 0 < getattr(asked, end) * (1 + Fraction(off)) < 1:
        risk = getattr(asked, end) * (1 + Fraction(off))
    assert_right(worlds_of(answers, prior), asked, risk, ratio * scale)


@given(
    drawn=universes_and_sizes(max_size=5),
    query=st.sampled_from(["mean", "median", "var", "std", "count", "percentile_90"]),
    risk=risks,
)
@example(drawn=([-1000.0, 0.0, 0.0, 0.0, 1.0], 3), query="var", risk="1/3")
def test_the_epsilon_of_a_release_is_the_largest_safe_one(drawn, query, risk):
    """With worlds and sensitivity of one universe; three tied worlds do not hold it back."""
    universe, size = drawn
    sensitivity = dp.global_sensitivity(query, universe, size).value
    rows, worlds = definition.worlds([query], universe, size)[1], dp.possible_worlds(query, *drawn)
    for bound in ("tight", "upper", "average"):
        assert_right(worlds, Asked(rows, bound), risk, sensitivity)


@given(drawn=awkward_releases(least=3, most=5, several=3), ratio=st.floats(0.1, 9), risk=risks)
def test_several_answers_share_the_largest_safe_ray(drawn, ratio, risk):
    """Equal epsilons, any kind of number."""
    universe, size, queries = drawn
    rows = definition.worlds(queries, universe, size)[1]
    widths = np.array([float(max(column) - min(column)) for column in zip(*rows)])
    for bound in ("tight", "upper"):
        try:
            worlds = dp.possible_worlds(queries, universe, size)
            assert_right(worlds, Asked(rows, bound), risk, np.where(widths > 0, widths, 1) * ratio)
        except TooFarApart:
            continue


def one_decimal_columns(count, seed=5):
    """Ordinary data: whole tenths of few values, with ties, 4 to 40 records, and four risks."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        records, top = int(rng.integers(4, 41)), int(rng.choice([5, 20, 50]))
        values = np.round(rng.integers(0, top + 1, records) / 10 + int(rng.integers(0, 3)), 1)
        query = str(rng.choice(["mean", "sum", "var", "std", "median"]))
        yield query, values, sorted(rng.uniform(1.05 / records, 0.99, 4))


def assert_close_and_monotone(queries, values, size, levels):
    """At most each risk, above it a billionth further on, and never less epsilon for more risk."""
    worlds = dp.possible_worlds(queries, values, size)
    rows = definition.worlds(queries, values, size)[1] if len(values) < 13 else None
    deltas, last = np.where(worlds.spread > 0, worlds.spread, 1), np.zeros(len(queries))
    for risk in levels:
        at = {"risk": risk, "sensitivity": deltas}
        try:
            found = dp.epsilon_from_risk(worlds, **at)
        except TooFarApart:
            continue
        except dp.UnattainableRisk:
            assert Fraction(risk) <= worlds.largest_prior * (1 + Fraction(1, 10**12))
            continue
        assert (found >= last).all()
        last = found
        if np.isinf(found).any():
            assert worlds.largest_share <= Fraction(risk)
        elif rows:
            rates = [real(float(e)) / real(float(d)) for e, d in zip(found, deltas)]
            assert definition.tight_bound(rows, rates) <= real(risk)
            assert Asked(rows, "tight").exceeds(risk, rates, margin(worlds, rates))
        else:  # in floats, whose errors are a thousandth of the gap that is looked for
            reached = dp.tight_bound(worlds, epsilon=found, sensitivity=deltas)
            beyond = dp.tight_bound(worlds, epsilon=found * (1 + 1e-6), sensitivity=deltas)
            assert reached <= risk * (1 + 1e-13)
            flat = worlds.largest_share - Fraction(risk) < risk * (1 - risk) * 1e-6
            assert beyond > risk or flat


@pytest.mark.parametrize("chunk", range(4))
def test_ordinary_one_decimal_columns_are_inverted_to_a_billionth_and_in_order(chunk):
    """Of four risks each; where the breaker found noise up to 54 times too wide."""
    for query, values, levels in itertools.islice(one_decimal_columns(COLUMNS), chunk, None, 4):
        assert_close_and_monotone([query], values.tolist(), len(values) - 1, levels)


WIDE = [-4.9e-08, 1717135743791.6, -2e-12, 1.3e-08, 9.7e-17]


@pytest.mark.parametrize(
    ("queries", "values", "size"),
    [
        (["std"], [1.5, 1.2, 1.5, 1.5, 1.1, 1.2, 1.4, 1.3, 1.3, 1.2, 1.2, 1.2], 11),
        (["percentile_33.3"], [668135320655444.1, -5.98e-8, 1.2e-10, -5.8e-20, 0.0249], 2),
        (["std", "median"], WIDE, 2),
        (["std", "percentile_90", "count"], WIDE, 2),
        (["mean"], [0.3, 0.2, 0.3, 0.2, 0.3, 0.7, 0.7], 4),
        (["percentile_87.5"], [0.0] * 9 + [1e6], 9),
    ],
)
def test_hostile_columns_are_inverted_to_a_billionth_and_in_order(queries, values, size):
    """Ranges of twenty powers of ten, near ties of decimals, risks next to each other."""
    levels = [0.1, 0.2, 0.2 + 2e-11, 0.2 + 4e-11, 0.25, 0.3, 1 / 3, 0.34, 0.4, 0.499999, 0.5]
    levels += [0.501, 0.9, 0.9 + 2e-11, 0.99]
    assert_close_and_monotone(queries, values, size, levels)


@given(power=st.floats(-280, 280), goal=st.floats(-3, 3), off=st.sampled_from([0.0, 1e-13, 1e-9]))
def test_the_largest_rate_of_a_curve_is_found_wherever_it_lies(power, goal, off):
    """With any start, and its margin is never exceeded; nothing or everything may be safe."""
    root, unit = math.exp(goal), 10**power
    for start in (1.0, unit, 1e-200):
        found = largest_rate(lambda rate: (math.log1p(rate / unit), off), math.log1p(root), start)
        assert math.log1p(found / unit) + off <= math.log1p(root)
        assert found >= unit * root * (1 - 1e-9 - 3 * off * (1 + root) / root)
    assert largest_rate(lambda rate: (goal + 1, 0.0), goal) == 0
    assert largest_rate(lambda rate: (goal - 1, 0.0), goal) > 1e300
    step = largest_rate(lambda rate: (float(rate > unit), 0.0), 0.5)
    assert unit * (1 - 1e-9) < step <= unit


@given(risks, st.floats(1e-290, 0.5))
@example("1/2", 1e-50)
def test_how_far_odds_may_grow_is_rounded_down(risk, share):
    """Whatever the belief before: the smaller, the more would be lost by one of two logarithms."""
    after = parse_risk(risk)
    before = after * Fraction(share)
    exact = mp.log(real(after * (1 - before) / ((1 - after) * before)))
    assert exact * (1 - mp.mpf("1e-14")) <= log_odds_ratio(before, after) <= exact


def test_values_too_far_apart_for_floats_are_refused_by_name():
    """Three of 1e20 hide each other, and beside them the differences of all others vanish."""
    worlds = dp.possible_worlds(["mean", "sum"], [0.1, 0.2, 0.4, 0.7, *[1e20] * 3], 6)
    with pytest.raises(TooFarApart, match=r"is one of them a code for a missing value\?"):
        dp.epsilon_from_risk(worlds, risk=0.9, sensitivity=[1, 1])
