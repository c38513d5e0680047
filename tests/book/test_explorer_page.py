"""The page by hand: dragged by thumb, sent, printed, private, and for everyone."""

import contextlib
import io
import itertools
import json
import re
import shlex

import explorer
import exploring as hand
import numpy as np
import pandas as pd
import pytest
from axe import CONTRAST, violations
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from stage import thumb

from dpchoose.__main__ import main

WORDS = explorer.package_words()


@pytest.fixture
def page(explore):
    return explore(offline=True, reduced_motion="reduce")


def test_the_factor_is_dragged_by_thumb_and_stands_where_the_thumb_is(explore):
    page = explore(width=390, has_touch=True, is_mobile=True, reduced_motion="reduce")
    hand.take_own(page)
    slider = hand.part(page, "slider")
    slider.scroll_into_view_if_needed()
    box, most = slider.bounding_box(), int(slider.get_attribute("max"))
    start, y = int(slider.input_value()) / most, box["y"] + box["height"] / 2
    shares = np.linspace(start, 0.9, 13)
    path = [(box["x"] + 14 + (box["width"] - 28) * at, y - 6 * i) for i, at in enumerate(shares)]
    assert thumb(page, path) == (["pointerup"], 0)
    page.wait_for_function(hand.READY)
    assert int(slider.input_value()) / most == pytest.approx(0.9, abs=0.6 / most + 0.01)
    factor = hand.field(page, "value").input_value()
    assert float(factor) > 20
    assert f"(factor {factor}," in hand.part(page, "beliefs").text_content()


TOUCHES = """() => {
    window.touches = 0;
    addEventListener("pointerdown", () => touches++, true);
}"""


SURVEY = "ward,stay,age\n" + "".join(f"a,{stay},{stay + 20}\n" for stay in range(80))
GERMAN = "Straße;stay\r\nWeg 1;57.268,68\r\nWeg 2;1.000,50\r\nWeg 3;9,5\r\n".encode("latin-1")
DOUBTS = ("it is Western European (cp1252)", "the comma is the decimal sign: 57268.68")


@pytest.mark.parametrize(
    ("content", "doubts"), [(SURVEY.encode(), ()), (GERMAN, DOUBTS)], ids=["survey", "german"]
)
def test_from_a_file_to_the_printed_sheet_in_ten_touches_on_a_telephone(
    explore, tmp_path, content, doubts
):
    """No step is there before its time; a column is two touches: the list, and its name.

    What a limit is echoed as has its room beforehand: the button below is where it was touched.
    """
    page = explore(width=390, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page.evaluate("() => { window.print = () => { window.printed = 1; }; }")
    page.evaluate(TOUCHES)
    (tmp_path / "stays.csv").write_bytes(content)
    hand.take(page, tmp_path / "stays.csv")  # one touch
    for doubt in doubts:
        page.get_by_role("button", name=doubt).tap()
        page.wait_for_function(hand.READY)
    expect(hand.part(page, "slider")).to_be_hidden()
    hand.part(page, "everybody").tap()
    page.get_by_label("column", exact=True).select_option("stay")  # two
    expect(hand.step(page, "limits")).to_be_hidden()
    page.get_by_role("button", name="Each row is another person").tap()
    hand.step(page, "what").locator(".x-next").tap()
    expect(page.get_by_label("Lowest stay")).to_be_focused()
    page.keyboard.type("0\n")
    expect(page.get_by_label("Highest stay")).to_be_focused()
    page.keyboard.type("90")
    if not doubts:
        hand.field(page, "from").tap()
        page.keyboard.type("the house rules")
    hand.step(page, "limits").locator(".x-next").tap()
    page.wait_for_function(hand.READY)
    expect(hand.part(page, "slider")).to_be_visible()
    hand.part(page, "paper").tap()
    hand.part(page, "print").tap()
    assert page.evaluate("printed") == 1
    assert page.evaluate("touches") + 3 <= (11 if doubts else 10)
    expect(hand.part(page, "sheet")).to_contain_text("Limits: stay: 0 to 90.")
    source = "not stated" if doubts else "the house rules"
    expect(hand.part(page, "sheet")).to_contain_text(f"Limits from: {source}")


def test_the_slider_is_moved_by_the_keyboard_and_the_answer_said_once(page):
    """However often it is moved at once, and when it rests."""
    hand.take_own(page)
    slider, spoken = hand.part(page, "slider"), hand.part(page, "spoken")
    expect(spoken).not_to_be_empty()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "3.5")
    expect(spoken).to_contain_text("(factor 3.5,")
    page.evaluate("""() => {
        window.heard = [];
        const spoken = document.querySelector("[data-part=spoken]");
        const hear = () => spoken.textContent && heard.push(spoken.textContent);
        new MutationObserver(hear).observe(spoken, { childList: true });
        const slider = document.querySelector("[data-part=slider]");
        for (const place of [10, 11, 12]) {
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
        }
    }""")
    expect(spoken).to_contain_text("(factor 6,")
    assert len(page.evaluate("heard")) == 1


def test_the_steps_are_headings_inside_the_tool(page):
    hand.take_own(page)
    heads = page.locator(".explorer h2").all_inner_texts()
    assert [text[:2] for text in heads] == ["1.", "2.", "3.", "4.", "5."]
    hand.show_sheet(page)
    levels = page.locator(".explorer :is(h2, h3, h4)").evaluate_all(
        "heads => heads.filter(head => head.checkVisibility()).map(head => +head.tagName[1])"
    )
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


COPYING = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
addEventListener("copy", () => { window.copied = getSelection().toString(); });
"""


def test_the_command_is_copied_over_plain_http_too_and_says_so(explore):
    page = explore(before=COPYING)
    hand.take_own(page)
    hand.part(page, "copy").click()
    expect(hand.part(page, "copied")).to_have_text("Copied")
    assert page.evaluate("copied") == hand.command(page)


def test_the_address_holds_the_whole_question_and_nothing_of_the_file(explore, page, tmp_path):
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"ward": rng.choice(["n8341", "s"], 60), "wage": rng.integers(0, 99, 60)})
    table.loc[3, "wage"] = None
    table["badge"] = np.arange(60) // 2
    path = hand.written(tmp_path, "payroll_8341.csv", table)
    hand.take(page, path)
    hand.change(page, "what")
    hand.choose(page, "mean", "wage")
    hand.more(page)
    page.get_by_label("An answer for each").select_option("ward")
    page.get_by_label("Leave out rows that miss a value").check()
    hand.persons(page, "badge", "2")
    page.get_by_label("Factor of what is out already").fill("1.5")
    hand.go_on(page)
    hand.limit(page, "wage", "0", "120")
    hand.field(page, "from").fill("the pay scale")
    hand.go_on(page)
    hand.set_goal(page, "Factor, at most", "2.5")
    hand.click(page, "Link to this question")
    address = hand.part(page, "address").input_value()
    assert "8341" not in address
    other = explore(address=address, reduced_motion="reduce")
    hand.take(other, path)
    hand.click(other, "Yes, everybody")
    assert hand.command(other) == hand.command(page)
    assert hand.show_sheet(other) == hand.show_sheet(page)


def by_group(page, folder):
    hand.change(page, "file")
    far_file(folder)
    hand.take(page, folder / "far.csv")
    hand.asks(page, "mean", "b", by="ward", limits=("-2", "2,5"))


def by_five_groups(page, folder):
    """Of people with up to two rows each, of rows of which some miss a value."""
    hand.change(page, "file")
    table = pd.DataFrame({"stay": np.arange(600.0) % 40, "ward": [*"ABCDE"] * 120})
    table = table.assign(patient=np.arange(600) // 2, stay=table["stay"].where(table.index > 20))
    hand.take(page, hand.written(folder, "stays.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    page.get_by_label("An answer for each").select_option("ward")
    hand.persons(page, "patient", "2")
    hand.click(page, "leave these rows out")
    hand.go_on(page)
    hand.field(page, "from").fill("the code book of the wards")
    hand.limit(page, "stay", "0", "60")
    hand.go_on(page)


def hidden_and_by_group(page, folder):
    by_group(page, folder)
    hand.change(page, "what")
    hand.click(page, "Add an answer")
    hand.choose(page, "share of rows with", "ward", value="n", place=1)
    page.get_by_label("Hide how many rows").check()
    page.get_by_label("Groups, one a line").fill("n\ns")
    hand.go_on(page)


def of_people(page, folder):
    """Whose row it is, of rows of which some miss a value."""
    hand.change(page, "file")
    table = pd.DataFrame({"stay": [*range(40), None, None], "who": [f"p{i}" for i in range(42)]})
    hand.take(page, hand.written(folder, "people.csv", table))
    hand.change(page, "what")
    hand.choose(page, "mean", "stay")
    hand.persons(page, "who")
    hand.click(page, "leave these rows out")
    hand.go_on(page)
    hand.limit(page, "stay", "0", "30")
    hand.go_on(page)


SHEETS = {
    "n is public": lambda page, _: None,
    "a half becomes two thirds": lambda page, _: hand.set_goal(page, "Factor, at most", "2"),
    "an error that is needed": lambda page, _: hand.set_goal(page, "Error that I need, ±", "0.05"),
    "by group": by_group,
    "by five groups": by_five_groups,
    "n is hidden, by group": hidden_and_by_group,
    "whose row it is": of_people,
    "a suspicion": lambda page, _: hand.set_goal(page, "A suspicion may become", "30%", "5%"),
}


def on_paper(page):
    """The text that is printed, without its spaces, and the number of pages, of A4 or Letter."""
    page.emulate_media(media="print")
    text = page.locator("body").inner_text()
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
    printed = [page.pdf(format=paper, margin=margin) for paper in ("A4", "Letter")]
    page.emulate_media(media="screen")
    return "".join(text.split()), max(len(re.findall(rb"/Type\s*/Page[^s]", p)) for p in printed)


@pytest.mark.parametrize("state", SHEETS)
def test_the_sheet_is_on_the_page_and_on_paper_with_the_words_of_the_report(
    explore, opened, state, tmp_path
):
    """What is signed stands above the signature, on the same page."""
    page = explore(color_scheme="dark", reduced_motion="reduce")
    hand.take_own(page)
    SHEETS[state](page, tmp_path)
    hand.show_sheet(page)
    sheet = hand.part(page, "sheet")
    shown = sheet.locator("h3, h4, p:not(.x-note), li, td, th").all_inner_texts()
    with contextlib.chdir(tmp_path):
        *make, line = map(shlex.split, hand.command(page).splitlines())
        for _, _, program in make:
            exec(program, {})
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*line[1:], "--report", "sheet.html"]) == 0
    report = BeautifulSoup((tmp_path / "sheet.html").read_text("utf-8"), "html.parser").body
    report.details.decompose()
    texts = (text.get_text() for text in report.select("h1, h2, p, li, td, th"))
    words = [" ".join(text.split()) for text in texts]
    assert [" ".join(text.split()) for text in shown] == words
    assert "Accepted" not in " ".join(words)  # by nobody, before it is signed
    assert sheet.locator("p").all_inner_texts()[-3:] == WORDS["SIGNED"]
    assert "Limits: " in sheet.locator(".x-note").inner_text()
    assert shlex.split(sheet.locator(".x-note code").inner_text()) == line
    printed, pages = on_paper(page)
    most = 2 if state == "n is hidden, by group" else 1  # with ten rows of noise
    assert pages <= most
    assert on_paper(opened((tmp_path / "sheet.html").as_uri()))[1] <= most
    assert [text for text in shown if "".join(text.split()) not in printed] == []
    assert "Choose" not in printed
    assert "foryoualone" not in printed.lower()
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_nothing_is_printed_as_an_answer_where_there_is_none(page):
    hand.take_own(page)
    hand.show_sheet(page)
    hand.set_goal(page, "Factor, at most", "1")
    assert hand.part(page, "print").is_hidden()
    assert hand.part(page, "sheet").inner_text() == ""
    assert "Whatisassumed" not in on_paper(page)[0]


TRIES = """async (to) => {
    const refused = [];
    addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    fetch(to).catch(() => 0);
    navigator.sendBeacon(to, "x");
    const request = new XMLHttpRequest();
    request.open("GET", to);
    request.send();
    try { new WebSocket(to.replace("http", "ws")); } catch { refused.push("connect-src"); }
    new EventSource(to).onerror = (event) => event.target.close();
    for (const [name, source] of Object.entries(
            { img: "src", script: "src", link: "href", iframe: "src", form: "action" })) {
        const element = document.createElement(name);
        Object.assign(element, { [source]: to, rel: "stylesheet", method: "post" });
        document.body.append(element);
        element.submit?.();
    }
    const inline = document.createElement("script");
    inline.textContent = "window.ran = 1";
    document.head.append(inline);
    const tried = `fetch("${to}").then(() => postMessage("sent"), () => postMessage("refused"))`;
    const worker = new Worker(URL.createObjectURL(new Blob([tried])));
    const answer = await new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
    window.refused = refused;
    return [answer, window.ran ?? null];
}"""
REFUSED = [*5 * ["connect-src"], "form-action", "frame-src", "img-src"]
REFUSED += ["script-src-elem", "script-src-elem", "style-src-elem"]


def test_every_request_out_of_the_page_is_refused(explore, served_book):
    """To another origin, from the page and from a worker like its own, on a disk and served."""
    here, asked = served_book
    for address in (None, f"{here}/{hand.CHAPTER}"):
        page = explore(address=address)
        answer = page.evaluate(TRIES, here.replace("127.0.0.1", "localhost") + "/secret")
        assert answer == ["refused", None]
        page.wait_for_function(f"refused.length === {len(REFUSED)}")
        assert page.evaluate("refused.sort()") == REFUSED
    assert not [path for path in asked if "secret" in path]
    page.errors.clear()  # the browser says in the console what it refused


def test_the_page_asks_for_nothing_once_it_is_there_and_weighs_little(
    explore, served_book, tmp_path
):
    here, asked = served_book
    page = explore(address=f"{here}/{hand.CHAPTER}", reduced_motion="reduce")
    page.evaluate("() => document.fonts.ready")
    weight = page.evaluate("""() => [
        ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource"),
    ].reduce((sum, entry) => sum + entry.decodedBodySize, 0)""")
    assert 100_000 < weight < 2_500_000
    before = len(asked)
    hand.take_own(page)
    by_group(page, tmp_path)
    assert hand.part(page, "answer").is_visible()
    assert {*asked[before:]} <= {"/_static/favicon.svg"}  # the browser's own, at its own time


LEFT = """async () => JSON.stringify([
    {...localStorage}, {...sessionStorage, "sidebar-scroll-top": 0},
    (await indexedDB.databases()).map(d => d.name), await caches.keys().catch(() => []),
    document.cookie, location.href, history.state,
    [...document.querySelectorAll("input, select, textarea")]
        .map(c => c.type === "file" ? c.files.length : c.value),
])"""


def test_nothing_of_a_file_is_left_after_a_reload(explore, served_book, tmp_path):
    here, asked = served_book
    page = explore(address=f"{here}/{hand.CHAPTER}")
    page.wait_for_function(hand.READY)
    before = page.evaluate(LEFT)
    local, session, *stores, _, state, _ = json.loads(before)
    assert set(local) | set(session) <= {"mode", "theme", "sidebar-scroll-top"}  # the book's own
    assert stores == [[], [], ""]
    assert not state
    wages = pd.DataFrame({"wage_8341": [83410, 83411, 9, 12]})
    hand.take(page, hand.written(tmp_path, "payroll_8341.csv", wages))
    hand.asks(page, "mean", "wage_8341", limits=("0", "99999"))
    assert "wage_8341" in page.locator("body").inner_text()
    page.reload()
    page.wait_for_function(hand.READY)
    assert page.evaluate(LEFT) == before
    assert "8341" not in page.content()
    assert not [path for path in asked if "8341" in path]


def test_the_search_still_leaves_the_page_by_its_box(explore, served_book):
    page = explore(address=f"{served_book[0]}/{hand.CHAPTER}")
    page.keyboard.press("Control+k")
    page.keyboard.type("noise")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=noise*")


def far_file(folder):
    rng = np.random.default_rng(4)
    columns = {"a rather long name for a column, mm": 1e9 + rng.normal(0, 3, 60)}
    columns |= {"ward": rng.choice(["n", "s"], 60), "b": rng.normal(size=60).round(1)}
    columns["pay"] = "57.268,68"
    hand.written(folder, "far.csv", pd.DataFrame(columns))
    (folder / "bad.csv").write_bytes(b"PK\3\4")


def limits_wrong(page, folder):
    hand.take(page, folder / "far.csv")
    hand.asks(page, "mean", "b", limits=("9", "1"))


def promised(page, folder):
    hand.take_own(page)
    hidden_and_by_group(page, folder)
    hand.show_cut(page)
    hand.click(page, "Link to this question")
    hand.show_sheet(page)


def no_answer(page, _):
    hand.take_own(page)
    hand.set_goal(page, "Factor, at most", "1")


def who_is_known(page, folder):
    hand.take(page, folder / "far.csv")
    hand.part(page, "known").click()


STATES = {
    "start": lambda page, _: None,
    "card": lambda page, folder: hand.take(page, folder / "far.csv"),
    "unreadable": lambda page, folder: hand.take(page, folder / "bad.csv"),
    "not everybody": who_is_known,
    "limits": limits_wrong,
    "no answer": no_answer,
    "all of it": promised,
}


ALL = {"rules": {"region": {"enabled": False}, "landmark-one-main": {"enabled": False}}}
LOOKS = [  # width, theme, forced colours, and what axe is asked where something new is seen
    (1280, "light", "none", ALL),
    (640, "light", "none", None),
    (390, "dark", "none", CONTRAST),
    (320, "light", "none", None),
    (390, "light", "active", CONTRAST),
    (1280, "dark", "active", CONTRAST),
]


@pytest.mark.parametrize("state", STATES)
def test_the_page_can_be_read_by_everyone(explore, state, tmp_path):
    """What axe asks for in every state, nothing wider than the screen, controls to be touched."""
    far_file(tmp_path)
    page = explore(reduced_motion="reduce")
    hand.more(page)
    STATES[state](page, tmp_path)
    page.wait_for_function(hand.READY)
    kinds = "select, button, summary, textarea, input[type=text], input[type=range]"
    controls = page.locator(f".explorer :is({kinds})").locator("visible=true")
    for width, theme, forced, asked in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme, forced_colors=forced, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        if asked:
            assert violations(page, ".explorer", asked) == [], (width, theme, forced)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = controls.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
        assert min(box["height"] for box in boxes) >= 43.9
        assert max(box["right"] for box in boxes) <= width + 1


CONTRAST = """() => {
    const root = document.querySelector(".explorer");
    const light = (color) => {
        const shown = document.createElement("canvas").getContext("2d");
        shown.fillStyle = color;
        shown.fillRect(0, 0, 1, 1);
        const colors = [...shown.getImageData(0, 0, 1, 1).data].slice(0, 3).map((of) => of / 255);
        return colors.reduce((sum, light, i) => sum + [0.2126, 0.7152, 0.0722][i]
            * (light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4), 0.05);
    };
    const paper = light(getComputedStyle(document.body).backgroundColor);
    const against = (name, kind) => [...root.querySelectorAll(name)].map((node) => {
        const seen = light(getComputedStyle(node)[kind]);
        return Math.max(seen, paper) / Math.min(seen, paper);
    });
    const marks = { ".x-dot": "fill", ".x-become": "fill", ".x-were": "fill",
        ".x-true": "stroke", ".x-axis": "stroke", ".x-reach": "stroke",
        "svg text": "fill", "button": "borderTopColor" };
    return Object.fromEntries(Object.entries(marks).map(([name, kind]) =>
        [name, Math.min(...against(name, kind))]));
}"""


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dots_lines_and_the_focus_are_seen(explore, theme, forced):
    """Three to one against the paper, also where the reader's own colours are forced."""
    page = explore(color_scheme=theme, forced_colors=forced)
    hand.take_own(page)
    contrasts = page.evaluate(CONTRAST)
    assert {name: ratio for name, ratio in contrasts.items() if not 3 <= ratio <= 21} == {}
    slider = hand.part(page, "slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    drawn = slider.evaluate("node => getComputedStyle(node).appearance")
    assert drawn == ("auto" if forced == "active" else "none")  # forced: as the browser draws it
    if forced == "active":
        assert slider.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    else:
        ring = slider.evaluate("node => getComputedStyle(node).getPropertyValue('--ring')")
        assert ring == "6px"


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_dragged_stays_where_it_is(explore, width):
    """The words change, and neither the slider nor the scales below it move."""
    page = explore(width=width, reduced_motion="reduce")
    hand.take_own(page)
    tops = set()
    for place in range(0, int(hand.part(page, "slider").get_attribute("max")) + 1, 4):
        hand.part(page, "slider").fill(str(place))
        page.wait_for_function(hand.READY)
        boxes = (hand.part(page, name) for name in ("slider", "verdict", "dots"))
        tops.add(tuple(round(box.evaluate("box => box.offsetTop")) for box in boxes))
    assert len(tops) == 1


def test_without_a_script_the_command_stays(explore):
    page = explore(java_script_enabled=False)
    assert page.locator(".explorer form").is_hidden()
    assert "--limits COLUMN=0:30" in page.locator(".explorer noscript").inner_text()


def test_the_answer_of_another_file_is_gone_when_a_step_is_changed(page, tmp_path):
    hand.take_own(page)
    hand.change(page, "what")
    assert hand.opened_step(page) == "what"
    assert hand.part(page, "answer").is_hidden()
    assert hand.step(page, "promise").is_hidden()
    hand.asks(page, "sum", "visits")
    assert "--ask sum:visits" in hand.command(page)
