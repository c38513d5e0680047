"""Chapters that are written as documents: prose is Markdown, and nothing is removed."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from dpbook import build, chapter, holds
from dpbook.chapter import NOTEBOOKS, ROOT
from test_notebooks import SOURCES
from test_plain import cells, every_notebook, is_plain

FOLDED = {"hide-input", "hide-cell"}


def code(slug):
    return [cell for cell in cells(slug) if cell.cell_type == "code"]


def tags(cell):
    return {*cell.metadata.get("tags", [])}


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def is_check(cell):
    """Whether a cell is of the check at the foot."""
    return "chapter.holds(" in cell.source


@every_notebook
def test_nothing_is_removed_and_enough_is_seen(slug):
    body = [cell for cell in code(slug) if not is_check(cell)]
    assert not [cell for cell in code(slug) if tags(cell) & {"remove-cell", "remove-input"}]
    assert not {"remove-output", "hide-output"} & set().union(*map(tags, body))
    seen = sum(len(lines(cell)) for cell in body if not tags(cell) & FOLDED)
    least = 0.4 if slug in SOURCES else 0.3
    assert seen >= least * sum(len(lines(cell)) for cell in body)


@every_notebook
def test_a_cell_is_short(slug):
    """Its cells and its lines."""
    assert len(code(slug)) <= 25
    for cell in code(slug):
        assert len(cell.source.splitlines()) <= 40, cell.source
        assert max(map(len, cell.source.splitlines())) <= 88, cell.source


@pytest.mark.parametrize("slug", [slug for slug in build.slugs() if not is_plain(slug)])
def test_each_number_of_the_prose_is_held(slug):
    """Of a plain chapter, test_numbers holds them."""
    text = holds.prose((NOTEBOOKS / f"{slug}.md").read_text("utf-8"))
    assert holds.unheld(text, holds.keys([cell.source for cell in code(slug)]).get("", [])) == []


@every_notebook
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
    """Markdown is made for the captions, the table of the check and the lines to run it again."""
    for cell in cells(slug, build.EXECUTED):
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}) and "caption" not in output.metadata:
                assert output.data["text/markdown"].startswith("<details>")


def test_an_unknown_parameter_is_refused_by_its_name():
    """Papermill lets it through, in a cell of its own."""
    parameters = chapter.published_parameters()["your-data"]
    cell = "# Parameters\nrisk = 0.4\ncolumns = 0.5\n"
    with pytest.raises(ValueError, match=r"^columns must be one of csv, column, [^\n]*$"):
        chapter.Chapter.open("your-data", parameters | {"In": ["", cell]})


TEXT = holds.prose("It is 25%, at most 68.3% and over 1.46, of 7/3 in 12 cases: $b = a/30 = 0.67$.")


@pytest.mark.parametrize(
    ("phrase", "values"),
    [
        ("25%", 0.254),
        ("at most 68.3%", 0.6822),
        ("over 1.46", 1.4699),
        ("25%, at most 68.3% and over 1.46", [0.25, 0.683, 1.46]),
        ("of 7/3 in 12", [7 / 3, 12]),
        ("$b = a/30 = 0.67$", 2 / 3),
    ],
)
def test_a_number_that_is_held_is_what_its_value_rounds_to(phrase, values):
    assert holds.differences(phrase, values, TEXT) == []


@pytest.mark.parametrize(
    ("phrase", "values"),
    [
        ("25%", 0.256),
        ("at most 68.3%", 0.6831),
        ("over 1.46", 1.459),
        ("of 7/3", 2.33),
        ("in 12 cases", [12, 1]),
        ("in 1", 1),
        ("in 13 cases", 13),
        ("cases", []),
    ],
)
def test_a_number_that_differs_and_a_phrase_that_is_not_there_are_found(phrase, values):
    assert len(holds.differences(phrase, values, TEXT)) == 1


def test_a_chapter_fails_where_its_numbers_do_not_hold(monkeypatch):
    published = chapter.Chapter("published", "", ROOT)
    with pytest.raises(AssertionError, match=r"'1/3 by less than 0.0001': 1/3 is 0.34"):
        published.holds(lambda: {"1/3 by less than 0.0001": [0.34, 1e-4]})
    with pytest.raises(AssertionError, match=r"'no such words' is not in the text"):
        published.holds(dict, given=["no such words"])
    chapter.Chapter("published", "risk is 0.4", ROOT).holds(lambda: 1 / 0)
