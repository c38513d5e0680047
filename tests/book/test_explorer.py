"""The explorer: its data, and the page itself moved through a real browser."""

import json
import math
import re

import numpy as np
import pytest
from dpbook import build, explorer
from dpbook.build import BUILD
from dpbook.chapter import FIGURES

import dpchoose as dp
from dpchoose.epsilon.text import parse_risk, round_down

PAGE = BUILD / "html" / "book" / "chapters" / "explorer.html"
SCHOOL = explorer.Records("four pupils", "absence days", [1.0, 2.0, 3.0, 10.0], 3)
STOPS = explorer.stops()


def universes():
    """What each choice of data and column on the page stands for."""
    found = {}
    for words, load in {
        "four pupils, three released": dp.datasets.school,
        "ten pupils, six released": dp.datasets.school_large,
    }.items():
        pupils, release = load()
        for column in ("absence_days", "school_year"):
            found[words, column.replace("_", " ")] = (pupils[column], len(release))
    for column in ("visits", "chronic_diseases"):
        patients = dp.datasets.read_column(dp.datasets.health(), column)
        words = f"{len(patients):,} patients, {len(patients) - 1:,} released"
        found[words, column.replace("_", " ")] = (patients, len(patients) - 1)
    return found


@pytest.mark.parametrize("query", ["mean", "median", "count", "var"])
def test_an_epsilon_that_is_shown_never_exceeds_the_one_that_keeps_the_risk(query):
    worlds = dp.possible_worlds(query, SCHOOL.values, SCHOOL.release_size)
    delta = float(dp.global_sensitivity(query, SCHOOL.values, SCHOOL.release_size))
    for row, risk in zip(explorer.explore(SCHOOL, [query], STOPS)[0]["rows"], STOPS, strict=True):
        accepted = float(parse_risk(risk))
        if row["tight"] == "none":
            assert accepted <= 1 / 4
        elif row["tight"] == "any":
            assert float(worlds.largest_share) <= accepted
        else:
            reached = dp.tight_bound(worlds, epsilon=float(row["tight"]), sensitivity=delta)
            assert reached <= accepted
            assert float(row["noise"]) >= delta / float(row["tight"]) * (1 - 1e-3)


def test_a_scale_is_rounded_up_and_keeps_four_digits():
    rng = np.random.default_rng(1)
    for value in 10 ** rng.uniform(-8, 8, 200):
        shown = float(explorer.round_up(value))
        assert value <= shown <= value * 1.001


def test_the_stops_ascend_within_the_risks_there_are():
    risks = [parse_risk(text) for text in STOPS]
    assert risks == sorted(set(risks))


def test_the_curve_of_a_column_ends_beyond_every_epsilon_that_is_marked():
    for query in ("mean", "median", "sum"):
        entry = explorer.explore(SCHOOL, [query], STOPS)[0]
        marks = [row[kind] for row in entry["rows"] for kind in ("tight", "upper")]
        assert max(float(m) for m in marks if m not in ("any", "none")) <= entry["end"]


def test_a_start_that_is_not_offered_is_refused():
    entries = explorer.explore(SCHOOL, ["mean"], ["1/3"])
    start = {"dataset": "four pupils", "column": "absence days", "query": "mean", "risk": "1/3"}
    with pytest.raises(ValueError, match="start must be among the entries"):
        explorer.page(entries, ["1/3"], start | {"query": "mode"})
    with pytest.raises(ValueError, match="risk must be one of"):
        explorer.page(entries, ["1/3"], start | {"risk": "0.4"})


def test_data_cannot_end_the_script_that_holds_them():
    odd = explorer.Records("</script><b>", "x", SCHOOL.values, 3)
    entries = explorer.explore(odd, ["mean"], ["1/3"])
    start = {"dataset": odd.dataset, "column": "x", "query": "mean", "risk": "1/3"}
    text = explorer.page(entries, ["1/3"], start).data
    held = re.search(r'<script type="application/json">(.*?)</script>', text, flags=re.S)[1]
    assert json.loads(held)["sets"][0]["dataset"] == "</script><b>"


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    opened = context.new_page()
    opened.goto(PAGE.as_uri())
    yield opened
    context.close()


def test_a_file_of_ones_own_is_offered_first(tmp_path):
    """By the parameters of the notebook; the picture is of it too."""
    mine = tmp_path / "mine.csv"
    mine.write_text("age\n33\n55\n41\n60\n")
    asked = {"csv": str(mine), "csv_columns": ["age"], "queries": ["mean"]}
    output = tmp_path / "out.ipynb"
    build.run("explorer", output, asked | {"figures_folder": str(tmp_path)})
    page = re.search(
        r"<script type=..?application/json..?>(.*?)</script>", output.read_text("utf-8")
    )
    assert page[1].index("4 records of yours, 3 released") < page[1].index("four pupils")
    assert (tmp_path / "explorer.svg").read_bytes() != (FIGURES / "explorer.svg").read_bytes()


def shown(page):
    parts = page.locator("[data-part]").evaluate_all(
        "found => found.map(one => [one.dataset.part, one.textContent])"
    )
    return dict(parts)


def test_a_hundred_points_of_the_page_are_the_packages_own(page):
    """Chosen at random, set through the controls, read from the page."""
    rng = np.random.default_rng(20111011)
    choices = list(universes().items())
    queries = page.get_by_label("Query").locator("option").all_inner_texts()
    assert len(queries) >= 9
    for _ in range(100):
        (data, column), (values, size) = choices[rng.integers(len(choices))]
        query, stop = queries[rng.integers(len(queries))], int(rng.integers(len(STOPS)))
        page.get_by_label("Data").select_option(data)
        page.get_by_label("Column").select_option(column)
        page.get_by_label("Query").select_option(query)
        page.get_by_role("slider").fill(str(stop))
        one = dp.recommend(query, values, size, risk=STOPS[stop])
        met, noise = one.status != "cannot be met", one.table.iloc[0]
        found = shown(page)
        assert found["stop"] == STOPS[stop]
        for part, name in explorer.CELLS.items():
            if part in found:
                expected = as_shown(one.bounds.get(name, math.nan), met)
                assert found[part] == expected, (data, column, query, stop, part)
        scale, half = noise["noise scale"], noise["half-width"]
        assert found["noise"] == ("none" if scale != scale else explorer.round_up(scale))
        assert found["error"] == ("" if half != half else explorer.round_up(half))
        assert found["worlds"] == one.facts.worlds
        assert float(found["sensitivity"]) == pytest.approx(noise["sensitivity"], rel=1e-3)
        if found["noise"] not in ("none", "0"):
            assert f"ε = {as_shown(one.epsilon, met)}" in found["sentence"]
        assert ("Not safe" in found["sentence"]) == (one.status in ("exposed", "not shown safe"))


def as_shown(value, met):
    """What the page writes for an epsilon by some bound."""
    if value != value:
        return "" if met else "none"
    return round_down(value)


def test_the_marks_stand_where_the_curves_cross_the_accepted_risk(page):
    """Read off the drawing: each curve passes through the top of its mark."""
    for kind in ("tight", "upper"):
        mark = page.locator(f"line.{kind}.mark")
        x, y = (float(mark.get_attribute(name)) for name in ("x1", "y2"))
        points = page.locator(f"polyline.{kind}").get_attribute("points").split()
        xs, ys = np.array([point.split(",") for point in points], dtype=float).T
        assert np.interp(x, xs, ys) == pytest.approx(y, abs=0.5)


def test_the_risk_is_moved_by_the_keyboard_and_said(page):
    slider = page.get_by_role("slider")
    slider.focus()
    before = slider.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowRight")
    after = slider.get_attribute("aria-valuetext")
    assert (before, after) == ("1/3", STOPS[STOPS.index("1/3") + 1])
    assert after in page.locator("[data-part=plot]").get_attribute("aria-label")
    page.keyboard.press("Home")
    assert "No ε keeps this risk" in page.locator("[aria-live]").inner_text()


def test_every_control_can_be_reached_and_touched(page):
    controls = page.locator(".explorer").locator("select, input")
    assert controls.count() == 4
    for control in controls.all():
        box = control.bounding_box()
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_another_dataset_keeps_what_it_also_has(page):
    page.get_by_label("Query").select_option("var")
    page.get_by_label("Data").select_option("ten pupils, six released")
    assert page.get_by_label("Query").input_value() == "var"
    assert page.get_by_label("Column").input_value() == "absence days"


def test_the_picture_gives_way_to_the_explorer_and_stays_without_a_script(browser, page):
    assert page.locator(".explorer form").is_visible()
    assert page.locator("#fig-explorer").is_hidden()
    context = browser.new_context(java_script_enabled=False, offline=True)
    still = context.new_page()
    still.goto(PAGE.as_uri())
    assert still.locator(".explorer form").is_hidden()
    assert still.locator("#fig-explorer img").is_visible()
    assert "Without it, the picture below" in still.locator(".explorer noscript").inner_text()
    context.close()
