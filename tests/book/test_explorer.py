"""The numbers of the explorer, against the package and its command; files taken, and refused."""

import contextlib

import numpy as np
import pandas as pd
import pytest
from dpbook import explorer
from exploring import (
    HOSTILE,
    READY,
    agrees,
    agrees_with_the_command,
    ask,
    change,
    click,
    dropped,
    lines,
    part,
    rows,
    seen,
    sentences,
    take,
    written,
)


@pytest.fixture
def page(explore):
    return explore(offline=True)


def test_questions_about_the_books_own_records_are_answered_as_the_package_does(page, tmp_path):
    """At risks on both sides of what can be met."""
    rng = np.random.default_rng(1)
    found = set()
    assert rows(page, "noise")[0][3] == "5 times the answer itself"
    for place, one in enumerate(explorer.records()):
        (tmp_path / one["file"]).write_text(one["csv"], "utf-8")
        change(page, "own", str(place))
        for query in (*rng.choice(["median", "sum", "var", "std", "percentile_90"], 2), "mean"):
            ask(page, (query, one["first"]["column"]))
            change(page, "risk", str(rng.choice(["0.01", "0.15", "1/3", "0.61", "0.9", "0.995"])))
            found.add(agrees(page, tmp_path).status)
    assert found == {"ok", "exact", "cannot be met"}
    assert rows(page, "noise")[0][3].endswith("% of the answer")


FILES = {
    "ties.csv": lambda rng: {"x": rng.integers(0, 4, 60)},
    "far.csv": lambda rng: {"x": 1e9 + np.round(rng.normal(size=80), 6)},
    "one value.csv": lambda rng: {"x": [7.25] * 12, "y": range(12)},
    "twins.csv": lambda rng: {"x": np.repeat(np.round(rng.normal(size=20), 3), 2)},
    "negative.csv": lambda rng: {"x": -np.round(rng.lognormal(0, 3, 50), 2)},
}


def test_a_file_gives_what_the_lines_of_python_on_the_page_give(page, tmp_path):
    """Real files and hostile ones."""
    for name, table in FILES.items():
        take(page, written(tmp_path, name, pd.DataFrame(table(np.random.default_rng(1)))))
        x = page.get_by_label("Answer 1: column").input_value()
        for asked in ([("mean", x)], [("median", x)], [("sum", x), ("var", x), ("count", None)]):
            ask(page, *asked)
            agrees(page, tmp_path)


def test_several_columns_groups_and_what_is_out_give_what_the_command_gives(page, tmp_path):
    """What is out counts for nothing until its scale is known; then the command names it, too."""
    rng = np.random.default_rng(2)
    table = {"visits": rng.poisson(3, 90), "cost": np.round(rng.lognormal(4, 1, 90), 2)}
    table["ward"] = rng.choice(["north", "south"], 90)
    take(page, written(tmp_path, "clinic.csv", pd.DataFrame(table)))
    ask(page, ("mean", "visits"), ("sum", "cost"))
    first, _ = seen(page)
    agrees(page, tmp_path)
    part(page, "more-out").click()
    page.get_by_label("Already published 1: column").select_option("cost")
    page.wait_for_function(READY)
    assert seen(page)[0] == first
    page.get_by_label("Already published 1: noise scale").fill("9")
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    agrees_with_the_command(page, tmp_path)
    assert "Already out is mean:cost with noise of scale 9." in sentences(page)
    assert float(seen(page)[0][0][0]) > float(first[0][0])
    page.get_by_label("Already published 1: remove").click()
    page.wait_for_function(READY)
    assert seen(page)[0] == first
    ask(page, ("count", None))
    change(page, "by", "ward")
    assert len(agrees(page, tmp_path).table) == 2


def test_names_and_labels_out_of_a_file_are_text_everywhere(page, tmp_path):
    """Nothing of a hostile file becomes an element, and the command still names its columns."""
    columns = {name: [1.0, 2.0, 3.5, 10.0] for name in HOSTILE}
    table = pd.DataFrame(columns | {"<b>who</b>": [*HOSTILE[:2] * 2]})
    take(page, written(tmp_path, "<img src=x onerror=alert(2)>.csv", table, sep=";", decimal=","))
    click(page, "its comma is for decimals")
    before = page.locator(".explorer :is(img, script, b)").count()
    ask(page, *(("mean", name) for name in HOSTILE))
    assert [row[0] for row in rows(page, "noise")][:5] == [f"mean of {name}" for name in HOSTILE]
    agrees(page, tmp_path)
    agrees_with_the_command(page, tmp_path)
    ask(page, ("count", None))
    change(page, "by", "<b>who</b>")
    agrees(page, tmp_path)
    assert page.locator(".explorer :is(img, script, b)").count() == before == 1


BAD = {
    "text.csv": (b"name,city\na,b\nc,d\n", "a column of numbers", "'a' in row 1"),
    "empty.csv": (b"", "must not be empty", "empty.csv"),
    "one.csv": (b"a\n5\n", "at least 2 records", "1, in row 1"),
    "quote.csv": (b'a,b\n1,2\n3,"4\n5,6\n', "well formed", "row 2"),
    "sheet.csv": (b"PK\3\4 and so on", "must be text", "save the table as CSV"),
    "old.csv": ("Größe,n\n1,2\n3,4\n".encode("latin-1"), "text in utf-8", "other bytes"),
    "twice.csv": (b"a,a\n1,2\n", "each column once", "twice"),
    "comma.csv": (b"a;b\n1,5;2,5\n3,5;1,5\n9,0;3\n", "finite numbers", "row 1"),
    "columns.csv": (b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n", "columns", "more"),
}


def test_a_bad_file_is_refused_in_a_sentence_and_the_last_good_answer_stays(page, tmp_path):
    before, command = seen(page), lines(page)
    for name, (content, rule, got) in BAD.items():
        (tmp_path / name).write_bytes(content)
        take(page, tmp_path / name)
        sentence = part(page, "wrong").inner_text()
        assert rule in sentence, name
        assert got in sentence, name
        assert (seen(page), lines(page)) == (before, command), name
    change(page, "risk", "0.5")
    (tmp_path / "school.csv").write_text(explorer.records()[0]["csv"], "utf-8")
    agrees(page, tmp_path)


def test_a_file_is_dropped_and_dropped_again_but_no_folder_and_no_two(page, tmp_path):
    good = written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5]}))
    (tmp_path / "folder").mkdir()
    dropped(page, good)
    page.wait_for_function("() => document.querySelector('[data-part=own]').value === ''")
    before = seen(page)
    dropped(page, tmp_path / "folder")
    page.wait_for_function("() => document.querySelector('[data-part=wrong]').textContent")
    assert "must be readable, got 'folder', which is a folder" in part(page, "wrong").inner_text()
    dropped(page, good, written(tmp_path, "more.csv", pd.DataFrame({"y": [1, 2, 9]})))
    assert part(page, "wrong").inner_text() == "one file must be dropped, got 2"
    assert seen(page) == before
    assert "good.csv" in lines(page)[0]
    take(page, written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5, 60]})))
    assert "all 6 of the file" in sentences(page)[0]


def test_what_a_file_leaves_in_doubt_is_said_or_asked_beside_it(page, tmp_path):
    """A column that numbers the rows, a point for thousands, a code for a missing value."""
    keys = {"nr": [7, 3, 9, 4, 8, 1], "case": range(100, 106), "minute": range(0, 360, 60)}
    take(page, written(tmp_path, "stays.csv", pd.DataFrame(keys | {"days": [1, 2, 3, 4, 5, 9]})))
    assert page.get_by_label("Answer 1: column").input_value() == "days"
    (tmp_path / "cost.csv").write_text("ward;cost\nA;1.234\nB;2.345\nC;12.500\n", "utf-8")
    take(page, tmp_path / "cost.csv")
    assert "got '1.234' in row 1" in part(page, "wrong").inner_text()
    small = float(seen(page)[0][0][0])
    click(page, "its point is for thousands")
    assert part(page, "wrong").inner_text() == ""
    assert float(seen(page)[0][0][0]) > 900 * small
    agrees(page, tmp_path)
    take(page, written(tmp_path, "codes.csv", pd.DataFrame({"x": [20.5, 21, 19, -999]})))
    assert "x holds -999 in 1 record" in part(page, "warned").inner_text()
    change(page, "own", "0")
    assert part(page, "warned").inner_text() == ""


def test_a_question_that_is_refused_says_why_and_keeps_the_answer_before(page, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n,3\n5,7\n9,\n4,4\n8,1\n", "utf-8")
    before = seen(page)
    take(page, tmp_path / "holes.csv")
    wrong = part(page, "wrong").inner_text()
    assert "1 missing value, the first in row 2" in wrong
    assert "still the answer before, about school.csv" in wrong
    assert part(page, "universe").inner_text() == "All but one of 6 records"
    assert part(page, "print").is_disabled()
    assert seen(page) == before
    click(page, "leave these rows out")
    assert part(page, "wrong").inner_text() == ""
    assert page.evaluate("document.activeElement.dataset.part") == "dropping"
    agrees(page, tmp_path)
    before = seen(page)
    part(page, "dropping").uncheck()
    page.wait_for_function(READY)
    assert "still the answer before." in part(page, "refused").inner_text()
    assert seen(page) == before
    change(page, "risk", "1.2")
    assert "between 0 and 1" in part(page, "norisk").inner_text()
    assert part(page, "risk").input_value() == "1/3"


GIVE_UP = """() => !document.querySelector("[data-part=progress]").hidden
    && (document.querySelector("[data-part=cancel]").click(), true)"""


def test_a_large_file_can_be_given_up_or_replaced_and_leaves_the_page_awake(page, tmp_path):
    income = pd.DataFrame({"income": np.random.default_rng(3).lognormal(8, 1, 500_000).round(2)})
    path = written(tmp_path, "many.csv", income)
    before = seen(page)
    part(page, "file").set_input_files(path)
    page.wait_for_function(GIVE_UP)
    page.wait_for_function(READY)
    assert seen(page) == before
    part(page, "file").set_input_files(path)
    take(page, written(tmp_path, "few.csv", pd.DataFrame({"y": [3, 1, 4, 1, 5]})))
    assert "few.csv" in lines(page)[0]
    part(page, "file").set_input_files(written(tmp_path, "some.csv", income[:80_000]))
    page.evaluate("beats = 0; (function beat() { beats++; requestAnimationFrame(beat); })()")
    page.wait_for_function(READY)
    assert page.evaluate("beats") > 9
    agrees(page, tmp_path)


def test_the_scales_that_the_page_begins_with_keep_their_risks_by_the_definition():
    found = explorer.kept(("mean", "median", "sum", "var", "std"))
    assert len(found) > 15
    assert set(found["verdict"]) == {"met"}


def test_the_books_own_records_can_be_written_by_the_line_beside_them(tmp_path):
    with contextlib.chdir(tmp_path):
        for one in explorer.records():
            exec(one["make"], {})
            assert (tmp_path / one["file"]).read_text("utf-8") == one["csv"]
