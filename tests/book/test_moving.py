"""The pictures that move, each on a page of its own in a real browser, against the package."""

import itertools
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from dpbook.build import ROOT
from dpbook.moving import PICTURES

import dpchoose as dp

ASSETS = ROOT / "book" / "_assets"
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "book" / "_ext")!r})
extensions = ["myst_parser", "moving"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(ASSETS)!r}]
html_css_files = ["dpchoose.css"]
html_context = {{"default_mode": "auto"}}
"""
PAGE = """# A page

````{{moving}} {}
```{{figure}} /figures/posterior.svg
:alt: What stands there without a script
```
````
"""
WITHIN = "[role=slider], input[type=range]"  # what can be dragged, in the order of the page
# Each step is the place of a control and the value that it gets, or the key that it hears.
DRIVE = f"""(root, steps) => steps.map(([place, step]) => {{
    const control = root.querySelectorAll("{WITHIN}")[place];
    if (typeof step === "number") {{
        control.value = step;
        control.dispatchEvent(new Event("input"));
    }} else control.dispatchEvent(new KeyboardEvent("keydown", {{ key: step }}));
    return {{ ...JSON.parse(root.dataset.numbers), height: root.offsetHeight,
        told: [...root.querySelectorAll("{WITHIN}")].map(c => c.ariaValueText),
        values: [...root.querySelectorAll("svg text.value")].map(text => text.textContent),
        says: root.querySelector(".moving-says").textContent }};
}})"""

every_picture = pytest.mark.parametrize("name", PICTURES)
pupils, release = dp.datasets.school()
days = pupils["absence_days"]
even = dp.possible_worlds("mean", days, len(release))
answers = dp.world_answers("mean", days, len(release))
delta = float(dp.global_sensitivity("mean", days, len(release)))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page for each picture, without the rest of the book."""
    source = tmp_path_factory.mktemp("moving")
    (source / "conf.py").write_text(CONF, "utf-8")
    (source / "figures").mkdir()
    shutil.copy(ROOT / "figures" / "posterior.svg", source / "figures")
    for name in PICTURES:
        (source / f"{name}.md").write_text(PAGE.format(name), "utf-8")
    pages = "\n".join(PICTURES)
    (source / "index.md").write_text(f"# All\n```{{toctree}}\n{pages}\n```\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return source / "html"


@pytest.fixture(scope="module")
def chrome(playwright, chromium):
    launched = playwright.chromium.launch(**chromium)
    yield launched
    launched.close()


@pytest.fixture
def visit(chrome, site):
    """Open the page of a picture, in a context of its own; no error may occur there."""
    errors, contexts = [], []

    def opened(name, *, width=1280, **how):
        context = chrome.new_context(viewport={"width": width, "height": 900}, offline=True, **how)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def drive(page, steps):
    return page.locator(".moving").evaluate(DRIVE, steps)


def keys(place, *, count=120):
    """From one end to the other by the keyboard, in steps of every size."""
    middle = (["PageUp"] + 9 * ["ArrowRight"] + 4 * ["ArrowLeft"]) * (count // 14 + 1)
    return [(place, key) for key in ["Home", *middle[: count - 2], "End"]]


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"


def close(shown, ours):
    return np.allclose(shown, ours, rtol=1e-9, atol=1e-12)


def test_beliefs_are_the_posterior_at_every_output_and_epsilon(visit):
    """The bars' own words too."""
    steps = [
        step for pair in zip(keys(0), ((1, k % 101) for k in range(7, 847, 7))) for step in pair
    ]
    for seen in drive(visit("beliefs"), steps):
        ours = dp.posterior(answers, seen["output"], epsilon=seen["epsilon"], sensitivity=delta)
        assert close(seen["belief"], ours)
        assert seen["values"] == [percent(share) for share in seen["belief"]]
        assert seen["told"] == [
            f"{seen['output']:.2f} days",
            f"scale {delta / seen['epsilon']:.2f} days, ε = {seen['epsilon']:g}",
        ]
        assert percent(max(seen["belief"])) in seen["says"]


def test_the_worst_output_is_the_tight_bound_at_every_epsilon(visit):
    for seen in drive(visit("worst-output"), [*keys(1), *keys(0)]):
        noise = {"epsilon": seen["epsilon"], "sensitivity": delta}
        assert close(seen["worst"], dp.tight_bound(even, **noise))
        assert close(seen["here"], dp.posterior(answers, seen["output"], **noise).max())
        assert close(seen["crossing"], dp.epsilon_from_risk(even, risk="1/3", sensitivity=delta))
        keeps = seen["worst"] <= 1 / 3
        assert f"{'keeps' if keeps else 'breaks'} the accepted 33.3 %" in seen["says"]


def test_whatever_she_believed_before_the_worst_answer_is_the_tight_bound(visit):
    epsilon = dp.epsilon_from_risk(even, risk="1/3", sensitivity=delta)
    rng = np.random.default_rng(12)
    steps = [(int(place), int(value)) for place, value in rng.integers((0, 0), (4, 101), (120, 2))]
    for seen in drive(visit("priors"), steps):
        assert close(sum(seen["prior"]), 1)
        worlds = dp.possible_worlds("mean", days, len(release), prior=seen["prior"])
        assert close(seen["risk"], dp.tight_bound(worlds, epsilon=epsilon, sensitivity=delta))
        beliefs = dp.posterior(
            answers, answers, epsilon=epsilon, sensitivity=delta, prior=seen["prior"]
        )
        assert close(seen["after"], beliefs.diagonal())
        assert percent(seen["risk"]) in seen["says"]
        assert seen["told"] == [percent(share) for share in seen["prior"]]


def test_mean_and_median_follow_the_pupil(visit):
    for seen in drive(visit("one-record"), keys(0)):
        moved = [1, 2, seen["at"]]  # Chris, Kelly and Terry
        for query in ("mean", "median"):
            value = dp.queries.evaluate(query, np.array(moved, float))
            assert close(seen[query], value)
            low, high = seen["ends"][query]
            assert low - 1e-12 <= value <= high + 1e-12
            assert f"{query} {value:.2f}" in seen["values"]


def test_the_estimate_is_that_of_the_answers_given_so_far(visit):
    page = visit("coins", reduced_motion="reduce")
    rng = np.random.default_rng(3)
    steps = [(int(place), int(value)) for place, value in rng.integers((0, 0), (2, 101), (120, 2))]
    for seen in drive(page, steps):
        coins = dp.RandomizedResponse(epsilon=seen["epsilon"])
        share = seen["yes"] / seen["asked"]
        assert close(seen["estimate"], coins.estimate(share))
        assert close(seen["uncertainty"], coins.uncertainty(share, seen["asked"]))
        assert f"true yes in {percent(coins.disclosure_risk(0.2), 0)}" in seen["says"]
        assert f"the estimate is {percent(seen['estimate'])}" in seen["says"]
    assert page.locator(".person.yes").count() == seen["yes"]
    assert page.locator(".truth").count() == 40


def test_the_coins_are_fair(visit):
    """The numbers of yes of 300 surveys have the mean and the spread of two binomials."""
    page = visit("coins", reduced_motion="reduce")
    surveys = page.locator(".moving").evaluate(
        """root => Array.from({ length: 300 }, () => {
            root.querySelector("button").click();
            return JSON.parse(root.dataset.numbers).yes;
        })"""
    )
    truth = dp.RandomizedResponse(epsilon=np.log(3)).truth_probability
    mean, variance = 40 * truth + 160 * (1 - truth), 200 * truth * (1 - truth)
    assert abs(np.mean(surveys) - mean) < 4 * np.sqrt(variance / 300)
    assert 0.7 < np.var(surveys) / variance < 1.4


def test_the_chances_are_those_of_the_exponential_mechanism(visit):
    people = dp.datasets.adult_marital_status()
    for seen in drive(visit("choice"), [(0, k) for k in range(101)]):
        ours = dp.Exponential(people / 1000, epsilon=seen["epsilon"], sensitivity=1)
        assert close(seen["chances"], ours.probabilities)
        assert close(seen["guarantee"], ours.guarantee(1 / 1000))
        assert seen["values"] == [percent(chance) for chance in seen["chances"]]


@every_picture
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_else_moves_and_nothing_is_wider_than_the_screen(visit, name, width):
    """Whatever is dragged, the page keeps its height."""
    page = visit(name, width=width, reduced_motion="reduce")
    controls = page.locator(f".moving :is({WITHIN})")
    steps = []
    for place in range(controls.count()):
        handle = controls.nth(place).get_attribute("role") == "slider"
        steps += keys(place, count=30) if handle else [(place, k) for k in (0, 30, 100, 60)]
    assert len({seen["height"] for seen in drive(page, steps)}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (
        page.evaluate(
            """() => [...document.querySelectorAll('.moving-stage *')].filter(part => {
            const box = part.getBoundingClientRect();
            return !part.closest('svg svg') && (box.right > innerWidth + 1 || box.left < -1);
        }).map(part => part.outerHTML)"""
        )
        == []
    )


@every_picture
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_can_be_seen_and_used_by_everyone(visit, name, theme):
    page = visit(name, color_scheme=theme)
    assert page.locator("html").get_attribute("data-theme") == theme
    found = Axe().run(page, ".moving", {"preload": False}).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in found] == []


@every_picture
def test_every_control_is_reached_by_the_keyboard_and_says_its_value(visit, name):
    page = visit(name, reduced_motion="reduce")
    controls = page.locator(f".moving :is({WITHIN})")
    page.locator(".moving").evaluate("root => { root.tabIndex = -1; root.focus(); }")
    for control in controls.all():
        page.keyboard.press("Tab")
        assert control.evaluate("one => one === document.activeElement")
        page.keyboard.press("Home")
        texts = [control.get_attribute("aria-valuetext")]
        for key in ("ArrowRight", "End"):
            page.keyboard.press(key)
            texts.append(control.get_attribute("aria-valuetext"))
        assert len(set(texts)) == 3
        page.keyboard.press("Home")
        assert control.get_attribute("aria-valuetext") == texts[0]
    assert page.locator(".moving-says[aria-live=polite]").inner_text()


@every_picture
def test_every_control_can_be_touched(visit, name):
    page = visit(name, width=390, has_touch=True)
    for control in page.locator(".moving :is(.handle .reach, input, button)").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 43.9


@pytest.mark.parametrize("name", ["beliefs", "worst-output", "one-record"])
def test_a_handle_follows_the_mouse(visit, name):
    page = visit(name)
    for knob in page.locator(".moving [role=slider]").all():
        before = float(knob.get_attribute("aria-valuenow"))
        box = knob.locator(".knob").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=4)
        page.mouse.up()
        after = float(knob.get_attribute("aria-valuenow"))
        moved = knob.locator(".knob").bounding_box()["x"] - box["x"]
        assert after > before
        assert moved == pytest.approx(40, abs=17)  # the next whole step
        page.mouse.move(x + 80, y)
        assert float(knob.get_attribute("aria-valuenow")) == after


@every_picture
def test_without_a_script_and_in_print_the_still_picture_is_there(visit, name):
    still = visit(name, java_script_enabled=False)
    assert still.locator(".moving img").is_visible()
    assert still.locator(".moving-stage").is_hidden()
    page = visit(name)
    assert page.locator(".moving img").is_hidden()
    assert page.locator(".moving-stage").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".moving img").is_visible()
    assert page.locator(".moving-stage").is_hidden()


def numbers(page):
    return json.loads(page.locator(".moving").get_attribute("data-numbers"))


@every_picture
def test_nothing_moves_by_itself(visit, name):
    """Where motion is not wanted, a new survey is there at once, too."""
    page = visit(name, reduced_motion="reduce")
    page.evaluate("() => { window.requestAnimationFrame = () => { throw Error('moved'); }; }")
    before = numbers(page)
    for button in page.locator(".moving button").all():
        button.click()
    if name == "coins":
        assert numbers(page)["asked"] == before["asked"]
        assert numbers(page)["survey"] == before["survey"] + 1


def test_people_are_asked_one_after_another_where_motion_is_welcome(visit):
    page = visit("coins")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.locator(".moving button").dispatch_event("click")
    asked = []
    for _ in range(4):
        page.clock.fast_forward(1100)
        asked.append(numbers(page)["asked"])
    assert all(earlier < later for earlier, later in itertools.pairwise(asked))
    assert asked[-1] == 200
