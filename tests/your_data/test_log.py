"""What stands on standard error may end in a log: there it tells nothing of any row."""

import re

import pytest

ROWS = [f"{k % 7},{'ab'[k % 2]},{k}" for k in range(40)]
ASK = ("--ask", "mean:x", "--limits", "x=0:6", "--odds", "3")
BY = ("--by", "g", "--hide-n", "--group", "a", "--group", "b")
TABLE = "CSV file must be one table, got 'x.csv': "
SHOWN = "got what a terminal shows"
# What one person's row holds, what is asked, the exit code and what a log may keep of it.
CASES = [
    ("4711,a,7", ("--ask", "share:x=9", "--everybody", "--odds", "3"), 0, ""),
    ("many4711,a,7", ASK, 2, f"column x must hold finite numbers, {SHOWN}"),
    ("$4711,a,7", ASK, 2, f"column x must hold finite numbers, {SHOWN}: take the $ out"),
    ('"4,711",a,7', ASK, 2, f"column x must hold finite numbers, {SHOWN}: is it --thousands , or "
     "--decimal ,?"),
    (",a,7", ASK, 2, f"column x must hold a value in every row, {SHOWN}: drop such rows "
     "(--drop-missing) or fill them in"),
    ("1,zebra4711,7", (*ASK, *BY), 2, f"by must be one of 'a', 'b', {SHOWN}"),
    ("1,a", ASK, 2, f"{TABLE}it must have 3 fields in every row, as in its names, {SHOWN}: add "
     "the delimiters that it lacks, or quotes around a field with a line's end"),
    ("1,a,4711,", ASK, 2, f"{TABLE}it must have 3 fields in every row, as in its names, {SHOWN}: "
     "does a delimiter end each row? End the first line with one too"),
    ('1,"a4711,7', ASK, 2, f"{TABLE}each quote must be closed, {SHOWN}"),
    ("1,\udcff4711,7", ASK, 2, "CSV file must be readable as utf-8, got 'x.csv': save the table as "
     "CSV, or name its --encoding"),
    ("1,a,8", (*ASK, "--person", "id"), 2, f"column id must hold each person in 1 row at most, "
     f"{SHOWN}: add up each person's rows in the file, or use the first ones alone (--keep-rows, "
     "where everybody is in the file)"),
    ("99,a,7\n99,a,7", ASK, 2, "column x may hold codes for missing values, which a terminal "
     "shows. Name them with --missing, or say --missing none if all are values"),
    ("1e-90,a,7\n1e90,a,4711", ("--ask", "mean:x", "--all-but-one", "--odds", "3"), 2, "universe "
     f"must hold values that can be told apart beside each other, {SHOWN}: is one of them a code "
     "for a missing value?"),
    ("1,a,7", (*ASK[:-1], "3", "--where", "x > 90"), 2, "CSV file must hold at least 2 records to "
     f"read, {SHOWN}"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "words", "code", "kept"), CASES)
def test_a_log_keeps_no_value_and_no_number_of_rows(
    tmp_path, monkeypatch, run, row, words, code, kept
):
    """But the way on; and a terminal shows the row."""
    monkeypatch.chdir(tmp_path)
    text = "\n".join(["x,g,id", *ROWS[:30], row, *ROWS[30:]]) + "\n"
    (tmp_path / "x.csv").write_bytes(text.encode(errors="surrogateescape"))
    found, _, log = run("epsilon", "x.csv", *words, log=True)
    assert (found, log) == (code, f"dpchoose: {kept}\n" * bool(kept))
    found, _, seen = run("epsilon", "x.csv", *words)
    assert found == code
    assert seen != log
    assert not re.search("4711|31|41|1e.12", log)


NAMES = f"its first line must name the columns, {SHOWN}"
ROW = "The names must stand above it"
UNCLEAR = [
    ("north,4711\nsouth,31\n", f"{TABLE}{NAMES}: is it a row? {ROW}"),
    ("4711,4711\n5,31\n", f"{TABLE}{NAMES.replace('the columns', 'each column once')}: is it a "
     f"row? {ROW}"),
    ("ann4711,north\nbob,south\n", f"column must be one of the names, got 'x': is the first line a "
     f"row? {ROW}"),
    ("4711\nx,y\n1,2\n", f"{TABLE}{NAMES}: is it a title? The names must stand there"),
    ("sep=;\nx;y\n1;2\n", f"{TABLE}its first line must name the columns, got 'sep=;', a note for "
     "Excel: take it out"),
    ("x,y\n4.711,1\n3.131,2\n", "column x must hold numbers whose point has one meaning, "
     f"{SHOWN}: is it --decimal . or --decimal , --thousands .?"),
    ("x,y\n$4711,1\n31,2\n", f"column x must hold finite numbers, {SHOWN}: take the $ out"),
    ("x,y\n4711-12-31,1\n31,2\n", f"column x must hold finite numbers, {SHOWN}: is it a date? "
     "Count the days from a public one, in a column of numbers"),
    ("x\n1\n" + "4711" * 40_000, f"{TABLE}a field must have 131,072 letters at most, {SHOWN}"
     ": is a quote open?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), UNCLEAR)
def test_a_log_keeps_no_value_of_a_file_that_is_not_clear(tmp_path, monkeypatch, run, text, kept):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(text)
    code, _, log = run("epsilon", "x.csv", *ASK, log=True)
    assert (code, log) == (2, f"dpchoose: {kept}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.csv", *ASK), "'nowhere.csv': No such file or directory"),
        (
            ("x.csv", *ASK[4:], "--ask", "mean:y", "--all-but-one"),
            "column must be one of 'x', 'g', 'id', got 'y'",
        ),
        (("x.csv", *ASK, "--odds", "0.5"), "--odds was given twice"),
        (("x.csv", *ASK, "--where", "x > 1 or x < 0"), "not clear from 'or x < 0' on: no or"),
        (("x.csv", *ASK, "--ask", "share:x>=many"), "compare x with a number, got 'x>=many'"),
        (("x.csv", *ASK[:2], "--all-but-one", "--odds", "0,5"), "odds must exceed 1, got '0,5'"),
        (
            ("x.csv", "--ask", "share:x=1", "--everybody", "--risk", "2%"),
            "got 2%: say how sure",
        ),
        (("x.csv", *ASK, "--encoding", "latin-99"), "unknown encoding: latin-99"),
    ],
)
def test_what_is_wrong_with_the_words_is_said_in_a_log_too(tmp_path, run, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("\n".join(["x,g,id", *ROWS]))
    code, _, log = run("epsilon", *words, log=True)
    assert code == 2
    assert said in log
