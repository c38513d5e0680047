"""How many examples the property tests draw, and that slow work keeps quiet."""

import os

from hypothesis import Phase, settings

settings.register_profile("default", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("default")
plain = (Phase.explicit, Phase.generate)  # of an example that fails, none smaller is looked for
settings.register_profile("first", phases=plain)

os.environ["DPCHOOSE_PROGRESS"] = "off"  # but where it is tested
