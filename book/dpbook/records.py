"""A column of a reader's file, for the chapter that reads one."""

import numpy as np


def read_column(path: str, column: str, *, drop_missing: bool = False) -> np.ndarray:
    """The numbers in a column of a file, as the program reads them.

    Args:
        drop_missing: leave out the rows that miss it.

    >>> read_column(str(dp.datasets.HEALTH), "visits").mean().round(3)
    np.float64(3.018)
    """
    from dpchoose.your_data.read import Source  # which no chapter of a source needs

    return Source(str(path), (column,), drop_missing=drop_missing).read().values[column]
