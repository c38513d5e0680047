"""Everybody is in the file: each row of the table of readers, played through by its definition.

A reader is torn between what one person may have been (some record within the limits, in some
group, or not in the file) and knows the others, or believes something about them that is
independent of her. Nothing of the package is used but the noise scales that it returns.
"""

import contextlib
import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import definition
import numpy as np
import pandas as pd
import pytest
from definition import mp, real
from hypothesis import settings
from strategies import noise_of

import dpchoose as dp
from dpchoose import UnattainableRisk
from dpchoose.numbers import parse_number
from dpchoose.your_data.noise import planned_error

CASES, CLOSE = 8 * settings.default.max_examples, 1e-9  # 200 files; 16,000 in a long run
LIMITS = [(0, 60), (0, 1), (-3, 5), (-0.1, 0.7), (1e6, 1e6 + 1), (-8, -2), (0.1, 0.3)]
GOALS = [{"odds": 3}, {"odds": "1,5"}, {"odds": 100}, {"risk": "1/3", "before": "1%"}]
GOALS += [{"risk": 0.6, "before": 0.5}, {"epsilon": 0.7}, {"scale": "2.5"}, {"error": "0,4"}]
ASKED = [("sum", "x"), ("mean", "x"), ("mean", "y"), ("share", "c=a"), ("share", "c=b")]
OUT = [("sum", "y"), ("mean", "x"), ("share", "c=a")]
OUT_HIDDEN = [("sum", "y"), ("centred sum", "x"), ("centred sum", "c=a"), "count"]
GROUPS = ["A", "B", "empty"]


def name_of(one):
    return one if isinstance(one, str) else ":".join(one)


class Case:
    """A small file, a question with what is out, a goal, and the noise; None if none keeps it."""

    def __init__(self, seed, hidden, grouped):
        self.draw = draw = random.Random(seed * 4 + 2 * hidden + grouped)
        self.hidden, self.grouped = hidden, grouped
        self.limits = {name: draw.choice(LIMITS) for name in "xy"}
        self.file = [self.anybody(draw.choice("AB")) for _ in range(draw.randint(2, 4))]
        self.file[0]["c"], self.file[1]["c"] = "ab"
        choices = [*ASKED[:4], "count"] if hidden else ASKED
        asked = draw.sample(choices, draw.choice([1, 1, 2, 3]))
        self.out = draw.sample(OUT_HIDDEN if hidden else OUT, draw.choice([0, 0, 1]))
        self.out = [(one, self.step_of(one) / draw.choice([0.02, 0.4, 1.5])) for one in self.out]
        self.goal = dict(draw.choice(GOALS[:-1] if hidden else GOALS))
        self.weights = draw.choice([None, [draw.choice([1, 0.2, 5]) for _ in asked]])
        losses = [self.step_of(one) / scale for one, scale in self.out]
        self.already = math.exp(sum(losses)) * (1 + 1e-12) if losses else 1
        named = {name_of(one) for one in asked}
        self.columns = sorted({name.partition(":")[2] for name in named} - {""})
        self.question = {
            "query": asked,
            "limits": {name: self.limits[name] for name in self.columns if "=" not in name},
            "hide_n": hidden,
            "by": "group" if grouped else None,
            "groups": GROUPS if hidden and grouped else None,
            "already": self.already,
            "split": self.weights or "equal",
        }
        self.found = None
        with contextlib.suppress(UnattainableRisk):
            self.found = self.ask(self.file)
        self.groups = ["A"]  # of whom answers are told apart
        if grouped:
            self.groups = GROUPS if hidden else sorted({one["group"] for one in self.file})
        if self.found is None:
            return
        self.rates = dict(zip(self.found.question.labels, self.found.scales.tolist()))
        self.rates = {k: 1 / Fraction(b) for k, b in self.rates.items() if 0 < b < math.inf}
        of = [f", {group}" for group in self.groups] if grouped else [""]
        for (one, scale), group in itertools.product(self.out, of):
            self.rates[f"{name_of(one)}{group} (out)"] = 1 / Fraction(scale)

    def step_of(self, one):
        """The most that an earlier answer moves, whichever of the readers is meant."""
        kind, _, column = name_of(one).partition(":")
        low, high = self.limits.get(column, (0, 1))
        wide = 1 if kind == "count" else high - low
        if kind in ("mean", "share"):
            sizes = Counter(one["group"] if self.grouped else "" for one in self.file)
            wide = wide / min(sizes.values())
        add = {"count": 1, "sum": max(abs(low), abs(high)), "centred sum": wide / 2}.get(kind, 0)
        return max(wide, 2 * add)

    def ask(self, file):
        return noise_of(dp.PublicLimits(data=pd.DataFrame(file), **self.question), self.goal)

    def anybody(self, group):
        """A record with values in and beyond the limits."""
        values = {k: self.draw.uniform(1.4 * low - 0.4 * high, 1.4 * high - 0.4 * low)
                  for k, (low, high) in self.limits.items()}  # fmt: skip
        return values | {"c": self.draw.choice("abz"), "group": group}

    def records(self, group):
        """What a person of a group may have: all columns at an end of their limits, or inside."""
        ends = {k: pair if k in self.columns else [0] for k, pair in self.limits.items()}
        classes = "abz" if any("=" in name for name in self.columns) else "z"
        corners = itertools.product(*ends.values(), classes)
        return [dict(zip("xyc", one), group=group) for one in corners] + [self.anybody(group)]

    def answers(self, records, rates, number=float):
        """Of some records, one for each rate."""
        return [
            definition.of_everybody(name.removesuffix(" (out)"), records, self.limits, number)
            for name in rates
        ]

    def grow(self, secrets, others, pairs, rates):
        """The largest log growth of the odds of one secret against another over outputs.

        Args:
            secrets: what she may have been, None where she is not in.
            others: lists of the other records, each with its weight, independent of her.
            pairs: which secret is held against which.

        Returns:
            it, and the pair that attains it.
        """
        rows = np.array([[self.answers([*rest, *filter(None, [one])], rates) for rest, _ in others]
                         for one in secrets])  # fmt: skip
        t, flat = np.array([float(one) for one in rates.values()]), rows.reshape(-1, len(rates))
        low, high = flat.min(axis=0), flat.max(axis=0)
        beyond = np.where(self.np.integers(0, 2, (30, len(low))), high + 1, low - 1)
        mixed = np.stack([self.np.choice(column, 30) for column in flat.T], axis=1)
        outputs = np.concatenate([self.np.permutation(flat)[:90], beyond, mixed])
        far = (np.abs(outputs[:, None, None] - rows) * t).sum(axis=-1)
        near = far.min(axis=2)
        seen = np.log(np.exp(near[:, :, None] - far) @ [weight for _, weight in others]) - near
        gaps = np.where(pairs, (seen[:, :, None] - seen[:, None, :]).max(axis=0), -math.inf)
        return gaps.max(), np.unravel_index(gaps.argmax(), gaps.shape)

    def play(self, reader):
        """The largest log of a factor: of who knows the others, exactly, and of who does not."""
        self.np = np.random.default_rng(self.draw.randrange(2**32))
        best, mixed = mp.zero, -math.inf
        for group in self.groups[:1] if self.hidden else self.groups:
            where = [one["group"] for one in self.file] if self.grouped else ["A"]
            gone = where.index(group) if group in where else 0
            known = self.file[:gone] + self.file[gone + 1 :]
            secrets, pairs = self.torn(reader, group)
            others = [(known, 0.5), *((self.unlike(known), 0.25) for _ in range(2))]
            _, (i, j) = self.grow(secrets, others[:1], pairs, self.rates)
            a, b = (self.answers([*known, *filter(None, [secrets[k]])], self.rates, Fraction)
                    for k in (i, j))  # fmt: skip
            best = max(best, definition.distance(a, b, self.rates.values()))
            mixed = max(mixed, self.grow(secrets, others, pairs, self.rates)[0])
        return best, mixed

    def unlike(self, known):
        """Other records of the others, where n is hidden not even as many."""
        groups = [one["group"] for one in known]
        if self.hidden:
            groups = self.draw.choices(self.groups, k=self.draw.randint(0, 3))
        return [self.anybody(group) for group in groups]

    def torn(self, reader, group):
        """What a reader thinks possible, and which of it she holds against which."""
        if "two groups" in reader:
            secrets = [one for group in self.groups for one in self.records(group)]
        else:
            secrets = [*self.records(group), *([None] if "is in" in reader else [])]
        kinds = np.array([one["group"] if one else "out" for one in secrets])
        apart = kinds[:, None] != kinds
        return secrets, apart if len({*kinds}) > 1 else ~np.eye(len(kinds), dtype=bool)


READERS = {
    (False, False): ["which of two records a person has"],
    (False, True): ["which of two records a person has"],
    (True, False): ["which of two records a person has", "whether a person is in"],
    (True, True): ["which of two records a person has, in a known group", "whether a person is in",
                   "in which of two groups a person is"],
}  # fmt: skip


@pytest.mark.hypothesis
@pytest.mark.parametrize(("hidden", "grouped"), READERS)
def test_no_reader_gets_surer_than_the_table_says(hidden, grouped):
    """Of each file: the factor bounds what she learns, is attained where it says so, and binds."""
    attained = refused = 0
    for seed in range(CASES):
        case = Case(seed, hidden, grouped)
        found, accepted = case.found, definition.accepted(case.goal)
        if found is None:
            refused += 1
            assert accepted is not None
            assert case.already >= accepted * (1 - mp.mpf("1e-11"))
            continue
        rows = found.readers
        asked = [name for name in READERS[hidden, grouped] if case.columns or "records" not in name]
        assert [name.removeprefix("asks ") for name in rows["reader"].unique()] == asked
        learnt = {name: case.play(name) for name in rows["reader"].unique()}
        for row in rows.itertuples():
            far, mixed = learnt[row.reader]
            assert mp.exp(far) <= row.factor
            assert mixed <= math.log(row.factor) + CLOSE
            odds = mp.exp(far) * real(row.before) / (1 - real(row.before))
            assert odds / (1 + odds) <= real(row.after) * (1 + mp.mpf("1e-15"))
            if row.exact:
                attained += 1
                assert far >= min(mp.log(row.factor), 700) - CLOSE
                assert odds / (1 + odds) >= row.after * (1 - CLOSE)
        beliefs = 0.5, float(parse_number(case.goal.get("before", 0.5), "before"))
        assert {*rows["before"]} == {*beliefs}
        assert found.odds == rows["factor"].max()
        assert rows["promised"].all()
        largest = max(far for far, _ in learnt.values())
        if accepted is not None:
            assert largest <= mp.log(accepted)
            assert math.log(found.odds) >= mp.log(accepted) * (1 - mp.mpf(CLOSE))
        else:
            assert_given(case)
    assert attained > CASES / 2
    assert refused < CASES / 4


def assert_given(case):
    """A noise that somebody has is the one in the table; one epsilon is that of all together."""
    table = case.found.table.dropna(subset="noise scale")
    ((name, value),) = case.goal.items()
    value = float(parse_number(value, name))
    if name == "epsilon":
        of = table["statistic"].str.partition(", ")[2]
        assert table.groupby(of)["epsilon"].sum().max() == pytest.approx(value, rel=1e-12)
        shares = table["sensitivity"] / table["noise scale"]
        assert table["epsilon"].tolist() == pytest.approx(shares.tolist(), rel=1e-9)
    elif name == "scale":
        assert table["noise scale"].tolist() == [value] * len(table)
    else:  # at most that error, of a scale that is printed whole
        assert ((0.999 * value < table["95% error"]) & (table["95% error"] <= value)).all()
    continuous = table[~table["statistic"].str.startswith("count")]
    assert continuous["95% error"].tolist() == pytest.approx(
        (continuous["noise scale"] * math.log(20)).tolist()
    )


@pytest.mark.parametrize(("hidden", "grouped"), READERS)
def test_all_but_the_private_part_follows_from_limits_and_public_numbers(hidden, grouped):
    """Whatever the values are, and where n is hidden however many: so choices may be shown."""
    differ = 0
    for seed in range(25):
        case = Case(seed, hidden, grouped)
        if case.found is None:
            continue
        told, low_high = case.found.to_dict(), case.limits.items()
        cut = [one | {k: min(max(one[k], low), high) for k, (low, high) in low_high}
               for one in case.file]  # fmt: skip
        assert case.ask(cut).to_dict() == told
        groups = case.draw.choices("AB", k=7) if hidden else [one["group"] for one in case.file]
        other = list(map(case.anybody, groups))
        other[0]["c"], other[1]["c"] = "ab"
        seen = case.ask(other).to_dict()
        differ += seen["private"] != told["private"]
        assert {**seen, "private": 0} == {**told, "private": 0}
    assert differ > 10


@pytest.mark.parametrize("limits", LIMITS)
def test_sensitivities_from_limits_are_those_of_all_lists_within_them(limits):
    low, high = map(Fraction, limits)
    grid = [low, high, (low + high) / 2, (2 * low + high) / 3]

    def answer(kind, values):
        return definition.of_everybody(f"{kind}:x", [{"x": v} for v in values], {"x": limits})

    def assert_is(found, kind, pairs):
        exact = max(abs(answer(kind, one) - answer(kind, other)) for one, other in pairs)
        assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 10**15))

    for n in (1, 2, 3):
        lists = [list(one) for one in itertools.product(grid, repeat=n)]
        changed = [(one, [v, *one[1:]]) for one in lists for v in grid]
        come = [(one, one[1:]) for one in lists]
        for kind in ("sum", "mean", *["share"] * (limits == (0, 1)), *["var"] * (n > 1)):
            change, add = dp.limits_sensitivity(kind, limits, n)
            assert_is(change, kind, changed)
            assert math.isnan(add)
        for kind in ("sum", "centred sum", "count"):
            for found, pairs in zip(dp.limits_sensitivity(kind, limits), (changed, come)):
                assert_is(found, kind, pairs)


@pytest.mark.parametrize("limits", [*LIMITS, (1000.1, 1000.2), (1.7e9 + 0.1, 1.7e9 + 0.2)])
def test_a_value_less_the_middle_as_a_float_moves_a_centred_sum_no_farther(limits):
    """Far from 0 the middle of narrow limits is no float."""
    middle = Fraction(sum(limits) / 2)
    farthest = max(abs(Fraction(limit) - middle) for limit in limits)
    assert farthest <= Fraction(dp.limits_sensitivity("centred sum", limits)[1])


@pytest.mark.parametrize("query", ["mean", "sum"])
@pytest.mark.parametrize("n", [10, 10**5, 10**7, 2**40])
def test_the_floats_of_a_mean_and_of_a_sum_move_no_farther_than_the_factor_allows(query, n):
    """What the noise is added to is a float: of neighbours it moves by r 2^-52 or n r 2^-52 more.

    Neighbours are looked for among files of zeros and of values at the upper limit.
    """
    scale = dp.PublicLimits(query, n, (0, 0.7)).for_odds(3).scale
    high, divisor = Fraction(0.7), n if query == "mean" else 1
    worst = high * (1 + Fraction(n, 2**52)) / divisor
    assert real(worst) / real(Fraction(scale)) <= mp.log(3)
    some = random.Random(n).sample(range(n // 2, n), min(n // 2, 2000))
    floats = [[Fraction(float(high * k / divisor)) for k in (one, one + 1)] for one in some]
    farthest = max(more - less for less, more in floats)
    assert farthest <= worst
    assert n < 10**5 or farthest > high * (1 + Fraction(n, 2**56)) / divisor


DRAWS = 100_000


@pytest.mark.parametrize(
    ("n", "mean"), [(5912, 2.8), (300, 30), (50, 29), (50, 15), (12, 2), (5, 1)]
)
@pytest.mark.parametrize("factor", [3, 30])
def test_a_mean_of_a_noisy_sum_and_count_is_off_as_planned_and_as_published(n, mean, factor):
    """Each with 95 % probability at least, and the plan, where C > 0, with hardly more."""
    (low, high), rng = (0, 30), np.random.default_rng(n)
    wide, middle, of_sum, of_count = 30, 15, 30 / math.log(factor), 2 / math.log(factor)
    total = n * (mean - middle) + rng.laplace(scale=of_sum, size=DRAWS)
    count = n + rng.laplace(scale=of_count, size=DRAWS)
    error = abs(np.where(count > 0, np.clip(middle + total / count, low, high), middle) - mean)
    planned = planned_error(n, mean - middle, (low, high), of_sum, of_count)
    beyond = (error > planned).mean()
    assert beyond < 0.05 + 0.002
    assert beyond > 0.05 - 0.002 or planned > min(mean, high - mean)  # where it is cut
    published = (of_sum + wide / 2 * of_count) * math.log(40) / count
    assert (error > np.where((count > 0) & (published < wide), published, wide)).mean() < 0.05
    assert n != 5 or (abs(total / count + middle - mean) > 10 * wide).any()  # why it is cut


def test_the_planned_error_stays_on_the_private_side_and_to_one_digit():
    found = dp.PublicLimits("mean", [*range(60)], (0, 60), hide_n=True).for_odds(3)
    told = found.to_dict()
    assert [one["error"] for one in told["answers"]][2] is None
    planned = told["private"]["planned"][0]
    assert (planned["answer"], planned["error"]) == (pytest.approx(29.5), 3)
    rates = 1 / found.table["noise scale"][:2]
    assert (rates * [60, 2]).tolist() == pytest.approx([math.log(3)] * 2, rel=1e-9)


# Beliefs.


@pytest.mark.parametrize("hidden", [True, False])
def test_relative_risk_bounds_every_output_belief_and_set(hidden):
    """One or two answers; where n is public, somebody else is in for her."""
    attained = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        low, high = sorted(rng.choice([-3.0, 0, 1, 7], 2, replace=False))
        values = np.array([high, low, *rng.uniform(low, high, 2)])
        p, q = rng.choice([0.01, 0.3, 0.9, 1], 2)
        inside = np.array([True, False, *rng.integers(0, 2, 2, dtype=bool)])
        belief = rng.dirichlet([0.3] * 4)
        belief = np.where(inside, q * belief / belief[inside].sum(),
                          (1 - q) * belief / belief[~inside].sum())  # fmt: skip
        rates = rng.choice([0.2, 1.0, 3.0], 2) * [1, hidden and rng.integers(0, 2)]
        rows = np.array([[value, 1.0] for value in values] + [[0.0, 0.0]])
        moved = np.array([high - low, 0]), np.array([max(abs(low), abs(high)), 1])
        near, far = (float(rates @ one) for one in moved)
        if not hidden:
            rows[-1], far = [rng.uniform(low, high), 1], near
        outputs = np.array([[x, y] for x in (*rows[:, 0], -9, 9) for y in (-1, 0, 0.4, 1, 2)])
        seen = np.exp(-(abs(outputs[:, None] - rows) * rates).sum(axis=-1))
        weights = np.array([*(p * belief), 1 - p])
        believed = seen[:, :-1] @ np.where(inside, weights[:-1], 0) / (seen @ weights)
        ratio = believed.max() / (p * q)
        bound = dp.relative_risk(included=p, value=q, distances=(near, far))
        assert ratio <= bound * (1 + CLOSE)
        attained += ratio > bound * (1 - CLOSE)
        assert bound <= dp.relative_risk(included=p, value=q, epsilon=far) * (1 + CLOSE)
    assert attained > 10


def test_kazan_and_reiters_table_is_reproduced():
    """A relative risk of r at most, or a disclosure risk of a = 0.25 (table 1 of 2024)."""
    for r, epsilon in ((1.5, 0.51), (3, 1.30), (6, 2.04)):
        exact = math.log((r - 0.25) / (1 - 0.25))
        assert round(exact, 2) == epsilon
        assert dp.relative_risk(included=0.25 / r, value=1, epsilon=exact) == pytest.approx(r)
        p = np.linspace(1e-3, 1, 200)
        risk = dp.relative_risk(included=p, value=1, epsilon=exact)
        assert (risk <= np.maximum(r, 0.25 / p) * (1 + CLOSE)).all()


@pytest.mark.parametrize("mu", [0.3, 1, 2.5])
def test_gaussian_noise_tells_as_often_as_is_said_and_laplace_never_more(mu):
    noise, rng = dp.Gaussian(mu), np.random.default_rng(1)
    grid = np.linspace(-12, 12 + mu, 400_001)
    true, false = (np.exp(-((grid - at) ** 2) / 2) / math.sqrt(2 * math.pi) for at in (mu, 0))
    step, drawn = grid[1] - grid[0], rng.normal(mu, 1, 10**6)
    grown = mu * drawn - mu * mu / 2  # of the truth
    for factor in (1, 1.5, 3, 20):
        seen = true > factor * false
        assert noise.odds_exceed(factor) == pytest.approx(
            (true[seen].sum() * step, false[seen].sum() * step), abs=1e-4
        )
        assert (grown > math.log(factor)).mean() == pytest.approx(
            noise.odds_exceed(factor)[0], abs=3e-3
        )
    assert noise.right() == pytest.approx(np.maximum(true, false).sum() * step / 2, abs=1e-6)
    drawn = rng.laplace(mu, 1, 10**6)
    grown = abs(drawn) - abs(drawn - mu)
    assert grown.max() <= mu + 1e-12
    assert (grown > 0).mean() == pytest.approx(1 - math.exp(-mu / 2) / 2, abs=3e-3)


# What an earlier wording got wrong.


@pytest.mark.parametrize("hidden", [False, True])
def test_a_mean_and_a_condition_on_the_same_column_have_no_common_worst_pair(hidden):
    table = pd.DataFrame({"x": [1.0, 5, 9, 3], "y": [0, 1, 1, 0]})
    questions = [
        dp.PublicLimits([("mean", "x"), ("share", share)], table, {"x": (0, 10)}, hide_n=hidden)
        for share in ("x=5", "y=1")
    ]
    same, other = (question.for_odds(3).readers["exact"] for question in questions)
    assert (same.any(), other.all()) == (False, True)


TABLE = pd.DataFrame({"x": [1.0, 2, 3], "g": ["a", "b", "b"]})
REFUSED = [
    ({"error": "5%"}, "error must be in the unit"),
    ({"error": 1, "hide_n": True}, "error must not be given where n is hidden"),
    ({"odds": 3, "hide_n": True, "by": "g"}, "groups must list the groups"),
    ({"odds": 3, "hide_n": True, "by": "g", "groups": ["a"]}, "by must be one of 'a', got 'b'"),
    ({"odds": 3, "hide_n": True, "by": "g", "groups": ["a", "a"]}, "list the groups, each once"),
    ({"risk": "1%"}, "risk must come with before"),
    ({"risk": "1%", "before": "1%"}, "before must lie below the risk"),
    ({"odds": 3, "query": "count"}, "count must come with hide_n"),
    ({"odds": 3, "query": ("centred sum", "x"), "hide_n": True}, "query must be one of"),
    *(({"odds": 3, "query": (query, "x")}, "query must be one of sum, mean, var, share, median")
      for query in ("centred sum", np.max)),
    ({"odds": 3, "query": ("std", "x")}, "must not be std beside limits, got 'std:x': .* ask var"),
    ({"odds": 3, "query": ("std", "x"), "hide_n": True}, "must not be std beside limits"),
    ({"odds": 3, "query": ("var", "x"), "hide_n": True},
     "must not be var where n is hidden, got 'var:x': .* depends on n; leave hide_n"),
    ({"odds": 3, "query": ("var", "x"), "by": "g"}, "at least two records in each group, got 1"),
    ({"odds": 3, "query": ("var", "x"), "data": 1}, "at least two records, got 1"),
    ({"odds": 3, "query": ("median", "x")}, "limits of x must have a step for a percentile"),
    ({"odds": 3, "limits": {"x": (0, 9, 2)}}, "limits of x must have a step that divides 0 to 9"),
    ({"odds": 3, "limits": {"x": (0, 9, 0)}}, "limits of x must have a step that divides 0 to 9"),
    ({"odds": 3, "limits": {"x": (0, 9, 1, 2)}}, "limits of x must be two numbers"),
    ({"odds": 3, "query": [("share", "g=a"), ("share", "g=b")], "limits": {}, "hide_n": True},
     r"got \'g\': ask counts by it \(count, by COLUMN\)"),
    ({"scale": [1, 2], "query": [("mean", "x"), ("median", "x")], "hide_n": True,
      "limits": {"x": (0, 9, 1)}},
     "one number, or one for each of centred sum:x, median:x, count, got 2"),
    ({"odds": 3, "limits": {}}, "limits of x must be given, as x=0:60"),
    ({"odds": 3, "limits": {"x": (1e15, 1e15 + 1)}, "data": 10**6}, "so narrow beside their size"),
]  # fmt: skip


ACCEPTED = ("odds", "risk", "before", "error", "scale")


@pytest.mark.parametrize(("how", "reason"), REFUSED)
def test_what_would_promise_nothing_is_refused_by_name(how, reason):
    goal = {name: how[name] for name in ACCEPTED if name in how}
    asked = {"query": ("mean", "x"), "data": TABLE, "limits": {"x": (0, 9)}} | how
    question = {name: value for name, value in asked.items() if name not in goal}
    with pytest.raises((ValueError, TypeError), match=reason):
        noise_of(dp.PublicLimits(**question), goal)


def test_distances_that_no_two_lists_have_are_refused():
    with pytest.raises(ValueError, match="d_v at most 2 d_m, got 3 and 1"):
        dp.relative_risk(included=0.5, value=0.5, distances=(3, 1))


def test_an_empty_group_is_answered_like_the_others():
    how = {"limits": {"x": (0, 9)}, "hide_n": True, "by": "g", "groups": ["c", "a", "b"]}
    table = dp.PublicLimits([("sum", "x"), "count"], TABLE, **how).for_odds(3).table
    assert table["statistic"].tolist()[:2] == ["sum:x, c", "count, c"]
    assert table["noise scale"][:2].tolist() == table["noise scale"][2:4].tolist()
