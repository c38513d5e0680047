"""What is promised is so, reader by reader: at the scales in the table, at 60 digits.

Every reader is played through: all worlds that she thinks possible, all outputs at which she can
learn most. Nothing of the package is used but the noise scales that it returns.
"""

import itertools
import math
from fractions import Fraction

import definition
import numpy as np
import pandas as pd
import pytest
from definition import mp, real
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import AWKWARD, NAMED_QUERIES, noise_of, unless_far

import dpchoose as dp
from dpchoose import UnattainableRisk
from dpchoose.numbers import parse_number
from dpchoose.worlds.answers import beside_all

TINY, ULP = mp.mpf("1e-40"), mp.mpf(2) ** -52  # what 60 digits round, and a float
CLOSE = mp.mpf("1e-9")
KINDS = [AWKWARD[name] for name in ("whole", "tenths", "money", "offsets", "sentinels")]
GOALS = [{"odds": 3}, {"odds": "1,5"}, {"odds": 51}, {"risk": "1/2"}, {"risk": 0.4}]
GOALS += [{"risk": "99%"}, {"risk": "5%", "before": "1%"}, {"risk": 0.75, "before": 0.5}]
NOBODY, IN, OUT = "suspects nobody: who", "suspects nobody: is this record in", "record out"


@st.composite
def cases(draw, least=3, most=5, queries=NAMED_QUERIES):
    """A file, n, one or two queries, perhaps a factor that is out, a split, an adjacency."""
    universe = draw(st.lists(draw(st.sampled_from(KINDS)), min_size=least, max_size=most))
    size = draw(st.sampled_from([len(universe) - 1, *range(1, len(universe))]))
    asked = draw(st.lists(st.sampled_from(queries), min_size=1, max_size=2, unique=True))
    weights = st.lists(st.sampled_from([1, 3, 0.1]), min_size=len(asked), max_size=len(asked))
    more = {"adjacency": draw(st.sampled_from(["unbounded", "bounded"]))}
    more["already"] = draw(st.sampled_from([1, 1, 1, 1.2, "7/4", 4]))
    return universe, size, asked, more | {"split": draw(st.just("equal") | weights)}


def asked_for(goal, queries, universe, size, **more):
    """The noise that a goal takes; the exception where none keeps it.

    A case whose answers are the same in every release is passed over, and so are values that are
    too far apart: they are refused, and promise nothing.
    """
    try:
        return unless_far(noise_of, dp.KnownFile(queries, universe, size, **more), goal)
    except UnattainableRisk as no:
        return no
    except ValueError as no:
        assume("tell something of who is released" not in str(no))
        raise


class Played:
    """All worlds, their exact answers and the exact rates of the noise."""

    def __init__(self, found, queries, universe, size, already=1, **_):
        self.listed, self.rows = definition.worlds(queries, universe, size)
        scales = getattr(found, "scales", np.zeros(0)).tolist()
        self.rates = [1 / real(scale) if scale else mp.inf for scale in scales]
        self.out = mp.log(real(parse_number(already, "already")))
        self.exact = not any(scales)
        self.all_but_one, self.records = size == len(universe) - 1, len(universe)
        self.before = Fraction(size, len(universe))

    def farthest(self, rates, exchanged):
        """The largest distance of two worlds, or of two that differ in one person."""
        return max(
            definition.distance(self.rows[i], self.rows[j], rates)
            for i, j in itertools.combinations(range(len(self.rows)), 2)
            if not exchanged or len({*self.listed[i]} - {*self.listed[j]}) == 1
        )

    def promised(self, rates):
        """The logarithm of the factor that is promised, of what is out and of these answers."""
        return self.out + self.farthest(rates, exchanged=not self.all_but_one)

    def off(self):
        """What rounding may cost: some units for each range, in scales of the noise."""
        wide = [max(column) - min(column) for column in zip(*self.rows)]
        far = mp.fsum(t * w for t, w in zip(self.rates, wide) if w and t < mp.inf)
        return 60 * far * mp.mpf(2) ** -53 + mp.mpf("1e-12")

    def exceeds(self, accepted, rates):
        """Whether some world's risk is more, of those whose ties do not keep it without noise."""
        goal = accepted * mp.exp(-self.off())
        ties = [self.rows.count(row) for row in self.rows]
        return any(
            definition.posterior(self.rows, row, rates)[i] > goal
            for i, row in enumerate(self.rows)
            if ties[i] * accepted < 1
        )


def accepted_by(goal):
    """The risk that is accepted of who suspects nobody, or the logarithm of a factor."""
    factor = definition.accepted(goal)
    return mp.log(factor) if factor else real(parse_number(goal["risk"], "risk"))


def assert_kept(goal, played, exact_sensitivities):
    """What was accepted is kept for the readers whom it binds, and no more noise is added."""
    accepted, more = accepted_by(goal), [rate * (1 + CLOSE) for rate in played.rates]
    if "odds" in goal or "before" in goal:
        assert played.promised(played.rates) <= accepted
        if exact_sensitivities and not played.exact:
            assert played.promised(more) > accepted - played.off()
    else:
        assert definition.tight_bound(played.rows, played.rates) <= accepted
        assert played.exact or played.exceeds(accepted, more)


def assert_refused_rightly(found, goal, played):
    """Only where the chance to guess, or what is out, leaves nothing."""
    assert str(found)
    accepted = accepted_by(goal)
    if "odds" in goal or "before" in goal:
        assert played.out >= accepted * (1 - mp.mpf("1e-12"))
    else:
        assert accepted <= mp.mpf(1) / played.records * (1 + mp.mpf("2e-3"))


def assert_read(found, played):
    """Each row of the table of readers is true, and attained where it says so."""
    rows = {row.reader: row for row in found.readers.itertuples()}
    rates, slack = played.rates, 2 * played.off() + CLOSE
    assert all(0 < row.before < 1 and 0 < row.after <= 1 for row in rows.values())
    if played.all_but_one:
        (alone,) = [row for row in rows.values() if row.reader.startswith(NOBODY)]
        risk = definition.tight_bound(played.rows, rates)
        assert alone.before == pytest.approx(1 / played.records)
        assert risk * (1 - ULP) <= alone.after
        assert not alone.exact or alone.after <= risk * mp.exp(slack)
        odds = risk / (1 - risk) if risk < 1 else mp.inf
        assert alone.factor >= odds * (played.records - 1) * (1 - CLOSE)
    else:
        known = definition.record_risks(played.listed, played.rows, rates)
        (inside,) = [row for row in rows.values() if row.reader == IN]
        (outside,) = [row for row in rows.values() if row.reader.endswith(OUT)]
        beliefs = [(inside, played.before, 1), (outside, 1 - played.before, 2)]
        for row, before, place in beliefs:
            most = max(record[place] for record in known)
            assert row.before == pytest.approx(float(before))
            assert most <= row.after * (1 + TINY)
            assert not row.exact or most >= row.after * (1 - CLOSE)
        (lists,) = [row for row in rows.values() if not row.promised]
        whole = 1 / (1 + mp.exp(-played.farthest(rates, exchanged=False)))
        assert lists.after >= whole * (1 - TINY) or lists.after == 1
    torn = [row for row in rows.values() if row.promised and row.before == 0.5][-1]
    far = played.promised(rates)
    after = 1 / (1 + mp.exp(-far))
    assert torn.after >= after * (1 - TINY)
    assert torn.factor == found.odds >= mp.exp(far) * (1 - TINY)
    if torn.exact:
        assert torn.after <= after * mp.exp(slack)
        assert torn.factor <= mp.exp(far + slack) or far > 700


@given(case=cases(), goal=st.sampled_from(GOALS))
@example(case=([1, 2, 3, 10], 3, ["count", "mean"], {"already": 1.5}), goal=GOALS[0])
@example(case=([0.0, 0, 1], 2, ["count"], {"already": 3}), goal=GOALS[0])
@example(case=([0.0, 1, 10], 1, ["mean"], {}), goal=GOALS[0])
def test_what_is_accepted_is_kept_and_every_reader_is_told_right(case, goal):
    """Any release, one or two answers, beside what is out, by any split."""
    universe, size, queries, more = case
    if goal.keys() == {"risk"}:
        size, more = len(universe) - 1, more | {"already": 1}
    found = asked_for(goal, queries, universe, size, **more)
    played = Played(found, queries, universe, size, **more)
    if isinstance(found, UnattainableRisk):
        assert_refused_rightly(found, goal, played)
        return
    assert_kept(goal, played, played.all_but_one or len(queries) == 1)
    assert_read(found, played)


@given(case=cases(least=4), odds=st.sampled_from([1.5, 3, 30]), seed=st.integers(0, 999))
def test_who_holds_places_independent_but_for_their_number_gains_no_more(case, odds, seed):
    """Any chances of the places, given their number: the odds of one person grow F-fold at most."""
    universe, _, queries, _ = case
    played = Played(asked_for({"odds": odds}, queries, universe, 2), queries, universe, 2)
    chances = np.random.default_rng(seed).choice([0.02, 0.3, 0.5, 0.9], len(universe)).tolist()
    prior = [mp.fprod(real(chances[i] / (1 - chances[i])) for i in w) for w in played.listed]
    for output in definition.outputs(played.rows):
        if definition.likelihoods(output, played.rows, played.rates):
            after = definition.posterior(played.rows, output, played.rates, prior)
            for record in range(len(universe)):
                holds = [record in world for world in played.listed]
                into, was = (mp.fdot(holds, one) / mp.fsum(one) for one in (after, prior))
                ratio = into / (1 - into) / (was / (1 - was))
                assert max(ratio, 1 / ratio) <= real(odds) * (1 + TINY)


@given(
    case=cases(),
    noise=st.sampled_from(["scale", "epsilon", "error"]),
    size=st.sampled_from([0.05, 1.0, 7.5]),
)
def test_a_noise_that_somebody_has_is_read_right(case, noise, size):
    """Nothing was accepted: the readers of that noise."""
    universe, released, queries, more = case
    at = {"already": more["already"], "adjacency": more["adjacency"]}
    found = asked_for({noise: size}, queries, universe, released, **at)
    played = Played(found, queries, universe, released, more["already"])
    assert_read(found, played)
    for scale, error in zip(found.table["noise scale"], found.table["95% error"]):
        assert error >= scale * math.log(20) * (1 - 1e-12)
        assert noise != "scale" or scale == size
        assert noise != "error" or scale in (0, pytest.approx(size / math.log(20), rel=1e-3))
        assert noise != "error" or error <= size
    if noise == "epsilon" and not played.exact:
        assert found.epsilon == pytest.approx(size, rel=1e-12)


def test_who_does_not_know_that_exactly_one_is_missing_may_gain_more_and_the_sentence_says_so():
    """Of 1, 2, 3, 10 she knows that 2 and 10 are counted and 3 is not, and wonders about 1."""
    found = dp.KnownFile("median", [1, 2, 3, 10], 3).for_odds(3)
    scale = found.table["noise scale"][0]
    apart = np.median([2, 10]) - np.median([1, 2, 10])
    assert math.exp(apart / scale) == pytest.approx(3**4)  # 10% would become 90%
    assert "knows all 4 records and that exactly one is missing." in found.sentences()[0]


def test_a_person_who_drags_another_along_gains_the_factor_twice():
    """Two who stand or fall together: F squared at most, and so it can be."""
    universe = [0.0, 0, 0, 10, 10]
    played = Played(dp.KnownFile("sum", universe, 3).for_odds(3), ["sum"], universe, 3)
    both = [i for i, world in enumerate(played.listed) if {3, 4} <= {*world}]
    none = [i for i, world in enumerate(played.listed) if not {3, 4} & {*world}]
    growth = definition.odds_growth(played.rows, played.rates, both, none)
    assert 9 * (1 - 1e-9) < growth <= 9


def drawn_around(query, values, lists):
    """The floats around which noise is drawn, of lists of released positions, exactly."""
    masks = [np.isin(range(len(values)), released) for released in lists]
    return [Fraction(float(beside_all(query, values, mask)[0])) for mask in masks]


@pytest.mark.parametrize("query", ["sum", "mean"])
@pytest.mark.parametrize("more", [98_869, 66_101])  # ones in a list, where floats grow coarser
def test_the_floats_of_lists_that_differ_in_a_record_lie_no_farther_apart(query, more):
    """Of 100,000 of 300,000 records a sum, beside that of all, is a float of four digits less."""
    values = np.repeat([0.0, 1.0], [200_000, 100_000])
    noise = dp.KnownFile(query, values, 100_000).for_odds(3)
    lists = [np.arange(100_000 + ones, 200_000 + ones) for ones in (more, more + 1)]
    less, greater = drawn_around(query, values, lists)
    assert mp.exp(real(greater - less) / real(noise.scale)) <= 3


@pytest.mark.parametrize("query", ["var", "std"])
@pytest.mark.parametrize("apart", [1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 3e-9])
def test_the_floats_of_variances_that_hardly_differ_lie_no_farther_apart(query, apart):
    """Each of these lists has 8/9 or so, and all four records 1."""
    values = np.array([-1, 1, -1, 1 + apart])
    noise = dp.KnownFile(query, values, 3).for_odds(3)
    floats = drawn_around(query, values, itertools.combinations(range(4), 3))
    assert mp.exp(real(max(floats) - min(floats)) / real(noise.scale)) <= 3


# An answer that every world gives alike, and one that needs no noise


@given(case=cases(), goal=st.sampled_from(GOALS[:5]))
@example(case=([1, 2, 3, 10], 3, ["mean"], {"already": 1}), goal=GOALS[3])
def test_a_constant_answer_changes_nothing(case, goal):
    """A count, and the same number in a column: no noise, and that of the others as without."""
    universe, size, queries, more = case
    size = len(universe) - 1 if goal.keys() == {"risk"} else size
    table = pd.DataFrame({"x": universe, "same": 7.0})
    more = {} if goal.keys() == {"risk"} else {"already": more["already"]}
    pairs = [(query, "x") for query in queries if query != "count"] or [("mean", "x")]
    alone = asked_for(goal, pairs, table, size, **more)
    beside = asked_for(goal, [*pairs, "count", ("mean", "same")], table, size, **more)
    if isinstance(alone, UnattainableRisk):
        assert str(beside) == str(alone)
        return
    assert beside.scales[: len(pairs)].tolist() == pytest.approx(alone.scales.tolist(), rel=1e-12)
    assert beside.scales[len(pairs) :].tolist() == [0, 0]
    assert (beside.odds, beside.epsilon) == pytest.approx((alone.odds, alone.epsilon))


MIRRORED = [-8, -5, -7, 1, -9, 9, 28, 25, 27, 19, 29, 11]


@pytest.mark.parametrize(
    ("query", "universe", "decimals"),
    [
        ("mean", [0.4, 0.1, 0.3, 0.7, 0.7, 0.9] * 2, 1),  # breaker.md, F1
        ("sum", [0.4, 0.1, 0.3, 0.7, 0.7, 0.9] * 2, 1),
        ("var", [*MIRRORED, *(20 - x for x in MIRRORED)], 0),  # pairs of equal variances
        ("std", [0.1, 0.2, 0.3, 0.6, 1.4, 1.9] * 2, 1),
        ("median", [1.25, 1.5, 2.75, 3.0] * 2, 2),
    ],
)
def test_an_exact_answer_is_printed_from_its_fraction_and_names_nobody(query, universe, decimals):
    """Whoever of two equal ones is missing, the text is the same, to two more decimals."""
    exact, texts = definition.meant(universe), {}
    for missing in range(len(universe)):
        mask = [place != missing for place in range(len(universe))]
        found = dp.KnownFile(query, universe, released=mask).for_risk("1/2")
        (shown,) = found.to_dict()["answers"]
        assert shown["scale"] == 0
        answer = definition.answer(query, exact[:missing] + exact[missing + 1 :])
        half = mp.mpf(10) ** -(decimals + 2) / 2
        assert abs(real(Fraction(shown["exact"])) - answer) <= half * (1 + TINY)
        texts.setdefault(answer, set()).add(shown["exact"])
    assert all(len(some) == 1 for some in texts.values())


def test_whether_an_answer_may_be_exact_is_decided_by_whole_numbers():
    """Ties that keep a risk exactly ask for no noise, and the least bit less does."""
    universe = [0.4, 0.1, 0.3, 0.7, 0.9] * 2
    found = dp.KnownFile("mean", universe, 9).for_risk("1/2")
    assert found.scale == 0
    assert dp.KnownFile("mean", universe, 9).for_risk("0.4999999").scale > 0
    nobody, anybody = found.readers.itertuples()
    assert (nobody.after, nobody.exact) == (0.5, True)
    assert (anybody.after, anybody.factor) == (1, math.inf)
    assert found.to_dict()["readers"][1]["factor"] is None


def test_large_files_keep_what_was_accepted():
    """One person of a million; the visits' 1 %."""
    universe = np.random.default_rng(0).lognormal(size=1_000_000)
    found = dp.KnownFile("mean", universe, 50_000).for_odds(3)
    step = (real(float(universe.max())) - real(float(universe.min()))) / 50_000
    assert 3 * (1 - CLOSE) < mp.exp(step / real(found.table["noise scale"][0])) <= 3
    visits = dp.datasets.health()["visits"]
    found = dp.KnownFile("mean", visits, len(visits) - 1).for_risk("1%")
    nobody, anybody = found.readers.itertuples()
    assert (nobody.factor, anybody.factor) == pytest.approx((59.71, 76.3), abs=0.1)
    assert anybody.after == pytest.approx(0.9871, abs=1e-3)
    assert found.table["95% error"][0] == pytest.approx(0.00807, abs=1e-5)
