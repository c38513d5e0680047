"""The pictures that move can be seen, reached and left alone by everybody."""

import itertools

import pytest
from axe import CONTRAST, switch, violations
from moving import PICTURES
from stage import WITHIN, drive, keys, numbers, thumb

every_picture = pytest.mark.parametrize("name", PICTURES)


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
def test_a_picture_can_be_seen_and_used_by_everyone(visit, name):
    """In the dark theme there are other colours, and nothing else."""
    page = visit(name, color_scheme="light")
    assert violations(page, ".moving") == []
    switch(page, "dark")
    assert violations(page, ".moving", CONTRAST) == []


@every_picture
def test_every_control_is_reached_by_the_keyboard_and_says_its_value(visit, name):
    page = visit(name, reduced_motion="reduce")
    controls = page.locator(f".moving :is({WITHIN})")
    page.locator(".moving").evaluate("root => { root.tabIndex = -1; root.focus(); }")
    for control in controls.all():
        page.keyboard.press("Tab")
        while page.evaluate("document.activeElement.matches('.moving-field *')"):
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
    for control in page.locator(".moving :is(.handle .reach, input, select, button)").all():
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
def test_every_handle_follows_a_thumb_and_the_page_stays_where_it_is(visit, name):
    """Sideways and a little up, as a thumb goes; the knob is then where the thumb is."""
    page = visit(name, width=390, has_touch=True, is_mobile=True)
    controls = page.locator(f".moving :is({WITHIN})")
    for control in controls.all():
        control.scroll_into_view_if_needed()
        knob = control.locator(".knob")
        moves = knob.count() > 0
        box = (knob if moves else control).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if not moves:  # a slider: from where its thumb is
            low, high = (float(control.get_attribute(one)) for one in ("min", "max"))
            at = float(control.input_value())
            x = box["x"] + 8 + (box["width"] - 16) * (at - low) / (high - low)
        way = 48 if x < 195 else -48
        path = [(x + way * step / 12, y - 3 * step) for step in range(13)]
        assert thumb(page, path) == (["pointerup"], 0)
        if moves:
            after = knob.bounding_box()
            assert after["x"] + after["width"] / 2 == pytest.approx(x + way, abs=17)
        else:
            share = (float(control.input_value()) - low) / (high - low)
            there = box["x"] + 8 + (box["width"] - 16) * share
            assert there == pytest.approx(x + way, abs=17)


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
