"""The explorer's JavaScript has the numbers, the sentences and the refusals of the package."""

import base64
import json
import math
import re
import shutil
import subprocess
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

import dpchoose as dp
from dpchoose.data.source import Source
from dpchoose.epsilon import text
from dpchoose.epsilon.sentences import chance

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node, Debian's nodejs")

TESTS = Path(__file__).parents[1]
RISKS = {"not knowing n": "notKnowingN", "knowing n": "knowingN"}
BOUNDS = {
    "tight bound": "tight",
    "shell bound": "shell",
    "upper bound": "upper",
    "average case": "average",
    "any mechanism": "anyMechanism",
}
ROW = {
    "noise scale": "noiseScale",
    "half-width": "halfWidth",
    "relative half-width": "relativeHalfWidth",
}
HOW = {"risk": "0.9"}
QUERIES = ("sum", "mean", "median", "percentile_25", "percentile_33.3", "var", "std")


def answers(questions):
    """What the scripts answer, all in one process."""
    done = subprocess.run(
        [NODE, TESTS / "js" / "answers.js"],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def number(value):
    return math.nan if value is None else float(value)


def alike(one, other, within=1e-9):
    return one == pytest.approx(number(other), rel=within, abs=1e-300, nan_ok=True)


def columns(rng, size):
    """Ties, decimals, heavy tails, one value, clusters."""
    kinds = (
        rng.integers(0, 5, size).astype(float),
        np.round(rng.normal(50, 10, size), 1),
        rng.lognormal(0, 1.5, size),
        np.full(size, 3.0),
        np.where(rng.random(size) < 0.8, 0.0, rng.normal(0, 1, size)),
        np.round(rng.normal(0, 1, size), 6),
        1e9 + np.round(rng.normal(0, 1, size), 3),
        1e9 + rng.integers(0, 50, size),
    )
    return {name: kinds[rng.integers(len(kinds))] for name in "ab"}


def case(rng, *, least, most, size, queries=QUERIES, by=False):
    """A table, what is asked of it, and how."""
    records = int(rng.integers(least, most))
    known = [("count", None), *((query, name) for query in queries for name in "ab")]
    asked = [known[i] for i in rng.choice(len(known), rng.choice([1, 1, 2, 3]), replace=False)]
    how = {
        "secret": str(rng.choice(["world", "world", "present", "absent"])),
        "adjacency": str(rng.choice(["unbounded", "bounded"])),
        "risk": str(rng.choice(["1/3", "0.01", "0.5", "0.9", "0.05"])),
    }
    if rng.random() < 0.2:
        how[str(rng.choice(["scale", "epsilon"]))] = float(np.exp(rng.normal()))
        del how["risk"]
    elif rng.random() < 0.2:
        how["split"] = [float(one) for one in rng.integers(1, 5, len(asked))]
    labels = [f"group {one}" for one in rng.integers(0, 3, records)] if by else None
    already = [(("mean", "a"), 2.5)] if rng.random() < 0.2 and not by else []
    return columns(rng, records), asked, size(rng, records), labels, already, how


def put(table, asked, size, labels, already, how):
    """A case as the scripts take it."""

    def one(query, name):
        values = None if name is None else table[name].tolist()
        return {"query": query, "column": name, "values": values}

    about = {
        "statistics": [one(*pair) for pair in asked],
        "already": [one(*pair) | {"scale": scale} for pair, scale in already],
        "records": len(table["a"]),
        "releaseSize": size,
        "by": labels,
    }
    return ["recommend", about | how]


def recommended(table, asked, size, labels, already, how):
    """What the package says."""
    queries = ["count" if name is None else (query, name) for query, name in asked]
    table = pd.DataFrame(table)
    try:
        return dp.recommend(queries, table, size, by=labels, already=already or None, **how)
    except ValueError as error:
        return str(error)


def masked(sentences):
    """Sentences without their digits, and a prior without its fraction."""
    return [re.sub(r"\d[\d,.e+-]*", "#", re.sub(r"\d+/\d+ = ", "", one)) for one in sentences]


def compare(one, found):
    """Every number, and the words around them."""
    if isinstance(one, str):
        assert found["error"] == one
        return
    if "a matter of its last digits" in found.get("error", ""):  # no noise to speak of
        assert (one.table["noise scale"] <= 1e-9 * one.table["sensitivity"]).all()
        return
    found = found["done"]
    assert found["status"] == one.status
    for row, other in zip(one.table.to_dict("records"), found["table"], strict=True):
        for name, value in row.items():
            other_value = other[ROW.get(name, name)]
            assert other_value == value if name == "statistic" else alike(value, other_value), name
    assert alike(one.epsilon, found["epsilon"])
    for name, value in one.risks.items():
        # where the rates are large a risk moves more than they do
        assert alike(value, found["risks"][RISKS.get(name, name)], within=1e-8), name
    for name, value in one.bounds.items():
        other = number(found["bounds"][BOUNDS.get(name, name)])
        unknown = name == "shell bound" and math.isnan(other)  # of var and std not in a page
        assert unknown or alike(value, other), name
    assert masked(found["sentences"]) == masked(one.sentences())


def whole_but_one(rng, records):
    return None


def any_size(rng, records):
    return int(rng.integers(1, records))


@pytest.mark.parametrize(
    "drawn",
    [
        {"least": 2, "most": 40, "size": whole_but_one},
        {"least": 3, "most": 9, "size": any_size},
        {"least": 50, "most": 300, "size": any_size, "queries": QUERIES[:5]},
        {"least": 9, "most": 60, "size": whole_but_one, "by": True},
        {"least": 30, "most": 60, "size": any_size, "queries": ("sum",), "by": True},
    ],
    ids=["all but one", "any number", "too many to list", "by group", "some by group"],
)
def test_a_recommendation_in_the_page_is_that_of_the_package(drawn):
    rng = np.random.default_rng(20261121)
    cases = [case(rng, **drawn) for _ in range(25)]
    for one, found in zip(cases, answers([put(*one) for one in cases]), strict=True):
        compare(recommended(*one), found)


def test_300_000_rows_are_as_right_as_a_few():
    rng = np.random.default_rng(13)
    table = {"a": np.round(rng.lognormal(10, 1, 300_000), 2), "b": rng.poisson(3, 300_000) * 1.0}
    how = {"risk": "0.01"}
    cases = [
        (table, asked, None, None, [], how)
        for asked in ([("mean", "a")], [("median", "a"), ("sum", "b")], [("var", "b")])
    ]
    for one, found in zip(cases, answers([put(*one) for one in cases]), strict=True):
        compare(recommended(*one), found)


def test_what_looks_like_a_code_for_a_missing_value_is_warned_of_in_the_same_words():
    columns = [
        [20.5, 21, 19, -999],
        [1, 2, 9999],
        [1, 2, 3],
        [1, 2, 1e35, 3],
        [5, 5, 99999],
        [0, 1],
    ]
    found = answers([["call", ["warningOf", one, "universe"]] for one in columns])
    for values, said in zip(columns, found, strict=True):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            dp.recommend("mean", np.array(values, float), risk="0.9")
        assert said["done"] == "".join(str(one.message) for one in caught)


def test_records_that_are_too_far_apart_are_refused_by_name():
    values = [1e-100, 1.0, 2.0, 1e100]
    (found,) = answers([["recommend", {"statistics": [{"query": "var", "values": values}]} | HOW]])
    with pytest.raises(ValueError, match="too far apart") as refused:
        dp.recommend("var", values, **HOW)
    assert found["error"] == str(refused.value)


def test_no_answer_is_called_exact_whose_ties_are_a_matter_of_rounding():
    """Where the package adds noise below the last digit, the page adds some or refuses."""
    values = np.append(np.random.default_rng(2).normal(20, 3, 60).round(3), 1e35)
    one = {"statistics": [{"query": "median", "values": values.tolist()}], "releaseSize": 40}
    (found,) = answers([["recommend", one | {"risk": "0.3"}]])
    kept = dp.recommend("median", values, 40, risk="0.3").table["noise scale"][0]
    assert kept > 0
    assert (
        "last digits" in found.get("error", "") or found["done"]["table"][0]["noiseScale"] >= kept
    )


def test_a_risk_that_the_ties_keep_exactly_asks_for_no_noise():
    """40 records have two medians without one of them, in 20 worlds each."""
    values = [float(one) for one in range(40)]
    paper = worlds_on_paper("median", values)
    assert {paper.count(one) for one in paper} == {20}
    one = {"statistics": [{"query": "median", "values": values}], "risk": "1/20"}
    for found in answers([["recommend", one | {"secret": word}] for word in ("world", "absent")]):
        assert found["done"]["table"][0]["noiseScale"] == 0


@pytest.mark.parametrize("query", ["var", "std"])
def test_variances_that_tie_in_whole_numbers_need_no_noise_however_many_there_are(query):
    """Records as far below the mean as above it, 2,000 of each value."""
    values = [float(i % 50) for i in range(100_000)]
    one = {"statistics": [{"query": query, "values": values}], "risk": "0.001"}
    by = [i // 50 % 3 for i in range(100_000)]
    for found in answers([["recommend", one], ["recommend", one | {"by": by}]]):
        assert found["done"]["status"] == "any epsilon"


def test_records_a_last_digit_apart_have_the_sensitivities_of_the_package_by_group():
    """What is as near to the mean as rounding is not the mean."""
    values = 1e9 + np.array([0, 1, 2, 3, 5, 8, 1, 7]) * 2.0**-23
    by = [0, 0, 0, 0, 1, 1, 1, 1]
    for query in ("var", "mean", "std", "percentile_30"):
        one = ({"a": values}, [(query, "a")], None, by, [], {"risk": "0.4"})
        compare(recommended(*one), answers([put(*one)])[0])


def test_what_a_fuzz_found_is_answered():
    """All answers equal beside one that is out; new answers and one that is out, in groups."""
    known = {"a": np.array([1.0, 5, 2, 9, 4, 4, 7, 3]), "b": np.zeros(8)}
    for by, asked, risk in (([0] * 8, ("std", "b"), "1/4"), ([0, 1] * 4, ("mean", "a"), "0.4")):
        one = known, [asked], None, by, [(("percentile_25", asked[1]), 6.0)], {"risk": risk}
        compare(recommended(*one), answers([put(*one)])[0])


def worlds_on_paper(query, values):
    """The answer without each record, in fractions."""
    known = [Fraction(value) for value in values]
    found = []
    for i in range(len(known)):
        kept = sorted(known[:i] + known[i + 1 :])
        mean = sum(kept) / len(kept)
        if query == "median":
            half = len(kept) // 2
            found.append((kept[half] + kept[-half - 1]) / 2)
        elif query == "var":
            found.append(sum((value - mean) ** 2 for value in kept) / len(kept))
        else:
            found.append(mean if query == "mean" else sum(kept))
    return found


def test_the_scale_that_is_shown_keeps_the_risk_on_paper_and_hardly_a_smaller_one_does():
    rng = np.random.default_rng(7)
    shapes = [
        1e9 + rng.integers(0, 100, 12),
        np.array([0.1, 0.2, 0.2, 0.3, 0.7, 1e6]),
        1e9 + np.round(rng.normal(0, 1, 9), 3),
        rng.lognormal(0, 3, 10),
    ]
    cases = [(query, values) for values in shapes for query in ("sum", "mean", "median", "var")]
    questions = [
        ["recommend", {"statistics": [{"query": query, "values": values.tolist()}], "risk": "0.4"}]
        for query, values in cases
    ]
    with mp.workdps(60):
        for (query, values), found in zip(cases, answers(questions), strict=True):
            found = found["done"]
            scale = found["table"][0]["noiseScale"]
            paper = worlds_on_paper(query, values)

            def risk(scale, paper=paper):
                sums = [
                    mp.fsum(mp.exp(-mp.mpf(d.numerator) / d.denominator / scale) for d in row)
                    for row in ([abs(one - other) for other in paper] for one in paper)
                ]
                return 1 / min(sums)

            if scale == 0:
                assert 1 / min(paper.count(one) for one in paper) <= 0.4
                continue
            accepted = mp.mpf(2) / 5
            assert risk(mp.mpf(found["shown"]["table"][0]["noiseScale"])) <= accepted
            assert risk(mp.mpf(scale)) <= accepted < risk(mp.mpf(scale) * (1 - mp.mpf("1e-9")))


@given(
    values=st.lists(st.floats(0, 1), min_size=20, max_size=20),
    sizes=st.lists(st.floats(1e-200, 1e200), min_size=20, max_size=20),
)
@settings(max_examples=5)
def test_numbers_are_shown_with_the_digits_of_the_package(values, sizes):
    shown = {"roundUp": text.round_up, "roundDown": text.round_down, "chance": chance}
    cases = [(name, one) for name in shown for one in (values if name == "chance" else sizes)]
    found = answers([["call", [name, one]] for name, one in cases])
    assert [one["done"] for one in found] == [shown[name](one) for name, one in cases]


FILES = {
    "comma": b"a,b\n1,2\n3,4\n",
    "decimal comma": b"a;b\n1,5;2\n3,5;4\n",
    "mark of utf-8, CRLF": b"\xef\xbb\xbfa,b\r\n1,2\r\n3,4\r\n",
    "tab": b"a\tb\n1\t2\n3\t4",
    "bar": b"a|b\n1|2\n3|4\n",
    "CR alone": b"a,b\r1,2\r3,4\r",
    "ragged": b"a,b\n1,2\n3\n",
    "too wide": b"a,b\n1,2,3\n",
    "one column with commas": b"a\n1,5\n2,5\n",
    "same name": b"a,a\n1,2\n",
    "no names": b"\n1,2\n",
    "names alone": b"a,b\n",
    "empty": b"",
    "blank": b"   \n",
    "missing line": b"a\n1\n\n3\n",
    "blank line": b"a,b\n1,2\n\n3,4\n",
    "blank at the end": b"a,b\n1,2\n3,4\n\n\n",
    "quotes": b'a,b\n"1","x,y"\n2,"he said ""hi"""\n',
    "after a quote": b'a,b\n"1"x,2\n3,4\n',
    "open quote": b'a,b\n"1,2\n3,4\n',
    "line in quotes": b'a,b\n"line\nbreak",2\nx,3\n',
    "missing": b"a,b\nNA,1\n2,3\n",
    "text": b"a,b\nx,1\n2,2\n",
    "truth": b"a,b\ntrue,1\nFalse,2\n",
    "truth and numbers": b"a,b\ntrue,1\n1,2\n",
    "too large": b"a,b\n1e400,1\n2,2\n",
    "too small": b"a,b\n1e-200,1\n0,2\n",
    "too exact": b"a,b\n9007199254740993,1\n2,2\n",
    "other bytes": b"a,b\n1,2\n3,\xff\xfe\n",
    "packed": b"PK\x03\x04abc",
    "null": b"a,b\n1,2\x00\n",
    "two delimiters": b"a;b,c\n1;2,3\n4;5,6\n",
    "quoted comma": b'a,b\n"1,5",2\n"2,5",3\n',
    "signs and powers": b"a,b\n+1.5e3,-.5\n1.,2\n",
    "spaces": b"a, b\n 1 ,2\n\t3,4\n",
    "other name": b"x\n1\n2\n",
    "one row": b"a\n1\n",
}


@pytest.mark.parametrize(
    "how", [{}, {"decimal": ","}, {"thousands": ","}], ids=["plain", "decimal", "thousands"]
)
def test_a_file_is_read_or_refused_in_the_page_as_by_the_package(how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    then = {"risk": "0.9"}
    questions = [
        ["file", {"data": base64.b64encode(data).decode(), "how": how, "then": then}]
        for data in FILES.values()
    ]
    for question in questions:
        question[1]["ask"] = {"asked": [["mean", "a"]]}
    for (name, data), found in zip(FILES.items(), answers(questions), strict=True):
        Path("data.csv").write_bytes(data)
        said = None
        try:
            rows = Source("data.csv", ("a",), **how).read()
        except ValueError as error:
            said = str(error)
        assert found.get("error") == said, name
        if said is None:
            compare(dp.recommend(("mean", "a"), rows.values, risk="0.9"), found)


def test_the_javascript_keeps_its_own_tests():
    files = sorted((TESTS / "js").glob("*.test.js"))
    done = subprocess.run([NODE, "--test", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
