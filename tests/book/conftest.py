"""The book, and a browser to open it with."""

import functools
import http.server
import os
import shutil
import subprocess
import threading

import pytest
import stage
from dpbook.build import ROOT
from exploring import CHAPTER, PATIENCE, READY

# The first is the engine without a window: a page opens in half the time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = [  # no services of its own, which would ask the network
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


@pytest.fixture(scope="session")
def make():
    """What a reader types, and not a part of the make that may run the tests."""

    def typed(*words, cwd=ROOT):
        own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        made = subprocess.run(["make", *words], cwd=cwd, env=own, capture_output=True, text=True)
        assert made.returncode == 0, made.stdout + made.stderr
        return made

    return typed


@pytest.fixture(scope="session")
def book(make):
    """The folder of the rendered book, built with the command that a reader uses."""
    return (ROOT / make("book").stdout.splitlines()[-1]).parent


@pytest.fixture(scope="session")
def chromium():
    """How to launch the system's own Chromium."""
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if executable is None:
        pytest.skip(f"needs one of {', '.join(CHROMIUM)} on the PATH: Debian's package is chromium")
    return {"executable_path": executable, "args": QUIET}


@pytest.fixture(scope="session")
def browser(playwright, chromium):
    """The one browser of a run, in the place of pytest-playwright's."""
    launched = playwright.chromium.launch(**chromium)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The pictures that move, each on a page of its own."""
    return stage.build(tmp_path_factory.mktemp("moving"))


@pytest.fixture
def opened(browser):
    """Open an address in a context of its own; no error may occur there."""
    errors, contexts = [], []

    def page(address, *, width=1280, before="", **how):
        context = browser.new_context(viewport={"width": width, "height": 900}, **how)
        contexts.append(context)
        context.add_init_script(before)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.errors = errors
        return page

    yield page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def visit(opened, site):
    """Open the page of a picture."""
    return lambda name, **how: opened((site / f"{name}.html").as_uri(), offline=True, **how)


@pytest.fixture
def explore(opened, book):
    """Open the page of the book that takes a file."""

    def page(*, address=None, **how):
        page = opened(address or (book / CHAPTER).as_uri(), **how)
        if how.get("java_script_enabled", True):
            page.wait_for_function(READY)
        return page

    return page


@pytest.fixture(scope="session")
def served_book(book):
    """The address of the book on a port of this machine alone, and what was asked of it."""
    asked = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    class Patient(http.server.ThreadingHTTPServer):
        def handle_error(self, *_):
            """The browser went to another page before it had all of this one."""

    handler = functools.partial(Quiet, directory=book)
    with Patient(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", asked
        served.shutdown()
        thread.join()
