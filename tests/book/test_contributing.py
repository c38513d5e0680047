"""What CONTRIBUTING tells a stranger is there: the drawing, the paths, the three walks."""

import inspect
import re
import sys
import tomllib

import moving
import pytest
import test_figures
import test_notebooks
import test_numbers
import test_plain
import test_reproducing
from dpbook import build, published
from dpbook.places import FIGURES, NOTEBOOKS, ROOT

import dpchoose as dp

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
DRAWING = re.search(r"^```text\n(.*?)^```", TEXT, flags=re.M | re.S)[1]
PATH = re.compile(r"(?<![\w.>:/])(?:[\w.-]+/)+[\w.-]*")
NEW = {"tests/book/numbers/long-list.yaml", "notebooks/long-list.md"}  # made on the walk
NEW |= {"book/chapters/long-list", "bin/activate"}


def test_the_drawing_shows_rooms_that_are_there_in_the_order_in_which_they_import():
    row, *column = [line for line in DRAWING.splitlines() if line.strip("▼ ")]
    rooms = re.findall(r"\w+/", row)
    assert all((ROOT / room).is_dir() for room in rooms)
    assert rooms[-1] == "dpchoose/"
    floors = [line.split()[0] for line in column]
    assert all((ROOT / "dpchoose" / f"{one}.py".replace("/.py", "/")).exists() for one in floors)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    places = [layers.index(floor.strip("/").replace("/", ".")) for floor in floors]
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "README.md"])
def test_each_path_that_is_named_is_there(name):
    text = (ROOT / name).read_text("utf-8").replace(DRAWING, "")
    other = r"https?://\S+|notebooks/\*\S*|\.venv/\S*|'s/.*/g'|\b1/3\b"
    named = {path.rstrip(".") for path in PATH.findall(re.sub(other, "", text))} - NEW
    inside = (
        ROOT,
        ROOT / "dpchoose",
        ROOT / "dpchoose" / "your_data",
        ROOT / "book",
        ROOT / "tests",
    )
    assert len(named) > 5
    assert [path for path in named if not any((room / path).exists() for room in inside)] == []


@pytest.mark.parametrize("figure", published.document()["figures"], ids=lambda one: one["name"])
def test_behind_a_published_figure_stands_an_equation(figure):
    """In its chapter, before it is saved, a function is called that names one."""
    notebook = (NOTEBOOKS / f"{figure['chapter']}.md").read_text("utf-8")
    before, saved, _ = notebook.partition(f"}}/{figure['files'][0]}.svg")
    assert saved
    called = {name for name in re.findall(r"\bdp\.(\w+)", before) if name != "datasets"}
    labels = {label for name in called for label in labels_of(getattr(dp, name))}
    taught = "".join(path.read_text("utf-8") for path in NOTEBOOKS.glob("*.md"))
    assert [label for label in labels if f'<a id="{label}">' in taught]


def labels_of(named):
    """The labels of the equations in the docstring of a function, or of a class and its methods."""
    parts = [named, *vars(named).values()] if isinstance(named, type) else [named]
    return re.findall(r"eq-[\w-]+", " ".join(str(part.__doc__) for part in parts))


MODULES = (test_plain, test_notebooks, test_numbers, test_reproducing)
OF_CHAPTERS = {
    name: test
    for module in MODULES
    for name, test in vars(module).items()
    if any(mark.args[:1] == ("slug",) for mark in getattr(test, "pytestmark", []))
} | {"figure": lambda slug: test_figures.stands_out(FIGURES / f"{slug}.svg")}
del OF_CHAPTERS["test_each_number_that_is_held_is_what_the_code_computes"]  # it has none


def move(patch, places):
    """The chapters are elsewhere, to the build and to the tests."""
    for module in (build, moving, *MODULES, sys.modules[__name__]):
        for name in places.keys() & vars(module).keys():
            patch.setattr(module, name, places[name])


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A repository with the skeleton as a chapter, which has been run; the rest is this one's."""
    root = tmp_path_factory.mktemp("skeleton")
    found = {"NOTEBOOKS": root / "notebooks", "EXECUTED": root / "made", "FIGURES": root / "drawn"}
    for folder in found.values():
        folder.mkdir()
    (root / "book").symlink_to(ROOT / "book")
    for half in NOTEBOOKS.glob("posterior.*"):
        (root / "notebooks" / half.name).symlink_to(half)
    (root / "notebooks" / "skeleton.md").write_bytes((ROOT / "book" / "skeleton.md").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        move(patch, found)
        build.sync()
        build.run_chapter("skeleton")
    return found


@pytest.mark.parametrize("name", OF_CHAPTERS)
def test_the_skeleton_meets_what_every_chapter_meets(places, monkeypatch, request, name):
    move(monkeypatch, places)
    test, given = OF_CHAPTERS[name], {"slug": "skeleton", "book": None}
    for wanted in inspect.signature(test).parameters.keys() - given.keys():
        given[wanted] = request.getfixturevalue(wanted)
    test(**{wanted: given[wanted] for wanted in inspect.signature(test).parameters})
