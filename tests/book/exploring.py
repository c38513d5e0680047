"""A page with the explorer alone, and hands and eyes for it: what it shows, and what it should."""

import contextlib
import functools
import http.server
import json
import math
import shlex
import shutil
import subprocess
import sys
import threading
from fractions import Fraction

import pytest
import stage
from dpbook.build import ROOT
from dpbook.chapter import NOTEBOOKS

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
READY = """() => !document.querySelector('[data-part=answer]').hasAttribute('aria-busy')"""
HOSTILE = "<img src=x onerror=alert(1)>", "<!--<script>", "%FIRST%", "$x$", 'it\'s `a` \\ "b" $(c)'
STATUS = {
    "ok": "The risk is kept",
    "exact": "Exact",
    "nothing left": "Nothing more",
    "cannot be met": "cannot be met",
}
WITHIN = 1e-6  # of the package's own scale, which has a margin of its own


def build(source):
    """The chapter down to its picture, without the rest of the book."""
    (source / "conf.py").write_text(CONF, "utf-8")
    (source / "figures").mkdir()
    shutil.copy(ROOT / "figures" / "explorer.svg", source / "figures")
    chapter = (NOTEBOOKS / "explorer.md").read_text("utf-8").partition("\n# ")[2]
    (source / "index.md").write_text(f"# {chapter.partition(chr(10) + '## ')[0]}", "utf-8")
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
        page.set_default_timeout(120_000)  # for the largest files, on a machine that has more to do
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


def change(page, name, value):
    control = part(page, name)
    if control.evaluate("control => control.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)
        control.press("Tab")
    page.wait_for_function(READY)


def click(page, name):
    page.get_by_role("button", name=name).click()
    page.wait_for_function(READY)


def rows(page, name):
    """The cells of a table, by row."""
    return (
        part(page, name)
        .locator("tbody tr")
        .evaluate_all("found => found.map(row => [...row.cells].map(cell => cell.textContent))")
    )


def seen(page):
    """The scale, the error and epsilon of each answer, and what both readers believe after."""
    noise = [row for row in rows(page, "noise") if row[0] != "ε of all together"]
    after = [row[1].partition(" → ")[2] for row in rows(page, "bars")]
    return [[row[1], row[2], row[-1]] for row in noise], after


def sentences(page):
    return part(page, "sentences").locator("li").all_inner_texts()


def lines(page):
    """The command line, and the lines of Python, that the page shows."""
    command, _, python = part(page, "command").text_content().partition("\n\n")
    return command, python


def up(said, value):
    """Whether a text is a scale or an error, rounded up to four digits."""
    if said in ("none", "0", "not met"):
        return value == 0 if said != "not met" else value is None or math.isnan(value)
    return value * (1 - WITHIN) <= float(said) <= value * 1.0011


def belief(said, value):
    """Whether a text is a probability, rounded up to a tenth of a per cent or finer."""
    text = Fraction(said[:-1]) / 100 if said.endswith("%") else Fraction(said)
    return value * (1 - WITHIN) <= text <= value + max(value, 0.01) / 10


def agrees(page, folder):
    """What the lines of Python on the page give, run beside the file, is what the page shows."""
    *first, last = lines(page)[1].splitlines()
    names = {}
    with contextlib.chdir(folder):
        exec("\n".join(first), names)
        found = eval(last, names)
    table, after = seen(page)
    kept = found.table.to_dict("records")
    assert all(up(said[0], one["noise scale"]) for said, one in zip(table, kept, strict=True))
    assert all(up(said[1], one["95% error"]) for said, one in zip(table, kept, strict=True))
    if found.status in ("ok", "exact"):
        assert all(belief(*pair) for pair in zip(after, found.readers["after"], strict=False))
    assert STATUS[found.status] in part(page, "status").inner_text()
    return found


def agrees_with_the_command(page, folder):
    """The same of the command on the page, run in a folder that has the file."""
    run = f"{shlex.quote(sys.executable)} -m dpchoose epsilon"
    command = lines(page)[0].replace("dpchoose epsilon", run)
    command = command.replace("python -c", f"{shlex.quote(sys.executable)} -c")
    made = subprocess.run(
        f"{command} --format json", shell=True, cwd=folder, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    answer = json.loads(made.stdout)
    for said, one in zip(seen(page)[0], answer["answers"], strict=True):
        assert up(said[0], one["scale"])
        assert up(said[1], one["error"])
    return answer


def ask(page, *statistics):
    """Put these statistics, each a query and a column, in the place of those that are asked."""
    while part(page, "asks").locator(".x-less:visible").count():
        part(page, "asks").locator(".x-less:visible").last.click()
        page.wait_for_function(READY)
    for place, (query, column) in enumerate(statistics, start=1):
        if place > 1:
            part(page, "add").click()
        name, _, rank = query.partition("_")
        page.get_by_label(f"Answer {place}: what").select_option(name)
        if rank:
            page.get_by_label(f"Answer {place}: percent below it").fill(rank)
            page.keyboard.press("Tab")
        if column is not None:
            page.get_by_label(f"Answer {place}: column").select_option(column)
    page.wait_for_function(READY)


def written(folder, name, table, **how):
    table.to_csv(folder / name, index=False, **how)
    return folder / name
