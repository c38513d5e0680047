"""The data of every chapter, each with the records that are released.

Every function returns a pair: a DataFrame with one row per record of the
universe, and the positions of the released rows; but ``adult_marital_status``
returns a table of counts.
"""

from __future__ import annotations

import typing
from importlib import resources
from pathlib import Path
from typing import Any

from dpchoose.data import columns, reading

if typing.TYPE_CHECKING:
    import pandas as pd


def school() -> tuple[pd.DataFrame, list[int]]:
    """Four pupils of whom three are released (Lee and Clifton 2011, Table 1).

    Returns:
        name, school_year in years, absence_days in days; the release leaves
        out the last pupil.

    >>> pupils, release = school()
    >>> pupils.absence_days.tolist(), release
    ([1, 2, 3, 10], [0, 1, 2])
    """
    import pandas as pd

    pupils = pd.DataFrame(
        {
            "name": ["Chris", "Kelly", "Pat", "Terry"],
            "school_year": [1, 2, 3, 4],
            "absence_days": [1, 2, 3, 10],
        }
    )
    return pupils, [0, 1, 2]


def school_large() -> tuple[pd.DataFrame, list[int]]:
    """Ten pupils of whom the first six are released (Munilla Garrido 2021, local sensitivity).

    Returns:
        name, school_year in years, absence_days in days; and the positions.

    >>> pupils, release = school_large()
    >>> len(pupils), release
    (10, [0, 1, 2, 3, 4, 5])
    """
    import pandas as pd

    names = ["Chris", "Kelly", "Keny", "Sherry", "Jerry", "Morty"]
    pupils = pd.DataFrame(
        {
            "name": [*names, "Beth", "Summer", "Squanchy", "Rick"],
            "school_year": [1, 2, 2, 2, 5, 5, 7, 8, 9, 9],
            "absence_days": [1, 2, 3, 4, 5, 6, 7, 8, 15, 20],
        }
    )
    return pupils, list(range(len(names)))


def vehicle() -> tuple[dict[str, list[int]], int]:
    """What a car reports, of which only the range is known (Munilla Garrido 2021, global).

    Any value may be reported by every one of the four who release, so each
    stands four times in its universe.

    Returns:
        the universe of mood and of driving_proficiency, on scales of two and
        three steps; and the release size.

    >>> vehicle()[0]["mood"]
    [1, 1, 1, 1, 2, 2, 2, 2]
    """
    size = 4
    ranges = {"mood": [1, 2], "driving_proficiency": [1, 2, 3]}
    universes = {name: [v for v in values for _ in range(size)] for name, values in ranges.items()}
    return universes, size


def adult_marital_status() -> pd.Series:
    """The marital status of 32,561 people, counted (UCI Adult, Becker and Kohavi 1996).

    Near and Abuah, "The Exponential Mechanism", print these counts divided by
    1000 as the scores of an exponential mechanism.

    Returns:
        number of people, largest first, indexed by marital status.

    >>> people = adult_marital_status()
    >>> int(people.sum()), int(people["Divorced"])
    (32561, 4443)
    """
    import pandas as pd

    people = {
        "Married-civ-spouse": 14976,
        "Never-married": 10683,
        "Divorced": 4443,
        "Separated": 1025,
        "Widowed": 993,
        "Married-spouse-absent": 418,
        "Married-AF-spouse": 23,
    }
    return pd.Series(people, name="people").rename_axis("marital_status")


def health() -> Path:
    """Visits to a doctor in the RAND Health Insurance Experiment, as a CSV file.

    Every fourth row of the subset that Cameron and Trivedi (2005,
    Microeconometrics) use and statsmodels ships as ``randhie``, in the public
    domain: 5,048 records of visits (outpatient visits in a year) and
    chronic_diseases (a score).

    >>> len(read_column(health(), "visits"))
    5048
    """
    return Path(str(resources.files("dpchoose.data").joinpath("health.csv")))


def read_column(
    path: Any,
    column: str,
    *,
    drop_missing: bool = False,
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str = "",
    encoding: str = "utf-8-sig",
) -> pd.Series:
    """One numeric column of a CSV file.

    Args:
        path: of the file, with a line of column names first; "-" is standard input.
        column: its name.
        drop_missing: leave out records in which it is missing.
        delimiter: between two fields; None finds out which of comma,
            semicolon, tab and bar divides the rows.
        decimal: the sign in 1.5, "." or ",".
        thousands: the sign in 1,000; none by default.
        encoding: of the text.

    Returns:
        float Series, one entry per record kept; finite. True and false are 1 and 0.

    Raises:
        ValueError: no such file or column, not a CSV text, no records, rows of
            different widths, an entry that is no finite number (with its row,
            counted from 1 below the names), or missing values that are not to
            be dropped.

    >>> float(read_column(health(), "visits").max())
    69.0
    """
    import pandas as pd

    table = reading.read_table(
        path, columns=[column], delimiter=delimiter, decimal=decimal, encoding=encoding
    )
    kept = columns.complete(table, drop_missing=drop_missing)[column]
    return pd.Series(columns.numbers(kept, decimal=decimal, thousands=thousands), name=column)
