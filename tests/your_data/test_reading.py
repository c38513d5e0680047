"""A file is read as it stands, or refused with what was seen and what to add."""

import gc
import gzip
import io
import re
import sys
import zipfile

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpchoose.your_data import file, where
from dpchoose.your_data.cells import Cells
from dpchoose.your_data.columns import floats, says
from dpchoose.your_data.read import Source


@pytest.fixture
def rows(tmp_path):
    def of(content, *columns, **how):
        path = tmp_path / "mine.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return Source(str(path), columns, **how).read()

    return of


@pytest.fixture
def column(rows):
    return lambda content, name="d", **how: rows(content, name, **how).values[name].tolist()


def refused(rule):
    return pytest.raises(ValueError, match=rule)


def workbook(name="xl/workbook.xml"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, "")
    return packed.getvalue()


def texts(source, *columns):
    """The columns of a file as text, each as a list."""
    return pd.concat(chunk.astype(object) for chunk in source.tables(lambda *_: columns))


def chosen(table, condition):
    """The rows of a table of text that meet a condition."""
    return table.index[where.matches(table, where.parse(condition), Cells())].tolist()


@pytest.mark.parametrize("sign", file.DELIMITERS)
def test_the_delimiter_is_the_one_of_the_first_line_or_named(column, sign):
    text = f"age{sign}d\n30{sign}1.5\n40{sign} 2\n"
    assert column(text) == column(text, delimiter=sign) == [1.5, 2]
    other = {",": ";", ";": ","}.get(sign, ",")
    assert column(f'd{sign}"e{other}\nf"\n1{sign}2{other}3\n4{sign}5{other}6\n') == [1, 4]
    text = f"d{sign}e{other}f\n1{sign}2{other}3\n4{sign}5{other}6\n"
    assert column(text, delimiter=sign) == [1, 4]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_line_end_encoding_and_mark_gives_the_same(tmp_path, end, encoding, mark):
    text = end.join(["größe,ort", '1,"a, ""b"""', "2,ü", "", ""])
    mark = "" if encoding == "cp1252" else mark  # which has none
    (tmp_path / "a").write_text(mark + text, encoding, newline="")
    table = texts(Source(str(tmp_path / "a"), encoding=encoding), "größe", "ort")
    assert table.to_dict("list") == {"größe": ["1", "2"], "ort": ['a, "b"', "ü"]}
    assert table.index.tolist() == [1, 2]


def test_decimal_commas_packed_files_standard_input_and_truths_are_read(column, monkeypatch):
    assert column("d\n1,5\n2,5\n", decimal=",") == [1.5, 2.5]
    assert column('d;e\n"1.234,5";1\n7;2\n', decimal=",", thousands=".") == [1234.5, 7]
    assert column(gzip.compress(b"d\n1\n2\n")) == [1, 2]
    assert column("d\nTrue\nfalse\nTRUE\n") == [1, 0, 1]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"d\n1\n2\n")))
    assert Source("-", ("d",)).read().values["d"].tolist() == [1, 2]


# Files of several chunks: of four rows each.


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(file, "CHUNK", 4)


def test_a_quoted_line_end_and_an_end_of_blank_lines_cross_the_chunks(small, rows):
    labels = [f"a\n{place}\r\nb" for place in range(9)]
    lines = [f'{place},"{text}"' for place, text in enumerate(labels)]
    for blank in range(6):
        table = rows("\n".join(["d,e", *lines]) + "\n" * blank, "d", by=("e",))
        assert table.values["d"].tolist() == list(range(9))
        assert table.labels.tolist() == labels


def test_conditions_groups_and_truths_are_of_all_chunks(small, rows):
    lines = [f"{place % 7},{'ab'[place % 2]},{place},{place > 8}" for place in range(40)]
    lines[20] = "NA,a,20,True"
    text = "\n".join(["d,e,id,in", *lines])
    how = {"by": "e", "released": "in", "person": "id", "shares": ("e=a", "in=False")}
    table = rows(text, "d", "in", where="id >= 3 and e in ('a', 'b')", drop_missing=True, **how)
    kept = [place for place in range(3, 40) if place != 20]
    assert table.values["d"].tolist() == [place % 7 for place in kept]
    assert table.labels.tolist() == ["ab"[place % 2] for place in kept]
    assert table.released.tolist() == [place > 8 for place in kept]
    assert table.values["in"].tolist() == [place > 8 for place in kept]
    even, out = (table.values[table.shares[text]].tolist() for text in ("e=a", "in=False"))
    assert even == [place % 2 == 0 for place in kept]
    assert out == [place <= 8 for place in kept]
    assert (table.filtered, table.dropped) == (3, 1)
    with refused("in must hold both 0 and 1, .* got 'maybe' in row 10 below the names"):
        rows(text.replace("9,True", "9,maybe", 1), "d", released="in", drop_missing=True)
    with refused(
        "id must hold each person in 1 row at most, got '1' in row 2 below the names: add up"
    ):
        rows(text.replace(",30,", ",1,"), person="id")


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_text_of_several_megabytes_is_one_text(rows, packed):
    lines = [f'{place / 8},"{place}\r\nü"\r\n' for place in range(70_000)]
    table = rows(packed("".join(["d,e\r\n", *lines]).encode()), "d", by=("e",))
    assert table.values["d"].tolist() == [place / 8 for place in range(70_000)]
    assert table.labels[-1] == "69999\r\nü"


def test_missing_values_are_dropped_when_it_is_asked_for(rows):
    text = "d,by\n1,a\nNA,b\n3,\n-99,c\n5,e\n"
    table = rows(text, "d", by=("by",), drop_missing=True, missing=("-99",))
    assert (table.values["d"].tolist(), table.labels.tolist()) == ([1, 5], ["a", "e"])
    assert table.dropped == 3
    with refused(r"got 'NA' in row 2 below the names: drop such rows \(--drop-missing"):
        rows(text, "d")
    assert rows("d\n1\n\n3\n", "d", drop_missing=True).values["d"].tolist() == [1, 3]


@given(values=st.lists(st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-90), min_size=1))
def test_a_number_that_is_written_is_the_number_that_is_read(values):
    texts = pd.Series(list(map(repr, values)), dtype=object)
    assert floats(texts, Cells()).tolist() == values


CELLS = st.sampled_from(["1", "01", "-0", "2.5", "2,5", "1 000", "TRUE", "NA", "1\n2", "1e3", "é"])


@given(texts=st.lists(CELLS | st.text(max_size=4)), decimal=st.sampled_from([".", ","]))
def test_a_cell_has_one_value_beside_whatever_other_cells(texts, decimal):
    cells = Cells(decimal, {".": ",", ",": "."}[decimal])
    assert cells.values(texts) == [cells.value(text) for text in texts]
    column = pd.Series(texts, dtype=object)
    for text in texts:
        value = cells.value(text)
        same = [cells.value(other) == value for other in texts]
        assert says(column, {value}, cells).tolist() == same
        assert bool(cells.rule(text)) == isinstance(value, str)


def test_conditions_codes_means_and_shares_ask_the_value_of_a_cell(rows):
    """2,5 is 2,50, true is 1, and the minus sign a minus, whoever asks."""
    text = 'd;e\n"2,5";true\n"2,50";1\n−3;x\n-3;x\n99,0;1,0\n'
    how = {"decimal": ",", "missing": ("99",), "drop_missing": True}
    table = rows(text, "d", shares=("d=2,5", "d<=-3", "e=1", "e==TRUE", "e=x"), **how)
    assert table.values["d"].tolist() == [2.5, 2.5, -3, -3]
    met = {str(one): table.values[one].tolist() for one in table.shares.values()}
    low, high = [0, 0, 1, 1], [1, 1, 0, 0]
    assert met == {"d=2,5": high, "d<=-3": low, "e=1": high, "e=TRUE": high, "e=x": low}
    assert table.dropped == 1
    for condition in ("d == '2,50'", "d == 2.5", "e == 'true'", "e in ('1,0',)", "d > -3.0"):
        assert rows(text, "d", where=condition, **how).values["d"].tolist() == [2.5, 2.5]
    with refused("where must compare with 0 or numbers from 1e-100 to 1e100 in size, got '1e400'"):
        rows(text, "d", where="d < 1e400", **how)


def test_a_threshold_makes_a_column_one_of_numbers_whatever_is_in_it(rows):
    text = "d,e\n1,a\n2,b\nx,c\n"
    with refused("column d must hold finite numbers, got 'x' in row 3 below the names"):
        rows(text, shares=("d>=1", "d=2"))
    with refused("share must compare d with numbers beside d>=1, got 'x'"):
        rows(text, shares=("d>=1", "d=x"))
    for code in ("NA", "", "99,0"):
        with refused(f"share must not be of a missing value, got 'd={code}'"):
            rows(text, shares=(f"d={code}",), missing=("99",), decimal=",", delimiter=",")


REFUSED = [
    (
        "d\n1,5\n2,5\n",
        r"be one table, got '.*mine.csv': it must have 1 field in every row, as in its names, "
        r"got 2 in row 1 below the names: is it a decimal comma\? Add --decimal ,$",
    ),
    ("d,e\n1,2,5\n", r"got 3 in row 1 below the names: a field with .* between quotes$"),
    (
        "d,e,f\n1,2\n",
        r"3 fields in every row, .*, got 2 in row 1 .*: add the delimiters",
    ),
    (
        "age,d\n30,1,\n40,2,\n",
        r"2 fields in every row.* got 3 in row 1 below the names: does a delimiter end each row\?",
    ),
    (
        "d,age\n1,2\n\n3,4\n",
        "2 fields in every row.* got 0 in row 2 below the names: take the blank line out$",
    ),
    ("d\n1\n\n\n", "at least 2 records to read, got 1$"),
    ("d\n1\n\n\n2\n", "d must hold a value in every row, got '' in row 2 below the names: drop"),
    (
        "d,d\n1,2\n3,4\n",
        "be one table, .* name each column once, got 'd' twice: rename one of the two$",
    ),
    ("1,1,d\n1,2,3\n", r"name each column once, got '1' twice: is it a row\? The names must stand"),
    ("age\n1\n2\n", "column must be one of 'age', got 'd'"),
    ("", "CSV file must be one table, .* it must hold names and records, got an empty file$"),
    (
        "d;e,f\n1;2,3\n",
        r"mine.csv': a comma and a semicolon stand in its first line: "
        r"add --delimiter ',' or --delimiter ';'$",
    ),
    (
        "d\te,f\n1\t2\n",
        r"a comma and a tab stand in .*: add --delimiter ',' or --delimiter \$'\\t'$",
    ),
    ("sep=;\nd;e\n3;1\n", "name the columns, got 'sep=;', a note for Excel: take it out$"),
    ("SEP=\t\nd\te\n3\t1\n", "a note for Excel: take it out$"),
    (
        'd,e\n"1,5",2\n4,1\n',
        r"finite numbers, got '1,5' in row 1 below the names: is it 1.5 \(--decimal ,\)\?$",
    ),
    (
        'd,e\n"1,500",2\n4,1\n',
        r"'1,500' in row 1 .*: is it 1500 \(--thousands ,\) or 1.5 \(--decimal ,\)\?$",
    ),
    ('d,e\n"1,5",2\n2.5,1\n', r"finite numbers, got '1,5' in row 1 below the names$"),
    ("d;e\n2.100,50 €;a\n", r"got '2.100,50 €' in row 1 below the names: take the € out$"),
    ('d,e\n"$1,500.25",2\n4,1\n', r"'\$1,500.25' in row 1 below the names: take the \$ out$"),
    ('d,e\n"(1,200)",2\n4,1\n', "in row 1 below the names: write it with a minus"),
    (
        'd,e\n"1,00,000",2\n4,1\n',
        "'1,00,000' in row 1 below the names: write it without its commas",
    ),
    ("d\n1\n1_000\n", "finite numbers, got '1_000' in row 2 below the names"),
    ("d\n٣\n4\n", "finite numbers, got '٣' in row 1 below the names"),
    ("d\n1\ninf\n", "finite numbers, got 'inf' in row 2 below the names"),
    (
        "d\n1\n9007199254740993\n",
        "a float can tell apart, got '9007199254740993' in row 2 below the names",
    ),
    ("d\n1e-400\n1\n", "from 1e-100 to 1e100 in size, got '1e-400' in row 1 below the names"),
    (
        'd\n"1\n',
        "CSV file must be one table, .* quote must be closed, got an open one in row 1 below",
    ),
    ('"d\n1\n', "each quote must be closed, got an open one in its first line"),
    ("d\n1\n" + "2" * 200_000, "131,072 letters at most, got more in row 2 below the names"),
    ("d,e\n", "at least 2 records to read, got 0"),
    (" \n", "name each column once, got no names$"),
    (b"d\n\xe9\n", "must be readable as utf-8, .* can't decode .* --encoding"),
    ("d\n1\n".encode("utf-16"), "save the table as CSV, or name its --encoding"),
    (b"d\n\x001\n2\n", "finite numbers, got .* in row 1 below the names"),
    (b"\x1f\x8b\x08broken", "must be readable"),
    (gzip.compress(b"d\n1\n2\n", mtime=0)[:-9], "must be readable"),
    (workbook("data.csv"), "no single table .*: save the table as CSV"),
    ("d,e\n" + "1,2\n" * 5 + "1,2,3\n", "2 fields in every row.* got 3 in row 6 below the names"),
    ("d,e\n" + "1,2\n" * 4 + '1,2,3\n1,"x\n', "got 3 in row 5 below the names"),
    ("d,e\n" + "1,2\n" * 4 + '\n1,"x\n', "got an open one in row 6 below the names"),
    (
        "d,e\n" + "1,2\n" * 5 + '\n\n\n1,"x"\n',
        "2 fields in every row.* got 0 in row 6 below the names",
    ),
    (
        "d,e\n" + "1,2\n" * 6 + '1,"2"3\n',
        "got more after one in row 7 below the names: a quote within a field is written twice$",
    ),
    ("d\n" + "1\n" * 5 + "x\n1\ny\n", "finite numbers, got 'x' in row 6 below the names"),
    ("d\n" + "true\n" * 5 + "1\nx\n", "finite numbers, got 'x' in row 7 below the names"),
    ("d\n" + "1\n" * 5 + "1e-400\n\n2\n1\n2\n", "got '' in row 7 below the names: drop such rows"),
    ("d\n\n" + "1\n" * 7 + "NA\n\n", "got '' in row 1 below the names: drop such rows"),
    (
        "d\n" + "1\n" * 6 + "1e-400\n9007199254740993\n",
        "to 1e100 in size, got '1e-400' in row 7 below the names",
    ),
    (
        "d\n" + "1\n" * 6 + "9007199254740993\n1\nx\n",
        "a float can tell apart, got '900.*' in row 7 below the names",
    ),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(column, content, reason):
    """With its row in the file, read as one chunk or as many."""
    with pytest.MonkeyPatch.context() as patch:
        for chunk in (4, 2**16):
            patch.setattr(file, "CHUNK", chunk)
            with refused(reason) as no:
                column(content)
            assert "\n" not in str(no.value)
            assert gc.isenabled()


@pytest.mark.parametrize("path", ["none.csv", ".", "a/b", "x" * 300, "http://host/d.csv", 1])
def test_a_path_to_nothing_is_refused(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with refused("CSV file must be readable"):
        Source(str(path), ("d",)).read()


def test_an_unknown_way_to_read_is_refused(column):
    ways = {
        r"decimal must be one of '\.', ',', got 'x'": {"decimal": "x"},
        r"thousands must be one of .* got '\.'": {"thousands": "."},
        r"delimiter must be one of ',', .* got 'x'": {"delimiter": "x"},
        "unknown encoding: latin-99": {"encoding": "latin-99"},
        "not a text encoding": {"encoding": "rot13"},
        "must be readable as utf-16": {"encoding": "utf-16"},
    }
    for reason, options in ways.items():
        with refused(reason):
            column("d\n1\n2\n", **options)


NOT_RELEASED = {  # what stands in the column
    "1 yes": "in must hold both 0 and 1, false and true, or no and yes, "
    "got 'yes' in row 2 below the names",
    "maybe no": "got 'maybe' in row 1 below the names",
    "1 1": "both 0 and 1, .* got '1' in row 1 below the names$",
    "0 0": "both 0 and 1, .* got '0' in row 1 below the names$",
    "0 NA": "in must hold a value in every row, got 'NA' in row 2 below the names",
}


def test_who_is_released_is_said_in_pairs_of_words(rows):
    for out, inside in ("0", "1"), ("False", "TRUE"), ("no", "Yes"):
        table = rows(f"in,d\n{inside},1\n{out},2\n{inside},3\n", "d", released="in")
        assert table.released.tolist() == [True, False, True]
    for words, rule in NOT_RELEASED.items():
        with refused(rule):
            rows("\n".join(["in", *words.split()]), released="in")


def test_a_person_with_more_rows_than_a_public_limit_is_refused_without_a_larger_one(rows):
    assert len(rows("id,w\na,1\nb,1\na,2\n", person="id", where="w == 1").values) == 2
    assert len(rows("id\na\nb\na\nc\nb\nb\n", person="id", rows=3).values) == 6
    with refused("in 2 rows at most, got 'b' in row 2 below the names: add up"):
        rows("id\na\nb\na\nc\nb\nb\n", person="id", rows=2)
    with refused("in 1 row at most, got 'a' in row 1 below the names: add up") as no:
        rows("id\na\nb\na\nc\nb\nb\n", person="id")
    assert "3" not in str(no.value)
    way = "add up each person's rows in the file{}, or use the first ones alone (--keep-rows, "
    assert way.format("") in str(no.value)
    with refused(re.escape(way.format(", and give each person one ward"))):
        rows("id,ward\na,n\nb,n\na,s\n", person="id", by=("ward",))


# Conditions.

_numbers = st.sampled_from(["0", "1", "-1", "+2", "1.5", "-0.5", ".5", "2e0", "1E-3", "3."])
_wards = st.sampled_from(["'n'", '"s"', "'n s'", "'and'", "'`'", "''", "'#;'"])
_columns = {"age": _numbers, "größe": _numbers, "my day": _numbers, "class": _wards, "true": _wards}
TABLES = st.lists(
    st.tuples(*[st.sampled_from([0.0, 1.0, -1.0, 1.5, 0.5])] * 3, *[st.sampled_from("ns`")] * 2),
    max_size=6,
).map(lambda cells: pd.DataFrame(cells, columns=list(_columns)))


@st.composite
def comparisons(draw):
    name = draw(st.sampled_from(list(_columns)))
    order = ["<", "<=", ">", ">="] if _columns[name] is _numbers else []
    sign = draw(st.sampled_from(["==", "!=", "in", *order]))
    values = draw(st.lists(_columns[name], min_size=1, max_size=3))
    plain = name.isidentifier() and name != "class" and draw(st.booleans())
    space = draw(st.sampled_from([" ", "  "])) if plain or sign == "in" else ""
    value = f"({', '.join(values)},)" if sign == "in" else values[0]
    return f"{name if plain else f'`{name}`'}{space}{sign}{space}{value}"


@given(table=TABLES, parts=st.lists(comparisons(), min_size=1, max_size=3))
def test_a_condition_chooses_the_rows_that_pandas_chooses(table, parts):
    condition = " and ".join(parts)
    expected = table.query(condition, engine="python").index
    assert chosen(table.astype(str), condition) == expected.tolist()


def test_words_quotes_and_truths_mean_themselves():
    cells = {"age": ["70", "8", "8.0"], "class": ["n", "s", "n"], "ok": ["True", "false", "FALSE"]}
    table = pd.DataFrame({**cells, "path": ["C:\\n", "C:\n", "C"], "\ufb01": ["1", "2", "3"]})
    conditions = {
        "class == 'n'": [0, 2],  # a word that Python keeps
        "(class == 'n') and (age<65)": [2],
        "class in ['n'] and age in (8)": [2],
        "ok == True": [0],
        "ok != True and class\n==\t's'": [1],
        r"path == 'C:\n'": [0],
        "\ufb01 == 1": [0],  # which Python would call fi
    }
    for condition, rows in conditions.items():
        assert chosen(table, condition) == rows


NO_CONDITIONS = {
    "age > 65 or age < 8": "not clear from 'or age < 8' on: no or, no not",
    "18 <= age < 65": "from '18 <= age < 65' on: .* a column comes first",
    "age > 18 < 65": "from '< 65' on",
    "age=30": "from 'age=30' on: .*; equal is ==",
    "birth >= '1940-01-01'": "texts and dates have no order",
    "ward == 'n' and ward in ('north', 1)": r" from .ward in .*no list with numbers",
    "(age > 65) & (age < 70)": r"from '& \(age < 70\)' on",
    "age > 65 and and ward == 's'": "from .and ward == 's'. on",
    "age > 65; age": "from '; age' on",
    "age > 65 and": "from '' on",
    "(age > 65": r"from '\(age > 65' on",
    "age > 65)": r"from '\)' on",
}
OTHERS = ["not age > 65", "18 <= age", "age not in (1, 2)", "age >= north", "ward < 'north'"]
OTHERS += ["ward == 'north", "age > 6_5", "age > 0x10", "__import__('os')", "age.real > 1"]
OTHERS += ["age == (1, 2)", "age in 1", "agein (1)", "age > 65 # and more", "`` == 1", "age > 1e"]
NO_CONDITIONS |= dict.fromkeys(OTHERS, "not clear from")
NO_CONDITIONS |= dict.fromkeys(["", "age", "age >=", "age = 65", "age in ()"], "")
NO_CONDITIONS |= dict.fromkeys(["age[0] > 1", "age == 'n' 's'", "age(1) > 0", "(" * 9999, "\0"], "")


@pytest.mark.parametrize("condition", NO_CONDITIONS, ids=lambda text: text[:20])
def test_what_is_no_condition_is_refused_with_the_reason(condition):
    with refused(f"where must be one comparison.*{NO_CONDITIONS[condition]}"):
        where.parse(condition)


@given(st.text(st.sampled_from("ab1 .'\"`=<>!()[],:\\#\n\0_andorit-"), max_size=12))
def test_any_text_is_a_condition_or_is_refused(text):
    try:
        where.parse(text)
    except ValueError as error:
        message = str(error)
        assert (message[:13], message.splitlines()) == ("where must be", [message])


def test_a_condition_comes_first_and_is_held_against_numbers(rows):
    text = "d,e\n1,a\n,b\n3,c\nx,d\n"
    table = rows(text, "d", where="e in ('a', 'b', 'c')", drop_missing=True)
    assert (table.values["d"].tolist(), table.filtered, table.dropped) == ([1, 3], 1, 1)
    with refused("d must hold finite numbers, got 'x' in row 4 below the names"):
        rows(text, where="d > 1", drop_missing=True)
    with refused("at least 2 records to read, got 1"):
        rows(text, where="e == 'a'")


# Files that are no text.


@pytest.fixture
def sheets(tmp_path):
    """A workbook of these sheets, each given as rows."""

    def of(**tables):
        with pd.ExcelWriter(tmp_path / "mine.xlsx", "openpyxl") as writer:
            for name, cells in tables.items():
                table = pd.DataFrame(cells, dtype=object)
                table.to_excel(writer, sheet_name=name, header=False, index=False)
        return str(tmp_path / "mine.xlsx")

    return of


def test_a_sheet_is_read_as_a_file_with_its_text(sheets):
    cells = [["d", "w", None], [1, "n", None], [2.5, " s ", None], [None, "3", ""], [True, 4, 1]]
    table = texts(Source(sheets(Sheet1=cells, Sheet2=[])), "d", "w")
    assert table.to_dict("list") == {"d": ["1", "2.5", "", "True"], "w": ["n", "s", "3", "4"]}


def test_of_two_sheets_one_is_named(sheets):
    path = sheets(**{"2023": [["d"], [1], [2]], "my notes": [["d"], [3], [4]]})
    with refused("one table, .* one sheet, got '2023' and 'my notes': add --sheet 2023$"):
        Source(path, ("d",)).read()
    for name, values in {"2023": [1, 2], "my notes": [3, 4]}.items():
        assert Source(path, ("d",), sheet=name).read().values["d"].tolist() == values
    with refused("its sheet must be one of '2023', 'my notes', got '2024'"):
        Source(path, ("d",), sheet="2024").read()


def test_only_a_workbook_has_sheets(column):
    with refused("it must be an Excel file to have a sheet 'a'"):
        column("d\n1\n2\n", sheet="a")


def test_a_number_of_a_sheet_has_no_thousand_sign_and_a_text_of_one_may_have(sheets):
    numbers = [["d", "w"], [1.125, "52.000"], [2.375, "61.500"]]
    path = sheets(a=numbers)
    assert Source(path, ("d",)).read().values["d"].tolist() == [1.125, 2.375]
    with refused("column w must hold numbers whose point has one meaning, got '52.000' in row 1"):
        Source(path, ("w",)).read()


# What may be meant in two ways.


def test_a_point_before_three_digits_is_asked_about(small, column, rows):
    text = "d;e\n52.000;1\n61.500;2\n" + "52.000;1\n" * 9
    asked = (
        r"column d must hold numbers whose point has one meaning, got '52.000' in row 1 below the "
        r"names: is it 52 \(--decimal .\) or 52000 \(--decimal , --thousands .\)\?$"
    )
    for how in ({"where": "d > 1"}, {"shares": ("d>=1",)}):
        with refused(asked):
            rows(text, **how)
    with refused(asked):
        column(text)
    assert column(text, decimal=".")[:2] == column(text, thousands=",")[:2] == [52, 61.5]
    assert column(text, decimal=",", thousands=".")[:2] == [52000, 61500]
    for clear in ("0.500", "1234.500", "52.5", "7"):  # in whatever row
        assert column(f"{text}{clear};1\n")[-1] == float(clear)
    assert column("d\n1.000\n1.000\n") == [1, 1]
    assert rows(text, by=("d",)).labels[0] == "52.000"  # which is not counted with


def test_a_hint_about_signs_reads_what_is_read_without_it_and_more(column):
    """So that hints lead in no circle."""
    text = "d;e\n7;1\n2.100,50;1\n"
    with refused(r"is it 2100.5 \(--decimal , --thousands .\)\?$"):
        column(text)
    with refused(r"is it 2100.5 \(--thousands .\)\?$"):
        column(text, decimal=",")
    assert column(text, decimal=",", thousands=".") == [7, 2100.5]
    with refused(r"'2.55' in row 1 .*: is it 2.55 \(--decimal . no --thousands\)"):
        column("d;e\n2.55;1\n1;1\n", decimal=",", thousands=".")
    with refused(r"'1 500' in row 1 .*: is it 1500 \(--thousands ' '\)\?$"):
        column("d;e\n1 500;1\n")
    with refused("the decimal sign stands in its first line: add --delimiter ',' if it divides"):
        column('d,e\n"1,5",2\n4,1\n', decimal=",")
    assert column('d,e\n"1,5",2\n4,1\n', decimal=",", delimiter=",") == [1.5, 4]
    for written in ("$52,000", "2.100,50 €", "1,00,000", "(1,200)"):
        for decimal in (None, ","):
            for thousands in ("", ",", ".", " "):
                if thousands != (decimal or "."):
                    with refused("finite numbers") as no:
                        column(f"d;e\n{written};1\n", decimal=decimal, thousands=thousands)
                    assert "--" not in str(no.value)


TITLES = [  # above the names d and e
    "Stays in 2024\n\nd,e\n1,2\n3,4\n",
    "Stays, 2024\n\nd,e\n1,2\n3,4\n",
    "Stays in 2024\n\n\nd;e\n1;2\n3;4\n",
    "# exported\nd,e\n1,2\n3,4\n",
    "Export\nd;e\n1;2\n3;4\n",
    "Export,\nd,e\n1,2\n3,4\n",
    "Export,,\n,,\nd,e,f\n1,2,3\n3,4,5\n",
]


@pytest.mark.parametrize("text", TITLES)
def test_a_title_above_the_names_is_recognised(rows, text):
    title = r"name the columns, got \[.*\]: is it a title\? The names must stand there$"
    for how in ({"shares": ("d=1",)}, {"by": ("d",)}, {}):
        with refused(title):
            rows(text, **how)
    with refused(title):
        rows(text, "d")


def test_a_delimiter_that_divides_nothing_is_no_title(column):
    with refused(r"name the columns, got \['d;e'\]: does another --delimiter divide it\?$"):
        column("d;e\n1;2\n3;4\n", delimiter=",")
    assert column("d;e\n1\n3\n", "d;e", delimiter=",") == [1, 3]


def test_names_with_little_below_them_are_no_title(rows):
    assert len(rows("text\na;b\nc;d\n", by=("text",)).values) == 2
    assert len(rows(",d\na,1\nb,2\n").values) == 2  # the names of rows have none
    assert len(rows("d\n\n1\n").values) == 2
    with refused("got 0 in row 1 below the names: take the blank line out"):
        rows("ward,d\n\nn,1\n", "d")


def test_a_file_without_names_is_not_counted_one_short(rows):
    text, row = "34,51000\n45,62000\n29,48000\n", r": is it a row\? The names must stand above it$"
    for how in ({}, {"by": ("age",)}, {"shares": ("age=1",)}):
        with refused(r"first line must name the columns, got \['34', '51000'\]" + row):
            rows(text, **how)
    with refused(r"name the columns, got \['n', '51000'\]" + row):
        rows("n,51000\ns,62000\n", "pay")
    with pytest.warns(UserWarning, match="all names in its first line are numbers: is it a row"):
        assert rows(text, "34").values["34"].tolist() == [45, 29]
    assert len(rows("ward,1990,1991\nn,1,2\ns,3,4\n", "1990").values) == 2


def test_what_no_number_tells_from_a_row_is_asked_about(rows):
    """Where nothing is asked of a column, or of one that is not there; a date is like a number."""
    text = "ann,north\nbob,south\ncy,north\n"
    with pytest.warns(UserWarning, match=r"taken for the names of columns, \['ann', 'north'\]: is"):
        assert len(rows(text).values) == 2
    with refused(r"one of 'ann', 'north', got 'ward': is the first line a row\? The names must"):
        rows(text, by=("ward",))
    assert rows(text, by=("north",)).labels.tolist() == ["south", "north"]
    assert len(rows("name,born\nann,2001-02-03\nbob,-\n"[:-6] + "bob,1999-1-1\n").values) == 2
    with refused("column must be one of 'name', 'born', got 'ward'$"):
        rows("name,born\nann,2001-02-03\n", by=("ward",))


def test_a_date_is_no_number_and_the_way_on_is_said(column):
    for date in ("2024-01-05", "5/1/2024", "05.01.2024", "2024-01-05 10:00", "2024-01-05T10:00"):
        with refused(f"finite numbers, got '{date}' in row 1 .*: is it a date. Count the days"):
            column(f"d;e\n{date};1\n1;1\n")
    for text in ("1.2.3.4", "1-2", "x"):
        with refused(f"got '{text}' in row 1 below the names$"):
            column(f"d;e\n{text};1\n1;1\n")
    with refused(r"no list with numbers: is it a date\?"):
        where.parse("d >= '2024-01-05'")


def test_a_blank_line_at_the_end_is_no_row(rows):
    for end in ("", "\n", "\n\n\n", "\r\n\r\n"):
        assert rows(f"d\n1\n2{end}", "d").values["d"].tolist() == [1, 2]
        assert len(rows(f"d\n1\n2{end}").values) == 2
    assert rows("d\n1\n\n2\n\n", "d", drop_missing=True).dropped == 1
    assert len(rows('d\n1\n2\n""\n').values) == 3  # a field, and empty


def test_a_parquet_file_is_read_with_its_integers_as_they_are(column, monkeypatch):
    whole = pd.array([1, None, 2**53 + 1], dtype="Int64")
    table = pd.DataFrame({"d": whole, "e": [1e-7, 2.0, 0.1]})
    monkeypatch.setattr(pd, "read_parquet", lambda *_, **__: table)
    assert column(b"PAR1...", "e") == [1e-7, 2.0, 0.1]
    with refused("can tell apart, got '9007199254740993' in row 3 below the names"):
        column(b"PAR1...", drop_missing=True)


def test_a_file_without_a_reader_names_it(column, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    for content, reader in {b"PAR1...": "pyarrow", workbook(): "openpyxl"}.items():
        with pytest.raises(ImportError, match=f"{reader} must be there") as no:
            column(content)
        assert no.value.name == reader
