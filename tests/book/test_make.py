"""What Make takes to be stale, in a folder whose chapters are run by a stand-in."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from dpbook.build import ROOT

HTML = "_build/html/index.html"
STAND_IN = """#!/bin/sh
# python -m dpbook.build [SLUG], which writes down what is asked of it
test -e failing-$3 && exit 1
test -e slow && sleep 1
echo ${3:-html} >> log
mkdir -p book/chapters _build/html
if [ $3 ]; then touch book/chapters/$3.ipynb; else touch _build/html/index.html; fi
"""
FILES = """
notebooks/one.ipynb notebooks/two.md notebooks/two.ipynb notebooks/published.md
notebooks/published.ipynb figures/one.svg figures/one.png dpchoose/risk/bounds.py
dpchoose/checks.py book/dpbook/chapter.py book/index.md book/pyproject.toml benchmarks/risk.csv
.venv/.ready pyproject.toml requirements.lock _config.yml _toc.yml CHANGELOG.md
"""


@pytest.fixture
def clone(tmp_path, make):
    """A folder with two chapters, and what the last make in it did."""
    files = {"notebooks/one.md": 'chapter.save(figure, "one")', ".venv/bin/python": STAND_IN}
    for name, text in (dict.fromkeys(FILES.split(), "") | files).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / ".venv" / "bin" / "python").chmod(0o755)
    for name in ("Makefile", "book/alone.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    for path in tmp_path.rglob("*"):
        os.utime(path, (1e9, 1e9))
    os.utime(tmp_path / ".venv" / ".ready")

    class Clone:
        folder, clock = tmp_path, 1e9  # so that nothing happens twice within a tick

        def change(self, name):
            self.clock += 1
            os.utime(tmp_path / name, (self.clock, self.clock))

        def make(self, target="book"):
            make(target, cwd=tmp_path)
            before, self.clock = self.clock, self.clock + 1
            for path in [*tmp_path.glob("book/chapters/*"), *tmp_path.glob("_build/**/*")]:
                if path.stat().st_mtime > before:
                    os.utime(path, (self.clock, self.clock))
            log = tmp_path / "log"
            done = log.read_text().split() if log.exists() else []
            log.unlink(missing_ok=True)
            return done

    return Clone()


def test_all_is_made_once_and_the_published_after_the_other_chapters(clone):
    *chapters, last, page = clone.make()
    assert (sorted(chapters), last, page) == (["one", "two"], "published", "html")
    assert clone.make() == []


@pytest.mark.parametrize(
    ("changed", "run"),
    [
        ("notebooks/one.md", ["one"]),
        ("notebooks/one.ipynb", ["one"]),
        ("figures/one.svg", ["one"]),
        ("figures/one.png", ["one"]),
        ("dpchoose/risk/bounds.py", ["one", "two"]),
        ("book/dpbook/chapter.py", ["one", "two"]),
        ("benchmarks/risk.csv", ["one", "two"]),
        ("requirements.lock", ["one", "two"]),
        ("book/index.md", []),
        ("_toc.yml", []),
    ],
)
def test_what_is_made_from_a_changed_file_is_made_again(clone, changed, run):
    clone.make()
    clone.change(changed)
    done = clone.make()
    assert sorted(done[: len(run)]) == run
    assert done[len(run) :] == (["published"] if run else []) + ["html"]
    assert clone.make() == []


@pytest.mark.parametrize("missing", ["figures/one.svg", "figures/one.png"])
def test_a_missing_figure_is_drawn_again(clone, missing):
    clone.make()
    (clone.folder / missing).unlink()
    assert "one" in clone.make("notebooks")


def test_a_module_that_is_gone_makes_every_chapter_stale(clone):
    clone.make()
    (clone.folder / "dpchoose/checks.py").unlink()
    assert sorted(clone.make("notebooks")) == ["one", "published", "two"]


def test_all_figures_are_drawn_again_when_asked(clone):
    clone.make()
    assert sorted(clone.make("figures")) == ["one", "published", "two"]


def test_a_chapter_that_fails_stops_the_pages_and_not_the_other_chapters(clone):
    (clone.folder / "failing-one").touch()
    with pytest.raises(AssertionError):
        clone.make()
    assert (clone.folder / "log").read_text().split() == ["two"]
    assert not (clone.folder / HTML).exists()
    (clone.folder / "failing-one").unlink()
    assert clone.make() == ["two", "one", "published", "html"]


def test_of_two_makes_the_second_waits_and_finds_everything_made(clone, make):
    (clone.folder / "slow").touch()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(make, "book", cwd=clone.folder)
        while not (clone.folder / "log").exists():
            assert not first.done()
            time.sleep(0.05)
        second = make("book", cwd=clone.folder)
    assert first.result().stderr == ""
    assert second.stderr == "waiting for another make in this folder to end\n"
    assert second.stdout == f"{HTML}\n"
    assert sorted((clone.folder / "log").read_text().split()) == ["html", "one", "published", "two"]
