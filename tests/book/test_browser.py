"""Every page of the book in a real browser, from the disk, with no network."""

import functools
import re
from posixpath import dirname, normpath
from urllib.parse import urlsplit

import formulas
import pytest
from axe import CONTRAST, REST, switch, violations
from bs4 import BeautifulSoup
from dpbook.build import BUILD, ROOT
from exploring import PATIENCE
from pages import MOVED
from py_mini_racer import JSEvalException

pytestmark = pytest.mark.usefixtures("book")

HTML = BUILD / "html"
TOC = re.findall(r"(?:root|file): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
PAGES = [*(f"{page}.html" for page in TOC), "search.html", "genindex.html"]
FORWARDS = {"index.html": "book/index.html"}  # the path that the build ends with
FORWARDS |= {f"{old}.html": normpath(f"{dirname(old)}/{new}.html") for old, new in MOVED.items()}

WIDE, NARROW = ({"width": width, "height": 900} for width in (1280, 390))
LEFT = re.compile(r"\{(?:glue|cite):|\{(?:eq|doc|numref)\}`|Traceback \(most recent|\\[([]|x-tex")

PICTURES = """() => Promise.all([...document.images].map(async i => {
    i.loading = "eager"; // the lower ones wait until they come near
    await i.decode().catch(() => {});
    return [i.src, i.complete && i.naturalWidth > 0, i.alt];
}))"""
EQUATIONS = """() => ({
    written: document.querySelectorAll('.math').length,
    seen: [...document.querySelectorAll('.math .katex-html')].filter(
        m => m.getBoundingClientRect().height > 5 || m.closest('details:not([open])')).length,
    spoken: document.querySelectorAll('.math .katex-mathml math').length,
    fonts: [...document.fonts].filter(font => font.status === 'error').map(font => font.family),
})"""
MARKUP = """() => [
    ...[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, at, all) =>
        all.indexOf(id) < at).map(id => 'two elements ' + id),
    ...[...document.querySelectorAll('script[src]')].map(s => s.src.split('?')[0]).filter(
        (src, at, all) => all.indexOf(src) < at).map(src => 'loaded twice: ' + src),
    ...[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href')).filter(
        to => to !== '#' && !document.getElementById(to.slice(1))).map(to => 'no place ' + to),
    ...[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(
        h => !h.textContent.trim()).map(h => 'empty heading ' + h.outerHTML),
    ...[...document.querySelectorAll('form[action]')].filter(
        f => !f.querySelector('[type=submit]')).map(f => 'no way to submit ' + f.className),
]"""
WIDER = """() => [...document.querySelectorAll('.bd-article *')].filter(
    e => e.getBoundingClientRect().right > innerWidth + 1
      && !e.closest('.wide-table, .pst-scrollable-table-container, .text_html')
      && !e.closest('.x-scroll, pre, .katex')
).map(e => e.outerHTML.slice(0, 80))"""
MARK = """known => {
    const seen = { };
    for (const one of document.body.querySelectorAll("*"))
        for (const word of [one.localName, ...one.classList])
            if (!known.includes(word) && !/^(row|col)\\d+$/.test(word) && one.checkVisibility()) {
                seen[word] = (seen[word] ?? 0) + 1;
                if (seen[word] <= 5) one.dataset.new = "";
            }
    return document.querySelector("[data-new]") !== null;
}"""
# A picture that moves is drawn again in the frame after the one that has another width.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Visit:
    """A page that was opened, and what it complained about."""

    def __init__(self, context, address):
        self.complaints, self.requests = [], []
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("requestfailed", lambda r: self.complaints.append(f"failed {r.url}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.console)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)
        self.page.evaluate("document.fonts.ready.then(() => true)")

    def console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.close()


def address(name):
    return (HTML / name).as_uri()


def test_an_example_is_copied_without_its_prompts_and_its_answers(browser):
    page = browser.new_page()
    page.add_init_script("addEventListener('copy', () => window.copied = `${getSelection()}`)")
    page.goto(address("book/api.html"))
    block = page.locator(".highlight").filter(has_text="as refusal")
    assert ">>> " in block.inner_text()
    block.hover()
    block.locator("button.copybtn").click()
    lines = page.evaluate("copied").splitlines()
    page.close()
    assert lines[0] == "import numpy as np"
    assert lines[4:6] == ["try:", "    dp.world_answers(np.max, days, 3)"]
    assert len(lines) == 8


def test_no_page_is_left_out(browser):
    built = {path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html")}
    assert {name for name in built if not name.startswith("_static/")} == {*PAGES, *FORWARDS}


@pytest.mark.parametrize(("old", "new"), FORWARDS.items())
def test_an_address_that_is_no_page_leads_to_one(browser, old, new):
    page = browser.new_page()
    page.goto(address(old))
    page.wait_for_url(f"**/{new}")
    assert new in PAGES
    page.close()


@functools.cache
def styled(name):
    """What the style sheets can tell apart on a page: its tags and its classes."""
    text = (HTML / name).read_text("utf-8")
    words = {word for names in re.findall(r' class="([^"]+)"', text) for word in names.split()}
    return words | {*re.findall(r"<([a-z][a-z0-9]*)", text)}


def mark_new_styles(page, name):
    """Mark a few of each kind that no page before this one has; whether there are any."""
    before = PAGES[: PAGES.index(name)]
    return page.evaluate(MARK, [*set().union(*map(styled, before))])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_disk_without_a_complaint_and_can_be_read(browser, name):
    """No failed request, no word in the console, nothing wider than the screen, every picture
    there, every equation set; and by everyone: headings in order, labels on controls, and what
    else axe asks for; in both themes enough contrast, of each style on the page that brings it."""
    context = browser.new_context(viewport=WIDE, color_scheme="light", offline=True)
    with Visit(context, address(name)) as visit:
        pictures = visit.page.evaluate(PICTURES)
        assert pictures
        for source, loaded, alternative in pictures:
            assert loaded, source
            assert alternative.strip(), source
        equations = visit.page.evaluate(EQUATIONS)
        assert equations["seen"] == equations["spoken"] == equations["written"]
        assert equations["fonts"] == []
        assert visit.page.locator("h1:visible").count() == 1
        assert visit.page.evaluate(MARKUP) == []
        assert fits(visit, "light")
        assert violations(visit.page, options=REST) == []
        new = mark_new_styles(visit.page, name)
        for theme in ("light", "dark"):
            switch(visit.page, theme)
            assert not new or violations(visit.page, "[data-new]", CONTRAST) == []
        visit.page.set_viewport_size(NARROW)
        assert fits(visit, "dark")
        assert visit.complaints == []
        assert {urlsplit(url).scheme for url in visit.requests} <= {"file", "data", "blob"}
    context.close()


def fits(visit, theme):
    """Whether a page has this theme, and nothing wider than the screen."""
    visit.page.evaluate(DRAWN)
    assert visit.page.evaluate(WIDER) == []
    width = visit.page.evaluate("document.documentElement.scrollWidth")
    assert width <= visit.page.viewport_size["width"]
    return visit.page.locator("html").get_attribute("data-theme") == theme


@pytest.mark.parametrize("name", PAGES)
def test_no_markup_or_error_is_left_in_the_text(book, name):
    text = re.sub(r"<script\b.*?</script>", "", (HTML / name).read_text("utf-8"), flags=re.S)
    assert LEFT.findall(text) == []  # a script may have such signs


@pytest.mark.parametrize("name", PAGES)
def test_nothing_but_one_style_sheet_stands_before_the_text(book, name):
    """Scripts wait, and the index of the search is for the page that searches."""
    head = BeautifulSoup((HTML / name).read_text("utf-8"), "html.parser").head
    (sheet,) = head.select("link[rel=stylesheet]")
    assert (HTML / name).parent.joinpath(sheet["href"].partition("?")[0]).exists()
    scripts = head.select("script[src]")
    assert scripts
    assert all(script.has_attr("defer") for script in scripts)
    assert any("searchindex" in script["src"] for script in scripts) == (name == "search.html")


def test_a_formula_that_is_not_known_stops_the_build():
    with pytest.raises(JSEvalException, match="Undefined control sequence"):
        formulas.html(r"\nothing")


def test_what_appears_on_demand_can_be_read_by_everyone(browser):
    """On a narrow screen: the way back to the top of a long page, and the dialog that searches."""
    context = browser.new_context(viewport=NARROW, color_scheme="light", offline=True)
    with Visit(context, address("book/chapters/fig-2.html")) as visit:
        visit.page.evaluate("scrollTo({ top: 3000, behavior: 'instant' })")
        visit.page.evaluate(DRAWN)
        visit.page.mouse.wheel(0, -500)
        visit.page.locator("#pst-back-to-top").wait_for()
        assert in_both_themes(visit, "#pst-back-to-top") == []
        visit.page.keyboard.press("Control+k")
        assert visit.page.locator("dialog input[name=q]").is_visible()
        assert in_both_themes(visit, "dialog") == []
    context.close()


def in_both_themes(visit, place):
    """What axe objects to there in either theme."""
    objections = []
    for theme in ("light", "dark"):
        switch(visit.page, theme)
        objections += violations(visit.page, place)
    return objections


# The search is at its end, and each page that it found is there, for its summary.
SUMMARIES = """() => document.querySelector(".search-summary").innerText.includes("finished")
    && document.querySelector("#search-results li:not(:has(> .context, > span))") === null"""


@pytest.mark.parametrize(
    ("word", "page"),
    [("neighbourhood diameter", "chapters/local-sensitivity"), ("base rate", "book/conventions")],
)
def test_a_search_finds_the_page_and_leads_there(browser, served_book, word, page):
    context, (server, _) = browser.new_context(), served_book
    context.route(lambda url: not url.startswith(server), lambda route: route.abort())
    with Visit(context, f"{server}/search.html?q={word.replace(' ', '+')}") as visit:
        link = visit.page.locator(f"#search-results a[href*='{page}']").first
        link.wait_for()
        visit.page.wait_for_function(SUMMARIES)
        link.click()
        visit.page.wait_for_url(re.compile(page))
        assert word in visit.page.locator("main").inner_text().lower()
        assert visit.complaints == []
    context.close()


def test_the_search_box_is_reached_by_keyboard(browser, served_book):
    context = browser.new_context()
    with Visit(context, f"{served_book[0]}/book/index.html") as visit:
        visit.page.keyboard.press("Control+k")
        visit.page.keyboard.type("epsilon")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile("search.html"))
        visit.page.locator("#search-results li a").first.wait_for()
    context.close()
