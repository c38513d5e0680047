"""No number on the front pages is typed: the package computes it when the book is built."""

import re

import pytest
from dpbook import front
from dpbook.build import ROOT

MARKUP = r"^:{3,}.*|^:\w+:.*|^```.*|^\d+\. |\{\{\w+\}\}|`[^`]*`"


@pytest.mark.parametrize("page", ["index", "signing"])
def test_no_digit_stands_in_the_prose_of_the_front_pages(page):
    text = (ROOT / "book" / f"{page}.md").read_text("utf-8")
    assert "{{" not in front.filled(text) != text
    assert re.findall(r".*\d.*", re.sub(MARKUP, "", text, flags=re.MULTILINE)) == []
