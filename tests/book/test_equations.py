"""Any equation of the book is found in the package, and the other way round."""

import doctest
import operator
import re

from dpbook.build import NOTEBOOKS, ROOT

import dpchoose as dp

PROSE = NOTEBOOKS.glob("*.md")
LABEL = re.compile(r'^<a id="(eq-\S+)"></a>$', re.MULTILINE)
LABELS = [found for path in PROSE for found in LABEL.findall(path.read_text("utf-8"))]


def test_every_numbered_equation_is_computed_by_a_function():
    assert sorted(LABELS) == sorted(dp.EQUATIONS)
    assert all(operator.attrgetter(name)(dp).__doc__ for name in dp.EQUATIONS.values())


def test_the_page_of_the_functions_has_the_same_table():
    page = (ROOT / "book" / "api.md").read_text("utf-8")
    assert dict(
        re.findall(r"^\| \{eq\}`(\S+)` \| \{py:obj\}`~dpchoose\.(\S+)` \|$", page, flags=re.M)
    ) == (dp.EQUATIONS)


def test_the_examples_on_the_page_of_the_functions_print_what_stands_under_them():
    page = ROOT / "book" / "api.md"
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (found.failed, found.attempted > 4) == (0, True)


def test_the_docstring_of_each_names_its_equation():
    """So that who reads the code finds the page."""
    silent = {
        label
        for label, name in dp.EQUATIONS.items()
        if label not in (operator.attrgetter(name)(dp).__doc__ or "")
    }
    assert not silent
