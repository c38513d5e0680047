"""A plain chapter needs the package and what anybody has: no kit, no clone, no network."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from dpbook import build
from dpbook.places import FIGURES, NOTEBOOKS, ROOT
from test_plain import PLAIN, sources

SCRIPT = Path(__file__).with_name("by_the_wheel.py")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with what the wheel holds that the book lays beside itself."""
    folder = tmp_path_factory.mktemp("wheel")
    zipfile.ZipFile(build.lay_wheel(folder)).extractall(folder / "package")
    return folder / "package"


def test_the_wheel_holds_every_file_of_the_package(package):
    files = subprocess.run(
        ["git", "ls-files", "dpchoose"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    held = {str(path.relative_to(package)) for path in package.rglob("*")}
    assert {*files.stdout.split()} <= held


@pytest.mark.parametrize("slug", PLAIN)
def test_a_plain_chapter_runs_by_the_wheel_alone(package, slug, tmp_path):
    """And draws the published figures to the byte, and writes nothing else."""
    words = [sys.executable, SCRIPT, package, NOTEBOOKS / f"{slug}.ipynb", "a folder"]
    subprocess.run(words, cwd=tmp_path, env=os.environ | {"MPLBACKEND": "agg"}, check=True)
    drawn = {path.name: path.read_bytes() for path in tmp_path.glob("*/*")}
    published = {path.name: path.read_bytes() for path in FIGURES.glob("*.svg")}
    assert drawn.items() <= published.items()
    draws = ".savefig(" in sources(slug)
    assert bool(drawn) == draws
    assert [path.name for path in tmp_path.iterdir()] == ["a folder"] * draws
