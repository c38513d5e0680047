"""What befalls a run: killed, doubled, read-only, out of space, without a network.

`make test-runs` makes a clone in a folder whose name has a space and an accent,
and takes half an hour; it ends only processes that it started.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HTML = "_build/html/index.html"
TARGETS = ["book", "figures"]
KILLS = 20
OWN = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A clone that is itself named dpchoose, with its book."""
    folder = tmp_path_factory.mktemp("a b é") / "dpchoose"
    subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
    made = run(folder, "book")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[-1] == HTML
    return folder


def start(folder, target, **how):
    """A make in a process group of its own."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | how
    how["preexec_fn"] = as_in_a_terminal
    return subprocess.Popen(["make", target], cwd=folder, env=OWN, process_group=0, **how)


def as_in_a_terminal():
    """A test that runs in the background would pass on that an interrupt is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(folder, target, **how):
    process = start(folder, target, **how)
    out, err = process.communicate(timeout=1800)
    return subprocess.CompletedProcess(target, process.returncode, out, err)


def left_behind(folder):
    """The processes that work in the clone, or whose command names it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            where = os.readlink(process / "cwd")
        except OSError:  # it has ended, or is somebody else's
            continue
        if where.startswith(str(folder)) or any(str(folder).encode() in word for word in words):
            found.append(int(process.name))
    return found


def wait_until_none_is_left(folder, seconds=60):
    end = time.monotonic() + seconds
    while (left := left_behind(folder)) and time.monotonic() < end:
        time.sleep(0.5)
    return left


def is_whole(folder):
    """A plain run succeeds, and nothing that git tracks has changed."""
    made = run(folder, "book")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[-1] == HTML
    status = ["git", "status", "--porcelain"]
    changed = subprocess.run(status, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert changed == ""
    parts = [*folder.glob("figures/.*"), *folder.glob("book/chapters/.*.part.json")]
    assert parts == []
    return True


def make_stale(folder, *slugs):
    """Some chapters, or all of them: the fewer, the sooner a test has ended."""
    names = [f"notebooks/{slug}.ipynb" for slug in slugs] or ["dpchoose/checks.py"]
    subprocess.run(["touch", *names], cwd=folder, check=True)


def signal_group(process, number):
    """To the processes that a make has started, and to no others."""
    os.killpg(process.pid, number)


@pytest.mark.parametrize("whom", ["all", "make alone"])
def test_after_twenty_kills_a_plain_run_succeeds_and_no_kernel_is_left(clone, whom):
    rng = random.Random(14)
    for kill in range(KILLS // 2):
        make_stale(clone)
        process = start(clone, TARGETS[kill % len(TARGETS)], stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 30))
        if process.poll() is None:
            if whom == "all":
                signal_group(process, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        if whom == "all":
            assert wait_until_none_is_left(clone) == []
    assert wait_until_none_is_left(clone, 600) == []
    assert is_whole(clone)


def test_an_interrupt_ends_a_run_in_a_few_lines_and_leaves_no_kernel(clone):
    make_stale(clone, "fig-2", "posterior")
    process = start(clone, "figures")
    time.sleep(15)
    signal_group(process, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    assert wait_until_none_is_left(clone) == []
    assert is_whole(clone)


def test_of_two_builds_at_once_one_waits_and_both_succeed(clone):
    make_stale(clone, "fig-2", "posterior")
    both = [start(clone, "book"), start(clone, "book")]
    for process in both:
        _, err = process.communicate(timeout=1800)
        assert process.returncode == 0, err
    assert is_whole(clone)


def test_once_the_environment_stands_no_network_is_needed(clone):
    """In a network namespace of its own, which has not even a loopback that is up."""
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        pytest.skip("needs the right to unshare the network")
    make_stale(clone, "fig-2", "posterior")
    up = "ip link set lo up 2>/dev/null || ifconfig lo up; exec make book"
    made = subprocess.run(
        ["unshare", "--net", "sh", "-c", up], cwd=clone, env=OWN, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert is_whole(clone)


def test_a_changed_default_is_said_and_the_pages_are_built(clone):
    """In both halves, as `make sync` leaves them."""
    for kind, quote in (("md", '"'), ("ipynb", '\\"')):
        half = clone / "notebooks" / f"fig-2.{kind}"
        text = half.read_text("utf-8")
        old = f"risk = {quote}1/3{quote}  #"
        assert text.count(old) == 1
        half.write_text(text.replace(old, "risk = 0.4  #"), "utf-8")
    try:
        made = run(clone, "book")
        assert made.returncode == 0, made.stderr
        said = "fig-2: risk is 0.4 and not the published 1/3; its figures are in _build/figures"
        assert said in made.stderr.splitlines()
        pages = clone / "_build" / "html" / "book" / "chapters"
        assert "was asked another question" in (pages / "fig-2.html").read_text("utf-8")
        assert "more have no verdict" in (pages / "published.html").read_text("utf-8")
    finally:
        subprocess.run(["git", "checkout", "-q", "notebooks"], cwd=clone, check=True)
    assert is_whole(clone)


def one_line(made):
    """The trouble in one line of words, and what make adds to it."""
    words = [line for line in made.stderr.splitlines() if not line.startswith("make")]
    assert made.returncode != 0
    assert words
    assert not any(line.startswith("Traceback") for line in words)
    return words


@pytest.mark.parametrize("folder", ["figures", "_build"])
def test_a_full_disk_is_said_and_nothing_half_written_is_taken_for_finished(clone, folder):
    place, kept = clone / folder, clone / f"{folder}-kept"
    place.rename(kept)
    place.mkdir()
    small = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(small, capture_output=True).returncode:
        place.rmdir()
        kept.rename(place)
        pytest.skip("needs the right to mount a small tmpfs")
    if folder == "_build":  # else every chapter is stale
        shutil.copy2(kept / "names", place)
        make_stale(clone, "published")
    try:
        made = run(clone, "book")
        assert any("No space left" in line for line in one_line(made))
    finally:
        subprocess.run(["umount", str(place)], check=True)
        place.rmdir()
        kept.rename(place)
    assert is_whole(clone)


def test_figures_that_may_not_be_written_are_named(clone):
    """Root may write anywhere, so the folder is mounted read-only."""
    place = clone / "figures"
    bind = subprocess.run(["mount", "--bind", place, place], capture_output=True)
    if bind.returncode:
        pytest.skip("needs the right to mount")
    subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
    try:
        assert run(clone, "figures").returncode == 0  # there is nothing to write
    finally:
        subprocess.run(["umount", place], check=True)
    (place / "fig-2.svg").write_text("not what the chapter draws")
    subprocess.run(["mount", "--bind", place, place], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
    try:
        made = run(clone, "notebooks")
        assert any("Read-only" in line and "figures" in line for line in one_line(made))
    finally:
        subprocess.run(["umount", place], check=True)
    assert is_whole(clone)
