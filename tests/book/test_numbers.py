"""Each number of a text is what the code computes: numbers/CHAPTER.yaml, numbers/PAGE.yaml."""

import ast
import re
from pathlib import Path

import holds
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import yaml
from dpbook import build
from dpbook.places import NOTEBOOKS, ROOT
from test_plain import cells

import dpchoose as dp

HELD = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in Path(__file__).with_name("numbers").glob("*.yaml")
}
FRONT = {"README": ROOT / "README.md"}  # pages without code of their own
FRONT |= {name: ROOT / "book" / f"{name}.md" for name in ("index", "signing")}
every_held = pytest.mark.parametrize("slug", sorted(HELD))


def ran(slug, parameters, look=lambda shown, figures: None):
    """The namespace in which a chapter has run, in this process, with some parameters.

    ``look`` is given what its cells end in, and its figures.
    """
    namespace, shown = {}, []
    with mpl.rc_context({"backend": "agg"}):
        try:
            for cell in cells(slug):
                if cell.cell_type == "code":
                    shown.append(ended(cell.source, namespace))
                if "parameters" in cell.metadata.get("tags", []):
                    assert parameters.keys() <= namespace.keys()
                    namespace |= parameters
            look(shown, [plt.figure(number) for number in plt.get_fignums()])
        finally:
            plt.close("all")
    return namespace


def ended(source, namespace):
    """What the last expression of a cell is, once the cell has run."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace) if last else None


def prose(slug):
    """The text of a chapter, or of a front page without its commands."""
    if slug in FRONT:
        return holds.prose(re.sub(r"^    .*", "", FRONT[slug].read_text("utf-8"), flags=re.M))
    return holds.prose((NOTEBOOKS / f"{slug}.md").read_text("utf-8"))


@every_held
def test_each_number_that_is_held_is_what_the_code_computes(slug, tmp_path, monkeypatch, capsys):
    """And the chapter writes nothing, where it is given no folder for its figures."""
    monkeypatch.chdir(tmp_path)
    for run in HELD[slug]:
        there = {"dp": dp, "np": np} if slug in FRONT else ran(slug, run.get("with", {}))
        for name, expression in run.get("where", {}).items():
            there[name] = eval(expression, there)
        values = {phrase: eval(listed(given), there) for phrase, given in run["numbers"].items()}
        holds.check(values, prose(slug))
    assert list(tmp_path.iterdir()) == []


def listed(given):
    """One expression, or several as one list."""
    return given if isinstance(given, str) else f"[{', '.join(given)}]"


@pytest.mark.parametrize("slug", [*build.slugs(), *FRONT])
def test_each_number_of_the_text_is_held(slug):
    phrases = [phrase for run in HELD.get(slug, []) for phrase in run["numbers"]]
    assert holds.unheld(prose(slug), phrases) == []
