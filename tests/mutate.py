"""Break the mathematics on purpose, one place at a time, and name what no test notices.

python tests/mutate.py [PART ...] reads tests/mutations.yaml: for each module the
tests that are held against it, after its own doctests, and the places where it is
broken. Only the modules whose path contains a PART are broken, or all. Each
mutation is made in a copy of the package; it is found if a test fails, or does not
end within ten minutes.

The exit code is 1 if a mutation survives, and 2 if a text is not there exactly
once, so that the list cannot go stale in silence.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# what the tests import takes longer than most tests: each process starts with it
import hypothesis.strategies
import mpmath
import numpy
import pandas
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/core", "tests/your_data")
LIST = ROOT / "tests" / "mutations.yaml"
OPTIONS = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "--hypothesis-profile=first")
PATIENCE = 600  # seconds
SHARED = (hypothesis, mpmath, numpy, pandas)


@dataclass(frozen=True)
class Mutation:
    """One place to break: a module of dpchoose, the text there, what it becomes, and the tests."""

    module: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.module}: {self.old} ==> {self.new}"


def read(path: Path, parts: list[str]) -> list[Mutation]:
    """The mutations in a list, of the modules whose path contains one of the parts, or of all.

    Raises:
        ValueError: a text does not stand in its module exactly once, or stays as it is.
    """
    found = []
    for module, entry in yaml.safe_load(path.read_text("utf-8")).items():
        text = (ROOT / "dpchoose" / module).read_text("utf-8")
        tests = tuple(map(test_named, entry["tests"].split()))
        for line in entry["places"].splitlines():
            if line.startswith("#"):
                continue
            old, arrow, new = line.partition(" ==>")
            if not arrow or text.count(old) != 1 or old == new.strip():
                raise ValueError(f"{module} must hold once, got {text.count(old)} times: {line}")
            if not parts or any(part in module for part in parts):
                found.append(Mutation(module, old, new.strip(), (f"dpchoose/{module}", *tests)))
    return found


def test_named(name: str) -> str:
    """The path of the tests of a name, in the one folder that has them."""
    paths = (f"{folder}/test_{name}.py" for folder in TESTS)
    return next(path for path in paths if (ROOT / path).exists())


def make_copy(folder: Path) -> Path:
    """A copy of the package and its tests."""
    for name in ("dpchoose", *TESTS):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def start(tests: tuple[str, ...], copy: Path) -> int:
    """The number of a new process that runs these tests on a copy, and succeeds if they all pass.

    The alarm ends it in time.
    """
    if number := os.fork():
        return number
    signal.alarm(PATIENCE)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    os._exit(pytest.main([*OPTIONS, *tests]))


def survivors(mutations: list[Mutation], copies: list[Path]) -> list[Mutation]:
    """The mutations that no test notices, one at a time in each copy."""
    found, running, waiting = [], {}, mutations[::-1]
    while waiting or running:
        while waiting and copies:
            mutation, copy = waiting.pop(), copies.pop()
            module = copy / "dpchoose" / mutation.module
            right = module.read_text("utf-8")
            module.write_text(right.replace(mutation.old, mutation.new), "utf-8")
            running[start(mutation.tests, copy)] = mutation, copy, right, time.monotonic()
        number, status = os.wait()
        mutation, copy, right, begun = running.pop(number)
        (copy / "dpchoose" / mutation.module).write_text(right, "utf-8")
        copies.append(copy)
        found += [mutation] * (status == 0)
        verdict = "found" if status else "SURVIVES"
        print(f"{time.monotonic() - begun:4.0f} s {verdict:8} {mutation}", flush=True)
    return found


def main(parts: list[str]) -> int:
    try:
        mutations = read(LIST, parts)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        copies = [make_copy(Path(folder, str(one))) for one in range(os.cpu_count() or 1)]
        tests = {test for mutation in mutations for test in mutation.tests}
        modules = {f"dpchoose/{mutation.module}" for mutation in mutations}
        for count, test in enumerate(sorted(tests - modules)):
            if os.waitpid(start((test, *([] if count else modules)), copies[0]), 0)[1]:
                print(f"{test} fails, or takes too long, on what is not broken", file=sys.stderr)
                return 2
        left = survivors(mutations, copies)
    print(f"{len(mutations) - len(left)} found, {len(left)} survive")
    for mutation in left:
        print(mutation)
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
