"""A page with the form alone, and hands and eyes for it."""

import functools
import http.server
import subprocess
import sys
import threading

import pytest
import stage
from dpbook.build import ROOT

ANCHOR = '<a id="your-file">'
ASSETS = ROOT / "book" / "_assets"
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "book" / "_ext")!r})
extensions = ["myst_parser", "explorer"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(ASSETS)!r}]
html_css_files = ["dpchoose.css"]
html_favicon = {str(ROOT / "book" / "favicon.svg")!r}
html_theme_options = {{"use_download_button": False, "use_fullscreen_button": False}}
html_context = {{"default_mode": "auto"}}
"""
READY = "() => !document.querySelector('.explorer').hasAttribute('data-busy')"
HOSTILE = "<img src=x onerror=alert(1)>", "<!--<script>", "%FIRST%", "$x$", 'it\'s `a` \\ "b" $(c)'


PAGE = f"# A page\n\n{ANCHOR}</a>Here it stands.\n"


def build(source):
    """The form on a page of its own, without the rest of the book."""
    (source / "conf.py").write_text(CONF, "utf-8")
    (source / "index.md").write_text(PAGE, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="session")
def explorer_site(tmp_path_factory):
    return stage.once(tmp_path_factory, "explorer", build) / "html"


@pytest.fixture
def explore(chrome, explorer_site):
    """Open the page, in a context of its own; no error may occur there."""
    errors, contexts = [], []

    def opened(*, width=1280, address=None, **how):
        context = chrome.new_context(viewport={"width": width, "height": 900}, **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(address or (explorer_site / "index.html").as_uri())
        if how.get("java_script_enabled", True):
            page.wait_for_function(READY)
        page.errors = errors
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="session")
def served_explorer(explorer_site):
    """The page on a port of this machine alone, and what was asked of it."""
    asked = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    handler = functools.partial(Quiet, directory=explorer_site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", asked
        served.shutdown()
        thread.join()


def part(page, name):
    return page.locator(f"[data-part={name}]")


def take(page, path):
    """Pick a file, and wait for what follows from it."""
    part(page, "file").set_input_files(path)
    page.wait_for_function(READY)


def dropped(page, *paths):
    """What a hand does: these are dragged over the field and let go."""
    hand = page.context.new_cdp_session(page)
    box = page.locator(".x-file").bounding_box()
    held = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": box["x"] + 40, "y": box["y"] + 10}
        hand.send("Input.dispatchDragEvent", {"type": kind, **at, "data": held})
    page.wait_for_function(f"() => ({READY})() && document.querySelector('.x-over') === null")


def click(page, name):
    page.get_by_role("button", name=name).click()
    page.wait_for_function(READY)


def sentences(page):
    return part(page, "sentences").locator("li").all_inner_texts()


def answer(page):
    """The sentence that is seen, with what stands in its fields."""
    return part(page, "sentence").inner_text() if part(page, "now").is_visible() else ""


def asks(page, query, column, *, who="Everybody", value=None, limits=None, place=0):
    """Edit an answer where it stands, as a hand does."""
    name = f"Answer {place + 1}: " if place else ""
    if not place:
        page.get_by_label(who).check()
    query, rank = ("percentile", query.partition("%")[0]) if "%" in query else (query, None)
    page.get_by_label(f"{name}what", exact=True).select_option(label=query)
    if rank:
        page.get_by_label(f"{name}percent below it", exact=True).fill(rank)
    page.get_by_label(f"{name}column", exact=True).select_option(column)
    if value:
        page.get_by_label(f"{name}value", exact=True).select_option(value)
    for end, limit in zip(("Lowest", "Highest"), limits or ()):
        page.get_by_label(f"{end} {column}", exact=True).fill(limit)
    page.keyboard.press("Tab")
    page.wait_for_function(READY)


def set_goal(page, goal, value, before=None):
    part(page, "goal").select_option(label=goal)
    if before:
        part(page, "before").fill(before)
    part(page, "value").fill(value)
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
