"""A file is read as it stands, or refused with what was seen and what to add."""

import gzip
import io
import operator
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp
from dpchoose.data import columns, reading, source, where


@pytest.fixture
def file(tmp_path):
    def write(content, name="mine.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(file, sign):
    path = file(f"age{sign}los\n30{sign}1.5\n40{sign} 2\n")
    assert dp.datasets.read_column(path, "los").tolist() == [1.5, 2]
    assert dp.datasets.read_column(path, "age", delimiter=sign).tolist() == [30, 40]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_line_end_and_encoding_gives_the_same(file, end, encoding):
    text = end.join(["größe,ort", '1,"a, b"', "2,ü", ""])
    table = reading.read_table(
        file(text.encode(encoding)), encoding=encoding.replace("utf-8", "utf-8-sig")[:9]
    )
    assert table.to_dict("list") == {"größe": ["1", "2"], "ort": ["a, b", "ü"]}
    assert table.index.tolist() == [1, 2]


def test_a_decimal_comma_is_read_when_it_is_asked_for(file):
    assert dp.datasets.read_column(file("d\n1,5\n2,5\n"), "d", decimal=",").tolist() == [1.5, 2.5]
    path = file('d;e\n"1.234,5";1\n7;2\n')
    found = dp.datasets.read_column(path, "d", decimal=",", thousands=".")
    assert found.tolist() == [1234.5, 7]


def test_a_packed_file_is_unpacked_and_a_name_says_nothing(file):
    assert dp.datasets.read_column(file(gzip.compress(b"d\n1\n2\n")), "d").tolist() == [1, 2]
    assert dp.datasets.read_column(file("d\n1\n2\n", "text.zip"), "d").tolist() == [1, 2]


def test_standard_input_is_a_file(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"d\n1\n2\n")))
    assert dp.datasets.read_column("-", "d").tolist() == [1, 2]


def test_truths_are_ones(file):
    assert dp.datasets.read_column(file("d\nTrue\nfalse\nTRUE\n"), "d").tolist() == [1, 0, 1]


def test_missing_values_are_dropped_when_it_is_asked_for(file):
    path = file("d,e\n1,a\nNA,b\n3,\n")
    assert dp.datasets.read_column(path, "d", drop_missing=True).tolist() == [1, 3]
    blank = file("d\n1\n\n3\n", "blank.csv")
    assert dp.datasets.read_column(blank, "d", drop_missing=True).tolist() == [1, 3]
    kept = columns.complete(reading.read_table(path, missing=["a"]), drop_missing=True)
    assert kept.to_dict("list") == {"d": [], "e": []}


@given(values=st.lists(st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-90), min_size=1))
def test_a_number_that_is_written_is_the_number_that_is_read(values):
    texts = pd.Series([repr(value) for value in values], dtype=object)
    assert columns.numbers(texts).tolist() == values


REFUSED = [
    ("d\n1,5\n2,5\n", r"1 field in every row.* got 2 in row 1, '1,5'.*--decimal ,"),
    ("age,d\n30,1,\n40,2,\n", "2 fields in every row.* got 3 in row 1"),
    ("d,age\n1,2\n3\n", "2 fields in every row.* got 1 in row 2"),
    ("d,age\n1,2\n\n3,4\n", "a record in every row, got none in row 2"),
    ("d\n1\n\n3\n", "d must be complete, got 1 missing value, the first in row 2.*--drop-missing"),
    ("d\n1\n\n\n", "d must be complete, got 2 missing values, the first in row 2"),
    ("d,d\n1,2\n3,4\n", "name each column once, got 'd' twice"),
    ("\n1\n2\n", "begin with the names of its columns"),
    ("age\n1\n2\n", "column must be one of age, got 'd'"),
    ("d;e,f\n1;2,3\n", "divided by one sign, got rows that comma and semicolon divide alike"),
    ('d,e\n"1,5",2\n', r"finite numbers, got '1,5' in row 1.*--decimal , or --thousands ,"),
    ("d\n1\n1_000\n", "finite numbers, got '1_000' in row 2"),
    ("d\n٣\n", "finite numbers, got '٣' in row 1"),
    ("d\n1\ninf\n", "finite numbers, got 'inf' in row 2"),
    ("d\ntrue\n1\n", "finite numbers, got 'true' in row 1"),
    ("d\n1\n9007199254740993\n", "a float can tell apart, got '9007199254740993' in row 2"),
    ("d\n1e101\n", "from 1e-100 to 1e100 in size, got '1e101' in row 1"),
    ("d\n1e-400\n", "from 1e-100 to 1e100 in size, got '1e-400' in row 1"),
    ('d\n"1\n', "must be well formed"),
    ("d,e\n", "must hold records"),
    (" \n", "must not be empty"),
    (b"d\n\xe9\n", "must be text in utf-8.*--encoding cp1252"),
    ("d\n1\n".encode("utf-16"), "must be text.*--encoding utf-16"),
    (b"PK\x03\x04", "must be text.*save the table as CSV"),
    (b"d\n\x001\n", "must be text"),
    (b"\x1f\x8b\x08broken", "must unpack with gzip"),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED)
def test_what_cannot_be_read_is_refused(file, content, reason):
    with pytest.raises(ValueError, match=reason):
        dp.datasets.read_column(file(content), "d")


@pytest.mark.parametrize("name", ["none.csv", ".", "a/b", "x" * 300, "http://host/d.csv"])
def test_a_path_to_nothing_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="CSV file must be readable, got"):
        dp.datasets.read_column(tmp_path / name, "d")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"decimal": "x"}, r"decimal must be \. or ,.* got 'x'"),
        ({"thousands": "."}, "thousands another"),
        ({"delimiter": "x"}, "delimiter must be a comma, semicolon, tab or bar, got 'x'"),
        ({"encoding": "latin-99"}, "encoding must be known, got 'latin-99'"),
    ],
)
def test_an_unknown_way_to_read_is_refused(file, options, reason):
    with pytest.raises(ValueError, match=reason):
        dp.datasets.read_column(file("d\n1\n2\n"), "d", **options)


def test_large_integers_that_a_float_holds_are_read(file):
    path = file("d\n9007199254740992\n9007199254740994.0\n1e23\n")
    assert dp.datasets.read_column(path, "d").tolist() == [2.0**53, 2.0**53 + 2, 1e23]


# Who is released, and whose row it is.


@pytest.mark.parametrize("words", [("0", "1"), ("False", "TRUE"), ("no", "Yes")])
def test_who_is_released_is_said_in_pairs_of_words(words):
    out, inside = words
    assert columns.released(pd.Series([inside, out, inside])).tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["1", "yes"], "0 and 1, false and true, or no and yes, got 'yes' in row 1"),
        (["maybe", "no"], "got 'maybe' in row 0"),
        (["1", "1"], "must leave a row out, got all 2 released"),
        (["0", "0"], "must release a row, got none of 2"),
        (["0", None], "must label every row, got none in row 1"),
    ],
)
def test_a_column_that_does_not_say_who_is_released_is_refused(words, reason):
    with pytest.raises(ValueError, match=reason):
        columns.released(pd.Series(words, name="in", dtype=object))


def test_several_rows_of_a_person_are_refused_with_their_number():
    columns.one_row_each(pd.Series(["a", "b"]))
    with pytest.raises(ValueError, match=r"got 2 persons with several rows \(up to 3\)"):
        columns.one_row_each(pd.Series(["a", "b", "a", "c", "b", "b"], name="id"))


# Conditions.

TABLE = pd.DataFrame(
    {"age": ["70", "8", "65"], "ward": ["north", "south", "north"], "my day": ["1", "2", "3"]}
)


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("age >= 65", [1, 0, 1]),
        ("age<65", [0, 1, 0]),
        ("age == 70.0", [1, 0, 0]),
        ("ward != 'north'", [0, 1, 0]),
        ('ward == "north" and age > 65', [1, 0, 0]),
        ("ward in ('south', 'east') and `my day` in (1, 2)", [0, 1, 0]),
        ("age > -1e3", [1, 1, 1]),
    ],
)
def test_a_condition_chooses_rows(condition, rows):
    assert where.matches(TABLE, where.parse(condition)).tolist() == [bool(row) for row in rows]


@given(
    ages=st.lists(st.integers(-9, 9), min_size=1),
    sign=st.sampled_from(sorted(where.COMPARE)),
    bound=st.integers(-9, 9),
)
def test_a_comparison_is_that_of_the_numbers(ages, sign, bound):
    named = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[sign]
    table = pd.DataFrame({"age": [str(age) for age in ages]})
    found = where.matches(table, where.parse(f"age {sign} {bound}"))
    assert found.tolist() == [getattr(operator, named)(age, bound) for age in ages]


@pytest.mark.parametrize(
    "condition",
    [
        "",
        "age",
        "age >=",
        "age > 65 or age < 8",
        "18 <= age",
        "age > 65 and",
        "age >= north",
        "ward < 'north'",
        "ward in ('north', 1)",
        "ward in ('north'",
        "ward in ()",
        "age = 65",
        "__import__('os')",
        "age > 6_5",
        "age > (65)",
        "age > 65; age",
        "age in 65",
        "ward == 'north",
    ],
)
def test_what_is_no_condition_is_refused(condition):
    with pytest.raises(ValueError, match="where must be one comparison"):
        where.parse(condition)


def test_text_is_not_compared_with_a_number():
    with pytest.raises(ValueError, match="ward must hold finite numbers, got 'north' in row 0"):
        where.matches(TABLE, where.parse("ward > 1"))


def test_many_rows_are_read(file):
    values = np.random.default_rng(0).normal(size=50_000).round(6)
    path = file("d,e\n" + "".join(f"{value},x\n" for value in values.tolist()))
    assert dp.datasets.read_column(path, "d").tolist() == values.tolist()


@pytest.mark.parametrize("encoding", ["base64", "rot13", "zlib", "a\0b"])
def test_an_encoding_is_one_of_text(file, encoding):
    with pytest.raises(ValueError, match="encoding must be known, got"):
        dp.datasets.read_column(file("d\n1\n2\n"), "d", encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "undefined", "punycode", "ascii"])
def test_text_in_another_encoding_is_refused(file, encoding):
    with pytest.raises(ValueError, match=f"must be text in {encoding}, got other bytes"):
        dp.datasets.read_column(file("d\n1\n2é\n"), "d", encoding=encoding)


def test_a_column_may_be_compared_twice(file):
    path = str(file("d,e\n1,a\n,b\n3,c\n4,d\n"))
    rows = source.Source(path, ("d",), where="d > 0 and d < 4", drop_missing=True).read()
    assert rows.values["d"].tolist() == [1, 3]
    with pytest.raises(ValueError, match="got 1 missing value, the first in row 2"):
        source.Source(path, ("d",), where="d > 0 and d < 4").read()


# Files that are no text.


def workbook(name="xl/workbook.xml"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, "")
    return packed.getvalue()


FILES = {
    "Parquet": (b"PAR1...", "read_parquet", "pyarrow"),
    "Excel": (workbook(), "read_excel", "openpyxl"),
    "old Excel": (b"\xd0\xcf\x11\xe0...", "read_excel", "xlrd"),
    "OpenDocument": (workbook("content.xml"), "read_excel", "odfpy"),
}
SHEET = [["d", "w", None], [1, "n", None], [2.5, " s ", None], [None, "3", None], [True, 4.0, None]]


@pytest.fixture
def reader(monkeypatch):
    """What pandas reads, instead of a reader that may not be installed."""

    def gives(function, result):
        def read(data, **options):
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(pd, function, read)

    return gives


def test_a_sheet_is_read_as_a_file_with_its_text(file, reader):
    sheet = pd.DataFrame(SHEET, dtype=object)
    reader("read_excel", {"Sheet1": sheet})
    found = reading.read_table(file(workbook(), "mine.csv"), decimal=",")
    assert found.to_dict("list") == {"d": ["1", "2,5", None, "true"], "w": ["n", "s", "3", "4"]}
    assert found.index.tolist() == [1, 2, 3, 4]
    reader("read_excel", {"Sheet1": sheet, "Notes": sheet})
    with pytest.raises(ValueError, match="must have one sheet, got 2: Sheet1, Notes"):
        reading.read_table(file(workbook()))


def test_a_parquet_file_is_read_with_its_integers_as_they_are(file, reader):
    whole = pd.array([1, None, 2**53 + 1], dtype="Int64")
    reader("read_parquet", pd.DataFrame({"d": whole, "e": [1e-7, 2.0, 0.1]}))
    found = reading.read_table(file(b"PAR1..."))
    assert found["d"].tolist() == ["1", None, "9007199254740993"]
    assert columns.numbers(found["e"]).tolist() == [1e-7, 2.0, 0.1]
    with pytest.raises(ValueError, match="integers that a float can tell apart"):
        dp.datasets.read_column(file(b"PAR1..."), "d", drop_missing=True)


@pytest.mark.parametrize("kind", FILES)
def test_a_file_without_a_reader_is_refused_with_what_to_install(file, reader, kind):
    content, function, package = FILES[kind]
    reader(function, ImportError(f"Missing optional dependency '{package}'."))
    with pytest.raises(ValueError, match=f"got '.*mine.csv' and none: pip install {package}, or"):
        dp.datasets.read_column(file(content), "d")
    reader(function, KeyError("xl/\nsheet"))
    with pytest.raises(ValueError, match="file must be well formed"):
        dp.datasets.read_column(file(content), "d")


def test_a_zip_of_something_else_is_no_table(file):
    with pytest.raises(ValueError, match=r"must be text, got .*: save the table as CSV"):
        dp.datasets.read_column(file(workbook("data.csv")), "d")
