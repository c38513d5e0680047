"""What a recommendation promises is so as worded: for each adversary, at the scales in the table.

Every risk is evaluated again by plain enumeration, from the answers of the worlds.
"""

import itertools
import math
import re
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf
from test_risk import average

import dpchoose as dp
from dpchoose.epsilon.text import parse_risk, round_down

VISITS = dp.datasets.read_column(dp.datasets.health(), "visits")
PUPILS = dp.datasets.school_large()[0].absence_days

PLAIN = {
    "sum": np.sum,
    "mean": np.mean,
    "median": np.median,
    "var": np.var,
    "count": len,
}


def rates_of(found):
    """1 / scale of each new answer, in 0 to inf."""
    with np.errstate(divide="ignore"):
        return 1 / found.table["noise scale"].to_numpy()


def answers_of(queries, records):
    """The answers on some records, shape (d,)."""
    return np.array([float(PLAIN[query](records)) for query in queries])


def grid_of(answers):
    """The product of the coordinates, their ends and beyond: where outputs may tell most."""
    columns = [np.unique(column) for column in answers.T]
    wide = [np.concatenate([c, (c[1:] + c[:-1]) / 2, [c[0] - 9, c[-1] + 9]]) for c in columns]
    return np.array(list(itertools.product(*wide)))


def posteriors(answers, rates, prior, outputs):
    """By the rule of Bayes, shape (outputs, worlds)."""
    logs = np.log(prior) - np.abs(outputs[:, None, :] - answers) @ rates
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def exactly(rates):
    """Rates of mpmath, from scales that are floats: an infinite one is very large."""
    return [mpf(10) ** 12 if scale == 0 else 1 / mpf(float(scale)) for scale in rates]


def exact_likelihood(rates, output, answer):
    """exp(-sum_q t_q |x_q - f_q|), on the exact floats."""
    gaps = (t * abs(mpf(float(x)) - mpf(float(f))) for t, x, f in zip(rates, output, answer))
    return mpmath.exp(-mpmath.fsum(gaps))


def exact_world(answers, rates):
    """The tight bound, each listed world as likely as the others."""
    return max(
        1 / mpmath.fsum(exact_likelihood(rates, here, there) for there in answers)
        for here in np.unique(answers, axis=0)
    )


def exact_record(answers, holds, rates, secret):
    """The largest posterior that a record is present, or absent, over the product grid."""
    largest = mpf(0)
    distinct, which = np.unique(answers, axis=0, return_inverse=True)
    for output in itertools.product(*(np.unique(column) for column in answers.T)):
        at = [exact_likelihood(rates, output, answer) for answer in distinct]
        shares = [at[i] for i in which.ravel()]
        whole = mpmath.fsum(shares)
        for record in holds.T:
            inside = mpmath.fsum(share for share, held in zip(shares, record) if held)
            one = inside if secret == "present" else whole - inside
            largest = max(largest, one / whole)
    return largest


def exact_shell(sizes, wide, rates):
    """One over the sizes of the shells, each weighed by its farthest answers."""
    gaps = [
        mpmath.fsum(t * mpf(width[k]) for t, width in zip(rates, wide)) for k in range(len(sizes))
    ]
    return 1 / mpmath.fsum(size * mpmath.exp(-gap) for size, gap in zip(sizes, gaps))


def listed(queries, universe, size):
    """The answers of each world, shape (m, d), and which record it holds, shape (m, N)."""
    worlds = np.array(list(itertools.combinations(range(len(universe)), size)))
    answers = np.array([answers_of(queries, universe[world]) for world in worlds])
    return answers, (worlds[:, :, None] == np.arange(len(universe))).any(axis=1)


@pytest.mark.parametrize("secret", ["world", "present", "absent"])
def test_the_risk_of_the_secret_is_kept_at_60_digits_and_no_more_noise_is_added(secret):
    """At the scales of the table and at its epsilons, for any n and one to three answers."""
    rng = np.random.default_rng(3)
    kept = 0
    for case in range(30):
        several = 1 + case % (3 if secret == "world" else 2)
        records = int(rng.integers(3, 6))
        size = int(rng.choice([1, 2, 4, records - 1]))
        size = size if size < records else 1
        names = ["sum", "median"] + (["mean"] if size in (1, 2, 4) else [])
        queries = names[:several]
        universe = rng.choice(14, records, replace=False).astype(float)
        answers, holds = listed(queries, universe, size)
        prior = {"present": size / records, "absent": 1 - size / records}
        least = prior.get(secret, 1 / len(answers))
        risk = Fraction(least) + (1 - Fraction(least)) * Fraction(int(rng.integers(5, 90)), 100)
        adjacency = ["unbounded", "bounded"][case % 2]
        at = {"risk": risk, "secret": secret, "adjacency": adjacency}
        split = "equal" if case % 4 else rng.choice([1.0, 3.0], len(queries))
        found = dp.recommend(queries, universe, size, split=split, **at)
        if not 0 < found.epsilon < math.inf:
            continue
        with mpmath.workdps(60):
            request = mpf(risk.numerator) / risk.denominator
            scales = found.table["noise scale"].tolist()
            sizes = zip(found.table["sensitivity"], found.table["epsilon"])
            stated = [mpf(float(delta)) / mpf(float(epsilon)) for delta, epsilon in sizes]
            for noise in (scales, stated):
                rates = [1 / mpf(scale) for scale in noise]
                risks = [
                    exact_world(answers, more)
                    if secret == "world"
                    else exact_record(answers, holds, more, secret)
                    for more in (rates, [t * (1 + mpf("1e-9")) for t in rates])
                ]
                assert risks[0] <= request
                assert risks[1] > request
        kept += 1
    assert kept > 15


def test_the_shell_bound_is_kept_at_60_digits():
    """Written again from its definition, with the exact counts, where worlds cannot be listed."""
    rng = np.random.default_rng(2)
    for queries, records, size, risk in [
        (["mean"], 60, 30, "1/50"),
        (["mean", "var"], 40, 13, 0.3),
        (["sum", "median"], 50, 45, 1e-3),
    ]:
        universe = rng.lognormal(2, 1, records)
        found = dp.recommend(queries, universe, size, risk=risk, max_worlds=1000)
        assert not found.facts.world_exact
        few = min(size, records - size)
        wide = [
            [0.0]
            + [
                dp.global_sensitivity(q, universe, size, adjacency="bounded", distance=k).value
                for k in range(1, few + 1)
            ]
            for q in queries
        ]
        with mpmath.workdps(60):
            rates = [1 / mpf(scale) for scale in found.table["noise scale"].tolist()]
            request = parse_risk(risk)
            request = mpf(request.numerator) / request.denominator
            sizes = [math.comb(size, k) * math.comb(records - size, k) for k in range(few + 1)]
            assert exact_shell(sizes, wide, rates) <= request
            assert exact_shell(sizes, wide, [t * (1 + mpf("1e-9")) for t in rates]) > request
        assert found.epsilon == found.bounds["shell bound"]


def moved(universe, world, others, several):
    """The neighbours of a world: with one record less, and with one more."""
    for place in world if several else []:
        yield [i for i in world if i != place]
    for place in others:
        yield [*world, place]


def test_no_adversary_gets_more_than_is_said_of_her():
    """Each by Bayes' rule over a grid of outputs; those that are said exactly attain it."""
    rng = np.random.default_rng(7)
    for case in range(60):
        records = int(rng.integers(3, 7))
        size = int(rng.integers(1, records))
        queries = [["mean"], ["median", "sum"], ["var"], ["mean", "var"]][case % 4]
        universe = rng.integers(0, 12, records).astype(float)
        scale = rng.choice([0.5, 3.0, 10.0], len(queries))
        found = dp.recommend(queries, universe, size, scale=scale)
        risks, rates = found.risks, 1 / scale
        answers, holds = listed(queries, universe, size)
        outputs = grid_of(answers)
        even = np.full(len(answers), 1 / len(answers))
        beliefs = posteriors(answers, rates, even, outputs)
        assert beliefs.max() == pytest.approx(risks["world"], rel=1e-10)
        assert (beliefs @ holds).max() == pytest.approx(risks["present"], rel=1e-10)
        assert (1 - beliefs @ holds).max() == pytest.approx(risks["absent"], rel=1e-10)
        half = np.full(2, 0.5)
        torn = knowing = 0.5
        for i, j in itertools.combinations(range(len(answers)), 2):
            two = posteriors(answers[[i, j]], rates, half, outputs).max()
            torn = max(torn, two)
            if (holds[i] & holds[j]).sum() == size - 1:
                knowing = max(knowing, two)
        assert torn == pytest.approx(risks["torn"], rel=1e-10)
        assert knowing <= risks["knowing n"] * (1 + 1e-12)
        if len(queries) == 1:
            assert knowing == pytest.approx(risks["knowing n"], rel=1e-10)
        not_knowing = 0.5
        for here, held in zip(answers, holds):
            inside, outside = np.flatnonzero(held).tolist(), np.flatnonzero(~held).tolist()
            for near in moved(universe, inside, outside, size > 1):
                two = np.array([here, answers_of(queries, universe[near])])
                not_knowing = max(not_knowing, posteriors(two, rates, half, grid_of(two)).max())
        assert not_knowing <= risks["not knowing n"] * (1 + 1e-12)
        if len(queries) == 1:
            assert not_knowing == pytest.approx(risks["not knowing n"], rel=1e-10)
            worlds = dp.possible_worlds(queries[0], universe, size)
            assert float(average(worlds, mpf(rates[0]))) == pytest.approx(risks["average"])


def test_the_visits_are_published_together_within_the_risk_or_five_times_beyond_it():
    """Mean and variance, 0.01: alone each would do, and together they reach 28%."""
    found = dp.recommend(["mean", "var"], VISITS, risk=0.01)
    worlds = dp.possible_worlds(["mean", "var"], VISITS, len(VISITS) - 1)
    sensitivity = found.table["sensitivity"].to_numpy()
    at = {"epsilon": found.table["epsilon"].to_numpy(), "sensitivity": sensitivity}
    assert dp.tight_bound(worlds, **at) <= 0.01
    assert found.risks["world"] == pytest.approx(0.01, rel=1e-8)
    alone = [dp.recommend(query, VISITS, risk=0.01).epsilon for query in ("mean", "var")]
    assert alone == pytest.approx([3.98394, 3.94336], abs=1e-5)
    together = dp.recommend(["mean", "var"], VISITS, epsilon=alone)
    assert together.risks["world"] == pytest.approx(0.2809, abs=5e-5)
    assert dp.recommend("mean", VISITS, epsilon=alone[0]).risks["torn"] == pytest.approx(
        0.985, abs=5e-4
    )
    five_times = dp.recommend("mean", VISITS, epsilon=5 * alone[0])
    assert five_times.risks["world"] == pytest.approx(0.764, abs=5e-4)


def test_what_is_published_again_is_counted_in():
    """The same mean at the scale that a risk allows leaves nothing; at half of it, it exceeded."""
    scale = dp.recommend("mean", VISITS, risk=0.01).table["noise scale"][0]
    left = dp.recommend("mean", VISITS, risk=0.01, already=[("mean", scale)])
    assert (left.status, left.epsilon) == ("nothing left", 0)
    assert left.table["noise scale"].tolist() == [math.inf]
    gone = dp.recommend("var", VISITS, risk=0.01, already=[("mean", scale / 2)])
    assert gone.status == "cannot be met"
    assert math.isnan(gone.epsilon)
    some = dp.recommend("var", VISITS, risk=0.01, already=[("mean", 2 * scale)])
    assert some.status == "ok"
    both = dp.recommend(
        ["mean", "var"], VISITS, scale=[2 * scale, float(some.table["noise scale"][0])]
    )
    assert both.risks["world"] == pytest.approx(0.01, rel=1e-8)
    assert both.risks["world"] <= 0.01
    again = dp.recommend("mean", VISITS, risk=0.05, already=[("mean", 2 * scale)] * 2)
    total = 1 / again.table["noise scale"][0] + 1 / scale
    assert 1 / total == pytest.approx(
        dp.recommend("mean", VISITS, risk=0.05).table["noise scale"][0], rel=1e-8
    )


def test_two_of_ten_pupils_are_exposed_and_named():
    """No choice of six is surer than a third, and yet two pupils are told to be in or out."""
    found = dp.recommend("mean", PUPILS, 6, risk="1/3")
    assert found.epsilon == pytest.approx(10.535, abs=5e-4)
    assert found.status == "exposed"
    for words in ("record 9", "in 99.9%, out 99.6%", "record 10", "in 99.996%, out 99.99%"):
        assert words in found.reason
    assert "record 8" not in found.reason
    assert found.reason in found.sentences()[1]
    kept = dp.recommend("mean", PUPILS, 6, risk=0.7, secret="present")
    assert kept.status == "ok"
    assert kept.risks["present"] == pytest.approx(0.7, rel=1e-8)
    assert kept.risks["present"] <= 0.7


def test_who_was_likely_in_before_is_exposed_by_being_told_so():
    """Whether both of two smokers are among 17 of 20: a yes tells, a no leaves them half out."""

    def both(values):
        return (values.sum(axis=-1) >= 2).astype(float)

    found = dp.recommend(both, [1, 1] + [0] * 18, 17, scale=1e-6)
    assert found.risks["present"] > 0.99 > 0.9 > 17 / 20
    assert found.risks["absent"] < 0.9
    assert found.status == "exposed"


def test_what_is_only_bounded_is_never_called_safe():
    """A thousand real records of which half are released: the record bound is near 1."""
    universe = np.random.default_rng(0).normal(size=1000)
    found = dp.recommend("mean", universe, 500, risk=0.4)
    assert found.status == "not shown safe"
    assert found.sentences()[1].startswith("This is not safe to sign as it stands")


def test_one_person_of_a_million_is_kept_by_the_record_bound():
    """P(in) <= n e^s / (n e^s + N - n), s = sum t_q Delta_q, at 60 digits."""
    universe = np.random.default_rng(0).lognormal(size=1_000_000)
    found = dp.recommend("mean", universe, 50_000, risk=0.5, secret="present")
    step = dp.global_sensitivity("mean", universe, 50_000, adjacency="bounded").value
    with mpmath.workdps(60):
        odds = mpmath.exp(mpf(step) / mpf(found.table["noise scale"][0])) * 50_000 / 950_000
        assert odds / (1 + odds) <= mpf("0.5")
        assert odds / (1 + odds) > mpf("0.5") * (1 - mpf("1e-8"))
    assert found.status == "ok"


CHANCE = re.compile(r"([\d.]+)%|([12]/3)(?= sure| of the time)|(certain)")


@given(
    universe=st.lists(st.integers(0, 30), min_size=3, max_size=6),
    queries=st.sampled_from([["mean"], ["median"], ["sum", "var"], ["count"], ["mean", "median"]]),
    risk=st.sampled_from(["1/50", "1/5", 0.4, "0.9", 0.999]),
    secret=st.sampled_from(["world", "present", "absent"]),
    data=st.data(),
)
def test_each_sentence_names_its_adversary_and_rounds_her_risk_up(
    universe, queries, risk, secret, data
):
    """The numbers are read back from the words, in every status."""
    size = data.draw(st.integers(1, len(universe) - 1))
    found = dp.recommend(queries, universe, size, risk=risk, secret=secret)
    said = found.sentences()
    words = " ".join(said).lower()
    assert "released record" in said[0]
    assert "never on all" in said[0]
    assert all(one.endswith((".", ".)")) for one in said)
    for never in ("nobody", "no one", "any epsilon will do", "no adversary"):
        assert never not in words
    shown = [
        Fraction(percent) / 100 if percent else Fraction(third or 1)
        for percent, third, _ in CHANCE.findall(" ".join(said).replace(found.reason, ""))
    ]
    if found.status in ("cannot be met", "nothing left"):
        assert shown == []
        assert found.reason in said[1]
        assert len(said) == 2
        return
    risks = found.risks
    known = [risks["world"], risks["torn"], risks["not knowing n"], risks["knowing n"]]
    if len(queries) == 1:
        known.append(risks["average"])
    assert float(shown.pop(-3)) == pytest.approx(size / len(universe), rel=1e-3)  # the prior
    known += [risks["present"], risks["absent"]]
    assert len(shown) == len(known)
    for number, value in zip(shown, known):
        assert float(number) >= value * (1 - 1e-12)
        assert float(number) <= value * 1.1
        assert number < 1 or value == 1
    if secret == "world":
        request = math.ceil(parse_risk(risk) * 1000) / 1000
        assert float(shown[0]) <= request
    assert "equally likely" in words
    assert "torn" in words
    assert ("not safe to sign" in words) == (found.status in ("exposed", "not shown safe"))


def test_more_answers_and_groups_are_told_together():
    """With what is out already, and without a number that is not known."""
    found = dp.recommend("count", range(12), risk="1/3", by=list("aaabbbbccccc"))
    assert "nan" not in " ".join(found.sentences())
    out = dp.recommend("mean", VISITS, risk=0.02, already=[("var", 2.0)])
    assert any("Already out is var" in one for one in out.sentences())


# Groups


def grouped_answers(query, universe, labels):
    """The answer of each group when each record in turn is left out, shape (N, G)."""
    rows = []
    for missing in range(len(universe)):
        kept = [i for i in range(len(universe)) if i != missing]
        rows.append(
            [
                PLAIN[query]([universe[i] for i in kept if labels[i] == label])
                for label in sorted(set(labels))
            ]
        )
    return np.array(rows, dtype=float)


@given(
    universe=st.lists(st.integers(-9, 9), min_size=4, max_size=9),
    query=st.sampled_from(["sum", "count"]),
    part=st.integers(5, 95),
    data=st.data(),
)
def test_groups_keep_the_risk_at_60_digits(universe, query, part, data):
    """One missing: the dense table of all worlds, at the scales that are recommended."""
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=len(universe), max_size=9))
    labels = (labels * 2)[: len(universe)]
    least = Fraction(1, len(universe))
    risk = least + (1 - least) * Fraction(part, 100)
    found = dp.recommend(query, universe, risk=risk, by=labels)
    answers = grouped_answers(query, universe, labels)
    scales = found.table["noise scale"].tolist()
    with mpmath.workdps(60):
        request = mpf(risk.numerator) / risk.denominator
        rates = exactly(scales)
        assert exact_world(answers, rates) <= request
        if 0 < found.epsilon < math.inf:
            assert exact_world(answers, [t * (1 + mpf("1e-9")) for t in rates]) > request
            assert float(exact_world(answers, rates)) == pytest.approx(found.risks["world"])


def test_other_releases_of_groups_keep_the_risk_by_the_shell_bound():
    """Held against every world of the answers of all groups."""
    rng = np.random.default_rng(4)
    for size in (1, 2, 4, 5):
        universe, labels = rng.integers(0, 9, 7).astype(float), list("aabbbcc")
        found = dp.recommend("sum", universe, size, risk=0.4, by=labels)
        worlds = list(itertools.combinations(range(7), size))
        answers = np.array(
            [
                [sum(universe[i] for i in world if labels[i] == label) for label in "abc"]
                for world in worlds
            ],
            dtype=float,
        )
        rates = rates_of(found)
        beliefs = posteriors(answers, rates, np.full(len(worlds), 1 / len(worlds)), answers)
        assert beliefs.max() <= found.risks["world"] <= 0.4
        half = np.full(2, 0.5)
        torn = max(
            posteriors(answers[[i, j]], rates, half, answers[[i, j]]).max()
            for i, j in itertools.combinations(range(len(worlds)), 2)
        )
        assert torn <= found.risks["torn"] * (1 + 1e-12)
        holds = np.array([[i in world for i in range(7)] for world in worlds], dtype=float)
        grid = grid_of(answers)
        inside = posteriors(answers, rates, np.full(len(worlds), 1 / len(worlds)), grid) @ holds
        assert inside.max() <= found.risks["present"] * (1 + 1e-12)
        assert (1 - inside).max() <= found.risks["absent"] * (1 + 1e-12)


def test_counts_need_no_noise_where_each_group_is_large_enough():
    """As long as all are exact: noise on others or none, a group of five hides its own."""
    labels = ["a"] * 5 + ["b"] * 6 + ["c"] * 7
    found = dp.recommend("count", range(18), risk="1/5", by=labels)
    assert found.status == "any epsilon"
    assert found.table["noise scale"].tolist() == [0, 0, 0]
    assert dp.recommend("count", range(18), risk="1/6", by=labels).epsilon < math.inf


def test_a_large_group_does_not_hide_a_small_one():
    """Sizes 1000 and 2: with the first count exact, the second's risk tends to one half."""
    labels = ["large"] * 1000 + ["small"] * 2
    kept = dp.recommend("count", range(1002), risk=0.01, by=labels)
    assert kept.epsilon < math.inf
    assert kept.risks["world"] <= 0.01
    exact = dp.recommend("count", range(1002), scale=[1e-3, 1e-3], by=labels)
    assert exact.risks["world"] == pytest.approx(0.5, rel=1e-9)
    t = 1 / kept.table["noise scale"]
    by_hand = 1 / (2 + math.exp(-t[1]) * 1000 * math.exp(-t[0]))
    assert kept.risks["world"] == pytest.approx(by_hand, rel=1e-9)


def test_labels_may_be_a_column_or_a_list():
    """Rows of the table are sorted by label."""
    table = pd.DataFrame({"days": [1, 5, 2, 9, 4, 4], "class": list("bababa")})
    named = dp.recommend(("mean", "days"), table, risk=0.4, by="class")
    listed_ = dp.recommend("mean", table.days, risk=0.4, by=list("bababa"))
    assert named.table["noise scale"].tolist() == listed_.table["noise scale"].tolist()
    assert [label[-1] for label in named.table["statistic"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (list("aab"), r"^by must hold a label for each of 4 records, got 3"),
        (["a", None, "b", "b"], r"^by must hold a label for each record, got none at position 1"),
        (["a", math.nan, "b", "b"], r"^by must hold a label for each record, got none"),
        ("ward", r"^by must be one of .*, got 'ward'"),
        (list("abbb"), r".*a\b"),
    ],
)
def test_groups_that_cannot_be_are_refused(by, message):
    """Of another length, with a missing label, or a group without a mean."""
    with pytest.raises(ValueError, match=message):
        dp.recommend("mean", [1, 2, 3, 10], risk=0.5, by=by)


def test_the_epsilon_of_all_answers_counts_those_that_are_out():
    """What who knows everybody else but not n reaches is that of the whole, not of the new ones."""
    found = dp.recommend("mean", [1.0, 2, 3, 4], 3, risk=0.5, already=[("sum", 9.0)])
    whole = found.epsilon + dp.global_sensitivity("sum", [1.0, 2, 3, 4], 3).value / 9
    assert found.facts.total == pytest.approx(whole)
    assert found.risks["not knowing n"] == pytest.approx(1 / (1 + math.exp(-whole)))
    assert any(round_down(found.facts.total) in one for one in found.sentences())


def test_one_group_is_none():
    """All records in one group are answered as they are without groups, whatever needs no noise."""
    records = [2.0, 0, 1, 0]
    at = {"risk": 0.6822, "adjacency": "bounded"}
    by_group = dp.recommend(["count", "sum"], records, 3, by=[0] * 4, **at)
    alone = dp.recommend(["count", "sum"], records, 3, **at)
    assert by_group.table["noise scale"].tolist() == pytest.approx(alone.table["noise scale"])
    assert by_group.risks["torn"] == pytest.approx(alone.risks["torn"])
    assert dp.recommend("count", [1.0, 2, 3], 2, by=[0] * 3, risk=0.5).risks["torn"] == 0.5


def test_what_every_world_answers_alike_is_free_when_nothing_is_left():
    """The number of the released says nothing new to who knows it."""
    records = [1.0, 2, 3, 4]
    scale = dp.recommend("mean", records, 3, risk=0.5).table["noise scale"][0]
    assert dp.recommend("mean", records, 3, risk=0.5, already=[("mean", scale)]).epsilon == 0
    assert (
        dp.recommend("count", records, 3, risk=0.5, already=[("mean", scale)]).epsilon == math.inf
    )


def test_no_noise_is_promised_to_undo_what_is_out():
    """A record that a published answer gives away stays given away."""
    found = dp.recommend("mean", [0, 0, 0, 0, 1.0], 2, risk=0.7, already=[("sum", 0.05)])
    assert found.status == "exposed"
    assert "already" in found.reason
    assert "takes epsilon" not in found.reason


def test_an_answer_without_a_share_of_the_risk_is_not_published():
    found = dp.recommend(["sum", "mean"], [0.0, 0, 0, 5, 9], 4, risk=0.3, split=[0, 1])
    assert found.table["noise scale"][0] == math.inf
    assert not any("infinite" in one for one in found.sentences())


def test_no_risk_at_all_is_refused():
    with pytest.raises(ValueError, match="risk must name at least one"):
        dp.recommend("mean", [1.0, 2, 3], 2, risk=[])
