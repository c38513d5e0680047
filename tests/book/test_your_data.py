"""The chapter for a reader's own file: it runs on any, a name is text, and no value is shown."""

import csv
import re
import subprocess
import sys

import numpy as np
import pytest
from dpbook import build
from dpbook.places import ROOT
from test_plain import as_plain_html, cells, reads_as_plain_html

import dpchoose as dp

NAME = (
    "<img src=x onerror=window.ran=1> </code></pre></script><script>window.ran=1</script> "
    r"$\frac{x}{y}$ $\nothing$ **bold** [here](javascript:window.ran=1) `a` {math}`x` "
    "% \\begin{x} <!--<script>"
)
VALUES = np.random.default_rng(11).uniform(1e5, 1e6, 60).round(3)
ASKED = {  # how the chapter is asked, by the name of the page
    "everybody": {"limits": "0:2000000"},
    "known": {"limits": "", "risk": 0.5},
}
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "book" / "_ext")!r})
extensions = ["myst_nb", "sphinx_design", "moving", "explorer"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(ROOT / "book" / "_assets")!r}]
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
nb_execution_mode = "off"
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of the pages, and beside them the executed notebooks and the figures."""
    source = tmp_path_factory.mktemp("hostile")
    with open(source / "mine.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[NAME], *([value] for value in VALUES)])
    asked = {"csv": str(source / "mine.csv"), "column": NAME}
    for name, question in ASKED.items():
        folder = {"figures_folder": str(source / "figures" / name)}
        build.run("your-data", source / f"{name}.ipynb", asked | question | folder)
    (source / "conf.py").write_text(CONF, "utf-8")
    listed = "\n".join(ASKED)
    (source / "index.md").write_text(f"# All\n```{{toctree}}\n{listed}\n```\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-Q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return source


@pytest.mark.parametrize("name", ASKED)
def test_no_script_runs_and_the_name_is_text(pages, chrome, name):
    context = chrome.new_context(offline=True)
    page = context.new_page()
    page.goto((pages / "html" / f"{name}.html").as_uri())
    assert page.evaluate("window.ran") is None
    assert page.locator("img[src=x], [href^=javascript]").count() == 0
    article = page.locator("article")
    assert NAME[:32] in article.inner_text()
    assert "window.ran=1</script>" in article.inner_text()
    assert article.locator("strong", has_text=re.compile("^bold$")).count() == 0
    context.close()
    plain = as_plain_html(pages / f"{name}.ipynb")
    assert all(image["src"].startswith("data:") for image in plain.find_all("img"))
    assert not [one for one in plain.find_all("script") if "ran" in one.text]


@pytest.mark.parametrize("name", ASKED)
def test_figures_draw_a_name_as_it_is(pages, name):
    """matplotlib would read what stands between dollars, and fail at what it does not know."""
    drawn = (pages / "figures" / name / "your-data.svg").read_text("utf-8")
    assert r"$\frac{x}{y}$" in drawn


@pytest.mark.parametrize("name", ASKED)
def test_nothing_that_is_made_holds_a_value(pages, name):
    """Not in a cell, a table or a figure; nor an exact answer on all of them."""
    shown = str([cell.get("outputs", []) for cell in cells(name, pages)])
    figures = (pages / "figures" / name / "your-data.svg").read_text("utf-8")
    written = re.findall(
        r"(?<![\d.])\d[\d,]*\.?\d*", shown + "".join(re.findall("<!--.*-->", figures))
    )
    numbers = np.array([float(one.replace(",", "")) for one in written])
    exact = [*VALUES, *np.quantile(VALUES, [0.25, 0.5, 0.75]), VALUES.mean(), VALUES.sum()]
    assert not [one for one in exact if np.isclose(numbers, one, rtol=1e-4, atol=0).any()]


@pytest.mark.parametrize(
    ("values", "risk", "status"),
    [([7, 7, 7, 7], "1/2", "without noise"), ([1, 2, 3, 10], 0.2, "cannot be met")],
    ids=["an answer that no record moves", "a risk below the prior"],
)
def test_the_chapter_reads_where_no_noise_is_needed_or_none_is_enough(
    tmp_path, values, risk, status
):
    (tmp_path / "mine.csv").write_text("\n".join(map(str, ["stay", *values])), "utf-8")
    asked = {"csv": str(tmp_path / "mine.csv"), "column": "stay", "limits": "", "risk": risk}
    made = build.run("your-data", tmp_path / "out.ipynb", asked | {"figures_folder": str(tmp_path)})
    reads_as_plain_html(made)
    assert status in str([cell.get("outputs", []) for cell in cells("out", tmp_path)])


def test_the_command_is_on_the_file_of_the_book(book):
    """As it is typed in a clone."""
    shown = (build.EXECUTED / "your-data.ipynb").read_text("utf-8")
    (typed,) = {*re.findall(r"dpchoose epsilon (\S+) ", shown)} - {"..."}  # on the page
    assert (build.ROOT / typed).samefile(dp.datasets.health())
