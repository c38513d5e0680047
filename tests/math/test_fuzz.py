"""Odd calls: each has an answer, or a ValueError or TypeError of one line that names the rule.

A NumPy warning is an error here, and what was given is as it was. A few hundred calls run by
default, and with the profile "long" thousands.
"""

import contextlib
import copy
import io
import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.__main__ import main

ODD = [
    None,
    True,
    "",
    "1/3",
    "x",
    b"1",
    float("nan"),
    math.inf,
    -math.inf,
    -1,
    0,
    1,
    2,
    3,
    0.5,
    1e-320,
    1e-12,
    1e308,
    10**30,
    1j,
    [],
    [1],
    [0.3, 0.4],
    [[1, 2], [3]],
    (),
    {},
    {"a": 1},
    {1, 2},
    np.array([]),
    np.array(0.4),
    np.array([[0.4]]),
    np.float32(0.4),
    np.int8(2),
    np.datetime64("2020-01-01"),
    np.timedelta64(1, "s"),
    np.ma.masked,
    np.ma.array([1.0, 2.0], mask=[True, False]),
    pd.NA,
    pd.NaT,
    pd.Series([0.3, 0.4]),
    pd.DataFrame({"a": [1.0]}),
    Fraction(1, 3),
    len,
    np.max,
    object,
    range(3),
    slice(1),
]
odd = st.sampled_from(ODD)
numbers = st.one_of(
    st.integers(-9, 9),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([1e-100, 1e100, 1e15, 2.0**53 + 2, -0.0, 1e-99]),
)
values = st.lists(numbers, min_size=2, max_size=6)
records = st.one_of(
    values,
    values,
    values.map(np.array),
    values.map(pd.Series),
    st.lists(st.integers(-9, 9), min_size=2, max_size=6),
    values.map(lambda one: pd.DataFrame({"a": one, "b": one[::-1]})),
    odd,
)
names = st.sampled_from(
    ["count", "sum", "mean", "median", "std", "var", "percentile_25", "percentile_100", "maen"]
)
one_query = st.one_of(names, names, names.map(lambda name: (name, "a")), odd)
queries = st.one_of(one_query, one_query, st.lists(one_query, max_size=3))
sizes = st.one_of(st.integers(0, 6), st.none(), odd)
chances = st.one_of(st.floats(0, 1), st.sampled_from(["1/3", "0.4", 0.5, 0.9]), odd)
amounts = st.one_of(st.floats(0, 10), odd)
labels = st.one_of(st.none(), st.none(), st.lists(st.sampled_from("ab"), max_size=6), odd)


def mostly(common, other=odd):
    """A value that is usually right, so that calls get far."""
    return st.one_of(st.just(common), st.just(common), st.just(common), other)


def answered(call, *given, **named):
    """An answer; None for a refusal in words; and what was given is as it was."""
    before = _image(given, named)
    try:
        answer = call(*given, **named)
    except (ValueError, TypeError) as error:
        answer, reason = None, str(error)
    else:
        reason = "an answer"
    assert reason
    assert len(reason) < 1000
    assert not re.search("\n|object is not|unhashable|ambiguous|unsupported operand", reason)
    assert _image(given, named) == before
    return answer


def _image(*given):
    return repr(copy.deepcopy(given)) if not _has_function(given) else ""


def _has_function(given):
    return "function" in repr(given)


@given(
    query=queries,
    universe=records,
    size=sizes,
    named=st.sampled_from(["risk", "risk", "epsilon", "scale"]),
    wanted=chances,
    how=st.fixed_dictionaries(
        {},
        optional={
            "secret": mostly("present"),
            "split": st.one_of(st.sampled_from(["equal", "best"]), odd),
            "adjacency": mostly("bounded"),
            "already": st.one_of(st.just([("sum", 3.0)]), odd),
            "by": labels,
            "max_worlds": mostly(100),
        },
    ),
)
def test_a_recommendation(query, universe, size, named, wanted, how):
    found = answered(dp.recommend, query, universe, size, **{named: wanted}, **how)
    for one in found if isinstance(found, list) else [found]:
        if one is not None:
            assert one.sentences()
            assert ((one.risks.dropna() >= 0) & (one.risks.dropna() <= 1)).all()


@given(
    query=queries,
    universe=records,
    size=sizes,
    prior=mostly(None),
    by=labels,
    noise=st.fixed_dictionaries({"epsilon": amounts, "sensitivity": amounts}),
    risk=chances,
)
def test_worlds_and_their_bounds(query, universe, size, prior, by, noise, risk):
    worlds = answered(dp.possible_worlds, query, universe, size, prior=prior, by=by)
    for bound in (dp.tight_bound, dp.upper_bound, dp.average_risk):
        found = answered(bound, universe if worlds is None else worlds, **noise)
        assert found is None or bool(np.all((np.asarray(found) > 0) & (np.asarray(found) <= 1)))
    answered(dp.world_answers, query, universe, size)
    if worlds is not None:
        how = {"risk": risk, "sensitivity": noise["sensitivity"]}
        answered(dp.epsilon_from_risk, worlds, **how)


@given(
    query=one_query,
    universe=records,
    size=sizes,
    how=st.fixed_dictionaries(
        {}, optional={"adjacency": mostly("bounded"), "distance": sizes, "max_worlds": mostly(100)}
    ),
)
def test_sensitivities(query, universe, size, how):
    found = answered(dp.global_sensitivity, query, universe, size, **how)
    assert found is None or 0 <= found.value < math.inf
    answered(dp.local_sensitivity, query, universe, size, **how)
    answered(dp.local_sensitivity, query, universe, [0, 1], **how)


@given(
    query=queries,
    universe=records,
    size=sizes,
    noise=st.fixed_dictionaries({"epsilon": amounts, "sensitivity": amounts}),
)
def test_records_and_shells(query, universe, size, noise):
    for call in (dp.record_risk, dp.shell_bound):
        answered(call, query, universe, size, **noise)


@given(
    numbers=records,
    other=records,
    epsilon=amounts,
    sensitivity=amounts,
    risk=chances,
)
def test_beliefs_and_mechanisms(numbers, other, epsilon, sensitivity, risk):
    noise = {"epsilon": epsilon, "sensitivity": sensitivity}
    answered(dp.posterior, numbers, other, **noise)
    answered(dp.posterior, numbers, 0.0, prior=other, **noise)
    answered(dp.confidence, prior=numbers, posterior=other)
    answered(dp.disclosure_risk, numbers)
    answered(dp.largest_posterior, [numbers, other])
    laplace = answered(dp.Laplace, **noise)
    assert laplace is None or laplace.scale >= 0
    chooser = answered(dp.Exponential, numbers, **noise)
    assert chooser is None or math.isclose(chooser.probabilities.sum(), 1)
    answered(dp.Exponential.from_risk, numbers, worlds=[other], risk=risk, sensitivity=sensitivity)
    answered(dp.RandomizedResponse, epsilon)


# The command line.

WORDS = ["", "a", "b", "c", "0", "1", "-1", "2", "3", "0.4", "1/3", "nan", "inf", "1e999", "1e-320"]
WORDS += ["mean", "var", "count", "mean:a", "sum:b", "count:a", "mean:a:3", "a > 1", "b == 'x'"]
WORDS += [",", ";", ".", "utf-16", "base64", "present", "bounded", "best", "1,2", "json", "csv"]
words = st.sampled_from([*WORDS, "\x1b[2J"])
NAMES = ["column", "query", "ask", "release-size", "adjacency", "format", "by", "released"]
NAMES += ["already", "where", "person", "missing", "delimiter", "decimal", "thousands", "encoding"]
NAMES += ["risk", "secret", "split", "epsilon", "scale", "distance"]
FLAGS = ["--verbose", "--drop-missing", "--each", "--help"]
options = st.one_of(
    st.tuples(st.sampled_from(NAMES).map("--{}".format), words),
    st.sampled_from(FLAGS).map(lambda flag: (flag,)),
    words.map(lambda word: (word,)),
)
CELLS = ["1", "2", "3", "10", "2.5", "", "NA", "x", "1,5", "true", "-99", "1e400", '"', "=1", "\0"]
rows = st.lists(st.lists(st.sampled_from([*CELLS[:6], *CELLS]), min_size=1, max_size=3), max_size=6)
contents = st.one_of(
    st.just("a,b\n1,x\n2,y\n3,x\n10,y\n"),
    st.tuples(st.sampled_from([",", ";", "\t"]), rows).map(
        lambda made: "\n".join(made[0].join(row) for row in [["a", "b", "c"][:2], *made[1]])
    ),
    st.text(max_size=30),
)


@given(
    command=st.sampled_from(["epsilon", "risk", "sensitivity"]),
    content=contents,
    base=st.sampled_from([[], ["--column", "a"], ["--column", "a", "--release-size", "2"]]),
    noise=st.sampled_from([["--risk", "0.4"], ["--risk", "0.4"], ["--epsilon", "1"], []]),
    more=st.lists(options, max_size=3),
)
def test_a_command_line(tmp_path_factory, command, content, base, noise, more):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    data = content.encode("utf-8", "surrogatepass")
    path.write_bytes(data)
    noise = [] if command == "sensitivity" else noise
    asked = [command, str(path), *base, *noise, *(word for option in more for word in option)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(asked)
    said, heard = out.getvalue(), err.getvalue()
    assert code in (0, 2)
    assert bool(said) == (code == 0)
    assert heard.count("\n") == (code == 2)
    assert re.match("dpchoose: .", heard) or code == 0
    assert all(sign.isprintable() or sign == "\n" for sign in said + heard)
    assert path.read_bytes() == data
