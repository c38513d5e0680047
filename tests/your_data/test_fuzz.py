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

ODD = [None, True, "", "1/3", "x", b"1", float("nan"), math.inf, -math.inf, -1, 0, 1, 2, 3, 0.5]
ODD += [1e-320, 1e-12, 1e308, 10**30, 1j, [], [1], [0.3, 0.4], [[1, 2], [3]], (), {}, {"a": 1}]
ODD += [{1, 2}, np.array([]), np.array(0.4), np.array([[0.4]]), np.float32(0.4), np.int8(2)]
ODD += [np.datetime64("2020-01-01"), np.timedelta64(1, "s"), np.ma.masked, pd.NA, pd.NaT]
ODD += [np.ma.array([1.0, 2.0], mask=[True, False]), pd.Series([0.3, 0.4]), Fraction(1, 3), len]
ODD += [pd.DataFrame({"a": [1.0]}), np.max, object, range(3), slice(1)]
odd = st.sampled_from(ODD)
EDGES = [1e-100, 1e100, 1e15, 2.0**53 + 2, -0.0, 1e-99, math.nan, math.inf, -math.inf]
numbers = st.one_of(st.integers(-9, 9), st.floats(-1e3, 1e3), st.floats(), st.sampled_from(EDGES))
values = st.lists(numbers, min_size=2, max_size=6)
frames = values.map(lambda one: pd.DataFrame({"a": one, "b": one[::-1]}))
whole = st.lists(st.integers(-9, 9), min_size=2, max_size=6)
records = st.one_of(values, values, values.map(np.array), values.map(pd.Series), whole, frames, odd)
NAMED = ["count", "sum", "mean", "median", "std", "var", "percentile_25", "percentile_100", "maen"]
names = st.sampled_from(NAMED)
one_query = st.one_of(names, names, names.map(lambda name: (name, "a")), odd)
queries = st.one_of(one_query, one_query, st.lists(one_query, max_size=3))
sizes = st.one_of(st.integers(0, 6), st.none(), odd)
chances = st.one_of(st.floats(0, 1), st.sampled_from(["1/3", "40%", 0.5, 0.9]), odd)
amounts = st.one_of(st.floats(0, 10), odd)
noises = st.fixed_dictionaries({"epsilon": amounts, "sensitivity": amounts})


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
    assert 0 < len(reason) < 1000
    assert not re.search("\n|object is not|unhashable|ambiguous|unsupported operand", reason)
    assert _image(given, named) == before
    return answer


def _image(*given):
    return "" if "function" in repr(given) else repr(copy.deepcopy(given))


WAYS = {"released": mostly(None), "before": mostly(0.1), "split": mostly("equal")}
WAYS |= {"already": mostly(2), "adjacency": mostly("bounded")}
GOALS = ["odds", "odds", "risk", "error", "epsilon", "scale"]
asked = {"query": queries, "universe": records, "size": sizes}
limit = {"max_worlds": mostly(100)}


@given(
    **asked,
    goal=st.sampled_from(GOALS),
    wanted=st.one_of(chances, amounts),
    how=st.fixed_dictionaries({}, optional=WAYS),
)
def test_a_noise(query, universe, size, goal, wanted, how):
    before = {"before": how.pop("before")} if "before" in how and goal == "risk" else {}
    how.pop("before", None)
    question = answered(dp.KnownFile, query, universe, size, **how)
    if question is None:
        return
    verb = getattr(question, f"{'at' if goal in ('epsilon', 'scale') else 'for'}_{goal}")
    found = answered(verb, wanted, **before)
    if found is None:
        return
    told = found.to_dict()
    assert 1 <= len(told["sentences"]) <= 5
    assert all(0 <= one["before"] <= one["after"] <= 1 for one in told["readers"])
    assert found.table.shape[0] == len(told["answers"])


@given(**asked, prior=mostly(None), noise=noises, risk=chances)
def test_worlds_and_their_bounds(query, universe, size, prior, noise, risk):
    worlds = answered(dp.possible_worlds, query, universe, size, prior=prior)
    for bound in (dp.tight_bound, dp.upper_bound, dp.average_risk):
        found = answered(bound, universe if worlds is None else worlds, **noise)
        assert found is None or bool(np.all((np.asarray(found) > 0) & (np.asarray(found) <= 1)))
    answered(dp.world_answers, query, universe, size)
    answered(dp.record_risk, query, universe, size, **noise)
    if worlds is not None:
        answered(dp.epsilon_from_risk, worlds, risk=risk, sensitivity=noise["sensitivity"])


@given(
    **asked | {"query": one_query},
    how=st.fixed_dictionaries(
        {}, optional=limit | {"adjacency": mostly("bounded"), "distance": sizes}
    ),
)
def test_sensitivities(query, universe, size, how):
    found = answered(dp.global_sensitivity, query, universe, size, **how)
    assert found is None or 0 <= found.value < math.inf
    answered(dp.local_sensitivity, query, universe, size, **how)
    answered(dp.local_sensitivity, query, universe, [0, 1], **how)


@given(numbers=records, other=records, noise=noises, risk=chances)
def test_beliefs_and_mechanisms(numbers, other, noise, risk):
    answered(dp.posterior, numbers, other, **noise)
    answered(dp.posterior, numbers, 0.0, prior=other, **noise)
    answered(dp.confidence, prior=numbers, posterior=other)
    answered(dp.disclosure_risk, numbers)
    laplace = answered(dp.Laplace, **noise)
    assert laplace is None or laplace.scale >= 0
    chooser = answered(dp.Exponential, numbers, **noise)
    assert chooser is None or math.isclose(chooser.probabilities.sum(), 1)
    how = {"risk": risk, "sensitivity": noise["sensitivity"]}
    answered(dp.Exponential.from_risk, numbers, worlds=[other], **how)
    answered(dp.RandomizedResponse, noise["epsilon"])
    answered(dp.odds_factor, risk, noise["epsilon"])
    answered(dp.after, risk, noise["epsilon"])


# The command line.

WORDS = ["", "a", "b", "c", "0", "1", "-1", "2", "3", "0,4", "1/3", "5%", "nan", "inf", "1e999"]
WORDS += ["mean", "count", "mean:a", "sum:b", "count:a", "mean:a:3", "a > 1", "b == 'x'", "1:2"]
WORDS += ["1,234", ",", ";", ".", "utf-16", "base64", "bounded", "json", "csv", "\x1b[2J"]
NAMES = ["ask", "by", "where", "already", "split", "released", "release-size", "person", "missing"]
NAMES += ["delimiter", "decimal", "thousands", "encoding", "format", "adjacency", "odds", "risk"]
NAMES += ["before", "error", "epsilon", "scale", "distance", "column", "query", "secret"]
words = st.sampled_from(WORDS)
options = st.one_of(
    st.tuples(st.sampled_from(NAMES).map("--{}".format), words),
    st.sampled_from(["--drop-missing", "--all-but-one", "--help"]).map(lambda flag: (flag,)),
    words.map(lambda word: (word,)),
)
CELLS = ["1", "2", "3", "10", "2.5", "", "NA", "x", "1,5", "true", "-99", "1e400", '"', "=1", "\0"]
rows = st.lists(st.lists(st.sampled_from([*CELLS[:6], *CELLS]), min_size=1, max_size=3), max_size=6)
contents = st.one_of(
    st.just("a,b\n1,x\n2,y\n3,x\n10,y\n"),
    st.just("a,b\n1,1\n2,0\n3,1\n10,0\n"),
    st.tuples(st.sampled_from([",", ";", "\t"]), rows).map(
        lambda made: "\n".join(made[0].join(row) for row in [["a", "b", "c"][:2], *made[1]])
    ),
    st.text(max_size=30),
)
WHO = [["--all-but-one"], ["--all-but-one"], ["--release-size", "2"], ["--released", "b"], []]
NOISE = [["--odds", "3"], ["--odds", "3"], ["--risk", "40%"], ["--error", "1"], []]
NOISE += [["--epsilon", "1"], ["--scale", "0"]]


@given(
    command=st.sampled_from(["epsilon", "epsilon", "risk", "sensitivity"]),
    content=contents,
    base=st.sampled_from([[], ["--ask", "mean:a"], ["--ask", "mean:a"], ["--ask", "count"]]),
    who=st.sampled_from(WHO),
    noise=st.sampled_from(NOISE),
    more=st.lists(options, max_size=3),
)
def test_a_command_line(tmp_path_factory, command, content, base, who, noise, more):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    data = content.encode("utf-8", "surrogatepass")
    path.write_bytes(data)
    noise = [] if command == "sensitivity" else noise
    asked = [command, str(path), *base, *who, *noise, *(word for option in more for word in option)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(asked)
    said, heard = out.getvalue(), err.getvalue()
    assert (code, bool(said)) in ((0, True), (2, False))
    assert heard.count("\n") == (code == 2) or "is everybody in the file" in heard
    assert re.match("dpchoose: .", heard) or code == 0
    assert all(sign.isprintable() or sign == "\n" for sign in said + heard)
    assert path.read_bytes() == data
