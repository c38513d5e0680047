"""The licence of every package that the lock names: python -m dpbook.licences

It writes book/licences.csv, which the page on citing shows. A package that is
locked for another system is fetched, without those that it needs in turn, to
be asked as well.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions

from dpbook.places import ROOT

LOCK, TABLE = ROOT / "requirements.lock", ROOT / "book" / "licences.csv"


def locked(text: str) -> list[tuple[str, str]]:
    """The names and versions in the text of a lock.

    >>> locked("click==8.5.1 \\\\\\n    --hash=sha256:1\\ncffi==2.1.1 ; sys_platform == 'win32'")
    [('click', '8.5.1'), ('cffi', '2.1.1')]
    """
    return re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==([\w.]+)", text, flags=re.M)


def licence(package: Distribution) -> str:
    """What a package says of its licence: its expression, else its classifiers, else its word.

    >>> licence(distribution("click"))
    'BSD-3-Clause'
    """
    said = package.metadata
    classifiers = [
        line.split(" :: ")[-1]
        for line in said.get_all("Classifier", [])
        if line.startswith("License :: ") and not line.endswith(" :: OSI Approved")
    ]
    first = (said.get("License") or "").strip().split("\n")[0]
    return (
        said.get("License-Expression") or ", ".join(classifiers) or first or _of_its_file(package)
    )


def _of_its_file(package: Distribution) -> str:
    """The first line of the licence that is shipped, where the metadata do not say."""
    for file in package.files or []:
        if re.match(r"LICEN[CS]E", file.name):
            return file.read_text("utf-8").strip().split("\n")[0]
    return ""


def main() -> int:
    wanted = locked(LOCK.read_text("utf-8"))
    found = {}
    for name, version in wanted:
        try:
            found[name, version] = distribution(name)
        except PackageNotFoundError:
            continue
    missing = [f"{name}=={version}" for name, version in wanted if (name, version) not in found]
    with tempfile.TemporaryDirectory() as folder:
        fetch = ["uv", "pip", "install", "--quiet", "--no-deps", "--target", folder, *missing]
        if missing and subprocess.run(fetch).returncode:
            return 1
        for package in distributions(path=[folder]):
            found[package.name.lower().replace("_", "-"), package.version] = package
        rows = [(*one, licence(found[one])) for one in wanted]
    part = TABLE.with_name(f".{TABLE.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("package", "version", "licence"), *rows])
    part.replace(TABLE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
