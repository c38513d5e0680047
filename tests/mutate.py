"""Break the mathematics on purpose, one place at a time, and name what no test notices.

python tests/mutate.py [PART ...] reads tests/mutations.yaml: for each module
the tests that are held against it, doctests included, and pairs of a text that
stands there exactly once and what it becomes. Only the modules whose path
contains a PART are broken, or all. Each mutation is made in a copy of the
package; it is found if a test fails, or does not end within ten minutes.

The exit code is 1 if a mutation survives, and 2 if a text is not there exactly
once, so that the list cannot go stale in silence.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import yaml

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutations.yaml"
COPIED = ("dpchoose", "tests/math", "pyproject.toml")
PATIENCE = 600  # seconds


@dataclass(frozen=True)
class Mutation:
    """One place to break: a module of dpchoose, the text there, what it becomes, and the tests."""

    module: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.module}: {self.old!r} -> {self.new!r}"


def read(path: Path, parts: list[str]) -> list[Mutation]:
    """The mutations in a list, of the modules whose path contains one of the parts, or of all.

    Raises:
        ValueError: a text does not stand in its module exactly once.
    """
    found = []
    for module, entry in yaml.safe_load(path.read_text("utf-8")).items():
        text = (ROOT / "dpchoose" / module).read_text("utf-8")
        tests = tuple(f"tests/math/test_{name}.py" for name in entry["tests"])
        for old, new in entry["places"]:
            if text.count(old) != 1 or old == new:
                raise ValueError(f"{module} must hold once, got {text.count(old)} times: {old!r}")
            if not parts or any(part in module for part in parts):
                found.append(Mutation(module, old, new, (f"dpchoose/{module}", *tests)))
    return found


def survives(mutation: Mutation, copy: Path) -> bool:
    """Whether every test passes although the copy of the package is broken there."""
    module = copy / "dpchoose" / mutation.module
    right = module.read_text("utf-8")
    module.write_text(right.replace(mutation.old, mutation.new), "utf-8")
    try:
        return passes(mutation.tests, copy)
    finally:
        module.write_text(right, "utf-8")


def passes(tests: Iterable[str], copy: Path) -> bool:
    """Whether these tests pass on that copy, in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def make_copy(folder: Path) -> Path:
    """A copy of the package and its tests."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def main(parts: list[str]) -> int:
    try:
        mutations = read(LIST, parts)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    copies: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for worker in range(os.cpu_count() or 1):
            copies.put(make_copy(Path(folder, str(worker))))
        if not passes({test for one in mutations for test in one.tests}, Path(folder, "0")):
            print("the tests fail, or take too long, on what is not broken", file=sys.stderr)
            return 2

        def tried(mutation: Mutation) -> bool:
            copy = copies.get()
            try:
                return survives(mutation, copy)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(copies.qsize()) as pool:
            survivors = []
            for count, (mutation, left) in enumerate(zip(mutations, pool.map(tried, mutations)), 1):
                survivors += [mutation] * left
                print(f"{count}/{len(mutations)} {'SURVIVES' if left else 'found'} {mutation}")
                sys.stdout.flush()
    print(f"{len(mutations) - len(survivors)} found, {len(survivors)} survive")
    for mutation in survivors:
        print(mutation)
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
