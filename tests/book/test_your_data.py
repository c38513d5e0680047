"""The chapter for a reader's own file: it runs on any of them, and shows none of its values."""

import json
import re
import shlex

import numpy as np
import papermill
import pytest
from dpbook import build
from dpbook.places import NOTEBOOKS
from test_plain import reads_as_plain_html

import dpchoose as dp

HOSTILE = "<img src=x onerror=alert(3)> $b$"


def run(tmp_path, **parameters):
    """What an executed notebook shows, output by output, without the code."""
    parameters["figures_folder"] = str(tmp_path)
    made = build.run("your-data", tmp_path / "out.ipynb", parameters)
    reads_as_plain_html(made)
    cells = json.loads(made.read_text("utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


def text(outputs):
    return "\n".join(json.dumps(output, ensure_ascii=False) for output in outputs)


@pytest.mark.parametrize(
    ("values", "risk", "status"),
    [([7, 7, 7, 7], "1/2", "without noise"), ([1, 2, 3, 10], 0.2, "cannot be met")],
    ids=["an answer that no record moves", "a risk below the prior"],
)
def test_the_chapter_reads_where_no_noise_is_needed_or_none_is_enough(
    tmp_path, values, risk, status
):
    file = tmp_path / "mine.csv"
    file.write_text("stay\n" + "\n".join(map(str, values)) + "\n", "utf-8")
    assert status in text(run(tmp_path, csv=str(file), column="stay", limits="", risk=risk))


@pytest.mark.parametrize("limits", ["0:2000000", ""])
def test_a_name_is_text_and_no_value_of_the_file_is_shown(tmp_path, limits):
    values = np.random.default_rng(4).uniform(1e5, 1e6, 60).round(3)
    file = tmp_path / "mine.csv"
    file.write_text("\n".join([HOSTILE, *map(str, values)]) + "\n", "utf-8")
    outputs = run(tmp_path, csv=str(file), column=HOSTILE, limits=limits, odds=5)
    unescaped = [one for one in outputs if one["output_type"] != "stream"]
    assert "<img" not in text(one.get("data", {}).get("text/html", "") for one in unescaped)
    exact = [*values, *np.quantile(values, [0.25, 0.5, 0.75]), values.mean(), values.sum()]
    numbers = {float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*\.?\d*", text(outputs))}
    assert not [one for one in exact if np.isclose([*numbers], one, rtol=1e-4, atol=0).any()]


def test_the_lines_for_papermill_run_as_they_are_printed(tmp_path, monkeypatch):
    """On a file of the name that stands in them."""
    source = (NOTEBOOKS / "your-data.md").read_text("utf-8")
    lines = re.findall(r'^    "(-p csv mine\.csv .*)",$', source, flags=re.M)
    assert len(lines) == 2
    monkeypatch.chdir(tmp_path)
    stays = np.random.default_rng(2).integers(0, 60, 400)
    (tmp_path / "mine.csv").write_text("stay\n" + "\n".join(map(str, stays)) + "\n", "utf-8")
    for line, said in zip(lines, ("which of two records", "suspects nobody"), strict=True):
        asked = shlex.split(line)[1::3], shlex.split(line)[2::3]
        typed = [one if one != "3" else 3 for one in asked[1]]
        papermill.execute_notebook(
            NOTEBOOKS / "your-data.ipynb",
            "out.ipynb",
            dict(zip(asked[0], typed, strict=True)),
            progress_bar=False,
        )
        assert said in (tmp_path / "out.ipynb").read_text("utf-8")
        reads_as_plain_html(tmp_path / "out.ipynb")


def test_the_command_is_on_the_file_of_the_book(book):
    """As it is typed in a clone."""
    shown = (build.EXECUTED / "your-data.ipynb").read_text("utf-8")
    typed = re.search(r"dpchoose epsilon (\S+) ", shown)
    assert (build.ROOT / typed[1]).samefile(dp.datasets.health())
