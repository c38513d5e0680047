"""The chapter for a reader's own file: it runs on any of them, and shows none of its values."""

import json
import re

import numpy as np
import pytest
from dpbook import build

import dpchoose as dp

HOSTILE = "<img src=x onerror=alert(3)> $b$"


def run(tmp_path, **parameters):
    """What an executed notebook shows, output by output, without the code."""
    parameters["figures_folder"] = str(tmp_path)
    made = build.run("your-data", tmp_path / "out.ipynb", parameters)
    cells = json.loads(made.read_text("utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


def text(outputs):
    return "\n".join(json.dumps(output, ensure_ascii=False) for output in outputs)


@pytest.mark.parametrize(
    "parameters",
    [{"queries": ["median"]}, {"queries": ["count"]}, {"queries": ["mean"], "risks": [0.0001]}],
    ids=["an answer that no record moves", "an answer known beforehand", "a risk below the prior"],
)
def test_the_chapter_runs_where_no_noise_is_needed_or_none_is_enough(tmp_path, parameters):
    shown = text(run(tmp_path, **parameters))
    assert re.search("exact|cannot be met", shown)


def test_a_name_is_text_and_no_value_of_the_file_is_shown(tmp_path):
    values = np.random.default_rng(4).uniform(1e5, 1e6, 60).round(3)
    file = tmp_path / "mine.csv"
    file.write_text("\n".join([HOSTILE, *map(str, values)]) + "\n", "utf-8")
    outputs = run(tmp_path, csv=str(file), column=HOSTILE, queries=["mean", "sum"])
    assert "<img" not in text(output for output in outputs if output["output_type"] != "stream")
    exact = [*values, *np.quantile(values, [0.25, 0.5, 0.75]), values.mean(), values.sum()]
    shown = text(outputs)
    numbers = {float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*\.?\d*", shown)}
    assert not [one for one in exact if np.isclose([*numbers], one, rtol=1e-4, atol=0).any()]


def test_the_page_begins_with_the_command_whose_output_it_shows():
    page = (build.NOTEBOOKS / "your-data.md").read_text("utf-8")
    typed = re.search(r"```bash\npip install \.\ndpchoose epsilon (\S+) (.+)\n```", page)
    assert (build.ROOT / typed[1]).samefile(dp.datasets.health())
    assert re.search(r'^options = "(.+)"$', page, flags=re.M)[1] == typed[2]
