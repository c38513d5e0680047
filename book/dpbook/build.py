"""From notebooks to a book: run what is stale, then render it.

``python -m dpbook.build notebooks`` runs the chapters, ``figures`` runs them
all again, ``book`` renders the pages and ends with the path to open. What
fails leaves nothing behind that looks finished.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from dpbook import chapter
from dpbook.chapter import FIGURES, NOTEBOOKS, ROOT

EXECUTED = ROOT / "book" / "chapters"
BUILD = ROOT / "_build"
DIGEST = "dpchoose_digest"


def slugs() -> list[str]:
    """The chapters, in the order of their names."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def refuse_unknown(slug: str, names: Iterable[str] = ()) -> None:
    """Stop at a chapter, or a parameter of it, that is not there.

    Raises:
        ValueError: with the chapters, or the parameters, that there are.

    >>> refuse_unknown("fig-2", ["risk", "query"])
    """
    if slug not in slugs():
        raise ValueError(f"chapter must be one of {', '.join(slugs())}, got {slug!r}")
    known = chapter.parameters(slug)
    for name in names:
        if name not in known:
            raise ValueError(f"parameter must be one of {', '.join(known)}, got {name!r}")


def run(
    slug: str,
    output: Path,
    parameters: Mapping[str, Any] | None = None,
    *,
    cwd: Path | None = None,
) -> Path:
    """Run one chapter with papermill.

    Args:
        slug: the name of its notebook.
        output: where the executed notebook goes, once it has ended well.
        parameters: those that differ from the published ones.
        cwd: where it runs, so where a relative path among its parameters
            begins; None for the folder of the notebooks.

    Returns:
        the output.

    Raises:
        ValueError: an unknown chapter or parameter; no kernel is started.
        papermill.PapermillExecutionError: a cell failed.
    """
    import papermill

    refuse_unknown(slug, parameters or {})
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    part = output.with_name(f".{output.stem}.{os.getpid()}.part.ipynb")
    try:
        papermill.execute_notebook(
            NOTEBOOKS / f"{slug}.ipynb",
            part,
            parameters=dict(parameters or {}),
            cwd=cwd or NOTEBOOKS,
            kernel_name="python3",
            progress_bar=False,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        )
        notebook = json.loads(part.read_text("utf-8"))
        notebook["metadata"][DIGEST] = _chapter_digest(slug)
        part.write_text(json.dumps(notebook), "utf-8")
        part.replace(output)
    finally:
        for left in output.parent.glob(f".{output.stem}.*.part.ipynb"):  # a killed run's too
            left.unlink(missing_ok=True)
    return output


def is_fresh(slug: str, output: Path | None = None) -> bool:
    """Whether the executed chapter and its figures are what a run would make.

    Args:
        slug: the name of its notebook.
        output: of a run with other parameters; None for the chapter of the book.
    """
    output = output or EXECUTED / f"{slug}.ipynb"
    if not output.exists():
        return False
    digest = json.loads(output.read_text("utf-8"))["metadata"].get(DIGEST)
    return bool(digest == _chapter_digest(slug))


def run_all(*, force: bool = False) -> list[str]:
    """Run the chapters that are stale, side by side, as many as there are cores.

    Returns:
        the slugs that failed; the error of each is printed.
    """
    stale = [slug for slug in slugs() if force or not is_fresh(slug)]
    failed = []
    with ProcessPoolExecutor() as pool:
        runs = {slug: pool.submit(run, slug, EXECUTED / f"{slug}.ipynb") for slug in stale}
        for slug, future in runs.items():
            error = future.exception()
            print(f"{'failed' if error else 'ran'} {slug}", flush=True)
            if error:
                failed.append(slug)
                print(error, file=sys.stderr)
    return failed


def render() -> Path:
    """Build the book from the executed chapters, warnings being errors.

    Returns:
        the path of its first page.

    Raises:
        RuntimeError: the build failed or warned; with its output.
    """
    html, page = BUILD / "html", BUILD / "html" / "index.html"
    sources = [path for path in sorted(ROOT.iterdir()) if path.is_file()]
    for name in ("book", "dpchoose", "figures", "notebooks"):
        sources += _files(ROOT / name)
    digest = _digest(sources)
    stamp = html / ".digest"
    if stamp.exists() and stamp.read_text() == digest:
        return page
    for old in (html, BUILD / "part"):
        shutil.rmtree(old, ignore_errors=True)
    options = ["-W", "-n", "--keep-going", "--all", "-q", "--path-output", BUILD / "part"]
    capture: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    command = Path(sys.executable).with_name("jupyter-book")
    try:
        made = subprocess.run([command, "build", ROOT, *options], **capture)
        if made.returncode:
            raise RuntimeError(f"jupyter-book failed:\n{made.stdout.decode()}")
        shutil.move(BUILD / "part" / "_build" / "html", html)
    finally:
        shutil.rmtree(BUILD / "part", ignore_errors=True)
    stamp.write_text(digest)
    return page


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dpbook.build", description=__doc__)
    parser.add_argument("what", choices=["notebooks", "figures", "book"])
    what = parser.parse_args().what
    if run_all(force=what == "figures"):
        return 1
    if what == "book":
        try:
            page = render()
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
        print(os.path.relpath(page))
    return 0


def _chapter_digest(slug: str) -> str:
    """Of all that a chapter is made from, and of the figures that it made."""
    notebook = NOTEBOOKS / f"{slug}.ipynb"
    drawn = re.findall(r"/figures/([\w-]+)\.svg", notebook.read_text("utf-8"))
    pictures = [
        FIGURES / f"{name}.{kind}" for name in sorted(set(drawn)) for kind in ("png", "svg")
    ]
    measured, package = (
        _files(ROOT / "benchmarks"),
        _files(ROOT / "dpchoose") + _files(ROOT / "book" / "dpbook"),
    )
    return _digest([notebook, ROOT / "requirements.lock", *package, *measured, *pictures])


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")


def _digest(paths: Iterable[Path]) -> str:
    sha = hashlib.sha256()
    for path in paths:
        content = path.read_bytes() if path.exists() else b""
        sha.update(f"{path.relative_to(ROOT)} {len(content)} ".encode() + content)
    return sha.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
