"""Groups: every closed form against the plain listing of all worlds."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpchoose.data.queries import evaluate
from dpchoose.risk import group_pairs
from dpchoose.risk.groups import GroupedSums
from dpchoose.sensitivity.groups import group_sensitivities
from dpchoose.worlds.groups import all_but_one, refuse_emptied

NAMED = ["count", "sum", "mean", "median", "var", "std", "percentile_25", "percentile_90"]


def midrange(values):
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


class Listing:
    """All subsets of a small universe, as the bits of a number, and their answers (2^N, G d)."""

    def __init__(self, asked, group, release_size):
        self.group, records = group, len(group)
        self.shape = (group.max() + 1, len(asked))
        self.masks = np.arange(2**records)
        inside = (self.masks[:, None] >> np.arange(records)) & 1 == 1
        self.sizes = inside.sum(axis=1)
        self.worlds = np.flatnonzero(self.sizes == release_size)
        self.release_size, self.records = release_size, records
        self.inside = inside
        self.answers = np.array([self._answer(asked, row) for row in inside])

    def _answer(self, asked, row):
        found = []
        for g in range(self.shape[0]):
            for query, values in asked:
                part = values[row & (self.group == g)]
                empty = 0.0 if query in ("count", "sum") else math.nan
                found.append(float(evaluate(query, part)) if part.size else empty)
        return found

    def unbounded(self):
        moved = [np.zeros(self.answers.shape[1])]
        for bit in range(self.records):
            other = self.worlds ^ (1 << bit)
            moved.append(np.abs(self.answers[self.worlds] - self.answers[other]).max(axis=0))
        return np.max(moved, axis=0).reshape(self.shape)

    def changes(self):
        """Of all answers, for every two worlds that differ in one record."""
        found = []
        for one, two in itertools.combinations(range(self.records), 2):
            other = self.worlds ^ (1 << one) ^ (1 << two)
            keep = self.sizes[other] == self.release_size
            found.append(np.abs(self.answers[self.worlds[keep]] - self.answers[other[keep]]))
        return np.concatenate(found)

    def distances(self, rates):
        scaled = self.answers[self.worlds] * rates.ravel()
        return np.abs(scaled[:, None] - scaled).sum(axis=-1)

    def shared(self):
        inside = self.inside[self.worlds].astype(int)
        return inside @ inside.T

    def tight(self, rates):
        return float(1 / np.exp(-self.distances(rates)).sum(axis=1).min())


def random_case(rng, queries=NAMED, all_but_one_released=False, most=2):
    """Queries, groups and a release size of which no answer is ever missing."""
    while True:
        records = int(rng.integers(3, 8))
        _, group = np.unique(rng.integers(0, rng.integers(1, 4), records), return_inverse=True)
        release_size = records - 1 if all_but_one_released else int(rng.integers(1, records))
        chosen = rng.choice(len(queries), int(rng.integers(1, most + 1)), replace=False)
        columns = rng.choice([1, 3, 100]) * rng.integers(-4, 5, (2, records)) / 4
        asked = [(queries[q], columns[rng.integers(0, 2)]) for q in chosen]
        try:
            refuse_emptied(
                [query for query, _ in asked],
                [*range(group.max() + 1)],
                np.bincount(group),
                release_size=release_size,
                adjacency="unbounded",
            )
        except ValueError:
            asked = [("sum", columns[0]), ("count", columns[0])][: len(asked)]
        return asked, group, release_size


def cases(count, seed=1, **options):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield rng, *random_case(rng, **options)


def test_sensitivities_and_spreads_are_those_of_all_neighbouring_datasets():
    for _, asked, group, size in cases(300, queries=[*NAMED, midrange]):
        listing, found = Listing(asked, group, size), group_sensitivities(asked, group, size)
        changes = listing.changes()
        worlds = listing.answers[listing.worlds]
        spread = (worlds.max(axis=0) - worlds.min(axis=0)).reshape(listing.shape)
        np.testing.assert_allclose(found.unbounded, listing.unbounded(), 1e-9, 1e-9)
        np.testing.assert_allclose(
            found.bounded, changes.max(axis=0).reshape(listing.shape), 1e-9, 1e-9
        )
        np.testing.assert_allclose(found.spread, spread, 1e-9, 1e-9)


def test_the_largest_step_bounds_every_change_of_one_record_and_is_exact_for_all_but_one():
    for rng, asked, group, size in cases(300, seed=2):
        listing, found = Listing(asked, group, size), group_sensitivities(asked, group, size)
        rates = rng.exponential(1, listing.shape)
        exact = (listing.changes() @ rates.ravel()).max()
        assert found.largest_step(rates) >= exact * (1 - 1e-9)
        if size == len(group) - 1 and len(asked) == 1:
            assert found.largest_step(rates) == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_no_two_worlds_are_farther_apart_than_their_shell():
    for rng, asked, group, size in cases(200, seed=3):
        listing, found = Listing(asked, group, size), group_sensitivities(asked, group, size)
        rates = rng.exponential(1, listing.shape)
        shells = found.shell_distances(rates, min(size, len(group) - size))
        away = shells[size - listing.shared()]
        assert (listing.distances(rates) <= away * (1 + 1e-9) + 1e-12).all()
        assert (np.diff(shells) >= 0).all()


def test_the_record_bound_holds_with_the_largest_step():
    for rng, asked, group, size in cases(150, seed=4, most=1):
        listing, found = Listing(asked, group, size), group_sensitivities(asked, group, size)
        rates = rng.exponential(1, listing.shape)
        step = found.largest_step(rates)
        inside = listing.inside[listing.worlds]
        scaled = listing.answers[listing.worlds] * rates.ravel()
        outputs = np.array(
            [*scaled, *rng.permuted(np.tile(scaled, (5, 1)), axis=0)]  # answers, and mixed ones
        )
        beliefs = np.exp(-np.abs(outputs[:, None] - scaled).sum(axis=-1))
        odds_in, odds_out = beliefs @ inside, beliefs @ ~inside
        n, left = size, len(group) - size
        grown = math.exp(step) * (1 + 1e-9)
        assert (odds_in * left <= odds_out * n * grown).all()
        assert (odds_out * n <= odds_in * left * grown).all()


def test_tight_bound_and_diameter_are_those_of_the_dense_answers():
    for rng, asked, group, size in cases(
        300, seed=5, queries=[*NAMED, midrange], all_but_one_released=True, most=3
    ):
        listing = Listing(asked, group, size)
        sums = GroupedSums(all_but_one(asked, group))
        rates = rng.exponential(rng.choice([0.1, 1, 30]), listing.shape)
        log_risk, _, row = sums.tight(rates)
        assert math.exp(log_risk) == pytest.approx(listing.tight(rates), rel=1e-9)
        worlds = sums.worlds
        again = worlds.peaks[row] / (worlds.weights @ np.exp(-sums.distances(row, rates)))
        assert again == pytest.approx(math.exp(log_risk), rel=1e-12)
        farthest = listing.distances(rates).max()
        assert sums.diameter(rates) == pytest.approx(farthest, rel=1e-9, abs=1e-9)
        assert worlds.weights.sum() == pytest.approx(1)
        dense = listing.answers[listing.worlds].reshape(-1, *listing.shape)
        spread = dense.max(axis=0) - dense.min(axis=0)
        np.testing.assert_allclose(worlds.spread, spread, 1e-9, 1e-9)
        np.testing.assert_allclose(worlds.mean_answers, dense.mean(axis=0), 1e-9, 1e-9)
        full = listing.answers[-1].reshape(listing.shape)
        np.testing.assert_allclose(worlds.answers, full, 1e-12, 1e-12)


@st.composite
def grouped(draw):
    sizes = draw(st.lists(st.integers(2, 3), min_size=1, max_size=3))
    group = np.repeat(np.arange(len(sizes)), sizes)
    order = draw(st.permutations(range(len(group))))
    record = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([0.25, 1e5, -1e-3]))
    values = draw(st.lists(record, min_size=len(group), max_size=len(group)))
    rate = st.sampled_from([0.0, 1e-3, 0.7, 5.0, 1e4])
    queries = draw(st.lists(st.sampled_from(NAMED), min_size=1, max_size=2, unique=True))
    shape = (len(sizes), len(queries))
    rates = draw(st.lists(rate, min_size=math.prod(shape), max_size=math.prod(shape)))
    asked = [(query, np.array(values)) for query in queries]
    return asked, group[list(order)], np.array(rates).reshape(shape)


@given(grouped())
def test_tight_bound_is_the_joint_definition_for_any_rates(case):
    asked, group, rates = case
    log_risk, _, _ = GroupedSums(all_but_one(asked, group)).tight(rates)
    dense = Listing(asked, group, len(group) - 1)
    assert math.exp(log_risk) == pytest.approx(dense.tight(rates), rel=1e-6)


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 20.0]))
def test_large_groups_and_many_small_ones_are_summed_alike(seed, rate):
    rng = np.random.default_rng(seed)
    group = np.concatenate([np.repeat([0, 1], [700, 200]), np.repeat(np.arange(2, 90), 3)])
    values = rng.lognormal(0, 2, len(group)).round(2)
    sums = GroupedSums(all_but_one([("mean", values)], group))
    rates = rate * np.bincount(group)[:, None] * rng.random((90, 1))
    worlds = sums.worlds
    all_sums = [
        worlds.weights @ np.exp(-sums.distances(i, rates)) for i in range(len(worlds.group))
    ]
    log_risk, _, _ = sums.tight(rates)
    assert log_risk == pytest.approx(-math.log(min(all_sums) * worlds.total), abs=sums.log_error)
    twice = GroupedSums(all_but_one([("mean", values), ("mean", values)], group))
    assert twice.tight(np.hstack([rates, rates]) / 2)[0] == pytest.approx(log_risk, abs=1e-9)


@pytest.mark.parametrize("many", [0, 2**19])
def test_the_worst_of_rows_that_do_not_stand_in_line_is_found(many, monkeypatch):
    monkeypatch.setattr(group_pairs, "MANY_PAIRS", many)
    rng = np.random.default_rng(8)
    for rate in (0.1, 1.0, 10.0, 300.0):
        group = np.sort(rng.integers(0, 3, 400))
        asked = [("mean", rng.random(400)), ("var", rng.normal(0, 1, 400))]
        sums = GroupedSums(all_but_one(asked, group))
        worlds = sums.worlds
        rates = rate * 100 * rng.random((3, 2))
        every = [worlds.weights @ np.exp(-sums.distances(i, rates)) for i in range(400)]
        assert not sums.in_line
        wanted = -math.log(min(every) * worlds.total)
        assert sums.tight(rates).log_risk == pytest.approx(wanted, abs=sums.log_error)


def test_rows_that_are_passed_over_are_not_the_worst():
    values = np.array([0.0, 1, 2, 50])
    sums = GroupedSums(all_but_one([("sum", values)], np.array([0, 0, 1, 1])))
    among = np.array([True, True, True, False])
    at = sums.tight(np.ones((2, 1)), among).row
    assert among[at]


def test_a_group_with_an_exact_count_hides_nobody_of_another_group():
    sizes = np.array([1000, 2])
    group = np.repeat([0, 1], sizes)
    sums = GroupedSums(all_but_one([("count", np.zeros(1002))], group))
    for rate in (1.0, 20.0, np.inf):
        rates = np.array([[np.inf], [rate]])
        assert math.exp(sums.tight(rates)[0]) == pytest.approx(0.5)
    hidden = np.array([[1.0], [1.0]])
    assert math.exp(sums.tight(hidden)[0]) < 0.01


def test_risks_of_counts_are_those_of_the_definition():
    rng = np.random.default_rng(6)
    for _ in range(200):
        sizes = rng.integers(1, 6, rng.integers(1, 6))
        rates = rng.exponential(1, len(sizes))
        group = np.repeat(np.arange(len(sizes)), sizes)
        sums = GroupedSums(all_but_one([("count", np.zeros(len(group)))], group))
        near = sizes * np.exp(-rates)
        risks = 1 / (sizes + np.exp(-rates) * (near.sum() - near))
        assert math.exp(sums.tight(rates[:, None])[0]) == pytest.approx(risks.max(), rel=1e-12)


def test_a_group_of_one_record_is_told_apart_by_its_sum():
    worlds = all_but_one([("sum", np.array([1.0, 2, 3, 9]))], np.array([0, 0, 0, 1]))
    log_risk, _, _ = GroupedSums(worlds).tight(np.full((2, 1), np.inf))
    assert worlds.moves[worlds.group == 1].tolist() == [[-9.0]]
    assert log_risk == 0


def test_equal_records_of_a_group_are_one_row_and_of_two_groups_are_two():
    values = np.array([5.0, 5, 5, 5, 1, 1])
    worlds = all_but_one([("mean", values), ("var", values)], np.array([0, 0, 1, 1, 0, 1]))
    assert worlds.group.tolist() == [0, 0, 1, 1]
    assert (worlds.weights * 6).tolist() == [2, 1, 2, 1]


def test_deviations_equal_on_paper_are_one_row():
    values = np.array([1.0, 2, 3, 4, 5]) / 8  # symmetric about 3/8
    worlds = all_but_one([("var", values)], np.zeros(5, dtype=int))
    assert sorted((worlds.weights * 5).tolist()) == [1, 2, 2]


@pytest.mark.parametrize("query", ["mean", "var", "std"])
def test_moves_keep_their_digits_far_from_zero(query):
    import mpmath

    mpmath.mp.dps = 60
    rng = np.random.default_rng(7)
    values = 1e9 + rng.standard_normal(200)

    def exact(part):
        part = [mpmath.mpf(x) for x in part]
        mean = mpmath.fsum(part) / len(part)
        variance = mpmath.fsum((x - mean) ** 2 for x in part) / len(part)
        return {"mean": mean, "var": variance, "std": mpmath.sqrt(variance)}[query]

    full = exact(values)
    wanted = np.sort([float(exact(np.delete(values, i)) - full) for i in range(200)])
    found = all_but_one([(query, values)], np.zeros(200, dtype=int)).moves[:, 0]
    np.testing.assert_allclose(found, wanted, 1e-9, np.abs(wanted).max() * 1e-14)


@pytest.mark.parametrize(
    ("adjacency", "size", "refused"),
    [("unbounded", 2, True), ("unbounded", 3, False), ("bounded", 1, True), ("bounded", 2, False)],
)
def test_a_group_that_can_be_emptied_is_refused_by_name(adjacency, size, refused):
    def ask(queries):
        refuse_emptied(
            queries, ["A", "B"], np.array([9, size]), release_size=8 + size, adjacency=adjacency
        )

    ask(["count", "sum"])
    if refused:
        with pytest.raises(
            ValueError, match=rf"'B'.*at least {size + 1} records.*mean, got {size}"
        ):
            ask(["sum", "mean"])
    else:
        ask(["sum", "mean"])


def test_bounded_sensitivities_exist_where_a_group_is_never_empty_in_a_world():
    asked, group = [("mean", np.array([1.0, 4, 2, 7, 7]))], np.array([0, 0, 1, 1, 1])
    found = group_sensitivities(asked, group, 4)
    assert np.isnan(found.unbounded).ravel().tolist() == [True, False]
    assert found.bounded.ravel().tolist() == [3.0, 2.5]
