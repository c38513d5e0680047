"""The page against the command that it prints; files taken, doubted and refused."""

import contextlib
import io
import json
import shlex

import exploring as hand
import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.your_data import wording


@pytest.fixture
def page(explore):
    return explore(offline=True, reduced_motion="reduce")


def test_the_books_own_records_have_the_answer_of_the_command(page, tmp_path):
    hand.take_own(page)
    assert hand.opened_step(page) == "promise"
    hand.agrees(page, tmp_path)
    hand.change(page, "file")
    hand.take(page, hand.written(tmp_path, "other.csv", pd.DataFrame({"x": range(9)})))
    assert hand.opened_step(page) == "file"
    hand.take_own(page)
    assert "health.csv" in hand.step(page, "file").locator(".x-line").inner_text()
    hand.agrees(page, tmp_path)


def test_where_somebody_is_missing_from_the_number_the_command_is_named(page, tmp_path):
    """Nothing is asked or answered then, and the command, run beside the file, answers."""
    table = pd.DataFrame({"a b": [1, 2, 3, 10, 4], "c": range(5)})
    hand.take(page, hand.written(tmp_path, "it's.csv", table, sep=";"))
    hand.asks(page, "sum", "a b", limits=("0", "20"))
    hand.agrees(page, tmp_path)
    hand.change(page, "who")
    expect(hand.part(page, "known")).to_have_text("No, and who is in it is secret")
    expect(page.locator("#x-yes")).to_contain_text("Rows with empty cells belong here")
    hand.part(page, "known").click()
    for name in ("sentence", "answer", "limits"):
        assert hand.part(page, name).is_hidden()
    words = shlex.split(hand.part(page, "elsewhere-command").inner_text())
    goal = ["--all-but-one", "--odds", "3"]
    assert words == ["dpchoose", "epsilon", "it's.csv", "--ask", "sum:a b", *goal]
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(io.StringIO()) as out:
        assert main([*words[1:], "--format", "json"]) == 0
    assert json.loads(out.getvalue())["question"]["released"] == len(table) - 1


def test_several_by_group_hidden_with_rows_and_what_is_out_as_the_command_says(page, tmp_path):
    rng = np.random.default_rng(2)
    table = {"visits": rng.poisson(3, 90), "cost, $": np.round(rng.lognormal(4, 1, 90), 2)}
    table["ward"] = rng.choice(["north", "south"], 90)
    hand.take(page, hand.written(tmp_path, "clinic.csv", pd.DataFrame(table)))
    hand.change(page, "what")
    hand.more(page)
    hand.choose(page, "mean", "visits")
    hand.click(page, "Add an answer")
    hand.choose(page, "share of rows with", "ward", value="north", place=1)
    hand.click(page, "Add an answer")
    hand.choose(page, "sum", "cost, $", place=2)
    hand.go_on(page)
    hand.limit(page, "visits", "0", "20")
    hand.limit(page, "cost, $", "0", "500,5")
    hand.go_on(page)
    hand.agrees(page, tmp_path)
    hand.change(page, "what")
    page.get_by_label("An answer for each").select_option("ward")
    hand.persons(page, rows="2")
    page.get_by_label("Factor of what is out already").fill("1.5")
    hand.go_on(page)
    report = hand.agrees(page, tmp_path)
    assert report["question"]["rows_per_person"] == 2
    assert report["question"]["already"] == "1.5"
    hand.change(page, "what")
    page.get_by_label("Hide how many rows").check()
    hand.go_on(page)
    assert "List the groups of ward" in hand.part(page, "what-todo").inner_text()
    page.get_by_label("Groups, one a line").fill("south\nnorth\neast")
    hand.go_on(page)
    hand.agrees(page, tmp_path)
    hand.set_goal(page, "A suspicion may become", "30%", "5%")
    hand.agrees(page, tmp_path)


FILES = {  # that the command has to be told how to read, or that are unusual: how they are written
    "wide": (lambda rng: {f"c{i}": rng.integers(0, 9, 20) for i in range(300)}, {}),
    "bars": (lambda rng: {"x": rng.normal(size=30), "a b": range(30)}, {"sep": "|"}),
    "utf16": (lambda rng: {"größe": rng.integers(150, 199, 30)}, {"encoding": "utf-16"}),
    "quoted": (lambda rng: {"a, b": range(9), 'say "x"': range(9)}, {"quoting": 1}),
    "proto": (lambda rng: {"__proto__": range(9), "constructor": range(9)}, {}),
}


def test_every_file_has_the_answers_of_the_command(page, tmp_path):
    """Of those that it is told how to read, or that are unusual; node reads more of them."""
    for name, (make, how) in FILES.items():
        hand.change(page, "file")
        table = pd.DataFrame(make(np.random.default_rng(1)))
        hand.take(page, hand.written(tmp_path, f"{name}.csv", table, **how))
        column = str(next(iter(table)))
        hand.asks(page, "mean", column, limits=("-3", "9,5"))
        assert hand.agrees(page, tmp_path)["accepted"]["goal"] == "odds", name


def test_limits_are_stated_also_of_a_column_of_0_and_1(explore, tmp_path):
    """Files that differ in one row have the noise of the same limits, from the same address."""
    scales = set()
    for most in (1, 6):
        table = pd.DataFrame({"children": [0, 1] * 99 + [1, most]})
        address = (
            "#who=everybody&ask=mean:children&limits=children=0:15&whose=row&goal=odds&value=3"
        )
        page = explore(offline=True)
        page.goto(page.url + address)
        page.reload()
        hand.take(page, hand.written(tmp_path, f"children{most}.csv", table))
        hand.click(page, "Yes, everybody")
        scales.add(hand.agrees(page, tmp_path)["answers"][0]["scale"])
    assert len(scales) == 1
    hand.change(page, "limits")
    hand.limit(page, "children", "", "")
    note = hand.step(page, "limits").locator(".x-note")
    expect(note).to_contain_text("they serve only if last year's limits may be published")
    hand.go_on(page)
    assert hand.part(page, "limits-todo").inner_text() == "Type both limits of children."
    assert hand.part(page, "answer").is_hidden()


SIGNS = {  # what stands in the file, the button, and the limits that are typed
    "german": (
        "who;pay\nA;57.268,68\nB;1.000,50\nC;9,5\n",
        "the comma is the decimal sign: 57268.68",
        "100.000",
    ),
    "french": (
        "who;pay\nA;61\u202f990,5\nB;1\u202f000\n",
        "the comma is the decimal sign: 61990.5",
        "70 000",
    ),
    "points": (
        "who;pay\nA;1.234\nB;2.345\nC;12.500\n",
        "the comma is the decimal sign: 1234",
        "20.000",
    ),
    "commas": ('who,pay\nA,"1,200"\nB,"2,300"\n', "the comma parts thousands: 1200", "3,000"),
    "swiss": ("who,pay\nA,1'200.5\nB,900\n", "the apostrophe parts thousands: 1200.5", "3'000"),
    "minus": ("who,pay\nA,\u22125\nB,3\n", None, "10"),
    "spaces": ('who, pay, x\nA, 5, "x, y"\nB, 7, "z"\n', None, "10"),
}


def test_signs_are_read_or_asked_about_once_and_limits_follow_them(page, tmp_path):
    for name, (content, meaning, high) in SIGNS.items():
        (tmp_path / f"{name}.csv").write_text(content, "utf-8")
        hand.change(page, "file")
        hand.take(page, tmp_path / f"{name}.csv")
        if meaning:
            hand.click(page, meaning)
        expect(page.locator(".x-doubts")).to_have_count(0)
        hand.asks(page, "mean", "pay", limits=("0", high))
        line = hand.step(page, "limits").locator(".x-line").inner_text()
        assert "0 to " + high.replace("\u202f", " ") in line.replace("\u202f", " ")
        assert hand.agrees(page, tmp_path)["question"]["limits"]["pay"][1] >= 10


def test_a_limit_that_is_not_written_as_in_the_file_is_refused_by_name(page, tmp_path):
    (tmp_path / "pay.csv").write_text("who;pay\nA;57.268,68\nB;1.000,50\n", "utf-8")
    hand.take(page, tmp_path / "pay.csv")
    hand.click(page, "the comma is the decimal sign: 57268.68")
    for high, words in (("100.00", "as in the file, such as 57.268,5"), ("60%", "as in the file")):
        hand.change(page, "what")
        hand.choose(page, "mean", "pay")
        hand.go_on(page)
        hand.limit(page, "pay", "0", high)
        hand.go_on(page)
        assert words in hand.part(page, "limits-todo").inner_text()
        assert hand.part(page, "answer").is_hidden()


def test_a_limit_that_is_no_number_is_refused_in_the_words_of_a_limit(page, tmp_path):
    """And is no fraction, and nothing in per cent: no other way to write one is named."""
    hand.take(page, hand.written(tmp_path, "stays.csv", pd.DataFrame({"stay": range(9)})))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    hand.go_on(page)
    for high in ("0:60", "60 days", "60%", "sixty", "6,0,0"):
        hand.limit(page, "stay", "0", high)
        hand.go_on(page)
        said = f"a limit of stay must be a number, such as 60, got '{high}'."
        assert hand.part(page, "limits-todo").inner_text() == said
    for high, said in (("1,200", "without a sign between thousands"), ("60,5", "0 to 60.5")):
        hand.limit(page, "stay", "0", high)
        expect(hand.part(page, "limits").locator("[role=status]")).to_contain_text(said)
    hand.go_on(page)
    assert hand.agrees(page, tmp_path)["question"]["limits"]["stay"] == [0, 60.5]


def test_a_column_that_does_not_fit_is_marked_and_no_other_takes_its_place(explore, tmp_path):
    (tmp_path / "hex.csv").write_text("id;a;e\n1;x1;5\n2;x2;6\n3;x3;8\n", "utf-8")
    page = explore(offline=True)
    page.goto(page.url + "#who=everybody&ask=mean:a&goal=odds&value=3")
    page.reload()
    hand.take(page, tmp_path / "hex.csv")
    hand.click(page, "Yes, everybody")
    chosen = page.get_by_label("column", exact=True)
    assert chosen.input_value() == "a"
    assert chosen.get_attribute("aria-invalid") == "true"
    assert "column a must hold numbers, got 'x1'" in hand.part(page, "what-todo").inner_text()
    hand.go_on(page)
    assert hand.opened_step(page) == "what"
    other = explore(offline=True)
    (tmp_path / "ids.csv").write_text("id\n1\n2\n3\n", "utf-8")
    hand.take(other, tmp_path / "ids.csv")
    hand.click(other, "Yes, everybody")
    assert other.get_by_label("column", exact=True).input_value() == ""


REFUSED = {  # what is picked, and what has to be in the sentence that refuses it; node has more
    "quote": (b'a,b\n1,2\n3,"4\n5,6\n', "near row 2 below the names: a quote is not closed"),
    "sheet": (b"PK\3\4 and so on", "is an Excel file: save the table as CSV"),
    "title": (b"Report of 2025\nx,y\n1,2\n3,4\n", "is its first line a title"),
}
DOUBTED = {  # what is read, and the doubt that stands in the card
    "text": (b"name,city\na,b\nc,d\n", "the share of a label can be asked for"),
    "dollars": (b"who,pay\nA,$1200\nB,$1300\n", "take the $ out"),
    "percent": (b"who,pay\nA,12%\nB,13%\n", "take the % out"),
    "long": (b"who,pay\nA,12345678901234567\nB,13\n", "integers that a float can tell apart"),
    "few": (b"who,pay\nA,1\nB,2\nC,?\nD,4\n", "got '?' in row 3 below the names"),
    "record": (b"1,2\n3,4\n5,6\n", "taken for names"),
}


def test_what_is_wrong_with_a_file_is_said_in_view_and_nothing_of_another_is_shown(page, tmp_path):
    for name, (content, words) in (REFUSED | DOUBTED).items():
        (tmp_path / f"{name}.csv").write_bytes(content)
        hand.take_own(page)
        hand.change(page, "file")
        hand.take(page, tmp_path / f"{name}.csv")
        sentence = hand.part(page, "wrong" if name in REFUSED else "doubts")
        expect(sentence).to_contain_text(words)
        assert hand.command(page) == hand.part(page, "spoken").inner_text() == ""
        expect(hand.part(page, "answer")).to_be_hidden()
        box = sentence.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 900, name


def test_missing_values_are_left_out_where_that_is_said(page, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n,3\n5,7\n9,\n4,4\n8,9\n", "utf-8")
    hand.take(page, tmp_path / "holes.csv")
    hand.change(page, "what")
    hand.choose(page, "mean", "a")
    assert (
        hand.part(page, "what-todo").inner_text()
        == "a is missing in 1 of 6 rows, first in row 2 below the names."
    )
    hand.click(page, "leave these rows out")
    hand.go_on(page)
    hand.limit(page, "a", "0", "10")
    hand.go_on(page)
    assert "1 row that misses a value is left out" in hand.part(page, "warned").inner_text()
    report = hand.agrees(page, tmp_path)
    assert "Rows that miss a are left out of every answer." in report["sentences"][0]
    said = hand.step(page, "who").locator(".x-line").inner_text()
    assert said == "Yes, everybody, but for rows that miss a value"
    rows = "The records are the rows of holes.csv, without 1 that miss a value."
    assert rows in hand.show_sheet(page)


def test_how_many_rows_go_in_all_is_said_beforehand(page, tmp_path):
    """Each once that misses a column that is asked for; a row that misses another one stays."""
    table = pd.DataFrame({"stay": range(20), "ward": [*"ABCD"] * 5, "who": range(100, 120)})
    table = table.assign(other=range(20)).astype(object)
    for column, rows in (
        ("stay", [3, 4, 9]),
        ("ward", [4, 9, 12]),
        ("who", [2, 4]),
        ("other", [0]),
    ):
        table.loc[rows, column] = None
    hand.take(page, hand.written(tmp_path, "gaps.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    said = hand.part(page, "what-todo")
    expect(said).to_have_text("stay is missing in 3 of 20 rows, first in row 4 below the names.")
    page.get_by_label("An answer for each").select_option("ward")
    expect(said).to_have_text(
        "stay or ward is missing in 4 of 20 rows, first in row 4 below the names."
    )
    hand.persons(page, "who")
    expect(said).to_have_text(
        "stay, ward or who is missing in 5 of 20 rows, first in row 3 below the names."
    )
    hand.persons(page, rows="2")
    hand.click(page, "leave these rows out")
    hand.go_on(page)
    hand.limit(page, "stay", "0", "30")
    hand.go_on(page)
    assert "5 rows that miss a value are left out" in hand.part(page, "warned").inner_text()
    hand.agrees(page, tmp_path)


def asked_of_persons(page, tmp_path):
    """Ask for a mean where one person has two rows; the place where that is said."""
    table = pd.DataFrame({"stay": range(9), "who": [*"abcdefgha"], "row": range(9)})
    hand.take(page, hand.written(tmp_path, "stays.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    hand.persons(page, "who")
    return hand.part(page, "people-todo")


def test_who_has_too_many_rows_is_said_as_soon_as_the_column_is_chosen(page, tmp_path):
    """And while that stands nothing goes on; the first click after it is mended is not lost."""
    said = asked_of_persons(page, tmp_path)
    expect(said).to_have_text(
        "column who must hold each person in 1 row at most, got 1 person with more, first 'a' "
        "in row 1 below the names: add up each person's rows in the file."
    )
    hand.click(page, "a rule older than this file allows more")
    expect(hand.field(page, "perPerson")).to_be_focused()
    most = page.get_by_label("Rows that a person may have")
    expect(most).to_be_visible()
    assert most.input_value() == "1"
    hand.persons(page, "row")
    expect(said).to_be_empty()
    hand.persons(page, "who")
    hand.go_on(page)
    assert hand.opened_step(page) == "what"
    expect(said).not_to_be_empty()
    most.fill("two")
    page.keyboard.press("Tab")
    expect(said).to_contain_text("rows of a person must be a number such as 3")
    most.click()
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    hand.go_on(page)
    assert hand.opened_step(page) == "limits"
    hand.limit(page, "stay", "0", "30")
    hand.go_on(page)
    assert hand.agrees(page, tmp_path)["question"]["rows_per_person"] == 2


def test_what_the_rows_tell_of_another_column_comes_too_late(page, tmp_path):
    """Chosen, and left again before it is looked through."""
    said = asked_of_persons(page, tmp_path)
    expect(said).to_contain_text("got 1 person with more")
    hand.field(page, "person").evaluate(
        """field => ["row", "who"].forEach((name) => {
          field.value = name;
          for (const kind of ["input", "change"])
            field.dispatchEvent(new Event(kind, { bubbles: true }));
        })"""
    )
    page.wait_for_function(hand.READY)
    assert "got 1 person with more" in said.inner_text()


def test_the_first_click_after_a_number_is_typed_is_not_lost(page, tmp_path):
    """The field is left while the button is pressed; what is drawn then leaves the button there."""
    (tmp_path / "holes.csv").write_text("a,b\n1,2\n,3\n5,7\n9,\n4,4\n8,9\n", "utf-8")
    hand.take(page, tmp_path / "holes.csv")
    hand.change(page, "what")
    hand.choose(page, "mean", "a")
    hand.more(page)
    hand.persons(page)
    page.get_by_label("Rows that a person may have").click()
    page.keyboard.press("End")
    page.keyboard.type("0")
    page.get_by_role("button", name="leave these rows out").click()
    expect(hand.step(page, "what").locator("h2")).to_be_focused()  # the button is gone
    expect(page.get_by_label("Leave out rows that miss a value")).to_be_checked()
    expect(hand.part(page, "what-todo")).to_be_empty()
    hand.go_on(page)
    hand.limit(page, "a", "0", "10")
    hand.go_on(page)
    assert "--rows-per-person 10" in hand.command(page)
    hand.field(page, "value").click()
    page.keyboard.press("End")
    page.keyboard.type("7")
    hand.part(page, "paper").click()  # of the factor that is typed, and no other
    expect(hand.part(page, "sheet")).to_contain_text("(factor 37, for people with up to 10 rows")


def test_whose_row_it_is_is_counted_and_no_sheet_is_given_where_somebody_has_more(page, tmp_path):
    """Of more people than the page lists; what is said is no number to be taken for the limit."""
    ids = [f"p{i}" for i in range(2400)] + ["p7", "p7", "p9"]
    table = pd.DataFrame({"stay": np.arange(2403) % 40, "who": ids, "row": range(2403)})
    hand.take(page, hand.written(tmp_path, "stays.csv", table))
    hand.asks(page, "mean", "stay", limits=("0", "30"))
    assert "--person" not in hand.command(page)
    refused = "column who must hold each person in {} at most, got {} with more, "
    refused += "first 'p7' in row 8 below the names"
    for rows, said in (("1", ("1 row", "2 people")), ("2", ("2 rows", "1 person")), ("3", None)):
        hand.change(page, "what")
        hand.persons(page, "who")
        expect(page.get_by_label("Rows that a person may have")).to_be_visible()
        page.get_by_label("Rows that a person may have").fill(rows)
        if said:
            page.keyboard.press("Tab")
            expect(hand.part(page, "people-todo")).to_contain_text(refused.format(*said))
        hand.go_on(page)
        assert hand.field(page, "perPerson").input_value() == rows
        if said:
            assert hand.opened_step(page) == "what"
            expect(hand.part(page, "people-todo")).to_contain_text(refused.format(*said))
            expect(hand.part(page, "answer")).to_be_hidden()
            assert hand.command(page) == ""
    assert "--person who --rows-per-person 3" in hand.command(page)
    assert hand.agrees(page, tmp_path)["question"]["person"] == "who"
    hand.change(page, "what")
    hand.persons(page, "row", "1")
    hand.go_on(page)
    assert "; whose row: row" in hand.step(page, "what").locator(".x-line").inner_text()
    assert hand.agrees(page, tmp_path)["sentences"][0].endswith("50% at most 75% (factor 3).")
    hand.change(page, "file")
    hand.take(page, hand.written(tmp_path, "other.csv", table[["stay", "who"]]))
    hand.change(page, "what")
    assert hand.field(page, "person").input_value() == ""


def test_of_another_file_the_question_is_asked_anew_and_the_promise_stays(explore, tmp_path):
    """The question of an address is that of the first file; a file read again keeps its own."""
    asked = "#who=everybody&ask=mean:stay&by=ward&person=who&perPerson=2&limits=stay=0:60"
    page = explore(offline=True)
    page.goto(f"{page.url}{asked}&from=law&dropMissing=drop&hide=n&groups=a&already=1.5&value=4")
    page.reload()
    (tmp_path / "bad.csv").write_bytes(b"PK\3\4")
    hand.take(page, tmp_path / "bad.csv")
    table = pd.DataFrame({"stay": range(9), "ward": [*"aaaaaaaaa"], "who": range(9)})
    hand.take(page, hand.written(tmp_path, "first.csv", table))
    hand.click(page, "Yes, everybody")
    report = hand.agrees(page, tmp_path)
    assert (report["question"]["person"], report["question"]["limits"]["stay"]) == ("who", [0, 60])
    hand.change(page, "file")
    page.locator("summary", has_text="How the file is read").click()
    hand.field(page, "encoding").select_option("cp1252")
    page.wait_for_function(hand.READY)
    hand.click(page, "Yes, everybody")
    assert hand.opened_step(page) == "promise"
    hand.change(page, "file")  # mended: it has the same columns
    hand.take(page, hand.written(tmp_path, "mended.csv", table.iloc[:8]))
    hand.click(page, "Yes, everybody")
    assert hand.agrees(page, tmp_path)["question"]["limits"]["stay"] == [0, 60]
    assert hand.field(page, "from").input_value() == "law"
    hand.change(page, "file")
    hand.take(page, hand.written(tmp_path, "second.csv", table.drop(columns="ward")))
    hand.click(page, "Yes, everybody")
    assert hand.opened_step(page) == "what"
    kept = {"by": "", "person": "", "perPerson": "1", "groups": "", "from": "", "already": "1.5"}
    assert {name: hand.field(page, name).input_value() for name in kept} == kept
    assert page.get_by_label("column", exact=True).input_value() == ""
    assert not hand.field(page, "dropMissing").is_checked()
    hand.choose(page, "mean", "stay")
    hand.go_on(page)
    assert page.get_by_label("Lowest stay").input_value() == ""
    hand.limit(page, "stay", "0", "9")
    hand.go_on(page)
    expect(hand.part(page, "command")).to_have_text(
        "dpchoose epsilon second.csv --ask mean:stay --limits stay=0:9 --hide-n --already 1.5 "
        "--odds 4"
    )


def test_a_column_of_persons_that_the_file_has_not_is_said(explore, tmp_path):
    page = explore(offline=True)
    page.goto(f"{page.url}#who=everybody&ask=mean:stay&person=row&limits=stay=0:60")
    page.reload()
    hand.take(page, hand.written(tmp_path, "x.csv", pd.DataFrame({"stay": range(9)})))
    hand.click(page, "Yes, everybody")
    hand.go_on(page)
    expect(hand.part(page, "what-todo")).to_contain_text("has no column row that says whose row")


@pytest.mark.parametrize("are_codes", [True, False])
def test_codes_for_missing_values_are_asked_about_in_the_card(page, tmp_path, are_codes):
    table = pd.DataFrame({"kids": [0, 1, 2, 3, 98, 98, 99, 99, 4, 5]})
    hand.take(page, hand.written(tmp_path, "kids.csv", table))
    hand.asks(page, "mean", "kids", limits=("0", "15"))
    assert hand.opened_step(page) == "file"
    assert "kids holds 98 and 99" in page.locator(".x-doubts").inner_text()
    hand.click(page, "98 and 99: missing values" if are_codes else "all of them are values")
    assert hand.opened_step(page) == "promise"
    assert ("--missing 98" in hand.command(page)) is are_codes
    assert hand.agrees(page, tmp_path)["question"]["records"] == (6 if are_codes else 10)


def test_a_question_that_has_no_answer_shows_none(page):
    """Neither the answer before, nor a sentence to hear, nor one to print."""
    for goal, value, words in (
        ("Factor, at most", "0.5", "the factor must exceed 1"),
        ("Factor, at most", "3,000", "without a sign between thousands"),
        ("Factor, at most", "abc", "the factor must be a number such as 3"),
        ("Error that I need, ±", "5%", "error must be in the unit of the answer"),
        ("A suspicion may become", "1%", "must lie below the risk"),
    ):
        hand.take_own(page)
        assert hand.part(page, "answer").is_visible()
        hand.set_goal(page, goal, value, "5%" if goal.startswith("A ") else None)
        assert words in hand.part(page, "refused").inner_text()
        assert hand.part(page, "answer").is_hidden()
        assert hand.command(page) == hand.part(page, "spoken").inner_text() == ""


def test_while_a_factor_is_empty_there_is_no_promise_to_print(page):
    """Neither that of the factor before, nor what was wrong with it."""
    hand.take_own(page)
    for before in ("3", "three"):
        hand.set_goal(page, "Factor, at most", before)
        hand.field(page, "value").press("Control+A")
        page.keyboard.press("Backspace")
        for leaves in (False, True):
            if leaves:
                page.keyboard.press("Tab")
            assert hand.part(page, "refused").inner_text() == "Without a factor no promise is made."
            assert hand.part(page, "paper").is_hidden()
            assert hand.command(page) == hand.part(page, "spoken").inner_text() == ""
            assert hand.field(page, "value").input_value() == ""
    hand.set_goal(page, "Factor, at most", "2")
    assert "(factor 2," in hand.part(page, "beliefs").text_content()
    hand.set_goal(page, "A suspicion may become", "30%", "5%")
    hand.field(page, "before").fill("")
    assert hand.part(page, "refused").inner_text() == "Without two risks no promise is made."
    assert hand.part(page, "paper").is_hidden()


def test_a_count_is_refused_where_n_is_public_and_the_way_is_a_button(page, tmp_path):
    hand.take(page, hand.written(tmp_path, "x.csv", pd.DataFrame({"x": range(9)})))
    hand.change(page, "what")
    hand.choose(page, "number of rows", None)
    assert "Hide it, or ask for the share" in hand.part(page, "what-todo").inner_text()
    hand.click(page, "hide the number of rows")
    hand.go_on(page)
    hand.agrees(page, tmp_path)


def test_what_the_limits_cut_is_shown_on_request_alone(page, tmp_path):
    hand.take(page, hand.written(tmp_path, "far.csv", pd.DataFrame({"x": [1, 2, 3, 40, 50]})))
    hand.asks(page, "mean", "x", limits=("0", "10"))
    assert "useful" not in page.locator(".explorer").inner_text().lower()
    assert hand.part(page, "cuts").inner_text() == ""
    summary = hand.part(page, "cut").locator("summary")
    expect(summary).to_have_text("Show what the limits cut: private, for next year")
    summary.click()
    expect(hand.part(page, "cuts")).to_contain_text("Cutting moves the mean of x by -14")
    expect(hand.part(page, "cuts")).to_contain_text("makes the promise void")


@pytest.mark.parametrize("more", [{}, {"hide_n": True}, {"by": "ward"}])
def test_what_the_limits_cut_is_said_in_the_words_of_the_command(page, tmp_path, more):
    """A hundred is 100, and where no error is known, or there are groups, no error is named."""
    table = pd.DataFrame({"stay": [*range(9), 400] * 300, "ward": [*"AB"] * 1500})
    hand.take(page, hand.written(tmp_path, "far.csv", table))
    hand.asks(page, "mean", "stay", by=more.get("by"), limits=("0", "10"))
    if "hide_n" in more:
        hand.change(page, "what")
        hand.more(page)
        page.get_by_label("Hide how many rows").check()
        hand.go_on(page)
    shown = hand.show_cut(page)
    result = dp.PublicLimits(("mean", "stay"), table, {"stay": (0, 10)}, **more).for_odds(3)
    (said,) = wording.cut_effects(result, table)
    assert shown == said
    assert ("times its 95% error" in said) == (not more)
    assert more or "by -39, 4300 times its 95% error." in said


def test_names_and_labels_out_of_a_file_are_text_everywhere(page, tmp_path):
    columns = {name: [1.0, 2.0, 3.5, 10.0] for name in hand.HOSTILE}
    table = pd.DataFrame(columns | {"<b>who</b>": [*hand.HOSTILE[:2] * 2]})
    hand.take(page, hand.written(tmp_path, "<img src=x onerror=alert(2)>.csv", table, sep=";"))
    before = page.locator(".explorer :is(img, script, b)").count()
    for name in hand.HOSTILE:
        hand.asks(page, "mean", name, limits=("0", "9"))
        hand.agrees(page, tmp_path)
    hand.change(page, "what")
    hand.more(page)
    page.get_by_label("An answer for each").select_option("<b>who</b>")
    hand.go_on(page)
    hand.agrees(page, tmp_path)
    assert page.locator(".explorer :is(img, script, b)").count() == before


def test_a_file_is_dropped_and_dropped_again_but_no_folder_and_no_two(page, tmp_path):
    good = hand.written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5]}))
    (tmp_path / "folder").mkdir()
    hand.dropped(page, good)
    page.wait_for_function("() => !document.querySelector('[data-part=card]').hidden")
    assert "5 rows, 1 column" in hand.part(page, "card").inner_text()
    hand.dropped(page, tmp_path / "folder")
    page.wait_for_function("() => document.querySelector('[data-part=wrong]').textContent")
    assert "it is a folder" in hand.part(page, "wrong").inner_text()
    hand.dropped(page, good, hand.written(tmp_path, "more.csv", pd.DataFrame({"y": [1, 2, 9]})))
    assert hand.part(page, "wrong").inner_text() == "One file must be dropped, got 2."
    hand.take(page, hand.written(tmp_path, "good.csv", pd.DataFrame({"x": [3, 1, 4, 1, 5, 60]})))
    assert "6 rows" in hand.part(page, "card").inner_text()


WATCH = """() => {
    window.posted = [];
    const file = (_, value) => value instanceof File || typeof value === "bigint" ? "file" : value;
    const size = (data) => JSON.stringify(data, file).length;
    const { postMessage } = Worker.prototype;
    const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
    Worker.prototype.postMessage = function (data) {
        posted.push(size(data));
        postMessage.call(this, data);
    };
    Object.defineProperty(Worker.prototype, "onmessage", { set(hear) {
        set.call(this, (event) => { posted.push(size(event.data)); hear(event); });
    } });
}"""


def test_no_column_ever_comes_into_the_page_so_that_a_large_file_leaves_it_free(page, tmp_path):
    """What the worker and the page say to each other does not grow with the rows."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"income": rng.lognormal(8, 1, 60_000).round(2), "id": range(60_000)})
    table["ward"] = rng.choice(["a", "b", "c"], 60_000)
    page.evaluate(WATCH)
    hand.take(page, hand.written(tmp_path, "large.csv", table))
    hand.asks(page, "mean", "income", limits=("0", "100000"))
    hand.agrees(page, tmp_path)
    assert max(page.evaluate("posted")) < 20_000


def test_many_groups_make_few_pictures_and_a_whole_sheet(page, tmp_path):
    table = pd.DataFrame({"town": [f"town {i}" for i in range(900)] * 2, "stay": range(1800)})
    hand.take(page, hand.written(tmp_path, "towns.csv", table))
    hand.asks(page, "mean", "stay", by="town", limits=("0", "2000"))
    assert "; 887 more on the sheet" in hand.part(page, "dots").inner_text()
    assert "draws, in each group" in hand.part(page, "verdict").inner_text()
    hand.part(page, "paper").click()
    assert hand.part(page, "sheet").locator("tr").count() > 900


def test_the_largest_error_is_that_of_the_smallest_group_named_where_sizes_are_public(
    page, tmp_path
):
    table = pd.DataFrame({"ward": [*"A" * 60, *"B" * 30, *"C" * 9], "stay": range(99)})
    hand.take(page, hand.written(tmp_path, "wards.csv", table))
    hand.asks(page, "mean", "stay", by="ward", limits=("0", "60"))
    verdict, dots = hand.part(page, "verdict"), hand.part(page, "dots")
    assert "draws, in ward C, the smallest group" in verdict.inner_text()
    largest, others = dots.inner_text().split("And: ")
    assert "mean of stay, C" in largest
    assert others.startswith("B\u00a0±")
    hand.change(page, "what")
    hand.more(page)
    page.get_by_label("Hide how many rows").check()
    page.get_by_label("Groups, one a line").fill("A\nB\nC")
    hand.go_on(page)
    assert "draws, in the noisiest group" in verdict.inner_text()


def test_a_ward_that_is_misspelt_is_all_noise_in_the_words_of_the_command(page, tmp_path, capsys):
    table = pd.DataFrame({"ward": [*["north"] * 30, "nroth"], "stay": range(31)})
    hand.take(page, hand.written(tmp_path, "wards.csv", table))
    hand.asks(page, "mean", "stay", by="ward", limits=("0", "60"))
    said = hand.part(page, "all-noise")
    expect(said).to_contain_text("All noise: mean:stay, nroth. The 95% error exceeds")
    hand.agrees(page, tmp_path)
    assert f"warning: {said.inner_text()}\n" in capsys.readouterr().err
    hand.set_goal(page, "Factor, at most", "30")
    expect(said).to_be_empty()


def test_reading_is_given_up_with_a_button_and_said(page, tmp_path):
    page.evaluate("() => { Worker.prototype.postMessage = () => 0; }")  # a file without end
    path = hand.written(tmp_path, "long.csv", pd.DataFrame({"x": range(9)}))
    hand.part(page, "file").set_input_files(path)
    hand.part(page, "cancel").click()
    page.wait_for_function(hand.READY)
    assert hand.part(page, "wrong").inner_text() == "Reading long.csv was given up."
    assert hand.part(page, "card").is_hidden()
    assert hand.part(page, "progress").is_hidden()


def people(rng, many=229):
    """Most persons have several rows, and no two columns tell it."""
    who = np.repeat([f"P{i:04d}" for i in range(many)], rng.integers(1, 6, many))
    return pd.DataFrame({"patient": who, "stay": rng.integers(0, 31, len(who))})


def test_whose_row_it_is_is_asked_without_a_preset_and_the_column_is_named(page, tmp_path):
    hand.take(page, hand.written(tmp_path, "people.csv", people(np.random.default_rng(5))))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    expect(hand.part(page, "suspect")).to_contain_text("Most entries of patient stand in several")
    assert page.locator("[data-whose][aria-pressed=true]").count() == 0
    hand.step(page, "what").locator(".x-next").click()
    expect(hand.part(page, "what-todo")).to_have_text("Say whose row it is.")
    assert hand.opened_step(page) == "what"
    hand.persons(page)
    assert hand.field(page, "person").input_value() == "patient"
    expect(hand.part(page, "people-todo")).to_contain_text("people with more")
    assert "groupby" not in hand.part(page, "explorer").inner_text()
    hand.persons(page, rows="5")
    hand.go_on(page)
    hand.limit(page, "stay", "0", "30")
    hand.go_on(page)
    assert hand.agrees(page, tmp_path)["question"]["rows_per_person"] == 5


@pytest.mark.parametrize("rows", ["1", "2"])
def test_of_each_person_the_first_rows_are_used(page, tmp_path, rows):
    """Of those that can be answered, and in the words of the command."""
    table = people(np.random.default_rng(6))
    table["stay"] = table["stay"].where(table.index % 7 > 0)
    hand.take(page, hand.written(tmp_path, "people.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    hand.click(page, "leave these rows out")
    hand.persons(page, "patient", rows)
    page.keyboard.press("Tab")
    hand.click(page, "of each person")
    hand.go_on(page)
    hand.limit(page, "stay", "0", "30")
    hand.go_on(page)
    assert "--keep-rows" in hand.command(page)
    report = hand.agrees(page, tmp_path)
    first = ", of each patient the first" + (" 2" if rows == "2" else "")
    assert first in hand.show_sheet(page)
    complete = table.dropna().groupby("patient").head(int(rows))
    assert report["question"]["keep_rows"]
    assert f"all {len(complete)} records" in report["sentences"][0]


def test_whose_row_it_is_must_be_said_of_each_where_the_first_ones_are_used(page, tmp_path):
    table = pd.DataFrame({"who": ["a", "a", None, "b"], "stay": [1, 2, 3, 4]})
    hand.take(page, hand.written(tmp_path, "x.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    hand.persons(page, "who", "1")
    page.keyboard.press("Tab")
    hand.click(page, "of each person")
    expect(hand.part(page, "people-todo")).to_contain_text("a person in every row, got '' in row 3")


def test_an_error_cannot_be_set_where_n_is_hidden_and_the_page_says_why(page):
    hand.take_own(page)
    hand.set_goal(page, "Error that I need, ±", "0.05")
    hand.change(page, "what")
    hand.more(page)
    page.get_by_label("Hide how many rows").check()
    hand.go_on(page)
    hand.click(page, "choose a factor")
    expect(hand.part(page, "refused")).to_be_empty()
    assert hand.field(page, "goal").locator("option[value=error]").is_disabled()
    expect(hand.part(page, "no-error")).to_contain_text("the number of rows is hidden")


def test_an_address_with_a_search_opens_like_any_other(explore, book):
    page = explore(address=f"{(book / hand.CHAPTER).as_uri()}?q=<script>alert(1)</script>#abc")
    hand.take_own(page)
    assert hand.command(page)
    head = page.locator("head").inner_html()
    assert 'rel="next"' not in head
