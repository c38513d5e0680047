"""The numbers and the sentences of the explorer, against the package and its command line."""

import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from dpbook import explorer
from exploring import (
    HOSTILE,
    READY,
    agrees_with_the_command_line,
    alike,
    as_learnt,
    ask,
    change,
    lines,
    part,
    rows,
    seen,
    shown,
    take,
    written,
)

import dpchoose as dp
from dpchoose.epsilon.text import round_up


@pytest.fixture
def page(explore):
    return explore(offline=True)


QUERIES = ("mean", "median", "sum", "var", "std", "percentile_25", "percentile_90")


@pytest.mark.parametrize("place", range(len(explorer.records())))
def test_every_question_about_the_books_own_records_is_answered_as_the_package_does(page, place):
    """At risks on both sides of what can be met, for each secret."""
    one = explorer.records()[place]
    known = pd.read_csv(io.StringIO(one["csv"]))
    first = one["first"]
    size = first["releaseSize"] or len(known) - 1
    change(page, "own", str(place))
    rng = np.random.default_rng(place)
    for query in QUERIES:
        ask(page, (query, first["column"]))
        for secret in ("world", "present", "absent"):
            risk = str(rng.choice(["0.001", "0.02", "1/3", "0.61", "0.9", "0.995"]))
            change(page, "secret", secret)
            change(page, "risk", risk)
            pairs = [(query, first["column"])]
            found = dp.recommend(pairs, known, size, risk=risk, secret=secret)
            (table, sentences), (numbers, said) = seen(page), shown(found)
            assert table == numbers, (query, secret, risk)
            assert alike(sentences, said), (query, secret, risk)
            assert as_learnt(page, found), (query, secret, risk)
            status = part(page, "status").text_content()
            assert ("Not" in status) == (found.status in ("exposed", "not shown safe"))
            assert ("cannot" in status) == (found.status == "cannot be met")


FILES = {
    "ties.csv": lambda rng: pd.DataFrame({"x": rng.integers(0, 4, 60)}),
    "far.csv": lambda rng: pd.DataFrame({"x": 1e9 + rng.normal(size=80)}),
    "one value.csv": lambda rng: pd.DataFrame({"x": [7.25] * 12, "y": range(12)}),
    "twins.csv": lambda rng: pd.DataFrame({"x": np.repeat(rng.normal(size=20), 2)}),
    "negative.csv": lambda rng: pd.DataFrame({"x": -rng.lognormal(0, 3, 50)}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_dropped_file_gives_what_the_command_on_the_page_gives(page, tmp_path, name):
    """Real files and hostile ones: the same scales, and the same sentences."""
    take(page, written(tmp_path, name, FILES[name](np.random.default_rng(1))))
    for asked in (
        [("mean", None)],
        [("median", None)],
        [("sum", None), ("var", None), ("count", None)],
    ):
        column = page.get_by_label("Answer 1: column").input_value()
        ask(page, *((query, None if query == "count" else column) for query, _ in asked))
        agrees_with_the_command_line(page, tmp_path)


def test_three_hundred_thousand_rows_give_what_the_command_gives(page, tmp_path):
    rng = np.random.default_rng(1)
    income = pd.DataFrame({"income": np.round(rng.lognormal(10, 1, 300_000), 2)})
    take(page, written(tmp_path, "many.csv", income))
    agrees_with_the_command_line(page, tmp_path)
    page.get_by_label("Answer 1: what").select_option("median")
    page.wait_for_function(READY)
    agrees_with_the_command_line(page, tmp_path)


def test_several_columns_groups_and_a_column_of_who_is_released(page, tmp_path):
    rng = np.random.default_rng(2)
    table = pd.DataFrame(
        {
            "visits": rng.poisson(3, 90),
            "cost": np.round(rng.lognormal(4, 1, 90), 2),
            "ward": rng.choice(["north", "south"], 90),
            "in sample": rng.choice(["yes", "no"], 90),
        }
    )
    take(page, written(tmp_path, "clinic.csv", table))
    ask(page, ("mean", "visits"), ("sum", "cost"))
    agrees_with_the_command_line(page, tmp_path)
    change(page, "released", "column in sample")
    answer = agrees_with_the_command_line(page, tmp_path)
    assert answer["record"]["n"] == (table["in sample"] == "yes").sum()
    change(page, "released", "one")
    ask(page, ("count", None))
    change(page, "by", "ward")
    answer = agrees_with_the_command_line(page, tmp_path)
    assert len(answer["statistics"]) == 2
    change(page, "released", "size")
    change(page, "size", "30")
    assert agrees_with_the_command_line(page, tmp_path)["record"]["n"] == 30


def test_the_lines_of_python_on_the_page_give_the_same(page, tmp_path, monkeypatch):
    table = pd.DataFrame({"a; b": [1.5, 2.25, None, 9], HOSTILE[4]: ["x", "y", "x", "y"]})
    take(page, written(tmp_path, "it's.csv", table, sep=";", decimal=","))
    page.get_by_role("button", name="its comma is for decimals").click()
    page.wait_for_function(READY)
    part(page, "dropping").check()
    page.wait_for_function(READY)
    change(page, "risk", "0.6")
    monkeypatch.chdir(tmp_path)
    *first, last = lines(page)[1].splitlines()
    names = {}
    exec("\n".join(first), names)
    found = eval(last, names)
    assert seen(page) == shown(found)
    agrees_with_the_command_line(page, tmp_path)


def test_names_and_labels_out_of_a_file_are_text_everywhere(page, tmp_path):
    """Nothing of a hostile file becomes an element, and the command still names its columns."""
    columns = {name: [1.0, 2.0, 3.5, 10.0] for name in HOSTILE}
    table = pd.DataFrame(columns | {"<b>who</b>": [*HOSTILE[:2] * 2]})
    take(page, written(tmp_path, "<img src=x onerror=alert(2)>.csv", table))
    before = page.locator(".explorer :is(img, script, b)").count()
    ask(page, *(("mean", name) for name in HOSTILE))
    assert [row[0] for row in rows(page, "noise")][:5] == [f"mean of {name}" for name in HOSTILE]
    agrees_with_the_command_line(page, tmp_path)
    ask(page, ("count", None))
    change(page, "by", "<b>who</b>")
    agrees_with_the_command_line(page, tmp_path)
    assert page.locator(".explorer :is(img, script, b)").count() == before == 1


def test_what_is_already_published_uses_up_a_part_of_the_risk(page, tmp_path):
    """Until its scale is known it counts for nothing; then the command names it, too."""
    take(page, written(tmp_path, "again.csv", pd.DataFrame({"x": range(40), "y": range(40)})))
    (first,) = seen(page)[0]
    part(page, "more-out").click()
    page.get_by_label("Already published 1: column").select_option("y")
    page.wait_for_function(READY)
    assert seen(page)[0] == [first]
    page.get_by_label("Already published 1: noise scale").fill("3")
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
    answer = agrees_with_the_command_line(page, tmp_path)
    assert "Already out is mean:y with noise of scale 3." in answer["sentences"]
    assert float(seen(page)[0][0][0]) > float(first[0])
    page.get_by_label("Already published 1: remove").click()
    page.wait_for_function(READY)
    assert seen(page)[0] == [first]


def test_a_code_for_a_missing_value_is_warned_of_beside_the_answer(page, tmp_path):
    take(page, written(tmp_path, "codes.csv", pd.DataFrame({"x": [20.5, 21, 19, -999]})))
    assert "x holds -999 in 1 record" in part(page, "warned").inner_text()
    change(page, "own", "0")
    assert part(page, "warned").inner_text() == ""


BAD = {
    "text.csv": (b"name,city\na,b\nc,d\n", "a column of numbers", "'a' in row 1"),
    "letter.csv": (b"Dear all,\nhere are the figures.\nBest\n", "2 fields", "1 in row 1"),
    "notes.json": (b'{"a": [1, 2, 3]}\n', "hold records", "only column names"),
    "empty.csv": (b"", "must not be empty", "empty.csv"),
    "mark.csv": (b"\xef\xbb\xbf", "must not be empty", "mark.csv"),
    "heads.csv": (b"a,b\n", "hold records", "only column names"),
    "one.csv": (b"a\n5\n", "at least 2 records", "1, in row 1"),
    "ragged.csv": (b"a,b\n1,2\n3\n4,5\n", "2 fields in every row", "1 in row 2"),
    "long.csv": (b"a;b\n1;2\n3;4;5\n", "2 fields in every row", "3 in row 2"),
    "quote.csv": (b'a,b\n1,2\n3,"4\n5,6\n', "well formed", "row 2"),
    "sheet.csv": (b"PK\3\4 and so on", "must be text", "save the table as CSV"),
    "picture.csv": (b"\x89PNG\0\0\0", "must be text", "save the table as CSV"),
    "zero.csv": (b"a,b\n1,2\n3,\0\n5,6\n", "must be text", "save the table as CSV"),
    "wide.csv": ("a,b\n1,2\n3,4\n".encode("utf-16-le"), "must be text", "wide.csv"),
    "old.csv": ("Größe,n\n1,2\n3,4\n".encode("latin-1"), "text in utf-8", "other bytes"),
    "twice.csv": (b"a,a\n1,2\n", "each column once", "twice"),
    "comma.csv": (b"a;b\n1,5;2,5\n3,5;1,5\n9,0;3\n", "finite numbers", "row 1"),
    "money.csv": (b"salary\n$1200\n$1300\n", "finite numbers", "'$1200' in row 1"),
    "endless.csv": (b"n,unit\n1,kg\ninf,kg\n", "finite numbers", "'inf' in row 2"),
    "columns.csv": (b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n", "columns", "more"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_a_sentence_and_the_last_good_answer_stays(page, tmp_path, name):
    content, rule, got = BAD[name]
    (tmp_path / name).write_bytes(content)
    before, command = seen(page), lines(page)
    take(page, tmp_path / name)
    sentence = part(page, "wrong").inner_text()
    assert rule in sentence
    assert got in sentence
    assert (seen(page), lines(page)) == (before, command)
    change(page, "risk", "0.5")
    assert seen(page) == shown(
        dp.recommend([("mean", "absence_days")], dp.datasets.school()[0], risk="0.5")
    )


def test_a_file_of_two_gigabytes_is_refused_before_it_is_read(page, tmp_path):
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(2**31)
    before = seen(page)
    take(page, tmp_path / "huge.csv")
    assert "must be smaller than 2 GB" in part(page, "wrong").inner_text()
    assert seen(page) == before


def dropped(page, *paths):
    """What a hand does: these are dragged over the field and let go."""
    hand = page.context.new_cdp_session(page)
    box = page.locator(".x-file").bounding_box()
    held = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": box["x"] + 40, "y": box["y"] + 10}
        hand.send("Input.dispatchDragEvent", {"type": kind, **at, "data": held})
    page.wait_for_function(f"() => ({READY})() && document.querySelector('.x-over') === null")


def test_a_folder_or_two_files_are_refused_where_they_are_dropped(page, tmp_path):
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


def test_the_same_file_again_is_read_again(page, tmp_path):
    path = written(tmp_path, "grows.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5]}))
    take(page, path)
    before = seen(page)
    take(page, path)
    assert seen(page) == before
    written(tmp_path, "grows.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5, 60]}))
    take(page, path)
    assert "all 6 of the file" in seen(page)[1][0]


@pytest.mark.parametrize("wait", [0, 300])
def test_a_second_file_takes_the_place_of_one_that_is_still_read_or_computed(page, tmp_path, wait):
    first = written(tmp_path, "first.csv", pd.DataFrame({"x": np.arange(300_000) ** 1.5}))
    second = written(tmp_path, "second.csv", pd.DataFrame({"y": [3, 1, 4, 1, 5]}))
    part(page, "file").set_input_files(first)
    page.wait_for_timeout(wait)
    take(page, second)
    assert part(page, "wrong").inner_text() == part(page, "refused").inner_text() == ""
    agrees_with_the_command_line(page, tmp_path)
    assert "second.csv" in lines(page)[0]


def test_a_column_that_numbers_the_rows_is_not_asked_first(page, tmp_path):
    """Neither by a name for it, nor by entries that count up; alone it is asked all the same."""
    keys = {"nr": [7, 3, 9, 4, 8, 1], "case": range(100, 106), "minute": range(0, 360, 60)}
    days = [1, 2, 3, 4, 5, 9]
    take(page, written(tmp_path, "stays.csv", pd.DataFrame({**keys, "days": days})))
    assert page.get_by_label("Answer 1: column").input_value() == "days"
    take(page, written(tmp_path, "keys.csv", pd.DataFrame(keys)))
    assert page.get_by_label("Answer 1: column").input_value() == "nr"


def test_a_point_that_may_part_thousands_is_asked_about(page, tmp_path):
    (tmp_path / "cost.csv").write_text("ward;cost\nA;1.234\nB;2.345\nC;12.500\n", "utf-8")
    take(page, tmp_path / "cost.csv")
    assert "got '1.234' in row 1" in part(page, "wrong").inner_text()
    small = float(seen(page)[0][0][0])
    page.get_by_role("button", name="its point is for thousands").click()
    page.wait_for_function(READY)
    assert part(page, "wrong").inner_text() == ""
    assert float(seen(page)[0][0][0]) > 900 * small
    agrees_with_the_command_line(page, tmp_path)


def test_a_first_line_of_numbers_is_said_to_be_taken_for_names(page, tmp_path):
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n5,6\n9,1\n", "utf-8")
    take(page, tmp_path / "bare.csv")
    assert "got 1, 2, which are taken for names" in part(page, "wrong").inner_text()
    agrees_with_the_command_line(page, tmp_path)


def test_a_decimal_comma_is_asked_about_and_then_read(page, tmp_path):
    (tmp_path / "comma.csv").write_text("a;b\n1,5;2\n3,5;1\n9,0;3\n", "utf-8")
    take(page, tmp_path / "comma.csv")
    assert "got '1,5' in row 1" in part(page, "wrong").inner_text()
    page.get_by_role("button", name="its comma is for decimals").click()
    page.wait_for_function(READY)
    assert part(page, "wrong").inner_text() == ""
    ask(page, ("mean", "a"))
    agrees_with_the_command_line(page, tmp_path)


def test_a_new_file_that_lacks_values_says_so_beside_the_field_and_how_to_go_on(page, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n,3\n5,7\n9,1\n4,4\n", "utf-8")
    before = seen(page)
    take(page, tmp_path / "holes.csv")
    wrong = part(page, "wrong").inner_text()
    assert "1 missing value, the first in row 2" in wrong
    assert "still the answer before, about school.csv" in wrong
    assert part(page, "universe").inner_text() == "Of 5 records"
    assert part(page, "print").is_disabled()
    assert seen(page) == before
    page.get_by_role("button", name="leave these rows out").click()
    page.wait_for_function(READY)
    assert part(page, "wrong").inner_text() == ""
    assert part(page, "dropping").is_checked()
    assert page.evaluate("document.activeElement.dataset.part") == "dropping"
    agrees_with_the_command_line(page, tmp_path)


def test_a_question_that_is_refused_says_why_and_keeps_the_answer_before(page, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n2,\n5,7\n9,1\n4,4\n", "utf-8")
    take(page, tmp_path / "holes.csv")
    before = seen(page)
    page.get_by_label("Answer 1: column").select_option("b")
    page.wait_for_function(READY)
    refused = part(page, "refused").inner_text()
    assert "1 missing value, the first in row 2" in refused
    assert "still the answer before." in refused
    assert seen(page) == before
    part(page, "dropping").check()
    page.wait_for_function(READY)
    assert part(page, "refused").inner_text() == ""
    agrees_with_the_command_line(page, tmp_path)
    change(page, "risk", "1.2")
    assert "between 0 and 1" in part(page, "norisk").inner_text()
    assert part(page, "risk").input_value() == "1/3"


def test_a_million_rows_show_how_far_they_are_and_can_be_given_up(page, tmp_path):
    """The page answers meanwhile, and what was there stays."""
    path = tmp_path / "million.csv"
    values = np.round(np.random.default_rng(3).lognormal(8, 1, 1_000_000), 2)
    path.write_text("income\n" + "\n".join(map(str, values)), "utf-8")
    before = seen(page)
    part(page, "file").set_input_files(path)
    part(page, "progress").wait_for()
    part(page, "cancel").click()
    page.wait_for_function(READY)
    assert part(page, "progress").is_hidden()
    assert seen(page) == before
    part(page, "file").set_input_files(path)
    part(page, "progress").wait_for()
    page.evaluate(
        "() => { window.beats = 0; (function beat() { beats++; requestAnimationFrame(beat); })(); }"
    )
    page.wait_for_function(READY, timeout=120_000)
    assert page.evaluate("beats") > 30
    found = dp.recommend("mean", values, risk="0.01").table
    assert seen(page)[0][0][0] == round_up(found["noise scale"][0])


def test_a_file_that_is_dropped_is_read_and_leads_to_a_sentence_that_can_be_signed(page, tmp_path):
    """From the drop to the sentence, on a file that nothing else here knows."""
    data = page.evaluate_handle("""() => {
        const rows = Array.from({ length: 400 }, (_, i) => `${i};${20 + (i * 37) % 60};n`);
        const data = new DataTransfer();
        data.items.add(new File([`id;age;site\\r\\n${rows.join("\\r\\n")}`], "ages.csv"));
        return data;
    }""")
    for kind in ("dragenter", "dragover", "drop"):
        page.dispatch_event(".x-file", kind, {"dataTransfer": data})
    page.wait_for_function(READY)
    assert page.get_by_label("Answer 1: column").input_value() == "age"
    ages = 20 + (np.arange(400) * 37) % 60
    pd.DataFrame({"id": range(400), "age": ages, "site": "n"}).to_csv(
        tmp_path / "ages.csv", index=False
    )
    agrees_with_the_command_line(page, tmp_path)
    assert part(page, "status").inner_text() == "The risk is kept"
    assert any("ends at most 1% sure" in text for text in seen(page)[1])


def test_an_exposed_record_is_never_called_safe(page):
    change(page, "own", "1")
    ask(page, ("mean", "absence_days"))
    assert part(page, "status").inner_text() == "Not safe to sign: a record is exposed"
    assert "record 10" in part(page, "reason").inner_text()
    assert part(page, "heading").inner_text().startswith("Why this is not to be signed")
    assert "not safe to sign" in seen(page)[1][1]
    assert part(page, "bars").locator(".x-exposed").count() == 2


def test_an_error_larger_than_its_answer_is_said_in_words(page):
    assert rows(page, "noise")[0][3] == "5 times the answer itself"
    change(page, "own", "4")
    assert rows(page, "noise")[0][3].endswith("% of the answer")


def test_the_scales_that_the_page_begins_with_keep_their_risks_by_the_definition():
    found = explorer.kept(("mean", "median", "sum", "var", "std"))
    assert len(found) > 15
    assert set(found["verdict"]) == {"met"}


def test_the_books_own_records_can_be_written_by_the_line_beside_them(tmp_path):
    for one in explorer.records():
        subprocess.run([sys.executable, "-c", one["make"]], cwd=tmp_path, check=True)
        assert (tmp_path / one["file"]).read_text("utf-8") == one["csv"]
