"""Related work: each source is listed, and each table has a cell for every question."""

import re

from dpbook.chapter import NOTEBOOKS, ROOT

TEXT = (NOTEBOOKS / "whose-question.md").read_text("utf-8")
SIGNED = (NOTEBOOKS / "what-others-signed.md").read_text("utf-8")


def test_each_work_is_among_the_references():
    known = re.findall(r"^@\w+\{(\w+),", (ROOT / "book/references.bib").read_text("utf-8"), re.M)
    named = re.findall(r"references\.md#(\w+)", TEXT + SIGNED)
    assert len(named) > 15
    assert {*named} <= {*known}


def test_both_tables_have_the_same_works_and_no_empty_cell():
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    works = [re.sub(r"\[(.*)\]\(.*\)", r"\1", row[0]) for row in rows]
    assert works[: len(works) // 2] == works[len(works) // 2 :]
    assert all(len(row) == 4 and all(cell.strip() for cell in row) for row in rows)
