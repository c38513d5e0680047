"""The rendered book, built by the command that a reader uses; test_browser opens its pages."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from dpbook import build, published
from dpbook.build import ROOT

import dpchoose


def test_without_its_chapters_the_book_is_not_built_and_one_line_says_what_to_do(tmp_path):
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("chapters"))
    command = [Path(sys.executable).with_name("jupyter-book"), "build", tmp_path, "-q"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 1
    (line,) = made.stderr.splitlines()
    assert re.fullmatch(r"\d+ pages are missing, such as book/chapters/\S+: `make book` .+", line)
    assert not list(tmp_path.glob("_build/html/*"))


def test_every_public_name_is_documented_and_on_the_page_of_the_functions(book):
    described = re.findall(r' id="([\w.]+)"', (book / "book" / "api.html").read_text("utf-8"))
    public = {*dpchoose.__all__} - {"datasets"}
    assert {f"dpchoose.{name}" for name in public} | {"dpchoose.datasets.school"} <= {*described}
    assert all(getattr(dpchoose, name).__doc__ for name in dpchoose.__all__)


def test_every_printed_value_has_a_verdict(book):
    executed = (build.EXECUTED / "published.ipynb").read_text("utf-8")
    assert f"Each of {len(published.addresses())} printed values" in executed
