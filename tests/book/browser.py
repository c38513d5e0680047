"""The rendered book, and a real browser to open it: the system's Chromium, headless."""

import contextlib
import shutil
import subprocess
import sys

import pytest
from dpbook.build import ROOT
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [  # no services of its own, which would ask the network
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


@contextlib.contextmanager
def chromium():
    """A browser to open pages of the book with; skips where there is none."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        pytest.skip(f"needs one of {', '.join(NAMES)} on the PATH: Debian's package is chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=QUIET)
        try:
            yield browser
        finally:
            browser.close()


def make_book():
    """Build it with the command that a reader uses, unless it is there."""
    command = [sys.executable, "-m", "dpbook.build", "book"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
