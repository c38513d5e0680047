"""The page of the explorer: dragged, printed, private, and for everyone."""

import functools
import http.server
import json
import re
import threading

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from exploring import (
    READY,
    ask,
    change,
    part,
    seen,
    shown,
    take,
    written,
)

import dpchoose as dp


@pytest.fixture
def page(explore):
    return explore(offline=True)


def knob(page):
    return page.get_by_role("slider", name="Accepted risk")


def centre(page):
    box = knob(page).locator(".x-dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_risk_is_dragged_along_its_curve_by_mouse(page):
    x, y = centre(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 20, steps=5)
    page.mouse.move(x - 150, y - 60, steps=5)
    page.mouse.up()
    page.wait_for_function(READY)
    risk = part(page, "risk").input_value()
    assert float(risk) > 0.4
    found = dp.recommend([("mean", "absence_days")], dp.datasets.school()[0], risk=risk)
    assert seen(page) == shown(found)
    left, top = centre(page)
    points = part(page, "plot").locator(".x-curve").get_attribute("points").split()
    xs, ys = np.array([point.split(",") for point in points], dtype=float).T
    box = part(page, "plot").bounding_box()
    assert np.interp(left - box["x"], xs, ys) == pytest.approx(top - box["y"], abs=1.5)


def test_the_risk_is_moved_by_the_keyboard_and_said_once(page):
    knob(page).focus()
    said = part(page, "said")
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
    assert len(page.evaluate("heard")) == 1
    assert said.text_content().startswith(
        "Risk 0.6: the risk is kept; mean of absence_days has noise"
    )
    page.keyboard.press("Home")
    page.wait_for_function(READY)
    assert float(part(page, "risk").input_value()) == 0.3
    page.keyboard.press("End")
    page.wait_for_function(READY)
    assert part(page, "risk").input_value() == "0.999"


def test_the_risk_is_dragged_by_thumb_and_elsewhere_the_page_scrolls(explore):
    page = explore(width=390, has_touch=True, is_mobile=True)
    knob(page).scroll_into_view_if_needed()
    x, y = centre(page)
    device = page.context.new_cdp_session(page)

    def touch(kind, *points):
        found = [{"x": a, "y": b} for a, b in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    touch("touchStart", (x, y))
    for step in range(1, 8):
        touch("touchMove", (x - 10 * step, y - 5 * step))
    touch("touchEnd")
    page.wait_for_function(READY)
    risk = part(page, "risk").input_value()
    assert float(risk) > 0.36
    box = part(page, "plot").bounding_box()
    touch("touchStart", (box["x"] + box["width"] - 30, box["y"] + 30))
    touch("touchEnd")
    page.wait_for_function(READY)
    assert part(page, "risk").input_value() == risk
    assert page.locator(".x-knob").evaluate("knob => getComputedStyle(knob).touchAction") == "none"
    assert part(page, "plot").evaluate("plot => getComputedStyle(plot).touchAction") == "auto"


@pytest.fixture(scope="module")
def server(explorer_site):
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


def element(name, source, more=""):
    """A try to load something by an element that the head of the page gets."""
    return f"""to => new Promise(done => {{
        const made = document.createElement("{name}");
        made.onload = () => done("sent");
        made.onerror = () => done("refused");
        {more}
        made.{source} = to;
        document.head.append(made);
    }})"""


def violating(name, source, more=""):
    """A try by an element of which only the policy says that it was refused."""
    return f"""to => new Promise(done => {{
        const made = document.createElement("{name}"), once = {{ once: true }};
        addEventListener("securitypolicyviolation", () => done("refused"), once);
        made.{source} = to;
        document.body.append(made);
        {more}
    }})"""


LATE = "new Promise(done => setTimeout(() => done('not refused'), 10000))"
WAYS_OUT = {
    "fetch": "to => fetch(to).then(() => 'sent', () => 'refused')",
    "beacon": "to => { navigator.sendBeacon(to, 'x'); return 'refused'; }",
    "XMLHttpRequest": """to => new Promise(done => {
        const request = new XMLHttpRequest();
        request.onload = () => done("sent");
        request.onerror = () => done("refused");
        request.open("GET", to);
        request.send();
    })""",
    "WebSocket": """to => new Promise(done => {
        try {
            const socket = new WebSocket(to.replace("http", "ws"));
            socket.onopen = () => done("sent");
            socket.onerror = () => done("refused");
        } catch { done("refused"); }
    })""",
    "EventSource": """to => new Promise(done => {
        const source = new EventSource(to);
        source.onopen = () => done("sent");
        source.onerror = () => done("refused");
    })""",
    "image": element("img", "src"),
    "script": element("script", "src"),
    "style": element("link", "href", "made.rel = 'stylesheet';"),
    "frame": violating("iframe", "src"),
    "form": violating("form", "action", "made.method = 'post'; made.submit();"),
    "worker": """to => new Promise(done => {
        const tried = `fetch("${to}")
            .then(() => postMessage("sent"), () => postMessage("refused"))`;
        const worker = new Worker(URL.createObjectURL(new Blob([tried])));
        worker.onmessage = ({ data }) => done(data);
    })""",
    "inline script": """() => {
        const made = document.createElement("script");
        made.textContent = "window.ran = 1";
        document.head.append(made);
        return window.ran ? "sent" : "refused";
    }""",
}


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_every_request_out_of_the_page_is_refused(explore, server, scheme):
    """To another origin, from the page and from a worker like its own."""
    here, asked = server
    page = explore(address=f"{here}/index.html" if scheme == "http" else None)
    elsewhere = here.replace("127.0.0.1", "localhost") + "/secret"
    for way, out in WAYS_OUT.items():
        said = page.evaluate(f"to => Promise.race([({out})(to), {LATE}])", f"{elsewhere}/{way}")
        assert said == "refused", way
    page.wait_for_timeout(300)
    assert not [path for path in asked if "secret" in path]
    page.errors.clear()  # the browser says in the console what it refused


LEFT = """async () => JSON.stringify([
    {...localStorage}, {...sessionStorage, "sidebar-scroll-top": 0},
    (await indexedDB.databases()).map(d => d.name), await caches.keys().catch(() => []),
    document.cookie, location.href, history.state,
    [...document.querySelectorAll("input, select, textarea")]
        .map(c => c.type === "file" ? c.files.length : c.value),
])"""


def test_nothing_of_a_file_is_left_after_a_reload(explore, server, tmp_path):
    page = explore(address=f"{server[0]}/index.html")
    before = page.evaluate(LEFT)
    local, session, *stores, _, state, _ = json.loads(before)
    assert set(local) | set(session) <= {"mode", "theme", "sidebar-scroll-top"}  # the book's own
    assert (stores, state) == ([[], [], ""], None)
    wages = pd.DataFrame({"wage_8341": [83410, 83411, 9, 12]})
    take(page, written(tmp_path, "payroll_8341.csv", wages))
    change(page, "risk", "0.41")
    assert "wage_8341" in page.evaluate(LEFT)
    assert "wage_8341" in page.locator("body").inner_text()
    stored = "location.href + JSON.stringify([{...localStorage}, {...sessionStorage}])"
    assert "8341" not in page.evaluate(stored)
    page.reload()
    page.wait_for_function(READY)
    assert page.evaluate(LEFT) == before
    assert "8341" not in page.content()
    page.goto(f"{server[0]}/search.html")
    page.go_back()
    page.wait_for_function(READY)
    assert "8341" not in page.evaluate(LEFT) + page.content()
    assert not [path for path in server[1] if "8341" in path]


def test_the_search_still_leaves_the_page_by_its_box(explore, server):
    page = explore(address=f"{server[0]}/index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("noise")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=noise*")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_can_be_read_by_everyone(explore, width, theme):
    """What axe asks for, and nothing wider than the screen."""
    page = explore(width=width, color_scheme=theme)
    for place in ("1", "4"):
        change(page, "own", place)
        part(page, "numbers-fold").locator("summary").click()
        rules = {
            "preload": False,
            "rules": {"region": {"enabled": False}, "landmark-one-main": {"enabled": False}},
        }
        found = Axe().run(page, ".explorer", rules).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_can_be_reached_and_touched(explore):
    page = explore(width=390)
    part(page, "add").click()
    page.wait_for_function(READY)
    reached = set()
    page.locator("h1:visible").click()
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "document.activeElement.closest('.explorer') && (document.activeElement.dataset.part"
            " || document.activeElement.ariaLabel)"
        )
        reached.add(name)
    assert {
        "file",
        "own",
        "add",
        "by",
        "released",
        "person",
        "secret",
        "risk",
        "print",
        "Accepted risk",
    } <= reached
    for control in page.locator(
        ".explorer :is(select, button, input:not([type=file])):visible"
    ).all():
        box = control.bounding_box()
        assert box["height"] >= 44 or control.get_attribute("type") == "checkbox"
        assert box["x"] + box["width"] <= 390


SHIFTS = """() => {
    window.shifted = 0;
    const add = (list) => list.getEntries().forEach((one) => shifted += one.value);
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_while_the_page_loads_or_an_answer_is_computed(explore, width, tmp_path):
    """Layout shift, of which browsers call less than 0.1 good."""
    page = explore(width=width)
    page.add_init_script(f"({SHIFTS})()")
    page.reload()
    page.wait_for_function(READY)
    part(page, "plot").scroll_into_view_if_needed()
    table = pd.DataFrame({"x": np.arange(60_000) ** 1.5, "y": 1})
    take(page, written(tmp_path, "grows.csv", table))
    page.get_by_label("Answer 1: what").select_option("var")
    page.wait_for_function(READY)
    page.wait_for_timeout(100)
    assert page.evaluate("shifted") < 0.05


@pytest.mark.parametrize("width", [1280, 390])
def test_no_word_of_the_pictures_or_tables_is_cut(explore, width, tmp_path):
    rng = np.random.default_rng(4)
    far = {"a rather long name for a column, mm": 1e9 + rng.normal(0, 3, 500)}
    small = {"ward": rng.choice(["n", "s"], 500), "x": rng.exponential(1e-5, 500)}
    page = explore(width=width)
    take(page, written(tmp_path, "far.csv", pd.DataFrame(far | small)))
    ask(page, *((query, column) for query in ("mean", "var") for column in (*far, "x")))
    change(page, "by", "ward")
    for risk in ("0.01", "0.0021", "0.97"):
        change(page, "risk", risk)
        assert (
            page.evaluate("""() => {
            const inside = (node, box) => {
                const { left, right } = node.getBoundingClientRect();
                return left >= box.left - 1 && right <= box.right + 1;
            };
            return [...document.querySelectorAll(".explorer :is(svg text, td, th)")]
                .filter((node) => node.checkVisibility() && !node.closest("thead"))
                .filter((node) => {
                    const around = node.closest("svg, .x-scroll, table");
                    return !inside(node, around.getBoundingClientRect());
                })
                .map((node) => node.textContent);
        }""")
            == []
        )


def test_a_file_is_taken_to_its_sentence_by_the_keyboard_alone(explore, tmp_path):
    """The field, an answer to what is asked, and the risk by arrows."""
    page = explore()
    path = tmp_path / "stays.csv"
    path.write_text("case;stay\n" + "\n".join(f"{i};{i % 9},5" for i in range(200)), "utf-8")

    def tab_to(wanted):
        page.locator("h1:visible").click()
        for _ in range(40):
            page.keyboard.press("Tab")
            at = page.evaluate(
                "(at => [at.dataset?.part, at.ariaLabel, at.textContent])(document.activeElement)"
            )
            if wanted in at:
                return
        raise AssertionError(wanted)

    tab_to("file")
    part(page, "file").set_input_files(path)  # from here the browser's own dialogue
    page.get_by_role("button", name="its comma is for decimals").wait_for()
    tab_to("its comma is for decimals")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('[data-part=wrong]').textContent === ''")
    page.wait_for_function(READY)
    assert page.evaluate("document.activeElement.dataset.part") == "file"
    tab_to("Accepted risk")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(READY)
    assert part(page, "risk").input_value() == "0.015"
    assert any("at most 1.5% sure" in sentence for sentence in seen(page)[1])


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
    for words in (
        "Sign or refuse?",
        "health.csv: 5,048 records, 5,047 of them released",
        "Computed on",
        "Signed",
        "may end",
        "dpchoose epsilon",
    ):
        assert words in text
    assert "Choose a CSV file" not in text
    made = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
    assert len(re.findall(rb"/Type /Page\b", made)) == 1
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_nothing_moves_by_itself_where_that_is_asked(explore):
    page = explore(reduced_motion="reduce")
    bars = page.locator(".x-bar").evaluate_all(
        "found => found.map(b => getComputedStyle(b).transitionDuration)"
    )
    assert set(bars) == {"0s"}


def test_without_a_script_the_picture_and_the_command_stay(explore):
    page = explore(java_script_enabled=False)
    assert page.locator(".explorer form").is_hidden()
    assert page.locator("#fig-explorer img").is_visible()
    assert "dpchoose epsilon" in page.locator(".explorer noscript").inner_text()


def test_with_a_script_the_explorer_stands_in_the_place_of_the_picture(page):
    assert page.locator(".explorer form").is_visible()
    assert page.locator("#fig-explorer").is_hidden()
