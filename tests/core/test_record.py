"""The risk of a record is the largest posterior of the worlds that hold it, over all outputs."""

import itertools
import math

import definition
import numpy as np
import pandas as pd
import pytest
from definition import mp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import awkward_releases, universes_and_sizes, unless_far

import dpchoose as dp
from dpchoose.risk.record import record_bound

SHARES = st.sampled_from([0.0, 0.1, 0.7, 3.0, 40.0, math.inf])


def exchanged(query, universe, size):
    """How far exchanging one record moves the answer."""
    return dp.global_sensitivity(query, universe, size, adjacency="bounded").value


@given(drawn=awkward_releases(least=2, most=5, several=2), data=st.data())
@example(([5.0, 1.0, 3.0], 2, ["mean", "var"]), None)  # the worst output is no answer
def test_the_table_is_the_definition_where_it_is_exact_and_a_bound_elsewhere(drawn, data):
    """Over the whole grid of outputs, with ties, any rates, in every kind of number."""
    universe, size, queries = drawn
    listed, rows = definition.worlds(queries, universe, size)
    widths = [float(max(column) - min(column)) or 1.0 for column in zip(*rows)]
    shares = [data.draw(SHARES) if data else 1.5 for _ in queries]
    asked = (queries, shares, widths) if len(queries) > 1 else (queries[0], shares[0], widths[0])
    at = {"epsilon": asked[1], "sensitivity": asked[2]}
    table = unless_far(dp.record_risk, asked[0], universe, size, **at)
    exact = size in (1, len(universe) - 1) or len(queries) == 1
    assert table.exact.tolist() == [exact] * len(universe)
    rates = [mp.mpf(share) / mp.mpf(width) for share, width in zip(shares, widths)]
    known = definition.record_risks(listed, rows, rates)
    for row, (before, *after) in zip(table.itertuples(), known):
        assert row.before == float(before)
        for seen, real in zip((row.present, row.absent), after):
            assert seen >= real * (1 - mp.mpf("1e-9"))
            assert not exact or seen == pytest.approx(float(real), rel=1e-9)
        odds = dp.odds_factor([row.before, 1 - row.before], [row.present, row.absent])
        assert row.factor == pytest.approx(odds.max(), rel=1e-9)


@given(drawn=universes_and_sizes(max_size=6), power=st.floats(-2, 1.5), seed=st.integers(0, 9))
def test_no_output_anywhere_says_more_about_a_record_and_more_noise_says_less(drawn, power, seed):
    """Between the answers, near and far beyond them; garbled noise is more noise."""
    universe, size = [record - drawn[0][0] for record in drawn[0]], drawn[1]
    at = {"epsilon": 10**power, "sensitivity": exchanged("mean", universe, size) or 1}
    table = dp.record_risk("mean", universe, size, **at)
    worlds = list(itertools.combinations(range(len(universe)), size))
    holds = np.array([[r in world for r in range(len(universe))] for world in worlds])
    answers = np.array([np.mean(np.take(universe, world)) for world in worlds])
    low, high = answers.min() - 1, answers.max() + 1
    outputs = np.random.default_rng(seed).uniform(low, high, 200)
    outputs = np.concatenate([outputs, answers + 1e-3, [low - 1e6, high + 1e6]])
    inside = dp.posterior(answers, outputs, **at) @ holds
    more = dp.record_risk("mean", universe, size, **at | {"epsilon": 1.3 * 10**power})
    for seen, name in ((inside, "present"), (1 - inside, "absent")):
        assert (seen <= table[name].to_numpy() * (1 + 1e-9)).all()
        assert (more[name] >= table[name] * (1 - 1e-12)).all()


@settings(max_examples=15)
@given(drawn=awkward_releases(least=3, most=5, several=2), share=st.sampled_from([0.2, 1.0, 5.0]))
def test_the_odds_of_a_record_never_grow_beyond_the_bound_at_60_digits(drawn, share):
    """e^s, with s the sum of rate times bounded sensitivity, for every query and release size."""
    universe, size, queries = drawn
    listed, rows = definition.worlds(queries, universe, size)
    steps = [definition.sensitivity(q, universe, listed, "bounded") for q in queries]
    rates = [share / (step or 1) for step in steps]
    s = mp.fsum(rate * step for rate, step in zip(rates, steps))
    bounds = record_bound(float(s), release_size=size, records=len(universe))
    for _, *after in definition.record_risks(listed, rows, rates):
        assert all(one <= bound * (1 + mp.mpf("1e-15")) for one, bound in zip(after, bounds))


def independent(odds, total):
    """The sets of so many people whose places are independent, given the total: chances."""
    sets = map(frozenset, itertools.combinations(odds, total))
    weights = {one: math.prod(odds[who] for who in one) for one in sets}
    return {one: weight / sum(weights.values()) for one, weight in weights.items()}


def together(odds, total):
    """Sets of total and of total + 1 people, one by one, as the chapter draws them: chances."""
    if not 0 < total + 1 <= len(odds):
        return {}
    if total == 0:
        return {(frozenset(), more): p for more, p in independent(odds, 1).items()}
    first, *others = odds
    rest = {who: odds[who] for who in others}
    fewer, more = (
        sum(p for one, p in independent(odds, n).items() if first in one)
        for n in (total, total + 1)
    )
    assert fewer <= more  # Newton's inequality
    pairs = {}
    for (one, two), p in together(rest, total - 1).items():
        pairs[one | {first}, two | {first}] = p * fewer
    for pair, p in together(rest, total).items():
        pairs[pair] = p * (1 - more)
    if more > fewer:
        for one, p in independent(rest, total).items():
            pairs[one, one | {first}] = p * (more - fewer)
    return pairs


@given(odds=st.lists(st.fractions("1/9", 9, max_denominator=9), min_size=1, max_size=6))
def test_independent_places_can_be_drawn_so_that_one_exchange_lies_between(odds):
    """The lists of a reader who knows the total, with a person and without, each by its chances."""
    people = dict(enumerate(odds))
    for total in range(len(people)):
        pairs = together(people, total)
        assert all(one < two for one, two in pairs)
        for side in (0, 1):
            seen = {}
            for pair, p in pairs.items():
                seen[pair[side]] = seen.get(pair[side], 0) + p
            assert {one: p for one, p in seen.items() if p} == independent(people, total + side)


@given(drawn=universes_and_sizes(max_size=6), data=st.data())
def test_who_knows_some_places_and_suspects_others_keeps_the_ceiling(drawn, data):
    """Apart from the totals of separate groups nothing ties people together; e^s, of the file."""
    universe, size = drawn
    people = range(len(universe))
    listed = data.draw(st.sets(st.sampled_from(people), min_size=size, max_size=size))
    known = data.draw(st.sets(st.sampled_from(people)))
    women = data.draw(st.sets(st.sampled_from(people)))  # so many are listed: a quota, or none
    odds = [data.draw(st.sampled_from([1, 1, 1 / 9, 1 / 2, 4, 99])) for _ in people]
    lists = [{*one} for one in itertools.combinations(people, size)]
    lists = [one for one in lists if one & known == listed & known]
    lists = [one for one in lists if len(one & women) == len(listed & women)]
    weights = np.array([math.prod(odds[who] for who in one) for one in lists])
    before = weights / weights.sum()
    means = np.array([np.mean([universe[who] for who in one]) for one in lists])
    scale = (exchanged("mean", universe, size) or 1) / math.log(3)
    outputs = np.append(means, [means.min() - scale, means.max() + scale])
    after = dp.posterior(means, outputs, epsilon=1, sensitivity=scale, prior=before)
    for person in {*people} - known:
        is_in = np.array([person in one for one in lists])
        if is_in.any() and not is_in.all():
            was, seen = before[is_in].sum(), after[:, is_in].sum(axis=1)
            grown = dp.odds_factor([was, 1 - was], [seen.max(), 1 - seen.min()])
            assert grown.max() <= 3 * (1 + 1e-9)


def tied(rule, values=(1, 1, 0, 0)):
    """How far the odds of person 0 grow at factor 3, if of four people two are listed by a rule."""
    lists = [{*one} for one in itertools.combinations(range(4), 2) if rule({*one})]
    means = np.array([np.mean([values[who] for who in one]) for one in lists])
    scale = np.ptp(values) / 2 / math.log(3)  # one exchange moves a mean of two by half of it
    after = dp.posterior(means, means, epsilon=1, sensitivity=scale)
    is_in = np.array([0 in one for one in lists])
    return dp.odds_factor(is_in.mean(), after[:, is_in].sum(axis=1).max())


def test_a_couple_and_quotas_that_overlap_may_make_the_factor_its_square():
    """A quota alone, one woman of two, does not."""
    assert tied(lambda one: len(one & {0, 1}) != 1) == pytest.approx(9)  # 0 and 1 together
    overlapping = tied(lambda one: len(one & {0, 2}) == len(one & {0, 3}) == 1)
    assert overlapping == pytest.approx(9)
    assert tied(lambda one: len(one & {0, 2}) == 1) <= 3 * (1 + 1e-9)


def test_places_that_are_independent_in_pairs_alone_do_not_keep_the_bound():
    """Seven lists of three of seven people, the lines of a plane: two places tell of the third."""
    lists = [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}]
    pairs = [sum({*pair} <= one for one in lists) for pair in itertools.combinations(range(7), 2)]
    assert {*pairs} == {1}  # of 7, as of all 35 lists of three 5 hold a pair
    values = np.array([1, 0, 0, 0, 0, 1, 1])
    means = np.array([values[[*one]].mean() for one in lists])
    scale = np.ptp(values) / 3 / math.log(3)
    likely = np.exp(-abs(1 - means) / scale)
    is_in = np.array([0 in one for one in lists])
    grown = dp.odds_factor(3 / 7, likely[is_in].sum() / likely.sum())
    assert grown == pytest.approx(11 / 3)
    assert grown > 3


@given(
    step=st.floats(0, 800) | st.floats(0, 1e-14) | st.just(math.inf),
    size=st.integers(1, 10**7),
    outside=st.integers(1, 10**7),
)
def test_the_record_bound_is_rounded_up(step, size, outside):
    """Against 400 digits, and above them by less than 2e-15 times itself."""
    bounds = record_bound(step, release_size=size, records=size + outside)
    with mp.workdps(400):
        for bound, (inside, rest) in zip(bounds, ((size, outside), (outside, size))):
            paper = 1 / (1 + rest * mp.exp(-mp.mpf(step)) / inside)
            assert min(paper, 1) <= bound <= paper * (1 + mp.mpf("2e-15"))


def test_many_records_less_one_and_one_alone_cost_a_sort():
    """That one is missing, or is the one, is one world: the tight bound's own."""
    values = np.random.default_rng(0).lognormal(size=20_000).round(2)
    for query, size, column in (("mean", 19_999, "absent"), ("sum", 1, "present")):
        at = {"epsilon": 40.0, "sensitivity": exchanged(query, values, size)}
        table = dp.record_risk(query, values, size, **at)
        if size > 1:
            worlds = dp.possible_worlds(query, values, size)
            assert table[column].max() == pytest.approx(dp.tight_bound(worlds, **at), rel=1e-12)
        assert table.exact.all()
        assert table[column].idxmax() == int(values.argmax())


@pytest.mark.parametrize(
    ("step", "size", "reason"),
    [
        (-1, 2, r"step must lie in \[0, inf\], got -1"),
        (math.nan, 2, "step must"),
        (1, 4, r"release_size must be in \[1, 3\], got 4"),
        (1, 0, "release_size must"),
    ],
)
def test_a_record_bound_outside_its_ranges_is_refused(step, size, reason):
    with pytest.raises(ValueError, match=reason):
        record_bound(step, release_size=size, records=4)


def test_what_cannot_be_listed_has_the_record_bound():
    """The same for all records, of several answers and of too many worlds."""
    universe, at = np.arange(12.0), {"epsilon": [0.8, 0.1], "sensitivity": [1.0, 2.0]}
    bound = dp.record_risk(["mean", "var"], universe, 4, **at)
    step = 0.8 * exchanged("mean", universe, 4) + 0.05 * exchanged("var", universe, 4)
    expected = record_bound(step, release_size=4, records=12)
    assert bound[["present", "absent"]].iloc[5].tolist() == pytest.approx(expected, rel=1e-13)
    assert bound.factor[0] == pytest.approx(math.exp(step))
    many = np.random.default_rng(1).normal(size=1000)
    found = dp.record_risk("median", many, 500, epsilon=1, sensitivity=1)
    assert not bound.exact.any()
    assert not found.exact.any()
    assert found.present.nunique() == 1


def test_the_index_is_kept_and_each_column_is_shown():
    """Rows are known by name, in the order of the universe."""
    names = ["Terry", "Chris", "Pat", "Kelly"]
    pupils = pd.DataFrame({"days": [10, 1, 3, 2], "year": [4, 1, 3, 2]}, index=names)
    single = dp.record_risk("mean", pupils.days, 3, epsilon=1, sensitivity=17 / 6)
    at = {"epsilon": [1, 1], "sensitivity": [17 / 6, 1]}
    both = dp.record_risk([("mean", "days"), ("mean", "year")], pupils, 3, **at)
    for table in (single, both):
        assert table.index.tolist() == names
        assert table.absent.idxmax() == "Terry"
    assert list(single) == ["value", "before", "present", "absent", "factor", "exact"]
    assert list(both)[:2] == ["value of days", "value of year"]
    assert (both.absent >= single.absent).all()
