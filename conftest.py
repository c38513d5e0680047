"""How many examples the property tests draw, and what `dp` is."""

import pytest
from hypothesis import Phase, settings

import dpchoose as dp

settings.register_profile("default", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("default")
plain = (Phase.explicit, Phase.generate)  # of an example that fails, none smaller is looked for
settings.register_profile("first", phases=plain)


@pytest.fixture(scope="session", autouse=True)
def package(doctest_namespace):
    """The examples of the docstrings call the package `dp`, as its readers do."""
    doctest_namespace["dp"] = dp
