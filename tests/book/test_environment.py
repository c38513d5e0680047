"""One set of dependencies, said three times, and one version."""

import csv
import re
import runpy
import tomllib

import pytest
import yaml
from dpbook.build import ROOT

import dpchoose as dp

PROJECT, BOOK = (
    tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
    for folder in ("", "book")
)
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
EXTRAS = PROJECT["optional-dependencies"]
DECLARED = {
    *PROJECT["dependencies"],
    *(name for extra in EXTRAS.values() for name in extra),
    *BOOK["dependencies"],
} - {"dpchoose"}


def split(requirement):
    """The name and the bounds of a requirement, written as conda and pip do."""
    name, bounds = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement).groups()
    return name.lower().removesuffix("-base"), bounds


def environment():
    """What a reader takes from conda-forge, and what pip installs after it."""
    listed = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
    pip = next(item["pip"] for item in listed if isinstance(item, dict))
    return [item for item in listed if isinstance(item, str)], pip


def test_conda_brings_what_a_reader_needs_and_pip_both_of_ours_and_what_only_tests_need():
    names, pip = environment()
    assert pip == ["-e .", "-e ./book", *(" ".join(split(item)).strip() for item in EXTRAS["test"])]
    stated = dict(split(item) for item in names)
    assert stated.pop("python") == PROJECT["requires-python"]
    assert stated.pop("pip") == ""
    assert stated.pop("jupyterlab")  # to read in: nothing of ours calls it
    assert stated.items() <= dict(split(item) for item in DECLARED - {*EXTRAS["test"]}).items()


def test_what_conda_forge_has_in_no_version_within_the_bounds_is_named():
    conda = runpy.run_path(ROOT / "tests" / "conda_forge.py")
    has = {"numpy": ["1.26.4", "2.1.0"], "diffprivlib": ["0.6.4"], "pip": ["25.1"]}
    wants = ["numpy >=2.1,<3", "diffprivlib >=0.6.6,<1", "pip"]
    assert conda["missing"](wants, has.__getitem__) == ["diffprivlib >=0.6.6,<1"]
    assert conda["missing"](["numpy <2"], has.__getitem__) == []
    assert conda["wanted"]() == environment()[0]


@pytest.mark.parametrize("requirement", sorted(DECLARED))
def test_the_lock_holds_each_package_within_its_bounds(requirement):
    name, bounds = split(requirement)
    versions = re.findall(rf"^{re.escape(name)}==([\d.]+)", LOCK, flags=re.M)
    assert versions
    for version in versions:
        number = tuple(map(int, re.findall(r"\d+", version)))
        for sign, limit in re.findall(r"(>=|<)([\d.]+)", bounds):
            bound = tuple(map(int, limit.split(".")))
            assert number >= bound if sign == ">=" else number < bound


def test_the_lock_is_hashed_and_names_no_index():
    entries = re.findall(r"^[\w.\[\]-]+==.*(?:\n {4}--hash=\S+.*)*", LOCK, flags=re.M)
    assert len(entries) == len(re.findall(r"^[\w.\[\]-]+==", LOCK, flags=re.M)) > 50
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"https?://|--index|--find-links \S", LOCK.split("\n", 2)[2])


def test_the_version_is_said_once():
    assert PROJECT["version"] == dp.__version__
    assert f"version: {dp.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_licence_of_each_locked_package_is_listed_and_allows_to_pass_it_on():
    with (ROOT / "licences.csv").open(encoding="utf-8") as file:
        listed = {row["Name"].lower().replace("_", "-"): row for row in csv.DictReader(file)}
    here = dict(re.findall(r"^([\w.-]+)(?:\[.*\])?==([\w.]+) \\$", LOCK, flags=re.M))
    assert {name: listed[name]["Version"] for name in here} == here
    listed["axe-playwright-python"]["License"] = "MIT"  # says its file, not its metadata
    allowed = "MIT|BSD|Apache|ISC|MPL|Mozilla|PSF|Python Software|Artistic|Unlicense"
    assert [row for row in listed.values() if not re.search(allowed, row["License"])] == []
