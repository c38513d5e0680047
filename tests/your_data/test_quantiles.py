"""Medians and percentiles from public limits: the score, the law of the draw, and the promise.

The law is played by its definition, over all orders of the candidates; the promise over all files
of a few records. Nothing of the package is used there but the scales that it returns.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import opendp.prelude as opendp
import pytest
from strategies import chi_square

import dpchoose as dp
from dpchoose.your_data.noise import (
    Drawn,
    candidates_of,
    grid_of,
    misses,
    percentile_of,
    probabilities,
    unit_error,
)

HALF, NINETY = Fraction(1, 2), Fraction(9, 10)
RANKS = {"median": HALF, "percentile_90": NINETY}


def places(counts, rank):
    """By how many places each candidate misses, from the definition."""
    n, m = sum(counts), len(counts)
    return [
        max(0, sum(counts[:v]) - rank * n, sum(counts[v + 1 :]) - (1 - rank) * n) for v in range(m)
    ]


def law(scores, scale):
    """How often each candidate is drawn: in random order, the first whose coin shows heads."""
    z = [math.exp(-float(score - min(scores)) / scale) for score in scores]
    drawn = [0.0] * len(z)
    for order in itertools.permutations(range(len(z))):
        left = 1.0
        for v in order:
            drawn[v] += left * z[v]
            left *= 1 - z[v]
    return np.array(drawn) / math.factorial(len(z))


def files(records, candidates):
    """The counts at each candidate of all files of so many records."""
    bars = itertools.combinations(range(records + candidates - 1), candidates - 1)
    return [tuple(np.diff([-1, *cut, records + candidates - 1]) - 1) for cut in bars]


@pytest.mark.parametrize("rank", [HALF, NINETY, Fraction(1, 3), Fraction(333, 1000)])
def test_a_score_is_the_places_missed_and_the_percentile_has_none(rank):
    for counts in (file for n in range(1, 6) for file in files(n, 4)):
        exact = places(counts, rank)
        assert misses(np.array(counts), rank).tolist() == [x * rank.denominator for x in exact]
        values = sorted(v for v, count in enumerate(counts) for _ in range(count))
        low, high = math.ceil(rank * len(values)), math.floor(rank * len(values)) + 1
        ends = values[max(low, 1) - 1], values[min(high, len(values)) - 1]
        best = [v for v, miss in enumerate(exact) if miss == 0]
        assert {*ends} <= {*best} <= {*range(ends[0], ends[1] + 1)}
        middle = percentile_of(np.array(counts), rank, grid_of((0, 3), 1))
        assert middle == (best[0] + best[-1]) / 2


@pytest.mark.parametrize("rank", [HALF, NINETY])
def test_a_changed_record_moves_a_score_by_one_and_one_that_comes_by_the_larger_rank(rank):
    changed = came = 0
    for counts in files(5, 4):
        start = np.array(places(counts, rank))
        for v in range(4):
            more = np.array(counts) + np.eye(4, dtype=int)[v]
            came = max(came, *abs(np.array(places(more, rank)) - start))
            for w in np.flatnonzero(counts):
                moved = more - np.eye(4, dtype=int)[w]
                changed = max(changed, *abs(np.array(places(moved, rank)) - start))
    assert (changed, came) == (1, max(rank, 1 - rank))


GRIDS = [
    ((0, 9), None, r"limits must have a step for a percentile, as 0:9:0.5, got \(0, 9\)"),
    ((0.5, 60), None, "limits must have a step for a percentile"),
    ((0, 30), 7, "limits must have a step that divides 0 to 30 into whole steps, got 7"),
    ((0, 30), 0, "limits must have a step that divides"),
    ((0, 30), -1, "limits must have a step that divides"),
    ((0, 10), "0.0005", "limits must have at most 10,000 steps for a percentile, got 20000"),
]


@pytest.mark.parametrize(("limits", "step", "rule"), GRIDS)
def test_a_step_that_makes_no_candidates_is_refused(limits, step, rule):
    with pytest.raises(ValueError, match=rule):
        candidates_of(limits, step)


def test_a_percentile_of_more_decimals_than_can_be_counted_is_refused():
    rule = "query must be a percentile of at most four decimals, beside limits, got"
    for query in ("percentile_33.3333333333333", "percentile_0.00000000000001"):
        with pytest.raises(ValueError, match=rule):
            dp.PublicLimits(query, 9, (0, 60))
    counts, rank = np.array([2**40, 1, 2**41]), Fraction(333_333, 10**6)
    assert misses(counts, rank).tolist() == [
        place * 10**6 for place in places(list(map(int, counts)), rank)
    ]


@pytest.mark.parametrize("step", [0.1, "0.1", "0,1", "1/10"])
def test_a_step_is_the_decimal_that_is_written(step):
    grid = grid_of((-0.3, 0.7), step)
    assert grid.values.tolist() == [x / 10 for x in range(-3, 8)]
    assert grid.places(np.array([-0.3, -0.26, 0.04, 0.06, 0.7])).tolist() == [0, 0, 3, 4, 10]


def test_probabilities_are_those_of_permute_and_flip():
    rng = np.random.default_rng(0)
    for _ in range(12):
        scores = rng.integers(0, 6, rng.integers(2, 7)).astype(float)
        scale = rng.choice([0.1, 2, 9])
        assert probabilities(scores, scale) == pytest.approx(law(scores, scale), abs=1e-12)


def test_opendp_draws_by_this_law_and_within_the_stated_places():
    """20,000 draws of a file full of ties, of which some lie beyond what is stated."""
    opendp.enable_features("contrib")
    counts, scale = np.array([9, 0, 12, 3, 0, 6]), 2 / math.log(3)
    scores = misses(counts, HALF)
    space = opendp.vector_domain(opendp.atom_domain(T="i64")), opendp.linf_distance(T="i64")
    draw = opendp.m.make_noisy_max(*space, opendp.max_divergence(), scale=2 * scale)
    assert draw.map(2) == pytest.approx(2 / scale)
    arguments = (-scores).tolist()
    drawn = np.bincount([draw(arguments) for _ in range(20_000)], minlength=6)
    assert chi_square(drawn, probabilities(scores / 2, scale)) > 1e-6
    beyond = scores / 2 > Drawn(scale, 6).error(0.95)
    assert beyond.sum() == 2
    assert drawn[beyond].sum() <= 0.05 * 20_000


def test_the_error_in_the_unit_is_by_its_own_law():
    """Three values 0 and four 16: the exponential mechanism would be within 15."""
    counts = np.zeros(31, int)
    counts[[0, 16]] = 3, 4
    values = [0] * 3 + [16] * 4
    asked = dp.PublicLimits("median", values, (0, 30)).for_odds(3)
    assert asked.table["noise scale"][0] == pytest.approx(2 / math.log(3))
    assert unit_error(counts, HALF, candidates_of((0, 30), None), 2 / math.log(3)) == 16
    assert asked.to_dict()["private"]["errors in the unit"] == [16]


def test_the_clinics_ninetieth_percentile_is_8_and_is_drawn():
    visits = dp.datasets.health()["visits"]
    asked = dp.PublicLimits("percentile_90", visits, (0, 30)).for_odds(3).to_dict()
    assert asked["private"]["answers"] == [8]
    (answer,) = asked["answers"]
    assert answer["error"] == 11
    counts = np.bincount(np.minimum(visits, 30), minlength=31)
    scores = np.array([float(x) for x in places(counts.tolist(), NINETY)])
    assert probabilities(scores, answer["scale"])[8] > 0.999
    assert "within 11 places of the 90th percentile of the 5,912 values" in asked["sentences"][0]


# The promise, over all files of a few records.


def scale_of(query, candidates, **how):
    """The scale of the first answer that keeps a factor of 3."""
    limits = (0, candidates - 1, 1)
    return dp.PublicLimits(query, [0, 1, 2], limits, **how).for_odds(3).scales[0]


def largest(laws, neighbours):
    """The largest log ratio of the chances of a candidate over pairs of files."""
    return max(float(abs(laws[a] - laws[b]).max()) for a, b in neighbours)


def log_laws(records, candidates, rank, scale):
    return {file: np.log(probabilities(np.array(places(file, rank), float), scale))
            for n in records for file in files(n, candidates)}  # fmt: skip


def changed_by(laws, rows):
    """Pairs of files of one size that differ in at most so many records."""
    return [(a, b) for a, b in itertools.combinations(laws, 2)
            if sum(a) == sum(b) and sum(abs(np.subtract(a, b))) <= 2 * rows]  # fmt: skip


def came(laws, rows):
    """Pairs of files of which one has at most so many records more, and the same others."""
    return [(a, b) for a in laws for b in laws
            if 0 < sum(b) - sum(a) <= rows and min(np.subtract(b, a)) >= 0]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "rank", "n", "m"), [("median", HALF, 7, 4), ("percentile_90", NINETY, 8, 3)]
)
def test_no_file_with_a_public_n_tells_more_than_was_accepted(query, rank, n, m):
    for rows in (1, 2):
        laws = log_laws([n], m, rank, scale_of(query, m, rows_per_person=rows))
        loss = largest(laws, changed_by(laws, rows))
        assert 0.5 * math.log(3) < loss <= math.log(3) * (1 + 1e-12)


@pytest.mark.parametrize(("query", "rank"), [("median", HALF), ("percentile_90", NINETY)])
def test_no_file_with_a_hidden_n_tells_more_than_was_accepted(query, rank):
    """Which record a person has, and whether any."""
    for rows in (1, 2):
        laws = log_laws(range(8), 3, rank, scale_of(query, 3, hide_n=True, rows_per_person=rows))
        loss = largest(laws, [*changed_by(laws, rows), *came(laws, rows)])
        assert 0.5 * math.log(3) < loss <= math.log(3) * (1 + 1e-12)


@pytest.mark.parametrize(("query", "rank"), [("median", HALF), ("percentile_90", NINETY)])
def test_two_groups_lose_together_where_n_is_hidden(query, rank):
    """Who is in one of them leaves it for the other; at 2/L a factor of 3 would be exceeded."""
    how = {"hide_n": True, "by": ["a", "b", "b"], "groups": ["a", "b"]}
    for rows in (1, 2):
        scale = scale_of(query, 3, rows_per_person=rows, **how)
        assert scale == pytest.approx(4 * rows * max(rank, 1 - rank) / math.log(3))
        laws = log_laws(range(8), 3, rank, scale)
        moved = came(laws, rows)
        leaves, comes = (max(float((laws[pair[i]] - laws[pair[1 - i]]).max()) for pair in moved)
                         for i in (0, 1))  # fmt: skip
        assert 0.5 * math.log(3) < leaves + comes <= math.log(3) * (1 + 1e-12)
    laws = log_laws(range(8), 3, rank, 2 / math.log(3))
    leaves, comes = (max(float((laws[pair[i]] - laws[pair[1 - i]]).max()) for pair in came(laws, 1))
                     for i in (0, 1))  # fmt: skip
    assert (leaves + comes > math.log(3)) == (rank == NINETY)


def test_a_median_beside_a_sum_shares_the_loss():
    """What both spend on one person adds up to what was accepted."""
    asked = dp.PublicLimits(["median", "sum"], [0, 4, 9], (0, 10), split=[1, 3]).for_odds(3)
    median, total = asked.table["noise scale"]
    assert 2 / median + 10 / total == pytest.approx(math.log(3), rel=1e-9)
    assert 2 / median == pytest.approx(math.log(3) / 4, rel=1e-9)


def misses_that_are(records, candidates, rank):
    """The places that some candidate misses by in some file of so many records."""
    return sorted({x for file in files(records, candidates) for x in places(file, rank)})


@pytest.mark.parametrize("rank", [HALF, NINETY, Fraction(1, 3)])
@pytest.mark.parametrize("candidates", [2, 3, 4])
def test_the_stated_places_are_missed_no_more_often_in_any_file(rank, candidates):
    """By the law, enumerated: with n public and hidden, at several chances; attained by two."""
    closest = 0.0
    for records, scale, inside in itertools.product((1, 4, 5), (0.05, 0.6, 2, 9), (0.95, 0.5)):
        hidden = Drawn(scale, candidates, rank)
        public = Drawn(scale, candidates, rank, records)
        found = misses_that_are(records, candidates, rank)
        stated = hidden.error(inside)
        assert stated == pytest.approx(
            max(0, scale * math.log((candidates - 1) / 2 / (1 - inside)))
        )
        assert public.error(inside) in map(float, found)
        assert public.error(inside) == max(float(x) for x in found if x <= stated * (1 + 1e-12))
        for file in files(records, candidates):
            exact = np.array(places(file, rank), float)
            chances = law(exact, scale)
            beyond = chances[exact > public.error(inside)].sum()
            assert beyond <= (1 - inside) * (1 + 1e-9)
            assert chances[exact > stated].sum() <= beyond
            closest = max(closest, chances[exact >= stated - 1e-9].sum() / (1 - inside))
    assert closest > 0.5


def test_two_candidates_attain_the_stated_places():
    """A candidate misses by t places with the chance e^(-t/s)/2 and no less."""
    scale = 4 / math.log(10)
    assert Drawn(scale, 2, HALF, 8).error(0.95) == 4 == Drawn(scale, 2, HALF, 8).most(8)
    assert law([0, 4.0], scale)[1] == pytest.approx(0.05)


@pytest.mark.parametrize(("query", "n"), [("median", 12), ("percentile_90", 40)])
def test_no_stated_places_exceed_the_most_and_what_reaches_half_is_said_to_be_noise(query, n):
    most = float(max(RANKS[query], 1 - RANKS[query]) * n)
    for odds in (1.01, 3, 30, 1e4):
        result = dp.PublicLimits(query, n, (0, 60)).for_odds(odds)
        report = result.to_dict()
        error = report["answers"][0]["error"]
        assert 0 <= error <= most
        said = f"Mostly noise: {query}. " in " ".join(report["sentences"])
        assert said == (error >= most / 2)
        assert any(text.startswith("Mostly noise") for text in report["private"]["advice"]) == said
    assert error < most / 2


def test_with_n_hidden_no_stated_places_tell_n():
    """But for the private screen, and by a public guess."""
    told = []
    for n in (12, 4000):
        how = {"data": np.full(n, 7), "limits": (0, 60), "hide_n": True}
        one = dp.PublicLimits("median", **how).for_odds(3).to_dict()
        assert any("Mostly" in text for text in one.pop("private")["advice"]) == (n == 12)
        told.append(one)
        guessed = dp.PublicLimits("median", expect_n=12, **how).for_odds(3).to_dict()
        assert "Mostly noise if there are 12 rows: median. " in " ".join(guessed["sentences"])
        assert guessed["answers"][0]["error"] == one["answers"][0]["error"]
    assert told[0] == told[1]
    assert "Mostly" not in " ".join(told[0]["sentences"])


@pytest.mark.parametrize("error", [3, 20, 500])
def test_an_error_that_is_asked_for_is_inverted_without_the_most(error):
    """Of 12 values none misses by more than 6 places: 20 and 500 still ask for more noise."""
    scale = dp.PublicLimits("median", 12, (0, 60)).for_error(error).scale
    per_scale = math.log(10 * 60)
    assert error <= scale * per_scale < error + 1  # the next place that can be missed


@pytest.mark.parametrize("counts", [(600, 0, 0, 200, 300), (2, 0, 0, 0, 0), (5, 0, 0, 0, 5)])
def test_the_stated_places_are_kept_whatever_the_ties(counts):
    values = np.repeat(range(5), counts)
    (answer,) = dp.PublicLimits("median", values, (0, 4, 1)).for_odds(3).to_dict()["answers"]
    exact = np.array(places(counts, HALF), float)
    assert probabilities(exact, answer["scale"])[exact > answer["error"]].sum() <= 0.05
    assert answer["places"]


def test_an_empty_group_draws_evenly_where_n_is_hidden():
    how = {"limits": (0, 4, 1), "by": ["a", "a"], "groups": ["a", "b"]}
    asked = dp.PublicLimits("median", [1, 2], hide_n=True, **how).for_odds(3)
    assert asked.table["statistic"].tolist() == ["median, a", "median, b"]
    assert asked.table["noise scale"].nunique() == 1
    assert probabilities(np.array(places((0,) * 5, HALF), float), 1.0).tolist() == [0.2] * 5
