"""A recommendation: numbers in a table, words beside it, and always an answer."""

import html
import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.epsilon.recommendation import STATUSES

DAYS = [1, 2, 3, 10]


def midrange(values):
    """A query without a name."""
    return (values.max(axis=-1) + values.min(axis=-1)) / 2


@pytest.mark.parametrize("adjacency", ["unbounded", "bounded"])
@pytest.mark.parametrize("query", ["sum", "mean", "median", "var", "count", midrange])
@given(
    universe=st.lists(st.integers(0, 9), min_size=3, max_size=7),
    risk=st.sampled_from(["1/50", "1/5", 0.4, "0.9"]),
    data=st.data(),
)
def test_a_recommendation_is_what_its_functions_say(query, adjacency, universe, risk, data):
    """Whatever is asked there is one, and each number in it can be had by itself."""
    size = data.draw(st.integers(1, len(universe) - 1))
    found = dp.recommend(query, universe, size, risk=risk, adjacency=adjacency)
    row = found.table.loc[0]
    worlds = dp.possible_worlds(query, universe, size)
    sensitivity = dp.global_sensitivity(query, universe, size, adjacency=adjacency).value
    assert row["sensitivity"] == sensitivity
    assert found.status in STATUSES
    try:
        epsilon = dp.epsilon_from_risk(worlds, risk=risk, sensitivity=sensitivity)
    except dp.UnattainableRisk:
        if sensitivity > 0:
            assert found.status == "cannot be met"
            assert math.isnan(found.epsilon)
        return
    assert found.epsilon == pytest.approx(epsilon, rel=1e-12)
    bounds = {"upper bound": "upper", "average case": "average"}
    for name, bound in bounds.items():
        at = {"risk": risk, "sensitivity": sensitivity, "bound": bound}
        if sensitivity > 0:
            alone = dp.epsilon_from_risk(worlds, **at)
            assert found.bounds[name] == pytest.approx(alone, rel=1e-9)
    if 0 < epsilon < math.inf:
        scale = row["noise scale"]
        assert 1 / Fraction(scale) <= Fraction(epsilon) / Fraction(sensitivity) * (
            1 + Fraction(1, 2**40)
        )
        assert scale == pytest.approx(sensitivity / epsilon, rel=1e-12)
        assert row["half-width"] == pytest.approx(scale * math.log(20))
        assert found.bounds["shell bound"] <= found.epsilon * (1 + 1e-9)
    at = {"epsilon": found.epsilon, "sensitivity": sensitivity}
    assert found.risks["world"] == pytest.approx(dp.tight_bound(worlds, **at), rel=1e-9)
    assert found.risks["average"] == pytest.approx(dp.average_risk(worlds, **at), rel=1e-9)
    records = dp.record_risk(query, universe, size, **at)
    for name in ("present", "absent"):
        assert found.risks[name] == pytest.approx(records[name].max(), rel=1e-9)


@given(
    universe=st.lists(st.integers(0, 9), min_size=3, max_size=7, unique=True),
    risk=st.fractions(Fraction(7, 20), Fraction(9, 10), max_denominator=20),
    data=st.data(),
)
def test_no_mechanism_discloses_more(universe, risk, data):
    """Epsilon for any mechanism keeps the promise for Laplace noise too, on either adjacency."""
    size = data.draw(st.integers(1, len(universe) - 1))
    for adjacency in ("bounded", "unbounded"):
        found = dp.recommend("mean", universe, size, risk=risk, adjacency=adjacency)
        total, few = math.comb(len(universe), size), min(size, len(universe) - size)
        steps = few if adjacency == "bounded" else 2 * few
        expected = math.log((total - 1) * risk / (1 - risk)) / steps
        assert found.bounds["any mechanism"] == pytest.approx(expected, rel=1e-9)
        assert found.bounds["any mechanism"] <= found.epsilon * (1 + 1e-12)


@pytest.mark.parametrize("secret", ["world", "present", "absent"])
@given(
    universe=st.lists(st.integers(0, 30), min_size=3, max_size=6, unique=True),
    queries=st.sampled_from([["mean"], ["median", "sum"]]),
    percent=st.integers(40, 95),
    data=st.data(),
)
def test_what_was_recommended_is_what_its_epsilons_or_scales_amount_to(
    secret, universe, queries, percent, data
):
    """Asked the other way round, the risks of every adversary are the same."""
    size = data.draw(st.integers(1, len(universe) - 1))
    found = dp.recommend(queries, universe, size, risk=percent / 100, secret=secret)
    if not 0 < found.epsilon < math.inf:
        return
    noise = {
        "epsilon": found.table["epsilon"].tolist(),
        "scale": found.table["noise scale"].tolist(),
    }
    for name, values in noise.items():
        back = dp.recommend(queries, universe, size, **{name: values})
        np.testing.assert_allclose(back.risks, found.risks, rtol=1e-9)
        np.testing.assert_allclose(back.table["noise scale"], noise["scale"], rtol=1e-12)
        assert back.epsilon == pytest.approx(found.epsilon, rel=1e-12)
        assert back.facts.risk is None
    total = dp.recommend(queries, universe, size, epsilon=found.epsilon)
    np.testing.assert_allclose(total.table["epsilon"], noise["epsilon"], rtol=1e-9)


@given(
    universe=st.lists(st.integers(-50, 50), min_size=3, max_size=7),
    power=st.integers(-150, 150),
    percent=st.integers(5, 95),
    secret=st.sampled_from(["world", "present", "absent"]),
    data=st.data(),
)
def test_neither_unit_nor_order_of_the_records_matters(universe, power, percent, secret, data):
    """Records times a power of 2 keep the very float of epsilon; so do records in any order."""
    size = data.draw(st.integers(1, len(universe) - 1))
    at = {"risk": percent / 100, "secret": secret}
    found = dp.recommend("mean", universe, size, **at)
    scaled = dp.recommend("mean", np.array(universe) * 2.0**power, size, **at)
    mixed = dp.recommend("mean", data.draw(st.permutations(universe)), size, **at)
    assert scaled.status == mixed.status == found.status
    for other in (scaled, mixed):
        assert other.epsilon == pytest.approx(found.epsilon, rel=1e-13, nan_ok=True)
    factor = 2.0**power
    scales = [one.table["noise scale"][0] for one in (found, scaled)]
    assert scales[0] * factor == pytest.approx(scales[1], rel=1e-13, nan_ok=True)
    if math.isfinite(found.epsilon):
        assert scaled.epsilon == found.epsilon


def test_every_status_and_what_it_means():
    """The last listed that applies: a risk that cannot be met comes before all others."""
    scale = dp.recommend("mean", DAYS, risk="1/3").table["noise scale"][0]
    out = [("mean", scale)]
    large = np.arange(12.0)
    cases = {
        "ok": dp.recommend("mean", DAYS, risk="1/3"),
        "any epsilon": dp.recommend("count", large, risk="1/3"),
        "exposed": dp.recommend("mean", [1, 2, 3, 4, 5, 1000], 3, risk=0.2),
        "not shown safe": dp.recommend("mean", large, 6, risk=0.4, max_worlds=9),
        "nothing left": dp.recommend("mean", DAYS, risk="1/3", already=out),
        "cannot be met": dp.recommend("mean", DAYS, risk=0.2),
    }
    for status, found in cases.items():
        assert found.status == status
        assert bool(found.reason) == (status != "ok")
    assert cases["any epsilon"].epsilon == math.inf
    assert cases["any epsilon"].table["noise scale"][0] == 0
    assert cases["nothing left"].epsilon == 0
    assert cases["nothing left"].table["noise scale"][0] == math.inf
    assert math.isnan(cases["cannot be met"].epsilon)
    assert "1/4 = 0.25" in cases["cannot be met"].reason
    columns = ["epsilon", "noise scale", "half-width", "relative half-width"]
    assert cases["cannot be met"].table[columns].isna().all(axis=None)
    assert cases["exposed"].epsilon == pytest.approx(265.5186, abs=1e-4)
    assert "record 6" in cases["exposed"].reason


def test_any_epsilon_is_not_said_where_a_person_is_exposed():
    """The exact median keeps every world at one half, and tells that each pupil may be in."""
    found = dp.recommend("median", DAYS, risk=0.5)
    assert found.epsilon == math.inf
    assert found.status == "exposed"


@pytest.mark.parametrize(
    ("secret", "risk", "prior"),
    [
        ("present", "3/4", "3/4"),
        ("present", 0.5, "3/4"),
        ("absent", "1/4", "1/4"),
        ("world", 0.2, "1/4"),
    ],
)
def test_a_risk_must_exceed_the_prior_of_the_secret(secret, risk, prior):
    """Three of four are released: a record is in with 3/4 before anything is published."""
    found = dp.recommend("mean", DAYS, risk=risk, secret=secret)
    assert found.status == "cannot be met"
    assert prior in found.reason
    assert math.isnan(found.epsilon)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_the_secret_of_who_is_out_is_kept_for_any_release(size):
    """Five records; at all but one it is the secret of the world."""
    universe = [1, 4, 6, 13, 20]
    risk = (5 - size) / 5 + 0.1
    found = dp.recommend("mean", universe, size, risk=risk, secret="absent")
    at = {"epsilon": found.epsilon, "sensitivity": found.table["sensitivity"][0]}
    absent = dp.record_risk("mean", universe, size, **at).absent.max()
    assert absent == pytest.approx(risk, rel=1e-8)
    assert absent <= risk
    if size == 4:
        world = dp.recommend("mean", universe, size, risk=risk)
        assert found.epsilon == pytest.approx(world.epsilon, rel=1e-8)


@pytest.mark.parametrize(
    ("secret", "size", "query"), [("absent", 39, "median"), ("present", 1, "sum")]
)
def test_a_record_that_is_alone_in_or_out_is_as_secret_as_its_world(secret, size, query):
    """So ties that keep a risk exactly ask for no noise."""
    known = np.arange(40.0) if query == "median" else np.repeat([1.0, 5.0], 20)
    for risk in ("1/20", "0.0499999"):
        one, world = (
            dp.recommend(query, known, size, risk=risk, secret=word) for word in (secret, "world")
        )
        pd.testing.assert_frame_equal(one.table, world.table)
        assert (one.table["noise scale"][0] == 0) == (risk == "1/20")


def test_without_a_release_size_all_but_one_are_released():
    """As is said in its facts."""
    found, said = dp.recommend("mean", DAYS, risk="1/3"), dp.recommend("mean", DAYS, 3, risk="1/3")
    assert found.facts == said.facts
    assert found.facts.release_size == 3
    assert found.epsilon == said.epsilon == pytest.approx(0.4317201195672, abs=1e-9)


def test_a_sequence_of_risks_has_a_recommendation_for_each():
    """In their order, even of one."""
    several = dp.recommend("mean", DAYS, risk=["1/3", 0.2, 0.9])
    assert [one.status for one in several] == ["ok", "cannot be met", "ok"]
    assert len(dp.recommend("mean", DAYS, risk=["1/3"])) == 1
    assert several[0].epsilon < several[2].epsilon


def test_columns_of_a_table_are_asked_by_pairs():
    """The labels say query and column; a list of one is that one."""
    table = pd.DataFrame({"days": DAYS, "year": [1, 2, 3, 4]})
    both = dp.recommend([("mean", "days"), ("median", "year"), "count"], table, risk=0.5)
    assert both.table["statistic"].tolist() == ["mean:days", "median:year", "count"]
    alone = dp.recommend([("mean", "days")], table, risk=0.5)
    assert alone.epsilon == dp.recommend("mean", table.days, risk=0.5).epsilon
    beside = dp.recommend(("mean", "days"), table, risk=0.5, already=[(("mean", "year"), 1.0)])
    assert beside.epsilon < alone.epsilon


def test_weights_split_the_epsilons_and_the_best_split_costs_least():
    """In the sum of the relative half-widths."""
    universe = np.random.default_rng(0).lognormal(1, 1, 30).round(2)
    found = {
        name: dp.recommend(["mean", "var"], universe, risk=0.1, split=split)
        for name, split in {"equal": "equal", "weights": [1, 3], "best": "best"}.items()
    }
    epsilons = found["weights"].table["epsilon"]
    assert epsilons[1] == pytest.approx(3 * epsilons[0])
    costs = {name: one.table["relative half-width"].sum() for name, one in found.items()}
    assert costs["best"] <= min(costs.values())
    assert all(one.risks["world"] <= 0.1 for one in found.values())


def test_two_thousand_real_records_get_an_answer():
    """By the shell bound, and the tight bound is not known."""
    incomes = pd.Series(np.random.default_rng(0).lognormal(10, 1, 2000))
    found = dp.recommend("mean", incomes, 1000, risk=0.01)
    assert math.isnan(found.bounds["tight bound"])
    assert found.epsilon == found.bounds["shell bound"] > found.bounds["upper bound"]
    assert not found.facts.world_exact
    assert found.facts.worlds == "about 1e600"


def test_an_answer_of_zero_has_no_relative_width():
    """It is blank."""
    found = dp.recommend("sum", [-1, 0, 1], 2, risk=0.5)
    assert math.isnan(found.table["relative half-width"][0])


def test_half_widths_are_relative_to_the_mean_answer_over_the_worlds():
    """Of a sum that is n / N of the universe's."""
    found = dp.recommend("sum", DAYS, 2, risk=0.5)
    row = found.table.loc[0]
    assert row["relative half-width"] == pytest.approx(row["half-width"] / 8)


def test_it_shows_itself_with_rounded_numbers_and_every_sentence():
    """Epsilon down, scale up, and no raw markup of a label."""
    table = pd.DataFrame({"<b>": DAYS})
    found = dp.recommend(("mean", "<b>"), table, risk="1/3")
    shown = found._repr_html_()
    assert "0.4317" in shown
    assert "<b>" not in shown
    for sentence in found.sentences():
        assert html.escape(sentence) in shown


GIVEN = [{}, {"risk": 0.5, "epsilon": 1}, {"epsilon": 1, "scale": 1}, {"risk": 0.5, "scale": 1}]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        *(
            ({"risk": None} | g, ValueError, r"^exactly one of risk, epsilon and scale")
            for g in GIVEN
        ),
        ({"query": "mode"}, ValueError, r"^query must be one of "),
        ({"query": []}, ValueError, r"^query must name at least one statistic, got \[\]"),
        (
            {"query": ["mean", "mean"]},
            ValueError,
            r"^query must name each statistic once, got 'mean'",
        ),
        ({"query": ["mean", 3]}, TypeError, r"^query must be a name or a callable, got 3$"),
        ({"risk": [0.5, 2]}, ValueError, r"^risk must lie in \(0, 1\), got 2"),
        ({"adjacency": "near"}, ValueError, r"^adjacency must be one of "),
        ({"secret": "me"}, ValueError, r"^secret must be one of "),
        ({"release_size": 4}, ValueError, r"^release_size must be in \[1, 3\], got 4$"),
        ({"max_worlds": 0}, ValueError, r"^max_worlds must be at least 1, got 0$"),
        ({"split": [1, 2]}, ValueError, r"^split must have shape \(1,\), got \(2,\)"),
        ({"split": [-1]}, ValueError, r"^split must be at least 0, and not all 0"),
        ({"split": [0]}, ValueError, r"^split must be at least 0, and not all 0"),
        ({"already": [("mean", 0)]}, ValueError, r"^already must give mean a scale .* got 0"),
        ({"already": [("mean", -1)]}, ValueError, r"^already.* must lie in \(0, inf\), got -1"),
        ({"already": ["mean"]}, TypeError, r"^already must hold pairs .* got 'mean'"),
        ({"risk": None, "epsilon": 0}, ValueError, r"^epsilon must lie in \(0, inf\], got 0"),
        (
            {"risk": None, "epsilon": [1, 1]},
            ValueError,
            r"^epsilon must have shape \(1,\), got \(2,\)",
        ),
        ({"risk": None, "scale": -1}, ValueError, r"^scale must lie in \[0, inf\), got -1"),
        ({"risk": None, "scale": 1, "split": "best"}, ValueError, r"^split must be .* got 'best'"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong, error, message):
    """Before any work, with the argument, the rule and the value."""
    asked = {"query": "mean", "universe": DAYS, "release_size": 3, "risk": 0.5} | wrong
    with pytest.raises(error, match=message):
        dp.recommend(asked.pop("query"), asked.pop("universe"), asked.pop("release_size"), **asked)


def test_a_count_of_a_column_is_refused_as_it_counts_records():
    """Who asks for it means the sum."""
    table = pd.DataFrame({"smoker": [0, 1, 1, 0]})
    with pytest.raises(ValueError, match=r"did you mean \('sum', 'smoker'\)"):
        dp.recommend(("count", "smoker"), table, risk=0.5)
    with pytest.raises(ValueError, match=r"^column must be one of smoker, got 'age'"):
        dp.recommend(("sum", "age"), table, risk=0.5)


def test_more_risk_never_takes_more_noise():
    """For every secret, alone and beside what is out."""
    for secret, already in itertools.product(
        ("world", "present", "absent"), (None, [("median", 20.0)])
    ):
        risks = [percent / 100 for percent in range(78, 100, 3)]
        found = dp.recommend("mean", DAYS, risk=risks, secret=secret, already=already)
        scales = [one.table["noise scale"][0] for one in found]
        assert scales == sorted(scales, reverse=True)
