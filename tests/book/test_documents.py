"""Chapters that are written as documents: prose is Markdown, and nothing is removed."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from dpbook import build, ours
from dpbook.places import NOTEBOOKS
from test_plain import cells, every_notebook

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
