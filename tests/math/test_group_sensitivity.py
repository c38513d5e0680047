"""What one record moves in a table by group, against the plain listing of all tables."""

import itertools

import definition
import numpy as np
import pytest
from strategies import NAMED_QUERIES, midrange

from dpchoose.sensitivity import find, spread
from dpchoose.sensitivity.groups import group_sensitivities
from dpchoose.worlds.worlds import refuse_emptied

PLAIN = ["count", "sum", "mean"]


class Tables:
    """All subsets of a small universe, as the bits of a number, with their tables (2^N, G d)."""

    def __init__(self, pairs, codes, size):
        self.groups, records = int(codes.max()) + 1, len(codes)
        inside = (np.arange(2**records)[:, None] >> np.arange(records)) & 1 == 1
        self.sizes = inside.sum(axis=1)
        self.worlds, self.bits = np.flatnonzero(self.sizes == size), 1 << np.arange(records)
        columns = [
            self._column(query, definition.meant(values), inside & (codes == group))
            for group in range(self.groups)
            for query, values in pairs
        ]
        self.answers = np.column_stack(columns)

    @staticmethod
    def _column(query, exact, inside):
        found = []
        for row in inside:
            part = [one for one, taken in zip(exact, row) if taken]
            if not part and query not in ("count", "sum"):
                found.append(np.nan)
            elif callable(query):
                found.append(float(query(np.array([float(one) for one in part]))))
            else:
                found.append(float(definition.answer(query, part)))
        return found

    def moves(self, flips, size=None):
        """The changes of all answers from every world with some bits flipped, (pairs, G d)."""
        ones, others = np.broadcast_arrays(self.worlds[:, None], np.array(flips))
        others = ones ^ others
        near = (self.sizes[others] == (size or self.sizes[others])) & (others > 0)
        return np.abs(self.answers[ones[near]] - self.answers[others[near]])

    def exchanges(self):
        """Of every two worlds that differ in one record."""
        swaps = [one | other for one, other in itertools.combinations(self.bits.tolist(), 2)]
        return self.moves(swaps, self.sizes[self.worlds[0]])


def cases(count, seed, *, every=False):
    """Queries, groups and release sizes: all but one for ``every`` query, else any for some."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        records = int(rng.integers(3, 8))
        _, codes = np.unique(rng.integers(0, rng.integers(1, 5), records), return_inverse=True)
        size = records - 1 if every else int(rng.integers(1, records))
        known = [*NAMED_QUERIES, midrange] if every else PLAIN
        chosen = rng.choice(len(known), int(rng.integers(1, 3)), replace=False)
        unit = rng.choice([0.01, 0.25, 1, 100])
        columns = np.round(rng.choice([rng.integers(-4, 5, records), rng.lognormal(0, 2, records)]))
        yield rng, [(known[one], columns * unit) for one in chosen], codes, size


def empties(pairs, codes, size, more):
    """Whether a mean, or the like, of some group may be missing, ``more`` records than are out."""
    needy = any(query not in ("count", "sum") for query, _ in pairs)
    return needy and np.bincount(codes).min() <= len(codes) - size + more


@pytest.mark.parametrize("every", [True, False])
def test_every_number_is_that_of_all_neighbouring_tables(every):
    for rng, pairs, codes, size in cases(200, seed=int(every), every=every):
        tables, found = Tables(pairs, codes, size), group_sensitivities(pairs, codes, size)
        near = {"rtol": 1e-12, "atol": 1e-12}
        if not empties(pairs, codes, size, 1):
            moved = tables.moves(tables.bits).max(axis=0)
            np.testing.assert_allclose(found.unbounded.ravel(), moved, **near)
        if empties(pairs, codes, size, 0):
            continue
        widths, exchanges = np.ptp(tables.answers[tables.worlds], axis=0), tables.exchanges()
        np.testing.assert_allclose(found.spread.ravel(), widths, **near)
        np.testing.assert_allclose(found.bounded.ravel(), exchanges.max(axis=0), **near)
        rates = rng.exponential(1, found.shift.shape) * (rng.random(found.shift.shape) < 0.8)
        exact, step = (exchanges @ rates.ravel()).max(), found.largest_step(rates)
        assert step >= exact * (1 - 1e-12)
        if len(pairs) == 1 and (every or pairs[0][0] != "mean"):
            assert step == pytest.approx(exact, rel=1e-12)


def test_an_answer_that_nobody_moves_counts_nothing_at_any_rate():
    pairs, codes = [("mean", np.array([2.0, 2, 2, 1, 5, 3]))], np.array([0, 0, 0, 1, 1, 1])
    found = group_sensitivities(pairs, codes, 5)
    assert found.largest_step(np.array([[np.inf], [1.0]])) == found.bounded[1, 0]


@pytest.mark.parametrize("query", [*NAMED_QUERIES, midrange])
def test_of_one_group_it_is_the_sensitivity_of_all_records(query):
    values = np.array([0.1, 7, 2.5, 2.5, -3, 11])
    for size in [5] if query not in PLAIN else [2, 3, 5]:
        found = group_sensitivities([(query, values)], np.zeros(6, dtype=int), size)
        alone = [find(query, values, size, adjacency=kind) for kind in ("unbounded", "bounded")]
        assert [found.unbounded, found.bounded] == [float(one) for one in alone]
        assert [found.spread, found.shift] == [spread(query, values, size), 0]


def test_far_from_zero_no_digit_of_a_step_is_lost():
    values, codes = 1e9 + np.array([0.1, 0.2, 0.4, 0.1, 0.3, 0.7]), np.repeat([0, 1], 3)
    found = group_sensitivities([("mean", values), ("sum", values)], codes, 4)
    assert found.bounded[:, 0].tolist() == pytest.approx([0.3, 0.6], rel=1e-15)
    assert found.spread[:, 0].tolist() == pytest.approx([0.3, 0.6], rel=1e-15)
    np.testing.assert_allclose(found.bounded[:, 1], [1e9 + 0.4, 1e9 + 0.7], 1e-15)


@pytest.mark.parametrize("query", ["median", "var", "std", "percentile_90", midrange])
def test_what_is_no_count_sum_or_mean_is_refused_where_more_than_one_is_missing(query):
    pairs = [("mean", np.arange(9.0)), (query, np.arange(9.0))]
    rule = r"^by must be asked of count, sum or mean where n < N - 1, got ('|<function)"
    with pytest.raises(ValueError, match=rule):
        group_sensitivities(pairs, np.repeat([0, 1, 2], 3), 7)
    assert group_sensitivities(pairs, np.repeat([0, 1, 2], 3), 8).bounded.shape == (3, 2)


def test_a_group_that_can_be_emptied_is_refused_by_name():
    def ask(queries, size, adjacency):
        missing = 1 + (adjacency == "unbounded")
        refuse_emptied(queries, ["A", "B"], np.repeat([0, 1], [9, size]), missing)

    for adjacency, least in (("unbounded", 3), ("bounded", 2)):
        ask(["sum", "mean"], least, adjacency)
        ask(["count", "sum"], least - 1, adjacency)
        rule = f"^group 'B' must hold at least {least} records for the mean, got {least - 1}$"
        with pytest.raises(ValueError, match=rule):
            ask(["sum", "mean"], least - 1, adjacency)


def test_bounded_sensitivities_exist_where_a_group_is_never_empty_in_a_world():
    pairs, codes = [("mean", np.array([1.0, 4, 2, 7, 7]))], np.array([0, 0, 1, 1, 1])
    found = group_sensitivities(pairs, codes, 4)
    assert np.isnan(found.unbounded).ravel().tolist() == [True, False]
    assert found.bounded.ravel().tolist() == [3.0, 2.5]
    assert np.isnan(group_sensitivities(pairs, codes, 3).bounded).ravel().tolist() == [True, False]
