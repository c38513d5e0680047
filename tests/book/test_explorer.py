"""The page against the command that it prints; files taken, and refused."""

import contextlib
import io
import json
import shlex

import numpy as np
import pandas as pd
import pytest
from dpbook import explorer
from exploring import HOSTILE, READY, answer, asks, click, dropped, part, sentences, set_goal, take

from dpchoose.__main__ import main


@pytest.fixture
def page(explore):
    return explore(offline=True)


def agrees(page, folder):
    """What the command on the page says, run beside the file, is what the page shows."""
    *make, command = map(shlex.split, part(page, "command").text_content().splitlines())
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        for _, _, line in make:
            exec(line, {})
        assert main([*command[1:], "--format", "json"]) == 0, command
    told = json.loads(out.getvalue())
    noise = (
        part(page, "noise")
        .locator("tbody tr")
        .evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
    )
    known = [one for one in told["answers"] if one["scale"] is not None]
    for row, one in zip(noise, known, strict=False):
        for shown, value in ((row[1], one["scale"]), (row[2], one["error"])):
            shown = "0" if shown == "none" else shown
            assert value <= float(shown) * (1 + 1e-12) <= value * (1 + 1e-6) + 1.001 * last(shown)
    for shown, said in zip(sentences(page), told["sentences"], strict=True):
        for a, b in zip(shown.split(), said.split(), strict=True):
            assert a == b or abs(float(a.strip("(:)")) - float(b.strip("(:)"))) <= 1.001 * last(b)
    factors = part(page, "readers").locator("tbody td:last-child").all_inner_texts()
    for shown, one in zip(factors, told["readers"], strict=True):
        if one["factor"] is None:
            assert shown in ("without limit", "× over a million")
        elif one["factor"] > 1e6:
            assert shown == "× over a million"
        else:
            assert float(shown.strip("× ")) == pytest.approx(one["factor"], rel=0.01)
    return told


def last(shown):
    """One unit of the last digit of a number that is written out."""
    digits = shown.strip("(:)")
    return 10.0 ** -len(digits.partition(".")[2]) if "e" not in digits else float(digits) / 100


def written(folder, name, table, **how):
    table.to_csv(folder / name, index=False, **how)
    return folder / name


def test_the_books_own_records_have_the_answer_of_the_command(page, tmp_path):
    for place in range(len(explorer.records())):
        part(page, "own").select_option(str(place))
        page.wait_for_function(READY)
        agrees(page, tmp_path)


def test_everybody_alone_several_by_group_and_hidden_as_the_command_says(page, tmp_path):
    rng = np.random.default_rng(2)
    table = {"visits": rng.poisson(3, 90), "cost, $": np.round(rng.lognormal(4, 1, 90), 2)}
    table["ward"] = rng.choice(["north", "south"], 90)
    take(page, written(tmp_path, "clinic.csv", pd.DataFrame(table)))
    asks(page, "mean", "visits", limits=("0", "20"))
    agrees(page, tmp_path)
    part(page, "more").locator("summary").click()
    click(page, "Add an answer")
    asks(page, "share of rows with", "ward", value="north", place=1)
    click(page, "Add an answer")
    asks(page, "sum", "cost, $", limits=("0", "500,5"), place=2)
    agrees(page, tmp_path)
    page.get_by_label("An answer for each").select_option("ward")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    page.get_by_label("Hide how many rows").check()
    assert "List the groups of ward" in part(page, "todo").inner_text()
    assert part(page, "report").is_hidden()
    page.get_by_label("Groups, one a line").fill("south\nnorth\neast")
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    set_goal(page, "A suspicion may become", "30%", "5%")
    agrees(page, tmp_path)
    click(page, "Add what is out already")
    page.get_by_label("Already published 1: noise scale").fill("900")
    page.get_by_label("Answer 101: what").select_option("sum")
    page.get_by_label("Answer 101: column").select_option("visits")
    page.wait_for_function(READY)
    agrees(page, tmp_path)


def mtcars(rng):
    return {"mpg": np.round(rng.normal(20, 6, 32), 1), "cyl": rng.choice([4, 6, 8], 32)}


FILES = {  # name: what stands in it, how it is written
    "ties": (lambda rng: {"x": rng.integers(0, 4, 60)}, {}),
    "far": (lambda rng: {"x": 1e9 + np.round(rng.normal(size=80), 6)}, {}),
    "same": (lambda rng: {"x": [7.25] * 12, "y": range(12)}, {}),
    "twins": (lambda rng: {"x": np.repeat(np.round(rng.normal(size=20), 3), 2)}, {}),
    "negative": (lambda rng: {"x": -np.round(rng.lognormal(0, 3, 50), 2)}, {}),
    "two": (lambda rng: {"x": [1.5, 2]}, {}),
    "flags": (lambda rng: {"x": rng.integers(0, 2, 40)}, {}),
    "truths": (lambda rng: {"x": rng.random(40) < 0.3}, {}),
    "cars": (mtcars, {"sep": "\t"}),
    "tiny": (lambda rng: {"x": rng.exponential(1e-7, 30)}, {}),
    "wide": (lambda rng: {f"c{i}": rng.integers(0, 9, 20) for i in range(300)}, {}),
    "semicolons": (lambda rng: {"x": rng.integers(0, 99, 30), "y": range(30)}, {"sep": ";"}),
    "bars": (lambda rng: {"x": rng.normal(size=30), "a b": range(30)}, {"sep": "|"}),
    "utf16": (lambda rng: {"größe": rng.integers(150, 199, 30)}, {"encoding": "utf-16"}),
    "marked": (lambda rng: {"größe": rng.integers(150, 199, 30)}, {"encoding": "utf-8-sig"}),
    "returns": (lambda rng: {"x": range(20)}, {"lineterminator": "\r"}),
    "windows": (lambda rng: {"a b": range(20)}, {"lineterminator": "\r\n", "quoting": 1}),
    "quoted": (lambda rng: {"a, b": range(9), 'say "x"': range(9)}, {"quoting": 1}),
    "padded": (lambda rng: {"  name ": ["A"] * 9, " days ": range(9)}, {}),
    "proto": (lambda rng: {"__proto__": range(9), "constructor": range(9)}, {}),
    "script": (lambda rng: {"<img src=x onerror=alert(1)>": range(9)}, {}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_answers_of_the_command_in_both_situations(page, tmp_path, name):
    make, how = FILES[name]
    table = pd.DataFrame(make(np.random.default_rng(1)))
    take(page, written(tmp_path, f"{name}.csv", table, **how))
    column = next(str(one).strip() for one in table if pd.api.types.is_numeric_dtype(table[one]))
    for query in ("mean", "sum", "median", "90% percentile"):
        asks(page, query, column, who="All but one")
        if not name.startswith(("same", "two")) or query == "mean":
            told = agrees(page, tmp_path)
            assert told["status"] in ("ok", "exact")
    free = name in ("flags", "truths")
    asks(page, "mean", column, who="Everybody", limits=None if free else ("-3", "9,5"))
    assert agrees(page, tmp_path)["status"] == "ok"


BAD = {  # what is picked, and what has to be in the sentence that refuses it
    "text": (b"name,city\na,b\nc,d\n", None, None),
    "empty": (b"", "must hold records", "an empty file"),
    "names": (b"a,b\n", "must hold records", "only a line of names"),
    "one": (b"a\n5\n", "at least 2 records", "got 1"),
    "quote": (b'a,b\n1,2\n3,"4\n5,6\n', "well formed", "row 2"),
    "trailing": (b'a,b\n"1"x,2\n3,4\n', "well formed", "row 1"),
    "sheet": (b"PK\3\4 and so on", "Excel or Parquet", "save the table as CSV"),
    "packed": (b"\x1f\x8b\x08 and so on", "is packed", "unpack it first"),
    "binary": (b"a,b\n\0\1,2\n", "not a table of text", "save the table as CSV"),
    "old": ("Größe,n\n1,2\n3,4\n".encode("latin-1"), "not text in utf-8", "how it is written"),
    "twice": (b"a,a\n1,2\n", "each column once", "'a' twice"),
    "ragged": (b"a,b\n1,2\n1,2,3\n", "2 fields in every row", "got 3 in row 2"),
    "blank": (b"a,b\n1,2\n\n3,4\n", "2 fields in every row", "got 0 in row 2"),
    "both": (b"a;b,c\n1;2,3\n", "commas and semicolons", "which of them divides it"),
    "dollars": (b"who,pay\nA,$1200\nB,$1300\n", "column pay", "take the $ out"),
    "percent": (b"who,pay\nA,12%\nB,13%\n", "column pay", "take the % out"),
    "minus": (b"who,pay\nA,(100)\nB,200\n", "column pay", "write it with a minus"),
    "comma": (b'who,pay\nA,"1,200"\nB,"2,300"\n', "column pay", "is its comma for decimals"),
    "point": (b"ward;cost\nA;1.234\nB;2.345\n", "column cost", "more than a thousand"),
    "record": (b"1,2\n3,4\n5,6\n", "taken for names", "write names above it"),
    "title": (b"Report of 2025\nx,y\n1,2\n3,4\n", "is its first line a title", "got 2 in row 1"),
    "note": (b"sep=;\nx;y\n1;2\n3;4\n", "a note for Excel", "take it out"),
    "page": (b"<!doctype html>\n<html><p>1</p>\n</html>\n", "page of the web", "as CSV"),
    "dates": (b"when\n2025-01-01\n2025-01-02\n", "column when", "share of a label"),
    "space": (b"n,pay\n1,1 200\n2,2 200\n", "column pay", "is its space for thousands"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_view_and_nothing_of_another_is_shown(page, tmp_path, name):
    content, rule, got = BAD[name]
    (tmp_path / f"{name}.csv").write_bytes(content)
    assert "health.csv" in answer(page)
    take(page, tmp_path / f"{name}.csv")
    said = part(page, "wrong").inner_text()
    assert (rule or "") in said
    assert (got or "") in said
    assert part(page, "report").is_hidden()
    assert "health.csv" not in answer(page)
    assert part(page, "said").inner_text() == ""
    box = part(page, "drop").bounding_box()
    assert 0 <= box["y"] < 900 - box["height"]


def test_what_is_meant_is_chosen_with_a_button_and_can_be_taken_back(page, tmp_path):
    (tmp_path / "cost.csv").write_text("ward;cost\nA;1.234\nB;2.345\nC;12.500\n", "utf-8")
    take(page, tmp_path / "cost.csv")
    asks(page, "sum", "cost", limits=("0", "20000"))
    click(page, "its point is for thousands")
    assert part(page, "wrong").inner_text() == ""
    told = agrees(page, tmp_path)
    assert "--thousands=." in part(page, "command").text_content()
    assert told["answers"][0]["scale"] > 1000
    part(page, "more").locator("summary").click()
    page.get_by_label("thousands").select_option("")
    page.wait_for_function(READY)
    assert part(page, "command").text_content() == ""
    assert "Say which column" in part(page, "todo").inner_text()


def test_empty_lines_at_the_end_say_nothing(page, tmp_path):
    (tmp_path / "ends.csv").write_bytes(b"x,y\r\n1,2\r\n3,4\r\n5,9\r\n\r\n\r\n")
    take(page, tmp_path / "ends.csv")
    asks(page, "mean", "y", limits=("0", "10"))
    agrees(page, tmp_path)


def test_missing_values_and_codes_are_said_with_the_way_on(page, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n,3\n5,7\n9,\n4,4\n8,-999\n", "utf-8")
    take(page, tmp_path / "holes.csv")
    asks(page, "mean", "a", limits=("0", "10"))
    assert "got none in row 2, the first of 1" in part(page, "refused").inner_text()
    assert part(page, "report").is_hidden()
    click(page, "leave these rows out")
    assert "1 row that misses a value is left out" in part(page, "warned").inner_text()
    agrees(page, tmp_path)
    asks(page, "mean", "b", who="All but one")
    assert "b holds -999" in part(page, "warned").inner_text()
    click(page, "-999 is a missing value: leave its rows out")
    assert part(page, "warned").inner_text() == "2 rows that miss a value are left out."
    agrees(page, tmp_path)


def test_a_question_that_has_no_answer_shows_none(page, tmp_path):
    """Neither the answer before, nor a sentence to hear, nor one to print."""
    for goal, value, said in (
        ("Factor, at most", "0.5", "the factor must exceed 1"),
        ("Factor, at most", "3,000", "without a sign between thousands"),
        ("Risk for who suspects nobody", "0.01%", "risk must exceed 1/5912"),
        ("Risk for who suspects nobody", "", "Type what you accept"),
        ("A suspicion may become", "1%", "must lie below the risk"),
    ):
        part(page, "own").select_option("3")
        page.wait_for_function(READY)
        assert part(page, "report").is_visible()
        set_goal(page, goal, value, "5%" if goal.startswith("A ") else None)
        shown = [part(page, name).inner_text() for name in ("refused", "todo", "verdict")]
        assert said in " ".join(shown), shown
        assert part(page, "report").is_hidden()
        assert part(page, "said").inner_text() == ""
        if "1/5912" in said:
            click(page, "take 0.02%")
            assert part(page, "report").is_visible()


def test_use_is_said_in_words_and_a_mean_about_zero_is_no_percentage(page, tmp_path):
    part(page, "own").select_option("1")  # four pupils
    page.wait_for_function(READY)
    assert (
        "Too noisy to be of use: the error is about 4.9 times" in part(page, "verdict").inner_text()
    )
    zero = pd.DataFrame({"z": [-1.0, 1.0] * 20})
    take(page, written(tmp_path, "zero.csv", zero))
    asks(page, "mean", "z", limits=("-1", "1"))
    assert "The answer is about 0" in part(page, "verdict").inner_text()
    asks(page, "percentile", "z", who="All but one")
    assert "Say which percentile" in part(page, "todo").inner_text()
    assert part(page, "report").is_hidden()


def test_names_and_labels_out_of_a_file_are_text_everywhere(page, tmp_path):
    columns = {name: [1.0, 2.0, 3.5, 10.0] for name in HOSTILE}
    table = pd.DataFrame(columns | {"<b>who</b>": [*HOSTILE[:2] * 2]})
    take(page, written(tmp_path, "<img src=x onerror=alert(2)>.csv", table, sep=";"))
    before = page.locator(".explorer :is(img, script, b)").count()
    part(page, "more").locator("summary").click()
    for name in HOSTILE:
        asks(page, "mean", name, limits=("0", "9"))
        agrees(page, tmp_path)
    page.get_by_label("An answer for each").select_option("<b>who</b>")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    assert page.locator(".explorer :is(img, script, b)").count() == before == 1


def test_a_file_is_dropped_and_dropped_again_but_no_folder_and_no_two(page, tmp_path):
    good = written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5]}))
    (tmp_path / "folder").mkdir()
    dropped(page, good)
    page.wait_for_function("() => document.querySelector('[data-part=own]').value === ''")
    assert "good.csv" in answer(page)
    dropped(page, tmp_path / "folder")
    page.wait_for_function("() => document.querySelector('[data-part=wrong]').textContent")
    assert "it is a folder" in part(page, "wrong").inner_text()
    dropped(page, good, written(tmp_path, "more.csv", pd.DataFrame({"y": [1, 2, 9]})))
    assert part(page, "wrong").inner_text() == "One file must be dropped, got 2."
    take(page, written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5, 60]})))
    assert "all 6 rows" in answer(page)


WATCH = """() => {
    window.posted = [];
    window.read = [];
    const told = (_, one) => one instanceof File || typeof one === "bigint" ? "one" : one;
    const size = (data) => JSON.stringify(data, told).length;
    const { postMessage } = Worker.prototype;
    const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
    Worker.prototype.postMessage = function (data) {
        posted.push(size(data));
        postMessage.call(this, data);
    };
    Object.defineProperty(Worker.prototype, "onmessage", { set(hear) {
        set.call(this, (event) => { posted.push(size(event.data)); hear(event); });
    } });
    for (const how of ["text", "arrayBuffer", "stream", "slice"]) {
        Blob.prototype[how] = () => read.push(how);
    }
    window.FileReader = () => read.push("FileReader");
}"""


def test_no_column_ever_comes_into_the_page_so_that_a_large_file_leaves_it_free(page, tmp_path):
    """The worker reads; what it and the page say to each other does not grow with the rows."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"income": rng.lognormal(8, 1, 60_000).round(2), "id": range(60_000)})
    table["ward"] = rng.choice(["a", "b", "c"], 60_000)
    page.evaluate(WATCH)
    take(page, written(tmp_path, "large.csv", table))
    asks(page, "mean", "income", limits=("0", "100000"))
    part(page, "more").locator("summary").click()
    page.get_by_label("An answer for each").select_option("ward")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    page.get_by_label("Hide how many rows").check()
    page.get_by_label("Groups, one a line").fill("a\nb\nc")
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
    agrees(page, tmp_path)
    asks(page, "median", "income", who="All but one")
    agrees(page, tmp_path)
    assert max(page.evaluate("posted")) < 10_000
    assert page.evaluate("read") == []


def test_a_thousand_groups_make_a_short_table_and_a_whole_sheet(page, tmp_path):
    table = pd.DataFrame({"town": [f"town {i}" for i in range(900)] * 2, "stay": range(1800)})
    take(page, written(tmp_path, "towns.csv", table))
    asks(page, "mean", "stay", limits=("0", "2000"))
    part(page, "more").locator("summary").click()
    page.get_by_label("An answer for each").select_option("town")
    page.wait_for_function(READY)
    assert "and 860 more, on the sheet" in part(page, "noise").inner_text()
    assert page.locator(".explorer td, .explorer th").count() < 400
    page.evaluate("() => { window.print = () => 0; }")
    part(page, "print").click()
    assert part(page, "sheet").locator("tr").count() > 900


def test_reading_is_given_up_with_a_button_and_said(page, tmp_path):
    page.evaluate("() => { Worker.prototype.postMessage = () => 0; }")  # a file without end
    path = written(tmp_path, "long.csv", pd.DataFrame({"x": range(9)}))
    part(page, "file").set_input_files(path)
    assert part(page, "now").is_hidden()
    part(page, "cancel").click()
    page.wait_for_function(READY)
    assert part(page, "wrong").inner_text() == "Reading long.csv was given up."
    assert part(page, "now").is_hidden()
    assert part(page, "progress").is_hidden()
    assert part(page, "own").input_value() == ""
