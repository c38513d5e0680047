"""A name is not syntax: columns with signs of comparisons, commas and colons in their names."""

import csv
import json
import runpy
import warnings

import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data.command.publish import publication_of
from dpchoose.your_data.read import Source
from dpchoose.your_data.shares import parse_condition

NAMES = ["hours (99=n/a)", "bmi>=30", "ward=north", "sex (1=f)", "a<b", "=s", "w = v", "a:b, c"]
PLAIN = "qqq"
LABELS = ["n", "s", "n", "s", "n"] * 20


def written(folder, names):
    """A file of whole numbers under these names, and a column of labels."""
    path = folder / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = [[i % 5 + j for j in range(len(names))] for i in range(100)]
        table = [[*names, "g"], *([*row, LABELS[i]] for i, row in enumerate(rows))]
        csv.writer(file).writerows(table)
    return path


@pytest.mark.parametrize("kind", ["mean:{}", "share:{}=3", "share:{}>=2"])
@pytest.mark.parametrize("how", [[], ["--hide-n"], ["--by", "g"]])
def test_all_is_said_of_any_name(kind, how, tmp_path, found):
    """The same as of a plain name, with the other in its place."""
    said = {}
    for name in (PLAIN, *NAMES):
        path = written(tmp_path, [name])
        limits = ["--limits", f"{name}=0:5"] if kind == "mean:{}" else ["--everybody"]
        told = found("epsilon", path, "--ask", kind.format(name), *limits, "--odds", 3, *how)
        del told["question"]["command"]
        said[name] = json.dumps(told).replace(json.dumps(name)[1:-1], PLAIN)
    assert said == dict.fromkeys(said, said[PLAIN])


def test_the_longest_name_that_fits_is_the_column_of_a_share():
    names = ["sex", "sex (1=f)", "a", "a<b", "a<b=c", "x", "x>", "=s", "w = v", 7]
    meant = {
        "sex (1=f)=1": ("sex (1=f)", "=", "1"),
        "sex=1": ("sex", "=", "1"),
        "a<b=x": ("a<b", "=", "x"),
        "a<b=c=x": ("a<b=c", "=", "x"),
        "a<2": ("a", "<", "2"),
        "a=b=c": ("a", "=", "b=c"),
        "x>=1": ("x>", "=", "1"),
        "x>1": ("x", ">", "1"),
        "=s==1": ("=s", "=", "1"),
        "w = v = 1": ("w = v", "=", "1"),
        "w = v>=1": ("w = v", ">=", "1"),
        "7=1": ("7", "=", "1"),
    }
    for text, parts in meant.items():
        one = parse_condition(text, names)
        assert (one.column, one.sign, one.text) == parts
    assert parse_condition("a<b=x").column == "a<b"  # where no names are known
    for text in ("a<x", "w = v<x"):
        with pytest.raises(ValueError, match="with a number"):
            parse_condition(text, names)


def test_a_column_that_is_called_like_a_share_is_no_share(tmp_path, run):
    """A mean of 26.25 was published as 0.32, which is the share of another column."""
    path = tmp_path / "mine.csv"
    path.write_text("ward,ward=north\n" + "north,40\nsouth,20\nsouth,20\n" * 500, "utf-8")
    asked = ["mean:ward=north", "share:ward=north", "share:ward=north>=40"]
    source = Source(str(path), ("ward=north",), ("ward=north", "ward=north>=40"))
    rows = source.read()
    mean, share, high = (rows.values[key].mean() for key in ("ward=north", *rows.shares.values()))
    assert (mean, share, high) == pytest.approx((80 / 3, 1 / 3, 1 / 3))
    words = [word for one in asked for word in ("--ask", one)]
    for how in (["--limits", "ward=north=0:60", "--odds", "3"], []):
        if not how:  # the file is known
            lines = ["ward,ward=north,in", "north,40,0", "south,20,1", "south,20,1"]
            lines += ["north,40,1", "south,20,1", "south,20,1"] * 499
            path.write_text("\n".join(lines), "utf-8")
            how = ["--released", "in", "--odds", "3"]
        script = tmp_path / f"s{len(how)}.py"
        code, _, err = run("epsilon", path, *words, *how, "--opendp", script)
        assert code == 0, err
        made = publication_of(runpy.run_path(str(script))["QUESTION"])
        read = made.source.read()
        exact = [float(sum(made.exact(read, one))) for one in made.answers]
        assert exact == pytest.approx([80 / 3, 1 / 3, 1 / 3], rel=1e-2)


def test_a_table_has_both_too():
    table = pd.DataFrame({"ward": ["north", "south"] * 3, "ward=north": [40.0, 20] * 3})
    asked = [("mean", "ward=north"), ("share", "ward=north"), ("share", "ward=north=40")]
    found = dp.PublicLimits(asked, table, {"ward=north": (0, 60)}).for_odds(3)
    assert found.question.answers().tolist() == [30, 0.5, 0.5]
    assert found.to_dict()["question"]["limits"] == {"ward=north": [0, 60]}
    first, rests, *_ = found.sentences()
    assert "ward=north, ward, or both" in first
    assert "The limits were fixed without this file" in rests


def test_of_one_group_the_sentence_has_single_commas(tmp_path, found):
    path = written(tmp_path, ["x", "y"])
    how = ["--limits", "x=0:5", "--limits", "y=0:5", "--by", "g", "--where", "g == 'n'"]
    told = found("epsilon", path, "--ask", "mean:x", "--ask", "sum:y", *how, "--odds", "3")
    text = "The mean of x and the sum of y, each counted as 0 to 5, n, of all 60 records where"
    assert told["sentences"][0].startswith(text)


def test_groups_of_two_columns_are_pairs(tmp_path, run):
    """("p, q", "r") and ("p", "q, r") are two groups, with n public and hidden."""
    path = tmp_path / "mine.csv"
    path.write_text('x,a,b\n1,"p, q",r\n2,p,"q, r"\n3,p,"q, r"\n4,s,t\n5,s,t\n', "utf-8")
    how = ["--ask", "sum:x", "--by", "a", "--by", "b", "--limits", "x=0:9", "--odds", "3"]
    how += ["--format", "json"]
    labels = ['"p, q", r', 'p, "q, r"', "s, t"]
    told = json.loads(run("epsilon", path, *how)[1])
    assert [row["statistic"] for row in told["answers"]] == [f"sum:x, {one}" for one in labels]
    groups = [word for one in ["nobody, t", *labels[::-1]] for word in ("--group", one)]
    told = json.loads(run("epsilon", path, *how, "--hide-n", *groups)[1])
    listed = ["nobody, t", *labels[::-1]]
    assert [row["statistic"] for row in told["answers"]] == [f"sum:x, {one}" for one in listed]
    table = pd.read_csv(path)
    pairs = dp.PublicLimits(("sum", "x"), table, {"x": (0, 9)}, by=["a", "b"])
    assert pairs.sizes.tolist() == [1, 2, 2]


def test_groups_are_of_values_and_called_as_they_are_listed(tmp_path, run):
    path = tmp_path / "mine.csv"
    path.write_text("x;g;h\n1;2,50;true\n2;2,5;TRUE\n3;02,5;1\n4;a;false\n5;a;0\n", "utf-8")
    how = ["--decimal", ",", "--ask", "sum:x", "--limits", "x=0:9", "--odds", "3"]
    how += ["--format", "json"]

    def groups(*words):
        rows = json.loads(run("epsilon", path, *how, *words)[1])["answers"]
        return [row["statistic"].removeprefix("sum:x, ") for row in rows]

    assert groups("--by", "g") == ["2,5", "a"]
    assert groups("--by", "g", "--by", "h") == ['"2,5", 1', "a, 0"]
    listed = ["--hide-n", "--by", "g", "--group", "2,500", "--group", "a"]
    assert groups(*listed) == ["2,500", "a"]
    code, _, err = run("epsilon", path, *how, *listed, "--group", "2,5")
    assert (code, "groups must list each group once, got '2,5'" in err) == (2, True)
    with warnings.catch_warnings(action="ignore", category=MissingCodeWarning):
        rows = Source(
            str(path), ("x",), by=("g", "h"), groups=('"2,50", true',), decimal=","
        ).read()
    assert [*dict.fromkeys(rows.labels.tolist())] == ['"2,50", true', "a, 0"]
