"""The README, word for word, and what else stands beside it."""

import csv
import re
import runpy
import shlex

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import yaml
from dpbook import build, published
from dpbook.build import ROOT
from test_numbers import ran

from dpchoose.__main__ import main

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^    (?:\.venv/bin/)?dpchoose (.*)$", README, flags=re.M)
FIGURES = published.document()["figures"]
STAYS = "stay,ward\n" + "".join(f"{day % 9},{'ns'[day % 2]}\n" for day in range(900))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_answer(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stays.csv").write_text(STAYS)
    (tmp_path / "dpchoose").symlink_to(ROOT / "dpchoose")
    assert main(shlex.split(command, comments=True)) == 0


def test_the_few_lines_of_figure_2_draw_its_curves(monkeypatch):
    """Those of the chapter, for the absence days."""
    (lines,) = re.findall(r"^```python\n(import matplotlib.*?)^```", README, flags=re.M | re.S)
    with mpl.rc_context({"backend": "agg"}):
        exec(lines, {})
        (axes,) = plt.gcf().axes
        drawn = {line.get_label(): line.get_xydata() for line in axes.lines}
        plt.close()
    panels = []
    ran("fig-2", {}, lambda _, figures: panels.extend(figures[-1].axes))
    published = {line.get_label(): line.get_xydata() for line in panels[-1].lines}
    for bound in ("upper bound", "tight bound"):
        assert np.allclose(drawn[bound], published[bound], rtol=1e-12)
    assert "accepted risk" in drawn


PICTURE = re.compile(r"\[!\[.+?\]\(\S*?figures/([a-z0-9-]+)\.svg\)<br>(.+?)\]\((\S+?)\)")
DRAWN = {figure["files"][0]: figure["chapter"] for figure in FIGURES}


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("README.md", "notebooks/README.md#fig-{name}"),
        ("notebooks/published.md", "{slug}.ipynb#fig-{name}"),
    ],
)
def test_a_page_opens_with_each_published_figure_as_a_link_to_it(page, link):
    pictures = PICTURE.findall((ROOT / page).read_text("utf-8"))
    assert [(name, address) for name, _, address in pictures] == [
        (name, link.format(name=name, slug=slug)) for name, slug in DRAWN.items()
    ]
    captions = {name: caption for name, caption, _ in pictures}
    for figure in FIGURES:
        assert (
            published.document()["sources"][figure["source"]].split(",")[0]
            in (captions[figure["files"][0]])
        )


def test_each_figure_stands_beside_its_notebook_and_its_line():
    text = (ROOT / "notebooks" / "README.md").read_text("utf-8")
    shown = re.findall(
        r'^<a id="fig-(.+)"></a>\n\n## .+\n\n'
        r"\[(.+)\]\((.+)\.md\): `papermill notebooks/(.+)\.ipynb out\.ipynb"
        r" -p figures_folder figures`\n\n"
        r"!\[.+\]\(\.\./figures/(.+)\.svg\)$",
        text,
        flags=re.M,
    )
    assert shown == [(name, *[slug] * 3, name) for name, slug in DRAWN.items()]
    assert {*re.findall(r"\]\(([\w-]+)\.md\)", text)} == {*build.slugs()}


def test_every_file_that_is_linked_is_there():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert "CONTRIBUTING.md" in links
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []


WORKFLOW = ROOT / ".github" / "workflows" / "book.yml"
FORM = ROOT / ".github" / "ISSUE_TEMPLATE" / "number.yml"


def test_the_workflow_runs_the_two_commands():
    jobs = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
    commands = [step.get("run") for step in jobs["book"]["steps"]]
    assert commands.index("make book") < commands.index("make test")
    assert jobs["publish"]["needs"] == "book"


def test_a_report_of_a_number_asks_for_what_it_takes():
    asked = {part["id"]: part for part in yaml.safe_load(FORM.read_text("utf-8"))["body"]}
    for field in ("where", "printed", "got", "version"):
        assert asked[field]["validations"] == {"required": True}


LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def test_the_lock_is_hashed_and_names_no_index():
    entries = re.findall(r"^[\w.\[\]-]+==.*(?:\n {4}--hash=\S+.*)*", LOCK, flags=re.M)
    assert len(entries) == len(re.findall(r"^[\w.\[\]-]+==", LOCK, flags=re.M)) > 50
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"https?://|--index|--find-links \S", LOCK.split("\n", 2)[2])


def test_every_place_that_is_broken_on_purpose_stands_once_in_its_module():
    """So that the list for `make mutate` goes stale in no commit."""
    mutate = runpy.run_path(str(ROOT / "tests" / "mutate.py"))
    assert len(mutate["read"](mutate["LIST"], [])) > 60


def test_the_licence_of_each_locked_package_is_listed_and_allows_to_pass_it_on():
    with (ROOT / "licences.csv").open(encoding="utf-8") as file:
        listed = {row["Name"].lower().replace("_", "-"): row for row in csv.DictReader(file)}
    everywhere = re.findall(r"^([\w.-]+)(?:\[.*\])?==[\w.]+ \\$", LOCK, flags=re.M)
    assert {*everywhere} <= listed.keys()
    listed["axe-playwright-python"]["License"] = "MIT"  # says its file, not its metadata
    allowed = "MIT|BSD|Apache|ISC|MPL|Mozilla|PSF|Python Software|Artistic|Unlicense"
    assert [row for row in listed.values() if not re.search(allowed, row["License"])] == []
