"""The rendered book, built by the command that a reader uses."""

import html.parser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dpbook import build, published
from dpbook.build import ROOT

import dpchoose


class Page(html.parser.HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self, path):
        super().__init__()
        self.path, self.tags = path, []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def all(self, tag, attribute):
        return [found[attribute] for name, found in self.tags if name == tag and attribute in found]


@pytest.fixture(scope="module")
def pages(book):
    found = [Page(path) for path in sorted(book.rglob("*.html"))]
    read = [page for page in found if "_static" not in page.path.parts]
    return [page for page in read if "Refresh" not in page.all("meta", "http-equiv")]


def test_the_table_of_contents_is_all_there(book, pages):
    listed = re.findall(r"(?:root|file): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
    built = {page.path.relative_to(book).with_suffix("").as_posix() for page in pages}
    assert set(listed) <= built


def test_a_second_build_with_nothing_changed_makes_nothing(book, make):
    before = (book / "index.html").stat().st_ctime_ns
    assert make("book").stdout == "_build/html/index.html\n"
    assert (book / "index.html").stat().st_ctime_ns == before


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


def test_no_page_needs_a_network(pages):
    for page in pages:
        loaded = page.all("script", "src") + page.all("img", "src")
        loaded += [
            found["href"]
            for name, found in page.tags
            if name == "link" and found.get("rel") in ("stylesheet", "icon", "preload")
        ]
        assert loaded
        assert [source for source in loaded if re.match(r"(https?:)?//", source)] == [], page.path


def test_everything_that_a_page_loads_is_in_the_book(pages):
    for page in pages:
        for source in page.all("script", "src") + page.all("img", "src"):
            if not source.startswith("data:"):
                target = page.path.parent / source.partition("?")[0]
                assert target.exists(), f"{page.path}: {source}"


def test_no_script_is_loaded_twice(pages):
    for page in pages:
        scripts = [source.partition("?")[0] for source in page.all("script", "src")]
        assert len(scripts) == len(set(scripts)), page.path


def test_mathematics_is_in_the_book_itself(book):
    assert (book / "_static" / "mathjax" / "tex-svg.js").stat().st_size > 1_000_000


def test_every_picture_has_an_alternative_text(pages):
    for page in pages:
        pictures = [found for name, found in page.tags if name == "img"]
        assert pictures
        assert all(found.get("alt", "").strip() for found in pictures), page.path


def test_no_markup_or_error_is_left_in_the_text(pages):
    for page in pages:
        text = page.path.read_text("utf-8")
        for leftover in (
            "{glue:",
            "{eq}`",
            "{doc}`",
            "{cite:",
            "Traceback (most recent",
            "{numref}`",
        ):
            assert leftover not in text, f"{page.path}: {leftover}"


def test_a_link_within_a_page_leads_somewhere(pages):
    for page in pages:
        places = {found["id"] for _, found in page.tags if "id" in found}
        for link in page.all("a", "href"):
            if link.startswith("#") and link != "#":
                assert link[1:] in places, f"{page.path}: {link}"


def test_every_public_name_is_on_the_page_of_the_functions(pages):
    reference = next(page for page in pages if page.path.stem == "api")
    described = {found["id"] for _, found in reference.tags if "id" in found}
    public = set(dpchoose.__all__) - {"datasets"}
    assert {f"dpchoose.{name}" for name in public} <= described
    assert "dpchoose.data.datasets.school" in described


def test_every_printed_value_has_a_verdict(book):
    executed = (build.EXECUTED / "published.ipynb").read_text("utf-8")
    assert f"Each of {len(published.addresses())} printed values" in executed
