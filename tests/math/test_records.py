"""The risk of a record is the largest posterior of the worlds that hold it, over all outputs."""

import itertools
import math

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.data.asking import ask
from dpchoose.risk.record import largest_record, record_table
from dpchoose.risk.record_bound import BoundedRecords, record_bound
from dpchoose.risk.record_listed import ListedWorlds
from dpchoose.risk.record_lone import LoneWorlds
from dpchoose.worlds.places import Places

PLAIN = {
    "sum": lambda world: world.sum(axis=-1),
    "mean": lambda world: world.mean(axis=-1),
    "median": lambda world: np.median(world, axis=-1),
    "var": lambda world: ((world - world.mean(axis=-1, keepdims=True)) ** 2).mean(axis=-1),
    "percentile_25": lambda world: np.percentile(world, 25, axis=-1),
}


@st.composite
def releases(draw, most_records=7, most_answers=3):
    """A universe, often with ties, a release size, queries, and the rate of each."""
    kind = draw(st.sampled_from([st.integers(0, 3), st.floats(-5, 5, width=16)]))
    universe = draw(st.lists(kind.map(float), min_size=2, max_size=most_records))
    names = st.lists(st.sampled_from(list(PLAIN)), min_size=1, max_size=most_answers, unique=True)
    queries = draw(names)
    rates = draw(
        st.lists(
            st.sampled_from([0.0, 0.1, 0.7, 3.0, 40.0]),
            min_size=len(queries),
            max_size=len(queries),
        )
    )
    return universe, draw(st.integers(1, len(universe) - 1)), queries, np.array(rates)


def listed(universe, size, queries):
    """Which world holds which record, shape (m, N), and the answers of each, shape (m, d)."""
    worlds = np.array(list(itertools.combinations(range(len(universe)), size)))
    holds = (worlds[:, :, None] == np.arange(len(universe))).any(axis=1)
    values = np.asarray(universe)[worlds]
    return holds, np.stack([PLAIN[query](values) for query in queries], axis=1)


def beliefs_in_records(holds, answers, outputs, rates):
    """By the rule of Bayes, the posterior of each record at each output, shape (outputs, N)."""
    logs = -(np.abs(outputs[:, None, :] - answers) @ rates)
    likelihoods = np.exp(logs - logs.max(axis=1, keepdims=True))
    posterior = likelihoods / likelihoods.sum(axis=1, keepdims=True)
    return posterior @ holds


def risk_of(universe, size, queries, rates, **more):
    """The table at given rates: each sensitivity is 1."""
    at = {"epsilon": rates, "sensitivity": np.ones(len(rates))}
    return dp.record_risk(list(queries), universe, size, **at | more)


def table_of(queries, universe, size):
    """What the risks are looked up in."""
    return record_table(ask(list(queries), universe), size)


@given(drawn=releases(), seed=st.integers(0, 9))
def test_no_output_says_more_about_a_record_and_one_says_as_much(drawn, seed):
    """Held against the grid of the answers, its corners, random outputs and far ones."""
    universe, size, queries, rates = drawn
    table = risk_of(universe, size, queries, rates)
    holds, answers = listed(universe, size, queries)
    grid = np.array(list(itertools.product(*(np.unique(column) for column in answers.T))))
    low, high = answers.min(axis=0), answers.max(axis=0)
    rng = np.random.default_rng(seed)
    width = high - low + 1
    others = np.concatenate(
        [
            rng.uniform(low - width, high + width, size=(300, len(queries))),
            rng.choice([-1e3, 0, 1e3], size=(30, len(queries))),
            answers + rng.normal(scale=1e-3, size=answers.shape),
        ]
    )
    on_the_grid = beliefs_in_records(holds, answers, grid, rates)
    elsewhere = beliefs_in_records(holds, answers, others, rates)
    assert table.exact.all()
    assert (table.prior == size / len(universe)).all()
    np.testing.assert_allclose(table.present, on_the_grid.max(axis=0), rtol=1e-10)
    np.testing.assert_allclose(table.absent, (1 - on_the_grid).max(axis=0), rtol=1e-10)
    assert (elsewhere <= table.present.to_numpy() * (1 + 1e-10)).all()
    assert (1 - elsewhere <= table.absent.to_numpy() * (1 + 1e-10)).all()


def test_the_worst_output_need_not_be_an_answer():
    """Mean and variance together: a point of the grid tells more than any world's answer."""
    universe, rates = [5.0, 1.0, 3.0], np.array([0.5, 0.2])
    table = risk_of(universe, 2, ["mean", "var"], rates)
    holds, answers = listed(universe, 2, ["mean", "var"])
    at_answers = beliefs_in_records(holds, answers, answers, rates)
    assert (table.present > at_answers.max(axis=0) + 0.05).any()


@given(drawn=releases(), grown=st.integers(0, 2), by=st.sampled_from([0.01, 0.5, 20.0, math.inf]))
def test_neither_risk_falls_when_any_rate_grows(drawn, grown, by):
    """Noise of one scale is noise of a smaller scale and more noise (garbling)."""
    universe, size, queries, rates = drawn
    more = rates.copy()
    more[grown % len(rates)] += by
    before = risk_of(universe, size, queries, rates)
    after = risk_of(universe, size, queries, more)
    assert (after.present >= before.present * (1 - 1e-12)).all()
    assert (after.absent >= before.absent * (1 - 1e-12)).all()


@given(seed=st.integers(0, 100), records=st.integers(2, 30), answers=st.integers(1, 3))
def test_a_world_of_its_own_is_looked_up_as_in_the_list_of_all(seed, records, answers):
    """All but one released, or one alone: the corners and own answers are the whole grid."""
    rng = np.random.default_rng(seed)
    records = min(records, 60 // answers**2)
    values = Places.of(np.unique(rng.integers(-6, 6, (records, answers)) / 2, axis=0))
    own = np.arange(len(values))
    one = np.eye(len(values), dtype=int)
    rates = rng.choice([0, 0.3, 2, 50, math.inf], answers)
    ones = np.ones(len(values), dtype=int)
    for secret, every in (
        ("absent", ListedWorlds(values, 1 - one, one)),
        ("present", ListedWorlds(values, one, 1 - one)),
    ):
        if len(values) > 1:
            table = LoneWorlds(values, ones, own, secret)
            np.testing.assert_allclose(table.posteriors(rates), every.posteriors(rates), rtol=1e-11)


def exact_log_odds(universe, size, queries, rates):
    """The largest log odds over records and outputs of the grid, at 60 digits."""
    holds, answers = listed(universe, size, queries)
    with mpmath.workdps(60):
        present = absent = mpmath.mpf("-inf")
        for output in itertools.product(*(np.unique(column) for column in answers.T)):
            terms = [
                mpmath.exp(
                    -sum(
                        mpmath.mpf(float(t)) * abs(mpmath.mpf(float(x)) - mpmath.mpf(float(y)))
                        for t, x, y in zip(rates, output, answer)
                    )
                )
                for answer in answers
            ]
            for record in holds.T:
                inside = sum(term for term, held in zip(terms, record) if held)
                outside = sum(term for term, held in zip(terms, record) if not held)
                odds = mpmath.log(inside) - mpmath.log(outside)
                present, absent = max(present, odds), max(absent, -odds)
        return present, absent


@settings(max_examples=25)
@given(
    drawn=releases(most_records=5, most_answers=2).filter(lambda d: "percentile_25" not in d[2]),
    scale=st.sampled_from([1e-3, 1.0, 6.0]),
)
def test_the_largest_log_odds_are_never_below_those_on_paper(drawn, scale):
    """And above them by no more than 1e-11, or what that makes of a posterior near 1."""
    universe, size, queries, rates = drawn
    universe = np.round(np.array(universe) * 4) / 4
    table = table_of(queries, universe, size)
    found = table.largest_log_odds(rates * scale)
    exact = exact_log_odds(universe, size, queries, rates * scale)
    for raised, odds in zip(found, exact):
        assert raised >= odds
        if odds < 9:
            assert raised - odds < 1e-11 * (1 + mpmath.exp(odds))
    for posterior, odds in zip(largest_record(table, rates * scale)[:2], exact):
        assert posterior >= 1 / (1 + mpmath.exp(-odds)) or posterior == 1


def test_the_record_bound_is_never_below_the_exact_risk():
    """3,600 universes, one answer and two, against the whole grid of outputs."""
    rng = np.random.default_rng(1)
    draws = [
        lambda shape: rng.normal(size=shape),
        lambda shape: rng.integers(0, 3, shape).astype(float),
        lambda shape: rng.lognormal(sigma=2, size=shape),
    ]
    closest = 0.0
    for records, size in [(2, 1), (4, 1), (4, 2), (5, 2), (5, 4), (6, 3)]:
        holds, _ = listed(np.arange(records), size, ["sum"])
        exchanged = holds.astype(int) @ holds.T == size - 1
        for queries, draw in itertools.product([["mean"], ["median", "var"]], draws):
            universes = draw((100, records))
            rates = rng.lognormal(sigma=1.5, size=(100, len(queries)))
            for universe, rate in zip(universes, rates):
                _, answers = listed(universe, size, queries)
                gaps = np.abs(answers[:, None] - answers)[exchanged]
                step = float(rate @ gaps.max(axis=0))
                present, absent = record_bound(step, release_size=size, records=records)
                grid = np.stack(np.meshgrid(*answers.T), axis=-1).reshape(-1, len(queries))
                beliefs = beliefs_in_records(holds, answers, grid, rate)
                assert beliefs.max() <= present * (1 + 1e-12)
                assert 1 - beliefs.min() <= absent * (1 + 1e-12)
                closest = max(closest, (present - size / records) and beliefs.max() / present)
    assert closest > 0.999


@given(
    step=st.floats(0, 800) | st.floats(0, 1e-14),
    size=st.integers(1, 10**7),
    outside=st.integers(1, 10**7),
    secret=st.sampled_from(["present", "absent"]),
)
def test_the_record_bound_is_rounded_up(step, size, outside, secret):
    """Against 60 digits, and above them by less than 1e-15 times itself."""
    with mpmath.workdps(400):
        inside, rest = (size, outside) if secret == "present" else (outside, size)
        paper = inside * mpmath.exp(step) / (inside * mpmath.exp(step) + rest)
        bounds = record_bound(step, release_size=size, records=size + outside)
        bound = bounds[0 if secret == "present" else 1]
        assert paper <= bound <= paper * (1 + mpmath.mpf("2e-15"))
        table = BoundedRecords(np.array([1.0]), size, size + outside)
        odds = table.largest_log_odds(np.array([step]))[0 if secret == "present" else 1]
        assert 0 <= odds - mpmath.log(paper / (1 - paper)) < 1e-11


def test_ten_pupils_of_whom_two_are_told_although_no_world_exceeds_a_third():
    """Risk 1/3 of a world: the pupils with 15 and 20 days are known to be in, or out."""
    pupils = dp.datasets.school_large()[0].absence_days
    sensitivity = dp.global_sensitivity("mean", pupils, 6).value
    table = dp.record_risk("mean", pupils, 6, epsilon=10.535, sensitivity=sensitivity)
    exposed = table.set_index("value").loc[[15, 20], ["present", "absent"]]
    assert exposed.round(4).to_numpy().tolist() == [[0.9990, 0.9956], [1.0000, 0.9998]]
    assert (table.loc[table.value < 15, ["present", "absent"]] < 0.99).all(axis=None)


def test_a_hundred_thousand_records_of_which_one_is_left_out():
    """Each by itself, against the sum over all worlds for a few of them."""
    universe = np.random.default_rng(0).normal(size=100_000)
    rate = 1e6 / np.ptp(universe)
    table = dp.record_risk("mean", universe, 99_999, epsilon=rate, sensitivity=1)
    answers = (universe.sum() - universe) / 99_999
    for record in (0, 77_777, int(universe.argmin()), int(universe.argmax())):
        sums = np.exp(-rate * np.abs(answers - answers[record])).sum()
        assert table.absent[record] == pytest.approx(1 / sums, rel=1e-8)
    least = min(
        np.exp(-rate * np.abs(end - answers[record])) / np.exp(-rate * np.abs(end - answers)).sum()
        for end in (answers.min(), answers.max())
    )
    assert table.present[record] == pytest.approx(1 - least, rel=1e-12)
    assert table.exact.all()


def test_what_cannot_be_listed_has_the_record_bound():
    """Both columns, the same for all records; and it is above the exact risk."""
    universe = np.arange(12.0)
    at = {"epsilon": [0.8, 0.1], "sensitivity": [1.0, 2.0]}
    exact = dp.record_risk(["mean", "var"], universe, 4, **at)
    bound = dp.record_risk(["mean", "var"], universe, 4, **at, max_worlds=100)
    assert exact.exact.all()
    assert not bound.exact.any()
    steps = [
        dp.global_sensitivity(query, universe, 4, adjacency="bounded").value
        for query in ("mean", "var")
    ]
    step = 0.8 * steps[0] + 0.05 * steps[1]
    expected = record_bound(step, release_size=4, records=12)
    assert bound[["present", "absent"]].iloc[5].tolist() == pytest.approx(expected, rel=1e-14)
    assert (bound.present >= exact.present).all()
    assert (bound.absent >= exact.absent).all()


@given(drawn=releases(most_records=6), secret=st.sampled_from(["present", "absent"]))
def test_the_slopes_are_those_of_the_log_odds(drawn, secret):
    """In each rate, they lie between the chords to either side."""
    universe, size, queries, rates = drawn
    rates = np.minimum(rates, 1) / 4 + 0.25
    table = table_of(queries, universe, size)
    value, slopes, _ = table.look(rates, secret)
    assert value == table.largest_log_odds(rates)[secret == "absent"]
    for step, slope in zip(np.eye(len(rates)) * 1e-6, slopes):
        ahead = (table.look(rates + step, secret)[0] - value) / 1e-6
        behind = (value - table.look(rates - step, secret)[0]) / 1e-6
        slack = 1e-3 * (1 + abs(slope))
        assert min(ahead, behind) - slack <= slope <= max(ahead, behind) + slack


def test_a_record_is_exposed_although_no_world_is():
    """Whether 1000 is in is certain although no world of three records exceeds 0.2."""
    universe = [1, 2, 3, 4, 5, 1000]
    sensitivity = dp.global_sensitivity("mean", universe, 3).value
    worlds = dp.possible_worlds("mean", universe, 3)
    epsilon = dp.epsilon_from_risk(worlds, risk=0.2, sensitivity=sensitivity)
    table = dp.record_risk("mean", universe, 3, epsilon=epsilon, sensitivity=sensitivity)
    assert table.prior.tolist() == [0.5] * 6
    assert table.present[5] == pytest.approx(1, abs=1e-12)
    assert table.absent[5] == pytest.approx(1, abs=1e-12)
    assert table.present[:5].max() < 0.9


def test_the_index_is_kept_and_each_column_is_shown():
    """Rows are known by name, in the order of the universe."""
    pupils = pd.DataFrame(
        {"days": [10, 1, 3, 2], "year": [4, 1, 3, 2]}, index=["Terry", "Chris", "Pat", "Kelly"]
    )
    single = dp.record_risk("mean", pupils.days, 3, epsilon=1, sensitivity=17 / 6)
    at = {"epsilon": [1, 1], "sensitivity": [17 / 6, 1]}
    both = dp.record_risk([("mean", "days"), ("mean", "year")], pupils, 3, **at)
    for table in (single, both):
        assert table.index.tolist() == pupils.index.tolist()
        assert table.absent.idxmax() == "Terry"
    assert list(single) == ["value", "prior", "present", "absent", "exact"]
    assert list(both)[:2] == ["value of days", "value of year"]
    assert (both.absent >= single.absent).all()


def test_without_noise_a_record_is_told_by_its_answers():
    """At infinity, or sensitivity 0, each answer speaks for its worlds alone."""
    for at in ({"epsilon": math.inf, "sensitivity": 1}, {"epsilon": 1, "sensitivity": 0}):
        table = dp.record_risk("median", [1, 2, 3, 10], 3, **at)
        assert table.absent.tolist() == [0.5, 0.5, 0.5, 0.5]
        assert table.present.tolist() == [1, 1, 1, 1]
        assert dp.record_risk("count", [1, 2, 3, 10], 2, **at).present.tolist() == [0.5] * 4


def test_without_noise_on_two_answers_only_outputs_that_occur_are_looked_at():
    """Sum and median of two of four records: each sum and median has its worlds."""
    table = risk_of([0, 1, 2, 3], 2, ["sum", "median"], [math.inf, math.inf])
    assert table.present.tolist() == [1, 1, 1, 1]
    alone = risk_of([0, 1, 2, 3], 2, ["sum"], [math.inf])
    assert table.absent.tolist() == alone.absent.tolist()


@pytest.mark.parametrize(
    ("query", "wrong", "message"),
    [
        ("mean", {"epsilon": -1}, r"^epsilon must lie in \[0, inf\], got -1"),
        ("mean", {"sensitivity": -1}, r"^sensitivity must lie in \[0, inf\), got -1"),
        (["mean", "sum"], {}, r"^epsilon must have shape \(.*2,?\), got \(\)"),
        (["mean", "sum"], {"epsilon": [1, 1, 1]}, r"^epsilon .*2,?\), got \(3,\)"),
        (
            ["mean", "sum"],
            {"epsilon": [1, 1]},
            r"^sensitivity must have shape \(2,\), got \(1?,?\)",
        ),
        ("mean", {"max_worlds": 0}, r"^max_worlds must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_asked_is_refused(query, wrong, message):
    """With the argument, the rule and the value."""
    with pytest.raises(ValueError, match=message):
        dp.record_risk(query, [1, 2, 3, 4, 5], 3, **{"epsilon": 1, "sensitivity": 1} | wrong)
