"""Each error of the sources does what the errata say it does, no more and no less."""

import itertools
import math
import re
from collections import Counter

import numpy as np
import pytest
from dpbook import errata, ledger, published
from dpbook.chapter import NOTEBOOKS
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

SCHOOL = {"school_year": [1, 2, 3, 4], "absence_days": [1, 2, 3, 10]}
EPSILONS = st.floats(-2, 2).map(lambda power: 10**power)
SMALL = [
    (universe, size)
    for records in range(2, 6)
    for universe in itertools.product(range(3), repeat=records)
    for size in range(1, records)
]


@st.composite
def universes_and_sizes(draw):
    """Records with ties, negatives and now and then one far outlier, and how many are released."""
    kind = st.integers(0, 2) if draw(st.booleans()) else st.integers(-40, 40)
    universe = draw(st.lists(kind.map(lambda number: number / 4), min_size=2, max_size=6))
    if draw(st.booleans()):
        universe[draw(st.integers(0, len(universe) - 1))] = draw(st.sampled_from([-1e5, 1e5]))
    return universe, draw(st.integers(1, len(universe) - 1))


def beliefs_of(shares):
    parts = np.array(shares)
    return parts / parts.sum()


@st.composite
def beliefs_before_and_after(draw):
    worlds = draw(st.integers(2, 6))
    parts = st.lists(st.integers(1, 99), min_size=worlds, max_size=worlds).map(beliefs_of)
    return draw(parts), draw(parts)


def terms(universe, size, rate):
    """Of each world its records and the weight that each of all worlds has beside it."""
    worlds = list(itertools.combinations(universe, size))
    answers = [sum(world) / size for world in worlds]
    return worlds, [[math.exp(-rate * abs(one - other)) for other in answers] for one in answers]


# -- the confidence


@given(beliefs=beliefs_before_and_after())
def test_exchanged_arguments_give_the_largest_loss_of_belief(beliefs):
    before, after = beliefs
    found = errata.confidence(prior=before, posterior=after)
    assert found == (before - after).max()
    assert dp.confidence(prior=before, posterior=after) == (after - before).max()


# -- the tight bound


@given(drawn=universes_and_sizes(), epsilon=EPSILONS)
def test_the_tight_bound_as_coded_is_two_loops_that_leave_worlds_out(drawn, epsilon):
    worlds, near = terms(*drawn, epsilon / 0.7)
    candidates = [
        1 / (1 + sum(near[i][j] for j in range(len(worlds)) if worlds[j] != worlds[i]))
        for i in range(len(worlds) - 1)
    ]
    found = errata.tight_bound("mean", *drawn, epsilon=epsilon, sensitivity=0.7)
    assert found == pytest.approx(max(candidates), rel=1e-6)


def test_the_skipped_last_world_allows_an_epsilon_that_breaks_the_promise():
    """{1, 8, 9, 10}: 1.0404 for 0.4317, and at 1.0404 the risk is 0.469."""
    universe, sensitivity = [1, 8, 9, 10], 17 / 6
    worlds = dp.possible_worlds("mean", universe, 3)

    def bound(worlds, **at):
        return errata.tight_bound("mean", universe, 3, **at)

    coded = errata.halving(bound, worlds, risk="1/3", sensitivity=sensitivity)
    right = dp.epsilon_from_risk(worlds, risk="1/3", sensitivity=sensitivity)
    assert (round(coded, 4), round(right, 4)) == (1.0404, 0.4317)
    reached = dp.tight_bound(worlds, epsilon=coded, sensitivity=sensitivity)
    assert round(reached, 3) == 0.469
    answers = dp.world_answers("mean", universe, 3)
    seen = dp.posterior(answers, answers[-1], epsilon=coded, sensitivity=sensitivity)
    assert seen[-1] == pytest.approx(reached)


def test_the_skipped_last_world_spares_the_published_columns():
    """There the world that stands out is not the last one."""
    for column in SCHOOL.values():
        for query in ("mean", "median"):
            at = {"sensitivity": float(dp.global_sensitivity(query, column, 3))}
            worlds = dp.possible_worlds(query, column, 3)
            for epsilon in (0.1, 0.5, 2.0):
                coded = errata.tight_bound(query, column, 3, epsilon=epsilon, **at)
                assert coded == pytest.approx(dp.tight_bound(worlds, epsilon=epsilon, **at))


@given(
    universe=st.lists(st.integers(-30, 30), min_size=2, max_size=6, unique=True),
    epsilon=EPSILONS,
    data=st.data(),
)
def test_without_equal_values_the_tight_bound_as_coded_never_overstates(universe, epsilon, data):
    size = data.draw(st.integers(1, len(universe) - 1))
    at = {"epsilon": epsilon, "sensitivity": 3.0}
    worlds = dp.possible_worlds("mean", universe, size)
    coded = errata.tight_bound("mean", universe, size, **at)
    assert coded <= dp.tight_bound(worlds, **at) * (1 + 1e-12)


@pytest.mark.parametrize("rate", [0.1, 1, 10])
def test_skipping_equal_worlds_overstates_for_records_and_understates_for_values(rate):
    """All universes of up to five records with values 0, 1, 2, the last world aside.

    As worlds of records the skipped ones would have hidden their twins, so the
    bound is too large, which is safe. As worlds of values the twins are one
    world with more prior, which the bound does not count, so it is too small.
    """
    strictly = Counter()
    for universe, size in SMALL:
        worlds, near = terms(sorted(universe), size, rate)
        twins = Counter(worlds)
        for i, world in enumerate(worlds[:-1]):
            others = sum(near[i][j] for j in range(len(worlds)) if worlds[j] != world)
            coded = 1 / (1 + others)
            of_records = 1 / (twins[world] + others)
            of_values = twins[world] / (twins[world] + others)
            assert of_records <= coded <= of_values
            strictly["records"] += of_records < coded
            strictly["values"] += coded < of_values
    assert strictly["records"] > 0
    assert strictly["values"] > 0


def test_skipping_equal_worlds_never_allows_a_risk_that_can_be_met():
    """{1, 1, 2}: 0.4 exceeds the prior 1/3, but the bound as coded starts at 1/2."""
    at = {"epsilon": 1e-9, "sensitivity": 0.5}
    assert errata.tight_bound("mean", [1, 1, 2], 2, **at) == pytest.approx(1 / 2)
    worlds = dp.possible_worlds("mean", [1, 1, 2], 2)
    assert dp.epsilon_from_risk(worlds, risk=0.4, sensitivity=0.5) > 0.28


def test_with_equal_values_the_order_of_the_records_matters():
    """(1, 2) and (2, 1) are not the same tuple; the right bound does not mind."""
    at = {"epsilon": 1.0, "sensitivity": 0.5}
    found = [errata.tight_bound("mean", u, 2, **at) for u in ([1, 1, 2], [1, 2, 1])]
    assert found[0] > found[1] + 0.1
    right = [dp.tight_bound(dp.possible_worlds("mean", u, 2), **at) for u in ([1, 1, 2], [1, 2, 1])]
    assert right[0] == right[1]


def test_where_all_values_are_equal_the_tight_bound_as_coded_is_one():
    """Nothing hides anything, although no output says anything."""
    at = {"epsilon": 0.1, "sensitivity": 1.0}
    assert errata.tight_bound("mean", [5, 5, 5, 5], 2, **at) == 1
    assert dp.tight_bound(dp.possible_worlds("mean", [5, 5, 5, 5], 2), **at) == pytest.approx(1 / 6)


# -- the search


@pytest.mark.parametrize(
    ("query", "fact", "bound"),
    [
        ("mean", "mu-search-label", dp.upper_bound),
        ("mean", "mu-tight", dp.tight_bound),
        ("median", "mu-median-tight", dp.tight_bound),
    ],
)
@pytest.mark.parametrize("column", SCHOOL)
def test_the_published_search_gives_the_published_digits(query, fact, bound, column):
    worlds = dp.possible_worlds(query, SCHOOL[column], 3)
    delta = float(dp.global_sensitivity(query, SCHOOL[column], 3))
    found = errata.halving(bound, worlds, risk=1 / 3, sensitivity=delta)
    assert published.agrees(published.facts()[fact]["printed"][column], found)


def test_the_published_search_ends_on_either_side_of_the_risk():
    sides = set()
    for column in SCHOOL.values():
        worlds = dp.possible_worlds("mean", column, 3)
        at = {"sensitivity": float(dp.global_sensitivity("mean", column, 3))}
        found = errata.halving(dp.tight_bound, worlds, risk="1/3", **at)
        sides.add(bool(dp.tight_bound(worlds, epsilon=found, **at) > 1 / 3))
    assert sides == {True, False}


# -- the page

IN_ERROR = [fact for fact, entry in published.facts().items() if "cause" in entry]


def test_every_statement_in_error_belongs_to_one_erratum():
    listed = [
        fact
        for one in ledger.entries().values()
        for facts in one["checked"].values()
        for fact in facts
    ]
    assert sorted(listed) == sorted(IN_ERROR)


@pytest.mark.parametrize(
    ("chapter", "fact"),
    [
        (chapter, fact)
        for one in ledger.entries().values()
        for chapter, facts in one["checked"].items()
        for fact in facts
    ],
)
def test_an_erratum_leads_to_the_chapter_that_checks_its_statement(chapter, fact):
    assert f'"{fact}"' in (NOTEBOOKS / f"{chapter}.md").read_text("utf-8")


def made(**numbers):
    """A ledger in which each erratum shows two equal numbers, but for those that are named."""
    found = ledger.Ledger()
    for title in ledger.entries():
        both = numbers.get(title, (1, 1))

        @found.run(title)
        def show(both=both):
            print("as it ran")
            return both

    return found


def test_the_page_has_every_erratum_with_its_run_and_the_worst_comes_first():
    first, *_, last = ledger.entries()
    found = made(**{first: (0.2, 0.1), last: (1 / 3, 0.5)})
    page = found.table().data
    titles = re.findall(r"<summary><span>(.*?)<br>", page)
    assert titles[:2] == [last, first]
    assert sorted(titles) == sorted(ledger.entries())
    assert (found.count("unsafe"), found.count("wasteful"), found.errors) == (1, 1, len(titles))
    assert page.count("as it ran\n</pre>") == len(titles)
    for one in ledger.entries().values():
        for chapter, facts in one["checked"].items():
            assert all(f'href="{chapter}.html#{published.row(fact)}"' in page for fact in facts)


def test_an_erratum_without_a_run_is_refused_by_name_and_a_run_without_an_erratum():
    with pytest.raises(ValueError, match="every erratum must have a run, none for The last"):
        ledger.Ledger().table()
    with pytest.raises(ValueError, match=r"title must be one of The last .*, got 'A comma'"):
        ledger.Ledger().run("A comma")


# -- the harm to a reader, and what is refused


@pytest.mark.parametrize(
    ("believed", "true", "word"),
    [
        (1 / 3, 0.469, "unsafe"),
        (0.469, 1 / 3, "wasteful"),
        (1 / 3, 1 / 3 + 1e-7, "by a hair"),
        (1 / 3, 1 / 3 - 1e-7, "harmless"),
        (2, 2, "harmless"),
        (1, math.inf, "unsafe"),
    ],
)
def test_an_error_is_unsafe_when_more_is_given_away_than_believed(believed, true, word):
    assert errata.harm(believed, true) == word


def test_arguments_outside_their_domain_are_refused():
    school = ("mean", [1, 2, 3, 4], 3)
    at = {"epsilon": 1, "sensitivity": 1}
    with pytest.raises(ValueError, match=r"^sensitivity must lie in \(0, inf\), got 0"):
        errata.tight_bound(*school, epsilon=1, sensitivity=0)
    with pytest.raises(ValueError, match=r"^epsilon must lie in \[0, inf\), got -1"):
        errata.tight_bound(*school, epsilon=-1, sensitivity=1)
    with pytest.raises(ValueError, match=r"^release_size must "):
        errata.tight_bound("mean", [1, 2, 3], 3, **at)
    with pytest.raises(ValueError, match=r"^max_worlds is 2,000 but this release looks at "):
        errata.tight_bound("mean", range(20), 10, **at)
    worlds = dp.possible_worlds(*school)
    with pytest.raises(ValueError, match=r"^halvings must "):
        errata.halving(dp.tight_bound, worlds, risk=0.5, sensitivity=1, halvings=0)
