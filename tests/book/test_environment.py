"""The lock, the licences and the list of mutations."""

import csv
import re
import runpy

from dpbook.build import ROOT

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
