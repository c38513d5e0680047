"""The README, word for word."""

import re
import shlex

import pytest
import yaml
from dpbook import published
from dpbook.build import ROOT

from dpchoose.__main__ import main

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^    (?:\.venv/bin/)?dpchoose (.*)$", README, flags=re.M)
STAYS = "stay,ward\n" + "".join(f"{day % 9},{'ns'[day % 2]}\n" for day in range(900))


def test_the_first_command_prints_what_stands_under_it(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(shlex.split(COMMANDS[0])) == 0
    printed = re.search(r"```console\n(.*?)```", README, flags=re.S)[1]
    assert capsys.readouterr().out == printed
    for name in ("epsilon", "noise scale", "95% error"):
        assert f"`{name}`" in README
        assert re.search(rf"^statistic .*  {name}\b", printed, flags=re.M)


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_every_other_command_has_an_answer(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stays.csv").write_text(STAYS)
    (tmp_path / "dpchoose").symlink_to(ROOT / "dpchoose")
    assert main(shlex.split(command, comments=True)) == 0


def test_the_table_has_every_published_figure_with_its_chapter_and_its_line():
    rows = re.findall(r"^\| (.*?) \| \[(.*?)\]\((.*?)\) \| `(.*?)` \|$", README, flags=re.M)
    assert rows == [
        (
            f"{published.document()['sources'][one['source']]}, {one['name']}",
            slug := one["chapter"],
            f"notebooks/{slug}.md",
            f"papermill notebooks/{slug}.ipynb out.ipynb",
        )
        for one in published.document()["figures"]
    ]


def test_every_file_that_is_linked_is_there():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert "CONTRIBUTING.md" in links
    assert [link for link in links if not (ROOT / link).exists()] == []


WORKFLOW = ROOT / ".github" / "workflows" / "book.yml"
FORM = ROOT / ".github" / "ISSUE_TEMPLATE" / "number.yml"


def test_the_workflow_runs_the_two_commands():
    jobs = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
    commands = [step.get("run") for step in jobs["book"]["steps"]]
    assert commands.index("make book") < commands.index("make test")
    assert jobs["publish"]["needs"] == "book"


@pytest.mark.parametrize("field", ["where", "printed", "got", "version"])
def test_a_report_of_a_number_asks_for_what_it_takes(field):
    asked = {part["id"]: part for part in yaml.safe_load(FORM.read_text("utf-8"))["body"]}
    assert asked[field]["validations"] == {"required": True}
