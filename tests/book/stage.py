"""A page of its own for each picture that moves, and how one is driven."""

import json
import shutil
import subprocess
import sys

from dpbook.build import ROOT
from moving import FIGURES

ASSETS = ROOT / "book" / "_assets"
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "book" / "moving")!r})
extensions = ["myst_parser", "moving"]
html_theme = "sphinx_book_theme"
html_static_path = [{str(ASSETS)!r}]
html_css_files = ["dpchoose.css"]
html_context = {{"default_mode": "auto"}}
"""
PAGE = """# A page

```{{figure}} /figures/posterior.svg
:name: {}
:alt: What stands there without a script
```
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


def build(source):
    """Pages of the pictures from a new folder, without the rest of the book."""
    (source / "conf.py").write_text(CONF, "utf-8")
    (source / "figures").mkdir()
    shutil.copy(ROOT / "figures" / "posterior.svg", source / "figures")
    for figure, name in FIGURES.items():
        page = source / f"{name}.md"
        page = source / f"{figure}.md" if page.exists() else page  # a second place of the same
        page.write_text(PAGE.format(figure), "utf-8")
    pages = "\n".join(page.stem for page in source.glob("*.md"))
    (source / "index.md").write_text(f"# All\n```{{toctree}}\n{pages}\n```\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", source, source / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return source / "html"


def drive(page, steps):
    return page.locator(".moving").evaluate(DRIVE, steps)


def keys(place, *, count=120):
    """From one end to the other by the keyboard, in steps of every size."""
    middle = (["PageUp"] + 9 * ["ArrowRight"] + 4 * ["ArrowLeft"]) * (count // 14 + 1)
    return [(place, key) for key in ["Home", *middle[: count - 2], "End"]]


def numbers(page):
    """What a picture shows now, in full."""
    return json.loads(page.locator(".moving").get_attribute("data-numbers"))


HEARD = """() => {
    window.heard = [];
    for (const kind of ["pointercancel", "pointerup"]) {
        window[`on${kind}`] = () => heard.push(kind);
    }
}"""


def thumb(page, path):
    """A finger goes along a path; what the page heard, and by how much it scrolled."""
    device = page.context.new_cdp_session(page)
    page.evaluate(HEARD)
    before = page.evaluate("scrollY")
    for kind, points in [
        ("touchStart", path[:1]),
        *(("touchMove", [at]) for at in path[1:]),
        ("touchEnd", []),
    ]:
        touched = [{"x": x, "y": y} for x, y in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
        page.evaluate("() => new Promise(requestAnimationFrame)")  # as a screen shows it
    return page.evaluate("heard"), page.evaluate("scrollY") - before
