"""The built page that takes a file, and hands and eyes for it."""

import contextlib
import io
import json
import math
import shlex

import pytest
from playwright.sync_api import expect

from dpchoose.__main__ import main

CHAPTER = "book/your-file.html"
PATIENCE = 120_000  # milliseconds, on a machine that has much to do
expect.set_options(timeout=PATIENCE)
READY = "() => !document.querySelector('.explorer').hasAttribute('data-busy')"
HOSTILE = "<img src=x onerror=alert(1)>", "<!--<script>", "%FIRST%", "$x$", 'it\'s `a` \\ "b" $(c)'


def part(page, name):
    return page.locator(f"[data-part={name}]")


def field(page, name):
    return page.locator(f".explorer [name={name}]")


def step(page, name):
    return page.locator(f"[data-step={name}]")


def opened_step(page):
    """The step that is open."""
    return page.evaluate(
        "[...document.querySelectorAll('.x-step')].find(step => !step.hidden"
        " && !step.classList.contains('x-done')).dataset.step"
    )


def written(folder, name, table, **how):
    table.to_csv(folder / name, index=False, **how)
    return folder / name


def take(page, path):
    """Pick a file, and wait for what follows from it."""
    part(page, "file").set_input_files(path)
    page.wait_for_function(READY)


def take_own(page):
    """Take the clinic's file, after whatever is there."""
    change(page, "file")
    part(page, "own").click()
    page.wait_for_function(READY)


def dropped(page, *paths):
    """What a hand does: these are dragged over the field and let go."""
    hand = page.context.new_cdp_session(page)
    part(page, "drop").scroll_into_view_if_needed()
    box = part(page, "drop").bounding_box()
    held = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": box["x"] + 40, "y": box["y"] + 10}
        hand.send("Input.dispatchDragEvent", {"type": kind, **at, "data": held})
    page.wait_for_function(f"() => ({READY})() && document.querySelector('.x-over') === null")


def click(page, name):
    page.get_by_role("button", name=name).locator("visible=true").first.click()
    page.wait_for_function(READY)


def change(page, name):
    """Open a step that is done, if it is not open."""
    if opened_step(page) == "file" != name:
        part(page, "everybody").click()
        page.wait_for_function(READY)
    if opened_step(page) != name:
        step(page, name).locator(".x-change").click()


def persons(page, column=None, rows=None):
    """Say that a person may have several rows, whose they are, and how many."""
    several = page.locator("[data-whose=several]")
    if several.get_attribute("aria-pressed") != "true":
        several.click()
    if column:
        field(page, "person").select_option(column)
    if rows:
        field(page, "perPerson").fill(rows)


def go_on(page):
    """To the next step; where nothing is said of persons, each row is another one's."""
    row, now = page.locator("[data-whose=row]"), opened_step(page)
    if now == "what" and page.locator("[data-whose][aria-pressed=true]").count() == 0:
        row.click()
    step(page, now).locator(".x-next").click()
    page.wait_for_function(READY)


def choose(page, query, column, *, value=None, place=0):
    """Edit an answer in the third step, as a hand does."""
    name = f"Answer {place + 1}: " if place else ""
    page.get_by_label(f"{name}what", exact=True).select_option(label=query)
    if column:
        page.get_by_label(f"{name}column", exact=True).select_option(column)
    if value:
        page.get_by_label(f"{name}value", exact=True).select_option(value)


def limit(page, column, low, high):
    for end, text in (("Lowest", low), ("Highest", high)):
        page.get_by_label(f"{end} {column}", exact=True).fill(text)
        page.keyboard.press("Tab")


def asks(page, query, column, *, value=None, limits=None, by=None):
    """A question, step by step to the promise."""
    change(page, "what")
    choose(page, query, column, value=value)
    if by:
        more(page)
        page.get_by_label("An answer for each").select_option(by)
    go_on(page)
    if limits:
        change(page, "limits")
        limit(page, column, *limits)
        go_on(page)


def more(page):
    part(page, "more").evaluate("details => { details.open = true; }")


def set_goal(page, goal, value, before=None):
    field(page, "goal").select_option(label=goal)
    if before:
        field(page, "before").fill(before)
    field(page, "value").fill(value)
    page.keyboard.press("Tab")
    page.wait_for_function(READY)


def show_cut(page):
    """What the limits cut; the browser tells the page that the fold is open, some time later."""
    part(page, "cut").locator("summary").click()
    expect(part(page, "cuts")).not_to_be_empty()
    return part(page, "cuts").inner_text()


def show_sheet(page):
    part(page, "paper").click()
    return part(page, "sheet").inner_text()


def command(page):
    return part(page, "command").text_content()


def agrees(page, folder):
    """What the command on the page says, run beside the file, is what the sheet shows."""
    assert part(page, "refused").text_content() == ""
    *make, line = map(shlex.split, command(page).splitlines())
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        for _, _, program in make:
            exec(program, {})
        assert main([*line[1:], "--format", "json"]) == 0, line
    report = json.loads(out.getvalue())
    part(page, "paper").click()
    sheet = part(page, "sheet")
    paragraphs = [" ".join(text.split()) for text in sheet.locator("p").all_inner_texts()]
    assert [text for text in report["sentences"] if text not in paragraphs] == []
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    _, noise, readers = (
        table.locator("tr").evaluate_all(cells)[1:] for table in sheet.locator("table").all()
    )
    rows = [row for row in report["answers"] if row["scale"] is not None]
    for (_, scale, error, *_), row in zip(noise, rows, strict=False):  # a mean may be computed
        unit = 10.0 ** (math.floor(math.log10(row["scale"])) - 3)
        assert row["scale"] <= float(scale) <= row["scale"] * (1 + 1e-6) + 1.001 * unit
        assert float(error) == row["error"]
    for (_, _, shown), row in zip(readers, report["readers"], strict=True):
        if row["factor"] is None or row["factor"] > 1e6:
            assert shown in ("without limit", "x over a million")
        else:
            assert float(shown.strip("x ")) == pytest.approx(row["factor"], rel=0.01)
    return report
