"""The command from a folder that is on the path and not installed, and a module that is missing."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pandas as pd
import pytest

import dpchoose as dp

PACKAGE, SITE = Path(dp.__file__).parent, Path(sysconfig.get_path("purelib"))


@pytest.fixture
def folder(tmp_path):
    """A folder with a copy of the package and all that is installed, but not it."""
    here = tmp_path / "here"
    shutil.copytree(PACKAGE, here / "dpchoose", ignore=shutil.ignore_patterns("__pycache__"))
    for entry in SITE.iterdir():
        if "dpchoose" not in entry.name and entry.suffix != ".pth":
            (here / entry.name).symlink_to(entry)
    (tmp_path / "x.csv").write_text("x\n" + "1\n5\n2\n" * 9)
    return here


def python(folder, *words):
    """A run of Python that finds modules in this folder alone."""
    command = [sys.executable, "-S", *map(str, words)]
    how = {"cwd": folder.parent, "env": {"PYTHONPATH": str(folder), "PATH": os.environ["PATH"]}}
    return subprocess.run(command, capture_output=True, text=True, **how)


ASK = ("-m", "dpchoose", "epsilon", "x.csv", "--ask", "mean:x", "--limits", "x=0:9", "--odds", "3")


def test_the_command_and_its_script_run_where_nothing_is_installed(folder):
    assert python(folder, "-c", "import importlib.metadata as m; m.version('dpchoose')").returncode
    done = python(folder, *ASK, "--opendp", "p.py", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "dpchoose: p.py is written\n")
    assert f'"version": "dpchoose {dp.__version__}"' in done.stdout
    version = python(folder, "-m", "dpchoose", "--version")
    assert version.stdout == f"dpchoose, version {dp.__version__}\n"
    published = python(folder, "p.py")
    assert (published.returncode, published.stderr) == (0, "")


@pytest.mark.parametrize(
    ("module", "words", "said"),
    [
        ("numpy", (), "numpy must be there: pip install '.' brings it"),
        ("matplotlib", ("--plot", "x.svg"), "matplotlib must be there: pip install '.[plot]'"),
        ("openpyxl", (), "openpyxl must be there: pip install '.[excel]'"),
        ("pyarrow", (), "pyarrow must be there: pip install pyarrow"),
    ],
)
def test_a_module_that_is_missing_is_named(folder, module, words, said):
    for entry in folder.glob(f"{module}*"):
        entry.unlink()
    path = folder.parent / "x.csv"
    if module == "openpyxl":
        pd.DataFrame({"x": [1, 5, 2]}).to_excel(path.with_suffix(".xlsx"), index=False)
        path.with_suffix(".xlsx").rename(path)
    if module == "pyarrow":
        path.write_bytes(b"PAR1" + bytes(99))
    done = python(folder, *ASK, *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_the_script_names_a_module_that_is_missing(folder):
    assert python(folder, *ASK, "--opendp", "p.py").returncode == 0
    for module in ("dpchoose", "opendp", "pandas"):
        (folder / module).rename(folder / "elsewhere")
        done = python(folder, "p.py")
        (folder / "elsewhere").rename(folder / module)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert f"refused: {module} must be there, as where this script was made" in done.stderr
        assert ("pip install" in done.stderr) == (module == "opendp")
