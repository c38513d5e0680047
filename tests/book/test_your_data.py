"""The chapter for a reader's own file: it runs on any, a name is text, and no value is shown."""

import csv
import re
import subprocess
import sys

import in_process
import numpy as np
import pytest
from dpbook import build
from dpbook.places import NOTEBOOKS, ROOT
from test_plain import as_plain_html, cells, reads_as_plain_html

import dpchoose as dp

NAME = (
    "<img src=x onerror=window.ran=1> </code></pre></script><script>window.ran=1</script> "
    r"$\frac{x}{y}$ $\nothing$ **bold** [here](javascript:window.ran=1) `a` {math}`x` "
    "% \\begin{x} <!--<script>"
)
NOTEBOOK = NOTEBOOKS / "your-data.ipynb"
VALUES = np.random.default_rng(11).uniform(1e5, 1e6, 60).round(3)
CONF = f"""
import sys
sys.path[:0] = [{str(ROOT / "book" / "_ext")!r}, {str(ROOT / "book" / "moving")!r}]
sys.path[:0] = [{str(ROOT / "book" / "explorer")!r}]
extensions = ["myst_nb", "sphinx_design", "moving", "explorer"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(ROOT / "book" / "_assets")!r}]
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
nb_execution_mode = "off"
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder of the page, and beside it the executed notebook and the figure."""
    source = tmp_path_factory.mktemp("hostile")
    with open(source / "mine.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[NAME], *([value] for value in VALUES)])
    asked = {"csv": str(source / "mine.csv"), "column": NAME, "limits": "0:2000000"}
    asked |= {"figures_folder": str(source)}
    in_process.execute_notebook(NOTEBOOK, source / "index.ipynb", asked)
    (source / "conf.py").write_text(CONF, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-Q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return source


def test_no_script_runs_and_the_name_is_text(page, chrome):
    context = chrome.new_context(offline=True)
    opened = context.new_page()
    opened.goto((page / "html" / "index.html").as_uri())
    assert opened.evaluate("window.ran") is None
    assert opened.locator("img[src=x], [href^=javascript]").count() == 0
    article = opened.locator("article.bd-article")
    assert NAME[:32] in article.inner_text()
    assert "window.ran=1</script>" in article.inner_text()
    assert article.locator("strong", has_text=re.compile("^bold$")).count() == 0
    context.close()
    plain = as_plain_html(page / "index.ipynb")
    assert all(image["src"].startswith("data:") for image in plain.find_all("img"))
    assert not [script for script in plain.find_all("script") if "ran" in script.text]


def test_figures_draw_a_name_as_it_is(page):
    """matplotlib would read what stands between dollars, and fail at what it does not know."""
    assert r"$\frac{x}{y}$" in (page / "your-data.svg").read_text("utf-8")


def test_nothing_that_is_made_holds_a_value(page):
    """Not in a cell, a table or a figure; nor an exact answer on all of them."""
    shown = str([cell.get("outputs", []) for cell in cells("index", page)])
    figure = (page / "your-data.svg").read_text("utf-8")
    written = re.findall(
        r"(?<![\d.])\d[\d,]*\.?\d*", shown + "".join(re.findall("<!--.*-->", figure))
    )
    numbers = np.array([float(number.replace(",", "")) for number in written])
    exact = [*VALUES, *np.quantile(VALUES, [0.25, 0.5, 0.75]), VALUES.mean(), VALUES.sum()]
    assert not [value for value in exact if np.isclose(numbers, value, rtol=1e-4, atol=0).any()]


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
    asked |= {"figures_folder": str(tmp_path)}
    in_process.execute_notebook(NOTEBOOK, tmp_path / "out.ipynb", asked)
    reads_as_plain_html(tmp_path / "out.ipynb")
    assert status in str([cell.get("outputs", []) for cell in cells("out", tmp_path)])


def test_the_command_is_on_the_file_of_the_book(book):
    """As it is typed in a clone."""
    shown = (build.ROOT / "book" / "api.md").read_text("utf-8")
    (typed,) = {*re.findall(r"dpchoose epsilon (\S+) ", shown)} - {"...", "--records", "stays.csv"}
    assert (build.ROOT / typed).samefile(dp.datasets.HEALTH)
