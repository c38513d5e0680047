"""pandas, for which this module stands as pd: it is loaded when a name of it is first looked up,
as it takes longer than all else here."""

from typing import Any


def __getattr__(name: str) -> Any:
    import pandas

    return getattr(pandas, name)
