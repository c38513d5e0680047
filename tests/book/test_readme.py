"""The README, word for word."""

import re
import shlex

import pytest
import yaml
from dpbook.build import ROOT
from dpbook.chapter import parameters

from dpchoose.__main__ import main

README = (ROOT / "README.md").read_text("utf-8")


def test_the_first_command_prints_what_stands_under_it(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    command = re.search(r"^    \.venv/bin/dpchoose (.*)$", README, flags=re.M)[1]
    assert main(shlex.split(command)) == 0
    printed = re.search(r"```console\n(.*?)```", README, flags=re.S)[1]
    assert capsys.readouterr().out == printed


def test_the_lines_that_are_explained_are_printed():
    printed = re.search(r"```console\n(.*?)```", README, flags=re.S)[1]
    for name in ("epsilon", "noise scale", "95% error"):
        assert f"`{name}`" in README
        assert re.search(rf"^statistic .*  {name}\b", printed, flags=re.M)


def test_every_parameter_that_is_given_to_papermill_is_one_of_the_chapter():
    runs = re.findall(r"papermill notebooks/([\w-]+)\.ipynb \S+((?: -p \S+ \S+)+)", README)
    assert runs
    for slug, given in runs:
        assert set(re.findall(r"-p (\S+)", given)) <= parameters(slug).keys()


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
