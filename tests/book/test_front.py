"""The numbers on the pages that no notebook computes, from the package."""

import math

import pytest
from dpbook.build import ROOT

import dpchoose as dp

DAYS = dp.datasets.school()[0]["absence_days"]
VISITS = dp.datasets.read_column(dp.datasets.health(), "visits")
INDEX, SIGNING = (
    (ROOT / "book" / f"{page}.md").read_text("utf-8") for page in ("index", "signing")
)


def no_less(value, digits):
    """Rounded up, as the noise that is named on a page must not be less than it is."""
    return f"{math.ceil(value * 10**digits) / 10**digits:.{digits}f}"


@pytest.mark.parametrize(
    ("query", "universe", "risk", "digits", "unit"),
    [
        ("mean", DAYS, "1/3", 1, "days"),
        ("median", DAYS, "1/3", 2, "days"),
        ("mean", VISITS, "0.01", 4, "visits"),
    ],
)
def test_the_noise_on_the_first_page_keeps_the_risk_beside_it(query, universe, risk, digits, unit):
    found = dp.recommend(query, universe, risk=risk)
    assert f"{no_less(found.table['half-width'][0], digits)} {unit}" in INDEX


def test_the_sentence_to_sign_says_what_the_package_finds():
    found = dp.recommend("mean", VISITS, risk="0.01")
    assert f"below {no_less(found.table['half-width'][0], 4)} visits" in SIGNING
    assert f"these {len(VISITS):,} records" in SIGNING
    assert SIGNING.count(f"{found.risks['torn']:.1%}".replace("%", " %")) == 2
    assert f"{1 / len(VISITS):.2%}".replace("%", " %") in INDEX
