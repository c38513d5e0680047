"""What a command writes shows any name as text, holds no record, and is whole or not there."""

import ast
import contextlib
import csv
import html.parser
import io
import json
import os
import re
import stat

import numpy as np
import pytest

from dpchoose.__main__ import main
from dpchoose.your_data.command import output

HOSTILE = ["<img src=x onerror=alert(1)>", "<!--<script>", "]]></style><svg onload=alert(1)>"]
HOSTILE += ["$\\frac{1}{0}$", "${HOME}`id`$(id)", "{0}{source}%(x)s%s", "ANSWERS_ASKED PICTURE"]
HOSTILE += ['"""); import os; os.abort(); ("""', "'''\\\"\\N{BULLET}\\", "日本 🙂 é", "x" * 300]
HOSTILE += ["=HYPERLINK(1)", "-1+1", "@SUM(A1)", "a\x1b[2J\x9b31m\u202eb\x7f", "a\nb"]


class Page(html.parser.HTMLParser):
    """The tags and attributes of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text += data


def known(name):
    return ["--released", "in", "--risk", "0.4"]


def everybody(name):
    return ["--limits", f"{name}=0:30", "--odds", "3"]


def hidden(name):
    return [*everybody(name), "--hide-n"]


def written(folder, name, query="mean", values=(1, 2, 3, 10), who=known):
    """Ask for a column of this name: what is written and printed, by its form."""
    data = str(folder / "mine.csv")
    rows = [(name, "in"), *((value, int(place > 0)) for place, value in enumerate(values))]
    with open(data, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return answered(folder, "epsilon", data, "--ask", f"{query}:{name}", *who(name))


def answered(folder, *asked):
    """What is written and printed of a question, by its form."""
    files = {form: folder / f"o.{form}" for form in ("html", "svg", "py")}
    wanted = ["--report", files["html"], "--plot", files["svg"], "--opendp", files["py"]]
    found = {"text": printed(*asked, *map(str, wanted))}
    found |= {form: path.read_text("utf-8") for form, path in files.items()}
    return found | {"json": printed(*asked, "--format", "json")}


def printed(*words):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(list(words)) == 0
    return out.getvalue()


@pytest.fixture(scope="module")
def tame(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tame")
    return {who: written(folder, "days", who=who) for who in WHO}


WHO = [known, everybody, hidden]
EACH = [(name, who) for name in HOSTILE[:2] for who in WHO]  # markup, of all; others in turn
EACH += [(name, WHO[place % 3]) for place, name in enumerate(HOSTILE[2:])]


@pytest.mark.parametrize(("name", "who"), EACH)
def test_a_name_is_text_wherever_it_is_written(tmp_path, tame, name, who):
    """Of a page, a drawing, a script, a spreadsheet, JSON and a terminal."""
    found, tame = written(tmp_path, name, who=who), tame[who]
    query = "centred sum" if who is hidden else "mean"
    for text in found.values():
        assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert json.loads(found["json"])["answers"][0]["statistic"] == f"{query}:{name}"
    page = Page(found["html"])
    for form in ("html", "svg"):
        one, other = Page(found[form]), Page(tame[form])
        assert (one.tags, one.attributes) == (other.tags, other.attributes)
    if name.isascii() and name.isprintable() and len(name) < 40:
        assert " ".join(name.split()) in " ".join(page.text.split())
    tree, plain = ast.parse(found["py"]), ast.parse(tame["py"])
    assert [type(node) for node in ast.walk(tree)] == [type(node) for node in ast.walk(plain)]
    given = {ast.unparse(one.targets[0]): one.value for one in tree.body if hasattr(one, "targets")}
    answer = ast.literal_eval(given["QUESTION"])["answers"][0]
    named = [answer[key] for key in ("label", "query", "column")]
    assert named == [f"{query}:{name}", query, name]


@pytest.mark.parametrize("query", ["mean", "var"])
def test_no_record_stands_in_what_is_written(tmp_path, query):
    """Nor the answer itself: there are results of the calculation alone."""
    values = np.random.default_rng(0).uniform(1e4, 9e4, 12).round(3)
    exact = getattr(np, query)(values[1:])
    for text in written(tmp_path, "days", query, values).values():
        numbers = {float(number) for number in re.findall(r"\d+\.\d+", text)}
        assert not numbers & set(values.tolist())
        assert not any(abs(number / exact - 1) < 1e-6 for number in numbers if number)


@pytest.mark.parametrize("who", [everybody, hidden])
def test_what_is_written_of_everybody_follows_from_public_numbers_alone(tmp_path, who):
    """Not from the values; and where n is hidden not from any number of rows."""
    path, found, hides = tmp_path / "mine.csv", [], who is hidden
    words = ["--ask", "mean:stay", "--ask", "sum:stay", "--ask", "share:sex=f", "--by", "ward"]
    words += ["--where", "age >= 18", "--drop-missing", *who("stay")]
    words += ["--group", "a", "--group", "b"] * hides
    for seed, many in ((1, 211), (2, 173 if hides else 211)):
        rows, values = (np.random.default_rng(seed * one) for one in (hides, 1))
        lines = [
            f"{values.integers(0, 90) if rows.random() < 0.9 else ''},{rows.choice([*'ab'])},"
            f"{rows.integers(0, 90)},{values.choice([*'mf'])}\n"
            for _ in range(many)
        ]
        path.write_text("stay,ward,age,sex\n" + "".join(lines))
        texts = answered(tmp_path, "epsilon", str(path), *words).items()
        found.append({form: re.sub(r"\b[0-9a-f]{64}\b", "digest", text) for form, text in texts})
    assert found[0] == found[1]


def test_a_file_that_cannot_be_put_in_its_place_leaves_the_one_before(tmp_path, monkeypatch):
    path = tmp_path / "o.html"
    output.write(str(path), "before")

    def refuse(*_):
        raise OSError("no room")

    monkeypatch.setattr(output.os, "replace", refuse)
    with pytest.raises(ValueError, match=r"must be written whole.*no room"):
        output.write(str(path), "after")
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["o.html"]


def test_a_file_that_is_replaced_keeps_its_rights_and_its_place(tmp_path):
    target, link = tmp_path / "kept.html", tmp_path / "o.html"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    output.write(str(link), "after")
    assert (target.read_text(), link.is_symlink()) == ("after", True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("option", "path", "rule"),
    [
        ("--plot", "o.pdf", "must end in .svg or .png"),
        ("--opendp", "o", "must end in .py"),
        ("--report", "none/o.html", "must lie in a folder that can be written"),
        ("--report", "mine.html", "must not be a folder or the data"),
        ("--plot", "mine.html/o.svg", "must lie in a folder that can be written"),
    ],
)
def test_what_could_not_be_written_is_refused_before_any_work(
    tmp_path, monkeypatch, capsys, option, path, rule
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.html").write_text("days\n1\n2\n")
    words = ["epsilon", "mine.html", "--ask", "mean:none", "--released", "in", "--odds", "3"]
    assert main([*words, option, path]) == 2
    assert f"dpchoose: {option} {rule}" in capsys.readouterr().err
    assert (tmp_path / "mine.html").read_text() == "days\n1\n2\n"
