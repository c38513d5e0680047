"""How many examples the property tests draw, and the browser for what is rendered."""

import pytest
from browser import chromium, make_book
from hypothesis import settings

settings.register_profile("default", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("default")


@pytest.fixture(scope="module")
def browser():
    """A real one, once the book is there to be opened."""
    with chromium() as opened:
        made = make_book()
        assert made.returncode == 0, made.stderr
        yield opened
