"""No number on the front pages is typed: a chapter computes it, and the page pastes it."""

import re

import pytest
from dpbook.build import ROOT

MARKUP = r"^:{3,}.*|^:\w+:.*|^```.*|^\d+\. |\{glue:text\}`chapters/.+?`|`[^`]*`"


@pytest.mark.parametrize("page", ["index", "signing"])
def test_no_digit_stands_in_the_prose_of_the_front_pages(page):
    text = (ROOT / "book" / f"{page}.md").read_text("utf-8")
    assert "{glue:text}`chapters/" in text
    assert re.findall(r".*\d.*", re.sub(MARKUP, "", text, flags=re.MULTILINE)) == []
