"""The variance and its root where few records make up most of it, against all pairs.

With eight records or more and a heavy tail the best sets are rarely the plainest ones, so that a
place that is left out by a search for them is found here.
"""

import numpy as np
import pytest

from dpchoose.sensitivity import enumeration, variance_bounded, variance_unbounded
from dpchoose.sensitivity.runs import SortedUniverse

ROUNDS = 400
FARTHEST = {
    "unbounded": (variance_unbounded.farthest, enumeration.global_unbounded),
    "bounded": (variance_bounded.farthest, enumeration.global_bounded),
}
PLAIN = {"var": lambda values: np.var(values, axis=-1), "std": lambda v: np.std(v, axis=-1)}


def heavy(rng, records):
    """Records of many sizes, with ties, on one side of zero, on both, or in two heaps."""
    kind = int(rng.integers(4))
    values = rng.lognormal(0, 2, records)
    if kind == 1:
        values *= rng.choice([-1, 1], records)
    if kind == 2:
        values = np.round(values)
    if kind == 3:
        values = rng.choice([0.0, 10.0], records) + rng.normal(0, 1, records)
    return np.sort(values)


@pytest.mark.parametrize("query", PLAIN)
@pytest.mark.parametrize("adjacency", FARTHEST)
def test_no_pair_is_farther_apart_than_the_one_that_is_found(adjacency, query):
    farthest, by_definition = FARTHEST[adjacency]
    rng = np.random.default_rng(7)
    for _ in range(ROUNDS):
        records = int(rng.integers(5, 11))
        size = int(rng.integers(2, records))
        outside = records - size
        most = min(size, outside) if adjacency == "bounded" else max(size - 1, outside)
        k = int(rng.integers(1, most + 1))
        u = heavy(rng, records)
        expected = by_definition(PLAIN[query], u, size, k, max_worlds=10**7)[0]
        found, one, other = farthest(query, SortedUniverse(u), size, k)
        slack = 1e-9 * expected
        assert found == pytest.approx(expected, rel=1e-9), (u.tolist(), size, k)
        assert abs(abs(PLAIN[query](u[one]) - PLAIN[query](u[other])) - found) <= slack
