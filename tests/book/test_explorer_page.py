"""The page of the explorer: dragged, printed, private, and for everyone."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from dpbook import explorer
from exploring import READY, agrees, ask, change, part, take, written


@pytest.fixture
def page(explore):
    return explore(offline=True)


def knob(page):
    return page.get_by_role("slider", name="Accepted risk")


def centre(page):
    box = knob(page).locator(".x-dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_risk_is_dragged_along_its_curve_by_mouse(page, tmp_path):
    x, y = centre(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 150, y - 60, steps=5)
    page.mouse.up()
    page.wait_for_function(READY)
    assert float(part(page, "risk").input_value()) > 0.4
    (tmp_path / "school.csv").write_text(explorer.records()[0]["csv"], "utf-8")
    agrees(page, tmp_path)
    left, top = centre(page)
    points = part(page, "plot").locator(".x-curve").get_attribute("points").split()
    xs, ys = np.array([point.split(",") for point in points], dtype=float).T
    box = part(page, "plot").bounding_box()
    assert np.interp(left - box["x"], xs, ys) == pytest.approx(top - box["y"], abs=1.5)


def test_the_risk_is_moved_by_the_keyboard_and_said_once(page):
    knob(page).focus()
    page.evaluate("""() => {
        window.heard = [];
        const said = document.querySelector("[data-part=said]");
        new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
    }""")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.wait_for_function(READY)
    assert part(page, "risk").input_value() == "0.6"
    assert knob(page).get_attribute("aria-valuetext").startswith("0.6, mean of absence_days off by")
    page.wait_for_function("() => heard.length > 0")
    page.wait_for_timeout(600)
    (said,) = page.evaluate("heard")
    assert said.startswith("Risk 0.6: the risk is kept; mean of absence_days has noise")
    for key, risk in (("Home", "0.3"), ("End", "0.999")):
        page.keyboard.press(key)
        page.wait_for_function(READY)
        assert part(page, "risk").input_value() == risk


def test_the_risk_is_dragged_by_thumb_and_elsewhere_the_page_scrolls(explore):
    page = explore(width=390, has_touch=True, is_mobile=True)
    knob(page).scroll_into_view_if_needed()
    x, y = centre(page)
    device = page.context.new_cdp_session(page)

    def touch(kind, *points):
        found = [{"x": a, "y": b} for a, b in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    touch("touchStart", (x, y))
    touch("touchMove", (x - 70, y - 35))
    touch("touchEnd")
    page.wait_for_function(READY)
    assert float(part(page, "risk").input_value()) > 0.36
    for kind, action in (("knob", "none"), ("plot", "auto")):
        style = "one => getComputedStyle(one).touchAction"
        assert page.locator(f".x-{kind}").evaluate(style) == action


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
    before = page.evaluate(LEFT)
    local, session, *stores, _, state, _ = json.loads(before)
    assert set(local) | set(session) <= {"mode", "theme", "sidebar-scroll-top"}  # the book's own
    assert (stores, state) == ([[], [], ""], None)
    wages = pd.DataFrame({"wage_8341": [83410, 83411, 9, 12]})
    take(page, written(tmp_path, "payroll_8341.csv", wages))
    change(page, "risk", "0.41")
    assert "wage_8341" in page.evaluate(LEFT)
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


CUT = """() => {
    const box = (node) => node.getBoundingClientRect();
    const around = (node) => box(node.closest("svg, .x-scroll, table"));
    return [...document.querySelectorAll(".explorer :is(svg text, td, th)")]
        .filter((node) => node.checkVisibility() && !node.closest("thead"))
        .filter((node) => box(node).left < around(node).left - 1 ||
            box(node).right > around(node).right + 1)
        .map((node) => node.textContent);
}"""


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_the_page_can_be_read_by_everyone(explore, width, theme, tmp_path):
    """What axe asks for, nothing wider than the screen, and no word cut."""
    rng = np.random.default_rng(4)
    far = {"a rather long name for a column, mm": 1e9 + rng.normal(0, 3, 60)}
    small = {"ward": rng.choice(["n", "s"], 60), "x": rng.exponential(1e-5, 60)}
    page = explore(width=width, color_scheme=theme)
    part(page, "numbers-fold").locator("summary").click()
    rules = {"region": {"enabled": False}, "landmark-one-main": {"enabled": False}}
    found = Axe().run(page, ".explorer", {"preload": False, "rules": rules}).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found] == []
    take(page, written(tmp_path, "far.csv", pd.DataFrame(far | small)))
    ask(page, ("mean", *far), ("var", "x"))
    change(page, "by", "ward")
    for risk in ("0.021", "0.97"):
        change(page, "risk", risk)
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


AT = """(at => !at.closest('.explorer') ? ''
    : at.dataset.part || at.ariaLabel || at.textContent.slice(0, 25))(document.activeElement)"""
REACHED = [
    "file", "own", "Answer 1: what", "Answer 1: column", "add", "by", "person", "more-out", "risk",
    "Accepted risk", "Noise of each answer", "print", "The plot as numbers",
]  # fmt: skip


def test_these_controls_are_reached_and_touched_and_no_others_are_there(explore):
    """All but one record is released: nothing on the page, seen or not, says otherwise."""
    page = explore(width=390)
    page.locator("h1:visible").click()
    reached = []
    while len(reached) < 60 and REACHED[-1] not in reached:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(AT))
    assert [name for name in reached if name] == REACHED
    controls = page.locator(".explorer :is(select, button, input:not([type=file]))")
    assert controls.locator("visible=true").count() == 9
    for control in controls.locator("visible=true").all():
        box = control.bounding_box()
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    text = page.locator(".explorer").aria_snapshot().lower()
    assert not [word for word in ("secret", "how many", "some of", "present") if word in text]
    assert page.locator("[data-part=bars] tbody tr").count() == 2
    assert " --all-but-one " in part(page, "command").text_content()


def test_the_report_is_one_page_in_black_on_white(explore):
    """Printing it, here to a PDF, gives the dark page back."""
    page = explore(color_scheme="dark")
    change(page, "own", "4")
    ask(page, ("mean", "visits"), ("var", "visits"), ("median", "chronic_diseases"))
    page.evaluate("() => { window.print = () => window.printed = document.documentElement; }")
    part(page, "print").click()
    assert page.evaluate("printed.dataset.theme") == "light"
    page.emulate_media(media="print")
    text = page.locator("body").inner_text()
    about = "health.csv: 5,912 records, all but one of them released"
    for words in ("Sign or refuse?", about, "Computed on", "Signed", "may end", "--all-but-one"):
        assert words in text
    assert "Choose a CSV file" not in text
    made = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
    assert len(re.findall(rb"/Type /Page\b", made)) == 1
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_without_a_script_the_picture_and_the_command_stay(explore):
    page = explore(java_script_enabled=False)
    assert page.locator(".explorer form").is_hidden()
    assert page.locator("#fig-explorer img").is_visible()
    assert "--all-but-one --risk" in page.locator(".explorer noscript").inner_text()
