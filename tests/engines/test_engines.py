"""The book in Firefox and in WebKit: `make engines`, before a version.

A walk of the tool from a file to the sheet, whose words and numbers are those of the command; a
picture that moves; formulas; a search. From a disk and over http, since from a disk WebKit gives
the page a file that no worker can read.
"""

import contextlib
import functools
import http.server
import io
import json
import shlex
import threading

import asking
import drivers
import pytest
from dpbook.places import BUILD

from dpchoose.__main__ import main

TOOL = "book/your-file.html"
READY = "return !document.querySelector('.explorer').hasAttribute('data-busy')"
STAYS = "ward,stay\n" + "".join(f"{'ns'[i % 2]},{i % 40}\n" for i in range(400))
SET = """
const [selector, value] = arguments, field = document.querySelector(selector);
field.value = value;
field.dispatchEvent(new Event("change", { bubbles: true }));
"""
TEXT = "return document.querySelector(arguments[0]).textContent"
PARAGRAPHS = """
return [...document.querySelectorAll("[data-part=sheet] p")].map(
    p => p.innerText.split(/\\s+/).join(" ").trim());
"""


ERRORS = """
const [, noise] = document.querySelectorAll("[data-part=sheet] table");
return [...noise.rows].slice(1).map(row => row.cells[2].textContent).filter(Boolean).map(Number);
"""
OPEN_NEXT = """
[...document.querySelectorAll(".x-step:not([hidden], .x-done) .x-next")].at(-1)?.click();
"""
WRONG = """
return [...document.querySelectorAll(".x-wrong, [data-part=doubts]")].map(
    place => place.textContent).join("");
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Plain files, without a line for each."""

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture(scope="module")
def served():
    """The address of the book on a port of this machine alone."""
    handler = functools.partial(Quiet, directory=BUILD / "html")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module", params=drivers.ENGINES)
def engine(request, tmp_path_factory):
    """A browser that is not Chromium."""
    with contextlib.ExitStack() as stack:
        folder = str(tmp_path_factory.mktemp(request.param))
        yield drivers.ENGINES[request.param](folder, stack)


@pytest.fixture(params=["disk", "http"])
def book(request, served):
    """Where the book is opened."""
    return served if request.param == "http" else (BUILD / "html").as_uri()


def done(engine):
    """The page has done what was asked of it."""
    engine.wait(READY)


def part(name):
    return f"[data-part={name}]"


def go_on(engine, step):
    engine.click(f"[data-step={step}] .x-next")
    done(engine)


def taken(engine, address, path):
    """The tool at an address, with a file of which everybody is part of the number."""
    engine.open(address)
    engine.wait("return !document.querySelector('.explorer form').hidden")
    engine.type(part("file"), str(path))
    engine.wait("return !document.querySelector('[data-part=card]').hidden")
    engine.click(part("everybody"))
    done(engine)


def told(options, folder):
    """What the command says beside the file: its report, or None where it refuses."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["epsilon", *options, "--format", "json"])
    return json.loads(out.getvalue()) if code == 0 else None


def agrees(engine, report):
    """Whether the sheet has each sentence and each error of the report."""
    engine.click(part("paper"))
    said, errors = engine.run(PARAGRAPHS), engine.run(ERRORS)
    shown = [sentence for sentence in report["sentences"] if sentence in said]
    return shown == report["sentences"] and errors == [
        row["error"] for row in report["answers"] if row["scale"] is not None
    ]


def test_a_walk_from_a_file_to_the_sheet_says_what_the_command_says(engine, book, tmp_path):
    (tmp_path / "stays.csv").write_text(STAYS, "utf-8")
    taken(engine, f"{book}/{TOOL}", tmp_path / "stays.csv")
    engine.run(SET, '[data-name="column-0"]', "stay")
    engine.click("[data-whose=row]")
    go_on(engine, "what")
    for end, value in enumerate(("0", "60")):
        engine.run(SET, f'[data-limit="stay"][data-end="{end}"]', value)
    go_on(engine, "limits")
    engine.wait(f"return !document.querySelector('{part('answer')}').hidden")
    done(engine)
    _, _, *options = shlex.split(engine.run(TEXT, part("command")))
    assert agrees(engine, told(options, tmp_path))


@pytest.mark.parametrize("name", asking.FILES)
def test_random_questions_are_answered_as_the_command_does_or_refused_by_both(
    engine, served, tmp_path, name
):
    """Seven of each of eight files; the question is the page's by its address."""
    path = asking.write(name, tmp_path)
    for number in range(7):
        question = asking.question(name, number)
        taken(engine, f"{served}/{TOOL}?{number}#{question.address()}", path)
        answered = engine.run(f"return !document.querySelector('{part('answer')}').hidden")
        report = told([path.name, *question.options()], tmp_path)
        assert answered == (report is not None), question
        if answered:
            assert agrees(engine, report), question
        else:
            engine.run(OPEN_NEXT)
            done(engine)
            assert engine.run(WRONG), question


def test_a_picture_moves(engine, book):
    engine.open(f"{book}/book/chapters/fig-2.html")
    handle = '[role="slider"][aria-label="Epsilon"]'
    value = f"return document.querySelector('{handle}')?.getAttribute('aria-valuetext')"
    before = engine.wait(value)
    engine.type(handle, "\ue014\ue014")  # the arrow to the right, twice
    assert engine.run(value) != before


def test_formulas_are_set_in_the_font_of_the_book(engine, book):
    engine.open(f"{book}/book/chapters/fig-2.html")
    fonts = """return document.fonts.status === "loaded" && [...document.fonts]
        .filter(f => f.status === "loaded").map(f => f.family.replaceAll('"', ""))"""
    assert {"KaTeX_Main", "KaTeX_Math"} <= {*engine.wait(fonts)}
    high = "return [...document.querySelectorAll('.katex-html')].map(f => f.offsetHeight)"
    assert min(engine.run(high)) > 5


def test_a_search_finds_the_median(engine, book):
    engine.open(f"{book}/search.html?q=median")
    found = "return document.querySelectorAll('#search-results li a').length"
    engine.wait("return /finished/.test(document.querySelector('.search-summary')?.innerText)")
    assert engine.run(found) >= 5
