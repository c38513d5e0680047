"""Every plain chapter takes a reader's own numbers, or stops at once and says why.

A case is for each chapter that has its parameters, so a chapter is tested as soon as it is plain.
Where a chapter has ``column`` in place of ``columns``, it gets the last of them.
"""

import re
import shlex
import time
import traceback
import warnings

import pandas as pd
import pytest
import yaml
from dpbook.places import NOTEBOOKS
from hypothesis import settings
from matplotlib.text import Text
from moving import parameters
from test_numbers import ran
from test_plain import PLAIN

import dpchoose as dp

CHAPTERS = [slug for slug in PLAIN if len(parameters(slug)) > 1]  # one is the figures' folder
SALARIES = {"salary": [12, 19, 25, 60]}
VISITS = {"visits": dp.datasets.health()["visits"].tolist()}
STORY = re.compile(r"Chris|Kelly|\bPat\b|Terry|pupil|school|absence|secretary|\bdays?\b", re.I)

ASIDE = {"exponential-mechanism": "Terry"}  # a vote, whoever's the numbers are

ELSEWHERE = {  # pictures of other records
    "global-sensitivity",
    "global-sensitivity-vehicle",
    "local-sensitivity",
}

MANY = {"universe": VISITS}
FEW = {"one-person", "several-answers"}  # refuse so many: too many choices; a median tells nothing
SLOW = {"release"}  # tries each output in each world, for half a minute

DRAWS = [  # numbers that every chapter takes
    {"universe": SALARIES},
    {"csv": "mine.csv", "columns": ["salary"]},
    {"csv": "mine.csv"},
    {"universe": {"pay ($)": [5, 5, 7, 7]}},
    {"universe": {"a": [-2.5, -1, 0, 4]}},
    {"universe": {"a": [1, 2]}, "risk": 0.7},
    {"universe": {"name": [*"abcdefghijkl"], "a": [i * i % 17 for i in range(12)]}},
    {"universe": {f"c{i}": [*range(i, i + 12)] for i in range(10)}},
    MANY,
    {"universe": SALARIES, "risk": "2/5"},
    {"universe": SALARIES, "risk": 0.4},
    {"universe": SALARIES, "query": "var"},
    {"p": 0.05, "first_head": 0.3, "sizes": [50, 10000]},
    {"p": 0.999, "first_head": 0, "sizes": [1, 20, 20, 30, 40], "runs": 1},
    {"counts": {"cat": 12, "dog": 9, "fish": 2}, "unit": 1, "tried": [1]},
    {"counts": {"cat": 7, "dog": 7}, "tried": [9, 8, 7, 6, 5], "epsilon": 30},
    {"values": [12, 19, 25, 31, 60], "limits": [10, 70], "few": []},
    {"values": [5, 5], "factor": 1.5},
    {"values": [-2, -1.5], "limits": [-3, 0], "few": [1, 1, 1, 1]},
    {"values": [*range(5912)]},
    {"universe": VISITS, "distances": [1, 2]},
    {"universe": SALARIES, "release_size": 2},
    {"by_hand": [4, 4, 4, 4]},
    {"by_hand": [-5, -3, 2, 800, 3]},
    {"fleet": 1},
    {"universe": SALARIES, "released": [0, 2]},
    {"rho": 0.5, "stated_epsilon": 6.8, "factor": 10},
]
IS_LONG = settings.default.max_examples > 100  # else half of the chapters draw what many take
EQUAL = {"universe": {"a": [5, 5, 5, 5]}}  # which some chapters can draw
STOPS = [
    EQUAL,
    MANY,
    {"universe": {"a": [12]}},
    {"universe": {"a": ["low", "middle", "high"]}},
    {"universe": {"a": [1, 2]}, "risk": "1/3"},
    {"universe": SALARIES, "risk": 0.001},
    {"universe": SALARIES, "risk": 1.2},
    {"columns": ["salery"]},
    {"csv": "mine.csv", "columns": ["salery"]},
    {"universe": SALARIES, "query": "men"},
    {"universe": SALARIES, "release_size": 4},
    {"universe": SALARIES, "released": [0, 4]},
    {"p": 0},
    {"first_head": 1},
    {"respondents": 1e4},
    {"counts": {"cat": "many"}},
    {"values": ["a", "b"]},
    {"group": "unwell"},
    {"limits": [30, 0]},
    {"draws": 1e3},
    {"factor": 1},
    {"rho": 0},
    {"distances": [7]},
    {"hand_size": 4},
    {"by_hand": [1, 2, 3, 10], "epsilon": 0},
]


def told(slug, case):
    """A case as a chapter is told it; None where the chapter has no such parameters."""
    known, given = parameters(slug), dict(case)
    if "columns" in given and "column" in known:
        given["column"] = given.pop("columns")[-1]
    named = known.get("column", known.get("columns"))  # of the file that it has
    fits = given.keys() <= known.keys() and not ("csv" in given and len(given) == 1 and named)
    return given if fits else None


def every(cases):
    """Each case of each plain chapter that has its parameters; see IS_LONG."""
    many = FEW if cases is STOPS else {*CHAPTERS} - FEW - SLOW
    found = [
        [(slug, told(slug, case)) for slug in CHAPTERS if case is not MANY or slug in many]
        for case in cases
    ]
    return [
        pytest.param(slug, given, id=f"{slug}-{str(given)[:50]}")
        for number, takers in enumerate(found)
        for place, (slug, given) in enumerate(takers)
        if given
        and (
            IS_LONG
            or cases is STOPS
            or sum(map(bool, dict(takers).values())) < 6
            or (place + number) % 2
        )
    ]


def typed(slug):
    """The parameters in each line for papermill at the end of a chapter."""
    text = (NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    for line in re.findall(rf"^papermill notebooks/{slug}\.ipynb \w+\.ipynb (.+)$", text, re.M):
        given, words = {}, iter(shlex.split(line, comments=True))
        for flag in words:
            if flag == "-y":
                given |= yaml.safe_load(next(words))
            elif flag == "-p":
                name = next(words)
                given[name] = yaml.safe_load(next(words))
            else:
                raise ValueError(line)
        yield given


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a reader's file lies, with a column of words."""
    frame = pd.DataFrame(SALARIES | {"ward": [*"nsns"], "age": [31, 40, 52, 64]})
    frame.to_csv(tmp_path / "mine.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(shown, figures):
    """All that the outputs of a run say."""
    for value in shown:
        value = getattr(value, "data", value)  # of a Styler its table
        yield value.to_string() if hasattr(value, "to_string") else str(value)
    for figure in figures:
        yield from (text.get_text() for text in figure.findobj(Text) if text.get_visible())


@pytest.mark.parametrize("slug", CHAPTERS)
def test_a_plain_chapter_ends_with_lines_for_a_readers_own_numbers(slug, folder):
    """Which papermill takes as they stand, and the chapter as well."""
    lines = list(typed(slug))
    assert lines
    for given in lines:
        ran(slug, given)


@pytest.mark.hypothesis
@pytest.mark.parametrize(("slug", "given"), every(DRAWS))
def test_a_plain_chapter_draws_a_readers_own_numbers(slug, given, folder, capsys):
    """Without a nan, in at most four panels a row, and with no word of the story."""
    said, rows = [], []

    def look(shown, figures):
        for figure in figures:
            figure.canvas.draw()
            rows.extend(axes.get_subplotspec() for axes in figure.axes)
        said.extend(texts(shown, figures))

    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ran(slug, given, look)
    said.append(capsys.readouterr().out)
    assert not re.search(r"\bnan\b", "\n".join(said), re.I)
    assert max(spec.get_gridspec().ncols for spec in rows if spec) <= 4
    if not {"universe", "csv"}.isdisjoint(given):
        beside = str({name: of for name, of in parameters(slug).items() if name not in given})
        beside += ASIDE.get(slug, "")
        assert {word for text in said for word in STORY.findall(text)} <= {*STORY.findall(beside)}


@pytest.mark.parametrize(("slug", "given"), every(STOPS))
@pytest.mark.filterwarnings("error::RuntimeWarning", "ignore::UserWarning")
def test_what_a_chapter_cannot_draw_stops_it_within_a_second(slug, given, folder):
    """By a refusal of the package, or by that of pandas for a name or a word."""
    began, refusal = time.process_time(), None
    try:
        ran(slug, given)
    except (ValueError, TypeError, KeyError) as error:
        refusal = error
    assert time.process_time() - began < 1
    assert refusal or given == EQUAL
    if refusal:
        theirs = "dpchoose" if isinstance(refusal, TypeError) else "dpchoose|pandas"
        raised = traceback.extract_tb(refusal.__traceback__)[-1].filename
        assert re.search(rf"\b({theirs})/[\w/]+\.pyx?$", raised), refusal


@pytest.mark.parametrize(
    ("slug", "name"),
    [(s, name) for s in CHAPTERS for name in ("release_size", "released") if name in parameters(s)],
)
def test_every_picture_follows_what_is_released(slug, name, tmp_path):
    """Another list changes the bytes of each."""
    default, drawn = parameters(slug)[name], []
    for value in (default, [0, 2, 3] if name == "released" else 4):
        folder = tmp_path / str(value)
        ran(slug, {name: value, "figures_folder": str(folder)})
        drawn.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert drawn[0].keys() == drawn[1].keys()
    same = {figure for figure, content in drawn[0].items() if drawn[1][figure] == content}
    assert same <= {f"{figure}.svg" for figure in ELSEWHERE}
