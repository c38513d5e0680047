"""Which epsilon? From a disclosure risk that you accept to the noise that keeps it.

The modules stand in the order of the argument, and imports go one way: queries, answers,
sensitivity, worlds, risk, mechanisms are the thin core; ``your_data`` stands on it and is for a
file of your own. Every function refuses an argument outside its domain by a
ValueError, and one of the wrong kind by a TypeError, with its name, the rule and the value; a
docstring names only errors of other kinds.

Names are loaded when they are first used (SPEC 1): ``import dpchoose`` itself loads none of them.
They stand in ``__init__.pyi``.
"""

import lazy_loader

__version__ = "0.5.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
