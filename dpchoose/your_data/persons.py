"""Columns that may say whose row it is, where nobody has said so."""

import re
from collections import Counter
from collections.abc import Sequence

MANY = 100  # entries from which on they are asked about
CALLED = re.compile(  # what a column of codes of persons is called
    "(^|[^a-z])(id|nr|no|code|key|person|patient|member|client|user)s?([^a-z]|$)", re.IGNORECASE
)
LETTER = re.compile(r"[^\W\d_]")


def like_persons(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The columns with hundreds of texts or codes, of which most stand in several of the rows.

    A text has a letter in it; of codes without one the column is called as if it named persons.

    >>> rows = [[f"P{k % 120}", f"{k % 120}"] for k in range(300)]
    >>> like_persons(["who", "minutes"], rows), like_persons(["", "patient nr"], rows)
    (['who'], ['patient nr'])
    """
    columns = zip(names, zip(*rows))
    return [name for name, cells in columns if name and _repeats_codes(name, cells)]


def _repeats_codes(name: str, cells: Sequence[str]) -> bool:
    """Whether a column has so many texts or codes, most of them more than once."""
    counts = Counter(cell.strip() for cell in cells)
    texts = sum(1 for text in counts if LETTER.search(text))
    repeated = sum(1 for count in counts.values() if count > 1)
    is_named = 2 * texts > len(counts) or CALLED.search(name) is not None
    return is_named and len(counts) >= MANY and 2 * repeated > len(counts)
