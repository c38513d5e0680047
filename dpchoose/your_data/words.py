"""Sentences that the package and the page of the book both say, in one language.

They stand in ``words.toml``, whoever says one decides which, and the page gets all of them as JSON
when the book is built. What a module of its own says is said here again.
"""

import tomllib
from importlib import resources

from dpchoose.codes import CODE as CODE
from dpchoose.numbers import IN_0_1 as IN_0_1
from dpchoose.numbers import NO_LIMIT as NO_LIMIT
from dpchoose.numbers import OVER_A_MILLION as OVER_A_MILLION
from dpchoose.numbers import THOUSANDS as THOUSANDS
from dpchoose.numbers import WRITTEN_LIKE as WRITTEN_LIKE
from dpchoose.sensitivity.limits import LIMITS_IN_ORDER as LIMITS_IN_ORDER
from dpchoose.your_data.limits import CODES as CODES
from dpchoose.your_data.shares import NO_ROW as NO_ROW

_text = resources.files(__package__).joinpath("words.toml").read_text("utf-8")

globals().update(tomllib.loads(_text))
