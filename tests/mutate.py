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
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/core", "tests/your_data")
LIST = ROOT / "tests" / "mutations.yaml"
PYTEST = (sys.executable, "-B", "-m", "pytest", "-x", "-q", "--assert=plain")
PYTEST += ("-p", "no:cacheprovider", "--hypothesis-profile=first")
PATIENCE = 600  # seconds


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


def pass_in_time(tests: Sequence[str], copy: Path) -> bool:
    """Whether these tests all pass on a copy, before patience ends."""
    env = os.environ | {"PYTHONPATH": str(copy)}  # for the processes that tests begin
    run = {"cwd": copy, "env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        return subprocess.run([*PYTEST, *tests], timeout=PATIENCE, **run).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def survives(mutation: Mutation, copies: queue.SimpleQueue[Path]) -> bool:
    """Whether no test notices a mutation, which is made in a copy that nobody uses."""
    copy, begun = copies.get(), time.monotonic()
    module = copy / "dpchoose" / mutation.module
    right = module.read_text("utf-8")
    module.write_text(right.replace(mutation.old, mutation.new), "utf-8")
    unnoticed = pass_in_time(mutation.tests, copy)
    module.write_text(right, "utf-8")
    copies.put(copy)
    verdict = "SURVIVES" if unnoticed else "found"
    print(f"{time.monotonic() - begun:4.0f} s {verdict:8} {mutation}", flush=True)
    return unnoticed


def main(parts: list[str]) -> int:
    try:
        mutations = read(LIST, parts)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    cores = os.cpu_count() or 1
    print(f"breaking {len(mutations)} places one at a time, on {cores} cores", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(cores) as workers:
        copies = queue.SimpleQueue()
        for number in range(cores):
            copies.put(copy := make_copy(Path(folder, str(number))))
        modules = {mutation.tests[0] for mutation in mutations}
        tests = sorted({test for mutation in mutations for test in mutation.tests} - modules)
        runs = [[tests[0], *modules], *([test] for test in tests[1:])]
        passes = workers.map(lambda run: pass_in_time(run, copy), runs)
        if failed := [run[0] for run, passed in zip(runs, passes) if not passed]:
            print("fail, or take too long, on what is not broken:", *failed, file=sys.stderr)
            return 2
        unnoticed = workers.map(lambda mutation: survives(mutation, copies), mutations)
        left = [mutation for mutation, one in zip(mutations, unnoticed) if one]
    print(f"{len(mutations) - len(left)} found, {len(left)} survive")
    for mutation in left:
        print(mutation)
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
