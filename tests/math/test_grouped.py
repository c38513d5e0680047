"""Answers by group, published together: the risks are those of plain tables of all answers."""

import math

import definition
import numpy as np
import pandas as pd
import pytest
from definition import mp
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import AWKWARD, unless_far

import dpchoose as dp
from dpchoose.risk import bounds

BOUNDS = {dp.tight_bound: definition.tight_bound, dp.upper_bound: definition.upper_bound}


@st.composite
def files(draw, most=7):
    """Records in up to three groups, and one or two queries that each group can answer."""
    universe = draw(
        st.lists(draw(st.sampled_from(list(AWKWARD.values()))), min_size=4, max_size=most)
    )
    labels = draw(st.lists(st.sampled_from("abc"), min_size=len(universe), max_size=len(universe)))
    queries = ["sum", "count", "mean", "median", "var", "std"]
    alone = min(map(labels.count, labels)) == 1
    some = st.sampled_from(queries[:2] if alone else queries)
    return universe, labels, draw(st.lists(some, min_size=1, max_size=2, unique=True))


def asked_of(universe, labels, queries):
    """Worlds, the exact answers of all groups in each, and the range of each answer."""
    rows = definition.worlds(queries, universe, len(universe) - 1, by=labels)[1]
    widths = np.array([float(max(column) - min(column)) for column in zip(*rows)])
    worlds = unless_far(dp.possible_worlds, queries, universe, len(universe) - 1, by=labels)
    return worlds, rows, widths


@given(files(), st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0, 40.0, math.inf]), min_size=6))
@example(([1.0, 2.0, 4.0, 8.0, 9.0], list("aabbb"), ["sum"]), [math.inf, 1.0])
@example(([0.0, 0.0, 0.0, 1.0, 0.0], list("aaaab"), ["sum"]), [0.01, math.inf])
@example(([0.0, 1.0, 3.0, 0.0, 1e9, 2e9], list("aaabbb"), ["sum"]), [1.0, 1.0])
def test_both_bounds_are_their_definition_over_all_tables_of_answers(drawn, shares):
    """S_i = the sum in i's group + e^-|t delta_i| times that of all others, any rates, ties."""
    worlds, rows, widths = asked_of(*drawn)
    rates = np.array(shares[: len(widths)]) / np.where(widths > 0, widths, 1)
    for bound, equation in BOUNDS.items():
        got = bound(worlds, epsilon=rates, sensitivity=np.ones(len(rates)))
        assert got == pytest.approx(float(equation(rows, rates.tolist())), rel=1e-11)
    shaped = rates.reshape(worlds.shape)
    charged, exact = bounds.margin(worlds, shaped), definition.tight_bound(rows, rates.tolist())
    assert abs(bounds.largest(worlds, shaped) - mp.log(exact)) <= charged <= 1e-12
    assert worlds.largest_share == 1 / definition.Fraction(min(rows.count(row) for row in rows))


@given(files(), st.integers(25, 95))
def test_the_epsilon_of_groups_keeps_the_risk_at_60_digits_and_no_larger_one_does(drawn, percent):
    """Epsilons and sensitivities group after group, along the ray of equal shares."""
    worlds, rows, widths = asked_of(*drawn)
    request, ties = mp.mpf(percent / 100), [rows.count(row) for row in rows]
    try:
        at = {"risk": percent / 100, "sensitivity": np.where(widths > 0, widths, 1)}
        epsilon = unless_far(dp.epsilon_from_risk, worlds, **at)
    except dp.UnattainableRisk:
        assert percent / 100 <= 1 / len(rows)
        return
    assert epsilon.shape == widths.shape
    if np.isinf(epsilon).any():
        assert min(ties) * request >= 1
        return
    rates = [mp.mpf(e) / (w or 1) for e, w in zip(epsilon.tolist(), widths.tolist())]
    assert definition.tight_bound(rows, rates) <= request
    more = [rate * (1 + mp.mpf("1e-9")) for rate in rates]
    after = [definition.posterior(rows, row, more)[i] for i, row in enumerate(rows)]
    assert any(a > request * (1 - 1e-11) for a, tie in zip(after, ties) if tie * request < 1)


def test_large_groups_and_many_small_ones_are_summed_alike():
    """Five hundred records in 60 groups, against the full table of distances."""
    rng = np.random.default_rng(0)
    group = np.concatenate([np.repeat([0, 1], [200, 126]), np.repeat(np.arange(2, 60), 3)])
    values = pd.DataFrame({"x": rng.lognormal(0, 2, 500).round(2), "y": rng.random(500)})
    worlds = dp.possible_worlds([("mean", "x"), ("sum", "y")], values, 499, by=group)
    full = values.groupby(group).agg({"x": "mean", "y": "sum"}).to_numpy()
    answers, sizes = np.repeat(full[None], 500, axis=0), np.bincount(group)[group]
    sums = values.x.groupby(group).sum().to_numpy()[group]
    answers[np.arange(500), group, 0] = (sums - values.x) / (sizes - 1)
    answers[np.arange(500), group, 1] -= values.y
    for rate in (0.0, 0.3, 20.0):
        rates = rate * rng.random((60, 2))
        flat = (answers * rates).reshape(500, -1)
        around = [np.exp(-np.abs(flat - row).sum(axis=1)).sum() for row in flat]
        got = dp.tight_bound(worlds, epsilon=rates.ravel(), sensitivity=np.ones(120))
        assert got == pytest.approx(1 / min(around), rel=1e-9)


def test_the_epsilon_of_groups_is_that_of_one_or_of_two():
    """A record comes or goes in one group; one that is changed may leave one for another."""
    for adjacency, most in (("unbounded", 1), ("bounded", 2)):
        at = {"odds": 3, "by": list("aabbcc"), "adjacency": adjacency}
        found = dp.recommend("sum", [1.0, 2, 3, 4, 5, 7], 5, **at)
        assert found.epsilon == pytest.approx(sum(sorted(found.table["epsilon"])[-most:]))
