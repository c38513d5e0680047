"""Where the parts of the repository are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
EXECUTED = ROOT / "book" / "chapters"
FIGURES = ROOT / "figures"
BUILD = ROOT / "_build"
