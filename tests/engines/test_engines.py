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


def test_a_walk_from_a_file_to_the_sheet_says_what_the_command_says(engine, book, tmp_path):
    (tmp_path / "stays.csv").write_text(STAYS, "utf-8")
    engine.open(f"{book}/{TOOL}")
    engine.wait("return !document.querySelector('.explorer form').hidden")
    engine.type(part("file"), str(tmp_path / "stays.csv"))
    engine.wait("return !document.querySelector('[data-part=card]').hidden")
    engine.click(part("everybody"))
    done(engine)
    engine.run(SET, '[data-name="column-0"]', "stay")
    go_on(engine, "what")
    for end, value in enumerate(("0", "60")):
        engine.run(SET, f'[data-limit="stay"][data-end="{end}"]', value)
    go_on(engine, "limits")
    engine.wait(f"return !document.querySelector('{part('answer')}').hidden")
    done(engine)
    engine.click(part("paper"))
    said = engine.run(PARAGRAPHS)
    command = shlex.split(engine.run(TEXT, part("command")))
    out = io.StringIO()
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(out):
        assert main([*command[1:], "--format", "json"]) == 0
    sentences = json.loads(out.getvalue())["sentences"]
    assert sentences
    assert [sentence for sentence in sentences if sentence not in said] == []


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
