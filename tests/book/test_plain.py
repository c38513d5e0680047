"""A notebook reads as a notebook: there is nothing in it that a reader stumbles on."""

import copy
import functools
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbconvert
import nbformat
import pytest
from bs4 import BeautifulSoup
from dpbook import build, ours
from dpbook.places import FIGURES, NOTEBOOKS, ROOT

STUMBLED = re.compile(
    r"""\{[a-z:]+\}`|\{[a-z:]+\}\s*$  # a role, a directive
    |:::|^\([a-z-]+\)=                # a fence, a label
    |\b(undefined|nan|NaN|None|Traceback)\b|<IPython|<Figure  # no value
    |\{[a-z_]\w*(:[^}\s]*)?\}(?!\$)
    """,
    re.MULTILINE | re.VERBOSE,
)
LINK = re.compile(r"\]\(([^)\s]+)\)")

every_notebook = pytest.mark.parametrize("slug", build.slugs())


def cells(slug, folder=None):
    """Those of a chapter; of the executed one where its folder is named."""
    return nbformat.read((folder or NOTEBOOKS) / f"{slug}.ipynb", as_version=4).cells


def sources(slug):
    """The code of a chapter."""
    return "\n".join(cell.source for cell in cells(slug) if cell.cell_type == "code")


def said(slug):
    """The Markdown of a chapter that has been run, and of what its cells say."""
    for cell in cells(slug, build.EXECUTED):
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", []):
            yield output.get("data", {}).get("text/markdown", "")


def drawn(slug):
    """The figures that a chapter shows when it has been run, as MyST-NB takes them."""
    return [
        cell.metadata["mystnb"]
        for cell in cells(slug, build.EXECUTED)
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]


def is_plain(slug):
    """Whether a chapter imports the package alone, and not the kit."""
    return "dpbook" not in sources(slug)


PLAIN = [slug for slug in build.slugs() if is_plain(slug)]


def anchors(path):
    """What a link to a file of the repository may end in."""
    text, figures = path.read_text("utf-8"), set()
    if path.suffix == ".bib":
        return set(re.findall(r"^@\w+\{(\w+),", text, re.M))
    if path.suffix == ".ipynb":
        text = "\n".join(c.source for c in cells(path.stem) if c.cell_type == "markdown")
        figures = {f"fig-{figure.stem}" for figure in FIGURES.glob(f"{path.stem}*.svg")}
    slugs = (re.sub(r"[^\w -]", "", h.lower()) for h in re.findall(r"^#+ (.*)", text, flags=re.M))
    headings = {slug.replace(" ", "-") for slug in slugs}
    return headings | {*re.findall(r'<a id="(\S+)">', text)} | figures


@functools.cache
def as_plain_html(path):
    """What nbconvert makes of an executed notebook."""
    exporter = nbconvert.HTMLExporter(exclude_input=True, template_name="basic")
    return BeautifulSoup(exporter.from_filename(str(path))[0], "html.parser")


def reads_as_plain_html(path):
    """It has no hole there, and nothing for a machine."""
    page = copy.copy(as_plain_html(path))
    for formula_or_code in page.find_all(["style", "script", "code", "pre"]):
        formula_or_code.clear()
    text = re.sub(r"\$+[^$]+\$+", "", page.get_text())
    assert [found[0] for found in STUMBLED.finditer(text)] == []
    drawn = ("data:", "../figures/")  # by the notebook, or by another one
    assert all(image["src"].startswith(drawn) for image in page.find_all("img"))
    assert len(page.find_all("details")) == len(page.find_all("summary")) >= 2


@every_notebook
def test_a_notebook_as_plain_html_reads(book, slug):
    reads_as_plain_html(build.EXECUTED / f"{slug}.ipynb")


@every_notebook
def test_what_a_notebook_says_is_plain_markdown(book, slug):
    formula_or_default = r"\$[^$]+\$|`None`"  # an empty parameter, in the table of them
    text = "\n".join(re.sub(formula_or_default, "", part) for part in said(slug))
    assert [stumbled[0] for stumbled in STUMBLED.finditer(text)] == []


@every_notebook
def test_each_link_leads_somewhere(book, slug):
    for link in {link for text in said(slug) for link in LINK.findall(text)}:
        if not link.startswith("https://"):
            name, _, anchor = link.partition("#")
            path = (NOTEBOOKS / (name or f"{slug}.ipynb")).resolve()
            assert path.is_relative_to(ROOT)
            assert not anchor or anchor in anchors(path), link


@every_notebook
def test_each_figure_has_its_caption_and_a_text_for_who_does_not_see_it(book, slug):
    figures = drawn(slug)
    assert len(figures) >= sources(slug).count(".savefig(")  # a loop saves several
    assert all(figure["figure"]["caption"].strip() for figure in figures)
    assert all(figure["image"]["alt"].endswith(".") for figure in figures)
    shown = (
        as_plain_html(build.EXECUTED / f"{slug}.ipynb").find_all("img") if is_plain(slug) else []
    )
    assert [image["alt"] for image in shown] == [f["image"]["alt"] for f in figures][: len(shown)]


# -- its code: nothing is removed, and what is seen runs

FOLDED = {"hide-input", "hide-cell"}


def code(slug):
    return [cell for cell in cells(slug) if cell.cell_type == "code"]


def tags(cell):
    return {*cell.metadata.get("tags", [])}


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


@every_notebook
def test_nothing_is_removed_and_enough_is_seen(slug):
    removed = {"remove-cell", "remove-input", "remove-output", "hide-output"}
    assert not removed & set().union(*map(tags, code(slug)))
    seen = sum(len(lines(cell)) for cell in code(slug) if not tags(cell) & FOLDED)
    least = 0.4 if slug in ours.CHAPTERS else 0.3
    assert seen >= least * sum(len(lines(cell)) for cell in code(slug))


@every_notebook
def test_a_cell_is_short(slug):
    """Its cells and its lines."""
    assert len(code(slug)) <= 25
    for cell in code(slug):
        assert len(cell.source.splitlines()) <= 40, cell.source
        assert max(map(len, cell.source.splitlines())) <= 88, cell.source


def folds(slug):
    """Whether a chapter folds code that something seen comes after; its run shows the rest."""
    folded = [bool(tags(cell) & FOLDED and "parameters" not in tags(cell)) for cell in code(slug)]
    return folded != sorted(folded)


@pytest.mark.parametrize("slug", [*filter(folds, build.slugs())])
def test_code_that_is_seen_runs_in_its_order_without_what_is_folded(slug, monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)
    namespace = {}
    with mpl.rc_context():
        for cell in code(slug):
            if not tags(cell) & FOLDED or "parameters" in tags(cell):
                exec(cell.source, namespace)
    plt.close("all")


@every_notebook
def test_no_sentence_stands_in_an_output(book, slug):
    """Markdown is made for the ledger alone."""
    for cell in cells(slug, build.EXECUTED):
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                assert output.data["text/markdown"].startswith("<details>")
