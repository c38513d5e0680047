"""The page by hand: dragged by thumb, sent, printed, private, and for everyone."""

import contextlib
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from exploring import READY, answer, asks, click, part, sentences, set_goal, take
from stage import thumb

from dpchoose.__main__ import main


@pytest.fixture
def page(explore):
    return explore(offline=True)


def written(folder, name, table, **how):
    table.to_csv(folder / name, index=False, **how)
    return folder / name


def test_the_factor_is_dragged_by_thumb_and_stands_where_the_thumb_is(explore):
    page = explore(width=390, has_touch=True, is_mobile=True)
    slider = part(page, "slider")
    slider.scroll_into_view_if_needed()
    box, most = slider.bounding_box(), int(slider.get_attribute("max"))
    start, y = int(slider.input_value()) / most, box["y"] + box["height"] / 2
    shares = np.linspace(start, 0.9, 13)
    path = [(box["x"] + 14 + (box["width"] - 28) * at, y - 6 * i) for i, at in enumerate(shares)]
    assert thumb(page, path) == (["pointerup"], 0)
    page.wait_for_function(READY)
    assert int(slider.input_value()) / most == pytest.approx(0.9, abs=0.6 / most + 0.01)
    factor = part(page, "value").input_value()
    assert float(factor) > 20
    assert f"(factor {factor})" in sentences(page)[0]


def test_from_a_file_to_a_sentence_on_one_screen_of_a_telephone(explore, tmp_path):
    """Who is in the number, which column, two limits: then there is an answer, and not before."""
    page = explore(width=390, has_touch=True, is_mobile=True)
    stays = pd.DataFrame({"ward": ["a", "b"] * 40, "stay": range(80), "age": range(20, 100)})
    take(page, written(tmp_path, "stays.csv", stays))
    assert part(page, "todo").inner_text() == "Say who is in the number."
    assert not any(one.is_checked() for one in page.get_by_role("radio").all())
    page.get_by_label("Everybody in the file").tap()
    assert "Say which column" in part(page, "todo").inner_text()
    page.get_by_label("column", exact=True).select_option("stay")
    assert "gives its extremes away" in part(page, "todo").inner_text()
    for end, limit in (("Lowest", "0"), ("Highest", "90")):
        assert page.get_by_label(f"{end} stay").input_value() == ""
        assert part(page, "report").is_hidden()
        page.get_by_label(f"{end} stay").tap()
        page.keyboard.type(limit)
    page.keyboard.press("Enter")
    page.wait_for_function(READY)
    assert "1 may become 3, 10 become 25, 50 become 75" in answer(page)
    page.evaluate("document.querySelector('.x-now').scrollIntoView()")
    for name in ("sentence", "slider"):
        box = part(page, name).bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 844


def test_the_slider_is_moved_by_the_keyboard_and_the_answer_said_once(page):
    part(page, "slider").focus()
    page.evaluate("""() => {
        window.heard = [];
        const said = document.querySelector("[data-part=said]");
        const hear = () => said.textContent && heard.push(said.textContent);
        new MutationObserver(hear).observe(said, { childList: true });
    }""")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => heard.length > 0")
    page.wait_for_timeout(600)
    (said,) = page.evaluate("heard")
    factor = part(page, "value").input_value()
    assert part(page, "slider").get_attribute("aria-valuetext") == factor
    assert f"(factor {factor})" in said


def test_a_question_is_sent_in_the_address_and_nothing_of_the_file(explore, page, tmp_path):
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"ward": rng.choice(["n8341", "s"], 60), "wage": rng.integers(0, 99, 60)})
    take(page, written(tmp_path, "payroll_8341.csv", table))
    asks(page, "mean", "wage", limits=("0", "120"))
    part(page, "more").locator("summary").click()
    page.get_by_label("An answer for each").select_option("ward")
    set_goal(page, "Factor, at most", "2.5")
    click(page, "Link to this question")
    address = part(page, "address").input_value()
    assert "8341" not in address
    other = explore(address=address)
    assert part(other, "now").is_hidden()
    take(other, tmp_path / "payroll_8341.csv")
    assert sentences(other) == sentences(page)
    with other.expect_download() as sent:
        click(other, "Save as a picture")
    assert sent.value.path().read_bytes().startswith(b"\x89PNG")


def hidden_and_by_group(page, folder):
    part(page, "more").locator("summary").click()
    everything(page, folder)
    set_goal(page, "A suspicion may become", "30%", "5%")


def by_group(page, folder):
    take(page, folder / "far.csv")
    asks(page, "mean", "b", limits=("-2", "2,5"))
    part(page, "more").locator("summary").click()
    page.get_by_label("An answer for each").select_option("ward")
    page.wait_for_function(READY)


def known(page, goal, value, before=None):
    part(page, "own").select_option("3")
    page.wait_for_function(READY)
    set_goal(page, goal, value, before)


SHEETS = {
    "n is public": lambda page, _: None,
    "an error that is needed": lambda page, _: set_goal(page, "Error that I need, ±", "0.05"),
    "by group": by_group,
    "n is hidden, by group": hidden_and_by_group,
    "a known file": lambda page, _: known(page, "Risk for who suspects nobody", "1%"),
    "a suspicion": lambda page, _: known(page, "A suspicion may become", "30%", "5%"),
    "no noise": lambda page, _: known(page, "Risk for who suspects nobody", "100/101"),
}


@pytest.mark.parametrize("state", SHEETS)
def test_the_sheet_is_one_page_in_black_on_white_with_the_words_of_the_report(
    explore, state, tmp_path
):
    page = explore(color_scheme="dark")
    far_file(tmp_path)
    page.evaluate("() => { window.print = () => window.printed = document.documentElement; }")
    SHEETS[state](page, tmp_path)
    part(page, "print").click()
    assert page.evaluate("printed.dataset.theme") == "light"
    page.emulate_media(media="print")
    text = page.locator("body").inner_text()
    with contextlib.chdir(tmp_path):
        *make, command = map(shlex.split, part(page, "command").text_content().splitlines())
        for _, _, line in make:
            exec(line, {})
        assert main([*command[1:], "--report", "sheet.html"]) == 0
    report = BeautifulSoup((tmp_path / "sheet.html").read_text("utf-8"), "html.parser").body
    report.details.decompose()
    said = [" ".join(one.get_text().split()) for one in report.select("h1, h2, p, li, td, th")]
    shown = part(page, "sheet").locator("h2, h3, p:not(.x-note), li, td, th").all_inner_texts()
    assert shown == said
    for words in ("Choose a CSV file", "For you alone", "for you alone", "2.98", "3.01"):
        assert words not in text
    made = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
    many = 2 if state == "n is hidden, by group" else 1  # with twelve rows of noise
    assert len(re.findall(rb"/Type /Page\b", made)) == many
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert part(page, "sheet").inner_text() == ""


def test_nothing_is_printed_as_an_answer_where_there_is_none(page, tmp_path):
    page.evaluate("() => { window.print = () => { throw Error('printed'); }; }")
    for query, column, limits in (("mean", "visits", ("9", "1")), ("sum", "visits", ("", ""))):
        asks(page, query, column, limits=limits)
        assert part(page, "print").is_hidden()
        part(page, "print").evaluate("one => one.click()")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".x-reporting").count() == 0
        assert part(page, "sheet").inner_text() == ""


def test_a_file_of_ones_own_is_printed_as_its_sheet_also_by_the_browsers_menu(page, tmp_path):
    far_file(tmp_path)
    by_group(page, tmp_path)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    text = page.locator("body").inner_text()
    assert "Sign or refuse?" in text
    assert "for you alone" not in text


TRIES = """async (to) => {
    const refused = [];
    addEventListener("securitypolicyviolation", (one) => refused.push(one.effectiveDirective));
    fetch(to).catch(() => 0);
    navigator.sendBeacon(to, "x");
    const request = new XMLHttpRequest();
    request.open("GET", to);
    request.send();
    try { new WebSocket(to.replace("http", "ws")); } catch { refused.push("connect-src"); }
    new EventSource(to).onerror = (event) => event.target.close();
    for (const [name, source] of Object.entries(
            { img: "src", script: "src", link: "href", iframe: "src", form: "action" })) {
        const made = document.createElement(name);
        Object.assign(made, { [source]: to, rel: "stylesheet", method: "post" });
        document.body.append(made);
        made.submit?.();
    }
    const inline = document.createElement("script");
    inline.textContent = "window.ran = 1";
    document.head.append(inline);
    const tried = `fetch("${to}").then(() => postMessage("sent"), () => postMessage("refused"))`;
    const worker = new Worker(URL.createObjectURL(new Blob([tried])));
    const said = await new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
    await new Promise((done) => setTimeout(done, 200));
    return [said, window.ran ?? null, ...refused.sort()];
}"""
REFUSED = [*5 * ["connect-src"], "form-action", "frame-src", "img-src"]
REFUSED += ["script-src-elem", "script-src-elem", "style-src-elem"]


def test_every_request_out_of_the_page_is_refused(explore, served_explorer):
    """To another origin, from the page and from a worker like its own, on a disk and served."""
    here, asked = served_explorer
    for address in (None, f"{here}/index.html"):
        page = explore(address=address)
        said = page.evaluate(TRIES, here.replace("127.0.0.1", "localhost") + "/secret")
        assert said == ["refused", None, *REFUSED]
    assert not [path for path in asked if "secret" in path]
    page.errors.clear()  # the browser says in the console what it refused


def test_the_page_asks_for_nothing_but_what_it_lists(explore, served_explorer, tmp_path):
    """Scripts by name, pictures from itself, and nothing more once a file is there."""
    here, asked = served_explorer
    del asked[:]
    page = explore(address=f"{here}/index.html")
    listed = page.evaluate(
        "[...document.querySelectorAll('script[src], link[href]')].map(one => one.src || one.href)"
    )
    assert page.locator("script[src]").count() == page.locator("script[src][nonce]").count()
    assert all(
        source.startswith("data:")
        for source in page.evaluate("""
        [...document.images, ...document.querySelectorAll('link[rel=icon]')]
            .map(one => one.src || one.href)""")
    )
    scripts = [path for path in asked if path.partition("?")[0].endswith((".js", ".mjs"))]
    assert {here + path for path in scripts} <= {*listed}
    page.wait_for_load_state("networkidle")
    before = len(asked)
    far_file(tmp_path)
    by_group(page, tmp_path)
    assert part(page, "beyond").is_visible()
    assert len(asked) == before


LEFT = """async () => JSON.stringify([
    {...localStorage}, {...sessionStorage, "sidebar-scroll-top": 0},
    (await indexedDB.databases()).map(d => d.name), await caches.keys().catch(() => []),
    document.cookie, location.href, history.state,
    [...document.querySelectorAll("input, select, textarea")]
        .map(c => c.type === "file" ? c.files.length : c.value),
])"""


def test_nothing_of_a_file_is_left_after_a_reload(explore, served_explorer, tmp_path):
    here, asked = served_explorer
    page = explore(address=f"{here}/index.html")
    page.wait_for_function(READY)
    before = page.evaluate(LEFT)
    local, session, *stores, _, state, _ = json.loads(before)
    assert set(local) | set(session) <= {"mode", "theme", "sidebar-scroll-top"}  # the book's own
    assert (stores, state) == ([[], [], ""], None)
    wages = pd.DataFrame({"wage_8341": [83410, 83411, 9, 12]})
    take(page, written(tmp_path, "payroll_8341.csv", wages))
    asks(page, "mean", "wage_8341", limits=("0", "99999"))
    assert "wage_8341" in page.locator("body").inner_text()
    page.reload()
    page.wait_for_function(READY)
    assert page.evaluate(LEFT) == before
    assert "8341" not in page.content()
    assert not [path for path in asked if "8341" in path]


def test_the_search_still_leaves_the_page_by_its_box(explore, served_explorer):
    page = explore(address=f"{served_explorer[0]}/index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("noise")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=noise*")


STATES = {
    "everybody": lambda page, _: None,
    "a known file": lambda page, _: part(page, "own").select_option("1"),
    "to do": lambda page, folder: take(page, folder / "far.csv"),
    "no answer": lambda page, _: set_goal(page, "Factor, at most", "1"),
    "unreadable": lambda page, folder: take(page, folder / "bad.csv"),
    "all of it": lambda page, folder: everything(page, folder),
}


def far_file(folder):
    rng = np.random.default_rng(4)
    far = {"a rather long name for a column, mm": 1e9 + rng.normal(0, 3, 60)}
    far |= {"ward": rng.choice(["n", "s"], 60), "b": rng.normal(size=60).round(1)}
    written(folder, "far.csv", pd.DataFrame(far))
    (folder / "bad.csv").write_bytes(b"PK\3\4")


def everything(page, folder):
    take(page, folder / "far.csv")
    asks(page, "mean", "a rather long name for a column, mm", limits=("0", "2000000000"))
    click(page, "Add an answer")
    asks(page, "share of rows with", "ward", value="n", place=1)
    page.get_by_label("An answer for each").select_option("ward")
    page.get_by_label("Hide how many rows").check()
    page.get_by_label("Groups, one a line").fill("n\ns")
    page.keyboard.press("Tab")
    page.wait_for_function(READY)
    click(page, "Link to this question")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("width", "theme", "forced"),
    [
        (1280, "light", "none"),
        (390, "dark", "none"),
        (320, "light", "none"),
        (390, "light", "active"),
        (1280, "dark", "active"),
    ],
)
def test_the_page_can_be_read_by_everyone(explore, width, theme, forced, state, tmp_path):
    """What axe asks for in every state, nothing wider than the screen, controls to be touched."""
    far_file(tmp_path)
    page = explore(width=width, color_scheme=theme, forced_colors=forced, reduced_motion="reduce")
    part(page, "more").evaluate("one => { one.open = true; }")
    STATES[state](page, tmp_path)
    page.wait_for_function(READY)
    rules = {"region": {"enabled": False}, "landmark-one-main": {"enabled": False}}
    found = Axe().run(page, ".explorer", {"preload": False, "rules": rules}).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = ".explorer :is(select, button, summary, textarea, input[type=text], input[type=range])"
    for control in page.locator(small).locator("visible=true").all():
        box = control.bounding_box()
        assert box["height"] >= 43.9
        assert box["x"] + box["width"] <= width + 1


CONTRAST = """() => {
    const root = document.querySelector(".explorer");
    const light = (color) => {
        const shown = document.createElement("canvas").getContext("2d");
        shown.fillStyle = color;
        shown.fillRect(0, 0, 1, 1);
        const parts = [...shown.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => one / 255);
        return parts.reduce((sum, one, i) => sum + [0.2126, 0.7152, 0.0722][i]
            * (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4), 0.05);
    };
    const paper = light(getComputedStyle(document.body).backgroundColor);
    const against = (name, kind) => [...root.querySelectorAll(name)].map((one) => {
        const seen = light(getComputedStyle(one)[kind]);
        return Math.max(seen, paper) / Math.min(seen, paper);
    });
    const parts = { ".x-dot": "fill", ".x-chosen": "fill", ".x-become": "fill", ".x-were": "fill",
        ".x-true": "stroke", ".x-axis": "stroke", ".x-curve": "stroke", ".x-choice": "stroke",
        "svg text": "fill", ".x-sentence select": "borderBottomColor",
        ".x-sentence input": "borderBottomColor", "button": "borderTopColor" };
    return Object.fromEntries(Object.entries(parts).map(([name, kind]) =>
        [name, Math.min(...against(name, kind))]));
}"""


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dots_lines_the_chosen_point_and_the_focus_are_seen(explore, theme, forced):
    """Three to one against the paper, also where the reader's own colours are forced."""
    page = explore(color_scheme=theme, forced_colors=forced)
    contrasts = page.evaluate(CONTRAST)
    assert {name: ratio for name, ratio in contrasts.items() if not 3 <= ratio <= 21} == {}
    slider = part(page, "slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    drawn = slider.evaluate("one => getComputedStyle(one).appearance")
    assert drawn == ("auto" if forced == "active" else "none")  # forced: as the browser draws it
    if forced == "active":
        assert slider.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    else:
        ring = slider.evaluate("one => getComputedStyle(one).getPropertyValue('--ring')")
        assert ring == "6px"


@pytest.mark.parametrize("width", [1280, 768, 390, 320])
def test_what_is_dragged_stays_where_it_is(explore, width):
    """The words above it change, and neither the slider nor the pictures below move."""
    page = explore(width=width)
    for place in ("0", "3"):
        part(page, "own").select_option(place)
        page.wait_for_function(READY)
        tops = set()
        for step in range(0, int(part(page, "slider").get_attribute("max")) + 1, 4):
            part(page, "slider").fill(str(step))
            page.wait_for_function(READY)
            page.wait_for_function("() => document.querySelector('.x-safe').textContent")
            boxes = (part(page, name) for name in ("slider", "dots", "more"))
            tops.add(tuple(round(box.evaluate("one => one.offsetTop")) for box in boxes))
        assert len(tops) == 1


def test_without_a_script_the_command_stays(explore):
    page = explore(java_script_enabled=False)
    assert page.locator(".explorer form").is_hidden()
    assert "--limits COLUMN=0:30" in page.locator(".explorer noscript").inner_text()
