"""Write the measured costs into the page of the functions, as two tables.

``python benchmarks/tables.py`` reads questions.csv and sensitivity.csv beside it, and puts the
tables between the marks of book/api.md.
"""

import math
import re
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent
PAGE = HERE.parent / "book" / "api.md"
MARKS = r"(?s)(?<=<!-- costs -->\n).*(?=<!-- end of costs -->)"


def seconds(value: float) -> str:
    """To two digits."""
    return f"{float(f'{value:.2g}'):g}"


def rows_of(table: pd.DataFrame) -> str:
    """A table of Markdown."""
    rows = [table.columns, ["---"] * len(table.columns), *table.to_numpy()]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


def questions() -> pd.DataFrame:
    """Seconds of whole questions by the number of records, and megabytes at the most."""
    asked = pd.read_csv(HERE / "questions.csv")
    asked = asked[~asked["question"].str.endswith("listed")]
    wide = asked.pivot(index="question", columns="records", values="seconds")
    wide = wide.map(lambda value: seconds(value) if value == value else "")
    wide.columns = [f"{records:,} records" for records in wide.columns]
    wide["megabytes"] = asked.groupby("question")["megabytes"].max().map(math.ceil)
    return wide.loc[asked["question"].unique()].reset_index()


def sensitivities() -> pd.DataFrame:
    """Seconds of one sensitivity of a million records."""
    costs = pd.read_csv(HERE / "sensitivity.csv")
    largest = costs[costs["records"] == costs["records"].max()]
    largest = largest.assign(
        kind=largest["adjacency"] + ", distance " + largest["distance"].map(str)
    )
    wide = largest.pivot(index="query", columns="kind", values="seconds")
    wide = wide.map(lambda value: seconds(value) if value == value else "listed only")
    return wide.loc[largest["query"].unique()].reset_index()


def filled(page: str) -> str:
    """A page with both tables between its marks."""
    return re.sub(MARKS, f"{rows_of(questions())}\n{rows_of(sensitivities())}", page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
