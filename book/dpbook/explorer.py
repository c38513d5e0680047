"""What the page begins with: records of the book as files, each with a question."""

from __future__ import annotations

from typing import Any

import dpchoose as dp

WRITE = 'import dpchoose as dp; dp.datasets.{0}()[0].to_csv("{0}.csv", index=False)'
COPY = 'import dpchoose as dp, shutil; shutil.copyfile(dp.datasets.health(), "{0}")'


def records() -> list[dict[str, Any]]:
    """The book's own data: each a file, what is asked of it first, and how to write it.

    Returns:
        a list of sets with "words", "file" and "csv" for the page to read, "question" in the
        page's own form, and "make", a line of Python that writes the file.

    >>> [(one["file"], one["question"]["situation"]) for one in records()][:2]
    [('health.csv', 'everybody'), ('school.csv', 'known')]
    """
    path = dp.datasets.health()
    csv = path.read_text("utf-8")
    visits = {"asks": [{"query": "mean", "column": "visits"}]}
    limited = visits | {"situation": "everybody", "limits": {"visits": ["0", "30"]}}
    words = f"{csv.count(chr(10)) - 1:,} patients"
    make = COPY.format(path.name)
    found = [_set(f"{words}, all of them", path.name, csv, make, limited, "odds", "3")]
    absent = {"asks": [{"query": "mean", "column": "absence_days"}], "situation": "known"}
    for name, said in {
        "school": "four pupils, one of them missing",
        "school_large": "ten pupils, one of them missing",
    }.items():
        pupils = getattr(dp.datasets, name)()[0].to_csv(index=False)
        found.append(_set(said, f"{name}.csv", pupils, WRITE.format(name), absent, "risk", "1/3"))
    said, known = f"{words}, one of them missing", visits | {"situation": "known"}
    return [*found, _set(said, path.name, csv, make, known, "risk", "1%")]


def _set(
    words: str, file: str, csv: str, make: str, question: dict[str, Any], goal: str, value: str
) -> dict[str, Any]:
    """One of the sets, with what is accepted."""
    question = question | {"goal": {"goal": goal, "value": value}}
    return {"words": words, "file": file, "csv": csv, "make": make, "question": question}
