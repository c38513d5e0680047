"""What a change makes stale: by `make --dry-run`, to which a file is said to be newer than all."""

import re

import pytest
from dpbook import build


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("notebooks/fig-2.ipynb", {"fig-2"}),
        ("notebooks/fig-2-zoom.md", {"fig-2-zoom"}),
        ("figures/median-variance.svg", {"median"}),
        ("book/dpbook/published.yaml", {"published"}),
        ("dpchoose/risk/bounds.py", {*build.slugs()}),
        ("requirements.lock", {*build.slugs()}),
        ("book/index.md", set()),
        ("book/_assets/dpchoose.css", set()),
        ("book/_ext/pages.py", set()),
        ("book/moving/beliefs.js", set()),
        ("book/explorer/maths/result.js", set()),
        ("CHANGELOG.md", set()),
    ],
)
def test_a_change_makes_stale_what_is_made_of_it(book, make, changed, stale):
    """The chapters that are run again; and then, or by a page, a style or a script, the pages."""
    said = make("--dry-run", f"--what-if={changed}", "_build/html/index.html").stdout
    ran = re.findall(r"^python -m dpbook\.build ?(\S*)$", said, flags=re.M)
    assert ran == [*sorted(stale), ""]


@pytest.mark.parametrize("changed", ["benchmarks/risk.csv", "tests/mutations.yaml", "README.md"])
def test_a_change_of_what_no_page_reads_makes_nothing_stale(book, make, changed):
    said = make("--dry-run", f"--what-if={changed}", "_build/html/index.html").stdout
    assert "dpbook.build" not in said
