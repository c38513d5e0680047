"""The data of every chapter, each with the records that are released.

Every function returns a pair: a DataFrame with one row per record of the
universe, and the positions of the released rows.
"""

from __future__ import annotations

import typing

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
