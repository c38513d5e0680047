"""A grid that is too large, ambiguous or wrong is refused whole, before a kernel starts."""

import re

import pytest
from dpbook import build
from dpbook.grid import read_grid
from dpbook.sweep import NAME, command

from dpchoose.__main__ import answer

GRID = "chapter: fig-2\nparameters:\n  query: [mean, var]\n  risk: [2/5]\n"


@pytest.fixture
def grid(tmp_path):
    """Write a grid file; its path."""

    def write(text):
        path = tmp_path / "grid.yaml"
        path.write_text(text)
        return path

    return write


BAD_GRIDS = [
    ("chapter: [", "grid file must be YAML"),
    ("", "grid must be a mapping with the keys chapter and parameters"),
    ("[fig-2]", "grid must be a mapping"),
    ("chapter: fig-2", "grid must be a mapping with the keys"),
    ("{chapter: fig-2, parameters: {risk: [0.3]}, points: []}", "with the keys"),
    ("{chapter: fig-22, parameters: {risk: [0.3]}}", "chapter must be one of .*, got 'fig-22'"),
    ("{chapter: fig-2, parameters: {}}", "parameters must map names to lists of values"),
    ("{chapter: fig-2, parameters: [risk]}", "parameters must map names to lists of values"),
    ("{chapter: fig-2, parameters: {rsik: [0.3]}}", "one of columns, query, risk.*, got 'rsik'"),
    (
        "{chapter: fig-2, parameters: {figures_folder: [a]}}",
        "parameter must be one of .*, got .figures_folder",
    ),
    ("{chapter: fig-2, parameters: {risk: 0.3}}", "risk must have a list of values, got 0.3"),
    ("{chapter: fig-2, parameters: {risk: []}}", "risk must have a list of values"),
    ("{chapter: fig-2, parameters: {risk: [0.3, 1.5]}}", r"risk must lie in \(0, 1\), got 1.5"),
    ("{chapter: fig-2, parameters: {risk: [abc]}}", "risk must be written like 1/3, 0.33 or 33%"),
    ("{chapter: fig-2, parameters: {risk: [true]}}", "risk must be a text, .*got True"),
    ("{chapter: fig-2, parameters: {query: [maen]}}", "query must be one of count, sum"),
    ("{chapter: fig-2, parameters: {query: [3]}}", "query must be a text, as 'mean' is, got 3"),
    ("{chapter: fig-2, parameters: {columns: [absence_days]}}", "columns must be a list"),
    ("{chapter: fig-2, parameters: {trial_epsilon: [many]}}", "trial_epsilon must be a number"),
    ("{chapter: your-data, parameters: {risks: [[0.1, 2]]}}", r"risk must lie in \(0, 1\), got 2"),
    ("{chapter: your-data, parameters: {queries: [[maen]]}}", "query must be one of"),
    ("{chapter: your-data, parameters: {drop_missing: [1]}}", "drop_missing must be a boolean"),
    ("{chapter: fig-2, parameters: {columns: [[shoe_size]]}}", "columns must be of school_year"),
    ("{chapter: fig-2, parameters: {columns: [[3]]}}", "an entry of columns must be a text"),
    ("{chapter: fig-2, parameters: {epsilon_range: [5.0]}}", "epsilon_range must be a list"),
    ("{chapter: fig-2, parameters: {epsilon_range: [[5, 0]]}}", "two numbers that rise, got"),
    ("{chapter: release, parameters: {column: [shoe_size]}}", "column must be of school_year"),
    ("{chapter: one-person, parameters: {member_risk: [2]}}", r"risk must lie in \(0, 1\)"),
    ("{chapter: fig-2, parameters: {epsilon_range: [[2020-01-01, 1]]}}", "a number, as 0 is, got"),
    (f"{{chapter: fig-2, parameters: {{risk: {[i / 1e5 for i in range(1, 10_002)]}}}}}", "10,001"),
    ("[" * 50_000, "grid file must be YAML"),
    ("chapter: \0", "must be YAML"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_GRIDS)
def test_a_bad_grid_is_refused_in_one_line_before_a_kernel_starts(
    grid, tmp_path, capsys, monkeypatch, text, reason
):
    monkeypatch.setattr(build, "run", lambda *_, **__: pytest.fail("a kernel starts"))
    assert answer(command, NAME, [str(grid(text)), "--output", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert re.search(reason, printed.err), printed.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("place", ["/dev/full", "/dev/null/a", "/proc/a", "a" * 300])
def test_a_place_where_no_folder_can_be_is_refused_in_one_line(grid, capsys, monkeypatch, place):
    monkeypatch.setattr(build, "run", lambda *_, **__: pytest.fail("a kernel starts"))
    assert answer(command, NAME, [str(grid(GRID)), "--output", place]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nowhere.yaml", "--output", "OUT"), "grid file must exist, got 'nowhere.yaml'"),
        (("GRID",), "Missing option '--output'"),
        (("GRID", "--output", "OUT", "--jobs", "0"), "jobs must not be 0"),
        (("GRID", "--output", "OUT", "--jobs", "all"), "'all' is not a valid integer"),
        (("GRID", "--output", "GRID"), "output must be a folder"),
    ],
)
def test_a_bad_word_is_refused_in_one_line(grid, tmp_path, capsys, words, reason):
    places = {"GRID": str(grid(GRID)), "OUT": str(tmp_path / "out")}
    assert answer(command, NAME, [places.get(word, word) for word in words]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert reason in printed.err
    assert not (tmp_path / "out").exists()


def test_the_points_are_every_combination_each_once(grid):
    path = grid("{chapter: fig-2, parameters: {query: [mean, var], risk: [0.3, 1/3, 0.3]}}")
    slug, points = read_grid(path)
    assert slug == "fig-2"
    assert [(point["query"], point["risk"]) for point in points] == [
        ("mean", 0.3),
        ("mean", "1/3"),
        ("var", 0.3),
        ("var", "1/3"),
    ]


def test_a_parameter_that_is_a_list_takes_a_list_of_lists(grid):
    _, points = read_grid(grid("{chapter: fig-2, parameters: {columns: [[school_year], []]}}"))
    assert points == [{"columns": ["school_year"]}, {"columns": []}]
