"""One set of dependencies, said three times, and one version."""

import re
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


def conda():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
    pip = next(item["pip"] for item in listed if isinstance(item, dict))
    names = [item for item in listed if isinstance(item, str)]
    return names, pip


def test_conda_and_pip_users_get_the_same_packages_in_the_same_bounds():
    names, pip = conda()
    ours = ["-e .", "-e ./book"]
    stated = dict(split(item) for item in [*names, *pip] if item not in ["pip", *ours])
    assert stated.pop("python") == PROJECT["requires-python"]
    assert stated == dict(split(item) for item in DECLARED)
    assert "pip" in names
    assert set(ours) <= set(pip)


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


def test_every_public_name_is_there_and_is_documented():
    for name in dp.__all__:
        assert getattr(dp, name).__doc__, name


def test_the_version_is_said_once():
    assert PROJECT["version"] == dp.__version__
    assert f"version: {dp.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
