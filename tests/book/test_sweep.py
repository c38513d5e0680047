"""A chapter over a grid: refused whole or run whole, here or on a cluster, in one table."""

import csv
import re
import subprocess
import sys
import time

import distributed
import joblib
import nbformat
import pytest
from dpbook import asked, build, chapter
from dpbook.build import ROOT
from dpbook.sweep import NAME, command, glued, sweep

import dpchoose as dp
from dpchoose.__main__ import answer

FIGURE = re.compile(r"/figures/([\w-]+)\.svg")
GRID = "chapter: fig-2\nparameters:\n  query: [mean, var]\n  risk: [2/5]\n"


def table(folder):
    with open(folder / "results.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def grid(tmp_path):
    """Write a grid file; its path."""

    def write(text):
        path = tmp_path / "grid.yaml"
        path.write_text(text)
        return path

    return write


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """The folder of a sweep of two points, one at a time."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "grid.yaml").write_text(GRID)
    sweep(folder / "grid.yaml", folder / "out", jobs=1)
    return folder / "out"


def test_each_row_holds_the_epsilons_of_the_package(swept):
    rows = table(swept)
    assert [(row["query"], row["risk"], row["failure"]) for row in rows] == [
        ("mean", "2/5", ""),
        ("var", "2/5", ""),
    ]
    pupils, release = dp.datasets.school()
    for row in rows:
        for column in ("school_year", "absence_days"):
            worlds = dp.possible_worlds(row["query"], pupils[column], len(release))
            delta = float(dp.global_sensitivity(row["query"], pupils[column], len(release)))
            expected = dp.epsilon_from_risk(worlds, risk="2/5", sensitivity=delta)
            assert float(row[f"epsilon tight bound {column}"]) == expected


def test_each_point_has_its_notebook_and_its_figures(swept):
    for row in table(swept):
        folder = swept / row["folder"]
        text = (chapter.NOTEBOOKS / "fig-2.md").read_text("utf-8")
        drawn = {f"{name}.{kind}" for name in FIGURE.findall(text) for kind in ("png", "svg")}
        assert {path.name for path in folder.iterdir()} == drawn | {"fig-2.ipynb"}
        assert dict(glued(folder / "fig-2.ipynb")).items() <= row.items()


def test_the_lines_for_a_dask_cluster_on_the_page_give_the_same_table(swept, grid, tmp_path):
    page = (ROOT / "book" / "reproducing.md").read_text("utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    assert 'joblib.parallel_config("dask")' in lines
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with cluster:
        places = {
            "tcp://10.0.0.1:8786": cluster.scheduler_address,
            "notebooks/sweep.yaml": str(grid(GRID)),
            "_build/sweep": str(tmp_path / "out"),
        }
        for shown, meant in places.items():
            assert lines.count(shown) == 1
            lines = lines.replace(shown, meant)
        exec(lines, {})
    expected, found = (folder / "results.csv" for folder in (swept, tmp_path / "out"))
    assert found.read_bytes() == expected.read_bytes()


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A repository with one chapter, which the test writes."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(asked, "NOTEBOOKS", tmp_path)

    def write(parameters, *sources):
        cells = [f'{parameters}\nfigures_folder = ""', *sources]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in cells])
        notebook.cells[0].metadata["tags"] = ["parameters"]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook.metadata["kernelspec"] = kernel
        nbformat.write(notebook, tmp_path / "chapter.ipynb")

    return write


GLUE = "from myst_nb import glue\nglue('square', float(number**2), display=False)"
NUMBERS = "{chapter: chapter, parameters: {number: [1, 2, 3]}}"


def test_a_killed_sweep_goes_on_where_it_stopped(workshop, grid, tmp_path):
    """The point under way is run again, and those before it are not."""
    log, gate = tmp_path / "log", tmp_path / "gate"
    workshop(
        "number = 0",
        f"with open({str(log)!r}, 'a') as file:\n    print(number, file=file)",
        "import pathlib, time\n"
        f"while number == 2 and not pathlib.Path({str(gate)!r}).exists():\n    time.sleep(0.1)",
        GLUE,
    )
    script = (
        "import sys; from pathlib import Path; from dpbook import asked, build, sweep;"
        "build.ROOT = build.NOTEBOOKS = asked.NOTEBOOKS = Path(sys.argv[1]);"
        "sweep.sweep(Path(sys.argv[2]), Path(sys.argv[3]), jobs=1)"
    )
    path, folder = grid(NUMBERS), tmp_path / "out"
    process = subprocess.Popen([sys.executable, "-c", script, tmp_path, path, folder])
    deadline = time.monotonic() + 120
    while not (log.exists() and "2" in log.read_text()) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.1)
    process.kill()
    process.wait()
    assert log.read_text().split() == ["1", "2"]
    assert not (folder / "results.csv").exists()
    gate.touch()
    rows = sweep(path, folder, jobs=1)
    assert log.read_text().split() == ["1", "2", "2", "3"]
    assert [(row["number"], row["square"], row["failure"]) for row in rows] == [
        ("1", "1.0", ""),
        ("2", "4.0", ""),
        ("3", "9.0", ""),
    ]
    assert [dict(row) for row in table(folder)] == rows


def test_a_point_that_fails_is_named_and_the_others_are_kept(workshop, grid, tmp_path, capsys):
    workshop("number = 0", "assert number != 2, 'no\\ntwos'", GLUE)
    words = [str(grid(NUMBERS)), "--output", str(tmp_path / "out"), "--jobs", "1"]
    assert answer(command, NAME, words) == 1
    assert [(row["square"], row["failure"]) for row in table(tmp_path / "out")] == [
        ("1.0", ""),
        ("", "AssertionError: no twos"),
        ("9.0", ""),
    ]
    printed = capsys.readouterr()
    assert "AssertionError: no twos" in printed.out
    assert "Traceback" not in printed.out + printed.err


def test_a_number_that_is_none_or_any_is_in_the_table_too(workshop, grid, tmp_path, capsys):
    shown = "glue('epsilon here', number, display=False); glue('word', 'two', display=False)"
    workshop("number = 0.0", f"from myst_nb import glue; {shown}")
    path = grid("{chapter: chapter, parameters: {number: [.nan, .inf, 0.38298]}}")
    words = [str(path), "--output", str(tmp_path / "out"), "--jobs", "1"]
    assert answer(command, NAME, words) == 0
    assert [row["epsilon here"] for row in table(tmp_path / "out")] == ["nan", "inf", "0.38298"]
    assert "word" not in table(tmp_path / "out")[0]
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in printed[1:4]] == ["none", "any", "0.3829"]


def test_a_file_is_found_from_the_current_folder_and_its_content_belongs_to_the_point(
    workshop, grid, tmp_path, monkeypatch
):
    workshop("csv = ''", f"number = int(open(csv).read())\n{GLUE}")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    path = grid("{chapter: chapter, parameters: {csv: [mine.csv]}}")
    for number in (2, 3):
        (elsewhere / "mine.csv").write_text(str(number))
        (row,) = sweep(path, tmp_path / "out", jobs=1)
        assert (row["csv"], row["square"]) == ("mine.csv", f"{number**2:.1f}")


def test_points_go_where_the_callers_joblib_sends_them(workshop, grid, tmp_path):
    """A workshop is known to this process alone, so nothing but threads finds its chapter."""
    workshop("number = 0", GLUE)
    with joblib.parallel_config("threading", n_jobs=2):
        rows = sweep(grid(NUMBERS), tmp_path / "out")
    assert [row["square"] for row in rows] == ["1.0", "4.0", "9.0"]


@pytest.mark.parametrize("slug", build.slugs())
def test_no_number_is_glued_under_the_name_of_another_column(slug):
    taken = {*chapter.parameters(slug), "folder", "failure"}
    text = (chapter.NOTEBOOKS / f"{slug}.md").read_text("utf-8")
    assert not taken & set(re.findall(r'glue\(\s*"([^"]+)"', text))


def test_the_command_runs_as_a_module():
    made = subprocess.run(
        [sys.executable, "-m", "dpbook.sweep", "--help"], capture_output=True, text=True
    )
    assert made.returncode == 0
    assert made.stdout.startswith(f"Usage: {NAME} [OPTIONS] GRID\n")
