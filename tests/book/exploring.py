"""A page with the explorer alone, and hands and eyes for it: what it shows, and what it should."""

import json
import math
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from dpbook.build import ROOT
from dpbook.chapter import NOTEBOOKS

from dpchoose.epsilon.sentences import chance
from dpchoose.epsilon.text import round_down, round_up

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


@pytest.fixture(scope="module")
def explorer_site(tmp_path_factory):
    """The chapter down to its picture, without the rest of the book."""
    source = tmp_path_factory.mktemp("explorer")
    (source / "conf.py").write_text(CONF, "utf-8")
    (source / "figures").mkdir()
    shutil.copy(ROOT / "figures" / "explorer.svg", source / "figures")
    chapter = (NOTEBOOKS / "explorer.md").read_text("utf-8").partition("\n# ")[2]
    top = chapter.partition("\n## ")[0]
    (source / "index.md").write_text(f"# {top}", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return source / "html"


@pytest.fixture(scope="module")
def explorer_chrome(playwright, chromium):
    launched = playwright.chromium.launch(**chromium)
    yield launched
    launched.close()


@pytest.fixture
def explore(explorer_chrome, explorer_site):
    """Open the page, in a context of its own; no error may occur there."""
    errors, contexts = [], []

    def opened(*, width=1280, address=None, **how):
        context = explorer_chrome.new_context(viewport={"width": width, "height": 900}, **how)
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


def part(page, name):
    return page.locator(f"[data-part={name}]")


def take(page, path):
    """Pick a file, and wait for what follows from it."""
    part(page, "file").set_input_files(path)
    page.wait_for_function(READY)


def change(page, name, value):
    control = part(page, name)
    if control.evaluate("control => control.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)
        control.press("Tab")
    page.wait_for_function(READY)


def rows(page, name):
    """The cells of a table, by row."""
    return (
        part(page, name)
        .locator("tbody tr")
        .evaluate_all("found => found.map(row => [...row.cells].map(cell => cell.textContent))")
    )


def shown(found):
    """What the page has to show of a recommendation, and the sentences."""
    table = [
        [scale(row["noise scale"]), error(row["half-width"]), down(row["epsilon"])]
        for row in found.table.to_dict("records")
    ]
    return table, found.sentences()


def as_learnt(page, found):
    """Whether each bar says what the package says, within 1e-9."""
    risks = found.risks.to_dict()
    names = sorted(
        risks, key=lambda name: name != found.facts.secret
    )  # what is promised comes first
    for name, (_, said, _) in zip(names, rows(page, "bars"), strict=True):
        near = [min(1.0, risks[name] * by) for by in (1 - 1e-9, 1, 1 + 1e-9)]
        if said not in ["not known" if math.isnan(one) else chance(one) for one in near]:
            return False
    return True


def alike(said, ours):
    """Whether texts have the same words, and numbers within 1e-9.

    A percentage is rounded up, so that one at its own digit may be a tenth more.
    """
    number = re.compile(r"(\d[\d,]*(?:\.\d+)?)(%)?")
    mine, theirs = "\n".join(said), "\n".join(ours)
    if number.sub("#", mine) != number.sub("#", theirs):
        return False
    pairs = zip(number.findall(mine), number.findall(theirs), strict=True)
    return all(
        math.isclose(*(float(text.replace(",", "")) for text in (a, b)), rel_tol=1e-9)
        or (percent and abs(float(a) - float(b)) <= 0.1 + 1e-9)
        for (a, percent), (b, _) in pairs
    )


def seen(page):
    """The same, off the page."""
    noise = [row for row in rows(page, "noise") if row[0] != "ε of all together"]
    table = [[row[1], row[2], row[-1]] for row in noise]
    return table, part(page, "sentences").locator("li").all_inner_texts()


def scale(value):
    return "none" if value == 0 else error(value)


def error(value):
    return "not met" if math.isnan(value) else "0" if value == 0 else round_up(value)


def down(value):
    return "not known" if math.isnan(value) else round_down(value)


def lines(page):
    """The command line, and the lines of Python, that the page shows."""
    command, _, python = part(page, "command").text_content().partition("\n\n")
    return command, python


def said_by_the_command_line(page, folder):
    """What the command on the page prints, run in a folder that has the file."""
    command = lines(page)[0].replace(
        "dpchoose epsilon", f"{shlex.quote(sys.executable)} -m dpchoose epsilon"
    )
    command = command.replace("python -c", f"{shlex.quote(sys.executable)} -c")
    command += " --format json"
    made = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    (answer,) = json.loads(made.stdout)
    return answer


def agrees_with_the_command_line(page, folder):
    answer = said_by_the_command_line(page, folder)
    table, sentences = seen(page)
    for row, one in zip(table, answer["statistics"], strict=True):
        assert alike(row[:2], [scale(one["noise scale"]), error(one["half-width"])])
    assert alike(sentences, answer["sentences"])
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
