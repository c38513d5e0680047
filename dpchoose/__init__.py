"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The modules stand in the order of the argument, and each imports only from those before it:
queries, worlds, sensitivity, risk, mechanisms are the thin core; ``your_data`` stands on it and
is for a file of your own. Every function refuses an argument outside its domain by a
ValueError, and one of the wrong kind by a TypeError, with its name, the rule and the value; a
docstring names only errors of other kinds.

Names are loaded when they are first used (PEP 562): ``import dpchoose`` itself loads nothing. They
stand in ``__init__.pyi``.
"""

import importlib
import re
from pathlib import Path
from typing import Any

__version__ = "0.4.0"

# Where each public name is defined, as the stub says it to type checkers too.
STUB = Path(__file__).with_suffix(".pyi").read_text("utf-8")
HOME = {name: home for home, name in re.findall(r"from (dpchoose\S*) import (\w+) as", STUB)}

__all__ = sorted(HOME)


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if HOME[name] == __name__:  # a module of its own
        value = importlib.import_module(f"{__name__}.{name}")
    else:
        value = getattr(importlib.import_module(HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
