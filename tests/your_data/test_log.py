"""What stands on standard error may end in a log: there it tells nothing of any row."""

import re

import pytest

ROWS = [f"{k % 7},{'ab'[k % 2]},{k}" for k in range(40)]
ASK = ("--ask", "mean:x", "--limits", "x=0:6", "--odds", "3")
BY = ("--by", "g", "--hide-n", "--group", "a", "--group", "b")
# What one person's row holds, what is asked, the exit code and what a log may keep of it.
CASES = [
    ("4711,a,7", ("--ask", "share:x=9", "--everybody", "--odds", "3"), 0, ""),
    ("many4711,a,7", ASK, 2, "column x must hold finite numbers: a terminal shows the row"),
    (",a,7", ASK, 2, "column x must hold a value in every row: a terminal shows the row"),
    ("1,zebra4711,7", (*ASK, *BY), 2, "by must be one of 'a', 'b': a terminal shows the row"),
    ("1,a", ASK, 2, "CSV file must be one table: it must have 3 fields in every row, as in its "
     "names: a terminal shows the row"),
    ('1,"a4711,7', ASK, 2, "CSV file must be one table: each quote must be closed: a terminal "
     "shows the row"),
    ("1,\udcff4711,7", ASK, 2, "CSV file must be readable as utf-8: a terminal shows the row"),
    ("1,a,8", (*ASK, "--person", "id"), 2, "column id must hold each person in 1 row at most: a "
     "terminal shows the row"),
    ("99,a,7\n99,a,7", ASK, 2, "column x may hold codes for missing values: a terminal shows the "
     "row. Name them with --missing, or say --missing none if all are values"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "words", "code", "kept"), CASES)
def test_a_log_keeps_no_value_and_no_number_of_rows(tmp_path, run, row, words, code, kept):
    """And a terminal shows the row, but of a value that a column must not hold at all."""
    path = tmp_path / "x.csv"
    text = "\n".join(["x,g,id", *ROWS[:30], row, *ROWS[30:]]) + "\n"
    path.write_bytes(text.encode(errors="surrogateescape"))
    found, _, log = run("epsilon", path, *words, log=True)
    assert (found, log) == (code, f"dpchoose: {kept}\n" * bool(kept))
    found, _, seen = run("epsilon", path, *words)
    assert found == code
    assert seen != log
    assert not re.search("4711|31|41|1e.12", log)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("north,4711\nsouth,31\n", "CSV file must be one table: its first line must name the "
         "columns"),
        ("4711,4711\n5,31\n", "CSV file must be one table: its first line must name each column "
         "once"),
        ("x,y\n4.711,1\n3.131,2\n", "column x must hold numbers whose point has one meaning"),
        ("x,y\n$4711,1\n31,2\n", "column x must hold finite numbers"),
        ("x\n1\n" + "4711" * 40_000, "CSV file must be one table: a field must have 131,072 "
         "letters at most"),
    ],
)  # fmt: skip
def test_a_log_keeps_no_value_of_a_file_that_is_not_clear(tmp_path, run, text, kept):
    (tmp_path / "x.csv").write_text(text)
    code, _, log = run("epsilon", tmp_path / "x.csv", *ASK, log=True)
    assert (code, log) == (2, f"dpchoose: {kept}: a terminal shows the row\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.csv", *ASK), "'nowhere.csv': No such file or directory"),
        (
            ("x.csv", *ASK[4:], "--ask", "mean:y", "--all-but-one"),
            "column must be one of 'x', 'g', 'id', got 'y'",
        ),
        (("x.csv", *ASK, "--odds", "0.5"), "--odds was given twice"),
    ],
)
def test_what_is_wrong_with_the_words_is_said_in_a_log_too(tmp_path, run, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("\n".join(["x,g,id", *ROWS]))
    code, _, log = run("epsilon", *words, log=True)
    assert code == 2
    assert said in log
