"""What is missing, masked or no real number never counts as one, wherever it comes in."""

import math

import numpy as np
import pandas as pd
import pytest

import dpchoose as dp

FOUR = [1.0, 2.0, 3.0, 10.0]
HIDDEN = np.ma.array([1.0, 2.0, 3.0, 999.0], mask=[False, False, False, True])
LABELS = np.ma.array([1, 1, 2, 2], mask=[False, False, False, True])
WORLDS = dp.possible_worlds("mean", FOUR, 3)
ONE = {"epsilon": 1, "sensitivity": 1}
SHARES = np.ma.array([[0.5, 0.5], [0.5, 0.5]], mask=[[False, True], [False, False]])


def ranges(values):
    return np.ptp(values, axis=-1)


MASKED = {
    "universe of recommend": lambda: dp.recommend("mean", HIDDEN, risk=0.4),
    "universe of worlds": lambda: dp.possible_worlds("mean", HIDDEN, 2),
    "universe of a list": lambda: dp.possible_worlds("mean", [1.0, np.ma.masked, 3.0], 2),
    "universe of a sensitivity": lambda: dp.global_sensitivity("mean", HIDDEN, 2),
    "universe of records": lambda: dp.record_risk("mean", HIDDEN, 2, **ONE),
    "universe of shells": lambda: dp.shell_bound("mean", HIDDEN, 2, **ONE),
    "release": lambda: dp.local_sensitivity("mean", FOUR, np.ma.array([0, 1], mask=[0, 1])),
    "prior": lambda: dp.possible_worlds("mean", FOUR, 3, prior=np.ma.array(HIDDEN / 4)),
    "labels": lambda: dp.recommend("count", FOUR, by=LABELS, risk=0.4),
    "answers": lambda: dp.posterior(HIDDEN, 1.0, **ONE),
    "output": lambda: dp.posterior(FOUR, np.ma.masked, **ONE),
    "likelihoods": lambda: dp.largest_posterior(SHARES),
    "rows of likelihoods": lambda: dp.largest_posterior(list(SHARES)),
    "scores": lambda: dp.Exponential(HIDDEN, epsilon=1, sensitivity=1),
    "epsilon": lambda: dp.tight_bound(WORLDS, epsilon=HIDDEN, sensitivity=1),
    "risk": lambda: dp.recommend("mean", FOUR, risk=np.ma.masked),
    "risks": lambda: dp.recommend("mean", FOUR, risk=np.ma.array([0.3, 0.4], mask=[0, 1])),
    "answers of a query": lambda: dp.possible_worlds(
        lambda values: np.ma.masked_greater(np.mean(values, axis=-1), 2), FOUR, 2
    ),
}


@pytest.mark.parametrize("call", MASKED.values(), ids=MASKED)
def test_what_is_masked_is_missing(call):
    with pytest.raises(ValueError, match="must not be masked"):
        call()


def test_a_mask_that_hides_nothing_is_none():
    open_values = np.ma.array(FOUR, mask=[False] * 4)
    assert dp.recommend("mean", open_values, risk=0.4).epsilon == pytest.approx(
        dp.recommend("mean", FOUR, risk=0.4).epsilon
    )


@pytest.mark.parametrize(
    "values",
    [
        np.array(FOUR, dtype=object),
        np.array([1, 2j, 3]),
        np.array(["1", "2", "3"]),
        pd.Series(pd.date_range("2020", periods=5)),
        np.array([1, 2, 3], dtype="m8[s]"),
        pd.Series(["a", "b", "a"], dtype="category"),
        pd.Series([True, None, False], dtype="boolean"),
        None,
        {1.0, 2.0},
        {1.0: 2.0},
        (value for value in FOUR),
    ],
    ids=lambda values: type(values).__name__,
)
@pytest.mark.parametrize("table", [False, True])
def test_records_are_real_numbers(values, table):
    if table:
        if not isinstance(values, (np.ndarray, pd.Series)):
            return
        ask, records, name = ("mean", "a"), pd.DataFrame({"a": values}), "column a"
    else:
        ask, records, name = "mean", values, "universe"
    with pytest.raises(TypeError, match=f"{name} must hold real numbers"):
        dp.recommend(ask, records, risk=0.4)


@pytest.mark.parametrize("kind", ["Int64", "Float64"])
def test_a_nullable_column_is_read_where_it_is_full_and_refused_where_not(kind):
    full = pd.DataFrame({"a": pd.array([1, 2, 3, 10], dtype=kind)})
    expected = dp.recommend("mean", FOUR, risk=0.4).epsilon
    assert dp.recommend(("mean", "a"), full, risk=0.4).epsilon == expected
    holed = pd.DataFrame({"a": pd.array([1, 2, None, 10], dtype=kind)})
    with pytest.raises(ValueError, match="column a must be finite, got nan at position 2"):
        dp.recommend(("mean", "a"), holed, risk=0.4)


@pytest.mark.parametrize("kind", [complex, object, str, "m8[s]"])
def test_the_answers_of_a_callable_are_real_numbers(kind):
    with pytest.raises(TypeError, match="answers of query must hold real numbers"):
        dp.possible_worlds(lambda values: values.sum(axis=-1).astype(kind), FOUR, 2)


def test_a_callable_may_change_what_it_is_given():
    """The records stay as they are, for it and for whoever asks after it."""

    def spoils(values):
        answer = ranges(values)
        values[...] = 0
        return answer

    records = np.array(FOUR[::-1])
    one = dp.recommend([spoils, "mean"], records, 2, risk=0.4)
    other = dp.recommend([ranges, "mean"], records, 2, risk=0.4)
    assert records.tolist() == FOUR[::-1]
    assert one.table.drop(columns="statistic").equals(other.table.drop(columns="statistic"))
    grouped = {"universe": [3.0, 1, 9, 4, 2, 5], "by": list("aaabbb"), "risk": 0.4}
    assert dp.recommend(spoils, **grouped).epsilon == dp.recommend(ranges, **grouped).epsilon


@pytest.mark.parametrize(
    "call",
    [
        lambda worlds: dp.epsilon_from_risk(worlds, risk=0.4, sensitivity=1),
        lambda worlds: dp.tight_bound(worlds, epsilon=1, sensitivity=1),
        lambda worlds: dp.upper_bound(worlds, epsilon=1, sensitivity=1),
        lambda worlds: dp.average_risk(worlds, epsilon=1, sensitivity=1),
    ],
)
@pytest.mark.parametrize("worlds", [pd.Series(FOUR), FOUR, np.array(FOUR), None, dp.Laplace])
def test_worlds_are_those_of_possible_worlds(call, worlds):
    with pytest.raises(TypeError, match="worlds must come from possible_worlds, got"):
        call(worlds)


@pytest.mark.parametrize(
    ("arguments", "error", "rule"),
    [
        ({"already": 5}, TypeError, "already must be a list of pairs, got 5"),
        ({"already": "mean"}, TypeError, "already must be a list of pairs, got 'mean'"),
        ({"by": 5}, TypeError, "by must hold a label for each record, got 5"),
        ({"risk": np.array([[0.4]])}, TypeError, "risk must be a number"),
        ({"risk": pd.Series([0.4])}, TypeError, "risk must be a number"),
        ({"risk": "1e-99999999"}, ValueError, r"risk must lie in \(0, 1\)"),
        ({"risk": "1/1" + "0" * 999}, ValueError, "risk must be written like 1/3 or 0.33"),
        ({"max_worlds": math.nan}, TypeError, "max_worlds must be an integer, got nan"),
        ({"max_worlds": math.inf}, TypeError, "max_worlds must be an integer, got inf"),
    ],
)
def test_an_odd_argument_is_refused_in_words(arguments, error, rule):
    with pytest.raises(error, match=rule):
        dp.recommend("mean", FOUR, **{"risk": 0.4, **arguments})


def test_a_column_has_a_name():
    with pytest.raises(ValueError, match=r"column must be one of a, got \['a'\]"):
        dp.recommend(("mean", ["a"]), pd.DataFrame({"a": FOUR}), risk=0.4)


@pytest.mark.parametrize(
    "noise", [{"scale": 1e-320}, {"scale": 1e308}, {"epsilon": 1e-320}, {"epsilon": 1e308}]
)
def test_noise_beyond_all_floats_has_an_answer(noise):
    found = dp.recommend("mean", FOUR, **noise)
    assert ((found.risks.dropna() > 0) & (found.risks.dropna() <= 1)).all()
    assert found.table["half-width"][0] >= 0


def test_a_risk_of_many_worlds_is_met_by_the_median():
    values = np.random.default_rng(0).integers(0, 50, 40_000)
    found = dp.recommend("median", values, 20_000, risk=0.01)
    assert found.epsilon > 0
    assert found.risks["world"] <= 0.01


def test_noise_of_scale_0_is_the_answer_itself():
    exact = dp.Laplace(epsilon=1, sensitivity=0)
    assert exact.density([2.0, 3.0], 3.0).tolist() == [0, math.inf]
    assert exact.exceeds([2.0, 3.0], 3.0).tolist() == [1, 0]
