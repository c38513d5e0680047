"""What every committed figure owes to its reader."""

import re

import matplotlib as mpl
import pytest
from dpbook.places import FIGURES, ROOT

STYLE = mpl.rc_params_from_file(ROOT / "dpchoose" / "figures.mplstyle", use_default_template=False)
PICTURES = sorted(FIGURES.glob("*.svg"))


def contrast_with_white(colour):
    """The contrast ratio of WCAG 2.1, from 1 for white to 21 for black."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 1.05 / (luminance + 0.05)


def stands_out(path):
    """At least 3 to 1 for a line, 4.5 to 1 for text, and none is see-through.

    White words stand on bars, and the grid lies behind the lines.
    """
    drawn = path.read_text("utf-8")
    behind = {"#ffffff", mpl.colors.to_hex(STYLE["grid.color"])}
    found = set(re.findall(r"(?:stroke|fill): (#[0-9a-f]{6})", drawn)) - behind
    assert {colour for colour in found if contrast_with_white(colour) < 3} == set()
    words = re.findall(r'id="text_\d+">\s*<!-- .* -->\s*<g style="fill: (#[0-9a-f]{6})', drawn)
    assert all(contrast_with_white(colour) >= 4.5 for colour in {*words} - {"#ffffff"})
    assert not re.search(r'"[^"]*stroke: #[^"]*opacity: 0', drawn)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_every_line_and_every_word_stands_out_from_the_paper(path):
    stands_out(path)
